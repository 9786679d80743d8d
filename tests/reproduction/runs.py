"""Runs: a problem, a learner and the folds of one repeat; a finished run is a line of a file.

A line holds the fingerprint of all that influences it, so that a second start reuses exactly the
lines that still hold.  It is flushed when the run is finished; a last line that an interruption
has cut is dropped.
"""

from __future__ import annotations

import hashlib
import json
import math
import platform
import time
import warnings
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import widc_arff
from tests.reproduction.problems import StudyProblem, loaded
from tests.reproduction.xd6 import (
    IRRELEVANT,
    decides_as_target,
    holds_target,
    uses_irrelevant,
)
from widc_arff.data.dataset import Dataset
from widc_arff.errors import WidcError, WidcWarning
from widc_arff.evaluation.cross_validation import training_and_test
from widc_arff.evaluation.weka_folds import weka_folds
from widc_arff.induction import induce

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.reproduction.learners import Learner, OtherLearners
    from widc_arff.model.committee import DecisionCommittee

SIZES = ("rules", "literals", "nodes")
XD6_MEASURES = ("target", "equivalent", "irrelevant")
"""What is measured on XD6 besides; a run that lacks one of them is made anew."""

SMALL = 20_000
"""Cost of the least training, in the unit of `StudyProblem.cost`."""

LEARNING_CODE = ("induction/**/*.py", "model/*.py", "data/*.py", "options.py", "tolerance.py")
"""Sources that decide what WIDC learns: a change makes its runs anew."""


@dataclass(frozen=True, slots=True)
class Task:
    """A run to be made.

    Parameters
    ----------
    problem : StudyProblem
        The data.
    learner : Learner
        What learns from them.
    folds : int
        Folds of the cross-validation; 0: one training on all rows, tested on the whole
        distribution that these were drawn from (XD6 only).
    repeat : int
        Counted from 1.
    seed : int
        Seed of Weka's folds in this repeat.
    """

    problem: StudyProblem
    learner: Learner
    folds: int
    repeat: int
    seed: int

    @property
    def cost(self) -> float:
        """Time that the run takes, roughly and in no unit."""
        return max(self.folds, 1) * self.learner.effort * (SMALL + self.problem.cost)


@dataclass(frozen=True, slots=True)
class Run:
    """What a run has measured.

    Parameters
    ----------
    fingerprint : str
        Digest of the data, the learner, the folds and the seed.
    domain, learner : str
        Names.
    repeat, folds, seed : int
        As those of the task.
    per_fold : dict of str to list of float
        Weight of the ``wrong`` and ``weight`` of all test rows with a class; ``rules``,
        ``literals``, ``nodes``; on XD6 whether the model holds the ``target``, is ``equivalent``
        to it and tests the ``irrelevant`` variable, 0 or 1.
    seconds : float
        Time of all folds.
    versions : dict of str to str
        Of the programs that ran.
    fault : str
        Why there is no result; usually empty.
    model : str
        A tree as Weka prints it, where it was trained on all rows.
    """

    fingerprint: str
    domain: str
    learner: str
    repeat: int
    folds: int
    seed: int
    per_fold: Mapping[str, list[float]] = field(hash=False)
    seconds: float
    versions: Mapping[str, str] = field(hash=False)
    fault: str = ""
    model: str = ""

    @property
    def error(self) -> float:
        """Weight of the wrong over the weight tested, in [0, 1]; NaN without a result."""
        weight = sum(self.per_fold.get("weight", ()))
        return sum(self.per_fold["wrong"]) / weight if weight else math.nan

    @property
    def errors(self) -> list[float]:
        """Error of each fold that has rows with a class."""
        if self.fault:
            return []
        pairs = zip(self.per_fold["wrong"], self.per_fold["weight"], strict=True)
        return [wrong / weight for wrong, weight in pairs if weight]

    def to_line(self) -> str:
        """Return the run as a line of JSON."""
        means = {name: _mean(self.per_fold[name]) for name in SIZES if name in self.per_fold}
        data: dict[str, Any] = {
            "domain": self.domain,
            "learner": self.learner,
            "repeat": self.repeat,
            "folds": self.folds,
            "seed": self.seed,
            "error": None if math.isnan(self.error) else self.error,
            **means,
            "per_fold": self.per_fold,
            "seconds": round(self.seconds, 3),
            "versions": self.versions,
            "fingerprint": self.fingerprint,
        }
        data |= {name: getattr(self, name) for name in ("fault", "model") if getattr(self, name)}
        return json.dumps(data, ensure_ascii=False) + "\n"

    @classmethod
    def from_line(cls, line: str) -> Run:
        """Return the run of a line that `to_line` has made."""
        data = json.loads(line)
        names = [part.name for part in fields(cls) if part.name not in ("fault", "model")]
        optional = {name: data.get(name, "") for name in ("fault", "model")}
        return cls(**{name: data[name] for name in names}, **optional)


