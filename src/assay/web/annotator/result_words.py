"""How an attempt at practice or calibration went, in words."""

from dataclasses import dataclass
from typing import Any

from assay.gates import Gate
from assay.gates.calibration_rule import PassRule
from assay.study import Study
from assay.words import Words

ABOUT_ZERO = 0.05
"""A mean difference up to this is reported as none."""


@dataclass(frozen=True, slots=True)
class ResultWords:
    """What is said of one dimension."""

    dimension: str
    heading: str
    passed: bool | None
    """None where the rule does not count it."""
    sentences: list[str]
    why: str
    """What was too much, where it is not passed."""


def describe(study: Study, gate: Gate, found: dict[str, Any]) -> ResultWords:
    """One dimension's result in words. Never a single number."""
    words, rule = study.words, gate.rule
    heading = study.dimension(found["dimension"]).heading
    n = found["compared"]
    sentences = [_mean(words, heading, found["mean"])] if found["mean"] is not None else []
    sentences.append(words("result.same", same=found["same"], n=n))
    if found["mean"] is not None:
        sentences.append(words("result.within_one", within=found["within_one"], n=n))
    if found.get("agreement") is not None:
        sentences.append(_agreement(words, found))
    why = "" if found["passed"] is not False or rule is None else _why(words, rule, found)
    return ResultWords(found["dimension"], heading, found["passed"] if rule else None, sentences, why)


def _mean(words: Words, heading: str, mean: float) -> str:
    if abs(mean) < ABOUT_ZERO:
        return words("result.level", dimension=heading)
    by = decimal(words, abs(mean), 1)
    if mean > 0:
        return words("result.higher", dimension=heading, by=by)
    return words("result.lower", dimension=heading, by=by)


def _agreement(words: Words, found: dict[str, Any]) -> str:
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
