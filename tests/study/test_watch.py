"""A change in any file that a study can be made of is seen."""

import os
from pathlib import Path

import pytest

from assay.kinds import SOURCES
from assay.pictures import FORMATS
from assay.study.watch import state

OF_ITEMS = [suffix for source in SOURCES.values() for suffix in source.suffixes]
OF_PICTURES = [suffix for suffixes in FORMATS.values() for suffix in suffixes]


@pytest.mark.parametrize("suffix", [".yaml", ".md", *OF_ITEMS, *OF_PICTURES])
def test_a_new_file_is_seen_whatever_kind_it_is_of(tmp_path: Path, suffix: str) -> None:
    before = state(tmp_path)
    (tmp_path / "deep").mkdir()
    for name in (f"one{suffix}", f"deep/TWO{suffix.upper()}"):
        (tmp_path / name).write_bytes(b"")
        assert before != (before := state(tmp_path))


@pytest.mark.parametrize("name", ["assay.db", "assay.db-wal", "report.html", "report.json"])
def test_what_the_program_writes_itself_is_not_watched(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    assert state(tmp_path) == {}


def test_a_file_that_was_seen_half_saved_is_seen_again_though_the_clock_has_not_moved(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    seen = []
    for text in ("", "study: whole\n"):
        file.write_text(text)
        os.utime(file, ns=(0, 0))
        seen.append(state(tmp_path))
    assert seen[0] != seen[1]
