"""The induction with rows on workers; it reads like `widc_arff.induction` on one machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from widc_arff.arff.reader import read_declarations
from widc_arff.arff.spans import spans
from widc_arff.cluster.parts import first_part, patterns_of
from widc_arff.cluster.reading import FilePart, Question, code, counts_of, scan, survey_of, use_of
from widc_arff.cluster.remote_counter import ClusterCounter
from widc_arff.data.dataset import Dataset
from widc_arff.errors import DataError, OptionError
from widc_arff.induction.committees import CodeMeaning, committee_of, learned_rules
from widc_arff.induction.paper.growing import grow_with
from widc_arff.induction.paper.stages import growth_limits, prune, vote
from widc_arff.induction.preparing import warn_if_nothing_to_learn, warn_of_left_out_rows
from widc_arff.induction.sample.coding import empty_sample
from widc_arff.induction.sample.learning_sample import RowSurvey
from widc_arff.induction.sample.patterns import merged_patterns
from widc_arff.induction.sample.views import plain_views

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arff.relation import Attribute
    from widc_arff.arrays import Floats
    from widc_arff.cluster.crew import Crew
    from widc_arff.cluster.reading import Use
    from widc_arff.data.dataset import Schema
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.options import Options

PIECES, LEAST_BYTES = 4, 1 << 23
"""A file is cut where it is larger than a fourth of a worker's share, and than 8 MB."""


IN_MEMORY_ONLY = (
    *("min_coverage", "class_weight", "costs", "monotone", "rules"),
    *("literals", "ordered"),
)
"""Options that need all rows in one place."""


