"""What a worker and its caller say to one another, without any input or output.

A caller that is no Python program, such as the Weka classifier, starts a worker process and talks
to it in frames:

- the worker begins with a greeting: a reply that holds ``protocol``, ``widc_arff``, ``python`` and
  ``numpy``;
- a request is one line of JSON, the header, followed by as many bytes as its ``bytes`` says;
- a reply is a line ``WIDC1 N`` followed by N bytes of JSON in ASCII.

The header of the request ``train`` holds ``command``, ``bytes``, ``relation``, ``attributes`` (as
in a model file, the class attribute among them), ``class`` (its index), ``rows`` and ``options``
(as in a model file's ``training``; those that are absent have their defaults).  The bytes are the
data, row by row, in little-endian doubles: label indices, numbers, dates in milliseconds, NaN for
missing; the weight comes last.  ``files`` may hold more options, ``rules`` and ``cut_points``, each
as an object with ``name`` and ``text`` of a file, and ``layout`` says how ``text`` is laid out,
``class`` by class or ``rule`` by rule.  The reply holds ``committee`` (a model file),
``text`` (the printed table), ``graph`` (`widc_arff.reports.tree_graph`), ``warnings`` and
``cpu_seconds``; or ``error`` with ``kind``, ``message`` and, if the value of an option is at fault,
``option``, its name.
"""

from __future__ import annotations

import json
import platform
import warnings
from collections import Counter
from time import process_time
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from widc_arff.data.dataset import Dataset
from widc_arff.data.rows import check_weights, label_matrix
from widc_arff.data.schema import Labels, Schema
from widc_arff.data.survey import warn_of_identifiers
from widc_arff.errors import DataError, OptionError, ProtocolError, WidcError, WidcWarning
from widc_arff.induction import induce
from widc_arff.model.model_file import attribute_from_dict, committee_to_dict
from widc_arff.option_kinds import FileKind
from widc_arff.options import Options, settings_of
from widc_arff.reports.by_class import Layout
from widc_arff.reports.text import committee_text
from widc_arff.reports.tree_graph import tree_graph
from widc_arff.version import __version__

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute
    from widc_arff.arrays import Floats

PROTOCOL = 1

LONGEST_HEADER = 1 << 30
"""Bytes of a header line."""

LONGEST_SHOWN = 60
"""Characters of a faulty value in a message."""

_LEAVING_OUT = "the filter weka.filters.unsupervised.attribute.Remove leaves attributes out"


def greeting() -> bytes:
    """Return the frame with which a worker begins."""
    return reply(
        {
            "protocol": PROTOCOL,
            "widc_arff": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
        }
    )


def reply(data: dict[str, Any]) -> bytes:
    """Return the frame of a reply."""
    content = json.dumps(data, ensure_ascii=True).encode("ascii")
    return b"WIDC%d %d\n%s" % (PROTOCOL, len(content), content)


def parse_header(line: bytes) -> dict[str, Any]:
    """Return the header of a request.

    Raises
    ------
    ProtocolError
        If the line is no JSON object with a whole number of ``bytes``; what follows on the stream
        cannot be understood then.
    """
    if len(line) == LONGEST_HEADER and not line.endswith(b"\n"):
        raise ProtocolError(f"expected a header of less than {LONGEST_HEADER:,} bytes, got more")
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"expected a header in JSON, got {line[:60]!r}") from error
    if not isinstance(header, dict):
        raise ProtocolError(f"expected a JSON object as the header, got {_shown(header)}")
    _whole(header, "bytes")
    return header


def room_for_content(header: dict[str, Any]) -> bytearray:
    """Return the bytes that follow a header, still to be read.

    Raises
    ------
    ProtocolError
        If the header contradicts itself about their number.
    MemoryError
        If there is no room for them.
    """
    size = header["bytes"]
    if header.get("command") == "train":
        expected = 8 * _whole(header, "rows") * (len(_attributes(header)) + 1)
        if size != expected:
            raise ProtocolError(
                f"'bytes': expected {expected} for {header['rows']} rows of "
                f"{len(header['attributes'])} attributes and a weight, got {size}"
            )
    try:
        return bytearray(size)
    except OverflowError as error:
        raise MemoryError from error


def answer(header: dict[str, Any], content: bytes | bytearray) -> dict[str, Any]:
    """Return the reply to a request, as plain data; faults of the request are part of it.

    Parameters
    ----------
    header : dict
        As `parse_header` returns it.
    content : bytes
        The bytes that followed.
    """
    try:
        if header.get("command") != "train":
            raise ProtocolError(
                f"expected the command 'train', got {_shown(header.get('command'))}"
            )
        return _train(header, content)
    except (WidcError, MemoryError) as error:
        return fault(error)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        message = f"unexpected content of the request: {type(error).__name__}: {error}"
        return fault(ProtocolError(message))


def fault(error: Exception) -> dict[str, Any]:
    """Return the reply that tells an error."""
    kind = type(error).__name__
    if isinstance(error, OptionError) and error.option and not error.place:
        return {"error": {"kind": kind, "message": error.message, "option": error.option}}
    message = "not enough memory for these data" if isinstance(error, MemoryError) else str(error)
    return {"error": {"kind": kind, "message": message}}


