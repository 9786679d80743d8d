"""Experiments of Weka's Experimenter from Python: schemes side by side over the same folds.

The experiment is written as the XML file that the Experimenter itself saves, run in a JVM of its
own, and compared with the corrected resampled t-test (Nadeau and Bengio, 2003), as the
Experimenter's analysis does.
"""

from __future__ import annotations

import csv
import os
import shlex
import sys
import time
import zipfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

import numpy as np

from weka_plugin.build import build, find_java, find_weka_jar
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.writer import write_arff
from widc_arff.errors import WidcError, did_you_mean
from widc_arff.system.files import text_written_whole, written_whole
from widc_arff.system.processes import end, run_attended, start_attended

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

ERROR = "Percent_incorrect"
RULES = "measureNumRules"
SIZES = ("measureNumLiterals", "measureTreeSize")
"""Literals of a committee, nodes of a tree: the size of a scheme is the first that it has."""

WIDC = "weka.classifiers.rules.WIDC"
CPU_SECONDS = "measurePythonCPUSeconds"
MISSING = ("?", "")
SIGNIFICANCE = 0.05
JVM_OPTIONS = (
    "-Duser.timezone=UTC",
    "-Dfile.encoding=UTF-8",
    "-Dweka.packageManager.offline=true",
    "-Djava.awt.headless=true",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
)


@dataclass(frozen=True, slots=True)
class Scheme:
    """A classifier with its options.

    Parameters
    ----------
    name : str
        As it is shown.
    classname : str
        Java class.
    options : tuple of str
        As on Weka's command line.
    """

    name: str
    classname: str
    options: tuple[str, ...]


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

    def size_table(self) -> Table:
        """Return literals of committees beside nodes of trees."""
        sizes = np.full(self.values[ERROR].shape, np.nan)
        for measure in SIZES:
            if measure in self.values:
                sizes = np.where(np.isnan(sizes), self.values[measure], sizes)
        return self._table("size", sizes)

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
    schemes: Sequence[str],
    out: str | os.PathLike[str],
    *,
    runs: int = 10,
    folds: int = 10,
    weka_jar: Path | None = None,
    on_result: Callable[[int, int], None] | None = None,
) -> Results:
    """Run an experiment and return its results.

    Parameters
    ----------
    datasets : sequence of path
        ARFF files with the class last.
    schemes : sequence of str
        Classifiers as on a command line: ``J48``, ``IBk -K 1``, ``weka.classifiers.rules.JRip``.
        The first is the one that the others are compared with.
    out : path
        Folder for ``experiment.exp`` and ``experiment.xml`` (which open in the Experimenter),
        ``results.csv`` and ``results.arff``; it is made if need be.
    runs, folds : int
        Repeats with seeds 1 to `runs`, and folds of each.
    weka_jar : path, optional
        By default WEKA_JAR or that of python-weka-wrapper3.
    on_result : callable, optional
        Called now and then with the number of results so far and of all results.

    Raises
    ------
    WidcError
        If a file or a classifier is not there, Java is missing, or Weka fails.
    """
    paths = [Path(path).absolute() for path in datasets]
    for path in paths:
        if not path.is_file():
            raise WidcError(f"{path}: there is no such file")
    if find_spec("scipy") is None:
        raise WidcError("comparisons need scipy: pip install 'widc-arff[weka]'")
    jar = find_weka_jar(weka_jar)
    resolved = [parse_scheme(text, jar) for text in schemes]
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        # Weka writes elsewhere: the folder gets the results when they are complete.
        raw = Path(temporary) / "results.csv"
        plan = Path(temporary) / "experiment.xml"
        plan.write_text(experiment_xml(paths, resolved, raw, runs, folds), encoding="utf-8")
        class_path = os.pathsep.join([str(jar), str(build(temporary, weka_jar=jar).jar)])
        command = [find_java(), *JVM_OPTIONS, "-cp", class_path, "weka.experiment.Experiment"]
        n_results = len(paths) * len(resolved) * runs * folds
        _run([*command, "-l", str(plan), "-r"], raw, n_results, on_result)
        names = [path.stem for path in paths]
        results = read_results(raw, names, [scheme.name for scheme in resolved], runs, folds)
        kept = (folder / "results.csv").absolute()
        with text_written_whole(kept) as stream:
            stream.write(raw.read_text(encoding="utf-8"))
        plan.write_text(experiment_xml(paths, resolved, kept, runs, folds), encoding="utf-8")
        stored = plan.with_suffix(".exp")
        status, printed = run_attended([*command, "-l", str(plan), "-s", str(stored)])
        if status or not stored.is_file():
            raise WidcError(f"Weka could not save the experiment: {printed.strip()[-1000:]}")
        for file in (plan, stored):
            with written_whole(folder / file.name) as target:
                target.write(file.read_bytes())
    _write_raw_arff(kept, folder / "results.arff")
    return results


def parse_scheme(text: str, weka_jar: Path) -> Scheme:
    """Return the scheme of a command line; a short name is looked up in weka.jar."""
    words = shlex.split(text)
    if not words:
        raise WidcError("expected the name of a classifier, got an empty text")
    name, options = words[0], tuple(words[1:])
    if name in ("WIDC", WIDC):
        return Scheme(text, WIDC, options)
    with zipfile.ZipFile(weka_jar) as archive:
        classes = [
            entry.removesuffix(".class").replace("/", ".")
            for entry in archive.namelist()
            if entry.startswith("weka/classifiers/") and entry.endswith(".class")
        ]
    named = [entry for entry in classes if entry == name or entry.rpartition(".")[2] == name]
    if not named:
        short = [entry.rpartition(".")[2] for entry in classes if "$" not in entry]
        raise WidcError(f"expected a classifier of Weka, got {name!r}" + did_you_mean(name, short))
    return Scheme(text, named[0], options)


