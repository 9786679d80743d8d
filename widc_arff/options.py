"""Options of the induction: one table, of which every other form of them is made.

A field of `Options` is all that an option needs: its default, its kind of value, and its help.  The
options of the commands, the parameters of the estimator, the properties of the Weka classifier and
what model files store follow from it; so do the docstrings, which a test writes.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from widc_arff.errors import OptionError
from widc_arff.model.label_threshold import SETS
from widc_arff.option_kinds import (
    Bits,
    Choice,
    ClassFactors,
    ClassWeights,
    Costs,
    Coverage,
    CutPoints,
    CutPointTable,
    Directions,
    Fraction,
    Names,
    Permission,
    Rules,
    Texts,
    Whole,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Self

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix
    from widc_arff.model.expert_rules import ExpertRule
    from widc_arff.option_kinds import Kind

PRUNINGS = ("pessimistic", "optimistic", "none", "refined")
LABEL_SET_PRUNINGS = ("pessimistic", "none", "refined")
VECTORS = ("exact", "approximate")
AIMS = ("sets", "ranking")
VOTES = ("sparse", "one", "free")
LITERALS = ("sets", "order", "known")

_REFINED = {"pruning": ("refined",)}


@dataclass(frozen=True, slots=True)
class Setting:
    """All that is known of an option.

    Parameters
    ----------
    default
        Its default.
    kind : Kind
        What it can be.
    help : str
        What it does, in sentences that hold in every place.
    needs : mapping of str to tuple of str
        Other options, and the values with which this one has an effect.
    unset : str
        What happens if it is not given, where its default is None.
    single_class : bool
        Whether it is for one class a row only, not for label sets.
    library_only : bool
        Whether neither the commands nor the Weka classifier have it.
    always_stored : bool
        Whether a model file names it at its default too.
    """

    default: Any
    kind: Kind
    help: str
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unset: str = ""
    single_class: bool = False
    library_only: bool = False
    always_stored: bool = False


def _option(default: Any, kind: Kind, help: str, **more: Any) -> Any:  # noqa: A002, ANN401
    return field(default=default, metadata={"setting": Setting(default, kind, help, **more)})


def settings_of(options: type[Options]) -> dict[str, Setting]:
    """Return the settings of options by name, in their order."""
    return {field.name: field.metadata["setting"] for field in fields(options)}


def needs_in_words(setting: Setting) -> str:
    """Return with what other options a setting has an effect, as a sentence."""
    if not setting.needs:
        return ""
    terms = (f"{' or '.join(values)} {name}" for name, values in setting.needs.items())
    return f"Only with {' and '.join(terms)}."


def unmet_needs(
    options: Options, names: Iterable[str]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield which of some options have no effect, and which values of which other one they need."""
    settings = settings_of(type(options))
    for name in names:
        for other, values in settings[name].needs.items():
            if getattr(options, other) not in values:
                yield name, other, values


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of the learner.

    Parameters
    ----------
    pruning : {"pessimistic", "optimistic", "none", "refined"}
        How the committee is kept small. refined: search for the committee with the shortest total
        description (its errors plus its conditions plus its votes); pessimistic, optimistic: grow a
        large committee and remove rules, as in the paper (sections 5.3.1 and 5.3.2); none: remove
        nothing.
    penalty : float
        Price of a condition in bits. Only with refined pruning.
    votes : {"sparse", "one", "free"}
        How votes are priced with three or more classes. A rule singles out a class if its vote on
        it differs from the rule's most common vote. sparse: each such vote has a price; one: the
        same, and each learned rule singles out exactly one class; free: no charge. In all cases a
        learned rule votes for a class only if the class is more frequent among the covered rows
        than among all rows, and against it only if it is less frequent. Only with refined pruning.
    vote_penalty : float or None
        Price in bits of each class a rule singles out. Only with refined pruning and sparse or one
        votes. None: log2(classes - 1).
    impurity_penalty : float
        Penalty in bits for each training row a rule covers but gets wrong. A rule gets a row wrong
        if it is for other classes only or, if it is for none, against the class of the row. 0.1
        gives rules that are right on their own, but more errors with many classes and rows. Only
        with refined pruning.
    cut_points : str or table
        Cut points of numeric attributes. A method (mdl+, mdl, all, quantile:K or width:K), or a
        dict of increasing numbers by name.
    max_rules : int or None
        Maximum number of rules. None: no limit.
    max_literals : int or None
        Maximum number of conditions per rule. None: no limit.
    max_size : int or None
        Maximum number of conditions in the whole committee. None: no limit.
    delta : float
        Confidence parameter of optimistic pruning (eq. 8). Only with optimistic pruning.
    min_coverage : float, str or None
        Minimum weight, or share such as 5%, of the training rows that each rule must cover. None:
        no limit.
    negation : bool
        Whether conditions may use != and not in.
    literals : sequence of str or None
        Conditions allowed besides =, !=, <= and >. sets: one of several values; order: values up to
        one, or above it; known: whether the value is known. None: all with refined pruning,
        otherwise none.
    ordered : sequence of str
        Attributes whose values have an order. NAME: the declared order; NAME=a<b<c: another one;
        NAME=: none. Values that are all numbers or ranges are ordered by default.
    class_weight : dict, "balanced" or None
        Factors for the weights of the rows of a class. balanced: all classes get the same total
        weight. None: a factor of 1.
    costs : matrix or None
        Cost matrix: rows are true classes, columns are decisions. Both are in the order of the
        classes; the diagonal is 0. None: all errors cost the same.
    monotone : sequence of str
        Directions of attributes. NAME=+LABEL: raising the attribute can never lower the score of
        the label; NAME=-LABEL: it can never raise it.
    rules : sequence of str
        Rules to keep as they are; the limits count them.

    Raises
    ------
    OptionError
        If a value is outside its allowed set.

    Examples
    --------
    >>> Options(max_rules=3, penalty=5.0).pruning
    'refined'
    >>> Options(votes="many")
    Traceback (most recent call last):
    widc_arff.errors.OptionError: votes: expected one of sparse, one, free, got 'many'
    """

    pruning: str = _option(
        "refined",
        Choice(PRUNINGS),
        "How the committee is kept small. refined: search for the committee with the shortest "
        "total description (its errors plus its conditions plus its votes); pessimistic, "
        "optimistic: grow a large committee and remove rules, as in the paper (sections 5.3.1 and "
        "5.3.2); none: remove nothing.",
        always_stored=True,
    )
    _: KW_ONLY
    penalty: float = _option(
        3.0, Bits(), "Price of a condition in bits.", needs=_REFINED, always_stored=True
    )
    votes: str = _option(
        "sparse",
        Choice(VOTES),
        "How votes are priced with three or more classes. A rule singles out a class if its vote "
        "on it differs from the rule's most common vote. sparse: each such vote has a price; one: "
        "the same, and each learned rule singles out exactly one class; free: no charge. In all "
        "cases a learned rule votes for a class only if the class is more frequent among the "
        "covered rows than among all rows, and against it only if it is less frequent.",
        needs=_REFINED,
    )
    vote_penalty: float | None = _option(
        None,
        Bits(),
        "Price in bits of each class a rule singles out.",
        needs={**_REFINED, "votes": ("sparse", "one")},
        unset="log2(classes - 1)",
    )
    impurity_penalty: float = _option(
        0.0,
        Bits(),
        "Penalty in bits for each training row a rule covers but gets wrong. A rule gets a row "
        "wrong if it is for other classes only or, if it is for none, against the class of the "
        "row. 0.1 gives rules that are right on their own, but more errors with many classes and "
        "rows.",
        needs=_REFINED,
        single_class=True,
    )
    cut_points: str | CutPointTable = _option(
        "mdl+", CutPoints(), "Cut points of numeric attributes.", always_stored=True
    )
    max_rules: int | None = _option(None, Whole(0), "Maximum number of rules.", unset="no limit")
    max_literals: int | None = _option(
        None, Whole(1), "Maximum number of conditions per rule.", unset="no limit"
    )
    max_size: int | None = _option(
        None, Whole(0), "Maximum number of conditions in the whole committee.", unset="no limit"
    )
    delta: float = _option(
        0.05,
        Fraction(),
        "Confidence parameter of optimistic pruning (eq. 8).",
        needs={"pruning": ("optimistic",)},
        library_only=True,
        always_stored=True,
    )
    min_coverage: float | str | None = _option(
        None,
        Coverage(),
        "Minimum weight, or share such as 5%, of the training rows that each rule must cover.",
        unset="no limit",
    )
    negation: bool = _option(
        default=True,
        kind=Permission("Use no conditions with != or not in."),
        help="Whether conditions may use != and not in.",
    )
    literals: tuple[str, ...] | None = _option(
        None,
        Names(LITERALS),
        "Conditions allowed besides =, !=, <= and >. sets: one of several values; order: values up "
        "to one, or above it; known: whether the value is known.",
        unset="all with refined pruning, otherwise none",
    )
    ordered: tuple[str, ...] = _option(
        (),
        Texts("NAME|NAME=a<b<c"),
        "Attributes whose values have an order. NAME: the declared order; NAME=a<b<c: another one; "
        "NAME=: none. Values that are all numbers or ranges are ordered by default.",
    )
    class_weight: ClassWeights | str | None = _option(
        None,
        ClassFactors(),
        "Factors for the weights of the rows of a class. balanced: all classes get the same total "
        "weight.",
        unset="a factor of 1",
        single_class=True,
    )
    costs: CostMatrix | None = _option(
        None,
        Costs(),
        "Cost matrix: rows are true classes, columns are decisions. Both are in the order of the "
        "classes; the diagonal is 0.",
        unset="all errors cost the same",
        single_class=True,
    )
    monotone: tuple[str, ...] = _option(
        (),
        Directions(),
        "Directions of attributes. NAME=+LABEL: raising the attribute can never lower the score of "
        "the label; NAME=-LABEL: it can never raise it.",
        single_class=True,
    )
    rules: tuple[ExpertRule, ...] = _option(
        (),
        Rules(),
        "Rules to keep as they are; the limits count them.",
    )

    def __post_init__(self) -> None:
        for name, setting in settings_of(type(self)).items():
            given = getattr(self, name)
            if given is None and setting.unset:
                continue
            try:
                object.__setattr__(self, name, setting.kind.value_of(given))
            except OptionError as error:
                error.option = name
                raise
        settings = settings_of(type(self))
        given = [name for name, one in settings.items() if getattr(self, name) != one.default]
        for name, other, values in unmet_needs(self, given):
            if other != "pruning":  # which may vary: others then have no effect
                raise OptionError(
                    f"expected {other} {' or '.join(values)} with this option, got "
                    f"{getattr(self, other)}",
                    option=name,
                )
        n_literals = sum(len(rule.conditions) for rule in self.rules)
        for name, most, given in (
            ("max_rules", self.max_rules, len(self.rules)),
            ("max_size", self.max_size, n_literals),
        ):
            if most is not None and given > most:
                raise OptionError(
                    f"expected at least {given}, which the given rules have, got {most}",
                    option=name,
                )

    @property
    def literals_beyond(self) -> tuple[str, ...]:
        """Conditions that rules may have in addition to the paper's."""
        if self.literals is None:
            return LITERALS if self.pruning == "refined" else ()
        return self.literals

    @property
    def weights_stay(self) -> bool:
        """Whether all examples count as the data say, whatever their class."""
        return self.class_weight is None and self.costs is None

    def to_dict(self) -> dict[str, object]:
        """Return the options as plain data, without those that have no effect."""
        settings = settings_of(Options)
        return _as_data(self, sorted(settings, key=lambda name: bool(settings[name].needs)))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the options of a model file, which `to_dict` gave; other keys are ignored."""
        return cls(**{name: data[name] for name in settings_of(cls) if name in data})


@dataclass(frozen=True, slots=True)
class LabelSetOptions(Options):
    """Settings of the learner for label sets, where an example can have any number of labels.

    Those of `Options` hold too, except `impurity_penalty`, `class_weight`, `costs` and `monotone`,
    which are for one class per row.

    Parameters
    ----------
    pruning : {"pessimistic", "none", "refined"}
        How the committee is kept small, as in `Options`; optimistic pruning is for single classes.
    vectors : {"exact", "approximate"}
        For label sets, how votes are computed: as the optimum of eq. (3), which needs scipy, or by
        the paper's approximation. Only with pessimistic or none pruning.
    aim : {"sets", "ranking"}
        For label sets, what the search minimises: the number of wrong labels (sets), or of pairs of
        labels in the wrong order (ranking), as the paper's prunings do. Only with refined pruning.
    sets : {"hamming", "f1", "cardinality"}
        For label sets, which labels a row gets. hamming: those with a probability of at least 0.5,
        which gives the fewest wrong labels; f1: less probable ones too, to maximise the expected
        micro F1; cardinality: as many as training rows have on average.

    Raises
    ------
    OptionError
        If a value is outside its allowed set.

    Examples
    --------
    >>> LabelSetOptions(pruning="pessimistic", vectors="approximate").vectors
    'approximate'
    """

    pruning: str = _option(
        "refined",
        Choice(LABEL_SET_PRUNINGS, " for label sets"),
        "How the committee is kept small, as in `Options`; optimistic pruning is for single "
        "classes.",
        always_stored=True,
    )
    vectors: str = _option(
        "exact",
        Choice(VECTORS),
        "For label sets, how votes are computed: as the optimum of eq. (3), which needs scipy, or "
        "by the paper's approximation.",
        needs={"pruning": ("pessimistic", "none")},
        always_stored=True,
    )
    aim: str = _option(
        "sets",
        Choice(AIMS),
        "For label sets, what the search minimises: the number of wrong labels (sets), or of pairs "
        "of labels in the wrong order (ranking), as the paper's prunings do.",
        needs=_REFINED,
        always_stored=True,
    )
    sets: str = _option(
        "hamming",
        Choice(SETS),
        "For label sets, which labels a row gets. hamming: those with a probability of at least "
        "0.5, which gives the fewest wrong labels; f1: less probable ones too, to maximise the "
        "expected micro F1; cardinality: as many as training rows have on average.",
    )

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        for name, setting in settings_of(LabelSetOptions).items():
            if setting.single_class and getattr(self, name) != setting.default:
                raise OptionError(
                    "expected one class per row with this option, got label sets", option=name
                )

    @classmethod
    def of(cls, options: Options, **of_sets: str) -> LabelSetOptions:
        """Return the settings for label sets of given options.

        Raises
        ------
        OptionError
            If the pruning is optimistic.
        """
        if isinstance(options, LabelSetOptions):
            return options
        values = {name: getattr(options, name) for name in settings_of(Options)}
        return cls(**{**values, **of_sets})

    def to_dict(self) -> dict[str, object]:
        """Return the options as plain data, without those that have no effect."""
        return {**Options.to_dict(self), **_as_data(self, OF_LABEL_SETS)}


OF_LABEL_SETS = ("vectors", "aim", "sets")
"""Options of label sets alone."""


def _as_data(options: Options, names: Iterable[str]) -> dict[str, object]:
    """Return options as plain data, without those that have no effect."""
    settings, found = settings_of(type(options)), {}
    for name in names:
        setting, value = settings[name], getattr(options, name)
        is_used = not any(unmet_needs(options, [name]))
        if is_used and (value != setting.default or setting.always_stored):
            found[name] = None if value is None else setting.kind.data_of(value)
    return {name: data for name, data in found.items() if data is not None}


def aims_at_sets(options: Options) -> bool:
    """Tell whether a committee for label sets makes few wrong labels, and not a good ranking."""
    is_refined = options.pruning == "refined"
    return is_refined and isinstance(options, LabelSetOptions) and options.aim == "sets"


def options_of(committee: DecisionCommittee) -> Options:
    """Return the options with which a committee was learned."""
    kind = LabelSetOptions if committee.schema.labels.are_sets else Options
    # the first models with refined pruning named no aim
    return kind.from_dict({"aim": "ranking", **committee.training.options})


def words_of(name: str, value: Any, dashes: str = "--") -> list[str]:  # noqa: ANN401
    """Return a value of an option as words of a command line.

    Parameters
    ----------
    name : str
        As in `Options` or `LabelSetOptions`.
    value
        As the options have it, or the name of a file that holds it.
    dashes : str
        What stands before the name.

    Raises
    ------
    OptionError
        If the value can only stand in a file.
    """
    kind = settings_of(LabelSetOptions)[name].kind
    word = f"{dashes}{name.replace('_', '-')}"
    if isinstance(kind, Permission):
        return [] if value else [f"{dashes}no-{name}"]
    try:
        texts = [value] if isinstance(value, str) else kind.texts_of(kind.value_of(value))
    except OptionError as error:
        error.option = name
        raise
    return [part for text in texts for part in (word, text)]
