"""What a page holds: the model file, and the columns of rows, as bytes that the browser unpacks.

A header in JSON says where each array begins; behind it the arrays lie as they do in memory, in
little-endian order, and all of it is compressed.  Of a column of numbers the distinct ones are
held, and for each row which of them it has.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.data.schema import is_usable
from widc_arff.evaluation.outcomes import EVALUATIONS
from widc_arff.induction.sample.learning_sample import LearningSample
from widc_arff.induction.sample.weighting import weighted_by_class
from widc_arff.model.label_orders import order_of
from widc_arff.model.literals import OPERATORS
from widc_arff.model.model_file import committee_to_dict
from widc_arff.options import options_of
from widc_arff.reports.formatting import counted, listed
from widc_arff.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute
    from widc_arff.arrays import Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix
    from widc_arff.model.rules import Provenance

MOST_ROWS = 50_000
"""Rows of a file that go into a page, unless somebody wants more."""
_ALIGNED = 8
_TYPES = ("u1", "u2", "u4")


@dataclass(frozen=True, slots=True, eq=False)
class NamedRows:
    """Rows of a file.

    Parameters
    ----------
    name : str
        Of the file, for the reader.
    dataset : Dataset
        Those that go into the page, in a schema that knows all attributes that do.
    numbers : ndarray of int64 of shape (n_samples,)
        Of the rows in the file, counted from 0.
    """

    name: str
    dataset: Dataset
    numbers: Integers

    @classmethod
    def all_of(cls, name: str, dataset: Dataset) -> NamedRows:
        """Return all rows of a data set."""
        return cls(name, dataset, np.arange(dataset.n_samples))

    def at_most(self, n: int) -> NamedRows:
        """Return so many of the rows, evenly spread."""
        n_rows = len(self.numbers)
        chosen = np.arange(min(n, n_rows)) * n_rows // max(min(n, n_rows), 1)
        return NamedRows(self.name, self.dataset.take(chosen), self.numbers[chosen])

    def in_words(self, rows_in_file: int, test: NamedRows | None) -> str:
        """Return what a page holds with these rows, of so many, and some to test on."""
        schema = self.dataset.schema
        n_usable = sum(map(is_usable, schema.attributes))
        left_out = len(schema.attributes) - n_usable
        n_rows = len(self.numbers)
        parts = [
            counted(n_rows, "row") + ("" if n_rows == rows_in_file else f" of {rows_in_file}"),
            *([] if test is None else [counted(len(test.numbers), "test row")]),
            counted(n_usable, "attribute") + (f" ({left_out} left out)" if left_out else ""),
            "their labels" if schema.labels.are_sets else "the class",
        ]
        held = [self.dataset, *([] if test is None else [test.dataset])]
        if any((rows.weights != 1).any() for rows in held):
            parts.append("weights")
        return listed(parts)


@dataclass(frozen=True, slots=True)
class Told:
    """What a page says of where it comes from, and of how to go on.

    Parameters
    ----------
    model : str
        Name of the model file.
    rows_in_file : int
        How many rows the data have, of which the page may hold some.
    evaluate, edit, learn : str
        Commands that test the model file of the page, that fit its rules to all rows, and that
        learn others around them; ``@model@``, ``@rules@`` and ``@next@`` stand for the files.
    """

    model: str
    rows_in_file: int
    evaluate: str
    edit: str
    learn: str


def packed_content(
    committee: DecisionCommittee,
    data: NamedRows,
    test: NamedRows | None,
    page: Told,
    costs: CostMatrix | None,
    origin: Provenance | None,
) -> str:
    """Return all that a page holds, compressed and in base64.

    Parameters
    ----------
    committee : DecisionCommittee
        As its model file has it.
    data, test : NamedRows
        Rows to learn from, and to test on, in one schema: what it knows of the attributes of the
        committee goes in.
    page : Told
        Names of the files, and commands.
    costs : tuple of tuple of float, optional
        By which the page decides.
    origin : Provenance or None
        What a model says of its origin if its figures are those of the rows; None: what it says.

    Raises
    ------
    DataError
        If there is no row to learn from, or to test on.
    """
    kind = EVALUATIONS[committee.schema.labels.kind]
    kind.require_rows(data.dataset, data.name)
    if test is not None:
        kind.require_rows(test.dataset, test.name)
        if test.name == data.name:
            test = replace(test, name=f"{test.name} (test)")
    schema = data.dataset.schema
    known = replace(committee, schema=schema)
    read, entries = known.as_read().schema, _entries(known)
    places = [i for i, attribute in enumerate(schema.attributes) if is_usable(attribute)]
    arrays = _Arrays()
    header = {
        "model": committee_to_dict(committee),
        "verbatim": _verbatim(committee, origin),
        "attributes": [
            {
                "name": schema.attributes[i].name,
                "read": read.attributes[i].name,
                "type": schema.attributes[i].type,
                "values": list(schema.attributes[i].values),
                "format": schema.attributes[i].format,
                "order": _order(schema.attributes[i]),
                "entry": entries[schema.attributes[i].name],
            }
            for i in places
        ],
        "kinds": OPERATORS,
        "labels": list(schema.labels.values),
        "labelsRead": list(read.labels.values),
        "target": read.labels.attributes[0],
        "areSets": schema.labels.are_sets,
        "data": _rows(data, places, arrays),
        "test": None if test is None else _rows(test, places, arrays),
        "fit": _fit(known, data.dataset, arrays),
        "costs": costs,
        "files": {
            "data": data.name,
            "rowsInFile": page.rows_in_file,
            **{name: getattr(page, name) for name in ("model", "evaluate", "edit", "learn")},
        },
    }
    return base64.b64encode(zlib.compress(arrays.behind(header), 9)).decode("ascii")


class _Arrays:
    """Arrays one behind the other."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._at = 0

    def add(self, values: NDArray[Any], kind: str) -> dict[str, Any]:
        """Return where an array will be, from the end of the header on."""
        data = np.ascontiguousarray(values).astype(f"<{kind}").tobytes()
        place = {"type": kind, "at": self._at, "n": len(values)}
        data += bytes(-len(data) % _ALIGNED)
        self._parts.append(data)
        self._at += len(data)
        return place

    def codes(self, values: Integers, n: int) -> dict[str, Any]:
        """Return where codes from 0 to n will be, in the least room."""
        bits = int(n).bit_length()
        return self.add(values, next(t for t in _TYPES if bits <= 8 * int(t[1])))

    def behind(self, header: dict[str, Any]) -> bytes:
        """Return a header with its length, and the arrays behind it."""
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
        text += b" " * (-(len(text) + 8) % _ALIGNED)
        return len(text).to_bytes(8, "little") + text + b"".join(self._parts)


