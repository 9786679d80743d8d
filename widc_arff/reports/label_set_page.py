"""Pages on a committee for label sets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from widc_arff.evaluation.label_set_measures import measure_label_sets
from widc_arff.evaluation.label_set_statistics import LabelSetStatistics, label_set_statistics
from widc_arff.reports.committee_table import numbered_head, rule_head
from widc_arff.reports.elements import (
    breakable,
    cell,
    element,
    heads,
    heat_cell,
    shaded_count,
    table,
)
from widc_arff.reports.page_frame import fixed_or_dash, paragraph, section
from widc_arff.reports.page_plan import PagePlan, Part, Told
from widc_arff.reports.rule_sections import rule_link
from widc_arff.reports.wording import contents_in_words, counted, number, percent, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee


class LabelSetPage(PagePlan[LabelSetStatistics]):
    """Pages of HTML; on data without labels they tell less."""

    between = "\n"

    def size(self) -> list[tuple[str, str, str]]:
        """Return the numbers of rules and of labels."""
        n_rules, n_labels = len(self.committee.rules), self.committee.schema.n_classes
        return [
            ("rules", str(n_rules), contents_in_words(self.committee)),
            ("labels", str(n_labels), ""),
        ]

    def how_it_decides(self) -> str:
        """Return in words how rules and default make a label set."""
        return (
            "Each rule that holds for a row adds its votes. The sums rank the labels, among equal "
            "sums the default vector, and the row gets the labels whose sum, plus half of their "
            f"part in the default vector, is {number(self.committee.threshold or 0.0)} or more."
        )

    def table(self) -> str:
        """Return a rule a row, with a column of labels for each vote."""
        rows = []
        for k, rule in enumerate(self.committee.rules):
            for_, against = map(", ".join, self.kind.votes(k).values())
            cells = [cell(for_, "list for"), cell(against, "list against")]
            cells.append(cell(number(rule.covered)))
            rows.append(element("tr", rule_head(self.committee, k), *cells, id=f"rule-{k + 1}"))
        shares = breakable(", ".join(self.kind.default_shares()))
        default = element("td", shares, class_="words", colspan=3)
        rows.append(element("tr", numbered_head("", "default"), default, class_="last"))
        votes = heads("votes for (+1)", "votes against (-1)", class_="list")
        return table([*heads("rule"), *votes, *heads("covers")], rows)

    def what_columns_mean(self) -> str:
        """Return in words what the last column has."""
        return f"Covers: training examples, {self.committee.training.examples} in all."

    def statistics(self, dataset: Dataset) -> LabelSetStatistics:
        """Return what the committee does on data."""
        return label_set_statistics(self.committee, dataset)

    def told(
        self,
        dataset: Dataset,  # noqa: ARG002 - rows that do not count are not told
        examples: Dataset,
        statistics: LabelSetStatistics,
    ) -> Told:
        """Return losses, rules to doubt, labels that are not found, and a section on labels."""
        committee, figures, left_out, losses = self.committee, [], [], []
        if statistics.has_labels:
            figures = _measured(committee, examples)
            n_never = sum(label.true > 0 and not label.predicted for label in statistics.labels)
            if n_never:
                n_labels = counted(len(statistics.labels), "label")
                losses.append(f"Never predicted: {n_never} of {n_labels}.")
        else:
            left_out.append("These data tell no labels: what needs them is left out of this page.")
        return Told(
            figures=figures,
            left_out=left_out,
            are_those_of_training=statistics.has_labels,
            doubts=_doubts(committee, statistics),
            losses=losses,
            rules=_rules_section(committee, statistics),
            parts=[Part("labels", "Labels", _labels_section(committee, statistics))],
        )


def _measured(committee: DecisionCommittee, examples: Dataset) -> list[tuple[str, str, str]]:
    """Return how well labels are predicted."""
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
    ]


def _doubts(committee: DecisionCommittee, statistics: LabelSetStatistics) -> list[str]:
    """Return the least reliable rule."""
    rules = statistics.rules
    judged = [k for k, rule in enumerate(rules) if not math.isnan(rule.present)]
    if not judged:
        return []
    worst = min(judged, key=lambda k: rules[k].present)
    told = (
        f"Least reliable: {rule_link(committee, worst, 'rule ')}; where it holds, rows have "
        f"{percent(rules[worst].present)} of the labels that it votes for."
    )
    return [told]


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
