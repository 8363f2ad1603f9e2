"""What gives a system away in the previewed study: in the stored items, else in those of its file.

Annotators get what is stored, whatever the file says by now. The store is read as it is; nothing in it changes.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection

from assay.assignment.planned_order import sequence_notes
from assay.items.leaks import leaks_in
from assay.items.reference_items import known_items
from assay.items.sequence_audit import MOST_AUDITED, seen_item
from assay.model import Item
from assay.store import SCHEMA, connect, schema_of
from assay.store.coordinator import export_rows, studies
from assay.store.tables import WORK
from assay.study import Study


def blinding_warnings(study: Study, of_file: Sequence[Item], folder: Path, database: str = "") -> list[str]:
    """Warnings of what gives a system away in the items or their order, and of what no order can avoid."""
    stored = stored_items(database or str(folder / "assay.db"), study.study)
    # Other items may have been taken in than the file has now: whoever reads it has to know which were looked at.
    of_store = f"(in the {len(stored):,} items that are stored)"
    looked_at = of_store if stored else f"(in {study.items.source}, which items.source names)"
    items = stored or of_file
    notes = sequence_notes(study, [seen_item(study, each) for each in items[:MOST_AUDITED]])
    return [
        *(f"{leak} {looked_at}" if stored else leak for leak in leaks_in(study, items, known_items(study, folder))),
        *(f"blinding: {each.words}; {each.advice} {looked_at}" for each in notes if each.is_warning),
        *(f"sequence: {each.words}; {each.advice} {looked_at}" for each in notes if not each.is_warning),
    ]


def stored_items(database: str, name: str) -> list[Item]:
    """The items that people are asked about, as they are stored; none where there is no store of this version yet."""
    if "://" not in database and not Path(database).is_file():
        return []
    store = connect(database)
    try:
        return store.read(_items_of, name) if store.read(schema_of) == SCHEMA else []
    finally:
        store.close()


def _items_of(connection: Connection, name: str) -> list[Item]:
    found = next((id_ for id_, known in studies.all_studies(connection) if known == name), None)
    if found is None:
        return []
    wanted = (each.item for each in export_rows.items(connection, found) if each.series == WORK and each.wanted)
    return list(islice(wanted, MOST_AUDITED))
