"""A study is frozen, goes into one document and comes back from it, and its hash follows its meaning."""

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from assay.errors import StudyMistakes
from assay.judgments import questions_of
from assay.study import Study, load, study_from_document
from assay.study.templates import copy_template
from tests.examples import examples
from tests.study.small import SMALL, changed, folder_with, loaded, mistakes_of


@pytest.fixture
def study(tmp_path: Path) -> Study:
    copy_template("empathy", tmp_path)
    return load(tmp_path)


def test_a_study_cannot_be_changed(study: Study) -> None:
    with pytest.raises(ValidationError, match="frozen"):
        study.title = "Another"  # type: ignore[misc]
    with pytest.raises(ValidationError, match="frozen"):
        study.rubric[0].ask = "Another?"  # type: ignore[misc]
    assert isinstance(study.rubric, tuple)


def test_a_study_comes_back_from_its_document_with_the_same_hash(study: Study) -> None:
    again = study_from_document(study.document())
    assert again == study
    assert again.hash == study.hash
    assert again.document() == study.document()


def test_the_document_carries_the_guide_texts(study: Study, tmp_path: Path) -> None:
    again = study_from_document(study.document())
    consent = (tmp_path / "guide" / "consent.md").read_text("utf-8")
    assert again.gates[0].gate.text.text == consent  # type: ignore[attr-defined]
    assert again.consent == study.consent != ""


def test_the_template_says_what_it_asks(study: Study) -> None:
    assert [question.key for question in questions_of(study, {})] == [
        "emotion",
        "validation",
        "helpfulness",
        "safety",
        "overall",
        "edge",
        "note",
    ]
    assert [dimension.dimension for dimension in study.scored_dimensions] == [
        question.key for question in questions_of(study, {})[:5]
    ]
    assert study.items.shown_fields == ("user_statement", "response")
    assert study.dimension("note").optional
    assert {"straight_lining", "halo", "duplicates"} <= set(study.analysis.monitors.by_name())


def test_a_heading_is_made_from_the_name_where_there_is_no_title(tmp_path: Path) -> None:
    study = loaded(
        tmp_path,
        changed("dimension: note", "dimension: last_note-of_all").replace(
            "required: note", "required: last_note-of_all"
        ),
    )
    assert study.rubric[1].heading == "Last note of all"


SAME_MEANING = {
    "a comment": SMALL + "# the end\n",
    "a comment in a line": changed("title: A small study", "title: A small study   # for a start"),
    "empty lines": SMALL.replace("rubric:", "\n\nrubric:"),
    "quotes": changed("title: A small study", 'title: "A small study"'),
    "flow for block": changed("    optional: true\n    text: {}", "    text: {}\n    optional: true"),
    "the order of sections": SMALL.split("rules:")[1].join(["rules:", SMALL.split("rules:")[0]]),
    "the order of keys": changed("from: 1, to: 5", "to: 5, from: 1"),
    "the order of anchors": changed("1: cold, 5: warm", "5: warm, 1: cold"),
    "deeper indentation": re.sub("(?m)^ +", lambda found: found[0] * 3, SMALL).replace("- ", "-     "),
}


@pytest.mark.parametrize("text", SAME_MEANING.values(), ids=list(SAME_MEANING))
def test_the_hash_does_not_change_with_how_the_file_is_written(tmp_path: Path, text: str) -> None:
    assert text != SMALL
    study = loaded(tmp_path / "other", text)
    assert study == loaded(tmp_path / "small")
    assert study.hash == loaded(tmp_path / "small").hash


OTHER_MEANING = {
    "an anchor": changed("1: cold", "1: chilly"),
    "an anchor less": changed("1: cold, ", ""),
    "the title": changed("A small study", "A small  study"),
    "the scale": changed("to: 5, anchors: {1: cold, 5: warm}", "to: 6, anchors: {1: cold, 5: warm}"),
    "a rule": changed("[1, 5]", "[1]"),
    "a seed": "seed: 1\n" + SMALL,
    "a label": changed("{field: response}", "{field: response, label: Reply}"),
    "a dimension less": re.sub(r"  - dimension: note\n.*\n.*\n(?s:.*)gates", "gates", SMALL),
    "a gate less": SMALL.split("gates:")[0],
    "the order of tags": changed("text: {}", "tags: {a: A, b: B}"),
}


