"""What was changed in data before they were published: the report that stands beside them."""

from collections import Counter
from dataclasses import dataclass, field

REPORT = "anonymised.md"
"""What it is called in a folder, and what its name ends with beside a file."""


@dataclass(frozen=True)
class AnonymityReport:
    """What was changed, for whoever publishes the data and for whoever reads it."""

    people: int
    submissions: int
    left_out: Counter[str] = field(default_factory=Counter)
    """How many free texts are not in it, by dimension."""
    let_through: Counter[str] = field(default_factory=Counter)
    """How many are, after somebody read them."""
    about_people: tuple[str, ...] = ()
    """What was changed in what people said about themselves, where that is what was exported."""

    def text(self) -> str:
        """The report as it stands beside the data."""
        texts = [
            f"- `{name}`: {self.left_out[name]:,} left out, {self.let_through[name]:,} read by a person and let through"
            for name in sorted({*self.left_out, *self.let_through})
        ]
        lines = [
            "# What was changed in these data",
            "",
            f"- Annotators: {self.people:,} people have new pseudonyms, drawn for this export. Judges keep theirs.",
            f"- Submissions: {self.submissions:,} have new ids, drawn for this export alone.",
            "- Times: of every annotator the order of their submissions and the active seconds of each are kept. "
            "Each one's work begins on 2000-01-01; days, times of day and pauses are gone.",
            "- The events of pages (when they were looked at) are gone.",
            "- Agreed values: the reason, who kept them and when are gone.",
            "- Free texts:" if texts else "- Free texts: there are none.",
            *(f"  {each}" for each in texts),
            *self.about_people,
            "- Items are as they were shown: what they say of people is not looked at.",
        ]
        return "\n".join(lines) + "\n"
