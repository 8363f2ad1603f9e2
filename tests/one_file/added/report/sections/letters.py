"""How many letters the title of the study has."""

from dataclasses import dataclass
from typing import ClassVar

from assay.report.data import Data
from assay.report.sections import Section


@dataclass(frozen=True, slots=True)
class LettersNumbers:
    """The length of the title."""

    letters: int


class LettersSection(Section[LettersNumbers]):
    """How many letters the title of the study has."""

    kind: ClassVar[str] = "letters"
    rank: ClassVar[int] = 99
    title: ClassVar[str] = "How long is the title?"

    def numbers(self, data: Data) -> LettersNumbers:
        return LettersNumbers(len(data.study.title))

    def lines(self, numbers: LettersNumbers) -> list[str]:
        return [f"The title has {numbers.letters} letters."]
