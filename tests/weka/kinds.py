"""A data file that is learned by sets of labels, ranges of them, and known values."""

from __future__ import annotations

import numpy as np

AGES = ("40-49", "0-9", "10-19", "50-59", "20-29", "30-39")
SIZES = ("huge", "tiny", "large", "small", "medium", "none")
ORDER = "size=tiny<small<medium<large<huge"


def kinds_arff(n_rows: int = 400) -> str:
    """Return the text of the file."""
    rng = np.random.default_rng(11)
    towns = [f"t{k}" for k in range(24)]
    lines = ["@relation kinds"]
    lines += [
        f"@attribute {name} {{{','.join(labels)}}}"
        for name, labels in (("age", AGES), ("size", SIZES), ("town", towns), ("boat", "ABCDE"))
    ]
    lines += ["@attribute z numeric", "@attribute class {no,yes}", "@data"]
    places = ORDER.partition("=")[2].split("<")
    for _ in range(n_rows):
        age, size, town = (str(rng.choice(labels)) for labels in (AGES, SIZES, towns))
        boat = str(rng.choice(list("ABCDE"))) if rng.random() < 0.4 else "?"
        is_old = int(age.partition("-")[0]) >= 30
        is_large = size in places and places.index(size) >= 3
        holds = (is_old and int(town[1:]) % 3 > 0) or (boat != "?" and is_large)
        label = "yes" if holds != (rng.random() < 0.05) else "no"
        lines.append(f"{age},{size},{town},{boat},{rng.normal():.3f},{label}")
    return "\n".join(lines) + "\n"
