"""A committee as one SELECT for SQLite, PostgreSQL and DuckDB.

The rows are numbered, and votes and probabilities computed beside them step by step: as columns
where the databases have enough of them, as rows otherwise.  The numbers join the result to the
rows, so that nothing but the result is added to their columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.errors import ModelError
from widc_arff.export.content import (
    LEAST_SCORE,
    UnusedNames,
    commented,
    heading,
    require_exportable,
    used_attributes,
)
from widc_arff.export.sql_columns import ColumnSteps, LabelSetSteps
from widc_arff.export.sql_reading import Reading
from widc_arff.export.sql_rows import RowSteps
from widc_arff.export.sql_terms import double, quoted_name

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee

MOST_LABELS = 700
"""Of more labels the result has no columns: two each would leave a table too few."""
MOST_LABELS_OF_SETS = 450
"""Three columns each."""
_MOST_RULES = 1000  # with a column each
_MOST_COLUMNS = {"PostgreSQL": 1664, "SQLite": 2000}

_GIVES_SETS = "for each label whether it is predicted, a probability and the"
_ABOUT = """\
For SQLite 3.35, PostgreSQL 12, DuckDB 1.0 and later; SQLite needs its mathematical functions.
Gives all columns of the table, {gives}
sum of votes; before them a number for each row, in the order in which the rows were read.
Nominal attributes are compared as text, numeric ones as double precision, dates are milliseconds
since 1970-01-01 UTC. NULL and NaN are missing and satisfy no condition. A row with a label that
training did not know gets no prediction: NULL."""


def sql_select(committee: DecisionCommittee, table: str | None = None) -> str:
    """Return a SELECT statement that adds the committee's predictions to a table's columns.

    Parameters
    ----------
    committee : DecisionCommittee
        Who predicts.
    table : str, optional
        Name of the table or view; by default that of the relation.

    Raises
    ------
    ModelError
        If a name or label has a character that SQL cannot hold, or there are too many labels or
        rules for label sets.

    Notes
    -----
    Columns of labels are named ``probability:LABEL`` and ``votes:LABEL``, as in the other outputs.
    Of label sets there is ``predicted:LABEL``, 0 or 1, for each, in place of ``predicted``.  Beyond
    `MOST_LABELS` there are ``probability`` and ``votes``, those of the predicted label.
    """
    source = table or committee.schema.relation or "data"
    require_exportable(committee, "SQL", _is_of_sql, [source])
    number, results = _names(committee)
    reading = Reading(committee, source, number)
    if committee.schema.labels.are_sets:
        steps, gives = _label_set_steps(committee, reading), _GIVES_SETS
    else:
        steps, gives = _steps(committee, reading)
    steps[-1] = ")"
    selected = [f"  r.{column} AS {name}" for column, name in results.items()]
    lines = [
        *commented(heading(committee), "--"),
        *(f"-- {line}" for line in _ABOUT.format(gives=gives).splitlines()),
        *reading.steps(),
        *steps,
        "SELECT",
        ",\n".join(["  t.*", *selected]),
        "FROM widc_rows AS t",
        f"JOIN widc_results AS r ON r.n = t.{number};",
    ]
    return "\n".join(lines) + "\n"


def _steps(committee: DecisionCommittee, reading: Reading) -> tuple[list[str], str]:
    """Return the steps to the results, and what these give."""
    scores = committee.tie_scores.tolist()
    preference = sorted(range(len(scores)), key=lambda j: -scores[j])
    calibration = committee.known_calibration
    frequencies = [double(frequency) for frequency in calibration.frequencies]
    shares = [double(max(share, LEAST_SCORE)) for share in calibration.shares]
    each_label = len(scores) <= MOST_LABELS
    if each_label and len(committee.rules) <= _MOST_RULES:
        steps = ColumnSteps(committee, reading, frequencies, shares, preference).lines()
    else:
        steps = RowSteps(
            committee, reading, frequencies, shares, preference, each_label=each_label
        ).lines()
    gives = "for each label a probability and the" if each_label else "its probability and"
    return steps, f"the predicted label, and {gives}"


def _label_set_steps(committee: DecisionCommittee, reading: Reading) -> list[str]:
    n_labels, n_rules = committee.schema.n_classes, len(committee.rules)
    if n_labels > MOST_LABELS_OF_SETS or n_rules > _MOST_RULES:
        raise ModelError(
            f"expected a model for label sets of at most {MOST_LABELS_OF_SETS:,} labels and "
            f"{_MOST_RULES:,} rules to write in SQL, got {n_labels:,} and {n_rules:,}: python and "
            "java have no such limit"
        )
    return LabelSetSteps(committee, reading).lines()


def sql_limits(committee: DecisionCommittee) -> list[str]:
    """Return what the databases cannot hold of the result of `sql_select`, a sentence each."""
    n_labels = committee.schema.n_classes
    sentences = []
    if n_labels > MOST_LABELS:
        sentences.append(
            f"{n_labels:,} labels: two columns each are too many for PostgreSQL (1,664) and SQLite "
            "(2,000), so that the result has the predicted label, its probability and its votes"
        )
    attributes = committee.schema.attributes
    names = [attributes[a].name for a in used_attributes(committee)]
    renamed = [repr(name) for name in names if name.lower() in ("true", "false")]
    if renamed:
        sentences.append(
            f"SQLite gives columns called {' or '.join(renamed)} other names within a statement "
            "and then does not find them: only PostgreSQL and DuckDB can run this one"
        )
    _, results = _names(committee)
    n_columns = len(committee.schema.attributes) + 2 + len(results)
    beyond = [f"{name} ({most:,})" for name, most in _MOST_COLUMNS.items() if n_columns > most]
    if beyond:
        sentences.append(
            f"with a table of the model's {len(committee.schema.attributes):,} attributes and its "
            f"class the result has {n_columns:,} columns, more than {' and '.join(beyond)} can "
            "return: select from a view that has only the columns in use, or leave out columns in "
            "the last SELECT"
        )
    return sentences


def _names(committee: DecisionCommittee) -> tuple[str, dict[str, str]]:
    """Return the names of the row number, and of the columns of widc_results in the result."""
    schema = committee.schema
    names = UnusedNames([*(a.name for a in schema.attributes), *schema.labels.attributes])
    number = quoted_name(names.take("row_number"))
    wanted, columns = {"predicted": "predicted"}, ["probability", "votes"]
    if schema.labels.are_sets:
        wanted, columns = {}, ["predicted", *columns]
    for what in columns:
        if schema.n_classes > MOST_LABELS:
            wanted[what] = what
        else:
            for j, label in enumerate(schema.labels.values):
                wanted[f"{what}_{j + 1}"] = f"{what}:{label}"
    return number, {column: quoted_name(names.take(name)) for column, name in wanted.items()}


def _is_of_sql(character: str) -> bool:
    """Return whether the databases can hold a character: all but NUL and lone surrogates."""
    return character != "\0" and not "\ud800" <= character <= "\udfff"
