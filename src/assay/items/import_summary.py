"""Summary of an item file before it is imported: what it holds, and what looks wrong in it."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from assay.items.reader import ImportedRow
from assay.model import CANDIDATES, WORDS_A_MINUTE, Item
from assay.study.schema import Study

SECONDS_A_QUESTION = 3
MOST_SEARCHED = 2000
"""The number of outputs of each system that are searched for what gives the system away."""
LONGEST = 5000
"""The number of characters of an item that are searched for the names of systems."""
WINDOW = 8
"""A guide and an item that share so many words in a row share them for a reason."""
MARKERS = re.compile(r"<[^<>\s]{1,30}>|\[/?[A-Z_]{2,20}\]|^\s*#+ |\*\*|^\s*[-*•] |^\w{1,20}:|`", re.MULTILINE)
LEAST_SHARE = 0.2
LEAST_OUTPUTS = 10
MOST_NAMED = 5


@dataclass
class SystemOutputs:
    """Counts over the outputs of one system."""

    items: int = 0
    content: int = 0
    """The sum of the outputs' hashes, which does not depend on their order."""
    markers: Counter[str] = field(default_factory=Counter)
    searched: int = 0

    @property
    def hash(self) -> str:
        """Tells two versions of a system's outputs apart."""
        return f"{self.content % 2**64:016x}"


