"""What else the classifier is in Weka: partitions, a tree to draw, batches, sizes."""

from __future__ import annotations

import ast
import re
from functools import cache

import numpy as np
import pytest

from tests.weka.plugin import DATA, run_probe, values, work_folder
from widc_arff import Dataset, DecisionCommittee, induce, read_arff
from widc_arff.options import Options
from widc_arff.reports.tree_graph import tree_graph
from widc_arff.reports.wording import conditions, shown, size_in_words

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
    }


@pytest.mark.parametrize("name", FILES)
def test_weka_s_window_for_trees_reads_the_graph(name):
    """A node for the class, one for each rule, and one for each class that it has points for."""
    lines = answers()[f"together {name}"]
    committee = committee_of(f"together {name}")
    assert values(lines, "type") == ["true"]
    assert values(lines, "graph") == [tree_graph(committee).replace("\n", "\x1f")]
    nodes = [line.split("\t") for line in values(lines, "node")]
    labels = [shown(label) for label in committee.schema.labels.values]
    rules = [node[1].split("\x1f") for node in nodes if node[0] == "1"]
    assert size_in_words(committee) in nodes[0][1]
    assert len(rules) == len(committee.rules)
    for rule, told in zip(committee.rules, rules, strict=True):
        first, *others = conditions(rule.monomial, committee.schema)
        assert told[:-2] == [first, *(f"and {other}" for other in others)]
    leaves = [node[1] for node in nodes if node[0] == "2"]
    points = [
        (labels[j], of[j]) for of in committee.points for j in committee.tie_order if of[j] != 0
    ]
    assert leaves == [label for label, _ in points]
    edges = values(lines, "edge")
    assert [edge for edge in edges if re.fullmatch(r"[+-]\d", edge)] == [
        f"{p:+d}" for _, p in points
    ]
    colours = {node[2] for node in nodes if node[0] == "2"}
    assert len(colours) == len({p > 0 for _, p in points})


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
