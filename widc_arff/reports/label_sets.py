"""What is told of label sets alone: how votes rank labels, and why a row gets which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.reports.kinds import kind_of
from widc_arff.reports.layout import (
    WIDTH,
    fixed,
    in_columns,
    indented,
    short,
    signed,
    wrap_words,
)
from widc_arff.reports.wording import differences, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.model.committee import DecisionCommittee, LabelSetExplanation


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
        differing = differences(explanation.predicted, actual, labels, most)
        lines += wrap_words(f"In the data: {differing or 'the same'}.".split(" "), WIDTH, " ")
    lines.append("")
    lines += kind_of(committee, most).fired_lines(explanation.fired)
    ranked = explanation.ranking[: max(most, len(explanation.predicted))]
    rows = [["ranking", "votes", "probability"]]
    for j in ranked:
        votes, share = signed(explanation.votes[j]), fixed(explanation.probabilities[j], 3)
        rows.append([short(labels[j], 40), votes, share])
    lines += ["", *in_columns(rows)]
    if len(ranked) < len(labels):
        lines.append(f"and {len(labels) - len(ranked)} more")
    lines += ["", f"Labels with a probability of {_least_probability(committee)} are predicted."]
    for k, other in committee.sets_without_rules(explanation).items():
        change = differences(explanation.predicted, other, labels, most)
        lines += wrap_words(f"Without rule {k + 1}: {change}.".split(" "), WIDTH, " ")
    return "\n".join(lines) + "\n"


def _least_probability(committee: DecisionCommittee) -> str:
    """Return from which probability on labels are predicted."""
    of_labels = committee.label_scores
    if of_labels.threshold == of_labels.middle:
        return "one half or more"
    return f"{fixed(float(of_labels.probabilities(np.array(of_labels.threshold))), 3)} or more"
