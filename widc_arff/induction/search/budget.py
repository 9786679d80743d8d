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

USUAL_PENALTY = 3.0
"""Penalty at which a set of labels costs the bits of naming these, those beyond `USUAL_CHOICE`, one
for one."""

ORDERS = 256
"""Orders of labels by the share of a class: those that gain most, for the work of counting them."""

ENOUGH_EXAMPLES = 64
"""Examples from which on a literal costs the whole penalty.  Of fewer, m, it costs log2(m) / 6 of
it: what m examples tell is worth log2(m) / 2 bits a parameter (Rissanen 1983), 3 bits at 64.  At
the whole price nothing pays in tables of ten to twenty rows."""

ENOUGH_FOR_SETS = 1024
"""The same where a committee aims at sets: of more examples than 64 a literal costs more than the
penalty, up to five thirds of it.  It decides about many labels, and can so be chosen from more: at
the penalty committees on five files had twice the literals, and no fewer wrong labels."""

FINE_PARTS, ROWS_OF_PART = 64, 250
"""Numeric attributes are also cut into parts of equal weight, one for so many examples, and at most
so many: finer ones find the boundaries of large samples, which pay for the bits of their choice."""

COUNTING, CALL, LOOKING, SCORING, SUMMING, FITTING = 50.0, 3e5, 50.0, 50.0, 10.0, 10.0
"""Additions in a product that cost as much as one by counting, as one more call, as finding what is
right in one row with one vector, as J of one literal with one vector, as one code or one root in
growing by partitions, and as the log loss of one row with one vector (numpy 2.4, tables of 10,000
rows)."""

LEAST_STEP, LARGEST_STEP = 0.25, 2.0
"""Votes that a monomial is taken to be worth.  What wants less would get none in the end: of
100,000 rows such monomials kept better ones from coming up.  Votes differ by two at most."""

MOST_SUMS = 2048
"""Sums of votes up to which it is tried whether a rule can be turned; of more only pairs of classes
are compared, which fewer rules pass."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What the search may try.

    Parameters
    ----------
    searched_cells : float
        Distinct rows times attributes that are searched, for the memory; of more rows those of the
        least fingerprints.
    beam : int
        First literals, of different attributes, from which a monomial for a class is grown.
    short : int
        Literals that a monomial gets while growing whatever work that is; all of its rows count for
        each.  Further ones count as the rows that they keep out, and come while one growth has cost
        less than `search_work`.
    idle_residual : float
        Share of a row's weight, divided by the number of classes, below which its residual for a
        class is taken as none: rows that are described well cost no work.  Before anything is
        described a class has the probability 1/c; a share above it (0.02 at 60 classes) hid all
        rows of the other classes.
    worth_keeping : float
        A candidate joins if it is still worth this share of what it was when the round began; the
        others are better found again.
    overtaken : float
        A candidate that is worth less than this share of the next one waits for its turn again.
    votes : int
        Votes of a candidate, those that the rows want most to change, that are tried.
    rests : int
        Literals of a rule in whose place all others are tried: those that promise most.
    seen : int
        Changes of a rule, those that promise most, of which it is seen whether votes agree with the
        cover.
    exact : int
        Of these those that are looked at with the default vector recomputed.
    pool : int
        Monomials of former growth that are tried as new rules.
    growth_work : float
        Additions in one step of all monomials that grow; with more every k-th row is looked at,
        others each round, until nothing joins from these.
    grown_work : float
        Additions in growing a committee, fitting its votes among them; no round of rules begins
        beyond.
    more_rows : float
        Then so many times as many rows are looked at, up to all.
    worth_a_turn : float
        A turn of polishing through all rules, and a start, must lower J by this share for others to
        follow: later ones changed little but where they cost most.
    polish_work : float
        Additions in polishing a committee: a thousand visits that do all they may.
    slot_work : float
        Additions in one visit of a rule while polishing.
    turns : int
        Turns of growing, shrinking and polishing, each in its own way: more, and more monomials of
        partitions, took a sixth of the time of 29 small files and won neither error nor size.
    search_work : float
        Additions in all; no start begins beyond.
    partition_cells : float
        Distinct rows times attributes that growing by partitions looks at; of more every k-th row.
    monomials : int
        Monomials that come up in one growth by partitions.
    partition_work : float
        Additions in growing by partitions; then monomials end where they are, and none follows.
    table_cells : float
        Distinct rows times literals up to which growing by partitions counts in a table of truths;
        it finds the same.
    pair_work : float
        Additions to look at pairs of literals, where no single one helps: as in complete tables, or
        of two that only differ together.
    pair_rows : int
        Rows that pairs are looked at in, if there are so many: of literals those that promise most,
        in more rows by fewer.
    paired : int
        Literals of which all pairs are looked at, at most: for the memory.
    one_by_one : int
        Literals that a rule loses one by one in shrinking; of more as many are removed at once as
        so many go into them, so that its work grows with the logarithm of its length.
    dips, dips_bits : float
        Shrinking continues while J is at most this far above the best, as a share and in bits.
    """

    searched_cells: float = 4e6
    beam: int = 2
    short: int = 16
    idle_residual: float = 0.1
    worth_keeping: float = 0.5
    overtaken: float = 0.7
    votes: int = 12
    rests: int = 32
    seen: int = 96
    exact: int = 12
    pool: int = 300
    growth_work: float = 1e9
    grown_work: float = 3e10
    more_rows: float = 4.0
    worth_a_turn: float = 0.01
    polish_work: float = 4e10
    slot_work: float = 2e7
    turns: int = 3
    search_work: float = 7e9
    partition_cells: float = 1e5
    monomials: int = 15
    partition_work: float = 1.5e9
    table_cells: float = 4e5
    pair_work: float = 2e8
    pair_rows: int = 2000
    paired: int = 320
    one_by_one: int = 64
    dips: float = 0.02
    dips_bits: float = 20.0
