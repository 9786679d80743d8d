"""Pages of HTML on a committee for label sets: by itself, and what it does on data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from widc_arff.evaluation.label_set_measures import measure_label_sets
from widc_arff.evaluation.label_set_statistics import label_set_statistics
from widc_arff.reports.committee_table import numbered_head, rule_head
from widc_arff.reports.elements import (
    breakable,
    cell,
    element,
    heads,
    heat_cell,
    shaded_count,
    table,
    text,
)
from widc_arff.reports.label_sets import (
    default_shares,
    label_set_training_line,
    votes_of_rule,
)
from widc_arff.reports.page_frame import (
    SAME_AS_TRAINING,
    contents,
    facts,
    fixed_or_dash,
    page,
    paragraph,
    section,
)
from widc_arff.reports.rule_sections import amount, attributes_section, overlap_section, rule_link
from widc_arff.reports.wording import counted, number, percent, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.label_set_statistics import LabelSetStatistics
    from widc_arff.model.committee import DecisionCommittee


def label_set_committee_page(committee: DecisionCommittee, most: int) -> str:
    """Return a page with a committee; of each vote at most so many labels are named."""
    relation = shown(committee.schema.relation)
    body = [
        paragraph(_kind(committee), kind="kind"),
        element("h1", text(relation)),
        facts([*_size(committee), _training(committee)]),
        paragraph(_how_it_decides(committee)),
        _committee_section(committee, most),
    ]
    return page(f"{relation}: decision committee", body, committee.training.version)


def label_set_report_page(
    committee: DecisionCommittee, dataset: Dataset, source: str, most: int
) -> str:
    """Return a page on what a committee does on data, as one HTML file that loads nothing.

    Parameters
    ----------
    committee : DecisionCommittee
        One for label sets.
    dataset : Dataset
        In its schema, with a row of positive weight; without labels the page tells less.
    source : str
        Name of the data for the reader.
    most : int
        How many labels to name for each vote of a rule.
    """
    statistics = label_set_statistics(committee, dataset)
    places = [("committee", "Committee"), ("rules", "Rules on these data")]
    if committee.rules:
        places.append(("attributes", "Attributes"))
    if len(committee.rules) > 1:
        places.append(("overlap", "Overlap"))
    relation = shown(committee.schema.relation)
    body = [
        paragraph(f"{_kind(committee)}, on {source}", kind="kind"),
        element("h1", text(relation)),
        facts([*_result(committee, dataset, statistics), *_size(committee), _training(committee)]),
        paragraph(_how_it_decides(committee)),
        paragraph(*_left_out(statistics), _same_as_training(committee, statistics)),
        _in_short(committee, statistics),
        contents([*places, ("labels", "Labels")]),
        _committee_section(committee, most),
        _rules_section(committee, statistics),
        attributes_section(committee, dataset.take(statistics.counted)),
        overlap_section(committee, statistics.overlap / statistics.weight),
        _labels_section(committee, statistics),
    ]
    return page(f"{relation}: committee on {source}", body, committee.training.version)


def _kind(committee: DecisionCommittee) -> str:
    return f"Decision committee for {committee.schema.n_classes} labels"


def _size(committee: DecisionCommittee) -> list[tuple[str, str, str]]:
    n_rules, n_labels = len(committee.rules), committee.schema.n_classes
    return [
        ("rules", str(n_rules), counted(committee.n_literals, "literal")),
        ("labels", str(n_labels), ""),
    ]


def _training(committee: DecisionCommittee) -> tuple[str, str, str]:
    error, examples = committee.training.error, committee.training.examples
    return ("training ranking loss", f"{error:.4f}", f"on {counted(examples, 'example')}")


def _how_it_decides(committee: DecisionCommittee) -> str:
    return (
        "Each rule that holds for a row adds its votes. The sums rank the labels, among equal sums "
        "the default vector, and the row gets the labels whose sum, plus half of their part in the "
        f"default vector, is {number(committee.threshold or 0.0)} or more."
    )


def _same_as_training(committee: DecisionCommittee, statistics: LabelSetStatistics) -> str:
    same = len(statistics.counted) == committee.training.examples and all(
        of_data.covered == rule.covered
        for of_data, rule in zip(statistics.rules, committee.rules, strict=True)
    )
    return SAME_AS_TRAINING if same and statistics.has_labels else ""


def _in_short(committee: DecisionCommittee, statistics: LabelSetStatistics) -> str:
    """Return what a reader asks first: which rules to doubt, which to keep, what is not found."""
    rules, labels = statistics.rules, statistics.labels
    points = []
    judged = [k for k, rule in enumerate(rules) if not math.isnan(rule.present)]
    if judged:
        worst = min(judged, key=lambda k: rules[k].present)
        points.append(
            f"Least reliable: {rule_link(committee, worst, 'rule ')}; where it holds, rows have "
            f"{percent(rules[worst].present)} of the labels that it votes for."
        )
    decisive = max(range(len(rules)), key=lambda k: rules[k].decisive, default=None)
    if decisive is not None and rules[decisive].decisive:
        points.append(
            f"Most decisive: {rule_link(committee, decisive, 'rule ')}, without which "
            f"{text(amount(rules[decisive].decisive, statistics))} would get other labels."
        )
    n_never = sum(label.true > 0 and not label.predicted for label in labels)
    if statistics.has_labels and n_never:
        points.append(f"Never predicted: {n_never} of {counted(len(labels), 'label')}.")
    return element("ul", *(element("li", point) for point in points), class_="short")


def _result(
    committee: DecisionCommittee, dataset: Dataset, statistics: LabelSetStatistics
) -> list[tuple[str, str, str]]:
    """Return number of rows and, where labels are known, how well they are predicted."""
    n_rows = len(statistics.counted)
    weight = "" if statistics.weight == n_rows else f"weight {number(statistics.weight)}"
    rows = ("rows", str(n_rows), weight)
    if not statistics.has_labels:
        return [rows]
    examples = dataset.take(statistics.counted)
    measures = measure_label_sets(
        committee.ranking_scores(examples),
        committee.predict_sets(examples),
        examples.Y,
        examples.weights,
    )
    cardinality = f"{measures.predicted_cardinality:.2f} predicted"
    return [
        ("ranking loss", f"{measures.ranking_loss:.4f}", "share of pairs in wrong order"),
        ("Hamming loss", f"{measures.hamming_loss:.4f}", "share of labels wrong"),
        ("exactly right", percent(measures.subset_accuracy), "whole label sets"),
        ("micro F1", f"{measures.micro_f1:.4f}", f"macro F1 {measures.macro_f1:.4f}"),
        ("labels a row", f"{measures.true_cardinality:.2f}", cardinality),
        rows,
    ]


def _left_out(statistics: LabelSetStatistics) -> list[str]:
    left_out = [
        (statistics.unlabelled, "with missing labels"),
        (statistics.weightless, "of weight 0"),
    ]
    sentences = [
        f"{counted(n, 'row')} {why} {'is' if n == 1 else 'are'} not counted."
        for n, why in left_out
        if n
    ]
    if not statistics.has_labels:
        sentences.append("These data tell no labels: what needs them is left out of this page.")
    return sentences


def _committee_section(committee: DecisionCommittee, most: int) -> str:
    total = committee.training.examples
    rows = []
    for k, rule in enumerate(committee.rules):
        votes = [
            cell(", ".join(votes_of_rule(committee, rule, vote, most)), kind)
            for vote, kind in ((1, "list for"), (-1, "list against"))
        ]
        cells = [*votes, cell(number(rule.covered))]
        rows.append(element("tr", rule_head(committee, k), *cells, id=f"rule-{k + 1}"))
    default = element(
        "td", breakable(", ".join(default_shares(committee, most))), class_="words", colspan=3
    )
    rows.append(element("tr", numbered_head("", "default"), default, class_="last"))
    return section(
        "committee",
        "Committee",
        table(
            [
                *heads("rule"),
                *heads("votes for (+1)", "votes against (-1)", class_="list"),
                *heads("covers"),
            ],
            rows,
        ),
        paragraph(f"Covers: training examples, {total} in all.", kind="quiet"),
        paragraph(f"{label_set_training_line(committee)}.", kind="quiet"),
    )


def _rules_section(committee: DecisionCommittee, statistics: LabelSetStatistics) -> str:
    names = ["rule", "holds", "share", "decisive"]
    meaning = "Decisive: rows that would get other labels without the rule."
    if statistics.has_labels:
        names += ["for: right", "against: right"]
        meaning += (
            " For: right, over the rows where the rule holds the mean share of the labels with "
            "vote +1 that the row has; against: right, of those with vote -1 that it has not."
        )
    rows = []
    for k, rule in enumerate(statistics.rules):
        share = rule.covered / statistics.weight
        cells = [cell(number(rule.covered)), heat_cell(percent(share), share)]
        cells.append(shaded_count(rule.decisive, statistics.weight))
        if statistics.has_labels:
            cells += [cell(fixed_or_dash(rule.present)), cell(fixed_or_dash(rule.absent))]
        rows.append(element("tr", rule_head(committee, k), *cells))
    if not rows:
        return section("rules", "Rules on these data", paragraph("There are no rules."))
    return section(
        "rules", "Rules on these data", table(heads(*names), rows), paragraph(meaning, kind="quiet")
    )


def _labels_section(committee: DecisionCommittee, statistics: LabelSetStatistics) -> str:
    names: Sequence[str] = ("label", "predicted")
    if statistics.has_labels:
        names = ("label", "true", "predicted", "precision", "recall", "F1")
    rows = []
    for label, s in zip(committee.schema.labels.values, statistics.labels, strict=True):
        cells = [shaded_count(s.predicted, statistics.weight)]
        if statistics.has_labels:
            cells.insert(0, shaded_count(s.true, statistics.weight))
            cells += [cell(fixed_or_dash(x)) for x in (s.precision, s.recall, s.f1)]
        head = element("th", breakable(shown(label)), class_="words", scope="row")
        rows.append(element("tr", head, *cells))
    return section(
        "labels", "Labels", paragraph("Rows with each label."), table(heads(*names), rows)
    )
