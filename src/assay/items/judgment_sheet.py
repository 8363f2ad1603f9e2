"""Judgments in a file of their own: each row says which item it is about and who judges it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from assay.errors import AssayError
from assay.items import Mistakes, Options, read_rows
from assay.items.fields import ABSENT, value_at
from assay.items.imported_judgments import GroupAndSystem, ImportedAnswers, ImportedAnswersReader, ItemName, run_in
from assay.items.judgment_fields import JudgmentsWanted, NamedFields, other_spelling
from assay.items.rows import Location, Row, RowFields
from assay.model import Slot
from assay.study.judgment_fields import JudgmentFields
from assay.study.schema import Study


class JudgmentsOfSheet(NamedTuple):
    """What a file of judgments holds."""

    given: list[tuple[ItemName, ImportedAnswers]]
    not_judged: int
    """How many rows name somebody and have no score."""


def read_judgment_sheet(study: Study, path: Path, *, partial: bool = False) -> JudgmentsOfSheet:
    """Read a file of judgments: each row says which item and who, and has a column for each dimension."""
    if not path.exists():
        raise AssayError(f"there is no file {path}", "name a sheet with judgments, or a folder of .json files")
    mistakes = Mistakes(path)
    fields = RowFields(mistakes)
    reader = ImportedAnswersReader(study, fields, JudgmentsWanted(people=True, partial=partial))
    sheet: _JudgmentSheet | None = None
    found: list[_Judged] = []
    for location, row in read_rows(path, mistakes, Options(alone=True)):
        fields.rows += 1
        sheet = sheet or _JudgmentSheet(study, _settings_for(study, row), reader)
        if fields.names_all(row, sheet.needed_fields(), location):
            found.extend(sheet.row_judgments(row, location))
    fields.report_missing()
    if sheet is not None:
        sheet.named.report()
    elif not mistakes.count:
        mistakes.add("there are no rows here", "a sheet has a row of names, and then one for each item")
    mistakes.raise_if_any()
    return JudgmentsOfSheet(list(_runs_in_order(found)), fields.rows - len(found))


def _settings_for(study: Study, row: Row) -> JudgmentFields:
    """The entry of `items.judgments` for this file: of several, the one of whose fields it has most."""
    named = [each for each in study.items.judgments if each.annotator or each.judge]

    def fit(each: JudgmentFields) -> tuple[bool, int]:
        return value_at(row, each.annotator or each.judge) is not ABSENT, sum(
            value_at(row, path) is not ABSENT for path in study.fields_read(each).values()
        )

    return max(named, key=fit, default=JudgmentFields(annotator="annotator_id"))


class _Judged(NamedTuple):
    """The judgments in one row, with what counts the runs of a judge."""

    name: ItemName
    given: ImportedAnswers
    run: Any


def _runs_in_order(found: list[_Judged]) -> Iterator[tuple[ItemName, ImportedAnswers]]:
    """Judgments in the order of the file. Runs are passes in the order of their numbers, wherever they stand."""
    runs: dict[tuple[ItemName, str], list[Any]] = {}
    for each in found:
        runs.setdefault((each.name, each.given.annotator), []).append(each.run)
    for several in runs.values():
        several.sort(key=_place_of_run)
    for name, given, run in found:
        yield name, replace(given, pass_=runs[name, given.annotator].index(run) + 1)


def _place_of_run(run: Any) -> tuple[bool, float, str]:
    """A sort key for runs: numbers by their size, before other words."""
    try:
        return False, float(run), ""
    except (TypeError, ValueError):
        return True, 0, str(run)


class _JudgmentSheet:
    """One file of judgments, read as one entry of `items.judgments` says."""

    def __init__(self, study: Study, settings: JudgmentFields, reader: ImportedAnswersReader) -> None:
        self.study, self.settings, self.reader = study, settings, reader
        self.fields = reader.fields
        self.named = NamedFields(study, settings, reader.fields, reader.wanted)
        not_told_apart = ("entries",) if settings.sides else ("entries", "side")
        self.of_parts = [each for each in study.rubric if each.scope.of in not_told_apart]

    def needed_fields(self) -> list[str]:
        """The fields that every row must have."""
        match = self.settings.match
        items = [match.group, match.system] if match else list(self.study.items.id)
        repeat = "" if self.settings.repeat.endswith("?") else self.settings.repeat
        sides = (self.settings.sides.left, self.settings.sides.right) if self.settings.sides else ()
        return [*items, self.named.who, *filter(None, (repeat, *sides))]

    def row_judgments(self, row: Row, location: Location) -> Iterator[_Judged]:
        """The judgments in one row, with the item that they are about."""
        settings, named = self.settings, self.named
        self._refuse_parts(row, location)
        name = self._item_name(row, location)
        who = self.fields.name("annotator", value_at(row, named.who), location, named.who)
        values = self.reader.values_in(settings, row, {}, None, location)
        named.note_fields(row, values)
        if named.note_answers(values, location):
            self.reader.count_run(settings, name, who, row, location)
            run = run_in(settings, row) if settings.repeat else 0
            given = self.reader.read_answers(settings, who, values, None, location)
            on_sides = self.reader.sides_in(settings, row, location)
            yield _Judged(name, replace(given, said=self._texts(row), on_sides=on_sides), run)

    def _texts(self, row: Row) -> dict[str, str]:
        """The fields of the item that the sheet repeats beside its answers, in whatever way it spells their names.

        An empty cell says that the text is empty; of what is hidden it says nothing.
        """
        items = self.study.items
        parts = items.candidates.fields if items.candidates is not None else ()
        shown = {*items.shown_fields, *(name for part in parts for name in part.show.values())}
        hidden = {name.rstrip("?") for name in (items.system, items.group) if name}
        found: dict[str, str] = {}
        for name in sorted(shown | hidden):
            value = value_at(row, name if name in row else other_spelling(row, name) or name)
            text = "" if value is None else value
            if isinstance(text, str) and (text.strip() or name in shown):
                found[name] = text
        return found

    def _refuse_parts(self, row: Row, location: Location) -> None:
        """Refuse judgments of entries or of one side: a row of a sheet cannot say which of them it is about."""
        for each in self.of_parts:
            path = self.named.paths.get(Slot(each.dimension))
            if path is not None and (self.settings.values or value_at(row, path) is not ABSENT):
                self.of_parts = []  # said once
                what = f"{each.dimension} is asked of {each.of}: a sheet of judgments cannot say of which"
                hint = "such judgments come in with the items; leave it out of items.judgments.values for sheets"
                self.fields.mistakes.add(what, hint, location, path)

    def _item_name(self, row: Row, location: Location) -> ItemName:
        match = self.settings.match
        if match is None:
            return "/".join(self.fields.text("id", value_at(row, name), location, name) for name in self.study.items.id)
        group = self.fields.text("group", value_at(row, match.group), location, match.group)
        system = self.fields.name("system", value_at(row, match.system), location, match.system)
        return GroupAndSystem(group, self.study.items.system_name(self.settings.read.get(system, system)))
