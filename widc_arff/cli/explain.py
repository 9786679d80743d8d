"""``widc-arff explain``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from widc_arff.cli.common import (
    FileForm,
    decision_costs,
    decision_costs_option,
    dump_json,
    file_options,
    labels_shown_option,
    model_argument,
    read_model,
    unknown_option,
)
from widc_arff.cli.new_data import NewData
from widc_arff.cli.progress import working
from widc_arff.cli.reporting import form_option, print_report
from widc_arff.errors import DataError
from widc_arff.model.change_values import Wanted
from widc_arff.reports.explanations import Explanations
from widc_arff.reports.rule_rows import RuleRows
from widc_arff.tables.labels import names_between_commas

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.arrays import Integers
    from widc_arff.model.committee import DecisionCommittee


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
@model_argument
@click.argument("data", metavar="DATA.arff")
@click.option(
    "--row",
    "rows",
    multiple=True,
    callback=_ranges,
    metavar="N|FIRST-LAST",
    help="Row number, counted from 1, or a range; may be repeated.  By default all rows.",
)
@click.option(
    "--rule",
    type=click.IntRange(1),
    metavar="N",
    help="Show only the rows covered by rule N, each with its class and the decision.",
)
@click.option(
    "--fixed",
    multiple=True,
    metavar="NAME[,NAME...]",
    help="Attributes that must not change; may be repeated.",
)
@click.option(
    "--increasing",
    multiple=True,
    metavar="NAME[,NAME...]",
    help="Attributes that can only increase, such as an age; may be repeated.",
)
@decision_costs_option
@file_options
@unknown_option
@labels_shown_option
@form_option("json")
def command(
    model: str,
    data: str,
    rows: tuple[range, ...],
    rule: int | None,
    fixed: tuple[str, ...],
    increasing: tuple[str, ...],
    costs: str | None,
    unknown_as_missing: bool,
    form: str,
    labels_shown: int,
    **settings: Any,
) -> None:
    """Explain the decisions of a model: rules that hold, their votes, the margin, what to change.

    A single row is explained in detail; several rows become a table with one line each.  --format
    json prints one object per line.  The margin is the difference in votes between the winner and
    the next class.

    A suggested change gives up to three attributes other values, so that the decision would be
    another class or other labels.  Changes of fewer attributes come first, then nearer values, as
    shares of the range in training; only values that occurred in training are suggested.  If a
    value is missing, you see which rules depend on it and what each value would decide.

    --rule shows the rows that one rule covers, and how many of them are decided correctly.  --costs
    also shows the class with the lowest expected cost, which predict --costs chooses, and what
    would change that.
    """
    committee = read_model(model)
    matrix = decision_costs(costs, committee)
    n_rules = len(committee.rules)
    if rule is not None and matrix is not None:
        raise click.UsageError("expected --rule or --costs, got both")
    if rule is not None and rule > n_rules:
        expected = f"a rule from 1 to {n_rules}" if n_rules else "a model with rules"
        raise DataError(f"expected {expected}, got rule {rule}", file=model)
    with working(f"reading {data}"):
        new_data = NewData(FileForm.taken_from(settings), unknown_as_missing)
        dataset = new_data.examples(committee, data)
    numbers = _chosen(rows, dataset.n_samples, data)
    examples = dataset.take(numbers - 1) if rows else dataset
    named = committee if form == "json" else committee.as_read()
    kept, rising = (
        tuple(_attributes(texts, option, committee, named))
        for texts, option in ((fixed, "--fixed"), (increasing, "--increasing"))
    )
    report: Explanations | RuleRows
    if rule is None:
        report = Explanations(named, examples, numbers, labels_shown, Wanted(kept, rising, matrix))
    else:
        report = RuleRows(named, rule - 1, examples, numbers, labels_shown)
    if form == "json":
        for data_of_row in report.as_dicts():
            click.echo(dump_json(data_of_row), nl=False)
    else:
        print_report(report.blocks(), form)


def _attributes(
    texts: tuple[str, ...], option: str, committee: DecisionCommittee, named: DecisionCommittee
) -> Iterator[str]:
    """Yield the attributes that an option names, as they are called in data or as people do."""
    numbers = {
        a.name: i
        for c in (committee.as_read(), committee)
        for i, a in enumerate(c.schema.attributes)
    }
    for text in texts:
        for name in names_between_commas(text, numbers, option):
            known = numbers.get(name)
            yield name if known is None else named.schema.attributes[known].name


def _chosen(rows: tuple[range, ...], n_samples: int, path: str) -> Integers:
    """Return the numbers of the rows to explain, from 1."""
    if n_samples == 0:
        raise DataError("expected at least one row, got none", file=path)
    for some in rows:
        if some[-1] > n_samples:
            raise DataError(f"expected a row from 1 to {n_samples}, got {some[-1]}", file=path)
    if not rows:
        return np.arange(1, n_samples + 1)
    return np.array(list(dict.fromkeys(number for some in rows for number in some)))
