"""What a committee consists of: rules, how sure votes are, what it was learned from."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from widc_arff.model.literals import Monomial


@dataclass(frozen=True, slots=True)
class Rule:
    """A conjunction of conditions (monomial) with a vote for each class (vector).

    Parameters
    ----------
    monomial : tuple of Literal
        At least one, in the order in which they were added.
    votes : tuple of int
        One of -1, 0, 1 for each class.
    covers : tuple of float
        Weight of the training examples of each class that satisfy the monomial; NaN where it is not
        known, for example after an edit without data.
    weight : float or None
        For label sets the weight of the training examples that satisfy the monomial, however many
        labels they have.
    name : str
        Display name; empty by default.
    locked : bool
        Whether `edit` and `update` leave it as it is.
    decides : float or None
        Weight of the training examples that would be decided differently without the rule; None if
        it is unknown.

    Examples
    --------
    >>> from widc_arff import Literal
    >>> rule = Rule((Literal(3, ">", 1.75),), (-1, -1, 1), (0.0, 1.0, 45.0))
    >>> rule.covered
    46.0
    """

    monomial: Monomial
    votes: tuple[int, ...]
    covers: tuple[float, ...]
    weight: float | None = None
    name: str = ""
    locked: bool = False
    decides: float | None = None

    @property
    def covered(self) -> float:
        """Weight of the training examples that satisfy the monomial."""
        return sum(self.covers) if self.weight is None else self.weight

    @property
    def uncounted(self) -> Rule:
        """The rule without what it covers."""
        unknown = (math.nan,) * len(self.covers)
        return replace(self, covers=unknown, weight=None if self.weight is None else math.nan)


@dataclass(frozen=True, slots=True)
class TrainingSummary:
    """What a committee was learned from.

    Parameters
    ----------
    examples : int
        Number of rows with a class and a positive weight.
    weights : tuple of float
        Their weight in each class.
    error : float
        Training error, a fraction in [0, 1]; for label sets the mean ranking loss, to which
        examples with no label or with all add 0.  NaN where it is not known, as of a committee that
        was edited without data.
    options : mapping
        What influenced the result.
    version : str
        Version of this package.
    ties : float or None
        Share of the training weight that ties decide, a fraction in [0, 1]: of the examples whose
        largest vote several classes share; for label sets, those to which equal votes bring some
        labels and not others.  None where it is not known.
    weight : float or None
        For label sets the weight of all examples; None where it is their number.
    hamming : float or None
        For label sets the share of wrong labels, a fraction in [0, 1]; None where it is not known.
    """

    examples: int
    weights: tuple[float, ...]
    error: float
    options: Mapping[str, object] = field(hash=False)
    version: str
    ties: float | None = None
    weight: float | None = None
    hamming: float | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """What turns votes into probabilities.

    Parameters
    ----------
    factor : float
        By which each vote less makes a class less probable, between 0 and 1.
    frequencies : tuple of float
        By which rarer classes are less probable where they have fewer votes than another, from 0 to
        1: in proportion to how often they occur in training.
    shares : tuple of float
        In proportion to which tied classes share their total, in the order in which ties are won.
    """

    factor: float
    frequencies: tuple[float, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LabelOdds:
    """What turns votes into probabilities where an example can have several labels.

    The logarithm of the odds of a label, p / (1 - p), is its intercept plus its slope times its
    summed votes.

    Parameters
    ----------
    slopes : tuple of float
        Of each label, at least 0: more votes never make a label less probable.
    intercepts : tuple of float
        Of each label.
    """

    slopes: tuple[float, ...]
    intercepts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """How people read the names in a committee, where not as they stand in data.

    Parameters
    ----------
    attributes : mapping of str to str
        By the names of attributes, the class among them.
    labels : mapping of str to str
        By labels.
    """

    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)


NO_NAMES = Names()
"""All names are read as they stand in data."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a model comes from and what for, as far as somebody said it.

    Parameters
    ----------
    data : tuple of (str, str)
        Name and SHA-256 of each file that the figures are from.
    folds : (int, float) or None
        Number of folds and their error, of the training on these data.
    date, author, use : str
        When, by whom, and for what it was made; nothing where it is not known.
    choice : str
        How its size was chosen of several.
    """

    data: tuple[tuple[str, str], ...] = ()
    folds: tuple[int, float] | None = None
    date: str = ""
    author: str = ""
    use: str = ""
    choice: str = ""


UNKNOWN_PROVENANCE = Provenance()
