"""What the search makes small: the bits that tell the labels, and the committee, to a reader.

    J = m H(E/m) + E log2(c - 1) + X log2(c - 1) + sum over literals of their prices + p C

The first two terms tell which examples the committee gets wrong and which class each of these has;
the others charge all that a reader must read.  Where an example can have several labels, L is the
ranking loss of the m examples that have some but not all, and the first two terms are
m log2(c) H(L): one label of each example would cost log2(c) to name.

*Exceptions* X are the votes that differ from their rule's base, the most frequent vote of its
vector (of equally frequent ones 0, then -1): adding a constant to a vector changes no decision, so
that a rule says no more than its exceptions.  A vote names a class, as the correction of an error
does, and costs as much unless another price is wanted: nothing with two classes, where every rule
has one exception.

A reader checks a rule alone, by the examples that it covers.  C counts, for each rule, those that
*contradict* it: they have none of the classes that it is for, by a vote above the base, or, where
there is no such class, one that it is against.  Each costs p bits, the penalty of impurity: none
unless one is wanted, nor for label sets, where an example of one label is not one against others.

A literal is named by its attribute and by its value or cut point.  It costs `penalty` bits where
both are one of few, as in the usual small table, and more in proportion to the bits of that choice;
a set, which is chosen by the labels' classes, all bits that naming its labels costs beyond; less
where examples are so few that the number of a literal is worth less (`ENOUGH_EXAMPLES`).

Where a committee aims at sets, E is the weight of the wrong labels among the m c that c labels of m
examples are, a literal costs more (`ENOUGH_FOR_SETS`), and the vote for the line counts like those
for labels: L = E / (m c), and the first two terms are m c H(L).
A vote names a label and says whether it is for or against it, which is a bit more; less of one
where examples are few.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.losses.set_error import SetError
from widc_arff.induction.sample.kept import KEPT_BYTES, Kept
from widc_arff.induction.search.budget import (
    ENOUGH_EXAMPLES,
    ENOUGH_FOR_SETS,
    USUAL_CHOICE,
    USUAL_PENALTY,
)
from widc_arff.model.decision import bases_of, n_exceptions

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.losses import Loss
    from widc_arff.induction.sample.coding import Catalogue
    from widc_arff.induction.search.rows import Rows
    from widc_arff.options import Options


MOST_WHOLE = 1 << 16
"""Up to so many errors, where they are whole numbers, the bits of each are looked up."""


class Objective:
    """J of committees on some rows.

    Parameters
    ----------
    loss : Loss
        What is wrong with decisions.
    example_weight : float
        Weight of one quantum in examples.
    prices : ndarray of float64 of shape (n_literals,)
        Bits of each literal.
    of_exception : float
        Bits of an exception.
    impurity_penalty : float
        Bits of an example that contradicts a rule.
    """

    def __init__(
        self,
        loss: Loss,
        example_weight: float,
        prices: Floats,
        of_exception: float,
        impurity_penalty: float = 0.0,
    ) -> None:
        self._loss, self._example_weight = loss, example_weight
        self.prices, self.of_exception = prices, of_exception
        self.of_contradiction = impurity_penalty * example_weight
        """Bits of a quantum that contradicts a rule."""
        self._of_literal: list[float] = prices.tolist()
        self.of_least_literal = float(prices.min(initial=np.inf))
        self._of_vector: Kept[bytes, float] = Kept(KEPT_BYTES // 4)
        self.nats_of_bit = np.log(2.0) / example_weight
        """What a bit is in a log loss that is summed over quanta."""
        self._of_whole: Floats | None = None
        if loss.is_whole and loss.total <= MOST_WHOLE:
            self._of_whole = self._of_errors(np.arange(loss.total + 1))

    @classmethod
    def of(cls, rows: Rows, options: Options, share_of_examples: float = 1.0) -> Objective:
        """Return J on some rows with the prices that options name.

        `share_of_examples` is how many examples stand behind their weights, as a share of these.
        """
        example_weight = share_of_examples * rows.example_weight
        n_examples, enough = rows.loss.total * example_weight, ENOUGH_EXAMPLES
        of_sign = 0.0
        if isinstance(rows.loss, SetError):  # each example is a decision for each label
            n_examples, enough = n_examples / len(rows.loss.Y), ENOUGH_FOR_SETS
            of_sign = share_of_penalty(n_examples)
        penalty = options.penalty * share_of_penalty(n_examples, enough)
        prices = literal_prices(rows.catalogue, penalty)
        of_exception = exception_price(rows.n_classes, options, of_sign)
        impurity_penalty = options.impurity_penalty
        return cls(rows.loss, example_weight, prices, of_exception, impurity_penalty)

    def of_errors(self, errors: Floats) -> Floats:
        """Return the bits that tell errors, from their weights in quanta.

        Beyond E = m/2 the first term is m + (E - m/2), so that more errors always cost more.
        Estimates from a part of the rows can be beyond what is possible: where bits are looked up,
        they are taken for none or for all.
        """
        if self._of_whole is None:
            return self._of_errors(errors)
        return self._of_whole.take(errors.astype(np.intp), mode="clip")

    def error_bits(self, errors: float) -> float:
        """Return the same of one weight."""
        return float(self.of_errors(np.array(errors)))

    def _of_errors(self, errors: Floats) -> Floats:
        loss = self._loss
        m, wrong = loss.total * self._example_weight, errors * self._example_weight
        share = np.clip(errors / loss.total, 1e-300, 0.5)
        bits = -m * (share * np.log2(share) + (1 - share) * np.log2(1 - share))
        bits += np.maximum(wrong - m / 2, 0.0)
        return np.asarray(loss.bits_of_example * bits + loss.bits_of_correction * wrong)

    def literal_bits(self, monomial: tuple[int, ...]) -> float:
        """Return the price of the literals of a rule."""
        return sum(self._of_literal[literal] for literal in monomial)

    def without_each(self, monomial: tuple[int, ...]) -> Floats:
        """Return the price of the literals of a rule without each, shape (n_monomial_literals,)."""
        return np.asarray(self.literal_bits(monomial) - self.prices[list(monomial)])

    def vote_bits(self, vector: Integers) -> float:
        """Return the price of the votes of a rule."""
        if self.of_exception == 0:
            return 0.0
        key = vector.tobytes()
        found = self._of_vector.get(key)
        if found is None:
            found = self._of_vector.keep(key, float(self.of_vectors(vector[None])[0]))
        return found

    def of_vectors(self, vectors: Integers) -> Floats:
        """Return the prices of the votes of rules, vectors of shape (n, n_classes)."""
        if self.of_exception == 0:
            return np.zeros(len(vectors))
        return np.asarray(self.of_exception * n_exceptions(vectors))

    def of_rule(self, monomial: tuple[int, ...], vector: Integers) -> float:
        """Return the price of the literals and votes of a rule."""
        return self.literal_bits(monomial) + self.vote_bits(vector)

    def cover_bits_of_each(self, vectors: Integers, class_weights: Floats) -> Floats:
        """Return the bits of what contradicts vectors in covers.

        Parameters
        ----------
        vectors : ndarray of int64 of shape (n_vectors, n_classes)
        class_weights : ndarray of float64 of shape (n_classes, n_covers)
            Weight of the examples of each class in each cover, in quanta.

        Returns
        -------
        ndarray of float64 of shape (n_vectors, n_covers)
        """
        wrong = contradicted(vectors).astype(np.float64)
        return np.asarray(self.of_contradiction * (wrong @ class_weights))

    def cover_bits(self, vector: Integers, class_weights: Floats) -> float:
        """Return the price, in bits, of what contradicts a vector in a cover of given weights."""
        return float(self.cover_bits_of_each(vector[None], class_weights[:, None])[0, 0])


def contradicted(vectors: Integers) -> Bools:
    """Return which classes contradict vectors, both of shape (n_vectors, n_classes)."""
    base = bases_of(vectors)[:, None]
    is_for = vectors > base
    return np.asarray(np.where(is_for.any(axis=1, keepdims=True), ~is_for, vectors < base))


def exception_price(n_classes: int, options: Options, of_sign: float = 0.0) -> float:
    """Return the price of an exception in bits, `of_sign` of them for what it says of a label."""
    if n_classes <= 2 or options.votes == "free":
        return 0.0
    if options.vote_penalty is not None:
        return options.vote_penalty
    return float(np.log2(n_classes - 1)) + of_sign


def share_of_penalty(n_examples: float, enough: int = ENOUGH_EXAMPLES) -> float:
    """Return the share of the penalty that a literal costs where so many examples are told."""
    bits = np.log2(np.clip(n_examples, 1.0, enough))
    return float(bits / np.log2(ENOUGH_EXAMPLES))


def literal_prices(catalogue: Catalogue, penalty: float) -> Floats:
    """Return the price of each literal in bits, shape (n_literals,)."""
    plain = catalogue.operator % 2 == 0  # = and <=
    choices = np.bincount(catalogue.column[plain], minlength=len(catalogue.views)).tolist()
    used = {view.attribute for view, n in zip(catalogue.views, choices, strict=True) if n}
    bits = [view.bits(n) for view, n in zip(catalogue.views, choices, strict=True)]
    starts = np.cumsum([0, *map(len, bits)])[catalogue.column]
    of_value = np.concatenate([*bits, np.zeros(0)])[starts + catalogue.code]
    named = np.log2(max(1, len(used))) + of_value
    are_sets = np.array([view.is_of_sets for view in catalogue.views], np.bool_)[catalogue.column]
    more = np.where(are_sets, 1 + (named - USUAL_CHOICE) / USUAL_PENALTY, named / USUAL_CHOICE)
    return np.asarray(penalty * np.maximum(1.0, more))
