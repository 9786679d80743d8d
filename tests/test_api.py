"""The public names: they are documented, each with an example that runs."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import widc_arff

ROOT = Path(__file__).parents[1]
PUBLIC = [*widc_arff.__all__, "WIDCClassifier", "refitted", "updated"]


def is_error(name: str) -> bool:
    found = getattr(widc_arff, name)
    return isinstance(found, type) and issubclass(found, (Exception, Warning))


@pytest.mark.parametrize("name", [name for name in PUBLIC if not is_error(name)])
def test_each_public_name_has_an_example_that_runs(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    example = doctest.DocTestFinder(recurse=False).find(getattr(widc_arff, name), name)
    (test,) = (test for test in example if test.name == name)
    assert test.examples
    told: list[str] = []
    test.globs = {name: getattr(widc_arff, name)}
    outcome = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(
        test, out=told.append
    )
    assert not outcome.failed, "".join(told)


def test_all_public_names_are_told_and_no_other():
    assert widc_arff.__all__ == sorted(widc_arff.__all__)
    assert set(PUBLIC) <= set(dir(widc_arff))
    with pytest.raises(AttributeError, match="no attribute 'learn'"):
        _ = widc_arff.learn
