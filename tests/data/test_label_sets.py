from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from widc_arff.arff import read_arff
from widc_arff.data.label_sets import label_matrix_of, meka_labels, mulan_labels, named_labels
from widc_arff.errors import ArffError, DataError

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "multilabel"
XMLNS = 'xmlns="http://mulan.sourceforge.net/labels"'


def table(header: str, rows: str = "", name: str = "songs"):
    """Return a relation of attributes given as 'name type; ...' and rows given as 'a,b; ...'."""
    attributes = "".join(f"@attribute {part.strip()}\n" for part in header.split(";"))
    data = rows.replace(";", "\n")
    return read_arff(io.StringIO(f"@relation '{name}'\n{attributes}@data\n{data}\n"))


def named(relation_name: str):
    return table("happy {0,1}; sad {0,1}; tempo numeric; calm {0,1}", name=relation_name)


def matrix(header: str, rows: str, *, counts: bool = False):
    """Return label matrix and known rows of the attributes a and b as lists."""
    Y, known = label_matrix_of(table(header, rows), ["a", "b"], counts=counts)
    return Y.astype(int).tolist(), known.tolist()


@pytest.fixture
def xml(tmp_path: Path):
    """Return a function that writes a label XML and gives its path."""

    def write(content: str | bytes) -> Path:
        path = tmp_path / "labels.xml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("relation_name", "expected"),
    [
        ("Music: -C 2", ("happy", "sad")),
        ("Music: -C -2", ("tempo", "calm")),
        ("Music:-C 2", ("happy", "sad")),
        ("Music: -split-percentage 50 -C +3 -i", ("happy", "sad", "tempo")),
        ("Music: -c 1 -split-number 40", ("happy",)),
        ("Music: -C 2-weka.filters.unsupervised.attribute.Remove-R5", ("happy", "sad")),
        ("Music: -C 0", None),
        ("Music", None),
        ("Music -C 2", None),
        ("Music: x-C 2 -Class 3", None),
    ],
)
def test_the_name_of_a_meka_relation_tells_its_labels(relation_name, expected):
    relation = named(relation_name)
    assert meka_labels(relation) == expected
    assert relation.name == relation_name


@pytest.mark.parametrize(
    ("option", "found"),
    [
        ("-C", "nothing"),
        ("-C two", "two"),
        ("-C 0.25 -M 2", "0.25"),
        ("-C 4", "4"),
        ("-C -4", "-4"),
        ("-C 99999999999", "99999999999"),
    ],
)
def test_an_option_without_a_possible_number_of_labels_is_a_fault(option, found):
    with pytest.raises(DataError) as fault:
        meka_labels(named(f"Music: {option}"))
    assert str(fault.value) == (
        f"relation name 'Music: {option}': expected -C and the number of labels, a whole number "
        f"from -3 to 3, got {found}"
    )


def test_label_xml_is_read_in_the_order_of_the_document_through_all_levels(xml):
    path = xml(
        f'<?xml version="1.0" encoding="utf-8"?>\n<labels {XMLNS}>\n'
        '<label name="mood"><label name="happy &amp; glad"><label name="gay"/></label>'
        '<label name="sad"></label></label>\n<label name="été"/><!-- the end --></labels>'
    )
    assert mulan_labels(path) == ("mood", "happy & glad", "gay", "sad", "été")
    assert mulan_labels(str(path)) == mulan_labels(path)


