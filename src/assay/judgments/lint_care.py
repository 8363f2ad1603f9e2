"""Warns where a study says that its content is hard, and leaves those alone who judge it.

That an item can be left out is not asked for: every page offers it.
"""

from collections.abc import Iterator

from assay.judgments.warnings import LintWarning
from assay.study.schema import Study


def care_warnings(study: Study) -> Iterator[LintWarning]:
    """What is missing of care in a study with hard content."""
    found = _says_hard(study)
    if found is None:
        return
    at, says = found
    if not study.support_texts:
        what = f"{says}, and nothing says where people can turn"
        yield LintWarning(at, what, "add support: guide/support.md, or care.support by language and country")
    work, pace = study.assignment, study.pace
    limits: list[object] = [
        study.care.most_per_day,
        work.exposure,
        work.most_items,
        pace.day_minutes,
        pace.session_minutes,
    ]
    # Where everything is hard and no item is told from another, breaks are what there is.
    limits += [pace.breaks or None] if at[0] == "gates" else []
    if all(limit is None for limit in limits):
        what = f"{says}, and nothing limits how much of it one person gets"
        hint = "add care.most_per_day, assignment.exposure, assignment.most_per_annotator or pace.day_minutes"
        yield LintWarning(at, what, hint)


def _says_hard(study: Study) -> tuple[tuple[str | int, ...], str] | None:
    """Where a study says that its content is hard, and in which words."""
    if study.care.warn:
        return ("care", "warn"), "some items are warned of"
    if study.assignment.exposure is not None:
        return ("assignment", "exposure"), "some items have hard content"
    for index, entry in enumerate(study.gates):
        if entry.gate.kind == "warning":
            return ("gates", index, "warning"), "the study warns of its content"
    return None
