"""The result of an attempt at practice or calibration: answers beside their references, and the gate's rule applied.

The rule itself is `gates/calibration_rule.py: PassRule.holds`.
"""

from typing import Any

from assay.gates import Gate
from assay.gates.calibration_rule import PassRule
from assay.judgments.reference import (
    AnswerAndReference,
    ReferenceTally,
    compare_with_reference,
    tally_by_dimension,
)
from assay.kinds import STATISTICS
from assay.statistics import Ratings, agree
from assay.store.annotator.attempts import ComparedItem
from assay.study import Study


def compare_item(study: Study, judged: ComparedItem) -> list[AnswerAndReference]:
    """One item's answers beside their references."""
    return compare_with_reference(study, judged.shown, judged.swapped, judged.own, judged.reference)


def decide_attempt(study: Study, gate: Gate, items: list[ComparedItem], planned: int) -> tuple[bool, dict[str, Any]]:
    """Whether an attempt is passed, by the gate's rule, and what is kept of how it went. Without data it is not."""
    rule = gate.rule
    most = rule.max_difference if rule is not None and rule.max_difference is not None else 0
    found = [
        _decide_dimension(study, rule, each, planned - len(items))
        for each in tally_by_dimension(study, [compare_item(study, item) for item in items], most)
    ]
    counted = [each for each in found if each["passed"] is not None]
    passed = bool(items) if rule is None else bool(counted) and all(each["passed"] for each in counted)
    return passed, {"judged": len(items), "dimensions": found}


def _decide_dimension(study: Study, rule: PassRule | None, found: ReferenceTally, lacking: int) -> dict[str, Any]:
    kept: dict[str, Any] = {
        "dimension": found.dimension,
        "compared": len(found.pairs),
        "same": found.same,
        "within_one": found.within_one,
        "mean": found.mean,
        "far": found.far,
        "missing": found.missing + lacking,
        "passed": True if rule is None else None,
    }
    if rule is None:
        return kept
    agreement = None
    if rule.max_difference is None:
        if study.dimension(found.dimension).input.level not in STATISTICS[rule.coefficient].levels:
            return kept
        kept |= (measured := _agreement(study, rule, found))
        agreement = measured["agreement"]
    kept["passed"] = rule.holds(len(found.pairs), found.far, found.missing + lacking, agreement)
    return kept


def _agreement(study: Study, rule: PassRule, found: ReferenceTally) -> dict[str, Any]:
    asked = study.dimension(found.dimension).input
    assert asked.level is not None
    if not found.pairs:
        return {"agreement": None, "interval": None}
    ratings = Ratings.from_rows(found.pairs, asked.values(), asked.level)  # type: ignore[arg-type]
    [coefficient] = agree(ratings, [rule.coefficient])
    return {"agreement": coefficient.value, "interval": coefficient.ci}
