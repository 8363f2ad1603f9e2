"""The study file as frozen types. Kinds add their keys by being there: `study_type` puts them in."""

import difflib
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self

from pydantic import AfterValidator, Field, create_model, model_validator

from assay.derivations import Derivation
from assay.gates import Gate
from assay.inputs import Input
from assay.inputs.one_of import OneOf
from assay.kinds import DERIVATIONS, DISPLAYS, GATES, INPUTS, MONITORS, Many, Settings
from assay.markdown_file import MarkdownFile
from assay.mistakes import mistake
from assay.model import CANDIDATES
from assay.study.analysis import Analysis, Monitors
from assay.study.expression import Tree, parse, tags_in
from assay.study.items import Block, Items, Shown
from assay.study.parts import LATER, Expression, Name, Names, OneKind, heading_of
from assay.study.plan import Assignment, Pace
from assay.words import LANGUAGES, Words, words_of

if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[LANGUAGES]


class Scope(NamedTuple):
    """What a dimension is asked of: the item, each side of a pair, the pair, or each entry of a list."""

    of: Literal["item", "side", "pair", "entries"]
    entries: str = ""


def _is_scope(text: str) -> str:
    if text not in ("item", "side", "pair") and not ENTRIES.fullmatch(text):
        raise mistake(f"a dimension cannot be asked of {text!r}", "write item, side, pair or entries(name)")
    return text


ENTRIES = re.compile(r"entries\(\s*([a-z][a-z0-9_-]*)\s*\)")


class Dimension(OneKind):
    """One quality asked about, with the input that asks it."""

    dimension: Name = Field(description="Its name, in the data and in rules.")
    title: str = Field(default="", description="Its heading on the page; made from the name where left out.")
    ask: str = Field(default="", description="The question in one line.")
    of: Annotated[str, AfterValidator(_is_scope)] = Field(
        default="item",
        description="What it is asked of: the `item`, each `side` of a pair, the `pair`, or each of the "
        "`entries(name)` of a list.",
    )
    check: Many[str] = Field(default=(), description="What to look at before answering.")
    not_a_failure: Many[str] = Field(default=(), description="What may look like a fault and is none.")
    failures: dict[str, str] = Field(default={}, description="Kinds of faults, each with its name and what it means.")
    boundaries: dict[str, str] = Field(default={}, description="How to tell neighbouring points apart, e.g. `2-3`.")
    examples: MarkdownFile | None = Field(default=None, description="A Markdown file with worked examples.")
    optional: bool = Field(default=False, description="May be left unanswered unless a rule requires it.")
    unable: str | None = Field(
        default=None,
        min_length=1,
        description="The label of one more answer, for somebody who cannot judge this. It is kept and not counted.",
    )

    @model_validator(mode="after")
    def _fits_its_input(self) -> Self:
        kind = self.chosen
        if kind is not None and kind.compares and self.of != "pair":
            raise mistake(f"{kind.kind} compares two sides", "write of: pair", "of", needs=("of",))
        if self.unable is not None and kind is not None and not isinstance(kind, OneOf):
            raise mistake(f"{kind.kind} has no answer beside which this one could stand", "remove it", "unable")
        return self

    @property
    def input(self) -> Input:
        """The input that asks this dimension."""
        kind: Input = self.chosen
        return kind

    @cached_property
    def scope(self) -> Scope:
        """What it is asked of."""
        found = ENTRIES.fullmatch(self.of)
        return Scope("entries", found[1]) if found else Scope(self.of)  # type: ignore[arg-type]

    @property
    def heading(self) -> str:
        """What the page calls it."""
        return heading_of(self.title, self.dimension)

    @property
    def has_help(self) -> bool:
        """Whether there is more to say than the question."""
        return bool(self.check or self.not_a_failure or self.failures or self.boundaries or self.examples)


class Rule(Settings):
    """What must hold between answers: one of `required`, `allowed` and `value`."""

    required: Names | None = Field(default=None, description="The dimension, or dimensions, that must be answered.")
    allowed: Expression | None = Field(
        default=None, description="Which answers of one dimension are allowed, such as `safety <= 2`."
    )
    value: dict[Name, int | float | str] | None = Field(
        default=None, description="Dimensions whose answer follows, each with that answer."
    )
    when: Expression = Field(description="When: an expression over answers and shown fields.")
    message: str = Field(default="", description="What the annotator is told.")
    mode: Literal["refuse", "warn"] = Field(
        default="refuse", description="Whether answers that break the rule are refused, or taken after a warning."
    )

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        given = [key for key in RULES if getattr(self, key) is not None]
        if len(given) != 1:
            what = f"{' and '.join(given)} stand together" if given else "the rule asks for nothing"
            raise mistake(what, f"write one of: {', '.join(RULES)}", needs=() if given else RULES)
        return self

    @cached_property
    def tree(self) -> Tree:
        """The parsed condition."""
        return parse(self.when)

    @cached_property
    def limits(self) -> Tree:
        """The parsed `allowed`."""
        return parse(self.allowed or "true")


RULES = ("required", "allowed", "value")


