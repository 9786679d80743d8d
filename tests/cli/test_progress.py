"""What is shown on a terminal while a committee is learned."""

from __future__ import annotations

import time
from pathlib import Path

from tests.endings import PATIENCE_S
from widc_arff import Dataset, Options, induce, read_arff
from widc_arff.cli import progress

DATA = Path(__file__).parents[2] / "arff_data"


def shown(name: str, pruning: str) -> list[str]:
    """Return what is shown one after the other."""
    texts: list[str] = []
    dataset = Dataset.from_relation(read_arff(DATA / name))
    induce(dataset, Options(pruning), progress.Watcher(texts.append))
    return texts


def test_rules_are_counted_while_they_grow():
    texts = shown("iris.arff", "pessimistic")
    assert len(texts) > 2
    assert texts == ["1 rule", *(f"{k} rules" for k in range(2, len(texts) + 1))]


def test_refining_shows_the_size_of_each_committee():
    texts = shown("iris.arff", "refined")
    assert all(text.startswith("refining ") for text in texts)
    assert len(set(texts)) > 1
    assert texts[-1] == "refining 2 rules, 2 conditions"


def test_a_terminal_shows_what_is_learned(terminal):
    terminal()
    with progress.learning(10) as observer:
        assert isinstance(observer, progress.Watcher)


def test_nothing_is_observed_where_nobody_looks():
    with progress.learning(10) as observer:
        assert observer is None


def test_news_stand_beside_the_work(terminal):
    terminal()
    bar = progress._Bar("learning from 10 rows")
    bar.add("3 rules")
    bar.start()
    assert bar._progress is not None
    assert bar._progress.tasks[0].description == "learning from 10 rows: 3 rules"
    bar.add("4 rules")
    assert bar._progress.tasks[0].description == "learning from 10 rows: 4 rules"
    bar.stop()


def test_off_a_terminal_one_line_says_that_work_goes_on(monkeypatch, capsys):
    monkeypatch.setattr(progress, "LINE_DELAY_S", 0.0)
    end, line = time.monotonic() + PATIENCE_S, ""
    with progress.learning(300, n_labels=100) as observer:
        while not line and time.monotonic() < end:
            line = capsys.readouterr().err
            time.sleep(0.001)
    assert observer is None
    line += capsys.readouterr().err
    assert line == "widc-arff: still learning from 300 rows and 100 labels after 0 seconds\n"


def test_short_work_off_a_terminal_says_nothing(capsys):
    with progress.working("reading"):
        pass
    assert capsys.readouterr().err == ""
