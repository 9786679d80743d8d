"""The estimator's parameters are written from the table of options."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path

import widc_arff.estimator.parameters as written
from widc_arff import Options, WIDCClassifier
from widc_arff.options import OF_LABEL_SETS, LabelSetOptions, settings_of

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
