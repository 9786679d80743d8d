"""Our options in the words of the Weka classifier, which has all but those of the library alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weka_plugin.java_options import INDUCTION, OF_CLASSIFIER
from widc_arff.errors import OptionError, did_you_mean
from widc_arff.option_kinds import FileKind
from widc_arff.options import Options, settings_of
from widc_arff.options import words_of as option_words

if TYPE_CHECKING:
    from collections.abc import Mapping

OF_FILES = tuple(
    n for n, setting in settings_of(Options).items() if isinstance(setting.kind, FileKind)
)
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
    for name in settings_of(Options):
        value = getattr(options, name)
        if value != getattr(default, name):
            words += words_of(name, places.get(name, value))
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
    known = (*INDUCTION, *OF_CLASSIFIER)
    if name not in known:
        raise OptionError(
            f"expected one of {', '.join(known)}, which the Weka classifier has, got {name!r}"
            + did_you_mean(name, known)
        )
    if name in OF_CLASSIFIER:
        return [f"-{name}", str(value)]
    return option_words(name, value, dashes="-")
