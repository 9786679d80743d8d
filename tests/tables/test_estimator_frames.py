"""Frames and arrays as they are: types of columns, missing and unknown values, evaluate's folds."""

# ruff: noqa: PD011 - `values` are the labels of our attributes
from __future__ import annotations

import json
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.model_selection import cross_val_predict, cross_val_score

from widc_arff import DataError, Dataset, Options, WIDCClassifier, WidcWarning, read_arff
from widc_arff.errors import WidcError
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.evaluation.weka_folds import weka_folds
from widc_arff.tables.frames import column_names, relation_of

DATA = Path(__file__).parents[2] / "arff_data"
NAN = float("nan")
DAY = 86_400_000.0  # milliseconds
NOMINAL_B = ("nominal", ("False", "True"), [1, -1, 0])
NUMBERS = ("numeric", (), [1.5, NAN, -2.0])
DATES = ("date", (), [0.0, NAN, -DAY])


def one_column(table):
    """Return type, values and codes of the only column of a table."""
    relation = relation_of(table, column_names(table), "t")
    attribute = relation.attributes[0]
    return attribute.type, attribute.values, relation.columns[0].tolist()


def same(found, expected) -> bool:
    return found[:2] == expected[:2] and np.array_equal(found[2], expected[2], equal_nan=True)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (
            pd.Categorical(["b", None, "a"], ["c", "b", "a"]),
            ("nominal", ("c", "b", "a"), [1, -1, 2]),
        ),
        (pd.Categorical([7, None, 5], [7, 6, 5]), ("nominal", ("7", "6", "5"), [0, -1, 2])),
        (pd.Categorical([0.5, None, 1.0]), ("nominal", ("0.5", "1"), [0, -1, 1])),
        (["b", None, "a"], ("nominal", ("a", "b"), [1, -1, 0])),
        (pd.array(["b", pd.NA, "a"], "string"), ("nominal", ("a", "b"), [1, -1, 0])),
        (pd.Series(["b", NAN, "a"], dtype=object), ("nominal", ("a", "b"), [1, -1, 0])),
        (
            pd.array(["b", None, "a"], pd.ArrowDtype(pa.string())),
            ("nominal", ("a", "b"), [1, -1, 0]),
        ),
        ([True, True, False], ("nominal", ("False", "True"), [1, 1, 0])),
        (pd.array([True, None, False], "boolean"), NOMINAL_B),
        (pd.Series([True, None, False], dtype=object), NOMINAL_B),
        (pd.array([True, None, False], pd.ArrowDtype(pa.bool_())), NOMINAL_B),
        ([1.5, NAN, -2.0], NUMBERS),
        (np.array([1.5, NAN, -2.0], np.float32), NUMBERS),
        (pd.array([1.5, None, -2.0], "Float64"), NUMBERS),
        (pd.array([1.5, None, -2.0], pd.ArrowDtype(pa.float32())), NUMBERS),
        (pd.Series([1.5, None, Decimal(-2)], dtype=object), NUMBERS),
        ([3, 2, 1], ("numeric", (), [3.0, 2.0, 1.0])),
        (pd.array([3, None, 1], "Int8"), ("numeric", (), [3.0, NAN, 1.0])),
        (pd.to_datetime(["1970-01-01", None, "1969-12-31"]), DATES),
        (pd.to_datetime(["1970-01-01", None, "1969-12-31"]).astype("M8[ns]"), DATES),
        (pd.to_datetime(["1970-01-01", None, "1969-12-31"]).tz_localize("UTC"), DATES),
        (
            pd.to_datetime(["1970-01-01 01:00", None, "1969-12-31 01:00"]).tz_localize(
                "Europe/Oslo"
            ),
            DATES,
        ),
        (pd.Series([date(1970, 1, 1), pd.NaT, date(1969, 12, 31)], dtype=object), DATES),
        (pd.array([date(1970, 1, 1), None, date(1969, 12, 31)], pd.ArrowDtype(pa.date32())), DATES),
        (
            pd.Series(
                [
                    datetime(1970, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))),
                    None,
                    np.datetime64("1969-12-31"),
                ],
                dtype=object,
            ),
            DATES,
        ),
        (pd.Series([None, None], dtype=object), ("nominal", (), [-1, -1])),
    ],
)
def test_pandas_columns_have_the_type_of_their_values(column, expected):
    assert same(one_column(pd.DataFrame({"a": column})), expected)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (
            pl.Series(["b", None, "a"], dtype=pl.Enum(["c", "b", "a"])),
            ("nominal", ("c", "b", "a"), [1, -1, 2]),
        ),
        (pl.Series(["b", None, "a"], dtype=pl.Categorical), ("nominal", ("a", "b"), [1, -1, 0])),
        (pl.Series(["b", None, "a"]), ("nominal", ("a", "b"), [1, -1, 0])),
        (pl.Series([True, None, False]), NOMINAL_B),
        (pl.Series([1.5, None, -2.0]), NUMBERS),
        (pl.Series([1.5, NAN, -2.0]), NUMBERS),
        (pl.Series([3, None, 1]), ("numeric", (), [3.0, NAN, 1.0])),
        (pl.Series([Decimal("1.5"), None, Decimal(-2)]), NUMBERS),
        (pl.Series([date(1970, 1, 1), None, date(1969, 12, 31)]), DATES),
        (pl.Series([datetime(1970, 1, 1), None, datetime(1969, 12, 31)]), DATES),  # noqa: DTZ001
        (pl.Series([datetime(1970, 1, 1, tzinfo=UTC), None]), ("date", (), [0.0, NAN])),
        (pl.Series([None, None]), ("nominal", (), [-1, -1])),
    ],
)
def test_polars_columns_have_the_type_of_their_values(column, expected):
    assert same(one_column(pl.DataFrame({"a": column})), expected)


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array([[True], [False]]), ("nominal", ("False", "True"), [1, 0])),
        (np.array([["b"], ["a"]]), ("nominal", ("a", "b"), [1, 0])),
        (np.array([["b"], [None], [NAN]], object), ("nominal", ("b",), [0, -1, -1])),
        (np.array([[1], [None], [2.5]], object), ("numeric", (), [1.0, NAN, 2.5])),
        (np.array([["1970-01-01"], ["NaT"], ["1969-12-31"]], "M8[D]"), DATES),
    ],
)
def test_arrays_have_the_type_of_their_values(array, expected):
    assert same(one_column(array), expected)


