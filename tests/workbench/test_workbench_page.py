"""The page in the hands of people: look, ask what-if, change, take back; whoever they are."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.export_cases import AWKWARD, case
from tests.label_set_cases import DAYS, days
from tests.workbench.opening import Workbench, page_of, with_model
from tests.workbench.picture import draw
from widc_arff import (
    Attribute,
    Dataset,
    Literal,
    Rule,
    induce,
    read_committee,
    read_dataset,
    write_committee,
)
from widc_arff.data.rows import label_matrix
from widc_arff.data.schema import Labels, Schema
from widc_arff.model.rules import Names

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.needs("playwright")]
ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
IRIS = ROOT / "arff_data" / "iris.arff"


@pytest.fixture(scope="module")
def flowers(tmp_path_factory):
    """A folder with a model of Fisher's iris, these as data, and some of them as a test."""
    folder = tmp_path_factory.mktemp("iris")
    head, rows = IRIS.read_text(encoding="utf-8").split("@data\n")
    lines = rows.splitlines(keepends=True)
    for name, own in (("data", lines), ("test", lines[1::4])):
        (folder / f"{name}.arff").write_text(f"{head}@data\n{''.join(own)}", encoding="utf-8")
    write_committee(induce(read_dataset(folder / "data.arff")), folder / "model.json")
    return folder


@pytest.fixture
def page(flowers, opened, run):
    files = [str(flowers / name) for name in ("model.json", "data.arff", "test.arff", "page.html")]
    status, _, _ = run("workbench", *files[:2], "--test", files[2], "-o", files[3])
    assert status == 0
    return opened(Path(files[3]).read_text(encoding="utf-8"))


def percent(fraction: float) -> str:
    return f"{100 * fraction:.1f} %"


def assert_true_everywhere(page: Workbench, flowers: Path, run: Any) -> None:
    """Compare what the page says with what commands say of the model that it gives back."""
    model = str(page.taken_back())
    committee = read_committee(model)
    for name in ("data", "test"):
        status, out, _ = run("evaluate", model, str(flowers / f"{name}.arff"), "--format", "json")
        assert status == 0
        (told,) = json.loads(out)["models"]
        assert page.figure(name) == percent(told["error"])
        outcome = "outcome" if name == "data" else "outcomeOfTest"
        confusion = page.ask(f"() => workbench.{outcome}.confusion")
        assert told["confusion"] == confusion
        bins = page.ask(f"() => workbench.{outcome}.bins")
        assert [b["weight"] for b in bins] == [b["weight"] for b in told["calibration"]]
        assert [b["predicted"] for b in bins] == pytest.approx(
            [b["predicted"] for b in told["calibration"]]
        )
    calibration = told["measures"]["calibration_error"]
    assert page.figure("calibration") == percent(calibration)
    assert page.figure("rules") == str(len(committee.rules))
    assert page.figure("conditions") == str(committee.n_literals)
    out = run("predict", model, str(flowers / "data.arff"))[1].splitlines()
    names = out[0].split(",")[-committee.schema.n_classes :]
    labels = [name.removeprefix("probability:") for name in names]
    rows = [line.split(",") for line in out[1:]]
    assert [labels.index(row[2]) for row in rows] == page.decided
    chances = [[float(text) for text in row[-len(labels) :]] for row in rows]
    assert chances == page.probabilities


# look


def test_the_page_says_what_the_commands_say(page, flowers, run):
    assert (page.faults, page.refusal) == ([], "")
    words = page.page.inner_text("#rules")
    for text in ("petal_width > ", "petal_length > ", "versicolor", "no rule"):
        assert text in words
    assert_true_everywhere(page, flowers, run)


def test_a_rule_under_the_pointer_or_focus_says_what_it_does(page):
    rule = page.page.locator("[data-rule='2'] .text").first
    rule.focus()
    peek = page.page.inner_text("#peek")
    assert re.match(r"Rule 2\. Holds on \d+ of 150 rows \([\d.]+ %\)\. Right on ", peek)
    assert "would be decided differently" in peek
    assert "it is to blame for" in peek
    page.page.locator("#tab-rule").focus()
    assert page.page.locator("#peek").is_hidden()


