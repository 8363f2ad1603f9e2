"""What judges are tuned on: items with known answers, or a part of people's items that is drawn by lot for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.assignment import lot
from assay.assignment.tuning_part import TuningPart, part_to_use
from assay.errors import AssayError
from assay.in_words import count
from assay.items.reference_items import CONTROLS, reference_files
from assay.judges import PromptPicture
from assay.judging.judges_file import JudgeEntry
from assay.judging.passes import JudgedItem
from assay.judging.run import JudgeAtWork
from assay.judging.variants import with_prompt
from assay.live.judges_at_work import at_work, judged_items, known_items, pictures_of_items, pictures_of_known
from assay.live.report_data import gather
from assay.report.judge_tuning import TuningTruth
from assay.store import Backend
from assay.store.coordinator import tuning_part
from assay.study import Study

KNOWN = "what is known"


@dataclass(frozen=True, slots=True)
class TunedOn:
    """What variants are asked, and what they are compared with."""

    items: Sequence[JudgedItem]
    pictures: Mapping[str, PromptPicture]
    truth: TuningTruth
    part: TuningPart | None = None
    """The part of people's items; None where answers are known."""
    part_items: Sequence[str] = ()
    """All items of that part, judged by people or not."""


def choose_items(
    store: Backend,
    study_id: int,
    study: Study,
    folder: Path,
    entries: Sequence[JudgeEntry],
    on: str | None,
    share: float | None,
    now: int,
) -> TunedOn:
    """What judges are compared on: `calibration` or `people`; left out: calibration, where the study has one."""
    has_known = any(each.name != CONTROLS for each in reference_files(study))
    if on == "people" or (on is None and (share is not None or not has_known)):
        return part_of_people(store, study_id, study, share, now)
    if share is not None:
        raise AssayError("--share draws a part of people's items", "write --on people, or leave it out")
    return known_answers(study, folder, entries)


def variants_at_work(
    study: Study, folder: Path, entries: Sequence[JudgeEntry], on: TunedOn, prompts: Sequence[str], limit: int
) -> list[JudgeAtWork]:
    """Each judge as it is, and with each of the prompts: on the same items, with the same sides, each asked once."""
    items = sorted(on.items, key=lambda each: lot(study.seed, "tuning", each.name))[: limit or None]
    pairs = [(each, each) for each in entries]
    pairs += [(with_prompt(each, name, folder), each) for each in entries for name in prompts]
    found = [at_work(study, folder, entry, items, on.pictures, like) for entry, like in pairs]
    return [replace(each, passes=[one for one in each.passes if one.pass_ == 1]) for each in found]


def known_answers(study: Study, folder: Path, entries: Sequence[JudgeEntry]) -> TunedOn:
    """The items of calibration and practice, without those that a judge is shown as examples."""
    examples = {name for entry in entries for name in entry.examples}
    known = [each for each in known_items(study, folder) if each.row.name not in examples]
    if not known:
        hint = "--on people compares on a part of the items that people judged"
        raise AssayError("there are no items with known answers, besides what judges are shown as examples", hint)
    items = [JudgedItem(each.row.name, each.row.item.shown) for each in known if each.row.item is not None]
    answers = [(each.row.name, slot, KNOWN, value) for each in known for slot, value in each.answers.items()]
    on = "items with known answers, of calibration and practice"
    return TunedOn(items, pictures_of_known(known), TuningTruth(on, answers, {each.name: each.name for each in items}))


def part_of_people(store: Backend, study_id: int, study: Study, share: float | None, now: int) -> TunedOn:
    """The items of the tuning part that people have judged. What was drawn before stays; nothing is stored here."""
    part = part_to_use(store.read(tuning_part.tuning_part, study_id), share, study.seed, study.hash)
    names = store.read(tuning_part.items_of, study_id, part)
    data = gather(store, study_id, study, now)
    by_people = [each for each in data.that_count if each.item in names and data.on_this_scale(each)]
    judged = {each.item for each in by_people}
    every = judged_items(store, study_id)
    items = [each for each in every if each.name in judged]
    if not items:
        what = f"people have judged none of the {count(len(names))} items that are drawn for tuning"
        raise AssayError(what, "wait for their work; --on calibration compares on items with known answers")
    drawn = f"{part.share:g} of {count(len(every))} items, drawn once by lot: {count(len(names))}"
    on = f"the tuning part ({drawn}), as people judged it"
    answers = [(each.item, each.slot, each.annotator, each.choice) for each in by_people]
    groups = {each.item: each.group or each.item for each in by_people}
    return TunedOn(items, pictures_of_items(store, study_id), TuningTruth(on, answers, groups), part, sorted(names))
