"""Results of evaluations as plain text of 80 columns and as Markdown.

One file is told at length, of several each gets a row; of classes and of label sets each kind has
a table of its own.
"""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from widc_arff.errors import one_line
from widc_arff.evaluation.outcomes import ClassEvaluation, LabelSetEvaluation
from widc_arff.reports.blocks import Column, Heading, Table, columns, in_form
from widc_arff.reports.layout import WIDTH, fixed, short
from widc_arff.reports.wording import counted, mean, number, percent, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from widc_arff.evaluation.outcomes import Evaluation
    from widc_arff.reports.blocks import Block

_WIDEST_NAME = 36
_MOST_CONFUSIONS = 10


class _Column(NamedTuple):
    """A column of a table with a row per file."""

    head: str
    value: Callable[[Any], float]
    told: Callable[[float], str]
    has_mean: bool = True


class _Told(NamedTuple):
    """How evaluations of one kind are told.

    Figures are names and values for one file, more is what follows them.  Columns are those behind
    file and examples in a table of several, given the first of them.
    """

    figures: Callable[[Any], list[tuple[str, str]]]
    more: Callable[[Any], list[Block]]
    columns: Callable[[Any], list[_Column]]


def evaluation_in_form(evaluation: Evaluation[Any], form: str) -> str:
    """Return the result for one file: errors, sizes, measures; of classes also confusions."""
    title = Heading(f"{evaluation.source}: {evaluation.method}", 1)
    return in_form([title, *evaluation_blocks(evaluation)], form)


def evaluations_in_form(evaluations: Iterable[Evaluation[Any]], form: str) -> str:
    """Return a row per file, and the means."""
    held = list(evaluations)
    of_kinds = {told: [e for e in held if type(e) is kind] for kind, told in _TOLD.items()}
    tables = [block for told, found in of_kinds.items() for block in _table_of_files(told, found)]
    return in_form(tables, form)


def evaluation_blocks(evaluation: Evaluation[Any], *more: tuple[str, str]) -> list[Block]:
    """Return errors, sizes, measures, and more figures; of classes also what is taken for what."""
    told = _TOLD[type(evaluation)]
    return [figures_table([*told.figures(evaluation), *more]), *told.more(evaluation)]


def figures_of(evaluation: Evaluation[Any]) -> list[tuple[str, str]]:
    """Return names and values of errors, sizes and measures."""
    return _TOLD[type(evaluation)].figures(evaluation)


def figures_table(figures: Sequence[tuple[str, str]]) -> Table:
    """Return a table of names and values."""
    return Table([Column("", "head", 20), Column("", "words")], figures)


def ways_in_form(
    evaluation: Evaluation[Any], others: Mapping[str, Evaluation[Any]], form: str
) -> str:
    """Return a row for one committee for all labels, and one for each other way, by its name."""
    names = ("Hamming", "exact", "micro F1", "macro F1", "rank loss", "log loss", "conditions")
    rows = []
    for name, found in {"one committee for all": evaluation, **others}.items():
        m = found.measures
        values = (m.hamming_loss, m.subset_accuracy, m.micro_f1, m.macro_f1, m.ranking_loss)
        losses = [fixed(value, 3) for value in (*values, m.log_loss)]
        rows.append([name, *losses, f"{found.literals:.1f}"])
    return in_form(["On the same folds:", Table(columns("", *names), rows)], form)


def _table_of_files(told: _Told, evaluations: Sequence[Evaluation[Any]]) -> list[Block]:
    if not evaluations:
        return []
    found = told.columns(evaluations[0])
    rows = [
        [
            short(one_line(e.source), _WIDEST_NAME, keep_end=True),
            str(e.examples),
            *(column.told(column.value(e)) for column in found),
        ]
        for e in evaluations
    ]
    means = [c.told(mean(map(c.value, evaluations))) if c.has_mean else "" for c in found]
    heads = columns("file", "examples", *(column.head for column in found))
    return [
        f"{evaluations[0].method}; default vectors not counted",
        Table(heads, [*rows, ["mean", "", *means]]),
    ]


def _sizes() -> list[_Column]:
    return [
        _Column("rules", lambda e: e.rules, _digits(1)),
        _Column("conditions", lambda e: e.literals, _digits(1)),
    ]


def _sizes_told(evaluation: Evaluation[Any]) -> list[tuple[str, str]]:
    return [
        ("rules", f"{_size(evaluation, evaluation.rules)} (default vector not counted)"),
        ("conditions", _size(evaluation, evaluation.literals)),
    ]


def _size(evaluation: Evaluation[Any], mean_of_folds: float) -> str:
    return f"{mean_of_folds:.{int(len(evaluation.predictions) > 1)}f}"


def _spread(evaluation: Evaluation[Any], told: Callable[[float], str]) -> str:
    if math.isnan(evaluation.spread):
        return ""
    return f" (standard deviation between folds {told(evaluation.spread)})"


def _tested(evaluation: Evaluation[Any], why_not: str) -> tuple[str, str]:
    text = str(evaluation.examples)
    if evaluation.unlabelled:
        text += f", and {counted(evaluation.unlabelled, 'row')} {why_not}, not counted"
    return "examples tested", text


