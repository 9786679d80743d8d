"""The induction with rows on workers; it reads like `widc_arff.induction` on one machine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from widc_arff.arff.reader import read_declarations
from widc_arff.arff.relation import Relation
from widc_arff.arff.spans import spans
from widc_arff.cluster.examples import SpreadExamples
from widc_arff.cluster.reading import (
    FilePart,
    Weighing,
    class_weights_of,
    code,
    counts_of,
    scan,
    seen_of,
    survey_of,
)
from widc_arff.cluster.remote_counter import SHARES
from widc_arff.data.dataset import Dataset
from widc_arff.errors import DataError, OptionError
from widc_arff.induction import committee_from
from widc_arff.induction.preparing import (
    Problem,
    ruled,
    warn_if_nothing_to_learn,
    warn_of_left_out_rows,
)
from widc_arff.induction.sample.coding import empty_sample
from widc_arff.induction.sample.learning_sample import RowSurvey, Weighed
from widc_arff.induction.sample.weighting import class_factors
from widc_arff.induction.search.budget import ORDERS
from widc_arff.induction.seeing import Seeing, Totals, columns_of
from widc_arff.model.label_orders import with_orders
from widc_arff.system.files import size_of
from widc_arff.tables.labels import names_meant
from widc_arff.tables.parquet_files import row_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arff.relation import Attribute
    from widc_arff.arff.spans import Span
    from widc_arff.arrays import Floats
    from widc_arff.cluster.crew import Workers
    from widc_arff.data.schema import Schema
    from widc_arff.induction.search.budget import Budget
    from widc_arff.induction.seeing import Seen
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.options import Options
    from widc_arff.tables.parquet_files import RowGroups

PIECES, LEAST_BYTES = 4, 1 << 23
"""A file is cut where it is larger than a fourth of a worker's share, and than 8 MB."""


