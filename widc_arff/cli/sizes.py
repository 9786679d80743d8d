"""``widc-arff sizes``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.common import (
    Source,
    data_options,
    dump_json,
    files_of_options,
    folding_options,
    is_given,
    messages_of_learning,
    options_from,
    training_options,
)
from widc_arff.cli.jobs import jobs_option
from widc_arff.cli.progress import working
from widc_arff.cli.reporting import form_option, print_report
from widc_arff.errors import OptionError
from widc_arff.evaluation.cross_validation import Folding
from widc_arff.evaluation.sizes import PRICES, check_prices, menu_of, nested_errors
from widc_arff.induction import induce
from widc_arff.model.model_file import committee_to_json
from widc_arff.model.rules import Provenance
from widc_arff.reports.committees import committee_blocks
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.sizes import BEST, SMALLEST, menu_report, menu_svg, menu_to_dict
from widc_arff.system.files import require_place, text_written_whole

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.outcomes import Evaluation
    from widc_arff.evaluation.sizes import Menu
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.options import Options


def _prices(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> tuple[float, ...]:
    if text is None:
        return PRICES
    try:
        prices = tuple(float(part) for part in text.split(","))
        check_prices(prices)
    except (ValueError, OptionError) as error:
        raise click.BadParameter(
            f"expected increasing numbers of bits between commas, as in 1,3,10; got {text!r}"
        ) from error
    return prices


def _choice(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text is None or text in ("best", "smallest") or (text.isdecimal() and int(text) < 10**9):
        return text
    raise click.BadParameter(f"expected best, smallest or a number of rules, got {text!r}")


@click.command("sizes")
@click.argument("data", metavar="DATA.arff")
@click.option(
    "--prices",
    callback=_prices,
    show_default=",".join(f"{price:g}" for price in PRICES),
    metavar="BITS,BITS,...",
    help="Prices of a condition to try, instead of --penalty.",
)
@folding_options
@click.option(
    "--nested",
    is_flag=True,
    help="Also estimate the error of the chosen size on new rows: in each fold the sizes are "
    "compared on the training rows alone.  Takes longer by a factor of the number of folds.",
)
@click.option(
    "--train",
    "choice",
    callback=_choice,
    metavar="smallest|best|N",
    help="Learn from all rows and print the committee.  smallest: the smallest within one "
    "standard error of the lowest error; best: the one with the lowest error; N: the one with at "
    "most N rules.",
)
@click.option(
    "--model",
    metavar="OUT.json",
    help="With --train, save the model to this file; - prints only the model.",
)
@click.option(
    "--plot",
    metavar="OUT.svg",
    help="Plot error against the number of conditions; - prints only the plot.",
)
@jobs_option("Folds", 1)
@data_options
@training_options
@form_option("json")
def command(
    data: str,
    prices: tuple[float, ...],
    folds: int,
    seed: int,
    repeats: int,
    nested: bool,
    choice: str | None,
    model: str | None,
    plot: str | None,
    jobs: int,
    form: str,
    **settings: Any,
) -> None:
    """Compare committees of several sizes by their error on rows not used for training.

    For each price of a condition this shows the error over Weka's folds with its standard error,
    and the average numbers of rules, conditions and votes.  Two are marked: the lowest error, and
    the smallest committee within one standard error of it, which is often as good as the best.
    """
    _check(choice, model, plot)
    source = Source.taken_from(settings)
    options = options_from(**settings)
    if options.pruning != "refined":
        raise click.UsageError(
            f"--pruning: expected refined, whose conditions have a price, got {options.pruning}"
        )
    dataset = source.read(data)
    options, folding = source.suited(options, dataset), Folding(folds, seed, repeats)
    found: dict[str, Evaluation[Any]] = {}
    with messages_of_learning(data, files_of_options(settings)):
        with working(f"comparing sizes on {data}") as step:
            menu = menu_of(dataset, options, folding, prices, jobs=jobs, on_fold=step)
        if nested:
            with working(f"nested folds of {data}") as step:
                found = nested_errors(dataset, options, folding, prices, jobs=jobs, on_fold=step)
        committee = None if choice is None else _learned(dataset, options, menu, choice, folding)
    drawn = "" if plot is None else menu_svg(menu)
    kept = committee_to_json(committee) if committee is not None and model is not None else ""
    if "-" in (model, plot):
        click.echo(kept if model == "-" else drawn, nl=False)
        return
    for path, content in ((plot, drawn), (model, kept)):
        if path is not None:
            with text_written_whole(path) as stream:
                stream.write(content)
    if form == "json":
        click.echo(dump_json(menu_to_dict(menu, data, found)), nl=False)
        return
    more = [] if committee is None else committee_blocks(kind_of(committee.as_read()))
    print_report([*menu_report(menu, data, found), *more], form)


def _check(choice: str | None, model: str | None, plot: str | None) -> None:
    """Refuse options that do not go together, and files that cannot be written."""
    if is_given("penalty"):
        raise click.UsageError("--penalty: sizes tries several prices; --prices says which")
    if model is not None and choice is None:
        raise click.UsageError("--model: expected --train with it")
    for path in (model, plot):
        if path not in (None, "-"):
            require_place(path)


def _learned(
    dataset: Dataset, options: Options, menu: Menu, choice: str, folding: Folding
) -> DecisionCommittee:
    """Return the committee of a choice, which its provenance tells."""
    k = menu.smallest if choice == "smallest" else menu.best
    chosen = replace(options, penalty=menu.prices[k])
    what = SMALLEST if choice == "smallest" else BEST
    if choice.isdecimal():
        chosen = replace(chosen, max_rules=int(choice))
        what = f"at most {choice} rules, with the price of the lowest error"
    said = (
        f"{what}, of {len(menu.prices)} prices from {menu.prices[0]:g} to {menu.prices[-1]:g} bits"
    )
    in_words = f"{said}; {folding.in_words()}"
    error = menu.evaluations[k].error
    folds = None if choice.isdecimal() else (folding.n_folds, error)
    return replace(induce(dataset, chosen), provenance=Provenance(folds=folds, choice=in_words))
