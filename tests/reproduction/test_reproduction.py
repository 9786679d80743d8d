"""The paper reproduced: published figures, runs and their file, comparisons, the report."""

from __future__ import annotations

import html
import itertools
import json
import math
import re
import sys
from collections import Counter
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import widc_arff
from tests.reproduction import runs
from tests.reproduction.command import main
from tests.reproduction.document import (
    Block,
    Heading,
    Listing,
    Paragraph,
    Strong,
    Table,
    Verbatim,
    to_html,
    to_markdown,
)
from tests.reproduction.execution import execute
from tests.reproduction.figures import Figure1
from tests.reproduction.learners import J48, JRIP, PESSIMISTIC, UNPRUNED
from tests.reproduction.noise import Figure4, highest_level
from tests.reproduction.plots import Panel, Series, plot
from tests.reproduction.problems import (
    StudyProblem,
    folder_problems,
    generated_problems,
    loaded,
    xd6_problem,
)
from tests.reproduction.published import published
from tests.reproduction.report import PARTS, Setting, document, sections, write
from tests.reproduction.results import Matrix, Results
from tests.reproduction.runs import Run, RunFile, Task, fingerprint_of, widc_run
from tests.reproduction.sample_data import DOMAINS, monk1, weather_nominal, xd6
from tests.reproduction.statistics import compare, measured, wilcoxon
from tests.reproduction.study import Study
from tests.reproduction.weka_learners import WekaLearners
from tests.reproduction.xd6 import (
    bayes_error,
    decides_as_target,
    holds_target,
    positive_probabilities,
    uses_irrelevant,
    whole_distribution,
)
from widc_arff import Dataset, induce, read_arff, write_arff
from widc_arff.errors import WidcError
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.model.literals import Literal
from widc_arff.model.rules import Rule
from widc_arff.options import Options

ARFF_DATA = Path(__file__).parents[2] / "arff_data"
PAPER = Path(__file__).parents[3] / "shared" / "paper"


@pytest.fixture
def weather(tmp_path):
    path = tmp_path / "weather.arff"
    write_arff(weather_nominal(), path)
    return replace(StudyProblem("weather", path=str(path)), shape=(14, 4, 2))


@pytest.fixture
def run_file(tmp_path):
    return RunFile(tmp_path / "runs.jsonl")


@pytest.fixture
def run(capsys):
    """Return a function that runs the command: (exit status, stdout, stderr)."""

    def call(*arguments):
        status = main(list(arguments))
        return status, *capsys.readouterr()

    return call


class Others:
    """Stands in for Weka: everything is class 0."""

    def __init__(self):
        self.versions = {"weka": "3.9.7", "java": "17"}
        self.requests = []

    def run(self, scheme, train, test, folds, seed):
        self.requests.append((scheme, read_arff(train), test, folds, seed))
        n = max(folds, 1)
        sizes = {"rules": [2.0] * n, "literals": [3.0] * n, "nodes": [4.0] * n}
        names = {"attributes": [["x0", "x9"]] * n, "model": "a tree" if test else ""}
        return {"wrong": [1.0] * n, "weight": [2.0] * n} | sizes | names

    def close(self):
        pass


def tasks_on(problem, *learners, repeats=1):
    return [Task(problem, learner, 7, r + 1, 1 + r) for learner in learners for r in range(repeats)]


# -- what the paper prints ---------------------------------------------------------------------


def test_published_figures_are_those_of_the_printed_table():
    lines = published()
    assert len(lines) == 30
    assert lines["australian"].results["optimistic"] == (15.57, 1.1, 1.8)
    assert lines["monk2"].results["pessimistic"] == (21.48, 18.2, 61.3)
    assert lines["waveform"].results["none"] == (20.24, 40.1, 65.0)
    assert lines["xd6"].results["pessimistic"] == (17.5, 6.2, 17.1)
    echo = lines["echo"]
    assert (echo.other_system, echo.other_error, echo.other_size) == ("CN2-POE", 32.3, 35.4)
    assert lines["wine"].other_size is None


