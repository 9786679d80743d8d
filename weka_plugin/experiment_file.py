"""The file in which Weka's Experimenter keeps an experiment, as XML."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from weka_plugin.schemes import Scheme


def experiment_xml(
    datasets: Sequence[Path], schemes: Sequence[Scheme], raw: Path, runs: range, folds: int
) -> str:
    """Return the experiment in the form that the Experimenter saves and opens."""
    evaluator = ["-W", "weka.classifiers.rules.ZeroR", "-I", "0", "-C", "1", "--"]
    producer = ["-X", str(folds), "-O", "splitEvalutorOut.zip"]
    producer += ["-W", "weka.experiment.ClassifierSplitEvaluator", "--", *evaluator]
    listener = [_options(["-O", str(raw)]), _text("java.io.File", "outputFile", str(raw))]
    path = [
        _property_node(0, _SPLIT_EVALUATOR, evaluator, (_PRODUCER, "splitEvaluator")),
        _property_node(1, "weka.classifiers.rules.ZeroR", (), (_SPLIT_EVALUATOR, "classifier")),
    ]
    root = _object(
        "weka.experiment.Experiment",
        "__root__",
        [
            _object(
                "weka.classifiers.Classifier",
                "propertyArray",
                [
                    _object(s.classname, str(i), [_options(s.options)])
                    for i, s in enumerate(schemes)
                ],
                array="yes",
            ),
            _object(
                "javax.swing.DefaultListModel",
                "datasets",
                [_text("java.io.File", str(i), str(path)) for i, path in enumerate(datasets)],
            ),
            _text("int", "runLower", str(runs[0]), primitive="yes"),
            _text("int", "runUpper", str(runs[-1]), primitive="yes"),
            _object(_PRODUCER, "resultProducer", [_options(producer)]),
            _text("boolean", "usePropertyIterator", "true", primitive="yes"),
            _object("weka.experiment.PropertyNode", "propertyPath", path, array="yes"),
            _text("java.lang.String", "notes", ""),
            _object("weka.experiment.CSVResultListener", "resultListener", listener),
            _text("boolean", "advanceDataSetFirst", "false", primitive="yes"),
        ],
        version="3.9.6",
    )
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{_DOCTYPE}{text}\n'


_PRODUCER = "weka.experiment.CrossValidationResultProducer"
_SPLIT_EVALUATOR = "weka.experiment.ClassifierSplitEvaluator"
_DOCTYPE = """<!DOCTYPE object [
<!ELEMENT object (#PCDATA|object)*>
<!ATTLIST object name CDATA #REQUIRED>
<!ATTLIST object class CDATA #REQUIRED>
<!ATTLIST object primitive CDATA "no">
<!ATTLIST object array CDATA "no">
<!ATTLIST object null CDATA "no">
<!ATTLIST object version CDATA "3.9.6">
]>
"""


def _object(classname: str, name: str, children: Sequence[Element], **attributes: str) -> Element:
    element = Element("object", {"class": classname, "name": name, **attributes})
    element.extend(children)
    return element


def _text(classname: str, name: str, text: str, **attributes: str) -> Element:
    element = _object(classname, name, [], **attributes)
    element.text = text
    return element


def _options(options: Sequence[str]) -> Element:
    texts = [_text("java.lang.String", str(i), option) for i, option in enumerate(options)]
    return _object("java.lang.String", "options", texts, array="yes")


def _property_node(
    index: int, classname: str, options: Sequence[str], place: tuple[str, str]
) -> Element:
    """Return a step on the way to the property that the experiment varies."""
    return _object(
        "weka.experiment.PropertyNode",
        str(index),
        [
            _object(classname, "value", [_options(options)]),
            _text("java.lang.String", "parentClass", place[0]),
            _text("java.lang.String", "property", place[1]),
        ],
    )
