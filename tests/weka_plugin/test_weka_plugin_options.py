"""Every option of training is one of the command line, the Weka classifier and the estimator.

What differs is told here: `delta` is the library's alone, `negation` is the flag no-negation.
"""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import pytest

from tests.weka.kinds import ORDER, kinds_arff
from tests.weka.plugin import DATA, run_probe, values, work_folder
from weka_plugin.java_options import INDUCTION, OF_CLASSIFIER
from weka_plugin.weka_options import weka_options, words_of
from widc_arff import Dataset, DecisionCommittee, Options, induce, read_arff
from widc_arff.cli import main
from widc_arff.cli.common import options_from, training_options
from widc_arff.errors import OptionError
from widc_arff.model.model_file import committee_to_json
from widc_arff.reports.text import committee_text

if TYPE_CHECKING:
    from pathlib import Path

    from widc_arff.reports.by_class import Layout

DEFAULTS = {field.name: getattr(Options(), field.name) for field in fields(Options)}


class File(NamedTuple):
    """A data file with what options name in it."""

    name: str
    labels: tuple[str, ...]
    number: str
    """A numeric attribute."""
    cut: float
    """A point among its values."""
    ordered: tuple[str, ...] = ()
    """Words that say an order."""

    @property
    def path(self) -> Path:
        there = DATA / f"{self.name}.arff"
        return there if there.is_file() else written(there.name, kinds_arff())


FILES = (
    File("iris", ("setosa", "versicolor", "virginica"), "petal_width", 1.65),
    File("weather-numeric", ("yes", "no"), "humidity", 82.5),
    File("balance-scale", ("L", "B", "R"), "left-weight", 2.5),
    File("wine", ("1", "2", "3"), "flavanoids", 1.575),
    File("waveform", ("0", "1", "2"), "x7", 3.05),
    File("kinds", ("no", "yes"), "z", 0.5, ("--ordered", ORDER, "--ordered", "age=")),
)


def settings(file: File) -> dict[str, list[str]]:
    """Return the words of the command line for each option, some with the pruning they need."""
    first, *_, last = file.labels
    given = {
        "pruning none": ["--pruning", "none"],
        "pruning optimistic": ["--pruning", "optimistic"],
        "pruning pessimistic": ["--pruning", "pessimistic"],
        "penalty": ["--penalty", "0.5"],
        "votes": ["--votes", "free"],
        "vote_penalty": ["--vote-penalty", "0.125"],
        "impurity_penalty": ["--impurity-penalty", "0.3"],
        "cut_points": ["--cut-points", "quantile:7"],
        "cut_points file": ["--cut-points", str(cuts_of(file))],
        "max_rules": ["--max-rules", "1", "--pruning", "pessimistic"],
        "max_literals": ["--max-literals", "1", "--pruning", "pessimistic"],
        "max_size": ["--max-size", "2", "--pruning", "pessimistic"],
        "min_coverage": ["--min-coverage", "5", "--pruning", "none"],
        "min_coverage share": ["--min-coverage", "12.5%", "--pruning", "none"],
        "negation": ["--no-negation", "--pruning", "none"],
        "literals": ["--literals", "order"],
        "literals plain": ["--literals", "plain"],
        "ordered": [*file.ordered, "--penalty", "2"],
        "class_weight": ["--class-weight", f"{first}=4", "--class-weight", f"{last}=0.1"],
        "class_weight balanced": ["--class-weight", "balanced", "--penalty", "1"],
        "costs": ["--costs", str(costs_of(file)), "--pruning", "pessimistic"],
        "monotone": [
            *("--monotone", f"{file.number}=+{first}", "--monotone", f"{file.number}=-{last}"),
            *("--pruning", "none"),
        ],
        "rules": ["--rules", str(rules_of(file))],
    }
    assert {name.split()[0] for name in given} == set(INDUCTION)
    return given


def for_weka(words: list[str]) -> list[str]:
    return [word.removeprefix("-") if word.startswith("--") else word for word in words]


@cache
def cuts_of(file: File) -> Path:
    return written(f"{file.name} cuts.json", json.dumps({file.number: [file.cut, file.cut + 1]}))


@cache
def costs_of(file: File) -> Path:
    """Return costs that are the larger the further a class is declared below the true one."""
    size = len(file.labels)
    rows = [[0.3 * (i - j) if i > j else j - i for j in range(size)] for i in range(size)]
    lines = [f"{size} {size}", "% comment", *(" ".join(map(repr, map(float, r))) for r in rows)]
    return written(f"{file.name}.cost", "\n".join(lines) + "\n")


