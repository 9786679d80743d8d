"""The columns as small codes, and the catalogue of literals over them.

A numeric value becomes the number of cut points below it, so that ``a <= cut[t]`` is
``code <= t``.  A missing value has the highest code of its group.  Attributes of one kind and a
similar number of codes share one matrix, so that one pass counts them together.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from widc_arff.arff.columns import code_dtype
from widc_arff.induction.sample.views import ABOVE, AT_MOST, EQUAL, UNEQUAL, CodeUse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.sample.learning_sample import LearningSample
    from widc_arff.induction.sample.views import View
    from widc_arff.model.literals import Literal, Monomial

FEW_ROWS, FEW_CODES = 2000, 16
RARE_SHARE, SPARSE_CELLS = 0.2, 1 << 19
"""Attributes of two codes of which one has less than this share are counted apart, by the rarer
code alone, where these attributes have so many values in all."""

FEW_LITERALS = 16
"""Up to so many literals of one attribute are looked at one by one."""

Chain = tuple[int, ...]
"""A monomial as indices of literals in the catalogue, in the order in which they were added."""

NOWHERE = (-1, -1)


@dataclass(frozen=True, slots=True, eq=False)
class CodeGroup:
    """Attributes of one kind that are counted together.

    Parameters
    ----------
    numeric : bool
        Whether the codes are ordered.
    n_codes : int
        B, above every code; missing values have the code B - 1.
    has_missing : bool
        Whether some value is missing.
    rare : ndarray of shape (n_group,) or None
        The rarer code of each attribute, where all have two and one of them is rare.
    codes : ndarray of uint8 or uint16 of shape (n_group, n_samples)
        One row per attribute.
    plain : ndarray of int64 of shape (n,)
        Indices in the catalogue of the literals ``=`` or ``<=``; of a two-valued attribute the
        first only.
    cells : ndarray of int64 of shape (n,)
        Where these stand in an array of shape (n_group, B), flattened; increasing.
    complement : ndarray of int64 of shape (m,)
        Indices in the catalogue of their negations, where there are any.
    paired : ndarray of int64 of shape (m,)
        Positions in `plain` of what these negate.
    """

    numeric: bool
    n_codes: int
    has_missing: bool
    rare: NDArray[np.generic] | None
    codes: NDArray[np.generic]
    plain: Integers
    cells: Integers
    complement: Integers
    paired: Integers

    def cells_of(self, attributes: slice) -> slice:
        """Return which of the cells are of these attributes."""
        ends = (attributes.start * self.n_codes, attributes.stop * self.n_codes)
        return slice(*np.searchsorted(self.cells, ends).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """All admissible literals in the order that breaks ties (I5).

    Parameters
    ----------
    column, operator, code : ndarray of int64 of shape (n_literals,)
        Which column of codes is tested, the operator as a position in `OPERATORS`, and the code.
    negation : ndarray of int64 of shape (n_literals,)
        Index of the negation of each literal; for a two-valued attribute the other value (I4).
        Where there is none, because negations are not wanted, the literal itself.
    places : tuple of (int, int)
        Group and row in the group of each column; `NOWHERE` for one without literals.
    n_values : tuple of int
        Number of codes of each column, missing values not counted.
    views : tuple of View
        What the codes of each column say.
    """

    column: Integers
    operator: Integers
    code: Integers
    negation: Integers
    places: tuple[tuple[int, int], ...]
    n_values: tuple[int, ...]
    views: tuple[View, ...]

    def __len__(self) -> int:
        return len(self.column)

    @property
    def n_variables(self) -> int:
        """Number of Boolean variables: pairs of a literal and its negation (I12)."""
        return int((self.negation >= np.arange(len(self))).sum())

    def tests(self, attribute: int) -> Bools:
        """Return which literals test an attribute of the schema, shape (n_literals,)."""
        own = np.array([view.attribute == attribute for view in self.views], np.bool_)
        return own[self.column]

    def in_order(self, monomial: Chain) -> Chain:
        """Return the literals of a monomial in the order of the attributes."""
        columns = self.column
        return tuple(sorted(monomial, key=lambda i: (self.views[int(columns[i])].attribute, i)))

    def literal(self, index: int) -> Literal:
        """Return a literal of the catalogue as a value of its own."""
        view = self.views[int(self.column[index])]
        return view.literal(int(self.operator[index]), int(self.code[index]))

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
    weights: Floats | None
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

    @property
    def codes_of_attributes(self) -> list[NDArray[np.generic]]:
        """The codes of each attribute, group by group; those of its other views follow from these.

        Arrays of shape (n_attributes, n_samples).
        """
        rows: list[list[int]] = [[] for _ in self.groups]
        for group, row in self._first_places():
            rows[group].append(row)
        return [
            group.codes if len(own) == len(group.codes) else group.codes[sorted(own)]
            for group, own in zip(self.groups, rows, strict=True)
        ]

    @property
    def codes_in_order(self) -> list[NDArray[np.generic]]:
        """The codes of each attribute, in the order of the attributes, shape (n_samples,) each."""
        return [self.groups[group].codes[row] for group, row in self._first_places()]

    def _first_places(self) -> list[tuple[int, int]]:
        """Return where the codes of the first view of each attribute stand."""
        first: dict[int, tuple[int, int]] = {}
        for view, place in zip(self.catalogue.views, self.catalogue.places, strict=True):
            if place != NOWHERE:
                first.setdefault(view.attribute, place)
        return [first[a] for a in sorted(first)]

    def take(self, rows: Bools | Integers | slice) -> CodedSample:
        """Return some of the rows, under the same catalogue."""
        groups = tuple(replace(group, codes=group.codes[:, rows]) for group in self.groups)
        weights = None if self.weights is None else self.weights[rows]
        given = None if self.given_votes is None else self.given_votes[:, rows]
        labels = self.labels[rows]
        return replace(self, groups=groups, labels=labels, weights=weights, given_votes=given)

    def with_rows(
        self,
        codes: Sequence[NDArray[np.generic]],
        labels: NDArray[np.generic],
        weights: Floats,
    ) -> CodedSample:
        """Return other rows under the same catalogue; the codes are given group by group."""
        groups = tuple(replace(g, codes=c) for g, c in zip(self.groups, codes, strict=True))
        held = None if (weights == 1).all() else weights
        return replace(self, groups=groups, labels=labels, weights=held)

    def with_given(self, votes: NDArray[np.int16]) -> CodedSample:
        """Return the same examples with votes of rules that are given."""
        return replace(self, given_votes=votes)

    def satisfying(self, index: int) -> Bools:
        """Return which rows satisfy one literal, shape (n_samples,)."""
        group, row = self.catalogue.places[int(self.catalogue.column[index])]
        return holds(self, index, self.groups[group].codes[row])

    def satisfying_all(self, monomial: tuple[int, ...]) -> Bools:
        """Return which rows satisfy a monomial, shape (n_samples,)."""
        return hold_all(self, monomial, [group.codes for group in self.groups], self.n_samples)


def holds(sample: CodedSample, index: int, codes: NDArray[np.generic]) -> Bools:
    """Return where codes of the literal's column satisfy the literal; missing ones never do."""
    catalogue = sample.catalogue
    group = sample.groups[catalogue.places[int(catalogue.column[index])][0]]
    operator, code = int(catalogue.operator[index]), catalogue.code[index].astype(codes.dtype)
    if operator == EQUAL:
        return np.asarray(codes == code)
    if operator == AT_MOST:
        return np.asarray(codes <= code)
    satisfied = codes != code if operator == UNEQUAL else codes > code
    return satisfied & (codes != group.n_codes - 1) if group.has_missing else np.asarray(satisfied)


