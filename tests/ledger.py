"""``python -m tests.ledger``: whether a change of the code changes anything that it gives.

For each data file and each way to train on it the ledger holds a hash of the model and of all that
the commands print of it.  Goldens and tests say what is right; the ledger says what moved.

    python -m tests.ledger                        compares `arff_data` and `tests/ledger_data` with
                                                  `tests/ledger.tsv`
    python -m tests.ledger --update               writes `tests/ledger.tsv` anew
    python -m tests.ledger FOLDER --file L.tsv    the same for the files of other folders
    python -m tests.ledger --texts OUT            also writes all outputs to the folder OUT

With `--texts` before and after a change, ``diff -r`` of both folders shows what is different.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, redirect_stderr, redirect_stdout
from fnmatch import fnmatch
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from tests.worker_requests import request_for
from widc_arff import Dataset, read_arff
from widc_arff.bridge.protocol import answer
from widc_arff.cli import main as widc_arff

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ROOT = Path(__file__).parents[1]
OWN = (ROOT / "arff_data", ROOT / "tests" / "ledger_data")
"""The sample data; a file of label sets, and one with the names that people write."""
STORED = Path(__file__).with_suffix(".tsv")

WAYS = {
    "refined": "",
    "pessimistic": "--pruning pessimistic",
    "optimistic": "--pruning optimistic",
    "none": "--pruning none --max-rules 20",
    "options": "--penalty 1.5 --vote-penalty 0.5 --cut-points quantile:10 --max-size 12 "
    "--min-coverage 2% --no-negation --literals sets,order",
}
"""How a committee is learned: a name and options of `train`."""

TRAIN = "train DATA --model MODEL"

OF_MODEL = (
    *(
        f"show MODEL --format {form} --layout {layout}"
        for form, layout in product(("text", "markdown", "html", "latex"), ("class", "rule"))
    ),
    "show MODEL --format json",
    "show MODEL --format rules",
    *(f"export MODEL --to {to} -o -" for to in ("python", "sql", "java", "pmml", "pmml-rules")),
    "predict MODEL DATA",
    "predict MODEL DATA -o predictions.arff",
    "explain MODEL DATA --row 1",
    "explain MODEL DATA --row 1-12 --format json",
    "explain MODEL DATA --row 1-12 --format markdown",
    "explain MODEL DATA --rule 1",
    *(f"evaluate MODEL DATA --format {form}" for form in ("text", "json", "markdown")),
    "evaluate DATA --folds 2 --format json",
    "report MODEL DATA -o -",
    "report MODEL DATA --layout rule -o -",
    *(f"card MODEL DATA --format {form}" for form in ("text", "markdown", "html")),
    "workbench MODEL DATA -o -",
)
"""What is written of a model."""

OF_DATA = (
    *(f"describe DATA --format {form}" for form in ("text", "json", "markdown")),
    "convert DATA converted.csv",
    "convert DATA converted.arff",
)
"""What is written of a file, however a committee is learned."""

WORKER = "the worker of Weka"

_SLOW = "widc-arff: still "  # what a command says on a busy machine
_LAST_DIGITS = re.compile(rb"(?<=\.\d{6})\d+(?=e-)|(?<=\.\d{12})\d+")

Outputs = dict[str, bytes]
Ledger = dict[str, dict[str, str]]


class Item(NamedTuple):
    """What one process works on: a data file and a way to learn from it, or none."""

    path: Path
    way: str

    @property
    def name(self) -> str:
        """The name in the ledger."""
        return f"{self.path.parent.name}/{self.path.name} {self.way}"


def outputs(item: Item) -> Outputs:
    """Return what all commands write, by the command."""
    with TemporaryDirectory() as folder, chdir(folder):
        # names without folders: they stand in messages and pages
        data = item.path.name
        Path(data).symlink_to(item.path)
        labels = item.path.with_suffix(".xml")
        if labels.exists():
            Path(labels.name).symlink_to(labels)
        options = f"--labels {labels.name}" if labels.exists() else ""
        if item.way == "data":
            return {line: _written(line, data, options, "") for line in OF_DATA}
        found = {TRAIN: _written(TRAIN, data, options, WAYS[item.way])}
        if Path("model.json").exists():
            found |= {line: _written(line, data, options, WAYS[item.way]) for line in OF_MODEL}
            kind = json.loads(Path("model.json").read_text("utf-8"))["labels"]["kind"]
            if item.way != "options" and kind == "single":
                found[WORKER] = _by_worker(data, item.way)
        return found


def _written(line: str, data: str, labels: str, way: str) -> bytes:
    """Return exit status, standard output and error, and the file that a command writes."""
    named = {"DATA": data, "MODEL": "model.json"}
    words = [named.get(word, word) for word in line.split()]
    if words[0] in ("train", "describe") or "--folds" in words:
        words += labels.split()
    if words[0] == "train" or "--folds" in words:
        words += way.split()
    before = set(Path().iterdir())
    out, err = io.BytesIO(), io.StringIO()
    with redirect_stdout(io.TextIOWrapper(out, "utf-8")), redirect_stderr(err):
        status = widc_arff(words)
        sys.stdout.flush()
        content = out.getvalue()
    for path in sorted(set(Path().iterdir()) - before):
        content += path.read_bytes()
    lines = err.getvalue().splitlines(keepends=True)
    told = "".join(line for line in lines if not line.startswith(_SLOW))
    return b"%s\n%s%d\n" % (content, told.encode(), status)


def _by_worker(data: str, pruning: str) -> bytes:
    """Return the reply to Weka's classifier, without what the clock says."""
    dataset = Dataset.from_relation(read_arff(data))
    header, content = request_for(dataset, pruning=pruning)
    reply = answer(header, content)
    return json.dumps({**reply, "cpu_seconds": 0}, indent=1).encode()


