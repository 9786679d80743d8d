"""Experiments: the same folds as ours, the same significance as Weka, and the command compare."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.weka.installation import JVM_OPTIONS, java, weka_jar
from tests.weka.plugin import run
from weka_plugin.execution import Plan
from weka_plugin.experiment_file import experiment_xml
from weka_plugin.experiments import (
    ERROR,
    LEAVES,
    NODES,
    RULES,
    Results,
    experiment,
    significance,
)
from weka_plugin.schemes import parse_scheme
from weka_plugin.tables import comparison_text
from weka_plugin.weka_options import weka_options
from widc_arff import Dataset, Options, WidcError, read_arff
from widc_arff.cli import main
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.options import PRUNINGS

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "arff_data" / f"{name}.arff" for name in ("iris", "monk1-124")]
SCHEMES = ["WIDC", "J48", "JRip", "IBk -K 1"]
RUNS, FOLDS = 3, 4


@pytest.fixture(scope="module")
def ran(tmp_path_factory) -> tuple[Results, Path]:
    folder = tmp_path_factory.mktemp("experiment")
    return experiment(FILES, SCHEMES, folder, runs=RUNS, folds=FOLDS), folder


def test_equal_series_are_not_told_apart():
    values = np.array([1.0, 2.0, 3.0, 4.0])
    assert significance(values, values, 2) == ""
    assert significance(values, values * np.nan, 2) == ""


def test_a_constant_difference_is_significant():
    values = np.array([1.0, 2.0, 3.0, 4.0])
    assert significance(values, values + 1, 2) == "v"
    assert significance(values, values - 1, 2) == "*"


def test_the_correction_widens_the_variance_by_the_share_of_test_examples():
    # 100 differences of mean 1 and variance v, ten folds: t = 1 / sqrt((1/100 + 1/9) v); at 99
    # degrees of freedom the 5 % point is 1.984, that is v = 2.098
    base = np.zeros(100)
    for variance, mark in ((2.05, "v"), (2.15, "")):
        spread = np.sqrt(variance * 99 / 100)
        other = 1 + np.where(np.arange(100) % 2, spread, -spread)
        assert significance(base, other, 10) == mark


@pytest.mark.needs("weka")
def test_errors_and_sizes_are_those_of_evaluate(ran):
    results, _ = ran
    for d, path in enumerate(FILES):
        dataset = Dataset.from_relation(read_arff(path))
        ours = cross_validate(dataset, Options(), Folding(FOLDS, 1, RUNS))
        errors = 100 * np.array(ours.errors_per_fold)
        np.testing.assert_allclose(results.values[ERROR][d, 0], errors, atol=1e-9)
        rules = [p.n_rules + 1 for p in ours.predictions]  # Weka counts the default rule
        assert results.values[RULES][d, 0].tolist() == rules
        literals = [p.n_literals for p in ours.predictions]
        assert results.values["measureNumLiterals"][d, 0].tolist() == literals
        votes = [p.n_votes if len(ours.labels) > 2 else 0 for p in ours.predictions]
        assert results.values["measureNumExceptions"][d, 0].tolist() == votes
        sizes = results.values["measureTreeSize"][d, 0].tolist()
        assert sizes == np.add(literals, votes).tolist()
        ours, trees = (cell.mean for cell in results.conditions_table().cells[d][:2])
        assert ours == pytest.approx(np.mean(literals))
        nodes, leaves = (results.values[name][d, 1] for name in (NODES, LEAVES))
        assert trees == pytest.approx(np.mean(nodes - leaves))


@pytest.mark.needs("weka")
@pytest.mark.parametrize("measure", [ERROR, RULES, "measureTreeSize"])
def test_significance_is_that_of_weka(ran, measure):
    results, folder = ran
    raw = read_arff(folder / "results.arff")
    names = [attribute.name for attribute in raw.attributes]

    def columns(*wanted: str) -> str:
        return ",".join(str(names.index(name) + 1) for name in wanted)

    command = [str(java()), *JVM_OPTIONS, "-cp", str(weka_jar())]
    command += ["weka.experiment.PairedCorrectedTTester", "-t", str(folder / "results.arff")]
    command += ["-c", columns(measure), "-D", columns("Key_Dataset"), "-R", columns("Key_Run")]
    command += ["-F", columns("Key_Fold"), "-S", "0.05", "-b", "1", "-significance"]
    command += ["-G", columns("Key_Scheme", "Key_Scheme_options", "Key_Scheme_version_ID")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    table = results.table(measure)
    found = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line.split()}
    for name, row in zip(table.datasets, table.cells, strict=True):
        marks = [cell.mark for cell in row[1:] if cell.mark]
        assert [mark for mark in found[name] if mark in ("v", "*")] == marks, done.stdout


@pytest.mark.needs("weka")
def test_tables_show_every_scheme_and_file(ran):
    results, _ = ran
    text = comparison_text(results)
    assert "Error in percent" in text
    for name in (*SCHEMES, "iris", "monk1-124"):
        assert name in text
    assert len({len(line.rstrip()) for line in text.splitlines()} - {0}) > 1


@pytest.mark.needs("weka")
def test_compare_prints_tables_and_leaves_the_files(tmp_path, capsys):
    out = tmp_path / "out"
    arguments = ["compare", str(FILES[0]), "--against", "ZeroR", "--runs", "1", "--folds", "2"]
    assert main([*arguments, "--pruning", "optimistic", "-o", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "WIDC -pruning optimistic" in printed
    assert (out / "tables.txt").read_text(encoding="utf-8") == printed
    assert sorted(path.name for path in out.iterdir()) == [
        "experiment.exp",
        "experiment.xml",
        "results.arff",
        "results.csv",
        "tables.txt",
    ]


def test_options_of_ours_are_words_of_weka_s_unless_they_are_the_defaults():
    assert weka_options(Options()) == []
    assert weka_options(Options(max_rules=0, max_size=4)) == ["-max-rules", "0", "-max-size", "4"]
    other = next(pruning for pruning in PRUNINGS if pruning != Options().pruning)
    assert weka_options(Options(pruning=other)) == ["-pruning", other]
    assert weka_options(Options(penalty=0.5)) == ["-penalty", "0.5"]
    words = ["-votes", "one", "-vote-penalty", "2.0"]
    assert weka_options(Options(votes="one", vote_penalty=2.0)) == words
    assert weka_options(Options(impurity_penalty=0.1)) == ["-impurity-penalty", "0.1"]


@pytest.mark.needs("weka")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--against", "J84"], "did you mean 'J48'"),
        (["--against", "J48 -Z 3"], "Weka could not run the experiment"),
        (["--against", ""], "the name of a classifier"),
        (
            ["--ordered", "x=", "--runs", "3"],
            "-ordered: expected the name of an attribute, got 'x'",
        ),
    ],
)
def test_what_cannot_be_compared_is_told(tmp_path, capsys, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    Path("cuts.json").write_text('{"petal_length": [2.5]}', encoding="utf-8")
    assert main(["compare", str(FILES[0]), "--runs", "1", "--folds", "2", *arguments]) == 1
    error = capsys.readouterr().err
    assert error.count(message) == 1  # however many runs fail
    assert "Traceback" not in error


@pytest.mark.needs("weka")
@pytest.mark.parametrize(
    ("scheme", "faults"),
    [
        ("WIDC -python /no/python", ["could start none: /no/python", "system property widc.py"]),
        (f"WIDC -pruning {'x' * 40}", [f"optimistic, none, refined, got '{'x' * 40}')"]),
    ],
)
def test_a_message_of_several_lines_is_told_whole(tmp_path, scheme, faults):
    with pytest.raises(WidcError) as caught:
        experiment([FILES[0]], [scheme], tmp_path, runs=1, folds=2)
    message = str(caught.value)
    assert "\n" not in message
    for fault in faults:
        assert fault in message


@pytest.mark.needs("weka")
def test_compare_gives_any_class_and_every_option_to_the_weka_classifier(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    file = ROOT / "arff_data" / "weather-numeric.arff"
    Path("cuts.json").write_text('{"temperature": [70.5, 78], "humidity": [82.5]}')
    Path("my rules.txt").write_text("if humidity > 82.5 then sunny\n")
    Path("outlook.cost").write_text("3 3\n0 1 2\n1 0 1\n9 4 0\n")
    options = ["--class", "outlook", "--pruning", "pessimistic"]
    options += ["--cut-points", "cuts.json", "--rules", "my rules.txt", "--costs", "outlook.cost"]
    options += ["--class-weight", "rainy=2", "--class-weight", "sunny=0.5", "--no-negation"]
    options += ["--monotone", "temperature=-rainy", "--min-coverage", "15%", "--max-rules", "4"]
    against = ["--runs", "1", "--against", "ZeroR", "-o", "out"]
    assert main(["compare", str(file), "--folds", "5", *against, *options]) == 0
    assert "WIDC -pruning pessimistic -cut-points cuts.json" in capsys.readouterr().out
    errors = [float(row["Percent_incorrect"]) for row in raw_rows(Path("out/results.csv"))[:5]]
    assert main(["evaluate", str(file), "--folds", "5", *options, "--format", "json"]) == 0
    ours = json.loads(capsys.readouterr().out)
    assert errors == pytest.approx([100 * error for error in ours["errors_per_fold"]])
    text = Path("out/experiment.xml").read_text(encoding="utf-8")
    for word in (tmp_path / "my rules.txt", tmp_path / "outlook.cost", "-no-negation"):
        assert str(word) in text
    copy = read_arff(Path("out/weather-numeric.arff"))
    assert [a.name for a in copy.attributes][-1] == "outlook"
    assert len(copy) == len(read_arff(file))


def raw_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, quotechar="'", escapechar="\\"))


@pytest.mark.parametrize("option", ["--cut-points", "--rules", "--costs"])
def test_compare_takes_no_option_from_standard_input(capsys, option):
    assert main(["compare", str(FILES[0]), option, "-"]) == 2
    assert "names of files, because Weka reads them itself, got -" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("temperature", "class attribute 'temperature': expected a nominal attribute, got a num"),
        ("6", "class attribute: expected a number from 1 to 5, got 6"),
        ("wind", "did you mean 'windy'"),
    ],
)
def test_a_class_that_cannot_be_compared_is_told_with_its_file(capsys, label, message):
    file = ROOT / "arff_data" / "weather-numeric.arff"
    assert main(["compare", str(file), "--class", label, "-o", "nowhere"]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert str(file) in error
    assert not Path("nowhere").exists()


def test_a_copy_never_takes_the_place_of_the_data(tmp_path, capsys):
    file = tmp_path / "weather-nominal.arff"
    data = (ROOT / "arff_data" / file.name).read_bytes()
    file.write_bytes(data)
    assert main(["compare", str(file), "--class", "first", "-o", str(tmp_path)]) == 1
    assert "expected a folder other than that of the data" in capsys.readouterr().err
    assert file.read_bytes() == data


def test_a_comparison_that_fails_leaves_nothing_new(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("flowers.csv").write_text("size,class\n1,a\n2,b\n")
    arguments = ["compare", "flowers.csv", "--weka-jar", "none.jar", "-o"]
    assert main([*arguments, "new"]) == 1
    assert "none.jar" in capsys.readouterr().err
    assert not Path("new").exists()
    Path("old").mkdir()
    Path("old/flowers.arff").write_text("of an earlier run")
    assert main([*arguments, "old"]) == 1
    assert [path.name for path in Path("old").iterdir()] == ["flowers.arff"]


def test_files_whose_copies_would_be_one_are_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("x", "y"):
        Path(folder).mkdir()
        Path(folder, "d.csv").write_text(f"size,class\n1,{folder}\n2,b\n")
    assert main(["compare", "x/d.csv", "y/d.csv"]) == 1
    assert "y/d.csv: expected a name other than that of x/d.csv" in capsys.readouterr().err
    assert not Path("results").exists()


@pytest.mark.needs("weka")
def test_jobs_change_no_result(ran, tmp_path):
    """Two processes share the runs of a data set."""
    _, folder = ran
    schemes = SCHEMES[:2]
    experiment(FILES[1:], schemes, tmp_path, runs=RUNS, folds=FOLDS, jobs=2)

    def told(path: Path) -> list[dict[str, str]]:
        timed = ("Date_time", "CPU", "elapsed", "Elapsed", "Time", "time", "size", "SeedMeasure")
        rows = [
            {name: text for name, text in row.items() if not any(t in name for t in timed)}
            for row in raw_rows(path)
        ]
        names = [scheme.rpartition(".")[2] for scheme in schemes]
        return [
            row
            for row in rows
            if row["Key_Scheme"].rpartition(".")[2] in names and FILES[1].stem in row["Key_Dataset"]
        ]

    assert told(tmp_path / "results.csv") == told(folder / "results.csv")
    assert len(told(tmp_path / "results.csv")) == len(schemes) * RUNS * FOLDS


@pytest.mark.parametrize("jobs", range(1, 9))
def test_parts_of_an_experiment_are_enough_and_make_all_of_it(jobs):
    plan = Plan((Path("a"), Path("b")), (), range(1, 4), 10)
    parts = plan.parts(jobs)
    assert len(parts) >= min(jobs, 2 * 3)
    made = [(path, run) for part in parts for path in part.datasets for run in part.runs]
    assert made == [(path, run) for path in plan.datasets for run in plan.runs]


@pytest.mark.needs("weka")
def test_weka_opens_the_experiment_in_the_form_that_it_looks_for(ran, tmp_path):
    _, folder = ran
    back = tmp_path / "back.xml"
    printed = run("weka.experiment.Experiment", "-l", f"{folder}/experiment.exp", "-s", str(back))
    text = back.read_text(encoding="utf-8")
    for name in (*map(str, FILES), "weka.classifiers.rules.WIDC", f"{folder}/results.csv"):
        assert name in text, printed


@pytest.mark.needs("weka")
def test_schemes_are_found_by_short_and_by_full_name():
    jar = weka_jar()
    assert jar
    assert parse_scheme("IBk -K 1", jar).classname == "weka.classifiers.lazy.IBk"
    assert parse_scheme("weka.classifiers.rules.JRip", jar).classname.endswith("JRip")
    assert parse_scheme('WIDC -cut-points "quantile:8"', jar).options == (
        "-cut-points",
        "quantile:8",
    )


def test_the_experiment_is_written_with_awkward_names():
    text = experiment_xml([Path("/a & b/<é>.arff")], [], Path("out.csv"), range(1, 2), 2)
    assert "/a &amp; b/&lt;é&gt;.arff" in text


WRAPPER = """
import sys
sys.path.insert(0, {root!r})
import weka_plugin
from widc_arff.errors import WidcError
weka_plugin.start_jvm()
weka_plugin.start_jvm()  # harmless
from weka.core.classes import Random
from weka.core.converters import load_any_file
from weka.classifiers import Evaluation
data = load_any_file({file!r}, class_index="last")
evaluation = Evaluation(data)
evaluation.crossvalidate_model(weka_plugin.classifier(pruning="none"), data, 10, Random(1))
print("error", evaluation.percent_incorrect)
built = weka_plugin.classifier(max_rules=1)
built.build_classifier(data)
print(str(built).splitlines()[0])
print(weka_plugin.classifier(pruning="refined", penalty=5, votes="one", vote_penalty=2).options)
from weka.core import jvm
jvm.stop()
try:
    weka_plugin.start_jvm()
except WidcError as error:
    print("refused:", error)
"""


@pytest.mark.needs("weka")
def test_python_weka_wrapper_gives_the_errors_of_evaluate(tmp_path):
    code = WRAPPER.format(root=str(ROOT), file=str(FILES[1]))
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=tmp_path
    )
    dataset = Dataset.from_relation(read_arff(FILES[1]))
    ours = cross_validate(dataset, Options(pruning="none"), Folding())
    lines = [line for line in done.stdout.splitlines() if line]
    assert lines[:1], done.stderr
    assert float(lines[0].removeprefix("error ")) == pytest.approx(100 * ours.error)
    assert "1 rule" in lines[1]
    assert "'-pruning', 'refined'" in lines[2]
    assert "'-penalty', '5.0', '-votes', 'one', '-vote-penalty', '2.0'" in lines[2]
    assert lines[3].startswith("refused:")


def test_a_missing_data_file_is_named(tmp_path):
    with pytest.raises(WidcError, match="there is no such file"):
        experiment([tmp_path / "no.arff"], ["WIDC"], tmp_path / "out", weka_jar=weka_jar())
