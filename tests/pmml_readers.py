"""Predict with two readers of PMML, JPMML and PMML4S, in a process of their own.

Reads JSON from standard input, a list of {"pmml": text, "rows": [{name: value}]}, and writes for
each {reader: [predicted label followed by the probabilities of the labels, for each row]}.
"""

from __future__ import annotations

import json
import math
import sys
from typing import Any

import pandas as pd
from jpmml_evaluator import make_evaluator
from pypmml import Model

Rows = list[dict[str, Any]]


def by_jpmml(pmml: str, rows: Rows) -> list[list[Any]]:
    """Return the predictions of JPMML-Evaluator."""
    evaluator = make_evaluator(pmml.encode())
    names = [field.getName() for field in evaluator.getOutputFields()]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    results, errors = evaluator.evaluateAll(pd.DataFrame(columns, dtype=object), error_col=None)
    if errors is not None:
        raise ValueError(errors.dropna().iloc[0])
    return [list(row) for row in results[names].itertuples(index=False)]


def by_pmml4s(pmml: str, rows: Rows) -> list[list[Any]]:
    """Return the predictions of PMML4S."""
    model = Model.fromString(pmml)
    names = list(model.outputNames)
    if all(math.isfinite(v) for row in rows for v in row.values() if isinstance(v, float)):
        # pypmml makes such a text of a DataFrame, but with ten digits a number
        columns = list(rows[0])
        data = [[row[name] for name in columns] for row in rows]
        results = json.loads(model.predict(json.dumps({"columns": columns, "data": data})))
        assert results["columns"] == names
        return list(results["data"])
    each = [model.predict(row) for row in rows]  # JSON has no infinite numbers
    return [[result[name] for name in names] for result in each]


if __name__ == "__main__":
    predictions = [
        {"jpmml": by_jpmml(**case), "pmml4s": by_pmml4s(**case)} for case in json.load(sys.stdin)
    ]
    json.dump(predictions, sys.stdout)
