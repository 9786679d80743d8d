"""A committee on new data: its rules are held as far as they still pay, others learned around them.

What pays is said by the description length that refined pruning makes small: rules and conditions
that lower it on the new data stay, others go, but for those that are locked.  Rules are learned
around all the old ones, as around rules that a user gives, and around those alone that still pay;
then once more what pays is held.  The first keeps more of the old rules, and is taken unless its
description is much longer, as where it leans on rules that are wrong by now.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.errors import WidcWarning
from widc_arff.induction import induce
from widc_arff.induction.constraints import Constraints
from widc_arff.induction.preparing import Problem
from widc_arff.induction.refitting import refitted
from widc_arff.induction.search.budget import Budget
from widc_arff.induction.search.deciding import state_of
from widc_arff.induction.search.objective import Objective
from widc_arff.induction.search.searching import (
    evidence_of,
    rows_of,
    votes_of_declared,
)
from widc_arff.induction.search.shrinking import shrink, sizes_of
from widc_arff.induction.search.state import SearchedRule
from widc_arff.model.literals import satisfied
from widc_arff.model.resolving import by_names, resolved
from widc_arff.model.rules import LabelOdds
from widc_arff.options import aims_at_sets, options_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from widc_arff.arrays import Bools, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.data.schema import Schema
    from widc_arff.induction.constraints.evidence import Evidence
    from widc_arff.induction.sample.coding import Catalogue
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.expert_rules import ExpertRule
    from widc_arff.model.literals import Literal
    from widc_arff.model.rules import Rule
    from widc_arff.options import Options


NEVER = -700.0
"""The logarithm of the odds of a label that no row gets."""
WORTH_KEEPING = 1.05
"""How much longer a description may be that keeps more of the old rules.  Both are about as long
where data are as before; where classes have changed places it is mostly longer by more."""


def updated(
    committee: DecisionCommittee, dataset: Dataset, options: Options | None = None
) -> DecisionCommittee:
    """Return a committee for new data that keeps the rules of an old one that still pay.

    Parameters
    ----------
    committee : DecisionCommittee
        The old one, with the options of its training.
    dataset : Dataset
        The rows that count now; their schema has all attributes that the rules test.
    options : Options, optional
        By default those of the training. Their given rules are not used, locked rules are.

    Returns
    -------
    DecisionCommittee
        With the locked rules as they were.

    Raises
    ------
    DataError, OptionError
        If rules test something that the data do not have, or there is nothing to learn from.

    Examples
    --------
    >>> from widc_arff import induce, read_dataset
    >>> flowers = read_dataset("arff_data/iris.arff")
    >>> old = induce(flowers.take(range(0, 150, 3)))
    >>> new = updated(old, flowers)
    >>> old.training.examples, new.training.examples, new.training.error < 0.1
    (50, 150, True)
    """
    dataset = with_values_of(committee, dataset)
    rules: Sequence[Rule] = translated(committee, dataset.schema).rules
    options = replace(options or options_of(committee), rules=())
    held, _ = _paying(rules, dataset, options)
    around_all, around_held = (
        _paying(_with_learned(some, dataset, options), dataset, options) for some in (rules, held)
    )
    keeps = around_all[1] <= WORTH_KEEPING * around_held[1]
    held, _ = around_all if keeps else around_held
    locked = tuple(by_names(rule, dataset.schema) for rule in held if rule.locked)
    training = replace(committee.training, options=replace(options, rules=locked).to_dict())
    changed = replace(committee, schema=dataset.schema, rules=tuple(held), training=training)
    return refitted(changed, dataset).brief()


def with_values_of(committee: DecisionCommittee, dataset: Dataset) -> Dataset:
    """Return a data set that knows the values that rules test, where no row has them too."""
    held = {a.name: a.values for a in committee.schema.attributes if a.type == "nominal"}
    attributes = tuple(
        replace(a, values=tuple(dict.fromkeys((*a.values, *held.get(a.name, ())))))
        if a.type == "nominal"
        else a
        for a in dataset.schema.attributes
    )
    return replace(dataset, schema=replace(dataset.schema, attributes=attributes))


def translated(committee: DecisionCommittee, schema: Schema) -> DecisionCommittee:
    """Return a committee in another schema, for its decisions: probabilities are not known.

    Labels that only the schema has are never predicted; votes for labels that only the committee
    has are lost.

    Raises
    ------
    OptionError
        If a rule tests something that the schema does not have.
    """
    place = {label: j for j, label in enumerate(committee.schema.labels.values)}
    places = [place.get(label) for label in schema.labels.values]

    def of_labels(values: Sequence[Any], other: Any) -> tuple[Any, ...]:  # noqa: ANN401
        return tuple(other if j is None else values[j] for j in places)

    named = (by_names(rule, committee.schema) for rule in committee.rules)
    monomials = resolved([replace(r, votes=None, place="the model") for r in named], schema)
    rules = tuple(
        replace(
            rule,
            monomial=monomial,
            votes=of_labels(rule.votes, min(rule.votes)),
            covers=of_labels(rule.covers, 0.0),
        )
        for rule, monomial in zip(committee.rules, monomials, strict=True)
    )
    training = replace(committee.training, weights=of_labels(committee.training.weights, 0.0))
    default, odds = of_labels(committee.default, 0.0), committee.odds
    if odds is not None:
        odds = LabelOdds(of_labels(odds.slopes, 0.0), of_labels(odds.intercepts, NEVER))
    return replace(
        committee,
        schema=schema,
        rules=rules,
        default=default,
        training=training,
        calibration=None,
        odds=odds,
    )


def _with_learned(rules: Sequence[Rule], dataset: Dataset, options: Options) -> list[Rule]:
    """Return rules with those that are learned around them."""
    given = tuple(_given(rule, dataset) for rule in rules)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)  # all was said before
        found = induce(dataset, replace(options, rules=given))
    return [*rules, *found.rules[len(rules) :]]


def _paying(rules: Sequence[Rule], dataset: Dataset, options: Options) -> tuple[list[Rule], float]:
    """Return locked rules, of the others what lowers the description length, and that length."""
    given = tuple(_given(rule, dataset) for rule in rules if rule.locked)
    tried = [rule for rule in rules if not rule.locked]
    tested = [literal for rule in tried for literal in rule.monomial]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)  # fitting says it
        problem = Problem.of(dataset, replace(options, rules=given), tested)
    present, budget = problem.weighed.present, Budget()
    rows = rows_of(problem, problem.examples.searched(budget.searched_cells))
    left: dict[int, list[Rule]] = {}
    length = 0.0
    if rows is not None and rows.n_classes > 1:
        codes = [_codes(rule, problem.catalogue, dataset) for rule in tried]
        objective = Objective.of(rows, options, problem.share_of_examples)
        with_line = aims_at_sets(problem.options)
        begun = list(_searched(tried, codes, present, with_line=with_line))
        state = state_of(rows, objective, begun)
        evidence = evidence_of(problem, rows)
        constraints = Constraints(
            len(problem.catalogue),
            problem.limits,
            problem.vector_search,
            evidence=evidence,
            with_line=with_line,
        )
        shrink(state, constraints, budget)
        literals, size = problem.literal_filter, None
        while size != sizes_of(state.rules):  # without votes that go, others may not pay
            found = list(mended(state.rules, evidence[-1], constraints))
            if literals is not None:
                found = [rule for rule in found if literals.covers_enough(rule.monomial)]
            size = sizes_of(found)
            state.restart(found)
            shrink(state, constraints, budget)
        found, length = state.rules, state.length
        vectors = votes_of_declared(found, problem)
        left = _as_they_stood(found, vectors, tried, codes, present)
    place = {id(rule): k for k, rule in enumerate(tried)}
    held = ([rule] if rule.locked else left.get(place[id(rule)], []) for rule in rules)
    return [rule for some in held for rule in some], length


def mended(
    rules: Iterable[SearchedRule], shown: Evidence, constraints: Constraints
) -> Iterator[SearchedRule]:
    """Yield rules with those of their votes that agree with what examples show, if some do."""
    for monomial, vector in rules:
        plain = shown.mended(monomial, vector)
        if plain.max() > plain.min() and constraints.allows(monomial, plain):
            yield SearchedRule(monomial, plain)


def _given(rule: Rule, dataset: Dataset) -> ExpertRule:
    return replace(by_names(rule, dataset.schema), place="the model")


def _codes(rule: Rule, catalogue: Catalogue, dataset: Dataset) -> dict[int, Literal]:
    """Return the literals of a rule by their numbers in a catalogue, or by those of their equals.

    Without those that hold on all rows; none where the rule holds nowhere.
    """
    if not satisfied(rule.monomial, dataset.columns).any():
        return {}
    codes = {}
    for literal in rule.monomial:
        holds = literal.satisfied_by(dataset.columns)
        of_attribute = np.flatnonzero(catalogue.tests(literal.attribute)).tolist()
        for number in of_attribute:
            if (catalogue.literal(number).satisfied_by(dataset.columns) == holds).all():
                codes[number] = literal
                break
    return codes


def _searched(
    rules: Sequence[Rule],
    codes: Sequence[dict[int, Literal]],
    present: Bools,
    *,
    with_line: bool = False,
) -> Iterator[SearchedRule]:
    """Yield the rules that say something on some rows, each monomial once.

    If wanted with a vote of 0 for the line behind the others.
    """
    seen = set()
    for rule, of in zip(rules, codes, strict=True):
        vector = np.array(rule.votes)[present]
        if with_line:
            vector = np.append(vector, 0)
        if of and vector.min() < vector.max() and frozenset(of) not in seen:
            seen.add(frozenset(of))
            yield SearchedRule(tuple(of), vector)


def _as_they_stood(
    found: Sequence[SearchedRule],
    vectors: Integers,
    rules: Sequence[Rule],
    codes: Sequence[dict[int, Literal]],
    present: Bools,
) -> dict[int, list[Rule]]:
    """Return what is left of each rule, by its place: literals and votes as they stood in it.

    A name that people gave a rule is about all its conditions, and goes where some do.
    """
    left: dict[int, list[Rule]] = {}
    for (monomial, _), votes in zip(found, vectors, strict=True):
        wanted = set(monomial)
        whole = [k for k, of in enumerate(codes) if wanted <= of.keys()]
        k = min(whole, key=lambda k: (k in left, len(codes[k])))
        literals = tuple(literal for number, literal in codes[k].items() if number in wanted)
        as_before = (np.array(rules[k].votes) == votes)[present].all()
        is_whole = wanted == codes[k].keys()
        rule = replace(
            rules[k],
            monomial=rules[k].monomial if is_whole else literals,
            name=rules[k].name if is_whole else "",
            votes=rules[k].votes if as_before else tuple(votes.tolist()),
        )
        left.setdefault(k, []).append(rule)
    return left
