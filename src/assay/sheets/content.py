"""What an item shows, as plain text: a cell of a sheet for each block. It reads what displays show, nothing else."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from assay.displays import Display
from assay.displays.chat import ChatDisplay
from assay.displays.formatted_text import PLACEHOLDER, FormattedText, as_text, tidy_tokens
from assay.displays.steps import StepsDisplay, shorten_arguments
from assay.displays.table import TableDisplay, cell
from assay.displays.text import TextDisplay
from assay.errors import AssayError
from assay.model import CANDIDATES
from assay.study import Study
from assay.study.field_types import heading_of

Shown = Mapping[str, Any]


@dataclass(frozen=True)
class Content:
    """One column of a sheet that is there to be read."""

    heading: str
    text: Callable[[Shown], str]


def refuse_what_no_sheet_can_show(study: Study) -> None:
    """Raise where a sheet would show less than the page, or show it too early."""
    for block in study.items.show:
        inner = [each.display for each in getattr(block.display, "show", ())]
        if any(display.pictures() for display in (block.display, *inner)):
            raise AssayError("this study shows pictures, and a sheet holds text alone", "let it be judged on the page")
        if block.after:
            raise AssayError(
                "this study reveals a block only after some answers, and a sheet shows everything at once",
                "let it be judged on the page, or remove `after` from the block",
            )


def contents(study: Study) -> list[Content]:
    """The columns to be read, in the order of the page; of a pair, one side after the other."""
    return [each for block in study.items.show for each in _of_block(study, block.display)]


def _of_block(study: Study, display: Display) -> Iterator[Content]:
    if not display.candidate_fields():
        yield Content(_heading(display), lambda shown: said(display, shown))
        return
    for side, label in enumerate(study.sides):
        for inner in (each.display for each in display.show):  # type: ignore[attr-defined]
            yield Content(f"{label}: {_heading(inner)}", _of_side(inner, side))


def _of_side(display: Display, side: int) -> Callable[[Shown], str]:
    return lambda shown: said(display, shown[CANDIDATES][side])


def _heading(display: Display) -> str:
    return getattr(display, "label", "") or heading_of("", display.fields()[0])


@singledispatch
def said(display: Display, shown: Shown) -> str:
    """A block in plain text. A kind that is not known here stands as its file has it, field by field."""
    fields = (display.keep(name, shown.get(name)) for name in display.fields())
    return "\n".join(as_text(value) for value in fields if value is not None)


@said.register
def _text(display: TextDisplay, shown: Shown) -> str:
    return worded(display, shown.get(display.field))


@said.register
def _chat(display: ChatDisplay, shown: Shown) -> str:
    lines = []
    for number, turn in enumerate(display.keep(display.field, shown.get(display.field)), 1):
        if display.speakers:
            spoken = [(display.speakers[turn[display.role]], turn.get(display.text))] if display.role in turn else []
        else:
            spoken = [(who, turn[key]) for key, who in display.turns.items() if turn.get(key) is not None]
        prefix = f"{number} " if display.numbered else ""
        lines += [f"{prefix}{who}: {worded(display, text)}" for who, text in spoken]
    newest = worded(display, shown.get(display.last)) if display.last else ""
    if newest.strip():
        lines.append(f"> {display.last_speaker}: {newest}" if display.last_speaker else f"> {newest}")
    return "\n".join(lines)


@said.register
def _steps(display: StepsDisplay, shown: Shown) -> str:
    lines = []
    for number, step in enumerate(display.keep(display.field, shown.get(display.field)), 1):
        done = " ".join(part for part in (as_text(step.get(display.operation)), *_arguments(display, step)) if part)
        lines.append(f"{number} {done}".rstrip())
        more = (as_text(step.get(name)) for name in (display.result, display.reasoning))
        lines += [f"  {text}" for text in more if text]
    if display.answer:
        lines.append(f"= {as_text(shown.get(display.answer))}")
    return "\n".join(lines)


def _arguments(display: StepsDisplay, step: Mapping[str, Any]) -> tuple[str, str]:
    return shorten_arguments(step.get(display.arguments))


@said.register
def _table(display: TableDisplay, shown: Shown) -> str:
    value = display.keep(display.field, shown.get(display.field))
    if isinstance(value, dict):
        return "\n".join(f"{display.columns.get(name, name)}: {cell(each)}" for name, each in value.items())
    if value and isinstance(value[0], dict):
        rows = ((f"{display.columns.get(name, name)}: {cell(each)}" for name, each in row.items()) for row in value)
        return "\n".join("; ".join(row) for row in rows)
    return "\n".join(f"- {as_text(each)}" for each in value or ())


def worded(display: FormattedText, value: Any) -> str:
    """A text as the page words it: tidied where the study says so, placeholders in plain words."""
    text = as_text(value)
    if display.tidy:
        text = tidy_tokens(text)
    if display.chips is False:
        return text
    words = {} if display.chips is True else display.chips
    return PLACEHOLDER.sub(lambda found: f"[{words.get(found[1]) or found[1].replace('_', ' ').strip()}]", text)
