"""Whether a panel has signed what an address says: with a key that it shares with the study, or with one of its own.

The algorithm is the study's choice and never the token's: a token with `none` is no proof, nor is one that is signed
with a public key as if that were a shared secret.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from assay.panels.public_keys import from_base64, looks_public, public_keys

ALGORITHMS = {"jwt": "HS256", "jwt_rs256": "RS256"}
"""The ways to sign a token."""
LEEWAY_S = 60
"""So far two clocks may be apart."""


def is_signed(
    kind: str,
    said: Mapping[str, str],
    signature: str,
    key: str,
    *,
    now: int | None = None,
    audience: str = "",
    within: str = "",
) -> bool:
    """Whether the signature is the panel's, and is one of exactly this.

    `now` is the time in milliseconds: without it a token that ends counts as ended. `audience` is whom a token must be
    for, and `within` the claim in which it may hold the parameters.
    """
    if kind == "hmac":
        return not looks_public(key) and hmac.compare_digest(
            sign(said, key).encode(), signature.strip().lower().encode()
        )
    claims = _claims(kind, signature, key)
    if claims is None or not _is_in_time(claims, now) or not _is_for(claims, audience):
        return False
    inner = claims.get(within) if within else None
    known = {**claims, **inner} if isinstance(inner, dict) else claims
    return bool(said) and all(known.get(name) == value for name, value in said.items())


def sign(said: Mapping[str, str], key: str) -> str:
    """The signature of what an address says, as a panel makes it."""
    text = "&".join(f"{name}={value}" for name, value in said.items())
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


def why_unfit(kind: str, key: str) -> str:
    """Why a key cannot be used for a way to sign; nothing where it can."""
    if kind != "jwt_rs256":
        return "it is a public key: everybody knows it, and could sign with it" if looks_public(key) else ""
    try:
        public_keys(key)
    except ValueError as error:
        return str(error)
    return ""


def _claims(kind: str, token: str, key: str) -> dict[str, Any] | None:
    """What a token says, if it is signed in the way that the study asks for."""
    if token.count(".") != 2:
        return None
    head, body, signature = token.split(".")
    said, proof = _part(head), from_base64(signature)
    if said.get("alg") != ALGORITHMS[kind] or "crit" in said or not proof:
        return None
    message = f"{head}.{body}".encode()
    if kind == "jwt_rs256":
        try:
            keys = public_keys(key)
        except ValueError:
            return None
        named = [each for each in keys if not each.id or "kid" not in said or each.id == said["kid"]]
        good = any(each.has_signed(message, proof) for each in named)
    else:
        wanted = hmac.new(key.encode(), message, hashlib.sha256).digest()
        good = not looks_public(key) and hmac.compare_digest(wanted, proof)
    return _part(body) if good else None


def _is_in_time(claims: Mapping[str, Any], now: int | None) -> bool:
    ends, begins = claims.get("exp"), claims.get("nbf")
    if ends is None and begins is None:
        return True
    if now is None or not all(_is_time(each) for each in (ends, begins) if each is not None):
        return False
    seconds = now / 1000
    return (ends is None or seconds < ends + LEEWAY_S) and (begins is None or seconds >= begins - LEEWAY_S)


def _is_time(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_for(claims: Mapping[str, Any], audience: str) -> bool:
    said = claims.get("aud")
    if said is None:
        return not audience
    return bool(audience) and audience in (said if isinstance(said, list) else [said])


def _part(text: str) -> dict[str, Any]:
    try:
        found = json.loads(from_base64(text))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
