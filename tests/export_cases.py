"""Committees to export, rows to try them on, and what the library says of these rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.arff.reader import read_arff
from widc_arff.arff.relation import Attribute
from widc_arff.data.dataset import Dataset
from widc_arff.data.rows import label_matrix
from widc_arff.data.schema import Labels, Schema
from widc_arff.induction import induce
from widc_arff.model.committee import DecisionCommittee
from widc_arff.model.literals import Literal
from widc_arff.model.rules import Calibration, Rule, TrainingSummary
from widc_arff.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

DATA = Path(__file__).parents[1] / "arff_data"
FILES = sorted(path.stem for path in DATA.glob("*.arff"))
HAND_MADE = [
    "small",
    "awkward names",
    "awkward labels",
    "numbers",
    "empty",
    "one class",
    "many",
    "kinds",
    "ties",
    "ties of version 1",
]
NAMES = [*FILES, *HAND_MADE]

AWKWARD = (
    *(
        "",
        "it's",
        'say "hi"',
        " lead",
        "trail ",
        "new\nline",
        "car\rriage",
        "tab\t",
        "100%s",
        "größe",
    ),
    *(
        "日本",
        "\U0001f600",
        "None",
        "NULL",
        "NaN",
        "?",
        "true",
        "class",
        "\\",
        "\\u000a",
        "--",
        "*/",
    ),
    *("${x}", "{x}", ":v", "$1", "1", "01", "1.0", "select", "rule 1", "predicted", "row_number"),
    *("known", "s.most", "a,b", "a;b", "]]>", "&lt;", "\x85\u2028", "LABELS", "row"),
)
NUMBERS = (
    *(1e308, -0.0, 5e-324, -5e-324, 0.1 + 0.2, 2.4499999999999997, -1.7976931348623157e308, 1e22),
    *(9007199254740992.0, 123456789012345.67, 9.814642202063257e-293, -3.9876351224942317e-292),
    *(1e23, 1e-22, 1e-23, 4.35, 1 / 3),
)


SMALL = DecisionCommittee(
    Schema(
        "loans",
        (
            Attribute("housing", "nominal", ("own", "rent", "free of charge")),
            Attribute("age", "numeric"),
            Attribute("last visit", "date", format="yyyy-MM-dd"),
            Attribute("not used", "numeric"),
        ),
        Labels("single", ("risk",), ("low", "high", "customer's")),
    ),
    (
        Rule((Literal(0, "=", 0), Literal(1, ">", 40.5)), (1, -1, 0), (30.0, 2.0, 0.0)),
        Rule(
            (Literal(0, "!=", 2), Literal(1, ">", 21.0), Literal(1, "<=", 30.2)),
            (-1, 1, 1),
            (1.0, 9.5, 3.0),
        ),
        Rule((Literal(2, "<=", 1704067200000.0),), (0, 0, 1), (0.0, 4.0, 6.0)),
        Rule((Literal(1, ">", NUMBERS[4]),), (-1, 1, 0), (40.0, 12.5, 9.0)),
    ),
    (0.5, 0.125, 0.375),
    TrainingSummary(
        64, (40.0, 14.0, 10.0), 0.125, {"pruning": "pessimistic", "cut_points": "mdl+"}, "0.1.0"
    ),
    calibration=Calibration(0.405, (1.0, 0.35, 0.25), (0.5, 0.2, 0.3)),
)


@dataclass(frozen=True)
class Case:
    """A committee and examples in its schema."""

    committee: DecisionCommittee
    examples: Dataset

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The examples as people hold them: text, numbers, None."""
        columns = []
        for attribute, column in zip(
            self.committee.schema.attributes, self.examples.columns, strict=True
        ):
            values: list[Any] = column.tolist()
            if attribute.type == "nominal":
                columns.append([attribute.values[code] if code >= 0 else None for code in values])
            else:
                columns.append([None if math.isnan(value) else value for value in values])
        names = [attribute.name for attribute in self.committee.schema.attributes]
        cells = zip(*columns, strict=True) if columns else [()] * self.examples.n_samples
        return [dict(zip(names, row, strict=True)) for row in cells]

    @property
    def votes(self) -> list[list[int]]:
        votes: list[list[int]] = self.committee.votes(self.examples).tolist()
        return votes

    @property
    def labels(self) -> list[str]:
        labels = self.committee.schema.labels.values  # numpy's texts lose NUL at the end
        return [labels[j] for j in self.committee.predict_codes(self.examples).tolist()]

    @property
    def probabilities(self) -> list[list[float]]:
        chances: list[list[float]] = self.committee.predict_proba(self.examples).tolist()
        return chances


