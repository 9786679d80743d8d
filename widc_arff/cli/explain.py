"""``widc-arff explain``."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from widc_arff.cli.common import (
    decimal_option,
    decision_costs,
    decision_costs_option,
    dump_json,
    encoding_option,
    examples_for,
    format_option,
    labels_shown_option,
    read_for,
    unknown_option,
)
from widc_arff.cli.progress import working
from widc_arff.errors import DataError
from widc_arff.model.changes import changes_by_row
from widc_arff.model.committee import read_committee
from widc_arff.model.model_file import committee_to_dict, literal_to_dict
from widc_arff.reports.explanations import explanation_table, label_set_table
from widc_arff.reports.label_sets import label_set_explanation_text
from widc_arff.reports.rule_rows import RuleRows
from widc_arff.reports.text import explanation_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from widc_arff.arrays import Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.changes import Change
    from widc_arff.model.committee import DecisionCommittee, Explanation, LabelSetExplanation
    from widc_arff.model.costs import CostMatrix


def _ranges(
    _context: click.Context, _option: click.Parameter, texts: tuple[str, ...]
) -> tuple[range, ...]:
    """Return the rows that texts such as 3 and 3-7 name, counted from 1."""
    ranges = []
    for text in texts:
        found = re.fullmatch(r"([0-9]{1,18})(?:-([0-9]{1,18}))?", text)
        first = int(found[1]) if found else 0
        last = int(found[2] or first) if found else 0
        if not 1 <= first <= last:
            raise click.BadParameter(
                f"expected a row from 1, as in 3, or several, as in 3-7; got {text!r}"
            )
        ranges.append(range(first, last + 1))
    return tuple(ranges)


@click.command("explain")
@click.argument("model", metavar="MODEL.json")
@click.argument("data", metavar="DATA.arff")
@click.option(
    "--row",
    "rows",
    multiple=True,
    callback=_ranges,
    metavar="N|FIRST-LAST",
    help="Row of the data, from 1, or several; may be repeated.  By default all rows.",
)
@click.option(
    "--rule",
    type=click.IntRange(1),
    metavar="N",
    help="Only the rows on which rule N holds, each with its class and the decision.",
)
@decision_costs_option
@encoding_option
@decimal_option
@unknown_option
@labels_shown_option
@format_option
def command(
    model: str,
    data: str,
    rows: tuple[range, ...],
    rule: int | None,
    costs: str | None,
    encoding: str,
    decimal: str,
    unknown_as_missing: bool,
    form: str,
    labels_shown: int,
) -> None:
    """Say why a model decides as it does: rules that hold, their votes, the margin, what to change.

    One row is told at length, of several each gets a line of a table; --format json prints an
    object a line.  The margin is the sum of the winner's votes over the next class's.  The nearest
    change gives one attribute another value (all its conditions move together) so that another
    class is decided: the change that turns the fewest conditions, of these the shortest way.  Of
    label sets no changes are told.

    With --rule the rows of one rule, and how many of them are decided rightly.  With --costs also
    the class of least expected cost, which predict --costs decides for.
    """
    committee = read_committee(model)
    matrix = decision_costs(costs, committee)
    n_rules = len(committee.rules)
    if rule is not None and matrix is not None:
        raise click.UsageError("expected --rule or --costs, got both")
    if rule is not None and rule > n_rules:
        expected = f"a rule from 1 to {n_rules}" if n_rules else "a model with rules"
        raise DataError(f"{model}: expected {expected}, got rule {rule}")
    with working(f"reading {data}"):
        relation = read_for(committee, data, encoding, decimal)
        dataset = examples_for(committee, relation, data, unknown_as_missing=unknown_as_missing)
    numbers = _chosen(rows, dataset.n_samples, data)
    examples = dataset.take(numbers - 1) if rows else dataset
    if rule is not None:
        rows_of_rule = RuleRows(committee, rule - 1, examples, numbers, labels_shown)
        told = map(dump_json, rows_of_rule.as_dicts()) if form == "json" else None
        for text in told or rows_of_rule.lines(markdown=form == "markdown"):
            click.echo(text, nl=form != "json")
        return
    if committee.schema.labels.are_sets:
        texts = _sets_told(committee, examples, numbers, form, labels_shown)
    else:
        texts = _decisions_told(committee, examples, numbers, form, matrix)
    for text in texts:
        click.echo(text, nl=False)


def _chosen(rows: tuple[range, ...], n_samples: int, path: str) -> Integers:
    """Return the numbers of the rows to explain, from 1."""
    if n_samples == 0:
        raise DataError(f"{path}: expected at least one row, got none")
    for some in rows:
        if some[-1] > n_samples:
            raise DataError(f"{path}: expected a row from 1 to {n_samples}, got {some[-1]}")
    if not rows:
        return np.arange(1, n_samples + 1)
    return np.array(list(dict.fromkeys(number for some in rows for number in some)))


def _decisions_told(
    committee: DecisionCommittee,
    examples: Dataset,
    numbers: Integers,
    form: str,
    costs: CostMatrix | None,
) -> Iterator[str]:
    """Yield explanations in the form asked for, piece by piece."""
    known = zip(examples.classes.tolist(), examples.labelled, strict=True)
    classes = [code if is_known else None for code, is_known in known]
    rows: Iterable[tuple[int, Explanation, Sequence[Change]]] = zip(
        numbers.tolist(),
        committee.explanations(examples),
        changes_by_row(committee, examples),
        strict=True,
    )
    if form == "json":
        rules = committee_to_dict(committee)["rules"]
        for (row, explanation, changes), actual in zip(rows, classes, strict=True):
            told = _explanation_to_dict(committee, rules, row, explanation, changes, actual)
            if costs is not None:
                told |= _costs_to_dict(committee, explanation, costs)
            yield dump_json(told)
    elif len(numbers) == 1:
        for (row, explanation, changes), actual in zip(rows, classes, strict=True):
            text = explanation_text(committee, explanation, row, changes, actual, costs)
            yield _block(text, form)
    else:
        lines = explanation_table(
            committee, rows, classes, int(numbers.max()), costs, markdown=form == "markdown"
        )
        for line in lines:
            yield line + "\n"


def _sets_told(
    committee: DecisionCommittee,
    examples: Dataset,
    numbers: Integers,
    form: str,
    labels_shown: int,
) -> Iterator[str]:
    """Yield explanations of label sets in the form asked for, piece by piece."""
    known = zip(examples.Y, examples.labelled, strict=True)
    sets = [np.flatnonzero(held).tolist() if is_known else None for held, is_known in known]
    rows: Iterable[tuple[int, LabelSetExplanation]] = zip(
        numbers.tolist(), committee.set_explanations(examples), strict=True
    )
    if form == "json":
        rules = committee_to_dict(committee)["rules"]
        for (row, explanation), actual in zip(rows, sets, strict=True):
            yield dump_json(_set_explanation_to_dict(committee, rules, row, explanation, actual))
    elif len(numbers) == 1:
        for (row, explanation), actual in zip(rows, sets, strict=True):
            text = label_set_explanation_text(committee, explanation, row, labels_shown, actual)
            yield _block(text, form)
    else:
        lines = label_set_table(
            committee, rows, sets, int(numbers.max()), markdown=form == "markdown"
        )
        for line in lines:
            yield line + "\n"


def _block(text: str, form: str) -> str:
    return f"```\n{text}```\n" if form == "markdown" else text


def _explanation_to_dict(
    committee: DecisionCommittee,
    rules: list[dict[str, Any]],
    row: int,
    explanation: Explanation,
    changes: Sequence[Change],
    actual: int | None,
) -> dict[str, Any]:
    labels = committee.schema.labels.values
    without = committee.without_rules(explanation)
    return {
        "row": row,
        "actual": None if actual is None else labels[actual],
        "predicted": labels[explanation.winner],
        "decided_by": "votes" if len(explanation.tied) == 1 else "default",
        "margin": explanation.margin,
        "rules": _fired(rules, explanation.fired),
        "votes": dict(zip(labels, explanation.votes, strict=True)),
        "tied": [labels[j] for j in explanation.tied] if len(explanation.tied) > 1 else [],
        "without": [{"rule": k + 1, "predicted": labels[j]} for k, j in without.items()],
        "probabilities": dict(zip(labels, explanation.probabilities, strict=True)),
        "changes": [_change_to_dict(committee, change) for change in changes],
    }


def _costs_to_dict(
    committee: DecisionCommittee, explanation: Explanation, costs: CostMatrix
) -> dict[str, Any]:
    labels = committee.schema.labels.values
    decision, expected = explanation.least_cost(costs)
    return {
        "least_cost": labels[decision],
        "expected_costs": dict(zip(labels, expected, strict=True)),
    }


def _change_to_dict(committee: DecisionCommittee, change: Change) -> dict[str, Any]:
    attribute = committee.schema.attributes[change.attribute]

    def cell(value: float | None) -> str | float | None:
        if value is None:
            return None
        if attribute.type == "nominal":
            return attribute.values[int(value)]
        return value if math.isfinite(value) else f"{'-' if value < 0 else ''}Infinity"

    return {
        "attribute": attribute.name,
        "from": cell(change.before),
        "to": cell(change.after),
        "region": [literal_to_dict(literal, committee.schema) for literal in change.region],
        "predicted": committee.schema.labels.values[change.winner],
        "literals": len(change.changed),
    }


def _set_explanation_to_dict(
    committee: DecisionCommittee,
    rules: list[dict[str, Any]],
    row: int,
    explanation: LabelSetExplanation,
    actual: Sequence[int] | None,
) -> dict[str, Any]:
    labels = committee.schema.labels.values
    without = committee.sets_without_rules(explanation)
    return {
        "row": row,
        "actual": None if actual is None else [labels[j] for j in actual],
        "predicted": [labels[j] for j in explanation.predicted],
        "ranking": [labels[j] for j in explanation.ranking],
        "rules": _fired(rules, explanation.fired),
        "votes": dict(zip(labels, explanation.votes, strict=True)),
        "without": [
            {"rule": k + 1, "predicted": [labels[j] for j in found]} for k, found in without.items()
        ],
        "probabilities": dict(zip(labels, explanation.probabilities, strict=True)),
    }


def _fired(rules: list[dict[str, Any]], fired: tuple[int, ...]) -> list[dict[str, Any]]:
    return [{"rule": k + 1, "if": rules[k]["if"], "votes": rules[k]["votes"]} for k in fired]
