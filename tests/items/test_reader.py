"""Rows become items: entries, pairs, histories, joined files, earlier judgments, pictures. The rest stays hidden."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from assay.errors import ItemMistakes
from assay.items.imported_judgments import ImportedAnswers
from assay.items.reader import ImportedRow, mistakes_in_first_row, read_items
from assay.model import CANDIDATES, UNABLE, Item, Slot
from assay.study import Study, load
from assay.study.schema import study_type
from assay.study.templates import HERE, copy_template, template_names

Raw = dict[str, Any]

TEXT = [{"text": {"field": "text"}}]
GOAL = {"dimension": "goal", "of": "entries(goals)", "yes_no": {"yes": "Done", "no": "No"}}
WARMTH = {"dimension": "warmth", "scale": {"from_": 1, "to": 5}, "unable": "?"}
PREFERENCE = {"dimension": "better", "of": "pair", "preference": {}}
FIELDS = {"fields": [{"system": "m1", "show": {"text": "t1"}}, {"system": "m2", "show": {"text": "t2"}}]}
BOTH = [{"pair": [{"text": {"field": "text"}}]}]


def a_study(*rubric: Raw, **items: Any) -> Study:
    section = {"source": "items.json", "show": TEXT, **items}
    data = {"study": "small", "title": "", "items": section, "rubric": rubric or [WARMTH]}
    return study_type().model_validate(data)


def intakes(folder: Path, study: Study, *rows: Raw) -> list[ImportedRow]:
    path = folder / "items.json"
    path.write_text(json.dumps(rows), "utf-8")
    return list(read_items(study, path))


def items(folder: Path, study: Study, *rows: Raw) -> list[Item]:
    return [intake.item for intake in intakes(folder, study, *rows) if intake.item is not None]


def mistakes(folder: Path, study: Study, *rows: Raw) -> list[tuple[str, str]]:
    """What is wrong with some rows: (place, words)."""
    try:
        intakes(folder, study, *rows)
    except ItemMistakes as error:
        return [(each.where.partition(": ")[2], each.what) for each in error.mistakes]
    return []


# Entries


def goal_study(**entries: Any) -> Study:
    return a_study(GOAL, WARMTH, entries={"goals": {"from": "targets", **entries}})


def goals_of(folder: Path, study: Study, targets: Any) -> list[Raw]:
    [item] = items(folder, study, {"id": "1", "text": "x", "targets": targets})
    found: list[Raw] = item.shown["goals"]
    return found


@pytest.mark.parametrize("count", [0, 1, 6, 25])
@pytest.mark.parametrize("how", ["texts", "objects", "mapping"])
def test_entries_come_from_lists_and_from_mappings_keyed_by_text(tmp_path: Path, count: int, how: str) -> None:
    texts = [f"goal {number}" for number in range(count)]
    targets: Any = {
        "texts": texts,
        "objects": [{"text": text, "status": 1} for text in texts],
        "mapping": {text: {"status": 1} for text in texts},
    }[how]
    found = goals_of(tmp_path, goal_study(), targets)
    assert [entry["text"] for entry in found] == texts
    assert len({entry["id"] for entry in found}) == count
    assert all(set(entry) == {"id", "text"} for entry in found)


def test_an_entry_has_the_same_id_however_it_is_written(tmp_path: Path) -> None:
    ids = [
        [entry["id"] for entry in goals_of(tmp_path, goal_study(), targets)]
        for targets in (["a", "b"], [{"text": "a"}, {"text": "b"}], {"a": {}, "b": 1})
    ]
    assert ids[0] == ids[1] == ids[2]


def test_entries_with_the_same_text_have_different_ids(tmp_path: Path) -> None:
    found = goals_of(tmp_path, goal_study(), ["stop", "stop", "stop", "go"])
    assert len({entry["id"] for entry in found}) == 4


def test_an_entry_keeps_its_id_when_others_come_or_go(tmp_path: Path) -> None:
    def by_text(*texts: str) -> dict[str, str]:
        return {entry["text"]: entry["id"] for entry in goals_of(tmp_path, goal_study(), list(texts))}

    all_of_them = by_text("a", "b", "c")
    assert by_text("c", "b") == {text: all_of_them[text] for text in ("c", "b")}


def test_the_text_of_an_entry_can_have_another_name(tmp_path: Path) -> None:
    found = goals_of(tmp_path, goal_study(text="words"), [{"words": "a", "text": "not this"}])
    assert [entry["text"] for entry in found] == ["a"]


def test_only_what_is_kept_of_an_entry_is_shown(tmp_path: Path) -> None:
    study = goal_study(keep=["general", "turn"])
    targets = {"a": {"general": "b", "turn": 3, "status": "canary"}, "b": {"status": {"deep": "canary"}}}
    [item] = items(tmp_path, study, {"id": "1", "text": "x", "targets": targets})
    first, second = item.shown["goals"]
    assert (first["general"], first["turn"]) == ("b", 3)
    assert set(second) == {"id", "text"}
    assert "canary" not in repr(item.shown)
    assert "canary" in repr(item.hidden)


@pytest.mark.parametrize("targets", [[""], [" "], [None], [{"name": "a"}], [3]])
def test_an_entry_without_a_text_is_refused(tmp_path: Path, targets: Any) -> None:
    rows = {"id": "1", "text": "x", "targets": targets}
    assert [what for _, what in mistakes(tmp_path, goal_study(), rows)] == ["an entry has no text"]


@pytest.mark.parametrize("targets", ["a, b", 3, None])
def test_entries_that_are_neither_a_list_nor_a_mapping_are_refused(tmp_path: Path, targets: Any) -> None:
    [(place, what)] = mistakes(tmp_path, goal_study(), {"id": "1", "text": "x", "targets": targets})
    assert "targets" in place
    assert what.startswith("a list or a mapping is expected here")


TARGETS = {"a": {"status": 1}, "b": {"status": -1}, "c": {"status": 0}}


@pytest.mark.parametrize(
    ("then", "texts"), [("hide", ["a", "c"]), ("ask", ["a", "b", "c"]), ("count", ["a", "b", "c"])]
)
def test_dropped_entries_are_hidden_asked_or_counted(tmp_path: Path, then: str, texts: list[str]) -> None:
    study = goal_study(dropped={"when": "status == -1", "then": then})
    found = goals_of(tmp_path, study, TARGETS)
    assert [entry["text"] for entry in found] == texts
    assert (study.unable(study.dimension("goal")) == "Dropped") == (then == "ask")


@pytest.mark.parametrize(
    ("then", "values"),
    [("hide", {"a": 1, "c": 0}), ("ask", {"a": 1, "b": UNABLE, "c": 0}), ("count", {"a": 1, "b": 0, "c": 0})],
)
def test_what_a_judge_said_of_dropped_entries_follows_the_same_choice(
    tmp_path: Path, then: str, values: dict[str, Any]
) -> None:
    study = a_study(
        GOAL,
        entries={"goals": {"from": "targets", "dropped": {"when": "status == -1", "then": then}}},
        judgments=[{"judge": "model", "values": {"goal": "status"}, "read": {"-1": "0"}}],
    )
    [intake] = intakes(tmp_path, study, {"id": "1", "text": "x", "targets": TARGETS, "model": "m"})
    assert intake.item is not None
    texts = {entry["id"]: entry["text"] for entry in intake.item.shown["goals"]}
    assert {texts[slot.entry]: value for slot, value in intake.judgments[0].answers.items()} == values


# Candidates


ROW = {"id": "1", "text": "x", "m1": "zebra", "t1": "first", "m2": "ant", "t2": "second"}


def test_candidates_stand_in_two_fields_of_a_row(tmp_path: Path) -> None:
    [item] = items(tmp_path, a_study(PREFERENCE, candidates=FIELDS, show=BOTH), ROW)
    assert item.systems == ("ant", "zebra"), "by name: the same two are the same pair, whoever comes first in the file"
    assert item.shown == {CANDIDATES: [{"text": "second"}, {"text": "first"}]}
    assert {"m1", "m2"} <= set(item.hidden)


def test_a_pair_of_one_system_with_itself_is_refused(tmp_path: Path) -> None:
    study = a_study(PREFERENCE, candidates=FIELDS, show=BOTH)
    assert mistakes(tmp_path, study, {**ROW, "m2": "zebra"}) == [("row 1, column m1", 'both candidates are by "zebra"')]


def test_a_table_with_a_column_for_each_system_makes_pairs_with_an_empty_column_that_names_both(tmp_path: Path) -> None:
    study = a_study(PREFERENCE, candidates={"keys": " vs. ", "show": "text"}, show=BOTH)
    (item,) = items(tmp_path, study, {"id": "q1", "amber": "a", "basalt": "b", "amber vs. basalt": ""})
    assert item.systems == ("amber", "basalt")
    assert item.shown[CANDIDATES] == [{"text": "a"}, {"text": "b"}]


def test_each_key_that_names_two_systems_makes_a_pair(tmp_path: Path) -> None:
    study = a_study(PREFERENCE, candidates={"keys": " vs. ", "show": "text"}, show=BOTH)
    row = {"id": "7", "B": "b", "A": "a", "C": "c", "B vs. A": {"x": 1}, "A vs. C": {}, "A vs. nobody": {}, "x vs": 1}
    found = items(tmp_path, study, row)
    assert [(item.id, item.systems) for item in found] == [("7/A+B", ("A", "B")), ("7/A+C", ("A", "C"))]
    assert found[0].shown == {CANDIDATES: [{"text": "a"}, {"text": "b"}]}


@pytest.mark.parametrize(
    ("lacking", "said"), [({"A": "a"}, "B"), ({"B": "b"}, "A"), ({}, "A and B")], ids=["second", "first", "both"]
)
def test_a_comparison_whose_reply_is_missing_is_refused_and_not_left_out(
    tmp_path: Path, lacking: Raw, said: str
) -> None:
    study = a_study(PREFERENCE, candidates={"keys": " vs. ", "show": "text"}, show=BOTH)
    whole = {"C": "c", "D": "d", "C vs. D": {"Better": ["C"]}}
    rows = [
        {"id": "1", **whole, **lacking, "A vs. B": {"Better": ["A"]}},
        {"id": "2", **whole, "pros vs. cons": "none"},
    ]
    [(where, what)] = mistakes(tmp_path, study, *rows)
    assert (where, what) == (
        "row 1",
        f"'A vs. B' compares two fields, and {said} {'are' if 'and' in said else 'is'} not here",
    )


def test_a_row_without_such_a_key_is_refused(tmp_path: Path) -> None:
    study = a_study(PREFERENCE, candidates={"keys": " vs. "}, show=BOTH)
    [(_, what)] = mistakes(tmp_path, study, {"id": "7", "A": "a", "B": "b"})
    assert what == "no key of the form A vs. B names two fields of this row"


def test_every_two_rows_that_share_a_field_make_a_pair(tmp_path: Path) -> None:
    study = a_study(PREFERENCE, candidates={"rows": "prompt", "show": "text"}, system="model", show=BOTH)
    rows = [
        {"prompt": prompt, "model": model, "text": f"{model} on {prompt}", "secret": model * 3}
        for prompt in ("p1", "p2")
        for model in "cab"
    ]
    found = items(tmp_path, study, *rows[:-1])
    assert [item.id for item in found] == ["p1/a+b", "p1/a+c", "p1/b+c", "p2/a+c"]
    assert found[0].shown == {CANDIDATES: [{"text": "a on p1"}, {"text": "b on p1"}]}
    assert "bbb" in repr(found[0].hidden)
    assert "bbb" not in repr(found[0].shown)


def test_two_outputs_of_one_system_are_refused(tmp_path: Path) -> None:
    study = a_study(PREFERENCE, candidates={"rows": "prompt", "show": "text"}, system="model", show=BOTH)
    row = {"prompt": "p", "model": "a", "text": "x"}
    assert mistakes(tmp_path, study, row, row) == [("row 2, column model", '"a" has two outputs here')]


def test_names_of_systems_can_be_mapped_wherever_they_stand(tmp_path: Path) -> None:
    names = {"zebra": "a zebra", "Z": "a zebra"}
    fields = a_study(PREFERENCE, candidates=FIELDS, show=BOTH, names=names)
    [item] = items(tmp_path, fields, ROW)
    assert (item.systems, item.shown[CANDIDATES]) == (("a zebra", "ant"), [{"text": "first"}, {"text": "second"}])
    keys = a_study(PREFERENCE, candidates={"keys": " vs. ", "show": "text"}, show=BOTH, names=names)
    [item] = items(tmp_path, keys, {"id": "7", "ant": "1", "Z": "2", "ant vs. Z": {}})
    assert (item.id, item.shown[CANDIDATES]) == ("7/a zebra+ant", [{"text": "2"}, {"text": "1"}])
    rows = a_study(PREFERENCE, candidates={"rows": "p", "show": "text"}, system="m", show=BOTH, names=names)
    [item] = items(tmp_path, rows, *({"p": "1", "m": model, "text": model} for model in ("ant", "Z")))
    assert (item.id, item.shown[CANDIDATES]) == ("1/a zebra+ant", [{"text": "Z"}, {"text": "ant"}])
    [item] = items(tmp_path, a_study(system="m", names=names), {"id": "1", "text": "x", "m": "Z"})
    assert (item.systems, item.hidden["m"]) == (("a zebra",), "Z")


# History, ids, joined files, fields that may be missing


def test_the_history_holds_the_earlier_rows_of_the_same_group(tmp_path: Path) -> None:
    chat = {"chat": {"field": "earlier", "turns": {"user": "U", "reply": "S"}}}
    study = a_study(
        show=[*TEXT, chat],
        group="dialogue",
        id=["dialogue", "turn"],
        history={"as": "earlier", "keep": ["user", "reply"]},
    )
    rows = [
        {"dialogue": d, "turn": t, "user": f"u{d}{t}", "reply": f"r{d}{t}", "text": "x", "secret": "canary"}
        for d in "ab"
        for t in range(3)
    ]
    found = items(tmp_path, study, *rows)
    assert [item.id for item in found] == ["a/0", "a/1", "a/2", "b/0", "b/1", "b/2"]
    assert [len(item.shown["earlier"]) for item in found] == [0, 1, 2, 0, 1, 2]
    assert found[2].shown["earlier"] == [{"user": "ua0", "reply": "ra0"}, {"user": "ua1", "reply": "ra1"}]
    assert "canary" not in repr([item.shown for item in found])
    mixed = items(tmp_path, study, *rows[::3], *rows[1::3], *rows[2::3])
    assert {item.id: item.shown for item in mixed} == {item.id: item.shown for item in found}


def test_ids_of_several_fields_are_told_apart(tmp_path: Path) -> None:
    study = a_study(id=["a", "b"])
    assert [
        each.id for each in items(tmp_path, study, *({"a": a, "b": b, "text": ""} for a in "xy" for b in (1, 2)))
    ] == [
        "x/1",
        "x/2",
        "y/1",
        "y/2",
    ]
    twice = [{"a": "x", "b": 1, "text": "1"}, {"a": "x", "b": 1, "text": "2"}]
    assert mistakes(tmp_path, study, *twice) == [("row 2, column a", "the id 'x/1' was already in row 1")]


def test_an_id_that_several_systems_share_is_made_whole_by_the_system(tmp_path: Path) -> None:
    rows = [{"id": "p1", "bot": bot, "text": bot} for bot in ("one", "two")]
    with pytest.raises(ItemMistakes) as found:
        intakes(tmp_path, a_study(system="bot"), *rows)
    assert found.value.mistakes[0].hint.endswith("id: [id, bot]")
    assert [each.id for each in items(tmp_path, a_study(system="bot", id=["id", "bot"]), *rows)] == ["p1/one", "p1/two"]


def joined_study(**join: str) -> Study:
    return a_study(join={"file": "more.json", **join}, system="model")


def test_a_joined_file_brings_what_the_rows_lack(tmp_path: Path) -> None:
    more = [{"id": "2", "model": "b", "text": "not this"}, {"id": "1", "model": "a", "note": "kept"}]
    (tmp_path / "more.json").write_text(json.dumps(more))
    one, two = items(tmp_path, joined_study(), {"id": "1", "text": "x"}, {"id": "2", "text": "y"})
    assert (one.systems, two.systems) == (("a",), ("b",))
    assert one.hidden["note"] == "kept"
    assert two.shown == {"text": "y"}, "what a row says itself counts"


def test_a_row_that_brings_everything_itself_needs_no_joined_one(tmp_path: Path) -> None:
    (tmp_path / "more.json").write_text("[]")
    [item] = items(tmp_path, joined_study(), {"id": "1", "text": "x", "model": "own"})
    assert item.systems == ("own",)


def test_a_row_that_neither_file_completes_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "more.json").write_text(json.dumps([{"id": "1", "model": "a"}]))
    rows = [{"id": "1", "text": "x"}, {"id": "2", "text": "y"}]
    assert mistakes(tmp_path, joined_study(), *rows) == [("row 2", "there is no field 'model' here")]


def test_a_joined_file_that_is_wrong_is_said(tmp_path: Path) -> None:
    row = {"id": "1", "text": "x", "model": "a"}
    assert [what for _, what in mistakes(tmp_path, joined_study(), row)] == ["there is no file more.json to join"]
    (tmp_path / "more.json").write_text(json.dumps([{"id": "1"}, {"id": "1"}, {"di": "2"}]))
    assert [what for _, what in mistakes(tmp_path, joined_study(), row)] == [
        'id "1" stands twice',
        "there is no field 'id' here",
    ]


def test_a_field_with_a_question_mark_may_be_missing(tmp_path: Path) -> None:
    study = a_study(system="model?", group="prompt?")
    rows = [{"id": "1", "text": "x"}, {"id": "2", "text": "y", "model": "", "prompt": None}]
    assert [(item.systems, item.group) for item in items(tmp_path, study, *rows)] == [((), ""), ((), "")]
    [item] = items(tmp_path, study, {"id": "1", "text": "x", "model": "m", "prompt": "p"})
    assert (item.systems, item.group) == (("m",), "p")


def test_dots_lead_into_nested_fields(tmp_path: Path) -> None:
    study = a_study(system="meta.model.name", id="meta.id", show=[{"text": {"field": "body.text"}}])
    row = {"meta": {"id": "7", "model": {"name": "m", "key": "canary"}}, "body": {"text": "x", "more": "canary"}}
    [item] = items(tmp_path, study, row)
    assert (item.id, item.systems, item.shown) == ("7", ("m",), {"body.text": "x"})
    assert "canary" in repr(item.hidden)
    assert "canary" not in repr(item.shown)


def test_nothing_of_a_nested_key_that_is_not_named_is_shown(tmp_path: Path) -> None:
    chat = {"chat": {"field": "turns", "turns": {"user": "U", "system": "S"}}}
    steps = {"steps": {"field": "steps"}}
    turn = {"user": "hello", "system": "hi", "evaluation": {"score": "canary"}, "latency": "canary"}
    step = {
        "operation": "LOOK",
        "result": "seen",
        "arguments": {"x": 1, "y": 2},
        "score": "canary",
        "judge": {"a": "canary"},
    }
    row = {"id": "1", "turns": [turn, turn], "steps": [step], "other": {"deep": ["canary"]}}
    [item] = items(tmp_path, a_study(show=[chat, steps]), row)
    assert "hello" in repr(item.shown)
    assert "LOOK" in repr(item.shown)
    assert "canary" not in repr(item.shown)


@pytest.mark.parametrize("name", template_names())
def test_the_items_of_every_template_are_read_and_named_once(name: str) -> None:
    study = load(HERE / name)
    path = HERE / name / study.items.source
    found = [intake.item for intake in read_items(study, path) if intake.item is not None]
    assert len({item.id for item in found}) == len(found) > 3
    assert all(set(item.shown) == set(study.shown_fields) for item in found)
    assert mistakes_in_first_row(study, path) == []


# Judgments that come along


def given_of(folder: Path, existing: Raw, *rows: Raw, rubric: Any = (WARMTH,), **more: Any) -> list[ImportedAnswers]:
    study = a_study(*rubric, judgments=[existing], **more)
    return [each for intake in intakes(folder, study, *rows) for each in intake.judgments]


def test_judgments_by_annotators_come_with_rows_and_the_item_comes_once(tmp_path: Path) -> None:
    rows = [{"id": "1", "text": "x", "who": who, "warmth": value} for who, value in (("ana", 2), ("ben", "5"))]
    study = a_study(judgments=[{"annotator": "who"}])
    found = intakes(tmp_path, study, *rows)
    assert [intake.item is not None for intake in found] == [True, False]
    assert [intake.name for intake in found] == ["1", "1"]
    assert [intake.judgments for intake in found] == [
        (ImportedAnswers("ana", False, {Slot("warmth"): 2}),),
        (ImportedAnswers("ben", False, {Slot("warmth"): 5}),),
    ]


@pytest.mark.parametrize("judged", [False, True])
def test_two_ids_that_differ_by_blanks_alone_are_not_two_items(tmp_path: Path, judged: bool) -> None:
    study = a_study(judgments=[{"annotator": "who"}]) if judged else a_study()
    rows = [{"id": id_, "text": "x", "who": f"ana {id_}", "warmth": 2} for id_ in ("ex1", "ex1 ", "ex 1")]
    assert mistakes(tmp_path, study, *rows) == [
        ("row 2, column id", "the id 'ex1 ' differs from 'ex1' in row 1 by blanks alone")
    ]


def test_an_id_keeps_its_blanks_where_no_other_looks_like_it(tmp_path: Path) -> None:
    assert [each.id for each in items(tmp_path, a_study(), {"id": " ex1 ", "text": "x"})] == [" ex1 "]


def test_rows_about_one_item_must_say_the_same_of_it(tmp_path: Path) -> None:
    rows = [{"id": "1", "text": text, "who": f"ana {text}", "warmth": 2} for text in "xy"]
    assert mistakes(tmp_path, a_study(judgments=[{"annotator": "who"}]), *rows) == [
        ("row 2, column id", "the id '1' was already in row 1, with another content")
    ]


def test_a_judge_is_known_as_one(tmp_path: Path) -> None:
    row = {"id": "1", "text": "x", "meta": {"judge": "m-9"}, "scores": {"warmth": 4.0}}
    existing = {"judge": "meta.judge", "values": {"warmth": "scores.warmth"}}
    assert given_of(tmp_path, existing, row) == [ImportedAnswers("m-9", True, {Slot("warmth"): 4})]


@pytest.mark.parametrize("who", [{"who": ""}, {"who": None}, {}])
def test_a_row_without_a_judge_and_without_scores_brings_no_judgment(tmp_path: Path, who: Raw) -> None:
    assert given_of(tmp_path, {"judge": "who"}, {"id": "1", "text": "x", **who, "warmth": None}) == []
    assert given_of(tmp_path, {"judge": "who"}, {"id": "1", "text": "x", **who}) == []


def test_places_in_a_list_are_annotators(tmp_path: Path) -> None:
    existing = {"positions": "label", "values": {"warmth": "labels"}}
    assert given_of(tmp_path, existing, {"id": "1", "text": "x", "labels": [1, 2, 5]}) == [
        ImportedAnswers(f"label-{number}", False, {Slot("warmth"): value}) for number, value in ((1, 1), (2, 2), (3, 5))
    ]


def test_a_preference_is_read_by_the_name_of_the_system(tmp_path: Path) -> None:
    existing = {"positions": "label", "values": {"better": "labels"}}
    row = {**ROW, "labels": ["Zebra", "ant", "Tie"]}
    found = given_of(tmp_path, existing, row, rubric=[PREFERENCE], candidates=FIELDS, show=BOTH)
    assert [each.answers[Slot("better")] for each in found] == ["b", "a", "tie"]


def test_a_preference_can_name_a_system_as_its_own_file_does(tmp_path: Path) -> None:
    existing = {"positions": "label", "values": {"better": "labels"}}
    more = {"candidates": FIELDS, "show": BOTH, "names": {"Z-1": "zebra"}}
    found = given_of(tmp_path, existing, {**ROW, "labels": ["Z-1", "ant"]}, rubric=[PREFERENCE], **more)
    assert [each.answers[Slot("better")] for each in found] == ["b", "a"]


def test_a_preference_for_somebody_else_is_refused(tmp_path: Path) -> None:
    study = a_study(
        PREFERENCE, candidates=FIELDS, show=BOTH, judgments=[{"positions": "label", "values": {"better": "labels"}}]
    )
    [(place, what)] = mistakes(tmp_path, study, {**ROW, "labels": ["ant", "bee"]})
    assert place == "row 1"
    assert what == '"bee" cannot be an answer on better: it is neither of ant, zebra, nor a tie'


def test_words_in_the_file_can_stand_for_values(tmp_path: Path) -> None:
    existing = {"annotator": "who", "read": {"high": "5", "n/a": "unable"}}
    rows = [
        {"id": str(n), "text": "x", "who": "ana", "warmth": word} for n, word in enumerate(("high", 3, "n/a", "", None))
    ]
    found = given_of(tmp_path, existing, *rows)
    assert [each.answers[Slot("warmth")] for each in found] == [5, 3, UNABLE]


@pytest.mark.parametrize("value", [6, 0, "six", 2.5, [1, 2]])
def test_a_value_that_is_not_on_the_scale_is_named_with_its_place(tmp_path: Path, value: Any) -> None:
    rows = [{"id": str(n), "text": "x", "who": "ana", "warmth": each} for n, each in enumerate((3, value))]
    [(place, what)] = mistakes(tmp_path, a_study(judgments=[{"annotator": "who"}]), *rows)
    assert place == "row 2"
    assert "cannot be an answer on warmth" in what


def test_what_a_judge_said_is_hidden(tmp_path: Path) -> None:
    study = a_study(judgments=[{"judge": "who"}])
    [item] = items(tmp_path, study, {"id": "1", "text": "x", "who": "canary", "warmth": 4})
    assert item.shown == {"text": "x"}
    assert item.hidden == {"id": "1", "who": "canary", "warmth": 4}


# Duplicates


def test_a_row_that_names_another_one_is_a_duplicate_and_no_item(tmp_path: Path) -> None:
    study = a_study(duplicate_of="same_as", system="model")
    rows = [{"id": n, "text": "x", "model": "m", "same_as": same} for n, same in (("1", ""), ("2", "1"), ("3", None))]
    found = intakes(tmp_path, study, *rows)
    assert [(each.name, each.item is None, each.duplicate_of, each.systems) for each in found] == [
        ("1", False, "", ("m",)),
        ("2", True, "1", ("m",)),
        ("3", False, "", ("m",)),
    ]


def test_the_id_of_a_duplicate_stands_once(tmp_path: Path) -> None:
    rows = [{"id": n, "text": "x", "same_as": same} for n, same in (("1", ""), ("2", "1"), ("2", "1"), ("1", "2"))]
    assert mistakes(tmp_path, a_study(duplicate_of="same_as"), *rows) == [
        ("row 3, column id", "the id '2' was already in row 2"),
        ("row 4, column id", "the id '1' was already in row 1"),
    ]


def test_rows_without_that_field_are_items(tmp_path: Path) -> None:
    assert len(items(tmp_path, a_study(duplicate_of="same_as"), {"id": "1", "text": "x"})) == 1


# Pictures


PICTURE = a_study(show=[{"image": {"field": "file", "alt": "text"}}])


def a_picture(folder: Path, name: str, colour: str = "red") -> str:
    (folder / name).parent.mkdir(exist_ok=True, parents=True)
    Image.new("RGB", (6, 4), colour).save(folder / name)
    return name


def test_a_picture_is_taken_in_once_and_its_name_is_not_shown(tmp_path: Path) -> None:
    name = a_picture(tmp_path, "pictures/system-canary.png")
    same = a_picture(tmp_path, "pictures/another-canary.png")
    found = intakes(
        tmp_path, PICTURE, *({"id": str(n), "text": "a", "file": each} for n, each in enumerate((name, same)))
    )
    assert found[0].pictures[0].hash == found[1].pictures[0].hash
    assert found[0].pictures[0].media_type == "image/png"
    for intake in found:
        assert intake.item is not None
        assert intake.item.shown["file"] == {"picture": intake.pictures[0].hash, "width": 6, "height": 4}
        assert "canary" not in repr(intake.item.shown)
        assert "canary" in repr(intake.item.hidden)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pictures/none.png", 'there is no picture "pictures/none.png"'),
        ("../outside.png", "lies outside the folder"),
        ("pictures/../../outside.png", "lies outside the folder"),
        ("/etc/passwd", "cannot be the name of a picture"),
        ("", "names no picture"),
        (3, "names no picture"),
        ("items.json", "is not a picture that can be read"),
    ],
)
def test_a_picture_that_cannot_be_taken_in_is_named_with_its_place(tmp_path: Path, name: Any, words: str) -> None:
    folder = tmp_path / "study"
    a_picture(folder, "pictures/there.png")
    a_picture(tmp_path, "outside.png")
    rows = [{"id": "1", "text": "a", "file": "pictures/there.png"}, {"id": "2", "text": "a", "file": name}]
    [(place, what)] = mistakes(folder, PICTURE, *rows)
    assert place == "row 2, column file"
    assert words in what


def test_pictures_are_looked_for_below_the_folder_that_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    a_picture(tmp_path, "shots/one.png")
    a_picture(tmp_path, "shots/b/two.png", "blue")
    path = folder / "items.json"
    rows = [{"id": n, "text": "a", "file": name} for n, name in (("1", "/data/one.png"), ("2", "C:\\\\b\\\\two.png"))]
    path.write_text(json.dumps(rows), "utf-8")
    found = list(read_items(PICTURE, path, pictures=tmp_path / "shots"))
    assert len({row.pictures[0].hash for row in found}) == 2
    with pytest.raises(ItemMistakes, match="names the folder with the pictures"):
        list(read_items(PICTURE, path))


def test_two_paths_that_only_their_folders_tell_apart_are_refused(tmp_path: Path) -> None:
    a_picture(tmp_path, "shots/1.png")
    path = tmp_path / "items.json"
    rows = [{"id": n, "text": "a", "file": f"/data/{n}/1.png"} for n in ("a", "b")]
    path.write_text(json.dumps(rows), "utf-8")
    with pytest.raises(ItemMistakes, match=r'"/data/b/1\.png" and "/data/a/1\.png" would be one picture'):
        list(read_items(PICTURE, path, pictures=tmp_path / "shots"))


def test_the_picture_of_a_candidate_is_taken_in(tmp_path: Path) -> None:
    shown = [{"pair": [{"image": {"field": "file"}}]}]
    candidates = {"fields": [{"system": "m1", "show": {"file": "f1"}}, {"system": "m2", "show": {"file": "f2"}}]}
    study = a_study(PREFERENCE, candidates=candidates, show=shown)
    row = {
        "id": "1",
        "m1": "a",
        "m2": "b",
        "f1": a_picture(tmp_path, "one.png"),
        "f2": a_picture(tmp_path, "two.png", "blue"),
    }
    [intake] = intakes(tmp_path, study, row)
    assert intake.item is not None
    hashes = [candidate["file"]["picture"] for candidate in intake.item.shown[CANDIDATES]]
    assert hashes == [picture.hash for picture in intake.pictures]
    assert len(set(hashes)) == 2
    assert "one.png" not in repr(intake.item.shown)


def test_only_a_row_that_carries_judgments_may_repeat_an_item(tmp_path: Path) -> None:
    copy_template("route-planning", tmp_path / "study")
    study = load(tmp_path / "study")
    plain = tmp_path / "plain.csv"
    plain.write_text("item_id,prompt,response\n1,p,r\n1,p,r\n", "utf-8")
    with pytest.raises(ItemMistakes, match="was already in row 2"):
        list(read_items(study, plain))
    judged = tmp_path / "judged.csv"
    judged.write_text("item_id,prompt,response,annotator_id,coherence\n1,p,r,a,3\n1,p,r,b,4\n", "utf-8")
    assert [len(intake.judgments) for intake in read_items(study, judged)] == [1, 1]


def test_prepared_pairs_without_words_for_their_pictures_come_in_with_the_template_unchanged(tmp_path: Path) -> None:
    copy_template("trajectories", tmp_path / "study")
    file = tmp_path / "study" / "samples.json"
    data = json.loads(file.read_text("utf-8"))
    for sample in data["samples"]:
        del sample["image_alt"]
    file.write_text(json.dumps(data), "utf-8")
    found = [intake.item for intake in read_items(load(tmp_path / "study"), file)]
    assert len(found) == len(data["samples"])
    assert all(item is not None and item.shown["image_alt"] is None for item in found)
