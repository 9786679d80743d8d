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
missing; the weight comes last.  The reply holds ``committee`` (a model file), ``text`` (the printed
table), ``warnings`` and ``cpu_seconds``; or ``error`` with ``kind`` and ``message``.
"""

from __future__ import annotations

import json
import platform
import warnings
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff import __version__
from widc_arff.dataset import Dataset, Labels, Schema, label_matrix
from widc_arff.errors import ProtocolError, WidcError, WidcWarning
from widc_arff.induction import induce
from widc_arff.model_file import attribute_from_dict, committee_to_dict
from widc_arff.options import Options, cut_point_table
from widc_arff.reports.text import committee_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute

PROTOCOL = 1


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
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"expected a header in JSON, got {line[:60]!r}") from error
    size = header.get("bytes") if isinstance(header, dict) else None
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise ProtocolError(f"expected a whole number of bytes in the header, got {size!r}")
    assert isinstance(header, dict)
    return header


def answer(header: dict[str, Any], content: bytes) -> dict[str, Any]:
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
            raise ProtocolError(f"expected the command 'train', got {header.get('command')!r}")
        return _train(header, content)
    except WidcError as error:
        return {"error": {"kind": type(error).__name__, "message": str(error)}}
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        message = f"unexpected content of the request: {type(error).__name__}: {error}"
        return {"error": {"kind": "ProtocolError", "message": message}}
    except MemoryError:
        return {"error": {"kind": "MemoryError", "message": "not enough memory for these data"}}


def _train(header: dict[str, Any], content: bytes) -> dict[str, Any]:
    start = process_time()
    dataset = dataset_from(header, content)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", WidcWarning)
        committee = induce(dataset, options_from(header.get("options", {})))
    return {
        "committee": committee_to_dict(committee),
        "text": committee_text(committee),
        "warnings": [str(warning.message) for warning in caught],
        "cpu_seconds": process_time() - start,
    }


def dataset_from(header: dict[str, Any], content: bytes) -> Dataset:
    """Return the data set of a request.

    Raises
    ------
    ProtocolError
        If the bytes do not fit the header.
    """
    attributes = [attribute_from_dict(item) for item in header["attributes"]]
    n_rows, n_columns = header["rows"], len(attributes) + 1
    if len(content) != 8 * n_rows * n_columns:
        raise ProtocolError(
            f"expected {n_rows} rows of {n_columns} doubles, got {len(content)} bytes"
        )
    table = np.frombuffer(content, "<f8").reshape(n_rows, n_columns)
    target = attributes[header["class"]]
    used = [i for i in range(len(attributes)) if i != header["class"]]
    labels = Labels("single", (target.name,), target.values)
    schema = Schema(header["relation"], tuple(attributes[i] for i in used), labels)
    return Dataset(
        schema,
        tuple(_column(table[:, i], attributes[i]) for i in used),
        label_matrix(_column(table[:, header["class"]], target), schema.n_classes),
        np.ascontiguousarray(table[:, -1], np.float64),
    )


def options_from(data: dict[str, Any]) -> Options:
    """Return options of the induction from those of a request."""
    cut_points = data.get("cut_points", "mdl+")
    if not isinstance(cut_points, str):
        cut_points = cut_point_table(cut_points)
    return Options(**{**data, "cut_points": cut_points})


def _column(column: NDArray[np.float64], attribute: Attribute) -> NDArray[Any]:
    if attribute.type != "nominal":
        return np.ascontiguousarray(column, np.float64)
    codes = np.where(np.isnan(column), -1, column).astype(np.int32)
    if codes.max(initial=-1) >= len(attribute.values):
        raise ProtocolError(
            f"expected label indices below {len(attribute.values)} for {attribute.name!r}, "
            f"got {codes.max()}"
        )
    return codes
