"""Rules that a user gives: they stand in the committee, learned ones come around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from warnings import warn

import numpy as np

from widc_arff.errors import OptionError, WidcWarning
from widc_arff.induction.constraints.directions import demand_of
from widc_arff.induction.constraints.vector_search import contradictory, meets
from widc_arff.induction.vectors.label_sets import majority_vectors, vectors_of_covers
from widc_arff.model.literals import Monomial, satisfied
from widc_arff.model.resolving import resolved, votes_of
from widc_arff.options import LabelSetOptions, aims_at_sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.schema import Schema
    from widc_arff.induction.constraints.vector_search import VectorSearch
    from widc_arff.induction.sample.coding import Catalogue
    from widc_arff.options import Options


@dataclass(frozen=True, slots=True, eq=False)
class GivenRules:
    """Rules that stay as they are.

    Parameters
    ----------
    monomials : tuple of Monomial
        Their conditions; these need not be in the catalogue.
    vectors : ndarray of int64 of shape (n_rules, n_classes)
        Their votes.
    """

    monomials: tuple[Monomial, ...]
    vectors: Integers

    @property
    def n_literals(self) -> int:
        """Literals in all."""
        return sum(map(len, self.monomials))

    def known(self, catalogue: Catalogue) -> frozenset[frozenset[int]]:
        """Return those monomials that could also be learned, as literals of a catalogue."""
        number = {catalogue.literal(i): i for i in range(len(catalogue))}
        return frozenset(
            frozenset(number[literal] for literal in monomial)
            for monomial in self.monomials
            if all(literal in number for literal in monomial)
        )


def given_covers(
    options: Options, columns: Sequence[NDArray[np.generic]], n_samples: int, schema: Schema
) -> Bools:
    """Return which examples satisfy each rule that a user gives, shape (n_given, n_samples).

    Raises
    ------
    OptionError
        As `resolved` does.
    """
    covers = [satisfied(monomial, columns) for monomial in resolved(options.rules, schema)]
    return np.array(covers, np.bool_).reshape(len(covers), n_samples)


def warn_of_idle_rules(options: Options, covered: Floats | Bools) -> None:
    """Warn of given rules that hold for no training example: that cover nothing."""
    for rule, of_rule in zip(options.rules, covered, strict=True):
        if not of_rule.any():
            warn(f"{rule.place}: no training row satisfies {rule}", WidcWarning, stacklevel=4)


def given_rules(
    options: Options, weights: Floats, present: Bools, schema: Schema, vector_search: VectorSearch
) -> GivenRules:
    """Return the rules that a user gives, with votes that are learned where none are told.

    Parameters
    ----------
    options : Options
        With the rules.
    weights : ndarray of float64 of shape (n_given, n_declared)
        Of the classes of the training examples that satisfy each of them.
    present : ndarray of bool of shape (n_declared,)
        Classes that occur.
    schema : Schema
        What the rules are about.
    vector_search : VectorSearch
        How vectors are found.

    Raises
    ------
    OptionError
        As `resolved` does, and if a rule speaks against the direction of an attribute.
    """
    monomials = resolved(options.rules, schema)
    vectors = np.zeros((len(monomials), schema.n_classes), np.int64)
    for k, (rule, of_rule) in enumerate(zip(options.rules, weights, strict=True)):
        demand = demand_of(options.monotone, schema, present, monomials[k])
        demanded = np.array([demand])
        votes = votes_of(rule, schema)
        if votes is not None:
            vectors[k] = votes
        elif of_rule.any():
            vectors[k] = vector_search.best_of_present(of_rule[None], present, demanded)[0]
        keeps = meets(vectors[k][present][None], demand)[0]
        if not keeps or contradictory(demanded, int(present.sum()))[0]:
            raise OptionError(
                f"expected a rule that agrees with monotone {', '.join(options.monotone)}, "
                f"got {rule}",
                place=rule.place,
            )
    return GivenRules(tuple(monomials), vectors)


def given_rules_of_sets(
    options: Options, covers: Bools, Y: Bools, weights: Floats, schema: Schema
) -> GivenRules:
    """Return the same for label sets.

    Parameters
    ----------
    options : Options
        With the rules, and what the committee aims at.
    covers : ndarray of bool of shape (n_given, n_samples)
        Which training examples satisfy each of them.
    Y, weights : ndarray
        Label matrix and weights of the examples.
    schema : Schema
        What the rules are about.

    Raises
    ------
    OptionError
        As `resolved` does.
    """
    monomials = resolved(options.rules, schema)
    given = [votes_of(rule, schema) for rule in options.rules]
    learned = [k for k, votes in enumerate(given) if votes is None]
    vectors = np.array([votes or (0,) * schema.n_classes for votes in given], np.int64)
    vectors = vectors.reshape(len(given), schema.n_classes)
    if learned and aims_at_sets(options):
        vectors[learned] = majority_vectors(covers[learned], Y, weights)
    elif learned:
        exact = not isinstance(options, LabelSetOptions) or options.vectors == "exact"
        vectors[learned] = vectors_of_covers(covers[learned], Y, weights, exact=exact)
    return GivenRules(tuple(monomials), vectors)
