"""The sdist and the wheel hold what they should, and the wheel works where nothing else is."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

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
        str(path.relative_to(ROOT))
        for folder, patterns in kinds.items()
        for pattern in patterns
        for path in (ROOT / folder).rglob(pattern)
    }
    assert {name for name in names if ".dist-info/" not in name} == expected
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_sdist_holds_the_licence_and_the_readme(built):
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
    assert {
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "widc_arff/induction/paper/growing.py",
    } <= names


def test_the_wheel_trains_in_a_fresh_environment(built, tmp_path):
    (wheel,) = built.glob("*.whl")
    venv.create(tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", python, "install", "-q", wheel]
    subprocess.run(install, check=True, cwd=tmp_path)
    command = [python, "-m", "widc_arff", "train", ROOT / "arff_data" / "iris.arff"]
    run = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert run.stdout.startswith("Decision committee for class")
    assert run.stderr == ""
