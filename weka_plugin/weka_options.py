"""Our options in the words of the Weka classifier, which has all but those of the library alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from widc_arff.errors import OptionError, did_you_mean
from widc_arff.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable

LIBRARY_ONLY = ("delta",)
"""Options that neither the command line nor the Weka classifier has."""

INDUCTION = tuple(field.name for field in fields(Options) if field.name not in LIBRARY_ONLY)
"""The options of the induction that the classifier has."""

OF_CLASSIFIER = ("layout", "python", "timeout")
"""Options of the classifier alone: how rules are printed, and how the Python process is run."""

OF_FILES = ("cut_points", "costs", "rules")
"""Options whose values may stand in a file."""


def weka_options(options: Options, files: Mapping[str, str] | None = None) -> list[str]:
    """Return options of the induction as command line words of the Weka classifier.

    Those at their defaults are left out.

    Parameters
    ----------
    options : Options
        As they hold.
    files : mapping of str to str, optional
        Where values that are tables or rules stand: `cut_points`, `costs`, `rules`.

    Raises
    ------
    OptionError
        If the classifier has no such option, or takes its value from a file only.
    """
    default, places = Options(), files or {}
    words: list[str] = []
    for field in fields(Options):
        value = getattr(options, field.name)
        if value != getattr(default, field.name):
            words += words_of(field.name, places.get(field.name, value))
    return words


def words_of(name: str, value: Any) -> list[str]:  # noqa: ANN401 - as the option has it
    """Return one option of `INDUCTION` or `OF_CLASSIFIER` as words.

    Parameters
    ----------
    name : str
        As in `Options`.
    value
        As in `Options`; rules, and a table of cut points, by the name of their file.

    Raises
    ------
    OptionError
        If there is no such option, or it takes its value from a file only.
    """
    known = INDUCTION + OF_CLASSIFIER
    if name not in known:
        raise OptionError(
            f"expected one of {', '.join(known)}, which the Weka classifier has, got {name!r}"
            + did_you_mean(name, known)
        )
    return _WORDS.get(name, _single)(name, value)


def _single(name: str, value: Any) -> list[str]:  # noqa: ANN401
    return [f"-{name.replace('_', '-')}", str(value)]


def _file_or_text(name: str, value: Any) -> list[str]:  # noqa: ANN401
    if not isinstance(value, str):
        raise OptionError(
            "expected the name of a file for the Weka classifier, got a value", option=name
        )
    return _single(name, value)


def _negation(_: str, value: bool) -> list[str]:
    return [] if value else ["-no-negation"]


def _literals(name: str, value: Any) -> list[str]:  # noqa: ANN401
    return _single(name, value if isinstance(value, str) else ",".join(value) or "plain")


def _repeated(name: str, value: Any) -> list[str]:  # noqa: ANN401
    return [word for item in value for word in _single(name, item)]


def _class_weight(name: str, value: Any) -> list[str]:  # noqa: ANN401
    if isinstance(value, str):
        return _single(name, value)
    pairs = value.items() if isinstance(value, Mapping) else value
    return _repeated(name, [f"{label}={weight!r}" for label, weight in pairs])


def _costs(name: str, value: Any) -> list[str]:  # noqa: ANN401
    if isinstance(value, str):
        return _single(name, value)
    rows = (" ".join(repr(float(cost)) for cost in row) for row in value)
    return _single(name, f"[{'; '.join(rows)}]")


_WORDS: dict[str, Callable[[str, Any], list[str]]] = {
    "cut_points": _file_or_text,
    "negation": _negation,
    "class_weight": _class_weight,
    "costs": _costs,
    "literals": _literals,
    "ordered": _repeated,
    "monotone": _repeated,
    "rules": _file_or_text,
}
"""How options are said that are not one word after their name."""
