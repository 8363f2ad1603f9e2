"""The report's limits say what the order of items gave away to those who judged them."""

from dataclasses import replace
from typing import Any

from assay.model import Fact, Judgment
from assay.quality import MonitorData
from tests.items.test_sequence_audit import PAIRS, a_study, dialogues
from tests.report.known import answers, report
from tests.report.test_fieldwork_sections import limits
from tests.report.test_report import judgment

STUDY = a_study(PAIRS)
ITEMS = {each.id: each for each in dialogues(4, 3)}
FACTS = {name: Fact(words=10, shown=each.shown) for name, each in ITEMS.items()}


def judged(who: str, order: list[str], **more: Any) -> list[Judgment]:
    found = []
    for at, name in enumerate(order, 1):
        given = judgment(name, who, 3, "warmth", group=ITEMS[name].group, position=at, **more)
        found.append(replace(given, system="", systems=ITEMS[name].systems))
    return found


def said(judgments: list[Judgment]) -> dict[str, str]:
    found = report(STUDY, judgments, work=MonitorData(study=STUDY, judgments=judgments, items=FACTS))
    return {about: words for about, words in limits(found).items() if about.startswith("sequence")}


def test_limits_say_what_the_order_gave_away_and_to_how_much() -> None:
    in_file_order = list(ITEMS)
    found = said([*judged("ana", in_file_order), *judged("ben", in_file_order[:6])])
    assert set(found) == {"sequence: recurs", "sequence: printed", "sequence: order"}
    assert "is ant's in 15 of 15 cases, 15 of them directly one after the other" in found["sequence: recurs"]
    assert "is person's in 10 of 15 cases" in found["sequence: printed"]


def test_who_saw_one_comparison_of_each_dialogue_learnt_nothing() -> None:
    apart = [next(name for name in ITEMS if name.startswith(f"d{number}/")) for number in range(4)]
    assert said(judged("ana", apart)) == {}


def test_of_judgments_from_files_nothing_is_known() -> None:
    imported = [replace(each, position=0, source="imported") for each in judged("ana", list(ITEMS))]
    assert said(imported) == {}


def test_without_what_items_show_there_is_nothing_to_say() -> None:
    found = limits(report(STUDY, answers("1", "ana", {"warmth": 3})))
    assert list(found) == ["too few items", "few annotators"]
