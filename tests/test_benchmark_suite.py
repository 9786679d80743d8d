"""The benchmarks' arithmetic and tables; nothing here is timed."""

from __future__ import annotations

import argparse
import json
import math
import sys

import pytest

from tests.benchmarks import suite
from tests.benchmarks.make_data import SHAPES, write
from tests.benchmarks.processes import Usage, run
from tests.benchmarks.results import (
    Cell,
    Claim,
    Run,
    claims_for,
    compared,
    markdown,
    parsed_size,
    read_run,
    shown_size,
)
from widc_arff import Dataset, read_arff
from widc_arff.errors import DataError

MACHINE = {"cpu": "abacus", "cores": 1}
ABOUT = {"started": "today", "repeats": 3, "machine": MACHINE, "load": [0.5, 1, 2]}
J48_KEY = ("training", "numeric20", 100_000, "J48")


def cell(learner: str, *seconds: float, rows: int = 100_000, **others) -> Cell:
    told = {"task": "training", "shape": "numeric20", "peak_mb": (100.0,) * len(seconds)} | others
    return Cell(rows=rows, learner=learner, seconds=seconds, **told)


def test_sizes_are_read_with_k_and_m():
    assert [parsed_size(text) for text in ("500", "1k", " 10k", "1M")] == [500, 1000, 10000, 10**6]


@pytest.mark.parametrize("text", ["", "0", "1.5k", "10K", "-1", "k"])
def test_other_sizes_are_told_with_what_is_expected(text):
    with pytest.raises(DataError, match="expected numbers of rows such as 500, 10k or 1M, got"):
        parsed_size(text)


@pytest.mark.parametrize(("n", "text"), [(999, "999"), (1500, "1500"), (2000, "2k"), (10**6, "1M")])
def test_a_size_is_shown_as_it_is_read(n, text):
    assert shown_size(n) == text
    assert parsed_size(text) == n


def test_time_and_memory_are_medians_of_the_repeats():
    measured = Cell("training", "numeric20", 10, "J48")
    assert measured.time is None
    for seconds, peak_mb in ((9.0, 50.0), (1.0, 70.0), (2.0, 40.0)):
        measured = measured.with_repeat(seconds, peak_mb)
    assert (measured.time, measured.memory) == (2.0, 50.0)


def test_a_stored_run_is_read_back_and_a_folder_gives_its_newest(tmp_path):
    cells = (cell("J48", 1.0, 2.0, error=0.125, size=7), cell("JRip", note="over 3 s"))
    for name, kept in (("2020.jsonl", cells[:1]), ("2021.jsonl", cells)):
        lines = [json.dumps(ABOUT) + "\n", *(each.to_line() for each in kept)]
        (tmp_path / name).write_text("".join(lines))
    assert read_run(tmp_path) == Run(ABOUT, cells)
    assert read_run(tmp_path / "2020.jsonl").cells == cells[:1]


def test_what_is_no_run_is_told_with_its_name(tmp_path):
    with pytest.raises(DataError, match="expected a run"):
        read_run(tmp_path)
    for text in ("", "{", "{}\n{}\n", '{}\n{"seconds": [], "peak_mb": []}\n'):
        (tmp_path / "a.jsonl").write_text(text)
        with pytest.raises(DataError, match=r"a\.jsonl: expected the lines of a run"):
            read_run(tmp_path)


def test_cells_over_five_quarters_of_their_time_are_named_as_slower():
    old = Run(ABOUT, (cell("J48", 4.0), cell("JRip", 4.0), cell("PART", 4.0), cell("refined", 4.0)))
    new = Run(ABOUT, (cell("J48", 5.0), cell("JRip", 5.1), cell("PART", 1.0), cell("RIPPER", 9.0)))
    text, slower = compared(old, new)
    assert slower == ["training numeric20 100k JRip"]
    assert [line.split()[5] for line in text.splitlines()] == ["x1.25", "x1.27", "x0.25"]
    assert [line.endswith("SLOWER") for line in text.splitlines()] == [False, True, False]


def test_a_cell_that_has_lost_its_result_counts_as_slower():
    text, slower = compared(
        Run(ABOUT, (cell("J48", 4.0),)), Run(ABOUT, (cell("J48", note="over 5 s"),))
    )
    assert slower == ["training numeric20 100k J48"]
    assert "over 5 s" in text


def test_runs_of_other_machines_are_told_apart():
    other = {**ABOUT, "machine": {"cpu": "slide rule"}}
    text, _ = compared(Run(ABOUT, (cell("J48", 4.0),)), Run(other, (cell("J48", 4.0),)))
    assert text.startswith("The machines or versions differ")


