"""Nominal attributes of many values: memory and work do not grow with literals times rows."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.benchmarks.wide_nominal import Size, relation_of
from widc_arff.data.dataset import Dataset
from widc_arff.induction import induce
from widc_arff.induction.constraints import Constraints
from widc_arff.induction.preparing import prepare
from widc_arff.induction.search import partitions
from widc_arff.induction.search.budget import Budget
from widc_arff.induction.search.deciding import state_of
from widc_arff.induction.search.growth import Candidate, Grower
from widc_arff.induction.search.objective import Objective
from widc_arff.induction.search.partitions import grow_by_partitions
from widc_arff.induction.search.polishing import Polisher
from widc_arff.induction.search.searching import rows_of_classes
from widc_arff.induction.search.shrinking import Removals, shrink
from widc_arff.induction.search.state import SearchedRule, SearchState
from widc_arff.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable

N_ROWS, N_VALUES = 4000, 400
BYTES_OF_ROW, BYTES_OF_LITERAL = 300, 3000
"""What a look at a rule may hold, for each row and for each of its literals."""
BYTES_OF_CELL = 8000
"""What a training may hold for each value of the rows; caches among it, which are bounded too."""


@pytest.fixture(scope="module")
def state() -> SearchState:
    """Return a committee of one rule that has nearly all literals != of an attribute."""
    dataset = Dataset.from_relation(relation_of(Size(N_ROWS, N_VALUES), 1))
    _, coded = prepare(dataset, Options(literals=()))
    rows = rows_of_classes(coded)
    unequal = np.flatnonzero(rows.catalogue.operator == 1)
    rule = SearchedRule(tuple(unequal[: N_VALUES - 50].tolist()), np.array([-1, 1]))
    return state_of(rows, Objective.of(rows, Options()), [rule])


def peak_of(step: Callable[[], object]) -> int:
    tracemalloc.start()
    step()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def looks_of(state: SearchState) -> dict[str, Callable[[], object]]:
    (rule,) = state.rules
    constraints = Constraints(len(state.rows.catalogue))
    grower = Grower(state, constraints, Budget())
    residual = grower._residual()
    candidate = Candidate(0.0, rule.monomial, 0, -1)
    gradients = np.array([residual.slope[0], residual.curve[0]])
    visit = replace(Budget(), polish_work=1.0)
    return {
        "what keeps rows out": lambda: state.rows.find_near(rule.monomial),
        "removals": lambda: Removals(state, rule),
        "shrinking": lambda: shrink(state_of(state.rows, state.objective), constraints, Budget()),
        "pruning what has grown": lambda: grower._pruned(candidate, residual, gradients),
        "polishing": lambda: Polisher(state, constraints, visit, [rule.monomial]).polish(),
    }


@pytest.mark.parametrize("look", range(5))
def test_a_rule_of_hundreds_of_literals_holds_bytes_by_rows_and_literals_not_by_both(state, look):
    rules = list(state.rules)
    name, step = list(looks_of(state).items())[look]
    most = BYTES_OF_ROW * N_ROWS + BYTES_OF_LITERAL * N_VALUES
    assert most < N_ROWS * N_VALUES * 8
    assert peak_of(step) < most, name
    state.restart(rules)


@pytest.mark.parametrize("n_values", [50, 300])
def test_a_training_holds_so_many_bytes_a_value_however_many_values_there_are(n_values):
    size = Size(800, n_values, 2)
    dataset = Dataset.from_relation(relation_of(size, 1))
    assert peak_of(lambda: induce(dataset)) < BYTES_OF_CELL * size.n_rows * 3


def test_growing_by_partitions_ends_with_what_it_has_when_its_work_is_spent(state):
    rows, constraints = state.rows, Constraints(len(state.rows.catalogue))
    sizes = []
    for work in (0.0, 3e7, 1e8):
        before = rows.work
        empty = state_of(rows, state.objective)
        found = grow_by_partitions(empty, constraints, Budget(partition_work=work), whole=True)
        assert rows.work - before <= work
        sizes.append(sum(map(len, found.values())))
    assert sizes[0] == 0 < sizes[1] < sizes[2]


def test_growing_ends_when_its_work_is_spent_and_not_before_something_has_joined(state):
    n_rules = []
    for work in (0.0, 2e8, 3e10):
        empty = state_of(state.rows, state.objective)
        Grower(empty, Constraints(len(state.rows.catalogue)), Budget(grown_work=work)).grow()
        n_rules.append(len(empty.rules))
    assert 0 < n_rules[0] < n_rules[1] < n_rules[2]


def test_what_is_counted_as_work_of_partitions_is_what_the_plain_counter_looks_at(state):
    rows = state.rows
    counter = partitions._counter(rows, (), Budget())
    bounded = partitions.Bounded(counter, rows, Budget())
    told = bounded.sums(())
    assert (told == counter.sums(())).all()
