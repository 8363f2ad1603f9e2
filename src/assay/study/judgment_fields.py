"""The part `items.judgments` of the study file: judgments that exist already, of people and of automated judges."""

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from assay.kinds import Many, Settings
from assay.mistakes import mistake
from assay.study.field_types import DimensionName, OneOrMany


class Match(Settings):
    """An item, named by its group and its system."""

    group: str = Field(description="The sheet's field with the item's group.")
    system: str = Field(description="The sheet's field with the item's system.")


class SideFields(Settings):
    """Where a file of judgments about pairs says which system stands on which of its sides."""

    left: str = Field(description="The field with the system on the left.")
    right: str = Field(description="The field with the system on the right.")


def _families(data: Any) -> Any:
    return {data: (ANY_JUDGE,)} if isinstance(data, str) else data


ANY_JUDGE = "*"
SIDE = "{side}"
"""In the name of a field: left, or right."""
_OF_NAMES = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
Families = Annotated[
    dict[str, OneOrMany],
    BeforeValidator(_families),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": _OF_NAMES}]}),
]
"""A name for all judges, or names with the judges of each."""


class JudgmentFields(Settings):
    """Judgments that come with the items: by people, or by an automated judge."""

    annotator: str = Field(default="", description="The field that names the annotator.")
    judge: str = Field(default="", description="The field that names the automated judge.")
    positions: str = Field(
        default="",
        description="Each value is a list, the same person at the same place: annotators are called by this word and "
        "the place's number.",
    )
    values: dict[DimensionName, str] = Field(
        default={},
        description="Each dimension with the field of its value; of an entry's dimension, the field of the entry. "
        "Left out: every dimension is a field of its own name. A field that the file lacks is refused.",
    )
    optional: Many[DimensionName] = Field(
        default=(), description="Dimensions that a file need not answer: their field may be empty, or not there at all."
    )
    read: dict[str, str] = Field(
        default={},
        description="Words in the file, each with the value that it stands for. Names of systems: `items.names`.",
    )
    sides: SideFields | None = Field(
        default=None,
        description="In a file whose rows speak of a left and a right system: the fields that name them. `{side}` in "
        "`values` then stands for left and for right, as in `{side}_score`; where `values` is left out, a dimension "
        "asked of each side is read from `left_NAME` and `right_NAME`. A preference may be left or right.",
    )
    match: Match | None = Field(
        default=None, description="In a sheet of its own whose rows name no item: what they name instead."
    )
    repeat: str = Field(
        default="",
        description="The field that counts somebody's runs: each run of an item is a pass of its own. With a `?` at "
        "its end the file may leave it out, and then it is the first run.",
    )

    family: Families = Field(
        default={},
        description="What several automated judges are called together in the report: one name for all of them, or "
        "each name with its judges, where `*` stands for any letters.",
    )

    @model_validator(mode="after")
    def _somebody(self) -> Self:
        given = [key for key in ("annotator", "judge", "positions") if getattr(self, key)]
        if self.family and not self.judge:
            raise mistake("a family is one of automated judges, and there is no judge", "write judge", "family")
        if len(given) != 1:
            what = f"{' and '.join(given)} stand together" if given else "it is not said who judged"
            raise mistake(what, "write one of: annotator, judge, positions")
        return self

    def field_of(self, name: str, side: str = "") -> str:
        """The field with the value of a dimension; of one side, where the file speaks of sides."""
        return self.values.get(name, f"{SIDE}_{name}").replace(SIDE, side) if side else self.values.get(name, name)
