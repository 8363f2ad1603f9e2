"""Propose which entries of an item lie within others."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Folder, Json, folder_of, plural, print_json
from assay.errors import AssayError, ItemMistakes

if TYPE_CHECKING:
    from assay.items.entry_links import Link, LinkFile
    from assay.study import Study

WORDS = {True: "yes", False: "no", None: ""}


def run(
    where: Folder = Path(),
    file: Annotated[Path | None, typer.Option("--items", help="Another file than the study's own.")] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask about each one that nobody has answered yet.")] = False,
    as_json: Json = False,
) -> None:
    """Propose which entries of an item lie within others, by their wording, into the file that the study names.

    Whoever has a specific goal has the general one too: "Navigate to the inn at the mill" lies within "Find an inn".
    Nothing is taken for granted: a row acts at the next `assay import` once somebody has written yes into its column
    `confirmed`, there or with --ask. What was answered stays as it is.
    """
    from assay.items.entry_links import LinkFile, link_paths
    from assay.study import load

    study = load(where)
    paths = link_paths(study, folder_of(where))
    if not paths:
        hint = "write links: goal-links.csv below items.entries.NAME, and keep: [general]"
        raise AssayError("this study names no file for links between entries", hint)
    found = []
    for name, path in paths.items():
        settings = study.items.entries[name].links
        assert settings is not None
        links = LinkFile(path, settings)
        if path.is_file() and links.read().mistakes.count:
            raise ItemMistakes(links.mistakes.listed)
        new = _propose(study, file or folder_of(where) / study.items.source, name, links)
        links.links = [
            _ask_about_link(link) if ask and link.confirmed is None else link for link in [*links.links, *new]
        ]
        _write(path, links.links)
        found.append((name, links, len(new)))
    if as_json:
        print_json({name: _as_json(links, count) for name, links, count in found})
        return
    for name, links, count in found:
        _say(name, links, count)


def _propose(study: "Study", source: Path, name: str, links: "LinkFile") -> list["Link"]:
    """What is proposed for the items of a file and does not stand in the file of links yet."""
    from assay.items.judgment_fields import JudgmentsWanted
    from assay.items.link_proposals import unanswered_links
    from assay.items.reader import read_items

    rows = read_items(study, source, wanted=JudgmentsWanted(partial=True))
    items = [row.item for row in rows if row.item is not None]
    return [link for item in items for link in unanswered_links(links, item.id, item.shown[name])]


def _ask_about_link(link: "Link") -> "Link":
    print(f"\nWhoever has   {link.specific}\nhas got, too  {link.general}")
    answer = typer.prompt("yes, no, or later", default="later").strip().casefold()
    said = True if answer in ("y", "yes") else False if answer in ("n", "no") else None
    return replace(link, confirmed=said)


def _write(path: Path, links: Sequence["Link"]) -> None:
    from assay.exchange.atomic import atomic_text_file
    from assay.files.formulas import harmless_text
    from assay.items.entry_links import COLUMNS

    with atomic_text_file(path) as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for link in links:
            cells = (link.item, link.specific, link.general, WORDS[link.confirmed])
            table.writerow(map(harmless_text, cells))


def _as_json(links: "LinkFile", new: int) -> dict[str, object]:
    rows = [
        {"item": link.item, "specific": link.specific, "general": link.general, "confirmed": link.confirmed}
        for link in links.links
    ]
    return {"file": links.path.name, "new": new, "links": rows}


def _say(name: str, links: "LinkFile", new: int) -> None:
    of = {said: sum(link.confirmed is said for link in links.links) for said in WORDS}
    print(f"{name}: {plural(new, 'new proposal')}; {of[True]} confirmed, {of[False]} declined, {of[None]} open")
    item = ""
    for link in links.links:
        if link.confirmed is None:
            if link.item != item:
                print(f"  item {link.item}")
            item = link.item
            print(f"    {link.specific}  ->  {link.general}")
    if of[None]:
        print(f"Write yes or no into the column confirmed of {links.path.name}, or answer with `assay links --ask`.")
