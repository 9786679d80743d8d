"""New rows for a committee: read by the types of its attributes, whole or a piece at a time."""

from __future__ import annotations

import io
import shutil
import sys
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, NamedTuple

from widc_arff.cli.common import messages_of
from widc_arff.data.dataset import Dataset
from widc_arff.data.large_data import VALUES_IN_MEMORY
from widc_arff.tables import data_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from widc_arff.arff.relation import Relation
    from widc_arff.cli.common import FileForm
    from widc_arff.data.schema import Schema
    from widc_arff.model.committee import DecisionCommittee


class NewData(NamedTuple):
    """How new rows are read, from the command line's values of options.

    Parameters
    ----------
    form : FileForm
        How the file is written.
    unknown_as_missing : bool
        Whether labels that the committee does not know are missing.
    weights : str, optional
        The column of the weights.
    to_test : bool
        Whether a class that the committee does not know is a fault; else it is missing.
    label_counts : bool
        Whether label attributes may hold counts.
    """

    form: FileForm
    unknown_as_missing: bool = False
    weights: str | None = None
    to_test: bool = False
    label_counts: bool = True

    def pieces(
        self,
        committee: DecisionCommittee,
        path: str,
        kept: Sequence[str] = (),
    ) -> Iterator[tuple[Relation, Dataset]]:
        """Yield the rows of a file in pieces, as they are and as examples; messages name the file.

        Parameters
        ----------
        committee : DecisionCommittee
            Of the file those columns are read that its rules test, its labels and the weights.
        path : str
            An ARFF, CSV or Parquet file.
        kept : sequence of str
            Other columns to read.
        """
        relations = self._relations(committee, path, kept, VALUES_IN_MEMORY)
        return self._in_schema(path, relations, committee.schema, committee.used_attributes)

    def counted(
        self,
        committee: DecisionCommittee,
        path: str,
        step: Callable[[int], None],
    ) -> Iterator[Dataset]:
        """Yield the examples of a file in pieces, and call `step` with the rows so far."""
        n_rows = 0
        for _, examples in self.pieces(committee, path):
            yield examples
            n_rows += examples.n_samples
            step(n_rows)

    def examples(self, committee: DecisionCommittee, path: str) -> Dataset:
        """Return the rows of a file as examples, all of them."""
        relation = self.relation(committee, path)
        return self.in_schema(path, relation, committee.schema, committee.used_attributes)

    def relation(
        self, committee: DecisionCommittee, path: str, kept: Sequence[str] = ()
    ) -> Relation:
        """Return the rows of a file, those columns of it that `pieces` reads."""
        (relation,) = self._relations(committee, path, kept, None)
        return relation

    def in_schema(
        self, path: str, relation: Relation, schema: Schema, needed: Collection[int]
    ) -> Dataset:
        """Return rows of a file as examples in a schema; messages name the file."""
        ((_, dataset),) = self._in_schema(path, [relation], schema, needed)
        return dataset

    def _in_schema(
        self, path: str, relations: Iterable[Relation], schema: Schema, needed: Collection[int]
    ) -> Iterator[tuple[Relation, Dataset]]:
        with messages_of(path):
            yield from Dataset.pieces_for_schema(
                relations,
                schema,
                needed,
                unknown_as_missing=self.unknown_as_missing,
                unknown_classes_as_missing=not self.to_test,
                counts=self.label_counts,
            )

    def _relations(
        self,
        committee: DecisionCommittee,
        path: str,
        kept: Sequence[str],
        most_cells: int | None,
    ) -> Iterator[Relation]:
        schema = committee.schema
        used = {schema.attributes[i].name for i in committee.used_attributes}
        used |= {*schema.labels.columns, *kept}
        options = self.form.options(
            declared=schema.declared,
            used=used,
            lists=schema.labels.cells and schema.labels.cells.attribute,
            widen=committee.version < 3,
            weights=self.weights,
        )
        for relation in data_pieces(path, options, most_cells=most_cells):
            yield from [relation] if most_cells is None else relation.pieces(most_cells)


@contextmanager
def read_by_each(path: str, n_readers: int) -> Iterator[Callable[[], object]]:
    """Let several readers read standard input, which can be read once, from a copy.

    Yields
    ------
    callable
        To be called before each of them reads.
    """
    if path != "-" or n_readers == 1:
        yield lambda: 0
        return
    stdin = sys.stdin
    with io.TextIOWrapper(TemporaryFile()) as copy:
        shutil.copyfileobj(stdin.buffer, copy.buffer)
        sys.stdin = copy
        try:
            yield lambda: copy.buffer.seek(0)
        finally:
            sys.stdin = stdin
