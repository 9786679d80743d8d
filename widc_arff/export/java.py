"""A committee as a Java class that needs nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from widc_arff.errors import OptionError
from widc_arff.export.content import (
    commented,
    heading,
    listed,
    rule_in_words,
    used_attributes,
)
from widc_arff.export.java_limits import require_java_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal

_NAMES_IN_USE = (
    *("Boolean", "Double", "Float", "IllegalArgumentException", "Map", "Math", "Number", "Object"),
    "String",
)
_MOST_TESTS = 100  # of a conjunction in a row

_ABOUT = """\
/**
 * A decision committee.
 *
 * <p>A row maps names of attributes to values: String for nominal attributes, Number for numeric
 * ones, Number of milliseconds since 1970-01-01 UTC for dates. Labels may also be given as the
 * Number or the Boolean that they are. What is null, NaN or not there is missing, and a missing
 * value satisfies no condition. A label that training did not know is an IllegalArgumentException.
 * Each rule that holds adds its votes; {decision}
 */"""
_DECISION = """\
the largest sum wins; SCORES
 * decide ties, then the order of LABELS."""
_SET_DECISION = """\
the score of a label is
 * its slope times its sum, plus its intercept; from THRESHOLD on the label is predicted."""

_METHODS = """\
    /** Returns the label with most votes. */
    public static String predict(Map<String, ?> row) {
        int[] sums = votes(row);
        int winner = 0;
        for (int j = 1; j < sums.length; j++) {
            if (sums[j] > sums[winner] || sums[j] == sums[winner] && SCORES[j] > SCORES[winner]) {
                winner = j;
            }
        }
        return LABELS[winner];
    }

    /**
     * Returns a probability for each label; the largest is that of the predicted one.
     *
     * <p>Each vote less makes a label less probable by one factor, a rarer one by its frequency
     * too; labels tied for the top share theirs.
     */
    public static double[] probabilities(Map<String, ?> row) {
        int[] sums = votes(row);
        int most = sums[0];
        for (int sum : sums) {
            most = Math.max(most, sum);
        }
        int tied = 0;
        double tiedShares = 0;
        for (int j = 0; j < sums.length; j++) {
            if (sums[j] == most) {
                tied++;
                tiedShares += SHARES[j];
            }
        }
        double[] parts = new double[sums.length];
        double total = 0;
        for (int j = 0; j < sums.length; j++) {
            parts[j] = 1;
            for (int k = sums[j]; k < most; k++) {
                parts[j] *= FACTOR;
            }
            if (sums[j] < most) {
                parts[j] *= FREQUENCIES[j];
            } else if (tied > 1 && tiedShares > 0) {
                parts[j] = SHARES[j] / tiedShares * tied;
            }
            total += parts[j];
        }
        for (int j = 0; j < sums.length; j++) {
            parts[j] /= total;
        }
        return parts;
    }"""

_SET_METHODS = """\
    /** Returns the labels of a row that score THRESHOLD or more, in the order of labels(). */
    public static String[] predict(Map<String, ?> row) {
        double[] scores = scores(row);
        int n = 0;
        for (double score : scores) {
            n += score >= THRESHOLD ? 1 : 0;
        }
        String[] predicted = new String[n];
        n = 0;
        for (int j = 0; j < scores.length; j++) {
            if (scores[j] >= THRESHOLD) {
                predicted[n++] = LABELS[j];
            }
        }
        return predicted;
    }

    /** Returns a probability for each label; it is one half where the score is MIDDLE. */
    public static double[] probabilities(Map<String, ?> row) {
        double[] chances = scores(row);
        for (int j = 0; j < chances.length; j++) {
            double odds = Math.exp(-Math.abs(chances[j] - MIDDLE));
            chances[j] = (chances[j] >= MIDDLE ? 1 : odds) / (1 + odds);
        }
        return chances;
    }

    /** Returns what ranks the labels: an intercept plus a slope times the votes of each. */
    public static double[] scores(Map<String, ?> row) {
        int[] sums = votes(row);
        double[] scores = new double[sums.length];
        for (int j = 0; j < sums.length; j++) {
            scores[j] = SLOPES[j] * sums[j] + INTERCEPTS[j];
        }
        return scores;
    }"""

_READERS = """\
    /** Returns the labels, in the order of votes and probabilities. */
    public static String[] labels() {
        return LABELS.clone();
    }

    private static String label(Map<String, ?> row, String name, String... known) {
        Object value = row.get(name);
        if (value == null
            || value instanceof Number && Double.isNaN(((Number) value).doubleValue())) {
            return null;
        }
        String text = value.toString();
        for (String label : known) {
            if (label.equals(text)) {
                return label;
            }
        }
        for (int meaning = 0; meaning < 3; meaning++) {
            Object meant = meaning(text, meaning);
            String found = null;
            int times = 0;
            for (String label : known) {
                if (meant != null && meant.equals(meaning(label, meaning))) {
                    found = label;
                    times++;
                }
            }
            if (times == 1) {
                return found;
            }
        }
        for (int i = 0; known.length == 2 && i < 2; i++) {
            if (isPair(known[i], known[1 - i]) && truth(text) != null) {
                return truth(text) ? known[i] : known[1 - i];
            }
        }
        throw new IllegalArgumentException("attribute '" + name
            + "': expected a label that training knew, got '" + value + "'");
    }

    /** Returns the text without blanks, or the number, or the truth value that a text is. */
    private static Object meaning(String text, int which) {
        String bare = text.trim();
        if (which == 0) {
            return bare;
        }
        if (which == 1) {
            boolean isNumber =
                bare.matches("[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?");
            double number = isNumber ? Double.parseDouble(bare) + 0.0 : Double.NaN;
            return Math.abs(number) < 9007199254740992.0 ? (Object) number : null;
        }
        boolean isWord = bare.toLowerCase().matches("true|false|yes|no");
        return isWord ? bare.toLowerCase() : null;
    }

    /** Returns whether two labels are the words for true and false, or 1 and 0. */
    private static boolean isPair(String first, String second) {
        String words = first.trim().toLowerCase() + " " + second.trim().toLowerCase();
        return words.matches("true false|yes no|t f|y n|on off")
            || Double.valueOf(1).equals(meaning(first, 1))
            && Double.valueOf(0).equals(meaning(second, 1));
    }

    /** Returns the truth value of a word or a number, or null. */
    private static Boolean truth(String text) {
        String word = text.trim().toLowerCase();
        if (word.matches("true|yes|t|y|on") || Double.valueOf(1).equals(meaning(text, 1))) {
            return true;
        }
        boolean isFalse = word.matches("false|no|f|n|off")
            || Double.valueOf(0).equals(meaning(text, 1));
        return isFalse ? false : null;
    }

    private static double number(Map<String, ?> row, String name) {
        Object value = row.get(name);
        if (value == null) {
            return Double.NaN;
        }
        if (value instanceof Boolean) {
            return (Boolean) value ? 1 : 0;
        }
        if (!(value instanceof Number)) {
            throw new IllegalArgumentException(
                "attribute '" + name + "': expected a number, got '" + value + "'");
        }
        if (value instanceof Float) {
            return Double.parseDouble(value.toString()); // the decimal that it prints
        }
        return ((Number) value).doubleValue();
    }"""


def java_source(committee: DecisionCommittee, class_name: str = "Committee") -> str:
    """Return a class for Java 8 and later that predicts as the committee does.

    Parameters
    ----------
    committee : DecisionCommittee
        Who predicts.
    class_name : str
        Name of the class, and so of its file.

    Raises
    ------
    ModelError
        If the committee is too large for a class of Java.
    OptionError
        If `class_name` is no name for the class.

    Notes
    -----
    Its static methods ``predict`` (a label, or the labels of a set), ``probabilities`` and
    ``votes`` take a ``Map`` from names to values; probabilities of classes have the bits of
    `DecisionCommittee.predict_proba`.  The text is ASCII.
    Attributes and rules are methods of their own, since Java limits the size of each.
    """
    if not re.fullmatch("[A-Z][A-Za-z0-9_]*", class_name) or class_name in _NAMES_IN_USE:
        raise OptionError(
            "expected a name for a Java class (a capital, then letters, digits and _; none of "
            f"{', '.join(_NAMES_IN_USE)}), got {class_name!r}"
        )
    require_java_size(committee)
    return _JavaClass(committee, class_name).text()


class _JavaClass:
    def __init__(self, committee: DecisionCommittee, class_name: str) -> None:
        self.committee = committee
        self.class_name = class_name
        self.place = {a: i for i, a in enumerate(used_attributes(committee))}

    def text(self) -> str:
        labels = self.committee.schema.labels
        lines = [
            *_comment(heading(self.committee), "//"),
            "",
            "import java.util.Map;",
            "",
            *_ABOUT.format(decision=_SET_DECISION if labels.are_sets else _DECISION).splitlines(),
            f"public final class {self.class_name} {{",
            "",
            "    private static final String[] LABELS = {",
            *listed(map(quoted, labels.values), " " * 8),
            "    };",
            "",
            *self._what_makes_probabilities(),
            f"    private {self.class_name}() {{}}",
            "",
            *(_SET_METHODS if labels.are_sets else _METHODS).splitlines(),
            "",
            *_READERS.splitlines(),
            "",
            *self._votes(),
        ]
        for k in range(len(self.committee.rules)):
            lines += ["", *self._rule(k)]
        for a in self.place:
            lines += ["", *self._attribute(a)]
        return "\n".join([*lines, "}"]) + "\n"

    def _what_makes_probabilities(self) -> list[str]:
        if self.committee.schema.labels.are_sets:
            of_labels = self.committee.label_scores
            return [
                "    private static final double[] SLOPES = slopes();",
                "",
                "    private static final double[] INTERCEPTS = intercepts();",
                "",
                f"    private static final double MIDDLE = {of_labels.middle!r};",
                "",
                f"    private static final double THRESHOLD = {of_labels.threshold!r};",
                "",
                *_numbers("slopes", of_labels.slopes.tolist()),
                *_numbers("intercepts", of_labels.intercepts.tolist()),
            ]
        calibration = self.committee.known_calibration
        return [
            "    private static final double[] SCORES = {",
            *listed(map(repr, self.committee.tie_scores.tolist()), " " * 8),
            "    };",
            "",
            "    private static final double[] FREQUENCIES = frequencies();",
            "",
            "    private static final double[] SHARES = shares();",
            "",
            f"    private static final double FACTOR = {calibration.factor!r};",
            "",
            *_numbers("frequencies", calibration.frequencies),
            *_numbers("shares", calibration.shares),
        ]

    def _votes(self) -> list[str]:
        reading = [f"x[{i}] = attribute{i + 1}(row);" for i in self.place.values()]
        adding = [f"rule{k + 1}(x, sums);" for k in range(len(self.committee.rules))]
        return [
            "    /** Returns the sum of votes for each label. */",
            "    public static int[] votes(Map<String, ?> row) {",
            "        int[] sums = new int[LABELS.length];",
            f"        Object[] x = new Object[{len(self.place)}];",
            *(f"        {line}" for line in [*reading, *adding]),
            "        return sums;",
            "    }",
        ]

    def _rule(self, k: int) -> list[str]:
        rule = self.committee.rules[k]
        tests = [self._test(literal) for literal in rule.monomial]
        lines = [
            *_comment([rule_in_words(self.committee, k)], "    //"),
            f"    private static void rule{k + 1}(Object[] x, int[] sums) {{",
            f"        if ({_all_of(tests)}) {{",
        ]
        lines += [
            f"            sums[{j}]{'++' if vote > 0 else '--'};"
            for j, vote in enumerate(rule.votes)
            if vote
        ]
        return [*lines, "        }", "    }"]

    def _test(self, literal: Literal) -> str:
        attribute = self.committee.schema.attributes[literal.attribute]
        value = f"x[{self.place[literal.attribute]}]"
        if literal.operator in ("<=", ">"):
            return f"(Double) {value} {literal.operator} {literal.value!r}"
        if literal.operator in ("known", "missing"):
            is_known = literal.operator == "known"
            if attribute.type != "nominal":
                return f"{'!' * is_known}((Double) {value}).isNaN()"
            return f"{value} {'!=' if is_known else '=='} null"
        labels = [quoted(attribute.values[code]) for code in literal.named]
        test = f"{labels[0]}.equals({value})"
        if len(labels) > 1:
            lines = "\n".join(listed(labels, " " * 16)).removesuffix(",")
            test = f"java.util.Arrays.asList(\n{lines}).contains({value})"
        return test if literal.is_for_named else f"{value} != null && !{test}"

    def _attribute(self, a: int) -> list[str]:
        """Return a method that reads an attribute; it also names it, since tests do not."""
        attribute = self.committee.schema.attributes[a]
        head = f"    private static Object attribute{self.place[a] + 1}(Map<String, ?> row) {{"
        if attribute.type != "nominal":
            return [head, f"        return number(row, {quoted(attribute.name)});", "    }"]
        known = listed(map(quoted, attribute.values), " " * 12)
        known[-1] = known[-1].removesuffix(",") + ");"
        return [head, f"        return label(row, {quoted(attribute.name)},", *known, "    }"]


def _numbers(name: str, numbers: Sequence[float]) -> list[str]:
    """Return a method that returns numbers: Java limits the size of each, initializers too."""
    return [
        f"    private static double[] {name}() {{",
        "        return new double[] {",
        *listed(map(repr, numbers), " " * 12),
        "        };",
        "    }",
        "",
    ]


def _all_of(tests: list[str]) -> str:
    """Return a conjunction, a test a line; long ones in parts, since javac recurses into them."""
    if len(tests) > _MOST_TESTS:
        parts = [tests[i : i + _MOST_TESTS] for i in range(0, len(tests), _MOST_TESTS)]
        return _all_of([f"({_all_of(part)})" for part in parts])
    return "\n            && ".join(tests)


def quoted(text: str) -> str:
    """Return a text as a literal of Java, in ASCII.

    Control characters are octal, since Java replaces Unicode escapes before it looks for the ends
    of literals.
    """
    parts = []
    for unit in _utf16(text):
        character = chr(unit)
        if character in '"\\':
            parts.append(f"\\{character}")
        elif unit < 32 or unit == 127:
            parts.append(f"\\{unit:03o}")
        else:
            parts.append(character if unit < 127 else f"\\u{unit:04x}")
    return f'"{"".join(parts)}"'


def _comment(lines: list[str], mark: str) -> list[str]:
    r"""Return lines of comment in ASCII; a doubled \ begins no Unicode escape."""
    return [
        "".join(
            chr(unit) if unit < 127 else f"\\u{unit:04x}"
            for unit in _utf16(line.replace("\\", "\\\\"))
        )
        for line in commented(lines, mark)
    ]


def _utf16(text: str) -> list[int]:
    """Return the units of a text in UTF-16, which are Java's chars."""
    units = text.encode("utf-16-be", "surrogatepass")
    return [units[i] << 8 | units[i + 1] for i in range(0, len(units), 2)]
