"""What several commands share: their options, and reading what these name."""

from __future__ import annotations

import json
import math
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from warnings import warn

import click
from click.core import ParameterSource

from widc_arff.arff.relation import Relation
from widc_arff.cli.every_command import is_quiet
from widc_arff.data.label_cells import with_labels_of_cells
from widc_arff.data.label_sets import meka_labels, mulan_labels, named_labels
from widc_arff.data.large_data import dataset_of
from widc_arff.data.schema import LabelCells
from widc_arff.data.survey import warn_of_identifiers
from widc_arff.errors import ArffError, DataError, OptionError, WidcWarning, printable
from widc_arff.evaluation.weka_folds import group_numbers
from widc_arff.model.committee import read_committee
from widc_arff.model.costs import read_costs, require_costs_for
from widc_arff.option_kinds import Bits, Choice, FileKind, Permission, Whole
from widc_arff.options import (
    OF_LABEL_SETS,
    LabelSetOptions,
    Options,
    needs_in_words,
    settings_of,
    unmet_needs,
)
from widc_arff.reports.kinds import LABELS_SHOWN
from widc_arff.system.files import require_place, text_written_whole
from widc_arff.tables import data_pieces
from widc_arff.tables.labels import class_index, find_attribute, names_between_commas, names_meant
from widc_arff.tables.uses import TableOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from widc_arff.arrays import Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix

_Command = TypeVar("_Command", bound="Callable[..., Any]")

_file_options = [
    click.option(
        "--encoding",
        default="utf-8",
        show_default=True,
        metavar="NAME",
        help="Encoding of the files.",
    ),
    click.option(
        "--decimal",
        type=click.Choice([".", ","]),
        default=".",
        show_default=True,
        help="Decimal mark of numbers in CSV files.",
    ),
    click.option(
        "--thousands",
        type=click.Choice([",", ".", "'", " "]),
        help="Thousands separator of numbers in CSV files.",
    ),
    click.option(
        "--dates",
        multiple=True,
        metavar="FORMAT",
        help="Format of dates in CSV files, such as dd/MM/yyyy (the letters of Java's "
        "SimpleDateFormat); may be repeated.  ISO 8601 dates need no format.",
    ),
    click.option(
        "--no-header",
        is_flag=True,
        help="CSV files have no header line; the columns are named x1, x2, ...",
    ),
]
model_argument = click.argument("model", metavar="MODEL.json")


def output_option(metavar: str, text: str, **settings: Any) -> Callable[[_Command], _Command]:
    """Return the option of where a result goes, as one file or - for standard output."""
    return click.option("-o", "--output", metavar=metavar, help=text, **settings)


def changed_model_option(what: str) -> Callable[[_Command], _Command]:
    """Return the option of where a model goes that is another after the command."""
    text = f"Where the {what} model goes; by default nowhere, the changes are only shown."
    return output_option("OUT.json|-", text)


unknown_option = click.option(
    "--unknown-as-missing",
    is_flag=True,
    help="Treat nominal values that training did not have as missing, and report the number of "
    "rows.",
)
nominal_option = click.option(
    "--nominal",
    multiple=True,
    metavar="NAME",
    help="Treat the values of this column (numbers, or a string attribute of ARFF) as categories; "
    "may be repeated.",
)
weights_option = click.option(
    "--weights",
    metavar="NAME",
    help="Column with the weights of the rows; rules do not use it.",
)
_SETTINGS = settings_of(Options)
_OF_SETS = {name: settings_of(LabelSetOptions)[name] for name in OF_LABEL_SETS}
LABEL_SETS_ONLY = (*OF_LABEL_SETS, "label_counts")
class_option = click.option(
    "--class",
    "--target",
    "label",
    show_default="last",
    metavar="NAME|NUMBER|first|last",
    help="Class attribute; in CSV and Parquet it is treated as nominal.",
)
_reading_options = [
    class_option,
    click.option(
        "--labels",
        metavar="FILE.xml|NAME,NAME,...",
        help="Label attributes, when a row can have several labels: MULAN's XML file (or -), or "
        "names and patterns such as 'Class*'.  By default those given in the relation name of a "
        "MEKA file.",
    ),
    click.option(
        "--label-separator",
        metavar="TEXT",
        help="With one attribute in --labels: the separator between the labels in a cell, such as "
        "| in 'rock|pop'.",
    ),
    click.option(
        "--label-counts",
        is_flag=True,
        help="Accept label attributes that hold counts: 0 means absent, more means present.",
    ),
    click.option(
        "--ignore",
        multiple=True,
        metavar="NAME[,NAME...]",
        help="Attributes to leave out: names or patterns, such as 'id*,name'; may be repeated.",
    ),
    nominal_option,
    weights_option,
    *_file_options,
]
decision_costs_option = click.option(
    "--costs",
    metavar="FILE.cost",
    help="Decide for the class with the lowest expected cost.  The file (or -) is a cost matrix "
    "in Weka's format: rows are true classes, columns are decisions.",
)
labels_shown_option = click.option(
    "--labels-shown",
    type=click.IntRange(0),
    default=LABELS_SHOWN,
    show_default=True,
    metavar="N",
    help="For label sets, show at most N labels at a time.",
)
layout_option = click.option(
    "--layout",
    type=click.Choice(["class", "rule"]),
    default="class",
    show_default=True,
    help="Print the rules grouped by class, or one by one (for label sets always one by one).",
)