def test_means_of_the_published_errors_without_pole():
    errors = [line.results for name, line in published().items() if name != "pole"]
    means = [np.mean([e[key][0] for e in errors]) for key in ("optimistic", "pessimistic", "none")]
    assert means == pytest.approx([19.92, 18.35, 21.20], abs=0.005)


@pytest.mark.needs("shared")
def test_published_figures_agree_with_another_reading_of_the_paper():
    other = json.loads((PAPER / "table1.json").read_text(encoding="utf-8"))
    lines = published()
    assert len(other["domains"]) == len(lines)
    for line in other["domains"]:
        ours = lines[line["domain"]]
        assert list(ours.results.values()) == [
            tuple(line[f"widc_{variant}"].values()) for variant in ("o", "p", "none")
        ]
        assert (ours.other_error, ours.other_size) == (line["other"]["err"], line["other"]["size"])


# -- XD6 ---------------------------------------------------------------------------------------


def test_bayes_error_under_class_noise_is_the_noise():
    for noise in (0.0, 0.1, 0.4):
        assert bayes_error(noise) == pytest.approx(noise, abs=1e-12)


def test_bayes_error_when_every_value_is_a_coin_toss_is_the_share_of_the_rarer_class():
    # Before noise 169 of 512 inputs are positive, and nothing is seen of them.
    assert bayes_error(0.0, 0.5) == pytest.approx(169 / 512)


def test_bayes_error_under_attribute_noise_by_groups():
    # Given k ones of three observed, all three hold with (1-q)^k q^(3-k): a fair prior.
    q, error = 0.1, 0.0
    for ones in itertools.product(range(4), repeat=3):
        share = math.prod(math.comb(3, k) for k in ones) / 512
        negative = math.prod(1 - (1 - q) ** k * q ** (3 - k) for k in ones)
        error += share * min(negative, 1 - negative)
    assert bayes_error(0.0, q) == pytest.approx(error)


def test_class_noise_mixes_the_probabilities_of_clean_classes():
    clean = positive_probabilities(0.0, 0.1)
    assert positive_probabilities(0.2, 0.1) == pytest.approx(0.8 * clean + 0.2 * (1 - clean))


def test_without_noise_the_committee_holds_the_target_and_nothing_else():
    dataset = Dataset.from_relation(xd6(512, seed=1, class_noise=0.0))
    committee = induce(dataset, Options(pruning="pessimistic"))
    assert holds_target(committee)
    assert not uses_irrelevant(committee)
    assert not holds_target(replace(committee, rules=committee.rules[1:]))
    first = committee.rules[0]
    against = Rule(first.monomial, (1, -1), first.covers)
    assert not holds_target(replace(committee, rules=(against, *committee.rules[1:])))
    assert decides_as_target(committee)
    assert not decides_as_target(replace(committee, rules=committee.rules[1:]))
    longer = Rule((*first.monomial, *committee.rules[1].monomial), first.votes, first.covers)
    assert not holds_target(replace(committee, rules=(longer, *committee.rules[1:])))


def test_a_committee_can_decide_as_the_target_without_its_conjunctions():
    # x0 and x1 in favour, not x2 against: as x0 and x1 and x2 in favour.
    committee = induce(
        Dataset.from_relation(xd6(512, seed=1, class_noise=0.0)), Options(pruning="pessimistic")
    )
    x = {i: Literal(i, "=", 1) for i in range(9)}
    groups = [tuple(x[i] for i in range(start, start + 3)) for start in (3, 6)]
    rules = [Rule(group, (-1, 1), (0.0, 1.0)) for group in groups]
    rules.append(Rule((x[0], x[1]), (0, 1), (1.0, 1.0)))
    rules.append(Rule((Literal(2, "=", 0),), (1, 0), (1.0, 1.0)))
    twin = replace(committee, rules=tuple(rules), default=(1.0, 0.0))
    assert decides_as_target(twin)
    assert not holds_target(twin)


