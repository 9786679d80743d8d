"""The commands that go on with what a page gives back."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from widc_arff.options import Options, options_of
from widc_arff.tables.table_values import plain_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


class Words(NamedTuple):
    """Options by which the page was asked for, as they were typed: `learn` for all commands."""

    learn: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def commands_of(
    committee: DecisionCommittee,
    columns: Sequence[str],
    files: tuple[str, str, str | None],
    typed: Words,
) -> dict[str, str]:
    """Return the commands that go on with what a page gives back.

    Parameters
    ----------
    committee : DecisionCommittee
        The model.
    columns : sequence of str
        Names of the columns of the data, of which the last one is taken as the class.
    files : (str, str, str or None)
        The model, the data, and the rows to test on.
    typed : Words
        How these files are read.
    """
    model, data, test = files
    more = [*typed.learn, *_reading(committee, columns), *_settings(options_of(committee))]
    every = [*typed.learn, *typed.others]
    learn = ["train", data, "--rules", "@rules@", "--model", "@next@", *more]
    if committee.schema.labels.are_sets:  # for which no rules can be given
        learn = ["update", "@model@", data, "-o", "@next@", *typed.learn]
    of = {
        "evaluate": ["evaluate", "@model@", test or data, *every],
        "edit": ["edit", model, data, "--rules", "@rules@", "-o", "@model@", *every],
        "learn": learn,
    }
    return {name: shlex.join(["widc-arff", *words]) for name, words in of.items()}


def _reading(committee: DecisionCommittee, columns: Sequence[str]) -> Iterator[str]:
    """Yield the options by which the same attributes and labels are read."""
    labels = committee.schema.labels
    if columns[-1] != labels.attributes[0]:
        yield from ("--class", labels.attributes[0])
    known = {a.name for a in committee.schema.attributes} | {*labels.attributes}
    for name in columns:
        if name not in known:
            yield from ("--ignore", name)
    for attribute in (committee.schema.attributes[i] for i in sorted(committee.used_attributes)):
        of_numbers = all(plain_number(label) is not None for label in attribute.values)
        if attribute.type == "nominal" and of_numbers:
            yield from ("--nominal", attribute.name)


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
    if options.literals is not None:
        yield from ("--literals", ",".join(options.literals) or "plain")
    for order in options.ordered:
        yield from ("--ordered", order)
    for direction in options.monotone:
        yield from ("--monotone", direction)
    for name, value in (("costs", options.costs), ("cut-points", options.cut_points)):
        if isinstance(value, tuple):  # of a file
            yield from (f"--{name}", f"{name.upper()}-FILE")