@cache
def rules_of(file: File) -> Path:
    first, *_, last = file.labels
    lines = [f"if {file.number} > {file.cut} then {last}, not {first}  # naïve"]
    lines += [f"if {file.number} <= {file.cut}"]
    return written(f"{file.name} rules.txt", "\ufeff" + "\n".join(lines) + "\n")


def written(name: str, text: str) -> Path:
    path = work_folder() / name
    path.write_text(text, encoding="utf-8")
    return path


CASES = [(file, name) for file in FILES for name in settings(file)]


@cache
def trained_in_weka() -> dict[str, list[str]]:
    commands: dict[str, tuple[object, ...]] = {}
    for file in FILES:
        commands[f"{file.name} default"] = ("trainWords", file.path)
        for name, words in settings(file).items():
            commands[f"{file.name} {name}"] = ("trainWords", file.path, *for_weka(words))
    return run_probe(commands)


def model_of_weka(file: File, name: str) -> str:
    lines = trained_in_weka()[f"{file.name} {name}"]
    models = values(lines, "json")
    assert models, lines
    return committee_to_json(DecisionCommittee.from_json(models[0]))


@pytest.mark.needs("weka")
@pytest.mark.parametrize(("file", "name"), CASES, ids=[f"{f.name}-{n}" for f, n in CASES])
@pytest.mark.filterwarnings("ignore::widc_arff.errors.WidcWarning")
def test_training_in_weka_gives_the_model_file_of_the_command_line(file, name, tmp_path):
    model = tmp_path / "model.json"
    words = settings(file)[name]
    assert main(["train", str(file.path), *words, "--model", str(model), "--quiet"]) == 0
    assert model_of_weka(file, name) == model.read_text(encoding="utf-8")


@pytest.mark.needs("weka")
@pytest.mark.parametrize("name", settings(FILES[0]))
def test_every_setting_makes_other_rules_somewhere(name):
    """So that the comparison with the command line says something of each option."""

    def rules(file: File, case: str) -> Any:
        return json.loads(model_of_weka(file, case))["rules"]

    with_pruning = settings(FILES[0])[name]
    base = "default"
    if "--pruning" in with_pruning and not name.startswith("pruning"):
        base = f"pruning {with_pruning[with_pruning.index('--pruning') + 1]}"
    assert any(rules(file, name) != rules(file, base) for file in FILES)


@pytest.mark.needs("weka")
def test_options_go_round_in_weka():
    """What getOptions says sets the same options again, files and repeated ones too."""
    file = FILES[0]
    cases = {name: for_weka(words) for name, words in settings(file).items()}
    printed = run_probe({name: ("optionsTwice", *words) for name, words in cases.items()})
    for name, words in cases.items():
        once, twice = values(printed[name], "options")
        assert once == twice
        told = once.split("\x1f")
        for word in words:
            is_told = word in told or f"{word}.0" in told
            assert is_told or word.endswith(".cost"), told
        if name == "costs":
            expected = words_of("costs", [list(map(float, row)) for row in cost_rows(file)])
            assert " ".join(expected) in " ".join(told)


def cost_rows(file: File) -> list[list[str]]:
    lines = costs_of(file).read_text(encoding="utf-8").splitlines()[2:]
    return [line.split() for line in lines]


@click.command()
@training_options
def as_given(**given: Any) -> dict[str, Any]:
    """Return what the options of training are without any word."""
    return given


def test_the_command_line_has_every_option_with_its_default():
    given = as_given.main([], standalone_mode=False)
    assert set(given) - {"no_negation"} | {"negation"} == set(INDUCTION)
    assert options_from(**given) == Options()
    words = {word for parameter in as_given.params for word in parameter.opts}
    ours = {f"--{name.replace('_', '-')}" for name in INDUCTION}
    assert words == ours - {"--negation"} | {"--no-negation"}


@pytest.mark.needs("weka")
def test_the_weka_classifier_has_every_option_with_its_default():
    printed = run_probe(
        {
            "names": ("optionNames",),
            "fresh": ("optionsTwice",),
            "default": ("trainWords", FILES[0].path),
        }
    )
    names = values(printed["names"], "name")
    ours = [name.replace("_", "-") for name in (*INDUCTION, *OF_CLASSIFIER)]
    expected = ["no-negation" if name == "negation" else name for name in ours]
    assert sorted(names) == sorted(expected)
    shown = ["-pruning", DEFAULTS["pruning"], "-cut-points", DEFAULTS["cut_points"]]
    assert values(printed["fresh"], "options")[0].split("\x1f") == shown
    committee = induce(Dataset.from_relation(read_arff(FILES[0].path)), Options())
    (model,) = values(printed["default"], "json")
    assert DecisionCommittee.from_json(model) == committee


