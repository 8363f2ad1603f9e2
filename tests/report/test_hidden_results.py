"""Results of a blind study are hidden until it is closed."""

from pathlib import Path

import pytest

from assay.report.hidden_results import are_hidden
from assay.study import load
from assay.study.templates import copy_template
from tests.web.annotator import edited


@pytest.mark.parametrize(
    ("blind", "state", "hidden"),
    [("true", "open", True), ("true", "paused", True), ("true", "closed", False), ("false", "open", False)],
)
def test_results_are_hidden_while_a_blind_study_is_not_closed(
    tmp_path: Path, blind: str, state: str, hidden: bool
) -> None:
    copy_template("empathy", tmp_path / "study")
    edited(analysis=f"\n  blind: {blind}")(tmp_path / "study")
    assert are_hidden(load(tmp_path / "study"), state) is hidden
