"""A committee as LaTeX tables that need no package but booktabs.

A table cannot go over a page, so many rules make several tables, one below the other.  Letters
beyond Latin need XeLaTeX or LuaLaTeX.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from widc_arff.reports.by_class import class_sections, how_it_decides, layout_for
from widc_arff.reports.kinds import LABELS_SHOWN, kind_of
from widc_arff.reports.layout import signed
from widc_arff.reports.wording import (
    conditions,
    number,
    percent,
    purity,
    size_in_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout
    from widc_arff.reports.kinds import Kind

RULES_IN_A_TABLE = 30
MOST_VOTE_COLUMNS = 12
_LETTERS_IN_HEADS = 36
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
    committee: DecisionCommittee, layout: Layout | None = None, most: int = LABELS_SHOWN
) -> str:
    """Return a committee as tables: class by class, or a rule a row with its votes.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets.
    layout : {"class", "rule"}, optional
        By default class by class from four classes on.
    most : int
        How many labels of a set to name for each vote of a rule.
    """
    kind = kind_of(committee, most)
    title = f"% Decision committee for {escaped(kind.subject)}: {size_in_words(committee)}"
    return _document(title, *_TABLES[committee.schema.labels.kind](kind, layout))


def _tables_of_classes(kind: Kind, layout: Layout | None) -> tuple[list[str], list[str]]:
    """Return tables and notes."""
    committee, schema = kind.committee, kind.committee.schema
    note = escaped(kind.training_line) + "."
    if layout_for(committee, layout) == "class":
        return _class_tables(committee), [escaped(how_it_decides(committee)), note]
    if schema.n_classes > MOST_VOTE_COLUMNS:
        told = [_for_and_against(kind.votes(k)) for k in range(len(committee.rules))]
        return _listed_votes(kind_of(committee, schema.n_classes), ["for", "against"], told), [note]
    heads, legend = _label_heads([escaped(label) for label in kind.labels])
    rows = []
    for k, (rule, points) in enumerate(zip(committee.rules, committee.points, strict=True), 1):
        votes = [f"${signed(n)}$" for n in points]
        figures = [number(rule.covered), escaped(percent(purity(rule)))]
        text = _ragged(_words(conditions(rule.monomial, schema)))
        rows.append([str(k), text, *votes, *figures])
    default = ["", "default", *(f"{share:.2f}" for share in committee.default), "", ""]
    columns = f"rp{{{0.5 if schema.n_classes <= 6 else 0.35}\\linewidth}}" + "r" * (len(heads) + 2)
    tables = _tables(columns, ["", "rule", *heads, "covers", "purity"], rows, default)
    return tables, [legend, note]


def _tables_of_sets(kind: Kind, _: Layout | None) -> tuple[list[str], list[str]]:
    told = [[*kind.votes(k).values()] for k in range(len(kind.committee.rules))]
    return _listed_votes(kind, ["$+1$", "$-1$"], told), []


_TABLES = {"single": _tables_of_classes, "multi": _tables_of_sets}


def _class_tables(committee: DecisionCommittee) -> list[str]:
    """Return tables of the classes with their rules."""
    rows = []
    for section in class_sections(committee):
        name = f"\\textbf{{{escaped(section.name)}}}"
        examples = [section.examples.in_words, escaped(section.examples.percent)]
        rows.append([f"\\multicolumn{{3}}{{p{{0.6\\linewidth}}}}{{{name}}}", *examples])
        for vote in section.votes:
            monomial = committee.rules[vote.rule].monomial
            text = _ragged(_words(conditions(monomial, committee.schema)))
            figures = [vote.covered.in_words, escaped(vote.covered.percent)]
            rows.append([f"${signed(vote.points)}$", str(vote.rule + 1), text, *figures])
    heads = ["points", "", "rule", "of the class", "share"]
    return _tables(r"rrp{0.55\linewidth}rr", heads, rows)


def _for_and_against(points: Mapping[int, list[str]]) -> list[list[str]]:
    """Return for and against which classes a rule is, those with two points marked."""
    named = {
        n: [f"{name} ({signed(n)})" if abs(n) > 1 else name for name in names]
        for n, names in points.items()
    }
    return [[*named.get(sign * 2, []), *named.get(sign, [])] for sign in (1, -1)]


def _listed_votes(
    kind: Kind, heads: Sequence[str], told: Sequence[Sequence[list[str]]]
) -> list[str]:
    """Return tables with a column of labels for and one of labels against.

    Parameters
    ----------
    kind : Kind
        With the rules, and how many shares of the default vector to tell.
    heads : sequence of str
        Of the two columns.
    told : sequence of (list of str, list of str)
        Of each rule, the labels for and against which it votes.
    """
    rows, committee = [], kind.committee
    for k, (rule, groups) in enumerate(zip(committee.rules, told, strict=True), start=1):
        texts = [_words(conditions(rule.monomial, committee.schema))]
        texts += [_words(group, ", ") for group in groups]
        rows.append([str(k), *map(_ragged, texts), number(rule.covered)])
    shares = _words(kind.default_shares(), ", ")
    last = ["", "default", f"\\multicolumn{{3}}{{p{{0.5\\linewidth}}}}{{{shares}}}"]
    columns = r"rp{0.36\linewidth}p{0.23\linewidth}p{0.23\linewidth}r"
    return _tables(columns, ["", "rule", *heads, "covers"], rows, last)


def escaped(text: str) -> str:
    """Return a text in which nothing is a command."""
    text = "".join(_ESCAPES.get(letter, letter) for letter in text)
    return re.sub("-(?=-)", "-{}", text)  # no dashes of two or three


def _words(parts: Iterable[str], glue: str = " and ") -> str:
    """Return conditions with their operators as mathematical signs."""
    words = escaped(glue.join(parts)).split(" ")
    return " ".join(_OPERATORS.get(word, word) for word in words)


def _ragged(words: str) -> str:
    """Return a cell of a column of fixed width, which must not be the last of its row."""
    return f"\\raggedright {words}"


def _label_heads(labels: Sequence[str]) -> tuple[list[str], str]:
    """Return heads of the vote columns: numbers with a legend where the labels are too long."""
    if sum(map(len, labels)) <= _LETTERS_IN_HEADS:
        return list(labels), ""
    numbers = [str(j + 1) for j in range(len(labels))]
    named = ", ".join(f"{n}: {label}" for n, label in zip(numbers, labels, strict=True))
    return numbers, f"Classes: {named}."


def _tables(
    columns: str, heads: Sequence[str], rows: Sequence[Sequence[str]], last: Sequence[str] = ()
) -> list[str]:
    """Return a table for each so many rules, the last row under a rule of its own."""
    lines = []
    for start in range(0, max(len(rows), 1), RULES_IN_A_TABLE):
        lines += [f"\\begin{{tabular}}{{{columns}}}", r"\toprule", _row(heads), r"\midrule"]
        lines += [_row(row) for row in rows[start : start + RULES_IN_A_TABLE]]
        if last and start + RULES_IN_A_TABLE >= len(rows):
            lines += [r"\midrule", _row(last)] if rows else [_row(last)]
        lines += [r"\bottomrule", r"\end{tabular}", ""]
    return lines


def _row(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _document(title: str, tables: Sequence[str], notes: Sequence[str]) -> str:
    """Return tables in a group with narrow columns, a paragraph each, and notes below."""
    told = [line for note in notes if note for line in (r"\smallskip", note, "")]
    head = [title, r"% \usepackage{booktabs}", r"{\small\setlength{\tabcolsep}{4pt}", ""]
    return "\n".join([*head, *tables, *told]).rstrip() + "\n\n}\n"
