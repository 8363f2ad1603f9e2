"""Where the judgments of a report come from. Of what came from a file nobody knows the page, the sides or the time."""

from collections.abc import Iterable
from dataclasses import dataclass

from assay.in_words import count
from assay.model import IMPORTED, Judgment


@dataclass(frozen=True, slots=True)
class Sources:
    """How many submissions that count came each way."""

    page: int
    """Given on the page, or by a script in its place."""
    sheet: int
    """Given on sheets that the study gave out."""
    file: int
    """Given elsewhere, and brought from files."""
    judges: int
    """Those of automated judges, which come from files too."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether all submissions came from files, so that nothing is known of how they were given."""
        return not (self.page or self.sheet) and bool(self.file or self.judges)

    @property
    def is_mixed(self) -> bool:
        """Whether people judged in the study and elsewhere."""
        return bool(self.file and (self.page or self.sheet))

    def in_words(self) -> str:
        """How people's submissions came, in words; empty where all of them came from the page.

        >>> Sources(page=3, sheet=0, file=4, judges=0).in_words(), Sources(0, 0, 1, 0).in_words()
        ('3 submissions on the page, 4 submissions from files', '1 submission from files')
        """
        if not (self.sheet or self.file):
            return ""
        ways = {"on the page": self.page, "on sheets": self.sheet, "from files": self.file}
        return ", ".join(f"{count(n)} submission{'' if n == 1 else 's'} {way}" for way, n in ways.items() if n)


def sources_of(by_people: Iterable[Judgment], by_judges: Iterable[Judgment]) -> Sources:
    """Count the submissions behind judgments that count, by where they come from."""
    came = {each.submission: each.source for each in by_people}
    ways = list(came.values())
    return Sources(
        page=ways.count("work"),
        sheet=ways.count("sheet"),
        file=ways.count(IMPORTED),
        judges=len({each.submission for each in by_judges}),
    )
