"""Take items in."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json


def run(
    where: Folder = Path(),
    file: Annotated[Path | None, typer.Option("--items", help="Another file than the study's own.")] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Take items in: all of them, or none and a list of what is wrong. The same file a second time changes nothing."""
    from collections.abc import Iterator

    from assay.cli.common import opened, print_json, progress
    from assay.items import read_items
    from assay.model import Item
    from assay.store import items

    with opened(where, database) as at:
        path = file or at.folder / at.study.items.source
        systems: dict[str, int] = {}
        hidden: dict[str, None] = {}

        def counted() -> Iterator[Item]:
            for number, item in enumerate(read_items(at.study, path), start=1):
                systems[item.system] = systems.get(item.system, 0) + 1
                hidden.update(dict.fromkeys(item.hidden))
                show(number)
                yield item

        with progress("Reading items", None) as show:
            done = at.store.write(items.add, at.study_id, counted(), at.study.seed)
        if as_json:
            print_json({"added": done.added, "known": done.known, "systems": systems, "hidden": list(hidden)})
            return
        things = "item" if done.added == 1 else "items"
        print(
            f"{path.name}: {done.added} {things} taken in"
            + (f", {done.known} were there already" if done.known else "")
        )
        print(f"  shown:   {', '.join(at.study.items.shown_fields)}")
        print(f"  hidden:  {', '.join(hidden) or 'nothing'} (will not reach the browser)")
        if at.study.items.system:
            print(f"  systems: {', '.join(f'{name} ({count})' for name, count in sorted(systems.items()))}")
