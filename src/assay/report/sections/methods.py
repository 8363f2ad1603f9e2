"""What a reader needs to compute it again: versions, seed, what was counted, how each number was made, and by whom."""

import inspect
import re
from typing import Any, ClassVar

from assay import __version__
from assay.kinds import STATISTICS
from assay.report.comparing import CORRECTIONS, DRAWS, asked
from assay.report.data import Data
from assay.report.section import Section


class Methods(Section[dict[str, Any]]):
    """What a reader needs to compute it again: versions, seed, what was counted, and how each number was made."""

    kind: ClassVar[str] = "methods"
    rank: ClassVar[int] = 90
    title: ClassVar[str] = "How was this computed?"

    def numbers(self, data: Data) -> dict[str, Any]:
        study, analysis, plan = data.study, data.study.analysis, data.study.assignment
        named = dict.fromkeys(each.name for found in data.agreement.values() for each in found)
        return {
            "program": f"assay {__version__}",
            "command": f"assay report --seed {data.seed}",
            "seed": data.seed,
            "draws": DRAWS,
            "study_version": study.hash,
            "study_versions": dict(data.versions),
            "gates": [entry.gate.kind for entry in study.gates],
            "navigation": study.navigation,
            "annotators_per_item": plan.per_item,
            "duplicates": plan.duplicates is not None,
            "controls": plan.controls is not None,
            "sides": bool(study.comparing) or any(each.scope.of == "side" for each in study.scored),
            "blind": analysis.blind,
            "left_out": data.n_superseded,
            "off_scale": data.off_scale,
            "exclusion_rules": [
                {"annotators": rule.annotators, "at_least": rule.at_least, "reason": rule.reason}
                for rule in analysis.exclude
            ],
            "corrections": sorted({CORRECTIONS[each.correction] or "none" for each in asked(data)}),
            "use_agreed": analysis.use_agreed,
            "agreed_values": data.with_agreed.values,
            "judgments_replaced": data.with_agreed.replaced,
            "agreed": data.with_agreed.in_words(),
            "clustered_by_group": study.items.group is not None,
            "coefficients": [_definition(name) for name in named],
        }


def _definition(name: str) -> dict[str, str]:
    """What a coefficient is, in one line, and where it comes from."""
    statistic = STATISTICS[name]
    whole = re.sub(r"\s+", " ", inspect.getdoc(type(statistic)) or "")
    found = re.search(r"References?: (.*?)(?= Example:|$)", whole)
    return {
        "name": name,
        "title": statistic.title,
        "doc": statistic.doc,
        "references": found[1].strip() if found else "",
    }