class Derived(OneKind):
    """A value that is computed from answers."""

    derived: Name = Field(description="Its name, in the data; no dimension may have the same.")
    title: str = Field(default="", description="What the report calls it; made from the name where left out.")
    show: Literal["never", "after_submit"] = Field(
        default="never", description="Whether the annotator gets to see it, and then not before the submission." + LATER
    )

    @property
    def derivation(self) -> Derivation:
        """How it is computed."""
        kind: Derivation = self.chosen
        return kind

    @property
    def heading(self) -> str:
        """What the report calls it."""
        return heading_of(self.title, self.derived)


class GateEntry(OneKind):
    """One gate, in its place."""

    @property
    def gate(self) -> Gate:
        """The gate itself."""
        kind: Gate = self.chosen
        return kind


class Study(Settings):
    """One study: what is shown, what is asked, the rules, the gates, the analysis."""

    study: Name = Field(description="The study's name, in addresses and files.")
    title: str = Field(description="What annotators see.")
    language: Language = Field(
        default="en",
        description="The language in which the program itself speaks to annotators: buttons, messages, labels that "
        "the study leaves out. No value in the data depends on it.",
    )
    seed: int = Field(default=0, description="Everything drawn by chance follows from it.")
    items: Items = Field(description="Where the items come from and what of them is shown.")
    rubric: Many[Dimension] = Field(min_length=1, description="The dimensions, in the order they are asked.")
    rules: Many[Rule] = Field(default=(), description="What must hold between answers; an earlier one wins.")
    derive: Many[Derived] = Field(default=(), description="Values that are computed from answers.")
    gates: Many[GateEntry] = Field(default=(), description="What must be passed before work, in order.")
    support: MarkdownFile | None = Field(
        default=None, description="A Markdown file with help; one key away on each page."
    )
    assignment: Assignment = Field(default=Assignment.model_construct(), description="Who judges what.")
    pace: Pace = Field(default=Pace.model_construct(), description="How long things take, and when to rest.")
    navigation: Literal["free", "session", "forward-only"] = Field(
        default="forward-only",
        description="Whether an annotator may go back to earlier items: always, within a session, or never.",
    )
    analysis: Analysis = Field(default=Analysis.model_construct(), description="What the report computes.")

    @cached_property
    def hash(self) -> str:
        """The version of the study: of its meaning, not of its white space. The texts it names count too."""
        return hashlib.sha256(self.document().encode()).hexdigest()

    def document(self) -> str:
        """The whole study as canonical JSON, texts included; `study_from_document` reads it back.

        What was left out stays left out: a program that knows more keys gives the same study the same hash.
        """
        data = self.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return json.dumps(data, ensure_ascii=False, sort_keys=False, separators=(",", ":"))

    @model_validator(mode="after")
    def _asked_of_what_is_there(self) -> Self:
        for index, dimension in enumerate(self.rubric):
            scope = dimension.scope
            if scope.of in ("side", "pair") and self.items.candidates is None:
                what = f"{dimension.dimension!r} is asked of a {scope.of}, but the items are no pairs"
                raise mistake(what, "add items.candidates, or write of: item", "rubric", index, "of")
            if scope.of == "entries" and scope.entries not in self.items.entries:
                what = f"there are no entries {scope.entries!r}"
                known = ", ".join(self.items.entries) or "none"
                raise mistake(what, f"known in items.entries: {known}", "rubric", index, "of")
        self._can_be_computed()
        self._speaks_of_tags_that_are_there()
        self._looks_at_what_is_asked()
        sides = {dimension.dimension for dimension in self.rubric if dimension.scope.of == "side"}
        for index, existing in enumerate(self.items.judgments):
            for name in sides & set(existing.values):
                what = f"{name!r} is asked of each side, and such judgments cannot be read from a file"
                raise mistake(what, "leave it out", "items", "judgments", index, "values", name)
        return self

    def _can_be_computed(self) -> None:
        for index, derived in enumerate(self.derive):
            kind = derived.derivation
            for dimension in self.rubric:
                if dimension.dimension in kind.uses() and dimension.input.answer not in kind.takes:
                    what = f"{dimension.dimension!r} is answered by {dimension.input.kind}, which is no number"
                    raise mistake(what, f"{kind.kind} computes from numbers", "derive", index, kind.kind)

    def _looks_at_what_is_asked(self) -> None:
        chosen = self.analysis.monitors.chosen().items()
        named: list[tuple[tuple[str, ...], Any]] = [(("monitors", name), monitor) for name, monitor in chosen]
        for path, part in [(("pilot",), self.analysis.pilot), *named]:
            for index, name in enumerate(getattr(part, "dimensions", ())):
                if name not in self._dimensions:
                    hint = f"known in rubric: {', '.join(self._dimensions)}"
                    raise mistake(f"there is no dimension {name!r}", hint, "analysis", *path, "dimensions", index)

    def _speaks_of_tags_that_are_there(self) -> None:
        for index, rule in enumerate(self.rules):
            for name, tag in tags_in(rule.tree):
                options = getattr(self._dimensions[name].input, "options", None) if name in self._dimensions else None
                if options is not None and tag not in options:
                    meant = difflib.get_close_matches(str(tag), list(options), 1)
                    hint = f"did you mean {meant[0]!r}?" if meant else f"known here: {', '.join(options)}"
                    raise mistake(f"{name} has no tag {tag!r}", hint, "rules", index, "when")

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The lists whose entries are judged."""
        scopes = (dimension.scope for dimension in self.rubric)
        return tuple(dict.fromkeys(scope.entries for scope in scopes if scope.of == "entries"))

    @cached_property
    def shown_fields(self) -> tuple[str, ...]:
        """Everything of an item that an annotator may see: its blocks, the entries that are judged, the candidates."""
        pair = (CANDIDATES,) if self.items.candidates is not None else ()
        return (*self.items.shown_fields, *(name for name in self.entries), *pair)

    @cached_property
    def compares_only(self) -> bool:
        """Whether two candidates are compared and neither is judged on its own: few questions, below the texts."""
        return self.items.candidates is not None and not any(each.scope.of == "side" for each in self.rubric)

    @cached_property
    def sides(self) -> tuple[str, str]:
        """What the page calls the two sides of a pair."""
        named = (getattr(block.display, "labels", None) for block in self.items.show)
        return next((labels for labels in named if labels), (self.words("content.left"), self.words("content.right")))

    @property
    def words(self) -> Words:
        """What the program says, in the study's language."""
        return words_of(self.language)

    def unable(self, dimension: Dimension) -> str | None:
        """The label of the answer for somebody who cannot judge; entries that were dropped can bring one along."""
        if dimension.scope.of == "entries":
            dropped = self.items.entries[dimension.scope.entries].dropped
            if dropped is not None and dropped.then == "ask":
                return dimension.unable or dropped.label or self.words("labels.dropped")
        return dimension.unable

    def dimension(self, name: str) -> Dimension:
        """The dimension of this name."""
        return self._dimensions[name]

    @cached_property
    def _dimensions(self) -> dict[str, Dimension]:
        return {dimension.dimension: dimension for dimension in self.rubric}

    @property
    def scored(self) -> tuple[Dimension, ...]:
        """The dimensions that have a level of measurement, and so statistics."""
        return tuple(dimension for dimension in self.rubric if dimension.input.level is not None)

    @cached_property
    def gate_versions(self) -> frozenset[str]:
        """The versions of the gates that stand in an annotator's way."""
        return frozenset(entry.gate.version for entry in self.gates)

    @cached_property
    def comparing(self) -> tuple[str, ...]:
        """The dimensions whose answer points at one side of a pair."""
        return tuple(dimension.dimension for dimension in self.rubric if dimension.input.compares)

    @cached_property
    def consent(self) -> str:
        """The version of the consent text, or nothing where the study has none."""
        return next((entry.gate.version for entry in self.gates if entry.gate.kind == "consent"), "")


