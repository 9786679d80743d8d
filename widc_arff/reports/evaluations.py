"""Results of evaluations as plain text of 80 columns and as Markdown.

One file is told at length, of several each gets a row; of classes and of label sets each kind has
a table of its own.
"""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from widc_arff.errors import one_line
from widc_arff.evaluation.outcomes import ClassEvaluation, LabelSetEvaluation
from widc_arff.reports.layout import WIDTH, fixed, in_columns, short
from widc_arff.reports.markdown import escaped, table_row
from widc_arff.reports.wording import counted, mean, number, percent, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from widc_arff.evaluation.outcomes import Evaluation


class _Column(NamedTuple):
    """A column of a table with a row per file."""

    head: str
    value: Callable[[Any], float]
    told: Callable[[float], str]
    has_mean: bool = True


class _Told(NamedTuple):
    """How evaluations of one kind are told.

    Figures are names and values for one file, more are the lines below.  Columns are those behind
    file and examples in a table of several, given the first of them.
    """

    figures: Callable[[Any], list[tuple[str, str]]]
    more: Callable[[Any], list[str]]
    columns: Callable[[Any], list[_Column]]
    markdown_columns: Callable[[Any], list[_Column]]
    name_width: int


def evaluation_text(evaluation: Evaluation[Any]) -> str:
    """Return the result for one file: errors, sizes, measures; of classes also confusions."""
    lines = [f"{one_line(evaluation.source)}: {evaluation.method}", ""]
    lines += [f"{name:<22}{value}" for name, value in figures_of(evaluation)]
    return "\n".join([*lines, *details_of(evaluation)]) + "\n"


def figures_of(evaluation: Evaluation[Any]) -> list[tuple[str, str]]:
    """Return names and values of errors, sizes and measures."""
    return _TOLD[type(evaluation)].figures(evaluation)


def details_of(evaluation: Evaluation[Any]) -> list[str]:
    """Return lines of text on each class and on what is taken for what."""
    return _TOLD[type(evaluation)].more(evaluation)


def evaluations_text(evaluations: Iterable[Evaluation[Any]]) -> str:
    """Return a row per file, and the means."""
    return "\n".join(_table_text(*of_kind) for of_kind in _by_kind(evaluations))


def evaluations_markdown(evaluations: Iterable[Evaluation[Any]]) -> str:
    """Return a table with a row per file."""
    return "\n".join(_table_markdown(*of_kind) for of_kind in _by_kind(evaluations))


def ways_text(evaluation: Evaluation[Any], others: Mapping[str, Evaluation[Any]]) -> str:
    """Return a row for one committee for all labels, and one for each other way, by its name."""
    rows = [["", "Hamming", "exact", "micro F1", "macro F1", "rank loss", "log loss", "conditions"]]
    for name, found in {"one committee for all": evaluation, **others}.items():
        m = found.measures
        values = (m.hamming_loss, m.subset_accuracy, m.micro_f1, m.macro_f1, m.ranking_loss)
        losses = [fixed(value, 3) for value in (*values, m.log_loss)]
        rows.append([name, *losses, f"{found.literals:.1f}"])
    return "\n".join(["On the same folds:", "", *in_columns(rows)]) + "\n"


def _by_kind(
    evaluations: Iterable[Evaluation[Any]],
) -> list[tuple[_Told, list[Evaluation[Any]]]]:
    held = list(evaluations)
    of_kind = [(told, [e for e in held if type(e) is kind]) for kind, told in _TOLD.items()]
    return [(told, found) for told, found in of_kind if found]


def _table_text(told: _Told, evaluations: Sequence[Evaluation[Any]]) -> str:
    columns = told.columns(evaluations[0])
    rows = [["file", "examples", *(column.head for column in columns)]]
    for e in evaluations:
        name = short(one_line(e.source), told.name_width, keep_end=True)
        rows.append([name, str(e.examples), *(c.told(c.value(e)) for c in columns)])
    means = [c.told(mean(map(c.value, evaluations))) if c.has_mean else "" for c in columns]
    rows.append(["mean", "", *means])
    lines = [f"{evaluations[0].method}; default vectors not counted", "", *in_columns(rows)]
    return "\n".join(lines) + "\n"


