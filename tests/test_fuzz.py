"""The fuzz finds faults of every kind, and none in what reads input; see `tests.fuzz`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.drawing import Draw
from tests.fuzz.targets import BY_NAME, PLANTED, TARGETS

ROOT = Path(__file__).parents[1]
KINDS = {
    "exception": "an exception: KeyError",
    "hang": "a hang: the fuzz itself",
    "hang-beyond-python": "a hang: beyond Python",
    "crash": "the end of the process: SIGSEGV",
    "memory": "memory",
    "warning": "a warning: RuntimeWarning",
    "control": "a message with control characters",
    "long": "a message without an end",
    "difference": "a difference: two ways",
}


def fuzz(*arguments: str) -> tuple[int, str]:
    """Return exit status and output of the command."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_nothing_is_found_in_what_reads_input(tmp_path):
    status, out = fuzz("--inputs", "3000", "--seed", "13", "--output", str(tmp_path))
    assert (status, out.splitlines()[-1]) == (0, "nothing found"), out


@pytest.fixture(scope="module")
def planted(tmp_path_factory) -> tuple[str, Path]:
    """Return what the fuzz says of all planted faults, and the folder of its findings."""
    folder = tmp_path_factory.mktemp("findings")
    only = [part for target in PLANTED for part in ("--only", target.name)]
    limits = ("--limit", "0.05", "--megabytes", "256", "--output", str(folder))
    status, out = fuzz(*only, "--inputs", "45", "--seed", "1", *limits)
    assert status == 1
    return out, folder


@pytest.mark.parametrize("name", KINDS)
def test_a_planted_fault_is_found_named_and_counted(planted, name):
    out, _ = planted
    (line,) = [line for line in out.splitlines() if f" planted-{name}: " in line]
    assert KINDS[name] in line
    row = next(line for line in out.splitlines() if re.match(f"planted-{name} +[0-9]", line))
    n_inputs, n_found = int(row.split()[1]), int(row.split()[4])
    assert n_inputs == 5  # the fault did not stop the run
    assert 1 <= n_found < 5


@pytest.mark.parametrize("name", sorted(KINDS.keys() - {"crash", "hang-beyond-python"}))
def test_the_input_of_a_finding_is_cut_down(planted, name):
    _, folder = planted
    (file,) = folder.glob(f"planted-{name}-????????")
    assert file.read_bytes() == b"ax"


def test_what_ends_the_process_is_kept_whole(planted):
    _, folder = planted
    (file,) = folder.glob("planted-crash-????????")
    assert len(file.read_bytes()) == 12


def test_a_finding_comes_back_from_its_seed_and_from_its_file(planted):
    out, folder = planted
    (line,) = [line for line in out.splitlines() if " planted-difference: " in line]
    name, origin = line.split()[:2]
    for replayed in (str(folder / name), origin.strip("()")):
        status, told = fuzz("--replay", replayed)
        assert status == 1
        assert "a difference: two ways" in told


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_an_input_depends_on_seed_target_and_number_alone(target):
    assert target.input(1, 2) == target.input(1, 2)
    assert target.input(1, 2) == target.draw(Draw(f"1:{target.name}:2"))
    assert len({target.input(seed, 0) for seed in range(20)}) > 10


def test_jobs_share_the_inputs_of_one_job(tmp_path):
    arguments = ("--only", "mulan", "--inputs", "300", "--output", str(tmp_path))
    outs = [fuzz(*arguments, "--seed", "5", "--jobs", jobs)[1] for jobs in ("1", "2")]
    rows = [next(line for line in out.splitlines() if line.startswith("mulan ")) for out in outs]
    assert rows[0].split()[:5] == rows[1].split()[:5]
    assert BY_NAME["mulan"] in TARGETS
