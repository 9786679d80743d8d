"""The worker's protocol: frames and requests that are right, wrong, and almost right."""

from __future__ import annotations

import io
import json
import math
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from tests.fuzz.drawing import changed, damaged, encoded
from tests.fuzz.findings import DifferenceError, inspect_text
from tests.fuzz.targets.models import check_model
from widc_arff import errors
from widc_arff.bridge import worker
from widc_arff.bridge.protocol import answer, reply
from widc_arff.errors import ProtocolError
from widc_arff.model.committee import DecisionCommittee

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fuzz.drawing import Draw

_WEIGHTS = (1.0, 1.0, 1.0, 2.0, 0.5, 0.0)
_HOSTILE = (1e308, 5e-324, -1.0, math.inf, -math.inf, math.nan, 1e10, 2.0**31, 0.5, -0.0, 1.8e300)
_OPTIONS: dict[str, tuple[Any, ...]] = {
    "pruning": ("none", "none", "pessimistic", "optimistic", "refined", "most"),
    "cut_points": ("mdl+", "all", "quantile:3", "width:4", {"age": [1, 2]}, "width:1", {"a": 1}),
    "max_rules": (1, 3, 0, -1, 1.5),
    "max_size": (2, 5, 0, "1"),
    "penalty": (1.0, 0.0, 1e308, 3, -1.0),
    "votes": ("sparse", "one", "free", "two", None),
    "vote_penalty": (2.0, 0.0, 1e308, 3, -1.0, None),
    "impurity_penalty": (0.1, 0.0, 1e90, 1e308, 3, -1.0, None),
    "min_coverage": (1.0, 2.5, "10%", "1e%", "5000000000000%"),
    "negation": (True, False, 0),
    "class_weight": ("balanced", [["yes", 2.0]], {"yes": 2.0}, [["yes", 1e308]]),
    "costs": ([[0.0, 1.0], [2.0, 0.0]], ((0, 1e308), (1e308, 0)), 3),
    "literals": ([], ["sets", "known"], ["order"], None, "sets", [3]),
    "ordered": ([], ["job"], ["age"], "job", ["job="]),
    "monotone": (["age=+yes"], "age=+yes", ["x"]),
    "rules": ([], ["if age <= 1"], None),
    "speed": (1,),
}
_KINDS = {"MemoryError", *(name for name in dir(errors) if name.endswith("Error"))}


Request = tuple[dict[str, Any], Any]


def draw(draw: Draw) -> bytes:
    """Return what a caller writes: one or two requests."""
    data = b"".join(_request(draw) for _ in range(draw.pick((1, 1, 1, 2))))
    return damaged(draw, data) if draw.chance(0.1) else data


def check(data: bytes, folder: Path) -> bool:
    """Let the worker read the requests, and answer them; look at all replies."""
    path = folder / "requests"
    path.write_bytes(data)
    replies = io.BytesIO()
    with path.open("rb") as requests:
        found = _read(requests, replies)
    if replies.getvalue():
        _check_reply(replies.getvalue(), folder, may_lack_memory=True)
    is_accepted = False
    for header, content in found:
        learned = _check_reply(reply(answer(header, content)), folder)
        if learned and not _is_right(header, content):
            raise DifferenceError("a wrong request is answered", f"{header!r:.300}")
        is_accepted |= learned
    return is_accepted


def _read(requests: IO[bytes], replies: io.BytesIO) -> list[Request]:
    """Return the requests that the worker reads before the input ends or cannot be understood."""
    found: list[Request] = []
    try:
        found.extend(worker._requests(requests, replies))
    except (ProtocolError, MemoryError):
        if not replies.getvalue():  # it is not told
            raise
    return found


