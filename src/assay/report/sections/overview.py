"""What there is: items, systems, annotators, submissions, judgments, and what is missing."""

from collections import Counter
from typing import Any, ClassVar

from assay.report import Data, Section


class Overview(Section):
    """What there is: items, systems, annotators, submissions, judgments, and what is missing."""

    kind: ClassVar[str] = "overview"
    rank: ClassVar[int] = 10
    title: ClassVar[str] = "What was judged"

    def numbers(self, data: Data) -> dict[str, Any]:
        submissions = {judgment.submission: judgment for judgment in data.counted}
        by_annotator = Counter(judgment.annotator for judgment in submissions.values())
        per_item = Counter(judgment.item for judgment in submissions.values())
        return {
            "items": data.items,
            "items_wanted_per_item": data.study.assignment.per_item,
            "items_finished": data.finished,
            "left_out": sorted(data.excluded),
            "systems": dict(data.systems),
            "annotators": {name: by_annotator.get(name, 0) for name in data.annotators},
            "simulated": sorted({judgment.annotator for judgment in data.counted if judgment.simulated}),
            "submissions": len(submissions),
            "judgments": len(data.counted),
            "judgments_stored": len(data.judgments),
            "annotators_per_item": {str(count): items for count, items in sorted(Counter(per_item.values()).items())},
            "minutes": {
                name: round(
                    sum(each.active_ms or 0 for each in submissions.values() if each.annotator == name) / 60_000, 1
                )
                for name in data.annotators
            },
        }

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        people = sum(1 for count in numbers["annotators"].values() if count)
        bots = numbers["simulated"]
        are = "are" if len(bots) > 1 else "is"
        warning = f"These numbers are no finding: {', '.join(bots)} {are} simulated, and counted."
        return [
            *([warning] if bots else []),
            f"{numbers['items_finished']} of {numbers['items']} items are judged by "
            f"{numbers['items_wanted_per_item']} annotators each; "
            + (f"without {', '.join(numbers['left_out'])}, who are left out: " if numbers["left_out"] else "")
            + f"{people} annotators, "
            f"{numbers['submissions']} submissions, {numbers['judgments']} judgments (notes and tags included).",
        ]
