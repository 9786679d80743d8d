"""The label XML of MULAN."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

import numpy as np

from tests.fuzz.drawing import damaged, encoded
from tests.fuzz.findings import outcome
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.data.label_sets import label_matrix_of, mulan_labels, named_labels

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fuzz.drawing import Draw

_NAMES = ("a", "b", "c", "l1", "l2", "red", "yes", "x")
_DATA = Relation(
    "r",
    tuple(Attribute(name, "nominal", ("0", "1")) for name in _NAMES),
    tuple(np.array([0, 1, -1]) for _ in _NAMES),
    np.ones(3),
)
_ENCODINGS = ("utf-8", "utf-8", "utf-8", "UTF-16", "iso-8859-1", "cp037", "x", "idna", "utf-7", "")
_PARTS = (
    *("<!-- -->", "<!---->", "<![CDATA[x]]>", "<?x y?>", "text", "&lt;", "&#0;", "&#27;", "&x;"),
    *("<label/>", "<label name=''/>", "<labels/>", "<label name='a' name='b'/>", "<x:label/>"),
    *("<label xmlns='u' name='q'/>", "</label>", "<label name='&#27;[31m'/>", "<" + "a" * 9000),
    *('<!DOCTYPE l [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>', "<label name='x\x1b'/>", "\0"),
    *("<label name='" + "a" * 9000 + "'/>", "<label name='" + "é" * 3000 + "' x=''/>" * 2),
    "<label name='d'>" * 400 + "</label>" * 400,
)


def draw(draw: Draw) -> bytes:
    """Return a label document."""
    space = "" if draw.chance(0.4) else ' xmlns="http://mulan.sourceforge.net/labels"'
    if draw.chance(0.02):
        space = f" xmlns={quoteattr(draw.text(0.5))}"
    hostile = draw.pick((0.0, 0.05, 0.3))
    names = draw.names(1, 5, hostile)
    text = f"<labels{space}>{_labels(draw, names, hostile)}</labels>"
    if draw.chance(0.3):
        encoding = draw.pick(_ENCODINGS[:3]) if draw.chance(0.8) else draw.pick(_ENCODINGS)
        text = f'<?xml version="1.0" encoding="{encoding}"?>\n' + text
    data = encoded(text)
    if draw.chance(0.03):
        data = text.encode("utf-16", "replace")
    return damaged(draw, data) if draw.chance(0.2) else data


def check(data: bytes, folder: Path) -> bool:
    """Read the labels, and look for them in data."""
    path = folder / "labels.xml"
    path.write_bytes(data)
    names = mulan_labels(path)
    outcome(lambda: label_matrix_of(_DATA, named_labels(_DATA, names, "labels.xml")))
    return True


def _labels(draw: Draw, names: list[str], hostile: float) -> str:
    parts: list[str] = []
    for name in names:
        inner = f"<label name='in {name.isalnum() and name}'/>" if draw.chance(0.03) else ""
        quoted = quoteattr(name)
        parts.append(
            f"<label name={quoted}>{inner}</label>" if inner else f"<label name={quoted}/>"
        )
        if draw.chance(hostile / 2):
            parts.append(draw.pick(_PARTS))
        parts.append(draw.pick(("", "\n", " ")))
    return "".join(parts)
