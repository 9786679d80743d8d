"""Read pages of HTML in tests: every tag closed, nothing loaded, tables as lists of texts."""

from __future__ import annotations

from html.parser import HTMLParser

_VOID = {"meta", "br", "hr", "wbr"}
_LOADING = {"link", "script", "img", "iframe", "object", "embed", "base", "form"}


class Page(HTMLParser):
    """A well-formed page.

    ``tables`` holds for each section the rows of its tables, ``words`` its text outside of tables,
    ``ids`` and ``links`` the places and the links to them.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.words: dict[str, str] = {}
        self.ids: list[str] = []
        self.links: list[str] = []
        self._open: list[str] = []
        self._section = ""
        self.feed(html)
        self.close()
        assert self._open == []
        assert len(set(self.ids)) == len(self.ids)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in _LOADING
        given = dict(attrs)
        assert len(given) == len(attrs)
        assert not any(name.startswith("on") or name == "src" for name in given)
        if "id" in given:
            self.ids.append(str(given["id"]))
        if "href" in given:
            self.links.append(str(given["href"]))
        if tag in _VOID:
            return
        self._open.append(tag)
        if tag == "section":
            self._section = str(given["id"])
        elif tag == "tr":
            self.tables.setdefault(self._section, []).append([])
        elif tag in ("td", "th"):
            self.tables[self._section][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        if tag == "section":
            self._section = ""

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            assert "url(" not in data
            assert "@import" not in data
        elif {"td", "th"} & set(self._open):
            self.tables[self._section][-1][-1] += data
        else:
            self.words[self._section] = self.words.get(self._section, "") + data

    def row(self, section: str, head: str) -> list[str]:
        """Return the cells after the head of the first row that begins with it."""
        return next(row[1:] for row in self.tables[section] if row[0] == head)
