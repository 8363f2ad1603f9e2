"""The study file as frozen types. Kinds add their keys by being there: `study_type` puts them in."""

import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache, cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, create_model, model_validator

from assay.displays import Display
from assay.document import Document
from assay.gates import Gate
from assay.inputs import Input
from assay.kinds import DISPLAYS, GATES, INPUTS, MONITORS, ORDERS, STATISTICS, Family, Many, Settings
from assay.model import Slot
from assay.problems import wrong
from assay.study.expression import ExpressionError, Tree, parse


def _is_name(text: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,62}", text):
        raise wrong(
            f"{text!r} is not a name",
            "a name has small letters, digits, - and _, begins with a letter, at most 63 long",
        )
    return text


def _is_expression(text: str) -> str:
    try:
        parse(text)
    except ExpressionError as error:
        raise wrong(f"cannot read this rule: {error.what}", f"at character {error.at + 1} of {text!r}") from None
    return text


Name = Annotated[str, AfterValidator(_is_name)]
Expression = Annotated[str, AfterValidator(_is_expression)]


def _refuse_nothing(settings: Settings, keys: Iterable[str]) -> None:
    for key in keys:
        if key in settings.model_fields_set and getattr(settings, key) is None:
            raise wrong(f"nothing stands behind {key!r}", f"write {key}: {{}} to take it as it comes", key)


class OneKind(Settings):
    """A mapping with exactly one key that names a kind, such as `text: {...}`; `chosen` is that kind."""

    @cached_property
    def chosen(self) -> Any:
        """The one kind that is set."""
        found = [kind for name in self._kind_keys() if (kind := getattr(self, name, None)) is not None]
        return found[0] if len(found) == 1 else None

    @classmethod
    def _kind_keys(cls) -> tuple[str, ...]:
        return ()

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        keys = self._kind_keys()
        _refuse_nothing(self, keys)
        if keys and self.chosen is None:
            given = [name for name in keys if getattr(self, name) is not None]
            listed = ", ".join(keys)
            what = f"{' and '.join(given)} stand together" if given else "no kind is given"
            hint = f"write one of: {listed}"
            raise wrong(f"{what}; exactly one of {listed} is needed", hint, needs=() if given else keys)
        return self


class Dimension(OneKind):
    """One quality asked about, with the input that asks it."""

    dimension: Name = Field(description="Its name, in the data and in rules.")
    title: str = Field(default="", description="Its heading on the page; made from the name where left out.")
    ask: str = Field(default="", description="The question in one line.")
    boundaries: dict[str, str] = Field(default={}, description="How to tell neighbouring points apart, e.g. `2-3`.")
    optional: bool = Field(default=False, description="May be left unanswered unless a rule requires it.")

    @property
    def input(self) -> Input:
        """The input that asks this dimension."""
        kind: Input = self.chosen
        return kind

    @property
    def heading(self) -> str:
        """What the page calls it."""
        return self.title or self.dimension.replace("_", " ").replace("-", " ").capitalize()


class Shown(OneKind):
    """One block of the item's content."""

    @property
    def display(self) -> Display:
        """The display that shows it."""
        kind: Display = self.chosen
        return kind


class GateEntry(OneKind):
    """One gate, in its place."""

    @property
    def gate(self) -> Gate:
        """The gate itself."""
        kind: Gate = self.chosen
        return kind


class Items(Settings):
    """Where the items come from and which of their fields may be seen."""

    source: str = Field(description="The file with the items, beside the study file.")
    id: str = Field(default="id", description="The field that identifies an item. Ids stay text.")
    system: str | None = Field(default=None, description="The field that names the system. Always hidden.")
    group: str | None = Field(
        default=None,
        description="The field that tells which items belong together, such as replies to one prompt. Always hidden.",
    )
    show: Many[Shown] = Field(min_length=1, description="The blocks that show content, in reading order.")

    @model_validator(mode="after")
    def _stays_hidden(self) -> Self:
        for key, name in (("system", self.system), ("group", self.group)):
            if name in self.shown_fields:
                raise wrong(
                    f"the field {name!r} is the {key} and is shown too",
                    f"annotators must not see it: show another field, or remove {key}",
                    key,
                )
        return self

    @property
    def shown_fields(self) -> tuple[str, ...]:
        """The allow-list: what is not here is hidden."""
        return tuple(dict.fromkeys(name for block in self.show for name in block.display.fields()))


