"""The estimator's parameters, and docstrings that tell options, are written from their table."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path
from textwrap import fill

import widc_arff.estimator.parameters as written
from widc_arff import Options, WIDCClassifier, options
from widc_arff.estimator import classifier
from widc_arff.options import (
    OF_LABEL_SETS,
    LabelSetOptions,
    Setting,
    needs_in_words,
    settings_of,
)

DEEP = " " * 8
OWN = {"unknown": "error", "warm_start": False}
"""Parameters that are no options of the induction."""

HEAD = '''"""The parameters of the estimator.

Written by ``pytest tests/estimator/test_parameters.py --update-golden`` from
`widc_arff.options`; to change a parameter, change it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator

if TYPE_CHECKING:
    from collections.abc import Sequence


class Parameters(BaseEstimator):  # type: ignore[misc]  # sklearn is untyped
    """Keeps the parameters as they are given, which is what scikit-learn wants."""

    def __init__(  # noqa: PLR0913 - scikit-learn wants every parameter by name
        self,
        *,
'''


def source() -> str:
    """Return the module with all parameters."""
    of_sets = settings_of(LabelSetOptions)
    settings = {**settings_of(Options), **{name: of_sets[name] for name in OF_LABEL_SETS}}
    defaults = {name: setting.default for name, setting in settings.items()} | OWN
    types = {field.name: str(field.type) for field in fields(LabelSetOptions)}
    lines = []
    for name, default in defaults.items():
        declared = types.get(name, type(default).__name__).replace(
            "tuple[str, ...]", "Sequence[str]"
        )
        is_plain = not {"Weights", "Table", "Matrix", "Rule"} & {
            *re.findall("[A-Z][a-z]+", declared)
        }
        typed = f"{declared}{' | str' * (name == 'penalty')}" if is_plain else "Any"
        untyped = "" if is_plain else "  # noqa: ANN401 - a table or texts"
        shown = repr(default).replace("'", '"')
        lines.append(f"        {name}: {typed} = {shown},{untyped}\n")
    kept = "".join(f"        self.{name} = {name}\n" for name in defaults)
    return f"{HEAD}{''.join(lines)}    ) -> None:\n{kept}"


def entry(name: str, setting: Setting) -> str:
    """Return an option as a parameter of a docstring."""
    parts = [setting.help, setting.kind.note, needs_in_words(setting)]
    if setting.default is None:
        parts.append(f"None: {setting.unset}.")
    about = fill(" ".join(filter(None, parts)), 100, initial_indent=DEEP, subsequent_indent=DEEP)
    return f"    {name} : {setting.kind.python}{' or None' * (setting.default is None)}\n{about}\n"


def with_entries(text: str, name: str, settings: dict[str, Setting]) -> str:
    """Return a module with the options among the parameters in the docstring of a class."""
    before, of_class, after = text.partition(f"class {name}")
    head = "    Parameters\n    ----------\n"
    front, _, rest = after.partition(head)
    end = re.search(r"^    unknown : |^$", rest, re.MULTILINE)
    assert end is not None
    entries = "".join(entry(*pair) for pair in settings.items())
    return f"{before}{of_class}{front}{head}{entries}{rest[end.start() :]}"


def documented() -> dict[Path, str]:
    """Return the modules whose docstrings tell options, as they are to be."""
    of_sets = settings_of(LabelSetOptions)
    own = {name: of_sets[name] for name in OF_LABEL_SETS}
    text = Path(str(options.__file__)).read_text(encoding="utf-8")
    text = with_entries(text, "Options:", settings_of(Options))
    text = with_entries(text, "LabelSetOptions(", {"pruning": of_sets["pruning"], **own})
    estimator = Path(str(classifier.__file__)).read_text(encoding="utf-8")
    estimator = with_entries(estimator, "WIDCClassifier(", settings_of(Options) | own)
    return {Path(str(options.__file__)): text, Path(str(classifier.__file__)): estimator}


def test_docstrings_tell_the_options(request):
    for path, text in documented().items():
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text


def test_the_parameters_are_those_of_the_options(request):
    path = Path(str(written.__file__))
    if request.config.getoption("--update-golden"):
        path.write_text(source(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == source()


def test_a_fresh_estimator_has_the_options_of_the_library():
    parameters = inspect.signature(WIDCClassifier).parameters
    own = {name for name in parameters if name not in settings_of(LabelSetOptions)}
    assert own == set(OWN)
    for name, parameter in parameters.items():
        assert f"    {name} : " in str(WIDCClassifier.__doc__)
        if name not in OWN:
            assert parameter.default == settings_of(LabelSetOptions)[name].default
