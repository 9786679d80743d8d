"""``python -m widc_arff``, and the program ``widc-arff``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; an interruption while it loads is told as any other."""
    try:
        from widc_arff.cli import main as run  # noqa: PLC0415 - inside the try
    except KeyboardInterrupt:
        sys.stderr.write("widc-arff: interrupted\n")
        return 1
    return run()


if __name__ == "__main__":
    sys.exit(main())
