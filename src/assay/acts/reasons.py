"""Some acts need a reason: it is kept with them and printed."""

from assay.errors import AssayError
from assay.store.coordinator.record import By


def need_reason(by: By, what: str, hint: str = "--reason '...': it is kept with who did it and when") -> None:
    """Refuse an act without a reason; `what` ends the sentence "a reason is needed"."""
    if not by.reason.strip():
        raise AssayError(f"a reason is needed {what}", hint)
