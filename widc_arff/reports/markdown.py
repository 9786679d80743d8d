"""Reports as Markdown tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.errors import one_line
from widc_arff.reports.text import training_line
from widc_arff.reports.wording import (
    conditions,
    majority,
    number,
    percent,
    purity,
    shown,
    size_in_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.committee import DecisionCommittee
    from widc_arff.evaluation.cross_validation import Evaluation


def committee_markdown(committee: DecisionCommittee) -> str:
    """Return a committee as a table with a column of votes per class."""
    labels = committee.schema.labels
    target = escaped(shown(labels.attributes[0]))
    heads = ["#", "rule", *(escaped(shown(label)) for label in labels.values), "covers", "purity"]
    lines = [
        f"**Decision committee for {target}: {size_in_words(committee)}**",
        "",
        table_row(heads),
        "|---:|---|" + "---:|" * (len(heads) - 2),
    ]
    for k, rule in enumerate(committee.rules, start=1):
        text = escaped(" and ".join(conditions(rule.monomial, committee.schema)))
        main = escaped(shown(labels.values[majority(rule)]))
        votes = [f"{vote:+d}" if vote else "0" for vote in rule.votes]
        covers = number(sum(rule.covers))
        lines.append(
            table_row([str(k), text, *votes, covers, f"{100 * purity(rule):.0f} % {main}"])
        )
    lines.append(
        table_row(["", "default", *(f"{share:.3f}" for share in committee.default), "", ""])
    )
    return "\n".join([*lines, "", training_line(committee)]) + "\n"


def evaluations_markdown(evaluations: Sequence[Evaluation]) -> str:
    """Return a table with a row per file."""
    cost_heading = [] if evaluations[0].costs is None else ["mean cost"]
    lines = [
        f"{evaluations[0].method}; default vectors not counted.",
        "",
        table_row(["file", "examples", "error", "rules", "literals", "kappa", *cost_heading]),
        "|---|---:|---:|---:|---:|---:|" + "---:|" * len(cost_heading),
    ]
    lines += [
        table_row(
            [
                escaped(one_line(e.source)),
                str(e.examples),
                percent(e.error),
                f"{e.rules:.1f}",
                f"{e.literals:.1f}",
                f"{e.measures.kappa:.3f}",
                *([f"{e.mean_cost:.4f}"] if cost_heading else []),
            ]
        )
        for e in evaluations
    ]
    return "\n".join(lines) + "\n"


def table_row(cells: Sequence[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Return a text in which nothing is markup."""
    for mark in "\\|*_`<>[]":
        text = text.replace(mark, f"\\{mark}")
    return text
