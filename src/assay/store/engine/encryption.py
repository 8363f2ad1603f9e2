"""Backups that only the holder of a key can read: the age format (https://age-encryption.org), by the library pyrage.

The machine that makes them knows the public key alone: whoever takes its backups, or all of it, can read none of them.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.errors import StoreError

BEGINS = b"age-encryption.org/v1"
ENDING = ".age"


def is_encrypted(path: Path) -> bool:
    """Whether a file is in the age format."""
    try:
        with path.open("rb") as file:
            return file.read(len(BEGINS)) == BEGINS
    except OSError:
        return False


def recipients_of(given: Sequence[str]) -> list[Any]:
    """Public keys, each given as it is or as a file with one on each line."""
    pyrage = _library()
    found = []
    for each in given:
        for line in _lines(each) if Path(each).is_file() else [each]:
            kind = pyrage.ssh if line.startswith("ssh-") else pyrage.x25519
            try:
                found.append(kind.Recipient.from_str(line))
            except pyrage.RecipientError:
                raise StoreError(
                    f"{line[:40]} is no public key", "age1..., ssh-ed25519 ..., or a file of them"
                ) from None
    return found


def encrypt(plain: Path, path: Path, recipients: list[Any]) -> None:
    """Write a file so that the holders of these keys can read it."""
    _library().encrypt_file(str(plain), str(path), recipients)


@contextmanager
def readable(path: Path, identity: Path | None) -> Iterator[Path]:
    """A backup that can be read: as it is, or for as long as the block lasts a copy without encryption."""
    if not is_encrypted(path):
        yield path
        return
    if identity is None:
        raise StoreError(f"{path} is encrypted", "name the file with the secret key: --identity FILE")
    pyrage = _library()
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:  # readable by its owner alone
        plain = Path(folder) / path.name.removesuffix(ENDING)
        try:
            pyrage.decrypt_file(str(path), str(plain), _identities(identity))
        except (pyrage.DecryptError, OSError) as error:
            raise StoreError(
                f"{path} cannot be decrypted ({error})", "is this the right key, and the file whole?"
            ) from None
        yield plain


def _identities(path: Path) -> list[Any]:
    pyrage = _library()
    try:
        content = path.read_bytes()
        if content.startswith(b"-----BEGIN"):
            return [pyrage.ssh.Identity.from_buffer(content)]
        return [pyrage.x25519.Identity.from_str(line) for line in _lines(str(path))]
    except (pyrage.IdentityError, OSError, UnicodeDecodeError):
        raise StoreError(f"{path} holds no secret key", "AGE-SECRET-KEY-1..., or a private key of ssh") from None


def _lines(path: str) -> list[str]:
    lines = (line.strip() for line in Path(path).read_text("utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _library() -> Any:
    try:
        import pyrage
    except ModuleNotFoundError:
        raise StoreError("encrypted backups need the pyrage package", "pip install 'assay-eval[encrypt]'") from None
    return pyrage
