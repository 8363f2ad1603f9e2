"""Work made by hand: who gave which item which value."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.model import Fact, Flag, Judgment
from assay.quality import Monitor, MonitorData
from assay.study import Study, load
from assay.study.templates import HERE
from tests.report.test_report import judgment

EMPATHY = load(HERE / "empathy")
PAIRS = load(HERE / "trajectories")
ALONE = {"group": ""}
"""Of an item that shares nothing with another."""


def given(who: str, values: Sequence[object], dimension: str = "emotion", **more: Any) -> list[Judgment]:
    """Values for i1, i2, ... in the order in which somebody gave them."""
    return [
        judgment(f"i{at}", who, value, dimension, **{**ALONE, "position": at, "submitted_at": at * 60_000, **more})
        for at, value in enumerate(values, 1)
        if value is not None
    ]


def of_pair(item: str, who: str, dimension: str, value: object, side: str = "", **more: Any) -> Judgment:
    """A judgment of a comparison of two systems, x and y, with x on the left."""
    system = {"left": "x", "right": "y"}.get(side, "")
    found = {**ALONE, "side": side, "system": system, "systems": ("x", "y"), "left": "x", **more}
    return judgment(item, who, value, dimension, **found)


def flags(
    monitor: Monitor,
    judgments: Iterable[Judgment],
    items: Mapping[str, Fact] | None = None,
    study: Study = EMPATHY,
    **more: Any,
) -> dict[str, Flag]:
    """What a monitor finds, by annotator; never two for one."""
    found = monitor.flags(MonitorData(study, list(judgments), items or {}, **more))
    by_name = {flag.annotator: flag for flag in found}
    assert len(by_name) == len(found)
    assert all(flag.monitor == monitor.kind and flag.reason and flag.evidence for flag in found)
    return by_name
