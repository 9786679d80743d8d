"""Lets a generic checker of ARFF readers call ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from widc_arff.arff import read_arff

if TYPE_CHECKING:
    from numpy.typing import NDArray


def load(path: str) -> tuple[list[str], list[tuple[Any, ...]], NDArray[Any]]:
    """Return names, rows and weights of the file at `path`."""
    relation = read_arff(path)
    return [a.name for a in relation.attributes], list(relation.rows()), relation.weights