def test_dates_are_whole_milliseconds_rounded_down_and_shown_as_short_as_may_be():
    # 1.5 ms after and 0.5 ms before 1970: the milliseconds 1 and -1
    moments = [np.datetime64("1970-01-01T00:00:00.0015"), np.datetime64("1969-12-31T23:59:59.9995")]
    for table in (np.array(moments)[:, None], pl.DataFrame({"a": np.array(moments)})):
        with pytest.warns(WidcWarning, match="column 'a': times are kept to the millisecond"):
            relation = relation_of(table, ["a"], "t")
        assert relation.columns[0].tolist() == [1.0, -1.0]
        assert relation.attributes[0].format == "yyyy-MM-dd'T'HH:mm:ss.SSS"
    for unit, shown in (("s", "yyyy-MM-dd'T'HH:mm:ss"), ("D", "yyyy-MM-dd")):
        relation = relation_of(np.array([[1], [2]], f"M8[{unit}]"), ["a"], "t")
        assert relation.attributes[0].format == shown


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame({"a": ["x", 1]}), "column 'a': expected texts, numbers, .* types int, str"),
        (pd.DataFrame({"a": [True, 2.5]}, dtype=object), "types bool, float"),
        (pd.DataFrame({"a": pd.to_timedelta([1], "s")}), "types timedelta64"),
        (pd.DataFrame({"a": pd.period_range("2020", periods=1, freq="D")}), "types Period"),
        (pd.DataFrame({"a": [b"x"]}), "types bytes"),
        (pl.DataFrame({"a": [[1, 2]]}), "types list"),
        (pd.DataFrame({"a": pd.Categorical([1, "1"])}), "'a': the label '1' occurs twice"),
    ],
)
def test_columns_of_anything_else_are_refused_by_name(table, message):
    with pytest.raises(WidcError, match=message):
        relation_of(table, column_names(table), "t")
    with pytest.raises(ValueError, match=message):
        WIDCClassifier().fit(table, ["x"] * len(table))


BIG = 2**53 + 1


