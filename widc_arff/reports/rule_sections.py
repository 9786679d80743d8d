"""Sections of a report on data that are about rules: what each does, overlap, errors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.evaluation.attribute_use import attribute_uses
from widc_arff.evaluation.rule_statistics import precision_and_lift
from widc_arff.model.changes import MOST_ATTRIBUTES, changes_by_row
from widc_arff.reports.committee_table import numbered_head, rule_head, rule_text
from widc_arff.reports.elements import (
    breakable,
    cell,
    element,
    heads,
    heat_cell,
    label_class,
    row,
    shaded_count,
    table,
    text,
)
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.page_frame import paragraph, percent_or_dash, section
from widc_arff.reports.wording import (
    change_in_words,
    class_names,
    counted,
    decision_in_words,
    number,
    percent,
    shown,
    value_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Floats
    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.rule_statistics import CommitteeStatistics, DataStatistics, WrongRow
    from widc_arff.model.changes import Change
    from widc_arff.model.committee import DecisionCommittee

ERRORS_SHOWN = 50
MOST_RULES_IN_MATRIX = 40
_ROWS_LISTED = 20
_NEIGHBOURS = 5


def amount(weight: float, statistics: DataStatistics) -> str:
    """Return so many rows in words, or their weight where rows are weighted."""
    if statistics.weight == len(statistics.counted) and weight.is_integer():
        return counted(int(weight), "row")
    return f"rows of weight {number(weight)}"


def rule_link(committee: DecisionCommittee, k: int, words: str = "") -> str:
    """Return a link to a rule in the table of the committee, which tells its conditions."""
    return element(
        "a", text(f"{words}{k + 1}"), href=f"#rule-{k + 1}", title=rule_text(committee, k)
    )


def rules_section(committee: DecisionCommittee, statistics: CommitteeStatistics) -> str:
    """Return what each rule does on the data."""
    all_rows = statistics.weight
    by_default = (
        f"No rule holds on {amount(statistics.silent, statistics)} "
        f"({percent(statistics.silent / all_rows)}); the default vector decides "
        f"{amount(statistics.tied, statistics)} ({percent(statistics.tied / all_rows)}), where "
        "classes share the largest sum."
    )
    if not committee.rules:
        return section("rules", "Rules on these data", paragraph("There are no rules.", by_default))
    names = ["rule", "holds", "share"]
    meaning = "Holds: rows on which the rule holds, and their share."
    if statistics.has_labels:
        names += ["precision", "in training", "lift", "mistakes", "to blame"]
        meaning += (
            " Precision: share of those rows whose class has the rule’s largest vote, here and in "
            "training; lift: precision over the share of these classes in all rows. Mistakes: rows "
            "where it holds that are decided wrongly; to blame: those where it votes for the wrong "
            "class over the true one."
        )
    names.append("decisive")
    meaning += " Decisive: rows that would be decided otherwise without the rule"
    if statistics.has_labels:
        names += ["saved", "spoiled"]
        meaning += "; saved: from wrong to right by it; spoiled: from right to wrong."
    rows = [_rule_row(committee, statistics, k) for k in range(len(committee.rules))]
    return section(
        "rules",
        "Rules on these data",
        paragraph(by_default),
        table(heads(*names), rows),
        paragraph(meaning.removesuffix(".") + ".", kind="quiet"),
    )


def _rule_row(committee: DecisionCommittee, statistics: CommitteeStatistics, k: int) -> str:
    rule, total = statistics.rules[k], statistics.weight
    cells = [cell(number(rule.covered)), heat_cell(percent(rule.share), rule.share)]
    if statistics.has_labels:
        model = committee.rules[k]
        trained, _ = precision_and_lift(model.votes, model.covers, committee.training.weights)
        cells += [
            cell(percent_or_dash(rule.precision)),
            cell(percent_or_dash(trained)),
            cell("–" if math.isnan(rule.lift) else f"{rule.lift:.2f}"),
            cell(number(rule.mistakes)),
            shaded_count(rule.to_blame, statistics.wrong, wrong=True),
        ]
    cells.append(shaded_count(rule.decisive, total))
    if statistics.has_labels:
        cells += [shaded_count(rule.saved, total), shaded_count(rule.spoiled, total, wrong=True)]
    return element("tr", rule_head(committee, k), *cells)


def attributes_section(committee: DecisionCommittee, dataset: Dataset) -> str:
    """Return what each attribute does on data; nothing where there are no rules."""
    uses = attribute_uses(committee, dataset)
    if not uses:
        return ""
    most = max(use.shift for use in uses) or 1.0
    names = [shown(committee.schema.attributes[use.attribute].name) for use in uses]
    rows = [
        element(
            "tr",
            element("th", breakable(name), class_=label_class(name), scope="row"),
            _linked_rules(committee, use.rules, "none"),
            cell(use.literals),
            cell(percent(use.held)),
            cell(percent(use.decisive)),
            heat_cell(f"{100 * use.shift:.1f}", use.shift / most),
        )
        for name, use in zip(names, uses, strict=True)
    ]
    n_unused = len(committee.schema.attributes) - len(uses)
    unused = f" {counted(n_unused, 'attribute')} more in no rule." if n_unused else ""
    return section(
        "attributes",
        "Attributes on these data",
        table(
            heads("attribute", "rules", "literals", "holds", "decisive", "shift"),
            rows,
        ),
        paragraph(
            "Holds: rows on which a rule with the attribute holds. Decisive: rows that would "
            f"{kind_of(committee).otherwise} if its value were missing, so that no condition on it "
            "holds. Shift: how far the probabilities would move, on the mean, in percent."
            f"{unused}",
            kind="quiet",
        ),
    )


def overlap_section(committee: DecisionCommittee, shares: Floats) -> str:
    """Return how often each two rules hold together: a matrix, of many rules the nearest of each.

    Parameters
    ----------
    committee : DecisionCommittee
        With the rules.
    shares : ndarray of float64, shape (n_rules, n_rules)
        Share of all rows on which both hold, in [0, 1].
    """
    n_rules = len(committee.rules)
    if n_rules < 2:
        return ""
    if n_rules > MOST_RULES_IN_MATRIX:
        says = (
            f"Of each rule the {_NEIGHBOURS} others that hold most often on the same rows, with "
            "the share of all rows on which both hold."
        )
        shown_table = _neighbours(committee, shares)
    else:
        says = (
            "Rows on which both rules hold, in percent of all rows; on the diagonal those of the "
            "rule itself."
        )
        shown_table = _matrix(committee, shares)
    return section("overlap", "Overlap between rules", paragraph(says), shown_table)


def _matrix(committee: DecisionCommittee, shares: Floats) -> str:
    indices = range(len(committee.rules))
    most = shares.max() or 1.0
    head = [*heads("rule"), *(element("th", rule_link(committee, k), scope="col") for k in indices)]
    rows = [
        row(
            rule_link(committee, k),
            *(
                cell(f"{100 * share:.1f}", "none")
                if share == 0 or j == k
                else heat_cell(f"{100 * share:.1f}", share / most)
                for j, share in enumerate(shares[k].tolist())
            ),
        )
        for k in indices
    ]
    return table(head, rows)


def _neighbours(committee: DecisionCommittee, shares: Floats) -> str:
    rows = []
    for k in range(len(committee.rules)):
        nearest = np.argsort(-shares[k], kind="stable").tolist()
        nearest = [j for j in nearest if j != k and shares[k, j] > 0][:_NEIGHBOURS]
        words = [f"{rule_link(committee, j)} ({percent(float(shares[k, j]))})" for j in nearest]
        listed = element("td", ", ".join(words) or "none", class_="words")
        rows.append(row(rule_link(committee, k), cell(percent(float(shares[k, k]))), listed))
    return table([*heads("rule", "holds"), *heads("together with", class_="words")], rows)


def errors_section(
    committee: DecisionCommittee,
    dataset: Dataset,
    statistics: CommitteeStatistics,
) -> str:
    """Return the rows that are decided wrongly, the rules to blame, and what would change them.

    Parameters
    ----------
    committee : DecisionCommittee
        The one that decides.
    dataset : Dataset
        The data.
    statistics : CommitteeStatistics
        Of the committee on the data.
    """
    errors = statistics.errors
    if not errors:
        return section("errors", "Errors", paragraph("No row is decided wrongly."))
    count = f"{counted(len(errors), 'row')} {'is' if len(errors) == 1 else 'are'} decided wrongly."
    part = ""
    if len(errors) > ERRORS_SHOWN:
        part = f"The {ERRORS_SHOWN} with the largest margins are shown."
    says = (
        "Margin: votes of the class decided less votes of the true class; at 0 the default vector "
        "decided. Rules to blame hold and vote for the wrong class over the true one."
    )
    return section(
        "errors",
        "Errors",
        paragraph(count, part, says),
        _errors_table(committee, dataset, statistics),
        element("h3", "Errors by rule"),
        _errors_by_rule(committee, statistics),
    )


def _errors_table(
    committee: DecisionCommittee,
    dataset: Dataset,
    statistics: CommitteeStatistics,
) -> str:
    names = ["row", "actual", "decided", "margin", "rules that hold", "to blame"]
    weighted = statistics.weight != len(statistics.counted)
    names += ["weight"] * weighted + ["nearest change", "values"]
    labels = [shown(label) for label in committee.schema.labels.values]
    rows = []
    listed = statistics.errors[:ERRORS_SHOWN]
    changes = changes_by_row(committee, dataset.take(np.array([error.row for error in listed])))
    for error, flips in zip(listed, changes, strict=True):
        cells = [
            _label_cell(labels[error.actual]),
            _label_cell(labels[error.predicted]),
            cell(error.margin),
            _linked_rules(committee, error.fired, "none"),
            _linked_rules(committee, error.to_blame, "default vector"),
        ]
        cells += [cell(number(error.weight))] * weighted
        cells.append(cell(_nearest(committee, flips), "words"))
        cells.append(element("td", _values(committee, dataset, error)))
        rows.append(row(text(error.row + 1), *cells, id=f"row-{error.row + 1}"))
    wordy = {"nearest change": "words"}
    head = [h for name in names for h in heads(name, class_=wordy.get(name))]
    return table(head, rows)


def _nearest(committee: DecisionCommittee, changes: Sequence[Change]) -> str:
    """Return the nearest change that flips a decision, and to which class."""
    if not changes:
        return f"none of up to {MOST_ATTRIBUTES} attributes"
    words = change_in_words(changes[0], committee.schema)
    return f"{words}: {decision_in_words(changes[0].decision, class_names(committee))}"


def _label_cell(label: str) -> str:
    return cell(label, label_class(label))


def _linked_rules(committee: DecisionCommittee, rules: Sequence[int], none: str) -> str:
    links = " ".join(rule_link(committee, k) for k in rules)
    return element("td", links or text(none), class_="rules")


def _values(committee: DecisionCommittee, dataset: Dataset, error: WrongRow) -> str:
    """Return the values of a row that some rule tests, to be unfolded."""
    attributes = committee.schema.attributes
    told = [
        f"{shown(attributes[a].name)} = "
        f"{value_text(attributes[a], float(dataset.columns[a][error.row]))}"
        for a in sorted(committee.used_attributes)
    ]
    return (
        element("details", element("summary", "show"), breakable(", ".join(told))) if told else ""
    )


def _errors_by_rule(committee: DecisionCommittee, statistics: CommitteeStatistics) -> str:
    """Return of each rule the errors that it is to blame for, the worst rule first."""
    blamed = [
        (rule_head(committee, k), [e for e in statistics.errors if k in e.to_blame])
        for k in range(len(committee.rules))
    ]
    blamed.append(
        (
            numbered_head("", "the default vector alone"),
            [e for e in statistics.errors if not e.to_blame],
        )
    )
    rows = []
    for rule, errors in sorted(blamed, key=lambda entry: -_weight(entry[1])):
        weight = _weight(errors)
        share = weight / statistics.wrong
        heat = heat_cell(percent(share), share, wrong=True)
        listed = element("td", _listed_rows(errors, statistics.errors), class_="words")
        rows.append(element("tr", rule, cell(number(weight)), heat, listed))
    head = [*heads("rule", "to blame for", "of all errors"), *heads("rows", class_="words")]
    return table(head, rows)


def _weight(errors: Sequence[WrongRow]) -> float:
    return sum((error.weight for error in errors), 0.0)


def _listed_rows(errors: Sequence[WrongRow], all_errors: Sequence[WrongRow]) -> str:
    in_table = {error.row for error in all_errors[:ERRORS_SHOWN]}
    rows = sorted(error.row for error in errors)
    links = [
        element("a", text(r + 1), href=f"#row-{r + 1}") if r in in_table else text(r + 1)
        for r in rows[:_ROWS_LISTED]
    ]
    more = len(rows) - _ROWS_LISTED
    return ", ".join(links) + (f" and {more} more" if more > 0 else "")
