"""Decision committees learned from ARFF data: few rules, each a conjunction with a vector of votes.

The public names load on first use, so that ``import widc_arff`` brings nothing heavy, and
``from widc_arff import *`` numpy and nothing heavier; the learner loads when it is first called.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from widc_arff.model import telling
from widc_arff.version import __version__ as __version__

if TYPE_CHECKING:
    from widc_arff.arff.reader import read_arff
    from widc_arff.arff.relation import Attribute, Relation
    from widc_arff.arff.writer import write_arff
    from widc_arff.data.dataset import Dataset
    from widc_arff.data.large_data import read_dataset
    from widc_arff.data.schema import Schema
    from widc_arff.errors import (
        ArffError,
        DataError,
        ModelError,
        OptionError,
        TableError,
        WidcError,
        WidcWarning,
    )
    from widc_arff.estimator.classifier import WIDCClassifier as WIDCClassifier
    from widc_arff.induction.refitting import refitted as refitted
    from widc_arff.induction.updating import updated as updated
    from widc_arff.model.change_values import Change, Step, Wanted
    from widc_arff.model.changes import nearest_changes
    from widc_arff.model.committee import DecisionCommittee, Explanation, read_committee
    from widc_arff.model.editing import Edit, edited
    from widc_arff.model.literals import Literal
    from widc_arff.model.model_file import write_committee
    from widc_arff.model.rules import Rule
    from widc_arff.observer import Observer
    from widc_arff.options import LabelSetOptions, Options
    from widc_arff.tables import read_data, write_data

_HOMES = {
    "ArffError": "errors",
    "Attribute": "arff.relation",
    "Change": "model.change_values",
    "Step": "model.change_values",
    "Wanted": "model.change_values",
    "DataError": "errors",
    "Dataset": "data.dataset",
    "DecisionCommittee": "model.committee",
    "Edit": "model.editing",
    "Explanation": "model.committee",
    "LabelSetOptions": "options",
    "Literal": "model.literals",
    "ModelError": "errors",
    "OptionError": "errors",
    "Options": "options",
    "Relation": "arff.relation",
    "Rule": "model.rules",
    "Schema": "data.dataset",
    "TableError": "errors",
    "WIDCClassifier": "estimator",
    "WidcError": "errors",
    "WidcWarning": "errors",
    "edited": "model.editing",
    "nearest_changes": "model.changes",
    "read_arff": "arff.reader",
    "read_committee": "model.committee",
    "read_data": "tables",
    "read_dataset": "data.large_data",
    "refitted": "induction.refitting",
    "updated": "induction.updating",
    "write_arff": "arff.writer",
    "write_committee": "model.model_file",
    "write_data": "tables",
}

# Not among them: WIDCClassifier, so that ``import *`` works where scikit-learn is not installed;
# refitted and updated, which bring the learner.
__all__ = [
    "ArffError",
    "Attribute",
    "Change",
    "DataError",
    "Dataset",
    "DecisionCommittee",
    "Edit",
    "Explanation",
    "LabelSetOptions",
    "Literal",
    "ModelError",
    "OptionError",
    "Options",
    "Relation",
    "Rule",
    "Schema",
    "Step",
    "TableError",
    "Wanted",
    "WidcError",
    "WidcWarning",
    "edited",
    "induce",
    "nearest_changes",
    "read_arff",
    "read_committee",
    "read_data",
    "read_dataset",
    "write_arff",
    "write_committee",
    "write_data",
]


def induce(
    dataset: Dataset, options: Options | None = None, observer: Observer | None = None
) -> DecisionCommittee:
    """Learn a decision committee.

    Parameters
    ----------
    dataset : Dataset
        Examples.
    options : Options, optional
        Settings; for label sets `LabelSetOptions`.
    observer : Observer, optional
        Called at every step.

    Returns
    -------
    DecisionCommittee
        Always the same for the same rows, in whatever order.

    Raises
    ------
    DataError, OptionError, WidcError
        As in `widc_arff.induction.induce`.

    Examples
    --------
    >>> from widc_arff import induce, read_dataset
    >>> committee = induce(read_dataset("arff_data/iris.arff"))
    >>> len(committee.rules), committee.n_literals
    (2, 2)
    """
    from widc_arff.induction import induce as induce_now  # noqa: PLC0415 - it is the heaviest part

    return induce_now(dataset, options, observer)


def _text_of(committee: Any) -> str:  # noqa: ANN401 - a DecisionCommittee
    from widc_arff.reports.text import committee_text  # noqa: PLC0415 - loads when it is needed

    return committee_text(committee.as_read())


telling.text_of = _text_of


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module attribute can be anything
    if name not in _HOMES:
        raise AttributeError(f"module 'widc_arff' has no attribute {name!r}")
    value = getattr(import_module(f"widc_arff.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
