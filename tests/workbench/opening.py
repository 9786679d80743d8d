"""Pages of the workbench in Chromium, and what they say."""

from __future__ import annotations

import base64
import json
import re
import zlib
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.browser import chromium
from widc_arff import DecisionCommittee
from widc_arff.workbench import NamedRows, Told, workbench_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from widc_arff import Dataset
    from widc_arff.model.costs import CostMatrix

TOLD = Told("model.json", 0, "evaluate @model@", "edit", "train --rules @rules@")


@contextmanager
def started_browser() -> Iterator[Browser]:
    """Give a browser without a screen."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=chromium(), args=options)
        try:
            yield browser
        finally:
            browser.close()


def page_of(
    committee: DecisionCommittee,
    data: Dataset,
    test: Dataset | None = None,
    costs: CostMatrix | None = None,
) -> str:
    """Return the page of a committee, which gets to know all attributes of the data."""
    committee = replace(committee, schema=data.schema)
    tested = None if test is None else NamedRows.all_of("test.arff", test)
    told = replace(TOLD, rows_in_file=data.n_samples)
    rows = NamedRows.all_of("data.arff", data)
    return workbench_page(committee, rows, told, test=tested, costs=costs)


def with_model(html: str, old: str, new: str) -> str:
    """Return a page whose content has another text in place of one of the same length."""
    match = re.search(r'id="content">([^<]*)<', html)
    assert match is not None
    content = zlib.decompress(base64.b64decode(match[1]))
    length = int.from_bytes(content[:8], "little")
    header, arrays = content[8 : 8 + length], content[8 + length :]
    assert old.encode() in header
    changed = header.replace(old.encode(), new.encode()).ljust(length)
    length += -(len(changed) + 8) % 8 + len(changed) - length
    packed = length.to_bytes(8, "little") + changed.ljust(length) + arrays
    text = base64.b64encode(zlib.compress(packed)).decode()
    return html.replace(match[1], text)


class Workbench:
    """A page that is open."""

    def __init__(self, page: Page, html: str, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.faults: list[str] = []
        self.requests: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: self._hear(message.type, message.text))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", lambda dialog: self.faults.append(dialog.message))
        path = folder / "page.html"
        path.write_text(html, encoding="utf-8")
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-state]", state="attached")
        self.refusal = page.inner_text("#fault")

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.faults.append(text)

    def ask(self, script: str) -> Any:
        """Return what a script finds on the page; `workbench` is its state."""
        return self.page.evaluate(script)

    @property
    def decided(self) -> list[Any]:
        """What is decided in each row of the data."""
        return list(
            self.ask(
                "() => [...workbench.outcome.patterns.of].map(p => workbench.outcome.decided[p])"
            )
        )

    @property
    def probabilities(self) -> list[list[float]]:
        """Of the classes or labels in each row of the data."""
        return list(
            self.ask(
                """() => {
                  const { patterns } = workbench.outcome, c = workbench.content.labels.length;
                  const { chances } = workbench.deciding;
                  const of = [...Array(patterns.n).keys()].map(
                    p => chances(patterns.votes.subarray(p * c, p * c + c)));
                  return [...patterns.of].map(p => of[p]);
                }"""
            )
        )

    def figure(self, name: str) -> str:
        """Return a figure of the head of the page."""
        return self.page.locator(f"[data-figure={name}] .value").inner_text().strip("▲▼ ")

    def note(self, name: str) -> str:
        """Return what stands beside a figure."""
        return self.page.locator(f"[data-figure={name}] small").inner_text()

    def taken_back(self, which: str = "model") -> Path:
        """Return the file of a model, or of all rules, downloaded."""
        page = self.page
        page.click("[data-key='take back']")
        if which == "rules":
            page.check("input[name=kept][value=all]")
        with page.expect_download() as download:
            page.click(f"[data-key='save {which}']")
        path = self.folder / download.value.suggested_filename
        download.value.save_as(path)
        page.click("[data-key=close]")
        return path

    @property
    def model(self) -> DecisionCommittee:
        """The model that the page gives back."""
        text = self.taken_back().read_text(encoding="utf-8")
        committee = DecisionCommittee.from_json(text)
        assert committee.to_json() == text
        json.loads(text)
        return committee