def test_the_target_errs_on_the_whole_distribution_as_often_as_classes_are_flipped():
    learned = Dataset.from_relation(xd6(512, seed=1, class_noise=0.0))
    committee = induce(learned, Options(pruning="pessimistic"))
    whole = Dataset.from_relation(whole_distribution(0.1))
    wrong = committee.predict_codes(whole) != whole.classes
    assert whole.weights.sum() == pytest.approx(1024)
    assert whole.weights[wrong].sum() == pytest.approx(102.4)


# -- problems ----------------------------------------------------------------------------------


def test_a_folder_gives_problems_and_says_what_it_leaves_out(tmp_path):
    header = "@relation r\n@attribute {}\n@attribute b {{x,y}}\n@attribute {}\n@data\n"
    rows = "1,x,2\n2,y,3\n"
    (tmp_path / "first.arff").write_text(header.format("a {1,2}", "c numeric") + rows)
    (tmp_path / "numeric.arff").write_text(header.format("a numeric", "c numeric") + rows)
    (tmp_path / "text.arff").write_text(header.format("a string", "c {2,3}") + rows)
    (tmp_path / "one.arff").write_text(header.format("a numeric", "c {2,3}") + "1,x,2\n2,y,2\n")
    (tmp_path / "broken.arff").write_text("@relation r\n@attribute\n")
    found = folder_problems(tmp_path)
    assert [(p.name, p.label, p.ignore, p.shape) for p in found.problems] == [
        ("first", "a", (), (2, 2, 2)),
        ("text", "c", ("a",), (2, 1, 2)),
    ]
    reasons = dict(found.left_out)
    assert reasons.keys() == {"numeric", "one", "broken"}
    assert "the last attribute, 'c', is numeric" in reasons["numeric"]
    assert "two classes" in reasons["one"]
    assert "broken.arff:2" in reasons["broken"]


def test_only_strings_beside_the_class_are_no_problem(tmp_path):
    text = "@relation r\n@attribute a string\n@attribute c {x,y}\n@data\nu,x\nv,y\n"
    (tmp_path / "text.arff").write_text(text)
    assert "no attribute can be used" in folder_problems(tmp_path).left_out[0][1]


def test_a_folder_without_arff_files_is_refused(tmp_path):
    with pytest.raises(WidcError, match="expected a folder with ARFF files"):
        folder_problems(tmp_path)


def test_the_package_makes_eleven_domains_of_table_1():
    found = generated_problems()
    assert len(found.problems) == 11
    assert {p.name for p in found.problems} <= published().keys()
    assert {name for name, _ in found.left_out} == published().keys() - {
        p.name for p in found.problems
    }
    made = next(p for p in found.problems if p.name == "monk1")
    assert made.relation().has_same_rows(DOMAINS["monk1-124"]())


def test_for_weka_the_class_is_last_and_what_is_ignored_is_gone(tmp_path):
    text = "@relation r\n@attribute c {x,y}\n@attribute s string\n@attribute n numeric {2}\n@data\n"
    (tmp_path / "f.arff").write_text(text + "x,u,1\ny,v,2\n")
    problem = StudyProblem("f", path=str(tmp_path / "f.arff"), label="c", ignore=("s",))
    relation = problem.relation()
    assert [(a.name, a.weight) for a in relation.attributes] == [("n", 1.0), ("c", 1.0)]
    assert list(relation.rows()) == [(1.0, "x"), (2.0, "y")]


# -- runs --------------------------------------------------------------------------------------


def test_a_run_has_the_errors_and_sizes_of_cross_validation(weather):
    for seed in (1, 2):
        run = widc_run(Task(weather, UNPRUNED, 7, seed, seed), "mark")
        expected = cross_validate(loaded(weather), Options(pruning="none"), Folding(7, seed))
        assert run.errors == expected.errors_per_fold
        assert run.error == pytest.approx(expected.error)
        assert np.mean(run.per_fold["literals"]) == expected.literals
        assert np.mean(run.per_fold["rules"]) == expected.rules


