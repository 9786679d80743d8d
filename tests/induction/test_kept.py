"""What is remembered while learning holds no more bytes than it may."""

from __future__ import annotations

import random

import numpy as np
import pytest

from widc_arff.induction.sample.kept import Kept, bytes_of


@pytest.mark.parametrize("seed", range(5))
def test_a_cache_holds_its_bound_and_gives_what_was_kept(seed):
    rng = random.Random(seed)
    kept: Kept[tuple[int, ...], np.ndarray] = Kept(20_000)
    n_held = 0
    for _ in range(500):
        key = tuple(rng.sample(range(50), rng.randint(0, 20)))
        found = kept.get(key)
        n_held += found is not None
        if found is None:
            found = kept.keep(key, np.full(rng.randint(0, 400), sum(key)))
        assert (found == sum(key)).all()
        in_all = sum(key.__sizeof__() + value.nbytes for key, value in kept.items())
        assert in_all < kept.n_bytes <= 20_000
    assert kept
    assert n_held


def test_what_is_too_large_by_itself_is_given_and_not_remembered():
    kept: Kept[int, np.ndarray] = Kept(1000)
    assert len(kept.keep(1, np.zeros(1000))) == 1000
    assert not kept
    assert kept.n_bytes == 0


def test_bytes_are_those_of_all_that_is_inside():
    whole = np.zeros((30, 40))
    assert bytes_of(whole) > 9600
    assert bytes_of((1, [whole, whole])) > 2 * 9600
    many = frozenset(range(1000, 2000))
    assert bytes_of(many) > many.__sizeof__() + 1000 * (1000).__sizeof__()
