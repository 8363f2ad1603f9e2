"""What `panel.yaml` holds: how people get back to their panel after each outcome, and the key of its signatures.

It lies beside `study.yaml`, and is no part of the study that gets published: a code is worth money.
"""

from typing import Annotated
from urllib.parse import quote as in_address

from pydantic import AfterValidator, Field

from assay.kinds import Settings
from assay.mistakes import mistake, quote
from assay.panels import Arrival

PLACES = ("code", "person", "session", "survey")
"""What may stand in braces in an address."""


def _is_address(text: str) -> str:
    if not text.startswith(("https://", "http://")) or any(each.isspace() for each in text):
        raise mistake(f"{quote(text)} is no address of a page", "write it whole, with https://")
    try:
        text.format(**dict.fromkeys(PLACES, ""))
    except (KeyError, IndexError, ValueError):
        listed = ", ".join(f"{{{each}}}" for each in PLACES)
        raise mistake(f"{quote(text)} has braces that mean nothing", f"only these can stand there: {listed}") from None
    return text


class WayBack(Settings):
    """What somebody gets at the end: a code to enter, an address to go back to, or both."""

    code: str = Field(default="", max_length=100, description="The code that the panel asks for.")
    address: Annotated[str, AfterValidator(_is_address)] | None = Field(
        default=None,
        description="Where they are led back to; `{code}`, `{person}`, `{session}` and `{survey}` are filled in.",
    )

    def address_for(self, arrival: Arrival) -> str:
        """The address with everything filled in; nothing where there is none."""
        said = {"code": self.code, "person": arrival.person, "session": arrival.session, "survey": arrival.survey}
        return (self.address or "").format(**{name: in_address(value, safe="") for name, value in said.items()})


class PanelSetup(Settings):
    """The ways back, by how it went, and the key."""

    finished: WayBack | None = Field(default=None, description="Everything was judged, or the study ended their part.")
    screened_out: WayBack | None = Field(default=None, description="The screening turned the person away.")
    failed_gate: WayBack | None = Field(default=None, description="A quiz or a calibration was not passed.")
    over_quota: WayBack | None = Field(
        default=None, description="There was no place, or no item left, or the study ended first."
    )
    timed_out: WayBack | None = Field(default=None, description="It took too long, and the place went to another.")
    withdrew: WayBack | None = Field(default=None, description="The person chose to stop.")
    no_consent: WayBack | None = Field(default=None, description="The person did not agree to take part.")
    key: str = Field(default="", description="The file with the key of the panel's signatures, beside `panel.yaml`.")

    def way_back(self, outcome: str) -> WayBack | None:
        """What somebody gets after an outcome."""
        found: WayBack | None = getattr(self, outcome)
        return found


OUTCOMES = tuple(name for name in PanelSetup.model_fields if name != "key")
"""How it can end for somebody whom a panel has sent."""
