"""Pictures that no item shows any more."""

import re

from sqlalchemy import ColumnElement, Connection, delete, select

from assay.store.coordinator.items import CHUNK
from assay.store.tables import item, picture

HASH = re.compile("[0-9a-f]{64}")


def pictures_of(connection: Connection, which: ColumnElement[bool]) -> set[str]:
    """Texts in some items' shown fields that may be the hashes of pictures."""
    shown = connection.execute(select(item.c.shown).where(which).execution_options(yield_per=CHUNK)).scalars()
    return {each for text in shown for each in HASH.findall(text)}


def delete_unused(connection: Connection, study_id: int, gone: set[str]) -> None:
    """Delete those of these pictures that no item shows any more; items of an import under way count, too."""
    if gone:
        unused = sorted(gone - pictures_of(connection, item.c.study_id == study_id))
        for start in range(0, len(unused), CHUNK):
            some = picture.c.hash.in_(unused[start : start + CHUNK])
            connection.execute(delete(picture).where(picture.c.study_id == study_id, some))
