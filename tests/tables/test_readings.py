"""Numbers and dates as people write them: read where only one reading is possible, and told."""

from __future__ import annotations

import io
import warnings

import pytest

from widc_arff import DataError, TableError, WidcWarning, read_data
from widc_arff.arff.dates import DateFormat
from widc_arff.tables import read_table
from widc_arff.tables.uses import TableOptions


def column(*cells: str, **how) -> tuple[str, list[object], list[str]]:
    """Return type, values and warnings of a column x."""
    text = "x;y\n" + "".join(f'"{cell}";\n' for cell in cells)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        relation = read_table(io.BytesIO(text.encode()), "csv", TableOptions(**how))
    values = [row[0] for row in relation.rows()]
    return relation.attributes[0].type, values, [str(warning.message) for warning in told]


def moment(text: str, form: str = "yyyy-MM-dd HH:mm:ss") -> float:
    return DateFormat(form).parse(text)


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["45.0%", "3%"], [45, 3]),
        (["45 %", "-3 %", "NA"], [45, -3, None]),
        (["$25", "-$3.50"], [25, -3.5]),
        (["€ 1.234,50", "€ 3"], [1234.5, 3]),
        (["25 kg", "26.5 kg"], [25, 26.5]),
        (["21.5°C", "3 °C"], [21.5, 3]),
        (["1,5", "2,25", "7"], [1.5, 2.25, 7]),
        (["1,000.50", "12"], [1000.5, 12]),
        (["1.000,50", "12"], [1000.5, 12]),
        (["1,234,567", "1,000"], [1234567, 1000]),
        (["1,234", "0.5"], [1234, 0.5]),
        (["1 234", "567"], [1234, 567]),
        (["1’234.5", "-2"], [1234.5, -2]),
        (["A$1.50", "A$2"], [1.5, 2]),
        (["R$ 1.234,50", "R$ 3"], [1234.5, 3]),
        (["0,500", "1,250"], [0.5, 1.25]),  # no thousand begins with 0
    ],
)
def test_numbers_that_can_be_read_in_one_way_are_read_and_told(cells, numbers):
    kind, values, told = column(*cells)
    assert (kind, values) == ("numeric", numbers)
    assert len(told) == 1
    assert "is read as the number" in told[0]
    assert "--nominal 'x' reads all as labels" in told[0]
    known = read_table(io.BytesIO(b"x,k\n1,a\n2,b\n"), "csv").attributes[0]
    assert column(*cells, declared={"x": known})[1] == numbers


@pytest.mark.parametrize("cells", [["1,234"], ["1,234", "12"], ["1,234 kg", "2,345 kg"] * 12])
def test_numbers_that_can_be_read_in_two_ways_are_refused(cells):
    with pytest.raises(TableError, match=r"in one way only, got '1,234.*, which is 1.234 or 1234"):
        column(*cells)


def test_options_say_which_of_two_readings_is_meant():
    assert column("1,234", "12", thousands=",")[1] == [1234, 12]
    assert column("1,234", "12", decimal=",")[1] == [1.234, 12]
    assert column("1.234", "12", decimal=",")[1] == [1234, 12]
    assert column("1 234,5", "12", decimal=",", thousands=" ")[1] == [1234.5, 12]
    with pytest.raises(TableError, match="got '1,2345'"):  # no groups of three
        column("1,2345", "2,3456", thousands=",")


@pytest.mark.parametrize(
    "cells",
    [
        ["25 kg", "400 g"],
        ["1A", "2A", "3A"],
        ["A1", "A2"],
        ["Q1", "Q2"],
        ["5 stars", "4 stars"],
        ["12:61", "1:2"],
        ["1.2.3", "1.2.4"],
        ["192.168.1.1", "10.0.0.1"],
        ["45%", "n/k"],
        ["2-3", "4-5"],
        ["0x1F", "0x2F"],
        ["020 123 456", "030 222 333"],
        ["1234-01", "5678-12"],
        ["0815/12", "2019/01"],
        ["DEC 1234", "MAY 2345"],
    ],
)
def test_names_and_codes_stay_labels(cells):
    assert column(*cells)[:2] == ("nominal", cells)


