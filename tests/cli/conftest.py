"""Fixtures of the commands' tests."""

import sys

import pytest

from assay.cli import main
from tests.cli.agreeing import Run, Said


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["assay", "agree", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        assert isinstance(code, int | None)
        return Said(code or 0, *capsys.readouterr())

    return call