def test_a_line_holds_means_folds_and_versions_and_reads_back(weather):
    run = widc_run(Task(weather, PESSIMISTIC, 7, 1, 1), "mark")
    line = json.loads(run.to_line())
    assert line["error"] == run.error
    assert line["rules"] == np.mean(run.per_fold["rules"])
    assert len(line["per_fold"]["literals"]) == 7
    assert line["versions"].keys() == {"widc_arff", "numpy", "python"}
    assert Run.from_line(run.to_line()) == replace(run, seconds=round(run.seconds, 3))


class Counting(Executor):
    """Makes runs, and knows which."""

    def __init__(self):
        self.made = []

    def submit(self, make, /, *arguments, **_how):
        task, _ = arguments
        self.made.append((task.learner.name, task.repeat))
        future: Future[Run] = Future()
        future.set_result(make(*arguments))
        return future


def made_by(tasks, run_file):
    """Execute tasks; return which runs are made."""
    counting = Counting()
    execute(tasks, run_file, executor=counting)
    return counting.made


def test_a_second_start_makes_only_the_run_whose_line_was_cut(weather, tmp_path):
    path = tmp_path / "runs.jsonl"
    tasks = tasks_on(weather, PESSIMISTIC, UNPRUNED, repeats=2)
    assert len(made_by(tasks, RunFile(path))) == 4
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(whole[:-20])  # as an interruption leaves it
    assert len(made_by(tasks, RunFile(path))) == 1
    again = path.read_bytes().splitlines(keepends=True)
    assert again[:3] == lines[:3]
    assert json.loads(again[3])["per_fold"] == json.loads(lines[3])["per_fold"]


def test_equal_tasks_are_run_once(weather, run_file):
    assert made_by(tasks_on(weather, PESSIMISTIC) * 3, run_file) == [("WIDC(p)", 1)]


def test_changed_data_are_run_again(weather, run_file):
    assert len(made_by(tasks_on(weather, PESSIMISTIC), run_file)) == 1
    other = Path(weather.path).with_name("other.arff")
    other.write_text(Path(weather.path).read_text().replace("rainy,mild", "sunny,mild"))
    assert len(made_by(tasks_on(replace(weather, path=str(other)), PESSIMISTIC), run_file)) == 1


@pytest.mark.parametrize("pattern", runs.LEARNING_CODE)
def test_a_run_is_made_anew_when_the_code_that_learns_has_changed(pattern):
    found = {path.name for path in Path(widc_arff.__file__).parent.glob(pattern)}
    assert found
    assert pattern != "induction/**/*.py" or {"cut_points.py", "objective.py"} <= found


def test_fingerprints_tell_options_seeds_folds_and_programs_apart(weather):
    task = Task(weather, PESSIMISTIC, 7, 1, 1)
    others = [
        replace(task, seed=2),
        replace(task, folds=5),
        replace(task, learner=UNPRUNED),
        replace(task, learner=replace(PESSIMISTIC, settings=(("cut_points", "all"),))),
        replace(task, problem=replace(weather, ignore=("windy",))),
        replace(task, learner=J48),
    ]
    marks = [fingerprint_of(t, {"weka": "3.9.7"}) for t in [task, *others]]
    marks.append(fingerprint_of(others[-1], {"weka": "3.9.6"}))
    marks.append(fingerprint_of(task, {"weka": "3.9.7"}, "other code"))
    assert len(set(marks)) == len(marks)


def test_a_strange_line_is_named(tmp_path, weather):
    path = tmp_path / "runs.jsonl"
    execute(tasks_on(weather, PESSIMISTIC), RunFile(path))
    path.write_text("nonsense\n" + path.read_text())
    with pytest.raises(WidcError, match=r"runs.jsonl:1: expected a run as a line of JSON"):
        RunFile(path)


