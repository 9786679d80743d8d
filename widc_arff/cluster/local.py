"""A Dask cluster on this machine that ends with the process that started it."""

from __future__ import annotations

import logging
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TYPE_CHECKING

from widc_arff.errors import WidcError
from widc_arff.system.processes import end, end_with_input, start_python

if TYPE_CHECKING:
    from collections.abc import Iterator

N_WORKERS = 2

# Dask makes its workers give memory back at once, which costs half of the speed: every temporary
# array is then paged in anew.
KEEP_FREED_MEMORY = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 1 << 28,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 1 << 25,
}


@contextmanager
def local_cluster() -> Iterator[str]:
    """Start a cluster in a session of its own and give the address of its scheduler.

    Raises
    ------
    WidcError
        If it does not start.
    """
    with TemporaryDirectory(prefix="widc-dask-", ignore_cleanup_errors=True) as folder:
        log = Path(folder) / "log.txt"
        with log.open("wb") as stream:
            process = start_python(run, folder, stdout=subprocess.PIPE, stderr=stream)
        try:
            assert process.stdout is not None
            address = process.stdout.readline().decode().strip()
            if not address:
                log_text = log.read_text(encoding="utf-8", errors="replace").strip()
                raise WidcError(f"--dask local: the cluster did not start: {log_text[-1000:]}")
            yield address
        finally:
            end(process)


def run(folder: str) -> None:
    """Be the cluster: print the address of the scheduler, then work until the input closes.

    Parameters
    ----------
    folder : str
        For what Dask writes.
    """
    end_with_input()
    import dask  # noqa: PLC0415 - an extra
    from distributed import LocalCluster  # noqa: PLC0415

    with (
        dask.config.set({**KEEP_FREED_MEMORY, "temporary-directory": folder}),
        LocalCluster(
            n_workers=N_WORKERS,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",  # any free port, for no warning where one is taken
            silence_logs=logging.CRITICAL,
        ) as cluster,
    ):
        sys.stdout.write(f"{cluster.scheduler_address}\n")
        sys.stdout.flush()
        Event().wait()
