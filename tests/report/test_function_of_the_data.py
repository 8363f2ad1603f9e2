"""A report is a function of the data: not of the order in which they came, of the database, or of random names."""

import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

from assay.bots import Character, SimulatedAnnotator, TrueQuality
from assay.false_alarm_rates import SimulatedItem
from assay.items.imported_judgments import ImportedAnswers
from assay.items.reader import ImportedRow, read_items
from assay.live.report_data import gather_with_fieldwork
from assay.model import CANDIDATES, Slot
from assay.report.build import Report, build
from assay.report.data import Data
from assay.sides_and_candidates import roles_by_side
from assay.store import Backend, open_store
from assay.store.coordinator import imported_judgments, imports, studies
from assay.study import Study, load
from assay.study.templates import copy_template
from tests.conftest import T0
from tests.examples import THOROUGH
from tests.selection import on_templates

PEOPLE = (
    Character("Zoe"),
    Character("ana", bias=0.4),
    Character("ben", skill=0.5),
    Character("cem", line=0.5),
    Character("Émile", drift=1.0),
)
"""With names that databases sort in different ways."""
JUDGES = (Character("model-1", skill=0.6), Character("Model-2", bias=0.6))
FEWER_JUDGES = {} if THOROUGH else {"empathy": (), "trajectories": (), "in-car": JUDGES[:1]}
"""Where a usual run does without judges: what the report says of them takes most of its time, on every template."""
TIMES = 2
"""So many times each item of a sample is there, under names of their own: enough for draws."""

T = TypeVar("T")


def rows_of(study: Study, folder: Path) -> list[ImportedRow]:
    """A sample, several times over."""
    rows = list(read_items(study, folder / study.items.source))
    return [
        replace(row, item=replace(item, id=f"{item.id}-{time}", group=item.group and f"{item.group}-{time}"))
        for time in range(TIMES)
        for row in rows
        if (item := row.item)
    ]


def answers(study: Study, row: ImportedRow, who: Character, judge: bool, pass_: int) -> ImportedAnswers:
    """What somebody said of an item, as a file has it."""
    truth = TrueQuality(pass_, sorted(set(row.item.systems)))
    pair = len(row.item.shown.get(CANDIDATES) or ()) == 2
    seen = SimulatedItem(
        row.item.id, row.item.systems, row.item.shown, row.item.words, swapped=False if pair else None, pass_=pass_
    )
    roles = roles_by_side() if pair else {}
    given = {
        Slot(slot.dimension, roles.get(slot.side, slot.side), slot.entry): (
            roles.get(str(value), value) if study.dimension(slot.dimension).input.compares else value
        )
        for slot, value in SimulatedAnnotator(who, study, truth).values(seen).items()
    }
    return ImportedAnswers(who.name, judge, given, pass_)


def judged(
    study: Study, rows: Sequence[ImportedRow], judges: Sequence[Character] = JUDGES
) -> list[tuple[Any, ImportedAnswers]]:
    """The judgments of a file: people, some twice, and automated judges."""
    found = []
    for number, row in enumerate(rows):
        for place, who in enumerate(PEOPLE):
            if (number + place) % 4:
                found.append((row.item.id, answers(study, row, who, False, 1)))
            if (number + place) % 7 == 0 and (number + place) % 4:
                found.append((row.item.id, answers(study, row, who, False, 2)))
        found += [(row.item.id, answers(study, row, who, True, 1)) for who in judges]
    return found


def filled(name: str, folder: Path, address: str, judges: Sequence[Character] = JUDGES) -> tuple[Backend, int, Study]:
    """A template with its sample and judgments from a file, in a store of its own."""
    folder.mkdir()
    copy_template(name, folder / "study")
    study = load(folder / "study")
    rows = rows_of(study, folder / "study")
    store = open_store(address or str(folder / "assay.db"))
    study_id = store.write(studies.publish, study, T0).id
    store.write(imports.take_in, study_id, study, rows, folder / "study")
    store.write(imported_judgments.add, study_id, study, judged(study, rows, judges), T0)
    return store, study_id, study


def data_of(name: str, folder: Path, address: str) -> Data:
    """What its report is made from."""
    store, study_id, study = filled(name, folder, address, FEWER_JUDGES.get(name, JUDGES))
    data = gather_with_fieldwork(store, study_id, study, T0, alarms=False)
    store.close()
    return data


def differences(one: Report, other: Report) -> list[str]:
    """Where two reports differ, as JSON and as a page."""
    pages = zip(one.html().splitlines(), other.html().splitlines(), strict=True)
    return [
        *_differences(json.loads(one.json()), json.loads(other.json()), "json"),
        *(f"{was} became {now}" for was, now in pages if was != now),
    ]


def _differences(was: Any, now: Any, where: str) -> list[str]:
    if isinstance(was, dict) and isinstance(now, dict) and list(was) == list(now):
        return [line for key in was for line in _differences(was[key], now[key], f"{where}.{key}")]
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        return [
            line
            for place, (one, other) in enumerate(zip(was, now, strict=True))
            for line in _differences(one, other, f"{where}.{place}")
        ]
    return [] if was == now else [f"{where}: {was!r} became {now!r}"]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Report]:
    """The report of each template, made once."""

    @cache
    def made(name: str) -> Report:
        return build(data_of(name, tmp_path_factory.mktemp("first") / name, ""))

    return made


@pytest.mark.parametrize(
    "database",
    ["postgresql", pytest.param("sqlite", marks=pytest.mark.thorough("on the same database"))],
    indirect=True,
)
@on_templates("dialog-pairs", "empathy")
def test_the_same_file_taken_in_again_gives_the_same_report_on_any_database(
    name: str, first: Callable[[str], Report], tmp_path: Path, database: str
) -> None:
    assert first(name).numbers()["agreement"]["dimensions"][0]["n_items"] > 20
    assert differences(first(name), build(data_of(name, tmp_path / "again", database))) == []


@on_templates("in-car", "route-planning", "trajectories")
def test_the_order_in_which_judgments_are_read_changes_nothing(name: str, first: Callable[[str], Report]) -> None:
    data, chance = first(name).data, random.Random(1)

    def mixed(some: Iterable[T]) -> list[T]:
        listed = list(some)
        return chance.sample(listed, len(listed))

    assert data.work is not None
    work = replace(
        data.work,
        judgments=mixed(data.work.judgments),
        practice=mixed(data.work.practice),
        items={each: data.work.items[each] for each in mixed(data.work.items)},
    )
    assert differences(first(name), build(replace(data, judgments=mixed(data.judgments), work=work))) == []