class Rule(Settings):
    """What must hold between answers."""

    required: Name = Field(description="The dimension that must be answered.")
    when: Expression = Field(description="When it must: an expression over answers and shown fields.")
    message: str = Field(default="", description="What the annotator is told.")

    @cached_property
    def tree(self) -> Tree:
        """The parsed condition."""
        return parse(self.when)


class Assignment(Settings):
    """Who judges what."""

    per_item: int = Field(default=1, ge=1, le=1000, description="How many annotators judge each item.")
    order: str = Field(default="random", description="The order in which an annotator gets items.")

    @model_validator(mode="after")
    def _known_order(self) -> Self:
        if self.order not in ORDERS:
            raise wrong(f"there is no order {self.order!r}", f"write one of: {', '.join(ORDERS)}", "order")
        return self


class Agreement(Settings):
    """Which coefficient counts, and from where on."""

    coefficient: str = Field(default="krippendorff_alpha_ordinal", description="The coefficient shown first.")
    at_least: float | None = Field(default=None, ge=-1, le=1, description="The value that the study asks for.")

    @model_validator(mode="after")
    def _known_coefficient(self) -> Self:
        if self.coefficient not in STATISTICS:
            raise wrong(
                f"there is no coefficient {self.coefficient!r}",
                f"write one of: {', '.join(STATISTICS)}",
                "coefficient",
            )
        return self


class Monitors(Settings):
    """Which monitors watch, with their thresholds."""

    @model_validator(mode="after")
    def _something(self) -> Self:
        _refuse_nothing(self, self.model_fields_set)
        return self

    def chosen(self) -> dict[str, Any]:
        """The monitors that are set, by name."""
        return {name: monitor for name in MONITORS if (monitor := getattr(self, name, None)) is not None}


class Analysis(Settings):
    """What the report computes."""

    agreement: Agreement = Field(default=Agreement.model_construct(), description="Agreement between annotators.")
    monitors: Monitors = Field(default=Monitors(), description="What is watched while the work goes on.")


class Study(Settings):
    """One study: what is shown, what is asked, the rules, the gates, the analysis."""

    study: Name = Field(description="The study's name, in addresses and files.")
    title: str = Field(description="What annotators see.")
    seed: int = Field(default=0, description="Everything drawn by chance follows from it.")
    items: Items = Field(description="Where the items come from and what of them is shown.")
    rubric: Many[Dimension] = Field(min_length=1, description="The dimensions, in the order they are asked.")
    rules: Many[Rule] = Field(default=(), description="What must hold between answers.")
    gates: Many[GateEntry] = Field(default=(), description="What must be passed before work, in order.")
    support: Document | None = Field(default=None, description="A Markdown file with help; one key away on each page.")
    assignment: Assignment = Field(default=Assignment.model_construct(), description="Who judges what.")
    navigation: Literal["forward-only"] = Field(
        default="forward-only", description="Whether an annotator may go back to earlier items."
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
        data = self.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude_none=True)
        return json.dumps(data, ensure_ascii=False, sort_keys=False, separators=(",", ":"))

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Every question of an item, in order."""
        return tuple(Slot(dimension.dimension) for dimension in self.rubric)

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
    def consent(self) -> str:
        """The version of the consent text, or nothing where the study has none."""
        return next((entry.gate.version for entry in self.gates if entry.gate.kind == "consent"), "")


def _with_kinds(base: type[Settings], family: Family[Any]) -> Any:
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
    rubric: Any = Many[_with_kinds(Dimension, INPUTS)]  # type: ignore[misc]
    gates: Any = Many[_with_kinds(GateEntry, GATES)]  # type: ignore[misc]
    monitors: Any = _with_kinds(Monitors, MONITORS)
    items: Any = _changed(Items, show=shown)
    analysis: Any = _changed(Analysis, monitors=monitors)
    made: type[Study] = _changed(Study, items=items, rubric=rubric, gates=gates, analysis=analysis)
    return made


@cache
def _shown_type() -> Any:
    return _with_kinds(Shown, DISPLAYS)


def shown_fields(block: Any) -> tuple[str, ...]:
    """The fields that one block of the file shows, whatever the rest of the file is like."""
    shown: Shown = _shown_type().model_validate_json(json.dumps(block))
    return shown.display.fields()


def _changed(base: type[Settings], **types: Any) -> Any:
    """The same type with other types for some of its keys."""
    fields: dict[str, Any] = {name: (type_, base.model_fields[name]) for name, type_ in types.items()}
    return create_model(base.__name__, __base__=base, **fields)
