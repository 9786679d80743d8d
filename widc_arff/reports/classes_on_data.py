"""What a committee that decides for one class a row does on data: confusion, curves, errors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.evaluation.curves import calibration_bins, roc_points
from widc_arff.evaluation.measures import measure
from widc_arff.evaluation.rule_statistics import committee_statistics, favoured
from widc_arff.model.change_search import most_together
from widc_arff.model.changes import changes_by_row
from widc_arff.reports.as_text import row_by_row, table_lines
from widc_arff.reports.blocks import FILL, Column, Group, Heading, Item, Plot, Table, columns
from widc_arff.reports.drawing import calibration_plot, roc_plot
from widc_arff.reports.evaluation_figures import (
    CONFUSION,
    calibration_table,
    confusions,
    measures_table,
    measures_told,
)
from widc_arff.reports.formatting import (
    change_in_words,
    counted,
    first_of,
    number,
    numbers_of,
    percent,
    shown,
    value_text,
)
from widc_arff.reports.kind import RULE, rule_cells
from widc_arff.reports.on_data import (
    DataTold,
    amount,
    covers,
    rules_on_data,
    shaded_count,
    shaded_share,
)
from widc_arff.reports.rights import Part, Right, right_of_rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.arrays import Floats
    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.measures import Measures
    from widc_arff.evaluation.rule_statistics import CommitteeStatistics, WrongRow
    from widc_arff.model.change_values import Change
    from widc_arff.reports.blocks import Block, Cell
    from widc_arff.reports.kind import Kind

ERRORS_SHOWN = 50
_ROWS_LISTED = 20


def data_told(kind: Kind, dataset: Dataset) -> DataTold:
    """Return what there is to tell of classes alone; less of data without them."""
    committee = kind.committee
    statistics = committee_statistics(committee, dataset)
    examples = dataset.take(statistics.counted)
    probabilities, decided = committee.predict_proba(examples), committee.predict_codes(examples)
    labels = [shown(label) for label in committee.schema.labels.values]
    told = DataTold(
        statistics,
        can_be_training=statistics.class_weights == committee.training.weights,
        doubts=[*_doubts(statistics)],
        rules=[*_rules(kind, statistics)],
    )
    if not statistics.has_labels:
        of_class = np.bincount(decided, examples.weights, minlength=len(labels)).tolist()
        return told._replace(parts=[*_decisions(labels, of_class)])
    measures = measure(examples.classes, decided, probabilities, examples.weights)
    wrong = f"{number(measures.error * statistics.weight)} of {number(statistics.weight)}"
    return told._replace(
        figures=[("error on these data", percent(measures.error), wrong)],
        losses=[_largest_confusion(kind, statistics, measures)] if statistics.errors else [],
        parts=[
            *_confusion(labels, measures),
            Heading("Probabilities", name="probabilities"),
            _calibration(kind, examples, probabilities, measures),
            *_roc(labels, examples, probabilities, measures),
            Heading("Errors", name="errors"),
            *_Errors(kind, dataset, statistics).blocks(),
        ],
    )


def _doubts(statistics: CommitteeStatistics) -> Iterator[Item]:
    """Yield the least reliable rule, if some is wrong, and the one most to blame."""
    rules, worst = statistics.rules, statistics.least_reliable
    if worst is not None and rules[worst].precision < 1:
        right, rows = percent(rules[worst].precision), amount(rules[worst].covered, statistics)
        words = f"rule {worst + 1}, right on {right} of {rows} where it holds."
        yield Item(f"Least reliable: {words}", "rule")
    if rules and statistics.has_labels:
        k = max(range(len(rules)), key=lambda k: rules[k].to_blame)
        blame, wrong = number(rules[k].to_blame), number(statistics.wrong)
        if rules[k].to_blame:
            yield Item(f"Most to blame: rule {k + 1}, for {blame} of {wrong} wrong.", "rule")


def _largest_confusion(kind: Kind, statistics: CommitteeStatistics, measures: Measures) -> Item:
    wrong = measures.confusion * (1 - np.eye(len(kind.labels)))
    true, decided = divmod(int(wrong.argmax()), len(wrong))
    weight = amount(float(wrong.max()), statistics)
    names = f"{kind.labels[true]} taken for {kind.labels[decided]}"
    return Item(f"Most frequent confusion: {names}, {weight}.")


def _rules(kind: Kind, statistics: CommitteeStatistics) -> Iterator[Block]:
    """Yield what ties decide, and what each rule does."""
    all_rows = statistics.weight
    yield (
        f"No rule holds on {amount(statistics.silent, statistics)} "
        f"({percent(statistics.silent / all_rows)}); ties decide "
        f"{amount(statistics.tied, statistics)} ({percent(statistics.tied / all_rows)})."
    )
    if not statistics.has_labels:
        yield from rules_on_data(kind.committee, *covers(statistics, kind.otherwise))
        return
    rules = statistics.rules
    rights = [_right(kind, statistics, k) for k in range(len(rules))]
    heads = ("right on", "", "in training", "in all")
    cells: dict[str, Sequence[Cell]] = {
        **{head: [of[i] for of in rights] for i, head in enumerate(heads)},
        "decides": [shaded_count(rule.decisive, all_rows) for rule in rules],
        "to right": [shaded_count(rule.saved, all_rows) for rule in rules],
        "to wrong": [shaded_count(rule.spoiled, all_rows, is_wrong=True) for rule in rules],
        "mistakes": [number(rule.mistakes) for rule in rules],
        "to blame": [shaded_count(r.to_blame, statistics.wrong, is_wrong=True) for r in rules],
    }
    meaning = (
        "Right on: how many of the rows that the rule covers are of the classes that get the "
        "most points from it, here and in training; in all: the same for all rows, in percent. "
        "Decides: rows that would be decided differently without the rule: to right, wrong without "
        "it and right with it; to wrong, the reverse. Mistakes: rows that it covers and that are "
        "decided wrongly; to blame: those where it votes for the wrong class over the true one."
    )
    yield from rules_on_data(kind.committee, cells, meaning)


def _right(kind: Kind, statistics: CommitteeStatistics, k: int) -> list[str]:
    """Return on how many rows a rule is right, here, in training, and on all rows."""
    rule, trained = statistics.rules[k], right_of_rule(kind.committee, k)
    if trained is None or math.isnan(rule.precision):
        return [f"0 of {number(rule.covered)}" if trained else "–", "–", "–", "–"]
    weights = statistics.class_weights
    most = sum(weights[j] for j in favoured(kind.committee.rules[k].votes))
    covered = Part(rule.precision * rule.covered, rule.covered)
    words, share, in_all = Right(covered, Part(most, sum(weights))).figures
    return [words, share, trained.covered.percent, in_all]


def _decisions(labels: Sequence[str], of_class: Sequence[float]) -> Iterator[Block]:
    """Yield how many rows get each class, for data without classes."""
    total = sum(of_class)
    yield Heading("Decisions", name="decisions")
    yield "These data have no class; the sections that need it are left out."
    rows = [
        [label, shaded_count(weight, total), percent(weight / total)]
        for label, weight in zip(labels, of_class, strict=True)
    ]
    yield Table(columns("class decided", "rows", "share"), rows, look="labels")


def _confusion(labels: Sequence[str], measures: Measures) -> Iterator[Block]:
    """Yield what is taken for what, and the measures of each class."""
    yield Heading("Classes", name="classes")
    told = ", ".join(map(" ".join, measures_told(measures)))
    yield f"{told[0].upper()}{told[1:]}."
    rows: list[list[Cell] | Group] = []
    for i, (label, line) in enumerate(zip(labels, measures.confusion.tolist(), strict=True)):
        total = sum(line)
        cells = [shaded_count(w, total, is_wrong=i != j) for j, w in enumerate(line)]
        rows.append([label, *cells, number(total)])
    sums = measures.confusion.sum(axis=0).tolist()
    rows.append(Group("all", [number(w) for w in [*sums, sum(sums)]]))
    in_text = confusions(labels, measures.confusion, "--format html")
    if in_text.caption == CONFUSION:
        in_text = in_text._replace(caption="")
    heads = columns("true class", *labels, "all")
    yield Heading("Confusion: true classes in rows, decided classes in columns", 3)
    yield Table(heads, rows, narrow=[*table_lines(in_text)], look="labels")
    yield Heading("Measures of each class", 3)
    yield measures_table(labels, measures, is_full=True)._replace(look="labels")


def _calibration(kind: Kind, examples: Dataset, probabilities: Floats, measures: Measures) -> Plot:
    is_right = probabilities.argmax(axis=1) == examples.classes
    bins = calibration_bins(probabilities.max(axis=1), is_right, examples.weights)
    off = f"The mean distance from the diagonal is {measures.calibration_error:.3f}."
    says = (
        "Each point is the decisions whose probability lies in the same tenth; on the diagonal "
        f"they are right as often as their probability says. Below, how many they are. {off}"
    )
    instead = [calibration_table(bins, *kind.calibrated)]
    return Plot("Calibration", calibration_plot(bins), says, instead)


def _roc(
    labels: Sequence[str], examples: Dataset, probabilities: Floats, measures: Measures
) -> Iterator[Plot]:
    """Yield the ROC curve of two classes that both have rows."""
    area = measures.per_class[-1].roc_area
    if len(labels) != 2 or math.isnan(area):
        return
    found = (measures.confusion[:, 1] / measures.confusion.sum(axis=1)).tolist()
    points = roc_points(probabilities[:, 1], examples.classes == 1, examples.weights)
    says = f"For {labels[1]} against {labels[0]}. The area under the curve is {area:.3f}"
    alarms, hits = map(percent, found)
    yield Plot(
        "ROC curve",
        roc_plot(points, (found[0], found[1])),
        f"{says}; the orange point is where the committee decides.",
        [f"{says}; the committee decides at {hits} found and {alarms} false alarms."],
    )


class _Errors:
    """The rows that are decided wrongly, the rules to blame, and what would change them."""

    def __init__(self, kind: Kind, dataset: Dataset, statistics: CommitteeStatistics) -> None:
        self._kind, self._dataset, self._statistics = kind, dataset, statistics
        self._committee = kind.committee

    def blocks(self) -> Iterator[Block]:
        n_errors = len(self._statistics.errors)
        if not n_errors:
            yield "No row is decided wrongly."
            return
        part = f" The {ERRORS_SHOWN} with the largest margins are shown."
        yield (
            f"{counted(n_errors, 'row')} {'is' if n_errors == 1 else 'are'} decided wrongly."
            f"{part if n_errors > ERRORS_SHOWN else ''} "
            "Margin: votes of the class decided minus votes of the true class; at 0 a tie was "
            "decided. Rules to blame hold and vote for the wrong class over the true one."
        )
        yield row_by_row(self._table())
        yield Heading("Errors by rule", 3)
        yield row_by_row(self._by_rule())

    def _table(self) -> Table:
        listed = self._statistics.errors[:ERRORS_SHOWN]
        weighted = self._statistics.weight != len(self._statistics.counted)
        labels = [shown(label) for label in self._committee.schema.labels.values]
        examples = self._dataset.take(np.array([error.row for error in listed]))
        rows = [
            [
                str(error.row + 1),
                labels[error.actual],
                labels[error.predicted],
                str(error.margin),
                numbers_of(error.fired),
                numbers_of(error.to_blame) if error.to_blame else "ties",
                *[number(error.weight)] * weighted,
                self._nearest(changes),
                self._values(error),
            ]
            for error, changes in zip(
                listed, changes_by_row(self._committee, examples), strict=True
            )
        ]
        heads = [
            *map(Column, ("row", "actual", "decided", "margin")),
            Column("rules that hold", "words", links="rule"),
            Column("to blame", "words", links="rule"),
            *[Column("weight")] * weighted,
            Column("nearest change", "words", FILL),
            Column("values", "words", is_folded=True),
        ]
        return Table(heads, rows, look="labels", anchor="row")

    def _nearest(self, changes: Sequence[Change]) -> str:
        """Return the nearest change that flips a decision, and to which class."""
        if not changes:
            return f"none of up to {most_together(self._committee)} attributes"
        return change_in_words(changes[0], self._committee.schema, self._kind.labels, 0)

    def _values(self, error: WrongRow) -> str:
        """Return the values of a row that some rule tests."""
        used = [(a, self._committee.schema.attributes[a]) for a in self._committee.used_attributes]
        values = {a: float(self._dataset.columns[a][error.row]) for a, _ in used}
        told = (f"{shown(of.name)} = {value_text(of, values[a])}" for a, of in sorted(used))
        return ", ".join(told)

    def _by_rule(self) -> Table:
        """Return of each rule the errors that it is to blame for, the worst rule first."""
        errors, rows = self._statistics.errors, []
        blamed: list[tuple[Sequence[Cell], list[WrongRow]]] = [
            (rule_cells(self._committee, k), [e for e in errors if k in e.to_blame])
            for k in range(len(self._committee.rules))
        ]
        for rule, of_rule in [*blamed, (("", "ties alone"), [e for e in errors if not e.to_blame])]:
            weight = sum((error.weight for error in of_rule), 0.0)
            share = shaded_share(weight / self._statistics.wrong, is_wrong=True)
            listed = [str(row + 1) for row in sorted(error.row for error in of_rule)]
            found = ", ".join(first_of(listed, _ROWS_LISTED))
            rows.append((weight, [*rule, number(weight), share, found]))
        rows.sort(key=lambda row: -row[0])
        heads = [*RULE, Column("to blame for"), Column("of all errors")]
        return Table([*heads, Column("rows", "words", FILL, links="row")], [row for _, row in rows])
