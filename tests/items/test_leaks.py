"""What gives a system away, wherever in an item it stands: every block, ids, picture names, names within words."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from assay.items.leaks import LeakSearch, name_pattern
from assay.items.reader import read_items
from assay.model import CANDIDATES, Item
from assay.study import Study, load
from assay.study.schema import study_type
from assay.study.templates import HERE, template_names

WARMTH = {"dimension": "warmth", "scale": {"from_": 1, "to": 5}}
PAIR: dict[str, Any] = {
    "system": None,
    "candidates": {"fields": [{"system": "m1", "show": {"text": "t1"}}, {"system": "m2", "show": {"text": "t2"}}]},
    "show": [{"text": {"field": "question"}}, {"pair": [{"text": {"field": "text"}}]}],
}


def a_study(*fields: str, **items: Any) -> Study:
    shown = [{"text": {"field": name}} for name in fields]
    section = {"source": "x.json", "system": "model", "show": shown, **items}
    return study_type().model_validate({"study": "s", "title": "", "items": section, "rubric": [WARMTH]})


def leaks(study: Study, items: list[Item]) -> list[str]:
    search = LeakSearch(study)
    for item in items:
        search.add(item)
    return list(search.leaks_in_words())


def items_of(said: dict[str, dict[str, str]], count: int = 20) -> list[Item]:
    """As many items of each system, each with what its system says in each field."""
    return [
        Item(f"{at}-{n}", {name: text.format(n=n) for name, text in shown.items()}, {}, (system,))
        for at, (system, shown) in enumerate(said.items())
        for n in range(count)
    ]


# Every block


def test_a_marker_is_found_in_every_block_not_only_in_the_last() -> None:
    said = {
        "ant": {"response": "<assistant>: reply {n}", "reference": "The answer {n}"},
        "bee": {"response": "reply {n}", "reference": "The answer {n}"},
    }
    found = leaks(a_study("response", "reference"), items_of(said))
    assert "the marker '<assistant>' in 20 of 20 outputs of ant, and in no other system's (field response)" in found


def test_what_both_candidates_stand_below_is_no_marker_of_either() -> None:
    study = a_study(**PAIR)
    items = [
        Item(str(n), {"question": "<b>", CANDIDATES: [{"text": f"x{n}"}, {"text": f"y{n}"}]}, {}, ("ant", "bee"))
        for n in range(20)
    ]
    assert leaks(study, items) == []


def test_a_name_is_found_behind_a_long_text() -> None:
    long = "word " * 5000
    found = leaks(
        a_study("prompt", "response"), [Item("1", {"prompt": long, "response": "I am ant-7"}, {}, ("ant-7",))]
    )
    assert found == ["the name 'ant-7' stands in 1 of 1 items' shown texts"]


@pytest.mark.parametrize("before", ["", "word " * 5000])
def test_a_name_is_found_at_either_end_of_a_long_text(before: str) -> None:
    text = f"{before}I am ant-7. {'word ' * (5000 - len(before) // 5)}"
    found = leaks(a_study("response"), [Item("1", {"response": text}, {}, ("ant-7",))])
    assert found == ["the name 'ant-7' stands in 1 of 1 items' shown texts"]


def test_every_name_that_files_have_for_a_system_is_looked_for() -> None:
    study = a_study("response", names={"gpt2-ant-chain": "ant_chain", "wasp": "bee"})
    said = [Item("1", {"response": "Written by gpt2_ant_chain."}, {}, ("ant_chain",))]
    found = leaks(study, [*said, Item("wasp-2", {"response": "Hello."}, {}, ("bee",))])
    assert found == [
        "the name 'ant_chain' stands in 1 of 2 items' shown texts",
        "the name 'gpt2-ant-chain' (ant_chain) stands in 1 of 2 items' shown texts",
        "the name 'wasp' (bee) stands in 1 of 2 items' ids (in exports and lists)",
    ]


def test_a_name_is_found_among_the_keys_that_a_step_shows() -> None:
    study = a_study(show=[{"steps": {"field": "trace"}}])
    steps = [{"operation": "CALL", "arguments": {"bumble_model": 1}}]
    assert leaks(study, [Item("1", {"trace": steps}, {}, ("bumble",))]) != []


def test_the_study_s_own_names_of_fields_and_speakers_are_no_leak() -> None:
    study = a_study(show=[{"chat": {"field": "earlier", "turns": {"user": "User", "system": "System"}}}])
    assert leaks(study, [Item("1", {"earlier": [{"user": "hi", "system": "hello"}]}, {}, ("system",))]) == []


# Names between other signs


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Pixelis-Online", "Pixelis-Online_answer_q_0041"),
        ("Pixelis-Online", "see pixelis_online.png"),
        ("Pixelis-Online", "I am Pixelis Online."),
        ("ant", "ant_answer_3"),
        ("ant", "3ant4"),
        ("ant", "an-ant-answers"),
        ("gpt2_finetuned", "gpt2-finetuned says"),
        ("model_1", "out_model_1_x"),
        ("7b", "by 7b."),
    ],
)
def test_a_name_counts_between_underscores_digits_and_hyphens(name: str, text: str) -> None:
    assert name_pattern(name).search(text.casefold())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gpt4", "as GPT-4, I"),
        ("GPT-4o", "gpt4-o"),
        ("ModelX-2", "by model_x 2"),
        ("Qwen2.5", "QWEN 2 5"),
        ("T5x", "t5-x"),
    ],
)
def test_a_name_counts_with_other_signs_where_its_words_and_numbers_meet(name: str, text: str) -> None:
    assert name_pattern(name).search(text.casefold())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ant", "a giant plant"),
        ("ant", "elephants"),
        ("model_1", "model_10"),
        ("model_1", "remodel_1"),
        ("2b", "q_2b_1"),
        ("1", "q_1_2"),
        ("1", "page 12"),
        ("a", "b_a_c"),
        ("gpt4", "gpt-40"),
        ("run7", "seven 7"),
    ],
)
def test_a_part_of_a_word_or_of_a_number_is_no_name(name: str, text: str) -> None:
    assert not name_pattern(name).search(text.casefold())


# Ids and pictures


def test_a_name_in_an_id_is_a_leak() -> None:
    found = leaks(a_study("text"), [Item("Pixelis-Online_answer_q_0041", {"text": "x"}, {}, ("Pixelis-Online",))])
    assert found == ["the name 'Pixelis-Online' stands in 1 of 1 items' ids (in exports and lists)"]


def test_the_systems_that_the_program_itself_puts_behind_an_id_are_none() -> None:
    item = Item("d1/0/ant+bee", {"question": "q", CANDIDATES: [{"text": "x"}, {"text": "y"}]}, {}, ("ant", "bee"))
    assert leaks(a_study(**PAIR), [item]) == []


def test_a_name_in_a_picture_s_name_is_a_leak(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "bumble_0001.png")
    (tmp_path / "x.json").write_text(json.dumps([{"id": "1", "model": "bumble", "file": "bumble_0001.png"}]), "utf-8")
    study = a_study(show=[{"image": {"field": "file"}}])
    items = [row.item for row in read_items(study, tmp_path / "x.json") if row.item is not None]
    assert leaks(study, items) == ["the name 'bumble' stands in 1 of 1 items' picture names (kept hidden)"]


def test_a_name_in_a_candidate_s_picture_is_a_leak(tmp_path: Path) -> None:
    for name in ("bumble_0001.png", "other.png"):
        Image.new("RGB", (4, 4)).save(tmp_path / name)
    fields = [{"system": "m1", "show": {"file": "f1"}}, {"system": "m2", "show": {"file": "f2"}}]
    shown = [{"pair": [{"image": {"field": "file"}}]}]
    study = a_study(system=None, candidates={"fields": fields}, show=shown)
    row = {"id": "1", "m1": "bumble", "f1": "bumble_0001.png", "m2": "wasp", "f2": "other.png"}
    (tmp_path / "x.json").write_text(json.dumps([row]), "utf-8")
    items = [row.item for row in read_items(study, tmp_path / "x.json") if row.item is not None]
    assert leaks(study, items) == ["the name 'bumble' stands in 1 of 1 items' picture names (kept hidden)"]


@pytest.mark.parametrize("name", template_names())
def test_no_template_gives_a_system_away(name: str) -> None:
    study = load(HERE / name)
    rows = read_items(study, HERE / name / study.items.source)
    assert leaks(study, [row.item for row in rows if row.item is not None]) == []
