"""Exports of this program -> the ratings that its report is made from, dimension by dimension.

What counts is told by columns (`export_rows`), the scales by the dictionary beside the file (`export_dictionary`). What
was judged is an item, a candidate of it, or an entry; what shares a group or an item is drawn together.
"""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace
from functools import partial

from assay.errors import AssayError
from assay.judgments.units import items_judged_by_two
from assay.judgments.what_counts import which_run_counts
from assay.model import ROLES, Comparison
from assay.ratings.columns import TableOptions, refuse_unknown_columns
from assay.ratings.dimension import RatedDimension, RatedTable, each_that_can_be_rated, rate
from assay.ratings.export_dictionary import BESIDE, FIRST, SECOND, SYSTEMS, ExportedDimension, find_dictionary
from assay.ratings.export_rows import ExportedAnswers, ExportRows, read_export
from assay.ratings.long_table import LongTable, combine
from assay.ratings.scale import ScaleOfTexts, label_of
from assay.ratings.table import TableFile, TableMistakes
from assay.ratings.values import codes_of, read_on_scale, read_scale_of
from assay.statistics import Scale
from assay.statistics.arrays import Ints, np
from assay.statistics.factors import Factor
from assay.statistics.frames import number_of
from assay.suggest import suggest_name

MOST_WORDS = 20
"""Without a dictionary, a dimension with more different words than this is taken for notes, as are sentences."""


def dimensions_of_export(table: TableFile, options: TableOptions) -> RatedTable:
    """The ratings of each dimension that the study has a scale for, in the order of its rubric."""
    beside = [name for name in (options.cluster, options.system, *options.by) if name is not None]
    refuse_unknown_columns(table, beside)
    dictionary = find_dictionary(table.path)
    rows = read_export(table, dictionary, beside)
    notes = []
    if dictionary is None:
        what = f"there is no {table.path.name}{BESIDE} beside it"
        notes.append(f"{what}: scales, levels and which versions are pooled are taken from the values")
    if "excluded" not in table.names:
        notes.append("the file does not say who is left out of the report: nobody is")
    notes += [which_run_counts(judge, runs) for judge, runs in rows.runs_of_judges.items()]
    asked = _dimensions(rows)
    options.declared.refuse_others([each.name for each in asked])
    _refuse_unknown_judges(rows, options.judge)
    made: dict[str, Callable[[], RatedDimension]] = {}
    pooled = []
    for each in asked:
        of_scale = rows.of_versions(each.versions)
        parts = _comparisons(of_scale, each)
        for comparison, part in parts.items():
            name = each.name if comparison is None else f"{each.name} ({comparison.title})"
            made[name] = partial(_rate, part, each, options, comparison)
        if len(parts) > 1 and options.declared.of(each.name)[0] is None:
            pooled.append(_pool(of_scale, each, options))
    if not made:
        raise AssayError(f"{table.path.name}: no dimension has a scale", "agreement is of scales, not of notes or tags")
    return replace(each_that_can_be_rated(made, notes), pooled=pooled, runs_of_judges=rows.runs_of_judges)


def _refuse_unknown_judges(rows: ExportRows, judges: Sequence[str]) -> None:
    known = [str(each) for each in rows.factor("annotator").names]
    if unknown := [each for each in judges if each not in known]:
        hint = f"--judge: {suggest_name(unknown[0], known)}"
        raise AssayError(f"{rows.table.path.name} has no judgment by {unknown[0]!r}", hint)


def _dimensions(rows: ExportRows) -> list[ExportedDimension]:
    """The dimensions that have a scale, from the dictionary, else those whose values look like one."""
    if rows.dictionary is not None:
        return [each for each in rows.dictionary.dimensions.values() if each.level is not None]
    known = [str(each) for each in rows.factor("dimension").names] if rows.is_long else rows.answer_columns.values()
    found = [_guess_dimension(rows, name) for name in dict.fromkeys(known)]
    return [each for each in found if each is not None]