def test_data_that_cannot_be_learned_from_are_a_fault_and_tried_again(weather, run_file):
    task = Task(weather, PESSIMISTIC, 15, 1, 1)  # more folds than rows
    for _ in range(2):
        assert len(made_by([task], run_file)) == 1
    run = run_file.get(fingerprint_of(task, {}))
    assert "folds" in run.fault
    assert math.isnan(run.error)
    assert math.isnan(measured([run], "error").mean)
    assert json.loads(run.to_line())["error"] is None


def test_several_processes_give_the_same_runs(weather, tmp_path):
    tasks = tasks_on(weather, PESSIMISTIC, UNPRUNED)
    seen = []
    files = [RunFile(tmp_path / f"{jobs}.jsonl") for jobs in (1, 2)]
    for jobs, file in enumerate(files, start=1):
        execute(tasks, file, jobs=jobs, on_progress=lambda done, total: seen.append(done / total))
    assert seen[1] == seen[3] == pytest.approx(1)
    one, two = (Results(file, {}).find(tasks) for file in files)
    assert [run.per_fold for run in one] == [run.per_fold for run in two]
    assert len(one) == 2


def test_classifiers_of_weka_get_the_same_data_folds_and_seed(weather, run_file):
    others = Others()
    execute(tasks_on(weather, JRIP, PESSIMISTIC, repeats=2), run_file, others)
    assert [request[0] for request in others.requests] == [JRIP.scheme] * 2
    assert [request[2:] for request in others.requests] == [(None, 7, 1), (None, 7, 2)]
    assert others.requests[0][1].has_same_rows(weather.relation())
    run = run_file.get(fingerprint_of(tasks_on(weather, JRIP)[0], others.versions))
    assert run is not None
    assert (run.error, run.per_fold["literals"], run.versions) == (0.5, [3.0] * 7, others.versions)


def test_without_weka_its_classifiers_are_passed_over(weather, run_file):
    execute(tasks_on(weather, J48, PESSIMISTIC), run_file)
    assert run_file.get(fingerprint_of(tasks_on(weather, J48)[0], {})) is None
    assert run_file.get(fingerprint_of(tasks_on(weather, PESSIMISTIC)[0], {})) is not None


def test_a_sample_of_xd6_is_tested_on_its_whole_distribution(run_file):
    others = Others()
    problem = xd6_problem(3, 0.1)
    tasks = [Task(problem, learner, 0, 1, 3) for learner in (PESSIMISTIC, J48)]
    execute(tasks, run_file, others)
    widc, tree = Results(run_file, others.versions).find(tasks)
    assert widc.per_fold["weight"] == pytest.approx([1024])
    assert widc.error >= 0.1 - 1e-12  # no classifier beats the Bayes rule on the distribution
    assert widc.per_fold["target"] in ([0.0], [1.0])
    assert tree.per_fold["irrelevant"] == [1.0]
    assert tree.model == "a tree"
    assert others.requests[0][1].n_rows == 512


# -- statistics --------------------------------------------------------------------------------


def test_wilcoxon_of_five_gains_is_two_of_thirty_two():
    assert wilcoxon([-1.0, -2.0, -3.0, -4.0, -5.0]) == pytest.approx(2 / 32)


def test_wilcoxon_agrees_with_scipy_on_pairs():
    random = np.random.default_rng(1)
    x, y = random.random((2, 29))
    assert compare(x.tolist(), y.tolist()).p == pytest.approx(stats.wilcoxon(x, y).pvalue)


def test_nothing_differs_is_a_p_of_one():
    c = compare([1.0, 2.0], [1.0, 2.0 + 1e-12])
    assert (c.better, c.equal, c.worse, c.p) == (0, 2, 0, 1.0)


