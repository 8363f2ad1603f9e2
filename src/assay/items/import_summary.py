"""Summary of an item file before it is imported: what it holds, and what looks wrong in it."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.displays.formatted_text import PLACEHOLDER
from assay.items.entry_links import NO_LINKS, LinkFile
from assay.items.judgment_counts import JudgmentCounts
from assay.items.leaks import MOST_NAMED, LeakSearch, outputs, texts
from assay.items.link_proposals import unanswered_links
from assay.items.reader import ImportedRow
from assay.items.sequence_audit import MOST_AUDITED, SeenItem, SequenceNote, seen_item
from assay.items.shared_words import SharedWords
from assay.model import CANDIDATES, Item
from assay.study.schema import Study

WINDOW = 8
"""A guide and an item that share so many words in a row share them for a reason."""


@dataclass
class SystemOutputs:
    """Counts over the outputs of one system."""

    items: int = 0
    content: int = 0
    """The sum of the outputs' hashes, which does not depend on their order."""

    @property
    def hash(self) -> str:
        """A hash of a system's outputs, to tell two versions of them apart."""
        return f"{self.content % 2**64:016x}"


@dataclass(frozen=True, slots=True)
class SaidOfItems:
    """A finished summary: it can be sent from one process to another."""

    rows: int
    lines: list[str]
    """In words, for the command line."""
    warnings: list[str]
    """What looks wrong and may be meant all the same."""
    json: dict[str, Any]
    judged_by_people: int
    """How many items people have judged in the file."""


