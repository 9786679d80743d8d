"""``python -m tests.reproduction``: see `reproduction`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from widc_arff.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Callable


def _command() -> Callable[[], int]:
    from tests.reproduction.command import main as run

    return run


if __name__ == "__main__":
    sys.exit(main(_command))