def test_comparisons_count_and_pass_over_what_is_missing():
    c = compare([1.0, 5.0, 3.0, math.nan, 2.0], [2.0, 4.0, 3.0, 1.0, math.nan])
    assert (c.n, c.first, c.second) == (3, 3.0, 3.0)
    assert (c.better, c.equal, c.worse) == (1, 1, 1)
    assert compare([math.nan], [1.0]).n == 0


def test_spread_is_the_standard_deviation_over_all_folds():
    parts = {"wrong": [0.0, 1.0], "weight": [2.0, 2.0], "literals": [3.0, 5.0]}
    run = Run("", "d", "l", 1, 2, 1, parts, 0.0, {})
    other = replace(run, per_fold={"wrong": [2.0, 1.0], "weight": [2.0, 2.0], "literals": [4, 8]})
    error = measured([run, other], "error")
    assert error.mean == pytest.approx(100 * (1 / 4 + 3 / 4) / 2)
    assert error.spread == pytest.approx(np.std([0, 50, 100, 50], ddof=1))
    assert measured([run, other], "literals").mean == 5
    assert math.isnan(measured([run, other], "nodes").mean)
    assert measured([run, other], "conditions").mean == 5
    tree = replace(run, per_fold=parts | {"nodes": [7.0, 9.0], "rules": [4.0, 6.0]})
    assert measured([tree], "conditions").mean == 3  # inner nodes


def test_large_files_get_fewer_repeats_and_folds_as_the_rule_says():
    def folding(rows, attributes):
        problem = StudyProblem("p", shape=(rows, attributes, 2))
        return Matrix((), (), 5, 1).folding(problem)

    assert folding(1000, 20) == (10, 5)
    assert folding(1000, 21) == (10, 1)
    assert folding(20_000, 16) == (5, 1)
    assert folding(6, 4) == (6, 5)


def test_highest_level_ends_at_the_first_miss():
    levels = (0.0, 0.02, 0.04)
    assert highest_level(levels, [100.0, 100.0, 99.0]) == 0.02
    assert highest_level(levels, [100.0, 98.0, 100.0]) == 0.0
    assert highest_level(levels, [90.0, 100.0, 100.0]) is None
    assert highest_level(levels, [100.0, 100.0, 100.0]) == 0.04


# -- documents ---------------------------------------------------------------------------------

BLOCKS: list[Block] = [
    Heading("A <title>", 1),
    Paragraph("5 < 6 & 7"),
    Listing(("one", "two")),
    Table("Error", ("domain", "a|b"), (("x", Strong("1.0")), ("y", "2.0")), (("mean", "1.5"),)),
    Verbatim("  a = 1\n"),
]


def test_markdown_and_html_say_the_same():
    markdown = to_markdown(BLOCKS)
    assert markdown.startswith("# A \\<title\\>\n")
    assert "| domain | a\\|b |\n|---|---:|\n| x | **1.0** |\n| y | 2.0 |\n| **mean** | 1.5 |" in (
        markdown
    )
    assert "```\n  a = 1\n```" in markdown
    page = to_html(BLOCKS)
    assert "<title>A &lt;title&gt;</title>" in page
    assert '<tr><th scope="row">x</th><td><strong>1.0</strong></td></tr>' in page
    assert "<pre>  a = 1\n</pre>" in page


def two_panels():
    series = Series("here", [1.0, 2.0], [2.0, math.nan]), Series("paper", [1.0], [3.0], place=1)
    return [Panel("t", "x", "y", series, is_square=True), Panel("u", "x", "y", series)]


def test_plots_are_the_same_bytes_each_time():
    first, second = (plot("p", "caption", two_panels(), 2) for _ in range(2))
    assert first.svg == second.svg
    assert first.png == second.png
    assert first.png.startswith(b"\x89PNG")


def test_series_differ_by_marker_and_line_not_by_colour_alone():
    from tests.reproduction import plots

    assert len(set(plots.MARKERS)) == len(plots.MARKERS)
    assert len(set(plots.LINES)) == len(plots.LINES)