def test_rows_are_filtered_by_class_decision_error_and_rule(page):
    total = page.ask("() => workbench.outcome.wrong")
    driver = page.page
    driver.select_option("[data-key='filter outcome']", "wrong")
    assert driver.inner_text("#row-count") == f"{total} of 150 rows"
    assert driver.locator("tbody tr[data-row]").count() == total
    driver.select_option("[data-key='filter outcome']", "")
    driver.select_option("[data-key='filter actual']", "0")
    assert driver.inner_text("#row-count") == "50 of 150 rows"
    driver.select_option("[data-key='filter decided']", "2")
    assert driver.inner_text("#row-count") == "0 of 150 rows"
    driver.click("[data-key='all rows']")
    driver.select_option("[data-key='filter rule']", "1")
    covered = page.ask("() => workbench.outcome.rules[0].covered")
    assert driver.inner_text("#row-count") == f"{covered} of 150 rows"
    driver.click("#tab-figures")
    driver.click("[data-key='cell true 0 0']")
    assert driver.inner_text("#row-count") == "13 of 38 rows"
    assert driver.locator("[data-key='which rows']").input_value() == "test"


def test_the_rule_to_blame_for_most_errors_of_a_class_is_found(page):
    driver = page.page
    driver.select_option("[data-key='filter actual']", "1")
    driver.select_option("[data-key='filter outcome']", "wrong")
    # all wrong versicolor have wide petals: rule 1 votes for virginica, which wins the tie
    told = driver.inner_text(".blame")
    assert told.split("\n")[0].startswith("To blame for 1 error")
    driver.locator(".blame button").first.click()
    assert driver.inner_text("#panel h2") == "Rule 1"


def test_the_line_of_errors_says_what_a_cut_elsewhere_would_do(page):
    driver = page.page
    told = driver.inner_text(".condition-card .quiet")
    wrong = page.ask("() => workbench.outcome.wrong")
    assert f"this cut has the fewest, {wrong}" in told
    driver.fill("input[id^=end-]", "2.2")
    driver.press("input[id^=end-]", "Enter")
    assert page.ask("() => workbench.outcome.wrong") > wrong
    told = driver.inner_text(".condition-card .quiet")
    match = re.search(r"the fewest, (\d+), with above ([\d.]+)\.$", told)
    assert match is not None
    fewest, value = match.groups()
    driver.fill("input[id^=end-]", value)
    driver.press("input[id^=end-]", "Enter")
    assert page.ask("() => workbench.outcome.wrong") == int(fewest)


def test_of_many_rows_those_in_sight_are_in_the_document(opened):
    n, rng = 200_000, np.random.default_rng(1)  # more values than a function has arguments
    schema = Schema(
        "many", (Attribute("x", "numeric"),), Labels("single", ("class",), ("no", "yes"))
    )
    x = rng.normal(size=n)
    rows = Dataset(schema, (x,), label_matrix((x > 0).astype(int), 2), np.ones(n))
    page = opened(page_of(induce(rows), rows))
    driver = page.page
    assert driver.inner_text("#row-count") == "200000 rows"
    assert driver.locator("tbody tr[data-row]").count() < 60
    assert driver.locator("table.rows").get_attribute("aria-rowcount") == "200001"
    assert "errors with the cut elsewhere" in driver.inner_text(".condition-card .quiet")
    driver.eval_on_selector(".window", "box => { box.scrollTop = box.scrollHeight; }")
    driver.wait_for_selector("tr[data-row='200000']")
    assert driver.locator("tbody tr[data-row]").count() < 60


def test_of_many_classes_the_most_frequent_have_colours(opened):
    classes = np.repeat(np.arange(9), [1, 2, 9, 8, 7, 6, 5, 4, 3])
    values = tuple("abcdefghi")
    schema = Schema("nine", (Attribute("x", "numeric"),), Labels("single", ("class",), values))
    x = np.arange(len(classes), dtype=float)
    rows = Dataset(schema, (x,), label_matrix(classes, 9), np.ones(len(x)))
    rule = Rule((Literal(0, ">", 2.5),), (1,) + (-1,) * 8, (0.0,) * 9)
    page = opened(page_of(induce(rows).with_rules((rule,)), rows))
    driver = page.page
    told = [text.strip() for text in driver.locator(".legend li").all_inner_texts()]
    assert told == [*"cdefghi", "others"]
    dots = driver.eval_on_selector_all(
        ".legend .dot", "all => all.map(e => getComputedStyle(e).backgroundColor)"
    )
    assert len(set(dots)) == 8
    heads = driver.eval_on_selector_all(
        ".class h3",
        "all => all.map(e => getComputedStyle(e.querySelector('.dot')).backgroundColor)",
    )
    names = [text[0] for text in driver.locator(".class h3").all_inner_texts()]
    assert dict(zip(names, heads, strict=True)) == {
        **dict(zip("cdefghi", dots, strict=False)),
        "a": dots[-1],
        "b": dots[-1],
    }
    assert page.faults == []


