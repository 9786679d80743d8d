"""What the attributes of data are like, before anything is learned: types, values, what is missing.

Data are gone through once, a piece at a time, so that they may be of any size.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING
from warnings import warn

import numpy as np

from widc_arff.data.dataset import ignoring
from widc_arff.data.label_sets import label_matrix_of
from widc_arff.errors import WidcWarning

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute, Relation
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset

FEW_VALUES = 10
"""An attribute of up to so many values is no identifier."""
RARE = 2
"""A value in at most so many rows is rare."""
MOST_COUNTED = 1 << 20
"""Distinct numbers or texts of an attribute that are told apart."""
_FREQUENT = 20
_NAMED = 20


@dataclass(frozen=True, slots=True)
class AttributeSummary:
    """What one attribute is like.

    Parameters
    ----------
    attribute : Attribute
        Its declaration.
    missing : int
        Rows without a value.
    distinct : int or None
        Values that occur; None: more than `MOST_COUNTED`.
    span : tuple of float, or None
        Least and largest number, of a numeric or date attribute with a value.
    frequent : tuple of (str, int)
        Of a nominal or string attribute the most frequent values, each with its number of rows.
    rare : int
        Of a nominal attribute the values that occur once or twice.
    is_identifier : bool
        Whether it looks like a name or a number of each row; see `is_identifier`.
    """

    attribute: Attribute
    missing: int
    distinct: int | None
    span: tuple[float, float] | None = None
    frequent: tuple[tuple[str, int], ...] = ()
    rare: int = 0
    is_identifier: bool = False

    @property
    def is_constant(self) -> bool:
        """Whether it has one value or none, so that no rule tests it (I3)."""
        return self.distinct is not None and self.distinct < 2


@dataclass(frozen=True, slots=True)
class Survey:
    """What data are like.

    Parameters
    ----------
    relation : str
        Name of the relation.
    n_rows : int
        Number of rows.
    weight : float
        Their total weight.
    weightless : int
        Rows of weight zero, which training leaves out.
    attributes : tuple of AttributeSummary
        In the order of the data, class and labels among them.
    targets : tuple of str
        The class attribute, or the label attributes; none where there is no class.
    labelled : int
        Rows with a class, or of which all labels are known.
    unlabelled : int
        Rows of positive weight without a class, or of which a label is missing.
    rows_of_label, weight_of_label : tuple of float
        Rows, and their weight, of each class or with each label.
    """

    relation: str
    n_rows: int
    weight: float
    weightless: int
    attributes: tuple[AttributeSummary, ...]
    targets: tuple[str, ...]
    labelled: int
    unlabelled: int
    rows_of_label: tuple[float, ...]
    weight_of_label: tuple[float, ...]


def survey(pieces: Iterable[Relation], targets: Sequence[str], *, counts: bool = False) -> Survey:
    """Return what data are like that come in pieces.

    Parameters
    ----------
    pieces : iterable of Relation
        One at least, all with the same attributes.
    targets : sequence of str
        The class attribute, which is nominal, or two label attributes or more, or none.
    counts : bool
        Take labels that count something, as `label_matrix_of` does.

    Raises
    ------
    DataError
        If a label is not binary.
    """
    columns: list[_Column] = []
    n_rows = weightless = labelled = unlabelled = 0
    weight = 0.0
    rows_of_label = weight_of_label = np.zeros(0)
    name = ""
    for piece in pieces:
        name = piece.name
        columns = columns or [_Column(attribute) for attribute in piece.attributes]
        for column, values in zip(columns, piece.columns, strict=True):
            column.add(values)
        n_rows += piece.n_rows
        weight += float(piece.weights.sum())
        weightless += int((piece.weights == 0).sum())
        if targets:
            Y, known = _labels(piece, targets, counts)
            labelled += int(known.sum())
            unlabelled += int((~known & (piece.weights > 0)).sum())
            rows_of_label = Y.sum(axis=0) + (rows_of_label if len(rows_of_label) else 0)
            added = piece.weights @ Y
            weight_of_label = added + (weight_of_label if len(weight_of_label) else 0)
    return Survey(
        name,
        n_rows,
        weight,
        weightless,
        tuple(column.summary(n_rows) for column in columns),
        tuple(targets),
        labelled,
        unlabelled,
        tuple(rows_of_label.tolist()),
        tuple(weight_of_label.tolist()),
    )


def is_identifier(n_rows_of_value: NDArray[np.integer]) -> bool:
    """Tell whether a nominal attribute looks like a name of each row.

    More than ten of its values occur, most of these in one row or two, and at least a quarter of
    the rows have such a value.  A rule on it says something of the rows that it was learned from
    and nothing of others.

    Parameters
    ----------
    n_rows_of_value : ndarray of int
        In how many rows each value occurs.
    """
    occurring = n_rows_of_value[n_rows_of_value > 0]
    rare = occurring[occurring <= RARE]
    return bool(
        len(occurring) > FEW_VALUES
        and 2 * len(rare) > len(occurring)
        and 4 * rare.sum() >= occurring.sum()
    )


def identifiers(dataset: Dataset) -> list[AttributeSummary]:
    """Return the attributes of a data set that look like names of rows; see `is_identifier`."""
    found = []
    for i, attribute in enumerate(dataset.schema.attributes):
        if attribute.type == "nominal" and len(attribute.values) > FEW_VALUES:
            column = _Column(attribute)
            column.add(dataset.columns[i])
            summary = column.summary(dataset.n_samples)
            if summary.is_identifier:
                found.append(summary)
    return found


def warn_of_identifiers(dataset: Dataset, source: str = "", advice: str = "") -> None:
    """Warn of the attributes of a data set that look like names of rows, all at once.

    Parameters
    ----------
    dataset : Dataset
        What is learned from.
    source : str
        Where it comes from; begins the warning.
    advice : str
        How to leave them out; by default the option of the command line.
    """
    found = identifiers(dataset)
    if not found:
        return
    advice = advice or f"{ignoring(s.attribute for s in found)} leaves {_them(found)} out"
    place = f"{source}: " if source else ""
    warn(f"{place}{identifiers_in_words(found)}; {advice}", WidcWarning, stacklevel=2)


def identifiers_in_words(found: Sequence[AttributeSummary]) -> str:
    """Return what attributes look like identifiers and why, without a full stop."""
    told = [
        f"{s.attribute.name!r} ({s.rare} of {s.distinct} values in one row or two)"
        for s in found[:_NAMED]
    ]
    if len(found) > _NAMED:
        told.append(f"{len(found) - _NAMED} more")
    *first, last = told
    names = f"{', '.join(first)} and {last}" if first else last
    what = (
        "attributes {} look like identifiers" if first else "attribute {} looks like an identifier"
    )
    return f"{what.format(names)}: rules on {_them(found)} say nothing of new rows"


def _them(found: Sequence[AttributeSummary]) -> str:
    return "it" if len(found) == 1 else "them"


def _labels(piece: Relation, targets: Sequence[str], counts: bool) -> tuple[Bools, Bools]:
    """Return the label matrix of some rows, and which of them have a class or all labels."""
    if len(targets) > 1:
        return label_matrix_of(piece, targets, counts=counts)
    place = [attribute.name for attribute in piece.attributes].index(targets[0])
    n_labels = len(piece.attributes[place].values)
    Y = piece.columns[place][:, None] == np.arange(n_labels)[None, :]
    return Y, Y.any(axis=1)


class _Column:
    """Counts the values of one attribute, piece by piece."""

    def __init__(self, attribute: Attribute) -> None:
        self._attribute = attribute
        self._n_known = 0
        self._of_value = np.zeros(len(attribute.values), np.int64)
        self._numbers: Floats | None = np.zeros(0)
        self._low, self._high = inf, -inf
        self._texts: Counter[str] | None = Counter()

    def add(self, values: NDArray[np.generic]) -> None:
        """Count some rows."""
        if self._attribute.type == "nominal":
            self._add_codes(values.astype(np.int64))
        elif self._attribute.type in ("numeric", "date"):
            self._add_numbers(values.astype(np.float64))
        else:
            self._add_texts([value for value in values.tolist() if value is not None])

    def summary(self, n_rows: int) -> AttributeSummary:
        """Return what was counted, of so many rows in all."""
        missing = n_rows - self._n_known
        if self._attribute.type == "nominal":
            return self._of_labels(missing)
        if self._attribute.type in ("numeric", "date"):
            return self._of_numbers(missing)
        texts = self._texts
        distinct = None if texts is None else len(texts)
        if self._attribute.type == "relational":  # each value is a table of its own
            return AttributeSummary(self._attribute, missing, self._n_known)
        frequent = () if texts is None else tuple(texts.most_common(_FREQUENT))
        return AttributeSummary(self._attribute, missing, distinct, frequent=frequent)

    def _add_codes(self, codes: Integers) -> None:
        known = codes[codes >= 0]
        self._n_known += len(known)
        self._of_value += np.bincount(known, minlength=len(self._of_value))

    def _add_numbers(self, numbers: Floats) -> None:
        known = numbers[~np.isnan(numbers)]
        self._n_known += len(known)
        if not len(known):
            return
        self._low = min(self._low, float(known.min()))
        self._high = max(self._high, float(known.max()))
        if self._numbers is not None:
            self._numbers = np.union1d(self._numbers, known)
            if len(self._numbers) > MOST_COUNTED:
                self._numbers = None

    def _add_texts(self, texts: list[str]) -> None:
        self._n_known += len(texts)
        if self._texts is not None and self._attribute.type == "string":
            self._texts.update(texts)
            if len(self._texts) > MOST_COUNTED:
                self._texts = None

    def _of_labels(self, missing: int) -> AttributeSummary:
        order = np.argsort(-self._of_value, kind="stable")[:_FREQUENT].tolist()
        return AttributeSummary(
            self._attribute,
            missing,
            int((self._of_value > 0).sum()),
            frequent=tuple(
                (self._attribute.values[j], int(self._of_value[j]))
                for j in order
                if self._of_value[j]
            ),
            rare=int(((self._of_value > 0) & (self._of_value <= RARE)).sum()),
            is_identifier=is_identifier(self._of_value),
        )

    def _of_numbers(self, missing: int) -> AttributeSummary:
        distinct = None if self._numbers is None else len(self._numbers)
        span = (self._low, self._high) if self._n_known else None
        is_row_number = bool(
            self._attribute.type == "numeric"
            and missing == 0
            and self._numbers is not None
            and self._n_known == len(self._numbers) > FEW_VALUES
            and self._high - self._low == self._n_known - 1
            and (self._numbers == np.floor(self._numbers)).all()
        )
        return AttributeSummary(
            self._attribute, missing, distinct, span, is_identifier=is_row_number
        )
