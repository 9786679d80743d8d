"""Which attributes of a relation are named: the class, and those to leave out."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from widc_arff.errors import DataError, did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from widc_arff.arff.relation import Attribute


def find_attribute(attributes: tuple[Attribute, ...], wanted: str, what: str) -> int:
    """Return the index of the attribute with the name `wanted`.

    Raises
    ------
    DataError
        If there is none; the message says `what` was looked for and suggests the nearest name.
    """
    return index_of([attribute.name for attribute in attributes], wanted, what)


def find_attributes(
    attributes: tuple[Attribute, ...], wanted: Iterable[str], what: str
) -> list[int]:
    """Return the indices of several attributes; the rest is as in `find_attribute`."""
    names = [attribute.name for attribute in attributes]
    position = {name: i for i, name in enumerate(names)}
    return [position[name] if name in position else index_of(names, name, what) for name in wanted]


def index_of(names: Sequence[str], wanted: str, what: str) -> int:
    """Return the index of a name among `names`; the rest is as in `find_attribute`."""
    if wanted in names:
        return names.index(wanted)
    raise DataError(
        f"{what}: expected the name of an attribute ({listed(names)}), got {wanted!r}"
        + did_you_mean(wanted, names)
    )


def names_meant(names: Sequence[str], wanted: Iterable[str], what: str) -> list[str]:
    """Return the names that a user means by names, lists of them and patterns.

    Parameters
    ----------
    names : sequence of str
        What there is.
    wanted : iterable of str
        Each a name, or names and patterns between commas.  In a pattern ``*`` stands for any
        letters, ``?`` for one and ``[abc]`` for one of these.  A name beats a list and a pattern,
        even if it has commas or stars itself.
    what : str
        Begins the message of an error.

    Returns
    -------
    list of str
        In the order of `names`, each once.

    Raises
    ------
    DataError
        If there is no such name, or a pattern matches none.
    """
    known, meant = set(names), set()
    for text in wanted:
        for part in _parts(text, known):
            found = [part] if part in known else []
            if not found and set(part) & set("*?["):
                found = [name for name in names if fnmatchcase(name, part)]
                if not found:
                    raise DataError(
                        f"{what}: expected a pattern that some attribute matches "
                        f"({listed(names)}), got {part!r}" + did_you_mean(part.strip("*?"), names)
                    )
            meant.update(found or [names[index_of(names, part, what)]])
    return [name for name in names if name in meant]


def _parts(text: str, known: set[str]) -> list[str]:
    """Cut a list at its commas, but for those within a name; the longest name comes first."""
    if text in known or "," not in text:
        return [text]
    pieces, parts = text.split(","), []
    while pieces:
        ends = range(len(pieces), 0, -1)
        end = next((n for n in ends if ",".join(pieces[:n]).strip() in known), 1)
        parts.append(",".join(pieces[:end]).strip())
        pieces = pieces[end:]
    return parts


def find_class(attributes: tuple[Attribute, ...], wanted: str) -> int:
    """Return the index of the class attribute.

    A name beats the words ``first`` and ``last``, and these beat numbers, which count from 1.

    Raises
    ------
    DataError
        If there is no such attribute, or it is not nominal.
    """
    index = class_index([attribute.name for attribute in attributes], wanted)
    _require_nominal(attributes[index])
    return index


def class_index(names: Sequence[str], wanted: str) -> int:
    """Return the index of the class among names of columns, as `find_class` does.

    Raises
    ------
    DataError
        If there is no such name or number.
    """
    if wanted in names:
        return names.index(wanted)
    if wanted in ("first", "last"):
        return 0 if wanted == "first" else len(names) - 1
    if wanted.isascii() and wanted.isdigit():
        if len(wanted) > 18 or not 1 <= int(wanted) <= len(names):
            raise DataError(
                f"class attribute: expected a number from 1 to {len(names)}, got {wanted}"
            )
        return int(wanted) - 1
    return index_of(names, wanted, "class attribute")


def _require_nominal(attribute: Attribute) -> None:
    if attribute.type == "nominal":
        return
    advice = "choose another attribute with --class NAME"
    if attribute.type == "numeric":
        advice = f"declare its labels in the header, as in {{0, 1}}, or {advice}"
    raise DataError(
        f"class attribute {attribute.name!r}: expected a nominal attribute, "
        f"got a {attribute.type} one; {advice}"
    )
