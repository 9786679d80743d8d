"""What a change is, which ones are wanted, and what a missing value could decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from widc_arff.errors import DataError, did_you_mean

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix
    from widc_arff.model.literals import Monomial

MOST_LISTED = 5
"""Changes of one example."""

Decision: TypeAlias = int | tuple[int, ...]
"""A class, or the labels of a set."""


@dataclass(frozen=True, slots=True)
class Step:
    """A new value of one attribute.

    Parameters
    ----------
    attribute : int
        Index of the attribute in the schema.
    before : float or None
        Present value as the column holds it: index of the label, or number; None: missing.
    after : float
        The nearest value that would do.
    region : tuple of Literal
        All values that do the same: ``= v``; or ``<= t``, ``> t``, or both, of cut points that
        are next to one another in the model.
    distance : float
        From `before` to `after`, as a share of the range of the attribute; 1 if it has none.

    Examples
    --------
    >>> from widc_arff import Literal
    >>> Step(3, 1.8, 1.7, (Literal(3, "<=", 1.75),), 0.04).after
    1.7
    """

    attribute: int
    before: float | None
    after: float
    region: Monomial
    distance: float


@dataclass(frozen=True, slots=True)
class Change:
    """New values of some attributes that change the decision for an example.

    Parameters
    ----------
    steps : tuple of Step
        One for each attribute, in their order.
    decision : int or tuple of int
        The class, or the labels of the set, that would be decided.

    Examples
    --------
    As `nearest_changes` returns them.

    >>> from widc_arff import Literal
    >>> from widc_arff.model.change_values import Step
    >>> step = Step(3, 1.8, 1.7, (Literal(3, "<=", 1.75),), 0.04)
    >>> Change((step,), 1).distance
    0.04
    """

    steps: tuple[Step, ...]
    decision: Decision

    @property
    def distance(self) -> float:
        """How far the attributes move in all."""
        return sum(step.distance for step in self.steps)


class Wanted(NamedTuple):
    """Which changes to look for.

    Parameters
    ----------
    fixed : tuple of str
        Attributes that cannot change.
    increasing : tuple of str
        Attributes that can only increase, such as an age.
    costs : tuple of tuple of float or None
        Cost matrix; the decision is then the class of lowest expected cost.
    most : int
        How many changes of an example to return.

    Examples
    --------
    >>> from widc_arff import induce, nearest_changes, read_dataset
    >>> flowers = read_dataset("arff_data/iris.arff")
    >>> nearest_changes(induce(flowers), flowers, 70, Wanted(fixed=("petal_width",)))
    ()
    """

    fixed: tuple[str, ...] = ()
    increasing: tuple[str, ...] = ()
    costs: CostMatrix | None = None
    most: int = MOST_LISTED

    def check(self, committee: DecisionCommittee) -> None:
        """Check the names of attributes.

        Raises
        ------
        DataError
            If there is no such attribute, or one that should increase has no numbers.
        """
        types = {attribute.name: attribute.type for attribute in committee.schema.attributes}
        used = {committee.schema.attributes[a].name for a in committee.used_attributes}
        for name in (*self.fixed, *self.increasing):
            if name not in types:
                raise DataError(
                    f"expected an attribute of the model, got {name!r}{did_you_mean(name, types)}"
                )
            if name in self.increasing and name in used and types[name] == "nominal":
                raise DataError(f"expected an attribute of numbers to increase, got {name!r}")


ANY = Wanted()
"""All changes."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A missing value for want of which some rule cannot be judged, and what it could decide.

    Parameters
    ----------
    attribute : int
        Index of the attribute in the schema.
    rules : tuple of int
        The rules of which all conditions on known values hold, but for those on missing ones.
    outcomes : tuple of (Monomial, decision)
        What each value would decide: of numbers in their order, as ``<= t``, ``> t``, or both; of
        nominal attributes as labels, any of which would do.
    """

    attribute: int
    rules: tuple[int, ...]
    outcomes: tuple[tuple[Monomial, Decision], ...]
