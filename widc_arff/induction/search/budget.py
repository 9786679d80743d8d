"""Every number of the search that changes a model, with its reason.

What bounds the search is work, counted in additions of one value to one sum and never in time, so
that models are the same on every machine.  There is no limit in rows, classes or values: more of
them cost more work, and less is tried.
"""

from __future__ import annotations

from dataclasses import dataclass

USUAL_CHOICE = 4.6
"""Bits of naming an attribute and a value or cut point at which a literal costs the penalty: some
six attributes of four values.  Below it literals of tables with few attributes came too cheap
(balance, led7: twice the literals); above it those of many attributes did."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What the search may try.

    Parameters
    ----------
    starts : int
        Times that a committee is grown at most; all but the first start from the best one.  Twice
        is enough on most small tables, a fifth start never helped.
    beam : int
        First literals, of different attributes, from which a monomial for a class is grown.
    idle_residual : float
        Share of a row's weight below which its residual is taken as none: rows that are told
        well cost no work.
    worth_keeping : float
        A candidate joins if it is still worth this share of what it was when the round began; the
        others are better found anew.
    exact : int
        Changes of a rule that are looked at with the default vector recomputed.
    pool : int
        Monomials of former growth that are tried as new rules.
    growth_work : float
        Additions in one step of all monomials that grow; with more every k-th row is looked at,
        others each round, until nothing joins from these; then four times as many.
    worth_polishing : float
        Polishing ends when J fell by less than this share in a turn through all rules: the turns
        after it changed little but where they cost most.
    slot_work : float
        Additions in one visit of a rule while polishing.
    search_work : float
        Additions in all; no start begins beyond.
    pair_work : float
        Additions to look at all pairs of literals, where no single one helps: complete tables.
    dips : float
        Shrinking goes on while J is at most this far above the best, as a share.
    """

    starts: int = 5
    beam: int = 2
    idle_residual: float = 0.02
    worth_keeping: float = 0.5
    exact: int = 12
    pool: int = 300
    growth_work: float = 1e9
    worth_polishing: float = 0.005
    slot_work: float = 2e7

    search_work: float = 4e9
    pair_work: float = 2e8
    dips: float = 0.02
