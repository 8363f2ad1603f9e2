"""The part `items` of the study file: where items come from, which fields are shown, and judgments to import."""

from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from assay.displays import Display
from assay.kinds import Many, Settings
from assay.mistakes import mistake
from assay.model import CANDIDATES
from assay.study.expression import Tree, parse
from assay.study.field_types import DimensionName, Expression, Name, OneKind, OneOrMany
from assay.study.judgment_fields import ANY_JUDGE, JudgmentFields


class DisplayBlock(OneKind):
    """One block of content."""

    @property
    def display(self) -> Display:
        """The display that shows it."""
        kind: Display = self.only_kind
        return kind


class ItemBlock(DisplayBlock):
    """One block of the item's content."""

    after: Many[DimensionName] = Field(
        default=(),
        description="The dimensions that must be answered before the block is sent to the annotator. Whoever changes "
        "such an answer afterwards can do so, and it is recorded with what it was (`overridden` in exports).",
    )
    before: Many[DimensionName] = Field(
        default=(),
        description="With `after`: the dimensions that can be answered only once the block is there, such as whether "
        "an answer matches a reference that comes late.",
    )

    @model_validator(mode="after")
    def _comes_between(self) -> Self:
        if self.before and not self.after:
            raise mistake("the block is there from the start", "write after, or remove before", "before")
        if both := [name for name in self.before if name in self.after]:
            raise mistake(f"the block waits for {both[0]}, and {both[0]} waits for the block", "keep one", "before")
        return self


class Join(Settings):
    """Another file that knows more about the items, such as which system made each."""

    short: ClassVar[dict[str, Any] | None] = {"type": "string"}

    file: str = Field(description="The file, beside the study file.")
    on: str = Field(default="", description="The field that both files share. Left out: the field of `id`.")


def _file_alone(data: Any) -> Any:
    return {"file": data} if isinstance(data, str) else data


class Dropped(Settings):
    """Entries that the person behind the item took back."""

    when: Expression = Field(description="Which ones: an expression over the fields of an entry, hidden ones too.")
    then: Literal["hide", "ask", "count"] = Field(
        default="hide",
        description="`hide`: not asked and not counted. `ask`: asked, with one more answer that says so, and not "
        "counted where it is given. `count`: asked and counted like the others.",
    )
    label: str | None = Field(
        default=None,
        min_length=1,
        description="With `ask`: the label of that answer; left out: a word of the study's language.",
    )

    @cached_property
    def tree(self) -> Tree:
        """The parsed condition."""
        return parse(self.when)


class EntryLinks(Settings):
    """A file that says which entries lie within others: whoever has the specific one has the general one too.

    It has a row for each such pair of an item, with the columns item, specific, general and confirmed. `assay links`
    proposes rows by the wording; only those act in which a person has written yes. Short: its path alone.
    """

    short: ClassVar[dict[str, Any] | None] = {"type": "string"}

    file: str = Field(description="The file, beside the study file.")
    as_: str = Field(
        default="general", alias="as", description="The field of an entry that then names what lies within it."
    )


class Entries(Settings):
    """A list inside each item, of which each entry is judged."""

    from_: str = Field(alias="from", description="The field with the list, or with a mapping keyed by text.")
    text: str = Field(default="", description="The entry's field with its text; left out: the entry, or its key.")
    keep: Many[str] = Field(default=(), description="More fields of an entry that may be shown, and used in rules.")
    turn: str = Field(
        default="",
        description="The entry's field with the number of the turn that it belongs to, counted from 0: that turn is "
        "tinted while the entry is judged.",
    )
    dropped: Dropped | None = Field(default=None, description="Entries that were taken back, and what becomes of them.")
    links: Annotated[EntryLinks, BeforeValidator(_file_alone)] | None = Field(
        default=None, description="A file that says which entries lie within others. Short: its path alone."
    )

    @model_validator(mode="after")
    def _keep_what_is_linked(self) -> Self:
        if self.links is not None and self.links.as_ not in self.keep:
            what = f"links are read into {self.links.as_!r}, which is not kept"
            raise mistake(what, f"write keep: [{self.links.as_}]", "keep", "links")
        return self


class CandidateFields(Settings):
    """One of two candidates that stand in one row."""

    system: str = Field(description="The field that names its system. Always hidden.")
    show: dict[str, str] = Field(min_length=1, description="What displays call a part of it, with the row's field.")


