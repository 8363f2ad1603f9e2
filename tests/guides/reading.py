"""Guidelines read as data: what they say of a dimension, the answers of their examples, and what they quote."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.inputs.one_of import OneOf
from assay.inputs.tags import TagsInput
from assay.inputs.text import TextInput
from assay.study import Dimension, Study

HEADING = re.compile(r"^(#{1,6}) +(.+?)\s*$")
KEY_QUESTION = re.compile(r"^\*\*Key question:\*\* (.+)$", re.MULTILINE)
POINT = re.compile(r"^- \*\*(\d+)\*\* (.+)$", re.MULTILINE)
BOUNDARY = re.compile(r"^- \*\*(\d+) or (\d+)\?\*\* (.+)$", re.MULTILINE)
ON_PAGE = re.compile(r'\b(?:choose|mark|marked|tick|press|use|with|under|note:|button) "([^"]+)"', re.IGNORECASE)
"""What a guideline says is on the page: somebody is to choose, tick or press it."""
FROM_TO = re.compile(
    r"\b(?:scores?|rate|dimensions?|questions?|number|point|scale)\b[^.|\n]*? from (\d+) to (\d+)", re.I
)


@dataclass(frozen=True)
class Section:
    """A file, or what stands under one of its headings."""

    file: str
    heading: str
    text: str


def guide_files(study: Study) -> dict[str, str]:
    """Every text that annotators read before and beside their work, by its file."""
    found = {}
    for entry in study.gates:
        texts = [*getattr(entry.gate, "sections", ()), getattr(entry.gate, "text", None)]
        found |= {each.file: each.text for each in texts if each is not None}
    found |= {each.examples.file: each.examples.text for each in study.rubric if each.examples is not None}
    return found | ({study.support.file: study.support.text} if study.support is not None else {})


def sections(study: Study) -> Iterator[Section]:
    """Every part under a heading, with the parts that lie within it."""
    for file, text in guide_files(study).items():
        lines = text.splitlines()
        heads = [(at, found) for at, line in enumerate(lines) if (found := HEADING.match(line))]
        for at, found in heads:
            ends = (later for later, other in heads if later > at and len(other[1]) <= len(found[1]))
            yield Section(file, found[2], "\n".join(lines[at + 1 : next(ends, len(lines))]))


def sections_of(study: Study, dimension: Dimension) -> list[Section]:
    """The parts about one dimension, by its title."""
    return [each for each in sections(study) if each.heading.casefold() == dimension.heading.casefold()]


@dataclass(frozen=True)
class Table:
    """One table of a guideline."""

    file: str
    head: list[str]
    rows: list[dict[str, str]]


def tables(study: Study) -> Iterator[Table]:
    """Every table in the guidelines."""
    for file, text in guide_files(study).items():
        for block in re.findall(r"(?:^\|.*\|[ \t]*$\n?)+", text, re.MULTILINE):
            cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block.splitlines()]
            head, _, *rows = cells
            yield Table(file, head, [dict(zip(head, row, strict=True)) for row in rows])


def labels(study: Study, dimension: Dimension) -> dict[str, str]:
    """The answers of a dimension as a page calls them, each with its form value; what explains one may be left out."""
    kind = dimension.input
    named: dict[str, str] = {}
    if isinstance(kind, OneOf):
        named = {each.label: str(each.value) for each in kind.choices(study.sides, study.words)}
        named |= {str(each.value): str(each.value) for each in kind.choices(study.sides, study.words)}
    elif isinstance(kind, TagsInput):
        named = {label: name for name, label in kind.options.items()} | ({kind.none: "none"} if kind.none else {})
    short = {label.partition(":")[0]: value for label, value in named.items()}
    return {label.casefold(): value for label, value in (short | named).items() if label}


def words_of_page(study: Study) -> set[str]:
    """Everything that a page of the study can say: titles, answers, phrases, and the program's own words."""
    said = {each.casefold() for each in study.words.texts.values()}
    for dimension in study.rubric:
        said |= {dimension.heading.casefold(), *labels(study, dimension)}
        if isinstance(dimension.input, TextInput):
            said |= {each.casefold() for each in dimension.input.phrases}
    return said


def named_dimension(study: Study, name: str) -> Dimension | None:
    """The dimension that is meant: by its title, or by what its title begins with."""
    wanted = name.strip().casefold()
    whole = [each for each in study.rubric if each.heading.casefold() == wanted]
    begins = [each for each in study.rubric if wanted and each.heading.casefold().startswith(wanted)]
    found = whole or begins
    return found[0] if len(found) == 1 or whole else None


def limits(study: Study, text: str) -> dict[str, set[int]]:
    """What a sentence allows on which dimension: `Safety 2 at most`, `emotion 1-2`, `safety at least 3`."""
    found: dict[str, set[int]] = {}
    for sentence in re.split(r"\.\s|\.$", text):
        if re.search(r"\b(?:unless|if|can be|may be)\b", sentence, re.IGNORECASE):
            continue  # a condition, or what is merely possible
        for dimension in (each for each in study.rubric if each.input.level is not None):
            names = "|".join({re.escape(each) for each in (dimension.heading, dimension.heading.split()[0])})
            match = re.search(
                rf"\b(?:{names})(?: is)?( at least)? (\d)(?: ?(?:-|or|to) ?(\d))?( at most)?", sentence, re.I
            )
            points = [int(str(each)) for each in dimension.input.values() if isinstance(each, int)]
            if match is not None and points:
                least, low, high, most = match.groups()
                first = min(points) if most else int(low)
                last = max(points) if least else int(high or low)
                found[dimension.dimension] = {point for point in points if first <= point <= last}
        if everywhere := re.search(r"\b(\d) in every dimension", sentence):
            scales = (each for each in study.rubric if each.input.level is not None)
            found |= {each.dimension: {int(everywhere[1])} for each in scales}
    return found