def test_claims_divide_times_and_subtract_errors():
    ours = cell("refined", 3.0, error=0.25)
    cells = Run(ABOUT, (ours, cell("J48", 4.0, error=0.125))).by_key
    assert Claim("time", ours.key, 0.8, J48_KEY).value(cells) == 0.75
    assert Claim("error", ours.key, 0.003, J48_KEY).value(cells) == 0.125
    assert Claim("memory", ours.key, 1500).value(cells) == 100
    assert Claim("time", ours.key, 0.8, (*J48_KEY[:3], "JRip")).value(cells) is None
    assert Claim("time", (*J48_KEY[:3], "JRip"), 1).value(cells) is None


def test_on_given_files_no_committee_may_be_slower_than_jrip():
    given = cell("refined", 3.0, shape="nursery", rows=8640)
    claims = claims_for([given, cell("refined", 3.0)])
    assert [(c.key, c.beside) for c in claims if "nursery" in c.text] == [
        (given.key, ("training", "nursery", 8640, "JRip"))
    ]


def test_the_tables_have_a_line_for_each_cell_and_for_each_claim_that_can_be_judged():
    cells = (
        cell("refined", 1.0, 3.0, 9.0, error=0.1034, size=17),
        cell("J48", 3.3333),
        cell("JRip", note="over 120 s"),
        cell("WIDC", 0.5, task="reading"),
    )
    lines = markdown(Run({**ABOUT, "absent": ["RIPPER"]}, cells)).splitlines()
    assert lines[0] == (
        "Measured today, medians of 3; cpu: abacus; cores: 1; load averages at the start: "
        "0.5, 1.0, 2.0; not installed: RIPPER."
    )
    numeric = "(training, numeric20, 100k)"
    assert lines[1:] == [
        "",
        "**training**",
        "",
        "| data | rows |  | seconds | peak MB | test error % | conditions |",
        "|---|---:|---|---:|---:|---:|---:|",
        "| numeric20 | 100k | refined | 3 | 100 | 10.34 | 17 |",
        "| numeric20 | 100k | J48 | 3.33 | 100 |  |  |",
        "| numeric20 | 100k | JRip | over 120 s |  |  |  |",
        "",
        "**reading**",
        "",
        "| data | rows |  | seconds | peak MB | rows/s |",
        "|---|---:|---|---:|---:|---:|",
        "| numeric20 | 100k | WIDC | 0.5 | 100 | 200,000 |",
        "",
        "**wanted**",
        "",
        "| | measured | at most | |",
        "|---|---:|---:|---|",
        f"| time of refined {numeric} / J48 {numeric} | 0.9 | 0.8 | NO |",
    ]


SCORES = """
Time taken to build model: 0 seconds
Correctly Classified Instances          30               75      %
Incorrectly Classified Instances        10               25      %
"""
J48 = """
a <= 1
|   b = x: no (3.0)
|   b = y: yes (3.0)
a > 1: yes (4.0)

Number of Leaves  : \t3

Size of the tree : \t5
"""
JRIP = """JRIP rules:
===========

(a <= 1) and (b = x) => class=no (3.0/1.0)
(a >= 2) => class=no (3.0/1.0)
 => class=yes (4.0)

Number of Rules : 3
"""
PART = """PART decision list
------------------

a > 1 AND
b = x: yes (4.0)

a <= 0: no (3.0/1.0)

: no (3.0)

Number of Rules  : \t3
"""


@pytest.mark.parametrize(
    ("learner", "model", "size"), [("J48", J48, 2), ("JRip", JRIP, 3), ("PART", PART, 3)]
)
def test_error_and_conditions_are_read_from_what_weka_prints(learner, model, size):
    assert suite.error_and_size(learner, model + SCORES) == (0.25, size)


def test_repeats_are_interleaved_and_who_is_too_slow_is_left_out_at_larger_sizes(tmp_path):
    calls = []

    def fake(command: list[str], limit_s: float) -> Usage:
        calls.append(command[0])
        assert limit_s == 5
        return Usage(2.0, 9.0, failure="over 5 s" if command == ["slow"] else "")

    commands = {"WIDC": ["quick"], "Weka": ["slow"]}
    measuring = suite.Suite(2, 5, learners=[], run=fake, jobs=lambda *_: commands)
    first, second = (
        list(measuring.measure("reading", suite.Files("s", n, tmp_path, tmp_path, tmp_path)))
        for n in (1000, 2000)
    )
    assert calls == ["quick", "slow", "quick", "quick", "quick"]
    assert [c.seconds for c in first] == [(2.0, 2.0), ()]
    assert first[1].note == "over 5 s"
    assert second[1].note == "left out: over 5 s at 1k"