# ask what-if


def test_a_row_can_be_asked_what_if(page):
    driver = page.page
    driver.click("tr[data-row='9'] button")
    row = page.ask("() => workbench.row")
    assert driver.input_value("#row-number") == "9"
    before = driver.inner_text(".verdict")
    holding = page.ask("() => [...document.querySelectorAll('.lit')].length")
    assert f"{holding} rule" in driver.inner_text(".decision") or holding == 0
    driver.fill("#what-3", "9")
    driver.press("#what-3", "Enter")
    assert page.ask("() => workbench.row[3]") == 9
    assert "outside of" in driver.inner_text(".inputs")
    assert "virginica" in driver.inner_text(".verdict")
    assert driver.locator(".lit").count() == 1
    driver.click("[data-key='as it was']")
    assert driver.inner_text(".verdict") == before
    assert page.ask("() => workbench.row") == row
    driver.click("[data-key='try 0']")
    assert driver.inner_text(".verdict") != before


def test_what_is_typed_is_checked(page):
    driver = page.page
    driver.click("#tab-whatif")
    driver.fill("#what-2", "wide")
    driver.press("#what-2", "Enter")
    assert 'expected a number such as 4.5, got "wide"' in driver.inner_text("#what-2-fault")
    assert driver.get_attribute("#what-2", "aria-invalid") == "true"
    driver.fill("#row-number", "999")
    driver.press("#row-number", "Enter")
    assert driver.get_attribute("#row-number", "aria-invalid") == "true"
    driver.click("#tab-rule")
    field = "input[id^=end-]"
    before = page.ask("() => JSON.stringify(workbench.rules)")
    driver.fill(field, "1,5")
    driver.press(field, "Enter")
    assert "expected a number" in driver.inner_text(".ends .fault")
    assert page.ask("() => JSON.stringify(workbench.rules)") == before


# change


def choose(page: Workbench, rule: int) -> None:
    page.page.locator(f"[data-rule='{rule}'] .text").first.click()


def rules_of(page: Workbench) -> str:
    return str(page.ask("() => JSON.stringify(workbench.rules)"))


def test_figures_follow_a_rule_that_is_switched_off(page, flowers, run):
    page.page.locator("[data-rule='1'] .switch").first.click()
    assert page.note("rules") == "learned: 2"
    assert "learned: 4.0 %" in page.note("data")
    assert_true_everywhere(page, flowers, run)
    page.page.locator("[data-rule='1'] .switch").first.click()
    assert "learned" not in page.note("data")
    assert_true_everywhere(page, flowers, run)


def test_figures_follow_a_cut_point_moved_by_keys_by_typing_and_by_the_pointer(page, flowers, run):
    driver = page.page
    choose(page, 2)
    driver.locator(".cut").first.focus()
    for _ in range(3):
        driver.keyboard.press("ArrowRight")
    # from between 1.9 and 3 on: between 3 and 3.3, 3.3 and 3.5, 3.5 and 3.6, in the fewest digits
    assert driver.locator(".cut").first.get_attribute("aria-valuetext") == "above 3.5"
    assert page.ask("() => document.activeElement.getAttribute('role')") == "slider"
    assert_true_everywhere(page, flowers, run)
    driver.fill("input[id^=end-]", "4.05")
    driver.press("input[id^=end-]", "Enter")
    assert "petal_length > 4.05" in driver.inner_text("[data-rule='2']")
    assert_true_everywhere(page, flowers, run)
    box = driver.locator(".cut .knob").first.bounding_box()
    assert box is not None
    n_before = page.ask("() => workbench.past.length")
    driver.mouse.move(box["x"] + 4, box["y"] + 4)
    driver.mouse.down()
    for step in range(1, 6):
        driver.mouse.move(box["x"] + 4 - 12 * step, box["y"] + 4)
    driver.mouse.up()
    value = page.ask("() => workbench.rules[1].literals[0].value")
    assert 2.5 < value < 4.05
    assert len(str(value)) <= 4  # as a person would write it
    assert page.ask("() => workbench.past.length") == n_before + 1  # the drag is one change
    assert_true_everywhere(page, flowers, run)


