"""Processes of our own: what they answer, and that they live as long as whoever started them."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from contextlib import closing

import pytest

from tests.endings import PATIENCE_S, ROOT, runs, seconds_until_gone
from widc_arff.errors import DataError, OptionError, WidcError
from widc_arff.system.processes import (
    IdleProcesses,
    Pool,
    end,
    in_order,
    number_of_jobs,
    run_attended,
    start_attended,
    start_python,
    work,
)


def root_or_fault(number: float) -> float:
    if number < 0:
        raise DataError(f"expected a number from 0, got {number}")
    return math.sqrt(number)


def test_answers_come_in_order_from_several_processes():
    assert list(in_order(root_or_fault, [9, 4, 1, 0], 3)) == [3, 2, 1, 0]


def test_a_pool_uses_a_process_again():
    with closing(Pool(os.getpid)) as pool:
        first = pool.call()
        assert first != os.getpid()
        assert pool.call() == first


def test_an_error_is_raised_where_the_answer_was_expected():
    with pytest.raises(DataError, match="got -1"):
        list(in_order(root_or_fault, [4, -1], 2))


def test_an_error_of_ours_tells_where_it_happened():
    with closing(Pool(root_or_fault)) as pool, pytest.raises(TypeError) as caught:
        pool.call("four")
    assert "root_or_fault" in "".join(caught.value.__notes__)


def test_what_is_printed_in_a_process_is_no_answer(capfd):
    with closing(Pool(print)) as pool:
        assert pool.call("chatter") is None
    assert capfd.readouterr().out == ""


def test_a_process_that_dies_is_told():
    with closing(Pool(os._exit)) as pool, pytest.raises(WidcError, match="a process died"):
        pool.call(3)


def test_closing_a_pool_ends_its_processes():
    pool = Pool(os.getpid)
    process = pool.call()
    pool.close()
    assert not runs(process)


def test_a_process_that_starts_while_all_are_ended_is_ended_too():
    def start() -> subprocess.Popen[bytes]:
        idle.close()  # as another thread does
        return start_python(work)

    idle = IdleProcesses(start)
    with idle.one() as process:
        assert process.wait(PATIENCE_S) != 0


STARTER = """
import sys
from tests.system.test_processes import stay
from widc_arff.system.processes import Pool, start_attended
start = {{
    "pool": lambda: Pool(stay).call(),
    "attended": lambda: start_attended(["sleep", "1000"], stdout=sys.stderr).wait(),
}}
start[{name!r}]()
"""


def stay() -> None:
    os.write(2, b"at work\n")
    os.read(os.pipe()[0], 1)  # for ever


@pytest.mark.parametrize("name", ["pool", "attended"])
def test_a_process_ends_with_a_starter_that_is_killed(name):
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER.format(name=name)], stderr=subprocess.PIPE, cwd=ROOT
    )
    assert starter.stderr is not None
    if name == "pool":
        assert starter.stderr.readline() == b"at work\n"
    starter.kill()
    # the pipe ends when nobody holds it any more: neither the starter nor what it started
    assert starter.communicate(timeout=PATIENCE_S)[1] == b""


def test_an_attended_program_ends_when_it_is_ended_and_its_attendant_is_killed():
    process = start_attended(["sh", "-c", "echo $$; exec sleep 1000"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    program = int(process.stdout.readline())
    process.kill()
    process.wait()
    assert runs(program)
    end(process)
    assert seconds_until_gone({program}) < PATIENCE_S


def test_an_attended_program_runs_to_its_end():
    assert run_attended(["sh", "-c", "echo out; echo err >&2; exit 7"]) == (7, "out\nerr\n")
    assert run_attended(["sh", "-c", "kill -9 $$"]) == (137, "")


@pytest.mark.parametrize(("jobs", "number"), [(3, 3), (-1, 8), (-2, 7), (-8, 1), (-99, 1)])
def test_jobs_below_zero_count_from_the_processors(jobs, number):
    assert number_of_jobs(jobs, 8) == number


def test_jobs_are_not_zero():
    with pytest.raises(OptionError, match="jobs: expected a number from 1, or -1"):
        number_of_jobs(0)


INTERRUPTED = """
import math, sys
from widc_arff.system.interruption import Interruption
from widc_arff.system.processes import in_order

def reached(step):
    steps = 0
    def trace(frame, event, argument):
        nonlocal steps
        frame.f_trace_opcodes = True
        steps += event == "opcode"
        if steps == step:
            sys.settrace(None)
            raise Interruption
        return trace
    sys.settrace(trace)
    try:
        list(in_order(math.sqrt, range(4), 2))
    except Interruption:
        pass
    sys.settrace(None)
    return steps >= step

step = 1
while reached(step):
    step += 1 + step // 16
print(step)
"""


def test_an_interruption_at_any_step_ends_what_is_done_in_processes():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 500
