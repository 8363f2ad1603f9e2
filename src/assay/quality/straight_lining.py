"""The same value on every dimension of an item, too often to be a coincidence."""

from collections import defaultdict
from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from assay.model import Flag, Judgment
from assay.quality import Monitor
from assay.study.schema import Study


class StraightLining(Monitor):
    """The same value on every dimension of an item, too often to be a coincidence."""

    kind: ClassVar[str] = "straight_lining"

    share: float = Field(default=0.5, gt=0, le=1, description="Flag above this share of an annotator's items.")
    at_least: int = Field(default=10, ge=1, description="Say nothing before this many items.")

    def flags(self, study: Study, judgments: Sequence[Judgment]) -> list[Flag]:
        scored = {dimension.dimension for dimension in study.scored}
        values: dict[tuple[str, str, str], list[object]] = defaultdict(list)
        for judgment in judgments:
            if judgment.dimension in scored:
                values[judgment.annotator, judgment.item, judgment.submission].append(judgment.value)
        items: dict[str, list[str]] = defaultdict(list)
        alike: dict[str, list[str]] = defaultdict(list)
        for (annotator, item, _), given in values.items():
            # One scored dimension alone is always "the same on all": there is nothing to see.
            if len(given) > 1:
                items[annotator].append(item)
                if len(set(map(str, given))) == 1:
                    alike[annotator].append(item)
        return [
            Flag(
                monitor=self.kind,
                annotator=annotator,
                reason=f"{len(alike[annotator])} of {len(given)} items have the same value on every dimension",
                items=tuple(alike[annotator]),
            )
            for annotator, given in sorted(items.items())
            if len(given) >= self.at_least and len(alike[annotator]) / len(given) > self.share
        ]