@pytest.mark.parametrize(
    ("table", "held"),
    [
        (np.array([[BIG], [1]]), 2.0**53),
        (np.array([[2**64 - 1], [1]], np.uint64), 2.0**64),
        (pd.DataFrame({"x0": [BIG, 1]}), 2.0**53),
        (pd.DataFrame({"x0": pd.array([BIG, None], "Int64")}), 2.0**53),
        (pd.DataFrame({"x0": pd.array([BIG, None], pd.ArrowDtype(pa.int64()))}), 2.0**53),
        (pl.DataFrame({"x0": [BIG, None]}), 2.0**53),
        (pl.DataFrame({"x0": [Decimal(BIG), None]}), 2.0**53),
        (np.array([[BIG], [None]], object), 2.0**53),
        (np.array([[-(10**400)], [0.5]], object), -np.inf),
        (np.array([[Decimal("1e400")], [0.5]], object), np.inf),
    ],
)
def test_numbers_that_no_double_holds_are_told(table, held):
    with pytest.warns(WidcWarning, match="column 'x0': .* is read as (the nearest|infinite)"):
        assert one_column(table)[2][0] == held


@pytest.mark.parametrize("library", [pd, pl])
def test_times_finer_than_milliseconds_are_told(library):
    moments = np.array(["2020-01-01T00:00:00.0005", "NaT"], "M8[ns]")
    tables = [library.DataFrame({"a": moments})]
    if library is pd:
        tables.append(pd.DataFrame({"a": pd.to_datetime(moments).tz_localize("Europe/Oslo")}))
        tables.append(pd.DataFrame({"a": pd.Series(pd.to_datetime(moments), dtype=object)}))
    for table in tables:
        with pytest.warns(WidcWarning, match="column 'a': times are kept to the millisecond"):
            relation_of(table, ["a"], "t")


def test_spellings_of_a_truth_value_are_one_label():
    with pytest.warns(WidcWarning, match="'TRUE', 'false', 'true' are spellings of true and"):
        found = one_column(pd.DataFrame({"a": ["TRUE", "true", None, "false"]}))
    assert found == ("nominal", ("False", "True"), [1, 1, -1, 0])


def test_measured_numbers_in_texts_are_told():
    with pytest.warns(WidcWarning, match="column 'a': holds texts"):
        one_column(pd.DataFrame({"a": [*map(str, range(30)), "N/A"] * 2}))


def test_a_name_that_occurs_twice_is_refused():
    with pytest.raises(WidcError, match="'a' occurs twice"):
        relation_of(np.zeros((1, 2)), ["a", "a"], "t")
    with pytest.raises(ValueError, match="'a'"):  # of frames scikit-learn says so
        WIDCClassifier().fit(pd.DataFrame([[1, 2]], columns=["a", "a"]), ["x"])


def test_numbers_are_not_copied():
    array = np.arange(12.0).reshape(6, 2)
    frame = pd.DataFrame(array, columns=["a", "b"], copy=False)
    assert np.shares_memory(relation_of(array, ["a", "b"], "t").columns[1], array)
    assert np.shares_memory(relation_of(frame, ["a", "b"], "t").columns[1], array)
    series = pl.Series("a", array[:, 0])
    column = relation_of(pl.DataFrame({"a": series}), ["a"], "t").columns[0]
    assert np.shares_memory(column, series.to_numpy())


def test_names_are_x0_x1_where_columns_have_none():
    assert column_names(np.zeros((1, 2))) == ["x0", "x1"]
    assert column_names(pd.DataFrame(np.zeros((1, 2)))) == ["x0", "x1"]
    assert column_names(pd.DataFrame({"b": [1], "a": [2]})) == ["b", "a"]
    classifier = WIDCClassifier().fit(pd.DataFrame([[0.0], [1.0]] * 9), ["n", "y"] * 9)
    assert classifier.rules_ == ["x0 > 0.5: y +2"]
    assert not hasattr(classifier, "feature_names_in_")


# The same as the command line


def frame_of(relation, library="pandas"):
    """Return a relation as a frame whose categoricals declare what the file declares."""
    columns = {}
    for attribute, column in zip(relation.attributes, relation.columns, strict=True):
        columns[attribute.name] = column
        if attribute.type == "nominal" and library == "pandas":
            columns[attribute.name] = pd.Categorical.from_codes(column, list(attribute.values))
        elif attribute.type == "nominal":
            texts = [None if code < 0 else attribute.values[code] for code in column]
            columns[attribute.name] = pl.Series(texts, dtype=pl.Enum(attribute.values))
    return (pd if library == "pandas" else pl).DataFrame(columns)


def splits(classes, n_folds=10):
    folds = weka_folds(classes, n_folds, seed=1)
    return [(np.setdiff1d(np.arange(len(classes)), test), test) for test in folds]


