"""How a committee for label sets is told."""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.reports.as_text import broken, table_lines
from widc_arff.reports.blocks import Table, columns
from widc_arff.reports.evaluation_figures import (
    SIZES,
    Figure,
    digits,
    size_figures,
    tested_figure,
    with_spread,
)
from widc_arff.reports.formatting import counted, differences, first_of, number, percent
from widc_arff.reports.kind import CONTRADICTS, Kind, missing_told
from widc_arff.reports.layout import WIDTH, fixed, indented, signed, wrap_words
from widc_arff.reports.rights import right_of_vote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.outcomes import LabelSetEvaluation
    from widc_arff.model.change_values import Decision
    from widc_arff.model.committee import Explanation
    from widc_arff.model.costs import CostMatrix
    from widc_arff.reports.on_data import DataTold


class LabelSets(Kind):
    """How a committee for label sets is told."""

    what = "a set of labels"
    noun = "label"
    decision = "labels"
    right = "that have the labels the rule is for and lack those it is against, on average"
    calibrated = "labels", "present"
    no_votes = "no vote"
    otherwise = "get other labels"
    unlabelled = "with missing labels"

    @property
    def subject(self) -> str:
        return f"{self.committee.schema.n_classes} labels"

    @property
    def loss(self) -> str:
        is_of_sets = self.committee.training.options.get("aim") == "sets"
        return "Hamming loss" if is_of_sets else "ranking loss"

    @property
    def training_error(self) -> tuple[str, str]:
        training = self.committee.training
        hamming = math.nan if training.hamming is None else training.hamming
        error = hamming if self.loss == "Hamming loss" else training.error
        return f"training {self.loss}", fixed(error, 4)

    @property
    def training_line(self) -> str:
        training = self.committee.training
        figures = [counted(training.examples, "training row")]
        losses = {"Hamming loss": training.hamming, "ranking loss": training.error}
        figures += [f"training {n} {fixed(x, 4)}" for n, x in losses.items() if x is not None]
        text = ", ".join(figures)
        if training.ties is not None:
            text += f"; ties decide the labels of {percent(training.ties)}"
        return f"{text}{self.training_more}"

    def notes(self) -> list[str]:
        committee, order = self.committee, self.committee.tie_order
        always, never, of_votes = self._votes_needed()
        if not committee.rules:
            return [f"There is no rule: every row gets {self._few(always) or 'no label'}."]
        how = "Of the rules that hold, each + adds a vote to its labels"
        if any(min(rule.votes) < 0 for rule in committee.rules):
            how += " and each - takes one away"
        if committee.odds is None:
            ranked = self._few(order)
            how += f"; the sums rank the labels, and labels that tie rank in the order {ranked}"
        if of_votes:
            usual, *others = of_votes
            how += f". A row gets a label if its votes add up to {usual} or more"
            ways = [f"{self._few(of_votes[n])} if they add up to {n} or more" for n in others]
            how += "".join(f", {text}" for text in ways)
        for when, labels in (("always", always), ("never", never)):
            if labels:
                how += f". {'It' if of_votes else 'A row'} {when} gets {self._few(labels)}"
        how += f". {missing_told(committee)}"
        behind = (
            "After a label: how often the vote is right on the training rows that the rule "
            "covers, and in brackets on all training rows. Covers: training rows."
        )
        texts = [behind]
        if self.knows_decides:
            texts.append("Decides: training rows that would get another set without the rule.")
        if any(
            right_of_vote(committee, k, j, vote).contradicts
            for k, rule in enumerate(committee.rules)
            for j, vote in enumerate(rule.votes)
            if vote
        ):
            texts.append(CONTRADICTS)
        return [how, " ".join(texts)]

    def _votes_needed(self) -> tuple[list[int], list[int], dict[int, list[int]]]:
        """Return the labels that every row gets, those that none gets, the others by votes needed.

        The most frequent labels first, and the votes that most of them need.
        """
        committee, needed = self.committee, self.committee.label_scores.least_votes()
        always, never, of_votes = [], [], dict[int, list[int]]()
        for j in committee.tie_order:
            votes = [rule.votes[j] for rule in committee.rules]
            if needed[j] <= sum(vote for vote in votes if vote < 0):
                always.append(j)
            elif needed[j] > sum(vote for vote in votes if vote > 0):
                never.append(j)
            else:
                of_votes.setdefault(needed[j], []).append(j)
        most_first = sorted(of_votes.items(), key=lambda item: (-len(item[1]), -item[0]))
        return always, never, dict(most_first)

    @property
    def own_heads(self) -> list[str]:
        return ["covers"]

    def own_figures(self, k: int) -> list[str]:
        return [number(self.committee.rules[k].covered)]

    def in_words(self, figures: Sequence[str]) -> str:
        heads = zip(self.figure_heads, figures, strict=True)
        return ", ".join(f"{head} {figure}" for head, figure in heads)

    def votes(self, k: int, *, judged: bool = False) -> Mapping[int, list[str]]:
        rule = self.committee.rules[k]
        found = {}
        for vote, weights in ((1, rule.covers), (-1, self.committee.training.weights)):
            frequent = sorted(range(len(weights)), key=[-w for w in weights].__getitem__)
            labels = [j for j in frequent if rule.votes[j] == vote]
            names = [self._judged(k, j, vote) if judged else self.labels[j] for j in labels]
            found[vote] = first_of(names, self.most)
        return found

    def _few(self, labels: Sequence[int]) -> str:
        return ", ".join(first_of([self.labels[j] for j in labels], self.most))

    def _judged(self, k: int, j: int, vote: int) -> str:
        _, percent, in_all = right_of_vote(self.committee, k, j, vote).figures
        return f"{self.labels[j]} {percent} ({in_all})"

    def vote_mark(self, vote: int) -> str:
        return "+" if vote > 0 else "-"

    def plain(self, labels: Decision | Sequence[int] | None) -> str | list[str] | None:
        assert not isinstance(labels, int)
        names = self.committee.schema.labels.values
        return None if labels is None else [names[j] for j in labels]

    def facts(self, why: Explanation) -> dict[str, Any]:
        return {"ranking": self.plain(why.ranking)}

    def explained(
        self, row: int, why: Explanation, actual: Sequence[int] | None, costs: CostMatrix | None
    ) -> Iterator[str]:
        assert costs is None
        labels, decided = self.labels, why.labels
        head = f"Row {row}: "
        found = [labels[j] for j in decided] or ["no label"]
        yield from indented(wrap_words(found, WIDTH - len(head)), head)
        if actual is not None:
            yield from broken(f"In the data: {self._changed(decided, actual) or 'the same'}.")
        yield ""
        yield from self.fired_lines(why.fired)
        yield ""
        ranked = why.ranking[: max(self.most, len(decided))]
        rows = [[labels[j], signed(why.votes[j]), fixed(why.probabilities[j], 3)] for j in ranked]
        yield from table_lines(Table(columns("ranking", "votes", "probability"), rows))
        if len(ranked) < len(labels):
            yield f"and {len(labels) - len(ranked)} more"
        yield ""
        yield f"Labels with a probability of {self._least_probability()} are predicted."
        for k, other in self.committee.without_rules(why).items():
            yield from broken(f"Without rule {k + 1}: {self._changed(decided, other)}.")

    def _changed(self, before: Sequence[int], after: Decision | Sequence[int]) -> str:
        assert not isinstance(after, int)
        return differences(before, after, self.labels, self.most)

    def _least_probability(self) -> str:
        """Return from which probability on labels are predicted."""
        of_labels = self.committee.label_scores
        if of_labels.threshold == of_labels.middle:
            return "one half or more"
        return f"{fixed(float(of_labels.probabilities(np.array(of_labels.threshold))), 3)} or more"

    def decision_width(self, widest: int) -> int:
        return widest

    def outcome(self, n_known: int, n_wrong: int) -> str:
        return f"{counted(n_known - n_wrong, 'row')} with exactly the labels decided"

    @staticmethod
    def error_in_words(error: float) -> str:
        return fixed(error, 4)

    @staticmethod
    def evaluated(evaluation: LabelSetEvaluation) -> list[tuple[str, str]]:
        measures = evaluation.measures
        cardinality = (measures.predicted_cardinality, measures.true_cardinality)
        predicted, true = (fixed(n, 2) for n in cardinality)
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
        (name, _), *figures = of_sets + of_ranking if is_of_sets else of_ranking + of_sets
        return [
            (name, with_spread(evaluation, digits(4))),
            *figures,
            ("log loss", fixed(measures.log_loss, 4)),
            ("calibration error", fixed(measures.calibration_error, 4)),
            ("labels a row", f"{predicted} predicted, {true} true"),
            *size_figures(evaluation),
            tested_figure(evaluation, LabelSets.unlabelled),
        ]

    @staticmethod
    def evaluated_columns(evaluation: LabelSetEvaluation) -> list[Figure]:  # noqa: ARG004 - all alike
        measures = {
            "rank loss": "ranking_loss",
            "1-error": "one_error",
            "av.prec.": "average_precision",
            "Hamming": "hamming_loss",
        }
        losses = [
            Figure(head, attrgetter(f"measures.{name}"), digits(4))
            for head, name in measures.items()
        ]
        return [*losses, *SIZES]

    def on_data(self, dataset: Dataset) -> DataTold:
        from widc_arff.reports.label_sets_on_data import data_told  # noqa: PLC0415 - rare

        return data_told(self, dataset)
