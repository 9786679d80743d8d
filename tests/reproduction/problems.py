"""The data sets: files of a folder, or domains that the package draws itself."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.reproduction import sample_data
from tests.reproduction.published import published
from tests.reproduction.xd6 import whole_distribution
from widc_arff.arff.reader import read_arff
from widc_arff.arff.relation import Relation
from widc_arff.data.dataset import Dataset
from widc_arff.errors import DataError, WidcError
from widc_arff.tables.labels import find_attribute, find_class

if TYPE_CHECKING:
    from widc_arff.arrays import Integers

CLASS_OF = {
    "openml-penguins": "species",
    "openml-titanic": "survived",
    "shuttle-landing-control-15rules": "Class",
}
"""Class attributes of well-known files where the rule of `folder_problems` would miss it."""

GENERATED = {
    "balance": "balance-scale",
    "iris": "iris",
    "led7": "led7",
    "ledeven": "ledeven",
    "monk1": "monk1-124",
    "monk2": "monk2-169",
    "monk3": "monk3-122",
    "tic-tac-toe": "tic-tac-toe",
    "waveform": "waveform",
    "wine": "wine",
    "xd6": "xd6",
}
"""Domains of Table 1 that `sample_data` makes, by their name there."""


@dataclass(frozen=True, slots=True)
class StudyProblem:
    """A data set to learn from.

    Parameters
    ----------
    name : str
        As it is shown.
    path : str
        ARFF file; empty for generated data.
    generator : str
        Function of `sample_data`; empty for a file.
    arguments : tuple of (str, number)
        Arguments of the generator.
    label : str
        Class attribute, as `Dataset.from_relation` takes it.
    ignore : tuple of str
        Attributes that are left out.
    shape : tuple of int
        Numbers of rows, of attributes in use without the class, and of classes that occur.
    """

    name: str
    path: str = ""
    generator: str = ""
    arguments: tuple[tuple[str, float], ...] = ()
    label: str = "last"
    ignore: tuple[str, ...] = ()
    shape: tuple[int, int, int] = field(default=(0, 0, 0), compare=False)

    @property
    def is_xd6(self) -> bool:
        """Whether the target is known."""
        return self.generator == "xd6"

    @property
    def cost(self) -> float:
        """Rows times attributes times classes: the work of a training, roughly."""
        rows, attributes, classes = self.shape
        return float(rows * (attributes + 1) * classes)

    def relation(self) -> Relation:
        """Read or draw the data: the attributes in use, without weights, then the class."""
        if self.generator:
            relation: Relation = getattr(sample_data, self.generator)(**dict(self.arguments))
        else:
            relation = read_arff(self.path)
        target = find_class(relation.attributes, self.label)
        left_out = {find_attribute(relation.attributes, name, "ignore") for name in self.ignore}
        order = [i for i in range(len(relation.attributes)) if i not in left_out | {target}]
        order.append(target)
        return Relation(
            relation.name,
            tuple(replace(relation.attributes[i], weight=1.0) for i in order),
            tuple(relation.columns[i] for i in order),
            relation.weights,
        )

    def exact_test(self) -> Relation:
        """Return the whole distribution that a sample of XD6 was drawn from."""
        return whole_distribution(float(dict(self.arguments).get("class_noise", 0.1)))

    def digest(self) -> str:
        """Return a digest of the data and of how they are read."""
        content = repr((self.generator, self.arguments, self.label, self.ignore)).encode()
        if self.path:
            content += _file_digest(self.path)
        return hashlib.sha256(content).hexdigest()[:16]


@lru_cache(maxsize=1024)
def _file_digest(path: str) -> bytes:
    return hashlib.sha256(Path(path).read_bytes()).digest()


@lru_cache(maxsize=2)
def loaded(problem: StudyProblem) -> Dataset:
    """Return the examples of a problem; those of the last ones stay in memory."""
    return Dataset.from_relation(problem.relation())


@dataclass(frozen=True, slots=True)
class Collection:
    """Problems, and what was left out with the reason."""

    problems: tuple[StudyProblem, ...]
    left_out: tuple[tuple[str, str], ...]


def folder_problems(folder: Path) -> Collection:
    """Return the classification problems among the ARFF files of a folder, by name.

    The class is the last attribute; where that is not nominal, the first; `CLASS_OF` knows some
    exceptions.  String and relational attributes are left out.

    Raises
    ------
    WidcError
        If the folder has no ARFF file.
    """
    files = sorted(folder.glob("*.arff"))
    if not files:
        raise WidcError(f"{folder}: expected a folder with ARFF files, found none")
    return _collect([(path.stem, StudyProblem(path.stem, path=str(path))) for path in files])


def generated_problems() -> Collection:
    """Return the domains of Table 1 that are made here."""
    drawn = []
    for name, key in GENERATED.items():
        domain = sample_data.DOMAINS[key]
        drawn.append(
            (
                name,
                StudyProblem(name, generator=domain.generate.__name__, arguments=domain.arguments),
            )
        )
    there = _collect(drawn)
    reason = "not among the domains that are made here; name a folder with --data"
    absent = [(name, reason) for name in published() if name not in GENERATED]
    return Collection(there.problems, there.left_out + tuple(absent))


def xd6_problem(seed: int, class_noise: float, attribute_noise: float = 0.0) -> StudyProblem:
    """Return a sample of 512 examples of XD6."""
    arguments = (
        ("n_rows", 512),
        ("seed", seed),
        ("class_noise", class_noise),
        ("attribute_noise", attribute_noise),
    )
    noise = f"class noise {class_noise:.2f}, attribute noise {attribute_noise:.2f}"
    name = f"xd6, {noise}, sample {seed}"
    return StudyProblem(name, generator="xd6", arguments=arguments, shape=(512, 10, 2))


def _collect(candidates: list[tuple[str, StudyProblem]]) -> Collection:
    problems, left_out = [], []
    for name, problem in candidates:
        try:
            problems.append(_checked(problem))
        except WidcError as error:
            left_out.append((name, str(error).splitlines()[0]))
    return Collection(tuple(problems), tuple(left_out))


def _checked(problem: StudyProblem) -> StudyProblem:
    """Return a problem that can be run, with its class, what is ignored, and its shape."""
    if problem.path:
        problem = _with_class(problem, read_arff(problem.path))
    relation = problem.relation()
    dataset = Dataset.from_relation(relation)
    counts: Integers = dataset.Y.sum(axis=0)
    classes = int((counts > 0).sum())
    if not dataset.schema.attributes:
        raise DataError("no attribute can be used: all but the class are string or relational")
    if counts.sum() < 2 or classes < 2:
        raise DataError(
            f"expected rows of at least two classes, got {counts.sum()} with a class, of {classes}"
        )
    return replace(problem, shape=(dataset.n_samples, len(dataset.schema.attributes), classes))


def _with_class(problem: StudyProblem, relation: Relation) -> StudyProblem:
    attributes = relation.attributes
    label = CLASS_OF.get(problem.name, attributes[-1].name)
    if problem.name not in CLASS_OF and attributes[-1].type != "nominal":
        label = attributes[0].name
        if attributes[0].type != "nominal":
            last = attributes[-1]
            raise DataError(
                f"no classification problem: the last attribute, {last.name!r}, is {last.type}, "
                f"and the first, {label!r}, {attributes[0].type}"
            )
    ignore = tuple(
        attribute.name
        for attribute in attributes
        if attribute.type in ("string", "relational") and attribute.name != label
    )
    return replace(problem, label=label, ignore=ignore)
