"""Which attributes of a relation are labels, where an example can have several.

Three sources name them: the relation name of a MEKA file, the label XML of MULAN, and the user.
Whatever the source, labels stand in the order of the header, so that one file gives one label
matrix.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn
from xml.parsers import expat

import numpy as np

from widc_arff.arff.relation import Attribute
from widc_arff.data.unknown_labels import as_labels
from widc_arff.errors import DataError
from widc_arff.system.files import content_of
from widc_arff.tables.labels import find_attributes
from widc_arff.tables.table_values import TRUTH_WORDS, plain_number

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Relation
    from widc_arff.arrays import Bools, Floats
    from widc_arff.data.unknown_labels import UnknownLabels

_MEKA_OPTION = re.compile(r"(?:^|\s)-[Cc](?:\s+(\S+)|\s*$)")
_MULAN_NAMESPACE = "http://mulan.sourceforge.net/labels"
_PAIRS = ({"0", "1"}, *({word, opposite} for word, opposite in TRUTH_WORDS.items()))
_PRESENT = ("1", *TRUTH_WORDS)
_EXPECTED = (
    "the values {0,1}, {no,yes}, {false,true}, {n,y}, {f,t} or {off,on}, or the numbers 0 and 1"
)
_EXPECTED_COUNTS = "whole numbers from 0 up"


def meka_labels(relation: Relation) -> tuple[str, ...] | None:
    """Return the label attributes that the name of a MEKA relation tells.

    The name reads ``name: -C n ...``: the first n attributes are labels, or the last abs(n) if n
    is negative.  Other options, and what Weka's filters append to the name, are passed over.

    Parameters
    ----------
    relation : Relation
        Its name is not changed by being read here.

    Returns
    -------
    tuple of str, or None
        Names in the order of the header.  A single one is a class attribute of any number of
        values.  None: there is no ``-C`` after a colon, or n is 0, MEKA's word for none.

    Raises
    ------
    DataError
        If ``-C`` has no whole number, or one that leaves no attribute to describe examples by.
    """
    _, _, options = relation.name.partition(":")
    found = _MEKA_OPTION.search(options)
    if found is None:
        return None
    text = (found[1] or "nothing").partition("-weka.")[0]
    names = [attribute.name for attribute in relation.attributes]
    n = int(text) if re.fullmatch(r"[+-]?[0-9]{1,9}", text) else None
    if n is None or abs(n) >= len(names):
        raise DataError(
            f"relation name {relation.name!r}: expected -C and the number of labels, a whole "
            f"number from {1 - len(names)} to {len(names) - 1}, got {text}"
        )
    return tuple(names[:n] if n > 0 else names[n:]) if n else None


def without_meka_options(name: str) -> str:
    """Return the name of a relation without MEKA's ``: -C n ...``, if it has that.

    What is made of such a relation has other columns, so that n would be wrong.
    """
    bare, _, options = name.partition(":")
    return bare.rstrip() if _MEKA_OPTION.search(options) else name


def mulan_labels(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return all label names of a label XML of MULAN, in the order of the document.

    Nested labels, a hierarchy, count like the others.

    Parameters
    ----------
    path : str or path-like
        A file, or ``-`` for standard input, with
        ``<labels xmlns="http://mulan.sourceforge.net/labels"><label name="..."/>...</labels>``;
        the namespace may be left out.

    Raises
    ------
    DataError
        If the file is something else, names a label twice, or declares a document type: with
        that a small file can grow without bound.
    ArffError
        If the file cannot be read.
    """
    return _LabelDocument(str(path)).names(content_of(path, "the label XML"))


