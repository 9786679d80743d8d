"""WIDC as an estimator of scikit-learn."""

from widc_arff.estimator.classifier import WIDCClassifier

__all__ = ["WIDCClassifier"]