@cache
def case(name: str) -> Case:
    """Return a case: of a data file its rows, then the same with cells set missing."""
    if name in FILES:
        dataset = Dataset.from_relation(read_arff(DATA / f"{name}.arff"))
        committee = induce(dataset, Options(pruning="pessimistic"))
        return Case(committee, doubled_with_missing(dataset))
    return _hand_made(name)


def doubled_with_missing(dataset: Dataset) -> Dataset:
    """Return the rows, then the rows with about a quarter of the cells missing."""
    rng = np.random.default_rng(3)
    columns = []
    for column in dataset.columns:
        missing = rng.random(dataset.n_samples) < 0.25
        nothing = np.nan if column.dtype.kind == "f" else -1
        columns.append(np.concatenate([column, np.where(missing, nothing, column)]))
    return replace(
        dataset,
        columns=tuple(columns),
        Y=np.concatenate([dataset.Y] * 2),
        weights=np.concatenate([dataset.weights] * 2),
    )


def _hand_made(name: str) -> Case:
    rng = np.random.default_rng(4)
    if name == "awkward names":
        attributes = [
            Attribute(text, "numeric") if k % 3 else Attribute(text, "nominal", AWKWARD[k::9])
            for k, text in enumerate(AWKWARD)
            if text not in ("", "true")  # no column has the first; SQLite loses the other one
        ]
        committee = _random_committee(rng, attributes, ("a", "b"), 60, target='the "class"\n')
    elif name == "awkward labels":
        attributes = [Attribute("a", "nominal", AWKWARD), Attribute("b", "nominal", AWKWARD[::-1])]
        committee = _random_committee(rng, attributes, AWKWARD, 80)
    elif name == "numbers":
        attributes = [
            Attribute("n", "numeric"),
            Attribute("d", "date", format="yyyy-MM-dd"),
            Attribute("e", "date"),
        ]
        committee = _random_committee(rng, attributes, ("low", "high", "middle"), 60)
    elif name == "small":
        return Case(SMALL, _random_examples(rng, SMALL.schema))
    elif name == "empty":
        committee = _random_committee(rng, [Attribute("n", "numeric")], ("no", "yes"), 0)
    elif name == "one class":
        committee = _random_committee(rng, [Attribute("n", "numeric")], ("only",), 2)
    elif name == "kinds":
        attributes = [
            Attribute("a", "nominal", AWKWARD),
            Attribute("b", "nominal", tuple(f"b{k}" for k in range(30)), order=("b3", "b1", "b2")),
            Attribute("c", "nominal", tuple("0123456789")),
            Attribute("n", "numeric"),
            Attribute("d", "date"),
        ]
        committee = _random_committee(rng, attributes, ("low", "high", "middle"), 90, kinds=True)
    elif name == "many":
        attributes = [Attribute(f"n{k}", "numeric") for k in range(5)]
        attributes += [Attribute(f"c{k}", "nominal", tuple("abcdef")) for k in range(5)]
        committee = _random_committee(rng, attributes, tuple(f"k{j}" for j in range(30)), 250)
    else:
        # Ties between equal scores, and between classes that training never saw.
        attributes = [Attribute("c", "nominal", tuple("abcdef"))]
        committee = _random_committee(rng, attributes, tuple("uvwxyz"), 12)
        default, weights = (0.0, 0.25, 0.5, 0.25, 0.0, 0.0), (0.0, 2.0, 4.0, 2.0, 0.0, 0.0)
        training = replace(committee.training, weights=weights)
        calibration = None if name.endswith("version 1") else _calibration(default, weights)
        committee = replace(committee, default=default, training=training, calibration=calibration)
    return Case(committee, _random_examples(rng, committee.schema))


