"""Whether a panel has signed what an address says. Both ways need a key that the panel and the study share."""

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any


def is_signed(kind: str, said: Mapping[str, str], signature: str, key: str) -> bool:
    """Whether the signature is the panel's, and is one of exactly this."""
    return (_hmac if kind == "hmac" else _jwt)(said, signature, key.encode())


def sign(said: Mapping[str, str], key: str) -> str:
    """The signature of what an address says, as a panel makes it."""
    text = "&".join(f"{name}={value}" for name, value in said.items())
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


def _hmac(said: Mapping[str, str], signature: str, key: bytes) -> bool:
    return hmac.compare_digest(sign(said, key.decode()).encode(), signature.strip().lower().encode())


def _jwt(said: Mapping[str, str], token: str, key: bytes) -> bool:
    head, _, rest = token.partition(".")
    body, _, signature = rest.partition(".")
    # Which way it is signed is the study's word and never the token's: "none" is no way.
    if _part(head).get("alg") != "HS256":
        return False
    wanted = hmac.new(key, f"{head}.{body}".encode(), hashlib.sha256).digest()
    claims = _part(body)
    return hmac.compare_digest(wanted, _bytes(signature)) and all(claims.get(name) == said[name] for name in said)


def _part(text: str) -> dict[str, Any]:
    try:
        found = json.loads(_bytes(text))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _bytes(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return b""
