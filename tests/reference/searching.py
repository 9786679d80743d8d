"""The search of refined pruning as plain loops, from its definition in docs/algorithm.md.

A `Task` is what is searched on.  The rest tells what a committee is worth (`length`), what growth
sees of it (`residual`, `gain`, `fall`), and what can be done to it (`removals`, `changes`).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from widc_arff.induction.search.budget import USUAL_CHOICE
from widc_arff.induction.search.label_residual import STEEPNESS

from .deciding import state, top_classes
from .literals import Literal, satisfies_literal
from .problem import LabelSet, Row, Sample


class VotingRule(NamedTuple):
    """Literals, and a vote for each label that occurs."""

    monomial: tuple[Literal, ...]
    votes: tuple[int, ...]


Rules = Sequence[VotingRule]


@dataclass(frozen=True)
class Task:
    """What a committee is searched on; labels are numbered among those that occur.

    `counts` are the weights of the examples as whole numbers, `unit` is what one of them weighs.
    With a line the last label is a virtual one, which no example has: labels that pass it are in
    the set of an example, and each label that is wrong counts.
    `costs` tells what it costs to take a class (first) for another; `given` are rules that stay.
    `votes` and `vote_penalty` tell what votes cost, and of which rules may be; `impurity_penalty`
    is what an example costs that contradicts a rule.
    """

    rows: list[Row]
    label_sets: list[LabelSet]
    counts: list[int]
    unit: float
    prior: list[float]
    catalogue: list[Literal]
    are_sets: bool
    penalty: float
    costs: Sequence[Sequence[float]] | None = None
    given: Rules = ()
    votes: str = "sparse"
    are_named: bool = False
    vote_penalty: float | None = None
    impurity_penalty: float = 0.0
    with_line: bool = False

    @property
    def n_labels(self) -> int:
        """c."""
        return len(self.prior)

    @property
    def vote_price(self) -> float:
        """Bits of a vote that differs from the most frequent one: none if two labels are all."""
        if self.n_labels == 2 or self.votes == "free":
            return 0.0
        if self.vote_penalty is not None:
            return self.vote_penalty
        of_sign = min(self.bits_of_examples, 6) / 6 if self.with_line else 0.0  # for or against
        return math.log2(self.n_labels - 1) + of_sign

    def may_vote(self, votes: Sequence[int]) -> bool:
        """Tell whether a learned rule may have such votes."""
        if self.with_line and any(abs(vote - votes[-1]) > 1 for vote in votes):
            return False
        return self.votes != "one" or n_exceptions(votes) <= 1

    @property
    def decisions(self) -> int:
        """How many decisions an example is: of labels that pass a line or not, one for each."""
        return self.n_labels - 1 if self.with_line else 1

    @cached_property
    def truths(self) -> dict[Literal, list[bool]]:
        """Which examples satisfy each literal."""
        return {x: [satisfies_literal(row, x) for row in self.rows] for x in self.catalogue}

    @property
    def bits_of_examples(self) -> float:
        """The logarithm of the number of examples."""
        return max(0.0, math.log2(self.unit * sum(self.counts)))

    @cached_property
    def prices(self) -> dict[Literal, float]:
        """Bits of each literal: the penalty, or more where many attributes or values are there."""
        n_attributes = len({literal.attribute for literal in self.catalogue})
        prices = {}
        penalty = self.penalty * min(self.bits_of_examples, 10 if self.with_line else 6) / 6
        for literal in self.catalogue:
            bits = math.log2(n_attributes) + self._bits_of_value(literal)
            prices[literal] = penalty * max(1.0, bits / USUAL_CHOICE)
            if self.are_named and literal.op in ("in", "not in"):
                prices[literal] = penalty * max(1.0, 1 + (bits - USUAL_CHOICE) / 3)
        return prices

    def _bits_of_value(self, literal: Literal) -> float:
        """Return the bits of one literal among those of its kind on its attribute."""
        if self.are_named and literal.op in ("in", "not in"):
            column = {row[literal.attribute] for row in self.rows} - {None}
            own = [value for value in column if (value in literal.value) == (literal.op == "in")]
            return math.log2(math.comb(len(column), len(own)))
        kinds = {"=": 0, "!=": 0, "<=": 0, ">": 0, "in": 1, "not in": 1, "known": 2, "missing": 2}
        alike = [
            x
            for x in self.catalogue
            if x.attribute == literal.attribute and kinds[x.op] == kinds[literal.op]
        ]
        if literal.op in ("in", "not in"):  # each cut of the order is there twice
            return math.log2(len(alike) / 2)
        return math.log2(sum(x.op not in ("!=", ">") for x in alike))

    @cached_property
    def kinds(self) -> list[list[int]]:
        """Examples that satisfy the same literals and have the same given votes, by number.

        Of label sets they have the same labels too.
        """
        kinds: dict[object, list[int]] = {}
        given = vote_sums(self, [])
        for i, labels in enumerate(self.label_sets):
            held = tuple(self.truths[literal][i] for literal in self.catalogue)
            key = held, tuple(given[i]), labels if self.are_sets else None
            kinds.setdefault(key, []).append(i)
        return list(kinds.values())

    def covers(self, monomial: Iterable[Literal]) -> list[bool]:
        """Return which examples satisfy a monomial."""
        truths = [self.truths[literal] for literal in monomial]
        return [all(truth[i] for truth in truths) for i in range(len(self.rows))]


def task_of(  # noqa: PLR0913 - each is a part of the task
    sample: Sample,
    catalogue: list[Literal],
    *,
    are_sets: bool = False,
    penalty: float = 1.0,
    costs: Sequence[Sequence[float]] | None = None,
    given: Rules = (),
    with_line: bool = False,
) -> Task:
    """Return the task of a sample.

    Of label sets that are ranked only the examples with some labels but not all count.
    """
    occurring = sorted(frozenset().union(*sample.label_sets))
    label_sets = [frozenset(occurring.index(x) for x in labels) for labels in sample.label_sets]
    counts, n = sample.counts, len(occurring)
    held = [
        sum(count for labels, count in zip(label_sets, counts, strict=True) if j in labels)
        for j in range(n)
    ]
    is_ranked = are_sets and not with_line
    kept = [i for i, labels in enumerate(label_sets) if not is_ranked or 0 < len(labels) < n]
    prior = [weight / sum(held) for weight in held]
    if with_line:  # half of all stand for the line
        prior = [*(weight / sum(counts) for weight in held), 0.5]
    return Task(
        rows=[sample.rows[i] for i in kept],
        label_sets=[label_sets[i] for i in kept],
        counts=[counts[i] for i in kept],
        unit=float(sample.total) / sum(counts),
        prior=prior,
        catalogue=catalogue,
        are_sets=are_sets,
        penalty=penalty,
        costs=costs,
        given=given,
        with_line=with_line,
    )


# What a committee is worth ------------------------------------------------------------------------


def vote_sums(task: Task, rules: Rules) -> list[list[int]]:
    """Return the votes of each example for each label, those of given rules among them."""
    sums = [[0] * task.n_labels for _ in task.rows]
    for monomial, votes in [*task.given, *rules]:
        for of_example, is_covered in zip(sums, task.covers(monomial), strict=True):
            if is_covered:
                for j, vote in enumerate(votes):
                    of_example[j] += vote
    return sums


def is_ambiguous(task: Task, labels: LabelSet, votes: Sequence[int]) -> bool:
    """Tell whether the default vector matters to an example.

    Of classes: several have the most votes.  Of label sets: a label that the example has has the
    same votes as one that it has not.
    """
    if not task.are_sets:
        return len(top_classes(votes)) > 1
    held = {votes[j] for j in labels}
    return any(votes[k] in held for k in range(task.n_labels) if k not in labels)


def tie_scores(task: Task, rules: Rules) -> list[float]:
    """Return s = D + 1e-6 p; D is the mean of Y / |Y| over the ambiguous examples, p without."""
    if task.with_line:
        return task.prior
    share = math.lcm(*range(1, task.n_labels + 1))  # so that all are whole
    sums = [0] * task.n_labels
    for labels, count, votes in zip(
        task.label_sets, task.counts, vote_sums(task, rules), strict=True
    ):
        if is_ambiguous(task, labels, votes):
            for j in labels:
                sums[j] += count * share // len(labels)
    default = [weight / sum(sums) for weight in sums] if any(sums) else task.prior
    return state(default, task.prior)


def last_resort(scores: Sequence[float]) -> int:
    """Return the label that wins if all tie: of equal scores the one declared first."""
    return scores.index(max(scores))


def wrongness(task: Task, labels: LabelSet, votes: Sequence[int], scores: Sequence[float]) -> float:
    """Return how wrong an example is.

    0 or 1, what its decision costs, the share of wrong pairs, or how many labels are wrong.
    """
    if task.with_line:
        *of_labels, of_line = votes
        passing = {j for j, v in enumerate(of_labels) if is_in_set(task, j, v - of_line)}
        return float(len(passing ^ labels))
    places = list(zip(votes, scores, strict=True))
    if not task.are_sets:
        (label,) = labels
        decided = max(range(task.n_labels), key=lambda j: (places[j], -j))
        if task.costs is not None:
            return 0.0 if decided == label else task.costs[label][decided]
        return float(decided != label)
    lacking = [k for k in range(task.n_labels) if k not in labels]
    wrong = sum(places[j] <= places[k] for j in labels for k in lacking)
    return wrong / (len(labels) * len(lacking))


def is_in_set(task: Task, label: int, votes: int) -> bool:
    """Tell whether a label passes the line by some votes; by none where more than half have it."""
    return votes > 0 or (votes == 0 and task.prior[label] > task.prior[-1])


def errors(task: Task, rules: Rules, scores: Sequence[float] | None = None) -> float:
    """Return E in examples; ties go by the default vector of the rules, or as some scores say."""
    scores = tie_scores(task, rules) if scores is None else scores
    sums = zip(task.label_sets, task.counts, vote_sums(task, rules), strict=True)
    return task.unit * math.fsum(
        count * wrongness(task, labels, votes, scores) for labels, count, votes in sums
    )


def bits_of_errors(task: Task, wrong: float) -> float:
    """Return the bits that tell which examples are wrong, and of classes what they are.

    From half of the examples on one bit more for each.
    """
    m, c = task.unit * sum(task.counts) * task.decisions, task.n_labels
    share = min(wrong / m, 0.5)
    entropy = -math.fsum(p * math.log2(p) for p in (share, 1 - share) if p > 0)
    which = m * entropy + max(wrong - m / 2, 0.0)
    if task.with_line:
        return which
    return math.log2(c) * which if task.are_sets else which + wrong * math.log2(c - 1)


def n_exceptions(votes: Sequence[int]) -> int:
    """Return how many votes differ from the most frequent one."""
    return len(votes) - max(votes.count(vote) for vote in votes)


def base(votes: Sequence[int]) -> int:
    """Return the most frequent vote; of equally frequent ones 0, then -1."""
    return max((0, -1, 1), key=votes.count)


def price(task: Task, rule: VotingRule) -> float:
    """Return the bits of a rule."""
    literals = math.fsum(task.prices[literal] for literal in rule.monomial)
    return literals + price_of_votes(task, rule)


def price_of_votes(task: Task, rule: VotingRule) -> float:
    """Return the bits of a rule's exceptions, and of the examples that contradict it."""
    bits = n_exceptions(rule.votes) * task.vote_price
    wrong = contradicting(rule.votes)
    cover = zip(task.label_sets, task.counts, task.covers(rule.monomial), strict=True)
    return bits + task.impurity_penalty * task.unit * sum(
        count for labels, count, is_covered in cover if is_covered and labels & wrong
    )


