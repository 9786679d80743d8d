"""A report on a committee and what it does on data: its rules, its errors and their causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.blocks import Heading, Item, Note, cards
from widc_arff.reports.committees import committee_blocks
from widc_arff.reports.formatting import contents_in_words, counted, number, shown
from widc_arff.reports.kinds import LABELS_SHOWN, kind_of
from widc_arff.reports.on_data import amount, attributes_on_data, overlap_on_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block
    from widc_arff.reports.by_class import Layout
    from widc_arff.reports.kind import Kind
    from widc_arff.reports.on_data import DataTold

SAME_AS_TRAINING = (
    "These seem to be the training data, because the counts are the same: expect more errors on "
    "new data."
)


def report_blocks(
    committee: DecisionCommittee,
    dataset: Dataset,
    source: str,
    layout: Layout = "class",
    most: int = LABELS_SHOWN,
) -> Iterator[Block]:
    """Yield what a committee does on data as a report.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets.
    dataset : Dataset
        In its schema, with a row of positive weight; without classes or labels there is less.
    source : str
        Name of the data for the reader.
    layout : {"class", "rule"}
        Of the committee.
    most : int
        How many labels of a set to name for each vote of a rule.
    """
    kind = kind_of(committee, most, layout)
    on_data = kind.on_data(dataset)
    statistics = on_data.statistics
    n_rows, is_same = len(statistics.counted), _is_training(committee, on_data)
    weight = "" if statistics.weight == n_rows else f"weight {number(statistics.weight)}"
    rows = ("rows", str(n_rows), weight)
    title = f"decision committee for {kind.subject}, on {source}"
    yield Heading(f"{shown(committee.schema.relation)}: {title}", 1)
    yield cards([*on_data.figures, rows, *_size(kind), *([] if is_same else [_training(kind)])])
    if words := " ".join([*_left_out(kind, on_data), *[SAME_AS_TRAINING] * is_same]):
        yield words
    yield from (*on_data.doubts, *_most_decisive(kind, on_data), *on_data.losses)
    yield Note(
        "To ask what-if and to change rules: widc-arff workbench MODEL.json "
        f"{source} -o workbench.html"
    )
    yield Heading("Committee", name="committee")
    yield from [*committee_blocks(kind)][1:]
    yield Heading("Rules on these data", name="rules")
    yield from on_data.rules
    yield from attributes_on_data(kind, dataset.take(statistics.counted))
    yield from overlap_on_data(committee, statistics)
    yield from on_data.parts


def _training(kind: Kind) -> tuple[str, str, str]:
    return (*kind.training_error, f"on {counted(kind.committee.training.examples, 'row')}")


def _size(kind: Kind) -> list[tuple[str, str, str]]:
    """Return the number of rules, and of labels."""
    committee, n_rules = kind.committee, len(kind.committee.rules)
    size = ("rule" if n_rules == 1 else "rules", str(n_rules), contents_in_words(committee))
    labels = ("labels", str(committee.schema.n_classes), "")
    return [size, labels] if committee.schema.labels.are_sets else [size]


def _left_out(kind: Kind, told: DataTold) -> Iterator[str]:
    """Yield which rows are not counted, in words."""
    statistics = told.statistics
    for n, why in (
        (statistics.unlabelled, kind.unlabelled),
        (statistics.weightless, "of weight 0"),
    ):
        if n:
            yield f"{counted(n, 'row')} {why} {'is' if n == 1 else 'are'} not counted."
    if told.left_out:
        yield told.left_out


def _is_training(committee: DecisionCommittee, told: DataTold) -> bool:
    """Tell whether the data seem to be those that the committee was learned from."""
    return (
        told.can_be_training
        and len(told.statistics.counted) == committee.training.examples
        and [rule.covered for rule in told.statistics.rules]
        == [rule.covered for rule in committee.rules]
    )


def _most_decisive(kind: Kind, told: DataTold) -> Iterator[Item]:
    decisive = [rule.decisive for rule in told.statistics.rules]
    if any(decisive):
        k = max(range(len(decisive)), key=decisive.__getitem__)
        rows = amount(decisive[k], told.statistics)
        words = f"rule {k + 1}, without which {rows} would {kind.otherwise}."
        yield Item(f"Most decisive: {words}", "rule")
