"""The protocol's transcripts, and the worker process that keeps to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.endings import PATIENCE_S
from tests.worker_requests import request_for
from widc_arff import Attribute, Dataset, DecisionCommittee, Options, induce, read_arff
from widc_arff.bridge.protocol import PROTOCOL, answer, greeting, parse_header, reply
from widc_arff.data.rows import label_matrix
from widc_arff.data.schema import Labels, Schema
from widc_arff.errors import ProtocolError
from widc_arff.model.expert_rules import parse_rules

ROOT = Path(__file__).parents[2]


def data(name: str) -> Dataset:
    return Dataset.from_relation(read_arff(ROOT / "arff_data" / f"{name}.arff"))


def frame(text: bytes) -> dict[str, Any]:
    """Return the content of the one frame in a text."""
    head, _, content = text.partition(b"\n")
    mark, size = head.split()
    assert mark == b"WIDC%d" % PROTOCOL
    assert len(content) == int(size)
    return dict(json.loads(content.decode("ascii")))


def test_the_greeting_names_protocol_and_versions():
    assert frame(greeting()).keys() == {"protocol", "widc_arff", "python", "numpy"}
    assert frame(greeting())["protocol"] == PROTOCOL


def test_replies_are_ascii_whatever_the_labels_are():
    text = reply({"label": "Köln 🐸\n"})
    assert text.isascii()
    assert frame(text) == {"label": "Köln 🐸\n"}


@pytest.mark.parametrize("name", ["weather-numeric", "iris", "xd6"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"pruning": "none", "cut_points": "all"},
        {"pruning": "refined", "penalty": 0.0},
        {"votes": "one", "vote_penalty": 0.5},
        {"impurity_penalty": 0.5},
    ],
)
def test_the_reply_holds_the_committee_that_python_learns(name, options):
    dataset = data(name)
    answered = answer(*request_for(dataset, **options))
    committee = DecisionCommittee.from_json(json.dumps(answered["committee"]))
    assert committee == induce(dataset, Options(**options))
    assert answered["text"].startswith("Decision committee for")
    assert answered["warnings"] == []
    assert answered["cpu_seconds"] > 0


def test_warnings_and_errors_are_data():
    dataset = data("weather-nominal")
    header, content = request_for(dataset.take(np.flatnonzero(dataset.classes == 0)))
    assert "all training rows are of class" in answer(header, content)["warnings"][0]
    empty = request_for(dataset.take(np.array([], int)))
    assert answer(*empty)["error"]["kind"] == "DataError"
    header, content = request_for(dataset, pruning="most")
    assert answer(header, content)["error"]["kind"] == "OptionError"


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"command": "fly"}, "ProtocolError"),
        ({"rows": 3}, "ProtocolError"),
        ({"rows": "3"}, "ProtocolError"),
        ({"class": 99}, "ProtocolError"),
        ({"class": -1}, "ProtocolError"),
        ({"class": True}, "ProtocolError"),
        ({"relation": None}, "ProtocolError"),
        ({"relation": ["weather"]}, "ProtocolError"),
        ({"relation": 5}, "ProtocolError"),
        ({"rows": True}, "ProtocolError"),
        ({"rows": -14}, "ProtocolError"),
        ({"attributes": {}}, "ProtocolError"),
        ({"options": {"cut_points": [1]}}, "OptionError"),
        ({"options": {"cut_points": {"x": [None]}}}, "OptionError"),
        ({"options": None}, "ProtocolError"),
        ({"attributes": [{"name": "x"}]}, "ModelError"),
        ({"attributes": None}, "ProtocolError"),
        ({"options": {"speed": 1}}, "ProtocolError"),
        ({"options": []}, "ProtocolError"),
        ({"options": {"class_weight": 2}}, "OptionError"),
        ({"options": {"class_weight": {"yes": None}}}, "OptionError"),
        ({"options": {"class_weight": {"yes": "2"}}}, "OptionError"),
        ({"options": {"costs": [1, 2]}}, "OptionError"),
        ({"options": {"costs": 5}}, "OptionError"),
        ({"options": {"costs": [[0, "1"], [1, 0]]}}, "OptionError"),
        ({"options": {"monotone": "x=+yes"}}, "OptionError"),
        ({"options": {"monotone": [1]}}, "OptionError"),
        ({"options": {"rules": "if x > 1"}}, "OptionError"),
        ({"options": {"rules": ["if x"]}}, "ArffError"),
        ({"layout": "column"}, "ProtocolError"),
        ({"layout": ["rule"]}, "ProtocolError"),
        ({"files": []}, "ProtocolError"),
        ({"files": 1}, "ProtocolError"),
        ({"files": {"rules": "if x > 1"}}, "ProtocolError"),
        ({"files": {"rules": {"name": "a"}}}, "ProtocolError"),
        ({"files": {"costs": {"name": "a", "text": "2 2"}}}, "ArffError"),
        ({"files": {"rules": {"name": "a", "text": "if"}}}, "ArffError"),
        ({"files": {"cut_points": {"name": "a", "text": "{"}}}, "ArffError"),
        ({"files": {"cut_points": {"name": "a", "text": '{"x": [2, 1]}'}}}, "OptionError"),
        (
            {
                "options": {"cut_points": "mdl"},
                "files": {"cut_points": {"name": "a", "text": "{}"}},
            },
            "ProtocolError",
        ),
    ],
)
def test_a_request_that_makes_no_sense_gets_an_error(change, kind):
    header, content = request_for(data("weather-nominal"))
    error = answer({**header, **change}, content)["error"]
    assert error["kind"] == kind
    assert "expected" in error["message"]
    assert "unexpected content" not in error["message"]


def test_options_of_a_model_file_are_those_of_a_request():
    """What `to_dict` says of any option, a request takes."""
    rules = parse_rules(["if petal_width > 1.5 then virginica", "if petal_length <= 2"], "rules")
    given = Options(
        pruning="none",
        cut_points=(("petal_length", (2.0, 4.9)),),
        max_rules=9,
        min_coverage="5%",
        negation=False,
        class_weight=(("setosa", 2.0),),
        costs=((0.0, 1.0, 2.0), (1.0, 0.0, 1.0), (3.0, 1.0, 0.0)),
        monotone=("petal_length=-setosa",),
        rules=rules,
    )
    dataset = data("iris")
    answered = answer(*request_for(dataset, **given.to_dict()))
    committee = DecisionCommittee.from_json(json.dumps(answered["committee"]))
    assert committee == induce(dataset, given)


def test_options_in_files_are_read_as_the_command_line_reads_them():
    dataset = data("iris")
    header, content = request_for(dataset)
    files = {
        "rules": {"name": "mine", "text": "\ufeffif petal_width > 1.6 then virginica"},
        "cut_points": {"name": "cuts", "text": '{"petal_length": [2]}'},
    }
    answered = answer({**header, "files": files}, content)
    committee = DecisionCommittee.from_json(json.dumps(answered["committee"]))
    rules = parse_rules(["if petal_width > 1.6 then virginica"], "mine")
    cuts = (("petal_length", (2.0,)),)
    assert committee == induce(dataset, Options(rules=rules, cut_points=cuts))


def test_a_label_index_beyond_the_labels_gets_an_error():
    header, content = request_for(data("weather-nominal"))
    content = np.full(len(content) // 8, 7.0).tobytes()
    assert "label indices below" in answer(header, content)["error"]["message"]


@pytest.mark.parametrize(
    ("value", "column", "fault"),
    [
        (-5.0, 0, "attribute 'outlook': expected label indices below 3, from 0, got -5 in row 2"),
        (-1.0, 4, "expected label indices below 2, from 0, got -1 in row 2"),
        (0.5, 0, "got 0.5 in row 2"),
        (np.inf, 0, "got inf in row 2"),
        (1e300, 4, "got 1e+300 in row 2"),
        (-1.0, 5, "expected weights of 0 or from 1e-90 to 1e+90, got -1.0 in row 2"),
        (np.nan, 5, "expected weights of 0 or from 1e-90 to 1e+90, got nan in row 2"),
        (np.inf, 5, "expected weights of 0 or from 1e-90 to 1e+90, got inf in row 2"),
    ],
)
def test_numbers_that_are_no_labels_or_weights_get_an_error(value, column, fault):
    header, content = request_for(data("weather-nominal"))
    table = np.frombuffer(content).reshape(header["rows"], -1).copy()
    table[1, column] = value
    assert fault in answer(header, table.tobytes())["error"]["message"]


def test_the_class_is_nominal_and_names_are_distinct():
    header, content = request_for(data("iris"))
    answered = answer({**header, "class": 0}, content)["error"]["message"]
    assert answered == "'class': expected the index of a nominal attribute, below 5, got 0"
    twice = [header["attributes"][1], *header["attributes"][1:]]
    answered = answer({**header, "attributes": twice}, content)["error"]["message"]
    assert "expected distinct names, got" in answered


@pytest.mark.parametrize("line", [b"", b"junk\n", b"[]\n", b'{"bytes": -1}\n', b'{"bytes": "1"}\n'])
def test_a_header_that_is_none_is_refused(line):
    with pytest.raises(ProtocolError, match="expected"):
        parse_header(line)


class Worker:
    """A worker process, and how to talk to it."""

    def __init__(self, code: str = "from widc_arff.bridge.worker import serve; serve()") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )

    def read(self) -> dict[str, Any]:
        assert self.process.stdout
        head = self.process.stdout.readline()
        return frame(head + self.process.stdout.read(int(head.split()[1])))

    def send(self, header: dict[str, Any], content: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(header).encode() + b"\n" + content)
        self.process.stdin.flush()

    def close(self) -> tuple[bytes, int]:
        _, errors = self.process.communicate(timeout=PATIENCE_S)
        return errors, self.process.returncode


def test_a_worker_answers_one_request_after_the_other_and_ends_with_its_input():
    worker = Worker()
    assert worker.read()["protocol"] == PROTOCOL
    for name in ("weather-nominal", "iris", "weather-nominal"):
        worker.send(*request_for(data(name)))
        assert worker.read()["committee"]["relation"] == name
    assert worker.close() == (b"", 0)


def test_what_the_learner_prints_does_not_disturb_the_frames():
    code = (
        "import widc_arff.bridge.protocol as p, widc_arff.bridge.worker as w, os\n"
        "old = w.answer\n"
        "def noisy(*a):\n"
        "    print('chatter', flush=True); os.system('echo child'); return old(*a)\n"
        "w.answer = noisy; w.serve()\n"
    )
    worker = Worker(code)
    worker.read()
    worker.send(*request_for(data("weather-nominal")))
    assert "committee" in worker.read()
    errors, status = worker.close()
    assert b"chatter" in errors
    assert b"child" in errors
    assert status == 0


def test_a_junk_header_is_told_and_ends_the_worker():
    worker = Worker()
    worker.read()
    assert worker.process.stdin
    worker.process.stdin.write(b"junk\n")
    worker.process.stdin.flush()
    assert worker.read()["error"]["kind"] == "ProtocolError"
    assert worker.close()[1] == 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"bytes": 10**12}, "'bytes': expected 672 for 14 rows of 5 attributes and a weight, got"),
        ({"bytes": 10**30}, "'bytes': expected 672"),
        ({"rows": 10**13, "bytes": 6 * 8 * 10**13}, "not enough memory for these data"),
        ({"rows": 10**30, "bytes": 6 * 8 * 10**30}, "not enough memory for these data"),
        ({"rows": "14"}, "'rows': expected a whole number from 0"),
        ({"attributes": 3}, "'attributes': expected a list, got 3"),
        ({"command": "fly", "bytes": 10**15}, "not enough memory for these data"),
    ],
)
def test_a_size_that_cannot_be_is_told_before_anything_is_read(change, fault):
    worker = Worker()
    worker.read()
    header, _ = request_for(data("weather-nominal"))
    worker.send({**header, **change}, b"")
    assert fault in worker.read()["error"]["message"]
    assert worker.close()[1] == 1


def test_a_worker_leaves_an_interruption_to_its_caller():
    worker = Worker()
    worker.read()
    worker.send(*request_for(data("weather-nominal")))
    worker.read()
    worker.process.send_signal(signal.SIGINT)
    worker.send(*request_for(data("weather-nominal")))
    assert "committee" in worker.read()
    assert worker.close() == (b"", 0)


def test_a_worker_whose_caller_vanishes_in_the_middle_of_training_ends_at_once():
    code = (
        "import os, time, widc_arff.bridge.worker as w\n"
        "w.answer = lambda *a: (os.write(2, b'at work'), time.sleep(6000))\n"
        "w.serve()\n"
    )
    worker = Worker(code)
    worker.read()
    worker.send(*request_for(data("weather-nominal")))
    assert worker.process.stderr
    assert worker.process.stderr.read(7) == b"at work"
    assert worker.close()[1] == 0  # long before its sleep ends


def test_a_worker_imports_numpy_and_the_engine_only():
    code = (
        "import sys, widc_arff.bridge.worker\n"
        "heavy = {'click', 'rich', 'arff', 'scipy', 'sklearn', 'weka'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_a_killed_worker_leaves_nothing_behind():
    worker = Worker()
    worker.read()
    os.kill(worker.process.pid, signal.SIGKILL)
    assert worker.close()[1] == -signal.SIGKILL


def test_identifiers_are_named_in_the_warnings_of_a_reply():
    names = Attribute("name", "nominal", tuple(f"p{i}" for i in range(30)))
    size, codes = Attribute("size", "numeric"), np.arange(60)
    columns = (codes // 2, codes % 7 * 1.0)
    schema = Schema("people", (names, size), Labels("single", ("class",), ("big", "small")))
    Y = label_matrix((codes % 7 > 3).astype(int), 2)
    told = answer(*request_for(Dataset(schema, columns, Y, np.ones(60))))
    (warning,) = told["warnings"]
    assert "attribute 'name' (30 of 30 values occur in one or two rows) looks like" in warning
    assert "weka.filters.unsupervised.attribute.Remove" in warning
