"""A committee as PMML 4.4.

A RegressionModel with one table for each label, over derived fields: for each rule whether it
holds, for each label its sum of votes and its part of the probability, as in
`widc_arff.model.decision.probabilities`.  The normalization "simplemax" divides the parts by their
sum.

Readers may break ties of the largest probability as they like, so that equal parts must not occur:
tie scores are moved apart by 2**-46 of their size where they are closer.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from itertools import chain
from typing import TYPE_CHECKING

from widc_arff.errors import ModelError
from widc_arff.export.content import (
    LEAST_SCORE,
    UnusedNames,
    heading,
    require_exportable,
    rule_in_words,
    used_attributes,
)
from widc_arff.export.spellings import typed_spellings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal

_CLOSEST = 1 - 2**-46


def pmml_document(committee: DecisionCommittee) -> str:
    """Return a PMML document that predicts as the committee does.

    Raises
    ------
    ModelError
        If the committee decides on label sets or on one label only, or a name or label has a
        character that XML cannot hold.

    Notes
    -----
    A missing value satisfies no condition but ``is missing``. What a reader does with labels that
    training did not know is left to its "returnInvalid": it raises an error or gives no prediction.
    Dates are continuous fields of milliseconds since 1970-01-01 UTC.
    """
    require_pmml(committee)
    if committee.schema.n_classes < 2:
        raise ModelError(
            "expected a model with two labels or more, as regression models of PMML have; got "
            f"the label {committee.schema.labels.values[0]!r} only"
        )
    return _Document(committee).text()


def separated_scores(scores: Sequence[float]) -> list[float]:
    """Return positive scores in the order of preference of `scores`, no two of them equal."""
    separated = list(scores)
    least = float("inf")
    for j in sorted(range(len(scores)), key=lambda j: -scores[j]):
        separated[j] = least = min(max(scores[j], LEAST_SCORE), least * _CLOSEST)
    return separated


class _Document:
    def __init__(self, committee: DecisionCommittee) -> None:
        schema = committee.schema
        self.committee = committee
        self.labels = schema.labels.values
        self.target = schema.labels.attributes[0]
        names = UnusedNames([*(attribute.name for attribute in schema.attributes), self.target])
        n_rules = len(committee.rules)
        self.predicted = names.take("predicted")
        self.chances = [names.take(f"probability:{label}") for label in self.labels]
        self.rules = [names.take(f"rule {k + 1}") for k in range(n_rules)]
        self.votes = [names.take(f"votes:{label}") for label in self.labels]
        self.parts = [names.take(f"part:{label}") for label in self.labels]
        self.most = names.take("most votes")
        self.share = names.take("share of tied labels")

    def text(self) -> str:
        committee = self.committee
        root = document_of(committee)
        model = ET.SubElement(
            root,
            "RegressionModel",
            modelName=committee.schema.relation,
            functionName="classification",
            normalizationMethod="simplemax",
        )
        self._fields(model)
        self._transformations(ET.SubElement(model, "LocalTransformations"))
        for label, part in zip(self.labels, self.parts, strict=True):
            table = ET.SubElement(model, "RegressionTable", intercept="0", targetCategory=label)
            ET.SubElement(table, "NumericPredictor", name=part, coefficient="1")
        return text_of(root)

    def _fields(self, model: ET.Element) -> None:
        schema = ET.SubElement(model, "MiningSchema")
        for a in used_attributes(self.committee):
            name = self.committee.schema.attributes[a].name
            ET.SubElement(schema, "MiningField", name=name, invalidValueTreatment="returnInvalid")
        ET.SubElement(schema, "MiningField", name=self.target, usageType="target")
        output = ET.SubElement(model, "Output")
        ET.SubElement(
            output,
            "OutputField",
            name=self.predicted,
            optype="categorical",
            dataType="string",
            feature="predictedValue",
        )
        for label, name in zip(self.labels, self.chances, strict=True):
            continuous_field(output, "OutputField", name, feature="probability", value=label)

    def _transformations(self, fields: ET.Element) -> None:
        """Derive the rules that hold, votes, and parts of the probability."""
        rules = self.committee.rules
        for k, rule in enumerate(rules):
            words = rule_in_words(self.committee, k)
            field = continuous_field(fields, "DerivedField", self.rules[k], displayName=words)
            tests = [self._test(literal) for literal in rule.monomial]
            holds = _apply("and", *tests) if len(tests) > 1 else tests[0]
            field.append(_apply("if", holds, _constant(1.0), _constant(0.0)))
        for j, name in enumerate(self.votes):
            in_favour = [self.rules[k] for k, rule in enumerate(rules) if rule.votes[j] > 0]
            against = [self.rules[k] for k, rule in enumerate(rules) if rule.votes[j] < 0]
            field = continuous_field(fields, "DerivedField", name)
            field.append(_apply("-", _sum(_fields(in_favour)), _sum(_fields(against))))
        votes = _fields(self.votes)
        most = _apply("max", *votes) if len(votes) > 1 else votes[0]
        continuous_field(fields, "DerivedField", self.most).append(most)
        calibration = self.committee.known_calibration
        scores = separated_scores(calibration.shares)
        of_vote = -math.log(calibration.factor)
        n_tied = [self._if_tied(name, _constant(1.0), _constant(0.0)) for name in self.votes]
        tied_scores = [
            self._if_tied(name, _constant(score), _constant(0.0))
            for name, score in zip(self.votes, scores, strict=True)
        ]
        share = _apply("/", _sum(n_tied), _sum(tied_scores))
        continuous_field(fields, "DerivedField", self.share).append(share)
        of_labels = zip(self.parts, self.votes, calibration.frequencies, scores, strict=True)
        for name, votes_name, frequency, score in of_labels:
            shared = _apply("*", _constant(score), _field(self.share))
            gap = _apply("-", _field(votes_name), _field(self.most))
            power = _apply("exp", _apply("*", gap, _constant(of_vote)))
            below = _apply("*", power, _constant(frequency))
            field = continuous_field(fields, "DerivedField", name)
            field.append(self._if_tied(votes_name, shared, below))

    def _if_tied(self, votes: str, then: ET.Element, otherwise: ET.Element) -> ET.Element:
        return _apply("if", _apply("equal", _field(votes), _field(self.most)), then, otherwise)

    def _test(self, literal: Literal) -> ET.Element:
        """Return a Boolean expression that is false where the attribute is missing.

        Labels are compared by NormDiscrete, whose attribute keeps blanks and line ends; those that
        are numbers or truth values by the texts that stand for them.
        """
        attribute = self.committee.schema.attributes[literal.attribute]
        if literal.operator in ("known", "missing"):
            function = "isNotMissing" if literal.operator == "known" else "isMissing"
            return _apply(function, _field(attribute.name))
        if attribute.type == "nominal":
            labels = [attribute.values[code] for code in literal.named]
            spelled = typed_spellings(attribute.values)
            texts = [text for label in labels for text in (label, *spelled[label])]
            if len(texts) > 1 and all(text == " ".join(text.split()) for text in texts):
                function = "isIn" if literal.is_for_named else "isNotIn"
                test = _apply(function, _field(attribute.name), *map(_text, texts))
                test.set("mapMissingTo", "false")
                return test
            wanted = 1.0 if literal.is_for_named else 0.0
            tests = [
                _apply(
                    "equal",
                    ET.Element(
                        "NormDiscrete",
                        field=attribute.name,
                        value=label,
                        mapMissingTo=repr(1.0 - wanted),
                    ),
                    _constant(wanted),
                )
                for label in texts
            ]
            joining = "or" if literal.is_for_named else "and"
            return _apply(joining, *tests) if len(tests) > 1 else tests[0]
        function = {"<=": "lessOrEqual", ">": "greaterThan"}[literal.operator]
        test = _apply(function, _field(attribute.name), _constant(literal.value))
        test.set("mapMissingTo", "false")
        return test


def require_pmml(committee: DecisionCommittee) -> None:
    """Raise ModelError if a document of PMML cannot hold a committee."""
    if committee.schema.labels.are_sets:
        raise ModelError(
            "expected a model with one class to write in PMML, got one for label sets, which PMML "
            "has no form for: python, java and sql have one"
        )
    require_exportable(committee, "PMML", _is_of_xml, [committee.schema.relation])


def document_of(committee: DecisionCommittee) -> ET.Element:
    """Return a document that declares the attributes that rules test, and the class."""
    root = ET.Element("PMML", xmlns="http://www.dmg.org/PMML-4_4", version="4.4")
    header = ET.SubElement(root, "Header", description=" ".join(heading(committee)))
    ET.SubElement(header, "Application", name="widc-arff")
    dictionary = ET.SubElement(root, "DataDictionary")
    for a in used_attributes(committee):
        attribute = committee.schema.attributes[a]
        if attribute.type == "nominal":
            texts = chain(attribute.values, *typed_spellings(attribute.values).values())
            categorical_field(dictionary, attribute.name, list(texts))
        else:
            continuous_field(dictionary, "DataField", attribute.name)
    labels = committee.schema.labels
    categorical_field(dictionary, labels.attributes[0], labels.values)
    return root


def text_of(root: ET.Element) -> str:
    """Return the text of a document."""
    ET.indent(root, " ")
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return head + ET.tostring(root, encoding="unicode") + "\n"


def categorical_field(dictionary: ET.Element, name: str, values: Sequence[str]) -> None:
    """Add a field with its labels to a data dictionary."""
    field = ET.SubElement(
        dictionary, "DataField", name=name, optype="categorical", dataType="string"
    )
    for value in values:
        ET.SubElement(field, "Value", value=value)


def continuous_field(parent: ET.Element, tag: str, name: str, **more: str) -> ET.Element:
    """Return a new field of numbers."""
    attributes = {"name": name, "optype": "continuous", "dataType": "double", **more}
    return ET.SubElement(parent, tag, attributes)


def _apply(function: str, *arguments: ET.Element) -> ET.Element:
    element = ET.Element("Apply", function=function)
    element.extend(arguments)
    return element


def _sum(terms: Sequence[ET.Element]) -> ET.Element:
    if len(terms) > 1:
        return _apply("sum", *terms)
    return terms[0] if terms else _constant(0.0)


def _field(name: str) -> ET.Element:
    return ET.Element("FieldRef", field=name)


def _fields(names: Sequence[str]) -> list[ET.Element]:
    return [_field(name) for name in names]


def _constant(value: float) -> ET.Element:
    element = ET.Element("Constant", dataType="double")
    element.text = repr(value)
    return element


def _text(value: str) -> ET.Element:
    element = ET.Element("Constant", dataType="string")
    element.text = value
    return element


def _is_of_xml(character: str) -> bool:
    """Return whether XML 1.0 can hold a character."""
    return (
        character in "\t\n\r"
        or " " <= character < "\ud800"
        or "\ue000" <= character < "\ufffe"
        or character > "\uffff"
    )
