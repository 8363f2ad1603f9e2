"""What an item shows, as plain text: a cell of a sheet for each block. It reads what displays show, nothing else."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.displays import Display
from assay.errors import AssayError
from assay.model import CANDIDATES
from assay.study import Study
from assay.study.field_types import heading_of

Shown = Mapping[str, Any]


@dataclass(frozen=True)
class ContentColumn:
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


def content_columns(study: Study) -> list[ContentColumn]:
    """The columns to be read, in the order of the page; of a pair, one side after the other."""
    return [each for block in study.items.show for each in _of_block(study, block.display)]


def _of_block(study: Study, display: Display) -> Iterator[ContentColumn]:
    if not display.candidate_fields():
        yield ContentColumn(_heading(display), display.plain_text)
        return
    for side, label in enumerate(study.sides):
        for inner in (each.display for each in display.show):  # type: ignore[attr-defined]
            yield ContentColumn(f"{label}: {_heading(inner)}", _of_side(inner, side))


def _of_side(display: Display, side: int) -> Callable[[Shown], str]:
    return lambda shown: display.plain_text(shown[CANDIDATES][side])


def _heading(display: Display) -> str:
    return getattr(display, "label", "") or heading_of("", display.fields()[0])
