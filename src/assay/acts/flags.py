"""What a coordinator does about a flag."""

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.errors import AssayError
from assay.store.coordinator import flags
from assay.store.coordinator.annotators import annotator_id
from assay.store.coordinator.record import By, record


def dismiss_flag(connection: Connection, by: By, name: str, monitor: str) -> None:
    """Somebody has looked into a flag and found nothing wrong. It is kept, and does not come up again."""
    need_reason(by, "to dismiss a flag", "it is kept beside the flag: --reason '...'")
    whose = annotator_id(connection, by.study_id, name)
    if not flags.dismiss(connection, by.study_id, whose, monitor):
        raise AssayError(f"{name} has no open flag {monitor!r}", "`assay status` lists the flags")
    record(connection, by, "dismiss", whose, monitor)
