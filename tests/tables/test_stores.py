"""Files at addresses and folders: read, written, and faults told in one message."""

from __future__ import annotations

import json
import shutil
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from widc_arff import read_data, write_data
from widc_arff.system.files import files_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Run = Callable[..., tuple[int, str, str]]

boto3 = pytest.importorskip("boto3")
fsspec = pytest.importorskip("fsspec")
moto = pytest.importorskip("moto.server")
DATA = Path(__file__).parents[2] / "arff_data"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Give the address of an S3 server on this machine."""
    running = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def bucket(server, tmp_path, monkeypatch) -> str:
    """Return the address of a new bucket, with credentials for it, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name, value in (
        ("AWS_ENDPOINT_URL", server),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_DEFAULT_REGION", "us-east-1"),
        ("AWS_EC2_METADATA_DISABLED", "true"),
        ("AWS_CONFIG_FILE", str(tmp_path / "none")),
        ("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none")),
    ):
        monkeypatch.setenv(name, value)
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    name = f"b{tmp_path.name.replace('_', '-').lower()}"[:60].rstrip("-")
    boto3.client("s3").create_bucket(Bucket=name)
    return f"s3://{name}"


def put(path: Path | str, address: str) -> str:
    bucket, _, key = address.removeprefix("s3://").partition("/")
    boto3.client("s3").upload_file(str(path), bucket, key)
    return address


def written(address: str) -> bytes:
    bucket, _, key = address.removeprefix("s3://").partition("/")
    return bytes(boto3.client("s3").get_object(Bucket=bucket, Key=key)["Body"].read())


@pytest.mark.parametrize("ending", [".arff", ".arff.gz", ".csv", ".parquet", ".feather", ".xlsx"])
def test_a_file_in_a_store_gives_the_model_of_the_file_here(ending, bucket, run: Run):
    iris = read_data(DATA / "iris.arff")
    name = f"iris{ending}"
    if ending == ".feather":
        feather = pytest.importorskip("pyarrow.feather")
        table = pytest.importorskip("pyarrow.parquet")
        write_data(iris, "iris.parquet")
        feather.write_feather(table.read_table("iris.parquet"), name)
    elif ending == ".xlsx":
        pandas = pytest.importorskip("pandas")
        write_data(iris, "iris.csv")
        pandas.read_csv("iris.csv").to_excel(name, index=False)
    else:
        write_data(iris, name)
    expected = run("train", name, "--quiet", "--model", "-")
    address = put(name, f"{bucket}/{name}")
    Path(name).unlink()
    assert run("train", address, "--quiet", "--model", "-") == expected
    assert expected[0] == 0


def test_models_and_predictions_go_to_a_store_and_come_from_it(bucket, run: Run):
    shutil.copy(DATA / "iris.arff", "iris.arff")
    address = put("iris.arff", f"{bucket}/iris.arff")
    model, predictions = f"{bucket}/model.json", f"{bucket}/out/predictions.csv"
    assert run("train", address, "--model", model)[0] == 0
    assert run("train", "iris.arff", "--model", "model.json")[0] == 0
    assert written(model) == Path("model.json").read_bytes()
    assert run("predict", model, address, "--output", predictions)[0] == 0
    assert run("predict", "model.json", "iris.arff", "--output", "predictions.csv")[0] == 0
    assert written(predictions) == Path("predictions.csv").read_bytes()
    assert json.loads(written(model))["format"]


def test_what_cannot_be_written_whole_is_not_there(bucket, run: Run):
    shutil.copy(DATA / "iris.arff", "iris.arff")
    status, out, err = run("train", "iris.arff", "--model", "s3://no-such-bucket-here/model.json")
    assert (status, out) == (1, "")
    assert err.startswith(
        "widc-arff: s3://no-such-bucket-here/model.json: The specified bucket does not exist"
    )
    assert err.count("\n") == 1


def test_a_missing_file_is_told(bucket, run: Run):
    address = f"{bucket}/none.arff"
    expected = (1, "", f"widc-arff: {address}: there is no such file\n")
    assert run("train", address) == expected


def test_missing_credentials_are_told(bucket, run: Run, monkeypatch):
    address = put(DATA / "iris.arff", f"{bucket}/iris.arff")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    status, out, err = run("train", address)
    assert (status, out) == (1, "")
    assert err == f"widc-arff: {address}: cannot be opened: Unable to locate credentials\n"


