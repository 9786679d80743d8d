"""The targets: what is fuzzed, and in which shares of the inputs."""

from __future__ import annotations

from tests.fuzz.findings import Target
from tests.fuzz.targets import arff, labels, models, planted, settings, tables, worker

TARGETS = (
    Target("arff", 260, arff.draw, arff.check),
    Target("csv", 230, tables.draw_csv, tables.check_csv),
    Target("parquet", 25, tables.draw_parquet, tables.check_parquet),
    Target("model", 170, models.draw, models.check),
    Target("rules", 90, settings.draw_rules, settings.check_rules),
    Target("costs", 70, settings.draw_costs, settings.check_costs),
    Target("cut-points", 55, settings.draw_cut_points, settings.check_cut_points),
    Target("mulan", 75, labels.draw, labels.check),
    Target("worker", 25, worker.draw, worker.check),
)
PLANTED = tuple(Target(f"planted-{name}", 1, planted.draw, check) for name, check in planted.FAULTS)
"""Targets with a known fault, by which the fuzz is tested; they take part only when named."""
BY_NAME = {target.name: target for target in (*TARGETS, *PLANTED)}
