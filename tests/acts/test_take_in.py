"""Taking in items: what else comes in with them."""

from pathlib import Path

from assay import acts
from assay.store import Backend
from assay.store.coordinator import studies
from assay.store.coordinator.record import By
from assay.store.tables import item
from assay.study import load
from assay.study.templates import copy_template
from tests.conftest import T0
from tests.web.annotator import rows


def test_known_answers_come_in_with_items_where_the_folder_of_the_study_is_at_hand_and_from_a_script_none(
    store: Backend, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    copy_template("empathy", folder)
    study = load(folder)
    by = By(store.write(studies.publish, study, T0).id, "me", T0)
    store.write(acts.take_in, by, study, [], [], None)
    assert rows(store, item) == []
    store.write(acts.take_in, by, study, [], [], folder)
    found = rows(store, item)
    assert found
    assert "work" not in {row["series"] for row in found}
