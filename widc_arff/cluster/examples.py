"""The training examples on workers: each answers for its own, and what they say adds up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.cluster.parts import first_part
from widc_arff.cluster.remote_counter import SHARES, ClusterCounter
from widc_arff.induction.examples import Counted, HeldExamples, least_of, limit_of, most_rows
from widc_arff.induction.sample.distinct_rows import fingerprints
from widc_arff.induction.sample.patterns import merged_patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Floats, Integers
    from widc_arff.cluster.crew import Workers
    from widc_arff.induction.counting.counter import Counter
    from widc_arff.induction.sample.coding import Chain, CodedSample
    from widc_arff.induction.sample.learning_sample import Weighed


class SpreadExamples:
    """Examples that workers hold; see `widc_arff.induction.examples.Examples`.

    Parameters
    ----------
    crew : Workers
        The workers.
    parts : list of handles
        Of `HeldExamples`, without votes of rules that are given.
    frame : CodedSample
        Groups and catalogue, without rows.
    weighed : Weighed
        What the weights of all examples come to.
    shares : int
        As in `induce_from_files`.
    """

    def __init__(
        self,
        crew: Workers,
        parts: list[Any],
        frame: CodedSample,
        weighed: Weighed,
        shares: int = SHARES,
    ) -> None:
        self._crew, self._parts, self._frame, self._weighed = crew, parts, frame, weighed
        self._shares = shares

    def with_votes(self, vectors: Integers) -> SpreadExamples:
        """Return the same examples with votes of the rules that are given."""
        parts = [self._crew.start(HeldExamples.with_votes, part, vectors) for part in self._parts]
        return SpreadExamples(self._crew, parts, self._frame, self._weighed, self._shares)

    def weights_of_given(self) -> Floats:
        """Return the weights of the classes in the cover of each rule that is given."""
        return np.asarray(np.sum(self._ask(HeldExamples.weights_of_given), axis=0))

    def counter(self) -> Counter:
        """Return who counts the examples while monomials grow by partitions."""
        weighed, crew = self._weighed, self._crew
        parts = [crew.start(first_part, part, weighed.total) for part in self._parts]
        class_weights = weighed.class_weights[weighed.present]
        return ClusterCounter(
            crew, parts, self._frame, class_weights, weighed.n_samples, self._shares
        )

    def searched(self, n_cells: float) -> CodedSample:
        """Return the examples that are searched, brought to this process."""
        n_rows = most_rows(self._frame, n_cells)
        if self._weighed.n_samples <= n_rows:
            return self._joined(self._ask(_coded))
        marks = [self._crew.start(_fingerprints, part) for part in self._parts]
        least = self._crew.results([self._crew.start(least_of, of, n_rows) for of in marks])
        limit = limit_of(least, n_rows)
        return self._joined(
            self._crew.results(
                [
                    self._crew.start(HeldExamples.below, part, of, limit)
                    for part, of in zip(self._parts, marks, strict=True)
                ]
            )
        )

    def _joined(self, pieces: Sequence[CodedSample]) -> CodedSample:
        of_groups = zip(*([group.codes for group in piece.groups] for piece in pieces), strict=True)
        given = [piece.given_votes for piece in pieces if piece.given_votes is not None]
        joined = self._frame.with_rows(
            [np.concatenate(codes, axis=1) for codes in of_groups],
            np.concatenate([piece.labels for piece in pieces]),
            np.concatenate(
                [
                    np.ones(piece.n_samples) if piece.weights is None else piece.weights
                    for piece in pieces
                ]
            ),
        )
        return joined.with_given(np.concatenate(given, axis=1)) if given else joined

    def weights_in(self, monomial: Chain, labels: list[int]) -> tuple[Floats, float]:
        """Return the weights of some labels in the cover of a monomial, and of all of it."""
        own, covered = zip(*self._ask(HeldExamples.weights_in, monomial, labels), strict=True)
        return np.sum(own, axis=0), float(sum(covered))

    def classes_with_each(self, monomial: Chain) -> Floats:
        """Return the weights of the classes with each literal added to a monomial."""
        return np.asarray(np.sum(self._ask(HeldExamples.classes_with_each, monomial), axis=0))

    def in_data_with_each(self, monomial: Chain) -> Floats:
        """Return the weights, as told, with each literal added to a monomial."""
        return np.asarray(np.sum(self._ask(HeldExamples.in_data_with_each, monomial), axis=0))

    def patterns(self, monomials: Sequence[Chain]) -> Counted:
        """Return the examples by the rules that are given, and some monomials after these."""
        found: list[Counted] = self._ask(HeldExamples.patterns, list(monomials))
        in_data = [one.in_data for one in found if one.in_data is not None]
        weighed = merged_patterns([one.weighed for one in found])
        return Counted(weighed, merged_patterns(in_data) if in_data else None)

    def _ask(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:  # noqa: ANN401
        """Return what a function tells of each part."""
        return self._crew.results(
            [self._crew.start(function, part, *arguments) for part in self._parts]
        )


def _coded(examples: HeldExamples) -> CodedSample:
    return examples.coded


def _fingerprints(examples: HeldExamples) -> NDArray[np.uint64]:
    return fingerprints(examples.coded)
