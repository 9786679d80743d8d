"""Model files: a committee as versioned JSON, checked key by key when it is read.

Numbers are written in full precision, so that a loaded model predicts identically.  A committee
for label sets (kind ``multi``) has two keys more: ``threshold``, and ``weight`` in each rule; its
``probabilities``, where it knows odds (version 3), are the slopes and intercepts of labels.

Version 3 knows only the names of attributes that no rule tests: one is its name, and a number
stands for as many that have the names x0, x1, ... of their places.  Labels have a ``type``, unless
they are texts (`widc_arff.data.label_types`); ``training`` says how many examples ties decide, and
each rule how many examples it ``decides``.  ``seen`` has values of attributes that occurred in
training (`DecisionCommittee`).  A rule may have a ``name`` and be ``locked``; ``names`` are those
that people read; ``history`` says what was changed since the training, ``provenance`` which files
the data are and what else somebody said.  What an edit without data made unknown is null:
``covers`` of a rule, ``error``.
Versions 1 and 2 have all attributes in full; version 2 has ``probabilities``, which version 1 has
not.  What is read from them is written as it was.
"""

from __future__ import annotations

import json
import math
import os
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from widc_arff.arff.dates import DateFormat
from widc_arff.arff.relation import Attribute
from widc_arff.data.label_types import is_label_type, typed_labels
from widc_arff.data.schema import LabelCells, Labels, Positions, Schema, is_usable
from widc_arff.errors import ModelError, WidcError, did_you_mean, first_repeated, short_name
from widc_arff.model.decision import distribution, tie_scores
from widc_arff.model.literals import Literal
from widc_arff.model.rules import (
    NO_NAMES,
    UNKNOWN_PROVENANCE,
    Calibration,
    LabelOdds,
    Names,
    Provenance,
    Rule,
    TrainingSummary,
)
from widc_arff.system.files import bytes_of, decoded, file_advice, parsed_json, text_written_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.model.committee import DecisionCommittee

FORMAT = "widc-arff/committee"
VERSION = 3
MOST_ATTRIBUTES = 1 << 24
MOST_ODDS = 1e9
"""Slopes and intercepts of odds, at most: sums of votes times them stay numbers."""
_SAID = ("date", "author", "use", "choice")


def committee_to_dict(committee: DecisionCommittee) -> dict[str, Any]:
    """Return the content of the model file as plain data."""
    schema, training = committee.schema, committee.training
    more: dict[str, Any] = {}
    if committee.threshold is not None:
        more["threshold"] = committee.threshold
    if committee.calibration is not None:
        calibration = committee.calibration
        more["probabilities"] = {
            "factor": calibration.factor,
            "frequencies": list(calibration.frequencies),
            "shares": list(calibration.shares),
        }
    if committee.odds is not None:
        more["probabilities"] = {
            "slopes": list(committee.odds.slopes),
            "intercepts": list(committee.odds.intercepts),
        }
    return {
        "format": FORMAT,
        "version": committee.version,
        "relation": schema.relation,
        "attributes": _attributes_to_list(schema.attributes),
        "labels": {
            "kind": schema.labels.kind,
            "attributes": list(schema.labels.attributes),
            "values": list(schema.labels.values),
            **({"type": schema.labels.type} if schema.labels.type else {}),
            **({"cells": schema.labels.cells._asdict()} if schema.labels.cells else {}),
        },
        "rules": [_rule_to_dict(rule, schema) for rule in committee.rules],
        "default": list(committee.default),
        **more,
        "training": {
            "examples": training.examples,
            "weights": list(training.weights),
            "error": None if math.isnan(training.error) else training.error,
            **({} if training.ties is None else {"ties": training.ties}),
            **({} if training.weight is None else {"weight": training.weight}),
            **({} if training.hamming is None else {"hamming": training.hamming}),
            "options": dict(training.options),
            "widc_arff": training.version,
        },
        **({"seen": _seen_to_dict(committee)} if committee.seen else {}),
        **_names_to_dict(committee.names),
        **({"history": list(committee.history)} if committee.history else {}),
        **_provenance_to_dict(committee.provenance),
    }


