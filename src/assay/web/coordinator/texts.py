"""The page on which free texts are read before they are published: each is let through, or is not."""

from starlette.responses import Response

from assay import acts
from assay.errors import AssayError
from assay.exchange.personal_details import parts
from assay.web.access import Call, Endpoint, see_other
from assay.web.coordinator.common import by, home, show

AT_A_TIME = 50


async def page(call: Call, error: str = "", status: int = 200) -> Response:
    """The texts that nobody has decided about, or all of them."""
    found = await call.context.store.aread(acts.texts_to_review, call.session.study_id)
    everything = call.request.query_params.get("all", "") == "yes"
    shown = [each for each in found if everything or each.passed is None]
    return await show(
        call,
        "texts.html",
        status,
        texts=shown[:AT_A_TIME],
        more=max(0, len(shown) - AT_A_TIME),
        total=len(found),
        open=sum(each.passed is None for each in found),
        passed=sum(each.passed is True for each in found),
        everything=everything,
        parts=parts,
        error=error,
    )


async def review(call: Call) -> Response:
    """Keep what was decided about the texts of the page."""
    decided = {key.removeprefix("text."): call.first(key) for key in call.form if key.startswith("text.")}
    let = [key for key, said in decided.items() if said == "yes"]
    out = [key for key, said in decided.items() if said == "no"]
    try:
        await call.context.store.awrite(acts.review_texts, by(call), let, out)
    except AssayError as error:
        return await page(call, f"{error.what}.", 422)
    return see_other(f"{home(call)}/texts")


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/texts", "coordinator", page),
    Endpoint("POST", "/coordinate/{study}/review-texts", "coordinator", review),
]
