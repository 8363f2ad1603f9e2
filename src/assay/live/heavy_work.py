"""Heavy work in a process of its own: what computes for long here would hold up the pages of everybody.

It has its own connection, a lower priority and a limit of memory. A small study is computed here, which takes less time
than a process takes to start; but not what a paper needs: the library that makes its pictures stops all other threads.
"""

import asyncio
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from assay.errors import AssayError
from assay.exchange import AGREED, Export, agreed_rows
from assay.exchange.whole_export import file_name, write_dictionary_of_file, write_export, write_table
from assay.kinds import EXPORTS
from assay.live import child
from assay.live.export_data import export_data
from assay.live.judge_cards import cards_of_judges
from assay.live.report_data import gather_with_fieldwork
from assay.report.build import build
from assay.report.judge_card import card_files
from assay.report.paper.files import as_zip, paper_files
from assay.store import Backend, connect
from assay.store.annotator.versions import version_in_force
from assay.store.coordinator import flags
from assay.store.engine.backup import back_up
from assay.study import Study


def report(store: Backend, study_id: int, study: Study, now: int) -> str:
    """Every number of the report, as JSON."""
    data = gather_with_fieldwork(store, study_id, study, now, alarms=False)
    if not data.items:
        raise AssayError("the study has no items yet, so there is nothing to report", "take items in first")
    return build(data).json()


def page(store: Backend, study_id: int, study: Study, now: int, path: str) -> str:
    """Write the report as one HTML file; returns its path."""
    data = gather_with_fieldwork(store, study_id, study, now)
    if not data.items:
        raise AssayError("the study has no items yet, so there is nothing to report", "take items in first")
    Path(path).write_text(build(data).html(), "utf-8")
    return path


def paper(store: Backend, study_id: int, study: Study, now: int, path: str) -> str:
    """Write what a paper needs of the report as a zip file; returns its path."""
    data = gather_with_fieldwork(store, study_id, study, now)
    if not data.items:
        raise AssayError("the study has no items yet, so there is nothing to report", "take items in first")
    as_zip(paper_files(build(data)), Path(path))
    return path


def judge_cards(store: Backend, study_id: int, study: Study, now: int, path: str) -> str:
    """Write a card for each automated judge as a zip file; returns its path."""
    cards = cards_of_judges(store, study_id, study, now)
    if not cards:
        raise AssayError("no automated judge has judged this study", "take in what a judge gave first")
    as_zip(card_files(cards), Path(path), "judge-cards")
    return path


def export(
    store: Backend, study_id: int, study: Study, now: int, kind: str, folder: str, anonymous: str = "", what: str = ""
) -> str:
    """Write an export into a folder; returns the path of its file, which is a zip file where there are several.

    `anonymous` is yes, no, or nothing: as the format does; `what` is agreed, or nothing: the judgments.
    """
    format_: Export = EXPORTS[kind]()
    anonymised = format_.publishes if not anonymous else anonymous == "yes"
    inside = Path(folder) / "all-files"
    inside.mkdir()
    data = export_data(store, study_id, study, now, anonymised=anonymised)
    path = inside / (f"{what}{format_.suffix}" if what else file_name(format_))
    if what:
        write_table(format_, path, what, data, AGREED, agreed_rows(data.agreed))
    else:
        write_export(format_, data, path)
    if format_.suffix and anonymised:
        return shutil.make_archive(str(Path(folder) / "all"), "zip", inside)
    return str(path) if format_.suffix else shutil.make_archive(str(Path(folder) / "all"), "zip", path)


def dictionary(store: Backend, study_id: int, study: Study, now: int, kind: str, path: str) -> str:
    """Write what explains an export; returns its path."""
    format_: Export = EXPORTS[kind]()
    data = export_data(store, study_id, study, now)
    write_dictionary_of_file(format_, data, file_name(format_) if format_.suffix else "", Path(path))
    return path


def backup(store: Backend, study_id: int, study: Study, now: int, path: str) -> str:
    """Write a backup of the whole store; returns its path."""
    back_up(store, Path(path), now)
    return path


WORK: dict[str, Callable[..., str]] = {
    "report": report,
    "page": page,
    "paper": paper,
    "judge_cards": judge_cards,
    "export": export,
    "dictionary": dictionary,
    "backup": backup,
}


ALWAYS_APART = frozenset({"paper"})
"""What takes long however small the study is."""


async def compute(store: Backend, work: str, study_id: int, study: Study, now: int, **values: str) -> str:
    """Do one of the works, and return what it says. Raises AssayError where it cannot be done."""
    is_small = (await store.aread(flags.state_of_work, study_id))[0] <= child.MOST_HERE
    if is_small and work not in ALWAYS_APART:
        return await asyncio.to_thread(WORK[work], store, study_id, study, now, **values)
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*child.program("assay.live.heavy_work"), stdin=pipe, stdout=pipe)
    asked = {"database": store.address, "work": work, "study": study_id, "now": now, "values": values}
    try:
        said, _ = await process.communicate(json.dumps(asked).encode())
    finally:
        if process.returncode is None:
            process.kill()
    child.see_that_it_is_done(process.returncode)
    found = json.loads(said)
    if "what" in found:
        raise AssayError(found["what"], found["hint"])
    return str(found["said"])


def main() -> None:
    """The child process: it reads its order from standard input and writes its result to standard output, as JSON."""
    asked = json.loads(sys.stdin.read())
    child.stand_back()
    store = connect(asked["database"])
    try:
        study = store.read(version_in_force, asked["study"])
        found = {"said": WORK[asked["work"]](store, asked["study"], study, asked["now"], **asked["values"])}
    except AssayError as error:
        found = {"what": error.what, "hint": error.hint}
    finally:
        store.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
