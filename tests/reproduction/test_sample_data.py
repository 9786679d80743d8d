"""The generated domains: their definitions, and the files in ``arff_data/`` made from them."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import Counter, defaultdict
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.reproduction import sample_data
from tests.reproduction.sample_data import DOMAINS, main, write_sample_data
from widc_arff import read_arff
from widc_arff.errors import OptionError, WidcError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff import Relation

ARFF_DATA = Path(__file__).resolve().parents[2] / "arff_data"

DRAWN = ("xd6", "led7", "led24", "ledeven", "waveform")

# A display as one sees it; a segment is lit where the drawing has a mark.
DIGITS_DRAWN = """
 _       _   _       _   _   _   _   _
| |   |  _|  _| |_| |_  |_    | |_| |_|
|_|   | |_   _|   |  _| |_|   | |_|  _|
"""


def rows_of(relation: Relation) -> list[tuple[Any, ...]]:
    return list(relation.rows())


def label_counts(relation: Relation) -> Counter[str]:
    return Counter(row[-1] for row in relation.rows())


def manifest() -> dict[str, dict[str, Any]]:
    text = (ARFF_DATA / "MANIFEST.json").read_text(encoding="utf-8")
    entries: dict[str, dict[str, Any]] = json.loads(text)
    return entries


# -- the committed files -----------------------------------------------------------------------


@pytest.mark.parametrize("name", DOMAINS)
def test_a_committed_file_holds_what_its_generator_makes(name):
    generated, read = DOMAINS[name](), read_arff(ARFF_DATA / f"{name}.arff")
    assert generated.name == name
    assert rows_of(generated) == rows_of(read)
    assert generated.equals(read)


@pytest.mark.parametrize("name", DOMAINS)
def test_the_manifest_describes_the_committed_file(name):
    path = ARFF_DATA / f"{name}.arff"
    entry, relation = manifest()[path.name], read_arff(path)
    assert entry["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert entry["rows"] == len(rows_of(relation))
    assert entry["attributes"] == len(relation.attributes)
    assert tuple(entry["classes"]) == tuple(relation.attributes[-1].values)
    assert entry["source"]


@pytest.mark.parametrize("name", DOMAINS)
def test_the_call_in_the_manifest_generates_the_file(name):
    call = manifest()[f"{name}.arff"]["generator"]
    assert rows_of(eval(call, vars(sample_data))) == rows_of(DOMAINS[name]())


def test_the_folder_holds_the_domains_and_nothing_else():
    expected = {f"{name}.arff" for name in DOMAINS}
    assert {path.name for path in ARFF_DATA.glob("*.arff")} == expected
    assert set(manifest()) == expected


def test_every_file_is_described_in_the_readme():
    text = (ARFF_DATA / "README.md").read_text(encoding="utf-8")
    assert [name for name in DOMAINS if f"`{name}.arff`" not in text] == []


def test_writing_again_gives_the_same_bytes(tmp_path):
    write_sample_data(tmp_path / "new" / "folder")
    names = sorted(path.name for path in (tmp_path / "new" / "folder").iterdir())
    assert names == sorted([*(f"{name}.arff" for name in DOMAINS), "MANIFEST.json"])
    for name in names:
        again = (tmp_path / "new" / "folder" / name).read_bytes()
        assert again == (ARFF_DATA / name).read_bytes(), name


# -- chance ------------------------------------------------------------------------------------


def test_the_stream_of_numpy_is_the_one_that_the_files_were_drawn_from():
    # The first doubles of PCG64 with seed 1: when this fails, no drawn file can be made again.
    assert np.random.default_rng(1).random(2).tolist() == [0.5118216247002567, 0.9504636963259353]


@pytest.mark.parametrize("name", DRAWN)
def test_a_seed_determines_the_rows(name):
    generate = getattr(sample_data, name)
    assert rows_of(generate(seed=5)) == rows_of(generate(seed=5))
    assert rows_of(generate(seed=5)) != rows_of(generate(seed=6))


@pytest.mark.parametrize("name", DRAWN)
def test_a_smaller_sample_is_the_beginning_of_a_larger_one(name):
    generate = getattr(sample_data, name)
    assert rows_of(generate(n_rows=40, seed=3)) == rows_of(generate(n_rows=90, seed=3))[:40]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("xd6(n_rows=0)", "n_rows: expected a whole number of at least 1, got 0"),
        ("xd6(seed=-1)", "seed: expected a whole number of at least 0, got -1"),
        ("xd6(class_noise=1.5)", "class_noise: expected a probability in [0, 1], got 1.5"),
        (
            "xd6(attribute_noise=-0.1)",
            "attribute_noise: expected a probability in [0, 1], got -0.1",
        ),
        ("led7(attribute_noise=float('nan'))", "attribute_noise: expected a probability"),
        ("monk1(n_rows=433)", "n_rows: expected a whole number in [1, 432], got 433"),
        ("monk2(n_rows=0)", "n_rows: expected a whole number in [1, 432], got 0"),
        ("monk3(class_noise=2)", "class_noise: expected a probability in [0, 1], got 2"),
        ("waveform(noise=-1)", "noise: expected a finite number of at least 0, got -1"),
        ("waveform(noise=float('inf'))", "noise: expected a finite number of at least 0, got inf"),
    ],
)
def test_a_parameter_outside_its_range_is_refused(call, message):
    with pytest.raises(OptionError) as caught:
        eval(call, vars(sample_data))
    assert message in str(caught.value)


# -- xd6 ---------------------------------------------------------------------------------------


def xd6_target(values: tuple[str, ...]) -> str:
    x = [value == "1" for value in values]
    is_positive = (x[0] and x[1] and x[2]) or (x[3] and x[4] and x[5]) or (x[6] and x[7] and x[8])
    return "+" if is_positive else "-"


def test_xd6_without_noise_follows_the_target_formula():
    rows = rows_of(sample_data.xd6(n_rows=2000, class_noise=0.0))
    assert all(row[-1] == xd6_target(row[:10]) for row in rows)


def test_xd6_has_the_share_of_positives_of_its_formula():
    # 1 - (7/8)^3 = 169/512; four standard deviations of 50,000 draws are 0.0084.
    counts = label_counts(sample_data.xd6(n_rows=50_000, class_noise=0.0))
    assert counts["+"] / 50_000 == pytest.approx(169 / 512, abs=0.0084)


@pytest.mark.parametrize("noise", [0.1, 0.3])
def test_the_error_of_the_target_formula_is_the_class_noise(noise):
    # Four standard deviations of 50,000 draws: at most 4 sqrt(0.21 / 50,000) = 0.0082.
    rows = rows_of(sample_data.xd6(n_rows=50_000, class_noise=noise))
    errors = sum(row[-1] != xd6_target(row[:10]) for row in rows)
    assert errors / 50_000 == pytest.approx(noise, abs=0.0082)


def test_attribute_noise_of_xd6_flips_values_and_no_class():
    clean = rows_of(sample_data.xd6(n_rows=5000, seed=2))
    noisy = rows_of(sample_data.xd6(n_rows=5000, seed=2, attribute_noise=0.2))
    assert [row[-1] for row in clean] == [row[-1] for row in noisy]
    flips = np.array(
        [[a != b for a, b in zip(*rows, strict=True)] for rows in zip(clean, noisy, strict=True)]
    )
    # Four standard deviations of 5,000 draws are 0.023, and the ten attributes are alike.
    assert flips[:, :10].mean(axis=0) == pytest.approx(np.full(10, 0.2), abs=0.023)


# -- displays ----------------------------------------------------------------------------------


def codes_as_drawn() -> list[tuple[str, ...]]:
    """Read the segments from the drawing: top, upper left and right, middle, lower left and ..."""
    lines = [line.ljust(40) for line in DIGITS_DRAWN.strip("\n").split("\n")]
    places = ((0, 1), (1, 0), (1, 2), (1, 1), (2, 0), (2, 2), (2, 1))
    return [
        tuple("01"[lines[line][4 * digit + column] != " "] for line, column in places)
        for digit in range(10)
    ]


def test_a_display_without_noise_shows_the_ten_digits():
    shown = set(rows_of(sample_data.led7(n_rows=500, attribute_noise=0.0)))
    assert shown == {(*code, str(digit)) for digit, code in enumerate(codes_as_drawn())}


@pytest.mark.parametrize(("group", "error"), [(lambda d: d, 0.260), (lambda d: d % 2, 0.110)])
def test_the_bayes_error_of_the_display_at_ten_percent_noise_is_the_known_one(group, error):
    # Sum over the 128 displays of the probability of the best class: exact.
    correct = 0.0
    for display in product("01", repeat=7):
        shares: defaultdict[int, float] = defaultdict(float)
        for digit, code in enumerate(codes_as_drawn()):
            wrong = sum(a != b for a, b in zip(display, code, strict=True))
            shares[group(digit)] += 0.1 * 0.1**wrong * 0.9 ** (7 - wrong)
        correct += max(shares.values())
    assert 1.0 - correct == pytest.approx(error, abs=0.0005)


def test_every_segment_is_wrong_with_the_probability_of_the_noise():
    rows = rows_of(sample_data.led7(n_rows=20_000))
    codes = codes_as_drawn()
    wrong = np.array(
        [[a != b for a, b in zip(row[:7], codes[int(row[-1])], strict=True)] for row in rows]
    )
    # Four standard deviations of 20,000 draws are 0.0085.
    assert wrong.mean(axis=0) == pytest.approx(np.full(7, 0.1), abs=0.0085)


def test_led24_and_ledeven_show_the_display_of_led7():
    led7, led24, ledeven = (
        rows_of(generate(n_rows=200, seed=4))
        for generate in (sample_data.led7, sample_data.led24, sample_data.ledeven)
    )
    assert [(*row[:7], row[-1]) for row in led24] == led7
    parity = [(*row[:7], ("even", "odd")[int(row[-1]) % 2]) for row in led7]
    assert parity == ledeven


def test_the_irrelevant_attributes_of_led24_are_fair_whatever_the_digit():
    rows = rows_of(sample_data.led24(n_rows=20_000))
    assert len(rows[0]) == 7 + 17 + 1
    for digit in "0123456789":
        ones = np.array([[cell == "1" for cell in row[7:24]] for row in rows if row[-1] == digit])
        # About 2,000 rows a digit: five standard deviations are 0.056.
        assert ones.mean(axis=0) == pytest.approx(np.full(17, 0.5), abs=0.056)


# -- waveform ----------------------------------------------------------------------------------


def waves() -> list[NDArray[np.int_]]:
    """The three waves by their values: peak 6 at the points 11, 15 and 7."""
    rise = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    return [np.array([*[0] * before, *rise, *[0] * (10 - before)]) for before in (5, 9, 1)]


def test_the_class_means_of_waveform_are_the_midpoints_of_their_two_waves():
    # A value has a variance of at most 1 + 36/12, a class about 3,000 rows: five standard
    # deviations of a mean are 0.18.
    rows = rows_of(sample_data.waveform(n_rows=9000))
    h1, h2, h3 = waves()
    for label, pair in (("0", (h1, h2)), ("1", (h1, h3)), ("2", (h2, h3))):
        values = np.array([row[:21] for row in rows if row[-1] == label])
        assert values.mean(axis=0) == pytest.approx((pair[0] + pair[1]) / 2, abs=0.18)


def test_the_noise_of_waveform_is_standard_normal():
    # The same seed without noise gives the means; 900 x 21 differences.
    noisy, clean = (
        np.array([row[:21] for row in sample_data.waveform(n_rows=900, noise=noise).rows()])
        for noise in (1.0, 0.0)
    )
    noise = (noisy - clean).ravel()
    assert noise.mean() == pytest.approx(0.0, abs=0.03)
    assert noise.std() == pytest.approx(1.0, abs=0.03)
    assert (np.abs(noise) < 1.96).mean() == pytest.approx(0.95, abs=0.01)


def test_waveform_values_have_two_decimals_and_no_negative_zero():
    values = [value for row in sample_data.waveform().rows() for value in row[:21]]
    assert all(value == round(value, 2) for value in values)
    assert "-0.0" not in {repr(value) for value in values}


def test_a_uniform_draw_of_zero_has_a_finite_quantile():
    assert np.isfinite(sample_data._normal(0.0))


# -- monks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "n_positive"),
    [
        # 144 have a1 = a2, 108 have a5 = 1, 36 both.
        ("monk1", 144 + 108 - 36),
        # Pairs of attributes with value 1, times the other values of the other four.
        ("monk2", 142),
        # 36 have a5 = 3 and a4 = 1, 216 have a5 != 4 and a2 != 3, 24 both.
        ("monk3", 36 + 216 - 24),
    ],
)
def test_the_monks_have_the_class_counts_of_their_definitions(name, n_positive):
    relation = getattr(sample_data, name)()
    robots = [row[:-1] for row in relation.rows()]
    assert len(robots) == len(set(robots)) == 432
    assert robots == sorted(robots)
    assert label_counts(relation) == {"1": n_positive, "0": 432 - n_positive}


def test_the_count_of_the_second_monk_is_that_of_its_products():
    others = (2, 2, 1, 2, 3, 1)
    pairs = [(i, j) for i in range(6) for j in range(i)]
    assert sum(np.prod(np.delete(others, pair)) for pair in pairs) == 142


@pytest.mark.parametrize(("name", "n_rows"), [("monk1", 124), ("monk2", 169), ("monk3", 122)])
def test_a_sample_of_a_monk_is_drawn_without_replacement_from_all_robots(name, n_rows):
    generate = getattr(sample_data, name)
    everything, sample = rows_of(generate()), rows_of(generate(n_rows))
    assert len(set(sample)) == n_rows
    assert set(sample) <= set(everything)
    assert all(first < second for first, second in pairwise(sample))
    assert rows_of(generate(n_rows)) == sample
    assert rows_of(generate(n_rows, seed=2)) != sample


def test_the_published_size_of_the_third_monk_comes_with_five_percent_of_wrong_classes():
    truth = set(rows_of(sample_data.monk3()))
    wrong = [row for row in DOMAINS["monk3-122"]().rows() if row not in truth]
    assert 1 <= len(wrong) <= 14  # expected 6.1; within three standard deviations of 2.4


# -- boards, scales, weather, exports ----------------------------------------------------------


def test_tic_tac_toe_has_958_final_boards_and_626_won_by_x():
    relation = sample_data.tic_tac_toe()
    assert len(set(rows_of(relation))) == 958
    assert label_counts(relation) == {"positive": 626, "negative": 332}


def test_a_tic_tac_toe_board_has_as_many_x_as_o_or_one_more():
    for row in sample_data.tic_tac_toe().rows():
        assert row[:9].count("x") - row[:9].count("o") in {0, 1}


def test_sixteen_boards_of_tic_tac_toe_are_draws():
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    draws = [
        row
        for row in sample_data.tic_tac_toe().rows()
        if not any({row[i] for i in line} in ({"x"}, {"o"}) for line in lines)
    ]
    assert len(draws) == 16
    assert {row[-1] for row in draws} == {"negative"}


def test_the_balance_scale_has_625_states_and_288_lean_to_either_side():
    relation = sample_data.balance_scale()
    assert len(set(rows_of(relation))) == 625
    assert label_counts(relation) == {"L": 288, "B": 49, "R": 288}


def test_the_balance_scale_leans_to_the_side_with_the_larger_product():
    labels = {row[:4]: row[4] for row in sample_data.balance_scale().rows()}
    assert labels[1.0, 1.0, 1.0, 1.0] == "B"
    assert labels[2.0, 3.0, 5.0, 1.0] == "L"
    assert labels[1.0, 4.0, 5.0, 1.0] == "R"


@pytest.mark.parametrize("name", ["weather-nominal", "weather-numeric"])
def test_the_weather_was_good_enough_on_nine_days_of_fourteen(name):
    assert label_counts(DOMAINS[name]()) == {"yes": 9, "no": 5}


def test_the_weather_counts_by_attribute_are_those_of_the_textbook():
    rows = rows_of(sample_data.weather_nominal())
    good = [row for row in rows if row[-1] == "yes"]
    assert Counter(row[0] for row in good) == {"sunny": 2, "overcast": 4, "rainy": 3}
    assert Counter(row[1] for row in good) == {"hot": 2, "mild": 4, "cool": 3}
    assert Counter(row[2] for row in good) == {"high": 3, "normal": 6}
    assert Counter(row[3] for row in good) == {"TRUE": 3, "FALSE": 6}


def test_the_measured_weather_has_the_means_of_the_textbook():
    # Naive Bayes in Witten and Frank: means given yes and no.
    rows = rows_of(sample_data.weather_numeric())
    means = {
        label: np.mean([row[1:3] for row in rows if row[-1] == label], axis=0).round(1).tolist()
        for label in ("yes", "no")
    }
    assert means == {"yes": [73.0, 79.1], "no": [74.6, 86.2]}


def test_nominal_and_measured_weather_tell_of_the_same_days():
    nominal, numeric = sample_data.weather_nominal(), sample_data.weather_numeric()
    assert [(r[0], r[3], r[4]) for r in nominal.rows()] == [
        (r[0], r[3], r[4]) for r in numeric.rows()
    ]


def test_iris_and_wine_have_their_class_counts():
    counts = {"setosa": 50, "versicolor": 50, "virginica": 50}
    assert label_counts(sample_data.iris()) == counts
    assert label_counts(sample_data.wine()) == {"1": 59, "2": 71, "3": 48}


# -- writing -----------------------------------------------------------------------------------


def test_importing_the_module_imports_no_optional_package():
    program = (
        "import sys, tests.reproduction.sample_data;"
        "print([name for name in ('sklearn', 'click', 'rich') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_without_scikit_learn_one_message_says_so_and_nothing_is_written(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(WidcError, match=r"iris: expected scikit-learn.*widc-arff\[sklearn\]"):
        sample_data.iris()
    assert main([str(tmp_path / "new")]) == 1
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.startswith("error: iris: expected scikit-learn")
    assert not (tmp_path / "new").exists()


def test_the_command_prints_one_line_per_file(tmp_path, capsys):
    assert main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [f"{name}.arff" for name in DOMAINS]


def test_the_command_reports_a_folder_that_it_cannot_make(tmp_path, capsys):
    (tmp_path / "taken").write_text("a file")
    assert main([str(tmp_path / "taken")]) == 1
    assert "taken" in capsys.readouterr().err
