"""What workers do with files: scan them for counts, then keep their rows as codes.

A file is read twice, a piece at a time, so that nothing of it is held but the distinct values of
each attribute while they are counted, and the codes afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.arff.spans import read_span
from widc_arff.data.dataset import Dataset
from widc_arff.errors import DataError, OptionError
from widc_arff.induction.preparing import given_cuts
from widc_arff.induction.sample.coding import (
    CodedSample,
    CodeUse,
    codes_by_group,
)
from widc_arff.induction.sample.cut_points import (
    ValueCounter,
    ValueCounts,
    candidate_cuts,
    merged_counts,
)
from widc_arff.induction.sample.learning_sample import (
    RowSurvey,
    class_weights,
    in_quanta,
    rows_that_count,
)
from widc_arff.induction.sample.views import plain_view
from widc_arff.model.axes import ends_between

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute
    from widc_arff.arff.spans import Span
    from widc_arff.arrays import Bools, Floats
    from widc_arff.data.dataset import Schema
    from widc_arff.options import Options

MOST_VALUES = 250_000
"""Distinct values of an attribute that are counted with their classes."""

_MERGED_FROM = 1 << 16


class FilePart(NamedTuple):
    """The files, or spans of files, of one worker, and how they are read."""

    spans: tuple[Span, ...]
    label: str
    ignore: tuple[str, ...]
    encoding: str

    def datasets(self) -> Iterator[Dataset]:
        """Yield the examples a piece at a time."""
        for span in self.spans:
            for relation in read_span(span, self.encoding):
                try:
                    yield Dataset.from_relation(relation, self.label, self.ignore)
                except DataError as error:
                    raise DataError(f"{span.path}: {error}") from error


class Question(NamedTuple):
    """What a scan is to count.

    Parameters
    ----------
    method : str
        How cut points are chosen; that tells what must be counted.
    cuts : list of ndarray or None
        Cut points where they are given: codes are counted in place of values.
    exponent : int
        Of the quanta of weights.
    """

    method: str
    cuts: list[Floats] | None
    exponent: int

    @classmethod
    def of(cls, schema: Schema, options: Options) -> Question:
        """Return what the options need, as long as nothing is known of the weights."""
        method = options.cut_points if isinstance(options.cut_points, str) else "table"
        return cls(method, given_cuts(schema, options), 0)

    @property
    def needs_classes(self) -> bool:
        """Whether the choice of cut points depends on the classes."""
        return self.method in ("mdl", "mdl+")

    @property
    def most_values(self) -> int | None:
        """Most distinct values of an attribute."""
        whatever = self.cuts is not None or self.method.startswith(("quantile", "width"))
        return None if whatever else MOST_VALUES


class Scan(NamedTuple):
    """What a scan has found: weights in quanta, and the use of each attribute's values."""

    survey: RowSurvey
    class_weights: Floats
    counts: tuple[ValueCounts, ...]


def scan(part: FilePart, question: Question) -> Scan:
    """Read a part and count the distinct values, or codes, of each attribute.

    Raises
    ------
    ArffError, DataError
        If a file is not right.
    OptionError
        If an attribute has too many distinct values for the method of cut points.
    """
    survey = RowSurvey()
    totals: Floats | float = 0.0
    tallies: list[_Tally] = []
    for dataset in part.datasets():
        survey += RowSurvey.of(dataset)
        kept = rows_that_count(dataset)
        weights = in_quanta(kept.weights, question.exponent)
        totals = totals + class_weights(kept.Y, weights)
        attributes = kept.schema.attributes
        tallies = tallies or [_Tally(attribute, question) for attribute in attributes]
        counter = ValueCounter(kept.Y if question.needs_classes else kept.Y[:, :0], weights)
        for a, (tally, column) in enumerate(zip(tallies, kept.columns, strict=True)):
            tally.add(counter.count(_counted(attributes[a], column, question, a)))
    return Scan(survey, np.asarray(totals), tuple(tally.merged() for tally in tallies))


def _counted(
    attribute: Attribute, column: NDArray[np.generic], question: Question, a: int
) -> Floats:
    """Return what is counted of a column: its values, or its codes; NaN for missing."""
    if attribute.type != "nominal" and question.cuts is None:
        return np.asarray(column, np.float64)
    cuts = np.empty(0) if question.cuts is None else question.cuts[a]
    codes = plain_view(a, attribute, cuts).codes(column)
    return np.where(codes < 0, np.nan, codes)


