"""Exports: the formats that there are for a study, and the data in one of them."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from assay.errors import AssayError
from assay.exchange import Export, ExportData, mark_excluded
from assay.kinds import EXPORTS
from assay.live.report_data import excluded_from_report
from assay.model import Judgment
from assay.store import Backend
from assay.store.annotator.versions import version
from assay.store.coordinator import comparisons, export_rows, long_table, study_status
from assay.study import Study
from assay.web.api.endpoint import Answer, ApiCall, ApiEndpoint, no_such_thing


class FormatAnswer(Answer):
    """A format that suits the study."""

    format: str
    file: str
    """How its file is called; a folder comes as a zip file."""


class FormatsAnswer(Answer):
    """The formats that suit a study."""

    formats: list[FormatAnswer]


async def formats(call: ApiCall) -> FormatsAnswer:
    """List the formats that suit the study."""
    study = await call.study()
    kinds: list[Export] = [kind() for kind in EXPORTS.values()]
    found = [FormatAnswer(format=each.kind, file=_file(each)) for each in kinds if not each.refuses(study)]
    return FormatsAnswer(formats=found)


def _file(kind: Export) -> str:
    return f"{kind.name or kind.kind}{kind.suffix or '.zip'}"


async def export(call: ApiCall) -> Response:
    """Take judgments out in a format, as a file; a format of several files comes as a zip file."""
    name = call.path("format")
    if name not in EXPORTS:
        raise no_such_thing(f"there is no such format; formats: {', '.join(EXPORTS)}")
    kind: Export = EXPORTS[name]()
    study = await call.study()
    if why := kind.refuses(study):
        raise AssayError(f"{name} does not suit {study.study}: {why}", "GET exports lists the formats that do")
    workshop = Path(tempfile.mkdtemp(prefix="assay-export-"))
    try:
        path = await asyncio.to_thread(_written, call, study, kind, workshop)
    except BaseException:
        shutil.rmtree(workshop, ignore_errors=True)
        raise
    tidy = BackgroundTask(shutil.rmtree, workshop, ignore_errors=True)
    return FileResponse(path, filename=_file(kind), media_type="application/octet-stream", background=tidy)


def _written(call: ApiCall, study: Study, kind: Export, workshop: Path) -> Path:
    data = data_of(call.context.store, call.bearer.study_id, study, call.now)
    if kind.suffix:
        kind.write(data, workshop / _file(kind))
        return workshop / _file(kind)
    folder = workshop / "folder"
    folder.mkdir()
    kind.write(data, folder)
    return Path(shutil.make_archive(str(workshop / "all"), "zip", folder))


def data_of(store: Backend, study_id: int, study: Study, now: int) -> ExportData:
    """What there is to export of a study."""
    hashes = store.read(study_status.submissions_by_version, study_id)
    versions = {name: store.read(version, study_id, name) for name in hashes}
    excluded = excluded_from_report(store, study_id, study)

    def judgments(by: Literal["time", "item", "annotator"] = "time") -> Iterator[Judgment]:
        stream = store.stream(long_table.judgments, study_id, study.preference_dimensions, by)
        return mark_excluded(stream, excluded)

    return ExportData(
        study=study,
        judgments=judgments,
        items=lambda: store.stream(export_rows.items, study_id),
        annotators=lambda: store.stream(export_rows.annotators, study_id),
        made_at=now,
        comparisons=store.read(comparisons.comparisons, study_id, study),
        studies={name: each for name, each in versions.items() if each is not None},
        total=store.read(long_table.judgment_count, study_id),
    )


ENDPOINTS = [
    ApiEndpoint("GET", "/studies/{study}/exports", "export", formats, FormatsAnswer),
    ApiEndpoint("GET", "/studies/{study}/exports/{format}", "export", export, media_type="application/octet-stream"),
]
