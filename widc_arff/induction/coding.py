"""The columns as small codes, and the catalogue of literals over them.

A numeric value becomes the number of cut points below it, so that ``a <= cut[t]`` is
``code <= t``.  A missing value has the highest code of its group.  Attributes of one kind and a
similar number of codes share one matrix, so that one pass counts them together.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.literals import OPERATORS, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.dataset import Schema
    from widc_arff.induction.sample import LearningSample
    from widc_arff.literals import Monomial

FEW_ROWS, FEW_CODES = 2000, 16

EQUAL, UNEQUAL, AT_MOST, ABOVE = range(4)
"""Positions in `OPERATORS`."""


@dataclass(frozen=True, slots=True, eq=False)
class CodeGroup:
    """Attributes of one kind that are counted together.

    Parameters
    ----------
    numeric : bool
        Whether the codes are ordered.
    n_codes : int
        B, a power of two above every code; missing values have the code B - 1.
    has_missing : bool
        Whether some value is missing.
    codes : ndarray of uint8 or uint16 of shape (n_group, n_samples)
        One row per attribute.
    plain, complement : ndarray of int64 of shape (n,)
        Indices in the catalogue of the literals ``=`` or ``<=``, and of those ``!=`` or ``>``.
    plain_cells, complement_cells : ndarray of int64 of shape (n,)
        Where these stand in an array of shape (n_group, B), flattened.
    """

    numeric: bool
    n_codes: int
    has_missing: bool
    codes: NDArray[np.generic]
    plain: NDArray[np.int64]
    plain_cells: NDArray[np.int64]
    complement: NDArray[np.int64]
    complement_cells: NDArray[np.int64]

    @property
    def shape(self) -> tuple[int, int]:
        """Number of attributes and of codes."""
        return len(self.codes), self.n_codes


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """All admissible literals in the order that breaks ties (I5).

    Parameters
    ----------
    attribute, operator, code : ndarray of int64 of shape (n_literals,)
        The operator as a position in `OPERATORS`.
    negation : ndarray of int64 of shape (n_literals,)
        Index of the negation of each literal; for a two-valued attribute the other value (I4).
        Where there is none, because negations are not wanted, the literal itself.
    places : tuple of (int, int)
        Group and row in the group of each attribute.
    n_values : tuple of int
        Number of codes of each attribute, missing values not counted.
    cuts : tuple of ndarray
        Cut points of each attribute, empty for nominal ones.
    """

    attribute: NDArray[np.int64]
    operator: NDArray[np.int64]
    code: NDArray[np.int64]
    negation: NDArray[np.int64]
    places: tuple[tuple[int, int], ...]
    n_values: tuple[int, ...]
    cuts: tuple[NDArray[np.float64], ...]

    def __len__(self) -> int:
        return len(self.attribute)

    @property
    def n_variables(self) -> int:
        """Number of Boolean variables: pairs of a literal and its negation (I12)."""
        return int((self.negation >= np.arange(len(self))).sum())

    def literal(self, index: int) -> Literal:
        """Return a literal of the catalogue as a value of its own."""
        attribute, code = int(self.attribute[index]), int(self.code[index])
        operator = int(self.operator[index])
        value = code if operator in (EQUAL, UNEQUAL) else float(self.cuts[attribute][code])
        return Literal(attribute, OPERATORS[operator], value)

    def monomial(self, chain: Sequence[int]) -> Monomial:
        """Return literals of the catalogue as a monomial."""
        return tuple(self.literal(i) for i in chain)


@dataclass(frozen=True, slots=True, eq=False)
class CodedSample:
    """A learning sample in codes: all that stage 1 sees.

    Parameters
    ----------
    groups : tuple of CodeGroup
        The columns.
    catalogue : Catalogue
        The literals.
    labels : ndarray of shape (n_samples,) or (n_samples, n_labels)
        Class codes from 0 to n_labels - 1 (int64), or a label matrix (bool).
    n_labels : int
        Number of classes.
    weights : ndarray of float64 of shape (n_samples,) or None
        Whole numbers; None where all are 1.
    example_weight : float
        Weight of one quantum in examples.
    given_votes : ndarray of int16 of shape (n_labels, n_samples) or None
        Summed votes of rules that are not learned but given.
    """

    groups: tuple[CodeGroup, ...]
    catalogue: Catalogue
    labels: NDArray[np.generic]
    n_labels: int
    weights: NDArray[np.float64] | None
    example_weight: float
    given_votes: NDArray[np.int16] | None = None

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return len(self.labels)

    @property
    def total_weight(self) -> float:
        """Sum of the weights in quanta."""
        return float(self.n_samples if self.weights is None else self.weights.sum())

    def take(self, rows: NDArray[np.bool_]) -> CodedSample:
        """Return some of the rows, under the same catalogue."""
        groups = tuple(replace(group, codes=group.codes[:, rows]) for group in self.groups)
        weights = None if self.weights is None else self.weights[rows]
        given = None if self.given_votes is None else self.given_votes[:, rows]
        labels = self.labels[rows]
        return replace(self, groups=groups, labels=labels, weights=weights, given_votes=given)

    def satisfying(self, index: int) -> NDArray[np.bool_]:
        """Return which rows satisfy one literal, shape (n_samples,)."""
        group, row = self.catalogue.places[int(self.catalogue.attribute[index])]
        return holds(self, index, self.groups[group].codes[row])


def holds(sample: CodedSample, index: int, codes: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return where codes of the literal's attribute satisfy the literal; missing ones never do."""
    catalogue = sample.catalogue
    group = sample.groups[catalogue.places[int(catalogue.attribute[index])][0]]
    operator, code = int(catalogue.operator[index]), catalogue.code[index].astype(codes.dtype)
    if operator == EQUAL:
        return np.asarray(codes == code)
    if operator == AT_MOST:
        return np.asarray(codes <= code)
    satisfied = codes != code if operator == UNEQUAL else codes > code
    return satisfied & (codes != group.n_codes - 1) if group.has_missing else np.asarray(satisfied)


