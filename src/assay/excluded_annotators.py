"""Who is left out of the report by a rule that the study declared beforehand. Everything stays in the data.

What becomes of their places is done in `acts/exclusions.py`, where a coordinator excludes somebody, too; that their
judgments do not count, in `judgments/what_counts.py`.
"""

from collections.abc import Iterable, Sequence

from assay.fieldwork import AnnotatorProgress, ExclusionByRule
from assay.model import Flag
from assay.study.analysis import UNFINISHED, Exclusion
from assay.study.schema import Study


def exclusions_by_rule(
    study: Study, flags: Sequence[Flag], people: Iterable[AnnotatorProgress]
) -> dict[str, ExclusionByRule]:
    """The annotators whom the study's rules leave out.

    The reason is that of the first rule that does. Their places go to others if any of these rules says so.
    """
    found: dict[str, ExclusionByRule] = {}
    for rule in study.analysis.exclude:
        if rule.annotators == UNFINISHED:
            named = {each.annotator: _progress_words(each) for each in people if _is_unfinished(each, rule)}
        else:
            named = {flag.annotator: flag.reason for flag in flags if flag.monitor == rule.annotators}
        for name, why in named.items():
            said = f"{rule.reason} ({why})" if rule.reason else why
            words = f"by the study's rule on {rule.annotators.replace('_', ' ')}: {said}"
            first = found.get(name, ExclusionByRule(words, rule.reassign))
            found[name] = ExclusionByRule(first.reason, first.reassign or rule.reassign)
    return found


def _is_unfinished(progress: AnnotatorProgress, rule: Exclusion) -> bool:
    return progress.given > 0 and progress.submitted < (1 if rule.at_least is None else rule.at_least) * progress.given


def _progress_words(progress: AnnotatorProgress) -> str:
    return f"{progress.submitted} of {progress.given} items submitted"
