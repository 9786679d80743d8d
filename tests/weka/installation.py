"""Find Weka and Java on this machine, for the tests that compare with Weka itself."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

JVM_OPTIONS = (
    "-Duser.timezone=UTC",
    "-Dfile.encoding=UTF-8",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
)


def weka_jar() -> Path | None:
    """Return the path of weka.jar: WEKA_JAR, else the one in python-weka-wrapper3, else None."""
    named = os.environ.get("WEKA_JAR")
    if named:
        candidates = [Path(named)]
    else:
        # This very folder can be found as a package without files: it holds no jar.
        spec = importlib.util.find_spec("weka")
        folders = spec.submodule_search_locations if spec else None
        candidates = [Path(folder) / "lib" / "weka.jar" for folder in folders or ()]
    return next((jar for jar in candidates if jar.is_file()), None)


def java() -> str | None:
    """Return the path of the Java launcher: that of JAVA_HOME, else on PATH, else None."""
    return _find("java")


def has_compiler() -> bool:
    """Tell whether there is a Java compiler."""
    return _find("javac") is not None


def _find(program: str) -> str | None:
    home = os.environ.get("JAVA_HOME")
    in_home = shutil.which(program, path=str(Path(home) / "bin")) if home else None
    return in_home or shutil.which(program)
