"""A committee as a fragment of HTML for notebooks.

It inherits text colour and background from the page and tints votes with translucent colours, blue
for and orange against, so that it reads on light and dark pages alike; signs say the same without
colour.  It loads nothing, and every name is escaped.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from widc_arff.reports.text import training_line
from widc_arff.reports.wording import conditions, majority, number, purity, shown, size_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from widc_arff.committee import DecisionCommittee

_STYLE = """<style>
.widc { overflow-x: auto; }
.widc table { border-collapse: collapse; color: inherit; background: none; font-size: inherit; }
.widc caption { caption-side: top; text-align: left; font-weight: bold; color: inherit;
  padding: 0.3em 0; white-space: nowrap; }
.widc th, .widc td { padding: 0.2em 0.7em; text-align: right; color: inherit; background: none;
  border-bottom: 1px solid rgba(128, 128, 128, 0.35); white-space: nowrap; }
.widc tr > :first-child { text-align: left; min-width: 12em; white-space: normal; }
.widc td.for { background: rgba(30, 120, 220, 0.28); }
.widc td.against { background: rgba(230, 110, 20, 0.28); }
.widc p { margin: 0.4em 0; }
</style>"""
_LEGEND = (
    "<p>Votes of the rules that hold are added, the largest sum wins; the default decides ties.<br>"
    "Covers: training examples; purity: share of their main class.</p>"
)


def committee_html(committee: DecisionCommittee) -> str:
    """Return a committee as a table: a rule a row with its votes, what it covers and how purely."""
    labels = committee.schema.labels
    target = escape(shown(labels.attributes[0]))
    names = [escape(shown(label)) for label in labels.values]
    rows = [_row("th", ["rule", *names, "covers", "purity"])]
    for rule in committee.rules:
        text = escape(" and ".join(conditions(rule.monomial, committee.schema)))
        votes = "".join(map(_vote, rule.votes))
        covers = number(sum(rule.covers))
        pure = f"{names[majority(rule)]}: {100 * purity(rule):.0f} %"
        rows.append(f"<tr><td>{text}</td>{votes}<td>{covers}</td><td>{pure}</td></tr>")
    rows.append(_row("td", ["default", *(f"{share:.2f}" for share in committee.default), "", ""]))
    return "\n".join(
        [
            f'{_STYLE}\n<div class="widc"><table>',
            f"<caption>Decision committee for {target}: {size_in_words(committee)}</caption>",
            *rows,
            "</table>",
            _LEGEND if committee.rules else "",
            f"<p>{training_line(committee)}</p></div>",
        ]
    )


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def _vote(vote: int) -> str:
    if vote == 0:
        return "<td>0</td>"
    return f'<td class="{"for" if vote > 0 else "against"}">{vote:+d}</td>'
