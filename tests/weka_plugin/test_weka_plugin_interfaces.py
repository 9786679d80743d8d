"""What else the classifier is in Weka: partitions, a tree to draw, batches, sizes."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from tests.weka.plugin import DATA, run_probe, values, work_folder
from widc_arff import Dataset, DecisionCommittee, induce, read_arff
from widc_arff.options import Options
from widc_arff.reports.formatting import conditions, number, shown, size_in_words
from widc_arff.reports.tree_graph import tree_graph

pytestmark = pytest.mark.needs("weka")

FILES = {
    "monk1-124": "",
    "wine": "",
    "led7": "",
    "weather-numeric": "-pruning pessimistic",
    "weather-nominal": "-max-rules 0",
    "awkward": "",
    "gaps": "",
}

AWKWARD = """@relation awkward
@attribute 'a "b" \\\\ c' numeric
@attribute colour {'d, e', "f'g", '\\\\', '日本'}
@attribute class {'x y', '"z"', 'ü'}
@data
"""


GAPS = """@relation gaps
@attribute physician-fee-freeze {n,y}
@attribute crime {n,y}
@attribute age numeric
@attribute class {democrat,republican,other}
@data
"""


def gaps() -> str:
    """Return rows of which a third has missing values, so that rules and their opposites fail."""
    rows = []
    for i in range(120):
        freeze, crime, age = "ny"[i % 2], "ny"[i // 2 % 2], str(20 + i % 37)
        label = "republican" if freeze == "y" else "other" if i % 37 > 20 else "democrat"
        values = [freeze, crime, age]
        if i % 3 == 0:
            values[i // 3 % 3] = "?"
        rows.append(",".join([*values, label]))
    return GAPS + "\n".join(rows) + "\n"


def path_of(name: str):
    if name == "gaps":
        path = work_folder() / "gaps.arff"
        path.write_text(gaps(), encoding="utf-8")
        return path
    if name != "awkward":
        return DATA / f"{name}.arff"
    path = work_folder() / "awkward tree.arff"
    labels = ("'x y'", "'\"z\"'", "'ü'")
    colours = ("'d, e'", '"f\'g"', "'\\\\'", "'日本'")
    rows = [f"{i % 3},{colours[i % 3]},{labels[i % 3]}" for i in range(90)]
    path.write_text(AWKWARD + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@cache
def answers() -> dict[str, list[str]]:
    commands: dict[str, tuple[object, ...]] = {}
    for name, options in FILES.items():
        commands[f"partition {name}"] = ("partition", path_of(name), options)
        commands[f"together {name}"] = ("together", path_of(name), options)
    return run_probe(commands)


def committee_of(case: str) -> DecisionCommittee:
    (model,) = values(answers()[case], "json")
    return DecisionCommittee.from_json(model)


@pytest.mark.parametrize("name", FILES)
def test_a_partition_is_made_of_the_rules_that_hold(name):
    lines = answers()[f"partition {name}"]
    committee = committee_of(f"partition {name}")
    dataset = Dataset.from_relation(read_arff(path_of(name)))
    fires = committee.fires(dataset)
    for what in ("member", "filtered"):
        rows = [ast.literal_eval(row) for row in values(lines, what)]
        np.testing.assert_array_equal(np.array(rows), fires * dataset.weights[:, None])
    n_rules = len(committee.rules)
    assert values(lines, "elements") == [str(n_rules)]
    assert values(lines, "attributes") == [str(n_rules + 1)]  # and the class


def test_the_partitions_of_the_tests_have_several_rules_and_overlap():
    seen = set()
    for name in ("monk1-124", "wine", "led7", "gaps"):
        committee = committee_of(f"partition {name}")
        holding = committee.fires(Dataset.from_relation(read_arff(path_of(name)))).sum(axis=1)
        assert len(committee.rules) > 1
        seen |= set(holding.tolist())
    assert seen > {0, 1, 2}


@pytest.mark.parametrize("name", FILES)
def test_rows_scored_together_get_what_they_get_one_by_one(name):
    n_rows = len(read_arff(path_of(name)))
    assert values(answers()[f"together {name}"], "same") == [f"{n_rows} of {n_rows}"]


@pytest.mark.parametrize("name", FILES)
def test_measures_are_the_sizes_of_the_committee(name):
    measures = dict(line.split("\t") for line in values(answers()[f"together {name}"], "measure"))
    committee = committee_of(f"together {name}")
    exceptions = committee.n_votes if len(committee.tie_order) > 2 else 0
    assert float(measures.pop("measurePythonCPUSeconds")) > 0
    assert {measure: float(value) for measure, value in measures.items()} == {
        "measureNumRules": len(committee.rules) + 1,
        "measureNumLiterals": committee.n_literals,
        "measureNumExceptions": exceptions,
        "measureSize": committee.n_literals + exceptions,
        "measureTreeSize": committee.n_literals + exceptions,
    }


@pytest.mark.parametrize("name", FILES)
def test_weka_s_window_for_trees_reads_the_graph(name):
    """A node for the class, and one for each rule with its conditions and points."""
    lines = answers()[f"together {name}"]
    committee = committee_of(f"together {name}")
    assert values(lines, "type") == ["true"]
    assert values(lines, "graph") == [tree_graph(committee).replace("\n", "\x1f")]
    nodes = [line.split("\t")[1].split("\x1f") for line in values(lines, "node")]
    schema = committee.schema
    target, labels = schema.labels.attributes[0], [shown(v) for v in schema.labels.values]
    assert nodes[0][0] == f"{shown(target)}: {size_in_words(committee)}"
    told = {node[0].split(":")[0]: node for node in nodes[1:]}
    assert len(told) == len(nodes) - 1 == len(committee.rules)
    for k, (rule, points) in enumerate(zip(committee.rules, committee.points, strict=True)):
        head, *rest = told[f"rule {k + 1}"]
        assert head.startswith(f"rule {k + 1}: ")
        assert head.endswith(f" of {number(rule.covered)}")
        text = " ".join(rest)
        held = " and ".join(conditions(rule.monomial, schema))
        assert text.startswith(f"{held} ")
        votes = re.findall(r"([+-]\d) (.*?)(?= [+-]\d |$)", text.removeprefix(held))
        found = {
            (name.removeprefix(f"{target} "), int(sign))
            for sign, names in votes
            for name in names.split(", ")
        }
        assert found == {(labels[j], p) for j, p in enumerate(points) if p}


PICTURES = {
    "iris": ("", 785, 560),
    "weather-numeric": ("-pruning none", 785, 560),
    "wine": ("", 785, 560),
    "led7": ("", 785, 560),
    "tic-tac-toe": ("", 1265, 960),
    "led24": ("", 1265, 960),
    "xd6": ("-pruning none", 1265, 960),
    "monk2-169": ("-pruning none", 1265, 960),
}
"""Two to 32 rules, with the size of Weka's window as it opens, or of a screen of 1280 x 1024."""

