"""Plots as SVG inside a page: they take the colours of the page and its width, and load nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.elements import element, text
from widc_arff.reports.formatting import number, percent
from widc_arff.reports.style_sheets import style_sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from widc_arff.arrays import Floats
    from widc_arff.evaluation.curves import CalibrationBin

_LEFT, _TOP, _SIDE, _RIGHT = 46, 12, 270, 16
_WIDTH = _LEFT + _SIDE + _RIGHT
_BELOW = 48  # the numbers and the name of the horizontal axis
_STRIP = 52  # the bars under the calibration plot


def calibration_plot(bins: Sequence[CalibrationBin]) -> str:
    """Return predicted probability against observed share, with the weight of each bin below."""
    points = [(b.predicted, b.observed) for b in bins]
    marks = [
        _point(
            b.predicted,
            b.observed,
            "point",
            f"{b.low:.1f} to {b.high:.1f}: {number(b.weight)} rows, "
            f"predicted {percent(b.predicted)}, right {percent(b.observed)}",
        )
        for b in bins
    ]
    return _plot(
        "Calibration: predicted probability against the share of right decisions",
        ("probability of the class decided", "share of right decisions"),
        [*_of_shares(), _line(points), *marks, *_bars(bins)],
        _STRIP,
    )


def roc_plot(points: Floats, decided: tuple[float, float]) -> str:
    """Return an ROC curve over its area, with the point at which the committee decides."""
    curve = [(float(x), float(y)) for x, y in points]
    area = element("path", d=f"{_path([*curve, (1.0, 0.0)])} Z", class_="area")
    tip = f"as decided: {percent(decided[1])} found, {percent(decided[0])} false alarms"
    return _plot(
        "ROC curve: false positive rate against true positive rate",
        ("false positive rate", "true positive rate"),
        [*_of_shares(), area, _line(curve), _point(*decided, "decision", tip)],
    )


def _plot(
    title: str,
    axes: tuple[str, str],
    content: Iterable[str],
    strip: int = 0,
    **attributes: object,
) -> str:
    """Return a picture of a square with named axes, and room for a strip of bars below."""
    height = _TOP + _SIDE + strip + _BELOW
    across, up = axes
    middle = _TOP + _SIDE / 2
    return element(
        "svg",
        element("title", text(title)),
        *content,
        _words(across, _LEFT + _SIDE / 2, _TOP + _SIDE + 38),
        _words(up, 12, middle, transform=f"rotate(-90 12 {middle:g})"),
        **attributes,
        viewBox=f"0 0 {_WIDTH} {height}",
        class_="plot",
        role="img",
    )


def _of_shares() -> list[str]:
    """Return the grid of shares, with its diagonal."""
    diagonal = element("path", d=_path([(0, 0), (1, 1)]), class_="chance")
    return [*_grid("{:g}".format, "{:g}".format), diagonal]


def _grid(across: Callable[[float], str], up: Callable[[float], str]) -> list[str]:
    """Return the frame, lines at each fifth and their numbers."""
    pieces = []
    for fifth in range(6):
        share = fifth / 5
        kind = "frame" if fifth in (0, 5) else "grid"
        pieces += [
            element("path", d=_path([(share, 0), (share, 1)]), class_=kind),
            element("path", d=_path([(0, share), (1, share)]), class_=kind),
            _words(across(share), _x(share), _TOP + _SIDE + 18),
            _words(up(share), _LEFT - 8, _y(share) + 4, text_anchor="end"),
        ]
    return pieces


def _bars(bins: Sequence[CalibrationBin]) -> list[str]:
    """Return a bar with its weight for each bin, hanging under the plot."""
    most = max((b.weight for b in bins), default=1.0)
    pieces = [_words("rows", _LEFT - 8, _TOP + _SIDE + _BELOW + 12, text_anchor="end")]
    for b in bins:
        height = max(1.0, (_STRIP - 20) * b.weight / most)
        left, width = _x(b.low), _x(b.high) - _x(b.low)
        pieces.append(
            element(
                "rect",
                x=f"{left + 2:.1f}",
                y=_TOP + _SIDE + _BELOW,
                width=f"{width - 4:.1f}",
                height=f"{height:.1f}",
                class_="bar",
            )
        )
        below = _TOP + _SIDE + _BELOW + height + 14
        pieces.append(_words(_compact(b.weight), left + width / 2, below))
    return pieces


def _compact(weight: float) -> str:
    """Return a number that fits under a bar."""
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if weight >= 10 * unit or (letter == "M" and weight >= unit):
            return f"{weight / unit:.3g}{letter}"
    return f"{weight:.4g}"


def _line(points: Sequence[tuple[float, float]]) -> str:
    return element("path", d=_path(points), class_="curve") if points else ""


def _point(x: float, y: float, kind: str, title: str) -> str:
    place = {"cx": f"{_x(x):.1f}", "cy": f"{_y(y):.1f}"}
    return element("circle", element("title", text(title)), **place, r=5, class_=kind)


def _words(words: str, x: float, y: float, **attributes: object) -> str:
    anchor = {"text_anchor": "middle"} | attributes
    return element("text", text(words), x=f"{x:.1f}", y=f"{y:.1f}", **anchor)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{_x(x):.1f} {_y(y):.1f}" for x, y in points)


def _x(share: float) -> float:
    return _LEFT + _SIDE * share


def _y(share: float) -> float:
    return _TOP + _SIDE * (1 - share)


def sizes_plot(
    points: Sequence[tuple[float, float, float, str]], marked: Mapping[int, str], unit: str
) -> str:
    """Return errors against literals as an SVG file of its own.

    Parameters
    ----------
    points : sequence of (float, float, float, str)
        Literals, error, its standard error, and a name.
    marked : mapping of int to str
        The points to mark, and what they are.
    unit : str
        Of the errors.
    """
    most_literals = max(*(point[0] for point in points), 1.0) * 1.08
    low = min(error - spread for _, error, spread, _ in points)
    high = max(error + spread for _, error, spread, _ in points)
    room = 0.08 * (high - low) or 1.0
    low, high = max(low - room, 0.0), high + room
    span = high - low
    placed = [(x / most_literals, (y - low) / span) for x, y, _, _ in points]
    pieces = [_line(sorted(placed))]
    for k, ((x, y), (literals, error, spread, name)) in enumerate(zip(placed, points, strict=True)):
        half = spread / span
        pieces.append(element("path", d=_path([(x, y - half), (x, y + half)]), class_="curve"))
        tip = f"{name}: {number(round(literals, 1))} conditions, {error:.1f} +- {spread:.1f}"
        kind = "decision" if k in marked else "point"
        pieces.append(_point(x, y, kind, f"{tip}: {marked[k]}" if k in marked else tip))
    pieces += _grid(
        lambda share: f"{share * most_literals:.3g}", lambda share: f"{low + share * span:.3g}"
    )
    style = element("style", style_sheet("file", "plot"))
    xmlns = "http://www.w3.org/2000/svg"
    return f"{_plot('Error against size', ('conditions', unit), [style, *pieces], xmlns=xmlns)}\n"
