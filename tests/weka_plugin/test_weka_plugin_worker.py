"""What can go wrong between the JVM and its Python processes, and what users see then."""

from __future__ import annotations

import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

import widc_arff
from tests.endings import PATIENCE_S
from tests.weka.plugin import (
    CLASSIFIER,
    DATA,
    environment,
    probe_command,
    run,
    run_probe,
    seconds,
    values,
    work_folder,
)
from widc_arff.options import PRUNINGS

pytestmark = pytest.mark.needs("weka")

IRIS = DATA / "iris.arff"
SLOW = "-pruning none -cut-points quantile:200"
OF_REFINED = {"penalty": "3", "votes": "sparse", "vote-penalty": "1", "impurity-penalty": "0.1"}
PIDS = "pids.txt"
GREET = """
import os, sys, time
def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()
say("WIDC1 2\\n{}")
"""
READ_REQUEST = """
import json
sys.stdin.buffer.read(json.loads(sys.stdin.buffer.readline())["bytes"])
"""

PROGRAMS = {
    "junk": "print('hello')",
    "flood": "while True: print('hello ' * 100)",
    "other-protocol": "print('WIDC2 2\\n{}', flush=True)",
    "junk-reply": GREET + READ_REQUEST + "say('Traceback: caf\\xe9\\n'); time.sleep(6000)",
    "short-reply": GREET + READ_REQUEST + "say('WIDC1 100\\n{'); sys.exit(0)",
    "no-json-reply": GREET
    + f"open(__file__ + '.{PIDS}', 'a').write(f'{{os.getpid()}}\\n')\n"
    + READ_REQUEST
    + "say('WIDC1 4\\nnull'); time.sleep(6000)",
    "dies": GREET + READ_REQUEST + "sys.stderr.write('out of luck\\n'); os._exit(5)",
    "deaf": GREET + "time.sleep(6000)",
    "one-request": """
import sys
from widc_arff.bridge import protocol
from tests.weka.plugin import work_folder
def say(content):
    sys.stdout.buffer.write(content)
    sys.stdout.flush()
say(protocol.greeting())
header = protocol.parse_header(sys.stdin.buffer.readline())
say(protocol.reply(protocol.answer(header, sys.stdin.buffer.read(header["bytes"]))))
sys.stdin.buffer.readline()
""",
}
"""Python programs that pretend to be an interpreter with our worker."""

SHELL = {
    "without-numpy": 'exec "$PYTHON" -S -I "$@"',
    "recorded": f'echo $$ >> "$0.{PIDS}"; exec "$PYTHON" "$@"',
    "noisy": 'head -c 1000000 /dev/zero | tr \'\\0\' x >&2; exec "$PYTHON" "$@"',
    "chatty": 'echo Welcome; echo "WIDC 1"; exec "$PYTHON" "$@"',
    "silent": "sleep 60",
    "killed": "kill -9 $$",
    "slow": 'sleep 2; exec "$PYTHON" "$@"',
}
"""Shell programs around the real interpreter."""


WIDTH = 80
"""Columns of a message."""


def interpreter(name: str) -> Path:
    folder = work_folder() / "interpreters with blanks"
    path = folder / name
    if not path.exists():
        folder.mkdir(exist_ok=True)
        if name in PROGRAMS:
            root = Path(widc_arff.__file__).parents[1]
            text = f"#!{sys.executable}\nimport sys\nsys.path.append({str(root)!r})\n"
            text += PROGRAMS[name]
        else:
            text = f"#!/bin/sh\nPYTHON='{sys.executable}'\n{SHELL[name]}\n"
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
    return path


def python(name: str) -> str:
    return f'-python "{interpreter(name)}"'


def workers(name: str = "recorded") -> list[int]:
    """Return the processes that an interpreter has been, in order."""
    path = interpreter(name)
    path = path.with_name(f"{path.name}.{PIDS}")
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def runs(process: int) -> bool:
    command = ["ps", "-o", "stat=", "-p", str(process)]
    state = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return state not in ("", "Z")


