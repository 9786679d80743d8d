"""Requests to the process behind the Weka classifier, as the classifier makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from widc_arff import Dataset


def request_for(dataset: Dataset, **options: object) -> tuple[dict[str, Any], bytes]:
    """Return header and bytes of the request to train on a data set, class last."""
    schema = dataset.schema
    attributes = []
    for attribute in schema.attributes:
        kind = {"values": list(attribute.values)} if attribute.type == "nominal" else {}
        attributes.append({"name": attribute.name, "type": attribute.type, **kind})
    name, values = schema.labels.attributes[0], list(schema.labels.values)
    attributes.append({"name": name, "type": "nominal", "values": values})
    columns: list[Any] = [
        np.where(np.asarray(column) == -1, np.nan, column) if kind.type == "nominal" else column
        for kind, column in zip(schema.attributes, dataset.columns, strict=True)
    ]
    classes = np.where(dataset.classes < 0, np.nan, dataset.classes)
    content = np.column_stack([*columns, classes, dataset.weights]).astype("<f8").tobytes()
    header = {
        "command": "train",
        "bytes": len(content),
        "relation": schema.relation,
        "attributes": attributes,
        "class": len(attributes) - 1,
        "rows": dataset.n_samples,
        "options": options,
    }
    return header, content
