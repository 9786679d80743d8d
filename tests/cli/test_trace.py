"""Watching an induction: what an observer hears, and what train --verbose tells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.label_set_cases import DAYS
from widc_arff import Attribute, Dataset, Options, Schema, induce, read_arff
from widc_arff.data.rows import label_matrix
from widc_arff.data.schema import Labels
from widc_arff.tolerance import is_lower

DATA = Path(__file__).parents[2] / "arff_data"


class Listener:
    """Remembers what it is told."""

    def __init__(self):
        self.events = []

    def __getattr__(self, name):
        return lambda *told, **more: self.events.append((name, *told, *more.values()))

    def of(self, name):
        return [event[1:] for event in self.events if event[0] == name]


def watched(name: str, **options):
    dataset = Dataset.from_relation(read_arff(DATA / f"{name}.arff"))
    listener = Listener()
    committee = induce(dataset, Options(**options), listener)
    assert committee == induce(dataset, Options(**options))
    return dataset, committee, listener


@pytest.mark.parametrize("name", ["iris", "weather-nominal", "xd6"])
def test_what_grows_is_told_literal_by_literal(name):
    _, committee, listener = watched(name, pruning="none")
    assert [m for _, m in listener.of("grown")] == [rule.monomial for rule in committee.rules]
    assert [(m, tuple(votes)) for _, m, votes in listener.of("voted")] == [
        (rule.monomial, rule.votes) for rule in committee.rules
    ]
    z_of = {(): None}
    for rule, monomial in listener.of("grown"):
        tries = [event[1:] for event in listener.of("tried") if event[0] == rule]
        ends = {(*chain, literal): z for chain, literal, z in tries}
        for chain, _, z in tries:  # each goes on from where the chain came to
            if chain:
                assert z[0] == ends[chain][1]
                assert is_lower(ends[chain][1], ends[chain][0])
        starts = {z[0] for chain, _, z in tries if not chain}
        assert len(starts) == 1
        if rule > 1:
            assert starts.pop() == pytest.approx(z_of[rule - 1])
        z_of[rule] = ends[monomial][1]


def test_pessimistic_removals_are_told_with_the_error_that_is_left():
    dataset, committee, listener = watched("iris", pruning="pessimistic")
    removed = listener.of("removed")
    n_grown = len(listener.of("grown"))
    assert sorted(rule for rule, _ in removed) == list(range(1, n_grown + 1))
    assert removed[-1][1] == pytest.approx(2 / 3)  # no rule: one class of three
    (kept,) = listener.of("kept")[0]
    assert [listener.of("voted")[k - 1][1] for k in kept] == [r.monomial for r in committee.rules]
    at_best = [error for _, error in removed][n_grown - len(kept) - 1]
    wrong = committee.predict_codes(dataset) != dataset.classes
    assert at_best == pytest.approx(wrong.mean()) == committee.training.error


def test_optimistic_removals_are_told_with_the_error_that_is_left():
    _, committee, listener = watched("led7", pruning="optimistic")
    assert listener.of("removed")[-1][1] == pytest.approx(committee.training.error)
    assert len(listener.of("removed")) == len(listener.of("grown")) - len(committee.rules)


def test_refinement_is_told_with_falling_description_lengths():
    _, committee, listener = watched("iris", pruning="refined")
    told = listener.of("refined")
    turns = list(zip(told[::3], told[1::3], told[2::3], strict=True))
    assert len(turns) > 1
    least, sizes = np.inf, []
    for turn in turns:
        assert [how for how, *_ in turn] == ["grown", "shrunk", "polished"]
        grown, shrunk, polished = (bits for _, _, bits, _ in turn)
        assert grown >= shrunk >= polished
        *_, is_kept = turn[2]
        assert is_kept == (polished < least)
        if is_kept:
            least, (_, sizes, *_) = polished, turn[2]
    assert sizes == [len(rule.monomial) for rule in committee.rules]
    assert {name for name, *_ in listener.events} == {"refined", "voted", "kept"}
    assert [list(kept) for (kept,) in listener.of("kept")] == [[1, 2]]


@pytest.mark.parametrize("pruning", ["refined", "pessimistic"])
def test_verbose_tells_on_stderr_and_changes_nothing(run, pruning, golden):
    arguments = ["train", str(DATA / "weather-nominal.arff"), "--pruning", pruning]
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    told = run(*arguments, "--verbose")
    assert told[:2] == (0, out)
    golden(f"trace-{pruning}.txt", told[2])


def test_verbose_tells_of_label_sets(run, tmp_path):
    path = tmp_path / "days.arff"
    path.write_text(DAYS, encoding="utf-8")
    status, _, err = run("--quiet", "train", str(path), "--labels", "sail,run,read")
    assert (status, err) == (0, "")
    arguments = ["train", str(path), "--labels", "sail,run,read", "--verbose"]
    status, _, err = run(*arguments, "--pruning", "pessimistic")
    assert status == 0
    assert "prune   rule 1 removed: ranking loss " in err
    err = run(*arguments, "--aim", "ranking")[2]
    # seven days that tell: a literal of log2(7) / 2 bits, and two exceptions of log2(2)
    assert "refine  polished: 1 rule, 1 condition, 3.40 bits\n" in err
    assert "vote    rule 1: sky = rain: run -1, read +1\n" in err


def test_verbose_and_quiet_exclude_each_other(run):
    status, out, err = run("train", str(DATA / "iris.arff"), "--verbose", "--quiet")
    assert (status, out) == (2, "")
    assert "expected --verbose or --quiet, got both" in err


def test_the_z_told_is_that_of_the_paper():
    schema = Schema(
        "r", (Attribute("a", "nominal", ("0", "1")),), Labels("single", ("c",), ("x", "y"))
    )
    rows, classes = np.array([0, 0, 1, 1, 1, 1]), np.array([0, 0, 0, 1, 1, 1])
    dataset = Dataset(schema, (rows,), label_matrix(classes, 2), np.ones(6))
    listener = Listener()
    induce(dataset, Options(pruning="none"), listener)
    _, _, _, z = listener.of("tried")[0]
    # whole: 2 * 2 * sqrt(3/6 * 3/6) = 2; then the block a = 1: 2 * 2 * sqrt(1/6 * 3/6)
    assert z == pytest.approx((2.0, 4 * np.sqrt(3) / 6))
