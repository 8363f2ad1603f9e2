"""Who is left out and why, what came too late, and what the result is with everybody."""

from typing import Any, ClassVar

from assay.report.data import Data
from assay.report.section import Section
from assay.report.sections.preferences import Preferences
from assay.report.sections.systems import Systems


class Excluded(Section[dict[str, Any]]):
    """Who is left out and why, what came too late, and what the result is with everybody."""

    kind: ClassVar[str] = "excluded"
    rank: ClassVar[int] = 45
    title: ClassVar[str] = "What is left out?"

    def numbers(self, data: Data) -> dict[str, Any]:
        headline = data.study.analysis.agreement.coefficient
        return {
            "rules": [
                {"annotators": rule.annotators, "at_least": rule.at_least, "reason": rule.reason}
                for rule in data.study.analysis.exclude
            ],
            "annotators": [{"annotator": name, "reason": reason} for name, reason in sorted(data.excluded.items())],
            "surplus_submissions": data.surplus,
            "coefficient": headline,
            "titles": {each.dimension: each.heading for each in data.study.scored},
            "with_everybody": self._agreement(data.whole, headline) if data.excluded else {},
            "without": self._agreement(data, headline) if data.excluded else {},
            "comparisons": _comparisons(data) if data.excluded else [],
        }

    @staticmethod
    def _agreement(data: Data, headline: str) -> dict[str, float | None]:
        # Where the study's coefficient does not fit a dimension, the first that does.
        return {
            name: next((each.value for each in found if each.name == headline), found[0].value if found else None)
            for name, found in data.agreement.items()
        }

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        lines = [f"Left out: {each['annotator']}, {each['reason']}." for each in numbers["annotators"]]
        if numbers["surplus_submissions"]:
            lines.append(
                f"{numbers['surplus_submissions']} submissions came after their place had gone to another: "
                "they are kept in the data and counted nowhere."
            )
        return lines or ["Nobody is left out, and nothing came too late."]


def _comparisons(data: Data) -> list[dict[str, Any]]:
    """What systems reach without those who are left out, beside what they reach with everybody."""
    without, whole = _found(data), _found(data.whole)
    return [
        {"what": what, "of": of, "without": without.get((what, of)), "with_everybody": value}
        for (what, of), value in whole.items()
    ]


def _found(data: Data) -> dict[tuple[str, str], float | None]:
    """The mean of each system on each dimension, and the net win rate of each pair, by what they are called."""
    found = {}
    for row in Systems().numbers(data)["values"]:
        name = row["title"] if row["value"] is None else f"{row['title']}: {row['value']} (share)"
        for each in row["systems"]:
            found[f"{name}, mean", each["system"] or "all items"] = each["mean"]["value"]
    for family in Preferences().numbers(data)["families"]:
        for row in family["dimensions"]:
            for pair in row["pairs"]:
                of = f"{pair['system']} against {pair['against']}"
                found[f"{row['title']}, net win rate", of] = pair["net"]["value"]
    return found
