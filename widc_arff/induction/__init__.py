"""WIDC: induction of a decision committee in three stages (section 5 of the paper).

1. Grow monomials by partition boosting: `widc_arff.induction.paper.growing`.
2. Give each monomial its vector by ranking loss boosting: `widc_arff.induction.vectors.classes`,
   of label sets `widc_arff.induction.vectors.label_sets`.
3. Prune: `widc_arff.induction.paper.pruning`.

Beyond the paper, and by default, `widc_arff.induction.search` looks for the committee of least
description length instead: literals, votes and number of rules at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.induction.committees import (
    committee_of_classes,
    committee_of_label_sets,
    having_seen,
)
from widc_arff.induction.paper.stages import label_set_rules, rules_of_classes
from widc_arff.induction.preparing import Problem
from widc_arff.induction.search.searching import searched_rules
from widc_arff.options import LabelSetOptions, Options

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.induction.search.budget import Budget
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.observer import Observer


def induce(
    dataset: Dataset,
    options: Options | None = None,
    observer: Observer | None = None,
    budget: Budget | None = None,
) -> DecisionCommittee:
    """Learn a decision committee.

    Parameters
    ----------
    dataset : Dataset
        Examples; rows without a class or of weight zero are left out, with a warning that counts
        them.  Of label sets a row of which a label is missing counts as one without a class.
    options : Options, optional
        What to vary; of label sets `LabelSetOptions`.
    observer : Observer, optional
        Is told of every step; see `widc_arff.observer`.
    budget : Budget, optional
        What the search of refined pruning may try; see `widc_arff.induction.search.budget`.

    Returns
    -------
    DecisionCommittee
        Without rules, deciding by the class distribution, where there is one class only or no
        attribute that separates anything (with a warning).

    Raises
    ------
    DataError
        If there is no row to learn from.
    OptionError
        If the cut points asked for are not possible, or the pruning not for label sets.
    WidcError
        If the vectors of label sets need scipy and it is not installed.

    Notes
    -----
    Deterministic, and independent of the order of the rows.
    """
    options = options or Options()
    are_sets = dataset.schema.labels.are_sets
    problem = Problem.of(dataset, LabelSetOptions.of(options) if are_sets else options)
    return having_seen(committee_from(problem, observer, budget), problem.sample, options)


def committee_from(
    problem: Problem, observer: Observer | None = None, budget: Budget | None = None
) -> DecisionCommittee:
    """Return the committee that is learned from examples, wherever these are."""
    are_sets = problem.schema.labels.are_sets
    if problem.options.pruning == "refined":
        rules = searched_rules(problem, observer, budget)
    elif are_sets:
        rules = label_set_rules(problem, observer)
    else:
        rules = rules_of_classes(problem, observer)
    committee_of = committee_of_label_sets if are_sets else committee_of_classes
    return committee_of(problem, *rules)
