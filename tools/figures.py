"""Every figure of every template, filled by bots: pages to look at while figures are worked on.

    python tools/figures.py FOLDER [template ...]

writes FOLDER/<template>.html, with links as a coordinator's page has them.
"""

import sys
import time
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, select, update

from assay import acts
from assay.bots import Character
from assay.items.reader import read_items
from assay.live.figures import figure_data
from assay.report.figures import PARTS, FigureData, Nothing, all_figures, css, draw
from assay.simulate import simulate
from assay.store import Backend, open_store
from assay.store.annotator.session_lifetime import DAY
from assay.store.coordinator import imported_judgments, imports, studies
from assay.store.coordinator.record import By
from assay.store.tables import submission
from assay.study import Study, load
from assay.study.templates import copy_template, template_names

T0 = 1_800_000_000_000
CAST = (
    Character("ana"),
    Character("ben", bias=0.2, speed=3),
    Character("cem", skill=0.4, drift=0.4),
    Character("dora", line=0.6, spread=0.5),
    Character("eli", items=7),
)
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Figures: {name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
:root {{ color-scheme: light dark; --bg: #f7f7f5; --text: #1b1b1a }}
@media (prefers-color-scheme: dark) {{ :root {{ --bg: #151614; --text: #ecece8 }} }}
body {{ margin: 0 auto; max-width: 60rem; padding: 16px; background: var(--bg); color: var(--text);
font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif }}
{css}</style></head><body><main><h1>{name}</h1>{body}</main></body></html>
"""


def note_devices(connection: Connection) -> None:
    """Bots press no keys: say of their submissions how they might have been given."""
    rows = connection.execute(select(submission.c.id, submission.c.active_ms)).all()
    for number, (name, _) in enumerate(rows):
        how = ("with:5/0/wide", "with:1/4/wide", "with:0/5/narrow")[number % 7 // 3]
        text = f'[[0,"visible"],[1,"focus"],[900,"{how}"]]'
        connection.execute(update(submission).where(submission.c.id == name).values(events=text))


def filled(name: str, folder: Path) -> tuple[Backend, int, Study]:
    """A template that bots have worked on, the last item of some still to come."""
    copy_template(name, folder)
    store, study = open_store(str(folder / "assay.db")), load(folder)
    study_id = store.write(studies.publish, study, T0).id
    items = list(read_items(study, folder / study.items.source))
    store.write(imports.take_in, study_id, study, items, folder)
    judged = [(each.name, one) for each in items for one in each.judgments if one.judge]
    store.write(imported_judgments.add, study_id, study, judged, T0)
    store.write(acts.invite, By(study_id, "test", T0), [], pseudonyms=["fay", "gus"])
    cast = list(CAST[: max(3, study.assignment.per_item + 2)])
    simulate(store, study.study, cast, seed=1, start=T0)
    if study.analysis.pilot is not None:
        store.write(acts.keep_pilot_decision, By(study_id, "tool", T0), {"verdict": "go"}, opens=True)
        simulate(store, study.study, cast, seed=1, start=T0 + 2 * DAY)
    store.write(note_devices)
    return store, study_id, study


def page(name: str, data: FigureData) -> str:
    """All figures of one study."""
    parts = []
    for part, title in PARTS.items():
        parts.append(f"<h2>{title}</h2>")
        for figure in all_figures(part):  # type: ignore[arg-type]
            began = time.perf_counter()
            numbers = figure.numbers(data)
            computed = time.perf_counter()
            parts.append(draw(figure, numbers, lambda item: f"#item={quote(item)}"))
            ended = time.perf_counter()
            took = f"{1000 * (computed - began):6.0f} ms to compute, {1000 * (ended - computed):4.0f} ms to draw"
            print(f"  {figure.kind:18} {took}  {numbers.nothing if isinstance(numbers, Nothing) else ''}", flush=True)
    return PAGE.format(name=name, css=css(), body="\n".join(parts))


def main(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or template_names():
        print(name, flush=True)
        place = folder / "studies" / name
        if (place / "assay.db").exists():
            store, study = open_store(str(place / "assay.db")), load(place)
            study_id = store.read(studies.find, study.study)[0]
        else:
            store, study_id, study = filled(name, place)
        (folder / f"{name}.html").write_text(page(name, figure_data(store, study_id, study, T0)), "utf-8")
        store.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
