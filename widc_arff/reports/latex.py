"""A committee as LaTeX tables that need no package but booktabs.

A table cannot go over a page, so many rules make several tables, one below the other.  Letters
beyond Latin need XeLaTeX or LuaLaTeX.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from widc_arff.reports.label_sets import default_shares, votes_of_rule
from widc_arff.reports.layout import signed
from widc_arff.reports.text import training_line, voters
from widc_arff.reports.wording import (
    conditions,
    listed,
    number,
    percent,
    purity,
    shown,
    size_in_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from widc_arff.committee import DecisionCommittee, Rule

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


def committee_latex(committee: DecisionCommittee) -> str:
    """Return a committee as tables: a rule a row with its votes, what it covers and how purely.

    With classes too many for columns, each vote has a column of classes.
    """
    schema = committee.schema
    target = escaped(shown(schema.labels.attributes[0]))
    title = f"% Decision committee for {target}: {size_in_words(committee)}"
    note = escaped(training_line(committee)) + "."
    if schema.n_classes > MOST_VOTE_COLUMNS:
        labels = [shown(label) for label in schema.labels.values]
        told = [_for_and_against(rule, labels) for rule in committee.rules]
        return _document(title, _listed_votes(committee, told, schema.n_classes), [note])
    heads, legend = _label_heads([escaped(shown(label)) for label in schema.labels.values])
    rows = []
    for k, rule in enumerate(committee.rules, start=1):
        votes = [f"${signed(vote)}$" for vote in rule.votes]
        figures = [number(rule.covered), escaped(percent(purity(rule)))]
        text = _ragged(_words(conditions(rule.monomial, schema)))
        rows.append([str(k), text, *votes, *figures])
    default = ["", "default", *(f"{share:.2f}" for share in committee.default), "", ""]
    columns = f"rp{{{0.5 if schema.n_classes <= 6 else 0.35}\\linewidth}}" + "r" * (len(heads) + 2)
    tables = _tables(columns, ["", "rule", *heads, "covers", "purity"], rows, default)
    return _document(title, tables, [legend, note])


def label_set_committee_latex(committee: DecisionCommittee, most: int) -> str:
    """Return a committee for label sets as tables with a column of labels for each vote.

    Parameters
    ----------
    committee : DecisionCommittee
        One for label sets.
    most : int
        How many labels to name for each vote of a rule.
    """
    title = f"% Decision committee for {committee.schema.n_classes} labels"
    told = [
        [votes_of_rule(committee, rule, vote, most) for vote in (1, -1)] for rule in committee.rules
    ]
    tables = _listed_votes(committee, told, most)
    return _document(f"{title}: {size_in_words(committee)}", tables, [])


def _for_and_against(rule: Rule, labels: Sequence[str]) -> list[list[str]]:
    """Return for and against which classes a rule votes, as the text has it but for votes of 0."""
    groups = voters(rule, labels)
    neutral = groups.pop(0, [])
    if neutral and ["all others"] in groups.values():
        groups = {
            vote: [f"all others but {listed(neutral)}"] if names == ["all others"] else names
            for vote, names in groups.items()
        }
    return [groups.get(1, []), groups.get(-1, [])]


def _listed_votes(
    committee: DecisionCommittee, told: Sequence[Sequence[list[str]]], most: int
) -> list[str]:
    """Return tables with a column of labels for each vote.

    Parameters
    ----------
    committee : DecisionCommittee
        With the rules.
    told : sequence of (list of str, list of str)
        Of each rule, the labels for and against which it votes.
    most : int
        How many shares of the default vector to tell.
    """
    rows = []
    for k, (rule, groups) in enumerate(zip(committee.rules, told, strict=True), start=1):
        texts = [_words(conditions(rule.monomial, committee.schema))]
        texts += [_words(group, ", ") for group in groups]
        rows.append([str(k), *map(_ragged, texts), number(rule.covered)])
    shares = _words(default_shares(committee, most), ", ")
    last = ["", "default", f"\\multicolumn{{3}}{{p{{0.5\\linewidth}}}}{{{shares}}}"]
    columns = r"rp{0.36\linewidth}p{0.23\linewidth}p{0.23\linewidth}r"
    return _tables(columns, ["", "rule", "$+1$", "$-1$", "covers"], rows, last)


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