def _provenance_to_dict(provenance: Provenance) -> dict[str, Any]:
    data = [{"name": name, "sha256": digest} for name, digest in provenance.data]
    held: dict[str, Any] = {"data": data}
    if provenance.folds is not None:
        n_folds, error = provenance.folds
        held["folds"] = {"number": n_folds, "error": error}
    held |= {key: getattr(provenance, key) for key in _SAID}
    held = {key: value for key, value in held.items() if value}
    return {"provenance": held} if held else {}


def _seen_to_dict(committee: DecisionCommittee) -> dict[str, list[str | float]]:
    """Return numbers, or labels, that occurred in training, by attribute."""
    seen: dict[str, list[str | float]] = {}
    for a, values in committee.seen.items():
        attribute = committee.schema.attributes[a]
        of_attribute: list[str | float] = list(values)
        if attribute.type == "nominal":
            of_attribute = [attribute.values[int(code)] for code in values]
        seen[attribute.name] = of_attribute
    return seen


def _names_to_dict(names: Names) -> dict[str, Any]:
    held = {"attributes": dict(names.attributes), "labels": dict(names.labels)}
    return {"names": held} if any(held.values()) else {}


def committee_to_json(committee: DecisionCommittee) -> str:
    """Return the text of the model file, one attribute and one rule a line, names in a row."""
    parts = []
    for key, value in committee_to_dict(committee).items():
        if key in ("attributes", "rules") and value:
            rows = [json.dumps(row, ensure_ascii=False) for row in value]
            ends = [", " if not isinstance(row, dict) else ",\n  " for row in value[1:]]
            text = "".join(row + end for row, end in zip(rows, [*ends, ""], strict=True))
            parts.append(f" {json.dumps(key)}: [\n  {text}]")
        else:
            parts.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write_committee(committee: DecisionCommittee, path: str | os.PathLike[str]) -> None:
    """Write a model file, whole or not at all.

    Raises
    ------
    OSError
        If it cannot be written.

    Examples
    --------
    >>> import os, tempfile
    >>> from widc_arff import induce, read_dataset
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "iris.json")
    ...     write_committee(induce(read_dataset("arff_data/iris.arff")), path)
    ...     os.listdir(folder)
    ['iris.json']
    """
    with text_written_whole(path) as stream:
        stream.write(committee_to_json(committee))


def model_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a model file; ``-`` is standard input.

    Raises
    ------
    ModelError
        If it cannot be read, or is no text.
    """
    name = short_name(os.fspath(path))
    try:
        return decoded(bytes_of(path))
    except FileNotFoundError as error:
        raise ModelError(f"{name}: there is no such file{file_advice(path)}") from error
    except OSError as error:
        raise ModelError(f"{name}: expected a model file, got: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ModelError(
            f"{path}: expected a model file (JSON in UTF-8), got other bytes"
        ) from error


class CommitteeParts(NamedTuple):
    """What a `DecisionCommittee` is made of, in its order."""

    schema: Schema
    rules: tuple[Rule, ...]
    default: tuple[float, ...]
    training: TrainingSummary
    threshold: float | None
    calibration: Calibration | None
    version: int
    names: Names
    history: tuple[str, ...]
    provenance: Provenance
    seen: dict[int, tuple[float, ...]]
    odds: LabelOdds | None


def parts_of_json(text: str, source: str = "") -> CommitteeParts:
    """Return what a committee is made of from the text of its model file.

    Parameters
    ----------
    text : str
        JSON.
    source : str
        Name of the file for messages.

    Raises
    ------
    ModelError
        If the text is no model file that this version can read.
    """
    try:
        data = parsed_json(text)
    except ValueError as error:
        prefix = f"{source}: " if source else ""
        if text.lstrip()[:1] in ("@", "%"):
            raise ModelError(
                f"{prefix}expected a model file (JSON), got an ARFF file; a model comes before the "
                "data, and widc-arff train DATA.arff --model MODEL.json makes one"
            ) from error
        raise ModelError(f"{prefix}expected a model file (JSON), got: {error}") from error
    return _parts(_Node(data, "", source))


def _shown(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return the beginning of a value as it stands in the file."""
    encoder = json.JSONEncoder(ensure_ascii=False)
    text = ""
    for piece in encoder.iterencode(value):
        text += piece
        if len(text) > 60:
            return text[:57] + "..."
    return text


