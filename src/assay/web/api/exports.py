"""Exports: the formats that there are for a study, the data in one of them, and the dictionary that explains these."""

from collections.abc import Callable
from pathlib import Path

from starlette.responses import Response

from assay.errors import AssayError
from assay.exchange import Export
from assay.exchange.whole_export import dictionary_of, file_name
from assay.kinds import EXPORTS
from assay.live.heavy_work import compute
from assay.ratings.export_dictionary import IN_FOLDER
from assay.store.coordinator.study_status import judges_have_judged
from assay.study import Study
from assay.web.api.endpoint import Answer, ApiCall, ApiEndpoint, Query, no_such_thing
from assay.web.file_answers import BYTES, file_answer


class FormatAnswer(Answer):
    """A format that suits the study."""

    format: str
    file: str
    """How its file is called; a folder comes as a zip file."""


class FormatsAnswer(Answer):
    """The formats that suit a study."""

    formats: list[FormatAnswer]


ANONYMOUS = Query(
    "anonymous",
    "For publishing: yes or no; left out: as the format does (huggingface: yes).",
    "",
    choices=("yes", "no"),
)


WHAT = Query(
    "what",
    "agreed: the values that were agreed on, in a format for tables (csv, jsonl, parquet, xlsx); left out: judgments.",
    "",
    choices=("agreed",),
)


async def formats(call: ApiCall) -> FormatsAnswer:
    """List the formats that suit the study."""
    study = await call.study()
    kinds: list[Export] = [kind() for kind in EXPORTS.values()]
    found = [FormatAnswer(format=each.kind, file=_file(each)) for each in kinds if not each.refuses(study)]
    return FormatsAnswer(formats=found)


def _file(kind: Export) -> str:
    return file_name(kind) if kind.suffix else f"{file_name(kind)}.zip"


async def export(call: ApiCall) -> Response:
    """Take judgments out in a format, as a file; a format of several files comes as a zip file.

    The dictionary that explains the columns is in the zip file, or at the address that the header `Link` names: kept
    beside the file under its own name, it has `assay agree` say what the report says. An anonymised export is a zip
    file with a report of what was changed.
    """
    kind, study = await _format_and_study(call)
    wanted = str(call.query["anonymous"])
    packed = bool(kind.suffix) and wanted == "yes"
    what = str(call.query["what"])
    name = f"{what}{kind.suffix or '.zip'}" if what else _file(kind)
    answer = await _file_of(
        call,
        study,
        "export",
        f"{name}.zip" if packed else name,
        lambda workshop: {"kind": kind.kind, "folder": workshop, "anonymous": wanted, "what": what},
    )
    if kind.suffix and not packed and not what:
        answer.headers["Link"] = f'<{call.request.url.path}/dictionary>; rel="describedby"; type="text/csv"'
    return answer


async def dictionary(call: ApiCall) -> Response:
    """Take out what every column of a format means: its type, its level and its values, as CSV."""
    kind, study = await _format_and_study(call)
    name = dictionary_of(Path(_file(kind))).name if kind.suffix else IN_FOLDER
    return await _file_of(
        call, study, "dictionary", name, lambda workshop: {"kind": kind.kind, "path": f"{workshop}/{name}"}
    )


async def paper(call: ApiCall) -> Response:
    """Take out what a paper needs of the report, as a zip file.

    It has every figure and table as SVG, PNG, PDF, CSV and LaTeX, captions, a methods paragraph and its sources. The
    server needs two libraries for it: pip install "assay-eval[paper]".
    """
    return await _file_of(
        call, await call.study(), "paper", "paper.zip", lambda workshop: {"path": f"{workshop}/paper.zip"}
    )


async def judge_cards(call: ApiCall) -> Response:
    """Take out a card for each automated judge as HTML and JSON, as a zip file.

    A card says what a judge may be used for, measured on what, for which rubric, and until when that holds.
    """
    name = "judge-cards.zip"
    if not await call.context.store.aread(judges_have_judged, call.bearer.study_id):
        raise no_such_thing("no automated judge has judged this study")
    return await _file_of(
        call, await call.study(), "judge_cards", name, lambda workshop: {"path": f"{workshop}/{name}"}
    )


async def _format_and_study(call: ApiCall) -> tuple[Export, Study]:
    """The format that the address names, and the study, which it suits."""
    name = call.path("format")
    if name not in EXPORTS:
        raise no_such_thing(f"there is no such format; formats: {', '.join(EXPORTS)}")
    kind: Export = EXPORTS[name]()
    study = await call.study()
    if why := kind.refuses(study):
        raise AssayError(f"{name} does not suit {study.study}: {why}", "GET exports lists the formats that do")
    return kind, study


async def _file_of(
    call: ApiCall, study: Study, work: str, name: str, values: Callable[[str], dict[str, str]]
) -> Response:
    """A file that is written for this answer, and goes away with it."""

    async def write(folder: Path) -> Path:
        store, study_id = call.context.store, call.bearer.study_id
        return Path(await compute(store, work, study_id, study, call.now, **values(str(folder))))

    return await file_answer(name, write)


ENDPOINTS = [
    ApiEndpoint("GET", "/studies/{study}/exports", "export", formats, FormatsAnswer),
    ApiEndpoint(
        "GET",
        "/studies/{study}/exports/{format}",
        "export",
        export,
        media_type=BYTES,
        heavy=True,
        query=(ANONYMOUS, WHAT),
    ),
    ApiEndpoint("GET", "/studies/{study}/paper", "export", paper, media_type=BYTES, heavy=True),
    ApiEndpoint("GET", "/studies/{study}/judge-cards", "export", judge_cards, media_type=BYTES, heavy=True),
    ApiEndpoint("GET", "/studies/{study}/exports/{format}/dictionary", "export", dictionary, media_type=BYTES),
]