def _training_option(name: str) -> Callable[[_Command], _Command]:
    """Return an option of the induction as the commands have it."""
    setting = (_OF_SETS | _SETTINGS)[name]
    kind, dashed = setting.kind, name.replace("_", "-")
    if isinstance(kind, Permission):
        return click.option(f"--no-{dashed}", f"no_{name}", is_flag=True, help=kind.forbidding)
    of_kind: dict[str, Any] = {"metavar": kind.metavar}
    if isinstance(kind, Choice):
        of_kind = {"type": click.Choice(kind.values)}
    elif isinstance(kind, Whole):
        of_kind["type"] = click.IntRange(kind.least)
    elif isinstance(kind, Bits):
        of_kind["type"] = click.FloatRange(0)
    return click.option(
        f"--{dashed}",
        multiple=kind.repeated,
        default=None if setting.default == () else setting.default,
        show_default=setting.unset or True,
        help=" ".join(filter(None, (setting.help, kind.note_of_command, needs_in_words(setting)))),
        **of_kind,
    )


_folding_options = [
    click.option(
        "--folds",
        type=click.IntRange(2),
        default=10,
        show_default=True,
        metavar="N",
        help="Number of folds: parts of the data, each used once for testing.",
    ),
    click.option(
        "--seed", type=int, default=1, show_default=True, metavar="N", help="Seed of Weka's folds."
    ),
    click.option(
        "--repeats",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        metavar="N",
        help="Number of rounds of folds, each with the next seed.",
    ),
]


def data_options(command: _Command) -> _Command:
    """Add the options that say how a data file is read and what its labels get."""
    return reading_options(_with_options(command, map(_training_option, OF_LABEL_SETS)))


def reading_options(command: _Command) -> _Command:
    """Add the options that say how a data file is read."""
    return _with_options(command, _reading_options)


def file_options(command: _Command) -> _Command:
    """Add the options that say how a data file is written; `FileForm` takes their values."""
    return _with_options(command, _file_options)


def training_options(command: _Command) -> _Command:
    """Add the options of the induction; `options_from` takes their values."""
    names = (name for name, setting in _SETTINGS.items() if not setting.library_only)
    return _with_options(command, map(_training_option, names))


def folding_options(command: _Command) -> _Command:
    """Add the options of folds."""
    return _with_options(command, _folding_options)


def _with_options(command: _Command, options: Iterable[Callable[[_Command], _Command]]) -> _Command:
    for option in reversed([*options]):
        command = option(command)
    return command


def options_from(**given: Any) -> Options:
    """Return options of the induction from the command line's values; those not given are usual."""
    values = {}
    try:
        for name, setting in _SETTINGS.items():
            value = given.get(name)
            if isinstance(setting.kind, Permission):
                value = not given.get(f"no_{name}")
            elif isinstance(setting.kind, FileKind) and value is not None:
                value = setting.kind.of_word(value)
            if value is not None:
                values[name] = value
        options = Options(**values)
    except OptionError as error:
        if error.place:  # of a file
            raise
        error.option = error.option or name  # a word that names no method
        raise click.UsageError(message_of_option(error)) from error
    _require_needed(_SETTINGS, options)
    return options


