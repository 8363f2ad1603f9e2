"""What an automated judge may be used for: in the place of people, beside them, or not; with the numbers behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assay.model import Estimate
from assay.report.data import TOO_FEW
from assay.report.judge_agreement import JudgeOnDimension
from assay.report.judge_biases import JudgeBias, biases_of
from assay.report.judge_replacement_tests import AltTestNumbers, SecondRun
from assay.report.judged_dimension import JudgedDimension
from assay.report.shown_differences import is_shown
from assay.report.wording import list_in_words

STRICTEST = 0.1
"""The strictest margin of the alternative annotator test: how much worse than people the judge may be."""
Use = Literal["replace", "assist", "not", "unknown"]
SAYS: dict[Use, str] = {
    "replace": "may take the place of people",
    "assist": "may assist people, and not take their place",
    "not": "is not to be used",
    "unknown": "cannot be measured yet",
}
MOST_BIASES = 3
NOTHING_SHARED = "nothing was judged both by it and by people"
KINDS = ("family", "position", "length", "version", "system")
"""In which order it is said what a judge leans by."""


@dataclass(frozen=True, slots=True)
class JudgeOnOneDimension:
    """The numbers that decide on one dimension."""

    dimension: str
    title: str
    use: Use
    why: str
    n_units: int
    agreement: Estimate
    """With people, as the section reports it first."""
    ceiling: Estimate
    """The agreement of people among themselves."""
    gap_p_corrected: float | None
    alt_test: bool | None
    """Whether it passes the alternative annotator test with the strictest margin; None: the test cannot be made."""
    repeats: Estimate | None
    """How often it said the same when it was run again with the same sides; None: it ran once."""
    orders: Estimate | None
    """How often it said the same with sides swapped; None: they never were."""


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """What one judge may be used for: what the worst of its dimensions allows."""

    judge: str
    use: Use
    says: str
    dimensions: list[JudgeOnOneDimension]
    biases: list[JudgeBias]
    """By system, length, position, own family of models, and earlier version; with corrected p-values."""


def verdict_of(judge: str, rows: Sequence[tuple[JudgedDimension, JudgeOnDimension]]) -> JudgeVerdict:
    """One judge over all dimensions that it judged."""
    found = biases_of([dimension for dimension, _ in rows], judge)
    titles = {dimension.name: dimension.title for dimension, _ in rows}
    decided = [_on_dimension(dimension, on, found) for dimension, on in rows if not dimension.is_number]
    known = [each for each in decided if each.use != "unknown"]
    order: list[Use] = ["not", "assist", "replace"]
    use: Use = min((each.use for each in known), key=order.index) if known else "unknown"
    return JudgeVerdict(judge, use, _says(judge, use, decided, found, titles), decided, found)


def _on_dimension(dimension: JudgedDimension, on: JudgeOnDimension, biases: Sequence[JudgeBias]) -> JudgeOnOneDimension:
    agreement, ceiling = on.first(), on.first_of_people()
    passes = None
    if isinstance(on.alt_test, AltTestNumbers):
        passes = next((each.passes for each in on.alt_test.by_margin if each.epsilon == STRICTEST), None)
    gap = on.statistic(on.headline)
    is_below = gap is not None and (gap.gap.value or 0) < 0 and is_shown(on.gap_p_corrected)
    here = [each for each in biases if each.is_shown and each.dimension == dimension.name]
    leans = any(each.kind in ("system", "family") for each in here)
    use, why = _decide(on, agreement, ceiling, passes=passes, is_below=is_below, leans=leans)
    return JudgeOnOneDimension(
        dimension=dimension.name,
        title=dimension.title,
        use=use,
        why=why,
        n_units=on.n_units,
        agreement=agreement,
        ceiling=ceiling,
        gap_p_corrected=on.gap_p_corrected,
        alt_test=passes,
        repeats=on.second_run.exact if isinstance(on.second_run, SecondRun) else None,
        orders=on.swapped_run.exact if isinstance(on.swapped_run, SecondRun) else None,
    )


def _decide(
    on: JudgeOnDimension, agreement: Estimate, ceiling: Estimate, *, passes: bool | None, is_below: bool, leans: bool
) -> tuple[Use, str]:
    """What the judge may be used for on one dimension, and why: the first reason that applies."""
    if on.n_units < TOO_FEW:
        return "unknown", f"fewer than {TOO_FEW} {on.unit} judged by it and by people"
    if agreement.value is None or agreement.ci is None:
        return "unknown", agreement.undefined or "its agreement with people has no interval"
    if agreement.ci[0] <= 0 and ceiling.value is not None and agreement.ci[1] >= ceiling.value:
        return "unknown", "its agreement with people may be none, and may be as good as theirs: more items are needed"
    if agreement.ci[0] <= 0:
        return "not", "agreement with people is not shown to be better than chance"
    for stops, why in (
        (passes is None, "too few people for the alternative annotator test"),
        (passes is False, f"the alternative annotator test (epsilon {STRICTEST:g}) is not passed"),
        (is_below, "it agrees with people less than they do among themselves"),
        (leans, "it leans to systems"),
    ):
        if stops:
            return "assist", why
    return "replace", f"it passes the alternative annotator test (epsilon {STRICTEST:g})"


def _says(
    judge: str,
    use: Use,
    decided: Sequence[JudgeOnOneDimension],
    biases: Sequence[JudgeBias],
    titles: dict[str, str],
) -> str:
    """The verdict in one line."""
    by_use: dict[Use, list[str]] = {}
    for each in decided:
        by_use.setdefault(each.use, []).append(each.title)
    reasons: dict[str, list[str]] = {}
    for each in decided:
        if each.use == use:
            reasons.setdefault(each.why, []).append(each.title)
    why = "; ".join(f"{list_in_words(names)}: {each}" for each, names in reasons.items())
    better = [
        f"on {list_in_words(names)} it {SAYS[other]}"
        for other, names in by_use.items()
        if other not in (use, "unknown")
    ]
    there = [each for each in biases if each.is_shown]
    first = sorted(there, key=lambda each: (KINDS.index(each.kind), each.p_corrected))
    shown = [each.in_words(titles[each.dimension]) for each in first]
    more = f" and {len(shown) - MOST_BIASES} more" if len(shown) > MOST_BIASES else ""
    leans = [f"it leans, {', '.join(shown[:MOST_BIASES])}{more}"] if shown else []
    said = list(filter(None, [why, *better, *leans])) or [NOTHING_SHARED]
    return f"{judge} {SAYS[use]}: {'; '.join(said)}."
