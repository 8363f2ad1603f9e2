"""Panels: who sends strangers to a study. One file each: which parameters of the address say who comes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field

from assay.kinds import PANELS, Family, KindSettings, Settings
from assay.panels.signatures import is_signed

LONGEST = 100
"""So many characters an id of a panel has at most."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """Somebody whom a panel has sent, as the address said."""

    person: str
    """The panel's id of the person."""
    session: str = ""
    """The panel's id of this one participation, which others do not know; nothing where it has none."""
    survey: str = ""
    """The panel's id of the study."""
    signed: bool = False
    """Whether the panel has signed the address, so that nobody else can have written it."""


@dataclass(frozen=True, slots=True)
class Payee:
    """Somebody in the list for paying, as their panel knows them."""

    said: Arrival
    decision: str
    """pay, look, wait or none; a file for the panel pays nobody who is not to be paid without a look."""
    code: str
    amount: float | None
    currency: str


class Signature(Settings):
    """How the panel signs the addresses that it sends people to."""

    kind: Literal["hmac", "jwt", "jwt_rs256"] = Field(
        description="`hmac`: HMAC-SHA256, in hexadecimal, of the parameters as `NAME=VALUE&NAME=VALUE` in the order of "
        "the panel's parameters. `jwt`: a token that is signed with HS256 and holds the parameters as claims. "
        "`jwt_rs256`: the same, signed with RS256; the key is the panel's public one, as PEM or as a JSON Web Key Set."
    )
    parameter: str = Field(default="signature", description="The parameter with the signature, or with the token.")
    audience: str = Field(
        default="",
        description="Whom a token must be for: its claim `aud`. Without this key it must be for nobody.",
    )


class Panel(KindSettings):
    """Where people come from. The address says who it is; nobody types an id."""

    family: ClassVar[Family[Any]] = PANELS
    example: ClassVar[Any]
    """Settings as the study file has them, with every key of the kind, for the reference and for tests."""

    form: ClassVar[str] = r"[A-Za-z0-9_.:@-]{1,100}"
    """What an id of this panel looks like."""

    claim: ClassVar[str] = ""
    """The claim of its tokens in which the parameters stand, where they do not stand beside the others."""

    signature: Signature | None = Field(
        default=None,
        description="How the panel signs its addresses. The key is a file that `panel.yaml` names. Without it the "
        "device that somebody came with first is theirs, and another one gets in by the panel's session alone.",
    )

    @property
    def names(self) -> tuple[str, str, str]:
        """The parameters with the person, the session and the survey; an empty name where there is none."""
        raise NotImplementedError

    def arrival(self, parameters: Mapping[str, str], key: str = "", now: int | None = None) -> Arrival | None:
        """Who an address says has come; None where it says nobody, or something that is no id of this panel.

        `key` is what its signature is checked with, and `now` the time in milliseconds, for signatures that end.
        """
        person, session, survey = (parameters.get(name, "").strip() if name else "" for name in self.names)
        given = [each for each in (person, session, survey) if each]
        if not person or not all(len(each) <= LONGEST and re.fullmatch(self.form, each) for each in given):
            return None
        return Arrival(person, session, survey, self._is_signed(parameters, key, now))

    def _is_signed(self, parameters: Mapping[str, str], key: str, now: int | None) -> bool:
        asked = self.signature
        if asked is None or not key:
            return False
        said = {name: parameters[name] for name in self.names if name and name in parameters}
        proof, whom = parameters.get(asked.parameter, ""), asked.audience
        return is_signed(asked.kind, said, proof, key, now=now, audience=whom, within=self.claim)

    def pay_lines(self, people: Sequence[Payee]) -> list[list[str]]:
        """The file that the panel takes to pay people, line by line, with a heading where it wants one."""
        person, session, _ = self.names
        heading = [person, *([session] if session else []), "code", "amount", "currency"]
        return [heading] + [
            [
                each.said.person,
                *([each.said.session] if session else []),
                each.code,
                "" if each.amount is None else f"{each.amount:.2f}",
                each.currency,
            ]
            for each in people
            if each.decision == "pay"
        ]

    def sample(self) -> dict[str, str]:
        """Parameters as the panel would send them, to look at a study as somebody who comes from there."""
        what = ("person", "session", "survey")
        return {name: f"sample{each}" for name, each in zip(self.names, what, strict=True) if name}


__all__ = ["Arrival", "Panel", "Payee", "Signature"]
