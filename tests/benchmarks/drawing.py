"""The plot of a stored run: time and memory over rows, both axes logarithmic.

Each learner has its own marker; ours are joined by full lines, others by broken ones.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tests.benchmarks.results import shown_size
from tests.reproduction.plots import COLOURS, MARKERS, STYLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from tests.benchmarks.results import Cell, Run

PANELS = (
    ("training", "time", "training, s"),
    ("training", "memory", "training, peak MB"),
    ("reading", "time", "reading, s"),
    ("predicting", "time", "predicting, s"),
)


def png_of(run: Run, ours: Sequence[str]) -> bytes:
    """Return a grid of panels: a column for each shape of several sizes, a row for each measure."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullFormatter

    cells = [cell for cell in run.by_key.values() if cell.time is not None]
    shapes = [
        shape
        for shape in dict.fromkeys(cell.shape for cell in cells)
        if len({cell.rows for cell in cells if cell.shape == shape}) > 1
    ] or list(dict.fromkeys(cell.shape for cell in cells))
    panels = [panel for panel in PANELS if any(cell.task == panel[0] for cell in cells)]
    with rc_context(STYLE):
        size = (3 * len(shapes) + 1.6, 2.6 * len(panels))
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(len(panels), len(shapes), squeeze=False, sharey="row")
        for row, (task, measure, label) in zip(grid, panels, strict=True):
            of_task = [cell for cell in cells if cell.task == task]
            names = list(dict.fromkeys(cell.learner for cell in of_task))
            for axes, shape in zip(row, shapes, strict=True):
                axes.set(xscale="log", yscale="log", title=shape, xlabel="rows")
                axes.xaxis.set_major_formatter(lambda n, _: shown_size(round(n)))
                axes.yaxis.set_major_formatter("{x:g}")
                for axis in (axes.xaxis, axes.yaxis):
                    axis.set_minor_formatter(NullFormatter())
                for place, name in enumerate(names):
                    line = [c for c in of_task if c.shape == shape and c.learner == name]
                    _draw(axes, line, measure, place, "-" if name in ours else "--")
            row[0].set_ylabel(label)
            handles = {h.get_label(): h for axes in row for h in axes.get_lines()}
            row[-1].legend(
                handles.values(), handles.keys(), loc="center left", bbox_to_anchor=(1, 0.5)
            )
        png = io.BytesIO()
        figure.savefig(png, format="png", dpi=130, facecolor="white")
    return png.getvalue()


def _draw(axes: Axes, line: list[Cell], measure: str, place: int, style: str) -> None:
    points = sorted((cell.rows, getattr(cell, measure)) for cell in line)
    if points:
        axes.plot(
            *zip(*points, strict=True),
            color=COLOURS[place % len(COLOURS)],
            linestyle=style,
            linewidth=1.3,
            marker=MARKERS[place % len(MARKERS)],
            markersize=4,
            label=line[0].learner,
        )
