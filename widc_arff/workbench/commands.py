"""The commands that go on with what a page gives back."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from widc_arff.option_kinds import FileKind
from widc_arff.options import Options, options_of, settings_of, words_of
from widc_arff.tables.table_values import plain_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.model.committee import DecisionCommittee


class Words(NamedTuple):
    """Options by which the page was asked for, as they were typed.

    Parameters
    ----------
    learn : tuple of str
        For all commands.
    others : tuple of str
        For the commands that do not learn.
    evaluate : tuple of str
        For `evaluate`.
    """

    learn: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    evaluate: tuple[str, ...] = ()


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
        Names of the columns of the data, of which the last one is taken as the class, if there
        is one.
    files : (str, str, str or None)
        The model, the data, and the rows to test on.
    typed : Words
        How these files are read.
    """
    model, data, test = files
    more = [*typed.learn, *_reading(committee, columns), *_settings(options_of(committee))]
    every = [*typed.learn, *typed.others]
    learn = ["train", data, "--rules", "@rules@", "--model", "@next@", *more]
    of = {
        "evaluate": ["evaluate", "@model@", test or data, *every, *typed.evaluate],
        "edit": ["edit", model, data, "--rules", "@rules@", "-o", "@model@", *every],
        "learn": learn,
    }
    return {name: shlex.join(["widc-arff", *words]) for name, words in of.items()}


def _reading(committee: DecisionCommittee, columns: Sequence[str]) -> Iterator[str]:
    """Yield the options by which the same attributes and labels are read."""
    labels = committee.schema.labels
    if labels.cells is not None:
        yield from ("--labels", labels.cells.attribute, "--label-separator", labels.cells.separator)
    elif labels.are_sets:
        yield from ("--labels", ",".join(labels.attributes))
    elif columns[-1] != labels.attributes[0]:
        yield from ("--class", labels.attributes[0])
    known = {a.name for a in committee.schema.attributes} | {*labels.columns}
    for name in columns:
        if name not in known:
            yield from ("--ignore", name)
    for attribute in (committee.schema.attributes[i] for i in sorted(committee.used_attributes)):
        of_numbers = all(plain_number(label) is not None for label in attribute.values)
        if attribute.type == "nominal" and of_numbers:
            yield from ("--nominal", attribute.name)


def _settings(options: Options) -> Iterator[str]:
    """Yield the options of the learner that are not as they are by default."""
    plain, settings = type(options)(), settings_of(type(options))
    for name, setting in settings.items():
        value = getattr(options, name)
        if value == getattr(plain, name) or setting.library_only or name == "rules":  # on the page
            continue
        if isinstance(setting.kind, FileKind) and not isinstance(value, str):
            value = f"{name.upper().replace('_', '-')}-FILE"
        yield from words_of(name, value)
