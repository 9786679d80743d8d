"""From a wish to a report: which sections, their runs, and the document that shows them."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Protocol

import widc_arff
from tests.reproduction.document import (
    Block,
    Heading,
    Listing,
    Paragraph,
    Plot,
    to_html,
    to_markdown,
)
from tests.reproduction.extra import Extra
from tests.reproduction.figures import Figure1, Figure2
from tests.reproduction.interpretations import INTERPRETATIONS
from tests.reproduction.noise import Figure4
from tests.reproduction.problems import Collection, folder_problems, generated_problems
from tests.reproduction.study import Study
from tests.reproduction.table1 import Table1, Table2
from widc_arff.system.files import text_written_whole, written_whole

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reproduction.results import Results
    from tests.reproduction.runs import Task

PARTS = ("table1", "table2", "figure1", "figure2", "figure4", "study", "all")
NOISE_SAMPLES = 5
"""Per level of noise Figure 4 has this many times fewer samples than Figure 1: it has ten folds."""


class Section(Protocol):
    """A part of the report."""

    def tasks(self) -> list[Task]:
        """Return the runs that it takes."""

    def blocks(self, results: Results) -> list[Block]:
        """Return what it shows."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is reproduced, from which data, how often.

    Parameters
    ----------
    part : str
        One of `PARTS`.
    data : Path or None
        Folder of ARFF files, and its folder ``extra``; None: the domains that the package makes.
    repeats : int
        Of the cross-validations.
    samples : int
        Of XD6 in figures 1 and 2; a fifth of them at each level of figure 4.
    seed : int
        Of the first repeat and the first sample.
    """

    part: str
    data: Path | None = None
    repeats: int = 5
    samples: int = 100
    seed: int = 1


def sections(setting: Setting) -> list[Section]:
    """Return the sections of a part; ``all`` is all but the study.

    Raises
    ------
    WidcError
        If the folder has no ARFF file.
    """
    repeats, seed, samples = setting.repeats, setting.seed, setting.samples
    parts: dict[str, list[Section]] = {
        "figure1": [Figure1(samples, seed)],
        "figure2": [Figure2(samples, seed)],
        "figure4": [Figure4(max(samples // NOISE_SAMPLES, 1), seed)],
    }
    if setting.part in parts:
        return parts[setting.part]
    domains, extra = _collections(setting)
    if setting.part == "study":
        return [Study(domains, extra, repeats, seed)]
    table1 = Table1(domains, repeats, seed)
    tables: list[Section] = [table1, Table2(table1)]
    if setting.part in ("table1", "table2"):
        return [tables[0 if setting.part == "table1" else 1]]
    if extra.problems:
        tables.append(Extra(extra, domains, repeats, seed))
    return [*tables, *parts["figure1"], *parts["figure2"], *parts["figure4"]]


def _collections(setting: Setting) -> tuple[Collection, Collection]:
    if setting.data is None:
        return generated_problems(), Collection((), ())
    extra = setting.data / "extra"
    there = folder_problems(extra) if extra.is_dir() else Collection((), ())
    return folder_problems(setting.data), there


def document(
    setting: Setting,
    parts: list[Section],
    results: Results,
    *,
    command: str,
    without_others: str = "",
) -> list[Block]:
    """Return the report of finished runs.

    Parameters
    ----------
    setting : Setting
        What was reproduced.
    parts : list of Section
        Its sections.
    results : Results
        The runs.
    command : str
        The command that makes the report.
    without_others : str
        Why there are no results of Weka's classifiers.

    Raises
    ------
    WidcError
        If matplotlib or scipy is needed and not installed.
    """
    blocks: list[Block] = [
        Heading("WIDC (Nock, 2002) reproduced", 1),
        Paragraph(
            "R. Nock, Inducing Interpretable Voting Classifiers without Trading Accuracy for "
            "Simplicity, Journal of Artificial Intelligence Research 17 (2002). WIDC(o), (p), "
            "(none): optimistic, pessimistic, no pruning. Refined goes beyond the paper."
        ),
    ]
    for part in parts:
        if isinstance(part, Table1):
            blocks += [
                Paragraph(f"Means over {len(part.matrix.problems)} domains:"),
                Listing(tuple(part.headline(results))),
            ]
    if without_others:
        blocks.append(Paragraph(f"J48, JRip and 1-NN are left out: {without_others}"))
    for part in parts:
        blocks += part.blocks(results)
    blocks += [Heading("Interpretations taken"), Listing(INTERPRETATIONS)]
    blocks += [Heading("How it was made"), Listing(tuple(_making(setting, results, command)))]
    return blocks


def _making(setting: Setting, results: Results, command: str) -> list[str]:
    made = [
        f"Command: {command}",
        f"Seeds: folds and samples from {setting.seed} on; each fold is Weka's.",
    ]
    versions = {"widc-arff": widc_arff.__version__, "Python": platform.python_version()}
    for name in ("numpy", "scipy", "matplotlib"):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    versions |= {name.capitalize(): text for name, text in results.other_versions.items()}
    made.append("Versions: " + ", ".join(f"{name} {text}" for name, text in versions.items()))
    made.append("Every run is a line of runs.jsonl, with its errors and sizes fold by fold.")
    return made


def write(blocks: list[Block], folder: Path, name: str) -> list[Path]:
    """Write a report as HTML and Markdown, and its plots as SVG and PNG.

    Returns
    -------
    list of Path
        What was written.
    """
    written = []
    for block in blocks:
        if isinstance(block, Plot):
            for ending, content in (("svg", block.svg.encode()), ("png", block.png)):
                written.append(folder / f"{block.name}.{ending}")
                with written_whole(written[-1]) as stream:
                    stream.write(content)
    for ending, text in (("md", to_markdown(blocks)), ("html", to_html(blocks))):
        written.append(folder / f"{name}.{ending}")
        with text_written_whole(written[-1]) as page:
            page.write(text)
    return written
