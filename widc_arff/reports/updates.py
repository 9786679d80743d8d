"""What an update changed: each rule with what it did before and does now, and the error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.evaluation.differences import rule_changes
from widc_arff.reports.blocks import Column, Heading, Item, Table, columns
from widc_arff.reports.differences import changes_told
from widc_arff.reports.formatting import counted
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.models_on_data import figures_by_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.evaluation.models_on_data import ModelOnData
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block


def update_blocks(before: ModelOnData, after: DecisionCommittee, source: str) -> Iterator[Block]:
    """Yield what an update changed, as a report; its items are the changes.

    Parameters
    ----------
    before : ModelOnData
        The old committee on the rows.
    after : DecisionCommittee
        The new one.
    source : str
        Name of the rows.
    """
    rows = counted(after.training.examples, "row")
    yield Heading(f"Update with {source}, {rows}", 1)
    kind, old = kind_of(after), kind_of(before.committee)
    found = old.error_in_words(before.evaluation.error)
    yield (
        f"{old.loss[0].upper()}{old.loss[1:]} {found} of the old model on these rows; "
        f"{' '.join(kind.training_error)} of the new one, which was fitted to them."
    )
    fates = {i: fate for i, _, fate in rule_changes(before.committee, after) if i is not None}
    figures = figures_by_rule(before.as_read())
    if figures:
        rows_of = [[n, rule, fates[k], *own] for k, (n, rule, *own) in enumerate(figures)]
        heads = columns("old rule", "is", "covered", "now", "right", "now")
        yield Table([Column("", "number"), *heads], rows_of)
        if any(c.differs for c in before.comparisons):
            yield "*: covered or right on another share of rows than in training, beyond chance."
    sentences = list(changes_told(before.committee, after))
    yield from map(Item, sentences or ["No rule is different."])
    yield Item(f"Figures are those of {source}, {rows}.")
