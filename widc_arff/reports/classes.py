"""How a committee that decides for one class an example is told."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from widc_arff.reports.as_text import broken
from widc_arff.reports.by_class import never_decided, votes_by_class
from widc_arff.reports.evaluation_figures import (
    SIZES,
    Figure,
    confusions,
    digits,
    measures_table,
    measures_told,
    size,
    size_figures,
    tested_figure,
    with_spread,
)
from widc_arff.reports.formatting import counted, decision_in_words, listed, number, percent, shown
from widc_arff.reports.kind import CONTRADICTS, DECIDES, Kind, missing_told
from widc_arff.reports.layout import WIDTH, fixed, indented, signed, wrap_words
from widc_arff.reports.rights import right_of_rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.outcomes import ClassEvaluation
    from widc_arff.model.change_values import Decision
    from widc_arff.model.committee import Explanation
    from widc_arff.model.costs import CostMatrix
    from widc_arff.reports.blocks import Table
    from widc_arff.reports.on_data import DataTold
    from widc_arff.reports.rights import Right


class Classes(Kind):
    """How a committee that decides for one class an example is told."""

    what = "one class"
    noun = "class"
    has_margin = True
    right = "of the classes with the rule's highest vote"
    calibrated = "rows", "right"
    no_votes = "no points"
    otherwise = "be decided differently"
    unlabelled = "without a class"

    @property
    def subject(self) -> str:
        return shown(self.committee.schema.labels.attributes[0])

    @property
    def training_error(self) -> tuple[str, str]:
        return "training error", percent(self.committee.training.error)

    @property
    def training_line(self) -> str:
        training = self.committee.training
        wrong = number(training.error * sum(training.weights))
        total = number(sum(training.weights))
        rows = counted(training.examples, "training row")
        weight = "" if float(total) == training.examples else f" (weight {total})"
        error = f"{' '.join(self.training_error)} ({wrong} of {total})"
        return f"{rows}{weight}, {error}{self.training_more}"

    def notes(self) -> list[str]:
        committee, names, occur = self.committee, self.labels, set(self.committee.tie_order)
        undecided = [names[j] for j in never_decided(committee)]
        absent = [name for j, name in enumerate(names) if j not in occur]
        texts = [self._how_points_decide()]
        if committee.rules and (ties := committee.training.ties) is not None:
            share = f"{percent(1 - ties)} of the training rows, ties {percent(ties)}"
            texts[0] += f" Points decide {share}."
        if committee.rules:
            texts.append(" ".join(self._what_figures_mean()))
        if undecided:
            texts.append(f"Never predicted, because no rule votes for them: {listed(undecided)}.")
        if absent:
            texts.append(f"Never predicted, because no training row has them: {listed(absent)}.")
        return texts

    def _how_points_decide(self) -> str:
        committee, names, order = self.committee, self.labels, self.committee.tie_order
        first = names[order[0]]
        if not committee.rules:
            return f"There is no rule: every row is decided for {first}."
        losers = never_decided(committee)
        rivals = listed(names[j] for j in order if j not in losers)
        wins = "the one listed first wins" if self.is_by_class else f"the first of {rivals} wins"
        return (
            "Every class starts with 0 points and gets those of the rules that hold; the class "
            f"with the most points wins. If classes tie, {wins}; if no rule holds, that is "
            f"{first}. {missing_told(self.committee)}"
        )

    def _what_figures_mean(self) -> list[str]:
        votes = list(votes_by_class(self.committee))
        classes = (
            "the class" if self.is_by_class else "the classes that get the most points from it"
        )
        if self.is_by_class and any(vote.points < 0 for vote in votes):
            classes += " (with -, of any other class)"
        right = f"Right on: how many of the training rows that a rule covers are of {classes}"
        texts = [f"{right}; in all: the same for all training rows, in percent."]
        if self.knows_decides:
            texts.append(DECIDES)
        if self.is_by_class and len(votes) > len({vote.rule for vote in votes}):
            texts.append("A rule has the same number under every class.")
        if self._any_contradicts():
            texts.append(CONTRADICTS)
        return texts

    def _any_contradicts(self) -> bool:
        if self.is_by_class:
            return any(vote.right.contradicts for vote in votes_by_class(self.committee))
        return any(right is not None and right.contradicts for right in self._rights)

    @cached_property
    def _rights(self) -> list[Right | None]:
        """How often each rule is right."""
        return [right_of_rule(self.committee, k) for k in range(len(self.committee.rules))]

    @property
    def own_heads(self) -> list[str]:
        return ["right on", "", "in all"]

    def own_figures(self, k: int) -> list[str]:
        right = self._rights[k]
        return ["–"] * 3 if right is None else right.figures

    def in_words(self, figures: Sequence[str]) -> str:
        right, percent, in_all, *decides = figures
        told = [f"right on {right} ({percent}; in all {in_all})"] if right != "–" else []
        return ", ".join([*told, *(f"decides {n}" for n in decides)])

    def votes(self, k: int, *, judged: bool = False) -> Mapping[int, list[str]]:  # noqa: ARG002
        points = self._points[k]
        groups = {
            n: [label for label, p in zip(self.labels, points, strict=True) if p == n]
            for n in (2, 1, -1, -2)
        }
        return {n: names for n, names in groups.items() if names}

    @cached_property
    def _points(self) -> tuple[tuple[int, ...], ...]:
        return self.committee.points

    def vote_mark(self, vote: int) -> str:
        return signed(vote)

    def plain(self, labels: Decision | Sequence[int] | None) -> str | list[str] | None:
        if not isinstance(labels, int):
            labels = labels[0] if labels else None
        return None if labels is None else self.committee.schema.labels.values[labels]

    def facts(self, why: Explanation) -> dict[str, Any]:
        tied = why.tied if len(why.tied) > 1 else ()
        return {
            "decided_by": "default" if tied else "votes",
            "margin": why.margin,
            "tied": [self.committee.schema.labels.values[j] for j in tied],
        }

    def explained(
        self, row: int, why: Explanation, actual: Sequence[int] | None, costs: CostMatrix | None
    ) -> Iterator[str]:
        (decided,) = why.labels
        chance = f"probability {why.probabilities[decided]:.3f}"
        sure = "" if self.committee.is_fitted else ", not fitted"
        head = f"Row {row}: {self.labels[decided]} ({chance}{sure})"
        if actual:
            right = actual[0] == decided
            head += ", right" if right else f", wrong: it is {self.labels[actual[0]]}"
        yield from broken(head)
        if costs is not None:
            yield from broken(self._least_cost(why, costs))
        yield ""
        yield from self.fired_lines(why.fired)
        if why.fired:
            yield ""
            yield from indented(wrap_words(self._sums(why), WIDTH - 8), "Points  ")
        yield ""
        yield from broken(self._reason(why))

    def _least_cost(self, why: Explanation, costs: CostMatrix) -> str:
        decision, expected = why.least_cost(costs)
        told = f"Least expected cost: {self.labels[decision]} ({fixed(expected[decision], 3)})"
        others = (j for j in why.labels if j != decision)
        return told + "".join(f"; {self.labels[j]}: {fixed(expected[j], 3)}" for j in others)

    def _sums(self, why: Explanation) -> list[str]:
        """Return what each class has, and from which rules, in the order of the decision."""
        points = [self._points[k] for k in why.fired]
        told, others = [], []
        for place, j in enumerate(why.ranking):
            givers = [str(k + 1) for k, of in zip(why.fired, points, strict=True) if of[j]]
            if givers or place < 2:
                total = sum(of[j] for of in points)
                rules = f" (rule{'s' * (len(givers) > 1)} {listed(givers)})" if givers else ""
                told.append(f"{self.labels[j]}: {total}{rules}")
            else:
                others.append(self.labels[j])
        if others:
            told.append(f"{others[0] if len(others) == 1 else 'all other classes'}: 0")
        return told

    def _reason(self, why: Explanation) -> str:
        """Return why the class decided wins, and without which rules another one would."""
        labels, order, tied = self.labels, why.ranking, why.tied
        winner = self.decided(why)
        if len(tied) == len(order) > 2:
            text = f"All classes have the same points; {winner} wins ties."
        elif len(order) > 1 and len(tied) > 1:
            equal = listed(labels[j] for j in order if j in tied)
            text = f"{equal} have the most points; {winner} wins ties."
        elif len(order) > 1:
            ahead = counted(why.margin, "point")
            text = f"{winner} has the most points, {ahead} ahead of {labels[order[1]]}."
        else:
            text = f"{winner} is the only class."
        without: dict[Decision, list[str]] = {}
        for k, other in self.committee.without_rules(why).items():
            without.setdefault(other, []).append(str(k + 1))
        for other, rules in without.items():
            name = decision_in_words(other, labels, why.decided)
            text += f" Without rule {' or '.join(rules)}: {name}."
        if why.fired and not without:
            text += " Without any one of these rules the decision is the same."
        return text

    def decision_width(self, widest: int) -> int:
        return min(max(len("decision"), *map(len, self.labels)), widest)

    def outcome(self, n_known: int, n_wrong: int) -> str:  # noqa: ARG002 - the wrong are told
        return f"{counted(n_wrong, 'row')} decided wrongly"

    @staticmethod
    def error_in_words(error: float) -> str:
        return percent(error)

    @staticmethod
    def evaluated(evaluation: ClassEvaluation) -> list[tuple[str, str]]:
        votes, cost = [], []
        if evaluation.costs is not None:
            in_all = f"{evaluation.total_cost:g} in all"
            cost = [("cost per row", f"{fixed(evaluation.mean_cost, 4)} ({in_all})")]
        if len(evaluation.labels) > 2:
            votes = [("votes", size(evaluation, evaluation.votes))]
        return [
            ("error", with_spread(evaluation, percent)),
            *cost,
            *size_figures(evaluation),
            *votes,
            tested_figure(evaluation, Classes.unlabelled),
            *measures_told(evaluation.measures),
        ]

    @staticmethod
    def evaluated_columns(evaluation: ClassEvaluation) -> list[Figure]:
        def in_percent(share: float) -> str:
            return fixed(100 * share, 2)

        cost = Figure("cost per row", lambda e: e.mean_cost, digits(4))
        return [
            Figure("error %", lambda e: e.error, in_percent),
            Figure("between folds", lambda e: e.spread, in_percent, has_mean=False),
            *SIZES,
            *([] if evaluation.costs is None else [cost]),
        ]

    @staticmethod
    def evaluated_by_class(evaluation: ClassEvaluation) -> list[Table]:
        labels = [shown(label) for label in evaluation.labels]
        measures = evaluation.measures
        return [measures_table(labels, measures), confusions(labels, measures.confusion)]

    def on_data(self, dataset: Dataset) -> DataTold:
        from widc_arff.reports.classes_on_data import data_told  # noqa: PLC0415 - rare

        return data_told(self, dataset)