class Candidates(Settings):
    """Two systems' outputs beside each other. Which one stands on which side is drawn for each annotator."""

    fields: Many[CandidateFields] = Field(default=(), description="The two candidates of a row, each with its fields.")
    keys: str = Field(
        default="",
        description="What stands between two names in a key such as `A vs. B`: each such key of a row makes an item "
        "that compares the fields A and B; what is behind the key can be read as `_pair`.",
    )
    rows: str = Field(
        default="",
        description="The field that rows about the same thing share: each two of them with different systems make "
        "an item.",
    )
    show: OneOrMany = Field(
        default=("text",), description="With `keys`: what displays call the text. With `rows`: the fields to compare."
    )

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        given = [key for key in ("fields", "keys", "rows") if getattr(self, key)]
        if len(given) != 1:
            what = f"{' and '.join(given)} stand together" if given else "it is not said where the candidates are"
            raise mistake(what, "write one of: fields, keys, rows", needs=() if given else ("fields", "keys", "rows"))
        if self.fields and len(self.fields) != 2:
            raise mistake(f"there are {len(self.fields)} candidates", "a pair has two", "fields")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """What displays may call the parts of a candidate."""
        if not self.fields:
            return self.show
        return tuple(name for name in self.fields[0].show if name in self.fields[1].show)


class History(Settings):
    """The earlier rows of the same group, as a list that a chat can show."""

    as_: str = Field(alias="as", description="What displays call the list.")
    keep: Many[str] = Field(min_length=1, description="The fields of each earlier row that may be shown.")


