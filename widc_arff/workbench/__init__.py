"""The workbench: one page on which people look at a model, ask what-if, change it and keep it.

The page loads nothing and sends nothing.  What runs on it are the modules of `page/`, of which
`widc_arff.workbench.bundle` makes one script; `widc_arff.workbench.content` packs model and rows.
"""

from __future__ import annotations

from widc_arff.workbench.commands import Words, commands_of
from widc_arff.workbench.content import MOST_ROWS, NamedRows, Told
from widc_arff.workbench.document import workbench_page
from widc_arff.workbench.frame import WorkbenchFrame

__all__ = [
    "MOST_ROWS",
    "NamedRows",
    "Told",
    "Words",
    "WorkbenchFrame",
    "commands_of",
    "workbench_page",
]
