"""The table of what is promised: made from what the tools have measured, and by tools that are there."""

import json
import re
import shlex
from datetime import date
from pathlib import Path

import pytest
from tools import promises
from tools.promises import EACH_RUN, PAGES, read, record, rendered, today

from tests.test_tools import BY_HAND

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_says_what_was_measured(page: Path) -> None:
    text = page.read_text("utf-8")
    assert rendered(text, read()) == text, "make docs writes it again"


def test_a_figure_that_was_changed_on_the_page_alone_is_noticed() -> None:
    text = PAGES[0].read_text("utf-8")
    assert rendered(text.replace(" 0 lost", " 1 lost"), read()) == text


def test_what_a_tool_records_has_its_day_and_stands_on_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.json"
    promise = {"promise": "nothing is lost", "figure": "not yet measured", "by": "python -m tools.kills", "date": ""}
    kept.write_text(json.dumps({"kills": promise}))
    for busy, said in ((False, "3 kills"), (True, "3 kills; with other work on the machine")):
        monkeypatch.setattr(promises, "others_at_work", lambda busy=busy: busy)
        record("kills", "3 kills", ("| kills |", "|---|"), kept=kept)
        line = f"| nothing is lost | {said} | `python -m tools.kills` | {today()} |"
        page = rendered("<!-- made: promises -->\nold\n<!-- end -->\n<!-- made: kills -->\n<!-- end -->\n", read(kept))
        assert line in page.splitlines()
        assert "<!-- made: kills -->\n| kills |\n|---|\n<!-- end -->" in page


def test_each_promise_is_kept_by_a_tool_that_is_tried_or_by_tests_that_are_there() -> None:
    tried = set()
    for name, each in read().items():
        if each.date == EACH_RUN:
            assert (ROOT / each.by).is_file(), f"{name}: {each.by}"
        else:
            date.fromisoformat(each.date)
            tool = shlex.split(each.by)[2].removeprefix("tools.")
            assert f'record("{name}"' in (ROOT / "tools" / f"{tool}.py").read_text("utf-8"), f"{tool} records nothing"
            tried.add(tool)
    assert tried == set(BY_HAND)


def test_a_thorough_run_measures_every_promise() -> None:
    recipe = re.search(r"^thorough:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert recipe
    assert "-m tools.promises --all" in recipe[1]
