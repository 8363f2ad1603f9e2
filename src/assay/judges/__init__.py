"""Judges: the kinds of automated judge. One file each: how a prompt is sent to it, and how its answer is read."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from assay.errors import AssayError
from assay.kinds import JUDGES, Family, KindSettings


@dataclass(frozen=True, slots=True)
class PromptPicture:
    """A picture that a judge looks at."""

    hash: str
    media_type: str
    read: Callable[[], bytes] = field(repr=False, compare=False)
    """Its bytes: read when they are sent, since a plan of thousands of requests needs none of them."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier answer of the judge, and what was said to it then."""

    said: str
    asked: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a judge is asked at a time."""

    system: str
    """Who it is and how it answers; may be empty."""
    parts: tuple[str | PromptPicture, ...]
    """The rubric and the item: texts and pictures, in reading order."""
    schema: Mapping[str, Any]
    """The JSON Schema of an answer."""
    earlier: tuple[Exchange, ...] = ()
    repeat: int = 1
    """Which of several runs over the same item it is, from 1."""

    @property
    def text(self) -> str:
        """Its texts in one; what they say of a picture stands where the picture is."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def pictures(self) -> tuple[PromptPicture, ...]:
        """Its pictures, in order."""
        return tuple(part for part in self.parts if not isinstance(part, str))


@dataclass(frozen=True, slots=True)
class Reply:
    """What a judge answered."""

    text: str
    """What it said: the answers as a JSON object, if it kept to what it was asked."""
    whole: Any
    """The whole answer, as it came."""
    model: str = ""
    """The name of the model as the answer gave it."""
    tokens_in: int = 0
    tokens_out: int = 0
    fault: str = ""
    """Why there is no answer, where it says so itself: that it refuses, or that it was cut off."""


class JudgeFailure(Exception):
    """No answer came. It cost nothing that is known of."""

    def __init__(self, what: str, *, again: bool = False, after: float | None = None, stop: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.again = again
        """Whether it may come when asked again."""
        self.after = after
        """After how many seconds, where that was said."""
        self.stop = stop
        """Whether no other request would fare better, such as without a valid key."""


Encode = Callable[[PromptPicture], str]
"""The content of a picture as text: base64 where it is sent, its hash where the request is kept."""
Ask = Callable[[dict[str, Any]], Awaitable[Reply]]
"""Sends the body of a request. Raises JudgeFailure."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a judge is run: what it may read besides its settings."""

    folder: Path
    """The study's folder."""
    environment: Mapping[str, str] = field(repr=False)
    seconds: float
    """How long an answer may take."""


class Judge(KindSettings):
    """How a judge is reached. Fields of a subclass are its keys in the file of judges."""

    family: ClassVar[Family[Any]] = JUDGES
    example: ClassVar[Any]
    """Settings as the file has them, with every key of the kind, for the reference and for tests."""
    where: ClassVar[tuple[str, ...]] = ()
    """The settings that say where it is reached, and not how it judges: no part of what is said of it in public."""

    @property
    def can_see(self) -> bool:
        """Whether it is sent pictures."""
        return True

    def identity(self, folder: Path) -> dict[str, Any]:
        """What tells its answers from those of another judge, besides the body: where it is, which version."""
        raise NotImplementedError

    def body(self, prompt: Prompt, encode: Encode) -> dict[str, Any]:
        """What is sent for a prompt. The key of a service is no part of it."""
        raise NotImplementedError

    def opened(self, around: Surroundings) -> AbstractAsyncContextManager[Ask]:
        """A connection to the judge, for as long as a run takes."""
        raise NotImplementedError

    def secrets(self, environment: Mapping[str, str]) -> tuple[str, ...]:
        """What must never be kept or printed. Raises AssayError where something is needed and not there."""
        return ()


def key_from(environment: Mapping[str, str], name: str) -> str:
    """The key of a service, from the environment variable of this name; nothing where none is named."""
    if not name:
        return ""
    key = environment.get(name, "").strip()
    if not key:
        raise AssayError(f"the environment variable {name} is not set", f"export {name}=... with the key, then again")
    if not (key.isascii() and key.isprintable()):
        hint = "copy the key once more, without quotation marks or line breaks"
        raise AssayError(f"the environment variable {name} holds letters that no key has", hint)
    return key


__all__ = [
    "Ask",
    "Encode",
    "Exchange",
    "Judge",
    "JudgeFailure",
    "Prompt",
    "PromptPicture",
    "Reply",
    "Surroundings",
    "key_from",
]
