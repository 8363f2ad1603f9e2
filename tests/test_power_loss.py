"""The power goes: what people had an answer to is there, and a server that waits less for the disk is caught."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from tools.power_loss import Machine, lost, outcome_of

from tests.servers import ASSAY, filled

pytestmark = pytest.mark.skipif(
    not (sys.platform == "linux" and shutil.which("cc")), reason="needs Linux and a C compiler"
)


def test_a_disk_that_cannot_sync_is_said_and_logged_and_over_when_it_can(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    machine = Machine(tmp_path, ASSAY, SYNC_FAILS=str(broken))
    someone = machine.annotators[0]
    form = filled(someone.page())
    broken.touch()
    assert someone.submit(*form)[0] == 503
    assert someone.ask("GET", "/health")[0] == 503
    assert someone.ask("GET", "/health/live")[0] == 200
    broken.unlink()
    status, body = someone.submit(*form)
    assert status == 200
    assert someone.ask("GET", "/health")[0] == 200
    machine.server.process.kill()
    assert machine.server.process.stdout is not None
    assert "a write failed: OperationalError: disk I/O error" in machine.server.process.stdout.read()
    machine.server.kill()
    assert lost(machine.folder, {json.loads(body)["submission"]: form[1]["emotion"]}) == []


def test_nothing_acknowledged_is_lost_with_the_power(tmp_path: Path) -> None:
    found = outcome_of(tmp_path, 8)
    assert (found.images, found.with_losses, found.wrong) == (8, 0, ())


@pytest.mark.parametrize("setting", ["NORMAL", pytest.param("OFF", marks=pytest.mark.thorough("a second mutant"))])
def test_a_server_that_waits_less_for_the_disk_is_caught(tmp_path: Path, setting: str) -> None:
    assert outcome_of(tmp_path, 2, setting).with_losses > 0