def contradicting(votes: Sequence[int]) -> set[int]:
    """Return the classes that votes are wrong about.

    All but those that they are for; without any, those that they are against.
    """
    for_, against = (
        {j for j, vote in enumerate(votes) if sign * (vote - base(votes)) > 0} for sign in (1, -1)
    )
    return set(range(len(votes))) - for_ if for_ else against


def votes_against(
    votes: Sequence[int],
    label_sets: Sequence[LabelSet],
    weights: Sequence[float],
    covered: Sequence[bool],
    *,
    are_sets: bool = False,
    with_line: bool = False,
) -> list[int]:
    """Return the labels of which a cover does not show what the votes of its rule say.

    One that a vote is for has a larger share of the cover than of all examples, one that a vote is
    against has a smaller one.  Votes are seen from the most frequent one, of label sets from 0 too,
    and from 0 alone where they are seen from a line.
    """

    def share(label: int, members: Sequence[bool]) -> Fraction:
        inside = [i for i, is_member in enumerate(members) if is_member]
        held = [Fraction(weights[i]) for i in inside if label in label_sets[i]]
        return sum(held, Fraction(0)) / sum((Fraction(weights[i]) for i in inside), Fraction(0))

    against = []
    for label, vote in enumerate(votes):
        rise = share(label, covered) - share(label, [True] * len(covered))
        middles = {base(votes), 0} if are_sets else {base(votes)}
        if with_line:
            middles = {0}
        if any(vote != middle and (vote - middle) * rise <= 0 for middle in middles):
            against.append(label)
    return against


