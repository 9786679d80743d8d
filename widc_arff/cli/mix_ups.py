"""One kind of file where a command takes another: a model for data, data for a model."""

from __future__ import annotations

import shlex
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from widc_arff.errors import DataError, ModelError, short_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

_HEAD = 1 << 12
_MODEL_MARK = b'"widc-arff/committee"'
_TABLES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", ".arff.gz", ".xlsx")
_PURPOSES = {
    "predict": "predict classes",
    "explain": "explain decisions",
    "evaluate": "test a model on data",
    "report": "see its errors",
    "update": "fit a model to new data",
}
_OUT = {"report": " -o OUT.html"}


def with_kinds_checked(command: click.Command) -> click.Command:
    """Return a command that refuses a model where it takes data, and data where it takes a model.

    What takes which is told by the metavar of its parameters.
    """
    callback = command.callback
    assert callback is not None
    models = [p.name for p in command.params if p.metavar == "MODEL.json"]
    tables = [p.name for p in command.params if _takes_data(p)]

    @wraps(callback)
    def checked(*arguments: Any, **values: Any) -> Any:
        _require_kinds(
            str(command.name),
            [path for name in models for path in _paths(values.get(str(name)))],
            [path for name in tables for path in _paths(values.get(str(name)))],
        )
        return callback(*arguments, **values)

    command.callback = checked
    return command


def _takes_data(parameter: click.Parameter) -> bool:
    metavar = (parameter.metavar or "").removeprefix("[")
    return metavar == "IN" or metavar.startswith(("DATA.arff", "TEST.arff", "OLD.arff"))


def models_first(name: str, paths: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the model files that come first among some paths, and the data behind them.

    Raises
    ------
    DataError
        If a model comes behind data, or no data behind a model.
    """
    kinds = [_kind(path) for path in paths]
    n_models = next((i for i, kind in enumerate(kinds) if kind != "model"), len(paths))
    models, data = paths[:n_models], paths[n_models:]
    behind = [path for path, kind in zip(data, kinds[n_models:], strict=True) if kind == "model"]
    for model in models[-1:] if not data else behind:
        raise _not_data(name, model, [path for path in data if path not in behind])
    return models, data


def _paths(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        yield from value


def _require_kinds(name: str, models: list[str], tables: list[str]) -> None:
    """Raise if a file is of the other kind, with the command that does what was meant."""
    kinds = {path: _kind(path) for path in (*models, *tables)}
    data = [path for path, kind in kinds.items() if kind == "data"]
    model = next((path for path, kind in kinds.items() if kind == "model"), None)
    for path in tables:
        if kinds[path] == "model":
            raise _not_data(name, path, data)
    for path in models:
        if kinds[path] == "data":
            advice = f"widc-arff train {_quoted(path)} --model MODEL.json makes a model"
            if model is not None:
                advice = _use(name, model, path)
            raise ModelError(
                f"{short_name(path)}: expected a model file (JSON), got data; {advice}"
            )


def _not_data(name: str, model: str, data: list[str]) -> DataError:
    """Return what to raise for a model that stands where data are expected."""
    message = "expected data (ARFF, CSV or Parquet), got a model file; "
    return DataError(message + _advice(name, model, data), file=model)


def _advice(name: str, model: str, data: list[str]) -> str:
    """Return what to run with a model that stands where data are expected."""
    if name in _PURPOSES and data:
        return _use(name, model, data[0])
    if name in _PURPOSES:
        return f"{name} takes a model first, then data"
    if not data:
        shown = _quoted(model)
        return f"widc-arff show {shown} prints it, widc-arff predict {shown} DATA.arff uses it"
    return f"{name} takes data alone; " + "; ".join(
        f"to {_PURPOSES[purpose]}: {_line(purpose, model, data[0])}"
        for purpose in ("evaluate", "predict")
    )


def _use(name: str, model: str, data: str) -> str:
    return f"the model comes first, then the data: {_line(name, model, data)}"


def _line(name: str, model: str, data: str) -> str:
    return f"widc-arff {name} {_quoted(model)} {_quoted(data)}{_OUT.get(name, '')}"


def _quoted(path: str) -> str:
    return shlex.quote(short_name(path))


def _kind(path: str) -> str:
    """Return ``model`` or ``data`` by name and first bytes; an empty text of what is neither.

    Pipes and standard input, which can be read once only, and what cannot be read are neither.
    """
    if path == "-" or not Path(path).is_file():
        return ""
    try:
        with Path(path).open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return ""
    text = head.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").lstrip(b"\xff\xfe \t\r\n")
    if text.startswith(b"{"):
        return "model" if _MODEL_MARK in text else ""
    is_arff = text.startswith((b"@", b"%")) and not text.startswith(b"%PDF")
    is_table = is_arff or path.lower().endswith(_TABLES)
    return "data" if is_table else ""
