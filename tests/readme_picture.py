"""The picture of the README: error against size, from the numbers of its table.

A pure function, so that a test can tell whether the picture is that of the table.
"""

from __future__ import annotations

import re
from typing import NamedTuple

WIDTH, HEIGHT = 640, 350
LEFT, RIGHT, TOP, BOTTOM = 56, 20, 36, 48
LARGEST_SIZE, LEAST_ERROR, LARGEST_ERROR = 45.0, 15.0, 23.0
GREY, OURS, OTHERS = "#768390", "#3f87d9", "#d9803f"  # to be seen on white and on black
_ROW = re.compile(r"^\| ([^|]+?) \| ([0-9.]+) \| ([0-9.]+) \|", re.MULTILINE)


class Point(NamedTuple):
    """Mean error in percent and mean size of a learner."""

    name: str
    error: float
    size: float


def points_of(document: str) -> list[Point]:
    """Return the learners of the first table of results that have a size."""
    table = document[document.index("| learner | error % | conditions |") :]
    table = table[: table.index("\n\n")]
    return [Point(name, float(error), float(size)) for name, error, size in _ROW.findall(table)]


def drawn(points: list[Point]) -> str:
    """Return the picture as SVG."""
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    font = 'font-family="system-ui, sans-serif" font-size="13"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>',
        "<title>Error against size, mean of 29 domains</title>",
    ]
    for error in range(int(LEAST_ERROR), int(LARGEST_ERROR) + 1, 2):
        y = _y(error)
        lines.append(_line(LEFT, y, WIDTH - RIGHT, y, 0.25))
        lines.append(_text(LEFT - 8, y + 4.5, f"{error} %", "end"))
    sizes = range(0, int(LARGEST_SIZE) + 1, 10)
    lines += [_text(_x(size), HEIGHT - BOTTOM + 20, str(size)) for size in sizes]
    lines.append(_line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, 1))
    across = (LEFT + WIDTH - RIGHT) / 2
    lines.append(_text(across, HEIGHT - 8, "conditions"))
    lines.append(_text(LEFT, 16, "error on unseen rows", "start"))
    lines += [_mark(point, points) for point in points]
    return "\n".join([*lines, "</svg>", ""])


def _x(size: float) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * size / LARGEST_SIZE, 1)


def _y(error: float) -> float:
    share = (error - LEAST_ERROR) / (LARGEST_ERROR - LEAST_ERROR)
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share, 1)


def _line(x1: float, y1: float, x2: float, y2: float, opacity: float) -> str:
    ends = f'x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"'
    return f'<line {ends} stroke="{GREY}" stroke-opacity="{opacity}"/>'


def _text(x: float, y: float, words: str, anchor: str = "middle", colour: str = GREY) -> str:
    return f'<text x="{x}" y="{y}" fill="{colour}" text-anchor="{anchor}">{words}</text>'


def _mark(point: Point, points: list[Point]) -> str:
    """Return a dot with its name: full for refined pruning, hollow for the paper's.

    The name stands to the right; to the left near the border, above where another dot is close.
    """
    x, y = _x(point.size), _y(point.error)
    refined = point.name.startswith("refined")
    colour = OURS if refined or point.name.startswith("WIDC") else OTHERS
    inside = colour if refined or colour == OTHERS else "none"
    dot = f'<circle cx="{x}" cy="{y}" r="5.5" fill="{inside}" stroke="{colour}" stroke-width="2"/>'
    if point.size > LARGEST_SIZE * 0.8:
        return dot + "\n" + _text(x - 12, y + 4.5, point.name, "end", colour)
    if any(0 < _x(p.size) - x < 160 and abs(_y(p.error) - y) < 16 for p in points):
        return dot + "\n" + _text(x - 6, y - 12, point.name, "start", colour)
    return dot + "\n" + _text(x + 12, y + 4.5, point.name, "start", colour)
