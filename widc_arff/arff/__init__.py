"""ARFF files: reading with Weka's semantics, and writing."""

from widc_arff.arff.reader import read_arff
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.writer import write_arff

__all__ = ["Attribute", "Relation", "read_arff", "write_arff"]
