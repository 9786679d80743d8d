"""``python -m tests.fuzz``: see `tests.fuzz`."""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.crew import Plan, Record, Workers
from tests.fuzz.findings import Examiner, Finding, Target, set_limits
from tests.fuzz.targets import BY_NAME, TARGETS


def main() -> int:
    """Run the command; return 1 if there is a finding."""
    options = _options()
    if options.replay is not None:
        return _replay(options)
    names = tuple(options.only or (target.name for target in TARGETS))
    n_inputs = options.inputs
    end = float("inf")
    if options.minutes is not None:
        end = time.time() + 60 * options.minutes
    elif n_inputs is None:
        n_inputs = 100_000
    folder: Path = options.output
    _say(f"seed {options.seed}; findings go to {folder}")
    plan = Plan(names, options.seed, n_inputs, end, options.limit, options.megabytes << 20)
    records: list[Record] = []

    def keep(record: Record) -> None:
        records.append(record)
        _write(record, folder)

    crew, start = Workers(plan, options.jobs, keep), time.monotonic()
    status = 0
    try:
        crew.run()
    except KeyboardInterrupt:
        status = 130
    _print_totals(names, crew.totals(), len(records), time.monotonic() - start)
    return status or bool(records)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=_HELP)
    parser.add_argument("--minutes", type=float, help="how long; by default 100,000 inputs")
    parser.add_argument("--inputs", type=int, help="inputs in all")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6, help="by the clock")
    parser.add_argument("--only", action="append", metavar="TARGET", choices=BY_NAME)
    parser.add_argument("--jobs", type=int, default=1, help="processes; 1")
    parser.add_argument("--limit", type=float, default=2.0, help="CPU seconds of an input; 2")
    parser.add_argument("--megabytes", type=int, default=1024, help="memory of an input; 1024")
    parser.add_argument("--output", type=Path, default=Path("fuzz-findings"), help="folder")
    parser.add_argument("--replay", metavar="FILE|TARGET:SEED:NUMBER", help="one input again")
    return parser.parse_args()


_HELP = (
    "Give drawn inputs to all that reads any: targets "
    + ", ".join(target.name for target in TARGETS)
    + ".  Exit status 1 if something is found."
)


def _replay(options: argparse.Namespace) -> int:
    """Examine one input in this process, without a net."""
    path = Path(options.replay)
    if path.is_file():
        (name,) = options.only or [path.name.rpartition("-")[0]]
        target, data = BY_NAME[name], path.read_bytes()
    else:
        name, seed, number = options.replay.split(":")
        target = BY_NAME[name]
        data = target.input(int(seed), int(number))
    _say(f"{len(data)} bytes: {data!a}")
    set_limits(options.megabytes << 20)
    result = _examined(target, data, options.limit)
    if isinstance(result, Finding):
        _say(_told(target.name, result))
        return 1
    _say("accepted" if result else "refused")
    return 0


def _examined(target: Target, data: bytes, limit: float) -> Finding | bool:
    with TemporaryDirectory() as folder:
        return Examiner(target, Path(folder), limit).examine(data)


def _told(name: str, finding: Finding) -> str:
    return f"{name}: {finding.kind}: {finding.place}: {ascii(finding.text)[1:-1][:300]}"


def _write(record: Record, folder: Path) -> None:
    """Keep the input of a finding, with a line in the list of all, and print it."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{record.target}-{hashlib.sha256(record.data).hexdigest()[:8]}"
    (folder / name).write_bytes(record.data)
    line = f"{name} ({record.origin}) {_told(record.target, record.finding)}"
    with (folder / "findings.txt").open("a", encoding="ascii") as stream:
        stream.write(line + "\n")
    _say(line)


def _print_totals(
    names: tuple[str, ...], totals: list[tuple[int, int, int, float]], n_kinds: int, seconds: float
) -> None:
    _say(f"{'':18}{'inputs':>10}{'accepted':>10}{'refused':>10}{'findings':>10}  slowest")
    sums = [0, 0, 0]
    for name, (accepted, refused, found, slowest) in zip(names, totals, strict=True):
        counts = (accepted, refused, found)
        sums = [total + n for total, n in zip(sums, counts, strict=True)]
        share = f"{accepted / max(1, sum(counts)):9.0%} "
        _say(f"{name:18}{sum(counts):10,}{share}{refused:10,}{found:10,}  {slowest:.2f} s")
    _say(f"{'all':18}{sum(sums):10,}{'':10}{sums[1]:10,}{sums[2]:10,}  in {seconds:.0f} s")
    _say(f"{n_kinds} kinds of findings" if n_kinds else "nothing found")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
