"""The figures printed in Table 1 of the paper, as data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Published:
    """One line of Table 1.

    Parameters
    ----------
    results : dict of str to tuple of float
        Error in percent, rules and literals of each pruning: optimistic, pessimistic, none.
    other_system : str
        The other learner that the paper cites.
    other_error : float
        Its error in percent.
    other_size : float or None
        Its size: conditions of rules, nodes of trees.
    """

    results: dict[str, tuple[float, float, float]]
    other_system: str
    other_error: float
    other_size: float | None


def published() -> dict[str, Published]:
    """Return the thirty lines of Table 1 by the name of their domain."""
    text = (Path(__file__).parent / "table1.json").read_text(encoding="utf-8")
    lines = {}
    for name, line in json.loads(text)["domains"].items():
        other = line.pop("other")
        results = {pruning: tuple(figures) for pruning, figures in line.items()}
        lines[name] = Published(results, other["system"], other["error"], other["size"])
    return lines
