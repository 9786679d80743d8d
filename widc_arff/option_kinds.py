"""What options can be: one class for each kind of value, with its check and its spellings.

A kind knows the values an option may have, and how they are written in Python, in a model file, and
as words of a command line.  The form of click's options, of Weka's properties and of the
estimator's parameters depends on the kind alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from widc_arff.errors import ArffError, OptionError, did_you_mean, first_repeated
from widc_arff.model.costs import CostMatrix, all_equal, check_costs, costs_of_text, read_costs
from widc_arff.model.expert_rules import ExpertRule, parse_rules, read_rules, rules_of_text
from widc_arff.system.files import bytes_of, decoded, parsed_json
from widc_arff.tolerance import LARGEST_WEIGHT, LEAST_WEIGHT, is_weight

CUT_POINT_METHODS = ("mdl+", "mdl", "all", "quantile:K", "width:K")
_METHODS_SPELT = ("mdl+", "mdl", "all", "quantile:32", "width:32")

ClassWeights = tuple[tuple[str, float], ...]
CutPointTable = tuple[tuple[str, tuple[float, ...]], ...]


class Kind:
    """A kind of value.

    Attributes
    ----------
    python : str
        The type, for a docstring.
    metavar : str
        What stands for a value in the help of a command.
    note, note_of_command : str
        What to say of all values of this kind, in Python and in the help of a command.
    repeated : bool
        Whether a command takes the option several times, with a text each.
    """

    python: str = "str"
    metavar: str = "TEXT"
    note: ClassVar[str] = ""
    note_of_command: ClassVar[str] = ""
    repeated: ClassVar[bool] = False

    def value_of(self, given: Any) -> Any:
        """Return the value of what is given: in Python, in JSON, or as text.

        Raises
        ------
        OptionError
            If it is none.
        """
        raise NotImplementedError

    def data_of(self, value: Any) -> Any:
        """Return a value as plain data, of which `value_of` makes it again; None for no effect."""
        return list(value) if isinstance(value, tuple) else value

    def texts_of(self, value: Any) -> list[str]:
        """Return a value as texts of a command line."""
        return [str(value)]


class FileKind(Kind):
    """A kind of value that commands take from a file."""

    metavar = "FILE"

    def texts_of(self, value: Any) -> list[str]:  # noqa: ARG002 - as of all kinds
        raise OptionError("expected the name of a file, got a value")

    def of_text(self, text: str, source: str) -> Any:
        """Return the value in the text of a file."""
        raise NotImplementedError

    def of_word(self, word: str) -> Any:
        """Return the value that a word of a command line names, the path of a file or -."""
        raise NotImplementedError


@dataclass(frozen=True)
class Choice(Kind):
    """One of several words."""

    values: tuple[str, ...]
    of_what: str = ""
    """What has these values alone."""

    @property
    def python(self) -> str:  # type: ignore[override]
        return "{" + ", ".join(f'"{value}"' for value in self.values) + "}"

    def value_of(self, given: Any) -> str:
        if not isinstance(given, str) or given not in self.values:
            raise OptionError(
                f"expected one of {', '.join(self.values)}{self.of_what}, got {given!r}"
                + did_you_mean(str(given), self.values)
            )
        return str(given)


class Bits(Kind):
    """A price or a penalty."""

    python = "float"
    metavar = "BITS"

    def value_of(self, given: Any) -> float:
        if not (_is_number(given) and 0 <= given <= LARGEST_WEIGHT):
            raise OptionError(
                f"expected a number of bits from 0 to {LARGEST_WEIGHT}, got {given!r}"
            )
        return float(given)


class Fraction(Kind):
    """A number between 0 and 1."""

    python = "float"
    metavar = "P"

    def value_of(self, given: Any) -> float:
        if not (_is_number(given) and 0 < given < 1):
            raise OptionError(f"expected a number between 0 and 1, got {given!r}")
        return float(given)


@dataclass(frozen=True)
class Whole(Kind):
    """A limit: a whole number from a least one."""

    least: int
    python = "int"
    metavar = "N"

    def value_of(self, given: Any) -> int:
        value = given.item() if isinstance(given, np.generic) else given
        if type(value) is not int or value < self.least:
            raise OptionError(f"expected a whole number from {self.least}, got {given!r}")
        return value


@dataclass(frozen=True)
class Permission(Kind):
    """Whether something is allowed, by default True; a flag ``--no-NAME`` of a command."""

    forbidding: str
    """What the flag does, for the help of a command."""
    python = "bool"

    def value_of(self, given: Any) -> bool:
        if not isinstance(given, bool | np.bool_):
            raise OptionError(f"expected True or False, got {given!r}")
        return bool(given)

    def data_of(self, value: bool) -> bool | None:
        return None if value else False


class Coverage(Kind):
    """A weight of rows, or a share of the weight of all."""

    python = "float, str"
    metavar = "N|P%"

    def value_of(self, given: Any) -> float | str:
        least_weight(given, 1.0)
        is_share = isinstance(given, str) and given.strip().endswith("%")
        return str(given) if is_share else float(given)


@dataclass(frozen=True)
class Names(Kind):
    """Some of several names; ``plain`` for none."""

    values: tuple[str, ...]
    python = "sequence of str"
    metavar = "plain|LIST"

    def value_of(self, given: Any) -> tuple[str, ...]:
        if isinstance(given, str):
            given = () if given == "plain" else [name.strip() for name in given.split(",")]
        names = _texts(given)
        for name in names:
            if name not in self.values:
                raise OptionError(
                    f"expected {', '.join(self.values)} or plain, got {name!r}"
                    + did_you_mean(name, self.values)
                )
        return names

    def texts_of(self, value: tuple[str, ...]) -> list[str]:
        return [",".join(value) or "plain"]


@dataclass(frozen=True)
class Texts(Kind):
    """Texts of one form each, which commands take one by one."""

    metavar: str
    python = "sequence of str"
    note_of_command = "May be repeated."
    repeated = True

    def value_of(self, given: Any) -> tuple[str, ...]:
        return _texts(given)

    def data_of(self, value: tuple[str, ...]) -> list[str] | None:
        return list(value) or None

    def texts_of(self, value: tuple[str, ...]) -> list[str]:
        return list(value)


@dataclass(frozen=True)
class Directions(Texts):
    """Directions of attributes such as ``age=+sick``."""

    metavar: str = "NAME=+LABEL|NAME=-LABEL"

    def value_of(self, given: Any) -> tuple[str, ...]:
        texts = _texts(given)
        parsed = set(map(parse_direction, texts))
        for name, sign, label in parsed:
            if (name, "-" if sign == "+" else "+", label) in parsed:
                raise OptionError(f"expected one direction of {name!r} for {label!r}, got both")
        return texts


class ClassFactors(Kind):
    """Factors by label, or ``balanced``."""

    python = 'dict, "balanced"'
    metavar = "LABEL=W|balanced"
    note_of_command = "May be repeated."
    repeated = True

    def value_of(self, given: Any) -> ClassWeights | str | None:
        if isinstance(given, tuple | list) and list(given) in ([], ["balanced"]):
            return "balanced" if given else None
        if isinstance(given, str):
            if given != "balanced":
                raise OptionError(
                    f"expected LABEL=W or balanced, got {given!r}"
                    + did_you_mean(given, ("balanced",))
                )
            return given
        pairs = given.items() if isinstance(given, Mapping) else given
        try:
            weights = tuple(map(_label_and_factor, pairs))
        except TypeError as error:
            raise OptionError(f"expected factors by label, or balanced, got {given!r}") from error
        repeated = first_repeated([label for label, _ in weights])
        if repeated is not None:
            raise OptionError(f"expected one weight for {repeated!r}, got several")
        for label, weight in weights:
            check_class_weight(label, weight)
        return weights

    def data_of(self, value: ClassWeights | str) -> str | dict[str, float] | None:
        if isinstance(value, str):
            return value
        return {label: weight for label, weight in value if weight != 1} or None

    def texts_of(self, value: ClassWeights | str) -> list[str]:
        if isinstance(value, str):
            return [value]
        return [f"{label}={repr(weight).removesuffix('.0')}" for label, weight in value]


class CutPoints(FileKind):
    """A method that finds cut points, or a table of them."""

    python = "str or table"
    metavar = "mdl+|mdl|all|quantile:K|width:K|FILE"
    note = (
        "A method (mdl+, mdl, all, quantile:K or width:K), or a dict of increasing numbers by name."
    )
    note_of_command = "A method, or a JSON file (or -): {attribute: [cut, ...]}."

    def value_of(self, given: Any) -> str | CutPointTable:
        if isinstance(given, str):
            parse_cut_point_method(given)
            return given
        try:
            return _table(given)
        except (TypeError, ValueError) as error:
            raise OptionError(
                "expected a method or a dict of increasing numbers by name of the attribute, "
                f"got {given!r}"
            ) from error

    def data_of(self, value: str | CutPointTable) -> str | dict[str, list[float]]:
        return value if isinstance(value, str) else {name: list(cuts) for name, cuts in value}

    def of_text(self, text: str, source: str) -> CutPointTable:
        """Return the table of cut points in the text of a JSON file.

        Raises
        ------
        ArffError
            If it is not JSON.
        OptionError
            If it is not an object of lists of increasing, finite numbers.
        """
        try:
            data = parsed_json(text)
        except ValueError as error:
            raise ArffError(f"expected cut points as JSON, got: {error}", source) from error
        try:
            return _table(data)
        except (TypeError, ValueError) as error:
            expected = "expected an object {attribute: [cut, ...]} of numbers"
            raise OptionError(expected, place=source) from error
        except OptionError as error:
            error.at(source)
            raise

    def of_word(self, word: str) -> str | CutPointTable:
        """Return the method or the table that a word names.

        Raises
        ------
        ArffError
            If a file is no JSON.
        OptionError
            If the word is no method and no file, or the file holds something else.
        """
        if word != "-" and not Path(word).is_file():
            try:
                return self.value_of(word)
            except OptionError as error:
                if "." in word or "/" in word:
                    error.message += " and there is no such file"
                raise
        try:
            return self.of_text(decoded(bytes_of(word)), word)
        except UnicodeDecodeError as error:
            raise ArffError(f"expected cut points as JSON, got: {error}", word) from error


class Costs(FileKind):
    """A matrix of costs."""

    python = "matrix"
    metavar = "FILE.cost"
    note_of_command = "A file in Weka's format; or -."

    def value_of(self, given: Any) -> CostMatrix:
        try:
            matrix = tuple(tuple(map(_number, row)) for row in given)
        except (TypeError, ValueError) as error:
            raise OptionError(f"expected a matrix of numbers, got {given!r}") from error
        check_costs(matrix)
        return matrix

    def data_of(self, value: CostMatrix) -> list[list[float]] | None:
        return None if all_equal(value) else [list(row) for row in value]

    def texts_of(self, value: CostMatrix) -> list[str]:
        return [f"[{'; '.join(' '.join(map(repr, row)) for row in value)}]"]

    def of_text(self, text: str, source: str) -> CostMatrix:
        return costs_of_text(text, source)

    def of_word(self, word: str) -> CostMatrix:
        return read_costs(word)


class Rules(FileKind):
    """Rules of an expert."""

    python = "sequence of str"
    note_of_command = (
        "One rule per line (if NAME <= 1 and NAME = VALUE then LABEL), or a model file; or -."
    )

    def value_of(self, given: Any) -> tuple[ExpertRule, ...]:
        if isinstance(given, tuple) and all(isinstance(rule, ExpertRule) for rule in given):
            return given
        return parse_rules(_texts(given), "rules")

    def data_of(self, value: tuple[ExpertRule, ...]) -> list[str] | None:
        return list(map(str, value)) or None

    def of_text(self, text: str, source: str) -> tuple[ExpertRule, ...]:
        return rules_of_text(text, source)

    def of_word(self, word: str) -> tuple[ExpertRule, ...]:
        return read_rules(word)


def least_weight(min_coverage: float | str, total: float) -> float:
    """Return the weight that a rule covers at least.

    Parameters
    ----------
    min_coverage : float or str
        A weight from 1, or a share of `total` as a text such as ``"5%"``.
    total : float
        Weight of all training examples.

    Raises
    ------
    OptionError
        If it is neither.
    """
    match = None
    if isinstance(min_coverage, str):
        match = re.fullmatch(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*%", min_coverage.strip())
        if match is not None and 0 < float(match[1]) <= 100:
            return float(match[1]) / 100 * total
    weight = _number_in(min_coverage)
    if match is None and 1 <= weight < math.inf:
        return weight
    raise OptionError(
        f"expected a weight from 1 or a share such as 5%, up to 100%, got {min_coverage!r}"
    )


def parse_direction(text: str) -> tuple[str, str, str]:
    """Return name, sign and label of a direction such as ``age=+sick``."""
    match = re.fullmatch(r"(.+?)=([+-])(.+)", text, re.DOTALL) if isinstance(text, str) else None
    if match is None:
        raise OptionError(f"expected NAME=+LABEL or NAME=-LABEL, got {text!r}")
    return match[1], match[2], match[3]


def parse_cut_point_method(text: str) -> tuple[str, int]:
    """Return name and K of a cut point method; K is 0 where the method takes none."""
    if text in ("mdl+", "mdl", "all"):
        return text, 0
    match = re.fullmatch(r"(quantile|width):([0-9]{1,5})", text)
    if match is None or not 2 <= int(match[2]) <= 65535:
        raise OptionError(
            f"expected one of {', '.join(CUT_POINT_METHODS)} (K from 2 to 65535), "
            f"got {text!r}" + ("" if match else did_you_mean(text, _METHODS_SPELT))
        )
    return match[1], int(match[2])


def check_class_weight(label: object, weight: float) -> None:
    """Check what the weights of a class are multiplied by.

    Raises
    ------
    OptionError
        If it is 0, negative or out of range.
    """
    if not (is_weight(weight) and weight):
        raise OptionError(
            f"expected a weight from {LEAST_WEIGHT} to {LARGEST_WEIGHT} for "
            f"{label!r}, got {weight!r}",
            option="class_weight",
        )


def _table(given: Any) -> CutPointTable:
    """Return a table of cut points; its shape is at fault in TypeError and ValueError."""
    try:
        table = tuple((name, tuple(map(_number, cuts))) for name, cuts in dict(given).items())
    except OverflowError as error:
        raise OptionError("expected finite numbers, got an infinite one") from error
    for name, cuts in table:
        if any(not math.isfinite(cut) for cut in cuts):
            raise OptionError(f"expected finite numbers for {name!r}, got {cuts!r}")
        if any(low >= high for low, high in pairwise(cuts)):
            raise OptionError(f"expected increasing numbers for {name!r}, got {cuts!r}")
    return table


def _is_number(given: object) -> bool:
    return isinstance(given, int | float | np.number) and not isinstance(given, bool)


def _number_in(given: object) -> float:
    """Return a number, or that in a text; NaN for anything else."""
    if isinstance(given, str) or _is_number(given):
        try:
            return float(given)  # type: ignore[arg-type]
        except (ValueError, OverflowError):
            return math.nan
    return math.nan


def _texts(given: Any) -> tuple[str, ...]:
    is_list = isinstance(given, Iterable) and not isinstance(given, str | Mapping)
    texts = tuple(given) if is_list else ()
    if not (is_list and all(isinstance(text, str) for text in texts)):
        raise OptionError(f"expected a list of texts, got {given!r}")
    return texts


def _label_and_factor(pair: Any) -> tuple[str, float]:
    """Return a label and its factor, of a pair or of a text ``LABEL=W``."""
    if not isinstance(pair, str):
        label, factor = pair
        if not _is_number(factor):
            raise TypeError(f"{factor!r} is not a number")
        return label, float(factor)
    label, _, word = pair.rpartition("=")
    try:
        factor = float(word)
    except ValueError:
        label = ""
    if not label:
        raise OptionError(f"expected LABEL=W or balanced, got {pair!r}")
    return label, factor


def _number(given: Any) -> float:
    if not _is_number(given):
        raise TypeError(f"{given!r} is not a number")
    return float(given)
