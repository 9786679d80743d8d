"""Which way of standing serves what is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.induction.losses.ranking_loss import RankingLoss
from widc_arff.induction.search.keys import ClassKeys, LabelKeys
from widc_arff.induction.search.margins import Margins

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.induction.search.objective import Objective
    from widc_arff.induction.search.rows import Rows
    from widc_arff.induction.search.standing import SearchedRule, Standing


def standing_of(rows: Rows, objective: Objective, rules: Sequence[SearchedRule] = ()) -> Standing:
    """Return how a committee stands with some rows."""
    if isinstance(rows.loss, RankingLoss):
        return LabelKeys(rows, objective, rules)
    kind = Margins if rows.n_classes == 2 else ClassKeys
    return kind(rows, objective, rules)
