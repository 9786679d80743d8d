"""How committees are told as text.

What a committee is stands below the reports, which tell it.  So the package sets here what tells
it; until then it is told by its type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

text_of: Callable[[object], str] = object.__repr__