class ImportSummary:
    """Counts over the rows of an item file. Each row is looked at once, and little of it is kept."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.rows = self.items = self.words = self.duplicates = self.identical = 0
        self.judgments: Counter[tuple[str, bool]] = Counter()
        self.systems: dict[str, SystemOutputs] = {}
        self.hidden: dict[str, None] = {}
        self.batches: Counter[str] = Counter()
        self.longest: tuple[int, str] = (0, "")
        self.empty: list[str] = []
        self.examples: list[str] = []
        self._seen: list[str] = []
        self._outputs: dict[tuple[str, int], set[str]] = {}
        self._guide = set(_windows(_guide_texts(study)))

    def add(self, row: ImportedRow) -> ImportedRow:
        """Count one row, and return it."""
        self.rows += 1
        self.duplicates += bool(row.duplicate_of)
        for answers in row.judgments:
            self.judgments[answers.annotator, answers.judge] += 1
        if row.item is not None:
            self._count_item(row.item)
        return row

    def _count_item(self, item: Item) -> None:
        self.items += 1
        self.words += item.words
        self.longest = max(self.longest, (item.words, item.id))
        self.hidden.update(dict.fromkeys(item.hidden))
        self.batches[item.batch] += 1
        if len(self._seen) < MOST_SEARCHED:
            self._seen.append("\n".join(_texts(item.shown)).casefold()[:LONGEST])
        outputs = _outputs(self.study, item)
        if any(not "".join(texts).strip() for texts in outputs):
            self.empty.append(item.id)
        if self._guide and any(window in self._guide for window in _windows(t for texts in outputs for t in texts)):
            self.examples.append(item.id)
        for system, texts in zip(item.systems, outputs, strict=False):
            self._count_output(system, texts, item)
        if len(outputs) == 2 and outputs[0] == outputs[1]:
            self.identical += 1

    def _count_output(self, system: str, texts: list[str], item: Item) -> None:
        known = self.systems.setdefault(system, SystemOutputs())
        known.items += 1
        digest = hashlib.blake2b("\x1f".join(texts).encode(), digest_size=8).digest()
        known.content += int.from_bytes(digest, "big")
        if item.group and len(item.systems) == 1:
            same = self._outputs.setdefault((item.group, int.from_bytes(digest[:6], "big")), set())
            if same and system not in same:
                self.identical += 1
            same.add(system)
        if known.searched < MOST_SEARCHED:
            known.searched += 1
            known.markers.update(set(_markers(texts)))

    def minutes(self) -> float:
        """How long one annotator would take for all items: by the study's own pace, else by words and questions."""
        if self.study.pace.expect:
            return self.items * sum(self.study.pace.expect) / 2 / 60
        questions = len([dimension for dimension in self.study.rubric if not dimension.optional])
        return self.words / WORDS_A_MINUTE + self.items * questions * SECONDS_A_QUESTION / 60

    def leaks(self) -> Iterator[str]:
        """What in the shown texts gives a system away: its name, or a marker that only its outputs have."""
        for system in sorted(self.systems):
            name = re.compile(rf"(?<!\w){re.escape(system.casefold())}(?!\w)")
            found = sum(1 for text in self._seen if name.search(text))
            if found:
                yield f"the name {system!r} stands in {found:,} of {len(self._seen):,} items' shown texts"
        for system, known in sorted(self.systems.items()):
            others = [other for name, other in self.systems.items() if name != system]
            if known.searched < LEAST_OUTPUTS or not others or min(each.searched for each in others) < LEAST_OUTPUTS:
                continue
            only = [
                (count, marker)
                for marker, count in known.markers.items()
                if count >= LEAST_SHARE * known.searched and not any(other.markers[marker] for other in others)
            ]
            for count, marker in sorted(only, reverse=True)[:MOST_NAMED]:
                yield f"{marker} in {count} of {known.searched} outputs of {system}, and in no other system's"

    def lines(self) -> Iterator[str]:
        """The summary in words, for the command line."""
        study = self.study
        shown = [
            *study.items.shown_fields,
            *study.entries,
            *(f"{name} of each side" for name in study.items.candidate_fields),
        ]
        yield f"items:     {self.items:,}" + (f" from {self.rows:,} rows" if self.rows != self.items else "")
        for name, known in sorted(self.systems.items()):
            yield f"system:    {name}: {known.items:,} outputs, content {known.hash}"
        if any(self.batches):
            yield f"batches:   {', '.join(f'{name} ({count:,})' for name, count in self.batches.items())}"
        yield f"shown:     {', '.join(shown)}"
        # Of a field that is shown in part, the rest is hidden; of rows that were paired, what only one of them says.
        words = {"_rows": "what only one side says", **{name: f"the rest of {name}" for name in study.shown_fields}}
        hidden = [words.get(name, name) for name in self.hidden]
        yield f"hidden:    {', '.join(hidden) or 'nothing'} (will not reach the browser)"
        if self.duplicates:
            yield f"repeated:  {_plural(self.duplicates, 'row')} marked as hidden duplicates"
        for (name, judge), count in sorted(self.judgments.items()):
            yield f"judged by: {name}{' (automated judge)' if judge else ''}: {_plural(count, 'item')}"
        if self.items:
            yield (
                f"reading:   {self.words:,} words, the longest item has {self.longest[0]:,} ({self.longest[1]}); "
                f"about {_plural(max(1, round(self.minutes())), 'minute')} for one annotator to judge all"
            )

    def warnings(self) -> Iterator[str]:
        """What looks wrong and may be meant all the same."""
        if self.identical:
            thing = "pair" if self.study.items.candidates else "output"
            yield f"the same text by different systems: {_plural(self.identical, thing)}"
        if self.empty:
            yield f"{_plural(len(self.empty), 'item')} with an empty output: {_some(self.empty)}"
        if self.examples:
            yield (
                f"{_plural(len(self.examples), 'item')} in the guidelines too: {_some(self.examples)}; "
                "whoever has read those knows the answer"
            )
        for leak in self.leaks():
            yield f"blinding: {leak}"

    def as_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "rows": self.rows,
            "items": self.items,
            "systems": {name: {"items": known.items, "content": known.hash} for name, known in self.systems.items()},
            "batches": {name: count for name, count in self.batches.items() if name},
            "hidden": list(self.hidden),
            "duplicates": self.duplicates,
            "words": self.words,
            "longest": {"item": self.longest[1], "words": self.longest[0]},
            "minutes": round(self.minutes(), 1),
            "judged_by": [
                {"name": name, "judge": judge, "items": count}
                for (name, judge), count in sorted(self.judgments.items())
            ],
            "warnings": list(self.warnings()),
        }


def _plural(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _some(names: list[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else "")


def _outputs(study: Study, item: Item) -> list[list[str]]:
    """The texts that systems wrote: of each candidate, or of the item's last block, where the response stands."""
    if CANDIDATES in item.shown:
        return [list(_texts(candidate)) for candidate in item.shown[CANDIDATES]]
    return [list(_texts(item.shown[study.items.shown_fields[-1]]))]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str | int | float):
        yield str(value)
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _markers(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for found in MARKERS.findall(text):
            yield f"the marker {found.strip()!r}"
        start = text.lstrip()[:1]
        if start.isalpha():
            yield "a small letter at the beginning" if start.islower() else "a capital at the beginning"


def _guide_texts(study: Study) -> Iterator[str]:
    for entry in study.gates:
        for section in getattr(entry.gate, "sections", ()):
            yield section.text
    for dimension in study.rubric:
        if dimension.examples is not None:
            yield dimension.examples.text


def _windows(texts: Iterable[str]) -> Iterator[int]:
    """Every run of some words, as a number. Quotation marks and the like do not count."""
    for text in texts:
        words = re.findall(r"\w+", text.casefold())
        for start in range(len(words) - WINDOW + 1):
            yield hash(tuple(words[start : start + WINDOW]))
