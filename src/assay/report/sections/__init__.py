"""What a section of the report must offer. Sections are kinds: one file each, in `report/sections`."""

from typing import Any, ClassVar, Generic, Literal, TypeVar

from assay.kinds import SECTIONS
from assay.report.data import Data

PARTS = {"summary": "", "findings": "Findings", "quality": "Quality", "methods": "Methods"}
"""The parts of the page, in their order, with their headings; what sections fold follows behind, as the appendix."""
ReportPart = Literal["summary", "findings", "quality", "methods"]

N = TypeVar("N")
"""The frozen type of a section's numbers."""


class Section(Generic[N]):
    """A part of the report. A subclass that names its `kind` is registered by existing."""

    kind: ClassVar[str]
    rank: ClassVar[int]
    title: ClassVar[str]
    part: ClassVar[ReportPart] = "quality"
    figures: ClassVar[tuple[str, ...]] = ()
    """The kinds of figures that answer its question, in their order: they stand between sentences and tables."""

    stays: ClassVar[bool] = False
    """Of two processes, whether the one that goes on computes it, with its figures.

    These are the sections from what monitors look at, and so many others that each of the two has as much to do.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        SECTIONS.register(cls.kind, cls)

    def numbers(self, data: Data) -> N:
        """Every number of the section: its fields are the keys of the JSON, and the page is made from it alone."""
        raise NotImplementedError

    def lines(self, numbers: N) -> list[str]:
        """What the numbers say, in sentences."""
        return []


def all_sections() -> list[Section[Any]]:
    """Every section, in the order of the page."""
    found = sorted(SECTIONS.values(), key=lambda each: (list(PARTS).index(each.part), each.rank))
    return [section() for section in found]