def _random_committee(
    rng: np.random.Generator,
    attributes: list[Attribute],
    labels: tuple[str, ...],
    n_rules: int,
    target: str = "class of all",
    *,
    kinds: bool = False,
) -> DecisionCommittee:
    schema = Schema("a 'table'", tuple(attributes), Labels("single", (target,), labels))
    rules = []
    for k in range(n_rules):
        chosen = {k % len(attributes), *rng.integers(len(attributes), size=k % 2).tolist()}
        monomial = []
        for a in sorted(chosen):
            values = attributes[a].values
            if kinds and rng.random() < 0.3:
                monomial.append(Literal(a, str(rng.choice(["known", "missing"]))))
            elif kinds and values and rng.random() < 0.8:
                size = int(rng.integers(2, len(values)))
                named = sorted(rng.choice(len(values), size, replace=False).tolist())
                operator = str(rng.choice(["in", "not in"]))
                monomial.append(Literal(a, operator, labels=tuple(named)))
            elif values:
                operator = str(rng.choice(["=", "!="]))
                monomial.append(Literal(a, operator, int(rng.integers(len(values)))))
            else:
                operator = str(rng.choice(["<=", ">"]))
                monomial.append(Literal(a, operator, NUMBERS[int(rng.integers(len(NUMBERS)))]))
        votes = tuple(rng.integers(-1, 2, size=len(labels)).tolist())
        covers = tuple(rng.integers(9, size=len(labels)).astype(float).tolist())
        rules.append(Rule(tuple(monomial), votes, covers))
    weights = rng.integers(1, 4, size=len(labels)).astype(float)
    default = rng.integers(1, 4, size=len(labels)).astype(float)
    training = TrainingSummary(
        int(weights.sum()), tuple(weights.tolist()), 0.25, {"pruning": "none\n"}, "0.1.0"
    )
    default /= default.sum()
    calibration = (
        _calibration(default.tolist(), weights.tolist()) if n_rules != 60 else None
    )  # those are of version 1
    return DecisionCommittee(
        schema, tuple(rules), tuple(default.tolist()), training, calibration=calibration
    )


def _calibration(default: Sequence[float], weights: Sequence[float]) -> Calibration:
    """Return a calibration, its shares in the order of ties: some equal, the last 0."""
    scores = np.array(default) + 1e-6 * np.array(weights) / sum(weights)
    _, rank = np.unique(scores, return_inverse=True)
    frequencies = (np.array(weights) + 1) / (max(weights) + 1)
    shares = rank.ravel() / (rank.max() + 1)
    return Calibration(0.435, tuple(frequencies.tolist()), tuple(shares.tolist()))


def _random_examples(rng: np.random.Generator, schema: Schema, n: int = 250) -> Dataset:
    """Return rows of labels, of cut points and their neighbours among the doubles, of missing."""
    cuts = np.array(NUMBERS)
    with np.errstate(over="ignore"):
        around = [cuts, np.nextafter(cuts, np.inf), np.nextafter(cuts, -np.inf)]
    around.append(np.array([np.inf, -np.inf, 0.0]))
    numbers = np.concatenate([*around, [np.nan] * 9])
    columns = tuple(
        rng.integers(-1, len(attribute.values), size=n)
        if attribute.type == "nominal"
        else rng.choice(numbers, size=n)
        for attribute in schema.attributes
    )
    labels = label_matrix(np.full(n, -1), schema.n_classes)
    return Dataset(schema, columns, labels, np.ones(n), has_labels=False)
