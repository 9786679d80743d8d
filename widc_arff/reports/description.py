"""What data are like, in words: an attribute a line, classes, what training would leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from widc_arff.data.schema import ignoring, is_usable
from widc_arff.errors import counted_in_words, one_line
from widc_arff.model.label_orders import order_of
from widc_arff.reports.blocks import FILL, UNBROKEN, Column, Heading, Item, Table
from widc_arff.reports.formatting import counted, first_of, number, percent, shown, value_text
from widc_arff.reports.layout import short, width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from widc_arff.data.survey import AttributeSummary, Survey
    from widc_arff.reports.blocks import Block

_WIDEST_NAME = 24
_NAMED = 8
_LABELS_LISTED = 30


class Description:
    """What to tell of a survey.

    Parameters
    ----------
    survey : Survey
        Of the data.
    source : str
        Their name.
    ignored : collection of str
        Attributes that the user leaves out.
    no_class : str
        Why there is no class, where there is none.
    refusal : str
        Why training refuses the rows, where it does.
    """

    def __init__(
        self,
        survey: Survey,
        source: str,
        ignored: Iterable[str] = (),
        no_class: str = "",
        refusal: str = "",
    ) -> None:
        self.survey, self.source = survey, source
        self.ignored, self.no_class, self.refusal = set(ignored), no_class, refusal
        held = [
            s for s in survey.attributes if s.attribute.name not in self.ignored | {*survey.targets}
        ]
        self.unusable = [s for s in held if not is_usable(s.attribute)]
        held = [s for s in held if is_usable(s.attribute)]
        self.constant = [s for s in held if s.is_constant and survey.n_rows]
        self.identifiers = [s for s in held if s.is_identifier]
        self.n_used = len(held) - len(self.constant)

    def blocks(self) -> Iterator[Block]:
        """Yield the description as a report."""
        yield Heading(self._title(), 3)
        rows = [self._cells(summary) for summary in self.survey.attributes]
        widest = max(width_of(name) for name, *_ in [*rows, ("attribute",)])
        columns = [
            Column("attribute", "words", min(widest, _WIDEST_NAME), is_cut=True),
            Column("type", "words"),
            Column("missing"),
            Column("distinct"),
            Column("values", "words", FILL, is_cut=True),
        ]
        yield Table(columns, rows)
        for head, points in self._sections():
            yield Heading(head, 3)
            yield from map(Item, points)

    def to_dict(self) -> dict[str, Any]:
        """Return the description as data for JSON."""
        survey = self.survey
        labels = [
            {"label": label, "rows": rows, "weight": weight}
            for label, rows, weight in self._labels()
        ]
        return {
            "file": self.source,
            "relation": survey.relation,
            "rows": survey.n_rows,
            "weight": survey.weight,
            "attributes": [self._attribute_to_dict(s) for s in survey.attributes],
            "targets": list(survey.targets),
            "labels": labels,
            "left_out": {
                "rows_without_class": survey.unlabelled,
                "rows_of_weight_zero": survey.weightless,
                "ignored": [s.attribute.name for s in survey.attributes if self._is_ignored(s)],
                "of_one_value": _names(self.constant),
            },
            "refused": _names(self.unusable),
            "refusal": self.refusal or self.no_class or None,
            "identifiers": _names(self.identifiers),
            "advice": self._advice(),
        }

    def _title(self) -> str:
        survey = self.survey
        weight = "" if survey.weight == survey.n_rows else f" of weight {number(survey.weight)}"
        counted_rows = counted_in_words(survey.n_rows, "row")
        n_attributes = len(survey.attributes) - len(survey.targets)
        text = f"{one_line(self.source)}: {counted_rows}{weight}, "
        text += counted(n_attributes, "attribute")
        if len(survey.targets) == 1:
            return f"{text} and the class {shown(survey.targets[0])}"
        if survey.targets:
            return f"{text} and {len(survey.targets)} labels"
        return f"{text}, no class"

    def _cells(self, summary: AttributeSummary) -> list[str]:
        attribute, n_rows = summary.attribute, self.survey.n_rows
        if self._is_ignored(summary):  # of Parquet its values are not even read
            return [shown(attribute.name), self._kind(summary), "", "", ""]
        missing = "-"
        if summary.missing:
            missing = f"{summary.missing:,} ({100 * summary.missing / n_rows:.0f} %)"
        distinct = "many" if summary.distinct is None else f"{summary.distinct:,}"
        return [shown(attribute.name), self._kind(summary), missing, distinct, _values(summary)]

    def _kind(self, summary: AttributeSummary) -> str:
        if summary.attribute.name in self.survey.targets:
            return "class" if len(self.survey.targets) == 1 else "label"
        if self._is_ignored(summary):
            return "ignored"
        has_order = summary.attribute.type == "nominal" and order_of(summary.attribute)
        return "ordered" if has_order else summary.attribute.type

    def _is_ignored(self, summary: AttributeSummary) -> bool:
        return summary.attribute.name in self.ignored

    def _sections(self) -> list[tuple[str, list[str]]]:
        """Return heads and what stands below them; those with nothing to say are left out."""
        sections = [
            self._balance(),
            ("Training refuses", self._refused()),
            ("Training leaves out", self._left_out()),
            ("Check these", self._doubtful()),
        ]
        return [(head, points) for head, points in sections if points]

    def _labels(self) -> list[tuple[str, float, float]]:
        survey = self.survey
        names: Sequence[str] = survey.targets
        if len(names) == 1:
            (names,) = (
                s.attribute.values for s in survey.attributes if s.attribute.name == names[0]
            )
        return list(zip(names, survey.rows_of_label, survey.weight_of_label, strict=True))

    def _balance(self) -> tuple[str, list[str]]:
        survey = self.survey
        labels = sorted(self._labels(), key=lambda label: -label[1])
        weighted = survey.weight != survey.n_rows
        are_sets = len(survey.targets) > 1
        total = survey.n_rows - survey.unlabelled if are_sets else sum(r for _, r, _ in labels)
        points = [
            f"{shown(label)}: {counted(int(rows), 'row')}"
            f" ({percent(rows / total) if total else '?'})"
            + (f", weight {number(weight)}" if weighted else "")
            for label, rows, weight in labels
        ]
        points = first_of(points, _LABELS_LISTED)
        if are_sets:
            each = sum(rows for _, rows, _ in labels) / total if total else 0.0
            return f"Labels, {each:.2f} a row", points
        return "Classes" if points else "", points

    def _refused(self) -> list[str]:
        points = [self.refusal] if self.refusal else []
        if self.no_class:
            nominal = [s for s in self.survey.attributes if s.attribute.type == "nominal"]
            nominal = [s for s in nominal if not s.is_identifier and not s.is_constant]
            such = f", such as {_listed(nominal)}" if nominal else ""
            points.append(f"{self.no_class}{such}")
        if self.unusable:
            kinds = " and ".join(sorted({s.attribute.type for s in self.unusable}))
            points.append(
                f"{counted(len(self.unusable), f'{kinds} attribute')}: {_listed(self.unusable)}; "
                f"leave {'it' if len(self.unusable) == 1 else 'them'} out with "
                f"{_option(self.unusable)}"
            )
        return points

    def _left_out(self) -> list[str]:
        survey, points = self.survey, []
        if survey.unlabelled and not self.refusal:
            why = "without a class" if len(survey.targets) == 1 else "with a missing label"
            points.append(f"{counted(survey.unlabelled, 'row')} {why}")
        if survey.weightless and not self.refusal:
            points.append(f"{counted(survey.weightless, 'row')} of weight zero")
        if self.constant and not self.refusal:
            text = f"{counted(len(self.constant), 'attribute')} of one value or none, which no rule"
            text += f" can test: {_listed(self.constant)}"
            if any(0 < s.missing < survey.n_rows for s in self.constant):
                text += (
                    "; a missing value is none: where ? means no, give it a value of its own, as "
                    "in {t, f}"
                )
            points.append(text)
        ignored = [s for s in survey.attributes if self._is_ignored(s)]
        if ignored:
            points.append(f"{counted(len(ignored), 'attribute')} by --ignore: {_listed(ignored)}")
        return points

    def _doubtful(self) -> list[str]:
        survey, points = self.survey, []
        if self.refusal:
            return []
        if self.identifiers:
            few = first_of([_why_identifier(s) for s in self.identifiers], _NAMED)
            points.append(
                f"identifiers, on which rules would not work for new rows: {', '.join(few)}; "
                f"leave out with {_option(self.identifiers)}"
            )
        targets = [s for s in survey.attributes if s.attribute.name in survey.targets]
        if len(targets) == 1 and targets[0].is_identifier:
            points.append(
                f"the class itself looks like an identifier: {_why_identifier(targets[0])}; choose "
                f"another with --class{UNBROKEN}NAME"
            )
        empty = [label for label, rows, _ in self._labels() if not rows]
        if empty:
            noun = "class" if len(survey.targets) == 1 else "label"
            points.append(f"no row with the {noun} {_few(empty)}")
        if survey.targets and not self.n_used:
            points.append("nothing is left to learn from")
        return points

    def _advice(self) -> str | None:
        """Return the option that leaves out what is refused and what looks like identifiers."""
        out = [*self.unusable, *self.identifiers]
        return ignoring(s.attribute for s in out) if out else None

    def _attribute_to_dict(self, summary: AttributeSummary) -> dict[str, Any]:
        attribute = summary.attribute
        data: dict[str, Any] = {
            "name": attribute.name,
            "type": attribute.type,
            "use": self._use(summary),
        }
        if self._is_ignored(summary):
            return data
        data |= {"missing": summary.missing, "distinct": summary.distinct}
        if summary.span is not None:
            ends: list[Any] = list(summary.span)
            if attribute.type == "date":
                ends = [value_text(attribute, end) for end in ends]
            data["range"] = [str(e) if e in (float("inf"), -float("inf")) else e for e in ends]
        if summary.frequent:
            data["frequent"] = [{"value": v, "rows": n} for v, n in summary.frequent]
        return data

    def _use(self, summary: AttributeSummary) -> str:
        kind = self._kind(summary)
        if kind in ("class", "label", "ignored"):
            return kind
        for use, found in (
            ("refused", self.unusable),
            ("of one value", self.constant),
            ("identifier", self.identifiers),
        ):
            if summary in found:
                return use
        return "learned from"


def _values(summary: AttributeSummary) -> str:
    """Return the range of numbers and dates, or the most frequent values with their rows."""
    attribute = summary.attribute
    if summary.span is not None:
        low, high = (value_text(attribute, end) for end in summary.span)
        return low if low == high else f"{low} to {high}"
    if not summary.frequent:
        return ""
    if summary.frequent[0][1] == 1 and len(summary.frequent) > 1:
        return f"{shown(short(summary.frequent[0][0], 20))}, ..., each in one row"
    words = [f"{shown(short(value, 20))} ({n:,})" for value, n in summary.frequent]
    if summary.distinct != len(words):
        words.append("...")
    return ", ".join(words)


def _why_identifier(summary: AttributeSummary) -> str:
    return f"{shown(summary.attribute.name)} ({summary.why_identifier})"


def _option(found: Iterable[AttributeSummary]) -> str:
    return ignoring(summary.attribute for summary in found).replace(" ", UNBROKEN)


def _names(found: Iterable[AttributeSummary]) -> list[str]:
    return [summary.attribute.name for summary in found]


def _listed(found: Sequence[AttributeSummary]) -> str:
    return _few(_names(found))


def _few(names: Iterable[str]) -> str:
    return ", ".join(first_of([shown(name) for name in names], _NAMED))
