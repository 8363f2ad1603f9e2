"""The rows of an export that count, whichever its layout: long, or wide with a column for every answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from assay.files.formulas import as_it_was
from assay.model import ROLES
from assay.ratings.export_dictionary import ExportDictionary
from assay.ratings.table import Columns, TableFile
from assay.statistics.arrays import Bools, Ints, np
from assay.statistics.factors import Factor

ABOUT_WORK = ("submission", "shown_at", "submitted_at", "active_seconds", "study_hash", "consent", "source", "position")
FLAGS = ("superseded", "judge", "simulated", "control", "surplus", "withdrawn", "overridden", "excluded")
ABOUT_ITEM = ("item", "systems", "group", "batch", "annotator", "left", "pass", "revision")
SHARED = frozenset((*ABOUT_ITEM, *ABOUT_WORK, *FLAGS))
"""The columns that say something of a submission, in the long table and in the wide one."""
WIDE = frozenset(("system_a", "system_b", "missing"))
"""The other columns of the wide table that hold no answer."""
MARKS = frozenset(
    ("item", "systems", "annotator", "pass", "revision", "submission", "study_hash", "source", "judge", "control")
)
"""What an export of any version has, and no other file."""
APART = ("control", "surplus", "withdrawn", "superseded", "excluded")
"""A judgment of which one of these is true counts in no result."""
KEYS = ("item", "annotator", "group", "systems", "study_hash", "pass", "source", "judge", *APART)


@dataclass(frozen=True)
class ExportedAnswers:
    """Where answers of one dimension stand: in a column, for one candidate or entry of each row."""

    column: str
    candidate: Ints
    """Of each row, the number of the candidate; -1 where the answer is about all of the item."""
    entry: Ints


@dataclass(frozen=True)
class ExportRows:
    """The rows that count."""

    table: TableFile
    columns: Columns
    dictionary: ExportDictionary | None
    is_grouped: bool = False
    """Whether items share something: then what they share is drawn together."""
    runs_of_judges: Mapping[str, int] = field(default_factory=dict)
    """The automated judges that were run several times on an item, and how often; the first run counts."""

    @property
    def is_long(self) -> bool:
        """Whether there is a row for each judgment, and not one for each submission."""
        return is_long_export(self.table.names)

    @cached_property
    def judges(self) -> frozenset[str]:
        """The automated judges."""
        who = self.factor("annotator")
        judged = np.unique(who.codes[self.by_judges])
        return frozenset(str(who.names[code]) for code in judged.tolist())

    @property
    def by_judges(self) -> Bools:
        """Which rows are of automated judges."""
        return _is_true(self.factor("judge"))

    def factor(self, name: str) -> Factor:
        """A column by its name; an empty one where the file lacks it."""
        return self.columns.factors.get(name) or Factor(np.full(len(self.columns.rows), -1), [])

    def only(self, mask: Bools) -> "ExportRows":
        """Some of the rows."""
        return replace(self, columns=self.columns.only(mask))

    def of_versions(self, hashes: frozenset[str] | None) -> "ExportRows":
        """The rows that were given under some versions of the study."""
        versions = self.factor("study_hash")
        if hashes is None:
            return self
        known = np.array([str(each) in hashes for each in versions.names] + [False])
        return self.only(known[versions.codes])

    def answers(self, dimension: str) -> tuple["ExportRows", list[ExportedAnswers]]:
        """The rows with answers to a dimension, and the columns that hold them."""
        if self.is_long:
            names = self.factor("dimension")
            rows = self.only(names.codes == _number_of(names, dimension))
            return rows, [ExportedAnswers("value", rows.candidates, rows.factor("entry").codes)]
        return self, [self._answers_in(column, dimension) for column in self.columns_of(dimension)]

    def columns_of(self, dimension: str) -> list[str]:
        """The columns of a wide table that hold a dimension's answers."""
        return [name for name, of in self.answer_columns.items() if of == dimension]

    @cached_property
    def answer_columns(self) -> dict[str, str]:
        """Of a wide table, the dimension of every column with answers."""
        if self.dictionary is not None:
            return {name: of for name, of in self.dictionary.columns.items() if name in self.table.names}
        others = [name for name in self.table.names if name not in SHARED | WIDE]
        return {name: name.partition(".")[0] for name in others}

    @property
    def candidates(self) -> Ints:
        """Of each row of a long table, the number of the candidate that it is about."""
        system, systems = self.factor("system"), self.factor("systems")
        is_pair = np.array([str(each).count("|") == 1 for each in systems.names] + [False])
        return np.where(is_pair[systems.codes], system.codes, -1)

    def _answers_in(self, column: str, dimension: str) -> ExportedAnswers:
        part, n = column[len(dimension) + 1 :], len(self.columns.rows)
        role = ROLES.index(part) if part in ROLES else -1
        entry = int(part) if part.isdecimal() else -1
        return ExportedAnswers(column, np.full(n, role), np.full(n, entry))


