"""A committee as LaTeX tables that need no package but booktabs.

A table cannot go over a page, so many rules make several tables, one below the other.  Letters
beyond Latin need XeLaTeX or LuaLaTeX.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from widc_arff.reports.by_class import class_sections
from widc_arff.reports.kinds import LABELS_SHOWN, kind_of
from widc_arff.reports.layout import signed
from widc_arff.reports.wording import rule_conditions, size_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout
    from widc_arff.reports.kinds import Kind

RULES_IN_A_TABLE = 30
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # after a line break it would begin an optional argument
    "]": "{]}",
    "*": "{*}",  # and this would be its variant
    "'": "{'}",
    "`": "{`}",
    '"': r"\char34{}",
} | {mark: f"\\{mark}" for mark in "&%$#_{}"}
_OPERATORS = {r"\textless{}=": r"$\leq$", r"\textgreater{}": "$>$", "!=": r"$\neq$"} | {
    r"\textless{}": "$<$"
}


def committee_latex(
    committee: DecisionCommittee, layout: Layout = "class", most: int = LABELS_SHOWN
) -> str:
    """Return a committee as tables: class by class, or a rule a row with its votes.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets; the latter always have a rule a row.
    layout : {"class", "rule"}
        How it is laid out.
    most : int
        How many labels of a set to name for each vote of a rule.
    """
    kind = kind_of(committee, most, layout)
    title = f"% Decision committee for {escaped(kind.subject)}: {size_in_words(committee)}"
    tables: list[str] = []
    if kind.is_by_class:
        tables = _class_tables(kind)
    elif committee.rules:
        tables = _rule_tables(kind)
    notes = [escaped(note) for note in (*kind.notes(), kind.training_line + ".")]
    return _document(title, tables, notes)


def _class_tables(kind: Kind) -> list[str]:
    """Return tables of the classes with their rules."""
    rows, committee, heads = [], kind.committee, kind.figure_heads
    for section in class_sections(committee):
        name = f"\\textbf{{{escaped(section.name)}}}{'' if section.votes else ': no rule'}"
        examples = [section.examples.in_words, escaped(section.examples.percent)]
        more = [""] * (len(heads) - 2)
        rows.append([f"\\multicolumn{{3}}{{p{{0.5\\linewidth}}}}{{{name}}}", *examples, *more])
        for vote in section.votes:
            figures = [*vote.right.figures, *kind.figures(vote.rule)[3:]]
            text = _ragged(_conditions(kind, vote.rule))
            head = [f"${signed(vote.points)}$", str(vote.rule + 1), text]
            rows.append([*head, *map(escaped, figures)])
    return _tables(r"rrp{0.45\linewidth}" + "r" * len(heads), ["points", "", "rule", *heads], rows)


def _rule_tables(kind: Kind) -> list[str]:
    """Return tables with a rule a row, a column of labels for and one of labels against."""
    rows, heads = [], kind.figure_heads
    for k in range(len(kind.committee.rules)):
        texts = [_conditions(kind, k), *(_words(names, ", ") for names in kind.for_and_against(k))]
        rows.append([str(k + 1), *map(_ragged, texts), *map(escaped, kind.figures(k))])
    columns = r"rp{0.33\linewidth}p{0.17\linewidth}p{0.17\linewidth}" + "r" * len(heads)
    return _tables(columns, ["", "rule", "for", "against", *heads], rows)


def escaped(text: str) -> str:
    """Return a text in which nothing is a command."""
    text = "".join(_ESCAPES.get(letter, letter) for letter in text)
    return re.sub("-(?=-)", "-{}", text)  # no dashes of two or three


def _conditions(kind: Kind, k: int) -> str:
    return _words(rule_conditions(kind.committee, k))


def _words(parts: Iterable[str], glue: str = " and ") -> str:
    """Return conditions with their operators as mathematical signs."""
    words = escaped(glue.join(parts)).split(" ")
    return " ".join(_OPERATORS.get(word, word) for word in words)


def _ragged(words: str) -> str:
    """Return a cell of a column of fixed width, which must not be the last of its row."""
    return f"\\raggedright {words}"


def _tables(columns: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table for each so many rows."""
    lines = []
    for start in range(0, len(rows), RULES_IN_A_TABLE):
        lines += [f"\\begin{{tabular}}{{{columns}}}", r"\toprule", _row(heads), r"\midrule"]
        lines += [_row(row) for row in rows[start : start + RULES_IN_A_TABLE]]
        lines += [r"\bottomrule", r"\end{tabular}", ""]
    return lines


def _row(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _document(title: str, tables: Sequence[str], notes: Sequence[str]) -> str:
    """Return tables in a group with narrow columns, a paragraph each, and notes below."""
    told = [line for note in notes if note for line in (r"\smallskip", note, "")]
    head = [title, r"% \usepackage{booktabs}", r"{\small\setlength{\tabcolsep}{4pt}", ""]
    return "\n".join([*head, *tables, *told]).rstrip() + "\n\n}\n"