def given_with_needs(pruning: str) -> list[str]:
    """Return the options of the running command that have no effect with another pruning."""
    return [
        f"--{name.replace('_', '-')}"
        for name, setting in _SETTINGS.items()
        if is_given(name) and pruning not in setting.needs.get("pruning", (pruning,))
    ]


def _require_needed(names: Iterable[str], options: Options) -> None:
    """Refuse options of the running command without those with which they have an effect."""
    for name, other, values in unmet_needs(options, filter(is_given, names)):
        needed = f"--{other.replace('_', '-')} {' or '.join(values)}"
        raise click.UsageError(
            f"--{name.replace('_', '-')}: expected {needed} with it, got {getattr(options, other)}"
        )


class FileForm(NamedTuple):
    """How data files are written, from the command line's values of `file_options`."""

    encoding: str
    decimal: str
    thousands: str | None
    dates: tuple[str, ...]
    no_header: bool

    @classmethod
    def taken_from(cls, settings: dict[str, Any]) -> FileForm:
        """Take the values of the options out of all settings of a command."""
        return cls(**{name: settings.pop(name) for name in cls._fields})

    def options(self, **others: Any) -> TableOptions:
        """Return how a table is read, with other options beside these."""
        return TableOptions(
            encoding=self.encoding,
            decimal=self.decimal,
            thousands=self.thousands or "",
            dates=self.dates,
            header=not self.no_header,
            **others,
        )


