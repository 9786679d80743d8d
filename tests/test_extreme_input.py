"""Hostile and extreme input: bounded work and memory, one printable message, all or nothing."""

from __future__ import annotations

import gzip
import json
import stat
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from widc_arff import Dataset, Options, induce, read_arff, write_arff
from widc_arff.arff.chunks import LONGEST_LINE
from widc_arff.arff.date_texts import moment_of, moment_text
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.sparse import SparseColumns
from widc_arff.cli import main
from widc_arff.cli.progress import _Bar
from widc_arff.data.schema import Labels, Schema
from widc_arff.errors import DataError, WidcError, did_you_mean, for_terminal, listed
from widc_arff.induction.sample.cut_points import ValueCounts, candidate_cuts
from widc_arff.model.committee import DecisionCommittee
from widc_arff.model.literals import Literal
from widc_arff.reports.formatting import conditions
from widc_arff.system.files import require_place, text_written_whole, written_whole

HEADER = "@relation r\n@attribute a {0,1}\n@attribute x numeric\n@attribute c {n,p}\n@data\n"
MODEL = {
    "format": "widc-arff/committee",
    "version": 1,
    "relation": "r",
    "attributes": [{"name": "a", "type": "nominal", "values": ["0", "1"]}],
    "labels": {"kind": "single", "attributes": ["c"], "values": ["n", "p"]},
    "rules": [],
    "default": [0.5, 0.5],
    "training": {
        "examples": 2,
        "weights": [1.0, 1.0],
        "error": 0.5,
        "options": {},
        "widc_arff": "0",
    },
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def plain(folder):
    rows = "".join(f"{i % 2},{i},{'np'[i % 2]}\n" for i in range(20))
    (folder / "plain.arff").write_text(HEADER + rows)
    return "plain.arff"


def seconds_of(work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


# weights


@pytest.mark.parametrize("weight", ["1e308", "5e-324", "1e91", "1e-91"])
@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_weights_whose_sums_would_not_hold_are_refused_before_learning(
    run, folder, weight, command
):
    (folder / "w.arff").write_text(HEADER + f"0,1,n\n1,2,p,{{{weight}}}\n")
    status, out, err = run(command, "w.arff")
    assert (status, out) == (1, "")
    assert err == (
        "widc-arff: w.arff: expected weights of 0 or from 1e-90 to 1e+90, got "
        f"{float(weight)!r} in row 2\n"
    )


@pytest.mark.parametrize("weight", ["1e90", "1e-90"])
@pytest.mark.parametrize("pruning", ["refined", "pessimistic", "none"])
def test_models_of_extreme_weights_are_read_again(run, folder, weight, pruning):
    rows = "".join(f"{i % 2},{i},{'np'[i % 2]},{{{weight}}}\n" for i in range(20))
    (folder / "w.arff").write_text(HEADER + rows)
    options = ["--pruning", pruning, "--class-weight", "p=1e9"]
    status, _, err = run("train", "w.arff", "--model", "m.json", *options)
    assert (status, "overflow" in err) == (0, False)
    assert run("show", "m.json")[0] == 0


@pytest.mark.parametrize(
    ("options", "weight"), [([], "1e20"), (["--class-weight", "p=1e20"], "1"), ([], "1e-20")]
)
def test_weights_that_would_drown_others_are_refused(run, folder, options, weight):
    rows = "".join(f"{i % 2},{i},{'np'[i % 2]}\n" for i in range(20))
    (folder / "w.arff").write_text(HEADER + rows + f"1,50,p,{{{weight}}}\n")
    status, out, err = run("train", "w.arff", *options)
    assert (status, out) == (1, "")
    assert "expected weights of at least 2e-13 of their sum, got" in err


@pytest.mark.parametrize("weight", [1e11, 1e-11])
def test_uneven_weights_are_told_as_they_are(run, folder, weight):
    rows = "".join(f"{i % 2},{i},{'np'[i % 2]}\n" for i in range(20))
    (folder / "w.arff").write_text(HEADER + rows + f"1,50,p,{{{weight}}}\n")
    assert run("train", "w.arff", "--model", "m.json", "--pruning", "none")[0] == 0
    model = json.loads((folder / "m.json").read_text())
    assert model["training"]["weights"] == pytest.approx([10, 10 + weight], rel=1e-3)
    assert model["rules"][0]["covers"][0] == pytest.approx(10, rel=1e-3)


def test_class_weights_and_costs_keep_to_the_range_of_weights(run, plain, folder):
    for value in ("1e308", "5e-324"):
        status, _, err = run("train", plain, "--class-weight", f"p={value}")
        assert status == 2
        assert f"expected a weight from 1e-90 to 1e+90 for 'p', got {float(value)!r}" in err
        (folder / "c.cost").write_text(f"2 2\n0 1\n{value} 0\n")
        status, _, err = run("train", plain, "--costs", "c.cost")
        assert status == 1
        assert f"expected costs of 0 or from 1e-90 to 1e+90, got {float(value)!r}" in err


def test_weights_of_a_data_set_from_elsewhere_keep_to_the_range_too():
    schema = Schema("r", (Attribute("x", "numeric"),), Labels("single", ("c",), ("n", "p")))
    Y = np.array([[True, False], [False, True]])
    data = Dataset(schema, (np.array([0.0, 1.0]),), Y, np.array([1.0, 1e308]))
    with pytest.raises(DataError, match=r"got 1e\+308 in row 2"):
        induce(data, Options())


# names, labels and messages


def test_nothing_is_likened_to_a_name_of_a_hundred_thousand_letters():
    name = "ab" * 50_000
    assert seconds_of(lambda: did_you_mean(name, ["ba" * 50_000])) < 0.1
    assert did_you_mean(name, ["ba" * 50_000]) == ""
    assert did_you_mean("colour", ["ba" * 50_000, "color"]) == "; did you mean 'color'?"


def test_a_label_that_is_not_among_forty_thousand_is_told_at_once(run, folder):
    labels = ",".join(f"l{i}" for i in range(40_000))
    (folder / "f.arff").write_text(f"@relation r\n@attribute a {{{labels}}}\n@data\nm1\n")
    assert seconds_of(lambda: run("train", "f.arff")) < 2
    (folder / "g.arff").write_text(f"@relation r\n@attribute a {{{labels},l7}}\n@data\nl1\n")
    assert "cannot have duplicate labels: 'l7'" in run("train", "g.arff")[2]


def test_a_label_twice_among_forty_thousand_in_a_model_is_found_at_once():
    labels = [f"l{i}" for i in range(40_000)]
    model = {**MODEL, "attributes": [{"name": "a", "type": "nominal", "values": [*labels, "l9"]}]}
    text = json.dumps(model)

    def read() -> None:
        with pytest.raises(WidcError, match="expected distinct labels, got 'l9' twice"):
            DecisionCommittee.from_json(text)

    assert seconds_of(read) < 2


def test_a_model_with_as_many_literals_as_attributes_is_read_in_linear_time():
    n = 8000
    model = {
        **MODEL,
        "attributes": [{"name": f"a{i}", "type": "numeric"} for i in range(n)],
        "rules": [
            {
                "if": [{"attribute": f"a{i}", "is": "<=", "value": 1.0}],
                "votes": [1, -1],
                "covers": [1.0, 1.0],
            }
            for i in range(n)
        ],
    }
    text = json.dumps(model)
    assert seconds_of(lambda: DecisionCommittee.from_json(text)) < 2


def test_messages_are_printable_and_short():
    assert for_terminal("a\x1b[31mb") == "a\\x1b[31mb"
    assert for_terminal("name\nforged: line") == "name\\nforged: line"
    assert for_terminal("message\n    @data\n    ^") == "message\n    @data\n    ^"
    assert for_terminal("größer als 3 µm") == "größer als 3 µm"
    long = for_terminal("start " + "x" * 10_000_000 + " end")
    assert len(long) < 2100
    assert long.startswith("start x")
    assert long.endswith("x end")
    assert str(WidcError("\x07")) == "\\x07"
    assert listed(["y" * 1000, "n"]) == f"'{'y' * 100}...', 'n'"


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "no\x1bfile.arff"],
        ["train", "esc.arff", "--class-weight", "q=2"],
        ["train", "esc.arff", "--class-weight", "\x1b"],
        ["train", "esc.arff", "--costs", "bad.cost"],
        ["train", "esc.arff", "--class", "\x1b"],
        ["train", "esc.arff", "--model", "no\x1b/m.json"],
        ["train", "esc.arff", "--cut-points", "\x1b"],
        ["train", "esc.arff", "--\x1b"],
        ["train", "esc.csv"],
        ["train", "-v", "esc.arff"],
        ["evaluate", "esc.arff", "--folds", "2"],
        ["show", "esc.json"],
        ["show", "esc.json", "--format", "markdown"],
        ["explain", "esc.json", "esc.arff", "--row", "1"],
        ["explain", "esc.json", "esc.arff"],
        ["\x1b"],
    ],
)
def test_control_characters_never_reach_the_terminal(run, folder, arguments):
    rows = "".join(
        f"'{'uv'[i % 2]}\x1b[1m',{'np'[i % 2]}\x1b[0m\n".replace("p\x1b[0m", "p").replace(
            "n\x1b[0m", "'n\x1b[0m'"
        )
        for i in range(8)
    )
    text = "@relation 'r\x1b]'\n@attribute 'a\x1b[' {'u\x1b[1m','v\x1b[1m'}\n"
    (folder / "esc.arff").write_text(f"{text}@attribute c {{'n\x1b[0m',p}}\n@data\n{rows}")
    (folder / "esc.csv").write_text("a\x1b[31m,c\x1b]0;x\x07\n1,n\n2,\x1b[2Jp\n3,n\n")
    (folder / "bad.cost").write_text("3 3\n0 1 1\n1 0 1\n1 1 0\n")
    if "esc.json" in arguments:
        assert run("train", "esc.arff", "--pruning", "none", "--model", "esc.json")[0] == 0
    _, out, err = run(*arguments)
    assert "\x1b" not in out + err
    assert "\x07" not in out + err


