"""What an ethics board is told about people's data."""

from assay.study.ethics_text import ethics_text
from assay.web.api.endpoint import Answer, ApiCall, ApiEndpoint


class PrivacyAnswer(Answer):
    """A text for an ethics board, made from the study file."""

    language: str
    paragraphs: list[str]
    """What the file does not say stands in brackets."""


async def read(call: ApiCall) -> PrivacyAnswer:
    """Read a text about people's data for an ethics board, in the study's language."""
    study = await call.study()
    return PrivacyAnswer(language=study.language, paragraphs=ethics_text(study))


ENDPOINTS = [ApiEndpoint("GET", "/studies/{study}/privacy", "read", read, PrivacyAnswer)]
