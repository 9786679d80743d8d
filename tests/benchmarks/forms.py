"""CPU time and peak memory of ``train`` and ``predict`` on the same rows in several forms.

``python tests/benchmarks/forms.py [ROWS]`` writes ``numeric20`` of `make_data.py` (by default 2
million rows of 20 numbers) as ARFF, CSV and Parquet, and prints a table in Markdown.  Predictions
go to a CSV file.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.make_data import write
from tests.benchmarks.processes import run

FORMS = ("arff", "csv", "parquet")


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
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = written(n_rows, folder)
        model, out = str(folder / "model.json"), str(folder / "out.csv")
        program = [sys.executable, "-m", "widc_arff", "-q"]
        _tell("", "file, MB", "train, CPU s", "train, MB", "predict, CPU s", "predict, MB")
        _tell("---", *["---:"] * 5)
        for form, file in files.items():
            cells = [form, f"{file.stat().st_size / 1e6:.0f}"]
            for command in (
                ["train", str(file), "--model", model],
                ["predict", model, str(file), "--output", out],
            ):
                used = run([*program, *command])
                cells += [used.failure or f"{used.cpu_s:.1f}", f"{used.peak_mb:.0f}"]
            _tell(*cells)


def _tell(*cells: str) -> None:
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000)