def test_a_file_name_in_the_progress_bar_is_plain_text(terminal):
    screen = terminal()
    bar = _Bar("reading [/bold] [link=http://x]y[/link]\x1b[31m.arff")
    bar.start()
    assert bar._progress is not None
    bar._progress.refresh()
    bar.stop()
    shown = screen.getvalue()
    assert "[/bold] [link=http://x]y" in shown
    assert "\x1b]8;" not in shown


# sparse rows


def test_sparse_rows_are_held_as_what_they_state(tmp_path):
    n_attributes, n_rows = 5001, 4000
    names = "".join(f"@attribute a{i} numeric\n" for i in range(n_attributes - 1))
    path = tmp_path / "s.arff"
    rows = "{}\n" * (n_rows - 2) + f"{{3 7, {n_attributes - 1} p}}\n{{3 ?}}\n"
    path.write_text(f"@relation r\n{names}@attribute c {{n,p}}\n@data\n{rows}")
    tracemalloc.start()
    try:
        assert main(["train", str(path), "-q"]) == 0
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 30e6  # in columns of numbers alone it would be 160e6
    relation = read_arff(path)
    assert isinstance(relation.columns, SparseColumns)
    assert np.flatnonzero(relation.columns[3]).tolist() == [n_rows - 2, n_rows - 1]
    assert relation.columns[3][n_rows - 2] == 7
    assert np.isnan(relation.columns[3][n_rows - 1])


