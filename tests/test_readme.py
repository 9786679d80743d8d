"""The README's Python blocks run as they stand."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(block, marks=[pytest.mark.needs("weka")] if "weka_plugin" in block else [])
        for block in BLOCKS
    ],
)
def test_python_blocks_run(block, tmp_path):
    shutil.copytree(ROOT / "arff_data", tmp_path / "arff_data")
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{block}"
    run = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=tmp_path
    )
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr


def test_the_readme_has_a_block_for_the_library_and_one_for_weka():
    assert ["weka_plugin" in block for block in BLOCKS].count(True) == 1
    assert len(BLOCKS) == 3
