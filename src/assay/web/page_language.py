"""In which language a page speaks: to annotators in their study's, to coordinators and strangers in English."""

from starlette.requests import Request

from assay.errors import StoreError
from assay.store import Backend
from assay.store.annotator import versions
from assay.study import Study
from assay.web.pages import Pages


async def pages_at_address(request: Request, store: Backend, pages: Pages) -> Pages:
    """The pages in the language of the study at whose annotators' address this is; else in English."""
    name = request.path_params.get("study") if request.url.path.startswith("/judge/") else None
    try:
        study = await store.aread(versions.in_force, name) if name else None
    except StoreError:
        study = None
    return pages if study is None else pages.of(study)


def pages_for_role(role: str, study: Study, pages: Pages) -> Pages:
    """The pages for somebody whom a link makes a coordinator or an annotator."""
    return pages if role == "coordinator" else pages.of(study)
