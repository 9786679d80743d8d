"""The document around the script: what it holds before it runs, and what it is forbidden.

A policy lets the browser run this script and use this style sheet, told by their hashes, and
nothing else: no other script, whatever names or values hold, and no request to anywhere.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from widc_arff.reports.elements import breakable, element, text
from widc_arff.reports.formatting import shown
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.style_sheets import style_sheet as shared
from widc_arff.workbench.bundle import script, style_sheet
from widc_arff.workbench.content import packed_content

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix
    from widc_arff.model.rules import Provenance
    from widc_arff.workbench.content import NamedRows, Told

_FRAME = """\
<noscript><p class="warning">This page needs JavaScript, which it contains.</p></noscript>
<div id="fault"></div>
<main id="workbench" hidden>
<div class="headline" tabindex="0" role="region" aria-label="Figures"><dl id="figures"></dl></div>
<div class="columns">
<div class="left"><section id="rules" aria-label="Rules"></section>
<div id="peek" class="peek" hidden></div></div>
<div class="side"><div id="tabs" class="tabs" role="tablist" aria-label="Views"></div>
<section id="panel" role="tabpanel" tabindex="-1"></section></div>
<section id="rows" aria-label="Rows"></section>
</div>
</main>
<dialog id="take-back" aria-labelledby="take-back-head"></dialog>"""


def workbench_page(
    committee: DecisionCommittee,
    data: NamedRows,
    page: Told,
    *,
    test: NamedRows | None = None,
    costs: CostMatrix | None = None,
    origin: Provenance | None = None,
) -> str:
    """Return the page on which people work with a model, as one HTML file that loads nothing.

    Parameters
    ----------
    committee : DecisionCommittee
        As its model file has it.
    data : NamedRows
        Rows with classes or labels, by which changed rules are fitted; what their schema knows of
        the attributes of the committee goes into the page.
    page : Told
        Names of the files, and commands.
    test : NamedRows, optional
        Rows to test on.
    costs : tuple of tuple of float, optional
        Decides for the class of least expected cost.
    origin : Provenance, optional
        What a model says of its origin if its figures are those of the rows.

    Raises
    ------
    DataError
        If no row tells its class, or all of its labels.
    """
    content = packed_content(committee, data, test, page, costs, origin)
    relation, subject = shown(committee.schema.relation), kind_of(committee.as_read()).subject
    style = f"{shared('colours')}{style_sheet()}"
    policy = (
        f"default-src 'none'; script-src {_hash(script())}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    where = f"{data.name} and {test.name}" if test else data.name
    head = element(
        "header",
        element(
            "div",
            element("p", breakable(f"Workbench for {subject}, on {where}"), class_="kind"),
            element("h1", breakable(relation)),
        ),
        element("div", id="tools", class_="tools"),
    )
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{text(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        element("title", text(f"{relation}: workbench")),
        f"<style>{style}</style></head><body>",
        head,
        _FRAME,
        element(
            "footer",
            text(f"This page holds {data.in_words(page.rows_in_file, test)}. No data leave it. "),
            text(f"widc-arff {committee.training.version}"),
        ),
        f'<script type="application/octet-stream" id="content">{content}</script>',
        f'<script type="module">{script()}</script>',
        "</body></html>\n",
    ]
    return "\n".join(parts)


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