def _train(header: dict[str, Any], content: bytes | bytearray) -> dict[str, Any]:
    start = process_time()
    layout = _layout(header)
    dataset = dataset_from(header, content)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", WidcWarning)
        warn_of_identifiers(dataset, advice=_LEAVING_OUT)
        options = options_from(header.get("options", {}), header.get("files", {}))
        committee = induce(dataset, options)
    return {
        "committee": committee_to_dict(committee),
        "text": committee_text(committee, layout or "class"),
        "graph": tree_graph(committee),
        "warnings": [str(w.message) for w in caught if issubclass(w.category, WidcWarning)],
        "cpu_seconds": process_time() - start,
    }


def dataset_from(header: dict[str, Any], content: bytes | bytearray) -> Dataset:
    """Return the data set of a request.

    Raises
    ------
    ProtocolError
        If the header is not as it should be, or the bytes do not fit it.
    ModelError
        If an attribute is not as it should be.
    """
    attributes = [attribute_from_dict(item) for item in _attributes(header)]
    relation = header.get("relation")
    if not isinstance(relation, str):
        raise ProtocolError(f"'relation': expected a text, got {_shown(relation)}")
    names = Counter(attribute.name for attribute in attributes)
    if len(names) < len(attributes):
        name = names.most_common(1)[0][0]
        raise ProtocolError(f"'attributes': expected distinct names, got {name!r} twice")
    class_index = _whole(header, "class")
    if class_index >= len(attributes) or attributes[class_index].type != "nominal":
        raise ProtocolError(
            f"'class': expected the index of a nominal attribute, below {len(attributes)}, got "
            f"{class_index}"
        )
    n_rows, n_columns = _whole(header, "rows"), len(attributes) + 1
    if len(content) != 8 * n_rows * n_columns:
        raise ProtocolError(
            f"expected {n_rows} rows of {n_columns} doubles, got {len(content)} bytes"
        )
    table = np.frombuffer(content, "<f8").reshape(n_rows, n_columns)
    target = attributes[class_index]
    used = [i for i in range(len(attributes)) if i != class_index]
    labels = Labels("single", (target.name,), target.values)
    schema = Schema(relation, tuple(attributes[i] for i in used), labels)
    return Dataset(
        schema,
        tuple(_column(table[:, i], attributes[i]) for i in used),
        label_matrix(_column(table[:, class_index], target), schema.n_classes),
        _weights(table[:, -1]),
    )


def options_from(data: dict[str, Any], files: dict[str, Any] | None = None) -> Options:
    """Return options of the induction from those of a request.

    Parameters
    ----------
    data : dict
        As in a model file's ``training``.
    files : dict, optional
        Name and text of the files that give rules or cut points.

    Raises
    ------
    ProtocolError
        If they are not as they should be.
    ArffError
        If a file is not.
    OptionError
        If a value is outside its allowed set.
    """
    if not isinstance(data, dict):
        raise ProtocolError(f"'options': expected an object, got {_shown(data)}")
    settings = settings_of(Options)
    unknown = sorted(data.keys() - settings.keys())
    if unknown:
        raise ProtocolError(f"'options': expected names of options, got {_shown(unknown[0])}")
    return Options(**data, **_options_of_files({} if files is None else files, data.keys()))


def _options_of_files(files: dict[str, Any], given: Collection[str]) -> dict[str, Any]:
    if not isinstance(files, dict):
        raise ProtocolError(f"'files': expected an object, got {_shown(files)}")
    kinds = {
        name: setting.kind
        for name, setting in settings_of(Options).items()
        if isinstance(setting.kind, FileKind)
    }
    values: dict[str, Any] = {}
    for option, file in files.items():
        name, text = (
            (file.get("name"), file.get("text")) if isinstance(file, dict) else (None, None)
        )
        if option not in kinds or not isinstance(name, str) or not isinstance(text, str):
            raise ProtocolError(
                f"'files': expected {' or '.join(kinds)} with 'name' and 'text', got "
                f"{_shown({option: file})}"
            )
        if option in given:
            raise ProtocolError(f"'files': expected {option!r} in a file or as an option, got both")
        values[option] = kinds[option].of_text(text, name)
    return values


def _whole(header: dict[str, Any], name: str) -> int:
    value = header.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ProtocolError(f"{name!r}: expected a whole number from 0, got {_shown(value)}")
    return value


def _layout(header: dict[str, Any]) -> Layout | None:
    value = header.get("layout")
    if value is not None and value not in get_args(Layout):
        choices = " or ".join(map(repr, get_args(Layout)))
        raise ProtocolError(f"'layout': expected {choices}, got {_shown(value)}")
    return value


def _attributes(header: dict[str, Any]) -> list[Any]:
    attributes = header.get("attributes")
    if not isinstance(attributes, list):
        raise ProtocolError(f"'attributes': expected a list, got {_shown(attributes)}")
    return attributes


def _shown(value: object) -> str:
    """Return a value of a header as JSON, its beginning only."""
    text = json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def _column(column: Floats, attribute: Attribute) -> NDArray[Any]:
    if attribute.type != "nominal":
        return np.ascontiguousarray(column, np.float64)
    n_labels = len(attribute.values)
    with np.errstate(invalid="ignore"):  # of infinities, which are refused below
        known = np.isnan(column) | (column % 1 == 0) & (column >= 0) & (column < n_labels)
    if not known.all():
        row = int(np.flatnonzero(~known)[0])
        raise ProtocolError(
            f"attribute {attribute.name!r}: expected label indices below {n_labels}, from 0, "
            f"got {column[row]:g} in row {row + 1}"
        )
    return np.where(np.isnan(column), -1, column).astype(np.int32)


def _weights(column: Floats) -> Floats:
    try:
        check_weights(column)
    except DataError as error:
        raise ProtocolError(str(error)) from error
    return np.ascontiguousarray(column, np.float64)
