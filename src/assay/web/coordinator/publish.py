"""Publishing from the page: a study folder is uploaded, what would change is shown, and it is put into force."""

from pathlib import Path

from starlette.responses import Response

from assay import acts
from assay.errors import AssayError, StudyMistakes
from assay.web.access import Call, Endpoint, see_other
from assay.web.coordinator.common import address_of, by, home, show

MOST_UPLOADED = 10_000_000


async def page(call: Call, error: str = "", mistakes: tuple[str, ...] = (), status: int = 200) -> Response:
    """The form that uploads a study folder; after that, what would change."""
    key = call.request.query_params.get("proposed", "") or call.first("proposed")
    found = call.context.kept.get(call.session.hash, call.now, key)
    return await show(
        call,
        "publish.html",
        status,
        error=error,
        mistakes=mistakes,
        proposed=found[1] if found else None,
        key=key if found else "",
        minor=found[2] if found else False,
        reason=call.first("reason"),
    )


async def upload(call: Call) -> Response:
    """Show what an uploaded study folder would change; nothing is changed yet."""
    content, minor = call.files.get("folder", b""), call.first("minor") == "on"
    try:
        if not content:
            raise AssayError("nothing was uploaded", "choose a zip file of the study's folder")
        proposed = await call.context.store.awrite(acts.propose_version, by(call), content, minor=minor)
    except StudyMistakes as error:
        return await page(call, mistakes=tuple(_mistake(each) for each in error.mistakes), status=422)
    except AssayError as error:
        return await page(call, _error_in_words(error), status=422)
    key = call.context.kept.put(call.session.hash, call.now, (content, proposed, minor))
    return see_other(address_of(call, "new-version", proposed=key))


async def publish(call: Call) -> Response:
    """Put the uploaded version into force, with a reason."""
    key = call.first("proposed")
    found = call.context.kept.get(call.session.hash, call.now, key)
    if found is None:
        return await page(call, "That was too long ago: upload the folder again.", status=422)
    content, _, minor = found
    try:
        await call.context.store.awrite(acts.publish_folder, by(call), content, minor=minor)
    except StudyMistakes as error:
        return await page(call, mistakes=tuple(_mistake(each) for each in error.mistakes), status=422)
    except AssayError as error:
        return await page(call, _error_in_words(error), status=422)
    call.context.kept.drop(key)
    return see_other(f"{home(call)}/record")


def _error_in_words(error: AssayError) -> str:
    said = f"{error.what}: {error.hint}." if error.hint else f"{error.what}."
    return said[:1].upper() + said[1:]


def _mistake(each: object) -> str:
    """A mistake with its file and line, without the folder in which it was unpacked."""
    where, _, what = str(each).partition(": ")
    return f"{Path(where).name}: {what}"


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/new-version", "coordinator", page),
    Endpoint("POST", "/coordinate/{study}/upload", "coordinator", upload, most_uploaded=MOST_UPLOADED),
    Endpoint("POST", "/coordinate/{study}/publish", "coordinator", publish),
]