def is_export(names: Sequence[str]) -> bool:
    """Whether a table is one that this program wrote, by its columns."""
    return set(names) >= MARKS


def is_long_export(names: Sequence[str]) -> bool:
    """Whether it has a row for each judgment."""
    return {"dimension", "value"} <= set(names)


def read_export(table: TableFile, dictionary: ExportDictionary | None, more: Sequence[str]) -> ExportRows:
    """The rows that count, with some more columns."""
    rows = ExportRows(table, Columns({}, np.arange(0)), dictionary)
    own = ["dimension", "value", "system", "entry"] if rows.is_long else list(rows.answer_columns)
    names = [name for name in dict.fromkeys([*KEYS, *own, *more]) if name in table.names]
    every = ExportRows(table, _as_they_were(table, table.take(names, lists=True)), dictionary)
    grouped = bool((every.factor("group").codes >= 0).any())
    in_force = _in_force(every)
    passes = every.factor("pass")
    found = replace(every, is_grouped=grouped, runs_of_judges=_runs_of_judges(every.only(in_force)))
    return found.only(in_force & (passes.codes == _number_of(passes, "1")))


def _as_they_were(table: TableFile, columns: Columns) -> Columns:
    """The columns with their original texts, without what made them harmless for spreadsheets."""
    if table.path.suffix.lower() != ".csv":
        return columns
    few = {name: each for name, each in columns.factors.items() if isinstance(each.names, list)}
    restored = {name: Factor(each.codes, [as_it_was(str(text)) for text in each.names]) for name, each in few.items()}
    return Columns({**columns.factors, **restored}, columns.rows)


def _in_force(rows: ExportRows) -> Bools:
    """Which rows are in force, of the study's items, and by somebody who is not excluded; of any pass."""
    source = rows.factor("source")
    in_force: Bools = source.codes != _number_of(source, "practice", -2)
    for name in APART:
        in_force &= ~_is_true(rows.factor(name))
    return in_force


def _runs_of_judges(rows: ExportRows) -> dict[str, int]:
    """How often automated judges were run on an item, where it was more than once."""
    judged = rows.only(rows.by_judges)
    who, passes = judged.factor("annotator"), judged.factor("pass")
    pairs = np.unique(np.stack([who.codes, passes.codes], axis=1), axis=0)
    runs: dict[str, int] = {}
    for judge, number in pairs[(pairs >= 0).all(axis=1)].tolist():
        name, run = str(who.names[judge]), str(passes.names[number])
        runs[name] = max(runs.get(name, 0), int(run) if run.isdecimal() else 0)
    return {name: most for name, most in sorted(runs.items()) if most > 1}


def _number_of(factor: Factor, name: str, otherwise: int = -3) -> int:
    return next((number for number, each in enumerate(factor.names) if each == name), otherwise)


def _is_true(factor: Factor) -> Bools:
    known = np.array([str(each).lower() == "true" for each in factor.names] + [False])
    found: Bools = known[factor.codes]
    return found
