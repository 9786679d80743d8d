"""Labels in new data that training did not know: refused, or taken as missing and counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from warnings import warn

import numpy as np

from widc_arff.arff.relation import Attribute
from widc_arff.errors import DataError, WidcWarning, listed
from widc_arff.tables.cells import Origin, cells_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Integers

_ROWS_SHOWN = 5


def as_labels(attribute: Attribute, column: NDArray[Any]) -> tuple[Attribute, NDArray[Any]]:
    """Return a column of any type as a nominal one, its texts the labels."""
    if attribute.type == "nominal":
        return attribute, column
    if attribute.type == "relational":  # a value is a table of its own
        codes = np.array([-1 if value is None else 0 for value in column.tolist()], np.int64)
        return Attribute(attribute.name, "nominal", ("a table",)), codes
    texts = cells_of(attribute, column, Origin(""))
    return texts.labelled(texts.texts)


class UnknownLabels:
    """The unknown labels of new data, counted over all pieces that the data come in.

    Attributes
    ----------
    n_rows : int
        Rows of the pieces before the present one.
    """

    def __init__(self) -> None:
        self.n_rows = 0
        self._refused: dict[str, _Found] = {}
        self._missing: dict[str, _Found] = {}

    def note(
        self,
        wanted: Attribute,
        labels: Sequence[str],
        codes: NDArray[Any],
        rows: Integers,
        *,
        as_missing: bool,
    ) -> None:
        """Note unknown labels of an attribute in some rows of the present piece.

        Parameters
        ----------
        wanted : Attribute
            The attribute as training knew it.
        labels : sequence of str
            The labels of the piece.
        codes : ndarray of int of shape (n_rows,)
            Which label each row has.
        rows : ndarray of int64
            Rows whose label is unknown.
        as_missing : bool
            Whether these are missing; else they are refused.
        """
        if not len(rows):
            return
        noted = self._missing if as_missing else self._refused
        found = noted.setdefault(wanted.name, _Found(wanted))
        unknown, first = np.unique(codes[rows], return_index=True)
        found.labels |= dict.fromkeys(labels[int(code)] for code in unknown[np.argsort(first)])
        found.rows += (rows[: _ROWS_SHOWN - len(found.rows)] + self.n_rows + 1).tolist()
        found.n_rows += len(rows)

    def settle(self) -> None:
        """Warn of labels taken as missing, and refuse others.

        Raises
        ------
        DataError
            If there are labels that are refused, with their rows.
        """
        for name, found in self._missing.items():
            warn(
                f"attribute {name!r}: {listed([*found.labels])}, unknown in training, treated as "
                f"missing in {found.rows_in_words()}",
                WidcWarning,
                stacklevel=2,
            )
        for name, found in self._refused.items():
            raise DataError(
                f"attribute {name!r}: expected a label that was declared in training "
                f"({listed(found.wanted.values)}), got {listed([*found.labels])} in "
                f"{found.rows_in_words()}; --unknown-as-missing treats such labels as missing"
            )


@dataclass(slots=True)
class _Found:
    """Unknown labels of an attribute in the order of their rows, and the first of these rows."""

    wanted: Attribute
    labels: dict[str, None] = field(default_factory=dict)
    rows: list[int] = field(default_factory=list)
    n_rows: int = 0

    def rows_in_words(self) -> str:
        shown = ", ".join(map(str, self.rows))
        if self.n_rows == 1:
            return f"row {shown}"
        return f"{self.n_rows} rows ({shown}{', ...' if self.n_rows > len(self.rows) else ''})"
