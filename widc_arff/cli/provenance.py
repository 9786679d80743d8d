"""What commands record of where a model comes from."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from widc_arff.errors import one_line
from widc_arff.system.files import opened_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from widc_arff.model.committee import DecisionCommittee

_BLOCK = 1 << 20


def recorded(committee: DecisionCommittee, paths: Iterable[str]) -> DecisionCommittee:
    """Return a committee that knows the files of its data, and the date if the environment has it.

    The date is that of SOURCE_DATE_EPOCH, so that what is built again is the same to the byte.
    """
    data = tuple((one_line(Path(path).name), _digest(path)) for path in paths)
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    date = committee.provenance.date
    if epoch.isdigit():
        moment = dt.datetime.fromtimestamp(int(epoch), dt.UTC)
        date = moment.date().isoformat()
    provenance = replace(committee.provenance, data=data, date=date)
    return replace(committee, provenance=provenance)


def recorded_anew(committee: DecisionCommittee, paths: Iterable[str]) -> DecisionCommittee:
    """Return a committee that has figures of other data: if files were known, these are."""
    provenance = replace(committee.provenance, folds=None)
    committee = replace(committee, provenance=provenance)
    return recorded(committee, paths) if provenance.data else committee


def date_of(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    """Return a date in ISO 8601."""
    if text == "today":
        return dt.datetime.now(dt.UTC).date().isoformat()
    if text:
        try:
            dt.date.fromisoformat(text)
        except ValueError as error:
            message = f"expected a date such as 2026-11-30, or today; got {text!r}"
            raise click.BadParameter(message) from error
    return text


def _digest(path: str) -> str:
    """Return the SHA-256 of a file; nothing of standard input, which has been read."""
    if path == "-":
        return ""
    digest = hashlib.sha256()
    with opened_file(path) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