@pytest.mark.parametrize("path", sorted(DATA.glob("*.arff")), ids=lambda path: path.stem)
def test_cross_validation_gives_the_errors_of_evaluate(path):
    relation = read_arff(path)
    dataset = Dataset.from_relation(relation)
    n_folds = 10 if len(relation) < 200 else 3  # each of the folds of a large file learns enough
    expected = cross_validate(dataset, Options(), Folding(n_folds)).errors_per_fold
    frame = frame_of(relation)
    target = frame.pop(relation.attributes[-1].name)
    scores = cross_val_score(WIDCClassifier(), frame, target, cv=splits(dataset.classes, n_folds))
    assert len(scores) == len(expected) == n_folds
    assert 1 - scores == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["tic-tac-toe", "iris", "weather-numeric"])
def test_cross_validation_gives_what_the_command_evaluate_prints(name, run):
    path = DATA / f"{name}.arff"
    command = ["evaluate", str(path), "--folds", "7", "--seed", "5", "--format", "json"]
    _, printed, _ = run(*command, "--pruning", "pessimistic")
    relation = read_arff(path)
    frame = frame_of(relation)
    kinds = {str(dtype) for dtype in frame.dtypes}
    assert "category" in kinds
    target = frame.pop(relation.attributes[-1].name)
    folds = weka_folds(target.cat.codes.to_numpy(), 7, seed=5)
    cv = [(np.setdiff1d(np.arange(len(frame)), test), test) for test in folds]
    scores = cross_val_score(WIDCClassifier(pruning="pessimistic"), frame, target, cv=cv)
    assert 1 - scores == pytest.approx(json.loads(printed)["errors_per_fold"], abs=1e-12)


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("name", ["weather-numeric", "iris", "balance-scale"])
def test_cross_validation_gives_the_predictions_of_evaluate(library, name):
    relation = read_arff(DATA / f"{name}.arff")
    dataset = Dataset.from_relation(relation)
    options = Options(pruning="none")
    evaluation = cross_validate(dataset, options, Folding(5))
    expected = np.empty(relation.n_rows, object)
    for fold in evaluation.predictions:
        expected[fold.rows] = np.array(relation.attributes[-1].values)[fold.predicted]
    frame, label = frame_of(relation, library), relation.attributes[-1].name
    rows = frame.drop(columns=label) if library == "pandas" else frame.drop(label)
    cv = splits(dataset.classes, 5)
    predicted = cross_val_predict(WIDCClassifier(pruning="none"), rows, frame[label], cv=cv)
    assert predicted.tolist() == expected.tolist()


def test_missing_values_are_those_of_the_command_line(run, tmp_path):
    rows = ["red,1,n", "red,?,n", "?,2,y", "blue,3,y", "blue,?,y", "red,9,n"] * 4
    header = (
        "@relation r\n@attribute c {red,blue}\n@attribute s numeric\n@attribute k {n,y}\n@data\n"
    )
    path, model = tmp_path / "data.arff", tmp_path / "model.json"
    path.write_text(header + "\n".join(rows) + "\n", encoding="utf-8")
    assert run("train", str(path), "--model", str(model))[0] == 0
    frame = frame_of(read_arff(path))
    target = frame.pop("k")
    of_file = WIDCClassifier.from_model(model)
    assert WIDCClassifier().fit(frame, target).committee_.rules == of_file.committee_.rules
    polars = pl.from_pandas(frame)
    for table in (frame, polars, frame.astype({"c": object}), frame.astype({"s": "Float64"})):
        assert of_file.predict(table).tolist() == target.tolist()


# New data


def fitted(**parameters):
    frame = pd.DataFrame({"colour": ["red", "red", "blue", "green"] * 3, "size": range(12)})
    return WIDCClassifier(**parameters).fit(frame, ["stop", "stop", "go", "go"] * 3)


@pytest.mark.parametrize("library", [pd, pl])
def test_an_unknown_category_is_an_error_that_names_it(library):
    new = library.DataFrame({"colour": ["red", "pink", "grey", None], "size": [1.0, 2, 3, 4]})
    with pytest.raises(ValueError, match="column 'colour'") as caught:
        fitted().predict(new)
    message = str(caught.value)
    assert "known from training ('blue', 'green', 'red'), got 'grey', 'pink' in row 1, 2" in message
    assert "unknown='missing'" in message


