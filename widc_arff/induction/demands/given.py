"""Rules that a user gives: they stand in the committee, learned ones come around them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from warnings import warn

import numpy as np

from widc_arff.arff.date_texts import moment_of
from widc_arff.data.dataset import Positions
from widc_arff.errors import OptionError, WidcError, WidcWarning, did_you_mean, listed
from widc_arff.induction.demands.directions import demand_of
from widc_arff.induction.demands.voting import contradictory, meets
from widc_arff.induction.sample.learning_sample import class_weights
from widc_arff.model.literals import Literal, Monomial, satisfied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute
    from widc_arff.arrays import Bools, Integers
    from widc_arff.data.dataset import Schema
    from widc_arff.induction.demands.voting import Voting
    from widc_arff.induction.sample.coding import Catalogue
    from widc_arff.induction.sample.learning_sample import LearningSample
    from widc_arff.model.expert_rules import ExpertRule
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


def resolved(rules: Sequence[ExpertRule], schema: Schema) -> list[Monomial]:
    """Return the conditions of rules in the attributes of a schema.

    Raises
    ------
    OptionError
        If an attribute, operator, value or label does not fit, with file and line.
    """
    monomials = []
    positions = Positions(schema.attributes)
    for rule in rules:
        try:
            monomials.append(
                tuple(_literal(condition, schema, positions) for condition in rule.conditions)
            )
            _votes(rule, schema)
        except WidcError as error:
            raise OptionError(f"{rule.place}: {error}") from error
    return monomials


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
        told = _votes(rule, schema)
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


def _literal(
    condition: tuple[str, str, str | float], schema: Schema, positions: Positions
) -> Literal:
    name, operator, value = condition
    index = positions.attribute.get(name)
    if index is None:
        raise OptionError(
            f"expected an attribute of the data, got {name!r}"
            + did_you_mean(name, positions.attribute)
        )
    attribute = schema.attributes[index]
    nominal = attribute.type == "nominal"
    allowed = ("=", "!=") if nominal else ("<=", ">")
    if operator not in allowed:
        raise OptionError(
            f"expected {' or '.join(allowed)} for the {attribute.type} attribute {name!r}, got "
            f"{operator}"
        )
    if not nominal:
        return Literal(index, operator, _number(attribute, value))
    code = positions.code(index, value)
    if code is None:
        raise OptionError(
            f"expected a value of {name!r}, got {value!r}"
            + did_you_mean(str(value), attribute.values)
        )
    return Literal(index, operator, code)


def _number(attribute: Attribute, value: str | float) -> float:
    """Return a cut point: a number, or of a date attribute a date in its format."""
    number, is_date = np.nan, attribute.type == "date" and isinstance(value, str)
    with suppress(ValueError):
        number = moment_of(str(value), attribute.format) if is_date else float(value)
    if not np.isfinite(number):
        expected = f"a number for the {attribute.type} attribute {attribute.name!r}"
        if is_date:
            expected = f"a date of {attribute.name!r}"
        raise OptionError(f"expected {expected}, got {value!r}")
    return float(number)


def _votes(rule: ExpertRule, schema: Schema) -> list[int] | None:
    """Return the votes that a rule tells, in the order of the labels; None for none."""
    labels = schema.labels.values
    if rule.votes is None:
        return None
    votes = [0] * len(labels)
    plain = [vote for vote in rule.votes if isinstance(vote, int)]
    if len(plain) == len(rule.votes):
        if len(plain) != len(labels):
            raise OptionError(
                f"expected {len(labels)} votes, one for each label ({listed(labels)}), got "
                f"{len(plain)}"
            )
        return plain
    codes = {label: code for code, label in enumerate(labels)}
    for label, vote in (pair for pair in rule.votes if not isinstance(pair, int)):
        code = codes.get(label)
        votes[schema.labels.index(label) if code is None else code] = vote
    return votes
