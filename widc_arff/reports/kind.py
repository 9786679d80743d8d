"""How a committee is told, whatever its kind of labels: words, short lists and figures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from widc_arff.reports.blocks import Column
from widc_arff.reports.formatting import class_names, counted, listed, number, rule_conditions
from widc_arff.reports.layout import WIDTH, indented, signed, wrap, wrap_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from widc_arff.data.dataset import Dataset
    from widc_arff.model.change_values import Decision
    from widc_arff.model.committee import DecisionCommittee, Explanation
    from widc_arff.model.costs import CostMatrix
    from widc_arff.reports.blocks import Table
    from widc_arff.reports.by_class import Layout
    from widc_arff.reports.evaluation_figures import Figure
    from widc_arff.reports.on_data import DataTold

DECIDES = "Decides: training rows that would be decided differently without the rule."
CONTRADICTS = "!: the vote is right less often on the rows that the rule covers than on all rows."

RULE = (Column("", "number"), Column("rule", "head"))
"""The columns of a rule."""


def rule_cells(committee: DecisionCommittee, k: int) -> tuple[str, tuple[str, ...]]:
    """Return number and conditions of a rule."""
    return str(k + 1), tuple(rule_conditions(committee, k))


def missing_told(committee: DecisionCommittee) -> str:
    """Return what conditions say of missing values."""
    tested = {x.operator for rule in committee.rules for x in rule.monomial}
    sentence = "A condition on a missing value does not hold"
    return f"{sentence}, except 'is missing'." if "missing" in tested else f"{sentence}."


class Kind(ABC):
    """How a committee is told.

    Parameters
    ----------
    committee : DecisionCommittee
        Of the kind.
    most : int
        How many labels of a set to name at a time.
    layout : {"class", "rule"}
        Class by class, or rule by rule, as label sets always are.
    """

    what: ClassVar[str]
    """What a row gets."""
    noun: ClassVar[str]
    decision: ClassVar[str] = "decision"
    has_margin: ClassVar[bool] = False
    right: ClassVar[str]
    """Of which rows, or labels, that a rule covers the share is told on which it is right."""
    calibrated: ClassVar[tuple[str, str]]
    """What has probabilities, and what they are those of."""
    no_votes: ClassVar[str]
    otherwise: ClassVar[str]
    """What rows would do that a rule or an attribute decides."""
    unlabelled: ClassVar[str]
    """What keeps rows from being counted."""

    def __init__(self, committee: DecisionCommittee, most: int, layout: Layout) -> None:
        self.committee, self.most = committee, most
        self.is_by_class = layout == "class" and not committee.schema.labels.are_sets
        self.labels = class_names(committee)
        decides = [rule.decides for rule in committee.rules]
        self.knows_decides = bool(decides) and None not in decides

    @property
    @abstractmethod
    def subject(self) -> str:
        """What is decided: the class attribute, or so many labels."""

    @property
    @abstractmethod
    def training_error(self) -> tuple[str, str]:
        """What counts as error in training, and how much of it there is."""

    @property
    def training_more(self) -> str:
        """What follows behind the training error: which rules were not learned."""
        training, more = self.committee.training, ""
        if not self.committee.is_fitted:
            more += "; changed later without data: ? is unknown, and so are probabilities"
        given = training.options.get("rules")
        locked = [str(k + 1) for k, rule in enumerate(self.committee.rules) if rule.locked]
        if locked and self.committee.history:
            more += f"; {'rule' if len(locked) == 1 else 'rules'} {listed(locked)} "
            more += "is locked" if len(locked) == 1 else "are locked"
        elif isinstance(given, list) and given and not self.committee.history:
            which = "rule 1 was" if len(given) == 1 else f"rules 1 to {len(given)} were"
            more += f"; {which} given"
        choice = self.committee.provenance.choice
        return f"{more}; chosen: {choice}" if choice else more

    @property
    @abstractmethod
    def training_line(self) -> str:
        """Number of training examples, the training error and ties in words."""

    @abstractmethod
    def notes(self) -> list[str]:
        """Return in paragraphs how rules decide, and what the figures mean."""

    @abstractmethod
    def votes(self, k: int, *, judged: bool = False) -> Mapping[int, list[str]]:
        """Return the labels that get so many votes from a rule, the most first; without 0.

        If `judged`, with how often each is right, where figures of the rule do not say it.
        """

    @property
    @abstractmethod
    def own_heads(self) -> list[str]:
        """Heads of the figures of a rule, but for how many rows it decides."""

    @abstractmethod
    def own_figures(self, k: int) -> list[str]:
        """Return the figures of a rule, but for how many rows it decides."""

    @abstractmethod
    def in_words(self, figures: Sequence[str]) -> str:
        """Return the figures of a rule as a line of text."""

    @property
    def figure_heads(self) -> list[str]:
        """Heads of the figures of a rule."""
        return [*self.own_heads, *(["decides"] if self.knows_decides else [])]

    def figures(self, k: int) -> list[str]:
        """Return what there is to say of a rule in numbers: on how many rows it is right."""
        decides = self.committee.rules[k].decides
        last = [] if decides is None or not self.knows_decides else [number(decides)]
        return [*self.own_figures(k), *last]

    def for_and_against(self, k: int) -> list[list[str]]:
        """Return for and against which labels a rule is, those with two points marked."""
        named = {
            n: [f"{name} ({signed(n)})" if abs(n) > 1 else name for name in names]
            for n, names in self.votes(k, judged=True).items()
        }
        return [[*named.get(sign * 2, []), *named.get(sign, [])] for sign in (1, -1)]

    @abstractmethod
    def vote_mark(self, vote: int) -> str:
        """Return what stands before the labels of a vote."""

    def decided(self, why: Explanation) -> str:
        """Return what is decided for a row, for a table."""
        return ", ".join(self.labels[j] for j in why.labels) or "none"

    @abstractmethod
    def explained(
        self, row: int, why: Explanation, actual: Sequence[int] | None, costs: CostMatrix | None
    ) -> Iterator[str]:
        """Yield lines on why a row, counted from 1, is decided as it is."""

    @abstractmethod
    def facts(self, why: Explanation) -> dict[str, Any]:
        """Return what data for JSON have of an explanation of this kind alone."""

    @abstractmethod
    def plain(self, labels: Decision | Sequence[int] | None) -> str | list[str] | None:
        """Return the labels of a row as data for JSON, None where they are not known."""

    @abstractmethod
    def decision_width(self, widest: int) -> int:
        """Return how wide a column of decisions is."""

    @property
    def loss(self) -> str:
        """What counts as error of new rows."""
        return "error"

    @staticmethod
    @abstractmethod
    def error_in_words(error: float) -> str:
        """Return an error as people read it."""

    @staticmethod
    @abstractmethod
    def evaluated(evaluation: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - of the kind
        """Return names and values of errors, sizes and measures of an evaluation."""

    @staticmethod
    @abstractmethod
    def evaluated_columns(evaluation: Any) -> list[Figure]:  # noqa: ANN401 - of the kind
        """Return what a table with a row for each file has of evaluations like one."""

    @staticmethod
    def evaluated_by_class(evaluation: Any) -> list[Table]:  # noqa: ANN401, ARG004 - of classes only
        """Return measures of each class of an evaluation, and what is taken for what."""
        return []

    @abstractmethod
    def on_data(self, dataset: Dataset) -> DataTold:
        """Return what a report on data has of this kind alone."""

    @abstractmethod
    def outcome(self, n_known: int, n_wrong: int) -> str:
        """Return in words how many rows are decided rightly or wrongly."""

    def rule_lines(self, k: int) -> list[str]:
        """Return a rule with its number, what it votes for, a vote a line, and its figures."""
        parts = rule_conditions(self.committee, k)
        lines = indented(wrap(parts, WIDTH - 6), f"{k + 1:>4}  ")
        votes = {vote: names for vote, names in self.votes(k, judged=True).items() if names}
        for vote, names in votes.items():
            mark = f"{'':8}{self.vote_mark(vote)}: "
            lines += indented(wrap_words(names, WIDTH - len(mark)), mark)
        lines += [] if votes else [f"{'':8}{self.no_votes}"]
        return [*lines, f"{'':8}{self.in_words(self.figures(k))}"]

    def fired_lines(self, fired: Sequence[int]) -> list[str]:
        """Return how many rules hold, and which."""
        n, n_rules = len(fired), counted(len(self.committee.rules), "rule")
        if not n:
            return [f"None of the {n_rules} holds."]
        lines = [f"{n} of {n_rules} {'holds' if n == 1 else 'hold'}:"]
        return lines + [line for k in fired for line in self.rule_lines(k)]
