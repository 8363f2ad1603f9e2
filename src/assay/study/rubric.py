"""The part `rubric` of the study file: the dimensions, in the order in which they are asked."""

import re
from functools import cached_property
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import AfterValidator, Field, model_validator

from assay.inputs import Input
from assay.inputs.one_of import OneOf
from assay.inputs.scale import ScaleInput
from assay.kinds import Many, Reference
from assay.markdown_file import MarkdownFile
from assay.mistakes import mistake
from assay.study.expression import Tree, parse
from assay.study.field_types import EarlierExpression, Name, OneKind, OneOrMany, heading_of


class Scope(NamedTuple):
    """What a dimension is asked of: the item, each side of a pair, the pair, or each entry of a list."""

    of: Literal["item", "side", "pair", "entries"]
    entries: str = ""


def _is_scope(text: str) -> str:
    if text not in ("item", "side", "pair") and not ENTRIES.fullmatch(text):
        raise mistake(f"a dimension cannot be asked of {text!r}", "write item, side, pair or entries(name)")
    return text


ENTRIES = re.compile(r"entries\(\s*([a-z][a-z0-9_-]*)\s*\)")
ScopeText = Annotated[
    str,
    AfterValidator(_is_scope),
    Reference(("entries",), "there are no entries {name!r}", listed_in="items.entries", names=ENTRIES.findall),
]


def _is_version(text: str) -> str:
    if not re.fullmatch("[0-9a-f]{6,64}", text):
        raise mistake(f"{text!r} is no version", "write the first 6 characters of its hash or more, as in the record")
    return text


VersionPrefix = Annotated[str, AfterValidator(_is_version)]


def _sort_by_point(levels: dict[int, tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
    """Sort them: their order in the file has no meaning, and must not change the version of the study."""
    return dict(sorted(levels.items()))


class Dimension(OneKind):
    """One quality that is asked about, with the input that asks it."""

    dimension: Name = Field(description="Its name, in the data and in rules.")
    title: str = Field(default="", description="Its heading on the page; made from the name where left out.")
    ask: str = Field(default="", description="The question in one line.")
    of: ScopeText = Field(
        default="item",
        description="What it is asked of: the `item`, each `side` of a pair, the `pair`, or each of the "
        "`entries(name)` of a list.",
    )
    check: Many[str] = Field(default=(), description="What to look at before answering.")
    not_a_failure: Many[str] = Field(default=(), description="What may look like a fault and is none.")
    failures: dict[str, str] = Field(default={}, description="Kinds of faults, each with its name and what it means.")
    levels: Annotated[dict[int, OneOrMany], AfterValidator(_sort_by_point)] = Field(
        default={},
        description="What each point of a scale looks like in full: some lines each, where its anchor has one.",
    )
    boundaries: dict[str, str] = Field(default={}, description="How to tell neighbouring points apart, e.g. `2-3`.")
    examples: MarkdownFile | None = Field(default=None, description="A Markdown file with worked examples.")
    ask_when: EarlierExpression | None = Field(
        default=None,
        description="When it is asked: an expression over answers to earlier dimensions and shown fields. Else it is "
        "neither shown nor needed nor stored. Left out: always.",
    )
    optional: bool = Field(default=False, description="May be left unanswered unless a rule requires it.")
    unable: str | None = Field(
        default=None,
        min_length=1,
        description="The label of one more answer, for somebody who cannot judge this. It is kept and not counted.",
    )

    pool_with: Many[VersionPrefix] = Field(
        default=(),
        description="Earlier versions of the study whose answers may be pooled with these although the scale's meaning "
        "has changed since: the first characters of each one's hash, as the record shows them.",
    )

    @model_validator(mode="after")
    def _fits_its_input(self) -> Self:
        kind = self.only_kind
        if kind is not None and kind.compares and self.of != "pair":
            raise mistake(f"{kind.kind} compares two sides", "write of: pair", "of", needs=("of",))
        if self.unable is not None and kind is not None and not isinstance(kind, OneOf):
            raise mistake(f"{kind.kind} has no answer beside which this one could stand", "remove it", "unable")
        self._describes_points(kind)
        return self

    def _describes_points(self, kind: Input | None) -> None:
        if kind is None or not self.levels:
            return
        if not isinstance(kind, ScaleInput):
            raise mistake(f"{kind.kind} has no points to describe", "levels are those of a scale", "levels")
        unknown = [point for point in self.levels if not kind.from_ <= point <= kind.to]
        if unknown:
            what = f"the scale from {kind.from_} to {kind.to} has no point {unknown[0]}"
            raise mistake(what, "describe the points that it has", "levels", str(unknown[0]))

    @property
    def input(self) -> Input:
        """The input that asks this dimension."""
        kind: Input = self.only_kind
        return kind

    @cached_property
    def scope(self) -> Scope:
        """What it is asked of."""
        found = ENTRIES.fullmatch(self.of)
        return Scope("entries", found[1]) if found else Scope(self.of)  # type: ignore[arg-type]

    @cached_property
    def asked_tree(self) -> Tree:
        """The parsed `ask_when`."""
        return parse(self.ask_when or "true")

    @property
    def is_always_asked(self) -> bool:
        """Whether everybody has to answer it, whatever else they answer."""
        return not self.optional and self.ask_when is None

    @property
    def heading(self) -> str:
        """What the page calls it."""
        return heading_of(self.title, self.dimension)

    @property
    def has_help(self) -> bool:
        """Whether it has any help beyond the question itself."""
        parts = (self.check, self.not_a_failure, self.failures, self.levels, self.boundaries, self.examples)
        return any(parts)
