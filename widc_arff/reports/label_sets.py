"""Reports on committees that rank labels, as plain text of 80 columns and as Markdown.

A rule names the labels that it votes for and against, those that it covers most of first; however
many labels there are, a list stays short.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.layout import (
    WIDTH,
    fixed,
    in_columns,
    indented,
    short,
    signed,
    wrap,
    wrap_words,
)
from widc_arff.reports.markdown import escaped, table_row
from widc_arff.reports.wording import conditions, counted, number, shown, size_in_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.model.committee import DecisionCommittee, LabelSetExplanation
    from widc_arff.model.rules import Rule

LABELS_SHOWN = 10


def label_set_committee_text(committee: DecisionCommittee, most: int = LABELS_SHOWN) -> str:
    """Return a committee as a list of rules, each with what it votes for and against.

    Parameters
    ----------
    committee : DecisionCommittee
        One for label sets.
    most : int
        How many labels to name for each vote of a rule.
    """
    lines = [f"{_title(committee)}", ""]
    for k, rule in enumerate(committee.rules, start=1):
        lines += _rule_lines(committee, rule, k, most)
        lines.append(f"        covers {_covers(rule)}")
    lines += indented(wrap_words(default_shares(committee, most), WIDTH - 9), "default  ")
    if committee.rules:
        lines += ["", *wrap_words(how_it_ranks(committee).split(" "), WIDTH, " ")]
    return "\n".join([*lines, "", label_set_training_line(committee)]) + "\n"


def label_set_committee_markdown(committee: DecisionCommittee, most: int = LABELS_SHOWN) -> str:
    """Return a committee as a table with a column of labels for each vote."""
    lines = [
        f"**{escaped(_title(committee))}**",
        "",
        table_row(["#", "rule", "+1", "-1", "covers"]),
        "|---:|---|---|---|---|",
    ]
    for k, rule in enumerate(committee.rules, start=1):
        text = escaped(" and ".join(conditions(rule.monomial, committee.schema)))
        votes = [escaped(", ".join(votes_of_rule(committee, rule, vote, most))) for vote in (1, -1)]
        lines.append(table_row([str(k), text, *votes, _covers(rule)]))
    lines += ["", f"Default: {escaped(', '.join(default_shares(committee, most)))}.", ""]
    if committee.rules:
        lines += [how_it_ranks(committee), ""]
    return "\n".join([*lines, label_set_training_line(committee)]) + "\n"


def label_set_training_line(committee: DecisionCommittee) -> str:
    """Return number of training examples and their ranking loss in words."""
    training = committee.training
    examples = counted(training.examples, "training example")
    return f"{examples}, training ranking loss {training.error:.4f}"


def label_set_explanation_text(
    committee: DecisionCommittee,
    explanation: LabelSetExplanation,
    row: int,
    most: int,
    actual: Sequence[int] | None = None,
) -> str:
    """Return why a committee gives one row its labels.

    Parameters
    ----------
    committee : DecisionCommittee
        Who decides.
    explanation : LabelSetExplanation
        Of the row.
    row : int
        Its number, from 1.
    most : int
        How many labels to name at a time.
    actual : sequence of int, optional
        Its labels, where they are known.
    """
    labels = [shown(label) for label in committee.schema.labels.values]
    found = [labels[j] for j in explanation.ranking if j in explanation.predicted] or ["no label"]
    head = f"Row {row}: "
    lines = indented(wrap_words(found, WIDTH - len(head)), head)
    if actual is not None:
        differing = _differences(explanation.predicted, actual, labels, most)
        lines += wrap_words(f"In the data: {differing or 'the same'}.".split(" "), WIDTH, " ")
    lines.append("")
    n, n_rules = len(explanation.fired), counted(len(committee.rules), "rule")
    if n:
        lines.append(f"{n} of {n_rules} {'holds' if n == 1 else 'hold'}:")
        for k in explanation.fired:
            lines += _rule_lines(committee, committee.rules[k], k + 1, most)
    else:
        lines.append(f"None of the {n_rules} holds.")
    ranked = explanation.ranking[: max(most, len(explanation.predicted))]
    rows = [["ranking", "votes", "default", "probability"]]
    for j in ranked:
        shares = [fixed(share[j], 3) for share in (committee.default, explanation.probabilities)]
        rows.append([short(labels[j], 40), signed(explanation.votes[j]), *shares])
    lines += ["", *in_columns(rows)]
    if len(ranked) < len(labels):
        lines.append(f"and {len(labels) - len(ranked)} more")
    lines += ["", "Labels with a probability of one half or more are predicted."]
    for k, other in committee.sets_without_rules(explanation).items():
        change = _differences(explanation.predicted, other, labels, most)
        lines += wrap_words(f"Without rule {k + 1}: {change}.".split(" "), WIDTH, " ")
    return "\n".join(lines) + "\n"


def _differences(
    before: Sequence[int], after: Sequence[int], labels: Sequence[str], most: int
) -> str:
    """Return which labels one set has more than another, and which not; nothing if equal."""
    more = [labels[j] for j in after if j not in before]
    less = [labels[j] for j in before if j not in after]
    parts = [
        f"{word} {', '.join(_first(names, most))}"
        for word, names in (("also", more), ("not", less))
        if names
    ]
    return "; ".join(parts)


def _title(committee: DecisionCommittee) -> str:
    return f"Decision committee for {committee.schema.n_classes} labels: {size_in_words(committee)}"


def _rule_lines(committee: DecisionCommittee, rule: Rule, k: int, most: int) -> list[str]:
    """Return a rule with the labels that get +1 and those that get -1."""
    lines = indented(wrap(conditions(rule.monomial, committee.schema), WIDTH - 6), f"{k:>4}  ")
    for vote, sign in ((1, "+"), (-1, "-")):
        voted = votes_of_rule(committee, rule, vote, most)
        if voted:
            lines += indented(wrap_words(voted, WIDTH - 11), f"{'':8}{sign}: ")
    return lines if any(rule.votes) else [*lines, f"{'':8}no vote"]


def votes_of_rule(committee: DecisionCommittee, rule: Rule, vote: int, most: int) -> list[str]:
    """Return the labels with a vote, at most so many: for, the most covered first."""
    labels = [shown(label) for label in committee.schema.labels.values]
    key = rule.covers if vote > 0 else committee.training.weights
    voted = [j for j in range(len(labels)) if rule.votes[j] == vote]
    voted.sort(key=lambda j: -key[j])
    return _first([labels[j] for j in voted], most)


def default_shares(committee: DecisionCommittee, most: int) -> list[str]:
    """Return the largest shares of the default vector."""
    labels = [shown(label) for label in committee.schema.labels.values]
    order = sorted(range(len(labels)), key=lambda j: -committee.default[j])
    return _first([f"{labels[j]} {committee.default[j]:.2f}" for j in order], most)


def _first(texts: list[str], most: int) -> list[str]:
    if len(texts) <= most:
        return texts
    return [*texts[:most], f"and {len(texts) - most} more" if most else f"{len(texts)} labels"]


def _covers(rule: Rule) -> str:
    labels = sum(rule.covers) / rule.covered if rule.covered else 0.0
    return f"{number(rule.covered)}, with {labels:.2f} labels on the mean"


def how_it_ranks(committee: DecisionCommittee) -> str:
    """Return in a sentence how rules and default make a label set."""
    return (
        "Votes of the rules that hold are added and rank the labels, of equal sums the default "
        "decides; an example gets the labels whose sum, plus half of the default, is "
        f"{number(committee.threshold or 0.0)} or more. Covers: training examples."
    )
