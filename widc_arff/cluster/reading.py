"""What workers do with files: scan them for counts, then keep their rows as codes.

A file is read twice, or three times where weights are not whole or classes count more or less; a
piece at a time, so that nothing of it is held but what is counted of each attribute, and the codes
afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.arff.spans import Span, read_span
from widc_arff.data.dataset import Dataset
from widc_arff.errors import DataError
from widc_arff.induction.constraints.given import given_covers
from widc_arff.induction.examples import HeldExamples
from widc_arff.induction.sample.coding import codes_by_group
from widc_arff.induction.sample.cut_points import ValueCounter
from widc_arff.induction.sample.learning_sample import RowSurvey, in_quanta, rows_that_count
from widc_arff.induction.sample.views import Numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute, Relation
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.sample.coding import CodedSample
    from widc_arff.induction.sample.cut_points import ValueCounts
    from widc_arff.induction.seeing import Seeing, Seen, Totals
    from widc_arff.tables.parquet_files import RowGroups

_MERGED_FROM = 1 << 16


class FilePart(NamedTuple):
    """The files, or spans of files, of one worker, and how they are read."""

    spans: tuple[Span | RowGroups, ...]
    label: str
    ignore: tuple[str, ...]
    encoding: str
    attributes: tuple[Attribute, ...] = ()

    def datasets(self) -> Iterator[Dataset]:
        """Yield the examples a piece at a time."""
        for span in self.spans:
            for relation in self._relations(span):
                try:
                    yield Dataset.from_relation(relation, self.label, self.ignore)
                except DataError as error:
                    error.in_file(span.path)
                    raise

    def _relations(self, span: Span | RowGroups) -> Iterator[Relation]:
        if isinstance(span, Span):
            yield from read_span(span, self.encoding)
        else:
            yield span.read(self.attributes, "")


class Weighing(NamedTuple):
    """How examples weigh: in which quanta, and how much more by their class.

    Parameters
    ----------
    exponent : int
        Of the quanta.
    factors : ndarray of float64 of shape (n_declared,) or None
        Of the weights of each class; None where these stay.
    """

    exponent: int = 0
    factors: Floats | None = None

    def quanta(self, weights: Floats, classes: Integers) -> Floats:
        """Return weights of examples of some classes as whole numbers of quanta."""
        if self.factors is not None:
            weights = weights * self.factors[classes]
        return in_quanta(weights, self.exponent)


class WeightTable(NamedTuple):
    """The weights that examples of each class have: a row for each that differs, with its count."""

    classes: Integers
    weights: Floats
    counts: Integers

    @classmethod
    def of(cls, pieces: Sequence[WeightTable]) -> WeightTable:
        """Return the table of all examples, from those of several parts of them."""
        classes, counts = (
            np.concatenate([np.empty(0, np.int64), *(piece[k] for piece in pieces)]) for k in (0, 2)
        )
        weights = np.concatenate([np.empty(0), *(piece.weights for piece in pieces)])
        order = np.lexsort((weights, classes))
        classes, weights = classes[order], weights[order]
        differs = (np.diff(classes) != 0) | (np.diff(weights) != 0)
        starts = np.flatnonzero(np.append(len(order) > 0, differs))
        summed = np.add.reduceat(counts[order], starts) if len(starts) else counts
        return cls(classes[starts], weights[starts], summed)

    def survey(self, rows: RowSurvey, factors: Floats | None) -> RowSurvey:
        """Return the survey of the rows with weights that are multiplied by class."""
        weights = self.weights if factors is None else self.weights * factors[self.classes]
        return rows.weighing(weights, self.counts)

    def class_weights(self, weighing: Weighing, n_classes: int) -> Floats:
        """Return the weight of the examples of each class in quanta, shape (n_classes,)."""
        weights = weighing.quanta(self.weights, self.classes) * self.counts
        return np.bincount(self.classes, weights, n_classes).astype(np.float64)


class PartCounts(NamedTuple):
    """What a scan has found: rows, their weights, and the use of each attribute's values."""

    survey: RowSurvey
    table: WeightTable
    counts: tuple[ValueCounts, ...]


