"""Which attributes of a relation are named: the class, and those to leave out."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from widc_arff.errors import DataError, did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

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
        Each a name, or names, patterns and numbers between commas.  In a pattern ``*`` stands for
        any letters, ``?`` for one and ``[abc]`` for one of these; numbers count from 1.  A name
        beats a list, a pattern and a number, even if it has commas or stars itself.
    what : str
        Begins the message of an error.

    Returns
    -------
    list of str
        In the order of `names`, each once.

    Raises
    ------
    DataError
        If there is no such name, a pattern matches none, or a name of a list is empty.
    """
    meanings = _meanings(names, wanted, what)
    return [name for name in names if name in meanings]


def names_ignored(
    names: Sequence[str], ignore: Iterable[str], targets: Collection[str], what: str
) -> list[str]:
    """Return the names that a user leaves out, as `names_meant` takes them.

    Parameters
    ----------
    names : sequence of str
        What there is.
    ignore : iterable of str
        As `names_meant` takes them.
    targets : collection of str
        The class or the labels, of which none is left out.
    what : str
        How to call them.

    Raises
    ------
    DataError
        As in `names_meant`; or if a target is meant, with the pattern that does.
    """
    meanings = _meanings(names, ignore, "ignore")
    for name in names:
        if name in targets and name in meanings:
            by = "" if meanings[name] == name else f" by {meanings[name]!r}"
            raise DataError(f"ignore: expected other attributes than the {what}, got {name!r}{by}")
    return [name for name in names if name in meanings]


def _meanings(names: Sequence[str], wanted: Iterable[str], what: str) -> dict[str, str]:
    """Return each name that is meant, with the first name or pattern that means it."""
    known: set[str] = set(names)
    meanings: dict[str, str] = {}
    for text in wanted:
        for part in names_between_commas(text, known, what):
            found = [part] if part in known else []
            if not found and part.isascii() and part.isdigit() and 1 <= int(part) <= len(names):
                found = [names[int(part) - 1]]
            if not found and set(part) & set("*?["):
                found = [name for name in names if fnmatchcase(name, part)]
                if not found:
                    raise DataError(
                        f"{what}: expected a pattern that some attribute matches "
                        f"({listed(names)}), got {part!r}" + did_you_mean(part.strip("*?"), names)
                    )
            for name in found or [names[index_of(names, part, what)]]:
                meanings.setdefault(name, part)
    return meanings


def names_between_commas(text: str, known: Collection[str], what: str) -> list[str]:
    """Return the names of a list, without the blanks around them.

    Commas and blanks within a known name stay, of several such names the longest counts.

    Raises
    ------
    DataError
        If nothing stands before, between or behind commas.
    """
    pieces, parts = text.split(","), []
    while pieces:
        whole = (",".join(pieces[:n]) for n in range(len(pieces), 0, -1))
        found = next((s for s in whole if s in known or s.strip() in known), pieces[0])
        parts.append(found if found in known else found.strip())
        if not parts[-1] and found not in known:
            several = f"names between commas, got an empty one in {text!r}"
            raise DataError(
                f"{what}: expected " + (several if "," in text else f"a name, got {text!r}")
            )
        pieces = pieces[found.count(",") + 1 :]
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