SPARSE = "@relation r\n@attribute s string\n@attribute x numeric\n@attribute c {n,p,q}\n@data\n"


def test_sparse_and_dense_rows_mix_over_all_pieces(tmp_path):
    rows = "{0 t, 2 p}\nu,3,q\n{0 ?, 1 ?}\nv,?,n\n{0 'a b',1 2.5,2 ?}, {3}\n" * 3
    (tmp_path / "s.arff").write_text(SPARSE + rows)
    relation = read_arff(tmp_path / "s.arff", chunk_size=16)
    expected = [
        ("t", 0.0, "p"),
        ("u", 3.0, "q"),
        (None, None, "n"),
        ("v", None, "n"),
        ("a b", 2.5, None),
    ] * 3
    assert isinstance(relation.columns, SparseColumns)
    assert list(relation.rows()) == expected
    assert relation.weights.tolist() == [1, 1, 1, 1, 3] * 3
    write_arff(relation, tmp_path / "t.arff")
    assert read_arff(tmp_path / "t.arff").equals(relation)
    taken = relation.columns.take(np.array([4, 0])).take(np.array([False, True]))
    assert [column.tolist() for column in taken.chosen([2, 1])] == [[1], [0.0]]


def test_sparse_and_dense_rows_of_the_same_values_give_the_same_model(run, folder):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (60, 8))
    names = "".join(f"@attribute a{i} numeric\n" for i in range(8))
    dense, sparse = [], []
    for x in X.tolist():
        label = int(x[2] or x[5])
        dense.append(",".join(map(str, [*x, "np"[label]])))
        stated = [f"{i} {v}" for i, v in enumerate(x) if v] + (["8 p"] if label else [])
        sparse.append("{" + ",".join(stated) + "}")
    for name, rows in (("d", dense), ("s", sparse)):
        text = "\n".join(rows)
        (folder / f"{name}.arff").write_text(
            f"@relation r\n{names}@attribute c {{n,p}}\n@data\n{text}\n"
        )
    assert run("train", "d.arff", "--model", "m.json")[1] == run("train", "s.arff")[1]
    assert (
        run("evaluate", "d.arff")[1].split("\n", 1)[1]
        == (run("evaluate", "s.arff")[1].split("\n", 1)[1])
    )
    assert run("predict", "m.json", "d.arff")[1] == run("predict", "m.json", "s.arff")[1]


