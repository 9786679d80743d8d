"""Training and folds on a real cluster of processes on this machine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import distributed
import numpy as np
import pytest

from tests.cluster_cases import alone, random_relation, write_parts
from tests.reproduction.execution import execute
from tests.reproduction.report import Setting, sections
from tests.reproduction.runs import RunFile
from widc_arff import write_data
from widc_arff.arff.reader import read_arff
from widc_arff.arff.relation import Relation
from widc_arff.cluster import crew as crews
from widc_arff.cluster.crew import connected
from widc_arff.cluster.examples import SpreadExamples
from widc_arff.cluster.remote_counter import ClusterCounter
from widc_arff.cluster.training import Files, induce_from_files
from widc_arff.errors import WidcWarning
from widc_arff.model.model_file import committee_to_json
from widc_arff.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
OPTIONS = Options("pessimistic", cut_points="quantile:8")


@pytest.fixture(scope="module")
def crew():
    with connected("local") as there:
        yield there


@pytest.fixture
def address(crew) -> str:
    return str(crew._client.scheduler.address)


@pytest.fixture
def parts(tmp_path, monkeypatch) -> str:
    """Return a pattern of files where the command runs; one.arff holds all of their rows."""
    monkeypatch.chdir(tmp_path)
    relation = random_relation(16)
    known = np.flatnonzero(relation.columns[-1] >= 0)
    relation = Relation(
        "r", relation.attributes, tuple(c[known] for c in relation.columns), relation.weights[known]
    )
    write_parts(relation, 3, tmp_path)
    (tmp_path / "whole").mkdir()
    write_parts(relation, 1, tmp_path / "whole")
    return "part-*.arff"


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.filterwarnings("ignore::widc_arff.errors.WidcWarning")
def test_the_model_is_that_of_one_machine(crew, seed, tmp_path):
    relation = random_relation(seed)
    paths = write_parts(relation, 3, tmp_path)
    model = committee_to_json(induce_from_files(Files(paths), OPTIONS, crew))
    assert model == alone(relation, OPTIONS)


def test_the_command_writes_the_model_that_it_writes_alone(run, parts, address):
    options = ("--quiet", "--pruning", "optimistic", "--cut-points", "mdl+", "--model", "-")
    expected = run("train", "whole/part-0.arff", *options)
    assert run("train", parts, "--dask", address, *options) == expected
    assert expected[0] == 0


def test_the_command_does_without_negation(run, parts, address):
    options = ("--pruning", "none", "--no-negation", "--model", "-")
    expected = run("train", "whole/part-0.arff", *options)
    assert run("train", parts, "--dask", address, *options) == expected
    assert "!=" not in expected[1]


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--class-weight", "balanced", "--min-coverage", "2"),
        ("--costs", "c.cost", "--literals", "plain"),
        ("--rules", "r.txt", "--penalty", "1"),
    ],
)
def test_the_default_learner_writes_the_model_that_it_writes_alone(options, run, parts, address):
    names = read_arff("whole/part-0.arff").attributes
    labels, n = names[-1].values, len(names[-1].values)
    rows = [" ".join("0" if j == k else str(1 + j) for k in range(n)) for j in range(n)]
    Path("c.cost").write_text(f"{n} {n}\n" + "\n".join(rows) + "\n", encoding="utf-8")
    condition = f"{names[0].name} = {names[0].values[0]}" if names[0].values else "a0 > 0.1"
    Path("r.txt").write_text(f"if {condition} then {labels[0]}\n", encoding="utf-8")
    options = ("--quiet", *options, "--model", "-")
    expected = run("train", "whole/part-0.arff", *options)
    assert run("train", parts, "--dask", address, *options) == expected
    assert expected[0] == 0


@pytest.mark.parametrize("options", [(), ("--class", "a0"), ("--pruning", "pessimistic")])
def test_a_folder_of_parquet_gives_the_model_of_one_machine(options, run, parts, address):
    """Row groups of several files are read on the workers, labels are found in all of them."""
    from pyarrow import parquet

    Path("rows").mkdir()
    frames = []
    for number, path in enumerate(sorted(Path().glob(parts))):
        write_data(read_arff(str(path)), "part.parquet")
        table = parquet.read_table("part.parquet")
        texts = [
            table[c].cast("string") if table[c].type == "dictionary" else table[c]
            for c in table.column_names
        ]
        frames.append((number, table.from_arrays(texts, table.column_names)))
    for number, table in frames:
        parquet.write_table(table, f"rows/{number}.parquet", row_group_size=40)
    options = ("--quiet", *options, "--model", "-")
    expected = run("train", "rows", *options)
    assert run("train", "rows", "--dask", address, *options) == expected
    assert expected[0] == 0


def test_provenance_has_every_file_that_a_pattern_means(run, parts, address):
    options = ("--pruning", "optimistic", "--provenance", "--model", "-")
    status, out, _ = run("train", "part-*.arff", "--dask", address, *options)
    assert status == 0
    names = [file["name"] for file in json.loads(out)["provenance"]["data"]]
    assert names == sorted(path.name for path in Path().glob("part-*.arff"))


def test_a_fault_on_a_worker_is_one_message(run, parts, address):
    Path("part-9.arff").write_text(
        Path("part-0.arff").read_text(encoding="utf-8") + "nonsense\n", encoding="utf-8"
    )
    status, out, err = run("train", parts, "--dask", address, "--pruning", "none")
    assert (status, out) == (1, "")
    assert err.startswith(f"widc-arff: {Path.cwd()}/part-9.arff:")


def test_folds_on_the_cluster_are_those_of_processes(run, address):
    iris = str(ROOT / "arff_data" / "iris.arff")
    command = ("evaluate", iris, "--folds", "4", "--predictions", "-")
    assert run(*command, "--dask", address) == run(*command, "--jobs", "2")


def test_runs_of_the_reproduction_are_those_of_this_process(crew, tmp_path):
    tasks = [task for part in sections(Setting("figure1", None, 1, 1, 1)) for task in part.tasks()]
    tasks = tasks[:2]
    here, there = RunFile(tmp_path / "here.jsonl"), RunFile(tmp_path / "there.jsonl")
    execute(tasks, here)
    with crew.executor() as executor:
        execute(tasks, there, jobs=crew.n_threads, executor=executor)
    assert _without_time(tmp_path / "there.jsonl") == _without_time(tmp_path / "here.jsonl")


def _without_time(path: Path) -> list[dict[str, object]]:
    runs = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert runs
    return sorted(({**run, "seconds": 0} for run in runs), key=lambda run: run["fingerprint"])


# losses


@contextmanager
def killed_in_the_middle(
    pids: list[int], step: int, monkeypatch, asked: tuple[type, str] = (ClusterCounter, "sums")
) -> Iterator[None]:
    """Kill processes when something has been asked so often; by default how literals count."""
    function, left = getattr(*asked), [step]

    def killing(self, *arguments):
        left[0] -= 1
        if left[0] == 0:
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
        return function(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(*asked, killing)
        yield
    assert left[0] <= 0


@pytest.mark.parametrize("n_lost", [1, 2])
def test_what_lost_workers_held_is_computed_again(n_lost, parts, monkeypatch):
    files = Files(tuple(sorted(map(str, Path().glob(parts)))))
    expected = alone(read_arff("whole/part-0.arff"), OPTIONS)
    with connected("local") as crew:
        pids = crew.on_each(os.getpid)[:n_lost]
        with killed_in_the_middle(pids, 4, monkeypatch):
            assert committee_to_json(induce_from_files(files, OPTIONS, crew)) == expected
        with pytest.warns(WidcWarning, match="lost; .* work was done again"):
            crew.warn_of_lost_workers()


@pytest.mark.parametrize("asked", ["searched", "patterns"])
def test_the_default_learner_goes_on_without_a_lost_worker(asked, parts, monkeypatch):
    files = Files(tuple(sorted(map(str, Path().glob(parts)))))
    options = Options(penalty=0.5)
    expected = alone(read_arff("whole/part-0.arff"), options)
    with connected("local") as crew:
        pids = crew.on_each(os.getpid)[:1]
        with killed_in_the_middle(pids, 1, monkeypatch, (SpreadExamples, asked)):
            assert committee_to_json(induce_from_files(files, options, crew)) == expected


@pytest.fixture
def bare_cluster() -> Iterator[tuple[str, subprocess.Popen[bytes], list[subprocess.Popen[bytes]]]]:
    """Give a scheduler and two workers that nobody starts again."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    options = ["--no-dashboard"]
    scheduler = _started("scheduler", "--host", "127.0.0.1", "--port", str(port), *options)
    options += ["--no-nanny", "--nthreads", "1"]
    workers = [_started("worker", address, *options) for _ in range(2)]
    try:
        yield address, scheduler, workers
    finally:
        for process in (scheduler, *workers):
            process.kill()
            process.wait()


