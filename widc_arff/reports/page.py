"""Pages of HTML: a committee by itself, and what it does on data, with errors and their causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.as_html import table
from widc_arff.reports.committees import committee_table
from widc_arff.reports.elements import element, text
from widc_arff.reports.formatting import contents_in_words, counted, number, shown
from widc_arff.reports.kinds import LABELS_SHOWN, kind_of
from widc_arff.reports.page_frame import (
    SAME_AS_TRAINING,
    contents,
    facts,
    page,
    paragraph,
    section,
)
from widc_arff.reports.rule_sections import amount, attributes_section, overlap_section, rule_link

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout
    from widc_arff.reports.kind import Kind
    from widc_arff.reports.page_frame import DataTold, Fact, PageSection


def committee_page(
    committee: DecisionCommittee, layout: Layout = "class", most: int = LABELS_SHOWN
) -> str:
    """Return a page with a committee; layout and most are as for `report_page`."""
    kind, relation = kind_of(committee, most, layout), shown(committee.schema.relation)
    body = [
        paragraph(f"Decision committee for {kind.subject}", kind="kind"),
        element("h1", text(relation)),
        facts([*_size(kind), _training(kind)]),
        _committee_section(kind).html,
    ]
    return page(f"{relation}: decision committee", body, committee.training.version)


def report_page(
    committee: DecisionCommittee,
    dataset: Dataset,
    source: str,
    layout: Layout = "class",
    most: int = LABELS_SHOWN,
) -> str:
    """Return a page on what a committee does on data, as one HTML file that loads nothing.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets.
    dataset : Dataset
        In its schema, with a row of positive weight; without classes or labels the page tells less.
    source : str
        Name of the data for the reader.
    layout : {"class", "rule"}
        Of the committee.
    most : int
        How many labels of a set to name for each vote of a rule.
    """
    kind, relation = kind_of(committee, most, layout), shown(committee.schema.relation)
    on_data = kind.on_data(dataset)
    statistics = on_data.statistics
    n_rows = len(statistics.counted)
    weight = "" if statistics.weight == n_rows else f"weight {number(statistics.weight)}"
    rows = ("rows", str(n_rows), weight)
    same = _same_as_training(committee, on_data)
    parts = [
        _committee_section(kind),
        on_data.rules,
        *attributes_section(kind, dataset.take(statistics.counted)),
        *overlap_section(committee, statistics.overlap),
        *on_data.parts,
    ]
    head = [
        paragraph(f"Decision committee for {kind.subject}, on {source}", kind="kind"),
        element("h1", text(relation)),
        facts([*on_data.figures, rows, *_size(kind), *([] if same else [_training(kind)])]),
        paragraph(*_left_out(kind, on_data), same),
        _in_short(kind, on_data),
        paragraph(
            "To ask what-if and to change rules: widc-arff workbench MODEL.json "
            f"{source} -o workbench.html",
            kind="quiet",
        ),
        contents(parts),
    ]
    body = [*head, *(part.html for part in parts)]
    return page(f"{relation}: committee on {source}", body, committee.training.version)


def _training(kind: Kind) -> Fact:
    return (*kind.training_error, f"on {counted(kind.committee.training.examples, 'example')}")


def _size(kind: Kind) -> list[Fact]:
    """Return the number of rules, and of labels."""
    committee, n_rules = kind.committee, len(kind.committee.rules)
    n_labels = committee.schema.n_classes
    size = ("rule" if n_rules == 1 else "rules", str(n_rules), contents_in_words(committee))
    return [size, *([("labels", str(n_labels), "")] if committee.schema.labels.are_sets else [])]


def _committee_section(kind: Kind) -> PageSection:
    return section(
        "committee",
        "Committee",
        table(committee_table(kind), anchors=True),
        *(paragraph(note, kind="quiet") for note in (*kind.notes(), f"{kind.training_line}.")),
    )


def _left_out(kind: Kind, told: DataTold) -> list[str]:
    """Return which rows are not counted, in words."""
    statistics = told.statistics
    left_out = [(statistics.unlabelled, kind.unlabelled), (statistics.weightless, "of weight 0")]
    sentences = [
        f"{counted(n, 'row')} {why} {'is' if n == 1 else 'are'} not counted."
        for n, why in left_out
        if n
    ]
    return [*sentences, *told.left_out]


def _same_as_training(committee: DecisionCommittee, told: DataTold) -> str:
    covered = [rule.covered for rule in told.statistics.rules]
    same = (
        told.can_be_training
        and len(told.statistics.counted) == committee.training.examples
        and covered == [rule.covered for rule in committee.rules]
    )
    return SAME_AS_TRAINING if same else ""


def _in_short(kind: Kind, told: DataTold) -> str:
    """Return what a reader asks first: which rules to doubt, which to keep, what is wrong."""
    points = [*told.doubts]
    decisive = [rule.decisive for rule in told.statistics.rules]
    if any(decisive):
        k = max(range(len(decisive)), key=decisive.__getitem__)
        points.append(
            f"Most decisive: {rule_link(kind.committee, k, 'rule ')}, without which "
            f"{text(amount(decisive[k], told.statistics))} would {kind.otherwise}."
        )
    points += told.losses
    return element("ul", *(element("li", point) for point in points), class_="short")