def _table_markdown(told: _Told, evaluations: Sequence[Evaluation[Any]]) -> str:
    columns = told.markdown_columns(evaluations[0])
    lines = [
        f"{evaluations[0].method}; default vectors not counted.",
        "",
        table_row(["file", "examples", *(column.head for column in columns)]),
        "|---|---:|" + "---:|" * len(columns),
    ]
    for e in evaluations:
        cells = [column.told(column.value(e)) for column in columns]
        lines.append(table_row([escaped(one_line(e.source)), str(e.examples), *cells]))
    return "\n".join(lines) + "\n"


def _sizes(digits: Callable[[float], str]) -> list[_Column]:
    return [
        _Column("rules", lambda e: e.rules, digits),
        _Column("conditions", lambda e: e.literals, digits),
    ]


def _sizes_told(evaluation: Evaluation[Any]) -> list[tuple[str, str]]:
    return [
        ("rules", f"{_size(evaluation, evaluation.rules)} (default vector not counted)"),
        ("conditions", _size(evaluation, evaluation.literals)),
    ]


def _size(evaluation: Evaluation[Any], mean_of_folds: float) -> str:
    return f"{mean_of_folds:.{int(len(evaluation.predictions) > 1)}f}"


def _spread(evaluation: Evaluation[Any], told: Callable[[float], str]) -> str:
    if math.isnan(evaluation.spread):
        return ""
    return f" (standard deviation between folds {told(evaluation.spread)})"


def _tested(evaluation: Evaluation[Any], why_not: str) -> tuple[str, str]:
    text = str(evaluation.examples)
    if evaluation.unlabelled:
        text += f", and {counted(evaluation.unlabelled, 'row')} {why_not}, not counted"
    return "examples tested", text


def _figures_of_classes(evaluation: ClassEvaluation) -> list[tuple[str, str]]:
    measures, votes, cost = evaluation.measures, [], []
    if evaluation.costs is not None:
        in_all = f"{evaluation.total_cost:g} in all"
        cost = [("cost per row", f"{fixed(evaluation.mean_cost, 4)} ({in_all})")]
    if len(evaluation.labels) > 2:
        votes = [("votes", _size(evaluation, evaluation.votes))]
    spread = _spread(evaluation, lambda spread: f"{100 * spread:.1f}")
    return [
        ("error", percent(evaluation.error) + spread),
        *cost,
        *_sizes_told(evaluation),
        *votes,
        _tested(evaluation, "without a class"),
        ("accuracy", percent(measures.accuracy)),
        ("balanced accuracy", percent(measures.balanced_accuracy)),
        ("MCC", fixed(measures.mcc, 4)),
        ("kappa", fixed(measures.kappa, 4)),
        ("log loss", fixed(measures.log_loss, 4)),
        ("Brier score", fixed(measures.brier_score, 4)),
        ("calibration error", fixed(measures.calibration_error, 4)),
        ("mean absolute error", fixed(measures.mean_absolute_error, 4)),
        ("root mean squared", fixed(measures.root_mean_squared_error, 4)),
    ]


def _columns_of_classes(evaluation: ClassEvaluation) -> list[_Column]:
    def in_percent(share: float) -> str:
        return fixed(100 * share, 2)

    cost = _Column("cost per row", lambda e: e.mean_cost, _digits(4))
    return [
        _Column("error %", lambda e: e.error, in_percent),
        _Column("between folds", lambda e: e.spread, in_percent, has_mean=False),
        *_sizes(_digits(1)),
        *([] if evaluation.costs is None else [cost]),
    ]


def _markdown_of_classes(evaluation: ClassEvaluation) -> list[_Column]:
    cost = _Column("cost per row", lambda e: e.mean_cost, "{:.4f}".format)
    return [
        _Column("error", lambda e: e.error, percent),
        *_sizes("{:.1f}".format),
        _Column("kappa", lambda e: e.measures.kappa, "{:.3f}".format),
        *([] if evaluation.costs is None else [cost]),
    ]


def _classes(evaluation: ClassEvaluation) -> list[str]:
    """Return measures of each class, and what is taken for what."""
    measures = evaluation.measures
    labels = [shown(label) for label in evaluation.labels]
    wide = min(max(len("weighted average"), *(len(label) for label in labels)), 40)
    rows = [["class", "precision", "recall", "F-measure", "ROC area"]]
    per_class = [*zip(labels, measures.per_class, strict=True)]
    for label, row in [*per_class, ("weighted average", measures.weighted_average)]:
        values = (row.precision, row.recall, row.f_measure, row.roc_area)
        rows.append([short(label, wide), *(fixed(value, 3) for value in values)])
    return ["", *in_columns(rows), "", *_confusion_lines(evaluation, labels)]


