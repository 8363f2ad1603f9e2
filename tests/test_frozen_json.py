"""Frozen types as JSON and back."""

from collections.abc import Mapping
from dataclasses import dataclass

from assay.frozen_json import from_json, to_json


@dataclass(frozen=True, slots=True)
class Share:
    value: float | None
    ci: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Shares(Share):
    by_system: Mapping[str, Share] | None = None
    rows: tuple[Share, ...] = ()


@dataclass(frozen=True, slots=True)
class Nothing:
    nothing: str


WHOLE = Shares(0.5, (0.25, 0.75), {"a": Share(None)}, (Share(1.0),))
WRITTEN = {
    "value": 0.5,
    "ci": [0.25, 0.75],
    "by_system": {"a": {"value": None, "ci": None}},
    "rows": [{"value": 1.0, "ci": None}],
}


def test_fields_are_keys_and_tuples_are_lists_at_any_depth() -> None:
    assert to_json(WHOLE) == WRITTEN
    assert to_json({"a": [Share(1.0), "text", None, True, 3]}) == {
        "a": [{"value": 1.0, "ci": None}, "text", None, True, 3]
    }


def test_what_was_written_is_read_back_whole() -> None:
    assert from_json(Shares, WRITTEN) == WHOLE


def test_the_type_of_a_union_is_the_one_that_fits() -> None:
    assert from_json(Share | Nothing, {"nothing": "nobody came"}) == Nothing("nobody came")
    assert from_json(Share | Nothing, {"value": 0.5, "ci": None}) == Share(0.5)


def test_unknown_keys_are_passed_over_and_another_shape_is_nothing() -> None:
    assert from_json(Share, {"value": 0.5, "rows": []}) == Share(0.5)
    assert from_json(Share, {"nothing": "nobody came"}) is None
    assert from_json(Share, {"value": "much"}) is None
