"""Training from columns in a temporary file: the same models and messages, and nothing left."""

from __future__ import annotations

import errno
import gc
import gzip
import io
import tempfile
import tracemalloc
import warnings
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.cluster_cases import random_relation
from widc_arff.arff import chunks
from widc_arff.arff.reader import read_arff, read_pieces
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.stored_columns import ColumnFile, StoredColumns
from widc_arff.arff.writer import write_arff
from widc_arff.cli import main, train
from widc_arff.data.dataset import Dataset
from widc_arff.data.large_data import dataset_of, read_dataset
from widc_arff.errors import WidcError
from widc_arff.induction import induce
from widc_arff.induction.preparing import prepare
from widc_arff.model.expert_rules import parse_rules
from widc_arff.model.model_file import committee_to_json
from widc_arff.options import Options

if TYPE_CHECKING:
    from pathlib import Path

METHODS = ("mdl+", "quantile:4", "mdl", "all", "width:5", "quantile:32")
PRUNINGS = ("refined", "pessimistic", "optimistic", "none")
DEMANDS: tuple[dict[str, Any], ...] = (
    {},
    {"class_weight": "balanced"},
    {"min_coverage": 3},
    {"negation": False},
    {"rules": parse_rules(["if a0 > 0"], "rules.txt")},
)


@pytest.fixture(autouse=True)
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let temporary files be in a folder of their own."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def mixed_relation(seed: int) -> Relation:
    """Return random data of all types; the text is to be ignored."""
    relation = random_relation(seed)
    n = len(relation)
    days = np.arange(n, dtype=np.float64) % 50 * 86_400_000
    days[::7] = np.nan
    texts = np.array([f"text {row}" for row in range(n)], object)
    return Relation(
        relation.name,
        (
            Attribute("note", "string"),
            Attribute("day", "date", format="yyyy-MM-dd"),
            *relation.attributes,
        ),
        (texts, days, *relation.columns),
        relation.weights,
    )


