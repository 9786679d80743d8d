"""The small domains of ``arff_data/``: a pure function for each, and what wrote the files.

Four kinds: artificial domains drawn with a seed (xd6, the LED displays, waveform), domains that
are enumerated by their definition (monks, tic-tac-toe, balance scale), two tables of fourteen
lines that every textbook prints (weather), and two classics exported from scikit-learn's bundled
copies (iris, wine).  Definition and defaults of xd6 are those of section 6.2 of the paper and of
its study of noise.

Chance: every number drawn is a double of ``numpy.random.default_rng(seed).random()``, that is of
numpy's PCG64 stream; no other method of the generator is used, so that the files stay the same
over versions of numpy.  An example owns a fixed number of consecutive draws.  Hence the first rows
of a larger sample are the smaller sample, and two noise levels with one seed differ in the noise
alone.

``python -m tests.reproduction.sample_data FOLDER`` writes all files and ``MANIFEST.json``.
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
import json
import sys
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import NormalDist
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.writer import write_arff
from widc_arff.errors import OptionError, WidcError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats

BINARY: Final = ("0", "1")

LED_SEGMENTS: Final = (
    "top",
    "upper_left",
    "upper_right",
    "middle",
    "lower_left",
    "lower_right",
    "bottom",
)
# Which segments show the digits 0 ... 9, in the order above (Breiman et al. 1984, pages 43-49).
LED_CODES: Final = (
    *("1110111", "0010010", "1011101", "1011011", "0111010"),
    *("1101011", "1101111", "1010010", "1111111", "1111011"),
)
LED_IRRELEVANT: Final = 17

WAVEFORM_POINTS: Final = 21
# Peaks of the two triangular waves that each class mixes; a wave is max(0, 6 - |point - peak|).
WAVEFORM_PEAKS: Final = ((11, 15), (11, 7), (15, 7))

MONK_VALUES: Final = ("123", "123", "12", "123", "1234", "12")

BOARD_SQUARES: Final = tuple(
    f"{row}-{column}-square"
    for row in ("top", "middle", "bottom")
    for column in ("left", "middle", "right")
)
# Lines of three among the squares 0 ... 8: rows, columns, diagonals.
BOARD_LINES: Final = tuple(
    tuple(map(int, line)) for line in ("012", "345", "678", "036", "147", "258", "048", "246")
)

# Outlook, temperature, humidity, windy, play; then degrees Fahrenheit and percent as measured.
WEATHER_DAYS: Final = """
sunny    hot  high   FALSE no  85 85
sunny    hot  high   TRUE  no  80 90
overcast hot  high   FALSE yes 83 86
rainy    mild high   FALSE yes 70 96
rainy    cool normal FALSE yes 68 80
rainy    cool normal TRUE  no  65 70
overcast cool normal TRUE  yes 64 65
sunny    mild high   FALSE no  72 95
sunny    cool normal FALSE yes 69 70
rainy    mild normal FALSE yes 75 80
sunny    mild normal TRUE  yes 75 70
overcast mild high   TRUE  yes 72 90
overcast hot  normal FALSE yes 81 75
rainy    mild high   TRUE  no  71 91
"""

IRIS_MEASUREMENTS: Final = ("sepal_length", "sepal_width", "petal_length", "petal_width")
WINE_MEASUREMENTS: Final = (
    *("alcohol", "malic_acid", "ash", "alcalinity_of_ash", "magnesium", "total_phenols"),
    *("flavanoids", "nonflavanoid_phenols", "proanthocyanins", "color_intensity", "hue"),
    *("od280_od315_of_diluted_wines", "proline"),
)


# -- artificial domains ------------------------------------------------------------------------


def xd6(
    n_rows: int = 512, seed: int = 1, class_noise: float = 0.1, attribute_noise: float = 0.0
) -> Relation:
    """Draw the XD6 domain: a 3-DNF over nine of ten binary variables.

    Ten fair binary variables x0 ... x9; the class is "+" iff
    (x0 and x1 and x2) or (x3 and x4 and x5) or (x6 and x7 and x8); x9 is irrelevant.

    Parameters
    ----------
    n_rows : int
        Number of examples, at least 1.
    seed : int
        Seed of the generator, at least 0.
    class_noise : float
        Probability in [0, 1] with which the class of an example is flipped, independently.
    attribute_noise : float
        Probability in [0, 1] with which a value is flipped after the class was determined,
        independently for each example and attribute.

    Returns
    -------
    Relation
        Attributes x0 ... x9 with the values 0, 1; class -, +.

    Raises
    ------
    OptionError
        A parameter lies outside its range.

    Notes
    -----
    Section 6.2 of Nock (2002), after Buntine and Niblett (1992), whose class noise is 10 %.  The
    paper's study of noise draws 512 examples.  Before noise 169/512 of the examples are positive.
    Without attribute noise the Bayes error is `class_noise`, as long as that is at most 1/2.
    """
    _check_probabilities(class_noise=class_noise, attribute_noise=attribute_noise)
    draws = _draw(n_rows, 10 + 1 + 10, seed)
    values = draws[:, :10] < 0.5
    conjunctions = np.all(values[:, :9].reshape(-1, 3, 3), axis=2)
    is_positive = np.any(conjunctions, axis=1)
    labels = is_positive ^ (draws[:, 10] < class_noise)
    noisy_values = values ^ (draws[:, 11:] < attribute_noise)
    attributes = [_nominal(f"x{index}", BINARY) for index in range(10)]
    return _relation("xd6", attributes, _nominal("class", "-+"), noisy_values, labels)


def led7(n_rows: int = 500, seed: int = 1, attribute_noise: float = 0.1) -> Relation:
    """Draw digits shown on a faulty display of seven segments.

    A digit is drawn uniformly; each segment is wrong independently.

    Parameters
    ----------
    n_rows : int
        Number of examples, at least 1.
    seed : int
        Seed of the generator, at least 0.
    attribute_noise : float
        Probability in [0, 1] with which a segment is flipped.

    Returns
    -------
    Relation
        Seven attributes named after the segments, values 0 (off), 1 (on); class 0 ... 9.

    Raises
    ------
    OptionError
        A parameter lies outside its range.

    Notes
    -----
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, pages 43-49.
    The Bayes error is 26.0 % at 10 % noise.
    """
    digits, segments, _ = _led(n_rows, seed, attribute_noise)
    return _relation("led7", _segments(), _nominal("class", "0123456789"), segments, digits)


def led24(n_rows: int = 500, seed: int = 1, attribute_noise: float = 0.1) -> Relation:
    """Draw the faulty display with seventeen irrelevant attributes.

    Parameters
    ----------
    n_rows : int
        Number of examples, at least 1.
    seed : int
        Seed of the generator, at least 0.
    attribute_noise : float
        Probability in [0, 1] with which a segment is flipped.

    Returns
    -------
    Relation
        The relation of `led7` with fair binary attributes irrelevant1 ... irrelevant17 before the
        class.

    Raises
    ------
    OptionError
        A parameter lies outside its range.

    Notes
    -----
    Breiman et al. (1984), pages 43-49.  Digits and segments are those of `led7` with the same
    parameters.
    """
    digits, segments, irrelevant = _led(n_rows, seed, attribute_noise)
    extra = [_nominal(f"irrelevant{index}", BINARY) for index in range(1, LED_IRRELEVANT + 1)]
    values = np.hstack([segments, irrelevant])
    label = _nominal("class", "0123456789")
    return _relation("led24", [*_segments(), *extra], label, values, digits)


def ledeven(n_rows: int = 500, seed: int = 1, attribute_noise: float = 0.1) -> Relation:
    """Draw the faulty display with the parity of the digit as the class.

    Parameters
    ----------
    n_rows : int
        Number of examples, at least 1.
    seed : int
        Seed of the generator, at least 0.
    attribute_noise : float
        Probability in [0, 1] with which a segment is flipped.

    Returns
    -------
    Relation
        Seven attributes named after the segments, values 0, 1; class even, odd.

    Raises
    ------
    OptionError
        A parameter lies outside its range.

    Notes
    -----
    The LEDeven domain of the paper's Table 1.  The Bayes error is 11.0 % at 10 % noise.  Digits
    and segments are those of `led7` with the same parameters.
    """
    digits, segments, _ = _led(n_rows, seed, attribute_noise)
    label = _nominal("class", ("even", "odd"))
    return _relation("ledeven", _segments(), label, segments, digits % 2)


def waveform(n_rows: int = 300, seed: int = 1, noise: float = 1.0) -> Relation:
    """Draw random mixtures of two out of three triangular waves, seen at 21 points with noise.

    With h_p(i) = max(0, 6 - |i - p|) at the points i = 1 ... 21 and u uniform on [0, 1), value i of
    an example is u h_a(i) + (1 - u) h_b(i) + e, where (a, b) = (11, 15), (11, 7), (15, 7) for the
    classes 0, 1, 2 and e is normal with mean 0.  Classes are drawn uniformly.

    Parameters
    ----------
    n_rows : int
        Number of examples, at least 1.
    seed : int
        Seed of the generator, at least 0.
    noise : float
        Standard deviation of e, finite and at least 0.

    Returns
    -------
    Relation
        Numeric attributes x1 ... x21, rounded to two decimals; class 0, 1, 2.

    Raises
    ------
    OptionError
        A parameter lies outside its range.

    Notes
    -----
    Breiman et al. (1984), pages 49-55; classes numbered from 0 and two decimals as in the UCI
    repository.  The Bayes error is about 14 % at noise 1.  Normal numbers are the inverse of the
    distribution function at one draw each, so the stream does not depend on numpy's normal sampler.
    """
    if not 0.0 <= noise < float("inf"):
        raise OptionError(f"expected a finite number of at least 0, got {noise!r}", option="noise")
    draws = _draw(n_rows, 2 + WAVEFORM_POINTS, seed)
    classes = (draws[:, 0] * 3).astype(np.intp)
    points = np.arange(1, WAVEFORM_POINTS + 1)
    first, second = np.maximum(0, 6 - np.abs(points - np.array(WAVEFORM_PEAKS).T[:, :, np.newaxis]))
    share = draws[:, 1, np.newaxis]
    means = share * first[classes] + (1 - share) * second[classes]
    rows: list[tuple[str | float, ...]] = []
    for label, mean, uniforms in zip(classes, means.tolist(), draws[:, 2:].tolist(), strict=True):
        values = [m + noise * _normal(u) for m, u in zip(mean, uniforms, strict=True)]
        rows.append((*(round(value, 2) + 0.0 for value in values), "012"[label]))  # no -0.0
    attributes = [Attribute(f"x{point}", "numeric") for point in points]
    return Relation.from_rows("waveform", [*attributes, _nominal("class", "012")], rows)


# -- domains enumerated by definition ----------------------------------------------------------


def monk1(n_rows: int | None = None, seed: int = 1) -> Relation:
    """Enumerate or sample the first monk's problem: a1 = a2 or a5 = 1.

    Parameters
    ----------
    n_rows : int or None
        Size of a sample without replacement, in [1, 432]; None for all 432 robots.
    seed : int
        Seed of the sample, at least 0.

    Returns
    -------
    Relation
        Attributes a1 (head shape), a2 (body shape), a3 (is smiling), a4 (holding), a5 (jacket
        colour), a6 (has tie) with 3, 3, 2, 3, 4, 2 values counted from 1; class 0, 1; rows in
        lexicographic order.

    Raises
    ------
    OptionError
        A parameter lies outside its range.

    Notes
    -----
    Thrun et al. (1991), The MONK's Problems, CMU-CS-91-197; names of the UCI repository.  Half of
    the robots belong to class 1.  The published training sample has 124 robots; a sample drawn here
    has the size of one's choice, not those robots.
    """
    return _monk("monk1", lambda a: a[0] == a[1] or a[4] == "1", n_rows, seed)


def monk2(n_rows: int | None = None, seed: int = 1) -> Relation:
    """Enumerate or sample the second monk's problem: exactly two attributes have the value 1.

    Parameters
    ----------
    n_rows : int or None
        Size of a sample without replacement, in [1, 432]; None for all 432 robots.
    seed : int
        Seed of the sample, at least 0.

    Returns
    -------
    Relation
        As of `monk1`; 142 of all robots belong to class 1.

    Raises
    ------
    OptionError
        A parameter lies outside its range.

    Notes
    -----
    Thrun et al. (1991).  The published training sample has 169 robots.
    """
    return _monk("monk2", lambda a: a.count("1") == 2, n_rows, seed)


def monk3(n_rows: int | None = None, seed: int = 1, class_noise: float = 0.0) -> Relation:
    """Enumerate or sample the third monk's problem: a5 = 3 and a4 = 1, or a5 != 4 and a2 != 3.

    Parameters
    ----------
    n_rows : int or None
        Size of a sample without replacement, in [1, 432]; None for all 432 robots.
    seed : int
        Seed of sample and noise, at least 0.
    class_noise : float
        Probability in [0, 1] with which the class of a robot is flipped, independently.

    Returns
    -------
    Relation
        As of `monk1`; without noise 228 of all robots belong to class 1.

    Raises
    ------
    OptionError
        A parameter lies outside its range.

    Notes
    -----
    Thrun et al. (1991).  The published training sample has 122 robots, 5 % of them with the wrong
    class.
    """
    return _monk(
        "monk3",
        lambda a: (a[4] == "3" and a[3] == "1") or (a[4] != "4" and a[1] != "3"),
        n_rows,
        seed,
        class_noise,
    )


def tic_tac_toe() -> Relation:
    """Enumerate the final boards of tic-tac-toe when x moves first.

    A game ends with three in a line or a full board.  The class is positive iff x has won.

    Returns
    -------
    Relation
        958 rows: nine squares with x, o or b (blank), class negative, positive (626); rows in
        lexicographic order of x, o, b.

    Notes
    -----
    The Tic-Tac-Toe Endgame domain of the UCI repository (Aha, 1991).
    """
    boards = sorted(_final_boards(), key=lambda board: ["xob".index(square) for square in board])
    rows = [(*board, "positive" if _has_line(board, "x") else "negative") for board in boards]
    attributes = [_nominal(square, "xob") for square in BOARD_SQUARES]
    label = _nominal("class", ("negative", "positive"))
    return Relation.from_rows("tic-tac-toe", [*attributes, label], rows)


def balance_scale() -> Relation:
    """Enumerate the states of a balance scale: which side goes down.

    The side with the larger product of weight and distance goes down: class L or R, or B.

    Returns
    -------
    Relation
        625 rows: left-weight, left-distance, right-weight, right-distance, numeric from 1 to 5;
        class L (288), B (49), R (288); rows in lexicographic order.

    Notes
    -----
    The Balance Scale domain of the UCI repository (Siegler, 1976; Klahr and Siegler, 1978).
    """
    rows = []
    for state in product(range(1, 6), repeat=4):
        left_weight, left_distance, right_weight, right_distance = state
        torque = left_weight * left_distance - right_weight * right_distance
        side = "L" if torque > 0 else "R" if torque < 0 else "B"
        rows.append((*map(float, state), side))
    names = ("left-weight", "left-distance", "right-weight", "right-distance")
    attributes = [Attribute(name, "numeric") for name in names]
    return Relation.from_rows("balance-scale", [*attributes, _nominal("class", "LBR")], rows)


# -- domains written out or exported -----------------------------------------------------------


def weather_nominal() -> Relation:
    """Return the fourteen days on which somebody played outside or did not.

    Returns
    -------
    Relation
        14 rows: outlook, temperature, humidity, windy, all nominal; class play: yes (9), no (5).

    Notes
    -----
    Quinlan (1986), Induction of decision trees, Machine Learning 1; names and order of Witten and
    Frank's textbook, Data Mining.
    """
    rows = [tuple(day.split()[:5]) for day in WEATHER_DAYS.strip().splitlines()]
    return _weather(
        "weather-nominal",
        _nominal("temperature", ("hot", "mild", "cool")),
        _nominal("humidity", ("high", "normal")),
        rows,
    )


def weather_numeric() -> Relation:
    """Return the fourteen days with temperature and humidity measured.

    Returns
    -------
    Relation
        14 rows: outlook and windy nominal, temperature (degrees Fahrenheit) and humidity (percent)
        numeric; class play: yes (9), no (5).

    Notes
    -----
    Quinlan (1993), C4.5, and Witten and Frank's textbook, whose numbers these are.
    """
    rows: list[tuple[str | float, ...]] = []
    for day in WEATHER_DAYS.strip().splitlines():
        outlook, _, _, windy, play, temperature, humidity = day.split()
        rows.append((outlook, float(temperature), float(humidity), windy, play))
    return _weather(
        "weather-numeric",
        Attribute("temperature", "numeric"),
        Attribute("humidity", "numeric"),
        rows,
    )


def iris() -> Relation:
    """Export scikit-learn's copy of Fisher's iris data.

    Returns
    -------
    Relation
        150 rows: length and width of sepal and petal in cm, numeric; class setosa, versicolor,
        virginica (50 each).

    Raises
    ------
    WidcError
        scikit-learn is not installed.

    Notes
    -----
    Fisher (1936).  scikit-learn's copy is true to the article; two rows (35 and 38) of the copy in
    the UCI repository are not.
    """
    return _exported("iris", IRIS_MEASUREMENTS, ("setosa", "versicolor", "virginica"))


def wine() -> Relation:
    """Export scikit-learn's copy of the wine recognition data.

    Returns
    -------
    Relation
        178 rows: thirteen chemical measurements, numeric; class 1 (59), 2 (71), 3 (48), the
        cultivars.

    Raises
    ------
    WidcError
        scikit-learn is not installed.

    Notes
    -----
    Forina et al. (1988), UCI repository.  scikit-learn calls the classes class_0 ... class_2; here
    they have their numbers in the UCI repository.
    """
    return _exported("wine", WINE_MEASUREMENTS, "123")


# -- registry and writing ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Domain:
    """A generator with the arguments that make a file of ``arff_data/``; calling it generates.

    Parameters
    ----------
    generate : callable
        One of the functions of this module.
    source : str
        Where the data come from, for the manifest.
    arguments : tuple of (str, int or float)
        The arguments that differ from the defaults of `generate`.
    """

    generate: Callable[..., Relation]
    source: str
    arguments: tuple[tuple[str, int | float], ...] = ()

    def __call__(self) -> Relation:
        """Generate the relation of the file."""
        return self.generate(**dict(self.arguments))

    @property
    def call(self) -> str:
        """The call that generates the file, all arguments written out."""
        bound = inspect.signature(self.generate).bind(**dict(self.arguments))
        bound.apply_defaults()
        arguments = ", ".join(f"{name}={value!r}" for name, value in bound.arguments.items())
        return f"{self.generate.__name__}({arguments})"


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """What ``MANIFEST.json`` says of one file.

    Parameters
    ----------
    rows, attributes : int
        Numbers of examples and of attributes, the class included.
    classes : tuple of str
        The labels in the order of their declaration.
    sha256 : str
        Digest of the bytes of the file, hexadecimal.
    source : str
        Where the data come from.
    generator : str
        The call of this module that generates the file.
    """

    rows: int
    attributes: int
    classes: tuple[str, ...]
    sha256: str
    source: str
    generator: str


_NOCK: Final = "Nock (2002), section 6.2, after Buntine and Niblett (1992)"
_CART: Final = "Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees"
_MONKS: Final = "Thrun et al. (1991), The MONK's Problems, CMU-CS-91-197"
_MONKS_DRAWN: Final = f"drawn from all robots of {_MONKS}; not the published sample"
_TIC_TAC_TOE: Final = "enumerated; Tic-Tac-Toe Endgame of the UCI repository (Aha, 1991)"
_BALANCE: Final = "enumerated; Balance Scale of the UCI repository (Siegler, 1976)"
_WEATHER: Final = "Quinlan (1986), Induction of decision trees, Machine Learning 1"
_MEASURED: Final = "Quinlan (1993), C4.5; numbers of Witten and Frank, Data Mining"
_IRIS: Final = "scikit-learn's bundled copy; Fisher (1936)"
_WINE: Final = "scikit-learn's bundled copy; Forina et al. (1988), UCI repository"

DOMAINS: Final[Mapping[str, Domain]] = MappingProxyType(
    {
        "xd6": Domain(xd6, f"drawn by the definition in {_NOCK}"),
        "led7": Domain(led7, f"drawn by the definition in {_CART}, pages 43-49"),
        "led24": Domain(led24, f"drawn by the definition in {_CART}, pages 43-49"),
        "ledeven": Domain(ledeven, f"drawn; parity of the digits in {_CART}, pages 43-49"),
        "waveform": Domain(waveform, f"drawn by the definition in {_CART}, pages 49-55"),
        "monk1": Domain(monk1, f"enumerated by the definition in {_MONKS}"),
        "monk2": Domain(monk2, f"enumerated by the definition in {_MONKS}"),
        "monk3": Domain(monk3, f"enumerated by the definition in {_MONKS}"),
        "monk1-124": Domain(monk1, _MONKS_DRAWN, (("n_rows", 124),)),
        "monk2-169": Domain(monk2, _MONKS_DRAWN, (("n_rows", 169),)),
        "monk3-122": Domain(monk3, _MONKS_DRAWN, (("n_rows", 122), ("class_noise", 0.05))),
        "tic-tac-toe": Domain(tic_tac_toe, _TIC_TAC_TOE),
        "balance-scale": Domain(balance_scale, _BALANCE),
        "weather-nominal": Domain(weather_nominal, _WEATHER),
        "weather-numeric": Domain(weather_numeric, _MEASURED),
        "iris": Domain(iris, _IRIS),
        "wine": Domain(wine, _WINE),
    }
)


def write_sample_data(folder: str | os.PathLike[str]) -> dict[str, ManifestEntry]:
    """Write every domain as ``NAME.arff``, and ``MANIFEST.json``.

    Everything is generated before the first file is written; files of the same names are replaced.

    Parameters
    ----------
    folder : str or path
        Where to write; made when it does not exist.

    Returns
    -------
    dict of str to ManifestEntry
        File names in the order of `DOMAINS`, as in the manifest.

    Raises
    ------
    WidcError
        scikit-learn is not installed, or a data file cannot be written.
    OSError
        The folder cannot be made, or the manifest cannot be written.
    """
    relations = {f"{name}.arff": domain() for name, domain in DOMAINS.items()}
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, ManifestEntry] = {}
    for (file_name, relation), domain in zip(relations.items(), DOMAINS.values(), strict=True):
        write_arff(relation, place / file_name)
        manifest[file_name] = ManifestEntry(
            rows=relation.n_rows,
            attributes=len(relation.attributes),
            classes=tuple(relation.attributes[-1].values),
            sha256=hashlib.sha256((place / file_name).read_bytes()).hexdigest(),
            source=domain.source,
            generator=domain.call,
        )
    text = json.dumps({name: asdict(entry) for name, entry in manifest.items()}, indent=1)
    (place / "MANIFEST.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    return manifest


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the sample data and print one line per file.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments of the command line; by default those of the process.

    Returns
    -------
    int
        0, or 1 after a message on stderr.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tests.reproduction.sample_data",
        description="Write the files of arff_data/.",
    )
    parser.add_argument("folder", metavar="FOLDER", help="where to write; made when missing")
    folder: str = parser.parse_args(arguments).folder
    try:
        manifest = write_sample_data(folder)
    except (WidcError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)  # noqa: T201 - a command line of its own
        return 1
    for name, entry in manifest.items():
        counts = (
            f"{entry.rows:4} rows {entry.attributes:3} attributes {len(entry.classes):3} classes"
        )
        print(f"{name:<20} {counts}  {entry.generator}")  # noqa: T201 - results go to stdout
    return 0


# -- parts of the generators -------------------------------------------------------------------


def _check_probabilities(**values: float) -> None:
    for name, value in values.items():
        if not 0.0 <= value <= 1.0:
            raise OptionError(f"expected a probability in [0, 1], got {value!r}", option=name)


def _draw(n_rows: int, n_draws: int, seed: int) -> Floats:
    """Return uniform numbers in [0, 1), shape (n_rows, n_draws): a row of draws per example."""
    if n_rows < 1:
        raise OptionError(f"expected a whole number of at least 1, got {n_rows!r}", option="n_rows")
    if seed < 0:
        raise OptionError(f"expected a whole number of at least 0, got {seed!r}", option="seed")
    return np.random.default_rng(seed).random((n_rows, n_draws))


def _normal(uniform: float) -> float:
    """Return the standard normal quantile of a number in [0, 1)."""
    return NormalDist().inv_cdf(max(uniform, 2.0**-54))  # the quantile of 0 is infinite


def _nominal(name: str, values: Sequence[str]) -> Attribute:
    return Attribute(name, "nominal", tuple(values))


def _relation(
    name: str,
    attributes: Sequence[Attribute],
    label: Attribute,
    codes: NDArray[Any],
    labels: NDArray[Any],
) -> Relation:
    """Return a relation of binary attributes and a class, given as codes."""
    rows = [
        (*(BINARY[code] for code in values), label.values[code])
        for values, code in zip(codes.tolist(), labels.tolist(), strict=True)
    ]
    return Relation.from_rows(name, [*attributes, label], rows)


def _segments() -> list[Attribute]:
    return [_nominal(segment, BINARY) for segment in LED_SEGMENTS]


def _led(n_rows: int, seed: int, attribute_noise: float) -> tuple[NDArray[np.intp], Bools, Bools]:
    """Return digits (n_rows,), noisy segments (n_rows, 7), irrelevant values (n_rows, 17)."""
    _check_probabilities(attribute_noise=attribute_noise)
    n_segments = len(LED_SEGMENTS)
    draws = _draw(n_rows, 1 + n_segments + LED_IRRELEVANT, seed)
    digits = (draws[:, 0] * 10).astype(np.intp)
    codes = np.array([[segment == "1" for segment in code] for code in LED_CODES])
    segments = codes[digits] ^ (draws[:, 1 : 1 + n_segments] < attribute_noise)
    return digits, segments, draws[:, 1 + n_segments :] < 0.5


def _monk(
    name: str,
    holds: Callable[[tuple[str, ...]], bool],
    n_rows: int | None,
    seed: int,
    class_noise: float = 0.0,
) -> Relation:
    """Return all robots or a sample, with the class that `holds` says, some of them flipped."""
    _check_probabilities(class_noise=class_noise)
    robots = list(product(*MONK_VALUES))
    draws = _draw(len(robots), 2, seed)
    chosen: Sequence[int] = range(len(robots))
    if n_rows is not None:
        if not 1 <= n_rows <= len(robots):
            raise OptionError(
                f"expected a whole number in [1, {len(robots)}], got {n_rows!r}", option="n_rows"
            )
        # The robots with the least draws, which is a sample without replacement, in order.
        chosen = sorted(np.argsort(draws[:, 0], kind="stable")[:n_rows].tolist())
        name = f"{name}-{n_rows}"
    is_flipped = (draws[:, 1] < class_noise).tolist()
    rows = [(*robots[i], BINARY[holds(robots[i]) != is_flipped[i]]) for i in chosen]
    attributes = [_nominal(f"a{i}", values) for i, values in enumerate(MONK_VALUES, start=1)]
    return Relation.from_rows(name, [*attributes, _nominal("class", BINARY)], rows)


def _final_boards() -> set[str]:
    """Return the boards on which a game can end, nine squares each, by playing all games."""
    final: set[str] = set()
    unfinished = {"b" * 9}
    for player in "xoxoxoxox":
        reached = {
            board[:square] + player + board[square + 1 :]
            for board in unfinished
            for square in range(9)
            if board[square] == "b"
        }
        won = {board for board in reached if _has_line(board, player)}
        final |= won
        unfinished = reached - won
    return final | unfinished


def _has_line(board: str, player: str) -> bool:
    return any(all(board[square] == player for square in line) for line in BOARD_LINES)


def _weather(
    name: str,
    temperature: Attribute,
    humidity: Attribute,
    rows: Sequence[tuple[str | float, ...]],
) -> Relation:
    attributes = [
        _nominal("outlook", ("sunny", "overcast", "rainy")),
        temperature,
        humidity,
        _nominal("windy", ("TRUE", "FALSE")),
        _nominal("play", ("yes", "no")),
    ]
    return Relation.from_rows(name, attributes, rows)


def _exported(name: str, attribute_names: Sequence[str], labels: Sequence[str]) -> Relation:
    """Return the data set `name` that scikit-learn carries with it, under our names."""
    try:
        from sklearn import datasets
    except ImportError as error:
        raise WidcError(
            f"{name}: expected scikit-learn, which carries these data, found none;"
            " install it with: pip install 'widc-arff[sklearn]'"
        ) from error
    bunch = getattr(datasets, f"load_{name}")()
    rows = [
        (*values, labels[code])
        for values, code in zip(bunch.data.tolist(), bunch.target.tolist(), strict=True)
    ]
    attributes = [Attribute(attribute, "numeric") for attribute in attribute_names]
    return Relation.from_rows(name, [*attributes, _nominal("class", labels)], rows)


if __name__ == "__main__":
    sys.exit(main())
