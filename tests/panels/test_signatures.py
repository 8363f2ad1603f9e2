"""Signatures of panels' addresses: only what the panel has signed, in the way that the study asks for, is a proof."""

import hashlib
import hmac
import json
import random
from base64 import b64encode, urlsafe_b64encode
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assay.errors import StudyMistakes
from assay.kinds import PANELS
from assay.panels.public_keys import SHA256_ID, public_keys
from assay.panels.signatures import is_signed
from assay.study.panel_file import load_panel_setup

SAID = {"PROLIFIC_PID": "ana", "SESSION_ID": "s", "STUDY_ID": "t"}
NOW = 1_700_000_000_000
SECONDS = NOW // 1000

# Both made by OpenSSL, which knows nothing of this program.
PEM = """-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwz6IOhUqPU7o2PvzoG8C
JcUqhjz7ZajC5ar8Nmkvv1cLIC1JjZrOh5DVztJaAhZj1IB44xNT2dvuNAeSRYEu
/xzo4gBi9cnfTMCYluPFYw/yQXxvkyyqL0A1+OW7N5L2K19KdZD1LO22cPa8TDGE
jiXkPIsoiQmj5bko20ZmAMPHinlmUgL1hl/o07O7JjheYyVUuMWsgziFMedt8U87
iaaHXlQHs6gLNJ4OrXmG4rJ/S+NOaMMmDcOdCkGsMvaMX5HWeDaYLcEFY92+jR+7
Im7FuC/mDm5SqIg1aYJSWc5x4VGt85zkW2EjWBnnkU+3E44BBB+JKDopn1K2dNL7
iwIDAQAB
-----END PUBLIC KEY-----
"""
TOKEN = (
    "eyJhbGciOiAiUlMyNTYiLCAidHlwIjogIkpXVCJ9.eyJQUk9MSUZJQ19QSUQiOiAiYW5hIiwgIlNFU1NJT05fSUQiOiAicyIsICJTVFVEWV9JRCI6"
    "ICJ0In0.WdsUxO2DihgS7YhelY2yK6yBsMjau3ZpzQ7DxmaELLV-s6Bhwpi7yhj5sh3hoIsEPXU_MxsYuZX8RZr_8Nty68r_EJT1BT14RyqiABtx53IF"
    "cCLxAVSX-J9jIWLPmx7LSKOfd8Ssf0xifJzG7KdydrlkudEHkO7S-JOuhB5FM_iEchHjmSI6EBYWy0-VHmHB5NqqNpuch-cksGJAAYrgjC8qqju0qjr5"
    "Z8-7f7xoXxAxvW3o9jZ5-A3AJURHMpsMTP0s_sxaESzWJvNF7BjC4TmYELYK7ZlfFjQSV1eLZfRjB143kg4puf6UAygZotCyojNczb7PJ9h8L9JNi0qI"
    "uQ"
)


def _prime(bits: int, chance: random.Random) -> int:
    while True:
        found = chance.getrandbits(bits) | 3 << bits - 2 | 1
        if all(found % small for small in range(3, 2000, 2)) and all(
            pow(base, found - 1, found) == 1 for base in (2, 3)
        ):
            return found


