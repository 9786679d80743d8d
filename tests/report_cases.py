"""A committee and data that are small enough to count by hand."""

from __future__ import annotations

from widc_arff import Attribute, DecisionCommittee, Literal, Rule
from widc_arff.data.schema import Labels, Schema
from widc_arff.model.rules import TrainingSummary

SCHEMA = Schema(
    "days",
    (Attribute("a", "nominal", ("x", "y", "z")), Attribute("b", "numeric")),
    Labels("single", ("class",), ("no", "yes")),
)
RULES = (
    Rule((Literal(0, "=", 0),), (-1, 1), (1.0, 1.0)),
    Rule((Literal(1, ">", 1.0),), (1, -1), (2.0, 0.0)),
    Rule((Literal(0, "!=", 2),), (-1, 1), (2.0, 1.0)),
)
COMMITTEE = DecisionCommittee(
    SCHEMA, RULES, (0.75, 0.25), TrainingSummary(4, (3.0, 1.0), 0.25, {}, "0")
)
# Votes of the rules for yes, rows 1 to 5: +1 +1 / +1 -1 +1 / -1 +1 / none / -1; their sums 2, 1, 0,
# 0 and -1, so yes, yes, and no by default, no by default, no.
DATA = """@relation days
@attribute a {x, y, z}
@attribute b numeric
@attribute class {no, yes}
@data
x, 0, yes
x, 2, no
y, 2, no, {2}
z, 0, yes
z, 2, no
y, 0, ?
x, 0, yes, {0}
"""
