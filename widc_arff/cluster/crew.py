"""Who works: functions run on workers, results stay there until they are asked for.

The functions are pure.  Dask can therefore compute again what a lost worker held, on the others.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol
from warnings import warn

from widc_arff.cluster.local import local_cluster
from widc_arff.errors import WidcError, WidcWarning
from widc_arff.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Executor

    from distributed import Client

CONNECT_S = 10
POLL_S = 5
"""Seconds after which to look whether there is any worker left; twice none is the end."""


class Workers(Protocol):
    """Workers; each call goes to one that holds what it needs, or to an idle one."""

    @property
    def n_workers(self) -> int:
        """Number of workers at the start."""

    def start(self, function: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401
        """Run a pure function on a worker; return a handle, which can be an argument again."""

    def results(self, handles: Sequence[Any]) -> list[Any]:
        """Wait for the results of some handles and return them."""


class DaskCrew:
    """The workers of a Dask cluster.

    Parameters
    ----------
    client : distributed.Client
        Connected to the scheduler.

    Raises
    ------
    WidcError
        If there is no worker, or not all of them have this version of the package.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._first = self._workers()
        if not self._first:
            raise WidcError(f"expected workers at {self._address}, got none")
        versions = self._versions()
        if versions != {__version__}:
            raise WidcError(
                f"expected widc-arff {__version__} on all workers of {self._address}, "
                f"got {', '.join(sorted(versions))}"
            )

    @property
    def _address(self) -> str:
        return str(self._client.scheduler.address)

    def _workers(self) -> set[str]:
        return set(self._client.nthreads())

    def _versions(self) -> set[str]:
        try:
            return set(self.on_each(package_version))
        except Exception as error:  # whatever the workers lack
            raise WidcError(
                f"expected workers with widc-arff at {self._address}, got {error}"
            ) from error

    @property
    def n_workers(self) -> int:
        """Number of workers at the start."""
        return len(self._first)

    def start(self, function: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401
        """Run a pure function on a worker; return its future."""
        return self._client.submit(function, *arguments, pure=False)

    def results(self, handles: Sequence[Any]) -> list[Any]:
        """Wait for the results of some handles and return them.

        Raises
        ------
        WidcError
            As the function raised it; or if the workers are lost and do not come back.
        """
        with _lost(self._address):
            self._wait(handles)
            return list(self._client.gather(handles))

    def in_order(
        self,
        function: Callable[[Any, Any], Any],
        shared: Any,  # noqa: ANN401
        arguments: Iterable[Any],
    ) -> Iterator[Any]:
        """Yield ``function(shared, argument)`` for each argument, in their order."""
        with _lost(self._address):
            held = self._client.scatter([shared], broadcast=True)[0]
            handles = [self._client.submit(function, held, a, pure=False) for a in arguments]
        for handle in handles:
            yield self.results([handle])[0]

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """Give an executor that runs calls on the workers."""
        with _lost(self._address):
            yield self._client.get_executor()

    def on_each(self, function: Callable[[], Any]) -> list[Any]:
        """Return what a function returns on each worker."""
        return list(self._client.run(function).values())

    @property
    def n_threads(self) -> int:
        """Number of calls that run at a time."""
        return sum(self._client.nthreads().values())

    def warn_of_lost_workers(self) -> None:
        """Warn where workers are gone whose work others did again."""
        n_lost = len(self._first - self._workers())
        if n_lost:
            what = "a worker was lost; its" if n_lost == 1 else f"{n_lost} workers were lost; their"
            warn(f"{what} work was done again", WidcWarning, stacklevel=2)

    def _wait(self, handles: Sequence[Any]) -> None:
        from distributed import wait  # noqa: PLC0415 - only where there is a cluster

        n_empty = 0
        while n_empty < 2:
            try:
                wait(handles, timeout=POLL_S)
            except TimeoutError:
                n_empty = 0 if self._workers() else n_empty + 1
            else:
                return
        raise WidcError(f"all workers of {self._address} are lost; start new ones and try again")


def package_version() -> str:
    """Return the version of the package where this runs."""
    return __version__


@contextmanager
def connected(address: str) -> Iterator[DaskCrew]:
    """Connect to a Dask cluster, or start one on this machine.

    Parameters
    ----------
    address : str
        Of the scheduler, as ``tcp://HOST:PORT``, or ``local``.

    Raises
    ------
    WidcError
        If dask is not installed, or nothing answers there.
    """
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise WidcError(
            "--dask: expected the package dask, which is not installed: "
            "pip install 'widc-arff[dask]'"
        ) from error
    with nullcontext(address) if address != "local" else local_cluster() as scheduler:
        try:
            client = Client(scheduler, timeout=CONNECT_S)
        except (OSError, ValueError) as error:
            raise WidcError(
                f"--dask: expected 'local' or the address of a scheduler (tcp://HOST:PORT), "
                f"got {address!r}: {error}"
            ) from error
        with _quiet(), client:
            yield DaskCrew(client)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's log of what goes wrong off the screen: one message says it."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


@contextmanager
def _lost(address: str) -> Iterator[None]:
    """Turn what Dask raises when workers or the scheduler are lost into one message."""
    from distributed import CancelledError  # noqa: PLC0415
    from distributed.comm import CommClosedError  # noqa: PLC0415
    from distributed.scheduler import KilledWorker  # noqa: PLC0415

    try:
        yield
    except KilledWorker as error:
        raise WidcError(
            f"workers of {address} died again and again, perhaps out of memory"
        ) from error
    except (CommClosedError, CancelledError, asyncio.CancelledError) as error:
        raise WidcError(f"the scheduler at {address} is lost") from error