def test_figures_follow_votes_conditions_and_rules_and_all_can_be_undone(page, flowers, run):
    driver = page.page
    learned = rules_of(page)
    choose(page, 2)
    driver.check("input[name='vote-0'][value='0']", force=True)
    assert_true_everywhere(page, flowers, run)
    driver.select_option("[data-key='add condition']", "1")
    assert "and sepal_width > " in driver.inner_text("[data-rule='2']")
    assert_true_everywhere(page, flowers, run)
    driver.click("[data-key='drop 2']")
    assert "petal_length" not in driver.inner_text("[data-rule='2']")
    driver.click("[data-key='new rule']")
    driver.fill("[data-key=name]", "the 'new' one")
    driver.press("[data-key=name]", "Enter")
    driver.click("[data-key=lock]")
    assert "the 'new' one" in driver.inner_text("[data-rule='3']")
    assert_true_everywhere(page, flowers, run)
    driver.click("[data-key=copy]")
    assert "has the same conditions." in driver.inner_text(".warnings")
    driver.click("[data-key=remove]")
    changed = rules_of(page)
    driver.keyboard.press("Control+z")
    while driver.locator("[data-key=undo]").is_enabled():
        driver.click("[data-key=undo]")
    assert rules_of(page) == learned
    assert "learned" not in page.note("data")
    assert_true_everywhere(page, flowers, run)
    while driver.locator("[data-key=redo]").is_enabled():
        driver.click("[data-key=redo]")
    assert rules_of(page) == changed
    driver.click("[data-key='start over']")
    assert rules_of(page) == learned
    assert page.faults == []


def test_lists_of_values_are_changed(opened):
    rows = read_dataset(ROOT / "arff_data" / "weather-nominal.arff")
    page = opened(page_of(induce(rows), rows))
    driver = page.page
    driver.locator("[data-rule='1'] .text").first.click()
    attribute = page.ask("() => workbench.rules[0].literals[0].attribute")
    driver.click(f"[data-key='mode {attribute} !=']")
    own = page.ask("() => workbench.rules[0].literals[0]")
    assert own["op"] == "!="
    other = (own["value"] + 1) % 3
    driver.check(f"[data-key='value {attribute} {other}']")
    labels = rows.schema.attributes[attribute].values
    first, second = (labels[code] for code in sorted((own["value"], other)))
    name = rows.schema.attributes[attribute].name
    assert f"{name} not in {{{first}, {second}}}" in driver.inner_text("[data-rule='1']")
    driver.click(f"[data-key='mode {attribute} =']")
    if "in" in page.ask("() => workbench.content.kinds"):
        assert f"{name} in {{{first}, {second}}}" in driver.inner_text("[data-rule='1']")
        driver.uncheck(f"[data-key='value {attribute} {own['value']}']")
    else:
        driver.check(f"[data-key='value {attribute} {other}']")
    assert f"{name} = {labels[other]}" in driver.inner_text("[data-rule='1']")


def test_conditions_on_missing_values_are_offered_where_there_are_some(opened, run, tmp_path):
    head = "@relation r\n@attribute x numeric\n@attribute y {a,b}\n@attribute z numeric\n"
    lines = [f"{'?' if i % 3 == 0 else i},{'ab?'[i % 3]},{i % 7},{'np'[i > 8]}" for i in range(30)]
    data = tmp_path / "data.arff"
    text = f"{head}@attribute class {{n,p}}\n@data\n" + "\n".join(lines)
    data.write_text(text, encoding="utf-8")
    rows = read_dataset(data)
    committee = induce(rows).with_rules((Rule((Literal(2, ">", 3.0),), (-1, 1), (0.0, 0.0)),))
    page = opened(page_of(committee, rows, rows))
    driver = page.page
    own = "[data-key='add condition']"
    offered = driver.eval_on_selector_all(f"{own} option", "all => all.map(o => o.textContent)")
    states = ("known", "missing")
    assert offered[1:] == ["x", *(f"x is {s}" for s in states), "y", *(f"y is {s}" for s in states)]
    driver.select_option(own, "0 missing")
    driver.select_option(own, "1 known")
    assert "z > 3 and x is missing and y is known" in driver.inner_text("[data-rule='1']")
    model = page.taken_back()
    rules = page.taken_back("rules")
    assert "if z > 3 and x is missing and y is known then" in rules.read_text(encoding="utf-8")
    told = json.loads(run("evaluate", str(model), str(data), "--format", "json")[1])
    assert told["models"][0]["confusion"] == page.ask("() => workbench.outcome.confusion")
    assert page.decided == read_committee(model).predict_codes(rows).tolist()
    assert page.faults == []


