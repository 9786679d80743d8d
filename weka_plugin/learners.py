"""Classifiers of Weka that train and test on request, many times in one JVM.

`widc_arff.reproduction` runs them beside WIDC over the same folds; it knows nothing of Java.
"""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from weka_plugin.build import JAVA_RELEASE, find_java, find_javac, find_weka_jar
from weka_plugin.experiments import JVM_OPTIONS
from widc_arff.errors import WidcError

if TYPE_CHECKING:
    from types import TracebackType

DRIVER = Path(__file__).parent / "driver" / "WekaRuns.java"
MARK = b"WEKA "
"""Begins the lines that are answers."""


class WekaLearners:
    """Weka's classifiers behind a pipe; threads may call `run` at the same time.

    Parameters
    ----------
    weka_jar : path, optional
        By default WEKA_JAR or that of python-weka-wrapper3.

    Raises
    ------
    WidcError
        If there is no JDK or no weka.jar.
    """

    def __init__(self, weka_jar: Path | None = None) -> None:
        self._java, compiler = find_java(), find_javac()
        jar = find_weka_jar(weka_jar)
        self._folder = TemporaryDirectory()
        command = [compiler, "--release", JAVA_RELEASE, "-Xlint:-options", "-encoding", "UTF-8"]
        command += ["-cp", str(jar), "-d", self._folder.name, str(DRIVER)]
        done = subprocess.run(  # noqa: S603 - the compiler is the user's own
            command, capture_output=True, encoding="utf-8", errors="replace", check=False
        )
        if done.returncode:
            self._folder.cleanup()
            raise WidcError(f"{compiler} failed with exit code {done.returncode}:\n{done.stderr}")
        self._class_path = os.pathsep.join([self._folder.name, str(jar)])
        self._lock = Lock()
        self._all: list[subprocess.Popen[bytes]] = []
        self._idle: list[subprocess.Popen[bytes]] = []
        self.versions: dict[str, str] = {}
        self._give_back(self._start())

    def run(self, scheme: str, train: Path, test: Path | None, folds: int, seed: int) -> Any:  # noqa: ANN401
        """Train and test a classifier.

        Parameters
        ----------
        scheme : str
            Class and options, as on Weka's command line.
        train : Path
            ARFF file with the class last.
        test : Path or None
            What to test on; None: cross-validation over `train`.
        folds, seed : int
            Of the cross-validation.

        Returns
        -------
        dict
            Lists with a number per fold: ``wrong`` and ``weight`` of the test rows with a class,
            ``rules``, ``literals``, ``nodes`` (None where the classifier has none), ``attributes``
            (names that a tree tests); and ``model``, the printed model of a single training.

        Raises
        ------
        WidcError
            If Weka refuses, with its message, or dies.
        """
        request = "\t".join([scheme, str(train), str(test or ""), str(folds), str(seed)])
        process = self._take()
        answer = self._ask(process, request.encode() + b"\n")
        self._give_back(process)
        if "fault" in answer:
            raise WidcError(f"Weka: {answer['fault']}")
        return answer

    def close(self) -> None:
        """End the JVMs, busy ones too."""
        with self._lock:
            processes, self._all = self._all, []
            self._idle.clear()
        for process in processes:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                assert stream is not None
                with suppress(OSError):  # what was not sent goes nowhere
                    stream.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        """Return itself; the end of the block closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def _take(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self._start()

    def _give_back(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._idle.append(process)

    def _start(self) -> subprocess.Popen[bytes]:
        command = [self._java, *JVM_OPTIONS, "-cp", self._class_path, "WekaRuns"]
        with self._log().open("ab") as log:
            process = subprocess.Popen(  # noqa: S603 - the command is our own
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # an interrupt at the terminal is ours to handle
            )
        with self._lock:
            self._all.append(process)
        self.versions = self._ask(process, b"")
        return process

    def _ask(self, process: subprocess.Popen[bytes], request: bytes) -> dict[str, Any]:
        """Return the answer to a request; that to none is the greeting."""
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.write(request)
            process.stdin.flush()
        line = process.stdout.readline()
        if not line.startswith(MARK):
            told = ""
            with suppress(OSError):
                told = self._log().read_text(encoding="utf-8", errors="replace")[-1000:].strip()
            raise WidcError(f"Weka ended without an answer: {told}")
        answer: dict[str, Any] = json.loads(line[len(MARK) :])
        return answer

    def _log(self) -> Path:
        return Path(self._folder.name) / "log.txt"
