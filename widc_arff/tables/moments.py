"""Dates as attributes: moments in milliseconds, with the shortest format that tells each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.arff.relation import Attribute
from widc_arff.tables.typed_values import tell_finer

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MS_PER_DAY = 86_400_000


def dated(name: str, moments: NDArray[Any]) -> tuple[Attribute, NDArray[Any]]:
    """Return a date attribute and its column from datetimes, or from milliseconds.

    Its format is the shortest of ISO 8601 that tells each moment.
    """
    if moments.dtype.kind == "M":
        absent = np.isnat(moments)
        whole = moments.astype("datetime64[ms]")
        if (whole != moments)[~absent].any():
            tell_finer(f"column {name!r}")
        moments = whole.astype(np.int64).astype(np.float64)
        moments[absent] = np.nan
    known = moments[~np.isnan(moments)]
    date_format = "yyyy-MM-dd'T'HH:mm:ss.SSS"
    for unit, shorter in ((1000, "yyyy-MM-dd'T'HH:mm:ss"), (_MS_PER_DAY, "yyyy-MM-dd")):
        if not (known % unit).any():
            date_format = shorter
    return Attribute(name, "date", format=date_format), moments
