"""Judges with all that they are asked: items from the store, or items with known answers from the study's files."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from assay.errors import AssayError
from assay.items.reference_items import CONTROLS, ReferenceItem, read_reference_items, reference_files
from assay.judges import PromptPicture
from assay.judging.answer_schema import DOUBT, REASONS
from assay.judging.judges_file import JudgeEntry
from assay.judging.passes import (
    JudgedItem,
    PlannedPass,
    as_prompt_picture,
    picture_hashes,
    planned_passes,
    worked_examples,
)
from assay.judging.prompt import PromptMaker
from assay.judging.run import JudgeAtWork
from assay.store import Backend
from assay.store.annotator.assignments import picture_of
from assay.store.coordinator.items_for_judges import items_shown, media_types
from assay.study import Study

Pictures = Mapping[str, PromptPicture]


def judged_items(store: Backend, study_id: int) -> list[JudgedItem]:
    """Every item that is to be judged, as people see it."""
    found = [JudgedItem(*each) for each in store.read(items_shown, study_id)]
    if not found:
        raise AssayError("there are no items to judge", "`assay import` takes them in")
    return found


def pictures_of_items(store: Backend, study_id: int) -> dict[str, PromptPicture]:
    """Every picture of a study. Its bytes are read when they are sent."""

    def content(hash_: str) -> bytes:
        found = store.read(picture_of, study_id, hash_)
        assert found is not None
        return found[1]

    return {
        hash_: PromptPicture(hash_, kind, partial(content, hash_))
        for hash_, kind in store.read(media_types, study_id).items()
    }


def known_items(study: Study, folder: Path) -> list[ReferenceItem]:
    """The items with known answers of a study's calibration and practice, each once. Controls are not among them."""
    files = [each for each in reference_files(study) if each.name != CONTROLS]
    return list({one.row.name: one for file in files for one in read_reference_items(study, file, folder)}.values())


def pictures_of_known(known: Iterable[ReferenceItem]) -> dict[str, PromptPicture]:
    """The pictures of items with known answers."""
    return {each.hash: as_prompt_picture(each) for one in known for each in one.row.pictures}


def at_work(
    study: Study,
    folder: Path,
    entry: JudgeEntry,
    items: Sequence[JudgedItem],
    pictures: Pictures,
    asked_like: JudgeEntry | None = None,
) -> JudgeAtWork:
    """A judge with all that it is asked; in the order and with the sides of another one, where it is a variant."""
    for key, is_asked, says in ((DOUBT, entry.doubt, "how unsure it is"), (REASONS, entry.reasons, "why")):
        if is_asked and any(each.dimension == key for each in study.rubric):
            what = f"{entry.judge}: the study has a dimension {key!r}, under which a judge says {says}"
            raise AssayError(what, f"leave `{key}` out of the file of judges")
    examples, of_examples = worked_examples(study, entry, folder, items)

    def maker_of(planned: PlannedPass) -> PromptMaker:
        own = {hash_: pictures[hash_] for hash_ in picture_hashes(planned.shown) if hash_ in pictures}
        return PromptMaker(study, entry, examples, {**of_examples, **own} if entry.kind.can_see else of_examples)

    passes = planned_passes(study, asked_like or entry, items)
    return JudgeAtWork(entry, passes, maker_of, entry.kind.identity(folder))