FAULTS = {
    "-min-coverage 0.5": "-min-coverage: expected a weight from 1 or a share such as 5%, up to",
    "-min-coverage 101%": "-min-coverage: expected a weight from 1 or a share such as 5%",
    "-class-weight a": "expected LABEL=W, W from 1.0E-90 to 1.0E90, or balanced alone",
    "-class-weight a=0": "-class-weight: expected LABEL=W",
    "-class-weight a=1 -class-weight a=2": "expected one weight for 'a', got several",
    "-class-weight balanced -class-weight a=2": "or balanced alone, got 'balanced'",
    "-costs no.cost": "-costs: expected a file or a matrix such as [0 1; 5 0], got 'no.cost'",
    "-costs [0,1]": "-costs: expected costs of two classes or more, got '[0,1]'",
    '-costs "[0 1; 1]"': "-costs: expected a square matrix such as [0 1; 5 0], got '[0 1; 1]'",
    '-costs "[0 1 2; 1 0 2]"': "expected a square matrix such as [0 1; 5 0], got '[0 1 2; 1 0 2]'",
    '-costs "[0 one; 1 0]"': "expected costs of 0 or from 1.0E-90 to 1.0E90, got one in row 1",
    '-costs "[0 1; 1 0"': "expected a square matrix such as [0 1; 5 0], got '[0 1; 1 0'",
    "-costs [1]": "-costs: expected costs of two classes or more, got '[1]'",
    '-costs "[1 1; 1 0]"': "-costs: expected 0 on the diagonal, got 1.0 in row 1",
    '-costs "[0 1; 0 0]"': "-costs: expected a cost above 0 in each row, got none in row 2",
    '-costs "[0 -1; 1 0]"': "expected costs of 0 or from 1.0E-90 to 1.0E90, got -1.0 in row 1",
    "-literals set": "-literals: expected sets, order, known or plain, got 'set'",
    "-ordered tulip": "-ordered: ",
    "-monotone x+a": "-monotone: expected NAME=+LABEL or NAME=-LABEL, got 'x+a'",
    "-monotone x=+a -monotone x=-a": "-monotone: expected one direction of 'x' for 'a', got both",
    "-rules no.txt": "-rules: expected a file, got 'no.txt', which is not there",
    "-rules .": "-rules: expected a file, got the folder '.'",
    "-cut-points no.json": "(K from 2 to 65535) or a file, got 'no.json'",
    "-class-weight tulip=2": "-class-weight: ",
    "-monotone tulip=+setosa": "-monotone: ",
    '-costs "[0 1; 1 0]"': "-costs: ",
    "-max-rules 0 -rules RULES": "-max-rules: expected at least 2, which the given rules have",
    "-rules BROKEN": ":1:6: expected one of the operators =, !=, <=, >, in, not in",
    "-cut-points BROKEN": "expected cut points as JSON, got: ",
    "-rules LATIN": "-rules: cannot read ",
}


@pytest.mark.needs("weka")
def test_what_an_option_cannot_be_is_told_once():
    broken = written("broken.txt", "if x2\n")
    latin = work_folder() / "latin.txt"
    latin.write_bytes("if größe > 1 then x\n".encode("latin-1"))
    places = {"RULES": rules_of(FILES[0]), "BROKEN": broken, "LATIN": latin}
    cases = {}
    for options in FAULTS:
        words = options
        for name, path in places.items():
            words = words.replace(name, f'"{path}"')
        cases[options] = ("train", FILES[0].path, words)
    printed = run_probe(cases)
    for options, fault in FAULTS.items():
        lines = printed[options]
        assert lines[0].startswith("exception\t"), (options, lines)
        assert fault in " ".join(lines[1:]), (options, lines)
        assert len(values(lines, "exception")) == 1, (options, lines)


