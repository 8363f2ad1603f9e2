"""What is missing, by its kind: places not filled, declined, half-way, too late, changed, not to be judged, broken."""

from collections import Counter
from typing import Any, ClassVar

from assay.model import PRACTICE, Judgment
from assay.report.data import Data
from assay.report.figures import many
from assay.report.section import Section


class Missing(Section[dict[str, Any]]):
    """What is missing, by its kind: places not filled, declined, half-way, too late, changed, not to be judged."""

    kind: ClassVar[str] = "missing"
    rank: ClassVar[int] = 42
    title: ClassVar[str] = "What is missing?"

    def numbers(self, data: Data) -> dict[str, Any]:
        course = data.course
        return {
            "items": data.items,
            "items_not_finished": max(0, data.items - data.finished),
            "places": course.places if course else None,
            "withdrawn": list(course.withdrawn) if course else None,
            "surplus_submissions": data.surplus,
            "changed_submissions": len(
                {each.submission for each in data.by_people if each.superseded and not each.surplus}
            ),
            "second_passes": len({each.submission for each in data.by_people if each.pass_ > 1 and _is_work(each)}),
            "annotators": [
                {
                    "annotator": each.annotator,
                    "given": each.given,
                    "submitted": each.submitted,
                    "declined": each.declined,
                    "half_way": each.begun,
                    "not_begun": max(0, each.given - each.submitted - each.declined - each.begun),
                    "left": each.left,
                    "state": each.state,
                }
                for each in (course.people if course else ())
            ],
            "dimensions": _dimensions(data),
            "problems": [
                {"item": each.item, "annotator": each.annotator, "words": each.words, "closed": each.closed}
                for each in (course.problems if course else ())
            ],
        }

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        lines = []
        if numbers["items_not_finished"]:
            lines.append(
                f"{numbers['items_not_finished']} of {numbers['items']} items are not judged by as many as the study "
                "asks for."
            )
        people = numbers["annotators"]
        sums = {name: sum(each[name] for each in people) for name in ("declined", "half_way", "not_begun")}
        words = {
            "declined": "declined",
            "half_way": "begun and never submitted",
            "not_begun": "given out and not begun",
        }
        said = [f"{sums[name]} {words[name]}" for name in words if sums[name]]
        if said:
            lines.append(f"Of the items that were given to somebody: {', '.join(said)}.")
        left = [each["annotator"] for each in people if each["left"]]
        if left:
            lines.append(f"Left before the end: {', '.join(left)}.")
        unable = [f"{row['title']} {row['unable']} of {row['asked']}" for row in numbers["dimensions"] if row["unable"]]
        if unable:
            lines.append(f"Said to be impossible to judge, and counted in no number: {', '.join(unable)}.")
        if numbers["withdrawn"]:
            names = ", ".join(numbers["withdrawn"][:5]) + (", ..." if len(numbers["withdrawn"]) > 5 else "")
            lines.append(
                f"{many(len(numbers['withdrawn']), 'item')} taken out of the study and counted nowhere: {names}."
            )
        if numbers["problems"]:
            reported, open_ = len(numbers["problems"]), sum(not each["closed"] for each in numbers["problems"])
            items = len({each["item"] for each in numbers["problems"]})
            lines.append(
                f"{many(reported, 'problem')} reported with {many(items, 'item')}, {open_} of which nobody has dealt "
                "with yet."
            )
        return lines or ["Nothing: every item is judged by as many as the study asks for, and nobody declined one."]


def _is_work(judgment: Judgment) -> bool:
    return judgment.source != PRACTICE and not judgment.surplus


def _dimensions(data: Data) -> list[dict[str, Any]]:
    """Of each dimension, how often it was answered, said to be impossible, or given on a scale no longer in force."""
    asked, unable = Counter[str](), Counter[str]()
    for each in data.that_count:
        asked[each.dimension] += 1
        unable[each.dimension] += each.value is None
    names = {each.dimension: each.heading for each in data.study.scored}
    names |= {name: name for name in data.off_scale if name not in names}
    return [
        {
            "dimension": name,
            "title": title,
            "asked": asked[name],
            "unable": unable[name],
            "off_scale": data.off_scale.get(name, 0),
        }
        for name, title in names.items()
    ]
