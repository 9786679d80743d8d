"""``python -m widc_arff``, and the program ``widc-arff``."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command line; an interruption while it loads is told as any other."""
    # numpy would start a thread per core for linear algebra, which none of the commands need
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from widc_arff.cli import main as run  # noqa: PLC0415 - inside the try
    except KeyboardInterrupt:
        sys.stderr.write("widc-arff: interrupted\n")
        return 1
    return run()


if __name__ == "__main__":
    sys.exit(main())
