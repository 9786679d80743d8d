"""Build the Weka classifier: one jar with both halves, and the package that holds it.

A jar is a zip archive, so Python can run it as well: this one holds the Java classes, the Python
package ``widc_arff`` and a ``__main__.py`` that starts the worker.  The same sources give the same
bytes.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import TYPE_CHECKING

import widc_arff
from weka_plugin import java_options
from widc_arff.errors import WidcError
from widc_arff.system.files import written_whole
from widc_arff.system.processes import run_attended

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HERE = Path(__file__).parent
JAVA_RELEASE = "8"
WINDOWS = "GenericPropertiesCreator.props"
"""Says which of Weka's choices the classifier is one of, beside that of classifiers."""
TIMESTAMP = (1980, 1, 1, 0, 0, 0)
"""Of every entry: the earliest that a zip archive can hold."""

MANIFEST = (
    "Manifest-Version: 1.0\r\n"
    "Implementation-Title: WIDC\r\n"
    f"Implementation-Version: {widc_arff.__version__}\r\n"
    "\r\n"
)


@dataclass(frozen=True, slots=True)
class BuiltPackage:
    """What a build has written.

    Parameters
    ----------
    jar : Path
        For a class path.
    zip : Path
        For Weka's package manager.
    """

    jar: Path
    zip: Path


def build(
    out: str | os.PathLike[str],
    weka_jar: str | os.PathLike[str] | None = None,
    javac: str | os.PathLike[str] | None = None,
) -> BuiltPackage:
    """Write ``widc.jar`` and ``WIDC-VERSION.zip``.

    Parameters
    ----------
    out : path
        Folder; created if it does not exist.
    weka_jar : path, optional
        By default WEKA_JAR or that of python-weka-wrapper3.
    javac : path, optional
        Compiler of a JDK 9 or newer; by default that of JAVA_HOME or on the PATH.

    Raises
    ------
    WidcError
        If there is no compiler or no ``weka.jar``, or the compiler fails.
    OSError
        If the files cannot be written.
    """
    compiler = find_javac(javac)
    library = find_weka_jar(weka_jar)
    folder = Path(out)
    with TemporaryDirectory() as temporary:
        classes = Path(temporary)
        written = classes / "TrainingOptions.java"
        written.write_text(java_options.source(), encoding="utf-8")
        sources = [written, *sorted((HERE / "java").rglob("*.java"))]
        compile_java(compiler, library, classes, sources)
        entries = {"META-INF/MANIFEST.MF": MANIFEST.encode("ascii")}
        entries |= _files(classes, "*.class")
    package = Path(widc_arff.__file__).parent
    entries |= {f"widc_arff/{name}": content for name, content in _files(package, "*.py").items()}
    entries["__main__.py"] = (HERE / "jar_main.py").read_bytes()
    description = (HERE / "Description.props").read_text(encoding="utf-8")
    description = description.replace("@VERSION@", widc_arff.__version__)

    folder.mkdir(parents=True, exist_ok=True)
    built = BuiltPackage(folder / "widc.jar", folder / f"WIDC-{widc_arff.__version__}.zip")
    _write_archive(built.jar, entries)
    _write_archive(
        built.zip,
        {
            "Description.props": description.encode("utf-8"),
            WINDOWS: (HERE / WINDOWS).read_bytes(),
            "widc.jar": built.jar.read_bytes(),
        },
    )
    return built


def find_javac(named: str | os.PathLike[str] | None = None) -> str:
    """Return the Java compiler: the one named, that of JAVA_HOME, or the one on the PATH.

    Raises
    ------
    WidcError
        If there is none.
    """
    if named is not None:
        compiler = shutil.which(named)
        if compiler is None:
            raise WidcError(f"expected the Java compiler at {named}, got no such program")
        return os.fspath(compiler)
    return _find_in_jdk("javac", "a Java compiler (a JDK, 9 or newer)")


def find_java() -> str:
    """Return the Java launcher: that of JAVA_HOME, or the one on the PATH.

    Raises
    ------
    WidcError
        If there is none.
    """
    return _find_in_jdk("java", "Java")


def find_weka_jar(named: str | os.PathLike[str] | None = None) -> Path:
    """Return the path of weka.jar: the one named, WEKA_JAR, or that of python-weka-wrapper3.

    Raises
    ------
    WidcError
        If there is none.
    """
    for source, jar in (("", named), ("WEKA_JAR: ", os.environ.get("WEKA_JAR"))):
        if jar:
            if not Path(jar).is_file():
                raise WidcError(f"{source}expected weka.jar, got no file at {os.fspath(jar)!r}")
            return Path(jar)
    spec = importlib.util.find_spec("weka")
    for folder in (spec.submodule_search_locations if spec else None) or ():
        installed = Path(folder) / "lib" / "weka.jar"
        if installed.is_file():
            return installed
    raise WidcError(
        "expected weka.jar, found none: name it with --weka-jar or WEKA_JAR, or install "
        "python-weka-wrapper3"
    )


def _find_in_jdk(program: str, what: str) -> str:
    home = os.environ.get("JAVA_HOME")
    found = shutil.which(program, path=str(Path(home) / "bin")) if home else None
    found = found or shutil.which(program)
    if found is None:
        raise WidcError(f"expected {what}, found no {program} in JAVA_HOME or on the PATH")
    return found


def compile_java(compiler: str, library: Path, classes: Path, sources: Iterable[Path]) -> None:
    """Compile sources that need Weka.

    Raises
    ------
    WidcError
        If the compiler fails.
    """
    command = [compiler, "--release", JAVA_RELEASE, "-Xlint:-options", "-encoding", "UTF-8"]
    command += ["-cp", str(library), "-d", str(classes), *map(str, sources)]
    status, printed = run_attended(command)
    if status:
        said = indent(printed.strip(), "    ")
        raise WidcError(f"{compiler} failed with exit code {status}:\n{said}")


def _files(folder: Path, pattern: str) -> dict[str, bytes]:
    """Return the content of files below a folder by their relative names."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob(pattern)
    }


def _write_archive(path: Path, entries: Mapping[str, bytes]) -> None:
    """Write a zip archive, whole or not at all; a manifest comes first, as jars have it."""
    with written_whole(path) as stream, zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(entries, key=lambda name: (not name.startswith("META-INF/"), name)):
            entry = zipfile.ZipInfo(name, TIMESTAMP)
            entry.create_system = 3  # whatever the system, so that the bytes are the same
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, entries[name], zipfile.ZIP_DEFLATED, 9)