def hold_all(
    sample: CodedSample, monomial: Chain, codes: Sequence[NDArray[np.generic]], n_rows: int
) -> Bools:
    """Return which rows satisfy a monomial, from their codes group by group, shape (n_rows,).

    Of many literals of one column it is looked up which codes satisfy them all.
    """
    catalogue = sample.catalogue
    of_columns: dict[int, list[int]] = {}
    for literal in monomial:
        of_columns.setdefault(int(catalogue.column[literal]), []).append(literal)
    covered = np.ones(n_rows, np.bool_)
    for column, literals in of_columns.items():
        group, row = catalogue.places[column]
        own = codes[group][row]
        if len(literals) <= FEW_LITERALS:
            for literal in literals:
                covered &= holds(sample, literal, own)
        else:
            every = np.arange(sample.groups[group].n_codes, dtype=own.dtype)
            fine = np.ones(len(every), np.bool_)
            for literal in literals:
                fine &= holds(sample, literal, every)
            covered &= fine[own]
    return covered


def code_sample(
    sample: LearningSample,
    seen: Sequence[tuple[View, CodeUse]],
    *,
    negation: bool = True,
    presence: bool = False,
) -> CodedSample:
    """Return a learning sample in codes, with the catalogue of its literals.

    Parameters
    ----------
    sample : LearningSample
        The examples.
    seen : sequence of (View, CodeUse)
        The columns of codes, and how often the codes of each occur.
    negation : bool
        Whether there are literals with ``!=``.
    presence : bool
        Whether there is a literal for an attribute of one label that some examples have.
    """
    columns: list[NDArray[Any]] = []
    zeros = np.zeros(len(sample.weights), np.int8)  # of all columns that hold one code alone
    for view, use in seen:
        codes = view.codes(sample.columns[view.attribute])
        columns.append(codes.astype(code_dtype(use.n_values)) if codes.any() else zeros)
    labels, n_labels = _label_codes(sample)
    frame = empty_sample(seen, len(labels), negation=negation, presence=presence)
    frame = replace(frame, n_labels=n_labels, example_weight=sample.example_weight)
    return frame.with_rows(codes_by_group(frame, columns), labels, sample.weights)


