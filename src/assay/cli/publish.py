"""Put a changed study into force."""

from pathlib import Path

from assay.cli.common import Database, Folder, open_study


def run(where: Folder = Path(), database: Database = None) -> None:
    """Put a changed study file into force although work has begun. Old judgments keep their own version."""
    from assay.store.coordinator import studies

    with open_study(where, database, publish_anyway=True) as at:
        count = at.store.read(studies.version_count, at.study_id)
        print(f"{at.study.study}: version {at.study.hash[:12]} is in force ({count} so far).")
