"""Experiments of Weka's Experimenter from Python: schemes side by side over the same folds.

The experiment is written as the XML file that the Experimenter itself saves, run in a JVM of its
own, and compared with the corrected resampled t-test (Nadeau and Bengio, 2003), as the
Experimenter's analysis does.
"""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from weka_plugin.build import build, find_java, find_weka_jar
from weka_plugin.execution import JVM_OPTIONS, Plan, run_plan
from weka_plugin.schemes import Scheme, parse_scheme
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.writer import write_arff
from widc_arff.errors import WidcError
from widc_arff.system.files import text_written_whole, written_whole
from widc_arff.system.processes import number_of_jobs, run_attended

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

ERROR = "Percent_incorrect"
RULES = "measureNumRules"
CONDITIONS, VOTES = "measureNumLiterals", "measureNumExceptions"
"""What a committee holds."""
NODES, LEAVES = "measureTreeSize", "measureNumLeaves"
"""What a tree has; of a committee Weka's `NODES` are its conditions and votes."""

CPU_SECONDS = "measurePythonCPUSeconds"
MISSING = ("?", "")
SIGNIFICANCE = 0.05


@dataclass(frozen=True, slots=True)
class Cell:
    """One scheme on one data set.

    Parameters
    ----------
    mean : float
        Mean over runs and folds; NaN where the scheme has no such measure.
    deviation : float
        Standard deviation over runs and folds.
    mark : {"", "v", "*"}
        Significantly larger (v) or smaller (*) than the first scheme, at the 5 % level.
    """

    mean: float
    deviation: float
    mark: str


