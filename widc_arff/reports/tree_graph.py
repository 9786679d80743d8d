"""A committee as a tree in the part of the dot language that Weka's window for trees reads.

Below the class stand the rules, each in a box with its conditions and its points.  Weka spreads a
level over the whole width and lets boxes overlap, so many rules stand in columns: one rule below
another, in the order of their numbers.  Weka's reader takes labels in double quotes with the
escapes of C; a line break in them is one in the box.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.formatting import class_names, rule_conditions, shown, size_in_words
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.layout import signed, width_of, wrap_words

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.kind import Kind

WIDTH = 26
"""Characters of a line in a box, where words are not longer."""

WINDOW = 770
"""Width of the window that Weka opens, in its pixels."""

SCREEN = (1230, 890)
"""Width and height of a window as large as a screen of 1280 x 1024."""

_CHARACTER, _LINE, _EDGE = 6.4, 15, 10
"""Pixels of Weka's font, and of the edges of a box."""


def tree_graph(committee: DecisionCommittee) -> str:
    """Return a committee that decides for one class an example as a tree.

    Points are those that `committee_text` tells.
    """
    names = class_names(committee)
    boxes = [_box(kind_of(committee), k) for k in range(len(committee.rules))]
    head = [
        f"{shown(committee.schema.labels.attributes[0])}: {size_in_words(committee)}",
        "add the points of the rules that hold; most points win",
        f"{names[committee.tie_order[0]]} if no rule holds; N of M: a rule is right on N rows",
    ]
    lines = ["digraph Committee {", f"N0 [label={_quoted(head)}]"]
    rows = rows_of(boxes)
    for k, box in enumerate(boxes):
        above, edge = (0, "") if k % rows == 0 else (k, ' [label="+"]')
        lines.append(f"N{above}->N{k + 1}{edge}")
        lines.append(f"N{k + 1} [label={_quoted(box)} shape=box style=filled]")
    return "\n".join([*lines, "}"]) + "\n"


def rows_of(boxes: list[list[str]]) -> int:
    """Return how many boxes stand below one another, so that all fit on a screen best.

    One, if they fit side by side in Weka's window.

    Parameters
    ----------
    boxes : list of list of str
        Their lines.
    """
    n = len(boxes)
    longest = max((width_of(line) for box in boxes for line in box), default=0)
    width = _CHARACTER * longest + _EDGE
    if n * width <= WINDOW:
        return 1
    # One box in twenty may be higher, so that a single large rule does not shape the picture.
    height = _LINE * sorted(map(len, boxes))[19 * n // 20] + _EDGE

    def part_of_screen(rows: int) -> float:
        columns = -(-n // rows)
        # A level goes to the class, and Weka leaves the height of two more free.
        return max(columns * width / SCREEN[0], (rows + 3) * height / SCREEN[1])

    return min(range(1, n + 1), key=part_of_screen)


def _box(kind: Kind, k: int) -> list[str]:
    """Return the lines of a rule: its number and how often it is right, conditions, points."""
    committee = kind.committee
    first, *others = rule_conditions(committee, k)
    points, right = committee.points[k], kind.figures(k)[0]
    head = f"rule {k + 1}: {right}"
    lines = [
        line
        for text in (head, first, *(f"and {other}" for other in others))
        for line in wrap_words(text.split(" "), WIDTH, " ")
    ]
    for value in sorted({points[j] for j in committee.tie_order} - {0}, reverse=True):
        of = [j for j in committee.tie_order if points[j] == value]
        lines += _class_lines(signed(value), [kind.labels[j] for j in of])
    return lines


def _class_lines(sign: str, names: list[str]) -> list[str]:
    """Return lines with names, of which only long ones are broken."""
    names = [f"{name}," for name in names[:-1]] + names[-1:]
    names[0] = f"{sign} {names[0]}"
    whole = (name.split(" ") if width_of(name) > WIDTH else [name] for name in names)
    return wrap_words([word for words in whole for word in words], WIDTH, " ")


def _quoted(lines: list[str]) -> str:
    """Return the lines of a label as one text in quotes."""
    text = "\n".join(lines).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'
