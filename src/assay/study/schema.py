"""The study file as frozen types. `study_type` adds the keys of all kinds that there are."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache, cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, create_model, model_validator

from assay.derivations import Derivation
from assay.displays.formatted_text import Wording
from assay.gates import Gate
from assay.gates.questionnaire import QuestionsAtEnd
from assay.kinds import DERIVATIONS, DISPLAYS, GATES, INPUTS, MONITORS, PANELS, Many, Settings
from assay.markdown_file import MarkdownFile
from assay.mistakes import mistake
from assay.model import CANDIDATES, SIDES, WORDS_A_MINUTE, Slot
from assay.study.analysis import Analysis, Monitors
from assay.study.assignment import AssignmentSettings, Enrolment, PanelEntry
from assay.study.care import Care, refuse_contradicting_care
from assay.study.field_types import Name, OneKind, heading_of
from assay.study.items import DisplayBlock, ItemBlock, Items, JudgmentFields
from assay.study.judgment_fields import SIDE
from assay.study.pace import Pace
from assay.study.pay import Pay
from assay.study.person import PersonQuestion, refuse_groups_without_list, refuse_repeated_questions
from assay.study.privacy import Privacy
from assay.study.rubric import Dimension
from assay.study.rules import Rule
from assay.words import LANGUAGES, Words, words_of

if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[LANGUAGES]


SECONDS_TO_ANSWER = 5
"""For one question, beside the reading."""


class Derived(OneKind):
    """A value that is computed from answers."""

    derived: Name = Field(description="Its name, in the data; no dimension may have the same.")
    title: str = Field(default="", description="What the report calls it; made from the name where left out.")
    show: Literal["never", "after_submit"] = Field(
        default="never", description="Whether the annotator gets to see it, and then not before the submission."
    )

    @property
    def derivation(self) -> Derivation:
        """How it is computed."""
        kind: Derivation = self.only_kind
        return kind

    @property
    def heading(self) -> str:
        """What the report calls it."""
        return heading_of(self.title, self.derived)


class GateEntry(OneKind):
    """One entry of `gates`: a gate of some kind."""

    @property
    def gate(self) -> Gate:
        """The gate itself."""
        kind: Gate = self.only_kind
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
    seed: int = Field(
        default=0,
        description="What is drawn by chance while people work follows from it: orders, sides, who gets what. "
        "The intervals of a report do not: their draws are the same for every study (`assay report --seed`).",
    )
    items: Items = Field(description="Where the items come from and what of them is shown.")
    rubric: Many[Dimension] = Field(min_length=1, description="The dimensions, in the order they are asked.")
    rules: Many[Rule] = Field(default=(), description="What must hold between answers; an earlier one wins.")
    derive: Many[Derived] = Field(default=(), description="Values that are computed from answers.")
    gates: Many[GateEntry] = Field(default=(), description="What must be passed before work, in order.")
    at_end: QuestionsAtEnd | None = Field(
        default=None, description="Questions after the work, such as free feedback, with the keys of a questionnaire."
    )
    support: MarkdownFile | None = Field(
        default=None, description="A Markdown file with help; one key away on each page."
    )
    care: Care = Field(default=Care.model_construct(), description="Care for those who judge hard content.")
    assignment: AssignmentSettings = Field(default=AssignmentSettings.model_construct(), description="Who judges what.")
    pace: Pace = Field(default=Pace.model_construct(), description="How long things take, and when to rest.")
    navigation: Literal["free", "session", "forward-only"] = Field(
        default="forward-only",
        description="Whether an annotator may go back to earlier items: always, within a session, or never.",
    )
    privacy: Privacy = Field(default=Privacy.model_construct(), description="What becomes of people's data.")
    pay: Pay | None = Field(default=None, description="What people get for their work.")
    analysis: Analysis = Field(default=Analysis.model_construct(), description="What the report computes.")

    def seconds_for(self, words: float) -> float:
        """How long an item with so many words takes: as the study expects it, else for reading it and answering."""
        if self.pace.expect:
            return sum(self.pace.expect) / 2
        return words / WORDS_A_MINUTE * 60 + SECONDS_TO_ANSWER * len(self.rubric)

    @cached_property
    def hash(self) -> str:
        """The version of the study: a hash of its content and guide texts, not of white space or comments."""
        return hashlib.sha256(self.document().encode()).hexdigest()

    def document(self) -> str:
        """The whole study as canonical JSON, texts included; `study_from_document` reads it back.

        Keys that the file leaves out stay left out, so that a newer program with more keys computes the same hash.
        """
        data = self.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return json.dumps(data, ensure_ascii=False, sort_keys=False, separators=(",", ":"))

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Self:
        self._refuse_sides_without_candidates()
        self._refuse_to_compute_from_words()
        self._refuse_imported_judgments_of_sides()
        self._refuse_margins_that_decide_nothing()
        self._refuse_to_stop_by_preferences_that_are_not_asked()
        refuse_repeated_questions(self._questionnaires())
        refuse_groups_without_list(self.analysis.groups, self.person_questions)
        refuse_contradicting_care(self.care, self.assignment.exposure, has_consent=bool(self.consent))
        return self

    def _refuse_sides_without_candidates(self) -> None:
        for index, dimension in enumerate(self.rubric):
            scope = dimension.scope
            if scope.of in ("side", "pair") and self.items.candidates is None:
                what = f"{dimension.dimension!r} is asked of a {scope.of}, but the items are no pairs"
                raise mistake(what, "add items.candidates, or write of: item", "rubric", index, "of")

    def _refuse_imported_judgments_of_sides(self) -> None:
        sides = {dimension.dimension for dimension in self.rubric if dimension.scope.of == "side"}
        for index, existing in enumerate(self.items.judgments):
            at = ("items", "judgments", index)
            if existing.sides is not None and self.items.candidates is None:
                hint = "remove this key, or add items.candidates"
                raise mistake("the items are no pairs: there are no sides", hint, *at, "sides")
            for name, path in existing.values.items():
                if name in sides and existing.sides is None:
                    what = f"{name!r} is asked of each side, and it is not said which side is which system"
                    hint = "write sides, with the fields that name the two systems; or leave it out"
                    raise mistake(what, hint, *at, "values", name)
                if name in sides and SIDE not in path:
                    what = f"{name!r} is asked of each side, and {path!r} is one field for both"
                    raise mistake(what, f"write {SIDE} in its name, such as {SIDE}_{name}", *at, "values", name)

    def _refuse_to_compute_from_words(self) -> None:
        for index, derived in enumerate(self.derive):
            kind = derived.derivation
            for dimension in self.rubric:
                if dimension.dimension in kind.uses() and dimension.input.answer not in kind.takes:
                    what = f"{dimension.dimension!r} is answered by {dimension.input.kind}, which is no number"
                    raise mistake(what, f"{kind.kind} computes from numbers", "derive", index, kind.kind)

    def _refuse_margins_that_decide_nothing(self) -> None:
        for index, compared in enumerate(self.analysis.compare):
            of_it = [each for each in self.scored_dimensions if not compared.on or each.dimension in compared.on]
            if compared.margin_net is not None and not any(each.input.compares for each in of_it):
                what = "`margin_net` is for preferences, and none is compared"
                raise mistake(
                    what, "write `margin`, in points of the scale", "analysis", "compare", index, "margin_net"
                )
            for each in of_it:
                values = [value for value in each.input.values() or () if isinstance(value, int | float)]
                if compared.margin is None or each.input.compares or not values:
                    continue
                if compared.margin >= (widest := max(values) - min(values)):
                    what = (
                        f"no difference on {each.dimension!r} can be larger than {widest:g}: the margin decides nothing"
                    )
                    hint = "write the least difference that matters"
                    raise mistake(what, hint, "analysis", "compare", index, "margin")

    def _refuse_to_stop_by_preferences_that_are_not_asked(self) -> None:
        rule = self.analysis.stop_when
        if rule is None or rule.narrower_than_net is None:
            return
        on = [each for each in self.scored_dimensions if not rule.on or each.dimension in rule.on]
        if not any(each.input.compares for each in on):
            what = "`narrower_than_net` is for preferences, and none is asked"
            hint = "write `narrower_than`, in points of the scale"
            raise mistake(what, hint, "analysis", "stop_when", "narrower_than_net")

    @cached_property
    def support_texts(self) -> dict[str, MarkdownFile]:
        """Every text of support by its language; the one without a language under an empty text."""
        return {**({"": self.support} if self.support is not None else {}), **self.care.support}

    def _questionnaires(self) -> Iterator[tuple[tuple[str | int, ...], Any]]:
        """Every list of questions about the person, with its place in the file."""
        for index, entry in enumerate(self.gates):
            if entry.gate.asks_person:
                yield ("gates", index, entry.gate.kind), entry.gate
        if self.at_end is not None:
            yield ("at_end",), self.at_end

    @cached_property
    def person_questions(self) -> dict[str, PersonQuestion]:
        """Every question about the person, by name, in the order in which they are asked."""
        return {each.question: each for _, asked in self._questionnaires() for each in asked.questions}

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
        """Whether two candidates are compared and neither is judged on its own: the page then has few questions."""
        return self.items.candidates is not None and not any(each.scope.of == "side" for each in self.rubric)

    @cached_property
    def sides(self) -> tuple[str, str]:
        """What the page calls the two sides of a pair."""
        named = (getattr(block.display, "labels", None) for block in self.items.show)
        return next((labels for labels in named if labels), (self.words("content.left"), self.words("content.right")))

    @cached_property
    def wording(self) -> Wording:
        """The wording of the study's texts, which the page and the examples in its guidelines share."""
        return reduce(or_, (block.display.wording for block in self.items.show), Wording())

    @property
    def words(self) -> Words:
        """The catalogue of the study's language."""
        return words_of(self.language)

    def unable(self, dimension: Dimension) -> str | None:
        """The label of the answer "cannot judge", if there is one; dropped entries that are asked have one too."""
        if dimension.scope.of == "entries":
            dropped = self.items.entries[dimension.scope.entries].dropped
            if dropped is not None and dropped.then == "ask":
                return dimension.unable or dropped.label or self.words("labels.dropped")
        return dimension.unable

    def fields_read(self, settings: JudgmentFields) -> dict[Slot, str]:
        """What one entry of `items.judgments` reads: each dimension with the field of its value.

        With `sides` there are two fields for what is asked of each side, by the side that the file speaks of.
        """
        found: dict[Slot, str] = {}
        for name in settings.values or self._dimensions:
            of_sides = settings.sides is not None and self.dimension(name).scope.of == "side"
            found |= {Slot(name, side): settings.field_of(name, side) for side in (SIDES if of_sides else ("",))}
        return found

    def dimension(self, name: str) -> Dimension:
        """The dimension of this name."""
        return self._dimensions[name]

    @cached_property
    def _dimensions(self) -> dict[str, Dimension]:
        return {dimension.dimension: dimension for dimension in self.rubric}

    @property
    def scored_dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions that have a level of measurement, and so statistics."""
        return tuple(dimension for dimension in self.rubric if dimension.input.level is not None)

    @cached_property
    def gate_versions(self) -> frozenset[str]:
        """The versions of all gates: an annotator has to pass each."""
        return frozenset(entry.gate.version for entry in self.gates)

    @cached_property
    def preference_dimensions(self) -> tuple[str, ...]:
        """The dimensions whose answer points at one side of a pair."""
        return tuple(dimension.dimension for dimension in self.rubric if dimension.input.compares)

    @cached_property
    def consent(self) -> str:
        """The version of the consent text, or nothing where the study has none."""
        return next((entry.gate.version for entry in self.gates if entry.gate.kind == "consent"), "")


def with_kinds(base: type[Settings], family: Mapping[str, Any]) -> Any:
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
    """The type of a study, with the keys of every kind. Made on first use, since some kinds import this module."""
    shown: Any = Many[_shown_type()]  # type: ignore[misc]
    derive: Any = Many[with_kinds(Derived, DERIVATIONS)]  # type: ignore[misc]
    rubric: Any = Many[with_kinds(Dimension, INPUTS)]  # type: ignore[misc]
    gates: Any = Many[with_kinds(GateEntry, gate_types())]  # type: ignore[misc]
    at_end: Any = _with_questions(QuestionsAtEnd) | None
    monitors: Any = with_kinds(Monitors, MONITORS)
    items: Any = with_types(Items, show=shown)
    analysis: Any = with_types(Analysis, monitors=monitors)
    enrolment: Any = with_types(Enrolment, panel=with_kinds(PanelEntry, PANELS) | None)
    assignment: Any = with_types(AssignmentSettings, enrol=enrolment | None)
    parts = {"items": items, "rubric": rubric, "derive": derive, "gates": gates, "assignment": assignment}
    made: type[Study] = with_types(Study, analysis=analysis, at_end=at_end, **parts)
    return made


@cache
def gate_types() -> dict[str, Any]:
    """Every kind of gate by name; one that asks about the person does so with every kind of input."""
    return {name: _with_questions(kind) if kind.asks_person else kind for name, kind in GATES.items()}


def _with_questions(kind: type[Gate]) -> Any:
    return with_types(kind, questions=Many[with_kinds(PersonQuestion, INPUTS)])  # type: ignore[misc]


@cache
def _shown_type() -> Any:
    """The type of a block, with every display. Displays that hold blocks hold only displays that do not."""
    plain = {name: kind for name, kind in DISPLAYS.items() if not kind.holds_blocks}
    inner: Any = Many[with_kinds(DisplayBlock, plain)]  # type: ignore[misc]
    holding = {name: with_types(kind, show=inner) for name, kind in DISPLAYS.items() if kind.holds_blocks}
    return with_kinds(ItemBlock, {**plain, **holding})


def shown_fields(block: Any) -> tuple[str, ...]:
    """The fields that one block of the file shows, whatever the rest of the file is like."""
    shown: ItemBlock = _shown_type().model_validate_json(json.dumps(block))
    return (*shown.display.fields(), *shown.display.candidate_fields())


def with_types(base: type[Settings], **types: Any) -> Any:
    """The same type with other types for some of its keys."""
    fields: dict[str, Any] = {name: (type_, base.model_fields[name]) for name, type_ in types.items()}
    return create_model(base.__name__, __base__=base, **fields)