def test_an_unknown_category_can_be_missing_and_is_counted():
    new = pd.DataFrame({"colour": ["red", "pink", "grey"], "size": [1, 2, 3]})
    classifier = fitted(unknown="missing")
    with pytest.warns(WidcWarning, match="'grey', 'pink', unknown in .* missing in 2 of 3 rows"):
        predicted = classifier.predict(new)
    missing = pd.DataFrame({"colour": ["red", None, None], "size": [1, 2, 3]})
    assert predicted.tolist() == classifier.predict(missing).tolist()


def test_categories_match_by_their_text_whatever_their_order():
    classifier = fitted()
    expected = ["stop", "go", "go"]
    for colours in (
        ["red", "blue", "green"],
        pd.Categorical(["red", "blue", "green"], ["green", "red", "unused", "blue"]),
        pl.Series(["red", "blue", "green"], dtype=pl.Enum(["green", "blue", "red"])),
    ):
        library = pl if isinstance(colours, pl.Series) else pd
        frame = library.DataFrame({"colour": colours, "size": [1, 1, 1]})
        assert classifier.predict(frame).tolist() == expected


@pytest.mark.parametrize(
    "grades",
    [
        [3, 1, 2],
        [3.0, 1.0, 2.0],
        ["3", "1.0", "02"],
        np.array([3, 1, 2], object),
        [Decimal(3), Decimal("1.0"), Decimal(2)],
        pd.Categorical([3.0, 1.0, 2.0]),
        pd.array([3, 1, 2], "Int64"),
        pd.array([3, 1, 2], pd.ArrowDtype(pa.float64())),
        pl.Series([3, 1, 2]),
        pl.Series([3.0, 1.0, 2.0]),
        pl.Series(["3", "1", "2.0"], dtype=pl.Enum(["1", "2.0", "3"])),
    ],
)
def test_categories_match_by_text_or_by_the_one_label_of_the_same_number(grades, run, tmp_path):
    frame = pd.DataFrame({"grade": pd.Categorical([1, 2, 3] * 9), "n": range(27)})
    classifier = WIDCClassifier(pruning="pessimistic").fit(frame, ["lo", "mid", "hi"] * 9)
    library = pl if isinstance(grades, pl.Series) else pd
    new = library.DataFrame({"grade": grades, "n": [1, 2, 3]})
    expected = ["hi", "lo", "mid"]
    assert classifier.predict(new).tolist() == expected
    model, data = tmp_path / "m.json", tmp_path / "new.csv"
    model.write_text(classifier.to_json())
    new.write_csv(data) if library is pl else new.to_csv(data, index=False)
    _, out, _ = run("predict", str(model), str(data))
    assert [line.split(",")[2] for line in out.splitlines()[1:]] == expected


def test_categories_that_come_back_as_floats_because_one_is_missing_are_known():
    frame = pd.DataFrame({"grade": pd.Categorical([1, 3] * 9)})
    classifier = WIDCClassifier().fit(frame, ["lo", "hi"] * 9)
    for grades in ([3, None, 1], pd.Categorical([3, None, 1])):
        new = pd.DataFrame({"grade": grades})
        assert classifier.to_dataset(new).columns[0].tolist() == [1, -1, 0]
    with pytest.raises(ValueError, match=r"'grade': .*\('1', '3'\), got '2' in row 1"):
        classifier.predict(pd.DataFrame({"grade": [3.0, 2.0]}))


def test_truth_values_match_in_any_letters():
    classifier = WIDCClassifier().fit(pd.DataFrame({"on": [True, False] * 9}), ["y", "n"] * 9)
    for new in (["TRUE", "false"], [True, False], np.array([True, False], object)):
        assert classifier.predict(pd.DataFrame({"on": new})).tolist() == ["y", "n"]


def test_identifiers_keep_their_digits_as_categories():
    ids = [2**53 + 1, 2**53]
    classifier = WIDCClassifier().fit(pd.DataFrame({"id": pd.Categorical(ids * 9)}), ["a", "b"] * 9)
    for new in (pd.DataFrame({"id": ids}), pl.DataFrame({"id": ids})):
        with pytest.warns(WidcWarning, match="9007199254740993"):
            assert classifier.predict(new).tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="expected one of the values known"):  # which of them?
        classifier.predict(pd.DataFrame({"id": [2.0**53]}))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"colour": ["red"]}, "yet now missing:\n- size"),
        ({"colour": ["red"], "size": [1], "more": [1]}, "unseen at fit time:\n- more"),
        ({"size": [1], "colour": ["red"]}, "must be in the same order"),
        ({"colour": [1], "size": [1]}, "'colour': expected nominal values as in training, got num"),
        ({"colour": [], "size": []}, "Found a frame with 0 sample"),
    ],
)
@pytest.mark.parametrize("library", [pd, pl])
def test_other_columns_than_in_training_are_refused(columns, message, library):
    with pytest.raises(ValueError, match=message):
        fitted().predict(library.DataFrame(columns))


