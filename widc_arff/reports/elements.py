"""Elements of HTML.  Text comes in through `text` alone; `element` escapes its attributes."""

from __future__ import annotations

import re
from html import escape

_UNBROKEN = 20
"""Words of more letters may be broken: behind signs, or else after so many letters."""
_SPACES = re.compile(r"(\s+)")
_INNER_SIGN = re.compile(r"\w[^\w\s]+\w", re.ASCII)
_PIECES = re.compile(rf"[^\s_./:;,|@+-]{{1,{_UNBROKEN}}}[_./:;,|@+-]*|[_./:;,|@+-]+")


def text(value: object) -> str:
    """Return a value as text in which nothing is markup."""
    return escape(str(value))


def breakable(value: object) -> str:
    """Return a value as `text` whose words keep together, except for those that are long.

    Browsers end lines behind hyphens too, so that words with signs are marked as a whole.
    """
    return "".join(
        part if not part or part.isspace() else _word(part) for part in _SPACES.split(str(value))
    )


def _word(word: str) -> str:
    if len(word) > _UNBROKEN:
        return "<wbr>".join(map(text, _PIECES.findall(word)))
    return element("span", text(word), class_="word") if _INNER_SIGN.search(word) else text(word)


def element(name: str, *content: str, **attributes: object) -> str:
    """Return an element around content that is HTML already.

    Parameters
    ----------
    name : str
        Of the tag.
    *content : str
        HTML; text goes through `text` first.
    **attributes : object
        ``class_`` is written ``class``, other underscores become hyphens; None leaves one out.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(content)}</{name}>"
