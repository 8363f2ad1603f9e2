"""Which coefficient of several is shown first, wherever one is: in the report, in figures, on pages and in commands."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from assay.kinds import STATISTICS
from assay.statistics import title_of


class OneOfSeveral(Protocol):
    """A coefficient, as it was computed or as a section prints it."""

    @property
    def name(self) -> str: ...
    @property
    def value(self) -> float | None: ...
    @property
    def undefined(self) -> str | None: ...


Found = TypeVar("Found", bound=OneOfSeveral)


def headline_of(found: Sequence[Found], wanted: str) -> Found | None:
    """The study's coefficient; where it does not apply or has no value, the first that has one.

    `found` is in the order in which coefficients are reported. Where none has a value it is the study's again, with the
    reason, or the first of all; None where no coefficient applies.

    >>> from assay.model import Coefficient
    >>> kappa = Coefficient("cohen_kappa", None, None, "", 3, 9, 3, "no two annotators share enough items")
    >>> alpha = Coefficient("krippendorff_alpha_nominal", 0.5, None, "", 3, 9, 3)
    >>> headline_of([alpha, kappa], "cohen_kappa").name, headline_of([kappa], "cohen_kappa").name
    ('krippendorff_alpha_nominal', 'cohen_kappa')
    """
    asked = [each for each in found if each.name == wanted]
    defined = [each for each in (*asked, *found) if each.value is not None]
    return next(iter([*defined, *asked, *found]), None)


def why_another(found: Sequence[OneOfSeveral], wanted: str) -> str | None:
    """Why the study's coefficient is undefined, where another is shown in its place; else None."""
    shown = headline_of(found, wanted)
    asked = next((each for each in found if each.name == wanted), None)
    return None if asked is None or asked is shown else asked.undefined


def why_undecided(found: Sequence[OneOfSeveral], wanted: str) -> str | None:
    """Why the coefficient that is shown is not compared with the study's line; None where it is, or nothing is shown.

    >>> from assay.model import Coefficient
    >>> kappa = Coefficient("cohen_kappa", None, None, "", 3, 9, 3, "no two annotators share enough items")
    >>> alpha = Coefficient("krippendorff_alpha_nominal", 0.5, None, "", 3, 9, 3)
    >>> why_undecided([alpha, kappa], "cohen_kappa")
    "Cohen's kappa is undefined (no two annotators share enough items)"
    """
    shown = headline_of(found, wanted)
    if shown is None or shown.value is None or shown.name == wanted:
        return None
    if (why := why_another(found, wanted)) is not None:
        # What to do about it, behind a colon, stands where there is more room: in the section and in the table.
        return f"{title_of(wanted)} is undefined ({why.partition(':')[0]})"
    return f"{title_of(shown.name)} is not corrected for chance" if STATISTICS[shown.name].is_share else None


def without_reason(undecided: str) -> str:
    """A shorter text: without the brackets that say why a coefficient is undefined.

    >>> without_reason("Cohen's kappa is undefined (no two annotators share 20 items (16 at most))")
    "Cohen's kappa is undefined"
    >>> without_reason("percent agreement is not corrected for chance")
    'percent agreement is not corrected for chance'
    """
    what, undefined, _ = undecided.partition(" is undefined")
    return what + undefined
