"""Look at the annotator's screens."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, note
from assay.errors import AssayError


def run(
    where: Folder = Path(),
    port: Annotated[int, typer.Option(help="The port; a free one is taken if it is in use.", min=0, max=65535)] = 8100,
    panel: Annotated[
        str, typer.Option(help="Come in as this panel would send somebody: prolific, mturk, sona or generic.")
    ] = "",
    database: Database = None,
) -> None:
    """Look at the annotator's screens as they are now; nothing is stored.

    The page loads again whenever a file of the study is saved. Phone width and both themes are one click away. It is
    the same program that annotators get, on a store that is thrown away, for this machine only. With --panel one comes
    by the panel's address, passes the gates, judges some items and gets back with the code of `panel.yaml`; the panel
    itself is never asked. What it says of blinding is about the items that are stored, where some are, else about those
    of the study's file; the store is only read.
    """
    from assay.server import listen, run_app
    from assay.study.load import study_file
    from assay.web.preview import preview_app
    from assay.web.preview_panel import known_panel

    if not study_file(where).is_file():
        raise AssayError(
            f"there is no study file {study_file(where)}", "`assay init empathy DIR` writes a study to begin with"
        )
    print("Reading the study ...", flush=True)
    socket = listen("127.0.0.1", port, or_any=True)
    base = f"http://127.0.0.1:{socket.getsockname()[1]}"
    app, folder = preview_app(where, known_panel(panel) if panel else "", base, database or "")
    with folder:
        if port and socket.getsockname()[1] != port:
            print(f"Port {port} is in use; another one is taken.")
        print(f"Preview: http://127.0.0.1:{socket.getsockname()[1]}/", flush=True)
        for warning in app.shown.warnings:
            note(f"warning: {warning}")
        print("It follows the files as you save them. Stop with Ctrl-C.", flush=True)
        run_app(app, socket)
        app.shown.close()
    print("\nStopped. Nothing was stored.")
