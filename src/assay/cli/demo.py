"""Show the program with a filled sample study."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import by, now, open_study
from assay.cli.report import write
from assay.errors import AssayError


def run(
    template: Annotated[str, typer.Option(help="Which template.")] = "empathy",
    folder: Annotated[Path | None, typer.Option(help="Keep the demo here. Default: a temporary folder.")] = None,
    port: Annotated[int, typer.Option(help="The port; a free one is taken if it is in use.", min=0, max=65535)] = 8000,
) -> None:
    """Show the program: a sample study, filled by simulated annotators, served on this machine only."""
    if folder is not None:
        _demo(template, folder, port, temporary=False)
        return
    with tempfile.TemporaryDirectory(prefix="assay-demo-") as made:
        _demo(template, Path(made) / template, port, temporary=True)


def _demo(template: str, folder: Path, port: int, *, temporary: bool) -> None:
    from assay import acts
    from assay.bots import Character
    from assay.items.entry_links import read_links
    from assay.items.item_pictures import pictures_folder
    from assay.items.reader import read_items
    from assay.server import listen, serve
    from assay.simulate import simulate
    from assay.study.templates import copy_template, template_names

    if template not in template_names():
        raise AssayError(f"there is no template {template!r}", f"templates: {', '.join(template_names())}")
    if folder.exists() and any(folder.iterdir()):
        raise AssayError(f"{folder} is there already and not empty", "name a new folder")
    copy_template(template, folder)
    with open_study(folder, None) as at:
        source = folder / at.study.items.source
        links = read_links(at.study, folder)
        rows = read_items(at.study, source, pictures=pictures_folder(at.study, folder), links=links)
        added = at.store.write(acts.take_in, by(at, "", ""), at.study, rows, [], folder).items.added
        share = round(added * 0.8)
        bots = [
            Character(f"bot{number}", skill, bias, 1.0, share)
            for number, (skill, bias) in enumerate(
                [(0.85, 0.02), (0.75, -0.05), (0.8, 0.0)][: at.study.assignment.annotators_of_item(3)], 1
            )
        ]
        print(f"Filling the study with {len(bots)} simulated annotators ...", flush=True)
        simulate(at.store, at.study.study, bots, seed=at.study.seed, start=now() - 6 * 60 * 60 * 1000)
        write(at, folder / "report.html")
        socket = listen("127.0.0.1", port, or_any=True)
        address = f"http://127.0.0.1:{socket.getsockname()[1]}"
        [(_, annotator)] = at.store.write(acts.invite, by(at, "", ""), [], pseudonyms=["guest"])
        coordinator = at.store.write(acts.invite_other, by(at, "", ""), at.study, "coordinator")
        print(f"\n{at.study.title}\n")
        print(f"  judge as an annotator:  {address}/join/{annotator}")
        print(f"  see it as coordinator:  {address}/join/{coordinator}")
        print(f"  the report so far:      {folder / 'report.html'}")
        print("\nStop with Ctrl-C.", flush=True)
        serve(at.store, socket)
    if temporary:
        print("The demo's folder is removed; `assay demo --folder DIR` keeps one.")
