"""What the monitors found. A flag is a doubt to look into; nothing is left out because of one."""

from typing import Any, ClassVar

from assay.report import Data, Section


class Flags(Section):
    """What the monitors found. A flag is a doubt to look into; nothing is left out because of one."""

    kind: ClassVar[str] = "flags"
    rank: ClassVar[int] = 40
    title: ClassVar[str] = "Is anything doubtful?"

    def numbers(self, data: Data) -> dict[str, Any]:
        return {
            "monitors": list(data.study.analysis.monitors.chosen()),
            "flags": [
                {"monitor": flag.monitor, "annotator": flag.annotator, "reason": flag.reason, "items": list(flag.items)}
                for flag in data.flags
            ],
        }

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        if not numbers["monitors"]:
            return ["No monitor watches this study."]
        return [
            f"Flag: {flag['annotator']}, {flag['monitor'].replace('_', ' ')}: {flag['reason']}."
            for flag in numbers["flags"]
        ] or [f"No flags ({', '.join(name.replace('_', ' ') for name in numbers['monitors'])} watched)."]