def test_rules_that_do_nothing_are_warned_of(page):
    driver = page.page
    driver.fill("input[id^=end-]", "99")
    driver.press("input[id^=end-]", "Enter")
    assert "No row satisfies this rule." in driver.inner_text(".warnings")
    assert "check" in driver.locator("[data-rule='1']").first.inner_text()
    for j in range(3):
        driver.check(f"input[name='vote-{j}'][value='0']", force=True)
    driver.fill("input[id^=end-]", "0")
    driver.press("input[id^=end-]", "Enter")
    assert "All classes get the same" in driver.inner_text(".warnings")


# take back


def test_a_model_is_what_edit_makes_of_the_rules(page, flowers, run):
    driver = page.page
    driver.locator("[data-rule='2'] .text").first.click()
    driver.fill("input[id^=end-]", "3.05")
    driver.press("input[id^=end-]", "Enter")
    driver.click("[data-key='add condition']")
    driver.select_option("[data-key='add condition']", "0")
    rules = page.taken_back("rules")
    model = read_committee(page.taken_back())
    edited = str(flowers / "edited.json")
    old, data = (str(flowers / name) for name in ("model.json", "data.arff"))
    assert run("edit", old, data, "--rules", str(rules), "-o", edited)[0] == 0
    of_edit = read_committee(edited)
    assert model == of_edit
    assert model.history == of_edit.history
    assert "Rule 2 changed: petal_length > " in model.history[0]


def test_the_rest_is_learned_around_rules_that_are_kept(page, flowers, run, monkeypatch):
    driver = page.page
    driver.fill("input[id^=end-]", "1.65")
    driver.press("input[id^=end-]", "Enter")
    driver.click("[data-key='take back']")
    assert "petal_width > 1.65" in driver.inner_text(".rules-text")
    assert driver.inner_text(".rules-text").count("if ") == 1
    with driver.expect_download() as download:
        driver.click("[data-key='save rules']")
    download.value.save_as(flowers / download.value.suggested_filename)
    command = driver.inner_text("[data-command=learn]").split()
    monkeypatch.chdir(flowers)
    assert command[:2] == ["widc-arff", "train"]
    assert run(*command[1:])[0] == 0
    again = read_committee("model-next.json")
    assert again.rules[0].locked
    assert again.rules[0].monomial == (Literal(3, ">", 1.65),)
    test = driver.inner_text("[data-command=evaluate]").split()
    assert test[:2] == ["widc-arff", "evaluate"]


def test_a_page_with_some_of_the_rows_says_so(flowers, opened, run):
    files = [str(flowers / name) for name in ("model.json", "data.arff", "few.html")]
    status, out, _ = run("workbench", *files[:2], "--rows", "20", "-o", files[2])
    assert status == 0
    assert "few.html: 20 rows of 150, 4 attributes and the class" in out
    page = opened(Path(files[2]).read_text(encoding="utf-8"))
    assert page.ask("() => [...workbench.content.data.numbers]") == [
        k * 150 // 20 + 1 for k in range(20)
    ]
    page.page.click("[data-key='take back']")
    assert "20 rows on this page, of 150" in page.page.inner_text("#take-back")


# label sets


