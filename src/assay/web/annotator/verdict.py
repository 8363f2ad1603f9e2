"""How a try at practice or calibration went: decided by the gate's rule, and said in words."""

from dataclasses import dataclass
from typing import Any

from assay.gates.calibration import Calibration, PassRule
from assay.gates.practice import Practice
from assay.judgments.reference import AnswerAndReference, ReferenceTally, compare_with_reference, tally_by_dimension
from assay.kinds import STATISTICS
from assay.store.annotator.attempts import Judged
from assay.study import Study
from assay.words import Words

ABOUT_ZERO = 0.05
"""A mean difference that is said as none."""


def compared(study: Study, judged: Judged) -> list[AnswerAndReference]:
    """One item's answers beside their references."""
    return compare_with_reference(study, judged.shown, judged.swapped, judged.own, judged.reference)


def verdict(study: Study, gate: Practice, items: list[Judged], planned: int) -> tuple[bool, dict[str, Any]]:
    """Whether a try is passed, and what is kept of how it went. A try without data is not passed."""
    rule = gate.pass_ if isinstance(gate, Calibration) else None
    most = rule.max_difference if rule is not None and rule.max_difference is not None else 0
    found = [
        _dimension(study, rule, each, planned - len(items))
        for each in tally_by_dimension(study, [compared(study, item) for item in items], most)
    ]
    counted = [each for each in found if each["passed"] is not None]
    passed = bool(items) if rule is None else bool(counted) and all(each["passed"] for each in counted)
    return passed, {"judged": len(items), "dimensions": found}


def _dimension(study: Study, rule: PassRule | None, found: ReferenceTally, lacking: int) -> dict[str, Any]:
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
        kept |= (by := _agreement(study, rule, found))
        agreement = by["agreement"]
    kept["passed"] = rule.holds(len(found.pairs), found.far, found.missing + lacking, agreement)
    return kept


def _agreement(study: Study, rule: PassRule, found: ReferenceTally) -> dict[str, Any]:
    # Only where a study asks for it: the statistics are large, and a server starts without them.
    from assay.statistics import Ratings, agree

    asked = study.dimension(found.dimension).input
    assert asked.level is not None
    if not found.pairs:
        return {"agreement": None, "interval": None}
    ratings = Ratings.from_rows(found.pairs, asked.values(), asked.level)  # type: ignore[arg-type]
    [coefficient] = agree(ratings, [rule.coefficient], seed=study.seed)
    return {"agreement": coefficient.value, "interval": coefficient.ci}


@dataclass(frozen=True, slots=True)
class InWords:
    """What is said of one dimension."""

    dimension: str
    heading: str
    passed: bool | None
    """None where the rule does not count it."""
    sentences: list[str]
    why: str
    """What was too much, where it is not passed."""


def said(study: Study, gate: Practice, found: dict[str, Any]) -> InWords:
    """One dimension's result in words. Never a single number."""
    words, rule = study.words, gate.pass_ if isinstance(gate, Calibration) else None
    heading = study.dimension(found["dimension"]).heading
    n = found["compared"]
    sentences = [_mean(words, heading, found["mean"])] if found["mean"] is not None else []
    sentences.append(words("result.same", same=found["same"], n=n))
    if found["mean"] is not None:
        sentences.append(words("result.within_one", within=found["within_one"], n=n))
    if found.get("agreement") is not None:
        sentences.append(_agreed(words, found))
    why = "" if found["passed"] is not False or rule is None else _why(words, rule, found)
    return InWords(found["dimension"], heading, found["passed"] if rule else None, sentences, why)


def _mean(words: Words, heading: str, mean: float) -> str:
    if abs(mean) < ABOUT_ZERO:
        return words("result.level", dimension=heading)
    by = decimal(words, abs(mean), 1)
    if mean > 0:
        return words("result.higher", dimension=heading, by=by)
    return words("result.lower", dimension=heading, by=by)


def _agreed(words: Words, found: dict[str, Any]) -> str:
    value = decimal(words, found["agreement"])
    if not found["interval"]:
        return words("result.agreement", value=value)
    low, high = (decimal(words, each) for each in found["interval"])
    return words("result.agreement_between", value=value, low=low, high=high)


def _why(words: Words, rule: PassRule, found: dict[str, Any]) -> str:
    if found["compared"] == 0:
        return words("result.no_data")
    missing = f" {words('result.missing', n=found['missing'])}" if found["missing"] else ""
    if rule.max_difference is not None:
        far, allowed = found["far"], rule.except_
        if found["mean"] is None:
            return words("result.too_different", n=far, allowed=allowed) + missing
        return words("result.too_far", n=far, most=rule.max_difference, allowed=allowed) + missing
    needed = decimal(words, rule.at_least or 0)
    if found["agreement"] is None:
        return words("result.undefined", needed=needed) + missing
    return words("result.too_low", needed=needed) + missing


def decimal(words: Words, number: float, places: int = 2) -> str:
    """A number as it is written in a language."""
    return f"{number:.{places}f}".replace(".", words("result.point"))
