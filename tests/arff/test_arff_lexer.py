"""Weka's tokenizer, and where errors point to."""

from __future__ import annotations

import pytest

from widc_arff.arff.lexer import Lexer, SourceText, TokenKind
from widc_arff.errors import ArffError


def words(text: str) -> list[str]:
    """Return the texts of all tokens, ``|`` for line ends."""
    lexer = Lexer(SourceText(text))
    texts = []
    while (token := lexer.next()).kind is not TokenKind.FILE_END:
        texts.append("|" if token.kind is TokenKind.LINE_END else token.text)
    return texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b c\td,,e", ["a", "b", "c", "d", "e"]),
        (" ,a, ", ["a"]),
        ("a\nb\r\nc\rd", ["a", "|", "b", "|", "c", "|", "d"]),
        ("\n\r\n\r", ["|", "|", "|"]),
        ("a%b c\nd", ["a", "|", "d"]),
        ("% only", []),
        ("a{b}c", ["a", "{", "b", "}", "c"]),
        ("it's'x", ["it", "s", "x"]),
        ("a\x00b\x1fc\x7fd\x85e\u2028f", ["a", "b", "c\x7fd\x85e\u2028f"]),
        ("日本 😀", ["日本", "😀"]),
        (r"a\tb\'c d'", ["a\\tb\\", "c d"]),
    ],
)
def test_characters_group_into_words_as_in_weka(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("quoted", "content"),
    [
        (r"'a,b {%} \"c\"'", 'a,b {%} "c"'),
        (r'"it' + "'s" + '"', "it's"),
        (r"'it\'s'", "it's"),
        (r"'\t\n\r\a\b\f\v'", "\t\n\r\a\b\f\v"),
        (r"'\\n'", "\\n"),
        (r"'\q\%\u0041'", "q%u0041"),
        (r"'\101\60\0'", "A0\x00"),
        (r"'\377\4777'", "\xff'77"),
        (r"'\18'", "\x018"),
        ("'two\\\nlines'", "two\nlines"),
        ("'two\\\rlines'", "two\rlines"),
        ("''", ""),
        ("'?'", "?"),
    ],
)
def test_quotes_and_escapes_are_those_of_weka(quoted, content):
    assert words(quoted) == [content]


def test_only_the_bare_question_mark_is_missing():
    lexer = Lexer(SourceText("? '?' \"?\" ??"))
    assert [lexer.next().is_missing for _ in range(4)] == [True, False, False, False]


@pytest.mark.parametrize("text", ["'abc", "'abc\nd'", '"abc\r', "'abc\\'", "'abc\\", "'a\\\r\nb'"])
def test_a_quote_that_is_not_closed_on_its_line_is_refused(text):
    with pytest.raises(ArffError, match="expected a closing"):
        words("x\n" + text)


def test_an_error_shows_the_line_and_a_caret():
    source = SourceText("first\r\nsecond line\r\nthird", "f.arff", first_line=10)
    error = source.error("no good", source.text.index("line"))
    assert str(error) == "f.arff:11:8: no good\n    second line\n           ^"


def test_columns_of_the_first_line_count_what_stands_before_the_piece():
    error = SourceText("x y\nz", "f.arff", first_line=7, before="@data ").error("no", 2)
    assert (error.line, error.column, error.text) == (7, 9, "@data x y")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_an_error_at_a_line_end_belongs_to_the_line_that_ends(line_end):
    source = SourceText(f"ab{line_end}{line_end}cd", "f")
    assert source.line_at(2) == (1, 3, "ab")
    assert source.line_at(2 + len(line_end)) == (2, 1, "")
    assert source.line_at(2 + 2 * len(line_end)) == (3, 1, "cd")
    assert source.line_at(4 + 2 * len(line_end)) == (3, 3, "cd")


def test_a_token_that_is_pushed_back_comes_again():
    lexer = Lexer(SourceText("a b"))
    first = lexer.next()
    lexer.push_back(first)
    assert lexer.next() is first
    assert lexer.next().text == "b"


def test_the_file_ends_for_ever():
    lexer = Lexer(SourceText("a"))
    lexer.next()
    assert [lexer.next().kind for _ in range(3)] == [TokenKind.FILE_END] * 3