def _guess_dimension(rows: ExportRows, name: str) -> ExportedDimension | None:
    """What a dimension is by its values alone; nothing where they are lists, notes, or were never given."""
    part, answers = rows.answers(name)
    systems = {each for text in part.factor("systems").names for each in str(text).split("|")}
    texts: set[str] = set()
    for each in answers:
        factor = part.factor(each.column)
        codes = np.unique(factor.codes[factor.codes >= 0]).tolist()
        texts |= {str(factor.names[code]) for code in codes}
    if any(text.startswith(("\x00", "[")) for text in texts) or not texts:
        return None
    if chosen := texts & systems:
        values = (FIRST, *sorted(texts - chosen), SECOND)
        return ExportedDimension(name, "nominal", values, False, None)
    words = [text for text in texts if number_of(text) is None]
    if len(words) > MOST_WORDS or any(" " in text for text in words):
        return None
    return ExportedDimension(name, None, (), False, None)


def _comparisons(rows: ExportRows, dimension: ExportedDimension) -> dict[Comparison | None, ExportRows]:
    """The rows of each comparison that people have judged, in the order of names; else all rows."""
    if not dimension.compares:
        return {None: rows}
    part, answers = rows.answers(dimension.name)
    given = np.zeros(len(part.columns.rows), dtype=bool)
    for each in answers:
        given |= part.factor(each.column).codes >= 0
    given &= ~part.by_judges
    judged = set(np.unique(part.factor(SYSTEMS).codes[given]).tolist())
    found: dict[Comparison | None, ExportRows] = {}
    for number, text in enumerate(rows.factor(SYSTEMS).names):
        if number in judged and len(two := str(text).split("|")) == len(ROLES):
            known = {} if rows.dictionary is None else rows.dictionary.comparisons
            comparison = known.get(frozenset(two), Comparison(*two))
            found[comparison] = rows.only(rows.factor(SYSTEMS).codes == number)
    return dict(sorted(found.items())) or {None: rows}


def _rate(
    rows: ExportRows, dimension: ExportedDimension, options: TableOptions, comparison: Comparison | None
) -> RatedDimension:
    part, answers = rows.answers(dimension.name)
    read, codes = _values(part, dimension, answers, options, comparison)
    long = _long_table(part, answers, codes, options)
    found = rate(rows.table, dimension.name, long, read, rows.judges | set(options.judge))
    of, items = _parts(part, answers, codes, set(options.judge))
    return replace(found, comparison=comparison, of=of, items=items)


def _parts(
    rows: ExportRows, answers: Sequence[ExportedAnswers], codes: Sequence[Ints], judges: Collection[str]
) -> tuple[str, int]:
    """What was judged (items, sides or entries), as the study calls it, and how many items two people judged."""
    item, who = rows.factor("item").codes, rows.factor("annotator")
    people = ~rows.by_judges & ~np.isin(who.codes, [code for code, name in enumerate(who.names) if name in judges])
    of, judged = "item", list[tuple[int, int]]()
    for each, given in zip(answers, codes, strict=True):
        here = (given >= 0) & people
        of = "entries" if (each.entry[here] >= 0).any() else "side" if (each.candidate[here] >= 0).any() else of
        judged += zip(item[here].tolist(), who.codes[here].tolist(), strict=True)
    return of, items_judged_by_two(judged)


def _pool(rows: ExportRows, dimension: ExportedDimension, options: TableOptions) -> RatedDimension:
    """All comparisons of a preference pooled, every item in both directions: they have no first system in common."""
    part, answers = rows.answers(dimension.name)
    read, codes = _values(part, dimension, answers, options, None)
    long = _long_table(part, answers, codes, replace(options, by=(), system=None))
    turned = np.arange(len(dimension.values))
    first, second = dimension.values.index(FIRST), dimension.values.index(SECOND)
    turned[[first, second]] = second, first
    items, n = long.item.codes, len(long.item.names)
    both = LongTable(
        Factor(np.concatenate([items, items + n]), range(2 * n)),
        Factor(np.tile(long.annotator.codes, 2), long.annotator.names),
        np.concatenate([long.codes, turned[long.codes]]),
        np.tile(long.rows, 2),
    )
    return rate(rows.table, dimension.name, both, read, rows.judges | set(options.judge))


