"""Check a study file."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Folder, Json, folder_of, plural, print_json
from assay.errors import AssayError, FileMistakes, Mistake, StudyMistakes

if TYPE_CHECKING:
    from assay.errors import Mistake
    from assay.model import Item
    from assay.study import Study

READ_WHOLE_BYTES = 5_000_000
"""Items of so many bytes are read whole; of larger files the first row is looked at."""


@dataclass
class CheckResult:
    """What checking a study has found."""

    study: "Study | None" = None
    mistakes: list["Mistake"] = field(default_factory=list)
    warnings: list["Mistake"] = field(default_factory=list)
    items: int | None = None
    words: float = 0
    """Of an item, on average."""
    shown: dict[str, str] = field(default_factory=dict)
    """What each item shows, with the item's id."""
    leaks: list["Mistake"] = field(default_factory=list)
    """What in the items, or in their order, gives a system away."""
    notes: list[str] = field(default_factory=list)
    """What the order of items gives away and no order could avoid."""


def run(
    where: Folder = Path(),
    watch: Annotated[bool, typer.Option("--watch", help="Check again whenever a file of the study changes.")] = False,
    as_json: Json = False,
) -> None:
    """Check a study file: everything that is wrong at once, each with line, column and a hint. Exit code 2 if any.

    Warnings are about what can be used and is probably not meant: a rule that can never act, rules that collide,
    weights that do not sum to 1, a scale without words, guidelines that speak of another scale, items that give their
    system away.
    """
    from assay.study.watch import changes

    if watch:
        for _ in changes(folder_of(where)):
            print("\x1b[2J\x1b[H" if _is_terminal() else "", end="")
            found = check_study(where)
            for mistake in found.mistakes:
                print(mistake)
            if found.mistakes:
                count = plural(len(found.mistakes), "problem")
                print(f"\n{count}. Waiting for a change; stop with Ctrl-C.", flush=True)
            else:
                _say(found)
                print("Waiting for a change; stop with Ctrl-C.", flush=True)
        return
    found = check_study(where)
    if as_json:
        mistakes, warnings = ([_as_json(each) for each in some] for some in (found.mistakes, found.warnings))
        fine = found.study is not None and not mistakes
        version = found.study.hash if fine else None  # type: ignore[union-attr]
        print_json({"problems": mistakes, "warnings": warnings, "sequence": found.notes, "hash": version})
        raise typer.Exit(2 if mistakes else 0)
    if found.mistakes:
        raise StudyMistakes(found.mistakes)
    _say(found)


def check_study(where: Path) -> CheckResult:
    """Everything that is wrong with a study and its items, and what is probably not meant."""
    from assay.judgments.lint import lint, mistakes
    from assay.judgments.lint_pay import pay_warnings
    from assay.study import load_with_mistakes
    from assay.study.load import locator
    from assay.study.outside import named_file

    found = CheckResult()
    found.study, found.mistakes = load_with_mistakes(where)
    if found.study is None:
        return found
    if not found.mistakes:
        place = locator(where)
        found.mistakes = [Mistake(place(each.at), each.what, each.hint) for each in mistakes(found.study)]
    try:
        source = named_file(folder_of(where), found.study.items.source, "items.source")
    except AssayError as error:
        found.mistakes.append(Mistake(found.study.items.source, error.what, error.hint))
        return found
    if source.exists():
        found.mistakes += _mistakes_in_items(found, source, folder_of(where))
    else:
        what = Mistake(found.study.items.source, "there is no such file", "items.source names it, beside study.yaml")
        found.mistakes.append(what)
    found.mistakes = [_at_its_line(each, found.study, where) for each in found.mistakes]
    found.mistakes += _missing_files(found.study, where)
    if not found.mistakes:
        found.mistakes += _mistakes_in_reference_items(found, where)
    if not found.mistakes:
        place = locator(where)
        warned = [*lint(found.study, found.items), *pay_warnings(found.study, found.words)]
        found.warnings = [Mistake(place(each.at), each.what, each.hint) for each in warned]
        found.warnings += found.leaks
    return found


def _at_its_line(mistake: "Mistake", study: "Study", where: Path) -> "Mistake":
    """A mistake about a missing field, with the line of the study file that names the field."""
    from assay.study.load import locate_text

    lacking = re.fullmatch(r"there is no field '(.+)'", mistake.what)
    at = locate_text(where, "items", lacking[1]) if lacking else None
    if at is None:
        return mistake
    return Mistake(at, f"{mistake.where} has no field {lacking[1]!r}" if lacking else mistake.what, mistake.hint)


def _missing_files(study: "Study", where: Path) -> Iterator["Mistake"]:
    """Files with further items that the study names and that are not there."""
    from assay.study.load import locator

    named: list[tuple[tuple[str | int, ...], str]] = [
        (("gates", index, entry.gate.kind, "items"), entry.gate.items)
        for index, entry in enumerate(study.gates)
        if hasattr(entry.gate, "items")
    ]
    if study.assignment.controls is not None:
        named.append((("assignment", "controls", "items"), study.assignment.controls.items))
    for at, name in named:
        if not (folder_of(where) / name).is_file():
            yield Mistake(locator(where)(at), f"there is no file {name}", "the path counts from the study's folder")


def _mistakes_in_tags(study: "Study", items: list["Item"], source: str) -> Iterator["Mistake"]:
    """Mistakes in what is said of hard content: a field or a value that no item has."""
    exposure, care = study.assignment.exposure, study.care
    if exposure is not None:
        said = ("assignment.exposure.field", exposure.field, exposure.values, "so nobody is kept from it")
        yield from _mistakes_in_field(items, source, *said)
    if care.warn:
        yield from _mistakes_in_field(items, source, "care.field", care.field, care.warn, "so nobody is warned of it")


