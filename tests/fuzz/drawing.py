"""What inputs are made of: names, texts and numbers, plain and hostile, and damaged bytes."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_Item = TypeVar("_Item")

PLAIN = ("a", "b", "c", "x", "age", "size", "red", "yes", "no", "0", "1", "two_words", "l1", "l2")
HOSTILE = (
    *(
        "",
        " ",
        " a",
        "a b",
        "'",
        '"',
        "''",
        "it's",
        '"q"',
        "\\",
        "\\n",
        "a\\",
        "`",
        "%s",
        "%",
        "{}",
    ),
    *("{a}", ",", ";", "\t", "\n", "\r", "a\r\nb", "\0", "a\0", "\x1b[31mred", "\x07", "\x7f"),
    *("\x85", "\xa0", "\u2028", "\u202eabc", "\ufeff", "\ud800", "\udfff", "é", "É", "日本", "👍"),
    *("?", "NA", "N/A", "nan", "null", "None", "-", "true", "TRUE", "False", "class", "first"),
    *("last", "@data", "@end", "=1+1", "+1", "@a", "<b>", "[/red]", "&amp;", "if", "and", "then"),
    *("not", "1.0", "01", "1e2", "-0", "2020-02-30", "../x", "a" * 300, "é" * 90, "ß", "İ"),
)
NUMBERS = (
    *("0", "1", "2", "3", "-1", "0.5", "1.5", "1e3", "-2.5e-3", "42", "7", "100", "0.1", "0.3"),
    *("0", "1", "2", "1.0", "-0", "-0.0", "+3", ".5", "5.", "007", "1e-320", "5e-324", "1e308"),
    *("1.7976931348623157e308", "-1e308", "9007199254740993", "18446744073709551616", "4.35"),
)
ODD_NUMBERS = (
    *("1e400", "-1e400", "nan", "NaN", "inf", "-inf", "Infinity", "-Infinity", "1_000", "1,5"),
    *("0x1p3", "1.5f", "1d", "1e", "e5", "--1", "1.2.3", "1e999999999999", "١٢", "½", "1" * 25),
    *("0." + "0" * 30 + "1", "1" * 400, "1" * 5000, "1" * 20_000 + "x", "1," * 3000 + "x"),
)
TOKENS = (
    *(b"'", b'"', b"\\", b"{", b"}", b"[", b"]", b"<", b">", b"%", b",", b";", b":", b"\n", b"\r"),
    *(b"\r\n", b"\t", b" ", b"\0", b"\x1b", b"\x80", b"\xff", b"\xc3", b"\xed\xa0\x80", b"?"),
    *(b"\xef\xbb\xbf", b"-", b"+", b".", b"0", b"1e400", b"NaN", b"null", b"true", b"@data\n"),
    *(b"99999999999999999999", b"e5", b"#", b"&", b"[" * 3000, b"9" * 5000, b"a" * 3000),
)


class Draw(Random):
    """Chance with a seed, and what is drawn by it."""

    def chance(self, share: float) -> bool:
        """Return True in a share of the draws."""
        return self.random() < share

    def pick(self, items: Sequence[_Item]) -> _Item:
        """Return one of the items."""
        return items[int(self.random() * len(items))]

    def upto(self, most: int) -> int:
        """Return a whole number from 0 to `most`."""
        return int(self.random() * (most + 1))

    def several(self, most: int, one: Callable[[], _Item]) -> list[_Item]:
        """Return up to `most` items."""
        return [one() for _ in range(self.upto(most))]

    def text(self, hostile: float = 0.2) -> str:
        """Return a text, mostly a plain one."""
        if not self.chance(hostile):
            return self.pick(PLAIN)
        if self.chance(0.01):
            return self.pick("a1é") * self.pick((4000, 30_000)) + self.pick(("", "x", "\x1b"))
        text = self.pick(HOSTILE)
        return text + self.pick(HOSTILE) if self.chance(0.3) else text

    def names(self, least: int, most: int, hostile: float = 0.2) -> list[str]:
        """Return distinct texts."""
        found = dict.fromkeys(self.text(hostile) for _ in range(least + self.upto(most - least)))
        return [*found] or ["a"]

    def number(self, odd: float = 0.02) -> str:
        """Return the text of a number; in a share of the draws not quite one."""
        if self.chance(odd):
            return self.pick(ODD_NUMBERS)
        if self.chance(0.5):
            return str(self.upto(20))
        return self.pick(NUMBERS) if self.chance(0.7) else repr(self.gauss(0, 100))

    def json_value(self, depth: int = 2) -> Any:
        """Return any value that JSON has, and some that it has not."""
        kind = self.upto(8 if depth else 6)
        if kind == 7:
            return self.several(3, lambda: self.json_value(depth - 1))
        if kind == 8:
            return {self.text(): self.json_value(depth - 1) for _ in range(self.upto(3))}
        odd = (None, True, False, 0, 1, -1, 2, 0.5, -0.5, 1e308, 5e-324, 2**53 + 1, 10**400, 10**12)
        return self.pick((*odd, float("inf"), float("nan"), "", self.text(), self.text(1)))


def encoded(text: str) -> bytes:
    """Return a text in UTF-8; surrogates as the bytes that they would have."""
    return text.encode("utf-8", "surrogatepass")


def damaged(draw: Draw, data: bytes, tokens: Sequence[bytes] = TOKENS) -> bytes:
    """Return the bytes with some taken out, put in, doubled or replaced."""
    content = bytearray(data)
    for _ in range(1 + draw.upto(2)):
        start = draw.upto(len(content))
        stop = start + draw.pick((0, 1, 1, 2, 5, 20))
        kind = draw.upto(5)
        if kind == 0:
            del content[start:stop]
        elif kind == 1:
            content[start:stop] = content[start:stop] * 2
        elif kind == 2:
            content[start : start + 1] = bytes([draw.upto(255)])
        elif kind == 3 and draw.chance(0.3):
            del content[start:]
        else:
            content[start : stop if draw.chance(0.3) else start] = draw.pick(tokens)
    return bytes(content)


def changed(draw: Draw, value: Any) -> Any:
    """Return plain data with one part replaced, left out, renamed or doubled."""
    if isinstance(value, dict) and value and draw.chance(0.9):
        key = draw.pick([*value])
        result = dict(value)
        kind = draw.upto(11)
        if kind == 0:
            del result[key]
        elif kind == 1:
            result[draw.text()] = result.pop(key)
        elif kind == 2:
            result[draw.text()] = draw.json_value()
        else:
            result[key] = changed(draw, value[key])
        return result
    if isinstance(value, list) and value and draw.chance(0.9):
        place = draw.upto(len(value) - 1)
        copies = draw.pick((0, 1, 1, 1, 1, 1, 2))
        part = [changed(draw, value[place])] if copies == 1 else [value[place]] * copies
        return [*value[:place], *part, *value[place + 1 :]]
    return draw.json_value()
