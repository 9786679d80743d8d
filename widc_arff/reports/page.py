"""Pages of HTML: a committee by itself, and what it does on data, with errors and their causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.evaluation.measures import measure
from widc_arff.evaluation.rule_statistics import committee_statistics
from widc_arff.reports.class_sections import (
    confusion_section,
    decisions_section,
    probabilities_section,
)
from widc_arff.reports.committee_table import (
    committee_table,
    how_committee_decides,
    what_columns_mean,
)
from widc_arff.reports.elements import element, text
from widc_arff.reports.page_frame import SAME_AS_TRAINING, contents, facts, page, paragraph, section
from widc_arff.reports.rule_sections import (
    amount,
    attributes_section,
    errors_section,
    overlap_section,
    rule_link,
    rules_section,
)
from widc_arff.reports.text import training_line
from widc_arff.reports.wording import contents_in_words, counted, number, percent, shown

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.measures import Measures
    from widc_arff.evaluation.rule_statistics import CommitteeStatistics
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout


def committee_page(committee: DecisionCommittee, layout: Layout | None = None) -> str:
    """Return a page with a committee, by default class by class from four classes on."""
    target = shown(committee.schema.labels.attributes[0])
    relation = shown(committee.schema.relation)
    body = [
        paragraph(f"Decision committee for {target}", kind="kind"),
        element("h1", text(relation)),
        facts([*_size(committee), _training(committee)]),
        paragraph(how_committee_decides(committee, layout)),
        _committee_section(committee, layout),
    ]
    return page(f"{relation}: decision committee", body, committee.training.version)


def report_page(
    committee: DecisionCommittee,
    dataset: Dataset,
    source: str,
    layout: Layout | None = None,
) -> str:
    """Return a page on what a committee does on data, as one HTML file that loads nothing.

    Parameters
    ----------
    committee : DecisionCommittee
        One that decides for one class an example.
    dataset : Dataset
        In its schema, with a row of positive weight; without classes the page has fewer sections.
    source : str
        Name of the data for the reader.
    layout : {"class", "rule"}, optional
        Of the committee, by default class by class from four classes on.
    """
    statistics = committee_statistics(committee, dataset)
    examples = dataset.take(statistics.counted)
    probabilities = committee.predict_proba(examples)
    decided = committee.predict_codes(examples)
    labels = committee.schema.labels.values
    sections = [
        _committee_section(committee, layout),
        rules_section(committee, statistics),
        attributes_section(committee, examples),
        overlap_section(committee, statistics.overlap / statistics.weight),
    ]
    measures = None
    if statistics.has_labels:
        actual, weights = examples.classes, examples.weights
        measures = measure(actual, decided, probabilities, weights)
        sections += [
            confusion_section(labels, measures),
            probabilities_section(labels, actual, probabilities, weights, measures),
            errors_section(committee, dataset, statistics),
        ]
    else:
        sections.append(decisions_section(labels, decided, examples.weights))
    relation = shown(committee.schema.relation)
    return page(
        f"{relation}: committee on {source}",
        [_header(committee, statistics, measures, source, layout), *sections],
        committee.training.version,
    )


def _header(
    committee: DecisionCommittee,
    statistics: CommitteeStatistics,
    measures: Measures | None,
    source: str,
    layout: Layout | None,
) -> str:
    target = shown(committee.schema.labels.attributes[0])
    n_rows = len(statistics.counted)
    weight = "" if statistics.weight == n_rows else f"weight {number(statistics.weight)}"
    figures = [("rows", str(n_rows), weight)]
    if measures is not None:
        wrong = f"{number(measures.error * statistics.weight)} of {number(statistics.weight)}"
        figures.insert(0, ("error on these data", percent(measures.error), wrong))
    return "".join(
        [
            paragraph(f"Decision committee for {target}, on {source}", kind="kind"),
            element("h1", text(shown(committee.schema.relation))),
            facts([*figures, *_size(committee), _training(committee)]),
            paragraph(how_committee_decides(committee, layout)),
            paragraph(*_left_out(statistics), _same_as_training(committee, statistics)),
            _in_short(committee, statistics, measures),
            _contents(committee, statistics),
        ]
    )


def _size(committee: DecisionCommittee) -> list[tuple[str, str, str]]:
    n_rules = len(committee.rules)
    return [("rules" if n_rules != 1 else "rule", str(n_rules), contents_in_words(committee))]


def _training(committee: DecisionCommittee) -> tuple[str, str, str]:
    error, examples = committee.training.error, committee.training.examples
    return ("training error", percent(error), f"on {counted(examples, 'example')}")


def _left_out(statistics: CommitteeStatistics) -> list[str]:
    """Return which rows are not counted, in words."""
    left_out = [(statistics.unlabelled, "without a class"), (statistics.weightless, "of weight 0")]
    return [
        f"{counted(n, 'row')} {why} {'is' if n == 1 else 'are'} not counted."
        for n, why in left_out
        if n
    ]


def _same_as_training(committee: DecisionCommittee, statistics: CommitteeStatistics) -> str:
    training = committee.training
    same = (
        len(statistics.counted) == training.examples
        and statistics.class_weights == training.weights
        and all(
            of_data.covered == rule.covered
            for of_data, rule in zip(statistics.rules, committee.rules, strict=True)
        )
    )
    if not same:
        return ""
    return SAME_AS_TRAINING


def _in_short(
    committee: DecisionCommittee, statistics: CommitteeStatistics, measures: Measures | None
) -> str:
    """Return what a reader asks first: which rules to doubt, which to keep, what is confused."""
    points = []
    worst = statistics.least_reliable
    if worst is not None:
        rule = statistics.rules[worst]
        points.append(
            f"Least reliable: {rule_link(committee, worst, 'rule ')}, right on "
            f"{percent(rule.precision)} of {text(amount(rule.covered, statistics))} where it holds."
        )
    if committee.rules and statistics.has_labels:
        k = max(range(len(committee.rules)), key=lambda k: statistics.rules[k].to_blame)
        if statistics.rules[k].to_blame:
            points.append(
                f"Most to blame: {rule_link(committee, k, 'rule ')}, for "
                f"{number(statistics.rules[k].to_blame)} of {number(statistics.wrong)} wrong."
            )
    if committee.rules:
        k = max(range(len(committee.rules)), key=lambda k: statistics.rules[k].decisive)
        decisive = statistics.rules[k].decisive
        if decisive:
            points.append(
                f"Most decisive: {rule_link(committee, k, 'rule ')}, without which "
                f"{text(amount(decisive, statistics))} would be decided otherwise."
            )
    if measures is not None and statistics.errors:
        points.append(text(_largest_confusion(committee, statistics, measures)))
    return element("ul", *(element("li", point) for point in points), class_="short")


def _largest_confusion(
    committee: DecisionCommittee, statistics: CommitteeStatistics, measures: Measures
) -> str:
    wrong = measures.confusion.copy()
    n = len(wrong)
    wrong[range(n), range(n)] = 0.0
    true, decided = divmod(int(wrong.argmax()), n)
    labels = [shown(label) for label in committee.schema.labels.values]
    weight = amount(float(wrong.max()), statistics)
    return f"Most frequent confusion: {labels[true]} taken for {labels[decided]}, {weight}."


def _contents(committee: DecisionCommittee, statistics: CommitteeStatistics) -> str:
    places = [("committee", "Committee"), ("rules", "Rules on these data")]
    if committee.rules:
        places.append(("attributes", "Attributes"))
    if len(committee.rules) > 1:
        places.append(("overlap", "Overlap"))
    if statistics.has_labels:
        places += [("classes", "Classes"), ("probabilities", "Probabilities"), ("errors", "Errors")]
    else:
        places.append(("decisions", "Decisions"))
    return contents(places)


def _committee_section(committee: DecisionCommittee, layout: Layout | None) -> str:
    return section(
        "committee",
        "Committee",
        committee_table(committee, layout, caption=False, anchors=True),
        paragraph(what_columns_mean(committee, layout), kind="quiet"),
        paragraph(f"{training_line(committee)}.", kind="quiet"),
    )