def _mistakes_in_field(
    items: list["Item"], source: str, key: str, field: str, values: Iterable[str], so: str
) -> Iterator["Mistake"]:
    from assay.items.fields import ABSENT, value_at

    found = [value_at({**each.hidden, **each.shown}, field) for each in items]
    if all(value is ABSENT for value in found):
        hint = f"{key} names a field of the items, shown or hidden"
        yield Mistake(source, f"no item has the field {field!r}", hint)
        return
    there = {str(each) for value in found for each in (value if isinstance(value, list) else [value])}
    for value in values:
        if value not in there:
            hint = f"values there are: {', '.join(sorted(there)[:8])}"
            yield Mistake(source, f"no item has {field} {value!r}, {so}", hint)


def _mistakes_in_reference_items(found: CheckResult, where: Path) -> Iterator["Mistake"]:
    """Items with known answers that cannot be read, or that are items of the study as well."""
    from assay.items.reference_items import read_reference_items, reference_files

    assert found.study is not None
    for series in reference_files(found.study):
        try:
            for known in read_reference_items(found.study, series, folder_of(where)):
                assert known.row.item is not None
                same = found.shown.get(json.dumps(known.row.item.shown, sort_keys=True, default=str))
                if same is not None:
                    hint = "judgments of it would be worth nothing: whoever practised has seen the answer"
                    what = f"shows the same as item {same} of the study"
                    yield Mistake(f"{series.file}, item {known.row.name}", what, hint)
        except FileMistakes as error:
            yield from error.mistakes
        except AssayError as error:
            yield Mistake(series.file, error.what, error.hint)


def _mistakes_in_items(found: CheckResult, source: Path, folder: Path) -> list["Mistake"]:
    from assay.items.entry_links import read_links
    from assay.items.item_pictures import pictures_folder
    from assay.items.leaks import HINT, leaks_in
    from assay.items.reader import mistakes_in_first_row, read_items
    from assay.items.reference_items import known_items

    assert found.study is not None
    pictures = pictures_folder(found.study, folder)
    if sum(file.stat().st_size for file in _files(source)) > READ_WHOLE_BYTES:
        return mistakes_in_first_row(found.study, source, pictures=pictures)
    try:
        links = read_links(found.study, folder)
        rows = read_items(found.study, source, pictures=pictures, links=links)
        items = [intake.item for intake in rows if intake.item is not None]
        found.items = len(items)
        found.words = sum(each.words for each in items) / max(1, len(items))
        found.shown = {json.dumps(each.shown, sort_keys=True, default=str): each.id for each in items}
        known = known_items(found.study, folder)
        found.leaks = [Mistake(source.name, leak, HINT) for leak in leaks_in(found.study, items, known)]
        _audit_sequence(found, items, source.name)
        return list(_mistakes_in_tags(found.study, items, source.name))
    except FileMistakes as error:
        return list(error.mistakes)
    except AssayError as error:
        return [Mistake(source.name, error.what, error.hint)]
    return []


def _audit_sequence(found: CheckResult, items: list["Item"], source: str) -> None:
    from assay.assignment.planned_order import sequence_notes
    from assay.items.sequence_audit import MOST_AUDITED, seen_item

    study = found.study
    assert study is not None
    for note in sequence_notes(study, [seen_item(study, each) for each in items[:MOST_AUDITED]]):
        if note.is_warning:
            found.leaks.append(Mistake(source, f"blinding: {note.words}", note.advice))
        else:
            # Other items may have been taken in since: whoever reads it has to know which ones were looked at.
            looked_at = f"(in {source}, which items.source names)"
            found.notes.append(f"{note.words}; {note.advice} {looked_at}")


def _files(source: Path) -> list[Path]:
    return [source] if source.is_file() else [file for file in source.rglob("*") if file.is_file()]


def _as_json(mistake: "Mistake") -> dict[str, str]:
    return {"where": mistake.where, "what": mistake.what, "hint": mistake.hint}


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _say(found: CheckResult) -> None:
    study = found.study
    assert study is not None
    shown = [*study.items.shown_fields, *study.entries, *study.items.candidate_fields]
    count = f" {found.items:,} items." if found.items is not None else ""
    print(f"{study.study}: no problems. Version {study.hash[:12]}.{count}")
    print(f"  shown:     {', '.join(dict.fromkeys(shown))} (everything else stays hidden)")
    print(f"  asked:     {', '.join(dimension.dimension for dimension in study.rubric)}")
    if study.derive:
        print(f"  computed:  {', '.join(derived.derived for derived in study.derive)}")
    print(f"  gates:     {', '.join(entry.gate.kind for entry in study.gates) or 'none'}")
    needed = study.assignment.per_item
    print(f"  per item:  {'everybody who takes part' if needed == 'all' else plural(needed, 'annotator')}")
    for place, text in _placeholders(study):
        print(f"  note:      {place} still holds a placeholder: {text}")
    for words in found.notes:
        print(f"  sequence:  {words}")
    for warning in found.warnings:
        print(f"warning: {warning}")


def _placeholders(study: "Study") -> Iterator[tuple[str, str]]:
    """What a template leaves for the coordinator to fill in, where nobody has done so yet."""
    texts = [getattr(entry.gate, "text", None) for entry in study.gates]
    sections = [section for entry in study.gates for section in getattr(entry.gate, "sections", ())]
    for document in [*texts, *sections, *study.support_texts.values()]:
        if document is not None:
            for found in re.findall(r"\[[^\]\n]* [^\]\n]*\](?!\()", document.text):
                yield document.file, found
