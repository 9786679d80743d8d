"""What is run: variants of WIDC as data, and the classifiers of Weka to compare with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from widc_arff.options import Options

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Learner:
    """A variant of WIDC, or a classifier of Weka.

    Parameters
    ----------
    name : str
        As it is shown.
    settings : tuple of (str, value)
        What differs from the defaults of `Options`; of WIDC only.
    scheme : str
        Class and options as on Weka's command line; empty for WIDC.
    is_tree : bool
        Whether what it learns is a tree.
    has_size : bool
        Whether the size of what it learns is a number of conditions.
    effort : float
        Time that a training takes, relative to WIDC(p); for estimates only.
    """

    name: str
    settings: tuple[tuple[str, Any], ...] = ()
    scheme: str = ""
    is_tree: bool = False
    has_size: bool = True
    effort: float = 1.0

    @property
    def options(self) -> Options:
        """Options of the induction."""
        return Options(**dict(self.settings))

    @property
    def specification(self) -> object:
        """All that influences its results, as plain data."""
        return self.scheme or self.options.to_dict()


class OtherLearners(Protocol):
    """Something that runs classifiers of Weka; `tests.reproduction.weka_learners` has one."""

    versions: dict[str, str]

    def run(self, scheme: str, train: Path, test: Path | None, folds: int, seed: int) -> Any:
        """Train and test; lists of ``wrong``, ``weight``, ``rules``, ... with a number per fold."""

    def close(self) -> None:
        """End whatever runs."""


REFINED_EFFORT = 16.0


def widc(name: str, **settings: Any) -> Learner:
    """Return a variant of WIDC."""
    effort = REFINED_EFFORT if settings.get("pruning") == "refined" else 1.0
    return Learner(name, tuple(settings.items()), effort=effort)


OPTIMISTIC = widc("WIDC(o)", pruning="optimistic")
PESSIMISTIC = widc("WIDC(p)", pruning="pessimistic")
UNPRUNED = widc("WIDC(none)", pruning="none")
REFINED = widc("refined", pruning="refined", penalty=3.0)
REFINED_SMALL = widc("refined 5", pruning="refined", penalty=5.0)
J48 = Learner("J48", scheme="weka.classifiers.trees.J48", is_tree=True, effort=0.3)
JRIP = Learner("JRip", scheme="weka.classifiers.rules.JRip", effort=12.0)
NEAREST = Learner("1-NN", scheme="weka.classifiers.lazy.IBk -K 1", has_size=False, effort=0.3)
