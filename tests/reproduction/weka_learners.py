"""Classifiers of Weka that train and test on request, many times in one JVM."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from weka_plugin.build import compile_java, find_java, find_javac, find_weka_jar
from weka_plugin.execution import JVM_OPTIONS
from widc_arff.errors import WidcError
from widc_arff.system.processes import IdleProcesses, Process, end, start

if TYPE_CHECKING:
    from types import TracebackType

DRIVER = Path(__file__).with_name("WekaRuns.java")
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
        try:
            compile_java(compiler, jar, Path(self._folder.name), [DRIVER])
        except BaseException:
            self._folder.cleanup()
            raise
        self._class_path = os.pathsep.join([self._folder.name, str(jar)])
        self._processes = IdleProcesses(self._start)
        self.versions: dict[str, str] = {}
        with self._processes.one():  # Weka is there
            pass

    def run(self, scheme: str, train: Path, test: Path | None, folds: int, seed: int) -> Any:
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
        with self._processes.one() as process:
            answer = self._ask(process, request.encode() + b"\n")
        if "fault" in answer:
            raise WidcError(f"Weka: {answer['fault']}")
        return answer

    def close(self) -> None:
        """End the JVMs, busy ones too."""
        self._processes.close()
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

    def _start(self) -> Process:
        command = [self._java, *JVM_OPTIONS, "-cp", self._class_path, "WekaRuns"]
        with self._log().open("ab") as log:
            process = start(command, stdout=subprocess.PIPE, stderr=log)
        try:
            self.versions = self._ask(process, b"")
        except BaseException:
            end(process)
            raise
        return process

    def _ask(self, process: Process, request: bytes) -> dict[str, Any]:
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