def test_a_page_with_plots_asks_for_nothing_from_elsewhere():
    page = to_html([*BLOCKS, plot("p", "caption", two_panels(), 2)])
    assert "<svg" in page
    assert "//" not in page  # no address at all
    assert not re.search(r"<(script|link|img|iframe|object)\b|@import", page)
    assert set(re.findall(r"(?:href=\"|url\()([^#])", page)) == set()


# -- sections and the command ------------------------------------------------------------------


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    (folder / "extra").mkdir(parents=True)
    write_arff(weather_nominal(), folder / "labor.arff")  # by name a domain of Table 1
    write_arff(monk1(n_rows=40), folder / "monk1.arff")
    write_arff(weather_nominal(), folder / "extra" / "weather.arff")
    (folder / "extra" / "numeric.arff").write_text("@relation r\n@attribute n numeric\n@data\n1\n")
    return folder


def test_the_report_shows_ours_beside_the_printed_figures(data, run_file):
    setting = Setting("all", data, repeats=2, samples=1)
    parts = [part for part in sections(setting) if not isinstance(part, Figure4)]
    others = Others()
    execute([task for part in parts for task in part.tasks()], run_file, others)
    results = Results(run_file, others.versions)
    blocks = document(setting, parts, results, command="widc-arff reproduce all")
    text = to_markdown(blocks)
    heads = next(block for block in blocks if isinstance(block, Table)).heads
    assert heads[:5] == ("domain", "WIDC(o)", "paper", "WIDC(p)", "paper")
    labor = next(line for line in text.splitlines() if line.startswith("| labor |"))
    assert "| 15.0 |" in labor  # printed
    assert "16.3 IDC |" in labor
    assert "numeric: no classification problem" in text
    assert "Weka 3.9.7" in text
    assert "Command: widc-arff reproduce all" in text
    assert "- I13: " in text
    assert "a tree" in text
    page = to_html(blocks)
    assert "//" not in page
    for block in blocks:
        if isinstance(block, Heading):
            assert f">{html.escape(block.text)}</h" in page


def test_figure_1_counts_committees_with_the_target(run_file):
    figure = Figure1(samples=2, seed=1)
    execute(figure.tasks(), run_file)
    table = next(b for b in figure.blocks(Results(run_file, {})) if isinstance(b, Table))
    clean = next(row for row in table.rows if row[0] == "WIDC(p), 0% noise")
    assert clean == ("WIDC(p), 0% noise", *["2 of 2"] * 3, "3.0", "9.0", "0.00")


def test_figure_4_at_two_levels(run_file):
    figure = Figure4(samples=1, seed=1, levels=(0.0, 0.4))
    execute(figure.tasks(), run_file)
    blocks = figure.blocks(Results(run_file, {}))
    reached, *tables = [block for block in blocks if isinstance(block, Table)]
    for table in tables:
        assert table.rows[0][:3] == ("0%", "0.0", "0.0")  # Bayes and WIDC(p) without noise
    assert [table.rows[1][1] for table in tables] == ["40.0", f"{100 * bayes_error(0, 0.4):.1f}"]
    expected = ("WIDC(p), class noise, target", "0%", "0%", "0%", "0%")
    assert reached.rows[0] == expected


@pytest.fixture
def without_weka(monkeypatch):
    """Return why Weka's classifiers are not there."""
    monkeypatch.setenv("WEKA_JAR", "/no/weka.jar")
    with pytest.raises(WidcError) as error:
        WekaLearners()
    return str(error.value)