def test_labels_stay_what_they_are():
    assert column("45%", "3%", nominal=["x"])[:2] == ("nominal", ["45%", "3%"])
    assert column("45%", "3%", target="x")[:2] == ("nominal", ["45%", "3%"])


def test_words_for_missing_that_may_be_labels_of_the_class_are_told():
    kind, values, told = column("None", "minor", "None", "N/A", "NA", "", target="x")
    assert (kind, values) == ("nominal", [None, "minor", None, None, None, None])
    assert len(told) == 1
    assert ":5: column 'x': 'N/A' is read as a missing class, in 3 rows" in told[0]
    assert column("NA", "minor", "", "?", target="x")[2] == []
    assert column("None", "minor")[2] == []


@pytest.mark.parametrize(
    ("cells", "moments"),
    [
        (["2022-07", "2022-08"], ["2022-07-01 00:00:00", "2022-08-01 00:00:00"]),
        (["2022-Q1", "2022-Q3"], ["2022-01-01 00:00:00", "2022-07-01 00:00:00"]),
        (["Q4 2021", "Q1 2022"], ["2021-10-01 00:00:00", "2022-01-01 00:00:00"]),
        (["9:30", "17:05"], ["1970-01-01 09:30:00", "1970-01-01 17:05:00"]),
        (["09:30:15", "17:05:00"], ["1970-01-01 09:30:15", "1970-01-01 17:05:00"]),
        (["9:30 PM", "12:05 am"], ["1970-01-01 21:30:00", "1970-01-01 00:05:00"]),
        (["01.02.2019", "3.4.2019"], ["2019-02-01 00:00:00", "2019-04-03 00:00:00"]),
        (["12/31/2019", "01/02/2019"], ["2019-12-31 00:00:00", "2019-01-02 00:00:00"]),
        (["31/12/2019", "01/02/2019"], ["2019-12-31 00:00:00", "2019-02-01 00:00:00"]),
        (["31.12.2019 8:05", "1.1.2020 23:59"], ["2019-12-31 08:05:00", "2020-01-01 23:59:00"]),
        (["2019/12/31", "2020/01/01"], ["2019-12-31 00:00:00", "2020-01-01 00:00:00"]),
        (["Jan 5, 2020", "March 6, 2020"], ["2020-01-05 00:00:00", "2020-03-06 00:00:00"]),
        (["5-Jan-2020", "16-Mar-2020"], ["2020-01-05 00:00:00", "2020-03-16 00:00:00"]),
        (["Jan 2020", "Feb 2020"], ["2020-01-01 00:00:00", "2020-02-01 00:00:00"]),
        (["Jan 5 2020", "March 6 2020"], ["2020-01-05 00:00:00", "2020-03-06 00:00:00"]),
        (["2020-1-5", "2019-12-31"], ["2020-01-05 00:00:00", "2019-12-31 00:00:00"]),
        (["2020-01-05 8:05", "2020-1-6 9:00"], ["2020-01-05 08:05:00", "2020-01-06 09:00:00"]),
        (["9:30:15 PM", "12:05:00 am"], ["1970-01-01 21:30:15", "1970-01-01 00:05:00"]),
        (
            ["12/31/2019 9:30 pm", "1/2/2020 1:00 am"],
            ["2019-12-31 21:30:00", "2020-01-02 01:00:00"],
        ),
        (
            ["12/31/2019 11:59:59 PM", "01/02/2020 12:00:00 AM"],
            ["2019-12-31 23:59:59", "2020-01-02 00:00:00"],
        ),
        (["2009-10", "2010-12"], ["2009-10-01 00:00:00", "2010-12-01 00:00:00"]),
    ],
)
def test_dates_that_can_be_read_in_one_way_are_read_and_told(cells, moments):
    kind, values, told = column(*cells)
    assert (kind, values) == ("date", [moment(text) for text in moments])
    assert len(told) == 1
    assert "is read as a date" in told[0]