def test_a_number_is_expected_where_rules_test_one():
    classifier = WIDCClassifier().fit(pd.DataFrame({"size": range(12)}), ["a"] * 6 + ["b"] * 6)
    for new in (["2", "9.0"], [2, 9], [Decimal(2), Decimal(9)]):
        assert classifier.predict(pd.DataFrame({"size": new})).tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="'size': expected numeric values as in training, got"):
        classifier.predict(pd.DataFrame({"size": ["2", "two"]}))


def test_a_column_that_no_rule_uses_is_not_looked_at():
    classifier = fitted()
    assert [a.type for a in classifier.committee_.schema.attributes] == ["nominal", "string"]
    for sizes in (["?"], [object()], [None]):
        new = pd.DataFrame({"colour": ["red"], "size": sizes})
        assert classifier.predict(new).tolist() == ["stop"]


def test_columns_are_matched_also_where_scikit_learn_does_not_know_the_frame():
    classifier = fitted()
    del classifier.feature_names_in_  # as older versions leave it with newer frames
    with (
        pytest.warns(UserWarning, match="feature names"),
        pytest.raises(
            ValueError,
            match=r"expected the features of training in their order .colour, size., got s",
        ),
    ):
        classifier.predict(pd.DataFrame({"size": [1], "colour": ["red"]}))


def test_a_column_without_known_values_fits_every_feature():
    classifier = fitted()
    for nothing in (None, NAN, pd.NaT):
        frame = pd.DataFrame({"colour": [nothing] * 2, "size": [nothing] * 2})
        assert classifier.predict(frame).tolist() == ["go", "go"]  # the default decides


def test_a_lazy_frame_is_refused_with_advice():
    with pytest.raises(ValueError, match=r"LazyFrame; its collect\(\)"):
        fitted().predict(pl.DataFrame({"colour": ["red"], "size": [1]}).lazy())


def test_lists_of_rows_keep_numbers_beside_texts():
    classifier = WIDCClassifier().fit([["a", 1.0], ["b", None]] * 6, ["x", "y"] * 6)
    assert classifier.rules_ == ["x0 = b: y +2"]
    classifier = WIDCClassifier().fit([["a", 1.0], ["a", 2.0]] * 6, ["x", "y"] * 6)
    assert classifier.rules_ == ["x1 > 1.5: y +2"]


def test_dates_are_cut_between_them():
    days = pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-05", "2024-01-06"] * 3)
    classifier = WIDCClassifier().fit(
        pd.DataFrame({"day": days}), ["early", "early", "late", "late"] * 3
    )
    # between 2 and 5 January lies noon of the 3rd, which days alone cannot tell
    assert classifier.rules_ == ["day > 2024-01-03T12:00:00: late +2"]
    new = pl.DataFrame({"day": [date(2024, 1, 3), date(2024, 1, 4), None]})
    assert classifier.predict(new).tolist() == ["early", "late", "early"]


def test_infinite_numbers_are_numbers():
    rows, labels = [[-np.inf], [0.0], [np.inf]], ["a", "a", "b"]
    classifier = WIDCClassifier().fit(rows * 4, labels * 4)
    assert classifier.rules_ == ["x0 > 0: b +2"]  # no number is half way to infinity
    assert classifier.predict(rows).tolist() == labels


def test_arrays_need_neither_pandas_nor_polars(monkeypatch):
    monkeypatch.delitem(sys.modules, "pandas")
    monkeypatch.delitem(sys.modules, "polars")
    table = np.array([["a"], ["b"]])
    assert relation_of(table, ["x0"], "t").attributes[0].values == ("a", "b")


def test_errors_of_frames_are_data_errors():
    with pytest.raises(DataError, match="column 'a'"):
        relation_of(pd.DataFrame({"a": ["x", 1]}), ["a"], "t")
