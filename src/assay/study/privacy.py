"""The part `privacy` of the study file: what becomes of people's data."""

from typing import Literal

from pydantic import Field

from assay.kinds import Settings


class Privacy(Settings):
    """What becomes of people's data, and whom they can ask."""

    on_erasure: Literal["keep", "delete"] = Field(
        default="keep",
        description="What becomes of judgments when a person is erased: they stay, without free texts and under no "
        "name, or they are deleted as well.",
    )
    delete_people_after_days: int | None = Field(
        default=None,
        ge=0,
        le=36_500,
        description="So many days after the study was closed everybody in it is erased, as by `assay erase`; left out: "
        "people are kept until somebody erases them.",
    )
    contact: str = Field(default="", max_length=500, description="Whom people can write to about their data.")
    lawful_basis: str = Field(default="", max_length=500, description="Why the data may be processed, for the record.")
