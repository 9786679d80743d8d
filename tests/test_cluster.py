"""Training past one machine: the same model from any number of parts."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from tests.cluster_cases import InProcessCrew, alone, random_relation, write_parts
from widc_arff.arff.reader import read_arff
from widc_arff.cluster import counter, reading
from widc_arff.cluster.training import Files, induce_from_files
from widc_arff.errors import DataError, OptionError, WidcError, WidcWarning
from widc_arff.model_file import committee_to_json
from widc_arff.options import Options

METHODS = ("mdl+", "quantile:4", "mdl", "all", "width:5", "quantile:32")
TABLE = (("a0", (-0.5, 0.25)), ("a1", (0.0,)))


def together(paths, options, n_workers, **settings) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        crew = InProcessCrew(n_workers)
        return committee_to_json(induce_from_files(Files(paths), options, crew, **settings))


def outcome(function, *arguments, **settings) -> str:
    """Return a model file, or the message of the error in its place."""
    try:
        return function(*arguments, **settings)
    except WidcError as error:
        return str(error)


@pytest.mark.parametrize("seed", range(60))
def test_the_model_is_that_of_one_machine(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(counter, "SHARES", (1, 4, 16, 1000)[seed % 4])
    relation = random_relation(seed)
    pruning = ("pessimistic", "optimistic", "none")[seed % 3]
    options = Options(pruning, METHODS[seed % len(METHODS)], max_rules=(None, 4)[seed % 2])
    expected = outcome(alone, relation, options)
    for n_workers in (1, 2, 5):
        folder = tmp_path / str(n_workers)
        folder.mkdir()
        paths = write_parts(relation, n_workers, folder)
        assert outcome(together, paths, options, n_workers) == expected
