"""CPU time and peak memory of ``train``, ``predict`` and ``evaluate`` on the same rows in forms.

``python tests/benchmarks/forms.py [ROWS]`` writes ``numeric20`` of `make_data.py` (by default 2
million rows of 20 numbers) as ARFF, CSV and Parquet, on disk and in a store (moto's server, where
it is installed), and prints a table in Markdown.  Predictions go to a CSV file beside the rows.
"Read" is reading all columns in pieces, and no more.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.csv
import pyarrow.parquet

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.make_data import write
from tests.benchmarks.processes import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORMS = ("arff", "csv", "parquet")
OF = ("CPU s", "MB")
READ = """
import sys
from widc_arff.data.large_data import VALUES_IN_MEMORY
from widc_arff.tables import data_pieces
from widc_arff.tables.uses import TableOptions
for piece in data_pieces(sys.argv[1], TableOptions(), most_cells=VALUES_IN_MEMORY):
    pass
"""


def written(n_rows: int, folder: Path) -> dict[str, Path]:
    """Write the rows in all forms; return the file of each."""
    files = {form: folder / f"rows.{form}" for form in FORMS}
    write("numeric20", n_rows, files["arff"])
    names = []
    with files["arff"].open() as arff, files["csv"].open("w") as csv:
        for line in arff:
            if line.lower().startswith("@attribute"):
                names.append(line.split()[1])
            if line.lower().startswith("@data"):
                break
        csv.write(",".join(names) + "\n")
        csv.writelines(arff)
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(files["csv"]), files["parquet"])
    return files


def main(n_rows: int) -> None:
    """Print the table; rows of a store where moto's server and s3fs are installed."""
    with tempfile.TemporaryDirectory() as name, stored(Path(name)) as to_store:
        folder = Path(name)
        files = {form: str(file) for form, file in written(n_rows, folder).items()}
        model = str(folder / "model.json")
        program = [sys.executable, "-m", "widc_arff", "-q"]
        commands = [
            ["train", "FILE", "--model", model],
            ["predict", model, "FILE", "--output", "OUT"],
            ["evaluate", model, "FILE"],
        ]
        heads = [f"{command[0]}, {of}" for command in commands for of in OF]
        _tell("", "file, MB", "read, CPU s", *heads)
        _tell("---", *["---:"] * (2 + len(heads)))
        sources = dict(files)
        if to_store is not None:
            sources |= {f"{form} of a store": to_store(file) for form, file in files.items()}
        for form, source in sources.items():
            size = Path(files[form.split()[0]]).stat().st_size
            read = run([sys.executable, "-c", READ, source])
            cells = [form, f"{size / 1e6:.0f}", read.failure or f"{read.cpu_s:.1f}"]
            for command in commands:
                words = {"FILE": source, "OUT": f"{source}.predictions.csv"}
                used = run([*program, *(words.get(word, word) for word in command)])
                cells += [used.failure or f"{used.cpu_s:.1f}", f"{used.peak_mb:.0f}"]
            _tell(*cells)


@contextmanager
def stored(folder: Path) -> Iterator[Callable[[str], str] | None]:
    """Give what puts a file into a store on this machine, or None where there is no server."""
    try:
        import boto3
        from moto.server import ThreadedMotoServer
    except ImportError:
        yield None
        return
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    os.environ |= {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": str(folder / "none"),
    }
    boto3.client("s3").create_bucket(Bucket="rows")

    def put(file: str) -> str:
        boto3.client("s3").upload_file(file, "rows", Path(file).name)
        return f"s3://rows/{Path(file).name}"

    try:
        yield put
    finally:
        server.stop()


def _tell(*cells: str) -> None:
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000)
