"""Steps of the search by themselves; `test_search_against_reference` has all of it in loops."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.reproduction.sample_data import xd6
from tests.search_cases import case_of
from widc_arff.arff.reader import read_arff
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.data.dataset import Dataset
from widc_arff.induction.constraints import Constraints
from widc_arff.induction.constraints.vector_search import VectorSearch
from widc_arff.induction.examples import HeldExamples
from widc_arff.induction.preparing import prepare
from widc_arff.induction.search.budget import Budget
from widc_arff.induction.search.deciding import state_of
from widc_arff.induction.search.growth import Candidate, Grower
from widc_arff.induction.search.objective import Objective
from widc_arff.induction.search.polishing import CommitteeContext
from widc_arff.induction.search.searching import rows_of_classes, search
from widc_arff.induction.search.shrinking import _Descent, shrink
from widc_arff.options import Options

if TYPE_CHECKING:
    from widc_arff.arrays import Integers
    from widc_arff.induction.sample.coding import CodedSample

SEEDS = range(40)


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_are_the_same_by_product_and_by_counting(seed):
    rows = case_of("classes", seed).rows
    values = np.random.default_rng(seed).integers(-9, 9, (5, rows.n_rows)).astype(float)
    some = np.flatnonzero(np.arange(rows.n_rows) % 3)
    truth = rows.truths(tuple(range(len(rows.catalogue))))
    for held in (True, False):
        assert (rows.sums(values) == values @ truth.T).all()
        assert (rows.sums(values[:, some], some) == values[:, some] @ truth[:, some].T).all()
        if held:
            rows.table = None  # then they are counted


@pytest.mark.parametrize("seed", SEEDS)
def test_only_open_rows_of_a_committee_can_be_decided_otherwise(seed):
    case = case_of("classes", seed)
    case.restart(4)
    state, n_classes = case.state, case.rows.n_classes
    around = CommitteeContext(state, case.constraints(), [])
    closed = np.flatnonzero(~around.reachable_rows)
    for sign in (1, -1):
        for label in range(n_classes):
            vector = np.full(n_classes, -sign)
            vector[label] = sign
            assert not state.won_after(closed, 2 * vector).any()


@pytest.mark.parametrize("step", [1, 2])
def test_a_monomial_is_worth_nothing_where_no_vector_may_be(step):
    """Two classes must have the highest vote and two the lowest: none has a single exception."""
    n_looked_at = 0
    for case in map(partial(case_of, "classes"), range(100)):
        n_literals = len(case.rows.catalogue)
        vector_search = VectorSearch(None, np.full(n_literals, 0b11000011))
        constraints = Constraints(n_literals, vector_search=vector_search, most_exceptions=1)
        grower = Grower(case.state, constraints, Budget())
        grower._residual()
        grower._step = step
        for label in range(4 if case.rows.n_classes == 4 else 0):
            worth, vector = grower._fitted(Candidate(1.0, (0,), label, 1))
            assert worth <= 0 or vector.max() == vector.min()
            n_looked_at += 1
    assert n_looked_at


class _OfWorths(Grower):
    """Takes the worths of fitted candidates from a list of each, in its order."""

    worths: dict[tuple[int, ...], list[float]]

    def _fitted(self, candidate: Candidate) -> tuple[float, Integers]:
        vector = np.eye(self._state.rows.n_classes, dtype=np.int64)[candidate.label]
        price = float(self._prices[list(candidate.monomial)].sum())
        return self.worths[candidate.monomial].pop(0) + price, vector


@pytest.mark.parametrize(
    ("fitted", "order"),
    [(6.4, [(0,), (1,)]), (6.2, [(1,), (0,)])],
    ids=["above .7 of 9", "below .7 of 9"],
)
def test_a_candidate_fitted_to_much_less_than_the_next_one_promises_waits(fitted, order):
    case = case_of("classes", 0)
    constraints = Constraints(len(case.rows.catalogue))
    grower = _OfWorths(case.state, constraints, Budget())
    grower.worths = {(0,): [fitted, 6.0], (1,): [9.0]}
    assert grower._join([Candidate(10.0, (0,), 0, 1), Candidate(9.0, (1,), 1, 1)]) == 2
    assert [rule.monomial for rule in case.state.rules] == order


def test_shrinking_goes_on_past_committees_that_are_a_little_longer():
    n_behind = 0
    for case in map(partial(case_of, "classes"), range(60)):
        case.restart(5)
        state, budget = case.state, Budget()
        constraints = Constraints(len(case.rows.catalogue))
        rules, best = list(state.rules), state.length
        descent, on_the_way_up = _Descent(state, constraints, budget.one_by_one), False
        while descent.step() and descent.length <= best * 1.02 + 20:
            n_behind += on_the_way_up and descent.length < best - 1e-6
            on_the_way_up |= descent.length > best + 1e-6
            best = min(best, descent.length)
        state.restart(rules)
        shrink(state, constraints, budget)
        assert state.length == pytest.approx(best)
    assert n_behind


@pytest.mark.parametrize("kind", ["classes", "sets"])
@pytest.mark.parametrize("seed", range(20))
def test_growth_on_parts_of_the_rows_ends_where_nothing_joins_from_all(kind, seed):
    case = case_of(kind, seed)
    grower = Grower(case.state, case.constraints(), Budget(growth_work=1e4))
    grower.grow()
    assert grower._step == 1
    assert not grower._round(grower._single_starts)


@pytest.mark.parametrize(("joined", "goes_on_with_more"), [(6, False), (5, True), (1, True)])
def test_growth_goes_on_with_more_rows_where_few_candidates_join(joined, goes_on_with_more):
    steps = []

    class Scripted(Grower):
        def _round(self, starts_of):
            del starts_of
            self._residual()
            self._n_candidates = 10
            steps.append(self._step)
            return joined if len(steps) == 1 else 0

    case = case_of("classes", 3)
    Scripted(case.state, case.constraints(), Budget(growth_work=1e4, few_join=0.5)).grow()
    assert steps[0] > 4
    assert (steps[1] < steps[0]) == goes_on_with_more
    assert steps[-1] == 1


def test_a_complete_table_in_which_no_literal_helps_alone_is_learned():
    path = Path(__file__).parents[2] / "arff_data" / "monk1.arff"
    _, sample = prepare(Dataset.from_relation(read_arff(path)), Options())
    rows = rows_of_classes(sample)
    objective = Objective.of(rows, Options())
    rules = search(rows, Constraints(len(sample.catalogue)), objective)
    assert state_of(rows, objective, rules).errors == 0


@pytest.mark.parametrize("pair_work", [2e8, 2e6, 2e5])
@pytest.mark.parametrize("seed", range(3))
def test_pairs_are_looked_at_however_little_work_that_may_cost(seed, pair_work):
    """Two attributes decide only together: of more rows than work allows some are looked at."""
    rng = np.random.default_rng(seed)
    values = rng.integers(2, size=(1500, 12))
    classes = np.where(values[:, 2] ^ values[:, 7], 1, 2 * (values[:, 0] & values[:, 1]))
    attributes = [Attribute(f"x{k}", "nominal", ("0", "1")) for k in range(12)]
    columns = [*values.T.astype(np.int8), classes.astype(np.int8)]
    attributes.append(Attribute("class", "nominal", ("a", "b", "c")))
    dataset = Dataset.from_relation(
        Relation("pairs", tuple(attributes), tuple(columns), np.ones(1500))
    )
    _, coded = prepare(dataset, Options())
    rows = rows_of_classes(coded)
    objective = Objective.of(rows, Options())
    budget = Budget(pair_work=pair_work, pair_rows=200)
    rules = search(rows, Constraints(len(coded.catalogue)), objective, budget)
    assert state_of(rows, objective, rules).errors == 0


@pytest.mark.parametrize("n_cells", [200, 1000])
def test_of_a_large_table_some_rows_are_searched_whatever_the_order_and_the_parts(n_cells):
    """Parts of the rows that choose alone choose what may be chosen of all."""
    dataset = Dataset.from_relation(xd6(512, 1))
    order = np.random.default_rng(5).permutation(dataset.n_samples)
    taken = []
    for rows in (np.arange(dataset.n_samples), order):
        _, coded = prepare(dataset.take(rows), Options())
        examples = examples_of(coded)
        some = examples.searched(n_cells)
        assert rows_of_classes(some).n_rows == n_cells // len(dataset.schema.attributes)
        taken.append(as_rows(some))
        assert taken[0] == taken[-1] < as_rows(coded)
        for part in (slice(0, 200), slice(200, None)):
            of_part = coded.take(part)
            chosen = as_rows(examples_of(of_part).searched(n_cells))
            assert taken[0] & as_rows(of_part) <= chosen
        assert examples.searched(1e6) is coded


def test_of_a_large_table_copies_are_searched_with_all_their_weight():
    dataset = Dataset.from_relation(xd6(512, 1))
    copies = np.repeat(np.arange(512), np.arange(512) % 3 + 1)
    weights = [prepare(dataset.take(rows), Options())[1] for rows in (np.arange(512), copies)]
    once, often = (examples_of(coded).searched(1000) for coded in weights)
    assert as_rows(once) == as_rows(often)
    assert often.total_weight > 1.5 * once.total_weight
    assert often.n_samples == once.n_samples


def examples_of(coded: CodedSample) -> HeldExamples:
    none = np.zeros((0, coded.n_samples), np.bool_)
    return HeldExamples(coded, np.ones(coded.n_labels, np.bool_), None, none)


def as_rows(coded: CodedSample) -> set[tuple[int, ...]]:
    codes = [group.codes for group in coded.groups]
    return set(map(tuple, np.concatenate([*codes, coded.labels[None]]).T.tolist()))
