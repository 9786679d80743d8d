"""What a committee does on data, of either kind: its rules, attributes and overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.evaluation.attribute_use import attribute_uses
from widc_arff.reports.as_text import row_by_row
from widc_arff.reports.blocks import FILL, Column, Heading, Item, Note, Shaded, Table, columns
from widc_arff.reports.formatting import counted, number, numbers_of, percent, shown
from widc_arff.reports.kind import RULE, rule_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.label_set_statistics import LabelSetStatistics
    from widc_arff.evaluation.rule_statistics import CommitteeStatistics, DataStatistics
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block, Cell
    from widc_arff.reports.kind import Kind

MOSTLY = 0.9
"""Part of the rows of a rule from which on it is inside of another one."""
_NEIGHBOURS = 5
_RULES_WIDTH = 16


class DataTold(NamedTuple):
    """What a report on data has of one kind of labels alone.

    Parameters
    ----------
    statistics : DataStatistics
        Of the committee on the data.
    can_be_training : bool
        Whether the labels can be those that the committee was learned from.
    doubts : sequence of Item
        What a reader asks first.
    rules : sequence of Block
        On what rules do.
    figures : sequence of (str, str, str)
        Key figures, each with its name and a remark.
    losses : sequence of Item
        What else is wrong.
    parts : sequence of Block
        Behind what all reports have.
    left_out : str
        What is not told.
    """

    statistics: CommitteeStatistics | LabelSetStatistics
    can_be_training: bool
    doubts: Sequence[Item]
    rules: Sequence[Block]
    figures: Sequence[tuple[str, str, str]] = ()
    losses: Sequence[Item] = ()
    parts: Sequence[Block] = ()
    left_out: str = ""


def amount(weight: float, statistics: DataStatistics) -> str:
    """Return so many rows in words, or their weight where rows are weighted."""
    if statistics.weight == len(statistics.counted) and weight.is_integer():
        return counted(int(weight), "row")
    return f"rows of weight {number(weight)}"


def shaded_count(weight: float, whole: float, *, is_wrong: bool = False) -> Shaded:
    """Return a weight, shaded by its part of a whole."""
    return Shaded(number(weight), weight / whole if weight else 0.0, is_wrong=is_wrong)


def shaded_share(share: float, *, is_wrong: bool = False) -> Shaded:
    """Return a share in percent, shaded by it."""
    return Shaded(percent(share), share, is_wrong=is_wrong)


def covers(
    statistics: CommitteeStatistics | LabelSetStatistics, otherwise: str
) -> tuple[dict[str, Sequence[Cell]], str]:
    """Return the rows that rules cover and decide, by the head of their column, and what it is."""
    rules, all_rows = statistics.rules, statistics.weight
    cells: dict[str, Sequence[Cell]] = {
        "covers": [number(rule.covered) for rule in rules],
        "share": [shaded_share(rule.covered / all_rows) for rule in rules],
        "decides": [shaded_count(rule.decisive, all_rows) for rule in rules],
    }
    meaning = "Covers: rows on which the rule holds, and their share. Decides: rows that would"
    return cells, f"{meaning} {otherwise} without the rule."


def rules_on_data(
    committee: DecisionCommittee, cells: Mapping[str, Sequence[Cell]], meaning: str
) -> list[Block]:
    """Return columns of cells for all rules, and what they mean."""
    if not committee.rules:
        return ["There are no rules."]
    rows = [
        [*rule_cells(committee, k), *of_rule]
        for k, of_rule in enumerate(zip(*cells.values(), strict=True))
    ]
    return [row_by_row(Table([*RULE, *map(Column, cells)], rows)), Note(meaning)]


def attributes_on_data(kind: Kind, dataset: Dataset) -> Iterator[Block]:
    """Yield what each attribute does on data; nothing where there are no rules."""
    attributes = kind.committee.schema.attributes
    uses = attribute_uses(kind.committee, dataset)
    if not uses:
        return
    most = max(use.shift for use in uses) or 1.0
    yield Heading("Attributes on these data", name="attributes")
    heads = columns("attribute", "rules", "conditions", "holds", "decides", "shift")
    heads[1] = Column("rules", "words", _RULES_WIDTH, links="rule")
    rows = [
        [
            shown(attributes[use.attribute].name),
            numbers_of(use.rules),
            str(use.literals),
            percent(use.held),
            percent(use.decisive),
            Shaded(f"{100 * use.shift:.1f}", use.shift / most),
        ]
        for use in uses
    ]
    yield Table(heads, rows, look="labels")
    n_unused = len(attributes) - len(uses)
    unused = f" {counted(n_unused, 'attribute')} more in no rule." if n_unused else ""
    yield Note(
        "Holds: rows on which a rule with the attribute holds. Decides: rows that would "
        f"{kind.otherwise} if its value were missing, so that no condition on it "
        f"holds. Shift: how far the probabilities would move, on average, in percent.{unused}"
    )


def overlap_on_data(committee: DecisionCommittee, statistics: DataStatistics) -> Iterator[Block]:
    """Yield which rules hold mostly where another one holds: these say the least of their own."""
    rows: list[list[Cell]] = []
    for k, overlap in enumerate(statistics.overlap):
        covered = float(overlap[k])
        others = [
            f"{j + 1} ({percent(float(overlap[j]) / covered)})"
            for j in np.argsort(-overlap, kind="stable").tolist()
            if j != k and overlap[j] >= MOSTLY * covered > 0
        ]
        if others:
            words = ", ".join(others[:_NEIGHBOURS])
            rows.append([*rule_cells(committee, k), number(covered), words])
    if not rows:
        return
    yield Heading("Overlap between rules", name="overlap")
    yield (
        f"Rules that mostly hold where another one holds: on {100 * MOSTLY:.0f} % of their rows or "
        "more."
    )
    inside = Column("inside of rule", "words", FILL, links="rule")
    yield row_by_row(Table([*RULE, Column("covers"), inside], rows))