class ImportSummary:
    """Counts over the rows of an item file. Each row is looked at once, and little of it is kept."""

    def __init__(self, study: Study, links: Mapping[str, LinkFile] = NO_LINKS) -> None:
        self.study = study
        self.links = links
        self.linked: Counter[str] = Counter()
        """Of each list, how many entries lie within others."""
        self.unanswered: Counter[str] = Counter()
        """Of each list, how many seem to, and nobody has said whether they do."""
        self.rows = self.items = self.words = self.duplicates = self.identical = 0
        self.judgments = JudgmentCounts(study)
        self.systems: dict[str, SystemOutputs] = {}
        self.hidden: dict[str, None] = {}
        self.batches: Counter[str] = Counter()
        self.cleaned: Counter[str] = Counter()
        self.longest: tuple[int, str] = (0, "")
        self.empty: dict[str, list[str]] = {}
        self.unworded: Counter[str] = Counter()
        """Placeholders that have no words of their own, where the study has words for others."""
        self.examples: list[str] = []
        self.samples: list[str] = []
        """What is to be said of a template's own files beside these items."""
        self.of_file: list[str] = []
        """What looks wrong of the files as a whole: put here by whoever reads them."""
        self.leak_search = LeakSearch(study)
        self.seen: list[SeenItem] = []
        """The items in the order of the file, for the audit of a sequence."""
        self.sequence: list[SequenceNote] = []
        """What the order of items gives away: put here by whoever knows how they are given out."""
        self._outputs: dict[tuple[str, int], tuple[str, ...]] = {}
        """Who made each output of a group."""
        self._guide = SharedWords(_guide_texts(study), WINDOW)

    def add(self, row: ImportedRow) -> ImportedRow:
        """Count one row, and return it."""
        self.rows += 1
        self.duplicates += bool(row.duplicate_of)
        for answers in row.judgments:
            self.judgments.add(answers)
        if row.item is not None:
            self._count_item(row.item)
            if row.cleaned:
                self.cleaned.update(row.cleaned)
        return row

    def _count_item(self, item: Item) -> None:
        self.items += 1
        self.words += item.words
        if item.words >= self.longest[0]:
            self.longest = max(self.longest, (item.words, item.id))
        if not item.hidden.keys() <= self.hidden.keys():
            self.hidden.update(dict.fromkeys(name for name in item.hidden if item.shown.get(name) != item.hidden[name]))
        self.batches[item.batch] += 1
        for name, links in self.links.items():
            self.linked[name] += sum(bool(link.confirmed) for link in links.of(item.id))
            self.unanswered[name] += sum(1 for _ in unanswered_links(links, item.id, item.shown[name]))
        self.leak_search.add(item)
        if len(self.seen) < MOST_AUDITED:
            self.seen.append(seen_item(self.study, item))
        for name in dict.fromkeys(self._empty_fields(item.shown)):
            self.empty.setdefault(name, []).append(item.id)
        if words := self.study.wording.words:
            names = {found for text in texts(item.shown) for found in PLACEHOLDER.findall(text)}
            self.unworded.update(name for name in names if name not in words)
        made = outputs(item)
        if any(map(self._guide.stand_in, texts(made))):
            self.examples.append(item.id)
        for system, parts in zip(item.systems, made, strict=False):
            self._count_output(system, parts, item)
        if len(made) == 2 and made[0] == made[1]:
            self.identical += 1

    @cached_property
    def _spare(self) -> set[str]:
        """The fields that may be empty."""
        items = self.study.items
        spare = {name for block in items.show for name in block.display.optional_fields()} | {*self.study.entries}
        return spare | {items.history.as_} if items.history else spare

    def _empty_fields(self, shown: dict[str, Any]) -> Iterator[str]:
        """The fields that show nothing where the study expects something, candidates' among them."""
        for parts in (shown, *shown.get(CANDIDATES, ())):
            for name, value in parts.items():
                if type(value) is str and value and not value.isspace():
                    continue
                is_picture = isinstance(value, dict) and "picture" in value
                if name not in self._spare and not (is_picture or _says_something(value)):
                    yield name

    def _count_output(self, system: str, parts: dict[str, Any], item: Item) -> None:
        known = self.systems.get(system) or self.systems.setdefault(system, SystemOutputs())
        known.items += 1
        digest = hashlib.blake2b(repr(parts).encode(errors="surrogatepass"), digest_size=8).digest()
        content = int.from_bytes(digest, "big")
        known.content += content
        if item.group and len(item.systems) == 1:
            output = item.group, content >> 16
            same = self._outputs.get(output, ())
            if system not in same:
                self.identical += bool(same)
                self._outputs[output] = (*same, system) if same else item.systems

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
        words |= {name: f"{name} as it was" for name in study.items.clean}
        hidden = [words.get(name, name) for name in self.hidden]
        yield f"hidden:    {', '.join(hidden) or 'nothing'} (will not reach the browser)"
        for name in study.items.clean:
            yield f"cleaned:   {_plural(self.cleaned[name], 'text')} of {name} (as it was, it stays hidden)"
        for name, links in self.links.items():
            yield f"linked:    {name}: {self.linked[name]:,} confirmed in {links.path.name}"
        if self.duplicates:
            yield f"repeated:  {_plural(self.duplicates, 'row')} marked as hidden duplicates"
        elif study.items.duplicate_of and self.rows:
            yield f"repeated:  no row is marked as a hidden duplicate ({study.items.duplicate_of})"
        yield from self.judgments.lines()
        if self.items:
            yield f"reading:   {self.words:,} words, the longest item has {self.longest[0]:,} ({self.longest[1]})"
        for note in self.sequence:
            if not note.is_warning:
                yield f"sequence:  {note.words}; {note.advice}"

    def warnings(self) -> Iterator[str]:
        """What looks wrong and may be meant all the same."""
        if self.identical:
            thing = "pair" if self.study.items.candidates else "output"
            yield f"the same text by different systems: {_plural(self.identical, thing)}"
        if self.duplicates and self.study.assignment.duplicates is None:
            yield (
                f"{_plural(self.duplicates, 'row')} marked as hidden duplicates, but nobody gets an item twice: "
                "assignment.duplicates is missing"
            )
        yield from self.of_file
        for alike in _by_case_alone(self.systems):
            yield f"systems that differ by capitals alone: {alike}; items.names can map them"
        for alike in _by_case_alone(name for name, _ in self.judgments.items):
            yield f"annotators that differ by capitals alone: {alike}"
        for name, empty in self.empty.items():
            yield f"{_plural(len(empty), 'item')} with an empty field {name}: {_some(empty)}"
        for name, count in sorted(self.unworded.items()):
            yield f"the placeholder [{name}] in {_plural(count, 'item')} has no words: add it to chips"
        if self.examples:
            yield (
                f"{_plural(len(self.examples), 'item')} in the guidelines too: {_some(self.examples)}; "
                "whoever has read those knows the answer"
            )
        for name, links in self.links.items():
            if self.unanswered[name]:
                yield (
                    f"{_plural(self.unanswered[name], 'time')} one of an item's {name} seems to lie within another, "
                    f"and {links.path.name} does not say whether it does: `assay links` proposes it"
                )
        yield from self.samples
        for leak in self.leak_search.leaks_in_words():
            yield f"blinding: {leak}"
        for note in self.sequence:
            if note.is_warning:
                yield f"blinding: {note.words}; {note.advice}"

    def what_it_says(self) -> SaidOfItems:
        """The finished summary."""
        as_json = self.as_json()
        return SaidOfItems(self.rows, list(self.lines()), as_json["warnings"], as_json, self.judgments.by_people)

    def as_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "rows": self.rows,
            "items": self.items,
            "systems": {name: {"items": known.items, "content": known.hash} for name, known in self.systems.items()},
            "batches": {name: count for name, count in self.batches.items() if name},
            "hidden": list(self.hidden),
            "duplicates": self.duplicates,
            "cleaned": {name: self.cleaned[name] for name in self.study.items.clean},
            "words": self.words,
            "longest": {"item": self.longest[1], "words": self.longest[0]},
            **self.judgments.as_json(),
            "sequence": [note.words for note in self.sequence],
            "warnings": list(self.warnings()),
        }


def _plural(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _by_case_alone(names: Iterable[str]) -> Iterator[str]:
    """Names that differ from each other in capitals alone, each set in words."""
    alike: dict[str, set[str]] = {}
    for name in names:
        alike.setdefault(name.casefold(), set()).add(name)
    return (", ".join(sorted(each)) for each in alike.values() if len(each) > 1)


def _some(names: list[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else "")


def _says_something(value: Any) -> bool:
    if type(value) is str:
        return bool(value) and not value.isspace()
    return any(text.strip() for text in texts(value))


def _guide_texts(study: Study) -> Iterator[str]:
    for entry in study.gates:
        for section in getattr(entry.gate, "sections", ()):
            yield section.text
    for dimension in study.rubric:
        if dimension.examples is not None:
            yield dimension.examples.text