def empty_sample(
    seen: Sequence[tuple[View, CodeUse]],
    n_samples: int,
    *,
    negation: bool = True,
    presence: bool = False,
) -> CodedSample:
    """Return a sample without rows: groups and catalogue for examples that use codes so.

    Parameters
    ----------
    seen : sequence of (View, CodeUse)
        As in `code_sample`.
    n_samples : int
        Number of all examples.
    negation, presence : bool
        As in `code_sample`.
    """
    views, uses = [view for view, _ in seen], [use for _, use in seen]
    nominal = [not view.is_ordered for view in views]
    catalogue_rows = []
    for a, use in enumerate(uses):
        operators = [AT_MOST, ABOVE]
        if nominal[a]:
            operators = [EQUAL, UNEQUAL] if negation and use.n_values != 2 else [EQUAL]
        literals = _literals_of(a, views[a], use, operators)
        if presence and nominal[a] and not literals and use.has_missing:
            # the one label that occurs; its negation holds for no example
            literals = [(a, EQUAL, int(code)) for code in np.flatnonzero(use.weights)]
        catalogue_rows += literals
    used = sorted({column for column, _, _ in catalogue_rows})
    grouped = _grouped(uses, used, nominal, n_samples)
    places = [NOWHERE] * len(uses)
    for g, (_, members) in enumerate(grouped):
        for row, a in enumerate(members):
            places[a] = (g, row)
    table = np.array(catalogue_rows, np.int64).reshape(-1, 3)
    n_values = tuple(use.n_values for use in uses)
    catalogue = Catalogue(
        table[:, 0],
        table[:, 1],
        table[:, 2],
        _negations(table, n_values),
        tuple(places),
        n_values,
        tuple(views),
    )
    groups = tuple(
        _group(kind, uses, members, g, catalogue) for g, (kind, members) in enumerate(grouped)
    )
    return CodedSample(groups, catalogue, np.zeros(0, np.int64), 0, None, 1.0)


def codes_by_group(
    frame: CodedSample, columns: Sequence[NDArray[np.integer]]
) -> list[NDArray[np.generic]]:
    """Return the codes of some rows as the groups of a frame hold them, from -1 for missing."""
    n_rows = len(columns[0]) if columns else 0
    matrices = [np.empty((len(group.codes), n_rows), group.codes.dtype) for group in frame.groups]
    for place, codes in zip(frame.catalogue.places, columns, strict=True):
        if place != NOWHERE:
            g, row = place
            matrices[g][row] = codes
            matrices[g][row][codes < 0] = frame.groups[g].n_codes - 1
    return matrices


class _Kind(NamedTuple):
    """What the attributes of a group share."""

    numeric: bool
    n_codes: int
    has_missing: bool
    sparse: bool


