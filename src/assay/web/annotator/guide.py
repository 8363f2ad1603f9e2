"""The guidelines, at any time: with their contents, and where each dimension is spoken of."""

from collections.abc import Iterable
from itertools import takewhile

from starlette.responses import Response

from assay.acts.may_judge import next_gate
from assay.markdown_text import GuideHeading, with_headings
from assay.study import Study
from assay.web.access import Call, Endpoint, see_other
from assay.web.annotator import common


async def guide(call: Call) -> Response:
    """The guidelines, for anybody who has come as far as reading them: hard examples come after the warning."""
    study = await common.study_of(call)
    waiting = await call.context.store.aread(next_gate, call.annotator, study)
    before = list(takewhile(lambda kind: kind != "reading", (entry.gate.kind for entry in study.gates)))
    if call.annotator.left or (waiting is not None and waiting.kind in before):
        return see_other(common.home(call))
    texts = [section.text for entry in study.gates for section in getattr(entry.gate, "sections", ())]
    sections = [with_headings(text, f"guide-{number}", 1) for number, text in enumerate(texts)]
    contents = [heading for _, headings in sections for heading in headings if heading.level <= 2]
    return common.show(
        call,
        study,
        "guide.html",
        sections=[study.wording.dress(markup) for markup, _ in sections],
        contents=contents,
        dimensions=spoken_of(study, contents),
    )


def spoken_of(study: Study, headings: Iterable[GuideHeading]) -> dict[str, list[str]]:
    """By the places of headings, the dimensions that they are about: those whose name stands in them."""
    found: dict[str, list[str]] = {}
    for dimension in study.rubric:
        named = (each for each in headings if dimension.heading.casefold() in each.title.casefold())
        if (heading := next(named, None)) is not None:
            found.setdefault(heading.place, []).append(dimension.dimension)
    return found


ENDPOINTS = [Endpoint("GET", "/judge/{study}/guide", "annotator", guide)]