def learned(dataset: Dataset, options: Options) -> tuple[str, list[str]]:
    """Return the model file, or the message of the error, and all warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = committee_to_json(induce(dataset, options))
        except WidcError as error:
            outcome = str(error)
    return outcome, [str(warning.message) for warning in caught]


@pytest.mark.parametrize("seed", range(60))
def test_the_model_is_that_of_reading_whole(seed, tmp_path):
    path = tmp_path / "data.arff"
    write_arff(mixed_relation(seed), path)
    options = Options(
        PRUNINGS[seed % 4], cut_points=METHODS[seed % len(METHODS)], **DEMANDS[seed % len(DEMANDS)]
    )
    whole = read_arff(path)
    stored = dataset_of(read_pieces(path, most_cells=40, chunk_size=100), ignore=["note"])
    if len(whole) > 40:
        assert isinstance(stored.columns, StoredColumns)
    assert learned(stored, options) == learned(
        Dataset.from_relation(whole, ignore=["note"]), options
    )


def test_the_random_data_make_rules_to_compare():
    models = [
        learned(dataset_of([mixed_relation(seed)], ignore=["note"]), Options("none"))[0]
        for seed in range(60)
    ]
    assert sum('{"if"' in model for model in models) > 40


def test_some_rows_of_stored_columns_are_those_of_the_columns():
    columns = [np.arange(10.0), np.arange(10, dtype=np.int8)]
    file = ColumnFile()
    for part in (slice(0, 3), slice(3, 3), slice(3, 10)):
        file.append([column[part] for column in columns])
    stored = StoredColumns(file)
    mask, some = np.arange(10) % 3 > 0, np.array([4, 0, 0])
    for found, expected in [
        (stored, columns),
        (stored.take(mask), [column[mask] for column in columns]),
        (stored.take(mask).take(some), [column[mask][some] for column in columns]),
        (stored.take(some).take(np.array([True, False, True])), [c[[4, 0]] for c in columns]),
    ]:
        assert len(found) == 2
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == other.dtype
            assert one.tolist() == other.tolist()
    assert stored[-1].tolist() == stored[1:][0].tolist() == columns[1].tolist()
    with pytest.raises(IndexError):
        stored[2]


def test_memory_holds_codes_and_one_column(tmp_path):
    n, k = 20_000, 40
    rng = np.random.default_rng(1)
    columns = [*np.round(rng.normal(size=(k, n)), 3), rng.integers(0, 2, n).astype(np.int8)]
    attributes = [Attribute(f"a{i}", "numeric") for i in range(k)]
    relation = Relation(
        "r", (*attributes, Attribute("class", "nominal", ("x", "y"))), tuple(columns), np.ones(n)
    )
    path = tmp_path / "data.arff"
    write_arff(relation, path)
    del relation, columns
    tracemalloc.start()
    try:
        dataset = dataset_of(read_pieces(path, most_cells=20_000, chunk_size=1 << 14))
        _, coded = prepare(dataset, Options(cut_points="quantile:32"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    codes = sum(group.codes.nbytes for group in coded.groups)
    assert codes == n * k
    # twice the codes, and what the cut points of one column take: not 8 bytes for each value
    assert peak < 2 * codes + 20 * 8 * n < 8 * n * k


# the command


@pytest.fixture
def files(monkeypatch) -> list[IO[bytes]]:
    """Let the command store columns of small data too; return the files that it makes."""
    monkeypatch.setattr(chunks, "CHUNK_SIZE", 100)
    monkeypatch.setattr(train, "VALUES_IN_MEMORY", 50)
    made: list[IO[bytes]] = []

    def recorded() -> IO[bytes]:
        made.append(temporary_file())
        return made[-1]

    temporary_file = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", recorded)
    return made


def told(capsys, *arguments: str) -> tuple[int, str, str]:
    """Run the command line; return its status and what it wrote."""
    status = main(["train", *arguments, "--ignore", "note", "--model", "-"])
    return status, *capsys.readouterr()


def test_train_gives_the_model_of_reading_whole_from_all_sources(
    files, temporary_folder, tmp_path, stdin, capsys
):
    path, packed = tmp_path / "data.arff", tmp_path / "data.arff.gz"
    write_arff(mixed_relation(5), path)
    packed.write_bytes(gzip.compress(path.read_bytes()))
    dataset = Dataset.from_relation(read_arff(path), ignore=["note"])
    expected, _ = learned(dataset, Options())
    for source in (path, packed):
        assert told(capsys, str(source))[:2] == (0, expected)
    for source in (path, packed):
        stdin(source.read_bytes())
        assert told(capsys, "-")[:2] == (0, expected)
    assert [file.closed for file in files] == [True] * 4
    assert list(temporary_folder.iterdir()) == []


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda text: text + "1,2\n",
        lambda text: text.replace("@attribute day date yyyy-MM-dd", "@attribute day string"),
        lambda text: text.replace("text 90", "text\n90"),
    ],
    ids=["a row too short", "a string in use", "a line end in quotes"],
)
def test_bad_input_gets_the_message_of_reading_whole(
    spoiled, files, temporary_folder, tmp_path, capsys
):
    path = tmp_path / "data.arff"
    write_arff(mixed_relation(5), path)
    path.write_text(spoiled(path.read_text(encoding="utf-8")), encoding="utf-8")
    status, out, message = told(capsys, str(path))
    assert (status, out) == (1, "")
    with pytest.raises(WidcError) as error:
        Dataset.from_relation(read_arff(path), ignore=["note"])
    assert message.startswith(f"widc-arff: {path}:")
    assert message.endswith(f"{str(error.value).removeprefix(f'{path}:')}\n")
    gc.collect()
    assert all(file.closed for file in files)
    assert list(temporary_folder.iterdir()) == []


def test_an_interruption_leaves_no_file(files, temporary_folder, tmp_path, monkeypatch, capsys):
    path = tmp_path / "data.arff"
    write_arff(mixed_relation(5), path)
    from_relation, n_pieces = Dataset.from_relation, 0

    def interrupted(*arguments):
        nonlocal n_pieces
        n_pieces += 1
        if n_pieces == 4:
            raise KeyboardInterrupt
        return from_relation(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Dataset, "from_relation", interrupted)
        assert told(capsys, str(path)) == (130, "", "\nwidc-arff: interrupted\n")
    gc.collect()
    assert [file.closed for file in files] == [True]
    assert list(temporary_folder.iterdir()) == []


@pytest.mark.parametrize("is_made", [False, True], ids=["no file", "no more room"])
def test_no_room_for_the_file_is_told(
    is_made, files, temporary_folder, tmp_path, monkeypatch, capsys
):
    def full(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    class Full(io.BytesIO):
        write = full

    monkeypatch.setattr(tempfile, "TemporaryFile", Full if is_made else full)
    path = tmp_path / "data.arff"
    write_arff(mixed_relation(5), path)
    status, out, message = told(capsys, str(path))
    assert (status, out) == (1, "")
    assert message == (
        "widc-arff: expected room for the columns in the folder of temporary files, "
        f"{temporary_folder}, got: No space left on device; the environment variable TMPDIR names "
        "another folder\n"
    )


# the library


def test_read_dataset_stores_the_columns_of_large_data_only(tmp_path):
    relation = Relation.joined([mixed_relation(5)] * 40)
    write_arff(relation, tmp_path / "data.arff.gz")
    settings: dict[str, Any] = {"ignore": ["note"], "label": "class"}
    small = read_dataset(tmp_path / "data.arff.gz", **settings)
    large = read_dataset(tmp_path / "data.arff.gz", **settings, most_cells=50)
    assert isinstance(small.columns, tuple)
    assert isinstance(large.columns, StoredColumns)
    assert large.schema == small.schema
    for one, other in zip(
        [*large.columns, large.Y, large.weights],
        [*small.columns, small.Y, small.weights],
        strict=True,
    ):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def test_label_sets_are_read_whole_from_pieces_too(tmp_path):
    n = 40_000
    attributes = (
        Attribute("x", "numeric"),
        Attribute("one", "numeric"),
        Attribute("two", "nominal", ("no", "yes")),
    )
    flags = np.arange(n) % 2
    counted = flags * 1.0
    relation = Relation(
        "r", attributes, (np.arange(n) * 1.0, counted, flags.astype(np.int8)), np.ones(n)
    )
    write_arff(relation, tmp_path / "data.arff")
    assert (tmp_path / "data.arff").stat().st_size > chunks.CHUNK_SIZE
    dataset = read_dataset(tmp_path / "data.arff", labels=["one", "two"], most_cells=50)
    assert dataset.n_samples == n
    assert dataset.Y.tolist() == [[bool(flag)] * 2 for flag in flags]
    counted[-10] = 7
    write_arff(relation, tmp_path / "data.arff")
    with pytest.raises(WidcError, match="got 7 in row 39991"):
        read_dataset(tmp_path / "data.arff", labels=["one", "two"], most_cells=50)
