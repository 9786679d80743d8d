"""The scikit-learn estimator: `WIDCClassifier`.

It translates between scikit-learn's world and ours and decides nothing about learning: a table
becomes a `Dataset` (see `widc_arff.tables.frames`), parameters become `Options`, `induce` does the
rest.
"""

from __future__ import annotations

import os
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    from sklearn.base import ClassifierMixin
    from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(
        f"expected scikit-learn 1.6 or newer, got: {error}; pip install 'widc-arff[sklearn]'"
    ) from error

from widc_arff.data.dataset import Dataset
from widc_arff.data.schema import Schema
from widc_arff.data.survey import warn_of_identifiers
from widc_arff.errors import OptionError
from widc_arff.estimator.input import (
    EstimatorError,
    checked_array,
    checked_weights,
    classes_of_model,
    declared_costs,
    faults_as_value_errors,
    labels_in,
    require_no_identifiers,
    schema_of_page,
    target_of,
)
from widc_arff.estimator.parameters import Parameters
from widc_arff.evaluation.attribute_use import importances
from widc_arff.evaluation.cross_validation import Folding
from widc_arff.evaluation.decisive_attribute import warn_of_decisive_attribute
from widc_arff.evaluation.sizes import CHOICES, menu_of
from widc_arff.induction import induce
from widc_arff.induction.updating import updated
from widc_arff.model.change_values import Wanted
from widc_arff.model.committee import DecisionCommittee, read_committee
from widc_arff.model.decision import decide
from widc_arff.option_kinds import Choice
from widc_arff.options import OF_LABEL_SETS, LabelSetOptions, Options, settings_of
from widc_arff.reports.explanations import Explanations
from widc_arff.reports.formatting import conditions, shown
from widc_arff.reports.notebook import committee_html
from widc_arff.tables.frames import (
    column_names,
    columns_for,
    generated_names,
    is_frame,
    relation_of,
)
from widc_arff.workbench import (
    MOST_ROWS,
    NamedRows,
    Told,
    WorkbenchFrame,
    workbench_page,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Floats, Integers

_UNKNOWN = Choice(("error", "missing"))


class WIDCClassifier(ClassifierMixin, Parameters):  # type: ignore[misc]  # sklearn is untyped
    """A decision committee: few rules, each a conjunction with a vote for or against each class.

    Parameters
    ----------
    pruning : {"pessimistic", "optimistic", "none", "refined"}
        How the committee is kept small. refined: search for the committee with the shortest total
        description (its errors plus its conditions plus its votes); pessimistic, optimistic: grow a
        large committee and remove rules, as in the paper (sections 5.3.1 and 5.3.2); none: remove
        nothing.
    penalty : float
        Price of a condition in bits. Only with refined pruning.
    votes : {"sparse", "one", "free"}
        How votes are priced with three or more classes. A rule singles out a class if its vote on
        it differs from the rule's most common vote. sparse: each such vote has a price; one: the
        same, and each learned rule singles out exactly one class; free: no charge. In all cases a
        learned rule votes for a class only if the class is more frequent among the covered rows
        than among all rows, and against it only if it is less frequent. Only with refined pruning.
    vote_penalty : float or None
        Price in bits of each class a rule singles out. Only with refined pruning and sparse or one
        votes. None: log2(classes - 1).
    impurity_penalty : float
        Penalty in bits for each training row a rule covers but gets wrong. A rule gets a row wrong
        if it is for other classes only or, if it is for none, against the class of the row. 0.1
        gives rules that are right on their own, but more errors with many classes and rows. Only
        with refined pruning.
    cut_points : str or table
        Cut points of numeric attributes. A method (mdl+, mdl, all, quantile:K or width:K), or a
        dict of increasing numbers by name.
    max_rules : int or None
        Maximum number of rules. None: no limit.
    max_literals : int or None
        Maximum number of conditions per rule. None: no limit.
    max_size : int or None
        Maximum number of conditions in the whole committee. None: no limit.
    delta : float
        Confidence parameter of optimistic pruning (eq. 8). Only with optimistic pruning.
    min_coverage : float, str or None
        Minimum weight, or share such as 5%, of the training rows that each rule must cover. None:
        no limit.
    negation : bool
        Whether conditions may use != and not in.
    literals : sequence of str or None
        Conditions allowed besides =, !=, <= and >. sets: one of several values; order: values up to
        one, or above it; known: whether the value is known. None: all with refined pruning,
        otherwise none.
    ordered : sequence of str
        Attributes whose values have an order. NAME: the declared order; NAME=a<b<c: another one;
        NAME=: none. Values that are all numbers or ranges are ordered by default.
    class_weight : dict, "balanced" or None
        Factors for the weights of the rows of a class. balanced: all classes get the same total
        weight. None: a factor of 1.
    costs : matrix or None
        Cost matrix: rows are true classes, columns are decisions. Both are in the order of the
        classes; the diagonal is 0. None: all errors cost the same.
    monotone : sequence of str
        Directions of attributes. NAME=+LABEL: raising the attribute can never lower the score of
        the label; NAME=-LABEL: it can never raise it.
    rules : sequence of str
        Rules to keep as they are; the limits count them.
    vectors : {"exact", "approximate"}
        For label sets, how votes are computed: as the optimum of eq. (3), which needs scipy, or by
        the paper's approximation. Only with pessimistic or none pruning.
    aim : {"sets", "ranking"}
        For label sets, what the search minimises: the number of wrong labels (sets), or of pairs of
        labels in the wrong order (ranking), as the paper's prunings do. Only with refined pruning.
    sets : {"hamming", "f1", "cardinality"}
        For label sets, which labels a row gets. hamming: those with a probability of at least 0.5,
        which gives the fewest wrong labels; f1: less probable ones too, to maximise the expected
        micro F1; cardinality: as many as training rows have on average.
    unknown : {"error", "missing"}
        What to do with a category that did not occur in training: raise an error, or treat it as
        missing and report the number of rows in a warning.
    warm_start : bool
        Whether `fit` starts from the existing committee, of an earlier `fit` or of `from_model`:
        rules that pay on the new rows are kept, locked rules in any case, and others are learned
        around them.  By default each `fit` starts from scratch.

    Attributes
    ----------
    committee_ : DecisionCommittee
        The learned committee.
    rules_ : list of str
        The rules as texts.
    sizes_ : dict of str to ndarray
        Present if `penalty` was chosen: each ``penalty`` tried, and its averages over the folds:
        ``error``, ``standard_error``, ``rules``, ``literals`` and ``votes``.
    classes_ : ndarray of shape (n_classes,), or list of n_labels ndarrays of shape (2,)
        The labels in `y`, sorted, of their own type.  For label sets: absent and present (0 and 1,
        or False and True) for each label, as in scikit-learn's forests.
    n_features_in_ : int
        Number of features.
    feature_importances_ : ndarray of float64 of shape (n_features_in_,)
        How much the predictions on the training rows depend on each feature: the average change of
        the class probabilities when the value of the feature is made missing, so that no condition
        on it holds, divided by the sum over all features.  The importances are not negative and sum
        to 1; all are 0 if no rule changes a prediction.  If two features carry the same
        information, a committee uses one of them, and the other gets 0.  Rows are weighted with
        `sample_weight` times the weight of their class.  An estimator made by `from_model` has no
        importances, since the file does not contain the training rows.
    feature_names_in_ : ndarray of str of shape (n_features_in_,)
        Names of the features, if all of them are texts.

    Notes
    -----
    Arrays and frames of pandas and polars need no preparation: numbers are numeric; booleans,
    categories and texts are nominal; dates and times are dates.  None, NaN and NA are missing and
    satisfy no condition but `is missing`.  The categories of a categorical are its declared values,
    in their order; if `y` is a categorical, that order breaks ties between classes.  Rows of weight
    zero are left out.

    `penalty` may also be ``"smallest"`` or ``"best"``: it is then chosen by ten folds from
    `widc_arff.evaluation.sizes.PRICES`.  Smallest: the smallest committee whose error is within one
    standard error of the lowest; best: the committee with the lowest error.

    The order of the classes is that of `classes_`.  Factors by class multiply `sample_weight`.
    Cut points, orders and directions name features x0, x1, ... for plain arrays.  An ordered
    Categorical of pandas or an Enum of polars is ordered already.

    If `y` has two or more columns it is an indicator matrix: each row has a set of labels.
    Optimistic pruning and class weights are then not available.

    Examples
    --------
    >>> from widc_arff import WIDCClassifier
    >>> X = [["red", 1.0], ["red", None], ["blue", 1.0], ["blue", 2.0]] * 3
    >>> classifier = WIDCClassifier().fit(X, ["stop", "stop", "go", "go"] * 3)
    >>> classifier.rules_
    ['x0 = red: stop +2']
    >>> classifier.predict([["red", 3.0], [None, 1.0]])
    array(['stop', 'go'], dtype='<U4')
    """

    committee_: DecisionCommittee
    classes_: Any
    n_features_in_: int
    feature_importances_: Floats
    sizes_: dict[str, Floats]
    feature_names_in_: NDArray[Any]
    _class_of_label: Integers
    """Position in `classes_` of each label of the committee, which may have another order."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> WIDCClassifier:  # noqa: ANN401
        """Learn a committee.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Their labels, all of one type; or 0 and 1, or False and True, for each of several
            labels.  Columns of a frame give labels their names.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight k that is a whole number acts as k copies.

        Returns
        -------
        WIDCClassifier
            Itself.

        Raises
        ------
        ValueError
            If data or parameters are invalid; the message says what was expected.
        """
        with faults_as_value_errors():
            options = self._options()
            X = self._checked(X, reset=True)
            relation = relation_of(X, column_names(X), "data")
            require_no_identifiers(relation)
            target = target_of(y)
            check_consistent_length(X, target.Y)
            weights = checked_weights(sample_weight, self.class_weight, target)
            labels = target.labels(y, {attribute.name for attribute in relation.attributes})
            schema = Schema(relation.name, relation.attributes, labels)
            dataset = Dataset(schema, relation.columns, target.Y, weights, complete=target.complete)
            if not weights.all():
                dataset = dataset.take(weights > 0)
            warn_of_identifiers(dataset, advice="fit without such columns")
            if labels.are_sets:
                options = LabelSetOptions.of(options, **self._values_of(OF_LABEL_SETS))
            elif options.costs is not None:
                costs = declared_costs(options.costs, labels, target.order)
                options = replace(options, costs=costs)
            if self.penalty in CHOICES:
                options = replace(options, penalty=self._chosen_penalty(dataset, options))
            is_first = not self.warm_start or not hasattr(self, "committee_")
            self.committee_ = (
                induce(dataset, options) if is_first else updated(self.committee_, dataset, options)
            )
        warn_of_decisive_attribute(self.committee_, dataset, advice="fit without this column")
        self.feature_importances_ = importances(self.committee_, dataset)
        self.classes_ = target.classes
        self._class_of_label = target.order
        return self

    def _chosen_penalty(self, dataset: Dataset, options: Options) -> float:
        """Return the price of the choice asked for, and keep what it was chosen from."""
        n_known = int(dataset.labelled.sum())
        menu = menu_of(dataset, options, Folding(min(10, max(n_known, 2))))
        errors = [menu.standard_error(k) for k in range(len(menu.prices))]
        columns = {"penalty": menu.prices, "standard_error": errors} | {
            name: [getattr(e, name) for e in menu.evaluations]
            for name in ("error", "rules", "literals", "votes")
        }
        self.sizes_ = {name: np.array(column) for name, column in columns.items()}
        return menu.prices[menu.best if self.penalty == "best" else menu.smallest]

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: ANN401
        """Return the predicted label of each row, shape (n_samples,).

        For label sets: the labels of each row, shape (n_samples, n_labels).

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
            Rows with the features of the training data, in the same order.
        """
        examples = self.to_dataset(X)
        if isinstance(self.classes_, list):
            return np.asarray(self.classes_[0][self.committee_.predict_sets(examples).astype(int)])
        codes = self.committee_.predict_codes(examples)
        return np.asarray(self.classes_[self._class_of_label[codes]])

    def predict_proba(self, X: Any) -> Floats:  # noqa: ANN401
        """Return class probabilities, shape (n_samples, n_classes); their largest is `predict`.

        For label sets one per label, shape (n_samples, n_labels); a label is predicted from 0.5.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
            Rows with the features of the training data, in the same order.
        """
        examples = self.to_dataset(X)
        if isinstance(self.classes_, list):
            return self.committee_.predict_proba(examples)
        votes = self.committee_.votes(examples)
        scores = self.committee_.tie_scores
        result = self._in_class_order(self.committee_.probabilities_of(votes))
        # Of equal ones the label declared first wins; where it is not the first here, it gets more.
        decided = self._class_of_label[decide(votes, scores)]
        rows = np.flatnonzero(result.argmax(axis=1) != decided)
        result[rows, decided[rows]] = np.nextafter(result[rows, decided[rows]], 1.0)
        return result

    def decision_function(self, X: Any) -> Floats:  # noqa: ANN401
        """Return the summed votes, plus a term below one half that decides ties.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
            Rows with the features of the training data, in the same order.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
            The largest is `predict`.  For two classes: the lead of ``classes_[1]``, positive where
            it is predicted.  For label sets: the scores that rank the labels, of shape
            (n_samples, n_labels), minus the threshold, so that a label is predicted from 0.
        """
        examples = self.to_dataset(X)
        threshold = self.committee_.threshold
        if threshold is not None:
            return self.committee_.ranking_scores(examples) - threshold
        votes = self.committee_.votes(examples)
        n_classes = votes.shape[1]
        rank = np.empty(n_classes)
        rank[np.lexsort((-np.arange(n_classes), self.committee_.tie_scores))] = range(n_classes)
        result = self._in_class_order(votes + rank / (2 * n_classes))
        return result[:, 1] - result[:, 0] if n_classes == 2 else result

    def explain(
        self,
        X: Any,  # noqa: ANN401
        *,
        fixed: Sequence[str] = (),
        increasing: Sequence[str] = (),
    ) -> list[str]:
        """Return why each row gets its label, in words.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
            Rows with the features of the training data, in the same order.
        fixed, increasing : sequence of str
            Names of features (x0, x1, ... for plain arrays) that a change leaves as they are, or
            can only increase.

        Returns
        -------
        list of str
            One text per row: the rules that hold, their votes, the margin, and the changes of up to
            three features that would change the label, the nearest first; for label sets the
            labels, what ranks them, and the rules without which they would differ.  As data:
            ``committee_.explanations`` with `to_dataset`.

        Raises
        ------
        ValueError
            As in `to_dataset`, and if a name is not that of a feature.
        """
        examples = self.to_dataset(X)
        numbers = np.arange(1, examples.n_samples + 1)
        n_labels, wanted = self.committee_.schema.n_classes, Wanted(tuple(fixed), tuple(increasing))
        with faults_as_value_errors():
            explained = Explanations(self.committee_, examples, numbers, n_labels, wanted)
        return list(explained.texts())

    def to_dataset(self, X: Any) -> Dataset:  # noqa: ANN401
        """Return rows as the examples that `committee_` takes, as in ``committee_.explain``.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
            Rows with the features of the training data, in the same order.

        Raises
        ------
        ValueError
            If the features differ from those of the training, or a category is unknown.
        """
        check_is_fitted(self)
        schema = self.committee_.schema
        with faults_as_value_errors():
            unknown_as_missing = self._unknown_as_missing()
            X = self._checked(X, reset=False)
            columns = columns_for(
                X,
                schema.attributes,
                unknown_as_missing=unknown_as_missing,
                widen=self.committee_.version < 3,
            )
        n_rows = X.shape[0]
        Y = np.zeros((n_rows, schema.n_classes), np.bool_)
        complete = np.zeros(n_rows, np.bool_) if schema.labels.are_sets else None
        return Dataset(schema, columns, Y, np.ones(n_rows), has_labels=False, complete=complete)

    def workbench(
        self,
        X: Any,  # noqa: ANN401
        y: Any,  # noqa: ANN401
        sample_weight: Any = None,  # noqa: ANN401
        *,
        test: tuple[Any, Any] | None = None,
        height: int = 900,
    ) -> WorkbenchFrame:
        """Return a page to examine the committee, ask what-if questions and change its rules.

        A notebook shows it in a frame; its ``save(path)`` writes it to a file.  The page holds the
        rows, and gives back a model file, which `from_model` reads.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
            Rows with the features of the training data, in the same order: changed rules are fitted
            to them.  At most `widc_arff.workbench.MOST_ROWS` are used, evenly spread.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Their labels, as in `fit`; none that training did not have.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights.
        test : (X, y), optional
            Rows to test on, with their labels.
        height : int
            Of the frame, in pixels.

        Raises
        ------
        ValueError
            As `to_dataset` does, and if a label is unknown.
        """
        check_is_fitted(self)
        with faults_as_value_errors():
            X = self._checked(X, reset=False)
            schema = schema_of_page(self.committee_, X)
            data = self._labelled(X, y, schema, (sample_weight, self.class_weight))
            tested = None
            if test is not None:
                rows = self._labelled(self._checked(test[0], reset=False), test[1], schema)
                tested = NamedRows.all_of("test rows", rows).at_most(MOST_ROWS)
            page = Told(
                "model.json",
                data.n_samples,
                'WIDCClassifier.from_model("@model@").score(X, y)',
                "",
                'WIDCClassifier.from_model("@model@").set_params(warm_start=True).fit(X, y)',
            )
            held = NamedRows.all_of("data", data).at_most(MOST_ROWS)
            return WorkbenchFrame(workbench_page(self.committee_, held, page, test=tested), height)

    def _labelled(
        self,
        X: Any,  # noqa: ANN401
        y: Any,  # noqa: ANN401
        schema: Schema,
        weights: tuple[Any, Any] = (None, None),
    ) -> Dataset:
        """Return rows with labels in a schema; their weights are given by row and by class."""
        target = target_of(y)
        check_consistent_length(X, target.Y)
        columns = columns_for(X, schema.attributes, unknown_as_missing=self._unknown_as_missing())
        Y = labels_in(target, schema.labels)
        return Dataset(
            schema, columns, Y, checked_weights(*weights, target), complete=target.complete
        )

    def to_json(self) -> str:
        """Return the text of the committee's model file, as the command line reads it."""
        check_is_fitted(self)
        return self.committee_.to_json()

    @classmethod
    def from_model(
        cls,
        model: str | os.PathLike[str] | DecisionCommittee,
        *,
        classes: Any = None,  # noqa: ANN401 - array-like
        unknown: str = "error",
    ) -> WIDCClassifier:
        """Return a fitted estimator from a model file, its text or a committee.

        Parameters
        ----------
        model : path, str or DecisionCommittee
            As `to_json` returns it or ``widc-arff train --model`` writes it; a text that begins
            as JSON does is that of a model file.
        classes : array-like of shape (n_classes,), optional
            The labels in their own type, such as ``[0, 1]``.  By default they have the type that
            they had where an estimator was fitted, and are texts where the model was trained
            from a file, or is older than version 3.  For label sets ``[False, True]``; by default
            as in `fit`, or 0 and 1.
        unknown : {"error", "missing"}
            Parameter of the estimator; the others are those of the committee's training.

        Raises
        ------
        ModelError
            If it is not a model file.
        TypeError
            If it is neither of these.
        ValueError
            If `classes` are not the labels of the model.
        """
        committee = _committee_of(model)
        names = settings_of(LabelSetOptions)
        options: dict[str, Any] = {
            n: v for n, v in committee.training.options.items() if n in names
        }
        labels = committee.schema.labels
        if labels.are_sets and options.get("pruning") == "refined":
            options.setdefault("aim", "ranking")  # of models that name none
        known, class_of_label = classes_of_model(labels, classes)
        if isinstance(options.get("class_weight"), dict):
            given = zip(class_of_label.tolist(), labels.values, strict=True)
            of_label = options["class_weight"]
            options["class_weight"] = {
                known[j]: of_label[label] for j, label in given if label in of_label
            }
        if "costs" in options:
            label_of_class = np.argsort(class_of_label)
            costs = np.array(options["costs"])[np.ix_(label_of_class, label_of_class)]
            options["costs"] = costs.tolist()
        estimator = cls(**options, unknown=unknown)
        estimator.classes_, estimator._class_of_label = known, class_of_label
        features = [attribute.name for attribute in committee.schema.attributes]
        estimator.n_features_in_ = len(features)
        if features != generated_names(len(features)):
            estimator.feature_names_in_ = np.array(features, object)
        estimator.committee_ = committee
        return estimator

    @property
    def rules_(self) -> list[str]:
        """The rules in words with their points, each as ``conditions: label +2, label -1``."""
        check_is_fitted(self)
        schema = self.committee_.schema
        texts = []
        for rule, points in zip(self.committee_.rules, self.committee_.points, strict=True):
            pairs = zip(schema.labels.values, points, strict=True)
            named_points = ", ".join(f"{shown(label)} {n:+d}" for label, n in pairs if n)
            texts.append(
                f"{' and '.join(conditions(rule.monomial, schema))}: {named_points or 'no points'}"
            )
        return texts

    def __sklearn_tags__(self) -> Any:  # noqa: ANN401 - scikit-learn's Tags
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _repr_html_inner(self) -> str:
        """Return scikit-learn's diagram before fit, the committee after it."""
        if not hasattr(self, "committee_"):
            return str(super()._repr_html_inner())
        parameters = f"<details><summary>Parameters</summary><pre>{escape(repr(self))}</pre>"
        return f"{committee_html(self.committee_)}\n{parameters}</details>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:  # noqa: ANN401
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] = self._repr_html_inner()
        return bundle

    def _options(self) -> Options:
        """Return the parameters as options of the induction, without those that need the labels."""
        self._unknown_as_missing()
        LabelSetOptions(**self._values_of(OF_LABEL_SETS))
        values = self._values_of(settings_of(Options).keys() - {"class_weight"})
        if hasattr(self.costs, "__array__"):  # also of a frame
            values["costs"] = np.asarray(self.costs).tolist()
        if isinstance(self.penalty, str) and self.penalty in CHOICES:
            del values["penalty"]  # to begin with
        return Options(**values)

    def _values_of(self, names: Iterable[str]) -> dict[str, Any]:
        return {name: getattr(self, name) for name in names}

    def _unknown_as_missing(self) -> bool:
        try:
            return _UNKNOWN.value_of(self.unknown) == "missing"
        except OptionError as error:
            error.option = "unknown"
            raise

    def _checked(self, X: Any, *, reset: bool) -> Any:  # noqa: ANN401
        """Return checked rows; `reset` records names and number of the features."""
        if type(X).__name__ == "LazyFrame":
            raise EstimatorError("expected a frame, got a LazyFrame; its collect() gives one")
        if not is_frame(X):
            X = checked_array(X, input_name="X", estimator=self, accept_sparse=True)
        elif 0 in X.shape:
            raise EstimatorError(
                f"Found a frame with {X.shape[0]} sample(s) and {X.shape[1]} feature(s) "
                f"(shape={X.shape}) while a minimum of 1 is required."
            )
        validate_data(self, X, reset=reset, skip_check_array=True)
        if not reset:
            names = column_names(X)
            trained = [attribute.name for attribute in self.committee_.schema.attributes]
            if names != trained and generated_names(len(trained)) not in (names, trained):
                # scikit-learn says so itself, of frames that its version knows
                raise EstimatorError(
                    f"expected the features of training in their order ({', '.join(trained)}), "
                    f"got {', '.join(names)}"
                )
        return X

    def _in_class_order(self, by_label: Floats) -> Floats:
        """Return columns in the order of the committee's labels in that of `classes_`."""
        result = np.empty_like(by_label)
        result[:, self._class_of_label] = by_label
        return result


def _committee_of(model: str | os.PathLike[str] | DecisionCommittee) -> DecisionCommittee:
    if isinstance(model, DecisionCommittee):
        return model
    if not isinstance(model, str | os.PathLike):
        raise TypeError(
            "expected a path, the text of a model file or a DecisionCommittee, got "
            f"{type(model).__name__}"
        )
    text = model.lstrip("\ufeff \t\r\n") if isinstance(model, str) else ""
    return DecisionCommittee.from_json(text) if text[:1] in ("{", "[") else read_committee(model)
