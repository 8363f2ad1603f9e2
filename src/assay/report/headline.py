"""Which coefficient of several is shown first, wherever one is: in the report, in figures, on pages and in commands."""

from collections.abc import Sequence

from assay.model import Coefficient


def headline_of(found: Sequence[Coefficient], wanted: str) -> Coefficient | None:
    """The study's coefficient; where it does not apply or has no value, the first that has one.

    `found` is in the order in which coefficients are reported. Where none has a value it is the study's again, with the
    reason, or the first of all; None where no coefficient applies.

    >>> kappa = Coefficient("cohen_kappa", None, None, "", 3, 9, 3, "no two annotators share enough items")
    >>> alpha = Coefficient("krippendorff_alpha_nominal", 0.5, None, "", 3, 9, 3)
    >>> headline_of([alpha, kappa], "cohen_kappa").name, headline_of([kappa], "cohen_kappa").name
    ('krippendorff_alpha_nominal', 'cohen_kappa')
    """
    asked = [each for each in found if each.name == wanted]
    defined = [each for each in (*asked, *found) if each.value is not None]
    return next(iter([*defined, *asked, *found]), None)


def why_another(found: Sequence[Coefficient], wanted: str) -> str | None:
    """Why the study's coefficient is undefined, where another is shown in its place; else None."""
    shown = headline_of(found, wanted)
    asked = next((each for each in found if each.name == wanted), None)
    return None if asked is None or asked is shown else asked.undefined
