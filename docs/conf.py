"""How Sphinx makes the site: ``sphinx-build -W docs build/docs``."""

from __future__ import annotations

import re
from typing import Any

from widc_arff.version import __version__

project = "widc-arff"
author = "The widc-arff developers"
project_copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["images"]
default_role = "py:obj"
myst_heading_anchors = 3  # links to headings are those of GitHub
suppress_warnings = ["myst.header"]  # included documents begin where they begin

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # numpydoc sections tell types
autodoc_class_signature = "mixed"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = "widc-arff"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"


def setup(app: Any) -> None:  # noqa: ANN401 - Sphinx's own type needs Sphinx
    """Let Sphinx call what is below, after numpydoc's sections are read."""
    app.connect("autodoc-process-docstring", plain, priority=900)


def plain(*arguments: Any) -> None:  # noqa: ANN401 - what Sphinx calls with
    """Keep what docstrings mean as it stands from being markup: |Y| and names such as classes_."""
    lines: list[str] = arguments[-1]
    for k, line in enumerate(lines):
        text = re.sub(r"\|(\w)\|", r"\\|\1\\|", line)
        lines[k] = re.sub(r"(?<![\\`\w])(\w+)_(?=[,.)\s]|$)", r"\1\\_", text)
