"""What model files do on data, in words and tables: figures, rules, drift, and paired tests."""

from __future__ import annotations

import math
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

from widc_arff.evaluation.drift import LEVEL
from widc_arff.reports.blocks import Column, Heading, Item, Table, columns
from widc_arff.reports.evaluation_figures import calibration_table
from widc_arff.reports.evaluations import evaluation_blocks
from widc_arff.reports.formatting import (
    conditions,
    counted,
    listed,
    number,
    percent,
    rule_conditions,
    shown,
)
from widc_arff.reports.kind import RULE
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.layout import fixed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.evaluation.drift import Comparison, Share
    from widc_arff.evaluation.models_on_data import ModelOnData, Versus
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block, Cell

_MARK = " *"


def models_report(
    models: Sequence[ModelOnData], tests: Sequence[Versus], source: str
) -> list[Block]:
    """Return what models do on data; one model at length, several compared."""
    models = [model.as_read() for model in models]
    names = listed(model.name for model in models)
    title = Heading(f"{names} on {source}", 1)
    if len(models) > 1:
        return [title, *_compared(models, tests)]
    (model,) = models
    training = kind_of(model.committee).training_error
    blocks = evaluation_blocks(model.evaluation, *_lowest_cost(model), training)
    return [
        title,
        *blocks,
        calibration_table(_bins(model), *kind_of(model.committee).calibrated),
        *_rules_told(model),
    ]


def _compared(models: Sequence[ModelOnData], tests: Sequence[Versus]) -> Iterator[Block]:
    yield _side_by_side(models)
    yield from _tests_told(models, tests)
    for model in models:
        *rules, _ = drift_told(model)
        none = ["No rule differs from its training by more than chance."]
        yield from (Item(f"{model.name}: {line}") for line in rules or none)
    yield f"Rules: Fisher's exact test, Holm's correction at {100 * LEVEL:g} %, each model."


def drift_told(model: ModelOnData) -> Iterator[str]:
    """Yield a sentence for each rule that differs from training, and how this was tested."""
    known = [c for c in model.comparisons if not math.isnan(c.p)]
    labels = [shown(label) for label in model.committee.schema.labels.values]
    for c in known:
        if not c.differs:
            continue
        trained, found = percent(c.trained.fraction), percent(c.found.fraction)
        if not c.labels:
            yield (
                f"Rule {c.rule + 1} covers {found} of these rows ({_of(c.found)}), {trained} in "
                f"training (p {_p(c.p)})."
            )
            continue
        what = " or ".join(labels[j] for j in c.labels)
        claim = f"is right ({'' if c.vote > 0 else 'not '}{what}) on"
        yield (
            f"Rule {c.rule + 1} {claim} {found} of the rows that it covers ({_of(c.found)}), "
            f"{trained} in training (p {_p(c.p)})."
        )
    tested = f"{counted(len(known), 'comparison')}, Holm's correction at {100 * LEVEL:g} %"
    if not known:
        yield (
            "No rule has figures of training to compare with."
            if model.comparisons
            else "The committee has no rules."
        )
    elif any(c.differs for c in known):
        yield f"These differences are more than chance: Fisher's exact test, {tested}."
    else:
        yield (
            "No rule covers more or fewer rows than in training, or is right more or less often, "
            f"by more than chance: Fisher's exact test, {tested}."
        )


def models_as_data(
    models: Sequence[ModelOnData], tests: Sequence[Versus], source: str
) -> dict[str, Any]:
    """Return the same as plain data."""
    return {
        "data": source,
        "models": [
            {
                "model": model.name,
                "examples": model.evaluation.examples,
                "unlabelled": model.evaluation.unlabelled,
                "trained_error": model.committee.training.error,
                **model.evaluation.results(),
                **({} if (cost := model.lowest_cost) is None else {"lowest_expected_cost": cost}),
                "calibration": [asdict(b) for b in _bins(model)],
                "rules_on_data": [_rule_as_data(model, of) for of in _by_rule(model)],
            }
            for model in models
        ],
        "paired_tests": [
            {
                "first": models[first].name,
                "second": models[second].name,
                **test._asdict(),
            }
            for first, second, test in tests
        ],
    }


