"""What a coordinator takes out by the page: the report, the data in every format, and a backup."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.responses import Response

from assay.errors import AssayError, NotFound
from assay.exchange import Export
from assay.exchange.whole_export import file_name
from assay.kinds import EXPORTS
from assay.live import heavy_work
from assay.report.hidden_results import are_hidden
from assay.store.coordinator import studies
from assay.web.access import Call, Endpoint, Refused
from assay.web.coordinator import manage
from assay.web.coordinator.common import study_of
from assay.web.file_answers import file_answer
from assay.words import Translatable

HIDDEN = "this study is blind: its data tell how systems compare, and can be taken out when it is closed"


async def report(call: Call) -> Response:
    """The report as one HTML file."""
    name = f"report-{call.session.study}.html"

    async def write(folder: Path) -> Path:
        study = await study_of(call)
        at = (call.session.study_id, study, call.now)
        return Path(await heavy_work.compute(call.context.store, "page", *at, path=str(folder / name)))

    return await _download(call, name, write)


async def export(call: Call) -> Response:
    """The data in one format: the judgments, or the values that were agreed on."""
    wanted = call.request.query_params.get("format", "")
    if wanted not in EXPORTS:
        raise NotFound(Translatable("errors.no_page"))
    kind: Export = EXPORTS[wanted]()
    said = call.request.query_params.get("anonymous", "")
    anonymous = said if said in ("yes", "no") else ""
    what = "agreed" if call.request.query_params.get("what") == "agreed" else ""
    plain = f"{what}{kind.suffix}" if what else file_name(kind)
    name = plain if kind.suffix and anonymous != "yes" else f"{plain}.zip"

    async def write(folder: Path) -> Path:
        study = await study_of(call)
        if why := kind.refuses(study):
            raise AssayError(f"{wanted} does not suit this study: {why}")
        asked = {"kind": wanted, "folder": str(folder), "anonymous": anonymous, "what": what}
        store, study_id = call.context.store, call.session.study_id
        return Path(await heavy_work.compute(store, "export", study_id, study, call.now, **asked))

    return await _download(call, name, write)


async def backup(call: Call) -> Response:
    """The whole store as one file, read back before it counts; where it holds other studies the command does it."""
    if call.session.reads_only:
        raise Refused(403, Translatable("errors.not_allowed"), Translatable("errors.reads_only"))
    if len(await call.context.store.aread(studies.all_studies)) > 1:
        why = "The store holds other studies, too: `assay backup` makes one on the server."
        return await manage.page(call, why, 422)
    name = f"assay-{call.session.study}.backup"

    async def write(folder: Path) -> Path:
        at = (call.session.study_id, await study_of(call), call.now)
        return Path(await heavy_work.compute(call.context.store, "backup", *at, path=str(folder / name)))

    return await _download(call, name, write, tells_results=False)


async def _download(
    call: Call, name: str, write: Callable[[Path], Awaitable[Path]], tells_results: bool = True
) -> Response:
    """The file, or why there is none."""
    if tells_results and are_hidden(await study_of(call), call.session.state):
        return await manage.page(call, f"{HIDDEN[:1].upper()}{HIDDEN[1:]}.", 422)
    try:
        return await file_answer(name, write)
    except AssayError as error:
        return await manage.page(call, f"{error.what}: {error.hint}." if error.hint else f"{error.what}.", 422)


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/report", "coordinator", report),
    Endpoint("GET", "/coordinate/{study}/export", "coordinator", export),
    Endpoint("GET", "/coordinate/{study}/backup", "coordinator", backup),
]
