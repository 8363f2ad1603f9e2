"""A conversation, turn by turn, with the speakers' names in a gutter."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.displays import WALK, Display
from assay.displays.formatted_text import FormattedText, type_in_words
from assay.kinds import Shortcut
from assay.mistakes import mistake, quote


class ChatDisplay(FormattedText, Display):
    """A conversation, turn by turn, with the speakers' names in a gutter.

    A turn either holds what each speaker says under a key of its own (`turns`), or is one message with the name of its
    role and its text (`speakers`). Keys that are not named here stay hidden.
    """

    kind: ClassVar[str] = "chat"
    example: ClassVar[Any] = {
        "field": "history",
        "label": "The conversation",
        "turns": {"user": "Driver", "system": "Assistant"},
        "role": "role",
        "text": "content",
        "speakers": {},
        "numbered": True,
        "last": "request",
        "last_speaker": "Driver",
        "markdown": False,
        "formulas": False,
        "chips": False,
        "tidy": False,
        "lang": "en",
    }

    turns: dict[str, str] = Field(
        default={}, description="The keys of a turn that hold what is said, in order, each with its speaker's name."
    )
    speakers: dict[str, str] = Field(
        default={}, description="For lists of messages: each role with its speaker's name. Other roles are refused."
    )
    role: str = Field(default="role", description="The key of a message that holds its role.")
    text: str = Field(default="content", description="The key of a message that holds its text.")
    numbered: bool = Field(default=True, description="Whether turns have numbers, from 1.")
    last: str = Field(default="", description="A field whose text is the newest turn; earlier turns are shown paler.")
    last_speaker: str = Field(default="", description="The name of the newest turn's speaker.")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.turns) == bool(self.speakers):
            hint = "write turns: {user: User, system: Assistant}, or for messages speakers: {user: User}"
            what = "it has both turns and speakers" if self.turns else "it does not say who speaks"
            raise mistake(what, hint, needs=("turns", "speakers"))
        return self

    def fields(self) -> tuple[str, ...]:
        return (self.field, self.last) if self.last else (self.field,)

    def keep(self, name: str, value: Any) -> Any:
        if name != self.field:
            return None if isinstance(value, dict | list) else value
        return [self._named_keys(turn) for turn in value] if isinstance(value, list) else []

    def _named_keys(self, turn: Any) -> dict[str, Any]:
        if not isinstance(turn, dict):
            return {}
        names = tuple(self.turns)
        if self.speakers:
            known = isinstance(turn.get(self.role), str) and turn[self.role] in self.speakers
            names = (self.role, self.text) if known else ()
        return {name: turn[name] for name in names if name in turn and not isinstance(turn[name], dict | list)}

    def mistake_in(self, name: str, value: Any) -> str | None:
        if name != self.field:
            return f"a text is expected, not {type_in_words(value)}" if isinstance(value, dict | list) else None
        if value is None:
            return None
        if not isinstance(value, list):
            return f"a list of turns is expected, not {type_in_words(value)}"
        return next((found for at, turn in enumerate(value, 1) if (found := self._mistake_in_turn(at, turn))), None)

    def _mistake_in_turn(self, at: int, turn: Any) -> str | None:
        if not isinstance(turn, dict):
            return f"turn {at} is {type_in_words(turn)}, not a mapping"
        if self.speakers:
            if self.role not in turn:
                return f"turn {at} has no {self.role!r}"
            role = turn[self.role]
            if not isinstance(role, str) or role not in self.speakers:
                return f"turn {at} is of {quote(role)}, who is not among the speakers"
        names = [name for name in ([self.text] if self.speakers else self.turns) if name in turn]
        if not names:
            return f"turn {at} has none of: {', '.join([self.text] if self.speakers else self.turns)}"
        nested = [name for name in names if isinstance(turn[name], dict | list)]
        return f"in turn {at}, {nested[0]!r} is {type_in_words(turn[nested[0]])}, not a text" if nested else None

    def shortcuts(self) -> tuple[Shortcut, ...]:
        return (WALK,)

    def view(self, shown: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        turns = [
            {"speeches": self._speeches(turn), "now": False} for turn in self.keep(self.field, shown.get(self.field))
        ]
        newest = self.format_value(self.keep(self.last, shown.get(self.last))) if self.last else ""
        if newest.strip():
            first = next(iter((self.turns or self.speakers).values()))
            other = self.last_speaker not in ("", first)
            turns.append({"speeches": [{"who": self.last_speaker, "text": newest, "other": other}], "now": True})
        named = {"label": self.label, "lang": self.lang, "markdown": self.markdown, "numbered": self.numbered}
        return {**named, "turns": turns, "has_now": bool(newest.strip())}

    def _speeches(self, turn: dict[str, Any]) -> list[dict[str, Any]]:
        """Who says what in one turn. All but the first speaker are set off by a rule."""
        first = next(iter((self.turns or self.speakers).values()))
        return [
            {"who": who, "text": self.format_value(text), "other": who != first}
            for who, text in self._speaker_and_text(turn)
        ]

    def _speaker_and_text(self, turn: dict[str, Any]) -> list[tuple[str, Any]]:
        """The name of each speaker of one turn, and what they say."""
        if self.speakers:
            return [(self.speakers[turn[self.role]], turn.get(self.text))] if self.role in turn else []
        return [(who, turn[key]) for key, who in self.turns.items() if turn.get(key) is not None]

    def plain_text(self, shown: Mapping[str, Any]) -> str:
        lines = []
        for number, turn in enumerate(self.keep(self.field, shown.get(self.field)), 1):
            prefix = f"{number} " if self.numbered else ""
            lines += [f"{prefix}{who}: {self.plain_value(text)}" for who, text in self._speaker_and_text(turn)]
        newest = self.plain_value(shown.get(self.last)) if self.last else ""
        if newest.strip():
            lines.append(f"> {self.last_speaker}: {newest}" if self.last_speaker else f"> {newest}")
        return "\n".join(lines)

    def opening(self, shown: Mapping[str, Any]) -> str:
        said = [
            self.plain_value(text)
            for turn in self.keep(self.field, shown.get(self.field))
            for _, text in self._speaker_and_text(turn)
        ]
        newest = self.plain_value(shown.get(self.last)) if self.last else ""
        # Items about the turns of one conversation all begin alike: the newest turn tells them apart.
        return next((text for text in (newest, *said) if text.strip()), "")

    def sample(self) -> dict[str, Any]:
        def turn(number: int) -> list[dict[str, Any]]:
            if self.turns:
                return [{key: f"What {key} says in turn {number}." for key in self.turns}]
            return [{self.role: role, self.text: f"What {role} says in turn {number}."} for role in self.speakers]

        found: dict[str, Any] = {self.field: turn(1) + turn(2)}
        return {**found, self.last: "What is said now."} if self.last else found
