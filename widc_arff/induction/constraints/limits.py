"""Hard limits of the size of committees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from widc_arff.options import Options


@dataclass(frozen=True, slots=True)
class Limits:
    """What a committee of learned rules may have at most; None stands for no limit.

    Parameters
    ----------
    max_rules, max_size : int or None
        Rules, and literals in all.
    max_literals : int or None
        Literals of each rule.
    """

    max_rules: int | None = None
    max_literals: int | None = None
    max_size: int | None = None

    @classmethod
    def of_learned(cls, options: Options) -> Limits:
        """Return the limits of learned rules: what the given ones leave."""
        n_literals = sum(len(rule.conditions) for rule in options.rules)
        return cls(
            None if options.max_rules is None else options.max_rules - len(options.rules),
            options.max_literals,
            None if options.max_size is None else options.max_size - n_literals,
        )

    def allow(self, n_rules: int, n_literals: int) -> bool:
        """Tell whether a committee may have so many rules and literals in all."""
        too_many = self.max_rules is not None and n_rules > self.max_rules
        too_large = self.max_size is not None and n_literals > self.max_size
        return not (too_many or too_large)
