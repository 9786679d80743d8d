"""Pages in a real browser without a screen: pictures, and what sticks out of the window."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from typing import TYPE_CHECKING, Any

from tests.endings import PATIENCE_S

if TYPE_CHECKING:
    from pathlib import Path

# What is wider than the window, tables inside their boxes excepted, and whether boxes scroll.
_MEASURE = r"""<script>
const room = document.documentElement.clientWidth;
const out = [...document.querySelectorAll('body, body *')].filter(e =>
  !e.parentElement.closest('.widc') && !['SCRIPT', 'STYLE', 'TITLE'].includes(e.tagName)
  && e.getBoundingClientRect().right > room + 0.5);
// Words of at most 20 letters in tables that take more than one line.
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const broken = [];
for (let node = texts.nextNode(); node; node = texts.nextNode()) {
  if (!node.parentElement.closest('td, th, h1, h2, p, dd, dt')) continue;
  if (node.parentElement.closest('details:not([open])')) continue;
  for (const word of node.data.matchAll(/[\x21-\x7e]+/g)) {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const tops = new Set([...range.getClientRects()].filter(r => r.width > 0 || r.height > 0).map(
      r => Math.round(getComputedStyle(node.parentElement).writingMode == 'vertical-rl'
        ? r.left : r.top)));
    if (word[0].length <= 20 && tops.size > 1) broken.push(word[0]);
  }
}
// Where the first column is when its box is scrolled, and whether cells under it shine through.
const moved = [];
for (const box of document.querySelectorAll('.widc')) {
  if (box.scrollWidth <= box.clientWidth) continue;
  box.scrollLeft = box.scrollWidth;
  for (const row of box.querySelectorAll('tr')) {
    const first = row.firstElementChild;
    const left = first.getBoundingClientRect().left - box.getBoundingClientRect().left;
    const solid = getComputedStyle(first).backgroundColor;
    if (Math.abs(left) > 1 || /, 0\)$/.test(solid)) moved.push(first.textContent);
  }
  if (box.firstElementChild.rows[0].firstElementChild.offsetWidth > 0.75 * box.clientWidth)
    moved.push('no room beside the first column');
  box.scrollLeft = 0;
}
const words = [...document.querySelectorAll('th.words')].map(e => e.offsetWidth);
parent.postMessage([window.name, JSON.stringify({
  room: room,
  page: document.documentElement.scrollWidth,
  out: out.map(e => e.tagName + '.' + e.className),
  scrolls: [...document.querySelectorAll('.widc')].some(e => e.scrollWidth > e.clientWidth),
  broken: broken,
  moved: moved,
  cut: [...document.querySelectorAll('section')].filter(s =>
    [...s.querySelectorAll('.widc')].some(e => e.scrollWidth > e.clientWidth)).map(s => s.id),
  words: Math.min(...words),
})], '*');
</script>"""
# Windows have a least width; frames of the widths asked for have none.
_COLLECT = """<!DOCTYPE html><body><script>
onmessage = event => { document.getElementById(event.data[0]).dataset.measured = event.data[1]; };
</script>"""
_FRAME = """<iframe src="{page}" id="w{width}" name="w{width}" data-measured=""
style="border: 0; width: {width}px; height: 1600px"></iframe>"""


def chromium() -> str | None:
    """Return the browser's command, or None."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for path in map(shutil.which, names) if path), None)


def picture(page: Path, width: int, scheme: str, target: Path) -> None:
    """Write a screenshot of a page; the colour scheme is light or dark."""
    preferred = "preferredColorScheme=" + ("0" if scheme == "dark" else "1")
    options = [f"--blink-settings={preferred}", "--hide-scrollbars", f"--screenshot={target}"]
    _run(page, width, *options)


def measured(page: Path, *widths: int) -> list[dict[str, Any]]:
    """Return for each width the room that a page has, and its own width.

    With it goes what sticks out, is broken, cut or not fixed.
    """
    copy = page.with_name(f"measured-{page.name}")
    text = page.read_text(encoding="utf-8")
    copy.write_text(text.replace("</body>", f"{_MEASURE}</body>"), encoding="utf-8")
    frame = page.with_name(f"frame-{page.name}")
    frames = [_FRAME.format(page=copy.name, width=width) for width in widths]
    frame.write_text("\n".join([_COLLECT, *frames, "</body>"]), encoding="utf-8")
    options = ["--hide-scrollbars", "--virtual-time-budget=5000", "--dump-dom"]
    dom = _run(frame, max(1300, *widths), *options)
    found = re.findall(r' data-measured="([^"]+)"', dom)
    results: list[dict[str, Any]] = [json.loads(unescape(text)) for text in found]
    assert [result["room"] for result in results] == list(widths)
    return results


def _run(page: Path, width: int, *options: str) -> str:
    command = chromium()
    assert command is not None
    size = f"--window-size={width},1600"
    fixed = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", size]
    profile = f"--user-data-dir={page.parent / 'profile'}"
    done = subprocess.run(
        [command, *fixed, profile, *options, page.as_uri()],
        check=True,
        capture_output=True,
        timeout=PATIENCE_S,
    )
    return done.stdout.decode("utf-8")
