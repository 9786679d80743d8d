"""Options of the induction, validated in one place."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeGuard

from widc_arff.errors import ArffError, OptionError, did_you_mean, first_repeated
from widc_arff.model.costs import CostMatrix, all_equal, check_costs
from widc_arff.model.expert_rules import parse_rules
from widc_arff.model.label_threshold import SETS
from widc_arff.system.files import parsed_json
from widc_arff.tolerance import LARGEST_WEIGHT, LEAST_WEIGHT, is_weight

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.expert_rules import ExpertRule

PRUNINGS = ("pessimistic", "optimistic", "none", "refined")
LABEL_SET_PRUNINGS = ("pessimistic", "none", "refined")
ONE_CLASS_ONLY = ("impurity_penalty", "class_weight", "costs", "monotone", "rules")
VECTORS = ("exact", "approximate")
AIMS = ("sets", "ranking")
OF_LABEL_SETS = {"vectors": VECTORS, "aim": AIMS, "sets": SETS}
"""Options of label sets alone, and what they can be."""
VOTES = ("sparse", "one", "free")
LITERALS = ("sets", "order", "known")
_METHODS_SPELT = ("mdl+", "mdl", "all", "quantile:32", "width:32")
CUT_POINT_METHODS = ("mdl+", "mdl", "all", "quantile:K", "width:K")

ClassWeights = tuple[tuple[str, float], ...]
CutPointTable = tuple[tuple[str, tuple[float, ...]], ...]


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of the learner.

    Parameters
    ----------
    pruning : {"pessimistic", "optimistic", "none", "refined"}
        How the committee is kept small.  Refined searches for the committee with the shortest total
        description; the others are those of the paper (sections 5.3.1 and 5.3.2).
    cut_points : str or table
        Cut points of numeric attributes: ``mdl+``, ``mdl``, ``all``, ``quantile:K``,
        ``width:K``, or a table of (attribute name, increasing cut points) pairs.
    max_rules, max_size : int or None
        Maximum number of rules, and of conditions in total, of the final committee.
    max_literals : int or None
        Maximum number of conditions of each rule while it grows.
    delta : float
        Confidence parameter of optimistic pruning (eq. 8), in (0, 1).
    penalty : float
        Price of a condition in refined pruning, in bits, at least 0.
    votes : {"sparse", "one", "free"}
        How refined pruning prices votes with three or more classes.  A rule singles out a class if
        its vote on it differs from the rule's most common vote.  Sparse: each such vote costs
        `vote_penalty` bits; one: the same, and each learned rule singles out exactly one class;
        free: no charge.  In all cases the votes of learned rules agree with the rows they cover
        (`widc_arff.induction.demands.evidence`).
    vote_penalty : float or None
        Price in bits, at least 0, of each class a rule singles out; None for log2(c - 1) with c
        classes.  Must be None if votes are free.
    impurity_penalty : float
        Penalty in bits, at least 0, that refined pruning charges for each training row a rule
        covers but gets wrong: the row has none of the classes that the rule is for or, if there are
        none, a class that the rule is against.
    min_coverage : float, str or None
        Minimum weight of the training rows that each rule covers; a text such as ``"5%"`` is a
        share of the total weight.
    negation : bool
        Whether rules may test nominal attributes with ``!=``.
    literals : tuple of {"sets", "order", "known"} or None
        Conditions allowed in addition to the paper's: sets of values of a nominal attribute; ranges
        of ordered values; whether a value is known or missing.  None means all with refined pruning
        and none with the other prunings.
    ordered : tuple of str
        Attributes with ordered values: ``NAME`` for the declared order, ``NAME=a<b<c`` for another,
        ``NAME=`` for none.  Values that are all numbers or ranges are ordered by default.
    class_weight : table, "balanced" or None
        (label, factor) pairs: factors, not 0, for the weights of the rows of a class; 1 for classes
        that are not named.  Balanced: all classes get the same total weight.
    costs : tuple of tuple of float, or None
        Cost matrix: rows are true classes, columns are decisions, in the declared order of the
        labels; 0 on the diagonal.
    monotone : tuple of str
        Directions of attributes.  ``NAME=+LABEL``: raising the attribute can never lower the score
        of the label; ``NAME=-LABEL``: it can never raise it.
    rules : tuple of ExpertRule
        Rules to keep as they are; `max_rules` and `max_size` count them.

    Raises
    ------
    OptionError
        If a value is outside its allowed set.

    Examples
    --------
    >>> Options(max_rules=3, penalty=5.0).pruning
    'refined'
    >>> Options(votes="many")
    Traceback (most recent call last):
    widc_arff.errors.OptionError: votes: expected one of sparse, one, free, got 'many'
    """

    pruning: str = "refined"
    cut_points: str | CutPointTable = "mdl+"
    max_rules: int | None = None
    max_literals: int | None = None
    max_size: int | None = None
    delta: float = 0.05
    penalty: float = 3.0
    votes: str = "sparse"
    vote_penalty: float | None = None
    impurity_penalty: float = 0.0
    min_coverage: float | str | None = None
    negation: bool = True
    literals: tuple[str, ...] | None = None
    ordered: tuple[str, ...] = ()
    class_weight: ClassWeights | str | None = None
    costs: CostMatrix | None = None
    monotone: tuple[str, ...] = ()
    rules: tuple[ExpertRule, ...] = ()

    def __post_init__(self) -> None:
        for name, allowed in (("pruning", PRUNINGS), ("votes", VOTES)):
            value = getattr(self, name)
            if value not in allowed:
                raise OptionError(
                    f"expected one of {', '.join(allowed)}, got {value!r}"
                    + did_you_mean(str(value), allowed),
                    option=name,
                )
        if isinstance(self.cut_points, str):
            parse_cut_point_method(self.cut_points)
        else:
            _check_table(self.cut_points)
        for name, least in (("max_rules", 0), ("max_literals", 1), ("max_size", 0)):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise OptionError(
                    f"expected a whole number from {least}, got {value!r}", option=name
                )
        if not (isinstance(self.delta, float) and 0 < self.delta < 1):
            raise OptionError(
                f"expected a number between 0 and 1, got {self.delta!r}", option="delta"
            )
        for name in self.literals or ():
            if name not in LITERALS:
                raise OptionError(
                    f"expected {', '.join(LITERALS)} or plain, got {name!r}"
                    + did_you_mean(name, LITERALS),
                    option="literals",
                )
        self._check_prices()
        self._check_demands()

    def _check_prices(self) -> None:
        prices = {"penalty": self.penalty, "impurity_penalty": self.impurity_penalty}
        if self.vote_penalty is not None:
            prices["vote_penalty"] = self.vote_penalty
        for name, bits in prices.items():
            if not (isinstance(bits, float) and 0 <= bits <= LARGEST_WEIGHT):
                raise OptionError(
                    f"expected a number of bits from 0 to {LARGEST_WEIGHT}, got {bits!r}",
                    option=name,
                )
        if self.vote_penalty is not None and self.votes == "free":
            raise OptionError(
                "expected votes sparse or one with it, got free", option="vote_penalty"
            )

    def _check_demands(self) -> None:
        if self.min_coverage is not None:
            least_weight(self.min_coverage, 1.0)
        if not isinstance(self.negation, bool):
            raise OptionError(f"expected True or False, got {self.negation!r}", option="negation")
        if self.class_weight is not None:
            _check_class_weights(self.class_weight)
        if self.costs is not None:
            check_costs(self.costs)
        n_literals = sum(len(rule.conditions) for rule in self.rules)
        for name, most, given in (
            ("max_rules", self.max_rules, len(self.rules)),
            ("max_size", self.max_size, n_literals),
        ):
            if most is not None and given > most:
                raise OptionError(
                    f"expected at least {given}, which the given rules have, got {most}",
                    option=name,
                )
        parsed = set(map(parse_direction, self.monotone))
        for name, sign, label in parsed:
            if (name, "-" if sign == "+" else "+", label) in parsed:
                raise OptionError(
                    f"expected one direction of {name!r} for {label!r}, got both", option="monotone"
                )

    @property
    def literals_beyond(self) -> tuple[str, ...]:
        """Conditions that rules may have in addition to the paper's."""
        if self.literals is None:
            return LITERALS if self.pruning == "refined" else ()
        return self.literals

    @property
    def weights_stay(self) -> bool:
        """Whether all examples count as the data say, whatever their class."""
        return self.class_weight is None and self.costs is None

    def to_dict(self) -> dict[str, object]:
        """Return the options as plain data, those at None left out."""
        table = self.cut_points
        cut_points = table if isinstance(table, str) else {name: list(cuts) for name, cuts in table}
        fields: dict[str, object] = {
            "pruning": self.pruning,
            "cut_points": cut_points,
            "max_rules": self.max_rules,
            "max_literals": self.max_literals,
            "max_size": self.max_size,
            "min_coverage": self.min_coverage,
            "negation": None if self.negation else False,
            "literals": None if self.literals is None else list(self.literals),
            "ordered": list(self.ordered) or None,
            "class_weight": self._class_weight_as_data(),
            # where all errors cost the same, costs change nothing
            "costs": self._costs_as_data(),
            "monotone": list(self.monotone) or None,
            "rules": list(map(str, self.rules)) or None,
        }
        if self.pruning == "optimistic":
            fields["delta"] = self.delta
        if self.pruning == "refined":
            fields["penalty"] = self.penalty
            fields["votes"] = None if self.votes == "sparse" else self.votes
            fields["vote_penalty"] = self.vote_penalty
            fields["impurity_penalty"] = self.impurity_penalty or None
        return {name: value for name, value in fields.items() if value is not None}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the options of a model file, which `to_dict` gave; others are passed over."""
        values = {field.name: data[field.name] for field in fields(cls) if field.name in data}
        for name, read in _FROM_DATA.items():
            if name in values:
                values[name] = read(values[name])
        return cls(**values)

    def _class_weight_as_data(self) -> str | dict[str, float] | None:
        if self.class_weight is None or isinstance(self.class_weight, str):
            return self.class_weight
        return {label: weight for label, weight in self.class_weight if weight != 1} or None

    def _costs_as_data(self) -> list[list[float]] | None:
        if self.costs is None or all_equal(self.costs):
            return None
        return [list(row) for row in self.costs]


@dataclass(frozen=True, slots=True)
class LabelSetOptions(Options):
    """Settings of the learner for label sets, where an example can have any number of labels.

    Parameters
    ----------
    pruning : {"pessimistic", "none", "refined"}
        Stage 3, on the ranking loss; optimistic pruning is for single classes.
    impurity_penalty : float
        0: an example of one label is not one against the others.
    vectors : {"exact", "approximate"}
        Stage 2 by the optimum of eq. (3), which needs scipy, or by the paper's approximation.
        Refined pruning finds the votes in its search.
    aim : {"sets", "ranking"}
        What refined pruning minimises: wrong labels, or pairs of labels in the wrong order. The
        paper's prunings aim at the ranking.
    sets : {"hamming", "f1", "cardinality"}
        Which labels a row gets: those with a probability of at least 0.5, which gives the fewest
        wrong labels; less probable ones too, to maximise the expected micro F1; as many as training
        rows have on average.

    Raises
    ------
    OptionError
        If a value is outside its allowed set.

    Examples
    --------
    >>> LabelSetOptions(pruning="pessimistic", vectors="approximate").vectors
    'approximate'
    """

    vectors: str = "exact"
    aim: str = "sets"
    sets: str = "hamming"

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        for name in ONE_CLASS_ONLY:
            if getattr(self, name):
                raise OptionError(
                    "expected one class an example with it, got label sets", option=name
                )
        for name, allowed in {"pruning": LABEL_SET_PRUNINGS, **OF_LABEL_SETS}.items():
            value = getattr(self, name)
            if value not in allowed:
                raise OptionError(
                    f"expected one of {', '.join(allowed)} for label sets, got {value!r}"
                    + did_you_mean(str(value), allowed),
                    option=name,
                )

    @classmethod
    def of(cls, options: Options, **of_sets: str) -> LabelSetOptions:
        """Return the settings for label sets of given options.

        Raises
        ------
        OptionError
            If the pruning is optimistic.
        """
        if isinstance(options, LabelSetOptions):
            return options
        values = {field.name: getattr(options, field.name) for field in fields(options)}
        return cls(**{**values, **of_sets})

    def to_dict(self) -> dict[str, object]:
        """Return the options as plain data, those at None left out."""
        own = {"aim": self.aim} if self.pruning == "refined" else {"vectors": self.vectors}
        if self.sets != SETS[0]:
            own["sets"] = self.sets
        return {**Options.to_dict(self), **own}


def aims_at_sets(options: Options) -> bool:
    """Tell whether a committee for label sets makes few wrong labels, and not a good ranking."""
    is_refined = options.pruning == "refined"
    return is_refined and isinstance(options, LabelSetOptions) and options.aim == "sets"


_FROM_DATA: Mapping[str, Callable[[Any], Any]] = {
    "cut_points": lambda cuts: cuts if isinstance(cuts, str) else cut_point_table(cuts),
    "class_weight": lambda weights: weights if isinstance(weights, str) else (*weights.items(),),
    "costs": lambda costs: tuple(tuple(map(float, row)) for row in costs),
    "monotone": tuple,
    "literals": tuple,
    "ordered": tuple,
    "rules": lambda rules: parse_rules(rules, "rules"),
}
"""What makes options of their plain data."""


def options_of(committee: DecisionCommittee) -> Options:
    """Return the options with which a committee was learned."""
    kind = LabelSetOptions if committee.schema.labels.are_sets else Options
    # the first models with refined pruning named no aim
    return kind.from_dict({"aim": "ranking", **committee.training.options})


def least_weight(min_coverage: float | str, total: float) -> float:
    """Return the weight that a rule covers at least.

    Parameters
    ----------
    min_coverage : float or str
        A weight from 1, or a share of `total` as a text such as ``"5%"``.
    total : float
        Weight of all training examples.

    Raises
    ------
    OptionError
        If it is neither.
    """
    if isinstance(min_coverage, str):
        match = re.fullmatch(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*%", min_coverage.strip())
        if match is not None and 0 < float(match[1]) <= 100:
            return float(match[1]) / 100 * total
    elif not isinstance(min_coverage, bool) and 1 <= min_coverage < math.inf:
        return float(min_coverage)
    raise OptionError(
        f"expected a weight from 1 or a share such as 5%, up to 100%, got {min_coverage!r}",
        option="min_coverage",
    )


def parse_literals(text: str) -> tuple[str, ...]:
    """Return the literals of a list such as ``sets,known``; of ``plain`` none."""
    return () if text == "plain" else tuple(name.strip() for name in text.split(","))


def parse_direction(text: str) -> tuple[str, str, str]:
    """Return name, sign and label of a direction such as ``age=+sick``."""
    match = re.fullmatch(r"(.+?)=([+-])(.+)", text, re.DOTALL) if isinstance(text, str) else None
    if match is None:
        raise OptionError(f"expected NAME=+LABEL or NAME=-LABEL, got {text!r}", option="monotone")
    return match[1], match[2], match[3]


def parse_cut_point_method(text: str) -> tuple[str, int]:
    """Return name and K of a cut point method; K is 0 where the method takes none."""
    if text in ("mdl+", "mdl", "all"):
        return text, 0
    match = re.fullmatch(r"(quantile|width):([0-9]{1,5})", text)
    if match is None or not 2 <= int(match[2]) <= 65535:
        raise OptionError(
            f"expected one of {', '.join(CUT_POINT_METHODS)} (K from 2 to 65535), "
            f"got {text!r}" + ("" if match else did_you_mean(text, _METHODS_SPELT)),
            option="cut_points",
        )
    return match[1], int(match[2])


def cut_point_table(cuts: Mapping[str, list[float]]) -> CutPointTable:
    """Return a table of cut points, attribute by attribute, from a mapping."""
    try:
        return tuple((name, tuple(float(cut) for cut in values)) for name, values in cuts.items())
    except OverflowError as error:
        raise OptionError(
            "expected finite numbers, got one beyond them", option="cut_points"
        ) from error


def cut_points_of_text(text: str, source: str) -> CutPointTable:
    """Return the table of cut points in the text of a JSON file.

    Raises
    ------
    ArffError
        If it is no JSON.
    OptionError
        If it is no object of lists of increasing, finite numbers.
    """
    try:
        table = parsed_json(text)
    except ValueError as error:
        raise ArffError(f"expected cut points as JSON, got: {error}", source) from error
    if not is_cut_point_mapping(table):
        raise OptionError("expected an object {attribute: [cut, ...]} of numbers", place=source)
    try:
        cuts = cut_point_table(table)
        _check_table(cuts)
    except OptionError as error:
        error.at(source)
        raise
    return cuts


def is_cut_point_mapping(data: object) -> TypeGuard[dict[str, list[float]]]:
    """Tell whether plain data are lists of numbers by name."""
    return isinstance(data, dict) and all(
        isinstance(cuts, list) and all(type(cut) in (int, float) for cut in cuts)
        for cuts in data.values()
    )


def _check_class_weights(weights: ClassWeights | str) -> None:
    if isinstance(weights, str):
        if weights != "balanced":
            raise OptionError(
                f"expected LABEL=W or balanced, got {weights!r}"
                + did_you_mean(weights, ("balanced",)),
                option="class_weight",
            )
        return
    repeated = first_repeated([label for label, _ in weights])
    if repeated is not None:
        raise OptionError(
            f"expected one weight for {repeated!r}, got several", option="class_weight"
        )
    for label, weight in weights:
        check_class_weight(label, weight)


def check_class_weight(label: object, weight: float) -> None:
    """Check what the weights of a class are multiplied by.

    Raises
    ------
    OptionError
        If it is 0, negative or out of range.
    """
    if not (is_weight(weight) and weight):
        raise OptionError(
            f"expected a weight from {LEAST_WEIGHT} to {LARGEST_WEIGHT} for "
            f"{label!r}, got {weight!r}",
            option="class_weight",
        )


def _check_table(table: CutPointTable) -> None:
    for name, cuts in table:
        if any(not math.isfinite(cut) for cut in cuts):
            raise OptionError(
                f"expected finite numbers for {name!r}, got {cuts!r}", option="cut_points"
            )
        if any(low >= high for low, high in pairwise(cuts)):
            raise OptionError(
                f"expected increasing numbers for {name!r}, got {cuts!r}", option="cut_points"
            )