class _Node:
    """A value inside the file that knows its path."""

    def __init__(self, value: Any, path: str, source: str) -> None:  # noqa: ANN401 - JSON
        self.value = value
        self.path = path
        self.source = source

    def fail(self, expected: str, got: str | None = None) -> NoReturn:
        if got is None:
            got = _shown(self.value)
        source = f"{self.source}: " if self.source else ""
        place = f" in '{self.path}'" if self.path else ""
        raise ModelError(f"{source}expected {expected}, got {got}{place}")

    def child(self, key: str | int) -> _Node:
        path = f"{self.path}[{key}]" if isinstance(key, int) else f"{self.path}.{key}".lstrip(".")
        return _Node(self.value[key], path, self.source)

    def fields(self, *required: str, optional: tuple[str, ...] = ()) -> list[_Node]:
        """Return the values of the required keys of an object that has no unknown key."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        known = (*required, *optional)
        for key in self.value:
            if key not in known:
                self.fail(
                    f"one of the keys {', '.join(known)}", repr(key) + did_you_mean(key, known)
                )
        for key in required:
            if key not in self.value:
                self.fail(f"the key {key!r}", "no such key")
        return [self.child(key) for key in required]

    def items(self, length: int | None = None) -> list[_Node]:
        if not isinstance(self.value, list):
            self.fail("a list")
        if length is not None and len(self.value) != length:
            self.fail(f"{length} components", str(len(self.value)))
        return [self.child(i) for i in range(len(self.value))]

    def text(self, *allowed: str) -> str:
        if not isinstance(self.value, str) or (allowed and self.value not in allowed):
            self.fail(f"one of {', '.join(map(repr, allowed))}" if allowed else "a text")
        return self.value

    def number(self, least: float = -math.inf, most: float = math.inf) -> float:
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fail("a number")
        number = float(value)
        if not math.isfinite(number):
            self.fail("a finite number")
        if not least <= number <= most:
            bound = f"from {least:g}" if math.isinf(most) else f"from {least:g} to {most:g}"
            self.fail(f"a number {bound}")
        return number

    def whole(self, least: int, most: int | None = None) -> int:
        value = self.value
        beyond = most is not None and isinstance(value, int) and value > most
        if isinstance(value, bool) or not isinstance(value, int) or value < least or beyond:
            self.fail(f"a whole number from {least}" + ("" if most is None else f" to {most}"))
        return value


def attribute_from_dict(data: object) -> Attribute:
    """Return an attribute from its entry in a model file.

    Raises
    ------
    ModelError
        If the entry is not as it should be.
    """
    return _attribute(_Node(data, "attribute", ""))


def _parts(root: _Node) -> CommitteeParts:
    _check_version(root)
    keys = ("format", "version", "relation", "attributes", "labels", "rules", "default", "training")
    version = int(root.value["version"])
    added = () if version < 3 else ("names", "history", "provenance", "seen")
    _, _, relation, attributes, labels, rules, default, training = root.fields(
        *keys, optional=("threshold", "probabilities", *added)
    )
    schema = Schema(
        relation.text(), tuple(_attributes(attributes, version)), _labels(labels, version)
    )
    names = [a.name for a in schema.attributes]
    _check_distinct(attributes, names, "names of attributes")
    if not set(schema.labels.attributes).isdisjoint(names):
        labels.child("attributes").fail("a name other than those of the attributes")
    positions = Positions(schema.attributes)
    n = schema.n_classes
    summary = _training(training, n, version)
    vector = tuple(node.number(0, 1) for node in default.items(n))
    if not math.isclose(sum(vector), 1, abs_tol=1e-6):
        default.fail("components that sum to 1", f"{sum(vector):g}")
    threshold, calibration, odds = None, None, None
    if schema.labels.are_sets:
        more = added if version < 3 else (*added, "probabilities")
        threshold = root.fields(*keys, "threshold", optional=more)[-1].number()
        if "probabilities" in root.value:
            odds = _odds(root.child("probabilities"), n)
    elif version == 1 or (version > 2 and "probabilities" not in root.value):
        root.fields(*keys, optional=added)
    else:
        found = root.fields(*keys, "probabilities", optional=added)[-1]
        calibration = _calibration(found, vector, summary)
    return CommitteeParts(
        schema,
        tuple(_rule(node, schema, positions, version) for node in rules.items()),
        vector,
        summary,
        threshold,
        calibration,
        version,
        _names(root.child("names")) if "names" in root.value else NO_NAMES,
        tuple(_texts(root, "history")),
        _provenance(root.child("provenance")) if "provenance" in root.value else UNKNOWN_PROVENANCE,
        _seen(root.child("seen"), schema, positions) if "seen" in root.value else {},
        odds,
    )


def _provenance(node: _Node) -> Provenance:
    node.fields(optional=("data", "folds", *_SAID))
    held = node.value
    data, folds = [], None
    for item in node.child("data").items() if "data" in held else ():
        name, digest = item.fields("name", "sha256")
        data.append((name.text(), digest.text()))
    if "folds" in held:
        n_folds, error = node.child("folds").fields("number", "error")
        folds = n_folds.whole(2), error.number(0, 1)
    said = (node.child(key).text() if key in held else "" for key in _SAID)
    return Provenance(tuple(data), folds, *said)


def _names(node: _Node) -> Names:
    of = []
    for child in node.fields("attributes", "labels"):
        if not isinstance(child.value, dict):
            child.fail("an object")
        of.append({name: child.child(name).text() for name in child.value})
    return Names(*of)


def _seen(node: _Node, schema: Schema, positions: Positions) -> dict[int, tuple[float, ...]]:
    """Return what occurred in training of some attributes."""
    if not isinstance(node.value, dict):
        node.fail("an object")
    seen = {}
    for name in node.value:
        index, child = positions.attribute.get(name), node.child(name)
        if index is None or not is_usable(schema.attributes[index]):
            node.fail("names of attributes with their type", repr(name))
        values: list[float] = []
        for item in child.items():
            if schema.attributes[index].type != "nominal":
                values.append(item.number())
                continue
            code = positions.code(index, item.text())
            if code is None:
                item.fail(f"a label of {name!r}")
            values.append(code)
        if not values:
            child.fail("at least one value")
        seen[index] = tuple(values)
    return seen


def _texts(node: _Node, key: str) -> list[str]:
    return [item.text() for item in node.child(key).items()] if key in node.value else []


def _calibration(node: _Node, default: tuple[float, ...], training: TrainingSummary) -> Calibration:
    factor, frequencies, shares = node.fields("factor", "frequencies", "shares")
    if not 0 < factor.number() < 1:
        factor.fail("a number between 0 and 1")
    found = tuple(share.number(0, 1) for share in shares.items(len(default)))
    scores = tie_scores(np.array(default), distribution(np.array(training.weights)))
    for j, k in pairwise(np.argsort(-scores, kind="stable").tolist()):
        if found[j] < found[k] or (found[j] == found[k] and scores[j] > scores[k]):
            shares.fail(
                "shares in the order in which ties are won", f"{found[k]:g} after {found[j]:g}"
            )
    of_classes = tuple(part.number(0, 1) for part in frequencies.items(len(default)))
    return Calibration(factor.number(), of_classes, found)


def _odds(node: _Node, n_labels: int) -> LabelOdds:
    slopes, intercepts = node.fields("slopes", "intercepts")
    return LabelOdds(
        tuple(slope.number(0, MOST_ODDS) for slope in slopes.items(n_labels)),
        tuple(n.number(-MOST_ODDS, MOST_ODDS) for n in intercepts.items(n_labels)),
    )


def _check_version(root: _Node) -> None:
    if not isinstance(root.value, dict) or root.value.get("format") != FORMAT:
        found = root.value.get("format") if isinstance(root.value, dict) else None
        root.fail(
            f"a model file (format {FORMAT!r})", "no such format" if found is None else repr(found)
        )
    version = root.value.get("version")
    if version not in (1, 2, VERSION) or isinstance(version, bool):
        newer = isinstance(version, int) and version > VERSION
        advice = "; a newer version of widc-arff wrote it: please upgrade" if newer else ""
        root.fail(f"version 1 to {VERSION} of the model format", f"{version!r}{advice}")


def _check_distinct(node: _Node, names: list[str], what: str) -> None:
    repeated = first_repeated(names)
    if repeated is not None:
        node.fail(f"distinct {what}", f"{repeated!r} twice")


def _attributes_to_list(attributes: Sequence[Attribute]) -> list[Any]:
    """Return attributes in full where rules can test them, else as names or numbers of names."""
    entries: list[Any] = []
    for i, attribute in enumerate(attributes):
        if is_usable(attribute):
            entries.append(_attribute_to_dict(attribute))
        elif attribute.name != f"x{i}":
            entries.append(attribute.name)
        elif entries and isinstance(entries[-1], int):
            entries[-1] += 1
        else:
            entries.append(1)
    return entries


def _attribute_to_dict(attribute: Attribute) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": attribute.name, "type": attribute.type}
    if attribute.type == "nominal":
        fields["values"] = list(attribute.values)
        if attribute.order is not None:
            fields["order"] = list(attribute.order)
    if attribute.type == "date" and attribute.format is not None:
        fields["format"] = attribute.format
    return fields


def _attributes(node: _Node, version: int) -> Iterator[Attribute]:
    n = 0
    for item in node.items():
        if version < 3 or isinstance(item.value, dict):
            yield _attribute(item, version)
            n += 1
        elif isinstance(item.value, str):
            yield Attribute(item.value, "string")
            n += 1
        else:
            n += item.whole(1, MOST_ATTRIBUTES - n)
            yield from (Attribute(f"x{i}", "string") for i in range(n - item.value, n))


def _attribute(node: _Node, version: int = 3) -> Attribute:
    optional = ("order",) if version > 2 else ()
    name, kind = node.fields("name", "type", optional=("values", "format", *optional))
    kind.text("nominal", "numeric", "date")
    if kind.value == "nominal":
        _, _, values = node.fields("name", "type", "values", optional=optional)
        labels = [value.text() for value in values.items()]
        _check_distinct(values, labels, "labels")
        order = None
        if "order" in node.value:
            order = tuple(_labels_of(node.child("order"), name.value, labels))
        return Attribute(name.text(), "nominal", tuple(labels), order=order)
    if kind.value == "date":
        node.fields("name", "type", optional=("format",))
        date_format = node.child("format").text() if "format" in node.value else None
        try:
            DateFormat(date_format or "yyyy")
        except (WidcError, ValueError):
            node.child("format").fail("a date format")
        return Attribute(name.text(), "date", format=date_format)
    node.fields("name", "type")
    return Attribute(name.text(), "numeric")


def _labels_of(node: _Node, name: str, labels: Sequence[str]) -> list[str]:
    """Return some labels of an attribute, each once."""
    there = set(labels)
    found = [item.text() for item in node.items()]
    for item in node.items():
        if item.value not in there:
            advice = did_you_mean(item.value, labels)
            item.fail(f"a label of {name!r}", repr(item.value) + advice)
    _check_distinct(node, found, "labels")
    return found


def _labels(node: _Node, version: int) -> Labels:
    optional = () if version < 3 else ("type", "cells")
    kind, attributes, values = node.fields("kind", "attributes", "values", optional=optional)
    sets = kind.text("single", "multi") == "multi"
    names = tuple(item.text() for item in attributes.items(None if sets else 1))
    labels = tuple(item.text() for item in values.items())
    if not labels:
        values.fail("at least one label")
    _check_distinct(values, list(labels), "labels")
    if sets and names != labels:
        values.fail("the label attributes again")
    cells = None
    if "cells" in node.value:
        if not sets:
            node.fail("cells of label sets only", "those of one class")
        cells = LabelCells(*(f.text() for f in node.child("cells").fields(*LabelCells._fields)))
        if not cells.separator:
            node.child("cells").child("separator").fail("one letter or more", "none")
    return Labels(kind.value, names, labels, _label_type(node, labels), cells)


def _label_type(node: _Node, labels: tuple[str, ...]) -> str:
    if "type" not in node.value:
        return ""
    name = node.child("type").text()
    if not is_label_type(name):
        node.child("type").fail("the name of a type of labels, such as 'int64'")
    if node.value["kind"] == "single":
        try:
            typed_labels(labels, name)
        except (ValueError, OverflowError):
            node.child("values").fail(f"labels of the type {name!r}")
    return name


def _rule_to_dict(rule: Rule, schema: Schema) -> dict[str, Any]:
    is_known = not math.isnan(rule.covered)
    weight = {} if rule.weight is None else {"weight": rule.weight if is_known else None}
    return {
        "if": [literal_to_dict(literal, schema) for literal in rule.monomial],
        "votes": list(rule.votes),
        "covers": list(rule.covers) if is_known else None,
        **weight,
        **({"name": rule.name} if rule.name else {}),
        **({"locked": True} if rule.locked else {}),
        **({} if rule.decides is None else {"decides": rule.decides}),
    }


def literal_to_dict(literal: Literal, schema: Schema) -> dict[str, Any]:
    """Return a literal as it stands in the model file."""
    attribute = schema.attributes[literal.attribute]
    data: dict[str, Any] = {"attribute": attribute.name, "is": literal.operator}
    if literal.operator in ("in", "not in"):
        data["value"] = [attribute.values[code] for code in literal.labels]
    elif literal.operator in ("=", "!="):
        data["value"] = attribute.values[int(literal.value)]
    elif literal.operator in ("<=", ">"):
        data["value"] = literal.value
    return data


def _rule(node: _Node, schema: Schema, positions: Positions, version: int) -> Rule:
    keys = ("if", "votes", "covers", *(("weight",) if schema.labels.are_sets else ()))
    optional = () if version < 3 else ("name", "locked", "decides")
    condition, votes, covers, *weight = node.fields(*keys, optional=optional)
    monomial = tuple(_literal(item, schema, positions, version) for item in condition.items())
    if not monomial:
        condition.fail("at least one condition")
    zeros = (0.0,) * schema.n_classes
    if "locked" in node.value and node.value["locked"] is not True:
        node.child("locked").fail("true")
    is_known = version < 3 or covers.value is not None
    rule = Rule(
        monomial,
        tuple(item.whole(-1, 1) for item in votes.items(schema.n_classes)),
        tuple(item.number(0) for item in covers.items(schema.n_classes)) if is_known else zeros,
        (weight[0].number(0) if is_known else 0.0) if weight else None,
        name=node.child("name").text() if "name" in node.value else "",
        locked="locked" in node.value,
        decides=node.child("decides").number(0) if "decides" in node.value else None,
    )
    return rule if is_known else rule.uncounted


def _literal(node: _Node, schema: Schema, positions: Positions, version: int) -> Literal:
    name, operator = node.fields("attribute", "is", optional=("value",))
    index = positions.attribute.get(name.text())
    if index is None:
        advice = did_you_mean(name.value, positions.attribute)
        name.fail("the name of an attribute", repr(name.value) + advice)
    attribute = schema.attributes[index]
    if not is_usable(attribute):
        name.fail("an attribute with its type", f"the name of {attribute.name!r} alone")
    of_value = ["=", "!=", "in", "not in"] if attribute.type == "nominal" else ["<=", ">"]
    of_any = ["known", "missing"]
    if version < 3:
        of_value, of_any = of_value[:2], []
    if operator.text(*of_value, *of_any) in of_any:
        node.fields("attribute", "is")
        return Literal(index, operator.value)
    _, _, value = node.fields("attribute", "is", "value")
    if attribute.type != "nominal":
        return Literal(index, operator.value, value.number())
    if operator.value in ("in", "not in"):
        labels = _labels_of(value, attribute.name, attribute.values)
        if not labels:
            value.fail("at least one label")
        codes = sorted(positions.code(index, label) or 0 for label in labels)
        return Literal(index, operator.value, labels=tuple(codes))
    code = positions.code(index, value.text())
    if code is None:
        value.fail(
            f"a label of {attribute.name!r}",
            repr(value.value) + did_you_mean(value.value, attribute.values),
        )
    return Literal(index, operator.value, code)


def _training(node: _Node, n_classes: int, model_version: int) -> TrainingSummary:
    examples, weights, error, options, version = node.fields(
        "examples",
        "weights",
        "error",
        "options",
        "widc_arff",
        optional=() if model_version < 3 else ("ties", "weight", "hamming"),
    )
    class_weights = tuple(item.number(0) for item in weights.items(n_classes))
    if not sum(class_weights) > 0:
        weights.fail("weights with a positive sum")
    if not isinstance(options.value, dict):
        options.fail("an object")
    return TrainingSummary(
        examples.whole(1),
        class_weights,
        math.nan if model_version > 2 and error.value is None else error.number(0, 1),
        options.value,
        version.text(),
        node.child("ties").number(0, 1) if "ties" in node.value else None,
        node.child("weight").number(0) if "weight" in node.value else None,
        node.child("hamming").number(0, 1) if "hamming" in node.value else None,
    )
