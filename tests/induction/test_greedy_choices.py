"""Every vector is a best one, and every literal a best one for Z given what came before.

Checked with the plain reference on committees made with ``--pruning none``.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from tests.reference import committee as reference
from widc_arff import Dataset, Options, Relation, induce, read_arff

ROOT = Path(__file__).parents[2]
TOLERANCE = 1e-9
FILES = ["weather-nominal", "weather-numeric", "monk1-124", "monk3-122", "iris"]


def problem_of(relation: Relation) -> reference.Problem:
    """Return a relation whose last attribute is the class as a problem of the reference."""
    *features, label = relation.attributes
    attributes: list[Any] = [
        ("nominal", list(a.values)) if a.type == "nominal" else ("numeric",) for a in features
    ]
    rows: list[Any] = []
    for cells in relation.rows():
        pairs = zip(features, cells[:-1], strict=True)
        rows.append([a.values.index(x) if a.type == "nominal" else x for a, x in pairs])
    labels: list[Any] = [label.values.index(cells[-1]) for cells in relation.rows()]
    return reference.Problem(attributes, rows, labels, len(label.values), [1.0] * len(rows))


@pytest.mark.parametrize("name", FILES)
def test_choices_of_the_engine_are_greedy_best(name):
    relation = read_arff(ROOT / "arff_data" / f"{name}.arff")
    committee = induce(Dataset.from_relation(relation), Options(pruning="none"))
    assert committee.rules
    sample = reference.counting_examples(problem_of(relation))
    catalogue = reference.literals(sample)
    blocks: list[tuple[bool, ...]] = [()] * len(sample.rows)
    taken: list[frozenset[reference.Literal]] = []

    def z_with(monomial: list[reference.Literal]) -> float:
        refined = [
            (*block, reference.satisfies(row, monomial))
            for block, row in zip(blocks, sample.rows, strict=True)
        ]
        return reference.partition_z(sample, refined)

    for rule in committee.rules:
        monomial = [reference.Literal(x.attribute, x.operator, x.value) for x in rule.monomial]
        for n in range(len(monomial)):
            prefix = monomial[:n]
            options = [x for x in catalogue if frozenset([*prefix, x]) not in taken]
            least = min(z_with([*prefix, x]) for x in options)
            chosen = z_with(monomial[: n + 1])
            if n == 0:  # the sign of the first literal is free (I4)
                opposite = reference.negation(monomial[0], sample.attributes)
                chosen = min(chosen, z_with([opposite]))
            assert chosen <= least + TOLERANCE * (1 + least)
        taken.append(frozenset(monomial))
        blocks = [
            (*block, reference.satisfies(row, monomial))
            for block, row in zip(blocks, sample.rows, strict=True)
        ]
        vectors = itertools.product((-1, 0, 1), repeat=len(rule.covers))
        least = min(reference.vector_z(rule.covers, vector) for vector in vectors)
        assert reference.vector_z(rule.covers, rule.votes) <= least + TOLERANCE * (1 + least)