def _entries(committee: DecisionCommittee) -> dict[str, dict[str, Any]]:
    """Return what a model file says of the attributes that a committee knows."""
    entries = committee_to_dict(committee)["attributes"]
    return {entry["name"]: entry for entry in entries if isinstance(entry, dict)}


def _order(attribute: Attribute) -> list[int]:
    """Return the codes of the labels that have an order, in it."""
    codes = {label: code for code, label in enumerate(attribute.values)}
    return [codes[label] for label in order_of(attribute)]


def _verbatim(committee: DecisionCommittee, origin: Provenance | None) -> dict[str, str]:
    """Return parts of the model file that no change touches, as they stand there."""
    as_read = committee_to_dict(committee)
    anew = as_read if origin is None else committee_to_dict(replace(committee, provenance=origin))

    def text(value: object) -> str:
        return "" if value is None else json.dumps(value, ensure_ascii=False)

    return {
        "labels": text(as_read["labels"]),
        "options": text(as_read["training"]["options"]),
        "names": text(as_read.get("names")),
        "provenance": text(anew.get("provenance")),
        "provenanceAsRead": text(as_read.get("provenance")),
        "version": text(__version__),
    }


def _rows(rows: NamedRows, places: Sequence[int], arrays: _Arrays) -> dict[str, Any]:
    dataset, sets = rows.dataset, rows.dataset.schema.labels.are_sets
    columns = []
    for i in places:
        column, attribute = np.asarray(dataset.columns[i]), dataset.schema.attributes[i]
        if attribute.type == "nominal":
            n = len(attribute.values)
            columns.append({"codes": arrays.codes(np.where(column < 0, n, column), n)})
            continue
        held = np.isnan(column)
        distinct, codes = np.unique(column[~held] + 0.0, return_inverse=True)
        of_row = np.full(len(column), len(distinct))
        of_row[~held] = codes
        numbers = arrays.add(distinct, "f8")
        columns.append({"codes": arrays.codes(of_row, len(distinct)), "values": numbers})
    nothing = np.zeros(0)
    return {
        "name": rows.name,
        "n": dataset.n_samples,
        "numbers": arrays.add(rows.numbers + 1, "u4"),
        "columns": columns,
        "classes": arrays.add(nothing if sets else dataset.classes, "i4"),
        "Y": arrays.add(dataset.Y.ravel() if sets else nothing, "u1"),
        "known": arrays.add(dataset.labelled, "u1"),
        "weights": None
        if (dataset.weights == 1).all()
        else arrays.add(np.asarray(dataset.weights), "f8"),
    }


def _fit(committee: DecisionCommittee, dataset: Dataset, arrays: _Arrays) -> dict[str, Any]:
    """Return how the rows count where figures are fitted anew, as `refitted` counts them."""
    options = options_of(committee)

    def quanta(examples: Dataset, sample: LearningSample) -> dict[str, Any]:
        weights = np.zeros(examples.n_samples)
        weights[examples.labelled & (examples.weights > 0)] = sample.weights
        return arrays.add(weights, "f8")

    in_data, weighted = LearningSample.of(dataset), None
    if not committee.schema.labels.are_sets and not options.weights_stay:
        by_class = weighted_by_class(dataset, options)
        weighted = quanta(by_class, LearningSample.of(by_class))
    return {
        "told": quanta(dataset, in_data),
        "sample": weighted,
        "quantum": in_data.quantum,
        "exampleWeight": in_data.example_weight,
        "penalty": options.penalty,
        "hasSeen": isinstance(options.cut_points, str),
    }
