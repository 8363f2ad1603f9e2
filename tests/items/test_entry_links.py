"""Entries that lie within others: what their wording suggests, what a person has confirmed, and what follows."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError, ItemMistakes
from assay.items.entry_links import Link, LinkFile, read_links
from assay.items.import_summary import ImportSummary
from assay.items.link_proposals import propose, unanswered_links
from assay.items.reader import read_items
from assay.study import Study
from assay.study.items import EntryLinks
from assay.study.templates import copy_template
from tests.judgments import studies
from tests.servers import ASSAY, command

HEAD = "item,specific,general,confirmed\n"
INN, CHEAP, MILL = "Find an inn", "Find an inn with a terrace", "Navigate to the Mill Inn"
TOLL = "Avoid toll roads"


def a_study(**links: Any) -> Study:
    """Logs without a word on which goal lies within which, as assistants' logs are."""
    entries = {"from_": "targets", "keep": ["general"], "links": links or "links.csv"}
    items = {"source": "items.jsonl", "id": "id", "entries": {"goals": entries}, "show": [{"text": {"field": "said"}}]}
    goal = {"dimension": "goal", "of": "entries(goals)", "yes_no": {}}
    return studies.a_study(goal, items=items, rules=[{"value": {"goal": 1}, "when": "implied(general, goal == 1)"}])


def folder_with(folder: Path, links: str, *goals: str) -> Path:
    targets = {text: {"status": 1} for text in goals or (INN, CHEAP, MILL, TOLL)}
    (folder / "items.jsonl").write_text(json.dumps({"id": "i1", "said": "Hello.", "targets": targets}), "utf-8")
    (folder / "links.csv").write_text(HEAD + links, "utf-8")
    return folder


def shown(folder: Path) -> dict[str, Any]:
    study = a_study()
    [row] = read_items(study, folder / "items.jsonl", links=read_links(study, folder))
    assert row.item is not None
    return row.item.shown


def pairs(*texts: str) -> list[tuple[str, str]]:
    return [link.pair for link in propose("i1", texts)]


@pytest.mark.parametrize(
    ("specific", "general"),
    [
        (CHEAP, INN),
        (MILL, INN),
        ("Navigate to the zoo by noon", "Navigate to the zoo"),
        ("Start navigation to the zoo", "Navigate to the zoo"),
        ("Replace the current destination with the zoo", "Navigate to the zoo"),
        ("Give directions to the nearest bakery", "Find a bakery"),
        ("Show the zoo and the lake on screen", "Show the lake on screen"),
        ("Find other inns nearby", INN),
    ],
)
def test_the_wording_suggests_that_a_goal_lies_within_another(specific: str, general: str) -> None:
    assert pairs(general, specific) == [(specific, general)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Navigate to the zoo by noon", "Navigate to the zoo by four"),
        ("Navigate to the zoo", "Find parking near the zoo"),
        ("Call the inn", INN),
        ("Find a restaurant in Ulm", "Navigate to the restaurant at the pier"),
        ("Avoid motorways", TOLL),
    ],
)
def test_goals_that_only_share_words_are_not_proposed(one: str, other: str) -> None:
    assert pairs(one, other) == pairs(other, one) == []


def test_what_follows_from_two_others_is_proposed_only_once_one_of_them_is_declined() -> None:
    texts = (INN, CHEAP, f"{CHEAP} and a garden")
    assert pairs(*texts) == [(CHEAP, INN), (texts[2], CHEAP)]
    declined = [(texts[2], CHEAP)]
    assert [link.pair for link in propose("i1", texts, declined)] == [(CHEAP, INN), (texts[2], INN)]


def test_only_what_somebody_has_confirmed_acts(tmp_path: Path) -> None:
    rows = f"i1,{CHEAP},{INN},Yes\ni1,{MILL},{CHEAP},no\ni1,{MILL},{INN},\nelsewhere,{MILL},{INN},yes\n"
    goals = shown(folder_with(tmp_path, rows))["goals"]
    assert [each.get("general") for each in goals] == [None, [INN], None, None]


def test_a_goal_that_is_done_makes_all_done_that_lie_within_it(tmp_path: Path) -> None:
    goals = shown(folder_with(tmp_path, f"i1,{MILL},{CHEAP},yes\ni1,{CHEAP},{INN},yes\ni1,{MILL},{TOLL},yes\n"))
    ids = {each["text"]: each["id"] for each in goals["goals"]}
    found = studies.read(a_study(), {f"goal.{ids[MILL]}": 1}, goals)
    assert found == {f"goal.{each}": 1 for each in ids.values()}


