"""What is remembered while learning, within a number of bytes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable

KEPT_BYTES = 1 << 26
ARRAY_BYTES, ENTRY_BYTES = 128, 104
"""Of an array without its values, and of the place of an entry in a dictionary."""

Key = TypeVar("Key", bound="Hashable")
Value = TypeVar("Value")


class Kept(dict[Key, Value]):
    """Values that were found before, by what they are of; at most so many bytes of them.

    All are forgotten where the next would be too much.  What is found does not depend on what is
    remembered.

    Parameters
    ----------
    most_bytes : int
        Bytes of keys and values in all.
    """

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        super().__init__()
        self._most_bytes = most_bytes
        self.n_bytes = 0
        """Bytes of all entries."""

    def keep(self, key: Key, value: Value) -> Value:
        """Remember a value that is new, unless it is too large by itself; return it."""
        n_bytes = ENTRY_BYTES + bytes_of(key) + bytes_of(value)
        if self.n_bytes + n_bytes > self._most_bytes:
            self.clear()
            self.n_bytes = 0
        if n_bytes <= self._most_bytes:
            self[key] = value
            self.n_bytes += n_bytes
        return value


def bytes_of(value: object) -> int:
    """Return the bytes that a value holds: an array, or containers of arrays and numbers."""
    if isinstance(value, np.ndarray):
        return ARRAY_BYTES + value.nbytes
    size = sys.getsizeof(value)
    if isinstance(value, (tuple, list, frozenset)):
        size += sum([sys.getsizeof(x) if type(x) is int else bytes_of(x) for x in value])
    return size
