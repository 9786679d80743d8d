"""The style sheets of pages and plots, which stand in `style/`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def style_sheet(*names: str) -> str:
    """Return the text of some style sheets, one behind the other."""
    folder = files("widc_arff.reports") / "style"
    return "".join((folder / f"{name}.css").read_text(encoding="utf-8") for name in names)
