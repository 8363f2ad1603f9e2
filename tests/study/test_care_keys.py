"""The part `care` of a study file: what fits together, and what `assay check` misses in a study with hard content."""

from pathlib import Path

import pytest

from assay.judgments.lint import lint
from assay.judgments.study_changes import study_changes
from assay.study.support import support_for
from tests.study.small import SMALL, loaded, said

CARE = "care: {field: content, warn: {grief: Death}, most_per_day: 3, check_in: {every: 5, coordinator_sees: true}}\n"
EXPOSURE = "assignment: {exposure: {field: topic, values: [war], at_most: 1}}\n"
LINE = len(SMALL.splitlines()) + 1


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("care: {warn: {grief: Death}}\n", f"{LINE}:8", "it is not said where the tags of an item are"),
        ("care: {field: content}\n", f"{LINE}:8", "nothing is warned of"),
        ("care: {most_per_day: 3}\n", f"{LINE}:8", "no item counts for this limit"),
        ("care: {support: {german: guide/consent.md}}\n", f"{LINE}:18", "'german' is no language"),
        ("care: {support: {de: guide/gone.md}}\n", f"{LINE}:", "there is no file guide/gone.md"),
        (CARE + EXPOSURE, f"{LINE}:46", "this limit and assignment.exposure speak of different items"),
        ("care: {check_in: {every: 0}}\n", f"{LINE}:", "0 is too small"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, where: str, what: str) -> None:
    [(place, words)] = said(tmp_path, SMALL + text)
    assert words.startswith(what), words
    assert place.startswith(where), place


def test_nobody_sees_how_people_are_who_were_not_asked(tmp_path: Path) -> None:
    [(_, words)] = said(tmp_path, SMALL.replace("gates:\n  - consent: guide/consent.md\n", "") + CARE)
    assert words == "coordinators see how people are, and nobody was asked to agree to that"


def test_that_coordinators_come_to_see_how_people_are_is_no_minor_change(tmp_path: Path) -> None:
    before = loaded(tmp_path / "a", SMALL + CARE.replace(", coordinator_sees: true", ""))
    after = loaded(tmp_path / "b", SMALL + CARE)
    assert [each.kind for each in study_changes(before, after) if not each.is_minor] == ["consent"]
    assert all(each.is_minor for each in study_changes(after, before))


def warned(folder: Path, more: str) -> set[str]:
    text = SMALL.replace("  - consent", "  - warning: guide/consent.md\n  - consent") if "GATE" in more else SMALL
    found = lint(loaded(folder, text + more.replace("GATE", "")))
    return {part for each in found for part in ("where people can turn", "nothing limits") if part in each.what}


@pytest.mark.parametrize(
    ("more", "missing"),
    [
        ("", set()),
        ("GATE", {"where people can turn", "nothing limits"}),
        ("care: {field: content, warn: {grief: Death}}\n", {"where people can turn", "nothing limits"}),
        (EXPOSURE, {"where people can turn"}),
        ("GATEsupport: guide/consent.md\n", {"nothing limits"}),
        ("GATEcare: {support: {en: guide/consent.md}}\npace: {day_minutes: 60}\n", set()),
        (f"{CARE}support: guide/consent.md\n", set()),
    ],
)
def test_a_study_with_hard_content_is_warned_of_what_it_lacks(tmp_path: Path, more: str, missing: set[str]) -> None:
    assert warned(tmp_path, more) == missing


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de-AT"),
        ("de-CH", "de"),
        ("en-GB;q=0.4, de;q=0.8", "de"),
        ("fr", ""),
        ("", ""),
        (";;q=x,,*", ""),
        ("pt-BR", ""),
    ],
)
def test_support_is_chosen_by_country_then_by_language(asked: str, first: str) -> None:
    texts = dict.fromkeys(["", "de", "de-AT", "pt-PT"])
    found = support_for(texts, asked)  # type: ignore[arg-type]
    assert found[0] == first
    assert sorted(found) == sorted(texts)
