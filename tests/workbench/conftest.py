"""One browser for all pages of the workbench."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.workbench.opening import Workbench, started_browser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with started_browser() as browser:
        yield browser


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Workbench]]:
    """Give a function that opens a page in a window of its own, of some size and scheme."""

    def call(html: str, **options: Any) -> Workbench:
        page = browser.new_page(**options)
        pages.append(page)
        return Workbench(page, html, tmp_path)

    pages: list[Page] = []
    yield call
    for page in pages:
        page.close()
