"""Studies on a desk."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay.store import Backend
from tests.conftest import Bench, make_bench
from tests.sheets.filling import Desk


@pytest.fixture
def desk(sqlite_bench: Bench) -> Desk:
    """The empathy study, with sheets for ana and ben: as CSV, which is read at once."""
    found = Desk(sqlite_bench, "csv")
    found.out("ana", "ben")
    return found


@pytest.fixture
def books(sqlite_bench: Bench) -> Desk:
    """The same as workbooks."""
    found = Desk(sqlite_bench)
    found.out("ana", "ben")
    return found


@pytest.fixture
def desk_of(sqlite_store: Backend, tmp_path: Path) -> Callable[..., Desk]:
    """Any template on a desk; sheets are not written yet."""

    def make(
        template: str, form: str = "xlsx", *, whole: bool = False, edit: Callable[[Path], None] | None = None
    ) -> Desk:
        return Desk(make_bench(sqlite_store, tmp_path / "study", template, edit, whole=whole), form)

    return make
