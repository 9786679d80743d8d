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
from widc_arff.induction.search.standing import SoftStanding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Integers
    from widc_arff.induction.search.objective import Objective
    from widc_arff.induction.search.rows import Rows
    from widc_arff.induction.search.standing import SearchedRule, Standing


def standing_of(rows: Rows, objective: Objective, rules: Sequence[SearchedRule] = ()) -> Standing:
    """Return how a committee stands with some rows."""
    if isinstance(rows.loss, RankingLoss):
        return LabelKeys(rows, objective, rules)
    if isinstance(rows.loss, SetError):
        return LabelMargins(rows, objective, rules)
    kind = Margins if rows.n_classes == 2 else ClassKeys
    return kind(rows, objective, rules)


def residual_of(standing: Standing, idle: float) -> Residual:
    """Return what a committee leaves undone."""
    if isinstance(standing, LabelMargins):
        return LabelResidual(standing, idle)
    assert isinstance(standing, SoftStanding)
    return Residual(standing, idle)


def grown_labels(standing: Standing) -> Integers:
    """Return for which labels monomials are grown, as their residual numbers them.

    Of two classes what is for one is against the other.
    """
    if isinstance(standing, LabelMargins):
        return np.arange(2 * len(standing.loss.Y))
    n_classes = standing.rows.n_classes
    return np.arange(n_classes) if n_classes > 2 else np.array([0])
