"""What is different in two committees, in sentences and tables, and as plain data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.evaluation.differences import points_by_label, rule_changes
from widc_arff.reports.blocks import Column, Heading, Item, Table, columns
from widc_arff.reports.formatting import counted, number, shown, size_in_words
from widc_arff.reports.models_on_data import rule_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from widc_arff.arrays import Bools
    from widc_arff.evaluation.differences import DecisionChanges
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block

ROWS_SHOWN = 20


def differences_blocks(
    old: DecisionCommittee,
    new: DecisionCommittee,
    names: tuple[str, str],
    on_data: tuple[str, DecisionChanges] | None,
) -> Iterator[Block]:
    """Yield what is different, as a report.

    Parameters
    ----------
    old, new : DecisionCommittee
        The two models.
    names : tuple of str
        Of the two.
    on_data : tuple of (str, DecisionChanges), optional
        Name of some data, and what is decided differently there.
    """
    one, other = names
    yield Heading(f"From {one} to {other}", 1)
    yield f"{one}: {size_in_words(old)}. {other}: {size_in_words(new)}."
    sentences = list(changes_told(old, new))
    yield from map(Item, sentences or ["No rule is different."])
    if on_data is not None:
        yield from _decisions_told(*on_data, new.names.labels, new.schema.labels.are_sets)


def changes_told(old: DecisionCommittee, new: DecisionCommittee) -> Iterator[str]:
    """Yield a sentence for each rule that is not the same, and for what else was changed."""
    changes = rule_changes(old, new)
    names = old.names, new.names
    old, new = (replace(committee, names=names[1]).as_read() for committee in (old, new))
    for i, j, fate in changes:
        if i is None:
            assert j is not None
            yield f"New rule {j + 1}: {_rule(new, j)}."
        elif j is None:
            yield f"Rule {i + 1} is gone: {_rule(old, i)}."
        else:
            if fate == "changed":
                place = "" if i == j else f" (now {j + 1})"
                yield f"Rule {i + 1}{place} changed: {_changed(old, i, new, j)}."
            yield from _renamed(old, i, new, j)
    yield from _names_told("Attribute", names[0].attributes, names[1].attributes)
    yield from _names_told("Label", names[0].labels, names[1].labels)
    before, after = (_order(c) for c in (old, new))
    if before != after and sorted(before) == sorted(after):
        yield f"Ties are won in another order: {', '.join(after)} (before {', '.join(before)})."


def _names_told(what: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name in dict.fromkeys((*before, *after)):
        read = after.get(name, name)
        if before.get(name, name) != read:
            yield f"{what} {shown(name)} is called {shown(read)}."


def _order(committee: DecisionCommittee) -> list[str]:
    labels = committee.schema.labels
    return [] if labels.are_sets else [shown(labels.values[j]) for j in committee.tie_order]


def _rule(committee: DecisionCommittee, k: int) -> str:
    return f"{rule_in_words(committee, k)}: {_votes(committee, k)}"


def _changed(old: DecisionCommittee, i: int, new: DecisionCommittee, j: int) -> str:
    parts = []
    conditions = rule_in_words(old, i), rule_in_words(new, j)
    if conditions[0] != conditions[1]:
        parts.append(f"{conditions[0]} became {conditions[1]}")
    if points_by_label(old, i) != points_by_label(new, j):
        subject = "" if parts else f"{conditions[1]}: "
        parts.append(f"{subject}{_votes(old, i)} became {_votes(new, j)}")
    return "; ".join(parts) or f"{conditions[1]}, written with more digits"


def _renamed(old: DecisionCommittee, i: int, new: DecisionCommittee, j: int) -> Iterator[str]:
    before, after = old.rules[i], new.rules[j]
    if before.name != after.name:
        yield f"Rule {j + 1} is called {shown(after.name) if after.name else 'nothing any more'}."
    if before.locked != after.locked:
        yield f"Rule {j + 1} is {'locked' if after.locked else 'no longer locked'}."


def _votes(committee: DecisionCommittee, k: int) -> str:
    votes = points_by_label(committee, k)
    return ", ".join(f"{shown(label)} {vote:+d}" for label, vote in votes.items()) or "no points"


def _decisions_told(
    source: str, changes: DecisionChanges, called: Mapping[str, str], are_sets: bool
) -> Iterator[Block]:
    n = len(changes.rows)
    yield Heading(f"On {source}")
    words = f"{counted(n, 'row')} of {changes.n_rows} decided differently"
    if changes.known.any():
        mended, spoilt = (
            number(float(changes.weights[rows].sum())) for rows in (changes.mended, changes.spoilt)
        )
        words += f": {mended} now right that were wrong, {spoilt} now wrong that were right"
    yield f"{words}."
    if not n:
        return
    names = [shown(called.get(label, label)) for label in changes.labels]
    if are_sets:
        yield from (Item(_set_told(changes, k, names)) for k in range(min(n, ROWS_SHOWN)))
    else:
        yield _transitions(changes, names)
        rows = []
        for k, row in enumerate(changes.rows.tolist()[:ROWS_SHOWN]):
            labels = [
                _labels(of[k], names) for of in (changes.before, changes.after, changes.actual)
            ]
            rows.append([str(row + 1), *labels[:2], labels[2] if changes.known[k] else ""])
        n_columns = 3 + bool(changes.known.any())
        head = [Column("row", "head"), *(Column(h, "words") for h in ("before", "now", "true"))]
        yield Table(head[:n_columns], [row[:n_columns] for row in rows])
    if n > ROWS_SHOWN:
        yield f"And {n - ROWS_SHOWN} more rows; --format json has all."


def _set_told(changes: DecisionChanges, k: int, names: Sequence[str]) -> str:
    """Return which labels a row gets no longer, and which it gets now."""
    before, after = changes.before[k], changes.after[k]
    parts = [
        f"{word} {_labels(labels, names)}"
        for word, labels in (("no longer", before & ~after), ("now", after & ~before))
        if labels.any()
    ]
    right = " (now right)" if changes.mended[k] else " (now wrong)" if changes.spoilt[k] else ""
    return f"Row {int(changes.rows[k]) + 1}: {', '.join(parts)}{right}"


def _transitions(changes: DecisionChanges, names: Sequence[str]) -> Table:
    """Return how many rows went from each class to each other."""
    pairs = np.stack([changes.before.argmax(axis=1), changes.after.argmax(axis=1)], axis=1)
    rows = []
    for old, new in np.unique(pairs, axis=0).tolist():
        of_pair = (pairs == [old, new]).all(axis=1)
        figures = [of_pair, of_pair & changes.mended, of_pair & changes.spoilt]
        weights = [number(float(changes.weights[chosen].sum())) for chosen in figures]
        rows.append([f"{names[old]}, now {names[new]}", *weights])
    n_columns = 4 if changes.known.any() else 2
    head = columns("decision", "rows", "now right", "now wrong")
    return Table(head[:n_columns], [row[:n_columns] for row in rows])


def _labels(of_row: Bools, names: Sequence[str]) -> str:
    return ", ".join(names[j] for j in np.flatnonzero(of_row).tolist()) or "none"


def differences_as_data(
    old: DecisionCommittee,
    new: DecisionCommittee,
    names: tuple[str, str],
    on_data: tuple[str, DecisionChanges] | None,
) -> dict[str, Any]:
    """Return the same as plain data."""
    data: dict[str, Any] = {"old": names[0], "new": names[1], "rules": []}
    for i, j, fate in rule_changes(old, new):
        entry: dict[str, Any] = {"fate": fate}
        for key, committee, k in (("before", old, i), ("after", new, j)):
            if k is not None:
                entry[key] = {
                    "rule": k + 1,
                    "conditions": rule_in_words(committee, k),
                    "points": points_by_label(committee, k),
                }
        data["rules"].append(entry)
    if on_data is not None:
        source, changes = on_data

        def plain(of_row: Bools) -> list[str]:
            return [changes.labels[j] for j in np.flatnonzero(of_row).tolist()]

        data |= {
            "data": source,
            "rows": changes.n_rows,
            "decided_differently": [
                {
                    "row": row + 1,
                    "before": plain(changes.before[k]),
                    "after": plain(changes.after[k]),
                    "actual": plain(changes.actual[k]) if changes.known[k] else None,
                }
                for k, row in enumerate(changes.rows.tolist())
            ],
        }
    return data
