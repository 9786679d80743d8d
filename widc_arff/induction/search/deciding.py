"""Which way of standing serves what is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.losses.ranking_loss import RankingLoss
from widc_arff.induction.losses.set_error import SetError
from widc_arff.induction.search.keys import ClassKeys, LabelKeys
from widc_arff.induction.search.label_margins import LabelMargins
from widc_arff.induction.search.label_residual import LabelResidual
from widc_arff.induction.search.margins import Margins
from widc_arff.induction.search.residual import Residual
from widc_arff.induction.search.state import SoftStanding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Integers
    from widc_arff.induction.search.objective import Objective
    from widc_arff.induction.search.rows import Rows
    from widc_arff.induction.search.state import SearchedRule, SearchState


def state_of(rows: Rows, objective: Objective, rules: Sequence[SearchedRule] = ()) -> SearchState:
    """Return how a committee stands with some rows."""
    if isinstance(rows.loss, RankingLoss):
        return LabelKeys(rows, objective, rules)
    if isinstance(rows.loss, SetError):
        return LabelMargins(rows, objective, rules)
    kind = Margins if rows.n_classes == 2 else ClassKeys
    return kind(rows, objective, rules)


def residual_of(state: SearchState, idle: float) -> Residual:
    """Return what a committee leaves undone."""
    if isinstance(state, LabelMargins):
        return LabelResidual(state, idle)
    assert isinstance(state, SoftStanding)
    return Residual(state, idle)


def grown_labels(state: SearchState) -> Integers:
    """Return for which labels monomials are grown, as their residual numbers them.

    Of two classes what is for one is against the other.
    """
    if isinstance(state, LabelMargins):
        return np.arange(2 * len(state.loss.Y))
    n_classes = state.rows.n_classes
    return np.arange(n_classes) if n_classes > 2 else np.array([0])