def _confusion_lines(evaluation: ClassEvaluation, labels: list[str]) -> list[str]:
    cells = [[number(float(x)) for x in row] for row in evaluation.measures.confusion]
    letters = [_letters(j) for j in range(len(labels))]
    width = max(len(text) for text in [*letters, *(cell for row in cells for cell in row)])
    if (width + 1) * len(labels) > WIDTH - 10:
        return _largest_confusions(evaluation, labels)
    lines = ["confusion (rows: true class, columns: predicted)"]
    lines.append(" ".join(f"{letter:>{width}}" for letter in letters))
    for row, letter, label in zip(cells, letters, labels, strict=True):
        lines.append(" ".join(f"{cell:>{width}}" for cell in row) + f"  {letter} = {label}")
    return lines


def _largest_confusions(evaluation: ClassEvaluation, labels: list[str]) -> list[str]:
    pairs = [
        (float(evaluation.measures.confusion[i, j]), labels[i], labels[j])
        for i in range(len(labels))
        for j in range(len(labels))
        if i != j and evaluation.measures.confusion[i, j] > 0
    ]
    pairs.sort(key=lambda pair: -pair[0])
    lines = ["most frequent confusions (the whole matrix: --format json)"]
    wide = max([8, *(len(number(n)) for n, _, _ in pairs[:10])])
    return lines + [
        f"{number(n):>{wide}}  {true} taken for {other}" for n, true, other in pairs[:10]
    ]


def _letters(index: int) -> str:
    text = ""
    index += 1
    while index:
        index, digit = divmod(index - 1, 26)
        text = chr(ord("a") + digit) + text
    return text


def _figures_of_sets(evaluation: LabelSetEvaluation) -> list[tuple[str, str]]:
    measures = evaluation.measures
    cardinality = [fixed(n, 2) for n in (measures.predicted_cardinality, measures.true_cardinality)]
    spread = _spread(evaluation, "{:.4f}".format)
    of_ranking = [
        ("ranking loss", fixed(measures.ranking_loss, 4)),
        ("one-error", fixed(measures.one_error, 4)),
        ("coverage", f"{fixed(measures.coverage, 2)} of {len(evaluation.labels)} labels"),
        ("average precision", fixed(measures.average_precision, 4)),
    ]
    of_sets = [
        ("Hamming loss", fixed(measures.hamming_loss, 4)),
        ("subset accuracy", fixed(measures.subset_accuracy, 4)),
        ("micro F1", fixed(measures.micro_f1, 4)),
        ("macro F1", fixed(measures.macro_f1, 4)),
    ]
    is_of_sets = evaluation.error_name == "hamming_loss"
    (name, error), *figures = of_sets + of_ranking if is_of_sets else of_ranking + of_sets
    return [
        (name, error + spread),
        *figures,
        ("log loss", fixed(measures.log_loss, 4)),
        ("calibration error", fixed(measures.calibration_error, 4)),
        ("labels a row", f"{cardinality[0]} predicted, {cardinality[1]} true"),
        *_sizes_told(evaluation),
        _tested(evaluation, "with missing labels"),
    ]


def _columns_of_sets(_: LabelSetEvaluation) -> list[_Column]:
    return [*_losses("rank loss", "1-error", "av.prec.", "Hamming"), *_sizes(_digits(1))]


def _markdown_of_sets(_: LabelSetEvaluation) -> list[_Column]:
    heads = ("ranking loss", "one-error", "average precision", "Hamming loss")
    micro_f1 = _Column("micro F1", lambda e: e.measures.micro_f1, _digits(4))
    return [*_losses(*heads), micro_f1, *_sizes("{:.1f}".format)]


def _losses(*heads: str) -> list[_Column]:
    names = ("ranking_loss", "one_error", "average_precision", "hamming_loss")
    values = [attrgetter(f"measures.{name}") for name in names]
    return [_Column(head, value, _digits(4)) for head, value in zip(heads, values, strict=True)]


def _digits(digits: int) -> Callable[[float], str]:
    return lambda value: fixed(value, digits)


_TOLD: Mapping[type[Evaluation[Any]], _Told] = {
    ClassEvaluation: _Told(
        _figures_of_classes, _classes, _columns_of_classes, _markdown_of_classes, name_width=36
    ),
    LabelSetEvaluation: _Told(
        _figures_of_sets, lambda _: [], _columns_of_sets, _markdown_of_sets, name_width=24
    ),
}
