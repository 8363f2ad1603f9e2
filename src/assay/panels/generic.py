"""Any other panel, by the names of its parameters."""

from typing import Annotated, Any, ClassVar

from pydantic import Field, StringConstraints

from assay.panels import Panel

Parameter = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{0,60}$")]


class Generic(Panel):
    """A panel of one's own: which parameters of the address say who comes."""

    kind: ClassVar[str] = "generic"
    example: ClassVar[Any] = {
        "person": "pid",
        "session": "sid",
        "survey": "survey",
        "signature": {"kind": "jwt", "parameter": "token"},
    }

    person: Parameter = Field(min_length=1, description="The parameter with the panel's id of the person.")
    session: Parameter = Field(
        default="", description="The parameter with the id of this one participation, which others do not know."
    )
    survey: Parameter = Field(default="", description="The parameter with the panel's id of the study.")

    @property
    def names(self) -> tuple[str, str, str]:
        return self.person, self.session, self.survey