def _with_kinds(base: type[Settings], family: Mapping[str, Any]) -> Any:
    """The same type with one optional key for each kind of the family."""
    keys: dict[str, Any] = {
        name: (kind | None, Field(default=None, description=(kind.__doc__ or "").strip()))
        for name, kind in family.items()
    }
    made = create_model(base.__name__, __base__=base, **keys)
    if issubclass(base, OneKind):
        made._kind_keys = classmethod(lambda _: tuple(keys))  # type: ignore[attr-defined]
    return made


@cache
def study_type() -> type[Study]:
    """The type of a study with the keys of every kind that there is. Made on first use: kinds import this module."""
    shown: Any = Many[_shown_type()]  # type: ignore[misc]
    derive: Any = Many[_with_kinds(Derived, DERIVATIONS)]  # type: ignore[misc]
    rubric: Any = Many[_with_kinds(Dimension, INPUTS)]  # type: ignore[misc]
    gates: Any = Many[_with_kinds(GateEntry, GATES)]  # type: ignore[misc]
    monitors: Any = _with_kinds(Monitors, MONITORS)
    items: Any = _changed(Items, show=shown)
    analysis: Any = _changed(Analysis, monitors=monitors)
    made: type[Study] = _changed(Study, items=items, rubric=rubric, derive=derive, gates=gates, analysis=analysis)
    return made


@cache
def _shown_type() -> Any:
    """A block with every display; one that holds other blocks holds those that do not."""
    plain = {name: kind for name, kind in DISPLAYS.items() if not kind.holds_blocks}
    inner: Any = Many[_with_kinds(Block, plain)]  # type: ignore[misc]
    holding = {name: _changed(kind, show=inner) for name, kind in DISPLAYS.items() if kind.holds_blocks}
    return _with_kinds(Shown, {**plain, **holding})


def shown_fields(block: Any) -> tuple[str, ...]:
    """The fields that one block of the file shows, whatever the rest of the file is like."""
    shown: Shown = _shown_type().model_validate_json(json.dumps(block))
    return (*shown.display.fields(), *shown.display.candidate_fields())


def _changed(base: type[Settings], **types: Any) -> Any:
    """The same type with other types for some of its keys."""
    fields: dict[str, Any] = {name: (type_, base.model_fields[name]) for name, type_ in types.items()}
    return create_model(base.__name__, __base__=base, **fields)