def experiment_xml(
    datasets: Sequence[Path], schemes: Sequence[Scheme], raw: Path, runs: int, folds: int
) -> str:
    """Return the experiment in the form that the Experimenter saves and opens."""
    evaluator = ["-W", "weka.classifiers.rules.ZeroR", "-I", "0", "-C", "1", "--"]
    producer = ["-X", str(folds), "-O", "splitEvalutorOut.zip"]
    producer += ["-W", "weka.experiment.ClassifierSplitEvaluator", "--", *evaluator]
    listener = [_options(["-O", str(raw)]), _text("java.io.File", "outputFile", str(raw))]
    path = [
        _property_node(0, _SPLIT_EVALUATOR, evaluator, (_PRODUCER, "splitEvaluator")),
        _property_node(1, "weka.classifiers.rules.ZeroR", (), (_SPLIT_EVALUATOR, "classifier")),
    ]
    root = _object(
        "weka.experiment.Experiment",
        "__root__",
        [
            _object(
                "weka.classifiers.Classifier",
                "propertyArray",
                [
                    _object(s.classname, str(i), [_options(s.options)])
                    for i, s in enumerate(schemes)
                ],
                array="yes",
            ),
            _object(
                "javax.swing.DefaultListModel",
                "datasets",
                [_text("java.io.File", str(i), str(path)) for i, path in enumerate(datasets)],
            ),
            _text("int", "runLower", "1", primitive="yes"),
            _text("int", "runUpper", str(runs), primitive="yes"),
            _object(_PRODUCER, "resultProducer", [_options(producer)]),
            _text("boolean", "usePropertyIterator", "true", primitive="yes"),
            _object("weka.experiment.PropertyNode", "propertyPath", path, array="yes"),
            _text("java.lang.String", "notes", ""),
            _object("weka.experiment.CSVResultListener", "resultListener", listener),
            _text("boolean", "advanceDataSetFirst", "false", primitive="yes"),
        ],
        version="3.9.6",
    )
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{_DOCTYPE}{text}\n'


_PRODUCER = "weka.experiment.CrossValidationResultProducer"
_SPLIT_EVALUATOR = "weka.experiment.ClassifierSplitEvaluator"
_DOCTYPE = """<!DOCTYPE object [
<!ELEMENT object (#PCDATA|object)*>
<!ATTLIST object name CDATA #REQUIRED>
<!ATTLIST object class CDATA #REQUIRED>
<!ATTLIST object primitive CDATA "no">
<!ATTLIST object array CDATA "no">
<!ATTLIST object null CDATA "no">
<!ATTLIST object version CDATA "3.9.6">
]>
"""


def _object(classname: str, name: str, children: Sequence[Element], **attributes: str) -> Element:
    element = Element("object", {"class": classname, "name": name, **attributes})
    element.extend(children)
    return element


def _text(classname: str, name: str, text: str, **attributes: str) -> Element:
    element = _object(classname, name, [], **attributes)
    element.text = text
    return element


def _options(options: Sequence[str]) -> Element:
    texts = [_text("java.lang.String", str(i), option) for i, option in enumerate(options)]
    return _object("java.lang.String", "options", texts, array="yes")


def _property_node(
    index: int, classname: str, options: Sequence[str], place: tuple[str, str]
) -> Element:
    """Return a step on the way to the property that the experiment varies."""
    return _object(
        "weka.experiment.PropertyNode",
        str(index),
        [
            _object(classname, "value", [_options(options)]),
            _text("java.lang.String", "parentClass", place[0]),
            _text("java.lang.String", "property", place[1]),
        ],
    )


def _run(
    command: list[str], raw: Path, total: int, on_result: Callable[[int, int], None] | None
) -> None:
    """Run the experiment; what it prints is told only when it fails."""
    log = raw.with_name("log.txt")
    environment = {**os.environ, "WIDC_PYTHON": os.environ.get("WIDC_PYTHON", sys.executable)}
    lines = _LineCounter(raw)
    with log.open("wb") as stream:
        process = start_attended(
            command, stdout=stream, stderr=stream, cwd=raw.parent, env=environment
        )
        try:
            while process.poll() is None:
                time.sleep(0.2)
                if on_result is not None:
                    on_result(max(lines.count() - 1, 0), total)
        finally:
            end(process)
    printed = log.read_text(encoding="utf-8", errors="replace").splitlines()
    # Weka goes on with a scheme's defaults when it does not take the options.
    refused = [line for line in printed if line.startswith("Warning: error invoking method")]
    if refused or process.returncode != 0 or lines.count() - 1 < total:
        told = [line for line in printed if line.strip() and not line.startswith("\tat ")]
        faults = [line for line in told if "xception" in line or "rror" in line]
        reasons = refused or faults or told[-3:]
        raise WidcError("Weka could not run the experiment: " + "; ".join(reasons[:3]))


class _LineCounter:
    """Counts the lines of a file that grows, reading each part once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self._lines = 0

    def count(self) -> int:
        if self._path.exists():
            with self._path.open("rb") as stream:
                stream.seek(self._read)
                new = stream.read()
            self._read += len(new)
            self._lines += new.count(b"\n")
        return self._lines


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
    for measure in (ERROR, RULES, *SIZES, CPU_SECONDS):
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