def length(task: Task, rules: Rules, scores: Sequence[float] | None = None) -> float:
    """Return J; ties go by the default vector of the rules, or as some scores say."""
    wrong = errors(task, rules, scores)
    return bits_of_errors(task, wrong) + math.fsum(price(task, rule) for rule in rules)


# What growth sees ---------------------------------------------------------------------------------


def probabilities(votes: Sequence[int], favoured: int) -> list[float]:
    """Return the softmax of votes, half a vote more for one label."""
    powers = [math.exp(vote + (0.5 if j == favoured else 0.0)) for j, vote in enumerate(votes)]
    return [power / math.fsum(powers) for power in powers]


class Undone(NamedTuple):
    """Slope and curvature of the log loss for a label, over examples of one kind."""

    slope: float
    curve: float


def residual(task: Task, rules: Rules, idle: float) -> list[list[Undone]]:
    """Return what the kinds of examples leave undone, of each label.

    Nothing where the slope is no more than `idle` of their weight, divided by the number of labels.
    """
    sums, favoured = vote_sums(task, rules), last_resort(tie_scores(task, rules))
    undone = []
    for kind in task.kinds:
        weight = task.unit * sum(task.counts[i] for i in kind)
        of_labels = []
        for j, p in enumerate(probabilities(sums[kind[0]], favoured)):
            true = task.unit * math.fsum(
                task.counts[i] / len(task.label_sets[i]) for i in kind if j in task.label_sets[i]
            )
            slope, curve = true - weight * p, weight * p * (1 - p)
            is_told = abs(slope) * task.n_labels <= idle * weight
            of_labels.append(Undone(0, 0) if is_told else Undone(slope, curve))
        undone.append(of_labels)
    return undone


