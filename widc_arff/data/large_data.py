"""Examples to learn from, from files of any size.

Learning looks at the columns one after the other, to find cut points and to code them; codes are
all it needs afterwards.  So a large file is read a piece at a time, and the columns of each piece
go to a temporary file, from which one column at a time comes back.  Memory holds the text and the
values of a piece, then the class and the weight of each row and one column.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.arff.relation import Relation
from widc_arff.arff.stored_columns import ColumnFile, StoredColumns
from widc_arff.arrays import joined_weights
from widc_arff.data.dataset import Dataset
from widc_arff.tables import data_pieces
from widc_arff.tables.uses import TableOptions

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence

VALUES_IN_MEMORY = 1 << 22
"""Values of a piece, and of data that need no file: 32 MB of numbers."""


def read_dataset(  # noqa: PLR0913 - optional, by name
    path: str | os.PathLike[str],
    label: str = "last",
    ignore: Sequence[str] = (),
    *,
    labels: Sequence[str] | None = None,
    counts: bool = False,
    encoding: str = "utf-8",
    most_cells: int = VALUES_IN_MEMORY,
) -> Dataset:
    """Read examples to learn from, from a file of any size.

    Parameters
    ----------
    path : str or path-like
        An ARFF, CSV or Parquet file, as in `read_data`.
    label, ignore, labels, counts
        As in `Dataset.from_relation`.
    encoding : str
        Of ARFF and CSV files.
    most_cells : int
        About how many values of an ARFF file are held in memory, by default 4 million.

    Returns
    -------
    Dataset
        If an ARFF file with one class per row has more values, the columns are in a temporary
        file, and each use of a column reads it again, which suits `induce`.  The temporary file is
        deleted with the data set.

    Raises
    ------
    ArffError, TableError, DataError
        As `read_data` and `Dataset.from_relation` do.
    WidcError
        If there is no room for the temporary file.

    Examples
    --------
    >>> from widc_arff import read_dataset
    >>> read_dataset("arff_data/iris.arff").schema.labels.values
    ('setosa', 'versicolor', 'virginica')
    >>> read_dataset("arff_data/iris.arff", ignore=["petal*"]).n_samples
    150
    """
    options = TableOptions(encoding, None if labels is not None else label, ignore)
    pieces = data_pieces(path, options, most_cells=most_cells)
    return dataset_of(pieces, label, ignore, labels=labels, counts=counts)


def dataset_of(
    pieces: Iterable[Relation],
    label: str = "last",
    ignore: Sequence[str] = (),
    *,
    labels: Sequence[str] | None = None,
    counts: bool = False,
) -> Dataset:
    """Return the examples of a relation that comes in pieces.

    Parameters
    ----------
    pieces : iterable of Relation
        One at least, all with the same attributes.
    label, ignore, labels, counts
        As in `Dataset.from_relation`.
    """
    if labels is not None:
        whole = Relation.joined(list(pieces))
        return Dataset.from_relation(whole, ignore=ignore, labels=labels, counts=counts)
    return _gathered(Dataset.from_relation(piece, label, ignore) for piece in pieces)


def _gathered(pieces: Iterator[Dataset]) -> Dataset:
    """Return the examples of all pieces; of more than one the columns are stored."""
    first = next(pieces)
    second = next(pieces, None)
    if second is None:
        return first
    schema, file = first.schema, ColumnFile()
    Y, weights = [], []
    ordered = chain([first, second], pieces)
    del first, second
    for piece in ordered:
        file.append(piece.columns)
        Y.append(piece.Y)
        weights.append(piece.weights)
        del piece
    return Dataset(schema, StoredColumns(file), np.concatenate(Y), joined_weights(weights))
