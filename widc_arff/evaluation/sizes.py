"""A menu of sizes: committees along the price of a literal, each with its error on other rows.

The higher the price, the smaller the committee that refined pruning finds.  Two of them have names:
that of the *least error* (of equal errors the smaller one), and the *smallest* one whose error is
within one standard error of it (Breiman et al., Classification and Regression Trees, 1984).  The
standard error is the standard deviation between folds over the root of their number.

A choice by these errors is a part of learning.  What it comes to on new rows nested folds tell: in
each the menu is made of the training rows alone.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from widc_arff.errors import OptionError, WidcWarning
from widc_arff.evaluation.cross_validation import (
    Folding,
    Task,
    cross_validate,
    predicted,
    training_and_test,
)
from widc_arff.evaluation.outcomes import EVALUATIONS
from widc_arff.induction import induce
from widc_arff.system.processes import in_order, number_of_jobs
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.outcomes import Evaluation, Prediction
    from widc_arff.options import Options

PRICES = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0)
"""Bits of a literal; 3 is the default of training."""
CHOICES = ("best", "smallest")


@dataclass(frozen=True, slots=True, eq=False)
class Menu:
    """Committees along the price.

    Parameters
    ----------
    prices : tuple of float
        Bits of a literal, increasing.
    evaluations : tuple of Evaluation
        Of each price, all over the same folds.
    """

    prices: tuple[float, ...]
    evaluations: tuple[Evaluation[Any], ...]

    def standard_error(self, k: int) -> float:
        """Return the standard error of an error, in [0, 1]; 0 where it is not known."""
        evaluation = self.evaluations[k]
        n_folds = len({prediction.fold for prediction in evaluation.predictions})
        spread = evaluation.spread
        return 0.0 if math.isnan(spread) else spread / math.sqrt(n_folds)

    @property
    def best(self) -> int:
        """Index of the price of least error; of equal ones the one with the fewest literals."""
        return self._smallest_up_to(min(e.error for e in self.evaluations))

    @property
    def smallest(self) -> int:
        """Index of the price of fewest literals within one standard error of the least error."""
        best = self.best
        return self._smallest_up_to(self.evaluations[best].error + self.standard_error(best))

    def _smallest_up_to(self, error: float) -> int:
        """Return the index of the fewest literals, then of the least error, then the last one."""
        kept = [(e.literals, e.error, -k) for k, e in enumerate(self.evaluations)]
        return -min(key for key in kept if key[1] <= error + TOLERANCE)[2]


def check_prices(prices: Sequence[float]) -> None:
    """Check prices.

    Raises
    ------
    OptionError
        If they are not numbers from 0 on that increase.
    """
    increase = all(a < b for a, b in pairwise(prices))
    if not prices or not increase or not all(0 <= price < math.inf for price in prices):
        found = ", ".join(f"{price:g}" for price in prices) or "none"
        raise OptionError(
            f"expected increasing numbers of bits from 0, got {found}", option="prices"
        )


def menu_of(
    dataset: Dataset,
    options: Options,
    folding: Folding,
    prices: Sequence[float] = PRICES,
    *,
    jobs: int = 1,
    on_fold: Callable[[int, int], None] | None = None,
) -> Menu:
    """Return a menu of sizes; parameters are those of `cross_validate`, and prices in bits.

    Raises
    ------
    DataError, OptionError
        As `cross_validate` does.
    """
    check_prices(prices)
    evaluations = []
    for k, price in enumerate(prices):

        def count(done: int, n: int, before: int = k) -> None:
            if on_fold is not None:
                on_fold(before * n + done, n * len(prices))

        with warnings.catch_warnings():
            if k:
                warnings.simplefilter("ignore", WidcWarning)  # said for the first price
            evaluations.append(
                cross_validate(
                    dataset,
                    replace(options, penalty=price),
                    folding,
                    jobs=jobs,
                    on_fold=count,
                )
            )
    return Menu(tuple(prices), tuple(evaluations))


def nested_errors(
    dataset: Dataset,
    options: Options,
    folding: Folding,
    prices: Sequence[float] = PRICES,
    *,
    jobs: int = 1,
    on_fold: Callable[[int, int], None] | None = None,
) -> dict[str, Evaluation[Any]]:
    """Return the error of choices on rows not used to make them.

    Returns
    -------
    dict of str to Evaluation
        Of ``best`` and ``smallest``, chosen by folds of the training rows alone, and of ``default``
        with the options as they are.
    """
    check_prices(prices)
    tasks = folding.tasks(dataset)
    run = partial(_chosen, (dataset, options, folding, tuple(prices)))
    found: dict[str, list[Prediction]] = {}
    processes = min(number_of_jobs(jobs), len(tasks))
    results = map(run, tasks) if processes == 1 else in_order(run, tasks, processes)
    for done, predictions in enumerate(results, 1):
        for name, prediction in predictions.items():
            found.setdefault(name, []).append(prediction)
        if on_fold is not None:
            on_fold(done, len(tasks))
    kind = EVALUATIONS[dataset.schema.labels.kind]
    how = f"nested {folding.in_words()}"
    return {name: kind.of("", how, dataset, options, held) for name, held in found.items()}


def _chosen(
    shared: tuple[Dataset, Options, Folding, tuple[float, ...]], task: Task
) -> dict[str, Prediction]:
    """Return what each choice predicts of a fold."""
    dataset, options, folding, prices = shared
    training, test = training_and_test(dataset, task.test_rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        menu = menu_of(training, options, replace(folding, repeats=1), prices)
        choices = {"best": menu.prices[menu.best], "smallest": menu.prices[menu.smallest]}
        chosen = {name: replace(options, penalty=price) for name, price in choices.items()}
        return {
            name: predicted(induce(training, of), test, task)
            for name, of in (chosen | {"default": options}).items()
        }
