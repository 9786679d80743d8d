"""Every number of the search that changes a model, with its reason.

Only counted work bounds the search: additions of one value to one sum, never time, so that models
are the same on every machine.  There is no limit on rows, classes or values: more of them cost more
work, and less is tried.
"""

from __future__ import annotations

from dataclasses import dataclass

USUAL_CHOICE = 4.6
"""Bits for naming an attribute and a value or cut point with which a condition costs exactly the
penalty: those for about six attributes with four values each.  With a smaller number conditions
were too cheap in tables of few attributes (balance, led7: twice as many), with a larger one in
tables of many."""

USUAL_PENALTY = 3.0
"""Penalty at which a set of labels costs exactly the bits of naming them beyond `USUAL_CHOICE`."""

ORDERS = 256
"""Orders of labels by the share of a class that are tried: those that gain most.  More would cost
too much counting."""

ENOUGH_EXAMPLES = 64
"""Number of examples from which on a condition costs the whole penalty.  With m, fewer than that,
it costs log2(m) / 6 of it: m examples are worth log2(m) / 2 bits a parameter (Rissanen 1983), which
is 3 bits at 64.  At the whole price no rule would pay in tables of ten to twenty rows."""

ENOUGH_FOR_SETS = 1024
"""The same for committees that aim at sets: with more than 64 examples a condition costs more than
the penalty, up to five thirds of it, because it decides about many labels and can be chosen from
more.  At the plain penalty, committees on five files had twice the conditions and no fewer wrong
labels."""

FINE_PARTS, ROWS_OF_PART = 64, 250
"""Numeric attributes are also cut into parts of equal weight: at most this many, each with this
many examples.  Finer parts find the boundaries in large samples, which can pay for naming them."""

COUNTING, CALL, LOOKING, SCORING, SUMMING, FITTING = 50.0, 3e5, 50.0, 50.0, 10.0, 10.0
"""Cost, in additions within a matrix product, of one addition by counting, of one more call, of
deciding whether one row is right with one vector, of J of one condition with one vector, of one
code or one root in growing by partitions, and of the log loss of one row with one vector (numpy
2.4, tables of 10,000 rows)."""

LEAST_STEP, LARGEST_STEP = 0.25, 2.0
"""Votes that a conjunction is assumed to be worth.  One that wants less would get no vote in the
end: with 100,000 rows such conjunctions displaced better ones.  Votes differ by at most two."""

MOST_SUMS = 2048
"""Number of different sums of votes up to which the search tries to turn a rule.  With more, only
pairs of classes are compared, and fewer rules pass that test."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What the search may try.

    Parameters
    ----------
    searched_cells : float
        Distinct rows times attributes that are searched, because of memory.  Of more rows, those
        with the smallest fingerprints are used.
    beam : int
        First conditions, on different attributes, from which a rule for a class is grown.
    short : int
        Number of conditions that a rule may get while growing, whatever the work; each counts as
        work on all rows of the rule.  A further condition counts as work only on the rows that it
        excludes, and is added only while the growth has cost less than `search_work`.
    min_residual : float
        Share of a row's weight, divided by the number of classes, below which its residual for a
        class counts as zero: rows that are described well cost no work.  At the start a class has
        the probability 1/c; a share above that (0.02 with 60 classes) hid all rows of the other
        classes.
    keep_ratio : float
        A candidate is added if it is still worth this share of its value at the start of the round.
        The others are better found again.
    requeue_ratio : float
        A candidate that is worth less than this share of the next one goes back into the queue.
    votes : int
        Votes of a candidate that are tried: those that the rows want to change most.
    rests : int
        Conditions of a rule that are replaced by all others in turn: the most promising ones.
    seen : int
        Changes of a rule, the most promising ones, for which it is checked whether the votes agree
        with the covered rows.
    n_exact : int
        Of these, the number that is evaluated with a new default vector.
    pool : int
        Conjunctions from earlier growth that are tried as new rules.
    growth_work : float
        Additions in one step of growth, for all growing conjunctions together.  If a step would
        take more, only every k-th row is used, different rows in each round.
    grown_work : float
        Additions in growing a committee, including the fit of its votes; no new round begins beyond
        this.
    few_join : float
        Share of the candidates of a round; if no more of them are added, they were grown from too
        few rows.
    more_rows : float
        Factor by which the number of rows used is then multiplied, up to all of them.
    min_improvement : float
        Share by which a turn of polishing through all rules, or a start, must lower J for another
        to follow.  Later ones changed little except where they cost most.
    polish_work : float
        Additions in polishing a committee: a thousand visits that use all they may.
    slot_work : float
        Additions in one visit of a rule while polishing.
    turns : int
        Turns of growing, shrinking and polishing, each in its own way.  More turns, and more
        conjunctions from partitions, took a sixth of the time of 29 small files and improved
        neither error nor size.
    search_work : float
        Additions in all; no start begins beyond this.
    partition_cells : float
        Distinct rows times attributes that growing by partitions uses; with more, every k-th row.
    monomials : int
        Conjunctions that come from one growth by partitions.
    partition_work : float
        Additions in growing by partitions; then conjunctions end as they are and no more follow.
    table_cells : float
        Distinct rows times conditions up to which growing by partitions counts in a truth table; it
        finds the same.
    pair_work : float
        Additions for trying pairs of conditions where no single one helps: in complete tables, or
        for two that matter only together.
    pair_rows : int
        Rows on which pairs are tried, if there are that many: with more rows fewer conditions are
        tried, the most promising ones.
    paired : int
        Largest number of conditions of which all pairs are tried, because of memory.
    one_by_one : int
        Conditions that a rule loses one by one in shrinking.  A rule with more loses several at
        once, its length divided by this number, so that the work grows with the logarithm of the
        length.
    uphill_ratio, uphill_bits : float
        Shrinking continues while J is at most this far above the best, as a share and in bits.
    """

    searched_cells: float = 4e6
    beam: int = 2
    short: int = 16
    min_residual: float = 0.1
    keep_ratio: float = 0.5
    requeue_ratio: float = 0.7
    votes: int = 12
    rests: int = 32
    seen: int = 96
    n_exact: int = 12
    pool: int = 300
    growth_work: float = 1e9
    grown_work: float = 3e10
    few_join: float = 0.5
    more_rows: float = 4.0
    min_improvement: float = 0.01
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
    uphill_ratio: float = 0.02
    uphill_bits: float = 20.0
