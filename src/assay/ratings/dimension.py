"""The ratings of one dimension, as a table of judgments holds them."""

from dataclasses import dataclass, field

from assay.statistics import Ratings


@dataclass
class RatedDimension:
    """One quality that was judged."""

    name: str
    ratings: Ratings
    """Of people only."""
    everybody: Ratings | None = None
    """Of people and automated judges, where there are some."""
    systems: dict[str, Ratings] = field(default_factory=dict)
    named: bool = True
    """Whether it is known who gave which value: of counts it is not."""
    ordered: bool = True
    notes: list[str] = field(default_factory=list)