def gain(
    task: Task, undone: list[list[Undone]], label: int, sign: int, monomial: Sequence[Literal]
) -> float:
    """Return the fall of the log loss in one Newton step of a quarter of a vote to two.

    It is for (1) or against (-1) a label, in the cover of a monomial.
    """
    cover = task.covers(monomial)
    held = [
        of_labels[label]
        for kind, of_labels in zip(task.kinds, undone, strict=True)
        if cover[kind[0]]
    ]
    slope, curve = sign * math.fsum(x.slope for x in held), math.fsum(x.curve for x in held)
    if slope <= 0:
        return 0.0
    step = 2.0 if slope >= 2 * curve else max(slope / curve, 0.25)
    return max(step * slope - step * step * curve / 2, 0.0)


def fall(task: Task, rules: Rules, rule: VotingRule) -> float:
    """Return by how much a rule lowers the log loss, less what its votes cost, in nats."""
    sums, favoured = vote_sums(task, rules), last_resort(tie_scores(task, rules))
    falls = []
    for i, is_covered in enumerate(task.covers(rule.monomial)):
        if is_covered:
            before = probabilities(sums[i], favoured)
            votes = [a + b for a, b in zip(sums[i], rule.votes, strict=True)]
            after = probabilities(votes, favoured)
            labels = task.label_sets[i]
            falls += [
                task.counts[i] * task.unit / len(labels) * math.log(after[j] / before[j])
                for j in labels
            ]
    return math.fsum(falls) - price_of_votes(task, rule) * math.log(2)


def logistic(task: Task, label: int, votes: int) -> float:
    """Return the probability of a label by its votes, seen from between in its set and not."""
    steps = votes + 0.5 if is_in_set(task, label, 0) else votes - 0.5
    return 1 / (1 + math.exp(-STEEPNESS * steps))


