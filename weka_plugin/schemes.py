"""Classifiers of Weka by name, with their options."""

from __future__ import annotations

import shlex
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from widc_arff.errors import WidcError, did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

WIDC = "weka.classifiers.rules.WIDC"


@dataclass(frozen=True, slots=True)
class Scheme:
    """A classifier with its options.

    Parameters
    ----------
    name : str
        As it is shown.
    classname : str
        Java class.
    options : tuple of str
        As on Weka's command line.
    """

    name: str
    classname: str
    options: tuple[str, ...]


def parse_scheme(text: str, weka_jar: Path) -> Scheme:
    """Return the scheme of a command line; a short name is looked up in weka.jar."""
    words = shlex.split(text)
    if not words:
        raise WidcError("expected the name of a classifier, got an empty text")
    name, options = words[0], tuple(words[1:])
    if name in ("WIDC", WIDC):
        return Scheme(text, WIDC, options)
    with zipfile.ZipFile(weka_jar) as archive:
        classes = [
            entry.removesuffix(".class").replace("/", ".")
            for entry in archive.namelist()
            if entry.startswith("weka/classifiers/") and entry.endswith(".class")
        ]
    named = [entry for entry in classes if entry == name or entry.rpartition(".")[2] == name]
    if not named:
        short = [entry.rpartition(".")[2] for entry in classes if "$" not in entry]
        raise WidcError(f"expected a classifier of Weka, got {name!r}" + did_you_mean(name, short))
    return Scheme(text, named[0], options)
