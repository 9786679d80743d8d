"""``--jobs``, in the commands that do several things at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from widc_arff.errors import OptionError
from widc_arff.system.processes import number_of_jobs

if TYPE_CHECKING:
    from collections.abc import Callable


class _Jobs(click.types.IntParamType):
    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        jobs = int(super().convert(value, param, ctx))
        try:
            number_of_jobs(jobs)
        except OptionError as error:
            self.fail(error.message, param, ctx)
        return jobs


def jobs_option(
    things: str, default: int | None
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return the option ``--jobs``.

    Parameters
    ----------
    things : str
        What is done at a time.
    default : int or None
        As the user would give it; None: one per processor.
    """
    every = "by default one per processor (-1)" if default is None else "-1 for one per processor"
    return click.option(
        "--jobs",
        type=_Jobs(),
        default=default,
        show_default=default is not None,
        metavar="N",
        help=f"{things} at a time; {every}, -2 for one less.",
    )
