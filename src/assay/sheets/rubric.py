"""What stands beside a sheet: the rubric with its rules in words, and how the sheet is filled in."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from assay.exchange.export_columns import as_time
from assay.inputs.counts import CountsInput
from assay.inputs.one_of import OneOf
from assay.inputs.options import NONE
from assay.inputs.tags import TagsInput
from assay.inputs.text import TextInput
from assay.judgments.item_rules import target_dimensions
from assay.judgments.rule_words import in_words
from assay.sheets.columns import LEFT_OUT, NOT_THIS_ONE, WARNING, version_of
from assay.study import Dimension, Study

COLUMNS = ("column", "part", "value", "words")

HOW = (
    "Read a row from left to right and fill in the columns with small letters, on the right.",
    "Each column is explained under 'rubric'; cells that offer a list take what is on the list.",
    "Several tags in one cell have a semicolon between them.",
    "Change nothing else: not the columns Row, Annotator and Study, not the texts, not the name of the file.",
    "If you sort rows, sort whole rows. Rows that you have not judged yet stay empty.",
)


def rubric_rows(study: Study, columns: Mapping[str, str] = MappingProxyType({})) -> list[list[str]]:
    """The rubric as rows: column, what it is, value, words.

    `columns` is what a sheet calls a dimension, where that is not its name.
    """
    rows: list[list[str]] = []
    for dimension in study.rubric:
        name = columns.get(dimension.dimension, dimension.dimension)
        rows += [[name, *line] for line in _of_dimension(study, dimension)]
    names = [dimension.dimension for dimension in study.rubric]
    for rule in study.rules:
        about = (columns.get(name, name) for name in target_dimensions(rule, names))
        rows.append([", ".join(about), "rule", "", in_words(rule)])
    return rows


def _of_dimension(study: Study, dimension: Dimension) -> Iterator[list[str]]:
    kind = dimension.input
    yield ["question", "", dimension.ask or dimension.heading]
    needed = "may stay empty, unless a rule asks for it" if dimension.optional else "needed"
    if dimension.ask_when is not None:
        yield ["asked", "", f"only when {dimension.ask_when}; else the cell stays empty"]
    yield ["answer", "", needed]
    if isinstance(kind, OneOf):
        for choice in kind.choices(study.sides, study.words):
            yield ["value", str(choice.value), choice.label]
    elif isinstance(kind, TagsInput):
        options = {NONE: kind.none, **kind.options} if kind.none else kind.options
        yield from (["tag", name, label] for name, label in options.items())
    elif isinstance(kind, CountsInput):
        first = next(iter(kind.options))
        where = f"; {first} @3 says the {kind.where}" if kind.where else ""
        yield ["answer", "", f"what was found and how often, such as {first} x2{where}"]
        options = {NONE: kind.none, **kind.options} if kind.none else kind.options
        yield from (["count", name, label] for name, label in options.items())
    elif isinstance(kind, TextInput):
        yield ["answer", "", f"free text, at most {kind.longest:,} characters"]
    if label := study.unable(dimension):
        yield ["value", "unable", label]
    yield from (["level", str(point), words] for point, lines in dimension.levels.items() for words in lines)
    yield from (["boundary", points, words] for points, words in dimension.boundaries.items())
    yield from (["check", "", words] for words in dimension.check)
    yield from (["failure", name, words] for name, words in dimension.failures.items())
    yield from (["not a failure", "", words] for words in dimension.not_a_failure)
    if dimension.examples is not None:
        yield ["examples", "", dimension.examples.text]


def _hard_items(study: Study) -> list[str]:
    """How somebody finds hard items on a sheet, and leaves them out."""
    if not study.care.warn:
        return []
    return [
        f"Rows with a text under {WARNING!r} have hard content. You need not read what comes after it.",
        f"Whatever you would rather not judge: write {LEFT_OUT} under {NOT_THIS_ONE!r}, and leave its answers empty. "
        "No reason is asked, and somebody else gets it.",
    ]


def about_rows(study: Study, annotator: str, rows: int, now: int, how: Sequence[str] | None = None) -> list[list[str]]:
    """Whose sheet it is, of what, and how it is filled in; hard content is announced first."""
    how = [*HOW, *_hard_items(study)] if how is None else how
    warned = [entry.gate.text.text for entry in study.gates if entry.gate.kind == "warning"]  # type: ignore[attr-defined]
    support = [study.support.text] if study.support is not None else []
    return [
        *(["content warning", text] for text in warned),
        ["title", study.title],
        ["study", version_of(study)],
        ["annotator", annotator],
        ["written at", as_time(now)],
        ["rows", str(rows)],
        *([f"how to fill in, {number}", line] for number, line in enumerate(how, 1)),
        *(["support", text] for text in support),
        *([f"support, {language}", each.text] for language, each in study.care.support.items()),
    ]


def as_plain_text(about: Sequence[Sequence[str]], rubric: Sequence[Sequence[str]]) -> str:
    """What stands beside a sheet, as one text."""
    lines = [" | ".join(part for part in row if part) for row in rubric]
    return "\n".join(f"{name}: {words}" for name, words in about) + "\n\nRUBRIC\n\n" + "\n".join(lines) + "\n"
