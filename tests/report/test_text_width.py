"""Room for what figures say: texts are cut and wrapped by how wide they can be, not by how many letters they have."""

from itertools import pairwise

import pytest

from assay.report import charts, text_width
from assay.report.charts import NARROW, WIDE, Frame
from assay.report.text_width import cut, lines, width

NAMES = (
    "ana",
    "Wolfeschlegelsteinhausen-Bergerdorff",
    "MMMM WWWW MMMM WWWW MMMM",
    "効率と正確さの総合的な評価について",
    "🙂" * 30,
    "",
)


@pytest.mark.parametrize("bold", [False, True])
def test_what_is_cut_fits_and_keeps_what_it_can(bold: bool) -> None:
    for name in NAMES:
        for room in range(20, 400, 7):
            short = cut(name, room, bold)
            assert width(short, bold) <= room
            assert short == name or "…" in short
            assert short == name or width(short, bold) > room - 3 * text_width.SIZE, "no more is cut than must be"


def test_what_is_wrapped_fits_and_says_the_same() -> None:
    for name in NAMES:
        for room in range(40, 400, 7):
            found = lines(name, room, most=99)
            assert max(width(line) for line in found) <= room
            assert "".join(found).replace(" ", "") == name.replace(" ", "")
            assert len(lines(name, room, most=2)) <= 2


def test_accents_cost_no_room_and_other_scripts_get_some() -> None:
    assert width("é") == width("e\u0301") == width("e")
    assert width("漢") > width("e")
    assert width("Щ") > width("e")


@pytest.mark.parametrize("frame", [WIDE, NARROW], ids=["wide", "narrow"])
def test_names_leave_room_for_the_number_beside_them(frame: Frame) -> None:
    value = "−0.25 (n = 1234, too few)"
    for name in NAMES:
        for names in (name, (name, NAMES[1])):
            for bold in (False, True):
                found = frame.name_lines(names, value, bold)
                has_own_line = found[-1] == ""
                room = frame.width + 1 if has_own_line else frame.name or frame.width - width(value)
                assert max(width(line, bold) for line in found) < room
                whole = name if isinstance(names, str) else name + NAMES[1]
                assert "".join(found).replace(" ", "").replace("·", "") == whole.replace(" ", "").replace("·", "")


def test_an_entry_of_the_key_that_is_too_long_for_a_line_takes_two() -> None:
    long = "an explanation that needs more room than one line of a phone has"
    entries = [("circle", "short"), ("hollow", long), ("line", "last")]
    placed = NARROW.key(entries)
    assert [(mark, line) for mark, _, line, _ in placed] == [("circle", 0), ("hollow", 1), ("line", 3)]
    assert " ".join(placed[1][3]) == long
    assert NARROW.key_lines(entries) == 4
    assert WIDE.key_lines(entries) == 1
    assert placed[2][1] == 0


def test_numbers_below_an_axis_are_left_out_where_they_would_touch() -> None:
    axis = charts.Axis(0, 10_000, NARROW.start, NARROW.end)
    ticks = [float(each) for each in range(0, 10_001, 1000)]
    found = NARROW.labels(axis, ticks, "%d")
    assert [words for _, words in found] == ["0", "2,000", "4,000", "6,000", "8,000", "10,000"]
    ends = [(at - width(words) / 2, at + width(words) / 2) for at, words in found]
    assert ends[0][0] >= 0
    assert ends[-1][1] <= NARROW.width
    assert all(one[1] < other[0] for one, other in pairwise(ends))