def test_label_xml_may_lack_the_namespace_and_have_another_encoding(xml):
    text = '<?xml version="1.0" encoding="latin-1"?><labels><label name="été"/></labels>'
    assert mulan_labels(xml(text.encode("latin-1"))) == ("été",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "1:1: expected the label XML of MULAN, got a text with a fault (no element found)"),
        ("@relation x", "1:1: expected the label XML of MULAN, got a text with a fault (not well-"),
        (
            "<labels>\n<label name='a'>",
            "2:17: expected the label XML of MULAN, got a text with a f",
        ),
        ("<labels/>", '1:10: expected at least one <label name="...">, got none'),
        ("<set/>", "1:1: expected an element <labels>, got <set>"),
        ("<labels xmlns='urn:x'/>", "1:1: expected an element <labels>, got <labels>"),
        ("<labels>\n <Label name='a'/></labels>", "2:2: expected an element <label>, got <Label>"),
        ("<labels><label/></labels>", '1:9: expected <label name="...">, got a label without a n'),
        (
            "<labels><label name='a'>\n<label name='a'/></label></labels>",
            "2:1: expected each label once, got 'a' again, after line 1",
        ),
        (
            "<?xml version='1.0' encoding='klingon'?><labels/>",
            "1:31: expected an encoding that can be read, got unknown encoding: klingon",
        ),
    ],
)
def test_a_fault_in_label_xml_has_its_place(xml, content, message):
    path = xml(content)
    with pytest.raises(DataError) as fault:
        mulan_labels(path)
    assert str(fault.value).startswith(f"{path}:{message}")


def test_label_xml_with_entities_is_refused_before_they_grow(xml):
    bomb = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    path = xml(f'<!DOCTYPE labels [<!ENTITY e0 "ha">{bomb}]><labels><label name="&e9;"/></labels>')
    with pytest.raises(DataError, match="got a document type declaration"):
        mulan_labels(path)


def test_label_xml_that_cannot_be_read_is_told_as_data_are(tmp_path, xml):
    path = xml("<labels/>")
    near = f"{path}x"
    with pytest.raises(ArffError) as fault:
        mulan_labels(near)
    assert str(fault.value) == f"{near}: there is no such file; did you mean {path.name!r}?"
    with pytest.raises(ArffError, match="cannot read the label XML: Is a directory"):
        mulan_labels(tmp_path)


def test_named_labels_stand_in_the_order_of_the_header():
    assert named_labels(named("x"), ["calm", "happy"]) == ("happy", "calm")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (
            ["happy", "Clam"],
            (
                "--labels: expected the name of an attribute ('happy', 'sad', 'tempo', 'calm'), "
                "got 'Clam'; did you mean 'calm'?"
            ),
        ),
        (["sad", "calm", "sad"], "--labels: expected each label once, got 'sad' twice"),
        (
            ["sad"],
            (
                "--labels: expected two labels or more, got 1; "
                "one class attribute is named with --class, and several labels in a cell need "
                "--label-separator"
            ),
        ),
        (
            ["sad", "calm", "tempo", "happy"],
            "--labels: expected attributes besides the labels, got all 4 as labels",
        ),
    ],
)
def test_faults_of_named_labels(names, message):
    with pytest.raises(DataError) as fault:
        named_labels(named("x"), names, "--labels")
    assert str(fault.value) == message


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("a {0,1}; b {1,0}", "0,1; 1,0; 0,0"),
        ("a {no,yes}; b {yes,no}", "no,yes; yes,no; no,no"),
        ("a {False,True}; b {YES,No}", "False,YES; True,No; False,No"),
        ("a numeric; b {TRUE,FALSE}", "0,TRUE; 1.0,FALSE; -0,FALSE"),
        ("a {0,1}; b {0,1}", "{1 1}; {0 1}; {}"),
    ],
)
def test_a_label_is_present_by_the_text_of_its_value(header, rows):
    assert matrix(header, rows) == ([[0, 1], [1, 0], [0, 0]], [True] * 3)


def test_columns_stand_in_the_order_of_the_names():
    relation = table("a {0,1}; x numeric; b {0,1}", "1,5,0")
    assert label_matrix_of(relation, ["b", "a"])[0].tolist() == [[False, True]]


def test_a_row_with_a_missing_label_is_unknown_and_one_without_labels_is_not():
    Y, known = matrix("a {0,1}; b numeric", "1,?; ?,1; 0,0; 1,1")
    assert known == [False, False, True, True]
    assert Y == [[0, 0], [0, 0], [0, 0], [1, 1]]


def test_without_rows_the_matrix_has_no_rows():
    Y, known = label_matrix_of(table("a {0,1}; b numeric; x numeric"), ["a", "b"])
    assert (Y.shape, known.shape) == ((0, 2), (0,))


