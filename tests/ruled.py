"""A small study about facts, for tests of rules between answers on page, API and sheet alike."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HEAD = """\
study: {name}
title: Facts
language: {language}
items:
  source: items.csv
  id: id
  system: model
  show:
    - text: {{field: text, label: Statement}}
assignment: {{per_item: 1000}}
"""
RIGHT = {"dimension": "right", "ask": "Is it true?", "yes_no": {}}
KINDS = {
    "dimension": "kinds",
    "title": "What is wrong",
    "tags": {"options": {"name": "A name", "date": "A date"}, "none": "Nothing"},
}
NOTE: dict[str, Any] = {"dimension": "note", "optional": True, "text": {}}
RULES = (
    {"allowed": "count(kinds) == 0", "when": "right == 1", "message": "What is true has no fault."},
    {"value": {"note": "ok"}, "when": "right == 1", "message": "Nothing to say."},
    {"value": {"kinds": ["date", "name"]}, "when": 'note == "both"', "message": "Both are wrong then."},
)


def ruled(
    name: str = "ruled",
    rubric: Sequence[Any] = (RIGHT, KINDS, NOTE),
    rules: Sequence[Any] = RULES,
    language: str = "en",
    **more: Any,
) -> Callable[[Path], None]:
    """An edit that puts this study in a template's place."""

    def edit(folder: Path) -> None:
        parts = {"rubric": rubric, "rules": rules, **more}
        said = "".join(f"{key}: {json.dumps(part)}\n" for key, part in parts.items())
        (folder / "study.yaml").write_text(HEAD.format(name=name, language=language) + said, "utf-8")
        rows = (f"f{number},m{number % 2},Statement {number}.\n" for number in range(1, 7))
        (folder / "items.csv").write_text("id,model,text\n" + "".join(rows), "utf-8")

    return edit


ASKED = (
    RIGHT,
    {**KINDS, "ask_when": "right == 0"},
    {
        "dimension": "grave",
        "title": "How bad",
        "ask": "How misleading is it?",
        "ask_when": "count(kinds) >= 1",
        "scale": {"from": 1, "to": 3, "anchors": {"1": "A slip", "2": "It matters", "3": "It turns the sense round"}},
    },
    {"dimension": "sure", "title": "Sure", "ask": "How sure are you?", "choice": {"yes": "Sure", "no": "Not sure"}},
    NOTE,
)
"""What is wrong is asked where something is, and how bad it is where that was named."""
