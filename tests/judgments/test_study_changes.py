"""What has changed between two versions of a study is said in words, and each change has a kind."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay.judgments.study_changes import Change, study_changes
from assay.study import load
from assay.study.templates import HERE, copy_template, template_names

Changed = Callable[..., list[Change]]


@pytest.fixture
def changed(tmp_path_factory: pytest.TempPathFactory) -> Changed:
    """What is said to have changed when a text in a file of the empathy study is replaced."""

    def change(old: str, new: str, file: str = "study.yaml") -> list[Change]:
        folder = tmp_path_factory.mktemp("study") / "study"
        copy_template("empathy", folder)
        before = load(folder)
        path = folder / file
        text = path.read_text("utf-8")
        assert old in text, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new, 1), "utf-8")
        return study_changes(before, load(folder))

    return change


ANCHORS = "        1: Passes over the feelings\n        2: Vague or stock phrase that fits any trouble\n"
TURNED = "        2: Passes over the feelings\n        1: Vague or stock phrase that fits any trouble\n"
FIFTH = "        5: Also sees mixed or hidden feelings and what lies behind\n"


@pytest.mark.parametrize(
    ("old", "new", "kind", "about", "words"),
    [
        ("      to: 5\n", "      to: 7\n", "scale", "emotion", "its answers are 1 to 7, before 1 to 5"),
        ("1: Passes over the feelings", "1: Misses the feelings", "anchors", "emotion",
         '1 is "Misses the feelings", before "Passes over the feelings"'),
        ("    title: Overall\n", "    title: As a whole\n", "question", "overall",
         'title is "As a whole", before "Overall"'),
        ("empty: Empty or incoherent", "empty: No reply", "question", "edge", '"No reply", before "Empty'),
        ("    optional: true\n    tags", "    tags", "question", "edge", "optional is false, before true"),
        ("1-2: Would silence", "1-2: Perhaps silence", "guide", "overall", "its help has changed: boundaries"),
        ("edge has diagnosis and not edge has crisis", "edge has diagnosis", "rule", "rules",
         'when of rule 11 is "edge has diagnosis and not edge has only_understand"'),
        ("  - allowed: emotion <= 2\n    when: edge has advice_only and not edge has repeats\n"
         "    message: Advice without empathy is 1 or 2 here.\n", "", "rule", "rules",
         'rule 6 is gone: allowed "emotion <= 2", when "edge has advice_only and not edge has repeats"'),
        ("of consulting somebody is 1 or 2.", "of consulting somebody is 1 or 3.", "rule", "rules",
         'message of rule 11 is "…ng somebody is 1 or 3.", before "…ng somebody is 1 or 2."'),
        ("seed: 20260217", "seed: 7", "settings", "seed", "is 7, before 20260217"),
        ("  per_item: 2\n", "  per_item: 3\n", "settings", "assignment.per_item", "is 3, before 2"),
        ("label: The reply", "label: Its reply", "shown", "items.show.2.text.label", 'is "Its reply"'),
        ("      attempts: 2\n", "      attempts: 3\n", "gate", "calibration", "its settings have changed"),
        ("  - warning: guide/warning.md\n", "", "guide", "warning", "the gate is gone"),
        ("  group: sample_id ", '  clean: {response: ["Sure:"]}\n  group: sample_id ', "shown", "items.clean",
         'is {"response":'),
    ],
)  # fmt: skip
def test_each_change_is_said_with_its_kind(
    changed: Changed, old: str, new: str, kind: str, about: str, words: str
) -> None:
    found = changed(old, new)
    assert {(each.kind, each.about) for each in found} == {(kind, about)}
    assert any(words in each.words for each in found), [str(each) for each in found]


def test_a_value_that_is_computed_otherwise_says_how(tmp_path: Path) -> None:
    copy_template("route-planning", tmp_path / "study")
    before = load(tmp_path / "study")
    file = tmp_path / "study" / "study.yaml"
    file.write_text(
        file.read_text("utf-8").replace("{coherence: 0.4, relevance: 0.2", "{coherence: 0.3, relevance: 0.3")
    )
    [change] = study_changes(before, load(tmp_path / "study"))
    ways = "of.coherence is 0.3, before 0.4; of.relevance is 0.3, before 0.2"
    assert (change.kind, str(change)) == ("rule", f"hcs: is computed in another way: {ways}")


def test_anchors_that_change_places_are_another_scale(changed: Changed) -> None:
    found = changed(ANCHORS, TURNED)
    assert {each.kind for each in found} == {"scale"}
    assert not any(each.is_minor for each in found)


def test_a_text_says_how_many_of_its_lines_have_changed(changed: Changed) -> None:
    [reading] = changed("\n", "\n\nOne line more.\n", "guide/rubric.md")
    assert (reading.kind, reading.about, reading.is_minor) == ("guide", "reading", True)
    assert reading.words.startswith("guide/rubric.md: ")
    [consent] = changed("\n", "\n\nOne line more.\n", "guide/consent.md")
    assert (consent.kind, consent.is_minor) == ("consent", False)


@pytest.mark.parametrize("name", template_names())
def test_a_study_has_not_changed_from_itself(name: str) -> None:
    assert study_changes(load(HERE / name), load(HERE / name)) == []


def test_what_stands_in_another_order_only_is_said_so(changed: Changed) -> None:
    found = changed("study: empathy\ntitle: Replies to people who share a hard moment\n",
                    "title: Replies to people who share a hard moment\nstudy: empathy\n")  # fmt: skip
    assert [each.is_minor for each in found] in ([], [True])


def test_of_two_gates_of_one_kind_each_change_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    copy_template("empathy", folder)
    file, first = folder / "study.yaml", folder / "guide" / "consent.md"
    second = folder / "guide" / "data.md"
    second.write_text("# Your data\n\nThey are published.\n", "utf-8")
    text = file.read_text("utf-8").replace("  - warning:", "  - consent: guide/data.md\n  - warning:", 1)
    file.write_text(text, "utf-8")
    before = load(folder)
    first.write_text(first.read_text("utf-8") + "\nOne line more.\n", "utf-8")
    [change] = study_changes(before, load(folder))
    assert (change.kind, change.about, change.is_minor) == ("consent", "consent", False)
    second.write_text("# Your data\n\nThey are not published.\n", "utf-8")
    assert [each.about for each in study_changes(before, load(folder))] == ["consent", "consent 2"]
    file.write_text(text.replace("  - consent: guide/data.md\n", "", 1), "utf-8")
    assert "consent 2: the gate is gone" in map(str, study_changes(before, load(folder)))
