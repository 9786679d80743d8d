"""Stage 3 of the plain reference, beyond the paper: refined pruning (REFINED.md).

Refining removes rules and literals (`shrink`), searches the neighbourhood of every rule (`polish`)
and grows again where the committee fails (`refine`), while the objective falls.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, cycle, islice

from .growing import grow
from .literals import Admissible, Literal, Monomial, always
from .problem import Sample, is_lower, least_ones
from .weighing import Change, Weigher, changed, objective

__all__ = ["Refiner", "objective", "polish", "refine", "shrink"]

N_EVALUATED = 12
MOST_PROPOSALS = 30
RESIDUAL_RATIO = 10
RESTARTS = ("votes", "decisions", "residual")


def shrink(sample: Sample, monomials: Sequence[Monomial], penalty: float) -> list[Monomial]:
    """Remove rules and single literals, one after the other; return the best committee met."""
    return Refiner(sample, penalty).shrink(monomials)


def polish(
    sample: Sample,
    catalogue: Sequence[Literal],
    monomials: Sequence[Monomial],
    penalty: float,
    max_literals: int | None = None,
) -> list[Monomial]:
    """Search the neighbourhood of each rule while J falls."""
    return Refiner(sample, penalty).polish(catalogue, monomials, max_literals)


class Refiner(Weigher):
    """Makes committees better on a sample.

    `admissible` limits what literals may join. For large samples: `screening` looks exactly only at
    the removals of best score; `pairs` adds rules of two literals where none of one helps; without
    `replacing` no literal is replaced.
    """

    def __init__(
        self,
        sample: Sample,
        penalty: float,
        admissible: Admissible = always,
        *,
        screening: bool = False,
        pairs: bool = False,
        replacing: bool = True,
    ) -> None:
        super().__init__(sample, penalty)
        self.admissible = admissible
        self.screening, self.pairs, self.replacing = screening, pairs, replacing

    # Removal --------------------------------------------------------------------------------------

    def pessimistic(self, monomials: Sequence[Monomial]) -> list[Monomial]:
        """Prune as the paper does: `prune_pessimistic`, with the votes of a rule taken away."""
        current = list(monomials)
        sequence, errors = [current], [self.wrong(self.votes(current)) / self.total_count]
        while current:
            votes = self.votes(current)
            removals = [Change(i, None) for i in range(len(current))]
            after = [
                self.wrong(self.votes_after(current, votes, removal)) / self.total_count
                for removal in removals
            ]
            removed = max(least_ones(after), key=lambda i: (len(current[i]), i))
            current = changed(current, removals[removed])
            sequence.append(current)
            errors.append(after[removed])
        return sequence[least_ones(errors)[-1]]

    def removals(self, monomials: Sequence[Monomial]) -> Iterator[Change]:
        """List the removals: rule by rule the whole rule, then its literals as added."""
        taken = {frozenset(monomial) for monomial in monomials}
        for position, monomial in enumerate(monomials):
            yield Change(position, None)
            if len(monomial) > 1:
                for literal in monomial:
                    shorter = [other for other in monomial if other != literal]
                    if frozenset(shorter) not in taken:
                        yield Change(position, shorter)

    def shrink(self, monomials: Sequence[Monomial]) -> list[Monomial]:
        """Do the removal of least J down to the empty committee; return the best one met.

        Sizes fall along the sequence, so the smallest of several best ones is the last.
        """
        current = self.pessimistic(monomials)
        sequence, values = [current], [self.objective(current)]
        while current:
            votes = self.votes(current)
            removals = list(self.removals(current))
            if self.screening and len(removals) > N_EVALUATED:
                scores = [round(score, 9) for score in self.scores(current, removals)]
                best_first = sorted(range(len(removals)), key=scores.__getitem__)
                removals = [removals[i] for i in sorted(best_first[:N_EVALUATED])]
            candidates = [changed(current, removal) for removal in removals]
            after = [
                self.j(self.wrong(self.votes_after(current, votes, removal)), candidate)
                for removal, candidate in zip(removals, candidates, strict=True)
            ]
            first = least_ones(after)[0]
            current = candidates[first]
            sequence.append(current)
            values.append(after[first])
        return sequence[least_ones(values)[-1]]

    # Local search ---------------------------------------------------------------------------------

    def moves(
        self,
        catalogue: Sequence[Literal],
        monomials: Sequence[Monomial],
        position: int,
        max_literals: int | None = None,
    ) -> list[Change]:
        """List the moves of a slot in scan order.

        Drop the rule; add a literal; for each literal of the rule: drop it, replace it. The slot
        after the last rule takes rules of one literal. A monomial of the committee, an empty cover
        and a constant vector are no moves.
        """
        rule = monomials[position] if position < len(monomials) else []
        others = [literal for literal in catalogue if literal not in rule]
        tried = [[*rule, literal] for literal in others if self.admissible([*rule, literal])]
        for literal in rule:
            rest = [other for other in rule if other != literal]
            tried += [rest] if rest else []
            if not self.replacing:
                continue
            tried += [[*rest, other] for other in others if self.admissible([*rest, other])]
        taken = {frozenset(monomial) for monomial in monomials}
        moves = [Change(position, None)] if rule else []
        for monomial in tried:
            if max_literals is not None and len(monomial) > max_literals:
                continue
            if frozenset(monomial) not in taken and self.says_something(monomial):
                moves.append(Change(position, monomial))
        return moves

    def says_something(self, monomial: Monomial) -> bool:
        """Tell whether the cover is not empty and the vector not constant over present classes."""
        covered, vector = self.rule(monomial)
        votes = {vote for vote, is_present in zip(vector, self.present, strict=True) if is_present}
        return any(covered) and len(votes) > 1

    def scores(self, monomials: Sequence[Monomial], moves: Sequence[Change]) -> list[float]:
        """Return J after each move with the default vector of the committee before it."""
        votes = self.votes(monomials)
        default = self.default(votes)
        return [
            self.j(
                self.wrong(self.votes_after(monomials, votes, move), default),
                changed(monomials, move),
            )
            for move in moves
        ]

    def best_move(
        self,
        catalogue: Sequence[Literal],
        monomials: Sequence[Monomial],
        position: int,
        max_literals: int | None,
    ) -> list[Monomial] | None:
        """Return the committee after the best move of a slot; None if J does not fall."""
        moves = self.moves(catalogue, monomials, position, max_literals)
        better = self.best_of(moves, monomials)
        if better is None and self.pairs and position == len(monomials) and max_literals != 1:
            return self.best_of(self.pair_moves(catalogue, monomials), monomials)
        return better

    def pair_moves(
        self, catalogue: Sequence[Literal], monomials: Sequence[Monomial]
    ) -> list[Change]:
        """List the rules of two literals, in the order of the catalogue, that may be added."""
        taken = {frozenset(monomial) for monomial in monomials}
        return [
            Change(len(monomials), [a, b])
            for i, a in enumerate(catalogue)
            for b in catalogue[i + 1 :]
            if frozenset([a, b]) not in taken
            and self.says_something([a, b])
            and self.admissible([a, b])
        ]

    def best_of(
        self, moves: Sequence[Change], monomials: Sequence[Monomial]
    ) -> list[Monomial] | None:
        """Return the committee after the best of some moves; None if J does not fall.

        The moves of best score, in scan order where equal, are evaluated with their own default
        vectors; of these the first of least J is taken.
        """
        if not moves:
            return None
        scores = [round(score, 9) for score in self.scores(monomials, moves)]
        best_first = sorted(range(len(moves)), key=scores.__getitem__)
        candidates = [changed(monomials, moves[i]) for i in best_first[:N_EVALUATED]]
        values = [self.objective(candidate) for candidate in candidates]
        first = least_ones(values)[0]
        return candidates[first] if is_lower(values[first], self.objective(monomials)) else None

    def polish(
        self,
        catalogue: Sequence[Literal],
        monomials: Sequence[Monomial],
        max_literals: int | None = None,
    ) -> list[Monomial]:
        """Visit the slots in turn, each again after a move, until all of them are idle."""
        current = list(monomials)
        position = idle = 0
        while idle < len(current) + 1:
            better = self.best_move(catalogue, current, position, max_literals)
            if better is None:
                idle += 1
                position = (position + 1) % (len(current) + 1)
            else:
                current = better
                idle = 0
        return current


# Regrowth -----------------------------------------------------------------------------------------


def refine(
    sample: Sample,
    catalogue: Sequence[Literal],
    monomials: Sequence[Monomial],
    penalty: float,
    max_literals: int | None = None,
    admissible: Admissible = always,
) -> list[Monomial]:
    """Refine a grown committee: shrink and polish it, then with what restarts propose.

    Parameters
    ----------
    monomials : the committee as grown
    penalty : the bits of a literal
    max_literals : the most literals of a monomial
    admissible : which monomials may come of adding a literal
    """
    refiner = Refiner(sample, penalty, admissible)

    def improved(pool: Sequence[Monomial]) -> list[Monomial]:
        return refiner.polish(catalogue, refiner.shrink(pool), max_literals)

    def proposals(kind: str) -> list[Monomial]:
        if kind == "one against rest":
            return [*monomials, *one_against_rest(refiner, catalogue, max_literals)]
        return regrown(kind, refiner, catalogue, best, max_literals)

    best = improved(monomials)
    once = ["one against rest"] if sum(refiner.present) > 2 else []
    kinds = chain(once, cycle(RESTARTS))
    n_idle = 0
    for kind in islice(kinds, MOST_PROPOSALS):
        pool = distinct([*best, *proposals(kind)])
        candidate = improved(pool) if len(pool) > len(best) else best
        if is_lower(refiner.objective(candidate), refiner.objective(best)):
            best = candidate
            n_idle = 0
        elif kind in RESTARTS:
            n_idle += 1
        if n_idle == len(RESTARTS):
            break
    return best


def distinct(monomials: Sequence[Monomial]) -> list[Monomial]:
    """Leave out monomials that came before, in whatever order of literals."""
    first: dict[frozenset[Literal], Monomial] = {}
    for monomial in monomials:
        first.setdefault(frozenset(monomial), monomial)
    return list(first.values())


def one_against_rest(
    refiner: Refiner, catalogue: Sequence[Literal], max_literals: int | None
) -> list[Monomial]:
    """Grow and shrink a two-class committee for each present class: 0 the others, 1 the class."""
    proposed = []
    for j in range(refiner.sample.n_classes):
        if refiner.present[j]:
            label_sets = [frozenset([int(label == j)]) for label in refiner.labels]
            two = replace(refiner.sample, label_sets=label_sets, n_classes=2)
            grown = grow(two, catalogue, max_literals=max_literals, admissible=refiner.admissible)
            proposed += shrink(two, grown, refiner.penalty)
    return proposed


def regrown(
    kind: str,
    refiner: Refiner,
    catalogue: Sequence[Literal],
    best: Sequence[Monomial],
    max_literals: int | None,
) -> list[Monomial]:
    """Grow monomials that the best committee lacks, where it does not tell or decides wrongly.

    Votes and decisions give a partition to start from; residual gives ten times the weight to the
    examples that are decided wrongly.
    """
    sample = refiner.sample
    initial: Sequence[Hashable] | None = None
    votes = refiner.votes(best)
    decided = refiner.decisions(votes, refiner.default(votes))
    if kind == "votes":
        initial = votes
    elif kind == "decisions":
        initial = decided
    else:
        rows = zip(sample.weights, decided, refiner.labels, strict=True)
        weights = [w if decision == label else RESIDUAL_RATIO * w for w, decision, label in rows]
        sample = replace(sample, weights=weights)
    return grow(
        sample,
        catalogue,
        initial=initial,
        existing=best,
        max_literals=max_literals,
        admissible=refiner.admissible,
    )
