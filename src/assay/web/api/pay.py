"""Who is to be paid, and what an hour of work brings."""

import asyncio

from assay.live.pay_list import pay_list
from assay.web.api.endpoint import Answer, ApiCall, ApiEndpoint


class PayRowAnswer(Answer):
    """One person, as a line of the list."""

    annotator: str
    panel_id: str
    panel_session: str
    outcome: str
    code: str
    items: int
    active_minutes: float
    controls_passed: int
    controls: int
    decision: str
    """pay, look, wait or none."""
    evidence: str
    amount: float | None
    currency: str
    per_hour: float | None
    name: str
    """What they are called apart from their work; empty: by the pseudonym alone."""


class PayAnswer(Answer):
    """Everybody, and what an hour brings."""

    people: list[PayRowAnswer]
    median_per_hour: float | None
    tenth_per_hour: float | None
    expected_per_hour: float | None
    forecast_per_hour: float | None
    """What an hour brings, or will bring, as well as it is known."""
    forecast_from: str | None
    """What that rests on: work, pilot, bots or expected (the time that an item is expected to take)."""
    floor: float | None
    below_floor: bool
    says: list[str]
    for_panel: list[list[str]] | None
    """The file that the panel takes to pay people, line by line; null where no panel sends people."""


async def read(call: ApiCall) -> PayAnswer:
    """List who has done what, with the panel's id, the code, and a suggestion for each. It takes the scope manage."""
    study = await call.study()
    found = await asyncio.to_thread(pay_list, call.context.store, call.bearer.study_id, study, call.now)
    return PayAnswer(**found.as_json())


ENDPOINTS = [ApiEndpoint("GET", "/studies/{study}/pay", "manage", read, PayAnswer)]
