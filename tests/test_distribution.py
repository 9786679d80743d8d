"""The sdist and the wheel hold what they should, and the wheel works where nothing else is."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from widc_arff import __version__

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return Path(folder)


def test_the_wheel_holds_the_packages_and_nothing_else(built):
    (wheel,) = built.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    kinds = {
        "widc_arff": ("*.py", "*.json", "*.md", "py.typed", "*.js", "*.css"),
        "weka_plugin": ("*.py", "*.java", "*.props", "*.sh", "*.cmd"),
    }
    expected = {
        path.relative_to(ROOT).as_posix()
        for folder, patterns in kinds.items()
        for pattern in patterns
        for path in (ROOT / folder).rglob(pattern)
    } | {f"widc_arff/sample_files/{path.name}" for path in (ROOT / "arff_data").iterdir()}
    assert {name for name in names if ".dist-info/" not in name} == expected
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_sdist_holds_code_documents_data_and_tests(built):
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
    patterns = (
        "widc_arff/**/*.py",
        "tests/reproduction/*",
        "docs/**/*.md",
        "arff_data/*",
        "tests/**/*.py",
        "tests/golden/*",
    )
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    expected = {path.relative_to(ROOT).as_posix() for path in found}
    assert {path for path in expected if "/node_modules/" not in path} <= names
    assert {"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "pyproject.toml"} <= names


def test_the_wheel_trains_in_a_fresh_environment(built, tmp_path):
    (wheel,) = built.glob("*.whl")
    venv.create(tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", python, "install", "-q", wheel]
    subprocess.run(install, check=True, cwd=tmp_path)
    for arguments in (["sample-data", "widc-samples"], ["train", "widc-samples/iris.arff"]):
        command = [python, "-m", "widc_arff", *arguments]
        run = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
        assert run.stderr == ""
    assert run.stdout.startswith("Decision committee for class")
    written = {path.name for path in (tmp_path / "widc-samples").iterdir()}
    assert written == {path.name for path in (ROOT / "arff_data").glob("*.arff")}


def test_every_address_of_the_project_is_that_of_its_metadata():
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    source = urls["Source"]
    files = [ROOT / "README.md", ROOT / "CITATION.cff", ROOT / "weka_plugin/Description.props"]
    files += [path for path in (ROOT / ".github").rglob("*") if path.is_file()]
    for path in files:
        found = re.findall(
            r"https://(?:raw\.githubusercontent|github)\.com/([\w-]+/widc[\w-]*)",
            path.read_text("utf-8"),
        )
        assert {f"https://github.com/{name}" for name in found} <= {source}, path
        assert found or path.parts[-2] not in (ROOT.name, "weka_plugin"), path


def test_the_version_is_the_same_wherever_it_is_written():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {__version__}\n" in citation
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## \[(.+?)\]", changelog, re.MULTILINE)[0] in ("Unreleased", __version__)
