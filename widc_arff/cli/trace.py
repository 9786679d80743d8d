"""What ``widc-arff train --verbose`` tells on stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from widc_arff.reports.formatting import conditions, counted, shown
from widc_arff.reports.layout import signed
from widc_arff.tolerance import is_lower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.data.schema import Schema
    from widc_arff.model.literals import Literal, Monomial


class Trace:
    """An observer of the induction that tells each step in a line, the stage first."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._error = "ranking loss" if schema.labels.are_sets else "training error"

    def tried(self, rule: int, chain: Monomial, literal: Literal, z: tuple[float, float]) -> None:
        """Tell a literal that was tried, after those that the chain has."""
        own = self._words((literal,))
        text = f"{self._words(chain)} and {own}" if chain else own
        end = "" if is_lower(z[1], z[0]) else ", not lower"
        self._tell("grow", f"rule {rule}: {text}: Z {z[0]:.6f} -> {z[1]:.6f}{end}")

    def grown(self, rule: int, monomial: Monomial) -> None:
        """Tell a rule that is complete."""
        self._tell("grow", f"rule {rule} taken: {self._words(monomial)}")

    def refined(self, how: str, sizes: Sequence[int], bits: float, *, kept: bool) -> None:
        """Tell the size of a committee and its description length."""
        size = f"{counted(len(sizes), 'rule')}, {counted(sum(sizes), 'condition')}"
        self._tell("refine", f"{how}: {size}, {bits:.2f} bits{'' if kept else ', passed over'}")

    def voted(self, rule: int, monomial: Monomial, votes: Sequence[int]) -> None:
        """Tell the vector of a rule, without the classes that get no vote."""
        labels = self._schema.labels.values
        words = [f"{shown(label)} {signed(v)}" for label, v in zip(labels, votes, strict=True) if v]
        vector = ", ".join(words) or "no vote"
        self._tell("vote", f"rule {rule}: {self._words(monomial)}: {vector}")

    def removed(self, rule: int, error: float) -> None:
        """Tell a rule that is removed."""
        self._tell("prune", f"rule {rule} removed: {self._error} {error:.6f}")

    def kept(self, rules: Sequence[int]) -> None:
        """Tell the rules of the committee."""
        self._tell("keep", f"rules {', '.join(map(str, rules))}" if rules else "no rule")

    def _words(self, monomial: Monomial) -> str:
        return " and ".join(conditions(monomial, self._schema))

    @staticmethod
    def _tell(stage: str, text: str) -> None:
        click.echo(f"{stage:<6}  {text}", err=True)
