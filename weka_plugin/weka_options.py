"""Our options in the words of the Weka classifier."""

from __future__ import annotations

from dataclasses import fields

from widc_arff.errors import OptionError
from widc_arff.options import Options

INDUCTION = (
    "pruning",
    "penalty",
    "votes",
    "vote_penalty",
    "impurity_penalty",
    "cut_points",
    "max_rules",
    "max_literals",
    "max_size",
)
"""The options of the induction that the classifier has."""


def weka_options(options: Options) -> list[str]:
    """Return options of the induction as command line words of the Weka classifier.

    Those at their defaults are left out.

    Raises
    ------
    OptionError
        If the classifier has no such option, as for tables of cut points.
    """
    if not isinstance(options.cut_points, str):
        raise OptionError("the Weka classifier takes no file of cut points")
    default = Options()
    words = []
    for field in fields(Options):
        value = getattr(options, field.name)
        if value == getattr(default, field.name):
            continue
        name = field.name.replace("_", "-")
        if field.name not in INDUCTION:
            raise OptionError(f"the Weka classifier has no option {name}")
        words += [f"-{name}", str(value)]
    return words
