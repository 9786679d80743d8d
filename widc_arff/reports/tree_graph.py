"""A committee as a tree in the part of the dot language that Weka's window for trees reads.

Below the class stands each rule with its conditions, below a rule the classes that it is for and
against.  Weka's reader takes labels in double quotes with the escapes of C; a line break in them is
one in the box.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.layout import signed
from widc_arff.reports.wording import (
    conditions,
    majority,
    number,
    percent,
    purity,
    shown,
    size_in_words,
)

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee

FOR = "palegreen"
AGAINST = "lightpink"


def tree_graph(committee: DecisionCommittee) -> str:
    """Return a committee that decides for one class an example as a tree.

    Points are those that `committee_text` tells: the votes with two classes, else the votes less
    the most frequent one of the rule.
    """
    schema = committee.schema
    labels = [shown(label) for label in schema.labels.values]
    head = [
        f"{shown(schema.labels.attributes[0])}: {size_in_words(committee)}",
        f"{labels[committee.tie_order[0]]} where no rule holds",
    ]
    lines = ["digraph Committee {", f"N0 [label={_quoted(head)}]"]
    for k, (rule, points) in enumerate(zip(committee.rules, committee.points, strict=True)):
        first, *others = conditions(rule.monomial, schema)
        node = f"N{k + 1}"
        lines.append(f"N0->{node} [label={_quoted([f'rule {k + 1}'])}]")
        text = [first, *(f"and {other}" for other in others), f"covers {number(rule.covered)}"]
        text.append(f"{labels[majority(rule)]}: {percent(purity(rule))}")
        lines.append(f"{node} [label={_quoted(text)} shape=box style=filled]")
        for j in committee.tie_order:
            if points[j]:
                leaf = f"{node}C{j}"
                colour = FOR if points[j] > 0 else AGAINST
                lines.append(f"{node}->{leaf} [label={_quoted([signed(points[j])])}]")
                lines.append(
                    f"{leaf} [label={_quoted([labels[j]])} shape=box style=filled color={colour}]"
                )
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(lines: list[str]) -> str:
    """Return the lines of a label as one text in quotes."""
    text = "\n".join(lines).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'