class Breaking(BaseHTTPRequestHandler):
    """Says that there is more than it sends."""

    def do_GET(self) -> None:
        content = (DATA / "iris.arff").read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(2 * len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = True

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_a_connection_that_breaks_is_told_and_nothing_is_written(tmp_path, run: Run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    breaking = HTTPServer(("127.0.0.1", 0), Breaking)
    threading.Thread(target=breaking.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{breaking.server_port}/iris.arff"
    status, out, err = run("train", address, "--model", "model.json")
    breaking.shutdown()
    breaking.server_close()
    assert (status, out, list(tmp_path.iterdir())) == (1, "", [])
    assert err.startswith(f"widc-arff: {address}: cannot be read: ")
    assert err.count("\n") == 1


def test_fsspec_is_asked_for_where_it_is_missing(run: Run, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    status, _, err = run("train", "s3://bucket/iris.arff")
    assert status == 1
    assert "pip install 'widc-arff[stores]'" in err


# folders


def parts_of_iris(folder: Path, ending: str, n: int = 3) -> None:
    folder.mkdir()
    iris = read_data(DATA / "iris.arff")
    (folder / "_SUCCESS").write_text("", encoding="ascii")
    for k in range(n):
        rows = slice(k * 50, k * 50 + 50)
        columns = tuple(column[rows] for column in iris.columns)
        part = type(iris)(iris.name, iris.attributes, columns, iris.weights[rows])
        write_data(part, folder / f"part-{k}{ending}")


@pytest.mark.parametrize("ending", [".arff", ".csv", ".csv.gz", ".parquet"])
@pytest.mark.parametrize("is_store", [False, True])
def test_a_folder_is_its_files_one_after_the_other(ending, is_store, bucket, run: Run):
    folder = Path("iris")
    parts_of_iris(folder, ending)
    write_data(read_data(DATA / "iris.arff"), f"iris{ending}")
    expected = json.loads(run("train", f"iris{ending}", "--model", "-")[1])
    source = "iris"
    if is_store:
        for path in sorted(folder.iterdir()):
            put(path, f"{bucket}/iris/{path.name}")
        source = f"{bucket}/iris"
        assert files_of(source) == [f"{source}/part-{k}{ending}" for k in range(3)]
    status, out, err = run("train", source, "--model", "-")
    assert (status, json.loads(out)) == (0, expected), err


def test_provenance_has_the_files_of_a_folder(tmp_path, run: Run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parts_of_iris(Path("iris"), ".arff")
    status, out, _ = run("train", "iris", "--provenance", "--model", "-")
    names = [file["name"] for file in json.loads(out)["provenance"]["data"]]
    assert (status, names) == (0, [f"part-{k}.arff" for k in range(3)])


def test_a_folder_of_other_files_is_told(tmp_path, run: Run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mixed").mkdir()
    for name in ("a.arff", "b.csv"):
        Path("mixed", name).write_text("", encoding="ascii")
    message = "expected a folder of ARFF, CSV or Parquet files, got arff and csv"
    assert run("train", "mixed") == (1, "", f"widc-arff: mixed: {message}\n")
    Path("empty").mkdir()
    assert run("train", "empty")[2].endswith("Parquet files, got none\n")


def test_files_of_a_folder_that_differ_are_told(tmp_path, run: Run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parts_of_iris(Path("iris"), ".arff", 2)
    shutil.copy(DATA / "wine.arff", "iris/wine.arff")
    expected = "widc-arff: iris/wine.arff: expected the attributes of iris/part-0.arff\n"
    assert run("train", "iris") == (1, "", expected)
    Path("tables").mkdir()
    for name, text in (("a", "x,y\n1,a\n2,b\n"), ("b", "x,z\n1,a\n")):
        Path("tables", f"{name}.csv").write_text(text, encoding="ascii")
    expected = "widc-arff: tables/b.csv:1: expected the columns of tables/a.csv\n"
    assert run("train", "tables") == (1, "", expected)


def test_a_fault_in_a_folder_of_csv_has_its_file_and_line(tmp_path, run: Run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tables").mkdir()
    rows = "".join(f"{k},{'ab'[k % 2]}\n" for k in range(60))
    for name, more in (("a", ""), ("b", "1e400,a\n")):
        Path("tables", f"{name}.csv").write_text(f"x,y\n{rows}{more}", encoding="ascii")
    _, _, err = run("train", "tables")
    assert err.startswith("widc-arff: warning: tables/b.csv:62: column 'x': ")
