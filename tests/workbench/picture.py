"""Draw the picture of docs/workbench.md: ``python -m tests.workbench.picture FILE.png``.

Two thirds of Fisher's iris to learn from, the others to test on; a cut point is moved by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from tests.workbench.opening import Workbench, page_of, started_browser
from widc_arff import Options, induce, read_dataset

if TYPE_CHECKING:
    from playwright.sync_api import Browser

IRIS = Path(__file__).parents[2] / "arff_data" / "iris.arff"


def draw(browser: Browser, path: Path) -> None:
    """Write the picture."""
    flowers = read_dataset(IRIS)
    held = np.arange(flowers.n_samples) % 3 == 0
    data = flowers.take(~held)
    html = page_of(induce(data, Options(max_rules=2)), data, flowers.take(held))
    with TemporaryDirectory() as folder:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        opened = Workbench(page, html, Path(folder))
        page.click("[data-rule='2'] .text")
        box = page.locator("input[id^=end-]").first
        box.fill(f"{float(box.input_value()) - 0.2:g}")
        box.press("Enter")
        page.mouse.move(0, 0)
        page.screenshot(path=path)
        page.close()
        assert not opened.faults


if __name__ == "__main__":
    with started_browser() as found:
        draw(found, Path(sys.argv[1]))