def test_days_that_can_be_read_in_two_ways_stay_labels_and_are_told():
    kind, _, told = column("01/02/2019", "03/04/2019")
    assert kind == "nominal"
    assert "can be a date of the format dd/MM/yyyy or MM/dd/yyyy" in told[0]
    kind, values, told = column("01/02/2019", "03/04/2019", dates=["dd/MM/yyyy"])
    assert (kind, values, told) == (
        "date",
        [moment("2019-02-01 00:00:00"), moment("2019-04-03 00:00:00")],
        [],
    )
    assert column("01/02/2019", "03/04/2019", dates=["MM/dd/yyyy"])[1][0] == moment(
        "2019-01-02 00:00:00"
    )
    # days with the same number twice are the same day either way
    assert column("01/01/2019", "04/04/2019")[0] == "date"


def test_what_only_looks_like_dates_stays_labels():
    assert column("2009-10", "2010-11", "2012-13")[0] == "nominal"  # seasons
    for seasons in (["2009-10", "2010-11", "2011-12"], ["1999/00", "2000/01"], ["2000-01"]):
        assert column(*seasons) == ("nominal", seasons, [])
    assert column("2009-10", "2010-11", dates=["yyyy-MM"])[0] == "date"
    assert column("31.02.2019", "01.01.2019")[0] == "nominal"  # none of the calendar


def test_new_data_are_read_as_the_dates_of_training():
    text = "m,k\n2022-07,a\n2022-08,b\n"
    with pytest.warns(WidcWarning, match="read as a date, yyyy-MM"):
        known = read_table(io.BytesIO(text.encode()), "csv").attributes[0]
    for cell in ("2023-01", "2023-01-01", "2023-Q1"):
        again = read_table(
            io.BytesIO(f"m,k\n{cell},\n".encode()), "csv", TableOptions(declared={"m": known})
        )
        assert again.columns[0][0] == moment("2023-01-01 00:00:00")
    with pytest.raises(TableError, match="expected a date, got '2023-13'"):
        read_table(io.BytesIO(b"m,k\n2023-13,\n"), "csv", TableOptions(declared={"m": known}))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"dates": ["QQ"]}, "dates: expected a format such as dd/MM/yyyy, got 'QQ'"),
        ({"decimal": ",", "thousands": ","}, "thousands: expected a mark other than the decimal"),
    ],
)
def test_options_that_cannot_be_are_refused(tmp_path, how, message):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match=message):
        read_data(tmp_path / "a.csv", **how)


@pytest.mark.parametrize(
    "how", [{"thousands": ","}, {"dates": ["yyyy"]}, {"header": False}, {"decimal": ","}]
)
def test_what_is_for_csv_is_refused_elsewhere(tmp_path, how):
    (tmp_path / "a.arff").write_text("@relation r\n@attribute a numeric\n@data\n1\n")
    with pytest.raises(DataError, match="expected CSV with it"):
        read_data(tmp_path / "a.arff", **how)


@pytest.mark.parametrize(
    "cells", [["2.5 kg", "400 g"], [f"{i} {'kg' if i % 2 else 'lb'}" for i in range(30)]]
)
def test_numbers_with_different_units_are_labels_and_told(cells):
    kind, _, told = column(*cells)
    assert kind in ("nominal", "string")
    assert "are numbers with different units or signs" in told[0]


@pytest.mark.parametrize("cells", [["1A", "2B"], ["25 kg", "400 g"], ["5%", "high"]])
def test_few_names_with_numbers_are_not_told(cells):
    assert column(*cells)[2] == []
