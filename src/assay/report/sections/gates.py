"""What annotators passed before they judged: each gate, at which try, by whose leave, and who was turned away."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

from assay.report.course import Tried
from assay.report.data import Data
from assay.report.figures import many
from assay.report.section import Section

NTH = {1: "first", 2: "second", 3: "third"}


class Gates(Section[dict[str, Any]]):
    """What annotators passed before they judged: each gate, at which try, by whose leave, who was turned away."""

    kind: ClassVar[str] = "gates"
    rank: ClassVar[int] = 50
    title: ClassVar[str] = "What did annotators have to pass?"
    figures: ClassVar[tuple[str, ...]] = ("funnel",)

    def numbers(self, data: Data) -> dict[str, Any]:
        course = data.course
        judged = sorted({each.annotator for each in data.that_count if each.source in ("work", "sheet")})
        tried = course.gates if course else ()
        rows = []
        for entry in data.study.gates:
            gate = entry.gate
            of_gate = [each for each in tried if each.gate == gate.kind]
            now = [each for each in of_gate if each.version == gate.version]
            rows.append(
                {
                    "gate": gate.kind,
                    "title": gate.title(data.study.words),
                    "version": gate.version,
                    **_counts(now, turns_away=gate.after_no == "out"),
                    "of_those_who_judged": sum(each.passed for each in now if each.annotator in judged),
                    "in_older_versions": sorted(
                        {each.annotator for each in of_gate if each.passed}
                        - {each.annotator for each in now if each.passed}
                    ),
                }
            )
        by_hand = [
            {"annotator": each.annotator, "gate": each.gate, "by": each.by, "reason": each.reason}
            for each in data.by_hand
        ]
        pilots = [
            {"round": each.round, "verdict": each.verdict, "opened": each.opened, "by": each.by, "reason": each.reason}
            for each in (course.pilots if course else ())
        ]
        known = course is not None
        return {"known": known, "judged": judged, "gates": rows, "passed_by_hand": by_hand, "pilots": pilots}

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        rows, judged = numbers["gates"], len(numbers["judged"])
        lines = []
        if not rows:
            lines.append("Nothing: this study has no gates.")
        elif numbers["known"] and judged:
            lines += _passed(rows, judged)
        lines += [line for row in rows if (line := _tries(row))]
        lines += [
            f"{each['annotator']} passed {each['gate']} by leave of {each['by']}: {each['reason']}."
            for each in numbers["passed_by_hand"]
        ]
        for each in numbers["pilots"]:
            opened = "the main part was opened" if each["opened"] else "the main part was not opened"
            why = f": {each['reason']}" if each["reason"] else ""
            lines.append(f"Pilot {each['round']} showed {each['verdict']!r}; {opened} by {each['by']}{why}.")
        return lines


def _counts(now: Sequence[Tried], *, turns_away: bool) -> dict[str, Any]:
    in_person = [each for each in now if each.passed and not each.by]
    failed = [each for each in now if each.failed]
    return {
        "passed": sum(each.passed for each in now),
        "passed_at_try": {str(n): count for n, count in sorted(Counter(max(1, e.tries) for e in in_person).items())},
        "by_hand": sum(each.passed and bool(each.by) for each in now),
        "turned_away": len(failed) if turns_away else 0,
        "not_passed": 0 if turns_away else len(failed),
        "under_way": sum(not each.passed and not each.failed for each in now),
    }


def _passed(rows: Sequence[dict[str, Any]], judged: int) -> list[str]:
    whole = [row for row in rows if row["of_those_who_judged"] == judged]
    names = ", ".join(row["gate"] for row in whole)
    lines = []
    if whole:
        everybody = {1: "The one annotator", 2: "Both annotators"}.get(judged, f"All {judged} annotators")
        who = "every gate as it is now" if len(whole) == len(rows) else "these gates as they are now"
        lines.append(f"{everybody} who judged on the page passed {who}: {names}.")
    lines += [
        f"{row['title']} ({row['gate']}): {row['of_those_who_judged']} of the {many(judged)} who judged passed it as "
        "it is now" + (f", {len(older)} an older text of it" if (older := row["in_older_versions"]) else "") + "."
        for row in rows
        if row not in whole
    ]
    return lines


def _tries(row: dict[str, Any]) -> str:
    """How often it took more than one try, or none was enough; nothing where everybody passed at once."""
    by_try = {int(place): count for place, count in row["passed_at_try"].items()}
    others = {
        "let pass by hand": row["by_hand"],
        "turned away": row["turned_away"],
        "not passed": row["not_passed"],
        "under way": row["under_way"],
    }
    if not any(others.values()) and set(by_try) <= {1}:
        return ""
    said = [f"{count} passed at the {NTH.get(place, f'{place}th')} try" for place, count in by_try.items()]
    said += [f"{count} {words}" for words, count in others.items() if count]
    return f"{row['title']} ({row['gate']}): {', '.join(said)}."
