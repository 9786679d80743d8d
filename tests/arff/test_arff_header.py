"""The header, read and refused."""

from __future__ import annotations

import pytest

from widc_arff.arff.header import HeaderUnfinishedError, read_header
from widc_arff.arff.lexer import SourceText
from widc_arff.arff.relation import Attribute
from widc_arff.errors import ArffError


def attributes(*lines: str) -> tuple[Attribute, ...]:
    return read_header(SourceText("@relation r\n" + "\n".join(lines) + "\n@data\n")).attributes


def refusal(text: str) -> ArffError:
    with pytest.raises(ArffError) as caught:
        read_header(SourceText(text, "f.arff"))
    return caught.value


def test_keywords_and_types_may_be_in_any_case_and_quoted():
    header = read_header(SourceText("@RELATION R\n'@Attribute' A \"ReaL\"\n@Data 1\n"))
    assert (header.name, header.attributes) == ("R", (Attribute("A", "numeric"),))


@pytest.mark.parametrize("word", ["numeric", "real", "integer", "INTEGER"])
def test_all_words_for_numbers_mean_numeric(word):
    assert attributes(f"@attribute a {word}") == (Attribute("a", "numeric"),)


@pytest.mark.parametrize(
    "rest", ["[1, 10]", "% comment {2}", "years since birth", "the patient's age", ", x {2}"]
)
def test_what_follows_a_type_is_ignored(rest):
    assert attributes(f"@attribute a integer {rest}") == (Attribute("a", "numeric"),)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("@attribute a numeric {0.5}", Attribute("a", "numeric", weight=0.5)),
        ("@attribute a string{2}", Attribute("a", "string", weight=2.0)),
        ("@attribute a {x,y} {'3'} rest", Attribute("a", "nominal", ("x", "y"), weight=3.0)),
        ("@attribute a date {2}", Attribute("a", "date", weight=2.0)),
        ("@attribute a date yyyy {2}", Attribute("a", "date", format="yyyy", weight=2.0)),
    ],
)
def test_a_weight_in_braces_follows_the_type(line, expected):
    assert attributes(line) == (expected,)


@pytest.mark.parametrize(
    ("labels", "values"),
    [
        ("{a,b}", ("a", "b")),
        ("{ a ,  b c }", ("a", "b", "c")),
        ("{'a b',\"c,d\",?}", ("a b", "c,d", "?")),
        ("{A,a,''}", ("A", "a", "")),
        ("{}", ()),
    ],
)
def test_labels_keep_order_case_and_quoted_blanks(labels, values):
    assert attributes(f"@attribute a{labels}")[0].values == values


def test_a_relational_attribute_has_attributes_of_its_own():
    read = attributes(
        "@attribute bag relational {2}",
        "  @attribute x numeric",
        "  @attribute inner relational",
        "    @attribute y {u,v}",
        "  @end INNER",
        "@end 'bag'",
        "@attribute z string",
    )
    inner = Attribute("inner", "relational", attributes=(Attribute("y", "nominal", ("u", "v")),))
    bag = Attribute("bag", "relational", weight=2.0, attributes=(Attribute("x", "numeric"), inner))
    assert read == (bag, Attribute("z", "string"))


def test_the_first_row_may_stand_on_the_line_of_data():
    text = "@relation r\n@attribute a numeric\n@data 1\n2\n"
    assert text[read_header(SourceText(text)).end :] == " 1\n2\n"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("hello\n", (1, 1), "keyword @relation expected, got 'hello'; is it an ARFF file?"),
        ("@relatoin r\n", (1, 1), "did you mean '@relation'?"),
        ("@relation\n@attribute a numeric\n", (1, 10), "premature end of line: expected the name"),
        ("@relation my data\n", (1, 14), "a name with blanks must be quoted"),
        ("@relation {\n", (1, 11), "expected the name of the relation, got '{'"),
        ("@relation r\n@data\n", (2, 1), "no attributes declared"),
        ("@relation r\n@atribute a numeric\n", (2, 1), "did you mean '@attribute'?"),
        ("@relation r\n@attribute\n", (2, 11), "expected the name of an attribute"),
        ("@relation r\n@attribute a\n", (2, 13), "no valid attribute type for 'a'"),
        ("@relation r\n@attribute a numerical\n", (2, 14), "did you mean 'numeric'?"),
        ("@relation r\n@attribute a b numeric\n", (2, 14), "a name with blanks must be quoted"),
        ("@relation r\n@attribute a yes,no\n", (2, 14), "labels must be in braces"),
        ("@relation r\n@attribute a ?\n", (2, 14), "no valid attribute type"),
        ("@relation r\n@attribute a {x,\ny}\n", (2, 17), "} expected at end of enumeration"),
        ("@relation r\n@attribute a {x,{y}}\n", (2, 17), "} expected at end of enumeration"),
        ("@relation r\n@attribute a {x,y,x}\n", (2, 19), "cannot have duplicate labels: 'x'"),
        ("@relation r\n@attribute a {'x}\n", (2, 15), "expected a closing '"),
        ("@relation r\n@attribute a numeric {x}\n", (2, 23), "attribute weight: expected a number"),
        ("@relation r\n@attribute a numeric {NaN}\n", (2, 23), "attribute weight"),
        ("@relation r\n@attribute a numeric {2\n", (2, 24), "attribute weight: } expected"),
        ("@relation r\n@attribute a date YYYY\n", (2, 19), "the year is yyyy"),
        (
            "@relation r\n@attribute a string\n@attribute a string\n",
            (3, 12),
            "attribute names are not unique: 'a' is declared twice",
        ),
        (
            "@relation r\n@attribute a relational\n@attribute b string\n@end c\n",
            (4, 6),
            "must be terminated by @end a, got 'c'",
        ),
        (
            "@relation r\n@attribute a relational\n@attribute b string\n@data\n",
            (4, 1),
            "must be terminated by @end a",
        ),
        (
            "@relation r\n@attribute a relational\n@attribute b string\n@end a b\n",
            (4, 8),
            "end of line expected",
        ),
    ],
)
def test_a_wrong_header_is_refused_at_its_place(text, place, message):
    error = refusal(text)
    assert (error.line, error.column) == place
    assert message in error.message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "% only a comment",
        "@relation r",
        "@relation r\n@attribute a",
        "@relation r\n",
        "@relation r\n@attribute a {x",
        "@relation r\n@attribute a numeric",
        "@relation r\n@attribute a numeric {2",
        "@relation r\n@attribute a relational\n",
    ],
)
def test_a_header_without_an_end_is_a_premature_end_of_the_file(text):
    error = refusal(text)
    assert isinstance(error, HeaderUnfinishedError)
    assert "premature end of file" in error.message


def test_relations_nested_beyond_measure_are_refused():
    text = "@relation r\n" + "@attribute a relational\n" * 2000
    assert "nested too deeply" in refusal(text).message
