"""Votes that minimise a sum over pairs of labels, by one minimum cut.

Of non-negative pair weights P, shape (n_labels, n_labels), the vector v is sought that minimises

    Z(v) = sum over j, k of P[j, k] exp(-alpha (v_j - v_k) / 2).

P[j, k] is what it costs not to rank label j above label k.  Equations (2) and (3) of the paper
have this form, and so have costs of misclassification: P[j, k] = W_j C[j, k].

Each term is a convex function of the difference of two votes, so that the least Z over all
vectors, not only the ordered ones of Lemma 1, is a minimum s-t cut (Ishikawa, Exact optimization
for Markov random fields with convex priors, 2003): a node for each label and each step from one
vote to the next, which lies on the side of the source where the vote is above that step.  With the
two votes -1 and +1 there is one node a label, and the cut function is the submodular f of
Theorem 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import WidcError
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

    from widc_arff.arrays import Floats, Integers

    Capacities = NDArray[np.int32]

STEEPEST = 50.0
_LARGEST_CAPACITY = 2**30 - 1  # scipy adds to a capacity that of the arc back, in int32
_LARGEST_FLOW = 2**29
_SLACKS = (1024, 32, 1)  # of a capacity, for the sum of the roundings of many


def minimise_pairs(P: Floats) -> Integers:
    """Return the vector of {-1, 0, 1}^c that minimises sum P[j, k] exp(-(v_j - v_k) / 2).

    Parameters
    ----------
    P : ndarray of shape (n_labels, n_labels)
        Non-negative pair weights; the diagonal plays no part.

    Returns
    -------
    ndarray of int64 of shape (n_labels,)
        Among vectors of equal Z that with the fewest votes that are not zero, then the most +1
        (I8).

    Raises
    ------
    WidcError
        If scipy is not installed.

    Notes
    -----
    The cut is exact for capacities rounded to 31 bits; a descent over changes of one and two votes
    on the unrounded Z follows it.

    I8 leaves no choice: with two vectors of least Z their maximum, minimum and rounded means are
    of least Z too (Z is L-natural convex), so that the order of the labels decides nothing.  The
    vectors of least Z are the minimum cuts, and the one that I8 names is a minimum cut among these.
    """
    return _minimise(P, np.array([-1, 0, 1]), 1.0)


def minimise_pairs_two_valued(P: Floats, alpha: float = 1.0) -> Integers:
    """Return the vector of {-1, 1}^c that minimises sum P[j, k] exp(-alpha (v_j - v_k) / 2).

    Parameters
    ----------
    P : ndarray of shape (n_labels, n_labels)
        Non-negative pair weights; the diagonal plays no part.
    alpha : float
        Any number, infinite ones included: eq. (4) has them where no pair is out of order, or
        none in order.  Beyond 50 the order of the pairs decides alone, and 50 stands for all.

    Returns
    -------
    ndarray of int64 of shape (n_labels,)
        Among vectors of equal Z that with the most +1.

    Raises
    ------
    WidcError
        If scipy is not installed.
    """
    # With -alpha a pair counts as the opposite pair with alpha.
    return _minimise(P if alpha >= 0 else P.T, np.array([-1, 1]), min(abs(alpha), STEEPEST))


def _minimise(P: Floats, values: Integers, alpha: float) -> Integers:
    pairs = np.array(P, np.float64)
    np.fill_diagonal(pairs, 0.0)
    total = float(pairs.sum())
    problem = _Problem(pairs / total if total > 0 else pairs, np.exp(-alpha * values / 2))
    residual, levels = _minimum_cut(_capacities(problem), len(pairs))
    levels = _descend(problem, levels)
    z = problem.value(levels)
    burden = (len(pairs) + 1) * (values != 0) - (values == 1)  # of each level: I8
    for slack in _SLACKS:
        equal = _lightest_cut(residual, slack, burden, len(pairs))
        if problem.value(equal) <= z + TOLERANCE * (1 + z):
            levels = equal
            break
    return np.asarray(values[levels])


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """Z over the levels of the labels: a level is the index of a vote.

    Parameters
    ----------
    pairs : ndarray of shape (n_labels, n_labels)
        Pair weights; they sum to 1, so that Z is 1 where all votes are equal.
    factors : ndarray of shape (n_levels,)
        exp(-alpha v / 2): a pair of votes costs the factor of the one over that of the other.
    """

    pairs: Floats
    factors: Floats

    def value(self, levels: Integers) -> float:
        """Return Z."""
        chosen = self.factors[levels]
        return float(chosen @ self.pairs @ (1 / chosen))

    def changes(self, levels: Integers) -> Floats:
        """Return what Z changes by for each change of two levels.

        Shape (n_labels * n_levels,) * 2, labels slowest.  Where the new level of one label is its
        old one, the change is of one level; two levels of the same label are infinitely dear.
        """
        c, n_levels = len(levels), len(self.factors)
        chosen = self.factors[levels]
        one = np.outer(self.pairs @ (1 / chosen), self.factors)
        one += np.outer(self.pairs.T @ chosen, 1 / self.factors)
        one -= one[np.arange(c), levels][:, None]
        over = (self.factors - chosen[:, None]).ravel()
        under = (1 / self.factors - 1 / chosen[:, None]).ravel()
        both = np.kron(self.pairs, np.ones((n_levels, n_levels)))
        both *= np.outer(over, under)
        changes = both + both.T + one.ravel()[:, None] + one.ravel()
        changes.reshape(c, n_levels, c, n_levels)[np.arange(c), :, np.arange(c)] = np.inf
        return changes


def _minimum_cut(capacities: Capacities, c: int) -> tuple[Capacities, Integers]:
    """Return the residual capacities of a maximum flow, and the levels of c labels at its cut."""
    csgraph, csr_matrix = _sparse_graphs()
    n = len(capacities) - 2
    sparse = csr_matrix(capacities)
    residual = sparse - csgraph.maximum_flow(sparse, n, n + 1).flow
    reached = csgraph.breadth_first_order(residual > 0, n, return_predecessors=False)
    above = np.zeros(n + 2, np.int64)
    above[reached] = 1  # the steps below a label's level
    return residual.toarray(), above[:n].reshape(c, -1).sum(axis=1)


def _lightest_cut(residual: Capacities, slack: int, burden: Integers, c: int) -> Integers:
    """Return, of the levels of all minimum cuts, those with the least sum of burdens.

    A cut is minimal if no arc with residual capacity leaves the side of the source.  Rounding may
    have left some where none should be: `slack` is what counts as none.
    """
    n = len(residual) - 2
    capacities = np.where(residual > slack, _LARGEST_FLOW, 0).astype(np.int32)
    lift = np.tile(np.diff(burden), c)
    capacities[n, :n] += np.maximum(-lift, 0)
    capacities[:n, n + 1] += np.maximum(lift, 0)
    return _minimum_cut(capacities, c)[1]


def _capacities(problem: _Problem) -> Capacities:
    """Return the capacities in int32, which no sum of the maximum flow leaves."""
    arcs = _arcs(problem)
    offered, wanted = arcs[-2].sum(), arcs[:, -1].sum()
    # No flow is larger than either sum, so that no arc needs a larger capacity.
    largest = min(offered, wanted) or max(offered, wanted) or 1.0
    whole = np.minimum(np.rint(arcs * (_LARGEST_FLOW / largest)), _LARGEST_CAPACITY)
    return whole.astype(np.int32)


def _arcs(problem: _Problem) -> Floats:
    """Return the capacities of the arcs, a dense matrix; the last two nodes are source and sink.

    With x the indicator of "the level of j is above step s" and y of "that of k is above step t",
    the cost of a pair is a constant, plus what x changes with k at its lowest level, plus what y
    changes with j at its highest, plus y (1 - x) times a convexity that is not negative: an arc
    from y to x.
    """
    pairs, factors = problem.pairs, problem.factors
    falls, rises = np.diff(factors), np.diff(1 / factors)
    change = np.outer(pairs.sum(axis=1), falls / factors[0])
    change += np.outer(pairs.sum(axis=0), rises * factors[-1])
    change = change.ravel()
    n = len(change)
    arcs = np.zeros((n + 2, n + 2))
    arcs[:n, :n] = np.kron(pairs, np.outer(-falls, rises)).T
    higher = np.setdiff1d(np.arange(n), np.arange(0, n, len(falls)))
    arcs[higher, higher - 1] = np.inf  # above a step means above the steps below
    arcs[n, :n] = np.maximum(-change, 0)
    arcs[:n, n + 1] = np.maximum(change, 0)
    return arcs


def _descend(problem: _Problem, levels: Integers) -> Integers:
    """Return levels that no change of one or two of them improves."""
    z = problem.value(levels)
    while True:
        moved = _moved(levels, int(problem.changes(levels).argmin()), len(problem.factors))
        moved_z = problem.value(moved)
        if not moved_z < z * (1 - 1e-12):
            return levels
        levels, z = moved, moved_z


def _moved(levels: Integers, change: int, n_levels: int) -> Integers:
    """Return the levels after a change, given by its place in `_Problem.changes`."""
    moved = levels.copy()
    for place in divmod(change, len(levels) * n_levels):
        moved[place // n_levels] = place % n_levels
    return moved


def _sparse_graphs() -> tuple[ModuleType, type]:
    try:
        from scipy.sparse import csgraph, csr_matrix  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise WidcError(
            "exact vectors of label sets need scipy: pip install 'widc-arff[multilabel]', or take "
            "--vectors approximate, which needs none"
        ) from error
    return csgraph, csr_matrix
