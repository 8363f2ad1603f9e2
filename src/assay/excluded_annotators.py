"""Who is left out of the report by a rule that the study declared beforehand. Everything stays in the data."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.fieldwork import AnnotatorProgress
from assay.model import Flag
from assay.study.analysis import UNFINISHED, Exclusion
from assay.study.schema import Study


@dataclass(frozen=True, slots=True)
class RuledOut:
    """Why a rule leaves somebody out, and whether one says that their places go to others."""

    reason: str
    reassign: bool


def exclusions_by_rule(study: Study, flags: Sequence[Flag], people: Iterable[AnnotatorProgress]) -> dict[str, RuledOut]:
    """The annotators whom the study's rules leave out: by the first that does, their places by any that says so."""
    found: dict[str, RuledOut] = {}
    for rule in study.analysis.exclude:
        if rule.annotators == UNFINISHED:
            named = {each.annotator: _progress_words(each) for each in people if _is_unfinished(each, rule)}
        else:
            named = {flag.annotator: flag.reason for flag in flags if flag.monitor == rule.annotators}
        for name, why in named.items():
            said = f"{rule.reason} ({why})" if rule.reason else why
            words = f"by the study's rule on {rule.annotators.replace('_', ' ')}: {said}"
            first = found.get(name, RuledOut(words, rule.reassign))
            found[name] = RuledOut(first.reason, first.reassign or rule.reassign)
    return found


def _is_unfinished(progress: AnnotatorProgress, rule: Exclusion) -> bool:
    return progress.given > 0 and progress.submitted < (1 if rule.at_least is None else rule.at_least) * progress.given


def _progress_words(progress: AnnotatorProgress) -> str:
    return f"{progress.submitted} of {progress.given} items submitted"
