"""What is shown on a terminal while a committee is learned."""

from __future__ import annotations

import io
import sys
import threading
from pathlib import Path

from tests.endings import PATIENCE_S
from widc_arff import Dataset, Options, induce, read_arff
from widc_arff.cli import progress

DATA = Path(__file__).parents[2] / "arff_data"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(monkeypatch, name: str, pruning: str) -> list[str]:
    news: list[str] = []
    monkeypatch.setattr(progress._Bar, "add", lambda _bar, text: news.append(text))
    monkeypatch.setattr(sys, "stderr", Terminal())
    dataset = Dataset.from_relation(read_arff(DATA / name))
    with progress.learning(dataset.n_samples) as observer:
        induce(dataset, Options(pruning), observer)
    return news


def test_rules_are_counted_while_they_grow(monkeypatch):
    news = told(monkeypatch, "iris.arff", "pessimistic")
    assert len(news) > 2
    assert news == ["1 rule", *(f"{k} rules" for k in range(2, len(news) + 1))]


def test_refining_tells_the_size_of_what_it_came_to(monkeypatch):
    news = told(monkeypatch, "iris.arff", "refined")
    assert all(text.startswith("refining ") for text in news)
    assert len(set(news)) > 1
    assert news[-1] == "refining 2 rules, 2 conditions"


def test_nothing_is_observed_where_nobody_looks(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress.learning(10) as observer:
        assert observer is None


def test_news_stand_beside_the_work(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    bar = progress._Bar("learning from 10 rows")
    bar.add("3 rules")
    bar.start()
    assert bar._progress is not None
    assert bar._progress.tasks[0].description == "learning from 10 rows: 3 rules"
    bar.add("4 rules")
    assert bar._progress.tasks[0].description == "learning from 10 rows: 4 rules"
    bar.stop()


def test_off_a_terminal_one_line_tells_that_work_goes_on(monkeypatch):
    stream = io.StringIO()
    told = threading.Event()
    tell = progress._tell
    monkeypatch.setattr(progress, "LINE_DELAY_S", 0.0)

    def tell_and_note(what: str) -> None:
        tell(what)
        told.set()

    monkeypatch.setattr(progress, "_tell", tell_and_note)
    monkeypatch.setattr(sys, "stderr", stream)
    with progress.learning(300, n_labels=100) as observer:
        assert told.wait(PATIENCE_S)
        assert observer is None
    line = "widc-arff: still learning from 300 rows and 100 labels after 0 seconds\n"
    assert stream.getvalue() == line


def test_short_work_off_a_terminal_says_nothing(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress.working("reading"):
        pass
    assert stream.getvalue() == ""
