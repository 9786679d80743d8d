"""Predictions of rows that are read a piece at a time are those of all rows at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from widc_arff import Attribute, Relation, write_data
from widc_arff.arff import chunks
from widc_arff.cli import new_data
from widc_arff.tables import parquet_files

DAY = 86_400_000.0


def rows(n: int, classes: tuple[str, ...] = ("no", "yes"), seed: int = 1) -> Relation:
    """Return rows of all types with missing values; the class follows the number and the label."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=n), 2)
    labels = rng.integers(-1, 3, n).astype(np.int8)
    is_yes = (x > 0) ^ (labels == 1)
    days = np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 9000, n) * DAY)
    notes = np.array([None if k % 7 == 0 else f"it's, {k}" for k in range(n)], object)
    return Relation(
        "rows",
        (
            Attribute("note", "string"),
            Attribute("x", "numeric"),
            Attribute("colour", "nominal", ("red", "green", "blue")),
            Attribute("day", "date", format="yyyy-MM-dd"),
            Attribute("long", "numeric"),
            Attribute("class", "nominal", classes),
        ),
        (notes, x, labels, days, np.arange(n) * 1.5, is_yes.astype(np.int8)),
        np.ones(n),
    )


@pytest.fixture(autouse=True)
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run) -> None:
    """Train a model in an empty folder."""
    monkeypatch.chdir(tmp_path)
    write_data(rows(200), "train.arff")
    assert run("train", "train.arff", "--ignore", "note,long", "--model", "m.json")[0] == 0


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch):
    """Return a function after which files are read some ten rows at a time."""

    def set_sizes() -> None:
        monkeypatch.setattr(chunks, "CHUNK_SIZE", 1 << 9)
        monkeypatch.setattr(new_data, "VALUES_IN_MEMORY", 64)
        monkeypatch.setattr(parquet_files, "_CELLS_OF_A_ROW_GROUP", 50)

    return set_sizes


@pytest.mark.parametrize("ending", ["arff", "csv", "parquet", "feather", "arff -", "csv -"])
@pytest.mark.parametrize("output", ["p.arff", "p.csv", "p.parquet", "-"])
def test_forms_in_and_out(ending, output, run, in_pieces, stdin):
    ending, _, dash = ending.partition(" ")
    if ending == "feather":
        write_data(rows(150, seed=2), "new.parquet")
        import pyarrow.feather
        import pyarrow.parquet

        pyarrow.feather.write_feather(pyarrow.parquet.read_table("new.parquet"), "new.feather")
    else:
        write_data(rows(150, seed=2), f"new.{ending}")
    found = []
    for begin in (lambda: None, in_pieces):
        begin()
        if dash:
            stdin(Path(f"new.{ending}").read_bytes())
        source = dash or f"new.{ending}"
        kept = ("--keep", "note", "--keep", "day", "--keep", "long")
        status, out, err = run("predict", "m.json", source, "-o", output, *kept)
        assert (status, err) == (0, "")
        found.append(out if output == "-" else read_whole(output))
    assert found[0] == found[1]


def read_whole(path: str) -> object:
    if path.endswith(".parquet"):
        import pyarrow.parquet

        return pyarrow.parquet.read_table(path)
    return Path(path).read_bytes()


@pytest.mark.parametrize("more", [(), ("--unknown-as-missing",)])
def test_unknown_labels_are_counted_over_all_pieces(more, run, in_pieces):
    lines = [
        f"{k / 10},{'pink' if k in (3, 90) else 'grey' if k == 60 else 'red'}" for k in range(100)
    ]
    Path("new.csv").write_text("x,colour\n" + "\n".join(lines) + "\n", encoding="ascii")
    arff = "@relation r\n@attribute x numeric\n@attribute colour {red,grey,pink}\n@data\n"
    Path("new.arff").write_text(arff + "\n".join(lines) + "\n", encoding="ascii")
    for name in ("new.arff", "new.csv"):
        whole = run("predict", "m.json", name, *more)
        in_pieces()
        assert run("predict", "m.json", name, *more) == whole
        assert "'pink', 'grey'" in whole[2]
        assert "3 rows (4, 61, 91)" in whole[2]
        assert bool(whole[1]) == bool(more)


def test_a_fault_in_the_last_row_leaves_nothing(run, in_pieces):
    write_data(rows(200), "new.arff")
    with Path("new.arff").open("a", encoding="ascii") as file:
        file.write("too,few\n")
    in_pieces()
    before = sorted(Path().iterdir())
    for output in ("-", "p.csv"):
        status, out, err = run("predict", "m.json", "new.arff", "-o", output)
        assert (status, out) == (1, "")
        assert err.startswith("widc-arff: new.arff:2")
    assert sorted(Path().iterdir()) == before


def test_weights_that_are_none_are_told_with_their_place(run, in_pieces):
    table = rows(120)
    table.columns[4].flags.writeable = True
    table.columns[4][100] = -1
    for name in ("new.arff", "new.csv", "new.parquet"):
        write_data(table, name)
        in_pieces()
        _, _, err = run("evaluate", "m.json", name, "--weights", "long")
        place = "new.csv:102: " if name == "new.csv" else f"{name}: row 101, "
        assert f"{place}column 'long': expected a number of 0 or more as a weight, got -1" in err