class Cleaning(Settings):
    """What is taken out of a field's texts before they are shown, such as a marker that only one system writes.

    The text as it was stays hidden with the item. Short: `clean: {response: ["<assistant>:", "<user>"]}`.
    """

    short: ClassVar[dict[str, Any] | None] = {"type": "array", "items": {"type": "string"}}

    remove: Many[Annotated[str, Field(min_length=1)]] = Field(
        default=(), description="What is removed wherever it stands, as it is written, with the blanks around it."
    )
    capital: bool = Field(default=False, description="Whether the first letter is shown as a capital.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        return {"remove": data} if isinstance(data, list | tuple) else data

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if not (self.remove or self.capital):
            raise mistake("nothing is cleaned", 'write what to remove: ["<assistant>:"]', needs=("remove", "capital"))
        return self


class Items(Settings):
    """Where the items come from, which of their fields may be seen, and what they bring along."""

    source: str = Field(description="The file with the items, or the folder of JSON files, beside the study file.")
    each: str = Field(
        default="",
        description="In JSON: the keys that lead to the list of rows, with dots between them. Lists on the way are "
        "walked through; the other fields of outer objects belong to each row.",
    )
    sheet: str = Field(default="", description="In a workbook: the sheet. Left out: the first one.")
    join: Annotated[Join, BeforeValidator(_file_alone)] | None = Field(
        default=None, description="Another file that knows more about the items. Short: its path alone."
    )
    pictures: str = Field(
        default="",
        description="The folder with the pictures that items name, beside the study file. There a picture is looked "
        "for by its whole path, then by the end of it, so that paths of another machine lead to it too. Left out: "
        "paths count from the item file. `--pictures` names another folder.",
    )
    id: OneOrMany = Field(
        default=("id",), description="The field that identifies an item, or several that do so together. Ids stay text."
    )
    system: str | None = Field(
        default=None,
        description="The field that names the system. Always hidden. With a `?` at its end it may be missing.",
    )
    names: dict[str, str] = Field(
        default={},
        description="Names of systems that differ between files, each with the name that counts, such as "
        "`{gpt2-chain: gpt2_chain}`: they are read so in every file, of items and of judgments.",
    )
    group: str | None = Field(
        default=None,
        description="The field that tells which items belong together, such as replies to one prompt. Always hidden. "
        "With a `?` at its end it may be missing.",
    )
    batch: str | None = Field(
        default=None,
        description="The field that names the item's batch; of a folder, `_folder` is the subfolder. Always hidden.",
    )
    duplicate_of: str | None = Field(
        default=None, description="The field with the id of the item that a row is a hidden duplicate of."
    )
    history: History | None = Field(default=None, description="The earlier rows of the same group, for a chat.")
    entries: dict[Name, Entries] = Field(default={}, description="Lists inside an item of which each entry is judged.")
    clean: dict[str, Cleaning] = Field(
        default={}, description="Shown fields, or parts of candidates, that are cleaned before anybody sees them."
    )
    candidates: Candidates | None = Field(default=None, description="Where the two candidates of a pair stand.")
    judgments: Many[JudgmentFields] = Field(default=(), description="Judgments that come with the items.")
    show: Many[ItemBlock] = Field(min_length=1, description="The blocks that show content, in reading order.")
    layout: Literal["stacked", "side_by_side"] = Field(
        default="stacked",
        description="How blocks stand on a large screen. `side_by_side`: the last one that is there from the start "
        "stands beside the others, and each column scrolls by itself.",
    )

    @property
    def columns(self) -> tuple[list[int], list[int]] | None:
        """With `side_by_side`: the numbers of the blocks in the two columns."""
        if self.layout == "stacked":
            return None
        judged = max(number for number, block in enumerate(self.show) if not block.after)
        return [number for number in range(len(self.show)) if number != judged], [judged]

    @property
    def families(self) -> dict[str, tuple[str, ...]]:
        """What judges are called together, by patterns of their names."""
        found: dict[str, tuple[str, ...]] = {}
        for each in self.judgments:
            for name, judges in each.family.items():
                found[name] = (*found.get(name, ()), *judges)
        return found

    @model_validator(mode="after")
    def _one_family_of_all(self) -> Self:
        whole = [name for name, judges in self.families.items() if ANY_JUDGE in judges]
        if len(whole) > 1:
            what = f"{' and '.join(whole)} are both the name of all judges"
            raise mistake(what, f"name the judges of each: family: {{{whole[0]}: [...]}}", "judgments")
        return self

    @model_validator(mode="after")
    def _beside_each_other(self) -> Self:
        beside = self.layout == "side_by_side"
        if beside and self.candidates is not None:
            raise mistake("the two candidates of a pair stand beside each other already", "remove this key", "layout")
        if beside and sum(not block.after for block in self.show) < 2:
            raise mistake("no two blocks can stand beside each other", "show two, or remove this key", "layout")
        return self

    @model_validator(mode="after")
    def _stays_hidden(self) -> Self:
        for key, name in (("system", self.system), ("group", self.group), ("batch", self.batch)):
            if name is not None and name.rstrip("?") in self.shown_fields:
                raise mistake(
                    f"the field {name!r} is the {key} and is shown too",
                    f"annotators must not see it: show another field, or remove {key}",
                    key,
                )
        if self.history is not None and self.group is None:
            raise mistake(
                "there is a history, but no group", "name the field that rows of one dialogue share", "history"
            )
        return self

    @model_validator(mode="after")
    def _clean_what_is_shown(self) -> Self:
        known = dict.fromkeys([*self.shown_fields, *self.candidate_fields])
        for name in self.clean:
            if name not in known:
                hint = f"clean one of: {', '.join(known)}"
                raise mistake(f"the field {name!r} is cleaned, but not shown", hint, "clean", name)
        return self

    @model_validator(mode="after")
    def _pairs(self) -> Self:
        pairs = [block.display for block in self.show if block.display.candidate_fields()]
        if pairs and self.candidates is None:
            raise mistake(
                "a pair is shown, but it is not said where the candidates are", "add items.candidates", "show"
            )
        if self.candidates is not None:
            if not pairs:
                raise mistake("there are candidates, but no pair shows them", "add pair: [...] to show", "candidates")
            if self.system is not None and not self.candidates.rows:
                raise mistake("the systems of a pair stand in items.candidates", "remove this key", "system")
            if self.system is None and self.candidates.rows:
                raise mistake(
                    "candidates from rows need the field that names the system", "add items.system", "candidates"
                )
            for name in self.candidate_fields:
                if name not in self.candidates.names:
                    known = ", ".join(self.candidates.names)
                    raise mistake(f"the candidates have no part {name!r}", f"known here: {known}", "show")
        return self

    def system_name(self, written: str) -> str:
        """The name of a system that a file writes in its own way."""
        return self.names.get(written, written)

    @cached_property
    def shown_fields(self) -> tuple[str, ...]:
        """The allow-list: what is not here is hidden."""
        return tuple(dict.fromkeys(name for block in self.show for name in block.display.fields()))

    @cached_property
    def candidate_fields(self) -> tuple[str, ...]:
        """The allow-list of each candidate of a pair."""
        return tuple(dict.fromkeys(name for block in self.show for name in block.display.candidate_fields()))

    @cached_property
    def later_fields(self) -> dict[str, tuple[str, ...]]:
        """The fields that are sent only after some dimensions are answered, each with those dimensions."""
        at_once = {name for block in self.show if not block.after for name in block.display.fields()}
        later = {name: block.after for block in self.show if block.after for name in block.display.fields()}
        return {name: after for name, after in later.items() if name not in at_once}


__all__ = ["CANDIDATES", "Candidates", "Cleaning", "Entries", "ItemBlock", "Items", "JudgmentFields"]
