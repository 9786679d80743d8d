"""Labels in new data that training did not know: taken as missing, and told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from warnings import warn

import numpy as np

from widc_arff.arff.relation import Attribute
from widc_arff.errors import WidcWarning, listed
from widc_arff.tables.cells import Origin, cells_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Integers


def as_labels(attribute: Attribute, column: NDArray[Any]) -> tuple[Attribute, NDArray[Any]]:
    """Return a column of any type as a nominal one, its texts the labels."""
    if attribute.type == "nominal":
        return attribute, column
    if attribute.type == "relational":  # a value is a table of its own
        codes = np.array([-1 if value is None else 0 for value in column.tolist()], np.int64)
        return Attribute(attribute.name, "nominal", ("a table",)), codes
    texts = cells_of(attribute, column, Origin(""))
    return texts.labelled(texts.texts)


def unknown_in(labels: Sequence[str], codes: NDArray[Any], rows: Integers) -> str:
    """Return the labels that stand in some rows, in quotes, the first of them."""
    return listed([labels[int(code)] for code in np.unique(codes[rows].astype(np.int64))])


def warn_of_unknown(name: str, found: str, rows: Integers) -> None:
    """Warn of labels of an attribute, as `unknown_in` returns them, that are taken as missing."""
    warn(
        f"attribute {name!r}: {found}, unknown in training, treated as missing in "
        f"{rows_in_words(rows)}",
        WidcWarning,
        stacklevel=2,
    )


def rows_in_words(rows: Integers) -> str:
    """Return ``row 2``, or how many rows there are and the first of them."""
    shown = ", ".join(str(row + 1) for row in rows[:5])
    if len(rows) == 1:
        return f"row {shown}"
    return f"{len(rows)} rows ({shown}{', ...' if len(rows) > 5 else ''})"
