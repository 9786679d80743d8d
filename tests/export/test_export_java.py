"""Exported Java equals the model: labels, votes, and probabilities to the last bit."""

from __future__ import annotations

import struct
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.export_cases import HAND_MADE, NAMES, case
from tests.weka.installation import java
from tests.weka.plugin import work_folder
from weka_plugin.build import find_javac
from widc_arff.arff.relation import Attribute
from widc_arff.data.schema import Labels, Schema
from widc_arff.errors import ModelError, OptionError
from widc_arff.export.java import java_source, quoted
from widc_arff.model.committee import DecisionCommittee
from widc_arff.model.literals import Literal
from widc_arff.model.rules import Rule, TrainingSummary

if TYPE_CHECKING:
    from collections.abc import Callable

PROBE = Path(__file__).parents[1] / "weka" / "ExportProbe.java"
CLASSES = {name: f"Exported{k}" for k, name in enumerate(NAMES)}
ODD_ROWS: list[dict[str, Any]] = [{}, {"outlook": "Sunny"}, {"outlook": 1.0}]


def cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return "t" + value.encode().hex()
    return "n" + struct.pack(">d", value).hex()


@cache
def printed() -> dict[str, list[str]]:
    """Return what the probe prints for the rows of each case, all compiled and run at once."""
    folder = work_folder() / "exported"
    folder.mkdir()
    for name, class_name in CLASSES.items():
        source = java_source(case(name).committee, class_name)
        (folder / f"{class_name}.java").write_text(source, encoding="ascii")
    sources = [str(path) for path in folder.glob("*.java")]
    options = ["-encoding", "US-ASCII", "--release", "8", "-Xlint:all,-options", "-Werror"]
    subprocess.run([find_javac(), *options, "-d", str(folder), *sources], check=True)
    subprocess.run([find_javac(), "-d", str(folder), str(PROBE)], check=True)
    rows = [(name, row) for name in NAMES for row in case(name).rows]
    rows += [("weather-nominal", row) for row in ODD_ROWS]
    rows += [("small", {"age": "x"})]
    lines = [
        "\t".join([CLASSES[name], *(text for pair in row.items() for text in map(cell, pair))])
        for name, row in rows
    ]
    launcher = java()
    assert launcher is not None
    done = subprocess.run(
        [launcher, "-cp", str(folder), "ExportProbe"],
        input="\n".join(lines),
        capture_output=True,
        encoding="ascii",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, list[str]] = {name: [] for name in NAMES}
    for (name, _), line in zip(rows, done.stdout.splitlines(), strict=True):
        result[name].append(line)
    return result


@pytest.mark.needs("weka")
@pytest.mark.parametrize("name", NAMES)
def test_every_row_has_the_model_s_answers(name: str) -> None:
    tried = case(name)
    expected = [
        "\t".join(
            [
                label.encode().hex(),
                *(f"{struct.unpack('>Q', struct.pack('>d', p))[0]:x}" for p in chances),
                *map(str, votes),
            ]
        )
        for label, chances, votes in zip(
            tried.labels, tried.probabilities, tried.votes, strict=True
        )
    ]
    assert printed()[name][: len(expected)] == expected


@pytest.mark.needs("weka")
def test_missing_keys_are_missing_values_and_unknown_labels_errors() -> None:
    nothing, unknown, number = printed()["weather-nominal"][-len(ODD_ROWS) :]
    assert nothing.split("\t")[-2:] == ["0", "0"]
    error = "!java.lang.IllegalArgumentException: attribute '{}': expected {}, got '{}'".format
    assert unknown == error("outlook", "a label that training knew", "Sunny")
    assert number == error("outlook", "a label that training knew", "1.0")
    assert printed()["small"][-1] == error("age", "a number", "x")


@pytest.mark.parametrize("name", HAND_MADE)
def test_comments_hide_no_unicode_escape(name: str) -> None:
    # Java replaces the escape of a line feed even in comments, unless its backslash is doubled.
    for line in java_source(case(name).committee).splitlines():
        if line.lstrip().startswith("//"):
            assert "\\u000a" not in line.replace("\\\\", "")


def test_texts_are_literals_in_ascii() -> None:
    assert quoted('say "hi"\\\n\x7fé\U0001f600') == r'"say \"hi\"\\\012\177\u00e9\ud83d\ude00"'


@pytest.mark.parametrize("name", ["class", "iris", "A-b", "", "9A", "String", "Ä"])
def test_a_class_needs_a_name(name: str) -> None:
    with pytest.raises(OptionError, match="expected a name for a Java class"):
        java_source(case("empty").committee, name)


def large(n: int, **more: Any) -> DecisionCommittee:
    """Return a committee with n labels, n values and, of one literal each, n rules."""
    labels = Labels("single", ("class",), tuple(f"l{j}" for j in range(more.get("labels", 2))))
    values = tuple(f"v{i}" for i in range(more.get("values", n)))
    monomial = (Literal(0, "!=", 0), Literal(1, ">", 0.5))
    rule = Rule(monomial * more.get("literals", 1), (1, -1) * (len(labels.values) // 2), ())
    schema = Schema("s", (Attribute("a", "nominal", values), Attribute("b", "numeric")), labels)
    weights = (1.0,) * len(labels.values)
    training = TrainingSummary(9, weights, 0.0, {}, "0.1.0")
    rules = (replace(rule, covers=weights),) * more.get("rules", 1)
    return DecisionCommittee(schema, rules, weights, training)


LARGEST: list[dict[str, int]] = [
    {"labels": 4000},
    {"values": 8100},
    {"rules": 12_000},
    {"literals": 700, "labels": 2400},
]


@pytest.mark.needs("weka")
def test_what_is_written_compiles_up_to_the_limits(tmp_path: Path) -> None:
    sources = []
    for k, sizes in enumerate(LARGEST):
        path = tmp_path / f"Large{k}.java"
        path.write_text(java_source(large(3, **sizes), f"Large{k}"), encoding="ascii")
        sources.append(str(path))
    subprocess.run([find_javac(), "-d", str(tmp_path), *sources], check=True)


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ({"labels": 4200}, "4,200 labels: that needs about 67,300 bytes a method"),
        ({"values": 8300}, "8,300 values of 'a': that needs"),
        ({"rules": 14_000}, "14,000 rules on 2 attributes: that needs"),
        ({"literals": 1200}, "2,400 conditions and 2 votes in rule 1: that needs"),
    ],
)
def test_a_committee_beyond_a_limit_of_java_is_refused_with_the_limit(
    sizes: dict[str, int], told: str
) -> None:
    with pytest.raises(ModelError, match=r"Java's limit is 65,535") as caught:
        java_source(large(3, **sizes))
    assert told in str(caught.value)


@pytest.mark.parametrize("label", ["x" * 65_536, "é" * 32_768, "\U0001f600" * 10_923])
def test_a_label_longer_than_a_constant_of_java_is_refused(label: str) -> None:
    committee = large(3)
    labels = replace(committee.schema.labels, values=("a", label))
    schema = replace(committee.schema, labels=labels)
    with pytest.raises(ModelError, match=r"bytes a text, and Java's limit is 65,535"):
        java_source(replace(committee, schema=schema))
    shorter = replace(schema, labels=replace(labels, values=("a", label[1:])))
    java_source(replace(committee, schema=shorter))


def test_golden(golden: Callable[[str, str], None]) -> None:
    golden("export-small.java.txt", java_source(case("small").committee, "Risk"))
