"""Files that settings are read from: rules of an expert, costs, cut points.

What is accepted is used: a small data set is learned with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tests.fuzz.drawing import changed, damaged, encoded
from tests.fuzz.findings import DifferenceError, outcome
from tests.fuzz.targets.models import check_model, committee_of, json_bytes
from widc_arff import Options, induce
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.cli.common import options_from
from widc_arff.data.dataset import Dataset
from widc_arff.errors import DataError, WidcError
from widc_arff.model.costs import read_costs
from widc_arff.model.expert_rules import parse_rules, read_rules

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fuzz.drawing import Draw

_COLOURS = ("red", "no", "dark blue", "0")
_CLASSES = ("yes", "no", "x")
_ATTRIBUTES = (
    Attribute("colour", "nominal", _COLOURS),
    Attribute("age", "numeric"),
    Attribute("seen", "date", format="yyyy-MM-dd"),
    Attribute("class", "nominal", _CLASSES),
)
_ROWS = [
    (_COLOURS[i % 4], [i % 5, 1.5, -i, None][i % 4], i * 1e9, _CLASSES[i * i % 3])
    for i in range(12)
]
DATA = Dataset.from_relation(Relation.from_rows("small", _ATTRIBUTES, _ROWS))
_ODD_LINES = (
    *("", "  ", "# comment", "if", "if a", "if age <=", "if age <= 1 then", "if age = 1 and", "'"),
    *("if 'age <= 1", "if age <= 1 then [1,0,", "IF age > 1 THEN yes", "if age => 1", "\x1b[31m"),
    *("if age == 1", "if colour != red then [2, 0, 0]", "if age <= 1 then yes, yes", "]" * 50),
    *("if " + "a " * 20_000, "if a = '" + "\\" * 9000, "if age <= " + "9" * 9000 + " then yes"),
)


def draw_rules(draw: Draw) -> bytes:
    """Return rules as text, or as JSON."""
    hostile = draw.pick((0.0, 0.05, 0.3))
    if draw.chance(0.4):
        rules: Any = [_json_rule(draw, hostile) for _ in range(1 + draw.upto(2))]
        if draw.chance(0.3):
            rules = {"labels": {"values": list(_CLASSES)}, "rules": rules}
        if draw.chance(0.1):
            rules = committee_of(draw, hostile)
        return json_bytes(draw, changed(draw, rules) if draw.chance(0.4) else rules)
    lines = [_text_rule(draw, hostile) for _ in range(1 + draw.upto(2))]
    data = encoded(draw.pick(("\n", "\n", "\r\n")).join(lines))
    return damaged(draw, data) if draw.chance(0.2) else data


def check_rules(data: bytes, folder: Path) -> bool:
    """Read the rules, write them as text and read them again, and learn with them."""
    path = folder / "rules.txt"
    path.write_bytes(data)
    rules = read_rules(str(path))
    for text in map(str, rules):
        try:
            (again,) = parse_rules([text], "again")
        except WidcError as error:
            raise DifferenceError("a rule and its text", f"{text!r}: {error}") from error
        if str(again) != text:
            raise DifferenceError("a rule and its text", f"{text!r} and {str(again)!r}")
    _learn(Options(pruning="none", rules=rules), folder)
    return True


def draw_costs(draw: Draw) -> bytes:
    """Return a matrix of costs."""
    hostile = draw.pick((0.0, 0.03, 0.2))
    size = draw.pick((3, 3, 3, 3, 2, 1, 4, 0))
    space = draw.pick((" ", "\t", "  ", "\xa0" if draw.chance(0.1) else " "))
    sizes = (str(size), "x", "-1", "3.0", "٣", "²", "9" * 5000, "9" * 12, "1e3", "\x1b")
    lines = ["% comment"] if draw.chance(0.2) else []
    first = draw.pick(sizes[1:]) if draw.chance(hostile / 2) else str(size)
    lines.append(first + space + first)
    for i in range(size):
        cells = [_cost(draw, hostile) if j != i else "0" for j in range(size)]
        if draw.chance(hostile / 3):
            cells.append(draw.number(0.3))
        lines.append(space.join(cells))
    data = encoded(draw.pick(("\n", "\n", "\r\n", "\n\n")).join(lines) + "\n")
    return damaged(draw, data) if draw.chance(0.2) else data


def check_costs(data: bytes, folder: Path) -> bool:
    """Read the costs, and learn with them."""
    path = folder / "x.cost"
    path.write_bytes(data)
    costs = read_costs(str(path))
    _learn(Options(pruning="none", costs=costs), folder)
    return True


def draw_cut_points(draw: Draw) -> bytes:
    """Return a table of cut points."""
    hostile = draw.pick((0.0, 0.05, 0.3))
    table: Any = {}
    for name in draw.names(0, 2, hostile) if draw.chance(0.3) else ("age", "seen"):
        values = (0, 1, 1.5, -2, 1e308, -1e308, 5e-324, 3, 10**20, draw.gauss(0, 3))
        cuts = [draw.pick(values) for _ in range(draw.upto(4))]
        table[name] = cuts if draw.chance(hostile / 4) else sorted(set(cuts))
    return json_bytes(draw, changed(draw, table) if draw.chance(0.3) else table)


def check_cut_points(data: bytes, folder: Path) -> bool:
    """Read the cut points as the command line does, and learn with them."""
    path = folder / "cuts.json"
    path.write_bytes(data)
    _learn(replace(_options_with(str(path)), pruning="none"), folder)
    return True


def _options_with(path: str) -> Options:
    """Return the options of the command line with a file of cut points."""
    try:
        return options_from(cut_points=path)
    except click.ClickException as error:
        raise DataError(error.format_message()) from error


def _learn(options: Options, folder: Path) -> None:
    committee = outcome(lambda: induce(DATA, options))
    if not isinstance(committee, str):
        check_model(committee, folder / "model.json")


def _cost(draw: Draw, hostile: float) -> str:
    if draw.chance(hostile):
        return draw.pick((draw.number(0.5), "1e308", "5e-324", draw.text(1)))
    return draw.pick(("1", "2", "0.5", "3", "10"))


def _condition(draw: Draw, hostile: float) -> tuple[str, str, str]:
    if draw.chance(hostile):
        return draw.text(0.6), draw.pick(("=", "!=", "<=", ">", "<")), draw.text(0.6)
    if draw.chance(0.5):
        return "colour", draw.pick(("=", "!=")), draw.pick(_COLOURS)
    if draw.chance(0.3):
        return "seen", draw.pick(("<=", ">")), draw.pick(("1970-01-05", "2020-02-29", "1e9"))
    return "age", draw.pick(("<=", ">")), draw.number(hostile / 4)


def _text_rule(draw: Draw, hostile: float) -> str:
    if draw.chance(hostile / 3):
        return draw.pick(_ODD_LINES)
    tests = [_condition(draw, hostile) for _ in range(1 + draw.upto(2))]
    text = "if " + " and ".join(f"{_quoted(draw, a)} {op} {_quoted(draw, v)}" for a, op, v in tests)
    labels = draw.names(1, 2, 0.5) if draw.chance(hostile) else [draw.pick(_CLASSES)]
    votes = ", ".join(draw.pick(("", "not ")) + _quoted(draw, label) for label in labels)
    return text + draw.pick(("", f" then {votes}", f" then {votes}", " then [1, 0, -1]"))


def _json_rule(draw: Draw, hostile: float) -> dict[str, Any]:
    def test() -> dict[str, Any]:
        name, operator, value = _condition(draw, hostile)
        is_number = name == "age" and draw.chance(0.9)
        return {"attribute": name, "is": operator, "value": draw.upto(3) if is_number else value}

    rule: dict[str, Any] = {"if": [test(), *draw.several(2, test)]}
    if draw.chance(0.8):
        rule["votes"] = [draw.pick((-1, 0, 1)) for _ in _CLASSES]
    return rule


def _quoted(draw: Draw, text: str) -> str:
    if text.isalnum() or draw.chance(0.05):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
