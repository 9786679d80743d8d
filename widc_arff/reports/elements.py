"""Elements of HTML, and tables that a narrow page scrolls in a box of their own.

Text comes in through `text` alone, which escapes it; attributes are escaped by `element`.  Tables
inherit text colour and background and are tinted with translucent colours, blue for and orange
against, so that they read on light and dark pages alike; signs and numbers say the same without
colour.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from widc_arff.reports.formatting import number, shown
from widc_arff.reports.layout import signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MANY_LABELS = 8
"""Above so many, the heads of the columns of labels stand upright."""
_LONG = 14
"""Labels of more letters are broken into lines."""
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


def table(
    head: Iterable[str], rows: Iterable[str], caption: str | None = None, *, dense: bool = False
) -> str:
    """Return a table of head cells and of rows, in its box; a dense one has narrow columns."""
    return element(
        "div",
        element(
            "table",
            "" if caption is None else element("caption", text(caption)),
            element("thead", element("tr", *head)),
            "\n",
            element("tbody", "\n", *(f"{row}\n" for row in rows)),
            class_="dense" if dense else None,
        ),
        class_="widc",
    )


def heads(*names: str, class_: str | None = None) -> list[str]:
    """Return head cells."""
    return [element("th", breakable(name), class_=class_, scope="col") for name in names]


def are_many(labels: Sequence[str]) -> bool:
    """Tell whether labels are too many for columns of a comfortable width."""
    return len(labels) > MANY_LABELS


def row(head: str, *cells: str, **attributes: object) -> str:
    """Return a row of cells under a head that is HTML already."""
    return element("tr", element("th", head, scope="row"), *cells, **attributes)


def label_heads(labels: Sequence[str]) -> list[str]:
    """Return a head cell for each label: upright where there are many."""
    return [_label_head(shown(label), are_many(labels)) for label in labels]


def label_row(label: str, *cells: str) -> str:
    """Return a row of cells under a label as it reads."""
    return element(
        "tr", element("th", breakable(label), class_=label_class(label), scope="row"), *cells
    )


def label_class(label: str) -> str | None:
    """Return the class of a cell with a label: short ones keep to one line."""
    return "label" if len(label) > _LONG else None


def _label_head(label: str, upright: bool) -> str:
    kind = "upright" if upright else label_class(label)
    words = text(label) if upright else breakable(label)
    return element("th", element("span", words), class_=kind, scope="col", title=label)


def cell(value: object = "", class_: str | None = None) -> str:
    """Return a cell of text."""
    return element("td", breakable(value), class_=class_)


def vote_cell(vote: int) -> str:
    """Return a cell with a vote, or with points: a sign and a colour."""
    strength = " strong" if abs(vote) > 1 else ""
    kind = "for" if vote > 0 else "against"
    return cell(signed(vote), kind + strength if vote else None)


def heat_cell(value: object, share: float, *, wrong: bool = False) -> str:
    """Return a cell that is the darker, the larger a share in [0, 1]; orange for what is wrong."""
    kind = "heat wrong" if wrong else "heat"
    return element("td", text(value), class_=kind, style=f"--h: {share:.2f}")


def shaded_count(value: float, whole: float, *, wrong: bool = False) -> str:
    """Return a cell with a weight, the darker the larger its part of a whole; 0 stands back."""
    if not value:
        return cell("0", "none")
    return heat_cell(number(value), value / whole, wrong=wrong)
