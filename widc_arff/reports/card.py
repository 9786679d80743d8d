"""A model card: what a model is, what it is for, what it was made from, and how it errs."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from widc_arff.reports.blocks import Column, Heading, Item, Table, columns
from widc_arff.reports.evaluations import figures_table
from widc_arff.reports.formatting import (
    counted,
    first_of,
    listed,
    number,
    percent,
    rule_conditions,
    shown,
    size_in_words,
    value_text,
)
from widc_arff.reports.kind import RULE, missing_told
from widc_arff.reports.kinds import LABELS_SHOWN, kind_of
from widc_arff.reports.layout import short
from widc_arff.reports.models_on_data import drift_told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.evaluation.models_on_data import ModelOnData
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block, Cell
    from widc_arff.reports.kind import Kind

_VALUES_SHOWN = 8
_NOTHING = "–"


def card_blocks(
    committee: DecisionCommittee, on_data: tuple[str, ModelOnData] | None = None
) -> Iterator[Block]:
    """Yield a model card as a report.

    Parameters
    ----------
    committee : DecisionCommittee
        The model.
    on_data : tuple of (str, ModelOnData), optional
        Name of some data, and what the model does there.
    """
    committee = committee.as_read()
    kind = kind_of(committee, LABELS_SHOWN, "rule")
    yield Heading(f"Model card: {kind.subject}, {shown(committee.schema.relation)}", 1)
    yield from _what_it_is(kind)
    yield from _data(kind)
    yield Heading("Rules")
    if committee.rules:
        yield _rules(kind)
    yield from kind.notes()
    yield from _errors(kind, on_data)
    yield from _attributes(committee)
    yield from _limits(kind)
    if committee.history:
        yield Heading("Changes since the training")
        yield from map(Item, committee.history)


def _what_it_is(kind: Kind) -> Iterator[Block]:
    committee, provenance = kind.committee, kind.committee.provenance
    yield (
        f"A decision committee: {size_in_words(committee)}. It gives each row {kind.what} by "
        "adding the votes of the rules that hold."
    )
    for what, said in (
        ("Intended use", provenance.use or "not recorded"),
        ("Author", provenance.author or "not recorded"),
        ("Date", provenance.date or "not recorded"),
        ("Learned by", f"widc-arff {committee.training.version} ({_options(committee)})"),
    ):
        yield Item(f"{what}: {said}")


def _options(committee: DecisionCommittee) -> str:
    options = committee.training.options.items()
    return ", ".join(f"{name.replace('_', ' ')} {_plain(value)}" for name, value in options)


def _plain(value: object) -> str:
    return short("; ".join(map(str, value)) if isinstance(value, list) else str(value), 200)


def _data(kind: Kind) -> Iterator[Block]:
    training = kind.committee.training
    yield Heading("Training data")
    yield f"{counted(training.examples, 'row')}; the model holds no rows, only these figures."
    total = kind.committee.training_weight
    order = sorted(range(len(kind.labels)), key=lambda j: -training.weights[j])
    rows = [
        [kind.labels[j], number(training.weights[j]), percent(training.weights[j] / total)]
        for j in order[: 2 * LABELS_SHOWN]
    ]
    yield Table(columns(kind.noun, "rows", ""), rows)
    if len(order) > len(rows):
        yield f"And {len(order) - len(rows)} more."
    files = kind.committee.provenance.data
    yield from (Item(f"{name}: SHA-256 {digest or 'not known'}") for name, digest in files)
    if not files:
        yield "The files are not recorded; train --provenance records them."


def _rules(kind: Kind) -> Table:
    heads = [*RULE, Column("for", "words"), Column("against", "words")]
    heads += [Column(head or "share") for head in kind.figure_heads]
    rows: list[list[Cell]] = [
        [
            str(k + 1),
            _conditions(kind, k),
            *(", ".join(names) or _NOTHING for names in kind.for_and_against(k)),
            *kind.figures(k),
        ]
        for k in range(len(kind.committee.rules))
    ]
    held = [i for i in range(len(heads)) if any(row[i] != _NOTHING for row in rows)]
    return Table([heads[i] for i in held], [[row[i] for i in held] for row in rows])


def _conditions(kind: Kind, k: int) -> tuple[str, ...]:
    *first, last = rule_conditions(kind.committee, k)
    return (*first, f"{last} (locked)" if kind.committee.rules[k].locked else last)


def _errors(kind: Kind, on_data: tuple[str, ModelOnData] | None) -> Iterator[Block]:
    committee = kind.committee
    yield Heading("How it errs")
    yield (f"On the training rows: {kind.training_line}. New rows are decided wrongly more often.")
    if committee.provenance.folds is not None:
        n_folds, error = committee.provenance.folds
        figure = f"{kind.loss} {kind.error_in_words(error)}"
        yield f"On held-out rows, by {n_folds} folds of the training data: {figure}."
    elif on_data is None:
        yield "No error on held-out rows is recorded; train --folds or card MODEL DATA shows one."
    if on_data is None:
        return
    source, model = on_data
    model = model.as_read()
    yield Heading(f"On {source}")
    yield figures_table(kind.evaluated(model.evaluation))
    yield from map(Item, drift_told(model))


def _attributes(committee: DecisionCommittee) -> Iterator[Block]:
    schema = committee.schema
    yield Heading("What it needs to know about a row")
    for i in sorted(committee.used_attributes):
        attribute = schema.attributes[i]
        literals = chain.from_iterable(rule.monomial for rule in committee.rules)
        own = [x for x in literals if x.attribute == i and x.operator in ("<=", ">")]
        cuts = sorted({x.value for x in own})
        if attribute.type == "nominal":
            values = [shown(value) for value in attribute.values]
        else:
            values = [value_text(attribute, cut) for cut in cuts]
        what = "" if attribute.type == "nominal" else "cut at "
        words = what + ", ".join(first_of(values, _VALUES_SHOWN))
        yield Item(f"{shown(attribute.name)} ({attribute.type}): {words}")
    unused = len(schema.attributes) - len(committee.used_attributes)
    if unused:
        yield f"{counted(unused, 'attribute')} of the training data are not used."


def _limits(kind: Kind) -> Iterator[Block]:
    committee = kind.committee
    yield Heading("Limits")
    yield Item(f"{missing_told(committee)} A row of missing values is decided too.")
    yield Item(
        "A value that did not occur in training is refused, or treated as missing on request."
    )
    weights = zip(kind.labels, committee.training.weights, strict=True)
    absent = [label for label, weight in weights if not weight]
    if absent:
        yield Item(f"Never predicted, because no training row has it: {listed(absent)}.")
    if committee.is_fitted:
        yield Item("Probabilities are fitted to the training rows; on other data they may be off.")
    else:
        yield Item("Probabilities are not fitted: the model was changed without data.")
    yield Item(
        "Rules describe associations in the training rows, not causes. Other rows (another place, "
        "time or people) need their own test: widc-arff evaluate MODEL DATA."
    )
