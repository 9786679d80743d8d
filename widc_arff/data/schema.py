"""What a committee knows of its data: attributes and labels, and which of them rules can use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from widc_arff.arff.relation import Attribute
from widc_arff.errors import DataError, OptionError, did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

_MOST_NAMED = 20
_LONGEST_OPTION = 1000


class LabelCells(NamedTuple):
    """Where all labels of a row stand in one cell: an attribute, and what is between labels."""

    attribute: str
    separator: str


@dataclass(frozen=True, slots=True)
class Labels:
    """The classes that a committee votes on.

    Parameters
    ----------
    kind : {"single", "multi"}
        Whether each example has one class, or a set of labels.
    attributes : tuple of str
        Name of the class attribute; for label sets the label attributes.
    values : tuple of str
        The declared labels, in the order of the header; for label sets the names of the label
        attributes again.
    type : str
        What the labels were in Python, for label sets what is absent and present, as
        `widc_arff.data.label_types` names it; nothing for texts.
    cells : LabelCells, optional
        Where data may have the labels of a set in one cell, in place of the label attributes.
    """

    kind: str
    attributes: tuple[str, ...]
    values: tuple[str, ...]
    type: str = ""
    cells: LabelCells | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of what may hold the labels of a row."""
        return self.attributes if self.cells is None else (*self.attributes, self.cells.attribute)

    @property
    def are_sets(self) -> bool:
        """Whether an example can have any number of labels."""
        return self.kind == "multi"

    def index(self, label: str, option: str = "") -> int:
        """Return the index of a class label that was given in an option.

        Raises
        ------
        OptionError
            If there is no such label.
        """
        if label not in self.values:
            raise OptionError(
                f"expected a label of {self.attributes[0]!r} ({listed(self.values)}), got "
                f"{label!r}" + did_you_mean(label, self.values),
                option=option,
            )
        return self.values.index(label)


@dataclass(frozen=True, slots=True)
class Schema:
    """What a committee must know about the data: attributes and labels.

    Of attributes that its rules do not test, a committee knows only the names; they are string
    attributes (`brief`).

    Examples
    --------
    >>> from widc_arff import read_dataset
    >>> schema = read_dataset("arff_data/iris.arff").schema
    >>> [attribute.name for attribute in schema.attributes][-1], schema.n_classes
    ('petal_width', 3)
    """

    relation: str
    attributes: tuple[Attribute, ...]
    labels: Labels

    @property
    def n_classes(self) -> int:
        """Number of declared labels."""
        return len(self.labels.values)

    @property
    def declared(self) -> dict[str, Attribute]:
        """The attributes that rules can test by name, and the class; labels of sets are not."""
        declared = {
            attribute.name: attribute for attribute in self.attributes if is_usable(attribute)
        }
        if not self.labels.are_sets:
            name = self.labels.attributes[0]
            declared[name] = Attribute(name, "nominal", self.labels.values)
        return declared

    def brief(self, used: Collection[int]) -> Schema:
        """Return the schema without what is known of attributes that are not in use."""
        return replace(
            self,
            attributes=tuple(
                attribute if i in used else Attribute(attribute.name, "string")
                for i, attribute in enumerate(self.attributes)
            ),
        )


class Positions:
    """Where attributes and their labels stand, found by their texts however many there are.

    Parameters
    ----------
    attributes : sequence of Attribute
        With different names.
    """

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self._attributes = attributes
        self.attribute = {attribute.name: i for i, attribute in enumerate(attributes)}
        self._codes: dict[int, dict[str, int]] = {}

    def code(self, attribute: int, label: object) -> int | None:
        """Return the code of a label of a nominal attribute; None if it has no such label."""
        if attribute not in self._codes:
            values = self._attributes[attribute].values
            self._codes[attribute] = {value: code for code, value in enumerate(values)}
        return self._codes[attribute].get(label) if isinstance(label, str) else None


def is_usable(attribute: Attribute) -> bool:
    """Tell whether there are literals for the type of an attribute."""
    return attribute.type not in ("string", "relational")


def require_usable(attributes: Sequence[Attribute]) -> None:
    """Refuse attributes that no literal can test, all at once.

    Raises
    ------
    DataError
        The message has the option that leaves them out.
    """
    unusable = [attribute for attribute in attributes if not is_usable(attribute)]
    if not unusable:
        return
    advice = f"leave {'it' if len(unusable) == 1 else 'them'} out with {ignoring(unusable)}"
    if all(attribute.type == "string" for attribute in unusable):
        advice += ", or take texts as labels with --nominal NAME"
    if len(unusable) == 1:
        raise DataError(
            f"attribute {unusable[0].name!r}: expected a nominal, numeric or date attribute, got a "
            f"{unusable[0].type} one; {advice}"
        )
    types = " and ".join(sorted({attribute.type for attribute in unusable}))
    names = ", ".join(repr(attribute.name) for attribute in unusable[:_MOST_NAMED])
    if len(unusable) > _MOST_NAMED:
        names += f", ... ({len(unusable)} in all)"
    raise DataError(
        f"attributes {names}: expected nominal, numeric or date attributes, got {types} ones; "
        f"{advice}"
    )


def ignoring(attributes: Iterable[Attribute]) -> str:
    """Return the option that leaves attributes out, quoted for a shell; of very many its form."""
    return ignoring_names([attribute.name for attribute in attributes])


def ignoring_names(names: Sequence[str]) -> str:
    """Return the option that leaves attributes of some names out."""
    text = ",".join(names)
    if len(text) > _LONGEST_OPTION:
        return "--ignore 'NAME,NAME,...', also with patterns such as 'id*'"
    if text.isprintable():
        return "--ignore '" + text.replace("'", "'\\''") + "'"
    letters = text.replace("\\", "\\\\").replace("'", "\\'")
    plain = [c if c.isprintable() else c.encode("unicode_escape").decode() for c in letters]
    return f"--ignore $'{''.join(plain)}'"