def items(folders: Iterable[Path], only: str, largest: float) -> list[Item]:
    """Return all there is to do in folders and files of them, the largest files first."""
    paths = [
        path
        for folder in folders
        for path in (sorted(folder.glob("*.arff")) if folder.is_dir() else [folder])
    ]
    paths = [path for path in paths if path.stat().st_size <= largest * 1024]
    paths.sort(key=lambda path: -path.stat().st_size)
    every = [Item(path.resolve(), way) for path in paths for way in (*WAYS, "data")]
    return [item for item in every if fnmatch(item.name, only)]


def hashes(item: Item, texts: Path | None = None) -> dict[str, str]:
    """Return the hash of each output of an item; with `texts` these are also written there."""
    found = outputs(item)
    if texts is not None:
        folder = texts / item.name
        folder.mkdir(parents=True, exist_ok=True)
        for line, content in found.items():
            (folder / line.replace("/", "_")).write_bytes(content)
    return {line: _hash(content) for line, content in found.items()}


def _hash(content: bytes) -> str:
    """Return the hash of an output, its figures cut after 12 decimals, small ones after 6 digits.

    Those behind depend on the logarithm of the processor.
    """
    return hashlib.sha256(_LAST_DIGITS.sub(b"", content)).hexdigest()[:8]


COLUMNS = (TRAIN, WORKER, *OF_MODEL, *OF_DATA)


def write_ledger(ledger: Ledger, path: Path) -> None:
    """Write one line for each file and way, with a column for each command."""
    lines = ["\t".join(("", *COLUMNS))]
    for name, row in sorted(ledger.items()):
        lines += ["\t".join((name, *(row.get(column, "") for column in COLUMNS)))]
    path.write_text("".join(f"{line.rstrip()}\n" for line in lines), encoding="utf-8")


def read_ledger(path: Path) -> Ledger:
    """Return what `write_ledger` wrote."""
    head, *lines = path.read_text("utf-8").splitlines()
    columns = head.split("\t")[1:]
    rows = (line.split("\t") for line in lines)
    return {
        name: {column: cell for column, cell in zip(columns, cells, strict=False) if cell}
        for name, *cells in rows
    }


def differences(old: Mapping[str, dict[str, str]], new: Mapping[str, dict[str, str]]) -> list[str]:
    """Return a line for each output of `new` that has no hash in `old` or another one."""
    found = []
    for name, row in sorted(new.items()):
        changed = [line for line in row if old.get(name, {}).get(line) != row[line]]
        found += [f"{name}: {line}" for line in changed] if name in old else [f"{name}: new"]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 1 if something changed and the ledger is not written anew."""
    parser = argparse.ArgumentParser("python -m tests.ledger", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("paths", nargs="*", type=Path, default=OWN, metavar="FOLDER|FILE")
    parser.add_argument("--file", type=Path, default=STORED, help="the ledger")
    parser.add_argument("--update", action="store_true", help="write what is found to the ledger")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="such as '*/iris.arff *'")
    parser.add_argument("--texts", type=Path, metavar="OUT", help="where all outputs are written")
    parser.add_argument("--largest", type=float, default=1e9, metavar="KB", help="of a file")
    parser.add_argument("--jobs", type=int, default=2, help="processes; 2")
    given = parser.parse_args(arguments)
    todo = items(given.paths, given.only, given.largest)
    with ProcessPoolExecutor(given.jobs) as pool:
        texts = [given.texts.resolve() if given.texts else None] * len(todo)
        found = dict(zip([item.name for item in todo], pool.map(hashes, todo, texts), strict=True))
    stored = read_ledger(given.file) if given.file.exists() else {}
    changed = differences(stored, found)
    n_outputs = sum(map(len, found.values()))
    sys.stdout.write("".join(f"{line}\n" for line in changed))
    sys.stdout.write(f"{n_outputs:,} outputs, {len(changed):,} changed\n")
    if given.update:
        write_ledger({**stored, **found}, given.file)
    return int(bool(changed) and not given.update)


if __name__ == "__main__":
    sys.exit(main())