def code_sample(
    sample: LearningSample,
    schema: Schema,
    cuts: Sequence[NDArray[np.float64]],
    *,
    negation: bool = True,
) -> CodedSample:
    """Return a learning sample in codes, with the catalogue of its literals.

    Parameters
    ----------
    sample : LearningSample
        The examples.
    schema : Schema
        Attributes of the columns.
    cuts : sequence of ndarray
        Increasing cut points of each attribute, empty for nominal ones.
    negation : bool
        Whether there are literals with ``!=``.
    """
    columns = [
        _code_nominal(column, len(attribute.values))
        if attribute.type == "nominal"
        else _code_numeric(np.asarray(column, np.float64), cuts[a])
        for a, (attribute, column) in enumerate(zip(schema.attributes, sample.columns, strict=True))
    ]
    catalogue_rows = []
    for a, (attribute, column) in enumerate(zip(schema.attributes, columns, strict=True)):
        operators = [AT_MOST, ABOVE]
        if attribute.type == "nominal":
            operators = [EQUAL, UNEQUAL] if negation and column.n_values != 2 else [EQUAL]
        catalogue_rows += _literals_of(a, column, operators, sample.weights)
    grouped = _grouped(columns, [a.type != "nominal" for a in schema.attributes])
    places = [(0, 0)] * len(columns)
    for g, (_, members) in enumerate(grouped):
        for row, a in enumerate(members):
            places[a] = (g, row)
    table = np.array(catalogue_rows, np.int64).reshape(-1, 3)
    n_values = tuple(column.n_values for column in columns)
    catalogue = Catalogue(
        table[:, 0],
        table[:, 1],
        table[:, 2],
        _negations(table, n_values),
        tuple(places),
        n_values,
        tuple(cuts),
    )
    groups = tuple(
        _group(key, [columns[a] for a in members], g, catalogue)
        for g, (key, members) in enumerate(grouped)
    )
    labels, n_labels = _label_codes(sample)
    return CodedSample(
        groups,
        catalogue,
        labels,
        n_labels,
        None if (sample.weights == 1).all() else sample.weights,
        sample.example_weight,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _CodedColumn:
    codes: NDArray[np.int64]  # -1 for missing
    n_values: int
    has_missing: bool

    @property
    def n_codes(self) -> int:
        needed = self.n_values + self.has_missing
        return 2 << max(0, (needed - 1).bit_length() - 1)


def _grouped(
    columns: list[_CodedColumn], numeric: list[bool]
) -> list[tuple[tuple[bool, int, bool], list[int]]]:
    """Return (numeric, n_codes, has_missing) of each group with its attributes.

    Groups of one kind differ in the number of codes, so that no cells are wasted; with few rows and
    few codes fewer groups, and so fewer calls, matter more.
    """
    small = len(columns) > 0 and len(columns[0].codes) <= FEW_ROWS
    grouped = defaultdict(list)
    for a, column in enumerate(columns):
        few = small and column.n_codes <= FEW_CODES
        grouped[numeric[a], FEW_CODES if few else column.n_codes, few or column.has_missing].append(
            a
        )
    groups = []
    for (kind, _, _), members in grouped.items():
        n_codes = max(columns[a].n_codes for a in members)
        has_missing = any(columns[a].has_missing for a in members)
        full = any(columns[a].n_values == n_codes for a in members)
        n_codes = 2 * n_codes if has_missing and full else n_codes
        groups.append(((kind, n_codes, has_missing), members))
    return groups


def _code_nominal(column: NDArray[np.generic], n_values: int) -> _CodedColumn:
    codes = column.astype(np.int64)
    return _CodedColumn(codes, n_values, bool((codes < 0).any()))


def _code_numeric(column: NDArray[np.float64], cuts: NDArray[np.float64]) -> _CodedColumn:
    missing = np.isnan(column)
    codes = np.searchsorted(cuts, column, side="left")
    codes[missing] = -1
    return _CodedColumn(codes, len(cuts) + 1, bool(missing.any()))


def _literals_of(
    attribute: int, column: _CodedColumn, operators: list[int], weights: NDArray[np.float64]
) -> list[tuple[int, int, int]]:
    """Return the admissible literals of one attribute: (attribute, operator, code).

    Left out are those that hold for no example or for all that are known (I3).  A literal and its
    negation are admissible together.
    """
    known = column.codes >= 0
    counts = np.bincount(column.codes[known], weights[known], minlength=column.n_values)
    holding = counts if EQUAL in operators else np.cumsum(counts)
    admissible = np.flatnonzero((holding > 0) & (holding < counts.sum()))
    return [(attribute, operator, int(code)) for operator in operators for code in admissible]


def _negations(table: NDArray[np.int64], n_values: Sequence[int]) -> NDArray[np.int64]:
    position = {tuple(row): i for i, row in enumerate(table.tolist())}
    opposite = {UNEQUAL: EQUAL, AT_MOST: ABOVE, ABOVE: AT_MOST}
    negations = np.empty(len(table), np.int64)
    for i, (attribute, operator, code) in enumerate(table.tolist()):
        negation = (attribute, opposite.get(operator, UNEQUAL), code)
        if operator == EQUAL and negation not in position:
            two_valued = n_values[attribute] == 2
            negation = (attribute, EQUAL, 1 - code if two_valued else code)
        negations[i] = position[negation]
    return negations


def _group(
    key: tuple[bool, int, bool], columns: list[_CodedColumn], number: int, catalogue: Catalogue
) -> CodeGroup:
    numeric, n_codes, has_missing = key
    dtype = np.uint8 if n_codes <= 256 else np.uint16
    codes = np.empty((len(columns), len(columns[0].codes)), dtype)
    for row, column in enumerate(columns):
        codes[row] = np.where(column.codes < 0, n_codes - 1, column.codes)
    places = np.array(catalogue.places)[catalogue.attribute]
    here = places[:, 0] == number if len(catalogue) else np.zeros(0, np.bool_)
    is_plain = np.isin(catalogue.operator, (EQUAL, AT_MOST))
    plain, complement = np.flatnonzero(here & is_plain), np.flatnonzero(here & ~is_plain)
    cells = places[:, 1] * n_codes + catalogue.code if len(catalogue) else np.zeros(0, np.int64)
    return CodeGroup(
        numeric, n_codes, has_missing, codes, plain, cells[plain], complement, cells[complement]
    )


def _label_codes(sample: LearningSample) -> tuple[NDArray[np.generic], int]:
    """Return class codes over the present classes, or the label matrix for label sets."""
    present = sample.Y.any(axis=0)
    Y = sample.Y[:, present]
    if (Y.sum(axis=1) == 1).all():
        return Y.argmax(axis=1), Y.shape[1]
    return Y, Y.shape[1]
