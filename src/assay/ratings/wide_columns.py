"""Which columns of a wide table are annotators', where nobody says so. They share values; ids and texts do not.

What is clear is decided and said. What is not clear is asked: a wrong column gives a number that looks like any other.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from assay.ratings.scale import label_of
from assay.ratings.table import TableFile, TableMistakes
from assay.statistics.arrays import np
from assay.statistics.factors import Factor
from assay.statistics.frames import number_of

INDEX = re.compile(r"Unnamed: \d+(_level_\d+)?|__index_level_\d+__", re.IGNORECASE)
"""How an index is called that a data frame wrote without a name."""
FEW = 5
"""Numbers that rise by one and never come again are taken for the numbers of rows from so many on."""
LONGEST_LABEL = 100
"""A label is no longer than so many characters."""
MANY_ROWS = 10
"""From so many rows on, labels come again."""
MOST_TEXTS = 10_000
"""With more different texts than this no column holds judgments."""


@dataclass(frozen=True)
class WideColumns:
    """What the columns are: the item's, if there is one, the annotators', and others, each with the reason."""

    item: str | None
    annotators: tuple[str, ...]
    aside: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Column:
    """What stands in a column."""

    name: str
    texts: frozenset[str]
    given: int
    filled: bool
    """Whether no cell is empty."""

    @property
    def never_repeats(self) -> bool:
        return len(self.texts) == self.given > 1

    @property
    def numbers(self) -> list[int | float]:
        return [number for text in self.texts if (number := number_of(text)) is not None]

    @property
    def is_of_words(self) -> bool:
        return bool(self.texts) and not self.numbers

    @property
    def is_of_numbers(self) -> bool:
        return bool(self.texts) and len(self.numbers) == len(self.texts)

    @property
    def is_of_texts(self) -> bool:
        """Whether it holds texts, and not labels: some are long, or hardly any comes again."""
        if max(map(len, self.texts)) > LONGEST_LABEL:
            return True
        return self.is_of_words and self.given >= MANY_ROWS and 2 * len(self.texts) > self.given

    @property
    def counts_rows(self) -> bool:
        """Whether it holds whole numbers that rise by one, each once."""
        if not (self.never_repeats and self.is_of_numbers):
            return False
        numbers = sorted(self.numbers)
        return all(isinstance(each, int) for each in numbers) and numbers[-1] - numbers[0] == len(numbers) - 1


def find_wide_columns(
    table: TableFile, item: str | None, candidates: Sequence[str], judges: Sequence[str] = ()
) -> WideColumns:
    """Tell the annotators' columns from others; those of judges who are named are sure to be such.

    Raises:
        TableMistakes: It is not clear which they are, and somebody has to say.
    """
    columns, aside = _look_into(table, candidates)
    guessed = item
    if item is None:
        guessed = _find_item(table, columns)
        columns = [each for each in columns if each.name != guessed]
    for each in _numbers_of_rows(columns):
        aside[each.name] = "it numbers the rows"
    columns = [each for each in columns if each.name not in aside]
    if item is None and guessed is None:
        _refuse_possible_ids(table, columns)
    aside |= {name: why for name, why in _of_another_kind(columns).items() if name not in judges}
    columns = [each for each in columns if each.name not in aside]
    _refuse_strangers(table, columns, judges)
    return WideColumns(guessed, tuple(each.name for each in columns), aside)


def find_names_of_rows(table: TableFile, candidates: Sequence[str]) -> list[str]:
    """The columns that name or number the rows of a table of counts, and count nothing."""
    columns, _ = _look_into(table, candidates)
    rows = _numbers_of_rows(columns)
    return [each.name for each in columns if each in rows or (each.never_repeats and each.is_of_words)]


def _look_into(table: TableFile, names: Sequence[str]) -> tuple[list[_Column], dict[str, str]]:
    """The columns that may hold judgments, and why others cannot."""
    found, aside = [], {}
    for name, factor in _take_each(table, names).items():
        if factor is None:
            aside[name] = "it holds neither texts nor numbers"
            continue
        present = np.flatnonzero(np.bincount(factor.codes[factor.codes >= 0], minlength=1))
        given = int((factor.codes >= 0).sum())
        if given == 0:
            aside[name] = "it is empty"
        elif len(present) > MOST_TEXTS:
            aside[name] = f"it has {len(present):,} different values"
        else:
            texts = frozenset(label_of(str(factor.names[code])) for code in present.tolist())
            found.append(_Column(name, texts, given, given == len(factor.codes)))
    return found, aside


def _take_each(table: TableFile, names: Sequence[str]) -> dict[str, Factor | None]:
    try:
        return {**table.take(names).factors}
    except TableMistakes:
        return {name: _take_one(table, name) for name in names}


def _take_one(table: TableFile, name: str) -> Factor | None:
    try:
        return table.take([name]).factors[name]
    except TableMistakes:
        return None


def _find_item(table: TableFile, columns: Sequence[_Column]) -> str | None:
    """The one column that can name items: no value of it comes again, and some occur nowhere else."""
    never = [each for each in columns if each.never_repeats and each.filled]
    named = [each for each in never if not INDEX.fullmatch(each.name)]
    if not named:
        return never[0].name if never else None
    if len(named) == 1 and named[0].texts - _texts_of(columns, but=named[0]):
        return named[0].name
    _ask(table, f"the items may be named by {_list_names(named)}, where no value comes twice")
    return None


def _numbers_of_rows(columns: Sequence[_Column]) -> list[_Column]:
    return [
        each
        for each in columns
        if each.counts_rows
        and (INDEX.fullmatch(each.name) or (each.given >= FEW and each.texts - _texts_of(columns, but=each)))
    ]


def _refuse_possible_ids(table: TableFile, columns: Sequence[_Column]) -> None:
    """Refuse to take each row as an item where a column may name the items: most of its values are its own."""
    for each in columns:
        own = each.texts - _texts_of(columns, but=each)
        if 2 * len(own) > len(each.texts) and len(columns) > 1:
            _ask(table, f"the items may be named by {each.name!r}, whose values hardly occur in other columns")


def _of_another_kind(columns: Sequence[_Column]) -> dict[str, str]:
    """The columns that differ in kind from others that belong together: words among numbers, numbers among words."""
    together = {each.name for each in columns if each.texts & _texts_of(columns, but=each)}
    kin = [each for each in columns if each.name in together]
    rest = [each for each in columns if each.name not in together]
    aside = {each.name: "it holds texts" for each in columns if each.is_of_texts}
    for each in rest:
        if each.name in aside:
            continue
        if kin and each.never_repeats:
            aside[each.name] = "no value comes twice, and none occurs in another column"
        elif kin and each.is_of_words and all(other.is_of_numbers for other in kin):
            aside[each.name] = "it holds words, and the others numbers"
        elif kin and each.is_of_numbers and all(other.is_of_words for other in kin):
            aside[each.name] = "it holds numbers, and the others words"
    return aside


def _refuse_strangers(table: TableFile, columns: Sequence[_Column], judges: Sequence[str]) -> None:
    """Refuse a column that shares no value with the others, which do share some: it may not be an annotator's."""
    apart = [each for each in columns if not each.texts & _texts_of(columns, but=each)]
    strangers = [each for each in apart if each.name not in judges]
    decimals = all(each.is_of_numbers for each in columns)
    if len(columns) > 2 and strangers and not (decimals and len(apart) == len(columns)):
        what = f"{_list_names(strangers)} may hold judgments or not: no value of it occurs in another column"
        raise TableMistakes([table.mistake(what, _name_annotators(table, "name the annotators' columns"))])


def _ask(table: TableFile, what: str) -> None:
    hint = "name the item's column with --item; where each row is an item of its own, name the annotators' columns"
    raise TableMistakes([table.mistake(what, _name_annotators(table, hint))])


def _name_annotators(table: TableFile, hint: str) -> str:
    listed = ", ".join(table.names[:12]) + (", ..." if len(table.names) > 12 else "")
    return f"{hint} (--annotator, once for each); columns here: {listed}"


def _texts_of(columns: Iterable[_Column], but: _Column) -> frozenset[str]:
    return frozenset().union(*(each.texts for each in columns if each.name != but.name))


def _list_names(columns: Sequence[_Column]) -> str:
    return ", ".join(repr(each.name) for each in columns)