@pytest.mark.needs("weka")
def test_a_value_of_any_length_is_told_in_lines_that_a_dialog_shows_whole():
    """Weka's dialogs break no line: words are parted at blanks, longer ones anywhere."""
    texts = {"words": "no word " * 50, "path": "/folder" * 60, "pairs": "\U0001f600" * 200}
    options = [f"-{name.replace('_', '-')}" for name in (*INDUCTION, "layout", "timeout")]
    options = [option for option in options if option not in ("-negation", "-class-weight")]
    cases = {
        f"{option} {name}": ("trainWords", FILES[0].path, option, text.strip())
        for option in (*options, "-python")
        for name, text in texts.items()
    }
    for case, lines in run_probe(cases).items():
        assert lines[0].startswith("exception\t"), case
        told = lines[1:-1]
        assert max(map(len, told)) <= 80, (case, told)
        text = texts[case.split()[1]].strip()
        assert "".join(text.split()) in "".join("".join(told).split()), case


@pytest.mark.needs("weka")
def test_properties_of_the_dialog_are_the_options():
    costs, rules = costs_of(FILES[0]), rules_of(FILES[0])
    printed = run_probe({"set": ("demands", costs, rules, cuts_of(FILES[0]))})["set"]
    told = values(printed, "options")[0].split("\x1f")
    assert told == [
        *("-pruning", "refined", "-cut-points", str(cuts_of(FILES[0]))),
        *("-min-coverage", "5%", "-no-negation"),
        *("-class-weight", "a=2", "-class-weight", "very b=3"),
        *words_of("costs", [list(map(float, row)) for row in cost_rows(FILES[0])]),
        *("-monotone", "x=+a", "-monotone", "the y=-a", "-rules", str(rules)),
    ]
    assert values(printed, "property") == ['a=2 "very b=3"', 'x=+a "the y=-a"']
    assert values(printed, "unset") == ["No file", "No file"]
    assert values(printed, "options")[1].split("\x1f") == [
        "-pruning",
        "refined",
        "-cut-points",
        "mdl+",
    ]


def test_values_of_the_library_are_words_of_weka():
    assert weka_options(Options()) == []
    assert weka_options(Options(negation=False, min_coverage="5%")) == [
        *("-min-coverage", "5%", "-no-negation")
    ]
    weights = Options(class_weight=(("a", 2.0), ("b c", 0.1)), monotone=("x=+a", "y=-a"))
    assert weka_options(weights) == [
        *("-class-weight", "a=2", "-class-weight", "b c=0.1"),
        *("-monotone", "x=+a", "-monotone", "y=-a"),
    ]
    assert words_of("class_weight", {"a": 2}) == ["-class-weight", "a=2"]
    assert weka_options(Options(class_weight="balanced")) == ["-class-weight", "balanced"]
    costs = Options(costs=((0.0, 1.0), (5.5, 0.0)))
    assert weka_options(costs) == ["-costs", "[0.0 1.0; 5.5 0.0]"]
    assert weka_options(costs, {"costs": "a.cost"}) == ["-costs", "a.cost"]
    cuts = Options(cut_points=(("x", (1.0,)),))
    assert weka_options(cuts, {"cut_points": "cuts.json"}) == ["-cut-points", "cuts.json"]
    with pytest.raises(OptionError, match="cut_points: expected the name of a file"):
        weka_options(cuts)
    with pytest.raises(OptionError, match=r"which the Weka classifier has, got 'delta'"):
        weka_options(Options(delta=0.1))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("no_negation", "negation"), ("max_rule", "max_rules"), ("prunning", "pruning")],
)
def test_an_option_that_there_is_not_gets_the_name_that_was_meant(wrong, right):
    with pytest.raises(OptionError, match=f"got '{wrong}'; did you mean '{right}'"):
        words_of(wrong, value=True)


LAYOUTS: dict[str, Layout | None] = {"auto": None, "class": "class", "rule": "rule"}


@pytest.mark.needs("weka")
@pytest.mark.filterwarnings("ignore::widc_arff.errors.WidcWarning")
def test_the_layout_changes_what_is_printed_and_nothing_else():
    commands = {}
    for file in (FILES[1], FILES[4]):
        for layout in LAYOUTS:
            commands[f"{file.name} {layout}"] = ("trainWords", file.path, "-layout", layout)
    printed = run_probe(commands)
    models = set()
    for file in (FILES[1], FILES[4]):
        told = {}
        for layout, asked in LAYOUTS.items():
            lines = printed[f"{file.name} {layout}"]
            (model,) = values(lines, "json")
            models.add(model)
            committee = DecisionCommittee.from_json(model)
            told[layout] = "\n".join(lines[1:])
            assert told[layout].startswith(committee_text(committee, asked or "class"))
        assert told["class"] != told["rule"]
    assert len(models) == 2
