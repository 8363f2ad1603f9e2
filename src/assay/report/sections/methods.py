"""What a reader needs to compute it again: versions, seed, what was counted, how each number was made, and by whom."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from assay import __version__
from assay.kinds import STATISTICS
from assay.report.data import Data
from assay.report.sections import ReportPart, Section
from assay.report.sections.excluded import ExclusionRule, exclusion_rules
from assay.report.sources import Sources
from assay.report.system_comparison import comparisons_of
from assay.report.wording import CORRECTIONS
from assay.statistics.draws import DRAWS


@dataclass(frozen=True, slots=True)
class Definition:
    """What a coefficient is, in one line, and where it comes from."""

    name: str
    title: str
    doc: str
    references: str


@dataclass(frozen=True, slots=True)
class MethodsNumbers:
    """How the study was run, and how its numbers were made."""

    program: str
    command: str
    seed: int
    draws: int
    study_version: str
    study_versions: Mapping[str, int]
    """How many submissions came under each version of the study, by its hash."""
    gates: list[str]
    navigation: str
    annotators_per_item: int | Literal["all"]
    duplicates: bool
    controls: bool
    sides: bool
    blind: bool
    left_out: int
    """How many stored judgments are a second pass, or were changed later."""
    off_scale: Mapping[str, int]
    exclusion_rules: list[ExclusionRule]
    corrections: list[str]
    use_agreed: bool
    agreed_values: int
    judgments_replaced: int
    agreed: str
    clustered_by_group: bool
    coefficients: list[Definition]
    sources: Sources


class MethodsSection(Section[MethodsNumbers]):
    """What a reader needs to compute it again: versions, seed, what was counted, and how each number was made."""

    kind: ClassVar[str] = "methods"
    rank: ClassVar[int] = 90
    title: ClassVar[str] = "How was this computed?"
    part: ClassVar[ReportPart] = "methods"

    def numbers(self, data: Data) -> MethodsNumbers:
        study, analysis, plan = data.study, data.study.analysis, data.study.assignment
        named = dict.fromkeys(each.name for found in data.agreement.values() for each in found)
        return MethodsNumbers(
            program=f"assay {__version__}",
            command=f"assay report --seed {data.seed}",
            seed=data.seed,
            draws=DRAWS,
            study_version=study.hash,
            study_versions=dict(data.versions),
            gates=[entry.gate.kind for entry in study.gates],
            navigation=study.navigation,
            annotators_per_item=plan.per_item,
            duplicates=plan.duplicates is not None,
            controls=plan.controls is not None,
            sides=bool(study.preference_dimensions) or any(each.scope.of == "side" for each in study.scored_dimensions),
            blind=analysis.blind,
            left_out=data.n_superseded,
            off_scale=data.off_scale,
            exclusion_rules=exclusion_rules(data),
            corrections=sorted({CORRECTIONS[each.correction] or "none" for each in comparisons_of(data)}),
            use_agreed=analysis.use_agreed,
            agreed_values=data.with_agreed.values,
            judgments_replaced=data.with_agreed.replaced,
            agreed=data.with_agreed.in_words(),
            clustered_by_group=study.items.group is not None,
            coefficients=[_definition(name) for name in named],
            sources=data.sources,
        )


def _definition(name: str) -> Definition:
    statistic = STATISTICS[name]
    whole = re.sub(r"\s+", " ", inspect.getdoc(type(statistic)) or "")
    found = re.search(r"References?: (.*?)(?= Example:|$)", whole)
    return Definition(name, statistic.title, statistic.doc, found[1].strip() if found else "")
