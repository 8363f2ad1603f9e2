"""What people agree on: a dimension; of a preference, each comparison of two systems by itself."""

from collections.abc import Iterable
from typing import NamedTuple

from assay.model import Comparison, Judgment
from assay.study.rubric import Dimension
from assay.study.schema import Study


class Topic(NamedTuple):
    """A dimension; where it asks which of two systems is better, of one comparison.

    Comparisons are not pooled: that the second of two is preferred means another thing for each two systems.
    """

    dimension: str
    system: str = ""
    against: str = ""

    @property
    def comparison(self) -> Comparison | None:
        """The comparison that it is about, if any."""
        return Comparison(self.system, self.against) if self.system else None

    @property
    def key(self) -> str:
        """The same as a text, for JSON: the dimension, and of a preference the comparison."""
        return self.dimension if self.comparison is None else f"{self.dimension} ({self.comparison.title})"

    def holds(self, judgment: Judgment) -> bool:
        """Whether a judgment is about it."""
        return judgment.dimension == self.dimension and (
            not self.system or {self.system, self.against} == set(judgment.systems)
        )

    def title(self, study: Study) -> str:
        """What it is called in a sentence."""
        heading = study.dimension(self.dimension).heading
        return heading if self.comparison is None else f"{heading} ({self.comparison.title})"


def topics_of(dimension: Dimension, comparisons: Iterable[Comparison]) -> list[Topic]:
    """The topics of one dimension; before anything was compared, the dimension as a whole.

    >>> from types import SimpleNamespace
    >>> asked = SimpleNamespace(dimension="fluency", input=SimpleNamespace(compares=True))
    >>> [topic[1:] for topic in topics_of(asked, [Comparison("x", "y")])], topics_of(asked, [])
    ([('x', 'y')], [Topic(dimension='fluency', system='', against='')])
    """
    if not dimension.input.compares:
        return [Topic(dimension.dimension)]
    return [Topic(dimension.dimension, *each) for each in comparisons] or [Topic(dimension.dimension)]
