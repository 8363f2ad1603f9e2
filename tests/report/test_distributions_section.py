"""How the scale was used: by candidate where two are compared, and by side where anybody saw one."""

from assay.model import Judgment
from tests.report.comparing import DIALOGUES
from tests.report.known import report
from tests.report.test_report import judgment


def chosen(item: str, who: str, value: str, left: str = "", pair: tuple[str, str] = ("heron", "linnet")) -> Judgment:
    source = "work" if left else "imported"
    return judgment(item, who, value, "completion", system="", systems=pair, left=left, source=source, study_hash="now")


def test_choices_from_files_are_counted_by_candidate_and_choices_on_the_page_by_side_too() -> None:
    given = [chosen(f"f{at}", "file", value) for at, value in enumerate(["heron", "heron", "linnet", "tie"])]
    given += [
        chosen("p1", "ana", "heron", "heron"),
        chosen("p2", "ana", "heron", "linnet"),
        chosen("p3", "ana", "tie", "heron"),
    ]
    given += [chosen("q1", "file", "system", pair=("linnet", "system"))]
    made = report(DIALOGUES, given)
    row = made.numbers()["distributions"]["dimensions"][0]
    assert row["candidates"]["points"] == ["heron", "linnet", "system", "tie"]
    assert row["candidates"]["annotators"] == {"ana": [2, 0, 0, 1], "file": [2, 1, 1, 1]}
    assert row["candidates"]["all"] == [4, 1, 1, 2], "nothing has vanished"
    assert row["points"] == ["left", "tie", "right"]
    assert row["annotators"] == {"ana": [1, 1, 1]}, "only where sides are known"
    assert row["all"] == [1, 1, 1]
    page = made.html().replace("\u00a0", " ")
    assert "Completion, n = 8" in page
    assert "by side, n = 3" in page


def test_where_no_sides_are_known_the_scale_has_none() -> None:
    made = report(DIALOGUES, [chosen(f"f{at}", "file", "heron") for at in range(3)])
    row = made.numbers()["distributions"]["dimensions"][0]
    assert (row["annotators"], row["all"]) == ({}, [0, 0, 0])
    assert row["candidates"]["all"] == [3, 0, 0]
    assert "by side" not in made.html()
