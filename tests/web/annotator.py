"""What the tests of the web share: an annotator without scripts, and a look into the store behind the pages."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, or_, select, update
from starlette.testclient import TestClient

from assay.store import Backend
from assay.store.tables import annotator as annotators
from assay.store.tables import item, judgment, metadata, person, submission
from tests import pages
from tests.conftest import Bench

SCRIPT = {"Accept": "application/json"}
"""How a script asks; a person's browser asks for a page."""


class Annotator:
    """Somebody with a personal link and a browser without scripts."""

    def __init__(self, bench: Bench, name: str = "ana", client: TestClient | None = None) -> None:
        self.bench = bench
        self.name = name
        self.client = client or bench.client()
        self.home = f"/judge/{bench.study.study}"

    def enter(self) -> Any:
        return pages.enter(self.client, self.bench.link(self.name))

    def begin(self) -> "Annotator":
        """Enter and pass every gate: the first item is open then."""
        self.enter()
        pages.pass_gates(self.client, self.bench.study)
        return self

    def page(self) -> str:
        return str(self.client.get(self.home).text)

    def form(self) -> tuple[str, dict[str, str]]:
        return pages.item_form(self.page())

    def submit(self, answers: dict[str, Any] = pages.SCORES, **changes: Any) -> Any:
        """Send the form of the current item, as a person does: by the button, without scripts."""
        address, hidden = self.form()
        return self.client.post(address, data={**hidden, **answers, **changes})

    def send(self, address: str, form: dict[str, Any]) -> Any:
        """Send a form, as the page's script does."""
        return self.client.post(address, data=form, headers=SCRIPT)


def rows(store: Backend, table: Table) -> list[dict[str, Any]]:
    """A whole table."""
    return store.read(lambda connection: [dict(row._mapping) for row in connection.execute(select(table))])


def everything(store: Backend) -> dict[str, list[tuple[Any, ...]]]:
    """All that is stored, to see whether a request changed anything."""

    def ask(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
        # As the database has it, and all tables at one time: hundreds of tests look at everything, twice.
        found = {name: connection.exec_driver_sql(f'select * from "{name}"') for name in metadata.tables}
        return {name: sorted(map(tuple, stored), key=repr) for name, stored in found.items()}

    return store.read(ask)


def change(store: Backend, table: Table, *which: Any, **values: Any) -> None:
    def act(connection: Connection) -> None:
        connection.execute(update(table).where(*which).values(**values))

    store.write(act)


def submissions(store: Backend, name: str) -> list[dict[str, Any]]:
    """What one annotator has submitted, by name or pseudonym, with the answers, in order."""

    def ask(connection: Connection) -> list[dict[str, Any]]:
        apart = select(person.c.annotator_id).where(person.c.name == name)
        who = or_(annotators.c.name == name, annotators.c.id.in_(apart))
        mine = select(submission, item.c.name.label("item")).join(item, item.c.id == submission.c.item_id)
        mine = mine.join(annotators, annotators.c.id == submission.c.annotator_id).where(who)
        found = [dict(row._mapping) for row in connection.execute(mine.order_by(submission.c.submitted_at))]
        for each in found:
            given = connection.execute(select(judgment).where(judgment.c.submission_id == each["id"]))
            each["answers"] = {row.dimension: json.loads(row.value) for row in given}
        return found

    return store.read(ask)


def edited(**lines: str) -> Callable[[Path], None]:
    """An edit of the study file: whole lines, by the words that they begin with."""

    def edit(folder: Path) -> None:
        path = folder / "study.yaml"
        text = path.read_text("utf-8").splitlines()
        for key, value in lines.items():
            at = next(index for index, line in enumerate(text) if line.strip().startswith(f"{key}:"))
            indent = text[at][: len(text[at]) - len(text[at].lstrip())]
            text[at] = f"{indent}{key}: {value}"
        path.write_text("\n".join(text) + "\n", "utf-8")

    return edit


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_csv(path: Path, found: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(found[0]))
        writer.writeheader()
        writer.writerows(found)


def with_items(count: int) -> Callable[[Path], None]:
    """An edit that keeps only the first items, so that a test can come to the end."""

    def edit(folder: Path) -> None:
        write_csv(folder / "items.csv", read_csv(folder / "items.csv")[:count])

    return edit