class Files(NamedTuple):
    """ARFF or Parquet files with the same attributes, and how they are read.

    Parameters
    ----------
    paths : tuple of str
        Paths that the workers see too, or addresses.
    label, ignore
        As in `Dataset.from_relation`.
    encoding : str
        Of ARFF files.
    attributes : tuple of Attribute
        Of Parquet files, as `parquet_attributes` finds them; empty of ARFF files, which declare
        theirs.
    relation : str
        Name of the relation of Parquet files.
    """

    paths: tuple[str, ...]
    label: str = "last"
    ignore: tuple[str, ...] = ()
    encoding: str = "utf-8"
    attributes: tuple[Attribute, ...] = ()
    relation: str = "data"

    @property
    def name(self) -> str:
        """The files in words."""
        n_others = len(self.paths) - 1
        others = "1 other file" if n_others == 1 else f"{n_others} other files"
        return f"{self.paths[0]} and {others}" if n_others else self.paths[0]

    def schema(self) -> Schema:
        """Return the schema that all files share.

        Raises
        ------
        ArffError
            If a file cannot be read.
        DataError
            If a class or an attribute is not right, or a file has other ones than the first.
        """
        first = self._schema_of(self.paths[0])
        for path in () if self.attributes else self.paths[1:]:
            difference = _difference(self._schema_of(path), first)
            if difference:
                raise DataError(f"{difference} as in {self.paths[0]}", file=path)
        return first

    def _schema_of(self, path: str) -> Schema:
        relation = Relation.without_rows(self.relation, self.attributes)
        if not self.attributes:
            relation, _ = read_declarations(path, self.encoding)
        try:
            return Dataset.from_relation(relation, self.label, self.ignore).schema
        except DataError as error:
            error.in_file(path)
            raise

    def parts(self, n_parts: int, least_bytes: int = LEAST_BYTES) -> list[FilePart]:
        """Return the files in parts of similar size, at most `n_parts`."""
        pieces: list[Span | RowGroups]
        if self.attributes:
            pieces = [group for path in self.paths for group in row_groups(path)]
        else:
            n_bytes = sum(map(size_of, self.paths))
            most = max(least_bytes, n_bytes // (PIECES * n_parts))
            pieces = [span for path in self.paths for span in spans(path, self.encoding, most)]
        shares: list[list[Any]] = [[] for _ in range(min(n_parts, len(pieces)))]
        for span in sorted(pieces, key=lambda span: -span.n_bytes):
            min(shares, key=lambda share: sum(s.n_bytes for s in share)).append(span)
        used = tuple(a for a in self.attributes if a.name not in self._unused())
        return [
            FilePart(tuple(share), self.label, self.ignore, self.encoding, used) for share in shares
        ]

    def _unused(self) -> set[str]:
        names = [attribute.name for attribute in self.attributes]
        return set(names_meant(names, self.ignore, "ignore"))


def require_usable(options: Options) -> None:
    """Refuse options that workers do not have.

    Raises
    ------
    OptionError
        If there are rules and pruning is not refined.
    """
    if options.rules and options.pruning != "refined":
        raise OptionError("expected pruning refined with --dask", option="rules")


def induce_from_files(
    files: Files,
    options: Options,
    crew: Workers,
    least_bytes: int = LEAST_BYTES,
    *,
    shares: int = SHARES,
    budget: Budget | None = None,
) -> DecisionCommittee:
    """Learn a decision committee from files that workers read.

    Parameters
    ----------
    files : Files
        Where the examples are.
    options : Options
        What to vary; no rules unless pruning is refined.
    crew : Workers
        Who reads and counts.
    least_bytes : int
        Files are not cut into pieces smaller than this.
    shares : int
        Of a worker's rows; a block that is smaller than one moves to a single worker.
    budget : Budget, optional
        As in `induce`.

    Returns
    -------
    DecisionCommittee
        The one that `induce` learns from all rows together.

    Raises
    ------
    ArffError, DataError, OptionError
        As `read_arff` and `induce` do; also where the files do not fit together.
    WidcError
        If the workers are lost.
    """
    require_usable(options)
    schema = with_orders(files.schema(), options.ordered)
    parts = files.parts(crew.n_workers, least_bytes)
    seeing = Seeing.of(schema, options)
    scans = [crew.start(scan, part, seeing, Weighing()) for part in parts]
    survey = sum(crew.results([crew.start(survey_of, one, None) for one in scans]), RowSurvey())
    try:
        survey.check(schema)
    except DataError as error:
        error.in_file(files.name)
        raise
    unlabelled = survey.n_rows - survey.n_labelled
    warn_of_left_out_rows(unlabelled, survey.n_labelled - survey.n_counting, schema)
    as_given = Weighing(survey.exponent)
    in_data = as_weighed = _weighed(scans, survey, as_given, schema, crew)
    weighing = as_given
    if not options.weights_stay:
        factors = class_factors(options, schema, in_data.class_weights * in_data.quantum)
        asked = [crew.start(survey_of, one, factors) for one in scans]
        survey = sum(crew.results(asked), RowSurvey())
        survey.check(schema)
        weighing = Weighing(survey.exponent, factors)
        as_weighed = _weighed(scans, survey, weighing, schema, crew)
    if weighing.exponent or weighing.factors is not None:  # now it is known how rows weigh
        scans = [crew.start(scan, part, seeing, weighing) for part in parts]

    seen, ends = _seen(scans, seeing, as_weighed, crew)
    del scans
    frame = empty_sample(
        columns_of(seen, ORDERS),
        as_weighed.n_samples,
        negation=options.negation,
        presence=options.pruning == "refined",
    )
    present, example_weight = as_weighed.present, as_weighed.example_weight
    frame = replace(frame, n_labels=int(present.sum()), example_weight=example_weight)
    held = [schema.labels.values[j] for j in np.flatnonzero(present)]
    warn_if_nothing_to_learn(held if len(held) == 1 else None, len(frame.catalogue), schema)
    coded = [crew.start(code, part, seeing, frame, (weighing, as_given), present) for part in parts]
    examples = SpreadExamples(crew, coded, frame, as_weighed, shares)
    del coded
    given = ruled(examples.weights_of_given(), as_weighed, frame.catalogue, schema, options)
    if options.rules:
        examples = examples.with_votes(given[0].vectors[:, present])
    weights = as_weighed, in_data
    committee = committee_from(
        Problem.about(examples, frame.catalogue, weights, schema, options, given), budget=budget
    )
    if seeing.table is not None:
        return committee
    return committee.having_seen({a: ends[a] for a in sorted(committee.used_attributes)})


def _weighed(
    scans: list[Any], survey: RowSurvey, weighing: Weighing, schema: Schema, crew: Workers
) -> Weighed:
    """Return what the weights of all examples come to."""
    asked = [crew.start(class_weights_of, one, weighing, schema.n_classes) for one in scans]
    class_weights = np.sum(crew.results(asked), axis=0)
    total = float(class_weights.sum())
    return Weighed(
        survey.n_counting, class_weights, total, survey.quantum, survey.example_weight(total)
    )


def _seen(
    scans: list[Any], seeing: Seeing, weighed: Weighed, crew: Workers
) -> tuple[list[Seen], list[Floats]]:
    """Return the views of each attribute, and what occurs of it; its counts meet at one worker."""
    class_weights = weighed.class_weights if seeing.needs_classes else weighed.class_weights[:0]
    totals = Totals(class_weights, weighed.total, weighed.example_weight)
    asked = []
    for a in range(len(seeing.schema.attributes)):
        counts = [crew.start(counts_of, found, a) for found in scans]
        asked.append(crew.start(seen_of, seeing, a, totals, *counts))
    found = crew.results(asked)
    return [seen for seen, _ in found], [ends for _, ends in found]


def _difference(schema: Schema, wanted: Schema) -> str:
    """Return what was expected of a schema and what was found; an empty text if it is right."""
    if schema.labels != wanted.labels:
        ours, theirs = schema.labels, wanted.labels
        return (
            f"expected the class {theirs.attributes[0]!r} with {_listed(theirs.values)}, got "
            f"{ours.attributes[0]!r} with {_listed(ours.values)}"
        )
    if len(schema.attributes) != len(wanted.attributes):
        n_wanted = len(wanted.attributes)
        attributes = "attribute" if n_wanted == 1 else "attributes"
        return f"expected {n_wanted} {attributes} besides the class, got {len(schema.attributes)}"
    for ours_at, theirs_at in zip(schema.attributes, wanted.attributes, strict=True):
        if ours_at != theirs_at:
            return f"expected {_in_words(theirs_at)}, got {_in_words(ours_at)}"
    return ""


def _in_words(attribute: Attribute) -> str:
    labels = f" with {_listed(attribute.values)}" if attribute.type == "nominal" else ""
    form = f" of format {attribute.format!r}" if attribute.format else ""
    return f"the {attribute.type} attribute {attribute.name!r}{labels}{form}"


def _listed(values: Sequence[str]) -> str:
    return ", ".join(map(repr, values[:8])) + (", ..." if len(values) > 8 else "")
