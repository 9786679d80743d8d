"""Categories that have an order in Python or Parquet have it in rules."""

from __future__ import annotations

import numpy as np
import pytest

from widc_arff import read_dataset
from widc_arff.estimator import WIDCClassifier

SIZES = ["tiny", "small", "medium", "large", "huge", "giant"]


def sizes_and_classes(seed: int = 1):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, len(SIZES), 400)
    classes = np.where((codes > 2) ^ (rng.random(400) < 0.04), "no", "yes")
    return [SIZES[code] for code in codes], classes.tolist()


def conditions_of(classifier) -> list[str]:
    return [line.partition(":")[0] for line in classifier.rules_]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_order_of_categories_makes_ranges(library):
    frames = pytest.importorskip(library)
    sizes, classes = sizes_and_classes()
    if library == "pandas":
        column = frames.Categorical(sizes, SIZES, ordered=True)
        X = frames.DataFrame({"size": column})
    else:
        X = frames.DataFrame({"size": frames.Series(sizes, dtype=frames.Enum(SIZES))})
    classifier = WIDCClassifier().fit(X, classes)
    assert conditions_of(classifier) in (["size > medium"], ["size <= medium"])
    assert conditions_of(WIDCClassifier(ordered=["size="]).fit(X, classes)) in (
        ["size in {tiny, small, medium}"],
        ["size in {large, huge, giant}"],
    )


def test_categories_without_an_order_make_sets():
    pandas = pytest.importorskip("pandas")
    sizes, classes = sizes_and_classes()
    X = pandas.DataFrame({"size": pandas.Categorical(sizes, SIZES)})
    assert "{" in conditions_of(WIDCClassifier().fit(X, classes))[0]
    plain = WIDCClassifier(literals=()).fit(X, classes)
    assert all("in {" not in text or "not in {" in text for text in conditions_of(plain))


def test_an_ordered_dictionary_of_parquet_has_its_order(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    sizes, classes = sizes_and_classes()
    codes = pa.array([SIZES.index(size) for size in sizes], pa.int8())
    for is_ordered in (True, False):
        column = pa.DictionaryArray.from_arrays(codes, SIZES, ordered=is_ordered)
        path = tmp_path / f"{is_ordered}.parquet"
        parquet.write_table(pa.table({"size": column, "class": classes}), path)
        attribute = read_dataset(str(path)).schema.attributes[0]
        assert attribute.order == (tuple(SIZES) if is_ordered else None)