@pytest.mark.parametrize("text", OTHER_MEANING.values(), ids=list(OTHER_MEANING))
def test_the_hash_changes_with_the_meaning(tmp_path: Path, text: str) -> None:
    assert loaded(tmp_path / "other", text).hash != loaded(tmp_path / "small").hash


def test_the_hash_changes_with_every_word_of_a_guide(tmp_path: Path) -> None:
    before = loaded(tmp_path)
    (tmp_path / "guide" / "consent.md").write_text("# Consent!\n", "utf-8")
    after = load(tmp_path)
    assert after.hash != before.hash
    assert after.consent != before.consent


def test_the_order_of_tags_is_what_annotators_see_and_so_is_part_of_the_meaning(tmp_path: Path) -> None:
    one = loaded(tmp_path / "one", changed("text: {}", "tags: {a: A, b: B}"))
    two = loaded(tmp_path / "two", changed("text: {}", "tags: {b: B, a: A}"))
    assert one.hash != two.hash
    assert list(study_from_document(two.document()).dimension("note").input.options) == ["b", "a"]  # type: ignore[attr-defined]


names = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
words = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
phrases = words.filter(str.strip)


@st.composite
def scales(draw: st.DrawFn) -> dict[str, Any]:
    low = draw(st.integers(-3, 3))
    high = draw(st.integers(low + 1, low + 7))
    points = st.integers(low, high)
    return {"scale": {"from": low, "to": high, "anchors": draw(st.dictionaries(points.map(str), words, max_size=3))}}


inputs = (
    scales()
    | st.fixed_dictionaries(
        {"tags": st.dictionaries(phrases.filter(lambda name: name != "options"), words, min_size=1, max_size=3)}
    )
    | st.fixed_dictionaries({"text": st.fixed_dictionaries({}, optional={"phrases": st.lists(phrases, max_size=2)})})
)


@st.composite
def studies(draw: st.DrawFn) -> dict[str, Any]:
    """A small study as data, right in every part."""
    dimensions = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    fields = draw(st.lists(words, min_size=1, max_size=3))
    extra = {
        "title": words,
        "ask": words,
        "optional": st.booleans(),
        "boundaries": st.dictionaries(words, words, max_size=2),
    }
    rubric = [
        {"dimension": name, **draw(inputs), **draw(st.fixed_dictionaries({}, optional=extra))} for name in dimensions
    ]
    usable = [
        name
        for name in dimensions
        if name not in ("and", "or", "not", "in", "has", "any", "all", "answered", "true", "false")
    ]
    rule = (
        st.sampled_from(usable).map(lambda name: f"any({name}) in [1, 5] or answered({name})")
        if usable
        else st.just("1 == 1")
    )
    rules = st.fixed_dictionaries({"required": st.sampled_from(dimensions), "when": rule}, optional={"message": words})
    optional = {
        "seed": st.integers(),
        "rules": st.lists(rules, max_size=2),
        "gates": st.lists(
            st.sampled_from([{"consent": "guide/consent.md"}, {"reading": ["guide/consent.md"]}]), max_size=2
        ),
        "support": st.just("guide/consent.md"),
        "assignment": st.fixed_dictionaries({}, optional={"per_item": st.integers(1, 9), "order": st.just("fixed")}),
        "analysis": st.fixed_dictionaries({}, optional={"monitors": st.just({"straight_lining": {"share": 1}})}),
    }
    return {
        "study": draw(names),
        "title": draw(words),
        "items": {"source": "items.csv", "show": [{"text": {"field": field}} for field in fields]},
        "rubric": rubric,
        **draw(st.fixed_dictionaries({}, optional=optional)),
    }


