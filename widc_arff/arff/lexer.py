r"""Weka's tokenizer: how the characters of an ARFF file group into words.

Weka reads with a ``java.io.StreamTokenizer`` in which blanks, control characters and commas are
nothing but space (so two commas are one), the line end is a token, braces stand for themselves,
``%`` starts a comment wherever it is not quoted, and everything else makes words.  Quotes are
single or double, end at the line end at the latest, and know the escapes of C: ``\n``, ``\t``,
``\101`` and so on; a backslash before any other character, a line feed included, stands for that
character.

Positions are offsets; line and column are worked out when there is an error to report.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from widc_arff.errors import ArffError

if TYPE_CHECKING:
    from collections.abc import Iterator

# The groups are in the order of `TokenKind`; a comment matches without a group.
TOKEN = re.compile(
    r"""[\x00-\x09\x0b\x0c\x0e-\x20,]*+
    (?: ([^\x00-\x20,%"'{}]++)
      | (\r\n?|\n|\Z)
      | (?: '( (?:[^'\\\r\n]++|\\[\s\S])*+ )' | "( (?:[^"\\\r\n]++|\\[\s\S])*+ )" )
      | ({)
      | (})
      | %[^\r\n]*+
      | ( '(?:[^'\\\r\n]++|\\[\s\S])*+ | "(?:[^"\\\r\n]++|\\[\s\S])*+ ) )""",
    re.VERBOSE,
)
LINE_END = re.compile(r"\r\n?|\n")
_NOTHING = re.compile(r"(?:[\x00-\x20,]++|%[^\r\n]*+)*+")  # blanks, comments and line ends
_ESCAPE = re.compile(r"\\(?:([0-3][0-7]{0,2}|[4-7][0-7]?)|([\s\S]))")
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class TokenKind(enum.IntEnum):
    """What a token is; the number of its group in `TOKEN`."""

    WORD = 1
    LINE_END = 2
    SINGLE_QUOTED = 3
    DOUBLE_QUOTED = 4
    OPEN = 5
    CLOSE = 6
    UNCLOSED = 7
    FILE_END = 8


@dataclass(frozen=True, slots=True)
class SourceText:
    """A piece of a file that knows where in the file it stands.

    Parameters
    ----------
    text : str
        The piece; it begins at the beginning of a line, but for `before`.
    source : str
        Name of the file.
    first_line : int
        Number of the first line of `text`, from 1.
    before : str
        What stands on the first line before the piece.
    context : str
        Put before every message; names the cell whose text this is, for instance.
    """

    text: str
    source: str = ""
    first_line: int = 1
    before: str = ""
    context: str = ""

    def line_at(self, offset: int) -> tuple[int, int, str]:
        """Return line number, column (both from 1) and text of the line of character `offset`."""
        counts = [self.text.count(end, 0, offset) for end in ("\n", "\r", "\r\n")]
        line = self.first_line + counts[0] + counts[1] - counts[2]
        start = max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) + 1
        following = LINE_END.search(self.text, offset)
        stop = following.start() if following else len(self.text)
        before = self.before if line == self.first_line else ""
        return line, offset - start + 1 + len(before), before + self.text[start:stop]

    def error(self, message: str, offset: int) -> ArffError:
        """Return (not raise) the error `message` located at character `offset`."""
        line, column, text = self.line_at(min(offset, len(self.text)))
        return ArffError(self.context + message, self.source, line, column, text)


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind, its text with escapes resolved, and its offset."""

    kind: TokenKind
    text: str
    offset: int

    @property
    def is_word(self) -> bool:
        """Whether the token is a word, quoted or not."""
        return self.kind in (TokenKind.WORD, TokenKind.SINGLE_QUOTED, TokenKind.DOUBLE_QUOTED)

    @property
    def is_missing(self) -> bool:
        """Whether the token is the bare question mark."""
        return self.kind is TokenKind.WORD and self.text == "?"

    @property
    def ends_line(self) -> bool:
        """Whether the line, or the file, ends here."""
        return self.kind in (TokenKind.LINE_END, TokenKind.FILE_END)

    def __str__(self) -> str:
        return _DESCRIBED.get(self.kind) or repr(self.text)


_DESCRIBED = {
    TokenKind.LINE_END: "the end of the line",
    TokenKind.FILE_END: "the end of the file",
    TokenKind.OPEN: "'{'",
    TokenKind.CLOSE: "'}'",
}


def unescaped(text: str) -> str:
    """Return the content of a quoted string with its backslash escapes resolved."""
    return _ESCAPE.sub(_resolved, text) if "\\" in text else text


def _resolved(escape: re.Match[str]) -> str:
    octal, character = escape.groups()
    return chr(int(octal, 8)) if octal else _ESCAPED.get(character, character)


def token_of(match: re.Match[str]) -> Token | None:
    """Return the token that `TOKEN` matched, or None for a comment."""
    group = match.lastindex
    if group is None:
        return None
    kind, text, offset = TokenKind(group), match[group], match.start(group)
    if kind is TokenKind.LINE_END and not text:
        kind = TokenKind.FILE_END
    elif kind in (TokenKind.SINGLE_QUOTED, TokenKind.DOUBLE_QUOTED):
        text, offset = unescaped(text), offset - 1
    return Token(kind, text, offset)


def unclosed_quote(token: Token, source: SourceText) -> ArffError:
    """Return (not raise) the error for a token of the kind UNCLOSED."""
    return source.error(
        f"premature end of line: expected a closing {token.text[0]} on the same line"
        " (a quoted value ends on its line; a line end inside it is written \\n)",
        token.offset,
    )


class Lexer:
    """The tokens of a text, one at a time, with one token of push-back.

    Parameters
    ----------
    source : SourceText
        What to read.
    """

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.offset = 0
        self._matches: Iterator[re.Match[str]] = TOKEN.finditer(source.text)
        self._pushed: Token | None = None

    def next(self, *, is_ignored: bool = False) -> Token:
        """Return the next token; FILE_END for ever at the end.

        Raises
        ------
        ArffError
            If it is a quote that is not closed on its line, unless the token `is_ignored`.
        """
        if self._pushed is not None:
            token, self._pushed = self._pushed, None
            return token
        for match in self._matches:
            found = token_of(match)
            if found is not None:
                if found.kind is TokenKind.UNCLOSED and not is_ignored:
                    raise unclosed_quote(found, self.source)
                self.offset = match.end()
                return found
        return Token(TokenKind.FILE_END, "", len(self.source.text))

    def next_on_any_line(self) -> Token:
        """Return the next token that is no line end."""
        if self._pushed is None:
            start = _NOTHING.match(self.source.text, self.offset)
            assert start is not None
            self._matches = TOKEN.finditer(self.source.text, start.end())
        token = self.next()
        while token.kind is TokenKind.LINE_END:
            token = self.next()
        return token

    def push_back(self, token: Token) -> None:
        """Make `token` the next one again."""
        self._pushed = token

    def error(self, message: str, token: Token) -> ArffError:
        """Return (not raise) the error `message` located at `token`."""
        return self.source.error(message, token.offset)
