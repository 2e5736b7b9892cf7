import ast
import dataclasses
from pathlib import Path
from typing import Any

import pytest

from sensemaking import correlation
from sensemaking.metrics import agreement, judging, rouge, teacher
from sensemaking.metrics.declaration import Metric

ROOT = Path(__file__).parents[2]
GOOD: dict[str, Any] = {
    "name": "word_overlap_2",
    "label": "Overlap",
    "unit": "share",
    "range": (0.0, 1.0),
    "higher_is_better": True,
    "version": 1,
    "citation": "Jaccard 1901",
    "description": "Shared words.",
}
DECLARED = [
    value
    for module in (rouge, teacher, agreement, judging, correlation)
    for value in vars(module).values()
    if isinstance(value, Metric)
]


def shown(metric: Metric) -> str:
    low, high = metric.range
    if low is None:
        bounds = "any"
    else:
        bounds = f"{low:g} and more" if high is None else f"{low:g} to {high:g}"
    better = {True: "higher", False: "lower", None: "neither"}[metric.higher_is_better]
    cells = [metric.name, metric.label, metric.unit, bounds, better, str(metric.version)]
    return f"| {' | '.join(cells)} |"


def test_a_declaration_keeps_what_it_states_and_cannot_be_changed() -> None:
    metric = Metric(**GOOD)
    assert dataclasses.asdict(metric) == GOOD
    with pytest.raises(dataclasses.FrozenInstanceError):
        metric.version = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", "Word Overlap", "found 'Word Overlap'"),
        ("name", "overlap_", "found 'overlap_'"),
        ("name", "", "found ''"),
        ("label", " ", "label must not be empty"),
        ("unit", "", "unit must not be empty"),
        ("citation", "", "citation must not be empty"),
        ("description", "", "description must not be empty"),
        ("version", 0, "version must be 1 or more"),
        ("range", (1.0, 1.0), "range"),
    ],
)
def test_an_incomplete_declaration_is_an_error(field: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Metric(**{**GOOD, field: value})


def test_names_of_metrics_are_unique() -> None:
    names = [metric.name for metric in DECLARED]
    assert len(names) == 24
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("metric", DECLARED, ids=lambda metric: metric.name)
def test_the_docs_state_what_the_declaration_states(metric: Metric) -> None:
    lines = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith(shown(metric))], shown(metric)


def test_no_metric_module_imports_another_metric_only_to_list_it() -> None:
    tree = ast.parse(Path(rouge.__file__).read_text(encoding="utf-8"))
    ours = [
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("sensemaking")
    ]
    assert ours == ["sensemaking.metrics.declaration"]
