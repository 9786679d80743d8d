"""Where the paper is silent or ambiguous: what was done, in short words."""

from __future__ import annotations

INTERPRETATIONS = (
    (
        "I1: cut points from the training data alone: all midpoints of at most 10 distinct values, "
        "else the cuts of Fayyad and Irani and the one at the median."
    ),
    "I2: a missing value satisfies no condition of its attribute.",
    "I3: conditions that hold for no training example, or for all of known value, are left out.",
    "I4: rules grow from the best first condition and from its negation; the lower Z wins.",
    "I5: equal Z: order of the attributes, then of =, !=, <=, >, then of the values.",
    "I6: beyond 2,500 impure blocks growing also stops at rules that do little more than chance.",
    "I7: declared classes without training examples get the lowest vote of each vector.",
    "I8: vectors of equal Z: fewest votes that are not zero, then more +1.",
    (
        "I9: ties between classes go by the default vector, then by the class distribution, then "
        "to the first declared (the paper draws at random)."
    ),
    "I10: without ambiguous training examples the default vector is the class distribution.",
    (
        "I11: each vote less makes a class less probable by one factor, fitted on the training "
        "examples; tied classes share as those that tie do."
    ),
    (
        "I12: optimistic pruning: n counts pairs of a condition and its negation; delta 0.05; "
        "samples of fewer than 5,000 examples count as if resampled to 5,000."
    ),
    "I13: optimistic pruning tests rules from the last to the first, with the current default.",
)