@cache
def pair_of_keys(bits: int = 2048) -> tuple[int, int]:
    """The modulus and the secret exponent of a key that is good for nothing but this test."""
    chance = random.Random(1)
    one, two = _prime(bits // 2, chance), _prime(bits // 2, chance)
    return one * two, pow(65537, -1, (one - 1) * (two - 1))


def base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def as_bytes(number: int) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def key_set(**more: str) -> str:
    key = {"kty": "RSA", "n": base64(as_bytes(pair_of_keys()[0])), "e": "AQAB", **more}
    return json.dumps({"keys": [{"kty": "EC"}, key]})


def token(claims: dict[str, Any], head: dict[str, Any] | None = None, pad: bytes = b"\xff") -> str:
    """A token as a panel signs it with RS256."""
    message = ".".join(base64(json.dumps(each).encode()) for each in (head or {"alg": "RS256"}, claims))
    modulus, secret = pair_of_keys()
    tail = b"\x00" + SHA256_ID + hashlib.sha256(message.encode()).digest()
    block = b"\x00\x01" + pad * (256 - 2 - len(tail)) + tail
    return f"{message}.{base64(pow(int.from_bytes(block, 'big'), secret, modulus).to_bytes(256, 'big'))}"


def with_secret(claims: dict[str, Any], key: str, algorithm: str = "HS256") -> str:
    message = ".".join(base64(json.dumps(each).encode()) for each in ({"alg": algorithm}, claims))
    return f"{message}.{base64(hmac.new(key.encode(), message.encode(), hashlib.sha256).digest())}"


def test_a_token_of_another_program_is_known_by_its_public_key() -> None:
    assert is_signed("jwt_rs256", SAID, TOKEN, PEM)
    assert not is_signed("jwt_rs256", {**SAID, "PROLIFIC_PID": "ben"}, TOKEN, PEM)
    assert not is_signed("jwt_rs256", SAID, TOKEN, key_set()), "another key"


@pytest.mark.parametrize("place", range(0, 342, 57))
def test_a_token_of_which_one_letter_is_another_is_no_proof(place: int) -> None:
    head, body, proof = TOKEN.split(".")
    other = "A" if proof[place] != "A" else "B"
    assert not is_signed("jwt_rs256", SAID, f"{head}.{body}.{proof[:place]}{other}{proof[place + 1 :]}", PEM)


def test_a_set_of_keys_is_read_and_the_one_that_a_token_names_is_used() -> None:
    named = token(SAID, {"alg": "RS256", "kid": "of-may"})
    assert is_signed("jwt_rs256", SAID, named, key_set(kid="of-may"))
    assert is_signed("jwt_rs256", SAID, named, key_set()), "a key without a name is tried"
    assert not is_signed("jwt_rs256", SAID, named, key_set(kid="of-june"))


@pytest.mark.parametrize("key", [PEM, key_set()], ids=["pem", "set"])
def test_a_public_key_is_never_a_secret(key: str) -> None:
    """Everybody knows it: whoever signs with it as if it were a secret has proved nothing, whatever the study says."""
    for kind in ("jwt", "jwt_rs256"):
        for algorithm in ("HS256", "RS256"):
            assert not is_signed(kind, SAID, with_secret(SAID, key, algorithm), key)
            assert not is_signed(kind, SAID, with_secret(SAID, key.strip(), algorithm), key)
    plain = "&".join(f"{name}={value}" for name, value in SAID.items())
    assert not is_signed("hmac", SAID, hmac.new(key.encode(), plain.encode(), hashlib.sha256).hexdigest(), key)


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", "", "HS256", "RS384", "PS256", ["RS256"], None])
def test_the_token_does_not_say_how_it_is_signed(algorithm: Any) -> None:
    good, other = token(SAID), token(SAID, {"alg": algorithm})
    head, body, proof = good.split(".")
    assert is_signed("jwt_rs256", SAID, good, key_set())
    assert not is_signed("jwt_rs256", SAID, other, key_set())
    said = base64(json.dumps({"alg": algorithm}).encode())
    for forged in (
        f"{said}.{body}.",
        f"{said}.{body}",
        f"{said}.{body}.{proof}",
        f"{head}.{body}.",
        good[:-2],
        good + ".",
    ):
        assert not is_signed("jwt_rs256", SAID, forged, key_set())
        assert not is_signed("jwt", SAID, forged, "a key of the panel's")


@pytest.mark.parametrize("kind", ["jwt", "jwt_rs256"])
@pytest.mark.parametrize(
    ("claims", "now", "holds"),
    [
        ({"exp": SECONDS + 1}, NOW, True),
        ({"exp": SECONDS - 30}, NOW, True),
        ({"exp": SECONDS - 61}, NOW, False),
        ({"exp": SECONDS + 1}, None, False),
        ({"exp": str(SECONDS + 1)}, NOW, False),
        ({"exp": True}, NOW, False),
        ({"nbf": SECONDS - 1}, NOW, True),
        ({"nbf": SECONDS + 61}, NOW, False),
        ({}, None, True),
    ],
)
def test_a_token_holds_for_its_time(kind: str, claims: dict[str, Any], now: int | None, holds: bool) -> None:
    key = "a key of the panel's" if kind == "jwt" else key_set()
    made = with_secret({**SAID, **claims}, key) if kind == "jwt" else token({**SAID, **claims})
    assert is_signed(kind, SAID, made, key, now=now) == holds


@pytest.mark.parametrize(
    ("claimed", "wanted", "holds"),
    [
        ("https://study.example", "https://study.example", True),
        (["https://other.example", "https://study.example"], "https://study.example", True),
        ("https://other.example", "https://study.example", False),
        ("https://study.example.evil", "https://study.example", False),
        (None, "https://study.example", False),
        ("https://other.example", "", False),
        (None, "", True),
    ],
)
def test_a_token_for_somebody_else_is_no_proof(claimed: Any, wanted: str, holds: bool) -> None:
    claims = SAID if claimed is None else {**SAID, "aud": claimed}
    assert is_signed("jwt_rs256", SAID, token(claims), key_set(), audience=wanted) == holds


def test_prolific_has_its_parameters_inside_a_claim() -> None:
    panel = PANELS["prolific"](signature={"kind": "jwt_rs256", "parameter": "prolific_token", "audience": "here"})
    made = token({"aud": "here", "exp": SECONDS + 60, "prolific": SAID})
    found = panel.arrival({**SAID, "prolific_token": made}, key_set(), NOW)
    assert found is not None
    assert found.signed
    other = panel.arrival({**SAID, "PROLIFIC_PID": "ben", "prolific_token": made}, key_set(), NOW)
    assert other is not None
    assert not other.signed


def test_a_signature_with_anything_else_in_its_padding_is_no_proof() -> None:
    """Room for what one likes in the padding is how signatures were forged in 2006."""
    assert not is_signed("jwt_rs256", SAID, token(SAID, pad=b"\xfe"), key_set())


def short_key() -> str:
    modulus = pair_of_keys()[0] >> 1024
    return json.dumps({"kty": "RSA", "n": base64(as_bytes(modulus)), "e": "AQAB"})


@pytest.mark.parametrize(
    ("kind", "key", "why"),
    [
        ("jwt_rs256", "a secret of 20 letters", "begins neither with"),
        ("jwt_rs256", PEM.replace("PUBLIC", "PRIVATE"), "private key"),
        ("jwt_rs256", PEM.replace("MIIB", "MIIC"), "ends too early"),
        ("jwt_rs256", PEM.replace("MIIB", "????"), "no base64"),
        ("jwt_rs256", short_key(), "1024 bits"),
        ("jwt_rs256", '{"keys": [{"kty": "EC"}]}', "no key of the kind RSA"),
        ("jwt", PEM, "public key: everybody knows it"),
        ("hmac", key_set(), "public key: everybody knows it"),
    ],
)
def test_a_key_that_does_not_suit_the_signature_is_refused(tmp_path: Path, kind: str, key: str, why: str) -> None:
    (tmp_path / "panel.yaml").write_text("key: key.pem\n", "utf-8")
    (tmp_path / "key.pem").write_text(key, "utf-8")
    with pytest.raises(StudyMistakes) as refused:
        load_panel_setup(tmp_path, PANELS["prolific"](signature={"kind": kind}))
    assert why in str(refused.value)
    assert key not in str(refused.value)


def test_a_key_that_suits_is_taken(tmp_path: Path) -> None:
    (tmp_path / "panel.yaml").write_text("key: key.pem\n", "utf-8")
    for key in (PEM, key_set()):
        (tmp_path / "key.pem").write_text(key, "utf-8")
        setup = load_panel_setup(tmp_path, PANELS["prolific"](signature={"kind": "jwt_rs256"}))
        assert setup is not None
        assert public_keys(setup.key)


def test_bytes_that_are_no_key_and_no_token_are_no_proof_and_no_error() -> None:
    for text in ("", ".", "..", "...", "a.b.c", "\x00.\x00.\x00", "é.é.é", base64(b"[]") * 3, "[" * 100_000):
        assert not is_signed("jwt_rs256", SAID, text, key_set())
        assert not is_signed("jwt_rs256", SAID, TOKEN, text)
    wrapped = b64encode(b"\x30\x84\xff\xff\xff\xff").decode()
    assert not is_signed("jwt_rs256", SAID, TOKEN, f"-----BEGIN PUBLIC KEY-----\n{wrapped}\n-----END PUBLIC KEY-----")