EXPECTED = (
    "the values {0,1}, {no,yes}, {false,true}, {n,y}, {f,t} or {off,on}, or the numbers 0 and 1"
)


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [
        ("{0,1,2}", "1", "{0,1,2}"),
        ("{0,yes}", "yes", "{0,yes}"),
        ("{1}", "1", "{1}"),
        ("{a,b,c,d,e,f,g,h,i}", "a", "{a,b,c,d,e,f,g,h,...}"),
        ("string", "1", "a string attribute"),
        ("date yyyy", "1970", "a date attribute"),
        ("numeric", "2", "2 in row 2"),
        ("numeric", "0.5", "0.5 in row 2"),
        ("numeric", "-1", "-1 in row 2"),
    ],
)
def test_a_label_that_is_not_binary_is_a_fault(kind, value, found):
    with pytest.raises(DataError) as fault:
        matrix(f"a {{0,1}}; b {kind}", f"1,?; 1,{value}")
    assert str(fault.value) == f"label attribute 'b': expected {EXPECTED}, got {found}"


def test_counts_are_present_above_zero_where_they_are_asked_for():
    Y, known = matrix("a {0,1,2,10}; b numeric", "0,3; 1,0; 10,?; 2,1", counts=True)
    assert Y == [[0, 1], [1, 0], [0, 0], [1, 1]]
    assert known == [True, True, False, True]


@pytest.mark.parametrize(
    ("kind", "found"), [("{1,2,3}", "{1,2,3}"), ("{0,1,x}", "{0,1,x}"), ("numeric", "1.5 in row 1")]
)
def test_counts_are_whole_numbers_with_zero_among_them(kind, found):
    value = "1.5" if kind == "numeric" else "1"
    with pytest.raises(DataError) as fault:
        matrix(f"a {{0,1}}; b {kind}", f"1,{value}", counts=True)
    assert str(fault.value).endswith(f"whole numbers from 0 up, got {found}")


# Numbers of labels and of rows, and label cardinality, as MULAN's page of data sets tells them.
PUBLISHED = {
    "cal500": (174, 502, 26.044),
    "emotions": (6, 593, 1.869),
    "enron": (53, 1702, 3.378),
    "flags": (7, 194, 3.392),
}


@pytest.mark.needs("shared")
@pytest.mark.parametrize("name", PUBLISHED)
def test_mulan_files_have_the_published_labels(name):
    relation = read_arff(FOLDER / f"{name}.arff")
    assert meka_labels(relation) is None
    listed = mulan_labels(FOLDER / f"{name}.xml")
    labels = named_labels(relation, listed)
    Y, known = label_matrix_of(relation, labels)
    assert set(labels) == set(listed)
    assert known.all()
    n_labels, n_rows, cardinality = PUBLISHED[name]
    assert Y.shape == (n_rows, n_labels)
    assert Y.sum(axis=1).mean() == pytest.approx(cardinality, abs=1e-3)


@pytest.mark.needs("shared")
def test_meka_files_have_the_labels_that_their_names_tell():
    music = read_arff(FOLDER / "meka-Music.arff")
    labels = meka_labels(music)
    assert labels is not None
    assert len(labels) == 6
    Y, known = label_matrix_of(music, labels)
    assert Y.shape == (592, 6)
    assert known.all()
    flare = read_arff(FOLDER / "meka-solar_flare.arff")
    assert meka_labels(flare) == ("c-class", "m-class", "x-class")
    with pytest.raises(DataError, match=r"label attribute 'c-class': .* got {0,1,2,3,4}"):
        label_matrix_of(flare, ["c-class", "m-class", "x-class"])
    Y, _ = label_matrix_of(flare, ["c-class", "m-class", "x-class"], counts=True)
    assert np.sum(Y, axis=0).tolist() == [36, 32, 7]


@pytest.mark.needs("shared")
def test_the_folder_of_label_sets_holds_no_other_files():
    files = {path.stem for path in FOLDER.glob("*.arff")}
    assert files == {*PUBLISHED, "meka-Music", "meka-solar_flare"}
