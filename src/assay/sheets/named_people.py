"""Finds the annotator and the items that a sheet of another layout names; the program's own sheets have ids of rows."""

from assay.exchange.submissions import file_name
from assay.files.formulas import as_it_was
from assay.mistakes import quote
from assay.sheets.cells import as_text, same_number
from assay.sheets.read import FilledSheet, ReadRow
from assay.sheets.validate_answers import Validator


def find_annotator(
    validator: Validator, filled: FilledSheet, column: str, prefix: str, *, exactly: bool = False
) -> tuple[int, str] | None:
    """Whose sheet it is, by its first row: the id in the store, and what the row calls them.

    The file name must begin with the prefix and the name or pseudonym; with `exactly` nothing may follow.
    """
    if not filled.lines:
        validator.mistakes.add(filled.at(), "there are no rows", "one row for each rated item")
        return None
    line = filled.lines[0]
    said, where = _name_in(line, column), filled.at(line, column)
    people = validator.people
    if said not in people:
        fix = f"`assay invite --name {said or 'NAME'}` adds somebody"
        note_unknown_id(validator, where, said, list(people), "annotator", fix)
        return None
    meant = prefix + file_name(said, set())
    names = [prefix + file_name(each, set()) for each in validator.names_of(people[said])]
    if not any(filled.is_called(each) if exactly else filled.path.stem.startswith(each) for each in names):
        what = f"the file is called {filled.path.name!r}, and its rows are by {said!r}"
        validator.mistakes.add(filled.at(), what, f"call it {meant}{filled.path.suffix}, if it is this person's")
    validator.results.people[said] = people[said]
    return people[said], said


def _name_in(line: ReadRow, column: str) -> str:
    # In a CSV an apostrophe stands before a name that a spreadsheet would run as a formula.
    return as_it_was(as_text(line.cells[column]).strip())


def note_other_annotator(validator: Validator, filled: FilledSheet, line: ReadRow, column: str, name: str) -> None:
    """Note a row that is by somebody else than the rows above it."""
    said = _name_in(line, column)
    mine = validator.names_of(validator.people[name])
    if said not in mine and not any(same_number(said, each) for each in mine):
        what = f"{quote(said)}, but the rows above are by {name!r}"
        validator.mistakes.add(filled.at(line, column), what, "one file has one person's ratings")


def note_unknown_id(validator: Validator, where: str, said: str, known: list[str], word: str, fix: str) -> None:
    """Note an unknown id, with the id it may have been before a spreadsheet took it for a number."""
    alike = [name for name in known if said and same_number(name, said)]
    if alike:
        what = f"{quote(said)} is no {word}; a spreadsheet seems to have changed the id {alike[0]!r}"
        validator.mistakes.add(where, what, f"write {alike[0]} into a cell with the format text")
    else:
        what = f"{quote(said)} is no {word} of this study" if said else f"the {word} is missing"
        validator.mistakes.add(where, what, fix)


def is_storable(text: str) -> bool:
    """Whether a text can be used in a query: PostgreSQL refuses zero bytes and lone surrogates."""
    return bool(text) and "\x00" not in text and not any("\ud800" <= each <= "\udfff" for each in text)
