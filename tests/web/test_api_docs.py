"""The page about the API names every address, with its scope, and every key that changes the study."""

import re
from pathlib import Path

from assay.web import api
from assay.web.api.erasures import Erasing
from assay.web.api.studies import StudyChange

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
WITHIN = "/studies/{study}"
ELSEWHERE = {("GET", "/openapi.json", "anyone"), ("GET", "/studies", "read")}
"""What the page says beside its table."""


def listed() -> set[tuple[str, str, str]]:
    """Method, address and scope of every line of the table."""
    rows = re.findall(r"^\| (`(?:GET|POST|PATCH)[^|]*`) \| (\w+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    named = [(each, scope) for addresses, scope in rows for each in re.findall("`([^`]+)`", addresses)]
    found = set()
    for each, scope in named:
        method, _, address = each.partition(" ")
        found.add((method, WITHIN + address.partition("?")[0].replace("{id}", "{public_id}"), scope))
    return found


def test_every_address_stands_on_the_page_with_its_scope_and_no_other() -> None:
    offered = {(each.method, each.path, each.scope) for each in api.ENDPOINTS} - ELSEWHERE
    assert listed() == offered
    text = PAGE.read_text("utf-8")
    assert all(f"/api/v1{address}" in text for _, address, _ in ELSEWHERE)


def test_the_page_names_the_keys_by_which_a_study_is_changed_and_somebody_erased() -> None:
    lines = PAGE.read_text("utf-8").splitlines()
    changed = next(line for line in lines if line.startswith("| `PATCH` |"))
    assert [key for key in StudyChange.model_fields if f'"{key}"' not in changed] == []
    erased = next(line for line in lines if "/erase` |" in line)
    assert [key for key in Erasing.model_fields if f'"{key}"' not in erased] == []
