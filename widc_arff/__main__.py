"""``python -m widc_arff``, and the program ``widc-arff``."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from widc_arff.system.interruption import Interruption, raise_interruptions

if TYPE_CHECKING:
    from collections.abc import Callable


def _command_line() -> Callable[[], int]:
    from widc_arff.cli import main as run  # noqa: PLC0415 - inside the try

    return run


def main(loaded: Callable[[], Callable[[], int]] = _command_line) -> int:
    """Run the command line; an interruption while it loads is told as any other."""
    # numpy would start a thread per core for linear algebra, which none of the commands need
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    raise_interruptions()
    try:
        status = loaded()()
    except BaseException as error:  # such as of a lock that was being taken
        interruption = Interruption.behind(error)
        if interruption is None:
            raise
        with suppress(OSError):  # the terminal may be gone
            sys.stderr.write(f"widc-arff: {interruption}\n")
        status = interruption.status
    if status >= 128:  # ended from outside: at once, whatever threads have left to do
        with suppress(OSError):
            sys.stderr.flush()
        os._exit(status)
    return status


if __name__ == "__main__":
    sys.exit(main())
