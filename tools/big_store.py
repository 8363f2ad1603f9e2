"""A store with a great many judgments, made at once: what the benchmarks of reading and exporting measure."""

import json
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.store import Backend, open_store
from assay.store.coordinator.studies import publish
from assay.study import Study
from assay.study.load import load
from assay.study.templates import copy_template

T0 = 1_800_000_000_000


@dataclass(frozen=True)
class Big:
    """A filled store."""

    store: Backend
    study_id: int
    study: Study
    path: Path


def big_store(
    folder: Path, *, judgments: int = 1_000_000, people: int = 3, annotators: int = 500, grouped: bool = False
) -> Big:
    """A study of `route-planning` whose every item `people` of all annotators have judged on five dimensions."""
    place = folder / "study"
    copy_template("route-planning", place)
    text = (place / "study.yaml").read_text("utf-8")
    if not grouped:
        (place / "study.yaml").write_text(re.sub(r"\n *group: .*", "", text, count=1), "utf-8")
    study = load(place)
    store = open_store(str(folder / "assay.db"))
    study_id = store.write(publish, study, T0).id
    dimensions = [each.dimension for each in study.scored_dimensions if each.input.level == "ordinal"]
    items = judgments // (people * len(dimensions))
    fill(folder / "assay.db", study_id, study, dimensions, items, people, annotators)
    return Big(store, study_id, study, folder / "assay.db")


SHOWN = {"prompt": "Plan a way from here to there.", "response": "Turn left, then right."}


def fill(
    path: Path,
    study_id: int,
    study: Study,
    dimensions: list[str],
    items: int,
    people: int,
    crowd: int,
    content: Mapping[str, str] = SHOWN,
) -> None:
    """Write the rows past everything that usually stands before them, beside what nobody has judged yet."""
    rng = np.random.default_rng(1)
    quality = rng.normal(size=(items, 1, 1)) + 0.5 * rng.normal(size=(items, 1, len(dimensions)))
    scores = np.clip(np.round(quality + 0.8 * rng.normal(size=(items, people, len(dimensions))) + 3), 1, 5).astype(int)
    who = rng.integers(0, crowd, size=(items, 1)) + np.arange(people) * max(1, crowd // people)
    with sqlite3.connect(path) as db:
        db.execute("pragma synchronous=off")
        known = db.execute("select max(id) from annotator").fetchone()[0] or 0
        who = who % crowd + 1 + known
        first = (db.execute("select max(id) from item").fetchone()[0] or 0) + 1
        ids = range(first, first + items)
        db.executemany(
            "insert into annotator (id, study_id, name, created_at) values (?, ?, ?, ?)",
            ((n, study_id, f"annotator-{n:04}", T0) for n in range(known + 1, known + crowd + 1)),
        )
        shown = json.dumps(content)
        db.executemany(
            "insert into item (id, study_id, name, shown, words, lot, taken, wanted) values (?, ?, ?, ?, 9, ?, ?, ?)",
            ((i, study_id, f"item-{i:07}", shown, i * 7919 % 2**31, people, people) for i in ids),
        )
        db.executemany(
            'insert into item_hidden (item_id, "group", hidden, systems) values (?, ?, ?, ?)',
            ((i, f"scenario-{i // 4}", "{}", f'["system-{i % 4}"]') for i in ids),
        )
        db.execute("update item set group_number = (id / 4) + 1 where id >= ?", (first,))
        counts = ", ".join(f"{name} = {name} + ?" for name in ("item_count", "open_count", "annotator_count"))
        db.execute(f"update study set {counts}", (items, items, crowd))
        places = [(n, i, k) for n, i in enumerate(ids) for k in range(people)]
        db.executemany(
            "insert into assignment (id, study_id, annotator_id, item_id, position, public_id, submission_id, state, "
            "created_at) values (?, ?, ?, ?, ?, ?, ?, 'submitted', ?)",
            (
                (row + 1, study_id, int(who[n, k]), i, row + 1, f"p{row}", f"s{row:08}", T0)
                for row, (n, i, k) in enumerate(places)
            ),
        )
        db.executemany(
            "insert into submission (id, study_id, assignment_id, annotator_id, item_id, pass, revision, study_hash, "
            "consent, fingerprint, shown_at, submitted_at, active_ms) values (?, ?, ?, ?, ?, 1, 1, ?, '', '', ?, ?, ?)",
            (
                (f"s{row:08}", study_id, row + 1, int(who[n, k]), i, study.hash, T0 + row, T0 + row * 100, 20_000 + row)
                for row, (n, i, k) in enumerate(places)
            ),
        )
        db.executemany(
            "insert into judgment (submission_id, dimension, value) values (?, ?, ?)",
            (
                (f"s{row:08}", dimension, str(scores[n, k, d]))
                for row, (n, i, k) in enumerate(places)
                for d, dimension in enumerate(dimensions)
            ),
        )
        db.execute("insert into uncounted select id, study_id, item_id from submission")
        db.execute("analyze")
    db.close()
