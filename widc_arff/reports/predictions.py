"""Predictions as a table: row, kept columns, actual, predicted, a probability per label."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arrays import equal_weights
from widc_arff.data.label_sets import without_meka_options
from widc_arff.model.costs import least_cost
from widc_arff.model.decision import decide
from widc_arff.tables.csv_files import csv_writer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.outcomes import Evaluation
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix

_MOST_CODES = 1 << 16


def prediction_table(
    committee: DecisionCommittee,
    examples: Dataset,
    source: Relation,
    kept: Sequence[int],
    costs: CostMatrix | None = None,
    first_row: int = 1,
) -> Relation:
    """Return a committee's predictions as a relation.

    Parameters
    ----------
    committee : DecisionCommittee
        Who predicts.
    examples : Dataset
        In the schema of the committee.
    source : Relation
        Where the examples come from.
    kept : sequence of int
        Columns of the source to copy.
    costs : tuple of tuple of float, optional
        Decides for the class of least expected cost.
    first_row : int
        Number of the first row.

    Returns
    -------
    Relation
        Columns ``row``, the kept ones, ``actual``, ``predicted`` and ``probability:LABEL``
        for each declared label; with costs ``voted`` and ``expected_cost`` before these.  For label
        sets, instead of ``actual`` and ``predicted``: ``predicted:LABEL``, 0 or 1, for each label.
        Underscores follow where a name is taken.
    """
    columns = [
        (Attribute("row", "numeric"), first_row + np.arange(float(examples.n_samples))),
        *((replace(source.attributes[i], weight=1.0), source.columns[i]) for i in kept),
        *_predicted(committee, examples, costs),
    ]
    taken = {source.attributes[i].name for i in kept}
    named = []
    for position, (attribute, _) in enumerate(columns):
        name = attribute.name
        if not 1 <= position <= len(kept):
            while name in taken:
                name += "_"
            taken.add(name)
        named.append(replace(attribute, name=name))
    return Relation(
        f"{without_meka_options(committee.schema.relation)}-predictions",
        tuple(named),
        tuple(column for _, column in columns),
        equal_weights(examples.n_samples),
    )


def _predicted(
    committee: DecisionCommittee, examples: Dataset, costs: CostMatrix | None
) -> list[tuple[Attribute, NDArray[np.generic]]]:
    labels = committee.schema.labels.values
    votes = committee.votes(examples)
    columns: list[tuple[Attribute, NDArray[np.generic]]] = []
    if committee.schema.labels.are_sets:
        probabilities = committee.probabilities_of(votes)
        sets = committee.label_scores.sets(votes).astype(np.int8)
        for j, label in enumerate(labels):
            columns.append((Attribute(f"predicted:{label}", "nominal", ("0", "1")), sets[:, j]))
    else:
        kinds, kind_of = kinds_of(votes)
        probabilities = committee.probabilities_of(kinds)[kind_of]
        voted = decide(kinds, committee.tie_scores)[kind_of]
        columns.append((Attribute("actual", "nominal", labels), examples.classes))
        if costs is None:
            columns.append((Attribute("predicted", "nominal", labels), voted))
        else:
            decisions, expected = least_cost(probabilities, voted, costs)
            cost = np.take_along_axis(expected, decisions[:, None], axis=1)[:, 0]
            columns += [
                (Attribute("predicted", "nominal", labels), decisions),
                (Attribute("voted", "nominal", labels), voted),
                (Attribute("expected_cost", "numeric"), cost),
            ]
    for j, label in enumerate(labels):
        columns.append((Attribute(f"probability:{label}", "numeric"), probabilities[:, j]))
    return columns


def kinds_of(votes: Integers) -> tuple[Integers, Integers]:
    """Return the different rows of votes, and which of them each row is.

    Parameters
    ----------
    votes : ndarray of int64 of shape (n_samples, n_classes)
        Summed votes V.

    Returns
    -------
    kinds : ndarray of int64 of shape (n_kinds, n_classes)
        All rows as they are where votes of many classes could make too many kinds.
    kind_of : ndarray of int64 of shape (n_samples,)
        Indices of `kinds`.
    """
    lowest, highest = votes.min(axis=0, initial=0), votes.max(axis=0, initial=0)
    spans = (highest - lowest + 1).tolist()
    n_codes = math.prod(spans)
    if n_codes > _MOST_CODES:
        return votes, np.arange(len(votes))
    codes = np.zeros(len(votes), np.int64)
    for j, span in enumerate(spans):
        codes = codes * span + (votes[:, j] - lowest[j])
    found = np.flatnonzero(np.bincount(codes, minlength=n_codes))
    places = np.empty(n_codes, np.int64)
    places[found] = np.arange(len(found))
    kinds = np.stack(np.unravel_index(found, spans), axis=1) + lowest
    return kinds, places[codes]


def write_evaluated(evaluations: Sequence[Evaluation[Any]], stream: IO[str]) -> None:
    """Write the predictions of evaluations as CSV, a line per tested row.

    The columns are file, repeat, fold, row (all from 1), actual (empty where missing), predicted,
    and a probability per label; for label sets actual and predicted are a column per label, 0 or 1.
    Of files with different labels there are the columns of all, those of other files left empty.
    """
    writer = csv_writer(stream)
    names_of_each = [
        [*evaluation.decision_names, *(f"probability:{label}" for label in evaluation.labels)]
        for evaluation in evaluations
    ]
    heads = dict.fromkeys(name for names in names_of_each for name in names)
    # all that is decided comes before all probabilities, also of several files
    columns = sorted(heads, key=lambda head: head.startswith("probability:"))
    place = {head: i for i, head in enumerate(columns)}
    writer.writerow(["file", "repeat", "fold", "row", *columns])
    for evaluation, names in zip(evaluations, names_of_each, strict=True):
        places = [place[name] for name in names]
        for p in evaluation.predictions:
            lines = []
            for i in range(len(p.rows)):
                line: list[Any] = [""] * len(columns)
                cells = [*evaluation.decisions(p, i), *map(repr, p.probabilities[i].tolist())]
                for j, cell in zip(places, cells, strict=True):
                    line[j] = cell
                lines.append(line)
            places_of = np.arange(len(p.rows)) if p.by_row is None else p.by_row.places
            rows = p.rows if p.by_row is None else np.arange(len(places_of))
            for row, i in zip(rows, places_of, strict=True):
                writer.writerow([evaluation.source, p.repeat, p.fold, row + 1, *lines[i]])