def scan(part: FilePart, seeing: Seeing, weighing: Weighing) -> PartCounts:
    """Read a part and count the values of each attribute.

    Raises
    ------
    ArffError, DataError
        If a file is not right.
    """
    survey, table = RowSurvey(), WeightTable.of([])
    attributes = range(len(seeing.schema.attributes))
    pieces: list[list[ValueCounts]] = [[] for _ in attributes]
    for dataset in part.datasets():
        survey += RowSurvey.of(dataset)
        kept = rows_that_count(dataset)
        classes = kept.Y.argmax(axis=1)
        ones = np.ones(kept.n_samples, np.int64)
        table = WeightTable.of([table, WeightTable(classes, kept.weights, ones)])
        weights = weighing.quanta(kept.weights, classes)
        counter = ValueCounter(kept.Y if seeing.needs_classes else kept.Y[:, :0], weights)
        for a in attributes:
            pieces[a].append(seeing.count(a, kept.columns[a], counter))
            if sum(len(piece.values) for piece in pieces[a][1:]) > _MERGED_FROM:
                pieces[a] = [seeing.merged(a, pieces[a])]
    return PartCounts(survey, table, tuple(seeing.merged(a, pieces[a]) for a in attributes))


def survey_of(found: PartCounts, factors: Floats | None) -> RowSurvey:
    """Return what a scan tells of rows whose weights are multiplied by class."""
    return found.table.survey(found.survey, factors)


def class_weights_of(found: PartCounts, weighing: Weighing, n_classes: int) -> Floats:
    """Return the weight of the examples of each class in quanta, shape (n_classes,)."""
    return found.table.class_weights(weighing, n_classes)


def counts_of(found: PartCounts, a: int) -> ValueCounts:
    """Return the counts of one attribute."""
    return found.counts[a]


def seen_of(seeing: Seeing, a: int, totals: Totals, *counts: ValueCounts) -> tuple[Seen, Floats]:
    """Return the views of an attribute, and what occurs of it, from the counts of all parts."""
    merged = seeing.merged(a, counts)
    seen = seeing.seen(a, merged, totals)
    view = seen.views[0][0]
    return seen, seeing.ends(a, merged, view.cuts if isinstance(view, Numbers) else np.empty(0))


def code(
    part: FilePart,
    seeing: Seeing,
    frame: CodedSample,
    weighings: tuple[Weighing, Weighing],
    present: Bools,
) -> HeldExamples:
    """Read a part and return its examples in codes.

    Parameters
    ----------
    part : FilePart
        What to read.
    seeing : Seeing
        With the schema, and the rules that are given.
    frame : CodedSample
        Groups and catalogue, without rows.
    weighings : pair of Weighing
        As the options want, and as the data tell.
    present : ndarray of bool of shape (n_classes,)
        Classes that occur; labels are numbered among them.
    """
    codes: list[list[NDArray[np.generic]]] = [[] for _ in frame.groups]
    labels, given = [], []
    weights: list[Floats] = []
    in_data: list[Floats] = []
    for dataset in part.datasets():
        kept = rows_that_count(dataset)
        columns = [view.codes(kept.columns[view.attribute]) for view in frame.catalogue.views]
        for pieces, matrix in zip(codes, codes_by_group(frame, columns), strict=True):
            pieces.append(matrix)
        classes = kept.Y.argmax(axis=1)
        labels.append(kept.Y[:, present].argmax(axis=1))
        for found, weighing in zip((weights, in_data), weighings, strict=True):
            found.append(weighing.quanta(kept.weights, classes))
        given.append(given_covers(seeing.options, kept.columns, kept.n_samples, seeing.schema))
    matrices = [_side_by_side(pieces) for pieces in codes]
    coded = frame.with_rows(matrices, np.concatenate(labels), np.concatenate(weights))
    return HeldExamples(
        coded,
        present,
        None if seeing.options.weights_stay else np.concatenate(in_data),
        np.concatenate(given, axis=1),
    )


def _side_by_side(pieces: list[NDArray[np.generic]]) -> NDArray[np.generic]:
    """Return the codes of all pieces; each is given up when it is copied."""
    n_rows = sum(piece.shape[1] for piece in pieces)
    whole = np.empty((len(pieces[0]), n_rows), pieces[0].dtype)
    while pieces:
        piece = pieces.pop()
        n_rows -= piece.shape[1]
        whole[:, n_rows : n_rows + piece.shape[1]] = piece
    return whole
