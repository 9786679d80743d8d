"""Types of columns in words, and what a form of file does not keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.arff.columns import cells
from widc_arff.errors import counted_in_words, one_line
from widc_arff.tables.labels import class_index

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from widc_arff.arff.relation import Attribute, Relation

_MOST_SHOWN = 20
_LABELS_SHOWN = 8
_KINDS = {
    "numeric": "numeric",
    "nominal": "nominal",
    "date": "date",
    "string": "a different text in nearly every row",
}


def types_in_words(
    relation: Relation, source: str, target: str | None, ignored: Collection[str | None] = ()
) -> str:
    """Return the types of a relation's columns, one line a kind.

    Parameters
    ----------
    relation : Relation
        As it was read from a file without declarations.
    source : str
        Name of the file.
    target : str or None
        The class attribute, as `class_index` takes it.
    ignored : collection of str
        Columns to say nothing of.
    """
    names = [attribute.name for attribute in relation.attributes]
    place = None if target is None else class_index(names, target)
    kinds: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    for i, attribute in enumerate(relation.attributes):
        if i != place and attribute.name not in ignored:
            kinds[attribute.type].append(_with_size(attribute))
    lines = [f"{source}: {counted_in_words(relation.n_rows, 'row')}"]
    lines += [f"  {_KINDS[kind]}: {_listed(found)}" for kind, found in kinds.items() if found]
    if place is not None:
        attribute = relation.attributes[place]
        lines.append(f"  class: {attribute.name} ({_listed(attribute.values, _LABELS_SHOWN)})")
    return "\n".join(map(one_line, lines))


def losses(before: Relation, after: Relation) -> list[str]:
    """Return in words what a relation lost on its way through a file.

    Parameters
    ----------
    before : Relation
        What was written.
    after : Relation
        The same columns as the file gives them.
    """
    lost = []
    if (before.weights != 1).any():
        lost.append("the weights of the rows are lost")
    weighted = [a.name for a in before.attributes if a.weight != 1]
    if weighted:
        lost.append(f"the weights of attributes are lost: {_listed(weighted)}")
    types: dict[str, list[str]] = {}
    labels, values = [], []
    columns = zip(before.attributes, before.columns, after.attributes, after.columns, strict=True)
    for was, old, now, new in columns:
        if was.type != now.type:
            types.setdefault(f"{was.type} becomes {now.type}", []).append(was.name)
        elif was.values != now.values:
            labels.append(was.name)
        are_texts = {was.type, now.type} <= {"nominal", "string"}
        if (was.type == now.type or are_texts) and cells(was, old) != cells(now, new):
            values.append(was.name)
    lost += [f"{change}: {_listed(names)}" for change, names in types.items()]
    if labels:
        lost.append(f"labels without a row, or the declared order, are lost: {_listed(labels)}")
    if values:
        lost.append(
            f"some values are read back differently, such as NA as missing: {_listed(values)}"
        )
    return list(map(one_line, lost))


def _with_size(attribute: Attribute) -> str:
    if attribute.type != "nominal":
        return attribute.name
    return f"{attribute.name} ({counted_in_words(len(attribute.values), 'value')})"


def _listed(names: Iterable[str], most: int = _MOST_SHOWN) -> str:
    all_names = list(names)
    if len(all_names) <= most:
        return ", ".join(all_names)
    return f"{', '.join(all_names[:most])}, ... ({len(all_names)} in all)"