# JSON and other small files


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"rules": ' * 50_000, "nested too deeply"),
        ('{"labels": ["n"], "rules": []}', "a list of texts in 'values'"),
        ('{"labels": null, "rules": []}', "a list of texts in 'values'"),
        ('{"labels": {"values": 5}, "rules": []}', "a list of texts in 'values'"),
        ('{"labels": {"values": [[]]}, "rules": []}', "a list of texts in 'values'"),
        ('{"labels": {"values": ["a", "a"]}, "rules": []}', "in 'values', each once"),
        ('{"rules": [{"if": [{"attribute": "x", "is": [], "value": 1}]}]}', "expected conditions"),
        ('{"rules": [{"if": [7]}]}', "expected conditions"),
        (
            '{"rules": [{"if": [{"attribute": "x", "is": "<=", "value": NUMBER}]}]}',
            "got {'attribute'",
        ),
        (
            '{"rules": [{"if": [{"attribute": "x", "is": "<=", "value": 1}], "votes": []}]}',
            "expected votes of -1, 0 and 1, got []",
        ),
    ],
)
def test_rules_in_json_are_refused_with_one_message(run, plain, folder, text, fault):
    for number in ("1" + "0" * 400, "9" * 5000, "NaN", "-Infinity", "1e999"):
        (folder / "r.json").write_text(text.replace("NUMBER", number))
        status, out, err = run("train", plain, "--rules", "r.json")
        assert (status, out) == (1, "")
        assert fault in err
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"x": [NaN]}', '{"x": [1' + "0" * 400 + "]}", '{"x": 5}', "\xff"]
)
def test_cut_points_in_json_are_refused_with_one_message(run, plain, folder, text):
    (folder / "c.json").write_text(text, encoding="latin-1")
    status, out, err = run("train", plain, "--cut-points", "c.json")
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "c.json" in err


def test_a_cost_file_of_impossible_size_is_refused(run, plain, folder):
    (folder / "c.cost").write_text("9" * 5000 + " " + "9" * 5000)
    status, _, err = run("train", plain, "--costs", "c.cost")
    assert status == 1
    assert "expected the number of rows and of columns, both the same" in err


def test_a_model_file_that_never_ends_is_refused(run):
    status, _, err = run("show", "/dev/zero")
    assert status == 1
    assert "more than 268,435,456 bytes" in err


# lines without end


def test_a_line_without_end_is_refused(run, folder):
    for text in ("@relation r\n", HEADER):
        with gzip.open("f.arff.gz", "wt") as file:
            file.write(text + "a" * (LONGEST_LINE + (1 << 21)))
        status, _, err = run("train", "f.arff.gz")
        assert status == 1
        line = text.count("\n") + 1
        assert err == (
            f"widc-arff: f.arff.gz:{line}: expected lines of at most 33,554,432 bytes, got a "
            "longer one\n"
        )


def test_a_row_of_endless_values_is_not_collected(tmp_path):
    (tmp_path / "f.arff").write_text(HEADER + "0,1,n," + "1," * 300_000)
    (tmp_path / "g.arff").write_text(HEADER + "{0 1}," + "{1}," * 300_000)
    for name, fault in (("f", "got '1'"), ("g", "expected the end of the row")):
        with pytest.raises(WidcError, match=fault):
            read_arff(tmp_path / f"{name}.arff")


def test_the_hint_of_an_attribute_without_type_is_from_its_own_line(run, folder):
    (folder / "f.arff").write_text("@relation r\n@attribute a\n@attribute b {0,1}\n@data\n")
    assert "must be quoted" not in run("train", "f.arff")[2]


# outputs


def test_a_label_that_is_no_character_stops_every_writer_with_one_message(run, folder):
    labels = {"kind": "single", "attributes": ["c"], "values": ["n", "\ud800"]}
    (folder / "m.json").write_text(json.dumps({**MODEL, "labels": labels}))
    (folder / "d.arff").write_text("@relation r\n@attribute a {0,1}\n@data\n0\n")
    for name in ("p.csv", "p.parquet", "p.arff"):
        status, out, err = run("predict", "m.json", "d.arff", "--output", name)
        assert (status, out) == (1, "")
        assert err == f"widc-arff: {name}: '\\ud800' is not a character and cannot be written\n"
    assert sorted(path.name for path in folder.iterdir()) == ["d.arff", "m.json"]


def test_an_output_that_is_a_loop_of_links_is_refused(run, plain, folder):
    (folder / "loop.json").symlink_to("loop.json")
    status, out, err = run("train", plain, "--model", "loop.json")
    assert (status, out) == (1, "")
    assert err == "widc-arff: loop.json: Too many levels of symbolic links\n"


def test_a_file_under_way_is_as_private_as_the_one_that_it_replaces(folder):
    target = folder / "m.json"
    target.write_text("old")
    target.chmod(0o600)
    with written_whole(target) as stream:
        (temporary,) = folder.glob(".m.json.*.part")
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o600
        stream.write(b"new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@pytest.mark.parametrize("length", [240, 241, 255])
@pytest.mark.parametrize("letter", ["m", "ü"])
def test_any_legal_name_can_be_written(folder, length, letter):
    name = letter * (length // len(letter.encode()))
    with text_written_whole(name) as stream:
        stream.write("x")
    assert [path.name for path in folder.iterdir()] == [name]
    with pytest.raises(OSError, match="File name too long"):
        require_place("m" * 256)


def test_two_that_write_the_same_file_leave_it_whole(folder):
    with written_whole("m.json") as first:
        first.write(b"first")
        with written_whole("m.json") as second:
            second.write(b"second")
        assert (folder / "m.json").read_text() == "second"
    assert (folder / "m.json").read_text() == "first"
    assert [path.name for path in folder.iterdir()] == ["m.json"]


# numbers and dates in print


@given(st.integers(-(10**15), 10**15), st.integers(0, 20), st.integers(1, 1000))
@example(1_000_000_000_000_001, 0, 1)
@example(100_000_000_000_001, 14, 1)
def test_a_printed_cut_parts_the_values_that_the_cut_parts(mantissa, places, step):
    low, high = float(f"{mantissa}e-{places}"), float(f"{mantissa + step}e-{places}")
    counts = ValueCounts(np.array([low, high]), np.array([low, high]), np.ones(2), np.eye(2))
    (cut,) = candidate_cuts(counts, "all").tolist()
    schema = Schema("r", (Attribute("x", "numeric"),), Labels("single", ("c",), ("n", "p")))
    (text,) = conditions((Literal(0, "<=", cut),), schema)
    printed = float(text.removeprefix("x <= "))
    assert low <= printed < high


def test_a_cut_between_near_values_is_printed_with_their_digits(run, folder):
    (folder / "f.arff").write_text(HEADER + "0,1.0000001,n\n0,1.0000002,p\n" * 10)
    assert "  x > 1.00000015  " in run("train", "f.arff")[1]


@pytest.mark.parametrize(
    ("pattern", "moment", "text"),
    [
        ("yyyy-MM-dd'T'HH:mm:ss.SSS", 1614600019519.5, "2021-03-01T12:00:19.519"),
        ("yyyy-MM-dd", 1614600019519.5, "2021-03-01T12:00:19.519"),
        (None, 1614600019000.5, "2021-03-01T12:00:19"),
        ("dd.MM.yyyy", 0.5, "01.01.1970"),
        ("yyyy-MM-dd", -0.5, "1969-12-31T23:59:59.999"),
        ("yyyy-MM-dd", 1e300, repr(1e300)),
    ],
)
def test_a_date_threshold_is_printed_as_a_date_and_read_back(pattern, moment, text):
    assert moment_text(moment, pattern) == text
    assert moment_of(text, pattern) == (np.floor(moment) if abs(moment) < 1e16 else moment)


def test_a_threshold_at_half_a_millisecond_is_a_date_everywhere(run, folder):
    rows = "".join(f"'2021-03-01 12:00:00.0{i:02}',{'np'[i > 19]}\n" for i in range(40))
    header = "@relation r\n@attribute t date 'yyyy-MM-dd HH:mm:ss.SSS'\n@attribute c {n,p}\n@data\n"
    (folder / "t.arff").write_text(header + rows)
    condition = "t > 2021-03-01 12:00:00.019"
    assert condition in run("train", "t.arff", "--model", "m.json")[1]
    assert condition in run("explain", "m.json", "t.arff", "--row", "21")[1]
    assert condition in run("export", "m.json", "--to", "sql")[1]
    assert "600000019.5" not in run("show", "m.json", "--format", "markdown")[1]
    (folder / "r.txt").write_text("if t > '2021-03-01 12:00:00.019' then p\n")
    status, out, _ = run("train", "t.arff", "--rules", "r.txt")
    assert (status, condition in out) == (0, True)


def test_cuts_of_equal_width_lie_in_the_finite_range():
    def cuts(*values: float) -> list[float]:
        of, ones = np.array(values), np.ones((len(values), 1))
        counts = ValueCounts(of, of, ones[:, 0], ones)
        return list(map(float, candidate_cuts(counts, "width:4")))

    assert cuts(-np.inf, 0, 8, np.inf) == [2, 4, 6]
    assert cuts(-1.6e308, 1.6e308) == pytest.approx([-8e307, 0, 8e307])
    assert len(cuts(-np.inf, np.inf)) == 1


def test_relations_keep_the_weights_that_training_refuses(tmp_path):
    relation = Relation.from_rows("r", [Attribute("x", "numeric")], [[1.0]], [1e308])
    write_arff(relation, tmp_path / "f.arff")
    assert read_arff(tmp_path / "f.arff").equals(relation)
