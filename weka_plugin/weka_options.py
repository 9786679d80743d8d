"""Our options in the words of the Weka classifier."""

from __future__ import annotations

from widc_arff.errors import OptionError
from widc_arff.options import Options


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
    for name in ("min_coverage", "negation", "class_weight", "costs", "monotone", "rules"):
        if getattr(options, name) != getattr(default, name):
            raise OptionError(f"the Weka classifier has no option {name.replace('_', '-')}")
    for name in ("pruning", "penalty", "cut_points", "max_rules", "max_literals", "max_size"):
        value = getattr(options, name)
        if value != getattr(default, name):
            words += [f"-{name.replace('_', '-')}", str(value)]
    return words
