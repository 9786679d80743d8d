"""Our options in the words of the Weka classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.errors import OptionError

if TYPE_CHECKING:
    from widc_arff.options import Options


def weka_options(options: Options) -> list[str]:
    """Return options of the induction as command line words of the Weka classifier.

    Those at their defaults are left out.

    Raises
    ------
    OptionError
        If the classifier has no such option: tables of cut points.
    """
    if not isinstance(options.cut_points, str):
        raise OptionError("the Weka classifier takes no file of cut points")
    words = []
    if options.pruning != "pessimistic":
        words += ["-pruning", options.pruning]
    if options.cut_points != "mdl+":
        words += ["-cut-points", options.cut_points]
    for name in ("max_rules", "max_literals", "max_size"):
        value = getattr(options, name)
        if value is not None:
            words += [f"-{name.replace('_', '-')}", str(value)]
    return words
