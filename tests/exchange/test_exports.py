import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.exchange import COLUMNS, LONG, as_row, as_time
from assay.exchange.atomic import atomic_text_file
from assay.exchange.csv import write_csv
from assay.exchange.export_columns import values_of
from assay.exchange.jsonl import JsonlExport
from assay.model import Judgment
from tests.report.test_report import judgment

values = st.one_of(
    st.integers(-5, 10),
    st.booleans(),
    st.lists(st.text(max_size=5), max_size=3),
    st.text(max_size=30).filter(lambda t: "\x00" not in t),
)


def test_a_row_has_the_columns_that_are_documented() -> None:
    assert list(as_row(judgment("i", "a", 3))) == list(COLUMNS)


def as_csv(*judgments: Judgment) -> list[dict[str, str]]:
    """What another program reads out of the CSV."""
    file = io.StringIO(newline="")
    assert write_csv(file, list(COLUMNS), map(values_of, judgments)) == len(judgments)
    return list(csv.DictReader(io.StringIO(file.getvalue(), newline="")))


@given(values)
def test_json_lines_give_back_exactly_what_was_stored(value: object) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "out.jsonl"
        assert JsonlExport().table(LONG, [values_of(judgment("007", "ana", value))], place) == 1
        row = json.loads(place.read_text("utf-8"))
    assert row["value"] == value
    assert type(row["value"]) is type(value)
    assert row["item"] == "007"


@given(st.text(max_size=30).filter(lambda t: "\x00" not in t))
def test_csv_gives_back_texts_and_no_cell_begins_like_a_formula(text: str) -> None:
    [row] = as_csv(judgment("1e5", "NA", text, dimension="note"))
    assert row["item"] == "1e5"
    assert row["annotator"] == "NA"
    assert row["value"].removeprefix("'") == text.removeprefix("'")
    assert not row["value"].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def test_numbers_stay_numbers_in_csv() -> None:
    assert [row["value"] for row in as_csv(judgment("i", "a", -3), judgment("i", "a", -2.5))] == ["-3", "-2.5"]


def test_times_are_iso_8601_in_utc() -> None:
    assert as_time(1_800_000_000_123) == "2027-01-15T08:00:00.123Z"


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("the old one")

    def fail() -> None:
        with atomic_text_file(path) as file:
            file.write("half of the new one")
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]
    with atomic_text_file(path) as file:
        file.write("the new one")
    assert path.read_text() == "the new one"


def test_a_killed_export_leaves_the_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("the old one")
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom assay.exchange.atomic import atomic_text_file\n"
        "with atomic_text_file(Path(sys.argv[1])) as file:\n"
        "    file.write('half'); file.flush(); print('go', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "go\n"
    time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert path.read_text() == "the old one"
