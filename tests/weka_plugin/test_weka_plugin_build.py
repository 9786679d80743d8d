from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import weka_plugin
import widc_arff
from tests.endings import PATIENCE_S
from tests.weka.plugin import plugin
from weka_plugin.__main__ import main
from weka_plugin.build import build
from widc_arff.errors import WidcError

PACKAGE = Path(widc_arff.__file__).parent
JAR_MAIN = Path(weka_plugin.__file__).parent / "jar_main.py"


@pytest.mark.needs("weka")
def test_a_second_build_gives_the_same_bytes(tmp_path: Path) -> None:
    again = build(tmp_path / "new" / "folder")
    assert again.jar.read_bytes() == plugin().jar.read_bytes()
    assert again.zip.read_bytes() == plugin().zip.read_bytes()
    assert sorted(path.name for path in again.jar.parent.iterdir()) == [
        again.zip.name,
        again.jar.name,
    ]


@pytest.mark.needs("weka")
def test_the_jar_holds_both_halves_and_nothing_else() -> None:
    with zipfile.ZipFile(plugin().jar) as archive:
        names = archive.namelist()
    assert names[0] == "META-INF/MANIFEST.MF"
    assert "__main__.py" in names
    assert "weka/classifiers/rules/WIDC.class" in names
    ours = {f"widc_arff/{path.relative_to(PACKAGE).as_posix()}" for path in PACKAGE.rglob("*.py")}
    classes = {name for name in names if name.endswith(".class")}
    assert set(names) == {"META-INF/MANIFEST.MF", "__main__.py"} | ours | classes
    assert all(name.startswith("weka/classifiers/rules/") for name in classes)


@pytest.mark.needs("weka")
def test_the_package_holds_the_jar_and_its_description() -> None:
    assert plugin().zip.name == f"WIDC-{widc_arff.__version__}.zip"
    with zipfile.ZipFile(plugin().zip) as archive:
        names = ["Description.props", "GenericPropertiesCreator.props", "widc.jar"]
        assert archive.namelist() == names
        assert archive.read("widc.jar") == plugin().jar.read_bytes()
        lines = archive.read("Description.props").decode().splitlines()
    fields = dict(line.split("=", 1) for line in lines)
    assert fields["PackageName"] == "WIDC"
    assert fields["Version"] == widc_arff.__version__
    assert fields["Depends"] == "weka (>=3.9.6)"


@pytest.mark.needs("weka")
def test_classes_run_on_java_8() -> None:
    with zipfile.ZipFile(plugin().jar) as archive:
        content = archive.read("weka/classifiers/rules/WIDC.class")
    assert int.from_bytes(content[6:8], "big") == 52


def test_without_a_jdk_the_message_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert main(["build", "-o", str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (
        "error: expected a Java compiler (a JDK, 9 or newer), found no javac in JAVA_HOME or on "
        "the PATH\n"
    )


@pytest.mark.needs("weka")
def test_java_home_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "bin" / "javac"
    compiler.parent.mkdir()
    compiler.write_text("#!/bin/sh\necho it is broken\nexit 7\n", encoding="utf-8")
    compiler.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(WidcError, match="bin/javac failed with exit code 7:\n    it is broken"):
        build(tmp_path)


def test_a_compiler_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WidcError, match="expected the Java compiler at /no/javac, got no such"):
        build(tmp_path, javac="/no/javac")


@pytest.mark.needs("weka")
def test_a_weka_jar_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(WidcError, match=r"expected weka.jar, got no file at '/no/weka.jar'"):
        build(tmp_path, weka_jar="/no/weka.jar")
    monkeypatch.setenv("WEKA_JAR", "/other/weka.jar")
    with pytest.raises(WidcError, match=r"WEKA_JAR: expected weka.jar, got no file at '/other/"):
        build(tmp_path)
    monkeypatch.delenv("WEKA_JAR")
    monkeypatch.setitem(sys.modules, "weka", None)
    with pytest.raises(WidcError, match=r"found none: name it with --weka-jar or WEKA_JAR"):
        build(tmp_path)


@pytest.mark.needs("weka")
def test_the_command_prints_what_it_wrote(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "-o", str(tmp_path)]) == 0
    jar, package = capsys.readouterr().out.splitlines()
    assert Path(jar) == tmp_path / "widc.jar"
    assert Path(package).parent == tmp_path
    assert Path(jar).is_file()
    assert Path(package).is_file()


def test_any_python_can_read_what_starts_the_worker() -> None:
    tree = ast.parse(JAR_MAIN.read_text(encoding="ascii"), feature_version=(3, 7))
    newer = (ast.JoinedStr, ast.AnnAssign, ast.FunctionDef, ast.With, ast.NamedExpr, ast.Nonlocal)
    assert not [node for node in ast.walk(tree) if isinstance(node, newer)]


@pytest.mark.needs("weka")
def test_a_python_without_numpy_says_what_is_needed() -> None:
    done = _run_jar("-S", "-I", str(plugin().jar), "--weka-worker")
    assert done.returncode == 3
    assert done.stdout == b""
    version = ".".join(map(str, sys.version_info[:3]))
    expected = f"needs Python 3.11 or newer and numpy, found Python {version} without numpy\n"
    assert done.stderr.decode() == expected


@pytest.mark.needs("weka")
def test_the_jar_as_a_program_greets_and_ends_with_its_input() -> None:
    done = _run_jar(str(plugin().jar), "--weka-worker")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"WIDC1 ")
    assert f'"widc_arff": "{widc_arff.__version__}"'.encode() in done.stdout


@pytest.mark.needs("weka")
def test_the_jar_without_arguments_says_what_it_is() -> None:
    done = _run_jar(str(plugin().jar))
    assert done.returncode == 2
    assert b"Weka's package manager" in done.stderr


def _run_jar(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        timeout=PATIENCE_S,
        check=False,
    )
