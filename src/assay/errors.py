"""Errors that people can act on: where, what, and what to do. None of them is ever shown as a traceback."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.words import Translatable


@dataclass(frozen=True)
class Mistake:
    """One mistake in a file: where, what, and what to do about it."""

    where: str
    what: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f"\n  hint: {self.hint}" if self.hint else "")


class AssayError(Exception):
    """Something that the person at the command line can put right."""

    exit_code = 1

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint


class FileMistakes(AssayError):
    """A file with mistakes, all of them listed at once."""

    exit_code = 2

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("\n".join(str(mistake) for mistake in mistakes))
        self.mistakes = tuple(mistakes)


class StudyMistakes(FileMistakes):
    """The study file cannot be used as it is."""


class ItemMistakes(FileMistakes):
    """The items cannot be taken in as they are. Nothing was stored."""


class StoreError(AssayError):
    """The store cannot be opened, or cannot be written to just now."""


class Interrupted(AssayError):
    """The person at the command line has stopped it."""

    exit_code = 130


class PageError(Exception):
    """An error that a person reads on a page, in the language of the study; in a log it is English.

    Its words are a key of the catalogues; a kind from a plug-in, which has no catalogue, gives a plain string.
    """

    def __init__(self, words: Translatable | str) -> None:
        super().__init__(str(words))
        self.words = words


class AnswerError(PageError):
    """One answer that cannot be taken."""


class AnswersRefused(Exception):
    """A submission that breaks the study's rules; `reasons` maps each question's key to words for the annotator.

    They are in the study's language already: some are its author's.
    """

    def __init__(self, reasons: dict[str, str]) -> None:
        super().__init__("; ".join(f"{key}: {reason}" for key, reason in reasons.items()))
        self.reasons = reasons


class NotFound(PageError):
    """No such thing for this person: it does not exist, or it is somebody else's."""


class Conflict(PageError):
    """The request no longer fits what is stored: somebody, or the same person elsewhere, was faster."""


class OverQuota(Conflict):
    """Every place in the study is taken."""


class TooMany(PageError):
    """Too many requests lately: try again after some seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(Translatable("errors.too_many"))
        self.seconds = seconds


class NotYet(PageError):
    """It is not the turn of this item or gate: something else comes first."""


class Closed(PageError):
    """The study takes no answers any more."""
