"""A study of more than a thousand items: whatever is counted in thousands is written with its comma, everywhere."""

import csv
import io
import json
import random
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from html import escape
from pathlib import Path
from typing import Any

import pytest

from assay.cli import status
from assay.items.imported_judgments import ImportedAnswers
from assay.live import child, figures
from assay.model import Slot
from assay.simulate import Character, simulate
from assay.store import Backend
from assay.store.coordinator import imported_judgments, sheets
from tests.conftest import T0, Bench, make_bench
from tests.selection import first_of
from tests.web.annotator import edited
from tests.web.test_numbers_for_people import DAY, odd_numbers, pages_of
from tests.web.test_oversight import Coordinator

ITEMS = 1050


def many_replies(folder: Path) -> None:
    """The items of the empathy study, over and over."""
    with (folder / "items.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    known = {each["eval_id"]: each for each in json.loads((folder / "mapping.json").read_text("utf-8"))}
    rows = [row for row in rows if not known[row["eval_id"]].get("is_duplicate_of")]
    items, mapping = [], []
    for place in range(ITEMS):
        row, name = rows[place % len(rows)], f"emp-a{place}"
        items.append({**row, "eval_id": name, "response": f"{row['response']} ({name})"})
        group = f"{known[row['eval_id']]['sample_id']}x{place // len(rows)}"
        mapping.append({**known[row["eval_id"]], "eval_id": name, "sample_id": group})
    with (folder / "items.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, items[0].keys())
        out.writeheader()
        out.writerows(items)
    (folder / "mapping.json").write_text(json.dumps(mapping), "utf-8")


def many_pairs(folder: Path) -> None:
    """The dialogues, over and over."""
    known = json.loads((folder / "dialogues.json").read_text("utf-8"))
    found = [{**known[place % len(known)], "file": f"d-a{place}"} for place in range(ITEMS // 3)]
    (folder / "dialogues.json").write_text(json.dumps(found), "utf-8")


def judge_all(bench: Bench) -> None:
    """Two people in files, with a tendency to agree."""
    drawn = random.Random(1)
    names = sorted(bench.store.read(sheets.item_names, bench.study_id))
    slots = [Slot(each.dimension) for each in bench.study.scored_dimensions]
    scale: Sequence[Any] = ("a", "tie", "b") if bench.study.preference_dimensions else (1, 2, 3, 4, 5)
    quality = {name: drawn.randrange(len(scale)) for name in names}
    for who in ("ana", "ben"):
        said = []
        for name in names:
            near = [min(len(scale) - 1, max(0, quality[name] + drawn.choice((-1, 0, 0, 1)))) for _ in slots]
            values = {slot: scale[place] for slot, place in zip(slots, near, strict=True)}
            said.append((name, ImportedAnswers(who, False, values)))
        bench.store.write(imported_judgments.add, bench.study_id, bench.study, said, T0)


def said_by_status(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> str:
    """What `assay status` prints, as if it were a page."""
    printed = io.StringIO()
    monkeypatch.setattr(status, "open_study", lambda *_: nullcontext(bench))
    monkeypatch.setattr(status, "now", bench.clock)
    with redirect_stdout(printed):
        status.run()
    return escape(printed.getvalue())


LARGE = {"empathy": (many_replies, 30), "dialog-pairs": (many_pairs, 1010)}
"""How items become many, and how many of them somebody judges on the page."""


@pytest.mark.parametrize("template", first_of(("empathy",), ("dialog-pairs",), "on another template"))
def test_thousands_have_a_comma_on_every_page(
    template: str, sqlite_store: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more, here = LARGE[template]

    def edit(folder: Path) -> None:
        more(folder)
        edited(per_item="3")(folder)

    monkeypatch.setattr(child, "MOST_HERE", 10**9)  # no other process, which would outlive the test
    bench = make_bench(sqlite_store, tmp_path / "study", template, edit=edit)
    judge_all(bench)
    simulate(bench.store, bench.study.study, [Character("cem", items=here)], seed=1, start=T0)
    bench.clock.now = T0 + 30 * DAY
    figures.refresh(bench.store, bench.study_id, bench.study, bench.clock())
    pages = pages_of(Coordinator(bench))
    odd = odd_numbers(bench, {**pages, "status": said_by_status(bench, monkeypatch)})
    assert odd == [], "\n".join(map(str, odd))
