"""Every command that prints a report prints it in every form."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.html_pages import Page
from tests.label_set_cases import DAYS
from widc_arff.reports.blocks import FORMS

WEATHER = str(Path(__file__).parents[2] / "arff_data" / "weather-nominal.arff")
LABELS = ["--labels", "sail,run,read"]
COMMANDS = {
    "train": ["train", "DATA"],
    "show": ["show", "m.json"],
    "rules": ["show", "m.json", "--layout", "rule"],
    "describe": ["describe", "DATA"],
    "evaluate": ["evaluate", "DATA", "--folds", "2"],
    "files": ["evaluate", "DATA", "DATA", "--folds", "2"],
    "model": ["evaluate", "m.json", "DATA"],
    "models": ["evaluate", "m.json", "m.json", "DATA"],
    "row": ["explain", "m.json", "DATA", "--row", "1"],
    "rows": ["explain", "m.json", "DATA"],
    "rule": ["explain", "m.json", "DATA", "--rule", "1"],
    "card": ["card", "m.json", "DATA"],
    "diff": ["diff", "m.json", "m.json", "DATA"],
    "edit": ["edit", "m.json", "--remove", "1"],
    "sizes": ["sizes", "DATA", "--prices", "1,9", "--folds", "2", "--train", "best"],
}


@pytest.fixture(params=["classes", "label sets"])
def model(request, run, tmp_path, monkeypatch) -> tuple[str, list[str]]:
    """Name of the data of a model, and how they are read."""
    monkeypatch.chdir(tmp_path)
    data, options = WEATHER, list[str]()
    if request.param == "label sets":
        data, options = "days.arff", LABELS
        Path(data).write_text(DAYS, encoding="utf-8")
    assert run("train", data, *options, "--penalty", "0.5", "--model", "m.json")[0] == 0
    return data, options


@pytest.mark.parametrize("name", COMMANDS)
def test_a_report_has_every_form(run, model, name):
    data, options = model
    words = [data if word == "DATA" else word for word in COMMANDS[name]]
    if words[0] in ("train", "describe", "sizes") or "--folds" in words:
        words += options
    found = {}
    for form in FORMS:
        status, found[form], _ = run(*words, "--format", form)
        assert status == 0
    assert found["text"].strip()
    page, latex = found["html"], found["latex"]
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<title>") == 1
    assert "<title></title>" not in page
    Page(page)
    n_tables = len(re.findall(r"^\|(?:---:?\|)+$", found["markdown"], re.MULTILINE))
    assert page.count("<table") == n_tables
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == n_tables
    assert latex.replace(r"\{", "").count("{") == latex.replace(r"\}", "").count("}")
