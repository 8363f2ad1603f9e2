"""Displays: the kinds of block that show an item's content. One file each, with the template beside it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from assay.displays.formatted_text import Wording, as_text
from assay.kinds import DISPLAYS, Family, KindSettings, Shortcut
from assay.words import Translatable

if TYPE_CHECKING:
    from assay.displays.image_marks import ImageMark

WALK = Shortcut(("J", "K"), Translatable("keys.walk"))
"""The page leads to the places of a display, the elements that are marked by `data-place`, by these keys."""


class Display(KindSettings):
    """How part of an item is shown. It gets only the fields that it names, which is what keeps the rest hidden."""

    family: ClassVar[Family[Any]] = DISPLAYS

    example: ClassVar[Any]
    """Settings as the study file has them, with every key of the kind, for the reference and for tests."""

    def fields(self) -> tuple[str, ...]:
        """The names of the item's fields that this block shows. The sum over all blocks is the allow-list."""
        raise NotImplementedError

    def optional_fields(self) -> tuple[str, ...]:
        """Those of its fields that an item may lack."""
        return ()

    holds_blocks: ClassVar[bool] = False
    """Whether it shows other blocks, in a field `show`."""

    def candidate_fields(self) -> tuple[str, ...]:
        """The parts of each candidate that this block shows, where it shows a pair."""
        return ()

    def keep(self, name: str, value: Any) -> Any:
        """The parts of a field's value that may be shown. Parts that the study does not name stay hidden."""
        return value

    def pictures(self) -> tuple[str, ...]:
        """The fields that name a picture file. What is shown is its address in the store, never its name."""
        return ()

    def marks_over(self, shown: Mapping[str, Any]) -> Sequence["ImageMark"]:
        """What is drawn over its picture."""
        return ()

    def shortcuts(self) -> tuple[Shortcut, ...]:
        """The keys on the keyboard that do something with it: `WALK`, and those of its own script."""
        return ()

    def mistake_in(self, name: str, value: Any) -> str | None:
        """Why this display cannot show a value, in words for the study's author, or None."""
        return None

    def view(self, shown: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        """The values for the template, made from the shown fields only. `prefix` is A or B on the sides of a pair."""
        raise NotImplementedError

    def plain_text(self, shown: Mapping[str, Any]) -> str:
        """The block in a cell of a sheet: its fields one below the other, unless a kind has a better way."""
        fields = (self.keep(name, shown.get(name)) for name in self.fields())
        return "\n".join(as_text(value) for value in fields if value is not None)

    def opening(self, shown: Mapping[str, Any]) -> str:
        """How the block begins, for a list of items; nothing where it holds no words."""
        return self.plain_text(shown)

    @property
    def wording(self) -> Wording:
        """How it words placeholders and tokenised text, for guidelines that show the same."""
        return Wording()

    def sample(self) -> dict[str, Any]:
        """Values for its fields, as an item may have them, for previews and tests."""
        return {name: f"What stands in {name}." for name in self.fields()}
