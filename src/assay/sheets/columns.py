"""How a sheet is laid out: who and what first, then what is to be read, then a column for each question."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.exchange.submissions import file_name
from assay.exchange.workbook import MOST_CHOICES
from assay.inputs.one_of import Choice, OneOf
from assay.inputs.scale import ScaleInput
from assay.judgments import Question, entries_of, questions_of
from assay.model import Slot
from assay.sheets.content import ContentColumn, content_columns
from assay.sides_and_candidates import on_sides
from assay.study import Study

ROW, ANNOTATOR, STUDY = "Row", "Annotator", "Study"
HEAD = (ROW, ANNOTATOR, STUDY)
"""Filled in beforehand. No dimension can be called so: their names have no capitals."""

WARNING, NOT_THIS_ONE = "Warning", "Not this one"
"""Behind the head, where the study warns of hard content: what an item contains, and a cell to leave it out."""
LEFT_OUT = "x"
"""The value that this cell offers."""

PREFIX = "r"
"""A prefix of row ids, so that no spreadsheet takes one for a number or a date."""

ROW_ID = re.compile(r"r([A-Za-z0-9_-]{1,64})")
VERSION_LENGTH = 12


@dataclass(frozen=True)
class AnswerColumn:
    """A column for the answers to one question."""

    name: str
    question: Question
    choices: tuple[str | int, ...]
    """What the cell offers to choose from; none: anything can be written."""


@dataclass(frozen=True)
class SheetLayout:
    """The columns of a sheet."""

    study: Study
    content: tuple[ContentColumn, ...]
    columns: tuple[ContentColumn | AnswerColumn, ...]
    """What is to be read and what is to be filled in, from left to right, behind the head."""

    @property
    def head(self) -> tuple[str, ...]:
        """The first columns: row, annotator and study; where the study warns of items, also warnings and declining."""
        return (*HEAD, WARNING, NOT_THIS_ONE) if self.study.care.warn else HEAD

    @property
    def answers(self) -> list[AnswerColumn]:
        """The columns that are to be filled in."""
        return [each for each in self.columns if isinstance(each, AnswerColumn)]

    def names(self) -> list[str]:
        """The head of the sheet."""
        return [*self.head, *(each.heading if isinstance(each, ContentColumn) else each.name for each in self.columns)]

    def row(self, public_id: str, annotator: str, shown: Mapping[str, Any], warnings: Sequence[str] = ()) -> list[str]:
        """The row of one item, with empty answers. `warnings` are the tags to warn of."""
        care = [warning_words(self.study, warnings), ""] if self.study.care.warn else []
        cells = (each.text(shown) if isinstance(each, ContentColumn) else "" for each in self.columns)
        return [PREFIX + public_id, annotator, version_of(self.study), *care, *cells]


def warning_words(study: Study, tags: Sequence[str]) -> str:
    """The warnings of an item, in the words of the study."""
    return "; ".join(study.care.warn.get(tag, tag) for tag in tags)


def version_of(study: Study) -> str:
    """The study and its version, as they stand on a sheet."""
    return f"{study.study}@{study.hash[:VERSION_LENGTH]}"


def sheet_name(study: Study, annotator: str) -> str:
    """The name of an annotator's sheet, without its ending."""
    return f"{study.study}_{file_name(annotator, set())}"


def layout_of(study: Study, items: Iterable[Mapping[str, Any]]) -> SheetLayout:
    """The sheet of some items: where they have lists, as wide as the longest of them."""
    longest = dict.fromkeys(study.entries, 0)
    for shown in items:
        for name in longest:
            longest[name] = max(longest[name], len(entries_of(shown, name)))
    like = {name: [{"id": str(n), "text": ""} for n in range(1, count + 1)] for name, count in longest.items()}
    asked = [_answer_column(study, question) for question in questions_of(study, like)]
    used = {*HEAD, WARNING, NOT_THIS_ONE, *(each.name for each in asked)}
    read = tuple(ContentColumn(_unused_heading(each.heading, used), each.text) for each in content_columns(study))
    found: list[ContentColumn | AnswerColumn] = [*read]
    seen: set[tuple[str, str]] = set()
    for each in asked:
        of, number = each.question.dimension.scope.entries, each.question.slot.entry
        if of and (of, number) not in seen:
            seen.add((of, number))
            found.append(_entry_text(of, int(number), used))
        found.append(each)
    return SheetLayout(study, read, tuple(found))


def _answer_column(study: Study, question: Question) -> AnswerColumn:
    return AnswerColumn(column_name(study, question.slot), question, cell_choices(study, question))


def _unused_heading(heading: str, used: set[str]) -> str:
    name, number = heading, 1
    while name in used:
        number += 1
        name = f"{heading} ({number})"
    used.add(name)
    return name


def _entry_text(of: str, number: int, used: set[str]) -> ContentColumn:
    def text(shown: Mapping[str, Any]) -> str:
        entries = entries_of(shown, of)
        return str(entries[number - 1]["text"]) if number <= len(entries) else ""

    return ContentColumn(_unused_heading(f"{of} {number}", used), text)


def column_name(study: Study, slot: Slot, number: str = "") -> str:
    """What a sheet calls a question: its dimension, the side as the page calls it, the number of the entry."""
    side = on_sides(study.sides)[slot.side] if slot.side else ""
    return ".".join(part for part in (slot.dimension, side, number or slot.entry) if part)


def questions_by_column(study: Study, questions: Sequence[Question], shown: Mapping[str, Any]) -> dict[str, Question]:
    """The questions of one item by the columns that they have."""
    numbers = {
        (name, entry["id"]): str(number)
        for name in study.entries
        for number, entry in enumerate(entries_of(shown, name), 1)
    }
    return {
        column_name(study, each.slot, numbers.get((each.dimension.scope.entries, each.slot.entry), "")): each
        for each in questions
    }


def choices_of(study: Study, question: Question) -> list[Choice]:
    """Every answer that can be chosen, with its label in the study's language."""
    kind = question.dimension.input
    found = kind.choices(study.sides, study.words) if isinstance(kind, OneOf) else []
    return [*found, question.unable] if question.unable else found


def cell_choices(study: Study, question: Question) -> tuple[str | int, ...]:
    """What a cell offers: of a scale its points, else the labels, where a spreadsheet can list them."""
    choices = choices_of(study, question)
    values: list[str | int] = [each.value if isinstance(each.value, int) else str(each.value) for each in choices]
    labels = [each.label for each in choices]
    if not isinstance(question.dimension.input, ScaleInput) and _can_be_listed(labels):
        mixed = {str(value).casefold() for value in values} & {label.casefold() for label in labels}
        if all(str(value).casefold() == label.casefold() for value, label in zip(values, labels, strict=True)) or (
            not mixed
        ):
            return tuple(labels)
    return tuple(values) if _can_be_listed([str(value) for value in values]) else ()


def _can_be_listed(texts: Sequence[str]) -> bool:
    whole = ",".join(texts)
    plain = all(each.strip() and each.strip() == each and not set(each) & set(',"') for each in texts)
    return (
        bool(texts) and plain and len(whole) <= MOST_CHOICES and len({each.casefold() for each in texts}) == len(texts)
    )
