"""``python -m weka_plugin build``: build the jar and the package for Weka."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from weka_plugin.build import build
from widc_arff.errors import WidcError

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser("python -m weka_plugin", description=__doc__)
    command = parser.add_subparsers(required=True).add_parser("build")
    command.add_argument("-o", "--output", metavar="DIR", default=".")
    command.add_argument("--weka-jar", metavar="PATH")
    command.add_argument("--javac", metavar="PATH")
    options = parser.parse_args(arguments)
    try:
        built = build(options.output, options.weka_jar, options.javac)
    except (WidcError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    sys.stdout.write(f"{built.jar}\n{built.zip}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
