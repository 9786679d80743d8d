"""A rule that is too good to be true: one attribute alone predicts the class.

Such an attribute is often recorded with the class or after it, and new rows do not have it.  It is
told where a committee tests one attribute of several, and gets right at least 99 in 100 of the rows
that the most frequent class alone would get wrong.  There are 200 rows or more, 20 of them of other
classes: small tables are now and then that tidy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from warnings import warn

from widc_arff.data.schema import ignoring
from widc_arff.data.survey import identifiers
from widc_arff.errors import WidcWarning

if TYPE_CHECKING:
    from widc_arff.arff.relation import Attribute
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee

FEWEST_ROWS, FEWEST_OTHERS = 200, 20
MOST_LEFT = 0.01
"""Errors that are left, of those of the most frequent class."""


def decisive_attribute(committee: DecisionCommittee) -> Attribute | None:
    """Return the attribute that alone predicts the class of the training rows, if there is one."""
    schema, training = committee.schema, committee.training
    if schema.labels.are_sets or len(committee.used_attributes) != 1 or len(schema.attributes) < 2:
        return None
    total = sum(training.weights)
    others = 1 - max(training.weights) / total
    n_rows = training.examples
    if n_rows < FEWEST_ROWS or n_rows * others < FEWEST_OTHERS:
        return None
    if training.error > MOST_LEFT * others:
        return None
    (used,) = committee.used_attributes
    return schema.attributes[used]


def warn_of_decisive_attribute(
    committee: DecisionCommittee, dataset: Dataset | None, source: str = "", advice: str = ""
) -> None:
    """Warn of an attribute that alone predicts the class.

    Parameters
    ----------
    committee : DecisionCommittee
        What was learned.
    dataset : Dataset or None
        From what; of an attribute that looks like an identifier there its own warning is enough.
    source : str
        Where the data come from; begins the warning.
    advice : str
        How to leave the attribute out; by default the option of the command line.
    """
    attribute = decisive_attribute(committee)
    if attribute is None:
        return
    if dataset is not None and attribute in [s.attribute for s in identifiers(dataset)]:
        return
    error = committee.training.error
    share = f"{100 * (1 - error):.1f} % of the training rows" if error else "all training rows"
    place = f"{source}: " if source else ""
    advice = advice or f"{ignoring([attribute])} leaves it out"
    warn(
        f"{place}the attribute {attribute.name!r} alone predicts the class of {share}: "
        f"is it known before the class is?  If not, {advice}",
        WidcWarning,
        stacklevel=2,
    )