def _values(
    rows: ExportRows,
    dimension: ExportedDimension,
    answers: Sequence[ExportedAnswers],
    options: TableOptions,
    comparison: Comparison | None,
) -> tuple[ScaleOfTexts, list[Ints]]:
    """The scale, and the place on it of every answer, column by column."""
    scale, level = options.declared.of(dimension.name)
    columns = [each.column for each in answers]
    if dimension.compares and scale is None:
        categories: tuple[Hashable, ...] = tuple({FIRST: "first", SECOND: "second"}.get(v, v) for v in dimension.values)
        read = ScaleOfTexts(Scale(categories, level or dimension.level or "nominal"), [])
        return read, [_choices(rows, each, dimension.values, comparison) for each in columns]
    if dimension.values and dimension.level and scale is None:
        points = tuple(map(number_of, dimension.values)) if dimension.numeric else dimension.values
        read = read_on_scale(rows.table, rows.columns, columns, Scale(points, level or dimension.level))
    else:
        read = read_scale_of(rows.table, rows.columns, columns, (scale, level or dimension.level), dimension.name)
    return read, [codes_of(rows.columns, each, read) for each in columns]


def _choices(rows: ExportRows, column: str, values: Sequence[str], comparison: Comparison | None) -> Ints:
    """The place of each preference on its scale: a system stands there by its place in the comparison."""
    systems, chosen = rows.factor("systems"), rows.factor(column)
    both, first_row = combine(chosen, systems)
    places = np.full(len(first_row) + 1, -1, dtype=np.int64)
    for number, row in enumerate(first_row.tolist()):
        if chosen.codes[row] < 0:
            continue
        said, two = str(chosen.name_at(row)), comparison or str(systems.name_at(row)).split("|")
        value = (FIRST, SECOND)[two.index(said)] if said in two else label_of(said)
        if value not in values:
            what, hint = f"{said!r} is no answer to this question", "the dictionary beside the file is of another study"
            raise TableMistakes([rows.table.mistake(what, hint, int(rows.columns.rows[row]), column)])
        places[number] = values.index(value)
    return places[both.codes]


def _long_table(
    rows: ExportRows, answers: Sequence[ExportedAnswers], codes: Sequence[Ints], options: TableOptions
) -> LongTable:
    """Every answer as a row, about an item, a candidate of it or an entry."""
    times = len(answers)

    def repeat(factor: Factor) -> Factor:
        return Factor(np.tile(factor.codes, times), factor.names)

    def stack(columns: Sequence[Ints]) -> Factor:
        found = np.concatenate(columns)
        return Factor(found, range(int(found.max(initial=-1)) + 1))

    candidate, entry = (stack([each.candidate for each in answers]), stack([each.entry for each in answers]))
    given = np.concatenate(codes)
    item, _ = combine(combine(repeat(rows.factor("item")), candidate)[0], entry)
    parted = bool(((candidate.codes >= 0) | (entry.codes >= 0))[given >= 0].any())
    cluster = repeat(rows.factor(options.cluster) if options.cluster else _factor_of_groups(rows))
    return LongTable(
        item,
        repeat(rows.factor("annotator")),
        given,
        np.tile(rows.columns.rows, times),
        cluster if options.cluster or rows.is_grouped or parted else None,
        repeat(rows.factor(options.system)) if options.system else None,
        {name: repeat(rows.factor(name)) for name in options.by},
    ).only(given >= 0)


def _factor_of_groups(rows: ExportRows) -> Factor:
    """The cluster of each row: its group, or where it has none its item."""
    group, item = rows.factor("group"), rows.factor("item")
    number: dict[str, int] = {}
    groups, items = ([number.setdefault(str(name), len(number)) for name in each.names] for each in (group, item))
    numbers = np.where(group.codes >= 0, np.array([*groups, -1])[group.codes], np.array([*items, -1])[item.codes])
    return Factor(numbers, list(number))