def undone_of_label(
    task: Task, rules: Rules, kind: list[int], label: int, sign: int, idle: float
) -> Undone:
    """Return what examples of one kind want of votes for (1) or against (-1) a label.

    Those that have it, or have not, and are right about it have nothing to gain.
    """
    *of_labels, of_line = vote_sums(task, rules)[kind[0]]
    votes, is_held = of_labels[label] - of_line, label in task.label_sets[kind[0]]
    weight = task.unit * sum(task.counts[i] for i in kind)
    p, is_right = logistic(task, label, votes), is_in_set(task, label, votes) == is_held
    if abs(is_held - p) <= idle or (is_right and is_held == (sign > 0)):
        return Undone(0, 0)
    return Undone(sign * weight * STEEPNESS * (is_held - p), weight * STEEPNESS**2 * p * (1 - p))


def fall_of_labels(task: Task, rules: Rules, rule: VotingRule) -> float:
    """Return by how much a rule lowers the log loss of labels, less what its votes cost, in nats.

    What is right already cannot lower it.
    """
    falls, sums = [], vote_sums(task, rules)
    for i, is_covered in enumerate(task.covers(rule.monomial)):
        for j in range(task.n_labels - 1) if is_covered else ():
            is_held, before = j in task.label_sets[i], sums[i][j] - sums[i][-1]
            after = before + rule.votes[j] - rule.votes[-1]
            chances = [logistic(task, j, votes) for votes in (before, after)]
            old, new = (math.log(p if is_held else 1 - p) for p in chances)
            is_right = is_in_set(task, j, before) == is_held
            fall = min(new - old, 0.0) if is_right else new - old
            falls.append(task.unit * task.counts[i] * fall)
    return math.fsum(falls) - price_of_votes(task, rule) * math.log(2)


# What can be done to a committee ------------------------------------------------------------------


def removals(rule: VotingRule) -> Iterator[VotingRule | None]:
    """Yield what is left of a rule that loses all, a literal, or an exception."""
    monomial, votes = rule
    yield None
    if len(monomial) > 1:
        for literal in monomial:
            yield VotingRule(tuple(x for x in monomial if x != literal), votes)
    for j, vote in enumerate(votes):
        plain = (*votes[:j], base(votes), *votes[j + 1 :])
        if says_something(plain) and vote != base(votes) and len(votes) > 2:
            yield VotingRule(monomial, plain)


def says_something(votes: Sequence[int]) -> bool:
    """Tell whether votes differ."""
    return len(set(votes)) > 1


def vectors_of_one_exception(n_labels: int) -> list[tuple[int, ...]]:
    """Return the vectors for a label, against it, and strongly for it."""
    vectors = []
    for j in range(n_labels):
        for others, own in ((0, 1), (0, -1), (-1, 1)):
            vectors.append((*[others] * j, own, *[others] * (n_labels - j - 1)))
    return vectors


def vectors_near(votes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return a vector, and those that differ from it in one vote."""
    near = [votes]
    for j in range(len(votes)):
        near += [(*votes[:j], vote, *votes[j + 1 :]) for vote in (-1, 0, 1) if vote != votes[j]]
    return near


def changes(task: Task, rules: Rules, slot: int) -> Iterator[VotingRule | None]:
    """Yield what can stand in a slot, of a rule or behind the last, in place of what does.

    Nothing; or each vector of one exception, or near the rule's own if it may be, with the rule's
    monomial, with one literal less, more, or in the place of another.
    """
    rule = rules[slot] if slot < len(rules) else None
    monomial = rule.monomial if rule else ()
    others = [*task.given, *rules[:slot], *rules[slot + 1 :]]
    taken = {frozenset(other.monomial) for other in others}
    vectors = vectors_of_one_exception(task.n_labels)
    if rule:
        yield None
        vectors += vectors_near(rule.votes) if task.n_labels > 2 else []
    rests = [monomial, *(tuple(x for x in monomial if x != literal) for literal in monomial)]
    monomials = [rest for rest in rests if rest]
    monomials += [(*rest, x) for rest in rests for x in task.catalogue if x not in monomial]
    for changed in monomials:
        if frozenset(changed) not in taken:
            for votes in dict.fromkeys(vectors):
                if says_something(votes) and task.may_vote(votes):
                    yield VotingRule(changed, votes)