def test_a_link_of_the_item_itself_stays_beside_those_of_the_file(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, f"i1,{MILL},{CHEAP},yes\n")
    targets = {INN: {}, CHEAP: {}, MILL: {"general": INN}}
    (folder / "items.jsonl").write_text(json.dumps({"id": "i1", "said": "Hello.", "targets": targets}), "utf-8")
    assert shown(folder)["goals"][2]["general"] == [INN, CHEAP]


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        (f"i1,{MILL},{INN},perhaps\n", "links.csv: row 2, column confirmed: 'perhaps' is neither yes nor no"),
        (f"i1,{MILL},Find a barn,yes\n", "links.csv: row 2: item i1 has nothing that is called 'Find a barn'"),
        (f"i1,{MILL},{INN},yes\ni1,{INN},{MILL},yes\n", f"links.csv: row 2: {MILL!r} lies within itself"),
    ],
)
def test_a_row_that_cannot_be_is_refused_by_its_number(tmp_path: Path, rows: str, what: str) -> None:
    with pytest.raises(ItemMistakes) as refused:
        shown(folder_with(tmp_path, rows))
    assert what.replace("'", '"') in str(refused.value).replace("'", '"')


def test_a_file_without_its_columns_or_without_itself_is_refused(tmp_path: Path) -> None:
    folder_with(tmp_path, "")
    (tmp_path / "links.csv").write_text(f"item,general\ni1,{INN}\n", "utf-8")
    with pytest.raises(ItemMistakes, match="there is no column 'specific'"):
        shown(tmp_path)
    (tmp_path / "links.csv").unlink()
    with pytest.raises(AssayError, match=r"there is no file links\.csv") as refused:
        read_links(a_study(), tmp_path)
    assert "assay links" in refused.value.hint


def test_the_field_that_links_are_read_into_must_be_kept() -> None:
    with pytest.raises(ValueError, match="'wider', which is not kept"):
        a_study(file="links.csv", as_="wider")


def test_the_plan_says_what_is_confirmed_and_what_nobody_has_answered(tmp_path: Path) -> None:
    study, folder = a_study(), folder_with(tmp_path, f"i1,{CHEAP},{INN},yes\n")
    links = read_links(study, folder)
    summary = ImportSummary(study, links)
    for row in read_items(study, folder / "items.jsonl", links=links):
        summary.add(row)
    assert "linked:    goals: 1 confirmed in links.csv" in list(summary.lines())
    [warning] = [each for each in summary.warnings() if "lie within" in each]
    assert warning.startswith("1 time one of an item's goals seems to lie within another")


def test_what_was_answered_is_not_proposed_again() -> None:
    file = LinkFile(Path("links.csv"), EntryLinks(file="links.csv"), [Link("i1", CHEAP, INN, False)])
    entries = [{"text": text} for text in (INN, CHEAP, MILL)]
    assert [link.pair for link in unanswered_links(file, "i1", entries)] == [(MILL, INN), (MILL, CHEAP)]
    assert [link.pair for link in unanswered_links(file, "i2", entries)] == [(CHEAP, INN), (MILL, CHEAP)]


def test_the_command_proposes_keeps_what_was_answered_and_the_import_acts_on_it(tmp_path: Path) -> None:
    copy_template("in-car", tmp_path / "study")
    file = tmp_path / "study" / "goal-links.csv"
    answered = file.read_text("utf-8")
    done = command("links", str(tmp_path / "study"))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "goals: 0 new proposals; 2 confirmed, 4 declined, 0 open\n"
    assert file.read_text("utf-8") == answered
    file.write_text(answered.replace(",yes", ","), "utf-8")
    said = command("links", str(tmp_path / "study"), "--json")
    assert [each["confirmed"] for each in json.loads(said.stdout)["goals"]["links"]].count(None) == 2
    ask = [*ASSAY, "links", tmp_path / "study", "--ask"]
    asked = subprocess.run(ask, input="yes\nlater\n", capture_output=True, text=True, check=True)
    assert "goals: 0 new proposals; 1 confirmed, 4 declined, 1 open" in asked.stdout
    taken = command("import", str(tmp_path / "study"))
    assert "linked:    goals: 1 confirmed in goal-links.csv" in taken.stdout


def test_a_study_without_a_file_for_links_says_how_to_name_one(tmp_path: Path) -> None:
    copy_template("empathy", tmp_path / "study")
    refused = command("links", str(tmp_path / "study"))
    assert refused.returncode == 1
    assert "names no file for links" in refused.stderr
    assert "links: goal-links.csv" in refused.stderr
