"""The plan of pages on a committee: by itself, and what it does on data, whatever its labels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar

from widc_arff.evaluation.label_set_statistics import LabelSetStatistics
from widc_arff.evaluation.rule_statistics import CommitteeStatistics
from widc_arff.reports.elements import element, text
from widc_arff.reports.page_frame import SAME_AS_TRAINING, contents, facts, page, paragraph, section
from widc_arff.reports.rule_sections import amount, attributes_section, overlap_section, rule_link
from widc_arff.reports.wording import counted, number, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.data.dataset import Dataset
    from widc_arff.reports.by_class import Layout
    from widc_arff.reports.kinds import Kind

Counted = TypeVar("Counted", CommitteeStatistics, LabelSetStatistics)


class Part(NamedTuple):
    """A section of a page: its names for links and for readers, and its HTML, if there is any."""

    name: str
    title: str
    html: str


class Told(NamedTuple):
    """What a page tells of one kind of labels alone.

    Parameters
    ----------
    figures : sequence of (str, str, str)
        Names, values and notes.
    left_out : sequence of str
        Sentences on what is not told.
    are_those_of_training : bool
        Whether the labels can be those that the committee was learned from.
    doubts, losses : sequence of str
        HTML of what a reader asks first, before and after the most decisive rule.
    rules : str
        HTML of the section on rules.
    parts : sequence of Part
        The sections behind those that all pages have.
    """

    figures: Sequence[tuple[str, str, str]]
    left_out: Sequence[str]
    are_those_of_training: bool
    doubts: Sequence[str]
    losses: Sequence[str]
    rules: str
    parts: Sequence[Part]


class PagePlan(ABC, Generic[Counted]):
    """Pages on a committee.

    Parameters
    ----------
    kind : Kind
        How it is told.
    layout : {"class", "rule"} or None
        Of a committee for classes, None: class by class from four classes on.
    """

    between: ClassVar[str] = ""
    """What parts the elements of the head."""

    def __init__(self, kind: Kind, layout: Layout | None) -> None:
        self.kind, self.committee, self.layout = kind, kind.committee, layout

    def alone(self) -> str:
        """Return a page with the committee."""
        relation = shown(self.committee.schema.relation)
        body = [
            paragraph(f"Decision committee for {self.kind.subject}", kind="kind"),
            element("h1", text(relation)),
            facts([*self.size(), self._training()]),
            paragraph(self.how_it_decides()),
            self._committee_section(),
        ]
        return page(f"{relation}: decision committee", body, self.committee.training.version)

    def on(self, dataset: Dataset, source: str) -> str:
        """Return a page on what the committee does on data, which have a name."""
        committee, statistics = self.committee, self.statistics(dataset)
        examples = dataset.take(statistics.counted)
        told: Told = self.told(dataset, examples, statistics)
        overlap = overlap_section(committee, statistics.overlap / statistics.weight)
        parts: list[Part] = [
            Part("committee", "Committee", self._committee_section()),
            Part("rules", "Rules on these data", told.rules),
            Part("attributes", "Attributes", attributes_section(committee, examples)),
            Part("overlap", "Overlap", overlap),
            *told.parts,
        ]
        n_rows, relation = len(statistics.counted), shown(committee.schema.relation)
        weight = "" if statistics.weight == n_rows else f"weight {number(statistics.weight)}"
        rows = ("rows", str(n_rows), weight)
        head = [
            paragraph(f"Decision committee for {self.kind.subject}, on {source}", kind="kind"),
            element("h1", text(relation)),
            facts([*told.figures, rows, *self.size(), self._training()]),
            paragraph(self.how_it_decides()),
            paragraph(*self._left_out(statistics), *told.left_out, self._same(statistics, told)),
            self._in_short(statistics, told),
            contents([(part.name, part.title) for part in parts if part.html]),
        ]
        body = [self.between.join(head), *(part.html for part in parts)]
        return page(f"{relation}: committee on {source}", body, committee.training.version)

    @abstractmethod
    def size(self) -> list[tuple[str, str, str]]:
        """Return the size of the committee as key figures."""

    @abstractmethod
    def how_it_decides(self) -> str:
        """Return in words how rules make a decision."""

    @abstractmethod
    def table(self) -> str:
        """Return the committee as a table."""

    @abstractmethod
    def what_columns_mean(self) -> str:
        """Return in words what stands in the columns of the table."""

    @abstractmethod
    def statistics(self, dataset: Dataset) -> Counted:
        """Return what the committee does on data."""

    @abstractmethod
    def told(self, dataset: Dataset, examples: Dataset, statistics: Counted) -> Told:
        """Return what the kind of labels has of its own; examples are the rows that count."""

    def _training(self) -> tuple[str, str, str]:
        examples = counted(self.committee.training.examples, "example")
        return (*self.kind.training_error, f"on {examples}")

    def _committee_section(self) -> str:
        return section(
            "committee",
            "Committee",
            self.table(),
            paragraph(self.what_columns_mean(), kind="quiet"),
            paragraph(f"{self.kind.training_line}.", kind="quiet"),
        )

    def _left_out(self, statistics: Counted) -> list[str]:
        """Return which rows are not counted, in words."""
        left_out = [
            (statistics.unlabelled, self.kind.unlabelled),
            (statistics.weightless, "of weight 0"),
        ]
        return [
            f"{counted(n, 'row')} {why} {'is' if n == 1 else 'are'} not counted."
            for n, why in left_out
            if n
        ]

    def _same(self, statistics: Counted, told: Told) -> str:
        rules = zip(statistics.rules, self.committee.rules, strict=True)
        same = (
            told.are_those_of_training
            and len(statistics.counted) == self.committee.training.examples
            and all(of_data.covered == rule.covered for of_data, rule in rules)
        )
        return SAME_AS_TRAINING if same else ""

    def _in_short(self, statistics: Counted, told: Told) -> str:
        """Return what a reader asks first: which rules to doubt, which to keep, what is wrong."""
        points = [*told.doubts]
        decisive = [rule.decisive for rule in statistics.rules]
        if any(decisive):
            k = max(range(len(decisive)), key=decisive.__getitem__)
            points.append(
                f"Most decisive: {rule_link(self.committee, k, 'rule ')}, without which "
                f"{text(amount(decisive[k], statistics))} would {self.kind.otherwise}."
            )
        points += told.losses
        return element("ul", *(element("li", point) for point in points), class_="short")
