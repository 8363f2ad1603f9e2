"""Displays: the kinds of block that show an item's content. One file each, with the template beside it."""

from typing import Any, ClassVar

from assay.kinds import DISPLAYS, Family, KindSettings


class Display(KindSettings):
    """How part of an item is shown. It can reach only the fields it names: that is what blinding rests on."""

    family: ClassVar[Family[Any]] = DISPLAYS

    example: ClassVar[Any]
    """Settings as the study file has them, with every key of the kind: the reference shows them, tests try them."""

    def fields(self) -> tuple[str, ...]:
        """The names of the item's fields that this block shows. The sum over all blocks is the allow-list."""
        raise NotImplementedError

    def view(self, shown: dict[str, Any]) -> dict[str, Any]:
        """What the template gets: made from the shown fields, nothing else."""
        raise NotImplementedError

    def sample(self) -> dict[str, Any]:
        """Content for its fields, as an item may hold it: previews show it, tests try it."""
        return {name: f"What stands in {name}." for name in self.fields()}
