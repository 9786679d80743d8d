"""Results of evaluations.

One file is told at length, of several each gets a row; of classes and of label sets each kind has
a table of its own.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from widc_arff.errors import one_line
from widc_arff.reports.blocks import Column, Heading, Table, columns
from widc_arff.reports.formatting import mean
from widc_arff.reports.kinds import KINDS
from widc_arff.reports.layout import fixed, short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from widc_arff.evaluation.outcomes import Evaluation
    from widc_arff.reports.blocks import Block
    from widc_arff.reports.kind import Kind

_WIDEST_NAME = 36


def evaluation_report(evaluation: Evaluation[Any]) -> list[Block]:
    """Return the result for one file: errors, sizes, measures; of classes also confusions."""
    title = Heading(f"{evaluation.source}: {evaluation.method}", 1)
    return [title, *evaluation_blocks(evaluation)]


def evaluations_report(evaluations: Sequence[Evaluation[Any]]) -> list[Block]:
    """Return a row per file, and the means."""
    of_kinds = {kind: [e for e in evaluations if e.kind == name] for name, kind in KINDS.items()}
    tables = (_table_of_files(kind, found) for kind, found in of_kinds.items() if found)
    return [*chain.from_iterable(tables)]


def evaluation_blocks(evaluation: Evaluation[Any], *more: tuple[str, str]) -> list[Block]:
    """Return errors, sizes, measures, and more figures; of classes also what is taken for what."""
    kind = KINDS[evaluation.kind]
    figures = [*kind.evaluated(evaluation), *more]
    return [figures_table(figures), *kind.evaluated_by_class(evaluation)]


def figures_table(figures: Sequence[tuple[str, str]]) -> Table:
    """Return a table of names and values."""
    return Table([Column("", "head", 20), Column("", "words")], figures)


def ways_report(evaluation: Evaluation[Any], others: Mapping[str, Evaluation[Any]]) -> list[Block]:
    """Return a row for one committee for all labels, and one for each other way, by its name."""
    names = ("Hamming", "exact", "micro F1", "macro F1", "rank loss", "log loss", "conditions")
    rows = []
    for name, found in {"one committee for all": evaluation, **others}.items():
        m = found.measures
        values = (m.hamming_loss, m.subset_accuracy, m.micro_f1, m.macro_f1, m.ranking_loss)
        losses = [fixed(value, 3) for value in (*values, m.log_loss)]
        rows.append([name, *losses, f"{found.literals:.1f}"])
    return ["On the same folds:", Table(columns("", *names), rows)]


def _table_of_files(kind: type[Kind], evaluations: Sequence[Evaluation[Any]]) -> list[Block]:
    figures = kind.evaluated_columns(evaluations[0])
    rows = [
        [
            short(one_line(e.source), _WIDEST_NAME, keep_end=True),
            str(e.examples),
            *(figure.in_words(figure.value(e)) for figure in figures),
        ]
        for e in evaluations
    ]
    means = [f.in_words(mean(map(f.value, evaluations))) if f.has_mean else "" for f in figures]
    heads = columns("file", "rows", *(figure.head for figure in figures))
    return [
        f"{evaluations[0].method}; default vectors not counted",
        Table(heads, [*rows, ["mean", "", *means]]),
    ]
