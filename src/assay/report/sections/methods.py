"""What a reader needs to compute it again: versions, seed, what was counted and what was left out."""

from typing import Any, ClassVar

from assay import __version__
from assay.report import Data, Section


class Methods(Section):
    """What a reader needs to compute it again: versions, seed, what was counted and what was left out."""

    kind: ClassVar[str] = "methods"
    rank: ClassVar[int] = 90
    title: ClassVar[str] = "How was this computed?"

    def numbers(self, data: Data) -> dict[str, Any]:
        return {
            "program": f"assay {__version__}",
            "seed": data.seed,
            "study_versions": dict(data.versions),
            "gates": [entry.gate.kind for entry in data.study.gates],
            "navigation": data.study.navigation,
            "left_out": data.superseded,
            "passed_by_hand": [
                {"annotator": each.annotator, "gate": each.gate, "by": each.by, "reason": each.reason}
                for each in data.by_hand
            ],
            "off_scale": data.off_scale,
            "clustered_by_group": data.study.items.group is not None,
        }
