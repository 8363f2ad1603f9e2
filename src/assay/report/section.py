"""What a section of the report must offer. Sections are kinds: one file each, in `report/sections`."""

from typing import Any, ClassVar

from assay.kinds import SECTIONS
from assay.report.data import Data


class Section:
    """A part of the report. A subclass that names its `kind` is registered by existing."""

    kind: ClassVar[str]
    rank: ClassVar[int]
    title: ClassVar[str]
    figures: ClassVar[tuple[str, ...]] = ()
    """The kinds of figures that answer its question, in their order: they stand between sentences and tables."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        SECTIONS.register(cls.kind, cls)

    def numbers(self, data: Data) -> dict[str, Any]:
        """Every number of the section, ready for JSON. The page is made from these and from nothing else."""
        raise NotImplementedError

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        """What the numbers say, in sentences."""
        return []


def all_sections() -> list[Section]:
    """Every section, in the order of the page."""
    return [section() for section in sorted(SECTIONS.values(), key=lambda each: each.rank)]