def _grouped(
    uses: Sequence[CodeUse], used: list[int], nominal: list[bool], n_samples: int
) -> list[tuple[_Kind, list[int]]]:
    """Return the kind of each group with its attributes, of those that are used.

    Groups of one kind differ in the number of codes by less than a factor of two, so that few cells
    are wasted; with few rows and few codes fewer groups, and so fewer calls, matter more.
    """
    sparse = {a for a in used if _is_sparse(uses[a])}
    if len(sparse) * n_samples < SPARSE_CELLS:
        sparse = set()
    grouped = defaultdict(list)
    for a in used:
        use = uses[a]
        few = n_samples <= FEW_ROWS and use.n_codes <= FEW_CODES and a not in sparse
        bits = (FEW_CODES if few else use.n_codes - 1).bit_length()
        grouped[not nominal[a], bits, few or use.has_missing, a in sparse].append(a)
    groups = []
    for (numeric, _, _, is_sparse), members in grouped.items():
        has_missing = any(uses[a].has_missing for a in members)
        n_codes = max(2, max(uses[a].n_values for a in members) + has_missing)
        groups.append((_Kind(numeric, n_codes, has_missing, is_sparse), members))
    return groups


def _is_sparse(use: CodeUse) -> bool:
    """Tell whether there are two codes, one of them rare."""
    two = use.n_values == 2 and not use.has_missing
    return two and bool(use.weights.min() < RARE_SHARE * use.weights.sum())


def _literals_of(
    column: int, view: View, use: CodeUse, operators: list[int]
) -> list[tuple[int, int, int]]:
    """Return the admissible literals of one column: (column, operator, code).

    Left out are those that hold for no example or for all that are known (I3).  A literal and its
    negation are admissible together.
    """
    counts = use.weights
    holding = counts if EQUAL in operators else np.cumsum(counts)
    admissible = np.flatnonzero((holding > 0) & (holding < counts.sum()) & view.says_more)
    return [(column, operator, int(code)) for operator in operators for code in admissible]


def _negations(table: Integers, n_values: Sequence[int]) -> Integers:
    position = {tuple(row): i for i, row in enumerate(table.tolist())}
    opposite = {UNEQUAL: EQUAL, AT_MOST: ABOVE, ABOVE: AT_MOST}
    negations = np.empty(len(table), np.int64)
    for i, (column, operator, code) in enumerate(table.tolist()):
        negation = (column, opposite.get(operator, UNEQUAL), code)
        if operator == EQUAL and negation not in position:
            two_valued = n_values[column] == 2
            negation = (column, EQUAL, 1 - code if two_valued else code)
        negations[i] = position.get(negation, i)
    return negations


def _group(
    kind: _Kind, uses: Sequence[CodeUse], members: list[int], number: int, catalogue: Catalogue
) -> CodeGroup:
    """Return a group without rows."""
    numeric, n_codes, has_missing, sparse = kind
    dtype = np.uint8 if n_codes <= 256 else np.uint16
    rare = np.array([uses[a].weights.argmin() for a in members], dtype) if sparse else None
    places = np.array(catalogue.places).reshape(-1, 2)[catalogue.column]
    here = places[:, 0] == number
    # The second value of a two-valued attribute is what the first is not.
    second = (catalogue.operator == EQUAL) & (catalogue.operator[catalogue.negation] == EQUAL)
    second &= catalogue.negation < np.arange(len(catalogue))
    is_plain = np.isin(catalogue.operator, (EQUAL, AT_MOST)) & ~second
    plain, complement = np.flatnonzero(here & is_plain), np.flatnonzero(here & ~is_plain)
    cells = places[plain, 1] * n_codes + catalogue.code[plain]
    paired = np.searchsorted(plain, catalogue.negation[complement])
    codes = np.empty((len(members), 0), dtype)
    return CodeGroup(numeric, n_codes, has_missing, rare, codes, plain, cells, complement, paired)


def _label_codes(sample: LearningSample) -> tuple[NDArray[np.generic], int]:
    """Return class codes over the present classes, or the label matrix for label sets."""
    present = sample.Y.any(axis=0)
    Y = sample.Y[:, present]
    if (Y.sum(axis=1) == 1).all():
        return Y.argmax(axis=1), Y.shape[1]
    return Y, Y.shape[1]
