"""Runs a program that does not read its input, and ends it when the own input closes.

`widc_arff.processes` starts it by its path, with the program's command as arguments.
"""

import os
import subprocess
import sys
from threading import Thread


def _end_with_input(child: "subprocess.Popen[bytes]") -> None:
    sys.stdin.buffer.read()
    child.kill()
    os._exit(1)


def main() -> int:
    """Run the program and return its exit status, 128 more than the number of a signal."""
    try:
        child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)  # noqa: S603 - our own
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}\n")
        return 127
    Thread(target=_end_with_input, args=(child,), daemon=True).start()
    status = child.wait()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    result = main()
    sys.stderr.flush()
    os._exit(result)  # at once, whatever the other thread does
