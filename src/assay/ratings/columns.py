"""Which column of a table holds what: named by whoever asks, else found by the names that people give them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assay.errors import Mistake
from assay.ratings.scale_declarations import Declared
from assay.ratings.table import TableFile, TableMistakes
from assay.ratings.wide_columns import find_names_of_rows, find_wide_columns
from assay.suggest import suggest_name

ITEM: tuple[str, ...] = (
    "item",
    "item_id",
    "itemid",
    "id",
    "unit",
    "unit_id",
    "example",
    "example_id",
    "sample",
    "sample_id",
)
ITEM += ("document", "doc_id", "question_id", "prompt_id", "subject", "case")
ANNOTATOR: tuple[str, ...] = (
    "annotator",
    "annotator_id",
    "rater",
    "rater_id",
    "worker",
    "worker_id",
    "user",
    "user_id",
    "coder",
)
ANNOTATOR += ("coder_id", "evaluator", "participant", "judge", "reviewer", "who")
VALUE = ("value", "rating", "score", "label", "judgment", "judgement", "annotation", "answer", "grade", "category")
DIMENSION = ("dimension",)
ID = re.compile(r"(^|[_\s-])(id|ID|Id)\d*$|[a-z]I[Dd]\d*$")
"""How the name of an id ends: eval_id, evalId, ID2."""


@dataclass(frozen=True)
class TableOptions:
    """What the person says of the file. What is left out is found or assumed, with a note that says so."""

    item: str | None = None
    annotator: tuple[str, ...] = ()
    """One column, which names who judged; or several, one for each annotator."""
    value: tuple[str, ...] = ()
    declared: Declared = field(default_factory=Declared)
    system: str | None = None
    cluster: str | None = None
    by: tuple[str, ...] = ()
    """Columns that split the judgments: the agreement within each of their values."""
    judge: tuple[str, ...] = ()
    counts: bool = False
    sheet: str = ""


@dataclass(frozen=True)
class TableLayout:
    """What each column holds. With `annotator` the table is long; else each of `values` is a column of judgments."""

    item: str | None
    annotator: str | None
    values: tuple[str, ...]
    dimension: str | None = None
    notes: tuple[str, ...] = ()
    """What was taken to be what, where it could be something else."""

    @property
    def is_long(self) -> bool:
        """Whether there is a row for each judgment, and not one for each item."""
        return self.annotator is not None


def layout_of(table: TableFile, options: TableOptions) -> TableLayout:
    """Find the columns, or say which one is missing and which there are."""
    found = _find_layout(table, options)
    if found.item is None or options.item or _plain(found.item) in ITEM or found.notes:
        return found
    return replace(found, notes=(f"taken from the columns: {found.item} names the items (say --item)",))


def _find_layout(table: TableFile, options: TableOptions) -> TableLayout:
    named = [options.item, *options.annotator, *options.value, options.system, options.cluster, *options.by]
    refuse_unknown_columns(table, [name for name in named if name is not None])
    used = {name for name in named if name is not None} - set(options.by)
    item = options.item or _find_item(table, used)
    used.add(item or "")
    if options.counts or len(options.annotator) > 1:
        columns = options.value if options.counts else options.annotator
        return TableLayout(item, None, columns) if columns else _layout_of_counts(table, item, used)
    annotator = options.annotator[0] if options.annotator else _find_column(table, ANNOTATOR, used)
    used.add(annotator or "")
    value = options.value or tuple(filter(None, [_find_column(table, VALUE, used)]))
    if annotator is None and value:
        raise TableMistakes([_missing_column(table, "annotator", "who judged", ANNOTATOR)])
    if annotator is None:
        return _wide_layout(table, item, used, options)
    if item is None:
        raise TableMistakes([_missing_column(table, "item", "what was judged", ITEM)])
    if not value:
        raise TableMistakes([_missing_column(table, "value", "the judgment", VALUE)])
    return TableLayout(item, annotator, value, _find_column(table, DIMENSION, used | set(value)))


def refuse_unknown_columns(table: TableFile, named: Sequence[str]) -> None:
    """Refuse names of columns that are not there."""
    lacking = [name for name in dict.fromkeys(named) if name not in table.names]
    if lacking:
        raise TableMistakes(
            [table.mistake(f"there is no column {name!r}", suggest_name(name, table.names)) for name in lacking]
        )


def _wide_layout(table: TableFile, item: str | None, used: set[str], options: TableOptions) -> TableLayout:
    """A row for each item: the columns that hold judgments, with a note where they could not be known by name."""
    others = _others(table, used | set(options.by))
    ids = [name for name in others if ID.search(name.strip()) and name not in options.judge]
    # Where no column is known to name the items, one of these may do so.
    looked_at = others if item is None else tuple(name for name in others if name not in ids)
    found = find_wide_columns(table, item, looked_at, options.judge)
    annotators = tuple(name for name in found.annotators if name not in ids)
    whys = {**dict.fromkeys((name for name in ids if name != found.item), "it is called an id"), **found.aside}
    of_items = f"{found.item} names the items" if found.item else "each row is an item of its own"
    people = ", ".join(name for name in annotators if name not in options.judge)
    taken = f"taken from the columns: {of_items}; annotators: {people or 'none'}"
    aside = "; ".join(f"{name}: {why}" for name, why in whys.items())
    left = f"; left aside: {aside}" if aside else ""
    if aside and not annotators:
        what = f"there is no column of judgments beside the item{left}"
        raise TableMistakes([table.mistake(what, "name the annotators' columns (--annotator, once for each)")])
    return TableLayout(found.item, None, annotators, notes=(f"{taken}{left} (say --item, --annotator)",))


def _layout_of_counts(table: TableFile, item: str | None, used: set[str]) -> TableLayout:
    """A column for each category; a column that numbers or names the rows is no category, whatever it is called."""
    others = _others(table, used)
    if item is not None:
        return TableLayout(item, None, others)
    names = find_names_of_rows(table, others)
    notes = [f"taken from the columns: {name} names the items (say --item, --value)" for name in names[:1]]
    return TableLayout(
        names[0] if names else None, None, tuple(n for n in others if n not in names), notes=tuple(notes)
    )


def _find_item(table: TableFile, used: set[str]) -> str | None:
    """The column that is called like an item's, else the only one that is called an id of something else."""
    if found := _find_column(table, ITEM, used):
        return found
    ids = [name for name in _others(table, used) if ID.search(name.strip()) and _plain(name) not in ANNOTATOR]
    return ids[0] if len(ids) == 1 else None


def _plain(name: str) -> str:
    return re.sub(r"[\s\-]+", "_", name.strip().lower())


def _find_column(table: TableFile, names: Sequence[str], used: set[str]) -> str | None:
    plain = {_plain(name): name for name in reversed(table.names) if name not in used}
    return next((plain[name] for name in names if name in plain), None)


def _others(table: TableFile, used: set[str]) -> tuple[str, ...]:
    return tuple(name for name in table.names if name not in used)


def _missing_column(table: TableFile, option: str, holds: str, names: Sequence[str]) -> Mistake:
    what = f"there is no column that says {holds} ({', '.join(names[:4])}, ...)"
    listed = ", ".join(table.names[:12]) + (", ..." if len(table.names) > 12 else "")
    each = ", once for each dimension" if option == "value" else ""
    return table.mistake(what, f"name it with --{option}{each}; columns here: {listed}")
