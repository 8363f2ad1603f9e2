"""Where people were so far apart that it was talked over, and what was agreed. Agreement knows nothing of it."""

from typing import Any, ClassVar

from assay.report.adjudication import queue
from assay.report.data import Data
from assay.report.section import Section


class Adjudicated(Section[dict[str, Any]]):
    """Where people were so far apart that it was talked over, and what was agreed. Agreement knows nothing of it."""

    kind: ClassVar[str] = "adjudicated"
    rank: ClassVar[int] = 47
    title: ClassVar[str] = "What was talked over?"

    def numbers(self, data: Data) -> dict[str, Any]:
        known = {(each.item, each.dimension, each.system, each.entry): each for each in data.agreed}
        return {
            "threshold": data.study.analysis.adjudicate_above,
            "spread": "standard deviation, dividing by n - 1",
            "items": [
                {
                    "item": each.item,
                    "dimension": each.dimension,
                    "system": each.system,
                    "entry": each.entry,
                    "values": list(each.values),
                    "standard_deviation": each.spread,
                    "agreed": agreed.value if agreed else None,
                    "reason": agreed.reason if agreed else None,
                }
                for each in queue(data)
                for agreed in [known.get((each.item, each.dimension, each.system, each.entry))]
            ],
        }

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        if numbers["threshold"] is None:
            return []
        items = numbers["items"]
        agreed = sum(each["agreed"] is not None for each in items)
        return [
            f"{len(items)} questions have a {numbers['spread']}, above {numbers['threshold']:g}; on {agreed} of them a "
            "value was agreed afterwards. Agreement is computed on the judgments as they were given."
        ]
