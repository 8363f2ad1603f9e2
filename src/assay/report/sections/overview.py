"""What there is: items, systems, annotators, submissions, judgments, and what is missing."""

from collections import Counter
from typing import Any, ClassVar

from assay.report.data import Data
from assay.report.figures import many
from assay.report.section import Section

MOST_SYSTEMS = 8


class Overview(Section[dict[str, Any]]):
    """What there is: items, systems, annotators, submissions, judgments, and what is missing."""

    kind: ClassVar[str] = "overview"
    rank: ClassVar[int] = 10
    title: ClassVar[str] = "What was judged"

    def numbers(self, data: Data) -> dict[str, Any]:
        submissions = {judgment.submission: judgment for judgment in data.that_count}
        by_annotator = Counter(judgment.annotator for judgment in submissions.values())
        per_item = Counter(judgment.item for judgment in submissions.values())
        return {
            "items": data.items,
            "items_wanted_per_item": data.study.assignment.per_item,
            "items_finished": data.finished,
            "left_out": sorted(data.excluded),
            "systems": dict(data.systems),
            "annotators": {name: by_annotator.get(name, 0) for name in data.annotators},
            "simulated": sorted({judgment.annotator for judgment in data.that_count if judgment.simulated}),
            "submissions": len(submissions),
            "judgments": len(data.that_count),
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
        wanted = many(numbers["items_wanted_per_item"])
        each = " each" if numbers["items_wanted_per_item"] > 1 else ""
        gone = numbers["left_out"]
        left_out = f"without {', '.join(gone)}, who {'is' if len(gone) == 1 else 'are'} left out: " if gone else ""
        lines = [warning] if bots else []
        lines.append(
            f"{numbers['items_finished']} of {numbers['items']} items are judged by {wanted}{each}; {left_out}"
            f"{many(people)}, {many(numbers['submissions'], 'submission')}, {many(numbers['judgments'], 'judgment')} "
            "(notes and tags included)."
        )
        systems = {name: count for name, count in numbers["systems"].items() if name}
        if 1 < len(systems) <= MOST_SYSTEMS:
            lines.append(
                "Systems: " + ", ".join(f"{name} ({many(count, 'item')})" for name, count in systems.items()) + "."
            )
        return lines
