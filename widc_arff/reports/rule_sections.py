"""Sections of a report on data that are about rules: what each does, overlap, errors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.evaluation.attribute_use import attribute_uses
from widc_arff.evaluation.rule_statistics import favoured
from widc_arff.model.change_search import most_together
from widc_arff.model.changes import changes_by_row
from widc_arff.reports.as_html import numbered_head, row_head
from widc_arff.reports.elements import (
    breakable,
    cell,
    element,
    heads,
    heat_cell,
    label_class,
    label_row,
    row,
    shaded_count,
    table,
    text,
)
from widc_arff.reports.formatting import (
    change_in_words,
    class_names,
    counted,
    decision_in_words,
    first_of,
    number,
    percent,
    rule_conditions,
    shown,
    value_text,
)
from widc_arff.reports.page_frame import PageSection, paragraph, section
from widc_arff.reports.rights import Part, Right, right_of_rule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from widc_arff.arrays import Floats
    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.label_set_statistics import LabelSetStatistics
    from widc_arff.evaluation.rule_statistics import CommitteeStatistics, DataStatistics, WrongRow
    from widc_arff.model.change_values import Change
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.kind import Kind

ERRORS_SHOWN = 50
MOSTLY = 0.9
"""Part of the rows of a rule from which on it is inside of another one."""
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
        "a",
        text(f"{words}{k + 1}"),
        href=f"#rule-{k + 1}",
        title=" and ".join(rule_conditions(committee, k)),
    )


def rule_head(committee: DecisionCommittee, k: int) -> str:
    """Return the head cell of a rule's row: its number, counted from 1, and its conditions."""
    return row_head(tuple(rule_conditions(committee, k)), str(k + 1))


def rules_section(committee: DecisionCommittee, statistics: CommitteeStatistics) -> PageSection:
    """Return what each rule does on the data."""
    all_rows = statistics.weight
    by_ties = (
        f"No rule holds on {amount(statistics.silent, statistics)} "
        f"({percent(statistics.silent / all_rows)}); ties decide "
        f"{amount(statistics.tied, statistics)} ({percent(statistics.tied / all_rows)})."
    )
    if not statistics.has_labels:
        meaning = f"{COVERS} be decided differently without the rule."
        return rules_on_data(committee, cover_columns(statistics), meaning, by_ties)
    rules = statistics.rules
    rights = [_right_cells(committee, statistics, k) for k in range(len(rules))]
    heads_of_rights = ("right on", "", "in training", "in all")
    columns: dict[str, Sequence[str]] = {
        **{head: [of[i] for of in rights] for i, head in enumerate(heads_of_rights)},
        "decides": [shaded_count(rule.decisive, all_rows) for rule in rules],
        "to right": [shaded_count(rule.saved, all_rows) for rule in rules],
        "to wrong": [shaded_count(rule.spoiled, all_rows, wrong=True) for rule in rules],
        "mistakes": [cell(number(rule.mistakes)) for rule in rules],
        "to blame": [shaded_count(rule.to_blame, statistics.wrong, wrong=True) for rule in rules],
    }
    meaning = (
        "Right on: of the rows that the rule covers, those of the classes with its most "
        "points, here and in training; in all: their share of all rows. Decides: rows that "
        "would be decided differently without the rule: to right, from wrong to right by it; "
        "to wrong, from right to wrong. Mistakes: rows that it covers and that are decided "
        "wrongly; to blame: those where it votes for the wrong class over the true one."
    )
    return rules_on_data(committee, columns, meaning, by_ties)


COVERS = "Covers: rows on which the rule holds, and their share. Decides: rows that would"


def cover_columns(statistics: CommitteeStatistics | LabelSetStatistics) -> dict[str, Sequence[str]]:
    """Return cells with the rows that rules cover and decide, by the head of their column."""
    rules, all_rows = statistics.rules, statistics.weight
    shares = [rule.covered / all_rows for rule in rules]
    return {
        "covers": [cell(number(rule.covered)) for rule in rules],
        "share": [heat_cell(percent(share), share) for share in shares],
        "decides": [shaded_count(rule.decisive, all_rows) for rule in rules],
    }