class Source(NamedTuple):
    """How data files are read, from the command line's values of `data_options`."""

    label: str | None
    labels: str | None
    label_separator: str | None
    label_counts: bool
    ignore: tuple[str, ...]
    nominal: tuple[str, ...]
    weights: str | None
    vectors: str | None
    aim: str | None
    sets: str | None
    form: FileForm
    known_labels: tuple[str, ...] = ()
    """Labels that a model has, where they stand in one cell."""

    @classmethod
    def taken_from(cls, settings: dict[str, Any]) -> Source:
        """Take the values of the data options out of all settings of a command."""
        form = FileForm.taken_from(settings)
        names = [name for name in cls._fields if name not in ("form", "known_labels")]
        source = cls(**{name: settings.pop(name, None) for name in names}, form=form)
        if source.label is not None and source.labels is not None:
            raise click.UsageError("expected --class or --labels, got both")
        if source.label_separator is not None and source.labels is None:
            raise click.UsageError("--label-separator: expected --labels NAME with it")
        return source

    def read(self, path: str, most_cells: int | None = None) -> Dataset:
        """Return the examples of a data file; messages name the file, warnings its identifiers.

        The columns of an ARFF file of more than `most_cells` values stay in a temporary file.
        """
        with messages_of(path):
            dataset = self.dataset(self.pieces(path, most_cells), self.ignore)
        self._warn_of_label_file(dataset, path)
        warn_of_identifiers(dataset, path)
        return dataset

    def _warn_of_label_file(self, dataset: Dataset, path: str) -> None:
        """Warn where a file beside the data names labels, and one attribute is the class."""
        beside = Path(path).with_suffix(".xml")
        if self.label is not None or dataset.schema.labels.are_sets or not beside.is_file():
            return
        try:
            names = mulan_labels(str(beside))
        except (ArffError, DataError):
            return  # of another kind
        schema = dataset.schema
        known = {*schema.labels.attributes, *(attribute.name for attribute in schema.attributes)}
        if known.issuperset(names):
            warn(
                f"{path}: {beside} lists {len(names)} labels, which are read as attributes here; "
                f"use --labels {beside} to learn them",
                WidcWarning,
                stacklevel=2,
            )

    def read_in_groups(self, path: str, attribute: str) -> tuple[Dataset, Integers]:
        """Return the examples of a data file, and which of them belong together.

        Parameters
        ----------
        path : str
            The file.
        attribute : str
            Rows with the same value of it have the same number; learning leaves it out.
        """
        with messages_of(path):
            (relation,) = self.pieces(path, texts=(attribute,))
            index = find_attribute(relation.attributes, attribute, "groups")
            names = [a.name for a in relation.attributes]
            targets = self.label_names(relation)
            what = "class" if len(targets) == 1 else "labels"
            if index in [class_index(names, target) for target in targets]:
                raise DataError(
                    f"groups: expected an attribute other than the {what}, got {attribute!r}"
                )
            groups = group_numbers(relation.attributes[index], relation.columns[index])
            dataset = self.dataset(iter([relation]), (*self.ignore, attribute))
        warn_of_identifiers(dataset, path)
        return dataset, groups

    def pieces(
        self,
        path: str,
        most_cells: int | None = None,
        *,
        quiet: bool = False,
        any_class: bool = False,
        texts: tuple[str, ...] = (),
    ) -> Iterator[Relation]:
        """Yield the rows of a data file; those of an ARFF file in pieces of `most_cells` values.

        Parameters
        ----------
        path : str
            The file.
        most_cells : int, optional
            By default all is one piece.
        quiet : bool
            Whether to say nothing of the types that were found.
        any_class : bool
            Whether the class of CSV and Parquet may be anything, as other columns.
        texts : tuple of str
            Columns of CSV and Parquet to read as they are and say nothing of.
        """
        without_class = any_class or self.labels is not None
        options = self.form.options(
            target=None if without_class else self.label or "last",
            ignore=self.ignore,
            nominal=self.nominal,
            weights=self.weights,
            texts=texts,
            lists=self.label_cells and self.label_cells.attribute,
        )
        on_types = None if quiet else show_types
        pieces = data_pieces(path, options, on_types=on_types, most_cells=most_cells)
        if self.label_cells is None:
            return pieces
        whole = Relation.joined(list(pieces))
        return iter([with_labels_of_cells(whole, self.label_cells, self.known_labels)])

    @property
    def label_cells(self) -> LabelCells | None:
        """Where the labels of a row stand in one cell."""
        if self.label_separator is None:
            return None
        return LabelCells(str(self.labels), self.label_separator)

    def dataset(self, pieces: Iterator[Relation], ignore: tuple[str, ...]) -> Dataset:
        """Return the examples of pieces of a file, without some attributes."""
        first = next(pieces)
        names = self.label_names(first)
        pieces = chain([first], pieces)
        del first  # its columns make room for the next ones
        if len(names) == 1:  # a class attribute of any number of values
            dataset = dataset_of(pieces, names[0], ignore)
        else:
            dataset = dataset_of(pieces, ignore=ignore, labels=names, counts=self.label_counts)
        labels = replace(dataset.schema.labels, cells=self.label_cells)
        return replace(dataset, schema=replace(dataset.schema, labels=labels))

    def label_names(self, relation: Relation) -> tuple[str, ...]:
        """Return the label attributes, or the class attribute alone."""
        if self.label is not None:
            return (self.label,)
        if self.labels is None or self.label_separator is not None:
            return meka_labels(relation) or ("last",)
        if self.labels == "-" or self.labels.endswith(".xml"):
            return named_labels(relation, mulan_labels(self.labels), self.labels)
        known = {attribute.name for attribute in relation.attributes}
        every = [attribute.name for attribute in relation.attributes]
        names = []
        for part in names_between_commas(self.labels, known, "--labels"):
            is_pattern = part not in known and set(part) & set("*?[")
            names += names_meant(every, [part], "--labels") if is_pattern else [part]
        return named_labels(relation, names, "--labels")

    def suited(self, options: Options, dataset: Dataset) -> Options:
        """Return options as they hold for a data set, with label sets or without."""
        if not dataset.schema.labels.are_sets:
            for name in filter(is_given, LABEL_SETS_ONLY):
                require_label_sets(dataset, name)
            return options
        values = {name: getattr(self, name) for name in _OF_SETS if getattr(self, name) is not None}
        try:
            of_sets = LabelSetOptions.of(options, **values)
        except OptionError as error:
            raise click.UsageError(message_of_option(error)) from error
        _require_needed(_OF_SETS, of_sets)
        return of_sets


def require_label_sets(dataset: Dataset, option: str) -> None:
    """Refuse an option that is for label sets where rows have one class."""
    labels = dataset.schema.labels
    if not labels.are_sets:
        raise click.UsageError(
            f"--{option.replace('_', '-')}: expected label sets with it (--labels), got the class "
            f"attribute {labels.attributes[0]!r}"
        )