def test_who_would_take_more_than_twice_the_limit_is_left_out(tmp_path):
    commands = {"WIDC": ["quick"]}
    measuring = suite.Suite(
        1, 10, learners=[], run=lambda *_: Usage(2.0, 9.0), jobs=lambda *_: commands
    )
    notes = []
    for rows in (1000, 10_000, 100_001, 1_000_000):  # 2 s, 20 s and then more than 20 s expected
        files = suite.Files("s", rows, tmp_path, tmp_path, tmp_path)
        notes += [each.note for each in measuring.measure("reading", files)]
    assert notes == ["", "", "left out: 2 s at 10k", "left out: 2 s at 10k"]


def test_shapes_can_have_a_largest_size():
    assert suite.shapes("numeric20,wide200:10k") == {"numeric20": math.inf, "wide200": 10_000}
    with pytest.raises(argparse.ArgumentTypeError, match="expected some of numeric20"):
        suite.shapes("numeric:10k")
    with pytest.raises(argparse.ArgumentTypeError, match="sizes: expected numbers of rows"):
        suite.shapes("numeric20:many")


def test_a_given_file_is_parted_in_two_thirds_and_one_third(tmp_path):
    rows = [f"{i},{'xy'[i % 2]}\n" for i in range(9)]
    whole = tmp_path / "whole.arff"
    whole.write_text(
        "@relation r\n@attribute a numeric\n@attribute c {x,y}\n@DATA\n%%\n" + "".join(rows)
    )
    files = suite.parted(whole, tmp_path)
    assert (files.shape, files.rows) == ("whole", 6)
    parts = [read_arff(path) for path in (files.training, files.test)]
    assert [part.n_rows for part in parts] == [6, 3]
    assert sorted(a for part in parts for a, _ in part.rows()) == list(range(9))


@pytest.mark.parametrize("name", SHAPES)
def test_made_data_have_their_shape_and_another_seed_gives_other_rows(name, tmp_path):
    paths = [tmp_path / f"{seed}.arff" for seed in (0, 0, 1)]
    for path, seed in zip(paths, (0, 0, 1), strict=True):
        write(name, 300, path, seed)
    first, again, other = (path.read_bytes() for path in paths)
    assert first == again != other
    dataset = Dataset.from_relation(read_arff(paths[0]))
    assert dataset.n_samples == 300
    assert len(dataset.schema.attributes) == SHAPES[name].n_attributes
    assert set(dataset.classes) == set(range(dataset.schema.n_classes))


def test_a_process_has_its_own_peak_of_memory_not_that_of_its_starter():
    large = b"x" * 300_000_000
    assert run([sys.executable, "-c", "print('done')"]).stdout == "done\n"
    assert run(["true"]).peak_mb < 100 < len(large) / 1e6


def test_a_process_over_the_limit_or_with_an_error_says_so():
    assert run(["sleep", "60"], limit_s=0.1).failure == "over 0.1 s"
    failed = run([sys.executable, "-c", "raise SystemExit('no data')"])
    assert failed.failure == "failed (1): no data"


def test_unknown_names_are_told_with_a_near_one():
    assert suite.choice(suite.LEARNERS)("J48, refined") == ["J48", "refined"]
    with pytest.raises(argparse.ArgumentTypeError, match=r"got 'JRIP'.*did you mean 'JRip'"):
        suite.choice(suite.LEARNERS)("JRIP")


def test_compare_ends_with_status_1_where_something_is_slower(tmp_path, capsys):
    for name, seconds in (("old", 1.0), ("new", 2.0)):
        (tmp_path / name).write_text(json.dumps(ABOUT) + "\n" + cell("J48", seconds).to_line())
    old, new = str(tmp_path / "old"), str(tmp_path / "new")
    assert suite.main(["--compare", old, new]) == 1
    assert "slower than 1.25 times: training numeric20 100k J48" in capsys.readouterr().out
    assert suite.main(["--compare", old, old]) == 0
    assert suite.main(["--report", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_a_report_is_made_of_part_of_a_run(tmp_path, capsys):
    cells = (cell("J48", 1.0), cell("J48", 0.5, rows=1000), cell("refined", 2.0))
    lines = [json.dumps(ABOUT) + "\n", *(each.to_line() for each in cells)]
    (tmp_path / "run.jsonl").write_text("".join(lines))
    assert suite.main(["--report", str(tmp_path), "--learners", "J48"]) == 0
    printed = capsys.readouterr().out
    assert "| 1k | J48 | 0.5 |" in printed
    assert "refined" not in printed
    assert (tmp_path / "benchmarks.md").read_text() == printed
    assert (tmp_path / "benchmarks.png").read_bytes().startswith(b"\x89PNG")
