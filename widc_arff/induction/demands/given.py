"""Rules that a user gives: they stand in the committee, learned ones come around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from warnings import warn

import numpy as np

from widc_arff.errors import OptionError, WidcWarning
from widc_arff.induction.demands.directions import demand_of
from widc_arff.induction.demands.voting import contradictory, meets
from widc_arff.induction.sample.learning_sample import class_weights
from widc_arff.model.literals import Monomial, satisfied
from widc_arff.model.resolving import resolved, votes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Integers
    from widc_arff.data.dataset import Schema
    from widc_arff.induction.demands.voting import Voting
    from widc_arff.induction.sample.coding import Catalogue
    from widc_arff.induction.sample.learning_sample import LearningSample
    from widc_arff.options import Options


@dataclass(frozen=True, slots=True, eq=False)
class GivenRules:
    """Rules that stay as they are.

    Parameters
    ----------
    monomials : tuple of Monomial
        Their conditions; these need not be in the catalogue.
    covers : ndarray of bool of shape (n_rules, n_samples)
        The training examples that satisfy them.
    vectors : ndarray of int64 of shape (n_rules, n_classes)
        Their votes.
    """

    monomials: tuple[Monomial, ...]
    covers: Bools
    vectors: Integers

    @property
    def n_literals(self) -> int:
        """Literals in all."""
        return sum(map(len, self.monomials))

    @property
    def votes(self) -> NDArray[np.int16]:
        """Their summed votes for the training examples, shape (n_classes, n_samples)."""
        return np.asarray(self.vectors.T @ self.covers.astype(np.int64)).astype(np.int16)

    @property
    def blocks(self) -> Integers:
        """The partition of the training examples by the rules, shape (n_samples,)."""
        _, blocks = np.unique(self.covers, axis=1, return_inverse=True)
        return np.asarray(blocks, np.int64).reshape(-1)

    def known(self, catalogue: Catalogue) -> frozenset[frozenset[int]]:
        """Return those monomials that could also be learned, as literals of a catalogue."""
        number = {catalogue.literal(i): i for i in range(len(catalogue))}
        return frozenset(
            frozenset(number[literal] for literal in monomial)
            for monomial in self.monomials
            if all(literal in number for literal in monomial)
        )


def warn_of_idle_rules(options: Options, sample: LearningSample, schema: Schema) -> None:
    """Warn of given rules that hold for no training example."""
    for rule, monomial in zip(options.rules, resolved(options.rules, schema), strict=True):
        if not satisfied(monomial, sample.columns).any():
            warn(f"{rule.place}: no training example satisfies {rule}", WidcWarning, stacklevel=4)


def given_rules(
    options: Options, sample: LearningSample, schema: Schema, voting: Voting
) -> GivenRules:
    """Return the rules that a user gives, with votes that are learned where none are told.

    Raises
    ------
    OptionError
        As `resolved` does, and if a rule speaks against the direction of an attribute.
    """
    monomials = resolved(options.rules, schema)
    present = sample.class_weights > 0
    shape = (len(monomials), len(sample.weights))
    covers = np.array([satisfied(m, sample.columns) for m in monomials], np.bool_).reshape(shape)
    vectors = np.zeros((len(monomials), schema.n_classes), np.int64)
    for k, (rule, cover) in enumerate(zip(options.rules, covers, strict=True)):
        demand = demand_of(options.monotone, schema, present, monomials[k])
        demanded = np.array([demand])
        told = votes_of(rule, schema)
        if told is not None:
            vectors[k] = told
        elif cover.any():
            weights = class_weights(sample.Y[cover], sample.weights[cover])
            vectors[k] = voting.best_of_present(weights[None], present, demanded)[0]
        keeps = meets(vectors[k][present][None], demand)[0]
        if not keeps or contradictory(demanded, int(present.sum()))[0]:
            raise OptionError(
                f"{rule.place}: expected a rule that keeps to {', '.join(options.monotone)}, "
                f"got {rule}"
            )
    return GivenRules(tuple(monomials), covers, vectors)
