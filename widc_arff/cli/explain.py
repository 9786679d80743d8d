"""``widc-arff explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.common import (
    dump_json,
    encoding_option,
    examples_for,
    format_option,
    labels_shown_option,
    read_for,
    unknown_option,
)
from widc_arff.errors import DataError
from widc_arff.model_file import committee_to_dict, read_committee
from widc_arff.reports.label_sets import label_set_explanation_text
from widc_arff.reports.markdown import explanation_markdown
from widc_arff.reports.text import explanation_text

if TYPE_CHECKING:
    from widc_arff.committee import DecisionCommittee, Explanation
    from widc_arff.dataset import Dataset


@click.command("explain")
@click.argument("model", metavar="MODEL.json")
@click.argument("data", metavar="DATA.arff")
@click.option("--row", type=click.IntRange(1), required=True, help="Row of the data, from 1.")
@encoding_option
@unknown_option
@labels_shown_option
@format_option
def command(
    model: str,
    data: str,
    row: int,
    encoding: str,
    unknown_as_missing: bool,
    form: str,
    labels_shown: int,
) -> None:
    """Say why a model decides as it does for one row: rules that hold, their votes, the sum."""
    committee = read_committee(model)
    dataset = examples_for(
        committee, read_for(committee, data, encoding), data, unknown_as_missing=unknown_as_missing
    )
    if dataset.n_samples == 0:
        raise DataError(f"{data}: expected at least one row, got none")
    if row > dataset.n_samples:
        raise DataError(f"{data}: expected a row from 1 to {dataset.n_samples}, got {row}")
    if committee.schema.labels.are_sets:
        click.echo(_set_explained(committee, dataset, row, form, labels_shown), nl=False)
        return
    explanation = committee.explain(dataset, row - 1)
    if form == "json":
        click.echo(dump_json(_explanation_to_dict(committee, explanation, row)), nl=False)
    elif form == "markdown":
        click.echo(explanation_markdown(committee, explanation, row), nl=False)
    else:
        click.echo(explanation_text(committee, explanation, row), nl=False)


def _explanation_to_dict(
    committee: DecisionCommittee, explanation: Explanation, row: int
) -> dict[str, Any]:
    labels = committee.schema.labels.values
    return {
        "row": row,
        "predicted": labels[explanation.winner],
        "decided_by": "votes" if len(explanation.tied) == 1 else "default",
        "rules": _fired(committee, explanation.fired),
        "votes": dict(zip(labels, explanation.votes, strict=True)),
        "tied": [labels[j] for j in explanation.tied] if len(explanation.tied) > 1 else [],
        "probabilities": dict(zip(labels, explanation.probabilities, strict=True)),
    }


def _set_explained(
    committee: DecisionCommittee, dataset: Dataset, row: int, form: str, labels_shown: int
) -> str:
    """Return why one row gets its labels, in the form asked for."""
    explanation = committee.explain_set(dataset, row - 1)
    if form == "json":
        labels = committee.schema.labels.values
        return dump_json(
            {
                "row": row,
                "predicted": [labels[j] for j in explanation.predicted],
                "ranking": [labels[j] for j in explanation.ranking],
                "rules": _fired(committee, explanation.fired),
                "votes": dict(zip(labels, explanation.votes, strict=True)),
                "probabilities": dict(zip(labels, explanation.probabilities, strict=True)),
            }
        )
    text = label_set_explanation_text(committee, explanation, row, labels_shown)
    return f"```\n{text}```\n" if form == "markdown" else text


def _fired(committee: DecisionCommittee, fired: tuple[int, ...]) -> list[dict[str, Any]]:
    rules = committee_to_dict(committee)["rules"]
    return [{"rule": k + 1, "if": rules[k]["if"], "votes": rules[k]["votes"]} for k in fired]
