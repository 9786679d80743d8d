"""Weka's evaluation of the classifier and ours give the same predictions, bit for bit."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.weka.kinds import ORDER, kinds_arff
from tests.weka.plugin import CLASSIFIER, DATA, run, run_probe, values, work_folder
from widc_arff.arff.reader import read_arff
from widc_arff.data.dataset import Dataset
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.induction import induce
from widc_arff.options import Options
from widc_arff.reports.text import committee_text

if TYPE_CHECKING:
    from pathlib import Path

    from widc_arff.evaluation.outcomes import Prediction

pytestmark = pytest.mark.needs("weka")


@dataclass(frozen=True)
class Case:
    file: str
    n_folds: int = 10
    weka: str = ""
    options: Options = Options()  # noqa: RUF009 - frozen

    @property
    def path(self) -> Path:
        there = DATA / f"{self.file}.arff"
        return there if there.is_file() else written(self.file)

    def dataset(self) -> Dataset:
        return Dataset.from_relation(read_arff(self.path))

    def __str__(self) -> str:
        return f"{self.file} {self.weka}".strip()


CASES = (
    Case("weather-nominal"),
    Case("weather-numeric"),
    Case("iris"),
    Case("balance-scale"),
    Case("led7", 2),
    Case("dates"),
    Case("weights", 2),
    Case("many-classes", 2),
    Case("missing-classes"),
    Case("absent-class"),
    Case("missing-values"),
    Case("kinds", 3),
    Case(
        "kinds",
        2,
        f"-pruning none -literals known,sets -ordered {ORDER}",
        Options(pruning="none", literals=("known", "sets"), ordered=(ORDER,)),
    ),
    Case("iris", 3, "-pruning none", Options(pruning="none")),
    Case("balance-scale", 3, "-pruning optimistic", Options(pruning="optimistic")),
    Case(
        "balance-scale", 3, "-pruning refined -penalty 5", Options(pruning="refined", penalty=5.0)
    ),
    Case("led7", 2, "-votes one -vote-penalty 2", Options(votes="one", vote_penalty=2.0)),
    Case("balance-scale", 2, "-votes free", Options(votes="free")),
    Case("led7", 2, "-impurity-penalty 0.1", Options(impurity_penalty=0.1)),
    Case("iris", 3, "-cut-points width:8", Options(cut_points="width:8")),
    Case("balance-scale", 2, "-max-rules 3", Options(max_rules=3)),
    Case("balance-scale", 2, "-max-literals 1", Options(max_literals=1)),
    Case("balance-scale", 2, "-max-size 5", Options(max_size=5)),
    Case("iris", 2, "-max-rules 0", Options(max_rules=0)),
)


@cache
def written(name: str) -> Path:
    path = work_folder() / f"{name}.arff"
    path.write_text({f"{f.__name__.replace('_', '-')}": f for f in WRITERS}[name](), "utf-8")
    return path


def dates() -> str:
    generator = np.random.default_rng(1)
    lines = ["@relation dates", "@attribute 'seen at' date 'yyyy-MM-dd HH:mm'"]
    lines += ["@attribute day date yyyy-MM-dd", "@attribute class {old,new}", "@data"]
    for year, month, day, hour in generator.integers([1900, 1, 1, 0], [2100, 13, 29, 24], (60, 4)):
        label = "old" if year + month / 12 < 1997.5 + 20 * generator.normal() else "new"
        stamp = f"'{year}-{month:02}-{day:02} {hour:02}:30'" if hour % 5 else "?"
        lines.append(f"{stamp},{year}-{month:02}-{day:02},{label}")
    return "\n".join(lines) + "\n"


def _rows(n_rows: int, n_labels: int, seed: int) -> list[list[str]]:
    """Return rows of a number, two colours and the class, which depends on them."""
    generator = np.random.default_rng(seed)
    rows = []
    for code in generator.integers(n_labels, size=n_rows):
        first, second = generator.integers([code // 2 + 2, code + 1]) % 4
        number = float(generator.normal(code, 0.8))
        rows.append([repr(number), f"c{first}", f"c{second}", f"k{code}"])
    return rows


def _arff(name: str, rows: list[list[str]], n_labels: int) -> str:
    labels = ",".join(f"k{j}" for j in range(n_labels))
    lines = [f"@relation {name}", "@attribute x numeric", "@attribute a {c0,c1,c2,c3}"]
    lines += ["@attribute b {c0,c1,c2,c3}", f"@attribute class {{{labels}}}", "@data"]
    return "\n".join([*lines, *(",".join(row) for row in rows)]) + "\n"


def weights() -> str:
    generator = np.random.default_rng(2)
    rows = _rows(80, 3, 3)
    return _arff(
        "weights", [[*row, f"{{{generator.choice([0, 0.1, 1, 2.7])}}}"] for row in rows], 3
    )


def many_classes() -> str:
    generator = np.random.default_rng(4)
    rows = _rows(400, 12, 5)
    return _arff("many", [[*row, f"{{{generator.uniform(0.1, 3)!r}}}"] for row in rows], 12)


def missing_classes() -> str:
    rows = _rows(70, 3, 6)
    return _arff(
        "missing", [[*row[:-1], row[-1] if i % 6 else "?"] for i, row in enumerate(rows)], 3
    )


def absent_class() -> str:
    return _arff("absent", _rows(70, 3, 7), 5)


def missing_values() -> str:
    generator = np.random.default_rng(8)
    rows = _rows(120, 3, 9)
    return _arff(
        "missing",
        [[*(v if generator.random() > 0.2 else "?" for v in row[:-1]), row[-1]] for row in rows],
        3,
    )


def kinds() -> str:
    return kinds_arff()


WRITERS = (dates, weights, many_classes, missing_classes, absent_class, missing_values, kinds)


@cache
def answers() -> dict[str, list[str]]:
    commands: dict[str, tuple[object, ...]] = {}
    for case in CASES:
        commands[f"cv {case}"] = ("cv", case.path, case.n_folds, 1, case.weka)
        commands[f"train {case}"] = ("train", case.path, case.weka)
    return run_probe(commands)


def ours(case: Case) -> tuple[Prediction, ...]:
    return cross_validate(case.dataset(), case.options, Folding(case.n_folds, 1)).predictions


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.filterwarnings("ignore::widc_arff.errors.WidcWarning")
def test_cross_validation_in_weka_predicts_the_same(case: Case) -> None:
    rows = np.array([row.split("\t") for row in values(answers()[f"cv {case}"], "row")], float)
    predictions = ours(case)
    actual = np.concatenate([p.actual for p in predictions])
    assert len(rows) == len(actual)
    np.testing.assert_array_equal(np.where(np.isnan(rows[:, 0]), -1, rows[:, 0]), actual)
    np.testing.assert_array_equal(rows[:, 1], np.concatenate([p.predicted for p in predictions]))
    np.testing.assert_array_equal(rows[:, 2], np.concatenate([p.weights for p in predictions]))
    np.testing.assert_array_equal(
        rows[:, 3:], np.concatenate([p.probabilities for p in predictions])
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_training_in_weka_gives_the_same_committee_and_text(case: Case) -> None:
    lines = answers()[f"train {case}"]
    with_warnings = pytest.warns() if case.file in ("weights", "missing-classes") else None
    if with_warnings is None:
        committee = induce(case.dataset(), case.options)
    else:
        with with_warnings:
            committee = induce(case.dataset(), case.options)
    (model,) = values(lines, "json")
    assert json.loads(model) == json.loads(committee.to_json())
    assert committee_text(committee) in "\n".join(lines) + "\n"


def test_left_out_rows_are_told() -> None:
    assert (
        "Warning: 12 rows without a class left out of training"
        in answers()["train missing-classes"]
    )


@pytest.mark.parametrize("file", ["weather-nominal", "iris"])
def test_weka_s_command_line_predicts_the_same(file: str) -> None:
    case = Case(file)
    printed = run(
        CLASSIFIER,
        *("-t", str(case.path), "-x", "10", "-s", "1", "-classifications"),
        "weka.classifiers.evaluation.output.prediction.CSV -distribution -decimals 12",
    )
    rows = [line.split(",") for line in printed.splitlines() if line[:1].isdigit()]
    predictions = ours(case)
    predicted = np.concatenate([p.predicted for p in predictions])
    assert [int(row[2].split(":")[0]) - 1 for row in rows] == predicted.tolist()
    shown = np.array([[float(field.lstrip("*")) for field in row[4:]] for row in rows])
    probabilities = np.concatenate([p.probabilities for p in predictions])
    np.testing.assert_allclose(shown, probabilities, rtol=0, atol=1e-12)
