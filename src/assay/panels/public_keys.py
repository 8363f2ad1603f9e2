"""RSA public keys of panels, and what is signed with them (RS256: RSASSA-PKCS1-v1_5 with SHA-256, RFC 8017).

Only public values are computed with, so timing gives nothing away. The padded message that the signature must hold is
built and compared as a whole: nothing in a signature is parsed, so nothing can be hidden in it.
"""

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

LEAST_BITS = 2048
"""A shorter key counts as broken."""
MOST_BITS = 16_384
RSA_ID = bytes.fromhex("06092a864886f70d0101010500")
"""The DER of the algorithm identifier of an RSA key: rsaEncryption, without parameters."""
SHA256_ID = bytes.fromhex("3031300d060960864801650304020105000420")
"""The DER prefix of a SHA-256 digest in a signature."""
BEGIN, END = "-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----"


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The public half of a key that a panel signs with."""

    modulus: int
    exponent: int
    id: str = ""
    """What tokens call it, where the panel has several."""

    def __post_init__(self) -> None:
        if not LEAST_BITS <= self.modulus.bit_length() <= MOST_BITS:
            raise ValueError(f"it has {self.modulus.bit_length()} bits, and {LEAST_BITS} at least are safe")
        if self.exponent < 3 or not self.exponent % 2 or self.exponent.bit_length() > 64:
            raise ValueError("its exponent is none that RSA is used with")

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        """Whether a signature is of this message and by the holder of this key."""
        size = (self.modulus.bit_length() + 7) // 8
        value = int.from_bytes(signature, "big")
        if len(signature) != size or value >= self.modulus:
            return False
        tail = b"\x00" + SHA256_ID + hashlib.sha256(message).digest()
        wanted = b"\x00\x01" + b"\xff" * (size - 2 - len(tail)) + tail
        return hmac.compare_digest(pow(value, self.exponent, self.modulus).to_bytes(size, "big"), wanted)


def looks_public(text: str) -> bool:
    """Whether a text looks like a published key (PEM or JSON Web Key), well formed or not, and not like a secret."""
    return "-----BEGIN" in text or '"kty"' in text


def public_keys(text: str) -> Sequence[PublicKey]:
    """The keys of a file: one as PEM, or a JSON Web Key Set. Raises ValueError with the reason where there are none."""
    if "PRIVATE KEY" in text or '"d"' in text:
        raise ValueError("it is a private key, which only the panel may have")
    if BEGIN in text:
        return [_from_pem(text)]
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"it begins neither with {BEGIN} nor as JSON") from None
    keys = found.get("keys", [found]) if isinstance(found, dict) else None
    if not isinstance(keys, list):
        raise ValueError("it is no JSON Web Key Set")
    made = [_from_jwk(each) for each in keys if isinstance(each, dict) and each.get("kty") == "RSA"]
    if not made:
        raise ValueError("it has no key of the kind RSA")
    return made


def _from_jwk(key: dict[str, Any]) -> PublicKey:
    try:
        modulus, exponent = (int.from_bytes(from_base64(str(key[name])), "big") for name in ("n", "e"))
    except KeyError as error:
        raise ValueError(f"a key lacks {error}") from None
    return PublicKey(modulus, exponent, str(key.get("kid", "")))


def _from_pem(text: str) -> PublicKey:
    body = text.partition(BEGIN)[2].partition(END)[0]
    try:
        data = base64.b64decode("".join(body.split()), validate=True)
    except binascii.Error:
        raise ValueError("what stands between its first and last line is no base64") from None
    info, rest = _part(data, 0x30)
    algorithm, after = _part(info, 0x30)
    if rest or algorithm != RSA_ID:
        raise ValueError("it is no key of the kind RSA")
    bits, rest = _part(after, 0x03)
    numbers, more = _part(bits[1:], 0x30)
    modulus, after = _part(numbers, 0x02)
    exponent, last = _part(after, 0x02)
    if rest or more or last:
        raise ValueError("it holds more than a key")
    return PublicKey(int.from_bytes(modulus, "big"), int.from_bytes(exponent, "big"))


def _part(data: bytes, tag: int) -> tuple[bytes, bytes]:
    """The content of the first element of DER data, and the bytes after it."""
    if len(data) < 2 or data[0] != tag:
        raise ValueError("it is not written as a key is (DER)")
    size, start = data[1], 2
    if size & 0x80:
        start += size & 0x7F
        size = int.from_bytes(data[2:start], "big")
    if len(data) < start + size:
        raise ValueError("it ends too early")
    return data[start : start + size], data[start + size :]


def from_base64(text: str) -> bytes:
    """Base64url decoded, without padding, as tokens have it; nothing where it is not valid."""
    try:
        return base64.b64decode(text.encode() + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
