"""Plots that can be read without colour: each series has its own marker and line."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.reproduction.document import Plot
from tests.reproduction.statistics import require

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", "-.", ":", (0, (1, 3)), (0, (5, 1, 1, 1, 1, 1)))
COLOURS = ("#000000", "#d55e00", "#3b8fc4", "#808080", "#009e73", "#b0609a")
"""Of different lightness, and all seen on light and on dark ground."""

STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.grid": True,
    "grid.color": "#808080",
    "grid.alpha": 0.25,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "widc-arff",
}


@dataclass(frozen=True, slots=True)
class Series:
    """Points under one name.

    Parameters
    ----------
    name : str
        For the legend.
    x, y : sequence of float
        NaN leaves a point out.
    place : int
        Which marker, line and colour it has.
    is_line : bool
        Joined by a line.
    is_hollow : bool
        Markers are drawn in outline.
    labels : sequence of str
        A text for each point, or none.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    place: int = 0
    is_line: bool = False
    is_hollow: bool = False
    labels: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """One system of axes.

    Parameters
    ----------
    title, x_label, y_label : str
        What is shown.
    series : sequence of Series
        All in it.
    is_square : bool
        Both axes alike, with the line x = y.
    is_logarithmic : bool
        Both axes logarithmic.
    starts_at_0 : bool
        Whether the vertical axis does.
    """

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    is_square: bool = False
    is_logarithmic: bool = False
    starts_at_0: bool = True


def plot(name: str, caption: str, panels: Sequence[Panel], columns: int) -> Plot:
    """Draw panels in rows of `columns`; the same panels give the same bytes.

    Raises
    ------
    WidcError
        If matplotlib is not installed.
    """
    require("matplotlib")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    n_rows = -(-len(panels) // columns)
    with rc_context(STYLE):
        size = (3.2, 3.1) if panels[0].is_square else (4.8, 2.6)
        figure = Figure(figsize=(size[0] * columns, size[1] * n_rows), layout="constrained")
        grid = figure.subplots(n_rows, columns, squeeze=False)
        for axes in grid.flat[len(panels) :]:
            axes.remove()
        for axes, panel in zip(grid.flat, panels, strict=False):
            _draw(axes, panel)
        handles, labels = grid.flat[0].get_legend_handles_labels()
        if len(labels) > 1:
            figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        svg, png = io.StringIO(), io.BytesIO()
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(png, format="png", dpi=150, facecolor="white", metadata={"Software": None})
    return Plot(name, caption, svg.getvalue(), png.getvalue())


def _draw(axes: Axes, panel: Panel) -> None:
    axes.set_title(panel.title)
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    for series in panel.series:
        colour = COLOURS[series.place % len(COLOURS)]
        axes.plot(
            series.x,
            series.y,
            color=colour,
            linestyle=LINES[series.place % len(LINES)] if series.is_line else "none",
            linewidth=1.3,
            marker=MARKERS[series.place % len(MARKERS)],
            markersize=4,
            markerfacecolor="none" if series.is_hollow else colour,
            label=series.name,
        )
        for x, y, text in zip(series.x, series.y, series.labels, strict=False):
            axes.annotate(
                text, (x, y), xytext=(4, 3), textcoords="offset points", fontsize=7, color=colour
            )
    if panel.is_logarithmic:
        axes.set_xscale("symlog", linthresh=1)
        axes.set_yscale("symlog", linthresh=1)
    if panel.is_square:
        most = max(axes.get_xlim()[1], axes.get_ylim()[1])
        axes.set_xlim(0, most)
        axes.set_ylim(0, most)
        axes.plot([0, most], [0, most], color="#808080", linewidth=0.8)
        axes.set_aspect("equal")
    elif panel.starts_at_0:
        axes.set_ylim(bottom=0)
