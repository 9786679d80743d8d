"""However a command is ended, what it started ends with it, and nothing half written stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.endings import (
    PATIENCE_S,
    ROOT,
    descendants_at_work,
    read_by,
    seconds_until_gone,
    started,
)

WAVEFORM = str(ROOT / "arff_data" / "waveform.arff")
EVALUATE = ("evaluate", WAVEFORM, "--repeats", "90", "--predictions", "p.csv", "--jobs", "2")
LABEL_SETS = (
    *("evaluate", "sets.arff", "--labels", "l0,l1,l2", "--repeats", "90"),
    *("--predictions", "p.csv", "--jobs", "2"),
)
REPRODUCE = ("figure1", "-o", "out", "--samples", "5000", "--jobs", "2")
COMPARE = ("compare", WAVEFORM, "-o", "out", "--against", "J48")
DASK = ("train", WAVEFORM, "--dask", "local", "--pruning", "none", "--model", "m.json")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.chdir(tmp_path / "work")
    columns = [f"@attribute x{i} numeric" for i in range(5)]
    columns += [f"@attribute l{i} {{0,1}}" for i in range(3)]
    rows = [
        ",".join([*(str((7 + r) * (3 + i) % 101) for i in range(5)), *f"{r % 8:03b}"])
        for r in range(300)
    ]
    Path("sets.arff").write_text("\n".join(["@relation s", *columns, "@data", *rows, ""]))


def end(process: subprocess.Popen[bytes], how: str) -> None:
    if how.startswith("ctrl-c"):
        for _ in range(2 if "twice" in how else 1):
            os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.Signals[how])


STATUS = {
    "ctrl-c": 130,
    "ctrl-c, twice": 130,
    "SIGINT": 130,
    "SIGTERM": 143,
    "SIGHUP": 129,
    "SIGKILL": -9,
}
WORDS = {130: b"interrupted", 143: b"terminated", 129: b"hung up"}


def assert_all_ends(
    arguments: tuple[str, ...], how: str, least: int, module: str = "widc_arff"
) -> None:
    with started(*arguments, module=module) as process:
        others = descendants_at_work(process, least)
        end(process, how)
        out, err = process.communicate(timeout=PATIENCE_S)
        assert seconds_until_gone(others) < PATIENCE_S
        assert process.returncode == STATUS[how]
    assert out == b""
    told = b"" if how == "SIGKILL" else b"widc-arff: " + WORDS[STATUS[how]]
    lines = [line for line in err.splitlines() if not line.startswith(b"widc-arff: still ")]
    assert b"\n".join(lines).strip() == told  # on a busy machine it has told that it is at work
    left = [path.name for path in Path().rglob("*") if path.name not in ("out", "runs.jsonl")]
    assert left == ["sets.arff"]
    if how != "SIGKILL":
        assert list(Path(os.environ["TMPDIR"]).iterdir()) == []


@pytest.mark.parametrize("how", STATUS)
def test_folds_end_with_the_evaluation(how):
    assert_all_ends(EVALUATE, how, 2)


@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL"])
def test_folds_of_label_sets_end_with_the_evaluation(how):
    assert_all_ends(LABEL_SETS, how, 2)


@pytest.mark.needs("weka")
@pytest.mark.parametrize("how", ["ctrl-c", "SIGTERM", "SIGKILL"])
def test_runs_and_weka_end_with_the_reproduction(how):
    assert_all_ends(REPRODUCE, how, 3, "tests.reproduction")


@pytest.mark.needs("weka")
@pytest.mark.parametrize("how", ["ctrl-c", "SIGTERM", "SIGKILL"])
def test_the_jvm_and_its_worker_end_with_the_comparison(how):
    assert_all_ends(COMPARE, how, 3)


@pytest.mark.parametrize("how", ["ctrl-c", "SIGKILL"])
def test_the_local_cluster_ends_with_the_training(how):
    assert_all_ends(DASK, how, 4)


def test_a_command_that_nobody_reads_any_more_ends_as_of_sigpipe():
    with started("reference") as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(PATIENCE_S) == 141
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_an_ignored_interruption_is_ignored():
    # as in `nohup widc-arff ... &` of a shell script
    with started("train", "-", ignores=signal.SIGHUP) as process:
        read_by(process, b"% a comment\n")
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate(Path("sets.arff").read_bytes(), timeout=PATIENCE_S)
    assert process.returncode == 0
    assert out.startswith(b"Decision committee")


def test_an_error_that_an_interruption_led_to_is_told_as_the_interruption():
    code = (
        "import sys, widc_arff.cli\n"
        "from widc_arff import __main__\n"
        "from widc_arff.system import interruption\n"
        "def run():\n"
        "    try:\n"
        "        raise interruption.Interruption\n"
        "    finally:\n"
        "        raise RuntimeError('release unlocked lock')\n"
        "widc_arff.cli.main = run\n"
        "sys.exit(__main__.main())\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (130, "widc-arff: interrupted\n")
