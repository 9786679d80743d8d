"""The command that learns again with the options of a model, around rules of a file."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from widc_arff.options import Options, options_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.arff.relation import Relation
    from widc_arff.model.committee import DecisionCommittee

_PLAIN = (
    "pruning",
    "penalty",
    "votes",
    "vote_penalty",
    "impurity_penalty",
    "max_rules",
    "max_literals",
    "max_size",
    "min_coverage",
    "cut_points",
)


def train_command(committee: DecisionCommittee, relation: Relation, data: str) -> str:
    """Return the command; RULES and MODEL stand for its files.

    Parameters
    ----------
    committee : DecisionCommittee
        The model.
    relation : Relation
        The data, whose last attribute is taken as the class.
    data : str
        Their file.
    """
    words = ["widc-arff", "train", data, "--rules", "RULES", "--model", "MODEL"]
    return shlex.join([*words, *_reading(committee, relation), *_settings(options_of(committee))])


def _reading(committee: DecisionCommittee, relation: Relation) -> Iterator[str]:
    """Yield the options by which the same attributes and labels are read."""
    labels = committee.schema.labels
    if labels.are_sets:
        yield from ("--labels", ",".join(labels.attributes))
    elif relation.attributes[-1].name != labels.attributes[0]:
        yield from ("--class", labels.attributes[0])
    known = {a.name for a in committee.schema.attributes} | {*labels.attributes}
    for attribute in relation.attributes:
        if attribute.name not in known:
            yield from ("--ignore", attribute.name)


def _settings(options: Options) -> Iterator[str]:
    """Yield the options of the learner that are not as they are by default."""
    plain = Options()
    for name in _PLAIN:
        value = getattr(options, name)
        if value != getattr(plain, name) and not isinstance(value, tuple):
            yield from (f"--{name.replace('_', '-')}", str(value))
    if not options.negation:
        yield "--no-negation"
    weights = options.class_weight or ()
    told = [weights] if isinstance(weights, str) else [f"{label}={w:g}" for label, w in weights]
    for text in told:
        yield from ("--class-weight", text)
    for direction in options.monotone:
        yield from ("--monotone", direction)
    for name, value in (("costs", options.costs), ("cut-points", options.cut_points)):
        if isinstance(value, tuple):  # of a file
            yield from (f"--{name}", f"{name.upper()}-FILE")
