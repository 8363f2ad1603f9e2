"""The long table line by line, in any format: what judgments of a submission share is converted to text once."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import IO, Any

from assay.exchange.export_columns import COLUMNS, OWN_COLUMNS, Column, columns_in_common, own_values, typed_columns
from assay.submission_rows import Own, SubmissionRows

KEPT = 4096
"""So many texts of each column are cached, and of judgments' own parts: most come again with the next submission."""
AT_ONCE = 1000
"""So many lines are written together."""

Text = Callable[[Any], str]
"""Makes the text of a cell of a column."""
Made = tuple[bytes, int, int]
"""Some lines as they stand in a file, how many they are, and how many characters the longest has."""


class _Texts(dict[Any, str]):
    """A cache of the texts of a column, by value. A column holds one type of value, since 1 equals True and 1.0."""

    def __init__(self, before: str, make: Text) -> None:
        super().__init__()
        self.before = before
        self.make = make

    def __missing__(self, value: Any) -> str:
        if len(self) >= KEPT:
            self.clear()
        text = self[value] = self.before + self.make(value)
        return text


class _OwnTexts(dict[tuple[Own, type], tuple[str, ...]]):
    """A cache of the texts of a judgment's own columns, one for each run of them; by the judgment and its type.

    Lists are not cached: they cannot be keys.
    """

    def __init__(self, make: Callable[[Own], tuple[str, ...]]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, key: tuple[Own, type]) -> tuple[str, ...]:
        if len(self) >= KEPT:
            self.clear()
        texts = self[key] = self.make(key[0])
        return texts


@dataclass(frozen=True)
class LongLines:
    """The columns of the long table as a format has them, and where the values of a row come from."""

    columns: Sequence[Column]
    own: Sequence[str] = OWN_COLUMNS
    """The columns that each judgment has of its own, in the order of `own_values`."""
    own_values: Callable[[Own], Sequence[Any]] = own_values
    shared_values: Callable[[Mapping[str, Any]], Sequence[Any]] = columns_in_common
    """The values of all other columns, in their order."""

    def maker(
        self, text_of: Callable[[int], Text], start: str, between: str, end: str
    ) -> Callable[[Iterable[SubmissionRows]], Iterator[str]]:
        """A function that makes a line for each judgment. `text_of` returns the converter to text for a column's index.

        The texts that the judgments of a submission share are put together once.
        """
        before = [start] + [between] * (len(self.columns) - 1)
        shared = [
            _Texts(before[place], text_of(place))
            for place, column in enumerate(self.columns)
            if column.name not in self.own
        ]
        runs = self._runs()
        texts_of_own = _OwnTexts(self._own_texts(list(runs.values()), before, text_of))
        ends = [*pairwise([0, *runs, len(shared)])]

        def lines(submissions: Iterable[SubmissionRows]) -> Iterator[str]:
            for each in submissions:
                cells = [texts[value] for texts, value in zip(shared, self.shared_values(each.shared), strict=True)]
                line = [""] * (2 * len(ends) - 1)
                line[::2] = ["".join(cells[one:other]) for one, other in ends]
                line[-1] += end
                for own in each.own:
                    kind = type(own.value)
                    line[1::2] = texts_of_own.make(own) if kind is list else texts_of_own[own, kind]
                    yield "".join(line)

        return lines

    def _runs(self) -> dict[int, list[int]]:
        """The indices of a judgment's own columns, adjacent ones together, by how many shared columns come before."""
        runs: dict[int, list[int]] = {}
        before = 0
        for place, column in enumerate(self.columns):
            if column.name in self.own:
                runs.setdefault(before, []).append(place)
            else:
                before += 1
        return runs

    def _own_texts(
        self, runs: Sequence[Sequence[int]], before: Sequence[str], text_of: Callable[[int], Text]
    ) -> Callable[[Own], tuple[str, ...]]:
        """A function from what a judgment has of its own to the text of each run of columns."""
        make = [
            [(before[place], text_of(place), self.own.index(self.columns[place].name)) for place in run] for run in runs
        ]

        def texts(own: Own) -> tuple[str, ...]:
            values = self.own_values(own)
            return tuple(["".join([lead + text(values[which]) for lead, text, which in run]) for run in make])

        return texts


def encode_lines(lines: Iterable[str]) -> Made:
    """Some lines, joined and encoded, with their number and the length of the longest."""
    some = list(lines)
    return "".join(some).encode(), len(some), max(map(len, some), default=0)


def in_pieces(lines: Iterable[str]) -> Generator[Made]:
    """Any number of lines, joined in chunks."""
    every = iter(lines)
    while some := list(islice(every, AT_ONCE)):
        yield encode_lines(some)


def write_made(file: IO[bytes], pieces: Iterable[Made]) -> tuple[int, int]:
    """Write lines; returns how many there were, and how many characters the longest had."""
    count = longest = 0
    for content, lines, characters in pieces:
        file.write(content)
        count += lines
        longest = max(longest, characters)
    return count, longest


LONG = typed_columns(COLUMNS)
"""The columns of the long table."""
LONG_LINES = LongLines(LONG)
"""The long table with all its columns, in their order."""