class _LabelDocument:
    """Collects label names while expat reads, and tells faults with line and column."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._lines: dict[str, int] = {}  # of each label, in the order of the document
        self._depth = 0
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse_document_type

    def names(self, content: bytes) -> tuple[str, ...]:
        try:
            self._parser.Parse(content, True)  # noqa: FBT003 - expat takes it by position only
        except expat.ExpatError as error:
            fault = expat.errors.messages[error.code]
            self._fail(f"expected the label XML of MULAN, got a text with a fault ({fault})")
        except (LookupError, ValueError) as error:  # of the declared encoding
            self._fail(f"expected an encoding that can be read, got {error}")
        if not self._lines:
            self._fail('expected at least one <label name="...">, got none')
        return tuple(self._lines)

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        expected = "label" if self._depth else "labels"
        self._depth += 1
        if element not in (expected, f"{_MULAN_NAMESPACE} {expected}"):
            self._fail(f"expected an element <{expected}>, got <{element.rpartition(' ')[2]}>")
        if expected == "labels":
            return
        name = attributes.get("name")
        if not name:
            self._fail('expected <label name="...">, got a label without a name')
        if name in self._lines:
            self._fail(
                f"expected each label once, got {name!r} again, after line {self._lines[name]}"
            )
        self._lines[name] = self._parser.CurrentLineNumber

    def _end(self, _element: str) -> None:
        self._depth -= 1

    def _refuse_document_type(self, *_declaration: object) -> None:
        self._fail("expected labels only, got a document type declaration (<!DOCTYPE>)")

    def _fail(self, message: str) -> NoReturn:
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        raise DataError(message, file=self._source, line=line, column=column) from None


def named_labels(
    relation: Relation, names: Iterable[str], source: str = "labels"
) -> tuple[str, ...]:
    """Return label names, checked against a relation, in the order of its header.

    Parameters
    ----------
    relation : Relation
        The data.
    names : iterable of str
        The label attributes, in any order.
    source : str
        Where the names come from, for messages: an option, or the path of a label XML.

    Raises
    ------
    DataError
        If a name is unknown or occurs twice, if there are fewer than two, or if no attribute is
        left to describe examples by.
    """
    chosen: set[int] = set()
    names = list(names)
    for name, index in zip(names, find_attributes(relation.attributes, names, source), strict=True):
        if index in chosen:
            raise DataError(f"{source}: expected each label once, got {name!r} twice")
        chosen.add(index)
    if len(chosen) < 2:
        raise DataError(
            f"{source}: expected two labels or more, got {len(chosen)}; "
            "one class attribute is named with --class, and several labels in a cell need "
            "--label-separator"
        )
    if len(chosen) == len(relation.attributes):
        raise DataError(
            f"{source}: expected attributes besides the labels, got all {len(chosen)} as labels"
        )
    return tuple(relation.attributes[index].name for index in sorted(chosen))


def label_matrix_of(
    relation: Relation,
    names: Sequence[str],
    *,
    counts: bool = False,
    unknown: UnknownLabels | None = None,
    first_row: int = 1,
) -> tuple[Bools, Bools]:
    """Return which labels each row has, and which rows tell all of theirs.

    Parameters
    ----------
    relation : Relation
        The data.
    names : sequence of str, length n_labels
        The label attributes.  Each is nominal with the values {0,1}, {no,yes}, {false,true},
        {n,y}, {f,t} or {off,on}, in any order and case, or numeric with 0 and 1 only.  The texts
        decide, not their order: 1, yes and true mean that the label is present.
    counts : bool
        Accept label attributes that hold counts (0, 1, 2, ...), as in MEKA's solar_flare: 0 means
        absent, more means present.  Such files are multi-target, so this is the user's choice.
    unknown : UnknownLabels, optional
        Notes labels that are neither present nor absent, which are then missing.
    first_row : int
        Number of the first row in messages.

    Returns
    -------
    Y : ndarray of bool of shape (n_rows, n_labels)
        The label matrix, columns in the order of `names`.  A row can have no label.
    known : ndarray of bool of shape (n_rows,)
        False where at least one label is missing.  Such a row holds no True in `Y`.

    Raises
    ------
    DataError
        If a label is no attribute, or not binary.

    Notes
    -----
    A row with a missing label is meant to be left out, and counted, like a row without a class:
    in training because Z sums over all labels of a row, in evaluation because ranking loss and
    subset accuracy compare all of them.  MULAN's thresholding and evaluation leave such rows out
    too, scikit-learn accepts no missing label, and MEKA's measures pass over the missing cells
    alone.  To take missing for absent would invent negative examples.
    """
    Y = np.zeros((relation.n_rows, len(names)), np.bool_)
    known = np.ones(relation.n_rows, np.bool_)
    for j, index in enumerate(find_attributes(relation.attributes, names, "labels")):
        attribute, column = relation.attributes[index], relation.columns[index]
        if unknown is not None:
            attribute, column = _without_unknown(attribute, column, counts, unknown)
        if attribute.type == "numeric":
            _require_numbers(attribute, column, counts, first_row)
            known &= ~np.isnan(column)
            Y[:, j] = column > 0
        else:
            present = np.array([*_presence(attribute, counts), False])  # code -1 picks the last
            known &= column >= 0
            Y[:, j] = present[column.astype(np.int64)]
    Y[~known] = False
    return Y, known


def _without_unknown(
    attribute: Attribute, column: NDArray[Any], counts: bool, unknown: UnknownLabels
) -> tuple[Attribute, NDArray[Any]]:
    """Return a label of any type as 0 and 1; what is neither is noted, and missing."""
    labels, codes = as_labels(attribute, column)
    codes = codes.astype(np.int64)
    presence = np.array([*(_is_present(text, counts) for text in labels.values), None], np.float64)
    found = presence[codes]
    rows = np.flatnonzero(np.isnan(found) & (codes >= 0))
    unknown.note(attribute, labels.values, codes, rows, as_missing=True)
    return Attribute(attribute.name, "numeric"), found


def _is_present(text: str, counts: bool) -> bool | None:
    """Return whether a value says that a label is present; None of what says neither."""
    text = text.strip().lower()
    number = plain_number(text)
    if number is None:
        return text in _PRESENT if any(text in pair for pair in _PAIRS) else None
    value = float(number)
    is_count = counts and value >= 0 and value.is_integer()
    return value > 0 if value in (0, 1) or is_count else None


def _require_numbers(attribute: Attribute, column: Floats, counts: bool, first_row: int) -> None:
    allowed = (column == 0) | (column == 1)
    if counts:
        allowed = np.isfinite(column) & (column >= 0) & (column == np.floor(column))
    wrong = np.flatnonzero(~(allowed | np.isnan(column)))
    if len(wrong):
        raise DataError(
            f"label attribute {attribute.name!r}: expected "
            f"{_EXPECTED_COUNTS if counts else _EXPECTED}, "
            f"got {column[wrong[0]]:g} in row {wrong[0] + first_row}"
        )


def _presence(attribute: Attribute, counts: bool) -> list[bool]:
    """Return for each value of a nominal label whether it means that the label is present."""
    lowered = [value.lower() for value in attribute.values]
    if len(lowered) == 2 and set(lowered) in _PAIRS:
        return [value in _PRESENT for value in lowered]
    if counts and "0" in lowered and all(re.fullmatch("[0-9]+", value) for value in lowered):
        return [value.strip("0") != "" for value in lowered]
    shown = ",".join(attribute.values[:8]) + (",..." if len(lowered) > 8 else "")
    raise DataError(
        f"label attribute {attribute.name!r}: expected {_EXPECTED}"
        f"{', or ' + _EXPECTED_COUNTS if counts else ''}, got "
        + (f"{{{shown}}}" if attribute.type == "nominal" else f"a {attribute.type} attribute")
    )