PADDING = 10
"""Pixels of two boxes around their texts that may lie on one another."""


class Box(NamedTuple):
    """Where a node is drawn."""

    left: int
    top: int
    width: int
    height: int

    @property
    def center(self) -> float:
        return self.left + self.width / 2

    @property
    def middle(self) -> float:
        return self.top + self.height / 2


@cache
def pictures() -> dict[str, list[str]]:
    return run_probe({n: ("picture", path_of(n), *how) for n, how in PICTURES.items()})


@pytest.mark.parametrize("name", PICTURES)
def test_a_tree_of_many_rules_can_be_read_in_weka_s_window(name):
    """No box hides a text of another one, and none is outside of the window."""
    _, width, height = PICTURES[name]
    boxes = [Box(*map(int, line.split("\t")[:4])) for line in values(pictures()[name], "drawn")]
    assert len(boxes) > 2
    for i, box in enumerate(boxes):
        assert box.left >= 0
        assert box.top >= 0
        assert box.left + box.width <= width
        assert box.top + box.height <= height
        for other in boxes[i + 1 :]:
            across, down = abs(box.center - other.center), abs(box.middle - other.middle)
            is_beside = 2 * across >= box.width + other.width - PADDING
            is_below = 2 * down >= box.height + other.height - PADDING
            assert is_beside or is_below, (box, other)


def test_labels_that_are_numbers_stand_after_the_name_of_their_class():
    boxes = [line.split("\t")[4] for line in values(pictures()["led7"], "drawn")]
    told = [line for box in boxes[1:] for line in box.split("\x1f") if line[0] in "+-"]
    assert told
    assert all(re.match(r"[+-]\d class \d", line) for line in told)


def test_the_tree_tells_awkward_names_as_they_are():
    committee = committee_of("together awkward")
    assert committee.rules
    told = "\n".join(values(answers()["together awkward"], "node"))
    used = {committee.schema.attributes[a].name for a in committee.used_attributes}
    assert all(shown(name) in told for name in used)
    assert "\\" in told
    assert '"z"' in told


def test_a_tree_of_one_class_is_its_root():
    dataset = Dataset.from_relation(read_arff(DATA / "weather-nominal.arff"))
    with pytest.warns(match="all training rows are of class"):
        committee = induce(dataset.take(np.flatnonzero(dataset.classes == 0)), Options())
    assert tree_graph(committee).count("label") == 1
