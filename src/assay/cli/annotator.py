"""Deal with one annotator."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from assay.cli.common import Database, Folder, Reason, Who, by, open_study
from assay.errors import AssayError

What = Literal["pause", "resume", "release", "exclude", "include", "message", "note", "dismiss", "reopen"]


def run(
    name: Annotated[str, typer.Argument(help="The annotator's name or pseudonym.", metavar="NAME")],
    what: Annotated[What, typer.Argument(help="What to do.")],
    where: Folder = Path(),
    reason: Reason = "",
    words: Annotated[
        str, typer.Option("--words", help="With message: what the person reads; with note: what is kept.")
    ] = "",
    reassign: Annotated[
        bool,
        typer.Option("--reassign", help="With exclude: give every place to others; the items are unfinished again."),
    ] = False,
    monitor: Annotated[str, typer.Option("--monitor", help="With dismiss: which monitor's flag.")] = "",
    item: Annotated[str, typer.Option("--item", help="With reopen: the id of the item.")] = "",
    pass_: Annotated[
        int, typer.Option("--pass", help="With reopen: 2 for the second time that an item came.", min=1)
    ] = 1,
    who: Who = "",
    database: Database = None,
) -> None:
    """Deal with one annotator. Each step is recorded with who, when and why, and deletes nothing.

    pause: no new items until resume. release: their part is over, and what they have not judged goes to others.
    exclude: the report leaves them out and says so; with --reassign their part is over, and others judge their items.
    include: it counts them again. message: a page that they read once before they go on. note: is kept in the record,
    and they never see it. dismiss: a flag was looked into, and nothing is wrong. reopen: they can change one item that
    they have submitted, once, also where nobody goes back; what they submitted first is kept.
    """
    from assay import acts
    from assay.acts.annotators import CHANGES

    with open_study(where, database) as at:
        acting = by(at, reason, who)
        places: int | None = None
        if what == "message":
            at.store.write(acts.send_message, acting, name, words)
        elif what == "note":
            at.store.write(acts.keep_note, acting, name, words)
        elif what == "dismiss":
            at.store.write(acts.dismiss_flag, acting, name, monitor)
        elif what == "reopen":
            at.store.write(acts.reopen_item, acting, name, item, pass_)
        else:
            if reassign and what != "exclude":
                raise AssayError(f"--reassign goes with exclude, not with {what}", "leave it out")
            act = partial(acts.exclude, reassign=reassign) if what == "exclude" else CHANGES[what]
            places = at.store.write(act, acting, name)
    said = {
        "pause": "gets no new items until `resume`.",
        "resume": "goes on.",
        "release": "is released; what was not judged goes to others.",
        "exclude": "is left out of the report. The judgments stay in the data."
        + (f" {places} of their places go to others." if reassign else ""),
        "include": "counts in the report again."
        + (f" {places} of their places have gone to others, who keep them." if places else ""),
        "note": "has a note in the record, which they never see.",
        "message": "will read it before the next item.",
        "reopen": f"can change item {item} once more, and reads so before the next item.",
        "dismiss": f"has one flag less: {monitor.replace('_', ' ')} is dismissed.",
    }
    print(f"{name} {said[what]}")