class _Tally:
    """The distinct values of one attribute so far."""

    def __init__(self, attribute: Attribute, question: Question) -> None:
        self._attribute = attribute
        self._question = question
        self._pieces: list[ValueCounts] = []
        self._n_new = 0

    def add(self, counts: ValueCounts) -> None:
        self._pieces.append(counts)
        self._n_new += len(counts.values)
        if self._n_new > max(_MERGED_FROM, len(self._pieces[0].values)):
            self.merged()

    def merged(self) -> ValueCounts:
        """Return the counts of all values."""
        counts = merged_counts(self._pieces)
        self._pieces, self._n_new = [counts], 0
        if self._attribute.type != "nominal":
            _check_number(self._attribute, counts, self._question)
        return counts


def _check_number(attribute: Attribute, counts: ValueCounts, question: Question) -> None:
    most = question.most_values
    if most is not None and len(counts.values) > most:
        raise OptionError(
            f"cut points: expected at most {most:,} distinct values of {attribute.name!r} with "
            f"{question.method}, got more; use quantile:K"
        )


def survey_of(found: Scan) -> tuple[RowSurvey, Floats]:
    """Return what a scan tells of rows and classes."""
    return found.survey, found.class_weights


def counts_of(found: Scan, a: int) -> ValueCounts:
    """Return the counts of one attribute."""
    return found.counts[a]


class Use(NamedTuple):
    """Cut points of an attribute, how often its codes occur, and values that occur.

    These are the labels, or the ends between the cut points, unless cut points were given.
    """

    cuts: Floats
    codes: CodeUse
    seen: Floats


def use_of(
    attribute: Attribute,
    a: int,
    question: Question,
    weights: tuple[float, float],
    *counts: ValueCounts,
) -> Use:
    """Choose the cut points of an attribute from the counts of all parts.

    Parameters
    ----------
    attribute : Attribute
        Its declaration.
    a : int
        Its index.
    question : Question
        What was counted.
    weights : pair of float
        Weight of all examples in quanta, and of one quantum in examples.
    *counts : ValueCounts
        Of each part.
    """
    merged = merged_counts(counts)
    total, example_weight = weights
    nominal = attribute.type == "nominal"
    if not nominal:
        _check_number(attribute, merged, question)
    if question.cuts is not None:
        cuts = question.cuts[a]
    elif nominal:
        cuts = np.empty(0)
    else:
        cuts = candidate_cuts(merged.in_units(example_weight), question.method)
    are_codes = nominal or question.cuts is not None
    codes = merged.values.astype(np.int64) if are_codes else np.searchsorted(cuts, merged.values)
    used = np.bincount(codes, merged.weights, minlength=plain_view(a, attribute, cuts).n_values)
    seen = merged.values.astype(np.float64)
    if not nominal:
        seen = ends_between(cuts, seen)
    codes_used = CodeUse(used.astype(np.float64), float(total - merged.weights.sum()))
    return Use(cuts, codes_used, seen)


def code(part: FilePart, frame: CodedSample, exponent: int, present: Bools) -> CodedSample:
    """Read a part and return its examples in codes.

    Parameters
    ----------
    part : FilePart
        What to read.
    frame : CodedSample
        Groups and catalogue, without rows.
    exponent : int
        Of the quanta of weights.
    present : ndarray of bool of shape (n_classes,)
        Classes that occur; labels are numbered among them.
    """
    codes: list[list[NDArray[np.generic]]] = [[] for _ in frame.groups]
    labels, weights = [], []
    for dataset in part.datasets():
        kept = rows_that_count(dataset)
        columns = [
            view.codes(column)
            for view, column in zip(frame.catalogue.views, kept.columns, strict=True)
        ]
        for pieces, matrix in zip(codes, codes_by_group(frame, columns), strict=True):
            pieces.append(matrix)
        labels.append(kept.Y[:, present].argmax(axis=1))
        weights.append(in_quanta(kept.weights, exponent))
    matrices = [_side_by_side(pieces) for pieces in codes]
    return frame.with_rows(matrices, np.concatenate(labels), np.concatenate(weights))


def _side_by_side(pieces: list[NDArray[np.generic]]) -> NDArray[np.generic]:
    """Return the codes of all pieces; each is given up when it is copied."""
    n_rows = sum(piece.shape[1] for piece in pieces)
    whole = np.empty((len(pieces[0]), n_rows), pieces[0].dtype)
    while pieces:
        piece = pieces.pop()
        n_rows -= piece.shape[1]
        whole[:, n_rows : n_rows + piece.shape[1]] = piece
    return whole