def test_the_command_goes_on_without_weka_and_says_why(run, data, tmp_path, without_weka):
    out = tmp_path / "out"
    words = ["table1", "--data", str(data), "-o", str(out), "--repeats", "1"]
    status, printed, told = run(*words, "--jobs", "1")
    assert status == 0
    assert printed.split() == [str(out / "table1.md"), str(out / "table1.html")]
    assert told == f"widc-arff: warning: without Weka's classifiers: {without_weka}\n"
    text = (out / "table1.md").read_text()
    assert "J48, JRip and 1-NN are left out: WEKA" in text
    assert "expected weka.jar, got no file at '/no/weka.jar'" in text
    assert "| J48 |" not in text
    lines = (out / "runs.jsonl").read_bytes()
    assert Counter(json.loads(line)["domain"] for line in lines.splitlines()).keys() == {
        "labor",
        "monk1",
    }
    assert run(*words, "--jobs", "1")[0] == 0
    assert (out / "runs.jsonl").read_bytes() == lines  # nothing was run again
    assert (out / "table1.md").read_text() == text


def test_the_study_compares_variants_with_the_default(data, run_file, tmp_path):
    setting = Setting("study", data, repeats=1, samples=1)
    (whole,) = sections(setting)
    assert isinstance(whole, Study)
    study = replace(whole, groups=whole.groups[:2])
    execute(study.tasks(), run_file)
    write(document(setting, [study], Results(run_file, {}), command=""), tmp_path, "study")
    text = (tmp_path / "study.md").read_text()
    assert "| WIDC(p), quantile:16 |" in text
    assert (tmp_path / "study.svg").is_file()


@pytest.mark.parametrize("module", ["matplotlib", "scipy"])
def test_a_missing_extra_is_named(run, tmp_path, monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    status, printed, told = run("figure4", "-o", str(tmp_path / "out"))
    assert (status, printed) == (1, "")
    assert told == f"widc-arff: reproduction needs {module}: pip install -e '.[test]'\n"


def test_an_unknown_part_is_a_usage_error(run, tmp_path):
    status, _, told = run("table3", "-o", str(tmp_path))
    assert status == 2
    assert all(part in told for part in PARTS)


# -- Weka itself -------------------------------------------------------------------------------


@pytest.mark.needs("weka")
def test_wekas_learners_give_the_experimenters_errors_and_sizes(tmp_path):
    from weka_plugin.experiments import experiment

    path = ARFF_DATA / "monk1-124.arff"
    told = experiment([path], ["J48", "JRip"], tmp_path, runs=2)
    errors = told.values["Percent_incorrect"][0]
    rules = told.values["measureNumRules"][0]
    with WekaLearners() as weka:
        assert weka.versions["weka"].startswith("3.")
        for learner, (scheme, default) in enumerate(((J48, 0), (JRIP, 1))):
            ours = [weka.run(scheme.scheme, path, None, 10, seed) for seed in (1, 2)]
            rates = [w / n for o in ours for w, n in zip(o["wrong"], o["weight"], strict=True)]
            assert 100 * np.array(rates) == pytest.approx(errors[learner])
            counted = [count + default for o in ours for count in o["rules"]]
            assert counted == rules[learner].tolist()
            if scheme == J48:
                nodes = [count for o in ours for count in o["nodes"]]
                assert nodes == told.values["measureTreeSize"][0][0].tolist()


@pytest.mark.needs("weka")
def test_wekas_learners_measure_a_tree_and_tell_refusals(tmp_path):

    weather = ARFF_DATA / "weather-nominal.arff"
    numeric = tmp_path / "numeric.arff"
    numeric.write_text("@relation r\n@attribute n numeric\n@data\n1\n2\n")
    with WekaLearners() as weka:
        # outlook: overcast; sunny, then humidity: 2; rainy, then windy: 2.
        tree = weka.run(J48.scheme, weather, weather, 0, 1)
        assert (tree["nodes"], tree["rules"], tree["literals"]) == ([8.0], [5.0], [9.0])
        assert tree["attributes"] == [["humidity", "outlook", "windy"]]
        assert "J48 pruned tree" in tree["model"]
        nearest = weka.run("weka.classifiers.lazy.IBk -K 1", weather, None, 7, 1)
        assert nearest["rules"] == [None] * 7
        with pytest.raises(WidcError, match="Cannot handle numeric class"):
            weka.run(J48.scheme, numeric, None, 2, 1)
