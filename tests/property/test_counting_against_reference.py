"""Each way of counting, forced, adds up to what plain loops find."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference.bridge import coded
from tests.reference.counting import sums_of_roots
from widc_arff.induction.counting import choice as counting
from widc_arff.induction.counting import slices
from widc_arff.induction.counting import sparse as sparse_counting
from widc_arff.induction.counting.by_code import CodeCounter
from widc_arff.induction.counting.choice import literal_sums, narrow
from widc_arff.induction.counting.counter import MemoryCounter
from widc_arff.induction.counting.counters import counter_of
from widc_arff.induction.counting.partition import compact, open_front, whole_sample
from widc_arff.induction.counting.table import TableCounter
from widc_arff.induction.sample import coding

if TYPE_CHECKING:
    from widc_arff.induction.sample.coding import CodedSample

WAYS = {"sorted": 0.0, "mixed": 9.5, "dense": 1e9}
"""What sorting a row costs, so that what is not sparse is counted in this way."""
KINDS = ("two classes", "several classes", "label sets")


@pytest.fixture(params=[64, 65536], ids=["many chunks", "one chunk"])
def elements(request, monkeypatch):
    monkeypatch.setattr(slices, "ELEMENTS", request.param)
    monkeypatch.setattr(sparse_counting, "CELLS", request.param)


@pytest.fixture(params=[0.0, 2.0], ids=["no sparse", "sparse"])
def rare_share(request, monkeypatch):
    monkeypatch.setattr(coding, "RARE_SHARE", request.param)
    monkeypatch.setattr(coding, "SPARSE_CELLS", 1)
    monkeypatch.setattr(counting, "ROWS_OF_COLUMN", 1000)
    return request.param


def with_binary_columns(problem, rng: random.Random):
    """Add columns of two values, one of them rare or not, whose names of values are in no order."""
    shares = [0.02, 0.1, 0.9, 0.5]
    rows = [[*row, *(int(rng.random() < share) for share in shares)] for row in problem.rows]
    attributes = [*problem.attributes, *(("nominal", ["n", "y"]) for _ in shares)]
    return replace(problem, attributes=attributes, rows=rows)


def sample_of(kind: str, seed: int) -> CodedSample:
    rng = random.Random(seed)
    n_classes = 2 if kind == "two classes" else 6
    problem = reference.random_problem(rng, max_rows=120, max_attributes=4, max_classes=n_classes)
    problem = with_binary_columns(problem, rng)
    if kind != "label sets":
        return coded(problem)
    sample = coded(replace(problem, labels=[0] * len(problem.rows)))
    sets = reference.random_label_sets(rng, sample.n_samples, 5)
    Y = np.array([[label in held for label in range(5)] for held in sets])
    return replace(sample, labels=Y, n_labels=5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.usefixtures("elements", "rare_share")
def test_sums_of_roots_are_those_of_plain_loops(kind, seed, way):
    sample = sample_of(kind, seed)
    rng = random.Random(seed)
    blocks = np.array([rng.randrange(6) for _ in range(sample.n_samples)])
    front = open_front(whole_sample(sample, blocks), sample.n_labels)
    rows = front.rows
    for _ in range(3):
        if not len(rows) or not len(sample.catalogue):
            break
        sums = literal_sums(sample, front, rows, WAYS[way])
        np.testing.assert_allclose(sums, sums_of_roots(sample, front, rows), rtol=1e-9)
        rows = narrow(sample, rows, rng.randrange(len(sums)))


def check_counts(counter, sample: CodedSample, blocks, rng: random.Random) -> None:
    """Compare a counter with one that counts all rows anew."""
    in_memory = MemoryCounter(sample, whole_sample(sample, blocks), sample.total_weight)
    literals = range(len(sample.catalogue))
    for _ in range(4):
        assert counter.n_blocks == in_memory.n_blocks
        assert counter.z_per_root == in_memory.z_per_root
        assert counter.sum_of_roots == pytest.approx(in_memory.sum_of_roots)
        assert counter.random_decrease() == pytest.approx(in_memory.random_decrease())
        for _ in range(3):  # some go on from others, some begin anew
            chain = tuple(rng.sample(literals, rng.randint(0, 4)))
            for end in rng.choice([range(len(chain) + 1), [len(chain)]]):
                sums = counter.sums(chain[:end])
                np.testing.assert_allclose(sums, in_memory.sums(chain[:end]), atol=1e-9)
        counter.refine(chain)
        in_memory.refine(chain)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(40))
def test_a_table_counts_what_is_counted_anew(kind, seed):
    rng = random.Random(seed)
    sample = sample_of(kind, seed)
    blocks = np.array([rng.choice([0, 2, 3]) for _ in range(sample.n_samples)])
    in_table = counter_of(sample, blocks)
    assert isinstance(in_table, TableCounter)
    check_counts(in_table, sample, blocks, rng)


@pytest.mark.parametrize("most_cells", [0, 600, 2000, 1 << 20])
@pytest.mark.parametrize("seed", range(40))
def test_what_is_taken_away_by_code_is_what_is_counted_anew(seed, most_cells):
    rng = random.Random(seed)
    sample = replace(sample_of("two classes", seed), n_labels=2)  # also where one occurs
    blocks = compact(np.array([rng.choice([0, 2, 3]) for _ in range(sample.n_samples)]))
    check_counts(CodeCounter(sample, blocks, most_cells), sample, blocks, rng)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("elements", [64], indirect=True)
@pytest.mark.usefixtures("elements")
def test_each_way_is_taken_where_it_is_forced(kind, way, rare_share, monkeypatch):
    taken = set()
    for name in ("add_dense", "add_sorted", "add_sparse"):
        add = getattr(counting, name)

        def noting(*arguments, add=add, name=name):
            taken.add(name)
            add(*arguments)

        monkeypatch.setattr(counting, name, noting)
    for seed in range(12):
        sample = sample_of(kind, seed)
        front = open_front(whole_sample(sample), sample.n_labels)
        if len(front.rows):
            literal_sums(sample, front, front.rows, WAYS[way])
    assert ("add_sparse" in taken) == (rare_share > 0)
    assert way != "sorted" or "add_sorted" in taken
    assert way != "dense" or taken - {"add_sparse"} == {"add_dense"}


@pytest.mark.parametrize("elements", [64], indirect=True)
@pytest.mark.usefixtures("elements")
def test_weights_of_52_bits_add_up_exactly_in_every_way():
    # Of three classes in many blocks; sums that were rounded would leave roots of differences.
    rng = np.random.default_rng(0)
    sample = sample_of("several classes", 1)
    weights = np.rint(rng.random(sample.n_samples) * 2.0**51 / sample.n_samples) * 2 + 1
    sample = replace(sample, weights=weights)
    found = []
    for row_cost in (0.0, 1e9):
        front = open_front(whole_sample(sample), sample.n_labels)
        found.append(literal_sums(sample, front, front.rows, row_cost))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-13)
