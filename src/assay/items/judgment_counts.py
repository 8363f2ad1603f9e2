"""How many answers a file has, by dimension and by who gave them: what came in whole, and what did not."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from assay.in_words import many
from assay.items.imported_judgments import ImportedAnswers
from assay.study.schema import Study


class JudgmentCounts:
    """Counts over the judgments of one file."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.items: Counter[tuple[str, bool]] = Counter()
        """How often somebody judges an item: by their name, and whether they are an automated judge."""
        self.again: Counter[tuple[str, bool]] = Counter()
        """How often of these it is not the first time: a run of a judge, or what came back to a person."""
        self.answers: Counter[tuple[str, bool, str]] = Counter()
        """The answers that are there, by who gave them and by dimension."""
        self.asked: Counter[tuple[str, bool, str]] = Counter()
        """The same with those that are missing."""
        self.not_judged = 0
        """How many rows name somebody and have no score."""

    def add(self, given: ImportedAnswers) -> None:
        """Count what somebody said of one item."""
        who = (given.annotator, given.judge)
        self.items[who] += 1
        self.again[who] += given.pass_ > 1
        for slot in (*given.answers, *given.preferred):
            self.answers[*who, slot.dimension] += 1
            self.asked[*who, slot.dimension] += 1
        for slot in given.blank:
            self.asked[*who, slot.dimension] += 1

    @property
    def by_people(self) -> int:
        """How often people judge an item."""
        return sum(count for (_, judge), count in self.items.items() if not judge)

    @property
    def gaps(self) -> dict[str, int]:
        """Of each dimension that everybody has to answer, how many answers are missing."""
        found: Counter[str] = Counter()
        for (name, judge, dimension), asked in self.asked.items():
            if self.study.dimension(dimension).is_always_asked:
                found[dimension] += asked - self.answers[name, judge, dimension]
        return {dimension: count for dimension, count in found.items() if count}

    def lines(self) -> Iterator[str]:
        """A line for each dimension and for each annotator or judge."""
        for (name, judge), count in sorted(self.items.items()):
            gaps = [
                f"{dimension} {self.answers[name, judge, dimension]:,} of {self.asked[name, judge, dimension]:,}"
                for dimension in (each.dimension for each in self.study.rubric if each.is_always_asked)
                if self.answers[name, judge, dimension] != self.asked[name, judge, dimension]
            ]
            again = f", judged {count:,} times in all" if self.again[name, judge] else ""
            items = f"{many(count - self.again[name, judge], 'item')}{again}"
            with_gaps = f", with gaps: {', '.join(gaps)}" if gaps else ""
            yield f"judged by: {name}{' (automated judge)' if judge else ''}: {items}{with_gaps}"
        for each in self._by_dimension():
            by = " (automated judges)" if each["judge"] else ""
            yield f"answers:   {each['dimension']}{by}: {each['answers']:,} of {each['asked']:,}"
        asked = {dimension for _, _, dimension in self.asked}
        unread = [each.dimension for each in self.study.rubric if each.dimension not in asked]
        if self.items and unread:
            yield f"not read:  {', '.join(unread)}"
        if self.not_judged:
            yield f"no scores: {self.not_judged:,} row{'' if self.not_judged == 1 else 's'}, not judged yet"

    def as_json(self) -> dict[str, Any]:
        """The same as JSON."""
        by = [
            {"name": name, "judge": judge, "items": count - self.again[name, judge]}
            for (name, judge), count in sorted(self.items.items())
        ]
        return {
            "judged_by": by,
            "dimensions": list(self._by_dimension()),
            "gaps": self.gaps,
            "not_judged": self.not_judged,
        }

    def _by_dimension(self) -> Iterator[dict[str, Any]]:
        for dimension in (each.dimension for each in self.study.rubric):
            for judge in (False, True):
                mine = [key for key in self.asked if key[1:] == (judge, dimension)]
                asked, answers = (sum(counts[key] for key in mine) for counts in (self.asked, self.answers))
                if asked:
                    yield {"dimension": dimension, "judge": judge, "answers": answers, "asked": asked}