@settings(max_examples=examples(80), deadline=None)
@given(studies())
def test_any_study_comes_back_from_its_document(data: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        # JSON is YAML too, but for characters that YAML wants escaped: those are.
        study = load(folder_with(Path(folder), json.dumps(data)))
        shuffled = load(folder_with(Path(folder), json.dumps(dict(reversed(data.items())), indent=3)))
    again = study_from_document(study.document())
    assert again == study
    assert again.hash == study.hash == shuffled.hash
    assert json.loads(study.document())["study"] == data["study"]


@pytest.mark.parametrize(
    ("old", "new", "what", "hint"),
    [
        ("when: caps has buried_unsafe", "when: caps has burried_unsafe", "no tag 'burried_unsafe'", "did you mean"),
        ("coherence: 0.4,", "caps: 0.4,", "'caps' is answered by tags, which is no number", "computes from numbers"),
        ("coherence: 0.4,", "coherence: -0.4,", "-0.4 is too small", "more than 0"),
    ],
)
def test_what_cannot_be_computed_or_ticked_is_refused(tmp_path: Path, old: str, new: str, what: str, hint: str) -> None:
    copy_template("route-planning", tmp_path)
    file = tmp_path / "study.yaml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(StudyMistakes) as raised:
        load(tmp_path)
    [mistake] = raised.value.mistakes
    assert what in mistake.what
    assert hint in mistake.hint


def test_a_family_of_judges_is_one_name_for_all_or_names_with_their_judges(tmp_path: Path) -> None:
    def families(written: str) -> object:
        text = changed("  show:\n", f"  judgments:\n    - judge: model\n      family: {written}\n  show:\n")
        return loaded(tmp_path, text).items.families

    assert families("The evaluator") == {"The evaluator": ("*",)}
    assert families("{GPT: gpt-*, Claude: [opus, haiku]}") == {"GPT": ("gpt-*",), "Claude": ("opus", "haiku")}


def test_a_study_without_a_family_keeps_its_hash(tmp_path: Path) -> None:
    plain = changed("  show:\n", "  judgments:\n    - judge: model\n  show:\n")
    assert "family" not in loaded(tmp_path, plain).document()
    assert (
        loaded(tmp_path, plain).hash
        != loaded(tmp_path, plain.replace("judge: model", "{judge: model, family: F}")).hash
    )


@pytest.mark.parametrize(
    ("judgments", "what"),
    [
        ("[{annotator: who, family: F}]", "a family is one of automated judges, and there is no judge"),
        ("[{judge: one, family: F}, {judge: two, family: G}]", "F and G are both the name of all judges"),
    ],
)
def test_a_family_that_means_nothing_is_refused(tmp_path: Path, judgments: str, what: str) -> None:
    found = mistakes_of(tmp_path, changed("  show:\n", f"  judgments: {judgments}\n  show:\n"))
    assert any(what in each.what for each in found)


TWO_BLOCKS = changed(
    "    - text: {field: response}\n", "    - text: prompt\n    - text: response\n  layout: side_by_side\n"
)


def test_the_last_block_that_is_there_from_the_start_stands_beside_the_others(tmp_path: Path) -> None:
    assert loaded(tmp_path).items.columns is None
    assert "layout" not in loaded(tmp_path).document()
    assert loaded(tmp_path, TWO_BLOCKS).items.columns == ([0], [1])
    later = TWO_BLOCKS.replace(
        "    - text: response\n", "    - text: response\n    - text: answer\n      after: [warmth]\n"
    )
    assert loaded(tmp_path, later).items.columns == ([0, 2], [1])


def test_one_block_stands_beside_nothing(tmp_path: Path) -> None:
    [found] = mistakes_of(tmp_path, changed("  show:\n", "  layout: side_by_side\n  show:\n"))
    assert found.what == "no two blocks can stand beside each other"
    assert found.hint == "show two, or remove this key"