def rules_on_data(
    committee: DecisionCommittee, columns: Mapping[str, Sequence[str]], meaning: str, before: str
) -> PageSection:
    """Return the section with columns of cells for all rules, and sentences around them."""
    name, title = "rules", "Rules on these data"
    if not committee.rules:
        return section(name, title, paragraph("There are no rules.", before))
    rows = [
        element("tr", rule_head(committee, k), *cells)
        for k, cells in enumerate(zip(*columns.values(), strict=True))
    ]
    content = table(heads("rule", *columns), rows)
    return section(name, title, paragraph(before), content, paragraph(meaning, kind="quiet"))


def _right_cells(
    committee: DecisionCommittee, statistics: CommitteeStatistics, k: int
) -> list[str]:
    """Return on how many rows a rule is right, here, in training, and on all rows."""
    rule, trained = statistics.rules[k], right_of_rule(committee, k)
    if trained is None or math.isnan(rule.precision):
        return [cell(f"0 of {number(rule.covered)}" if trained else "–"), *[cell("–")] * 3]
    votes = committee.rules[k].votes
    most = sum(statistics.class_weights[j] for j in favoured(votes))
    found = Right(
        Part(rule.precision * rule.covered, rule.covered), Part(most, sum(statistics.class_weights))
    )
    words, share, in_all = found.figures
    mark = "against" if found.contradicts else None
    return [cell(words), cell(share, mark), cell(trained.covered.percent), cell(in_all)]


def attributes_section(kind: Kind, dataset: Dataset) -> list[PageSection]:
    """Return what each attribute does on data; nothing where there are no rules."""
    committee = kind.committee
    uses = attribute_uses(committee, dataset)
    if not uses:
        return []
    most = max(use.shift for use in uses) or 1.0
    names = [shown(committee.schema.attributes[use.attribute].name) for use in uses]
    rows = [
        label_row(
            name,
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
    meaning = (
        "Holds: rows on which a rule with the attribute holds. Decides: rows that would "
        f"{kind.otherwise} if its value were missing, so that no condition on it "
        f"holds. Shift: how far the probabilities would move, on average, in percent.{unused}"
    )
    names_of = heads("attribute", "rules", "conditions", "holds", "decides", "shift")
    content = table(names_of, rows), paragraph(meaning, kind="quiet")
    return [section("attributes", "Attributes on these data", *content)]


def overlap_section(committee: DecisionCommittee, overlap: Floats) -> list[PageSection]:
    """Return which rules hold mostly where another one holds: these say the least of their own.

    Parameters
    ----------
    committee : DecisionCommittee
        With the rules.
    overlap : ndarray of float64, shape (n_rules, n_rules)
        Weight of the rows on which both hold.
    """
    rows = []
    for k in range(len(committee.rules)):
        covered = float(overlap[k, k])
        words: list[str] = []
        for j in np.argsort(-overlap[k], kind="stable").tolist():
            if j != k and overlap[k, j] >= MOSTLY * covered > 0 and len(words) < _NEIGHBOURS:
                share = percent(float(overlap[k, j]) / covered)
                words.append(f"{rule_link(committee, j)} ({share})")
        if words:
            listed = element("td", ", ".join(words), class_="words")
            rows.append(element("tr", rule_head(committee, k), cell(number(covered)), listed))
    if not rows:
        return []
    says = (
        f"Rules that mostly hold where another one holds: on {100 * MOSTLY:.0f} % of their rows or "
        "more."
    )
    head = [*heads("rule", "covers"), *heads("inside of rule", class_="words")]
    return [section("overlap", "Overlap between rules", paragraph(says), table(head, rows))]


def errors_section(
    committee: DecisionCommittee,
    dataset: Dataset,
    statistics: CommitteeStatistics,
) -> PageSection:
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
        "Margin: votes of the class decided minus votes of the true class; at 0 a tie was "
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
            _linked_rules(committee, error.to_blame, "ties"),
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
        return f"none of up to {most_together(committee)} attributes"
    words = change_in_words(changes[0], committee.schema)
    return f"{words}: {decision_in_words(changes[0].decision, class_names(committee), 0)}"


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
            numbered_head("", "ties alone"),
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
        for r in rows
    ]
    return ", ".join(first_of(links, _ROWS_LISTED))