def ends_within(limit: float, process: int) -> bool:
    deadline = time.monotonic() + limit
    while runs(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@cache
def answers() -> dict[str, list[str]]:
    commands: dict[str, tuple[object, ...]] = {
        name: ("train", IRIS, python(name))
        for name in (*PROGRAMS, "without-numpy", "noisy", "chatty", "killed")
        if name != "deaf"
    }
    commands |= {
        "deaf": ("train", IRIS, f"-timeout 1 {python('deaf')}"),
        "deaf and much to read": ("trainLarge", f"-timeout 1 {python('deaf')}"),
        "silent": ("train", IRIS, f"-timeout 1 {python('silent')}"),
        "absent": ("train", IRIS, "-python /no/python"),
        "one-request again": ("train", IRIS, python("one-request")),
        "slow": ("trainLarge", f"{SLOW} -timeout 1 {python('recorded')}"),
        "interrupted": ("interrupt", f"{SLOW} {python('recorded')}", 1000),
        "interrupted while it starts": ("interrupt", f"{python('silent')}", 500),
        "slow start": ("trainLarge", f"{SLOW} -timeout 3 {python('slow')}"),
        "interrupted at once": ("interrupt", f"{SLOW} {python('recorded')}", 0),
        "after all that": ("train", IRIS, python("recorded")),
        "wrong pruning": ("train", IRIS, "-pruning pesimistic"),
        "wrong number": ("train", IRIS, "-max-rules many"),
        "wrong bits": ("train", IRIS, "-penalty five"),
        **{f"penalty {p}": ("train", IRIS, f"-penalty {p}") for p in ("-1", "NaN", "Infinity")},
        **{
            f"cut points {c}": ("train", IRIS, f"-cut-points {c}")
            for c in ("foo", "width:1", "quantile:65536", "mdl++")
        },
        "wrong votes": ("train", IRIS, "-votes two"),
        **{f"vote penalty {p}": ("train", IRIS, f"-vote-penalty {p}") for p in ("-2", "NaN")},
        **{
            f"impurity penalty {p}": ("train", IRIS, f"-impurity-penalty {p}")
            for p in ("-1", "NaN")
        },
        "price of free votes": ("train", IRIS, "-votes free -vote-penalty 0"),
        **{
            f"{option} without refined": ("train", IRIS, f"-pruning none -{option} {value}")
            for option, value in OF_REFINED.items()
        },
        "wrong limit": ("train", IRIS, "-max-literals 0"),
        "unknown option": ("train", IRIS, "-maxrules 3"),
        "threads": ("threads", IRIS, 8, 4),
        "bagging": ("bagging", IRIS),
        "awkward": ("awkward",),
    }
    return run_probe(commands)


def message(case: str) -> str:
    """Return the message of a case that fails with an exception of ours."""
    lines = answers()[case]
    assert lines[0].startswith("exception\tweka.classifiers.rules.widc.Worker"), lines
    return " ".join(" ".join(line for line in lines[1:] if "\t" not in line).split())


def test_an_interpreter_that_is_none_is_named_with_its_fault() -> None:
    lines = [line for line in answers()["absent"][1:] if "\t" not in line]
    assert lines == [
        "WIDC trains in Python 3.11 or newer with numpy, and could start none:",
        "  /no/python, which the option -python names: No such file or directory",
        "To name one, set the option -python, the environment variable WIDC_PYTHON or the",
        "system property widc.python.",
    ]
    assert "which the option -python names: it ended without a greeting (exit code 0) To" in (
        message("junk")
    )


def test_every_message_has_lines_that_a_dialog_shows_whole() -> None:
    """Weka's dialogs break no line."""
    told = [line for lines in answers().values() for line in lines if "\t" not in line]
    assert len(told) > 40
    assert max(map(len, told)) <= WIDTH


@pytest.mark.parametrize("case", ["without-numpy", "flood"])
def test_the_lines_of_a_reason_within_a_message_are_broken_once(case: str) -> None:
    told = [line for line in answers()[case][1:] if "\t" not in line]
    end = next(k for k, line in enumerate(told) if line.startswith("To name one"))
    assert end > 2  # a reason of several lines
    assert all(line.startswith("  ") for line in told[1:end])


@pytest.mark.parametrize(
    ("case", "fault"),
    [
        ("flood", "it printed something other than a greeting: 'hello hello"),
        ("other-protocol", "expected a worker of protocol 1, got protocol 2"),
        ("without-numpy", "needs Python 3.11 or newer and numpy, found Python 3."),
        ("silent", "longer than the time-out of 1 s, while"),
        ("killed", "it ended without a greeting (exit code 137)"),
        ("absent", "No such file or directory"),
    ],
)
def test_why_an_interpreter_does_not_serve_is_said(case: str, fault: str) -> None:
    assert fault in message(case)
    assert seconds(answers()[case]) < PATIENCE_S


def test_a_reply_that_is_none_is_shown() -> None:
    assert "expected a reply from the Python worker" in message("junk-reply")
    assert "got 'Traceback: caf??'" in message("junk-reply")
    assert "the worker's reply is not as expected" in message("no-json-reply")


def test_a_worker_that_dies_is_reported_with_its_last_words() -> None:
    text = message("dies")
    assert "ended during the training (exit code 5)" in text
    assert "out of luck" in text
    assert "ended during the training (exit code 0)" in message("short-reply")


def test_starting_and_training_have_one_limit_of_time_together() -> None:
    assert "the training took longer than the time-out of 3 s" in message("slow start")
    assert 3 <= seconds(answers()["slow start"]) < 5  # 2 s and 3 s, one after the other


@pytest.mark.parametrize("case", ["deaf", "deaf and much to read", "slow"])
def test_a_training_ends_at_its_time_limit(case: str) -> None:
    assert "the training took longer than the time-out of 1 s" in message(case)
    assert 1 <= seconds(answers()[case]) < PATIENCE_S


@pytest.mark.parametrize("case", ["noisy", "chatty", "one-request", "one-request again"])
def test_messages_chatter_and_a_dead_idle_worker_do_not_matter(case: str) -> None:
    assert values(answers()[case], "json")


def test_an_interrupt_ends_the_training_at_once() -> None:
    for case in ("interrupted", "interrupted at once", "interrupted while it starts"):
        lines = answers()[case]
        assert "exception\tjava.lang.InterruptedException" in lines
        assert "WIDC: no model built yet" in lines
        assert float(values(lines, "ended")[0]) < PATIENCE_S
    for case in ("interrupted", "interrupted while it starts"):
        assert "the training was interrupted; its worker was stopped" in answers()[case]


def test_the_next_training_works_after_every_failure() -> None:
    assert values(answers()["after all that"], "json")


def test_killed_workers_and_those_of_a_jvm_that_ended_are_gone() -> None:
    answers()
    processes = workers()
    # One for the time limit, one or two for the interrupts, one for all cases after that.
    assert 3 <= len(processes) <= 4
    assert len(workers("no-json-reply")) == 1
    processes += workers("no-json-reply")
    assert all(ends_within(PATIENCE_S, process) for process in processes)


def test_faults_of_options_are_told_in_our_words() -> None:
    def told(case: str) -> str:
        return " ".join(answers()[case])

    names = ", ".join(PRUNINGS)
    wrong_pruning = f"-pruning: expected one of {names}, got 'pesimistic'"
    assert wrong_pruning in told("wrong pruning")
    assert "-penalty: expected a number of bits, got 'five'" in told("wrong bits")
    for penalty, got in (("-1", "-1.0"), ("NaN", "NaN"), ("Infinity", "Infinity")):
        wrong_penalty = f"-penalty: expected a number of bits from 0 to 1e+90, got {got}"
        assert wrong_penalty in told(f"penalty {penalty}")
    assert "-max-rules: expected a whole number, got 'many'" in told("wrong number")
    for cuts in ("foo", "width:1", "quantile:65536", "mdl++"):
        methods = "mdl+, mdl, all, quantile:K, width:K (K from 2 to 65535)"
        fault = f"-cut-points: expected one of {methods} or a file"
        assert f"{fault}, got '{cuts}'" in told(f"cut points {cuts}")
    for option in OF_REFINED:
        fault = f"-{option}: expected -pruning refined with it, got none"
        assert fault in told(f"{option} without refined")
    assert "-votes: expected one of sparse, one, free, got 'two'" in told("wrong votes")
    for penalty, got in (("-2", "-2.0"), ("NaN", "NaN")):
        expected = "expected a number of bits from 0 to 1e+90, or -1 for log2(classes - 1)"
        fault = f"-vote-penalty: {expected}, got {got}"
        assert fault in told(f"vote penalty {penalty}")
    for penalty, got in (("-1", "-1.0"), ("NaN", "NaN")):
        fault = f"-impurity-penalty: expected a number of bits from 0 to 1e+90, got {got}"
        assert fault in told(f"impurity penalty {penalty}")
    fault = "-vote-penalty: expected -votes sparse or one with it, got free"
    assert fault in told("price of free votes")
    limit = "-max-literals: expected a whole number from 1, or -1 for no limit, got 0"
    assert limit in told("wrong limit")
    assert "-maxrules" in told("unknown option")


def test_eight_threads_and_four_slots_train_the_same_models() -> None:
    assert values(answers()["threads"], "same") == ["32"]
    assert values(answers()["bagging"], "same") == ["true"]


def test_names_and_labels_come_back_as_they_were() -> None:
    assert_awkward_names_survive(answers()["awkward"])


def assert_awkward_names_survive(lines: list[str]) -> None:
    found = {name: values(lines, name) for name in ("labels", "relation", "right", "names")}
    assert found == {"labels": ["true"], "relation": ["true"], "right": ["90"], "names": ["true"]}


def test_a_jvm_of_another_encoding_loses_nothing() -> None:
    printed = run_probe({"awkward": ("awkward",)}, ["-Dfile.encoding=US-ASCII"])
    assert_awkward_names_survive(printed["awkward"])


def test_without_python_the_message_says_what_to_do_and_comes_soon() -> None:
    without = environment(PATH="/nonexistent", WIDC_PYTHON=None)
    printed = run_probe({"train": ("train", IRIS, "")}, env=without)["train"]
    assert printed[1:4] == [
        "WIDC trains in Python 3.11 or newer with numpy, and could start none:",
        "  python3: No such file or directory",
        "  python: No such file or directory",
    ]
    text = run(CLASSIFIER, "-t", str(IRIS), env=without)
    assert "set the option -python, the environment variable WIDC_PYTHON" in text


def test_the_option_comes_before_the_property_and_that_before_the_variable() -> None:
    cases = {
        "property": ("train", IRIS, ""),
        "option": ("train", IRIS, f'-python "{sys.executable}"'),
    }
    printed = run_probe(cases, ["-Dwidc.python=/no/python"])
    assert ", which the system property widc.python names: " in printed["property"][2]
    assert values(printed["option"], "json")
    variable = run_probe(
        {"variable": ("train", IRIS, "")}, env=environment(WIDC_PYTHON="/other/python")
    )
    assert ", which the environment variable WIDC_PYTHON names: " in variable["variable"][2]


def test_the_worker_can_be_taken_from_a_folder(tmp_path: Path) -> None:
    root = Path(widc_arff.__file__).parents[1]
    good = run_probe({"train": ("train", IRIS, "")}, [f"-Dwidc.source={root}"])
    assert values(good["train"], "json")
    (tmp_path / "widc_arff" / "bridge").mkdir(parents=True)
    for package in ("widc_arff", "widc_arff/bridge"):
        (tmp_path / package / "__init__.py").touch()
    other = "import sys\nsys.exit('another worker')\n"
    (tmp_path / "widc_arff" / "bridge" / "worker.py").write_text(other, encoding="utf-8")
    bad = run_probe({"train": ("train", IRIS, "")}, [f"-Dwidc.source={tmp_path}"])
    assert "another worker" in "\n".join(bad["train"])


def test_no_worker_outlives_a_killed_jvm() -> None:
    before = len(workers())
    command = probe_command({"train": ("trainLarge", f"{SLOW} {python('recorded')}")})
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment()) as process:
        deadline = time.monotonic() + PATIENCE_S
        while len(workers()) == before and time.monotonic() < deadline:
            time.sleep(0.05)
        worker = workers()[-1]
        assert process.poll() is None
        assert runs(worker)
        process.kill()
    assert ends_within(PATIENCE_S, worker)
