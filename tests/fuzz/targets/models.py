"""Model files: valid ones with hostile names and numbers, and changed ones."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.fuzz.drawing import changed, damaged, encoded
from tests.fuzz.findings import DifferenceError, inspect_text
from widc_arff.data.dataset import Dataset
from widc_arff.errors import ModelError, OptionError
from widc_arff.model.committee import read_committee
from widc_arff.model.editing import Edit, edited
from widc_arff.model.expert_rules import parse_rules
from widc_arff.model.model_file import write_committee
from widc_arff.model.resolving import rules_text
from widc_arff.reports.blocks import in_form
from widc_arff.reports.card import card_blocks
from widc_arff.reports.text import committee_text

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from tests.fuzz.drawing import Draw
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal

_FORMATS = ("yyyy-MM-dd", "dd.MM.yy HH:mm", "yyyy-MM-dd'T'HH:mm:ss.SSS", "QQ", "'", "y" * 50, "E")
_N_ROWS = 3


def draw(draw: Draw) -> bytes:
    """Return a model file, in half of the draws as it should be."""
    data = committee_of(draw, draw.pick((0.0, 0.1, 0.5)))
    if draw.chance(0.45):
        data = changed(draw, data)
    return json_bytes(draw, data)


def json_bytes(draw: Draw, data: Any) -> bytes:
    """Return data as JSON, in a share of the draws damaged."""
    text = json.dumps(data, ensure_ascii=draw.chance(0.5))
    if draw.chance(0.01):
        text = draw.pick(("[" * 50_000, '{"a":' * 3000, "9" * 5000, f"{text}{text}", ""))
    content = encoded(("\ufeff" if draw.chance(0.01) else "") + text)
    return damaged(draw, content) if draw.chance(0.1) else content


def committee_of(draw: Draw, hostile: float = 0.1) -> dict[str, Any]:
    """Return the content of a model file."""
    sets = draw.chance(0.2)
    labels = draw.names(2, 4, hostile)
    names = [name for name in draw.names(1, 5, hostile) if name not in (*labels, "class")]
    attributes = [_attribute(draw, name, hostile) for name in names]
    n = len(labels)
    rules = draw.several(4, lambda: _rule(draw, attributes, n)) if attributes else []
    for rule in rules if sets else ():
        rule["weight"] = draw.random()
    shares = [draw.random() for _ in labels]
    weights = [draw.pick((0.0, 1.0, 2.5, 1e308, 5e-324, float(draw.upto(99)))) for _ in labels]
    data = {
        "format": "widc-arff/committee",
        "version": 1,
        "relation": draw.text(hostile),
        "attributes": attributes,
        "labels": {
            "kind": "multi" if sets else "single",
            "attributes": labels if sets else [draw.pick(("class", draw.text(hostile)))],
            "values": labels,
        },
        "rules": rules,
        "default": [share / sum(shares) for share in shares],
        "training": {
            "examples": 1 + draw.upto(99),
            "weights": [*weights[:-1], 1.0],
            "error": draw.random(),
            "options": {"pruning": "refined"} if draw.chance(0.8) else {"a": draw.json_value()},
            "widc_arff": "0.1.0",
        },
    }
    if not sets and draw.chance(0.5):
        data["version"] = 2
        data["probabilities"] = _probabilities(draw, data)
    if sets:
        data["threshold"] = draw.pick((0.0, 0.5, -1.5, 1e308))
        if draw.chance(0.5):
            n = len(labels)
            slopes = [draw.pick((0.0, 1.0, 2.5, 1e9, 5e-324)) for _ in range(n)]
            intercepts = [draw.pick((0.0, -1.5, 0.25, 1e9, -1e9)) for _ in range(n)]
            odds = {"slopes": slopes, "intercepts": intercepts}
            data |= {"version": 3, "probabilities": odds}
    if draw.chance(0.4):
        data |= {"version": 3, **_changes(draw, data, hostile)}
    return data


def _changes(draw: Draw, data: dict[str, Any], hostile: float) -> dict[str, Any]:
    """Return what only changed models have; make some of their figures unknown."""
    for rule in data["rules"]:
        if draw.chance(0.3):
            rule.update({"covers": None}, **({"weight": None} if "weight" in rule else {}))
        if draw.chance(0.3):
            rule.update({"name": draw.text(hostile), "locked": True})
    if draw.chance(0.5):
        data["training"]["error"] = None
    texts = [draw.text(hostile) for _ in range(3)]
    names = {"attributes": {a["name"]: draw.text(hostile) for a in data["attributes"][:1]}}
    held = {
        "names": names | {"labels": {data["labels"]["values"][0]: texts[0]}},
        "history": texts[1:],
        "provenance": {
            "data": [{"name": texts[0], "sha256": "0"}],
            "folds": {"number": 2 + draw.upto(9), "error": draw.random()},
            "author": texts[1],
        },
    }
    return {key: value for key, value in held.items() if draw.chance(0.5)}


def _probabilities(draw: Draw, data: dict[str, Any]) -> dict[str, Any]:
    """Return what makes probabilities, in most cases with shares in the order of ties."""
    factor = draw.pick((0.005, 0.5, 0.995, 5e-324, draw.random()))
    shares = [draw.random() for _ in data["default"]]
    if draw.chance(0.9):
        order = sorted(range(len(shares)), key=data["default"].__getitem__)
        for share, j in zip(sorted(shares), order, strict=True):
            shares[j] = share
    frequencies = [draw.pick((0.0, 1.0, draw.random())) for _ in shares]
    return {"factor": factor, "frequencies": frequencies, "shares": shares}


def check(data: bytes, folder: Path) -> bool:
    """Read the model, print it, use it, write it and read it again."""
    path = folder / "model.json"
    path.write_bytes(data)
    check_model(read_committee(path), path)
    return True


def check_model(committee: DecisionCommittee, path: Path) -> None:
    """Print a model, use it, and write it so that it is read again."""
    inspect_text(committee_text(committee), None, "a printed model")
    card = in_form(card_blocks(committee), "text")
    inspect_text(card, None, "a printed card")
    _check_rules(committee)
    committee.predict_proba(_without_values(committee))
    write_committee(committee, path)
    try:
        again = read_committee(path)
    except ModelError as error:
        raise DifferenceError("a model and its file", str(error)) from error
    if repr(again) != repr(committee):
        raise DifferenceError("a model and its file", f"{committee!r:.300} and {again!r:.300}")


def _check_rules(committee: DecisionCommittee) -> None:
    """Write the rules as text and read them again; dates are whole milliseconds."""
    try:
        lines = rules_text(committee).splitlines()
    except OptionError:  # a name of several lines
        return
    again = edited(committee, Edit(rules=parse_rules(tuple(lines), "rules")))
    told, wanted = (
        [
            (
                rule.votes,
                rule.name,
                rule.locked,
                [(x.attribute, x.operator, _whole(committee, x)) for x in rule.monomial],
            )
            for rule in of.rules
        ]
        for of in (again, committee)
    )
    if told != wanted:
        raise DifferenceError("rules and their text", f"{told!r:.300} and {wanted!r:.300}")


def _whole(committee: DecisionCommittee, literal: Literal) -> float:
    is_date = committee.schema.attributes[literal.attribute].type == "date"
    return math.floor(literal.value) if is_date else literal.value


def _attribute(draw: Draw, name: str, hostile: float) -> dict[str, Any]:
    kind = draw.pick(("nominal", "nominal", "numeric", "numeric", "date"))
    if kind == "nominal":
        return {"name": name, "type": kind, "values": draw.names(1, 4, hostile)}
    if kind == "date" and draw.chance(0.7):
        return {"name": name, "type": kind, "format": draw.pick(_FORMATS[: 3 + draw.upto(1)])}
    return {"name": name, "type": kind}


def _rule(draw: Draw, attributes: list[dict[str, Any]], n: int) -> dict[str, Any]:
    def literal() -> dict[str, Any]:
        attribute = draw.pick(attributes)
        if attribute["type"] == "nominal":
            value, operators = draw.pick(attribute["values"]), ("=", "!=")
        else:
            value, operators = (
                draw.pick((0, 1.5, -1e308, 5e-324, 1e15, draw.gauss(0, 1))),
                ("<=", ">"),
            )
        return {"attribute": attribute["name"], "is": draw.pick(operators), "value": value}

    return {
        "if": [literal(), *draw.several(2, literal)],
        "votes": [draw.pick((-1, 0, 1)) for _ in range(n)],
        "covers": [draw.pick((0.0, 1.0, 3.5, 1e308)) for _ in range(n)],
    }


def _without_values(committee: DecisionCommittee) -> Dataset:
    schema = committee.schema
    columns: list[NDArray[Any]] = [
        np.full(_N_ROWS, -1) if attribute.type == "nominal" else np.full(_N_ROWS, np.nan)
        for attribute in schema.attributes
    ]
    Y = np.zeros((_N_ROWS, schema.n_classes), np.bool_)
    return Dataset(schema, tuple(columns), Y, np.ones(_N_ROWS))
