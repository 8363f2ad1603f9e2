"""The long table line by line, whatever a line looks like: what judgments of a submission share becomes text once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any

from assay.exchange.export_columns import COLUMNS, OWN_COLUMNS, Column, own_values, shared_by_name, typed_columns
from assay.submission_rows import Own, SubmissionRows

KEPT = 4096
"""So many texts of each column are kept, and of judgments' own parts: most come again with the next submission."""
AT_ONCE = 1000
"""So many lines are written together."""

Text = Callable[[Any], str]
"""Makes the text of a cell of a column."""


class _Texts(dict[Any, str]):
    """The texts of a column by the values, each made once. A column holds one type of value: 1 is like true and 1.0."""

    def __init__(self, make: Text) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, value: Any) -> str:
        if len(self) >= KEPT:
            self.clear()
        # It becomes a part of a pattern.
        text = self[value] = self.make(value).replace("%", "%%")
        return text


@dataclass(frozen=True)
class LongLines:
    """The columns of the long table as a format has them, and where the values of a row come from."""

    columns: Sequence[Column]
    own: Sequence[str] = OWN_COLUMNS
    """The columns that each judgment has of its own, in the order of `own_values`."""
    own_values: Callable[[Own], Sequence[Any]] = own_values
    shared_values: Callable[[Mapping[str, Any]], Sequence[Any]] = shared_by_name
    """The values of all other columns, in their order."""

    def lines(
        self, submissions: Iterable[SubmissionRows], text_of: Callable[[int], Text], start: str, between: str, end: str
    ) -> Iterator[str]:
        """A line for each judgment. `text_of` says how cells of a column become text, by the column's place."""
        names = [column.name for column in self.columns]
        shared = [_Texts(text_of(place)) for place, name in enumerate(names) if name not in self.own]
        make = [text_of(names.index(name)) for name in self.own]
        in_order = sorted(range(len(self.own)), key=lambda which: names.index(self.own[which]))

        def own_texts(own: Own) -> tuple[str, ...]:
            values = self.own_values(own)
            return tuple([make[which](values[which]) for which in in_order])

        kept: dict[tuple[Own, type], tuple[str, ...]] = {}
        places = sorted(map(names.index, self.own))
        for submission in submissions:
            cells = [texts[value] for texts, value in zip(shared, self.shared_values(submission.shared), strict=True)]
            for place in places:
                cells.insert(place, "%s")
            line = start + between.join(cells) + end
            for each in submission.own:
                kind = type(each.value)
                if kind is list:  # nothing can be kept by one
                    yield line % own_texts(each)
                    continue
                texts_of_own = kept.get((each, kind))
                if texts_of_own is None:
                    if len(kept) >= KEPT:
                        kept.clear()
                    texts_of_own = kept[each, kind] = own_texts(each)
                yield line % texts_of_own


def write_lines(file: IO[str], lines: Iterator[str]) -> tuple[int, int]:
    """Write lines; returns how many there were, and how many characters the longest had."""
    count = longest = 0
    while some := list(islice(lines, AT_ONCE)):
        file.write("".join(some))
        count += len(some)
        longest = max(longest, *map(len, some))
    return count, longest


LONG = typed_columns(COLUMNS)
"""The columns of the long table."""
LONG_LINES = LongLines(LONG)
