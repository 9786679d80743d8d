"""A committee as a RuleSetModel of PMML 4.4, which Weka itself reads; it predicts labels only.

The criterion "weightedSum" adds the weights of the rules that hold, label by label, and the largest
sum wins.  Weights must not be negative, since readers divide by their sum: those of a rule are its
votes less the least of them, which moves all labels alike.  One more rule always holds; its
weights, all different and below 1, decide ties as the committee does.  They are multiples of a
power of 2, so that sums are exact.

What readers make probabilities of are these sums, not the committee's probabilities.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from widc_arff.export.content import UnusedNames, rule_in_words, used_attributes
from widc_arff.export.pmml import document_of, require_pmml, text_of
from widc_arff.export.spellings import typed_spellings

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal

_OPERATORS = {"=": "equal", "!=": "notEqual", "<=": "lessOrEqual", ">": "greaterThan"}


def pmml_rules_document(committee: DecisionCommittee) -> str:
    """Return a PMML document with a rule set that predicts the labels that the committee does.

    Raises
    ------
    ModelError
        If the committee decides on label sets, or a name or label has a character that XML cannot
        hold.

    Notes
    -----
    A missing value satisfies no condition but ``is missing``. Dates are continuous fields of
    milliseconds since 1970-01-01 UTC.
    """
    require_pmml(committee)
    schema = committee.schema
    target = schema.labels.attributes[0]
    root = document_of(committee)
    model = ET.SubElement(
        root, "RuleSetModel", modelName=schema.relation, functionName="classification"
    )
    fields = ET.SubElement(model, "MiningSchema")
    for a in used_attributes(committee):
        name = schema.attributes[a].name
        ET.SubElement(fields, "MiningField", name=name, invalidValueTreatment="returnInvalid")
    # Weka does not know the newer name of this usage, "target".
    ET.SubElement(fields, "MiningField", name=target, usageType="predicted")
    names = UnusedNames([*(attribute.name for attribute in schema.attributes), target])
    output = ET.SubElement(model, "Output")
    ET.SubElement(
        output,
        "OutputField",
        name=names.take("predicted"),
        optype="categorical",
        dataType="string",
        feature="predictedValue",
    )
    preferred = schema.labels.values[committee.tie_order[0]]
    rules = ET.SubElement(model, "RuleSet", defaultScore=preferred)
    ET.SubElement(rules, "RuleSelectionMethod", criterion="weightedSum")
    for k, rule in enumerate(committee.rules):
        least = min(rule.votes)
        if max(rule.votes) == least:  # moves all labels alike
            continue
        compound = ET.SubElement(rules, "CompoundRule")
        compound.append(ET.Comment(re.sub("-(?=-)", "- ", rule_in_words(committee, k))))
        compound.append(_condition(committee, list(rule.monomial)))
        _add_votes(compound, committee, f"{k + 1}", [vote - least for vote in rule.votes])
    always = ET.SubElement(rules, "CompoundRule")
    ET.SubElement(always, "True")
    _add_votes(always, committee, "tie", _tie_weights(committee))
    return text_of(root)


def _tie_weights(committee: DecisionCommittee) -> list[float]:
    """Return a weight between 0 and 1 for each label, larger for one that wins ties."""
    scores = committee.tie_scores
    ranked = sorted(range(len(scores)), key=lambda j: -scores[j])  # of equal ones, the first
    unit = 2.0 ** -len(scores).bit_length()
    weights = [0.0] * len(scores)
    for place, j in enumerate(ranked):
        weights[j] = (len(scores) - place) * unit
    return weights


def _add_votes(
    parent: ET.Element, committee: DecisionCommittee, name: str, weights: list[float]
) -> None:
    for j, (label, weight) in enumerate(
        zip(committee.schema.labels.values, weights, strict=True), start=1
    ):
        if weight:
            rule = ET.SubElement(
                parent, "SimpleRule", id=f"{name}.{j}", score=label, weight=repr(float(weight))
            )
            ET.SubElement(rule, "True")


def _condition(committee: DecisionCommittee, literals: list[Literal]) -> ET.Element:
    return _joined("and", [_test(committee, literal) for literal in literals])


def _test(committee: DecisionCommittee, literal: Literal) -> ET.Element:
    """Return a predicate that does not hold where the attribute is missing.

    Labels that are numbers or truth values are compared by the texts that stand for them.
    """
    attribute = committee.schema.attributes[literal.attribute]
    field = {"field": attribute.name}
    if literal.operator in ("known", "missing"):
        operator = "isNotMissing" if literal.operator == "known" else "isMissing"
        return ET.Element("SimplePredicate", field, operator=operator)
    if literal.operator in ("<=", ">"):
        value = repr(float(literal.value))
        operator = _OPERATORS[literal.operator]
        return ET.Element("SimplePredicate", field, operator=operator, value=value)
    labels = [attribute.values[code] for code in literal.named]
    spelled = typed_spellings(attribute.values)
    texts = [text for label in labels for text in (label, *spelled[label])]
    operator = _OPERATORS["=" if literal.is_for_named else "!="]
    predicates = [
        ET.Element("SimplePredicate", field, operator=operator, value=text) for text in texts
    ]
    return _joined("or" if literal.is_for_named else "and", predicates)


def _joined(operator: str, predicates: list[ET.Element]) -> ET.Element:
    if len(predicates) == 1:
        return predicates[0]
    compound = ET.Element("CompoundPredicate", booleanOperator=operator)
    compound.extend(predicates)
    return compound