def _request(draw: Draw) -> bytes:
    hostile = draw.pick((0.0, 0.0, 0.03, 0.2))
    attributes: list[dict[str, Any]] = [{"name": "age", "type": "numeric"}]
    for name in draw.names(0, 2, hostile):
        kind = draw.pick(("nominal", "numeric", "date"))
        values = {"values": draw.names(1, 3, hostile)} if kind == "nominal" else {}
        attributes.append({"name": name, "type": kind, **values})
    attributes.append({"name": "class", "type": "nominal", "values": ["yes", "no"]})
    n_rows = draw.upto(12) + 2 * (hostile == 0)
    cells: list[float] = []
    for _ in range(n_rows):
        for attribute in attributes:
            most = len(attribute.get("values", "12345")) - 1
            value = math.nan if draw.chance(0.05) else float(draw.upto(most))
            cells.append(draw.pick(_HOSTILE) if draw.chance(hostile / 6) else value)
        cells.append(draw.pick(_HOSTILE) if draw.chance(hostile / 3) else draw.pick(_WEIGHTS))
    content = np.array(cells, "<f8").tobytes()
    options: dict[str, Any] = {"pruning": draw.pick(("none", "none", "pessimistic", "refined"))}
    while draw.chance(0.2 + hostile):
        name = draw.pick([*_OPTIONS])
        choice = _OPTIONS[name]
        options[name] = draw.pick(choice if draw.chance(0.3) else choice[:3])
    header: Any = {
        "command": "train",
        "bytes": len(content),
        "relation": draw.text(hostile),
        "attributes": attributes,
        "class": len(attributes) - 1,
        "rows": n_rows,
        "options": options,
    }
    if draw.chance(0.1):
        header["layout"] = draw.pick(("class", "rule", None, "column"))
    if draw.chance(0.15):
        header = changed(draw, header)
    elif draw.chance(0.05):
        odd = {"bytes": (10**12, 10**19, -1, True, 1.0), "class": (-1, 0, 1.0, True, 10**30)}
        key = draw.pick([*odd])
        header[key] = draw.pick(odd[key])
    return encoded(json.dumps(header)) + b"\n" + content


def _check_reply(frame: bytes, folder: Path, *, may_lack_memory: bool = False) -> bool:
    """Return whether a reply holds a committee; it is one frame that a caller can read."""
    head, _, content = frame.partition(b"\n")
    if head != b"WIDC1 %d" % len(content) or not content.isascii():
        raise DifferenceError("a frame and its size", repr(head))
    data = json.loads(content, parse_constant=_refuse)
    for message in data.get("warnings", ()):
        inspect_text(message, 1, "a warning in a reply")
    if "error" in data:
        kind = data["error"]["kind"]
        if kind == "MemoryError" and not may_lack_memory:
            raise MemoryError
        if kind not in _KINDS:
            raise DifferenceError("a kind of error that is none", repr(kind))
        # A located error may show its line; callers print the others as they are.
        inspect_text(data["error"]["message"], 3, f"a reply: {kind}")
        return False
    inspect_text(data["text"], None, "a printed model")
    check_model(DecisionCommittee.from_json(json.dumps(data["committee"])), folder / "model.json")
    return True


def _refuse(name: str) -> None:
    raise DifferenceError("JSON in a reply", name)


def _is_right(header: dict[str, Any], content: bytes) -> bool:
    """Return whether a request keeps to the protocol, as another reader of it would say."""
    attributes, n_rows, target = header["attributes"], header["rows"], header["class"]
    if type(target) is not int or type(n_rows) is not int or type(header["relation"]) is not str:
        return False
    if not 0 <= target < len(attributes) or len(content) != 8 * n_rows * (len(attributes) + 1):
        return False
    table = np.frombuffer(content, "<f8").reshape(n_rows, -1)
    for column, attribute in zip(table.T, attributes, strict=False):
        known = column[~np.isnan(column)]
        if attribute["type"] != "nominal":
            continue
        if not np.isin(known, np.arange(len(attribute["values"]))).all():
            return False
    return bool((np.isfinite(table[:, -1]) & (table[:, -1] >= 0)).all())