def _started(what: str, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dask", what, *arguments]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=quiet, stderr=quiet, cwd=ROOT)


@pytest.mark.parametrize("what", ["workers", "scheduler"])
def test_what_cannot_be_recovered_is_one_message(what, bare_cluster, run, parts, monkeypatch):
    address, scheduler, workers = bare_cluster
    monkeypatch.setattr(crews, "POLL_S", 0.5)
    with distributed.Client(address) as client:
        client.wait_for_workers(2)
    killed = [scheduler] if what == "scheduler" else workers
    with killed_in_the_middle([process.pid for process in killed], 4, monkeypatch):
        status, out, err = run("train", parts, "--dask", address, "--pruning", "none")
    message = {
        "workers": f"all workers of {address} are lost; start new ones and try again",
        "scheduler": f"the scheduler at {address} is lost",
    }[what]
    assert (status, out, err) == (1, "", f"widc-arff: {message}\n")


# usage


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a.arff", "b.arff"), "train takes one data file, or several with --dask local, got 2"),
        (("a.csv", "--dask", "local"), "--dask: expected ARFF or Parquet files, got a.csv"),
        (("-", "--dask", "local"), "--dask: expected paths of files that all workers can open"),
        (
            ("a.arff", "--dask", "local", "--labels", "y,class"),
            "--dask: expected one class per row, got label sets",
        ),
        (
            ("a.arff", "--dask", "local", "--rules", "r.txt", "--pruning", "none"),
            "--rules: expected pruning refined with --dask",
        ),
    ],
)
def test_wrong_usage_is_told(arguments, message, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    header = "@relation r\n@attribute x numeric\n@attribute y {0,1}\n@attribute class {0,1}\n"
    Path("a.arff").write_text(header + "@data\n1,0,1\n", encoding="utf-8")
    Path("r.txt").write_text("if x <= 1 then 1\n", encoding="utf-8")
    status, out, err = run("train", *arguments)
    assert (status, out) == (2, "")
    assert message in " ".join(err.split())


@pytest.mark.parametrize("other", [("--jobs", "2"), ("--test", "a.arff")])
def test_evaluate_takes_folds_on_a_cluster_only(other, run):
    status, _, err = run("evaluate", "a.arff", "--dask", "local", *other)
    assert status == 2
    assert f"--dask: expected folds on the workers, got {other[0]} too" in err


def test_a_pattern_without_files_is_told(run, tmp_path):
    pattern = str(tmp_path / "*.arff")
    assert run("train", pattern, "--dask", "local") == (
        1,
        "",
        f"widc-arff: {pattern}: there is no such file\n",
    )


def test_an_address_that_does_not_answer_is_told(run, parts, monkeypatch):
    monkeypatch.setattr(crews, "CONNECT_S", 1)
    status, out, err = run("train", parts, "--dask", "tcp://127.0.0.1:1", "--pruning", "none")
    assert (status, out) == (1, "")
    assert err.startswith(
        "widc-arff: --dask: expected 'local' or the address of a scheduler (tcp://HOST:PORT), got "
        "'tcp://127.0.0.1:1'"
    )


def test_dask_is_asked_for_where_it_is_missing(run, parts, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run("train", parts, "--dask", "local", "--pruning", "none") == (
        1,
        "",
        (
            "widc-arff: --dask: expected the package dask, which is not installed: "
            "pip install 'widc-arff[dask]'\n"
        ),
    )
