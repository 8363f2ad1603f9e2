"""What the monitors found. A flag is a doubt to look into; nothing is left out because of one."""

from typing import Any, ClassVar

from assay.false_alarms import Rate
from assay.report.data import Data
from assay.report.section import Section

MOST_SAID = 6
"""So many flags stand in sentences; of more there is a table."""


class Flags(Section[dict[str, Any]]):
    """What the monitors found. A flag is a doubt to look into; nothing is left out because of one."""

    kind: ClassVar[str] = "flags"
    rank: ClassVar[int] = 40
    title: ClassVar[str] = "Is anything doubtful?"

    def numbers(self, data: Data) -> dict[str, Any]:
        return {
            "said": MOST_SAID,
            "monitors": [
                {
                    "monitor": name,
                    "thresholds": monitor.model_dump(mode="json"),
                    "false_alarms": self._rate(data.alarms[name]) if name in data.alarms else None,
                }
                for name, monitor in data.study.analysis.monitors.chosen().items()
            ],
            "flags": [
                {
                    "monitor": flag.monitor,
                    "annotator": flag.annotator,
                    "reason": flag.reason,
                    "evidence": flag.evidence,
                    "items": list(flag.items),
                }
                for flag in data.flags
            ],
        }

    @staticmethod
    def _rate(rate: Rate) -> dict[str, Any]:
        return {"flagged": rate.flagged, "careful_annotators": rate.n, "share": rate.share, "ci": [rate.low, rate.high]}

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        if not numbers["monitors"]:
            return ["No monitor watches this study."]
        names = ", ".join(each["monitor"].replace("_", " ") for each in numbers["monitors"])
        flags = numbers["flags"]
        if not flags:
            return [f"No flags ({names} watched)."]
        if len(flags) <= MOST_SAID:
            return [
                f"Flag: {flag['annotator']}, {flag['monitor'].replace('_', ' ')}: {flag['reason']}." for flag in flags
            ]
        who: dict[str, list[str]] = {}
        for flag in flags:
            who.setdefault(flag["monitor"].replace("_", " "), []).append(flag["annotator"])
        said = "; ".join(f"{monitor}: {', '.join(people)}" for monitor, people in who.items())
        return [f"{len(flags)} flags. By monitor, whom it flags: {said}. The reasons are in the table."]