class RunFile:
    """The runs of a folder, by fingerprint.

    Parameters
    ----------
    path : Path
        File of JSON lines; it is made when the first run is added.

    Raises
    ------
    WidcError
        If a line before the last is none of ours.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._runs: dict[str, Run] = {}
        if not path.exists():
            return
        whole = path.read_bytes()
        kept = whole[: whole.rfind(b"\n") + 1]
        for number, line in enumerate(kept.decode("utf-8", "replace").splitlines(), start=1):
            try:
                run = Run.from_line(line)
            except (ValueError, KeyError, TypeError) as error:
                raise WidcError(
                    f"{path}:{number}: expected a run as a line of JSON, got {line[:60]!r}; "
                    "delete the line to have the run made again"
                ) from error
            self._runs[run.fingerprint] = run
        if len(kept) < len(whole):
            with path.open("r+b") as stream:
                stream.truncate(len(kept))

    def get(self, fingerprint: str) -> Run | None:
        """Return the run with a fingerprint, or None."""
        return self._runs.get(fingerprint)

    def add(self, run: Run) -> None:
        """Append a run to the file at once."""
        with self._path.open("ab") as stream:
            stream.write(run.to_line().encode())
        self._runs[run.fingerprint] = run


def fingerprint_of(task: Task, other_versions: Mapping[str, str], code: str | None = None) -> str:
    """Return a digest of all that influences a run; `code` is by default that of this package."""
    own = _code_digest() if code is None else code
    version = other_versions.get("weka", "") if task.learner.scheme else own
    parts = [
        task.problem.name,
        task.problem.digest(),
        task.learner.specification,
        task.folds,
        task.seed if task.folds else 0,
        version,
    ]
    if task.problem.is_xd6:
        parts.append(XD6_MEASURES)
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:20]


@lru_cache(maxsize=1)
def _code_digest() -> str:
    package = Path(widc_arff.__file__).parent
    digest = hashlib.sha256(widc_arff.__version__.encode())
    for pattern in LEARNING_CODE:
        for path in sorted(package.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def widc_run(task: Task, mark: str) -> Run:
    """Make a run of WIDC; data that cannot be learned from are a fault of the run."""
    versions = {
        "widc_arff": widc_arff.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
    per_fold: dict[str, list[float]] = {}
    fault = ""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        try:
            for train, test in _parts(task):
                committee = induce(train, task.learner.options)
                for name, value in _measured(committee, test, task.problem).items():
                    per_fold.setdefault(name, []).append(value)
        except WidcError as error:
            per_fold, fault = {}, str(error)
        except Exception as error:
            error.add_note(f"in the run of {task.learner.name} on {task.problem.name}")
            raise
    return _run(task, mark, per_fold, time.perf_counter() - start, versions, fault)


def other_run(task: Task, mark: str, others: OtherLearners, train: Path, test: Path | None) -> Run:
    """Make a run of a classifier of Weka on files that hold the task's data."""
    start = time.perf_counter()
    per_fold: dict[str, list[float]] = {}
    fault = model = ""
    try:
        answer = others.run(task.learner.scheme, train, test, task.folds, task.seed)
    except WidcError as error:
        fault = str(error)
    else:
        model = answer["model"]
        for name in ("wrong", "weight", *SIZES):
            if None not in answer[name]:
                per_fold[name] = answer[name]
        if task.problem.is_xd6 and task.learner.is_tree:
            per_fold["irrelevant"] = [float(IRRELEVANT in names) for names in answer["attributes"]]
    seconds = time.perf_counter() - start
    return _run(task, mark, per_fold, seconds, others.versions, fault, model)


def _run(  # noqa: PLR0913, PLR0917 - what a run consists of
    task: Task,
    mark: str,
    per_fold: Mapping[str, list[float]],
    seconds: float,
    versions: Mapping[str, str],
    fault: str,
    model: str = "",
) -> Run:
    return Run(
        mark,
        task.problem.name,
        task.learner.name,
        task.repeat,
        task.folds,
        task.seed,
        per_fold,
        seconds,
        versions,
        fault,
        model,
    )


def _parts(task: Task) -> Iterator[tuple[Dataset, Dataset]]:
    """Yield training and test examples, fold by fold."""
    dataset = loaded(task.problem)
    if task.folds == 0:
        yield dataset, Dataset.from_relation(task.problem.exact_test())
        return
    for rows in weka_folds(dataset.classes, task.folds, task.seed):
        yield training_and_test(dataset, rows)


def _measured(
    committee: DecisionCommittee, test: Dataset, problem: StudyProblem
) -> dict[str, float]:
    classes = test.classes
    wrong = (classes >= 0) & (committee.predict_codes(test) != classes)
    measured = {
        "wrong": float(test.weights[wrong].sum()),
        "weight": float(test.weights[classes >= 0].sum()),
        "rules": float(len(committee.rules)),
        "literals": float(committee.n_literals),
    }
    if problem.is_xd6:
        measured["target"] = float(holds_target(committee))
        measured["equivalent"] = float(decides_as_target(committee))
        measured["irrelevant"] = float(uses_irrelevant(committee))
    return measured


def _mean(values: list[float]) -> float:
    return float(np.mean(values))