def require_output(output: str | None) -> None:
    """Refuse an output whose folder is not there or cannot be written to, before all work."""
    if output not in (None, "-"):
        require_place(str(output))


def write_text(text: str, output: str) -> None:
    """Write a text in UTF-8, whatever the encoding of the terminal; - is standard output."""
    if output == "-":
        click.echo(text.encode("utf-8"), nl=False)
        return
    with text_written_whole(output) as stream:
        stream.write(text)


@contextmanager
def messages_of(path: str) -> Iterator[None]:
    """Let faults of data begin with the name of their file."""
    try:
        yield
    except DataError as error:
        error.in_file(path)
        raise


def files_of_options(settings: Mapping[str, Any]) -> dict[str, str | None]:
    """Return of options that can stand in files of their own these files, if given."""
    return {name: settings[name] for name in ("cut_points", "costs")}


@contextmanager
def messages_of_learning(data: str, in_files: Mapping[str, str | None]) -> Iterator[None]:
    """Let faults of data, and of options that do not fit them, begin with the file at fault."""
    try:
        with messages_of(data):
            yield
    except OptionError as error:
        error.at(in_files.get(error.option) or data)
        raise


def message_of_option(error: OptionError) -> str:
    """Return the message with the option as it is called on the command line."""
    return f"--{error.option.replace('_', '-')}: {error.message}"


def is_given(option: str) -> bool:
    """Tell whether an option of the running command is not at its default."""
    context = click.get_current_context(silent=True)  # none where Python calls
    source = None if context is None else context.get_parameter_source(option)
    return source not in (None, ParameterSource.DEFAULT)


def as_typed(*names: str) -> tuple[str, ...]:
    """Return those of some options of the running command that are given, as words of a line."""
    context = click.get_current_context()
    words: list[str] = []
    for option in context.command.params:
        if option.name not in names or not is_given(option.name):
            continue
        value = context.params[option.name]
        if value is True:
            words.append(option.opts[0])
        for text in value if isinstance(value, tuple) else [value] * (value is not True):
            words += [option.opts[0], str(text)]
    return tuple(words)


def show_types(types: str) -> None:
    """Tell the user which types a file without declarations was found to have."""
    if not is_quiet():
        click.echo(printable(types), err=True)


def read_model(path: str) -> DecisionCommittee:
    """Return the committee of a model file; warn where its figures are not known."""
    committee = read_committee(path)
    if not committee.is_fitted:
        warn(
            f"{path} was changed without data, so its probabilities are not fitted; widc-arff "
            f"edit {path} DATA.arff -o OUT.json fits them",
            WidcWarning,
            stacklevel=2,
        )
    return committee


def costs_for(path: str, committee: DecisionCommittee) -> CostMatrix:
    """Return the costs of a file for the classes of a committee."""
    if committee.schema.labels.are_sets:
        raise click.UsageError("--costs: expected a model with one class per row, got label sets")
    costs = read_costs(path)
    try:
        require_costs_for(committee.schema.labels, costs)
    except OptionError as error:
        error.at(path)
        raise
    return costs


def decision_costs(path: str | None, committee: DecisionCommittee) -> CostMatrix | None:
    """Return the costs that a file gives the decisions of a committee."""
    if path is None:
        return None
    costs = costs_for(path, committee)
    options = committee.training.options
    if any(options.get(name) is not None for name in ("costs", "class_weight")):
        warn(
            "the model was trained with costs or class weights, so its probabilities already "
            "reflect them; to decide by cost, train without them",
            WidcWarning,
            stacklevel=2,
        )
    return costs


def dump_json(data: object) -> str:
    """Return one line of JSON; what is undefined (NaN) becomes null."""
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    except ValueError:  # there is a NaN
        text = json.dumps(_without_nan(data), ensure_ascii=False, allow_nan=False)
    return text + "\n"


def _without_nan(data: Any) -> Any:
    if isinstance(data, float):
        return None if math.isnan(data) else data
    if isinstance(data, dict):
        return {key: _without_nan(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_without_nan(value) for value in data]
    return data