def _rule_as_data(model: ModelOnData, of_rule: list[Comparison]) -> dict[str, Any]:
    k = of_rule[0].rule
    labels = model.committee.schema.labels.values
    data: dict[str, Any] = {"rule": k + 1, "conditions": rule_in_words(model.committee, k)}
    for c in of_rule:
        figures = {
            "trained": asdict(c.trained),
            "found": asdict(c.found),
            "p": c.p,
            "differs": c.differs,
        }
        if not c.labels:
            data["covers"] = figures
        else:
            claim = {"labels": [labels[j] for j in c.labels], "vote": c.vote}
            data.setdefault("right", []).append(claim | figures)
    return data


def rule_in_words(committee: DecisionCommittee, k: int) -> str:
    """Return the conditions of a rule."""
    return " and ".join(conditions(committee.rules[k].monomial, committee.schema))


def _side_by_side(models: Sequence[ModelOnData]) -> Table:
    figures = [
        dict([*kind_of(m.committee).evaluated(m.evaluation), *_lowest_cost(m)]) for m in models
    ]
    names = [name for name in figures[0] if all(name in of for of in figures)]
    rows = [[name, *(_first(of[name]) for of in figures)] for name in names]
    trained = [kind_of(model.committee).training_error for model in models]
    rows.append([trained[0][0], *(value for _, value in trained)])
    return Table(columns("", *(model.name for model in models)), rows)


def _lowest_cost(model: ModelOnData) -> list[tuple[str, str]]:
    """Return what decisions by cost would cost, where the model can decide so."""
    cost = model.lowest_cost
    return [] if cost is None else [("cost, decided by it", f"{fixed(cost, 4)} (predict --costs)")]


def _first(figure: str) -> str:
    """Return a figure without what is said of it in brackets."""
    return figure.partition(" (")[0].partition(",")[0]


def _tests_told(models: Sequence[ModelOnData], tests: Sequence[Versus]) -> Iterator[Block]:
    for first, second, test in tests:
        one, other = (models[i].name for i in (first, second))
        yield Item(
            f"{one} does better than {other} on {_rows(test.better)} and worse on "
            f"{_rows(test.worse)}: {'more than chance' if test.p <= LEVEL else 'may be chance'} "
            f"(paired test on rows, p {_p(test.p)})."
        )


def _rules_told(model: ModelOnData) -> Iterator[Block]:
    if not model.comparisons:
        return
    figures = map(Column, ("covered", "now", "right", "now"))
    yield Table([*RULE, *figures], figures_by_rule(model))
    yield (
        "Covered: share of the training rows, now: of these rows. Right: share of the covered rows "
        f"{kind_of(model.committee).right}."
    )
    *rules, tested = drift_told(model)
    yield from map(Item, rules)
    yield tested


def figures_by_rule(model: ModelOnData) -> list[list[Cell]]:
    """Return each rule, marked if it has drifted, its cover and rightness in training and now."""
    rows: list[list[Cell]] = []
    for cover, *claims in _by_rule(model):
        *first, last = rule_conditions(model.committee, cover.rule)
        mark = _MARK if any(c.differs for c in (cover, *claims)) else ""
        rows.append(
            [
                str(cover.rule + 1),
                (*first, f"{last}{mark}"),
                _percent([cover.trained]),
                _percent([cover.found]),
                _percent([c.trained for c in claims]),
                _percent([c.found for c in claims]),
            ]
        )
    return rows


def _by_rule(model: ModelOnData) -> list[list[Comparison]]:
    return [list(of) for _, of in groupby(model.comparisons, key=lambda c: c.rule)]


def _percent(shares: Sequence[Share]) -> str:
    known = [share.fraction for share in shares if not math.isnan(share.fraction)]
    return percent(math.fsum(known) / len(known)) if known else "–"


def _of(share: Share) -> str:
    return f"{number(share.part)} of {number(share.whole)}"


def _rows(weight: float) -> str:
    return f"{number(weight)} row{'' if weight == 1 else 's'}"


def _p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else fixed(p, 4)


def _bins(model: ModelOnData) -> Any:  # noqa: ANN401 - of both kinds
    return model.evaluation.calibration_of(model.prediction)
