"""Whether votes agree with their evidence, how wide rules are, how many rows ties decide.

``python tests/benchmarks/evidence.py FILE.arff ...`` learns from each file with the default options
and prints, for each and for all: rules; votes; votes *against their evidence*, for a class whose
share of what the rule covers is not larger than its share of all training examples (a vote above
the rule's most frequent one; of label sets above 0 too), or against a class whose share is not
smaller; rules that cover more than three quarters of the examples; percent of the examples that
ties decide; CPU seconds.  Label sets are those of MEKA's and MULAN's files.

``--folds N --seeds K`` adds error (of label sets the ranking loss) in percent, literals, log loss
and Brier score on Weka's folds; ``--json OUT`` writes all figures.  ``--literals plain|LIST`` is
that of ``widc-arff train``; *named* counts the values that rules name: labels and cut points.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from widc_arff.arff.reader import read_arff
from widc_arff.data.dataset import Dataset
from widc_arff.data.label_sets import meka_labels, mulan_labels
from widc_arff.errors import WidcError
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.induction import induce
from widc_arff.model.decision import base_of
from widc_arff.model.label_orders import range_of
from widc_arff.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.data.schema import Schema
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal
    from widc_arff.model.rules import Rule

WIDE = 0.75


def read(path: Path) -> Dataset:
    """Return the examples of a file, with label sets where it or an XML beside it names them."""
    relation, xml = read_arff(path), path.with_suffix(".xml")
    labels = mulan_labels(xml) if xml.exists() else meka_labels(relation)
    return Dataset.from_relation(relation, labels=labels, counts=True)


def votes_against(rule: Rule, class_weights: Sequence[float], total: float, *, sets: bool) -> int:
    """Return how many votes of a rule do not agree with the share of their class in its cover."""
    occur = [j for j, weight in enumerate(class_weights) if weight]
    shares = {j: rule.covers[j] * total - rule.covered * class_weights[j] for j in occur}
    bases = {base_of([rule.votes[j] for j in occur]), *([0] if sets else [])}
    return sum(
        any((rule.votes[j] - base) * shares[j] <= 0 and rule.votes[j] != base for base in bases)
        for j in occur
    )


def ties_of(committee: DecisionCommittee, dataset: Dataset) -> float:
    """Return the share of the examples that are decided by ties, in [0, 1]."""
    counted = dataset.take(np.flatnonzero(dataset.labelled & (dataset.weights > 0)))
    votes = committee.votes(counted)
    if committee.threshold is None:
        tied = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1
    else:  # some labels of equal votes are predicted and others are not
        sets = committee.predict_sets(counted)
        tied = np.where(sets, votes, 99).min(axis=1) <= np.where(sets, -99, votes).max(axis=1)
    return float(counted.weights[tied].sum() / counted.weights.sum())


def values_named(literal: Literal, schema: Schema) -> int:
    """Return how many values a reader of a condition has to read; of a range, its end."""
    is_range = range_of(literal, schema.attributes[literal.attribute]) is not None
    return 1 if is_range or literal.operator in ("<=", ">") else len(literal.named)


def figures_of(path: Path, folds: int, seeds: int, options: Options) -> dict[str, float]:
    """Return what is measured of a file."""
    dataset, start = read(path), time.process_time()
    committee = induce(dataset, options)
    seconds = time.process_time() - start
    sets, training = committee.threshold is not None, committee.training
    kept = dataset.labelled & (dataset.weights > 0)
    total = float(dataset.weights[kept].sum())
    of_rule = [votes_against(rule, training.weights, total, sets=sets) for rule in committee.rules]
    figures = {
        "classes": sum(weight > 0 for weight in training.weights),
        "rules": len(committee.rules),
        "literals": committee.n_literals,
        "named": sum(
            values_named(condition, committee.schema)
            for rule in committee.rules
            for condition in rule.monomial
        ),
        "votes": sum(vote != 0 for points in committee.points for vote in points),
        "against": sum(of_rule),
        "wide": sum(rule.covered > WIDE * total for rule in committee.rules),
        "ties": 100 * ties_of(committee, dataset),
        "CPU": seconds,
    }
    if folds:
        found = cross_validate(dataset, options, Folding(folds, repeats=seeds))
        measures = found.measures
        figures["error"] = 100 * (measures.ranking_loss if sets else measures.error)
        sizes = [prediction.n_literals for prediction in found.predictions]
        figures["size"] = sum(sizes) / len(sizes)
        figures["votes/fold"] = sum(p.n_votes for p in found.predictions) / len(sizes)
        if not sets:
            figures["log loss"], figures["Brier"] = measures.log_loss, measures.brier_score
    return figures


def line(name: str, figures: dict[str, float]) -> str:
    """Return figures in columns."""
    cells = (f"{value:>10.4g}" for value in figures.values())
    return f"{name[-28:]:<28}{''.join(cells)}"


def tell(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--literals")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    options = Options(literals=arguments.literals)
    found: dict[str, dict[str, float]] = {}
    for path in arguments.files:
        try:
            figures = figures_of(path, arguments.folds, arguments.seeds, options)
        except WidcError as error:
            sys.stderr.write(f"{path.name}: {error}\n")
            continue
        if not found:
            tell(f"{'':28}{''.join(f'{name:>10}' for name in figures)}")
        found[str(path)] = figures
        tell(line(path.stem, figures))
        if arguments.json:
            arguments.json.write_text(json.dumps(found, indent=1))
    of_all = list(found.values())
    votes, against = (sum(of[name] for of in of_all) for name in ("votes", "against"))
    wide, in_files = sum(of["wide"] for of in of_all), sum(of["wide"] > 0 for of in of_all)
    many = [of["ties"] for of in of_all if of["classes"] >= 4]
    tell(f"\n{len(found)} files, {against} of {votes} votes against their evidence")
    tell(f"{wide} rules in {in_files} files cover more than {WIDE:.0%} of the examples")
    if many:
        tell(f"{len(many)} files of four classes or more: ties decide {np.mean(many):.1f} %")


if __name__ == "__main__":
    main()