def _figures_of_classes(evaluation: ClassEvaluation) -> list[tuple[str, str]]:
    measures, votes, cost = evaluation.measures, [], []
    if evaluation.costs is not None:
        in_all = f"{evaluation.total_cost:g} in all"
        cost = [("cost per row", f"{fixed(evaluation.mean_cost, 4)} ({in_all})")]
    if len(evaluation.labels) > 2:
        votes = [("votes", _size(evaluation, evaluation.votes))]
    spread = _spread(evaluation, lambda spread: f"{100 * spread:.1f}")
    return [
        ("error", percent(evaluation.error) + spread),
        *cost,
        *_sizes_told(evaluation),
        *votes,
        _tested(evaluation, "without a class"),
        ("accuracy", percent(measures.accuracy)),
        ("balanced accuracy", percent(measures.balanced_accuracy)),
        ("MCC", fixed(measures.mcc, 4)),
        ("kappa", fixed(measures.kappa, 4)),
        ("log loss", fixed(measures.log_loss, 4)),
        ("Brier score", fixed(measures.brier_score, 4)),
        ("calibration error", fixed(measures.calibration_error, 4)),
        ("mean absolute error", fixed(measures.mean_absolute_error, 4)),
        ("root mean squared", fixed(measures.root_mean_squared_error, 4)),
    ]


def _columns_of_classes(evaluation: ClassEvaluation) -> list[_Column]:
    def in_percent(share: float) -> str:
        return fixed(100 * share, 2)

    cost = _Column("cost per row", lambda e: e.mean_cost, _digits(4))
    return [
        _Column("error %", lambda e: e.error, in_percent),
        _Column("between folds", lambda e: e.spread, in_percent, has_mean=False),
        *_sizes(),
        *([] if evaluation.costs is None else [cost]),
    ]


def _classes(evaluation: ClassEvaluation) -> list[Block]:
    """Return measures of each class, and what is taken for what."""
    measures = evaluation.measures
    labels = [shown(label) for label in evaluation.labels]
    rows = []
    of_classes = [*zip(labels, measures.per_class, strict=True)]
    for label, m in [*of_classes, ("weighted average", measures.weighted_average)]:
        values = (m.precision, m.recall, m.f_measure, m.roc_area)
        rows.append([label, *(fixed(value, 3) for value in values)])
    heads = columns("class", "precision", "recall", "F-measure", "ROC area")
    return [Table(heads, rows), _confusions(evaluation, labels)]


def _confusions(evaluation: ClassEvaluation, labels: list[str]) -> Table:
    """Return the confusion matrix, or of a large one the largest numbers."""
    confusion = evaluation.measures.confusion
    rows = [[number(float(x)) for x in row] for row in confusion]
    letters = [_letters(j) for j in range(len(labels))]
    width = max(len(text) for text in [*letters, *(cell for row in rows for cell in row)])
    if (width + 2) * len(labels) <= WIDTH - 10:
        named = [f"{letter} = {label}" for letter, label in zip(letters, labels, strict=True)]
        return Table(
            [*map(Column, letters), Column("", "words")],
            [[*row, name] for row, name in zip(rows, named, strict=True)],
            "confusion (rows: true class, columns: predicted)",
        )
    wrong = np.where(np.eye(len(labels), dtype=np.bool_), 0.0, confusion)
    largest = np.argsort(-wrong, axis=None, kind="stable")[:_MOST_CONFUSIONS]
    pairs = [divmod(k, len(labels)) for k in largest.tolist()]
    return Table(
        [Column(""), Column("", "words")],
        [
            [number(float(wrong[i, j])), f"{labels[i]} taken for {labels[j]}"]
            for i, j in pairs
            if wrong[i, j]
        ],
        "most frequent confusions (the whole matrix: --format json)",
    )


def _letters(index: int) -> str:
    text = ""
    index += 1
    while index:
        index, digit = divmod(index - 1, 26)
        text = chr(ord("a") + digit) + text
    return text


def _figures_of_sets(evaluation: LabelSetEvaluation) -> list[tuple[str, str]]:
    measures = evaluation.measures
    cardinality = [fixed(n, 2) for n in (measures.predicted_cardinality, measures.true_cardinality)]
    spread = _spread(evaluation, "{:.4f}".format)
    of_ranking = [
        ("ranking loss", fixed(measures.ranking_loss, 4)),
        ("one-error", fixed(measures.one_error, 4)),
        ("coverage", f"{fixed(measures.coverage, 2)} of {len(evaluation.labels)} labels"),
        ("average precision", fixed(measures.average_precision, 4)),
    ]
    of_sets = [
        ("Hamming loss", fixed(measures.hamming_loss, 4)),
        ("subset accuracy", fixed(measures.subset_accuracy, 4)),
        ("micro F1", fixed(measures.micro_f1, 4)),
        ("macro F1", fixed(measures.macro_f1, 4)),
    ]
    is_of_sets = evaluation.error_name == "hamming_loss"
    (name, error), *figures = of_sets + of_ranking if is_of_sets else of_ranking + of_sets
    return [
        (name, error + spread),
        *figures,
        ("log loss", fixed(measures.log_loss, 4)),
        ("calibration error", fixed(measures.calibration_error, 4)),
        ("labels a row", f"{cardinality[0]} predicted, {cardinality[1]} true"),
        *_sizes_told(evaluation),
        _tested(evaluation, "with missing labels"),
    ]


def _columns_of_sets(_: LabelSetEvaluation) -> list[_Column]:
    heads = {
        "rank loss": "ranking_loss",
        "1-error": "one_error",
        "av.prec.": "average_precision",
        "Hamming": "hamming_loss",
    }
    losses = [_Column(h, attrgetter(f"measures.{name}"), _digits(4)) for h, name in heads.items()]
    return [*losses, *_sizes()]


def _digits(digits: int) -> Callable[[float], str]:
    return lambda value: fixed(value, digits)


_TOLD: Mapping[type[Evaluation[Any]], _Told] = {
    ClassEvaluation: _Told(_figures_of_classes, _classes, _columns_of_classes),
    LabelSetEvaluation: _Told(_figures_of_sets, lambda _: [], _columns_of_sets),
}