def test_label_sets_are_worked_with(opened, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("days.arff").write_text(DAYS, encoding="utf-8")
    run("train", "days.arff", "--labels", "sail,run,read", "--model", "model.json")
    assert run("workbench", "model.json", "days.arff", "-o", "days.html")[0] == 0
    page = opened(Path("days.html").read_text(encoding="utf-8"))
    assert (page.faults, page.refusal) == ([], "")
    driver = page.page
    driver.check("input[name='vote-2'][value='1']", force=True)
    driver.click("#tab-figures")
    model = page.taken_back()
    (told,) = json.loads(run("evaluate", str(model), "days.arff", "--format", "json")[1])["models"]
    assert page.figure("data") == f"{told['ranking_loss']:.4f}"
    figures = page.ask("() => workbench.outcome.ofSets")
    assert figures["hamming"] == pytest.approx(told["measures"]["hamming_loss"])
    assert figures["exact"] == pytest.approx(told["measures"]["subset_accuracy"])
    rows = days()
    assert page.decided == read_committee(model).predict_sets(rows).tolist()
    driver.click("#tab-whatif")
    assert "sail" in driver.inner_text("#panel")
    driver.click("[data-key='take back']")
    with driver.expect_download() as download:
        driver.click("[data-key='save rules']")
    download.value.save_as(tmp_path / download.value.suggested_filename)
    assert run(*driver.inner_text("[data-command=learn]").split()[1:])[0] == 0
    changed, again = read_committee(model).rules[0], read_committee("model-next.json").rules[0]
    assert (again.monomial, again.votes, again.locked) == (changed.monomial, changed.votes, True)
    assert page.faults == []


# other people's names


def test_nothing_of_names_and_values_runs(opened):
    nasty = (
        "<script>window.ran=1</script>",
        '"><img src=x onerror="window.ran=1">',
        "</script><script>window.ran=1</script>",
        "javascript:window.ran=1",
        "${window.ran=1}",
        "<!--<script>",
        "]]>",
        "__proto__",
        "constructor",
    )
    names = list(dict.fromkeys([*nasty, *(text for text in AWKWARD if text)]))
    values = (*names, "")
    attributes = [
        Attribute(name, "nominal", values) if k % 2 else Attribute(name, "numeric")
        for k, name in enumerate(names)
    ]
    schema = Schema(nasty[2], tuple(attributes), Labels("single", ("</title>" + nasty[0],), values))
    rng = np.random.default_rng(1)
    n = 40
    columns = tuple(
        rng.integers(-1, len(values), n) if a.type == "nominal" else rng.normal(size=n)
        for a in attributes
    )
    rows = Dataset(schema, columns, label_matrix(rng.integers(0, 9, n), len(values)), np.ones(n))
    rules = tuple(
        Rule(
            (Literal(k, "=", k % len(values)) if k % 2 else Literal(k, ">", 0.5),),
            tuple(rng.integers(-1, 2, len(values)).tolist()),
            (0.0,) * len(values),
            name=nasty[k % len(nasty)],
        )
        for k in range(len(names))
    )
    committee = induce(rows).with_rules(rules)
    committee = replace(
        committee,
        names=Names({names[0]: nasty[1]}, {values[3]: nasty[0] + "?"}),
        history=nasty,
    )
    page = opened(page_of(committee, rows, rows))
    driver = page.page
    for tab in ("rule", "whatif", "figures"):
        driver.click(f"#tab-{tab}")
    driver.check("input[value=rule]", force=True)
    driver.click("[data-key='take back']")
    driver.wait_for_timeout(100)
    assert page.refusal == ""
    assert page.faults == []
    assert page.ask("() => window.ran") is None
    assert page.ask("() => ({}).polluted") is None
    assert page.ask("() => document.querySelectorAll('script, img, iframe, object').length") == 2
    assert nasty[0] in driver.inner_text("#rules")
    assert [url for url in page.requests if not url.startswith(("file:", "blob:"))] == []
    driver.click("[data-key=close]")
    assert page.model.rules == committee.rules


@pytest.mark.parametrize("width", [390, 1300])
def test_long_names_stay_in_their_place(opened, width):
    long = [letter * 150 for letter in "abc"]
    schema = Schema(
        long[0],
        (Attribute(long[1], "numeric"), Attribute("y", "nominal", (long[2], "b"))),
        Labels("single", ("class",), (long[0], long[1])),
    )
    x = np.arange(40.0)
    columns = x, np.arange(40) % 2
    rows = Dataset(schema, columns, label_matrix((x > 19).astype(int), 2), np.ones(40))
    rule = Rule((Literal(0, ">", 19.0), Literal(1, "=", 0)), (-1, 1), (0.0, 0.0), name="d" * 150)
    html = page_of(induce(rows).with_rules((rule,)), rows, rows)
    page = opened(html, viewport={"width": width, "height": 900})
    for tab in ("rule", "whatif", "figures"):
        page.page.click(f"#tab-{tab}")
        # boxes that scroll, and pictures, may hold what is wider
        out = page.ask(
            """() => {
              const scrolls = e => /auto|scroll|hidden/.test(getComputedStyle(e).overflowX);
              const isFree = (e, box) => e === box || (!scrolls(e) && isFree(e.parentElement, box));
              const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              const found = [];
              for (let node = texts.nextNode(); node; node = texts.nextNode()) {
                const range = document.createRange();
                range.selectNodeContents(node);
                const parent = node.parentElement;
                const box = parent.closest('#panel') ?? document.body;
                const end = box.getBoundingClientRect().right;
                if (range.getBoundingClientRect().right > end + 1 && isFree(parent, box))
                  found.push(parent.outerHTML.slice(0, 60));
              }
              return found;
            }"""
        )
        assert out == [], tab


def test_the_policy_forbids_what_the_page_does_not_bring(page):
    policy = page.page.get_attribute("meta[http-equiv]", "content")
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    page.ask(
        """() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';
        document.body.append(s);
        const b = document.createElement('b'); b.setAttribute('onclick', 'window.ran = 2');
        document.body.append(b); b.click(); }"""
    )
    assert page.ask("() => window.ran") is None
    assert page.ask("() => fetch('data:,x').then(() => 'sent', () => 'kept')") == "kept"


def test_kinds_of_conditions_that_the_page_does_not_know_are_refused(opened):
    committee = case("small").committee
    rows = case("small").examples
    Y = label_matrix(np.arange(rows.n_samples) % 3, 3)
    html = page_of(committee, replace(rows, Y=Y, has_labels=True))
    assert opened(html).refusal == ""
    page = opened(with_model(html, '"is":"!="', '"is":"~"'))
    assert page.refusal.startswith("This page does not know conditions such as housing ~")
    assert page.page.locator("#workbench").is_hidden()


# everybody

AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.needs("npm")
@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (1300, "dark"), (390, "light")])
def test_no_rule_of_accessibility_is_broken(flowers, opened, run, width, scheme):
    files = [str(flowers / name) for name in ("model.json", "data.arff", "axe.html")]
    assert run("workbench", *files[:2], "-o", files[2])[0] == 0
    html = Path(files[2]).read_text(encoding="utf-8")
    page = opened(html, viewport={"width": width, "height": 900}, color_scheme=scheme)
    driver = page.page
    page.ask(AXE.read_text(encoding="utf-8"))
    driver.locator("[data-rule='1'] .switch").first.click()
    for view in ("rule", "whatif", "figures", "take back"):
        driver.click("[data-key='take back']" if view == "take back" else f"#tab-{view}")
        found = page.ask(
            """() => axe.run(document, { resultTypes: ['violations'] }).then(r =>
              r.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 120))]))"""
        )
        assert found == [], view
    assert page.ask("() => document.documentElement.scrollWidth") <= width


def test_all_of_it_works_by_keys(page):
    driver = page.page
    reached: list[str] = []
    for _ in range(60):
        driver.keyboard.press("Tab")
        reached.append(page.ask("() => document.activeElement.dataset.key ?? ''"))
    for key in (
        "take back",
        "new rule",
        "tab rule",
        "lock",
        "add condition",
        "filter rule",
        "rows",
    ):
        assert key in reached
    driver.focus("#tab-rule")
    driver.keyboard.press("ArrowRight")
    assert page.ask("() => document.activeElement.id") == "tab-whatif"
    driver.focus("[data-key='slide 3']")
    before = page.ask("() => workbench.row[3]")
    driver.keyboard.press("ArrowRight")
    driver.keyboard.press("ArrowRight")
    assert page.ask("() => workbench.row[3]") > before
    assert page.ask("() => document.activeElement.dataset.key") == "slide 3"


def test_the_picture_of_the_documents_can_be_drawn_again(browser, tmp_path):
    draw(browser, tmp_path / "page.png")
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
