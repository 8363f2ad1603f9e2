"""What every monitor must bring: a new file is tested by existing."""

import subprocess
import sys
from pathlib import Path

import pytest

from assay.kinds import MONITORS
from assay.quality import MonitorData
from tests.quality.judged import EMPATHY, given

QUALITY = (Path(__file__).parents[2] / "docs" / "quality.md").read_text("utf-8")
every_monitor = pytest.mark.parametrize("name", list(MONITORS))


def test_the_monitors_that_studies_name_are_found() -> None:
    assert set(MONITORS) >= {
        "automation",
        "calibration_bias",
        "drift",
        "duplicates",
        "failed_controls",
        "filler_notes",
        "follows_length",
        "halo",
        "identical_candidates",
        "leniency",
        "low_agreement",
        "near_identical",
        "never_used",
        "overridden_warnings",
        "scale_compression",
        "straight_lining",
        "too_fast",
        "too_slow",
    }


@every_monitor
def test_a_monitor_is_explained_and_says_from_how_much_on_it_speaks(name: str) -> None:
    assert f"| `{name}` |" in QUALITY
    assert MONITORS[name]().at_least >= 1


@every_monitor
def test_a_monitor_says_nothing_about_one_judgment(name: str) -> None:
    assert MONITORS[name]().flags(MonitorData(EMPATHY, given("ana", [3]), {}, given("ana", [3]))) == []


def test_looking_up_a_monitor_does_not_import_numpy() -> None:
    code = "import sys; from assay.kinds import MONITORS; list(MONITORS); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