class Files(NamedTuple):
    """ARFF files with the same attributes, and how they are read.

    Parameters
    ----------
    paths : tuple of str
        Local paths, which the workers must see too.
    label, ignore
        As in `Dataset.from_relation`.
    encoding : str
        Of the files.
    """

    paths: tuple[str, ...]
    label: str = "last"
    ignore: tuple[str, ...] = ()
    encoding: str = "utf-8"

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
        for path in self.paths[1:]:
            difference = _difference(self._schema_of(path), first)
            if difference:
                raise DataError(f"{path}: {difference} as in {self.paths[0]}")
        return first

    def _schema_of(self, path: str) -> Schema:
        relation, _ = read_declarations(path, self.encoding)
        try:
            return Dataset.from_relation(relation, self.label, self.ignore).schema
        except DataError as error:
            raise DataError(f"{path}: {error}") from error

    def parts(self, n_parts: int, least_bytes: int = LEAST_BYTES) -> list[FilePart]:
        """Return the files in parts of similar size, at most `n_parts`."""
        n_bytes = sum(Path(path).stat().st_size for path in self.paths)
        most = max(least_bytes, n_bytes // (PIECES * n_parts))
        pieces = [span for path in self.paths for span in spans(path, self.encoding, most)]
        shares: list[list[Any]] = [[] for _ in range(min(n_parts, len(pieces)))]
        for span in sorted(pieces, key=lambda span: -span.n_bytes):
            min(shares, key=lambda share: sum(s.n_bytes for s in share)).append(span)
        return [FilePart(tuple(share), self.label, self.ignore, self.encoding) for share in shares]


def induce_from_files(
    files: Files, options: Options, crew: Crew, least_bytes: int = LEAST_BYTES
) -> DecisionCommittee:
    """Learn a decision committee from files that workers read.

    Parameters
    ----------
    files : Files
        Where the examples are.
    options : Options
        What to vary; pruning other than refined, and nothing of `IN_MEMORY_ONLY`.
    crew : Crew
        Who reads and counts.
    least_bytes : int
        Files are not cut into pieces smaller than this.

    Returns
    -------
    DecisionCommittee
        The one that `induce` learns from all rows together.

    Raises
    ------
    ArffError, DataError, OptionError
        As `read_arff` and `induce` do; also where the files do not fit together, an option needs
        all rows in one place, or cut points need too many distinct values.
    WidcError
        If the workers are lost.
    """
    if options.pruning == "refined":
        raise OptionError(
            "pruning: expected pessimistic, optimistic or none past one machine, got 'refined'"
        )
    for name in IN_MEMORY_ONLY:
        if getattr(options, name):
            raise OptionError(f"{name}: expected all rows on one machine, got parts of them")
    schema = files.schema()
    parts = files.parts(crew.n_workers, least_bytes)
    question = Question.of(schema, options)
    scans, survey, label_weights = _scanned(parts, question, crew)
    try:
        survey.check(schema)
    except DataError as error:
        raise DataError(f"{files.name}: {error}") from error
    unlabelled = survey.n_rows - survey.n_labelled
    warn_of_left_out_rows(unlabelled, survey.n_labelled - survey.n_counting, schema)
    if survey.exponent != 0:  # weights that are not whole: now it is known what a quantum is
        question = question._replace(exponent=survey.exponent)
        scans, survey, label_weights = _scanned(parts, question, crew)
    total = float(label_weights.sum())
    n_samples, example_weight = survey.n_counting, survey.example_weight(total)

    present = label_weights > 0
    uses = _uses(scans, question, schema, (total, example_weight), crew)
    del scans
    views = plain_views(schema, [use.cuts for use in uses])
    codes = [use.codes for use in uses]
    frame = empty_sample(views, codes, n_samples, negation=options.negation)
    frame = replace(frame, n_labels=int(present.sum()), example_weight=example_weight)
    coded = [crew.start(code, part, frame, question.exponent, present) for part in parts]
    held = [schema.labels.values[j] for j in np.flatnonzero(label_weights)]
    warn_if_nothing_to_learn(held if len(held) == 1 else None, len(frame.catalogue), schema)

    starting = [crew.start(first_part, sample, total) for sample in coded]
    counter = ClusterCounter(crew, starting, frame, label_weights[present], n_samples)
    del starting
    monomials = grow_with(counter, growth_limits(options))
    del counter

    patterns = merged_patterns(
        crew.results([crew.start(patterns_of, sample, monomials, present) for sample in coded])
    )
    meaning = CodeMeaning(schema, n_samples, survey.quantum, example_weight)
    rules = vote(patterns, monomials, frame.catalogue)
    kept = prune(patterns, rules, frame.catalogue, example_weight, options)
    found = learned_rules(frame.catalogue, *rules.take(kept), options)
    committee = committee_of(found, patterns.take(kept), meaning, options).brief()
    if question.cuts is not None:
        return committee
    return committee.having_seen({a: uses[a].seen for a in sorted(committee.used_attributes)})


def _uses(
    scans: list[Any],
    question: Question,
    schema: Schema,
    weights: tuple[float, float],
    crew: Crew,
) -> list[Use]:
    """Return cut points and codes of each attribute; its counts meet at one worker.

    Weights are that of all examples in quanta, and that of one quantum in examples.
    """
    uses = []
    for a, attribute in enumerate(schema.attributes):
        counts = [crew.start(counts_of, found, a) for found in scans]
        uses.append(crew.start(use_of, attribute, a, question, weights, *counts))
    found: list[Use] = crew.results(uses)
    return found


def _scanned(
    parts: list[FilePart], question: Question, crew: Crew
) -> tuple[list[Any], RowSurvey, Floats]:
    """Return a handle of each part's scan, and what they tell of rows and classes in all."""
    scans = [crew.start(scan, part, question) for part in parts]
    found: list[tuple[RowSurvey, Floats]] = crew.results(
        [crew.start(survey_of, one) for one in scans]
    )
    survey = sum((survey for survey, _ in found), RowSurvey())
    return scans, survey, np.sum([weights for _, weights in found], axis=0)


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
        return f"expected {n_wanted} {attributes} beside the class, got {len(schema.attributes)}"
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