@dataclass(frozen=True, slots=True)
class Table:
    """One measure over data sets (rows) and schemes (columns)."""

    measure: str
    datasets: tuple[str, ...]
    schemes: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]

    def counts(self, scheme: int) -> tuple[int, int, int]:
        """Return on how many data sets a scheme is larger, equal and smaller than the first."""
        marks = [row[scheme].mark for row in self.cells]
        return marks.count("v"), marks.count(""), marks.count("*")


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Raw results: one value per data set, scheme, run and fold.

    Parameters
    ----------
    datasets, schemes : tuple of str
        Their names.
    values : dict of ndarray of shape (n_datasets, n_schemes, runs * folds)
        By measure; NaN where a scheme has no such measure.
    folds : int
        Folds of each run.
    """

    datasets: tuple[str, ...]
    schemes: tuple[str, ...]
    values: dict[str, NDArray[np.float64]]
    folds: int

    def table(self, measure: str) -> Table:
        """Return means and significance of one measure."""
        return self._table(measure, self.values[measure])

    def conditions_table(self) -> Table:
        """Return the numbers of conditions: in the rules of a committee, inner nodes of a tree."""
        nothing = np.full(self.values[ERROR].shape, np.nan)
        conditions, nodes, leaves = (
            self.values.get(name, nothing) for name in (CONDITIONS, NODES, LEAVES)
        )
        return self._table("conditions", np.where(np.isnan(conditions), nodes - leaves, conditions))

    def _table(self, measure: str, values: NDArray[np.float64]) -> Table:
        cells = tuple(
            tuple(
                Cell(
                    float(series.mean()),
                    float(series.std(ddof=1)) if len(series) > 1 else float("nan"),
                    significance(row[0], series, self.folds),
                )
                for series in row
            )
            for row in values
        )
        return Table(measure, self.datasets, self.schemes, cells)


def significance(base: NDArray[np.float64], other: NDArray[np.float64], folds: int) -> str:
    """Return "v", "*" or "" for values that are larger, smaller, or not told apart.

    The corrected resampled t-test at the 5 % level: the variance of the mean difference of k values
    is (1/k + n_test/n_train) times theirs, with n_test/n_train = 1 / (folds - 1).
    """
    from scipy.special import stdtr  # noqa: PLC0415 - only comparisons need it

    difference = other - base
    k = len(difference)
    mean = difference.mean()
    if np.isnan(mean) or k < 2 or not difference.any():
        return ""
    spread = np.sqrt((1 / k + 1 / (folds - 1)) * difference.var(ddof=1))
    if spread > 0 and 2 * stdtr(k - 1, -abs(mean / spread)) > SIGNIFICANCE:
        return ""
    return "v" if mean > 0 else "*"


def experiment(  # noqa: PLR0913 - what is compared, how, and with which tools
    datasets: Sequence[str | os.PathLike[str]],
    schemes: Sequence[str | Scheme],
    out: str | os.PathLike[str],
    *,
    runs: int = 10,
    folds: int = 10,
    jobs: int = 1,
    weka_jar: Path | None = None,
    on_result: Callable[[int, int], None] | None = None,
) -> Results:
    """Run an experiment and return its results.

    Parameters
    ----------
    datasets : sequence of path
        ARFF files with the class last.
    schemes : sequence of str or Scheme
        Classifiers as on a command line: ``J48``, ``IBk -K 1``, ``weka.classifiers.rules.JRip``.
        The first is the one that the others are compared with.
    out : path
        Folder for ``experiment.exp`` and ``experiment.xml`` (which open in the Experimenter),
        ``results.csv`` and ``results.arff``; created if it does not exist.
    runs, folds : int
        Repeats with seeds 1 to `runs`, and folds of each.
    jobs : int
        Java processes at a time; -1 for one per processor.  The results are the same.
    weka_jar : path, optional
        By default WEKA_JAR or that of python-weka-wrapper3.
    on_result : callable, optional
        Called from time to time with the number of results so far and in all.

    Raises
    ------
    WidcError
        If a file or a classifier is not there, Java is missing, or Weka fails.
    """
    paths = tuple(Path(path).absolute() for path in datasets)
    for path in paths:
        if not path.is_file():
            raise WidcError(f"{path}: there is no such file")
    if find_spec("scipy") is None:
        raise WidcError("comparisons need scipy: pip install 'widc-arff[weka]'")
    jar = find_weka_jar(weka_jar)
    resolved = tuple(s if isinstance(s, Scheme) else parse_scheme(s, jar) for s in schemes)
    plan = Plan(paths, resolved, range(1, runs + 1), folds)
    kept = Path(out).absolute() / "results.csv"
    kept.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        # Weka writes elsewhere: the folder gets the results when they are complete.
        under_way = Path(temporary)
        class_path = os.pathsep.join([str(jar), str(build(temporary, weka_jar=jar).jar)])
        command = [find_java(), *JVM_OPTIONS, "-cp", class_path, "weka.experiment.Experiment"]
        raw = run_plan(plan, command, under_way, number_of_jobs(jobs), on_result)
        names = [path.stem for path in paths]
        results = read_results(raw, names, [scheme.name for scheme in resolved], runs, folds)
        with text_written_whole(kept) as stream:
            stream.write(raw.read_text(encoding="utf-8"))
        _write_experiment(plan, command, under_way, kept)
    _write_raw_arff(kept, kept.with_name("results.arff"))
    return results


def _write_experiment(plan: Plan, command: Sequence[str], under_way: Path, kept: Path) -> None:
    """Write the experiment beside its results in both forms that the Experimenter opens."""
    file = under_way / "experiment.xml"
    plan.write(file, kept)
    stored = file.with_suffix(".exp")
    status, printed = run_attended([*command, "-l", str(file), "-s", str(stored)])
    if status or not stored.is_file():
        raise WidcError(f"Weka could not save the experiment: {printed.strip()[-1000:]}")
    for path in (file, stored):
        with written_whole(kept.with_name(path.name)) as target:
            target.write(path.read_bytes())


def read_results(
    raw: Path, datasets: Sequence[str], schemes: Sequence[str], runs: int, folds: int
) -> Results:
    """Return the results of a raw file of the Experimenter.

    Its rows come data set by data set, scheme by scheme, run by run, fold by fold.

    Raises
    ------
    WidcError
        If the file holds another number of rows, or its keys contradict this order.
    """
    rows = list(_csv_rows(raw))
    shape = (len(datasets), len(schemes), runs, folds)
    if len(rows) != np.prod(shape):
        raise WidcError(f"{raw}: expected {np.prod(shape)} results, got {len(rows)}")
    for index, row in zip(np.ndindex(shape), rows, strict=True):
        if (int(row["Key_Run"]), int(row["Key_Fold"])) != (index[2] + 1, index[3] + 1):
            raise WidcError(f"{raw}: expected runs and folds in order, got {row}")
    values = {}
    for measure in (ERROR, RULES, CONDITIONS, VOTES, NODES, LEAVES, CPU_SECONDS):
        if measure in rows[0]:
            numbers = np.array([_number(row[measure]) for row in rows])
            values[measure] = numbers.reshape(len(datasets), len(schemes), runs * folds)
    return Results(tuple(datasets), tuple(schemes), values, folds)


def _number(text: str) -> float:
    return float("nan") if text in MISSING else float(text)


def _csv_rows(raw: Path) -> Iterator[dict[str, str]]:
    with raw.open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream, quotechar="'", escapechar="\\")


def _write_raw_arff(raw: Path, path: Path) -> None:
    """Write the raw results as ARFF: keys and texts nominal, measures numeric."""
    rows = list(_csv_rows(raw))
    attributes = []
    for name in rows[0]:
        texts = [row[name] for row in rows if row[name] not in MISSING]
        if name.startswith("Key_") or not all(map(_is_number, texts)):
            attributes.append(Attribute(name, "nominal", tuple(dict.fromkeys(texts))))
        else:
            attributes.append(Attribute(name, "numeric"))

    def cell(attribute: Attribute, text: str) -> Any:  # noqa: ANN401 - a label or a number
        if text in MISSING:
            return None
        return text if attribute.type == "nominal" else float(text)

    cells = [[cell(a, row[a.name]) for a in attributes] for row in rows]
    write_arff(Relation.from_rows("InstanceResultListener", attributes, cells), path)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
