"""Answers that the study's rules ask for and that judgments from files do not have, such as a note at a low score."""

from collections import Counter, defaultdict
from collections.abc import Mapping

from assay.judgments.file_judgments import missing_by_rule
from assay.model import UNABLE, Judgment
from assay.report.data import Data
from assay.study.schema import Study


def missing_notes(data: Data) -> dict[int | None, Mapping[str, int]]:
    """How often a note is missing on each dimension, by the number of the import that brought the scores."""
    if data.work is None:
        return {}
    given: dict[str, list[Judgment]] = defaultdict(list)
    for each in data.by_people:
        if each.is_from_file and each.counts and each.annotator not in data.excluded:
            given[each.submission].append(each)
    found: dict[int | None, Counter[str]] = defaultdict(Counter)
    for judgments in given.values():
        first = judgments[0]
        study = data.studies.get(first.study_hash, data.study)
        if _asks_for_notes(study):
            answers = {each.slot: UNABLE if each.value is None else each.choice for each in judgments}
            found[first.import_number].update(missing_by_rule(study, data.work.items[first.item].shown, answers))
    order = sorted(found, key=lambda number: (number is None, number))
    rubric = [each.dimension for each in data.study.rubric]

    def place(name: str) -> tuple[int, str]:
        # In the order of the rubric, not of the rows; what an earlier version asked stands last.
        return rubric.index(name) if name in rubric else len(rubric), name

    return {
        number: {name: found[number][name] for name in sorted(found[number], key=place)}
        for number in order
        if found[number]
    }


def _asks_for_notes(study: Study) -> bool:
    """Whether a rule asks for an answer that may be left out otherwise."""
    return any(study.dimension(name).optional for rule in study.rules for name in rule.required or ())
