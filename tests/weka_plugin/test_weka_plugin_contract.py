"""Weka's own checks of a classifier.  They exit with 0 even when they fail: their text counts."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tests.weka.plugin import CLASSIFIER, DATA, generated, run_probe, values, work_folder
from weka_plugin.java_options import INDUCTION, OF_CLASSIFIER
from widc_arff.options import PRUNINGS, Options

pytestmark = pytest.mark.needs("weka")

MISSING_VALUES = """@relation missing
@attribute size numeric
@attribute 'colour of "it"' {red,'dark, red','it''s',\\u0022}
@attribute class {'a,b','it''s',"two\\nlines"}
@data
1.25,red,'a,b'
1.5,?,'a,b'
?,red,'a,b'
2,'dark, red','it''s'
2.125,'it''s','it''s'
?,'dark, red','it''s'
3.0625,\\u0022,"two\\nlines"
?,\\u0022,"two\\nlines"
3.5,?,"two\\nlines"
?,?,'a,b'
""".replace("''s'", "\\'s'")

NAMES = ("Mine", "J48", "\u00c9t\u00e9")
TAKEN = ("class", "true", "record", "var", "1st", "a.b", "String", "Instance", "WekaWrapper")

CHECKS = {
    "classifier": "weka.classifiers.CheckClassifier",
    "options": "weka.core.CheckOptionHandler",
    "gui": "weka.core.CheckGOE",
}
SETTINGS = (
    "-pruning none",
    "-pruning optimistic",
    "-pruning pessimistic -cut-points all",
    "-votes one",
    "-votes free",
    "-penalty 0",
    "-impurity-penalty 0.5",
    "-no-negation -pruning none",
    "-min-coverage 2",
    "-min-coverage 10%",
    "-class-weight balanced",
    "-cut-points quantile:4",
    "-max-rules 2",
    "-max-literals 1 -max-size 3",
    "-vote-penalty 0.5 -batch-size 1",
)
"""Options with which the classifier is checked, too."""


@cache
def printed() -> dict[str, list[str]]:
    awkward = work_folder() / "awkward.arff"
    awkward.write_text(MISSING_VALUES, encoding="utf-8")
    long = work_folder() / "long.arff"
    long.write_text(MISSING_VALUES.replace("red", "r\u00e9d" * 20_000), encoding="utf-8")
    nominal = [DATA / "weather-nominal.arff", DATA / "balance-scale.arff", DATA / "led7.arff"]
    numeric = [DATA / "weather-numeric.arff", DATA / "iris.arff", DATA / "waveform.arff"]
    commands: dict[str, tuple[object, ...]] = {
        # First: Weka looks once for the classes that there are.
        "sources": ("sources", generated(), *nominal, *numeric, awkward, long),
        "help": ("options",),
        "awkward": ("train", awkward, ""),
        "dialog": ("dialog",),
        "properties": ("properties",),
        "names": ("classNames", DATA / "iris.arff", *NAMES, *TAKEN),
        "2000 labels": ("manyLabels", 2000),
        "2001 labels": ("manyLabels", 2001),
        **{f"method {m}": ("multiClass", DATA / "iris.arff", m) for m in range(4)},
    }
    for name, check in CHECKS.items():
        commands[name] = ("check", check, "-W", CLASSIFIER)
    for options in (*SETTINGS, "-pruning fast"):
        words = ("-W", CLASSIFIER, "--", *options.split())
        commands[options] = ("check", CHECKS["classifier"], *words)
    return run_probe(commands)


@pytest.mark.parametrize("name", [*CHECKS, *SETTINGS])
def test_every_check_says_yes_or_refuses_in_time(name: str) -> None:
    answers = [line for line in printed()[name] if re.search(r"\.\.\.\s*\S", line)]
    assert len(answers) > 1
    expected_no = (
        "updateable classifier",
        "multi-instance classifier",
        "string predictors",
        "relational predictors",
        "numeric class",
        "date class",
        "string class",
        "relational class",
        "zero training instances",
        "100% missing class values",
    )
    for line in answers:
        if any(text in line for text in expected_no):
            assert line.endswith(("...no", "...no (OK error message)")), line
        else:
            assert line.endswith("...yes"), line


def test_weka_s_checks_are_given_the_options():
    assert "-pruning: expected one of" in "\n".join(printed()["-pruning fast"])


def test_weka_s_checks_cover_what_the_classifier_can_do() -> None:
    text = "\n".join(printed()["classifier"])
    for kind in ("nominal", "numeric", "date"):
        assert f"basic predict (nominal class, {kind} predictors)...yes" in text
    assert "weighted instances classifier...yes" in text
    assert "classifier uses instance weights" in text


def test_generated_sources_decide_as_the_classifier() -> None:
    lines = printed()["sources"]
    assert [line for line in lines if "\t" not in line] == ["Tests OK!"] * 8


def test_a_class_name_that_java_or_weka_has_taken_is_told() -> None:
    lines = printed()["names"]
    assert [line for line in lines if line.startswith("taken")] == [f"taken\t{n}" for n in NAMES]
    for name in TAKEN[:6]:
        assert f"expected the name of a Java class, got '{name}'" in lines
    for name in TAKEN[6:]:
        fault = f"expected a class name that is not taken, got '{name}', which is a class of"
        assert f"{fault} Java or Weka" in " ".join(lines)


def test_a_committee_too_large_for_a_java_class_is_told() -> None:
    assert "taken" in printed()["2000 labels"]
    assert "expected a committee that a Java class can hold, of at most 2000 class labels" in (
        "\n".join(printed()["2001 labels"])
    )


@pytest.mark.parametrize("method", range(4))
def test_committees_serve_in_every_method_of_the_multi_class_classifier(method: int) -> None:
    assert float(values(printed()[f"method {method}"], "wrong")[0]) < 10


def test_what_the_dialog_shows_acts() -> None:
    assert values(printed()["dialog"], "property") == [
        "batchSize",
        "classWeight",
        "costs",
        "cutPoints",
        "cutPointsFile",
        "debug",
        "doNotCheckCapabilities",
        "impurityPenalty",
        "layout",
        "literals",
        "maxLiterals",
        "maxRules",
        "maxSize",
        "minCoverage",
        "monotone",
        "noNegation",
        "ordered",
        "penalty",
        "pruning",
        "python",
        "rules",
        "timeout",
        "votePenalty",
        "votes",
    ]


def test_a_tool_tip_is_a_short_sentence() -> None:
    """Weka shows a description to its first full stop, in one line."""
    tips = values(printed()["dialog"], "tip")
    ours = [tip for tip in tips if not tip.startswith("If set, classifier")]
    assert len(ours) > 15
    for tip in ours:
        shown, _, more = tip.partition(".")
        assert len(shown) <= 100, tip
        assert not more or more.startswith(" "), tip
        assert shown.count("(") == shown.count(")"), tip


def test_options_of_properties_set_one_by_one_are_taken_again() -> None:
    assert values(printed()["properties"], "options") == [
        "-pruning refined -penalty 7.0 -votes free -impurity-penalty 0.5 -cut-points mdl+",
        "-pruning none -cut-points mdl+",
    ]


def test_awkward_labels_and_missing_values_make_rules() -> None:
    assert "rule" in "\n".join(printed()["awkward"])
    assert "'two\\nlines'" in "\n".join(printed()["awkward"])


def test_help_lists_our_options_with_their_defaults() -> None:
    text = "\n".join(printed()["help"])
    for name in (*INDUCTION, *OF_CLASSIFIER):
        assert f"-{name.replace('_', '-')} <" in text or name == "negation"
    assert "\n-no-negation\n" in text
    assert f"(default {Options().pruning})" in text
    assert "-num-decimal-places\n\tHas no effect" in text
    ours = text[: text.index("-output-debug-info")].splitlines()
    assert max(map(len, ours)) <= 81  # and a tab
    assert f"(default {Options().penalty})" in text
    assert f"(default {Options().votes})" in text
    assert f"(default {Options().cut_points})" in text
    assert f"One of {', '.join(PRUNINGS)}." in " ".join(text.split())
