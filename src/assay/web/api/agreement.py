"""Agreement of this moment: what the dashboard and `assay status` say, with the time of whatever is older."""

import asyncio

from assay.live.agreement_rows import agreement_rows
from assay.web.api.endpoint import Answer, ApiCall, ApiEndpoint


class TopicAgreement(Answer):
    """The coefficient that the study reports first, on one dimension; of a preference, on one comparison."""

    dimension: str
    system: str
    """Of a preference, which system is compared; else empty."""
    against: str
    title: str
    coefficient: str
    called: str
    value: float | None
    ci: tuple[float, float] | None
    undefined: str | None
    """Why there is no value."""
    n_items: int
    rests_on: str
    n_annotators: int
    as_of: str | None
    """When it was computed, where it is older than the data; null: it is of this moment."""


class PooledTopics(TopicAgreement):
    """All comparisons of a preference together, every item in both directions: a value without an interval."""

    comparisons: int


class AgreementAnswer(Answer):
    """The agreement on every dimension, and beside it that on several comparisons together."""

    agreement: list[TopicAgreement]
    pooled: list[PooledTopics]


async def read(call: ApiCall) -> AgreementAnswer:
    """Read how far annotators agree at this moment, on each dimension and each comparison."""
    study = await call.study()
    found = await asyncio.to_thread(agreement_rows, call.context.store, call.bearer.study_id, study)
    return AgreementAnswer.model_validate(found)


ENDPOINTS = [ApiEndpoint("GET", "/studies/{study}/agreement", "read", read, AgreementAnswer)]
