"""Opening a submitted item again for one annotator: a slip is put right by whoever made it."""

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.errors import AssayError
from assay.store.annotator import messages, reopened_items
from assay.store.annotator.versions import version_in_force
from assay.store.coordinator import annotators
from assay.store.coordinator.item_names import item_called
from assay.store.coordinator.record import By, record


def reopen_item(connection: Connection, by: By, name: str, item: str, pass_: int = 1) -> None:
    """Let an annotator change one item that they submitted, once, whatever the study says of going back.

    They read a message that leads there. What they submitted before is kept beside the change.
    """
    need_reason(by, "to open an item again")
    annotator_id = annotators.annotator_id(connection, by.study_id, name)
    study = version_in_force(connection, by.study_id)
    # By its number: a control may have the id of an item.
    item_id = item_called(connection, by.study_id, item)
    opened = reopened_items.reopen(connection, annotator_id, study, item_id, pass_, by.at)
    if opened is None:
        raise AssayError(f"they have not submitted item {item!r} here", "only what they submitted can be opened again")
    messages.add(connection, annotator_id, study.words("message.reopened", number=opened.position), by.at)
    record(connection, by, "reopen item", annotator_id, f"{item}{f' (pass {pass_})' if pass_ > 1 else ''}")
