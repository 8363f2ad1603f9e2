"""Free texts, and which of them anonymised exports have."""

from dataclasses import asdict
from typing import Any

from pydantic import Field
from sqlalchemy import Connection

from assay import acts
from assay.errors import AssayError
from assay.web.api.endpoint import WORDS, Answer, ApiCall, ApiEndpoint, Body

MOST = 1000


class TextAnswer(Answer):
    """What somebody wrote, without who it was."""

    key: str
    item: str
    dimension: str
    words: str
    passed: bool | None
    """Whether anonymised exports have it; null: nobody has decided, so they do not."""


class TextsAnswer(Answer):
    """Every free text."""

    texts: list[TextAnswer]


class TextReview(Body):
    """What was decided about some texts, by their keys."""

    let_through: list[str] = Field(default=[], max_length=MOST)
    leave_out: list[str] = Field(default=[], max_length=MOST)
    reason: str = Field(default="", max_length=WORDS)


class Reviewed(Answer):
    """About how many texts something was decided."""

    decided: int


async def listed(call: ApiCall) -> TextsAnswer:
    """Read every free text, with what was decided about it."""
    found = await call.context.store.aread(acts.texts_to_review, call.bearer.study_id)
    return TextsAnswer(texts=[TextAnswer(**asdict(each)) for each in found])


async def review(call: ApiCall) -> Reviewed:
    """Let some texts through into anonymised exports, and leave others out."""
    wanted = call.read(TextReview)
    if not wanted.let_through and not wanted.leave_out:
        raise AssayError("no text is named", "give let_through, or leave_out, or both")

    def act(connection: Connection) -> dict[str, Any]:
        by = call.by(wanted.reason)
        return {"decided": acts.review_texts(connection, by, wanted.let_through, wanted.leave_out)}

    return Reviewed(**await call.write(act))


ENDPOINTS = [
    ApiEndpoint("GET", "/studies/{study}/texts", "read", listed, TextsAnswer),
    ApiEndpoint("POST", "/studies/{study}/texts", "manage", review, Reviewed, TextReview, repeatable=True),
]
