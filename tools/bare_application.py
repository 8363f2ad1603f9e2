"""What a page and a save cost without everything that makes them Assay's: the same server, framework and store.

A page reads one row and sends it as HTML, a save inserts one row, and is answered after the commit. No login, no rules,
no next item to find. `tools/bench.py` measures it beside the program: nothing with this framework can be much faster.
Usage: python -m tools.bare_application DATABASE ITEMS
"""

import html
import sys
from itertools import cycle
from pathlib import Path
from urllib.parse import parse_qs

from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, bindparam, insert, select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tools.workload import REPLY, STATEMENT

from assay.server import listen, run_app
from assay.store.engine.backend import Backend
from assay.store.engine.prepared import Prepared
from assay.store.engine.sqlite import Sqlite

TABLES = MetaData()
ITEM = Table("item", TABLES, Column("id", Integer, primary_key=True), Column("shown", Text, nullable=False))
SUBMISSION = Table("submission", TABLES, Column("id", Integer, primary_key=True), Column("answers", Text))
ONE = Prepared(select(ITEM.c.shown).where(ITEM.c.id == bindparam("item")))
ADD = Prepared(insert(SUBMISSION).values(answers=bindparam("answers")))
PAGE = """<form action="/judge/{study}/submit/{item}"><input name="csrf" value=""><input name="study" value="">
{shown}</form>"""


def create_app(store: Backend, items: int) -> Starlette:
    """Two addresses, as much like the program's as their callers need."""
    numbers = cycle(range(1, items + 1))

    async def join(_: Request) -> Response:
        return Response(status_code=204)

    async def page(request: Request) -> Response:
        item, study = next(numbers), request.path_params["study"]
        row = await store.aread(ONE.row, item=item)
        return HTMLResponse(PAGE.format(study=study, item=item, shown=html.escape(row[0])))

    async def save(request: Request) -> Response:
        form = parse_qs((await request.body()).decode())
        await store.awrite_soon(ADD.run, answers=repr(form))
        return JSONResponse({"state": "open"})

    return Starlette(
        routes=[
            Route("/join", join, methods=["POST"]),
            Route("/judge/{study}", page, methods=["GET"]),
            Route("/judge/{study}/submit/{item}", save, methods=["POST"]),
        ]
    )


def fill(connection: Connection, items: int) -> None:
    """As many items as the study beside it has, with the same texts."""
    TABLES.create_all(connection)
    rows = ({"id": number, "shown": f"{STATEMENT}{number} {REPLY}"} for number in range(1, items + 1))
    Prepared(insert(ITEM)).run_many(connection, rows)


def main() -> None:
    path, items = Path(sys.argv[1]), int(sys.argv[2])
    store = Sqlite(path)
    store.write(fill, items)
    socket = listen("127.0.0.1", 0)
    print(f"http://127.0.0.1:{socket.getsockname()[1]}/join/", flush=True)
    run_app(create_app(store, items), socket)


if __name__ == "__main__":
    main()
