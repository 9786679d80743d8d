"""What the attributes of data are like, before anything is learned: types, values, what is missing.

Data are gone through once, a piece at a time, so that they may be of any size.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING
from warnings import warn

import numpy as np

from widc_arff.data.label_sets import label_matrix_of
from widc_arff.data.schema import ignoring
from widc_arff.errors import WidcWarning, counted_in_words

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
MANY_LABELS = 100
"""A class of so many labels is told."""
MOST_CHANCE_TWINS = 10.0
"""Whole numbers of a range in which chance alone would make so many pairs equal are no measures."""
FEWEST_NUMBERED = 100
"""Of fewer rows training does not say that whole numbers look like row numbers: steps, days and
counts of a small table may all differ.  `describe` does."""
_LOOKED_AT = 4096
_FREQUENT = 20
_NAMED = 20
_ID = re.compile(r"(?:^|[^A-Za-z]|(?<=[a-z])(?=I))(?:id|ID|Id)$")
"""Names such as id, customer_id, PassengerId, row ID; not acid or grid."""


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
    def why_identifier(self) -> str:
        """What makes it look like an identifier, in words."""
        if self.attribute.type == "nominal":
            return f"{self.rare:,} of {self.distinct:,} values occur in one or two rows"
        if self.span is not None and self.span[1] - self.span[0] + 1 == self.distinct:
            return "each whole number in its range occurs once"
        return "a different whole number in each row"

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
        Accept label attributes that hold counts, as `label_matrix_of` does.

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
    the rows have such a value.  A rule on it describes the rows that it was learned from and no
    others.

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


def are_row_numbers(name: str, span: tuple[float, float], n_rows: int) -> bool:
    """Tell whether a different whole number in each row, look like numbers of the rows.

    They do if chance alone would hardly leave them all different: n measures, spread evenly over a
    range of r whole numbers, make about n (n - 1) / 2r pairs of equal ones, and more where they are
    not spread evenly.  Ten or more are expected, or as many as where the numbers fill their range.
    Numbers with wider gaps do if their name says so.

    Parameters
    ----------
    name : str
        Name of the attribute.
    span : tuple of float
        Least and largest number.
    n_rows : int
        How many rows there are.
    """
    size = span[1] - span[0] + 1
    twins = n_rows * (n_rows - 1) / 2 / size
    is_dense = twins >= min(MOST_CHANCE_TWINS, (n_rows - 1) / 2)
    return n_rows > FEW_VALUES and (is_dense or _ID.search(name) is not None)


def _may_be_row_numbers(name: str, numbers: Floats) -> bool:
    """Tell, without sorting them all, whether `are_row_numbers` may hold of a numeric column.

    Of few rows it does only where the name says so.
    """
    if len(numbers) <= FEW_VALUES or not _are_different(numbers[:_LOOKED_AT]):
        return False
    is_clear = len(numbers) >= FEWEST_NUMBERED or _ID.search(name) is not None
    if not is_clear or not _are_whole(numbers):
        return False
    return are_row_numbers(name, (float(numbers.min()), float(numbers.max())), len(numbers))


def _are_different(numbers: Floats) -> bool:
    """Tell whether all are finite whole numbers, no two of them equal."""
    return _are_whole(numbers) and len(np.unique(numbers)) == len(numbers)


def _are_whole(numbers: Floats) -> bool:
    """Tell whether all are finite whole numbers."""
    return bool((np.isfinite(numbers) & (numbers == np.floor(numbers))).all())


def identifiers(dataset: Dataset) -> list[AttributeSummary]:
    """Return the attributes of a data set that look like names or numbers of rows.

    See `is_identifier` and `are_row_numbers`.
    """
    found = []
    for i, attribute in enumerate(dataset.schema.attributes):
        if attribute.type == "nominal":
            is_candidate = len(attribute.values) > FEW_VALUES
        else:
            is_candidate = attribute.type == "numeric" and _may_be_row_numbers(
                attribute.name, np.asarray(dataset.columns[i])
            )
        if is_candidate:
            column = _Column(attribute)
            column.add(dataset.columns[i])
            summary = column.summary(dataset.n_samples)
            if summary.is_identifier:
                found.append(summary)
    return found


def warn_of_identifiers(dataset: Dataset, source: str = "", advice: str = "") -> None:
    """Warn of attributes that look like names or numbers of rows, and of a class of many labels.

    Parameters
    ----------
    dataset : Dataset
        What is learned from.
    source : str
        Where it comes from; begins the warning.
    advice : str
        How to leave attributes out; by default the option of the command line.
    """
    place = f"{source}: " if source else ""
    classes = _many_labels(dataset)
    if classes:
        other = "" if advice else "; --class NAME takes another attribute as the class"
        warn(f"{place}{classes}{other}", WidcWarning, stacklevel=2)
    found = identifiers(dataset)
    if found:
        advice = advice or f"{ignoring(s.attribute for s in found)} leaves {_them(found)} out"
        warn(f"{place}{identifiers_in_words(found)}; {advice}", WidcWarning, stacklevel=2)


def _many_labels(dataset: Dataset) -> str:
    """Return in words that a class has very many labels, or rare ones; else an empty text."""
    labels = dataset.schema.labels
    if labels.are_sets or len(labels.values) <= FEW_VALUES:
        return ""
    counts = dataset.Y.sum(axis=0)
    n_labels, n_rare = int((counts > 0).sum()), int(((counts > 0) & (counts <= RARE)).sum())
    if n_labels < MANY_LABELS and not is_identifier(counts):
        return ""
    rare = f", {n_rare:,} of them in only one or two rows" if n_rare else ""
    rows = counted_in_words(int(counts.sum()), "row")
    return f"the class {labels.attributes[0]!r} has {n_labels:,} labels in {rows}{rare}"


def identifiers_in_words(found: Sequence[AttributeSummary]) -> str:
    """Return what attributes look like identifiers and why, without a full stop."""
    attributes = [f"{s.attribute.name!r} ({s.why_identifier})" for s in found[:_NAMED]]
    if len(found) > _NAMED:
        attributes.append(f"{len(found) - _NAMED} more")
    *first, last = attributes
    names = f"{', '.join(first)} and {last}" if first else last
    what = (
        "attributes {} look like identifiers" if first else "attribute {} looks like an identifier"
    )
    return f"{what.format(names)}: rules on {_them(found)} will not work for new rows"


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
            and self._n_known == len(self._numbers)
            and span is not None
            and _are_whole(self._numbers)
            and are_row_numbers(self._attribute.name, span, self._n_known)
        )
        return AttributeSummary(
            self._attribute, missing, distinct, span, is_identifier=is_row_number
        )
