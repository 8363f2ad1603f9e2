"""Pictures: where marks lie, which shape they have, and that only the picture's place in the store is shown."""

from typing import Any

import pytest
from hypothesis import given, settings

from tests.displays.blocks import HOSTILE, PICTURE, Seen, anything, assert_harmless, block, html_of, kept
from tests.examples import examples

IMAGE = block("image", {"field": "file", "alt": "words", "marks": "trace"})
POINT, BOX = {"x": 480, "y": 150}, {"x1": 96, "y1": 60, "x2": 192, "y2": 300}


def step(**arguments: Any) -> dict[str, Any]:
    return {"operation": "x", "arguments": arguments}


def marks(*steps: Any, coordinates: str = "pixel", **more: Any) -> list[Any]:
    display = block("image", {"field": "file", "marks": "trace", "coordinates": coordinates})
    found: list[Any] = display.view({"file": PICTURE, "trace": list(steps), **more})["marks"]
    return found


def test_a_picture_is_shown_by_its_place_in_the_store_with_its_words() -> None:
    page = Seen(html_of(IMAGE, {"file": PICTURE, "words": HOSTILE}))
    [found] = [attributes for tag, attributes in page.tags if tag == "img"]
    assert (found["src"], found["width"], found["height"]) == ("/picture/" + "ab" * 32, "960", "600")
    assert found["alt"] == HOSTILE
    assert_harmless(html_of(IMAGE, {"file": PICTURE, "words": HOSTILE}), "img")


def test_a_picture_without_words_has_a_name_all_the_same() -> None:
    for words in (None, "", " ", {"a": 1}):
        html = html_of(IMAGE, {"file": PICTURE, "words": words})
        assert Seen(html).attributes("alt") == ["The picture for this item"]


@pytest.mark.parametrize(
    "value",
    [
        None,
        "street.png",
        "../../etc/passwd",
        {},
        {**PICTURE, "picture": "x"},
        {**PICTURE, "picture": "../" + "ab" * 32},
        {**PICTURE, "width": 0},
        {**PICTURE, "height": "600"},
    ],
)
def test_what_is_no_stored_picture_is_not_asked_for(value: Any) -> None:
    page = Seen(html_of(IMAGE, {"file": value, "trace": [step(**POINT)]}))
    assert page.of("empty") == ["(There is no picture.)"]
    assert page.attributes("src") == []


def test_only_the_place_and_the_size_of_a_picture_are_kept() -> None:
    assert IMAGE.pictures() == ("file",)
    assert IMAGE.keep("file", {**PICTURE, "name": "canary.png"}) == PICTURE
    assert IMAGE.keep("words", {"canary": 1}) is None


@pytest.mark.parametrize(
    ("arguments", "shape", "corners"),
    [
        ({"x": 480, "y": 150}, "point", ((50, 25),)),
        ({"point": [480, 150]}, "point", ((50, 25),)),
        ({"points": [[480, 150]]}, "point", ((50, 25),)),
        (BOX, "box", ((10, 10), (20, 50))),
        ({"bbox": [96, 60, 192, 300]}, "box", ((10, 10), (20, 50))),
        ({"box": [192, 300, 96, 60]}, "box", ((20, 50), (10, 10))),
        ({"polygon": [[0, 0], [96, 0], [0, 60]]}, "outline", ((0, 0), (10, 0), (0, 10))),
        ({"points": [[0, 0], [96, 60]]}, "outline", ((0, 0), (10, 10))),
        # As the operations of the original take them.
        ({"coordinates": [480, 150]}, "point", ((50, 25),)),
        ({"region": [96, 60, 192, 300]}, "box", ((10, 10), (20, 50))),
        ({"init_bbox": [96, 60, 192, 300]}, "box", ((10, 10), (20, 50))),
        ({"coordinates": [96, 60, 192, 300]}, "box", ((10, 10), (20, 50))),
        ({"init_mask": [[0, 0], [96, 0], [0, 60]]}, "outline", ((0, 0), (10, 0), (0, 10))),
        ({"center": [480, 150]}, "point", ((50, 25),)),
        ({"center": [480, 300], "zoom_factor": 2}, "box", ((25, 25), (75, 75))),
        ({"x": 480, "y": 300, "zoom_factor": 4.0}, "box", ((37.5, 37.5), (62.5, 62.5))),
        ({"center": [48, 600], "zoom_factor": 2}, "box", ((0, 75), (30, 100))),
        ({"center": [480, 300], "zoom_factor": 0.5}, "point", ((50, 50),)),
        ({"center": "center", "zoom_factor": 2}, "box", ((25, 25), (75, 75))),
        ({"region": "Center"}, "point", ((50, 50),)),
    ],
)
def test_a_place_is_found_however_it_is_written(arguments: Any, shape: str, corners: Any) -> None:
    [mark] = marks(step(**arguments))
    assert (mark.name, mark.shape, mark.outside) == ("1", shape, "")
    assert mark.corners == tuple(map(pytest.approx, corners))


@pytest.mark.parametrize(
    ("coordinates", "arguments"),
    [("pixel", POINT), ("unit", {"x": 0.5, "y": 0.25}), ("thousand", {"x": 500, "y": 250})],
)
def test_coordinates_count_what_the_study_says(coordinates: str, arguments: Any) -> None:
    [mark] = marks(step(**arguments), coordinates=coordinates)
    assert mark.corners == ((50, 25),)


def test_a_step_that_names_the_middle_alone_is_marked_there() -> None:
    [mark] = marks({"operation": "READ_TEXT", "arguments": "center"})
    assert (mark.shape, mark.corners) == ("point", ((50, 50),))


NO_PLACE = [{}, {"x": 1}, {"x": "1", "y": 2}, {"box": [1, 2]}, {"points": []}, "x", None]
NO_PLACE += [{"mask": "mask_1"}, {"object_id": 3}, {"zoom_factor": 2}, {"region": "left"}, {"center": [1, 2, 3]}]


@pytest.mark.parametrize("arguments", NO_PLACE)
def test_a_step_without_a_place_has_no_mark(arguments: Any) -> None:
    assert marks({"operation": "x", "arguments": arguments}, "no step", step(**POINT))[0].name == "3"


def test_a_place_outside_is_drawn_on_the_border_and_says_so() -> None:
    far, near = marks(step(x=-50, y=9999), step(x1=900, y1=10, x2=1000, y2=20))
    assert (far.corners, far.outside) == (((0, 100),), "wholly")
    assert far.plate[0] > 0 > far.plate[1], "its label stays inside"
    assert (near.corners[1][0], near.outside) == (100, "partly")
    page = html_of(IMAGE, {"file": PICTURE, "trace": [step(x=-50, y=9999), step(x1=900, y1=10, x2=1000, y2=20)]})
    assert "<title>1, outside the picture</title>" in page
    assert "<title>2, partly outside the picture</title>" in page


@pytest.mark.parametrize(
    ("arguments", "at", "away"),
    [
        ({"x": 480, "y": -100}, (50, 0), 0),
        ({"x": 2000, "y": 300}, (100, 50), 90),
        ({"x": 480, "y": 700}, (50, 100), 180),
        ({"x": -100, "y": 300}, (0, 50), -90),
        ({"x": 960 + 60, "y": -60}, (100, 0), 45),
        ({"region": [480, 700, 576, 900]}, (55, 100), 180),
        ({"region": [960, 0, 1100, 600]}, (100, 50), 90),
        ({"center": [2000, 300], "zoom_factor": 2}, (100, 50), 90),
    ],
)
def test_what_lies_wholly_outside_is_an_arrow_that_points_there(arguments: Any, at: Any, away: float) -> None:
    [mark] = marks(step(**arguments))
    assert (mark.shape, mark.outside, mark.corners) == ("arrow", "wholly", (pytest.approx(at),))
    assert mark.away == pytest.approx(away)
    html = html_of(IMAGE, {"file": PICTURE, "trace": [step(**arguments)]})
    assert '<path class="dot"' in html
    assert "<circle" not in html


@pytest.mark.parametrize(
    "arguments", [{"region": [-50, -50, 2000, 2000]}, {"region": [900, 100, 1100, 300]}, {"x": 960, "y": 0}]
)
def test_what_reaches_into_the_picture_is_drawn_there(arguments: Any) -> None:
    assert marks(step(**arguments))[0].outside == ("partly" if "region" in arguments else "")


def test_marks_upon_each_other_are_drawn_around_each_other() -> None:
    points = marks(step(**POINT), step(x=481, y=151), step(x=700, y=151), step(**POINT))
    assert [each.around for each in points] == [0, 1, 0, 2]
    assert points[0].corners == points[3].corners, "their places stay where they are"
    boxes = marks(step(**BOX), step(region=[192, 300, 96, 60]), step(bbox=[96, 60, 300, 300]))
    assert [each.around for each in boxes] == [0, 1, 0]
    html = html_of(IMAGE, {"file": PICTURE, "trace": [step(**BOX), step(region=[96, 60, 192, 300])]})
    assert html.count('class="line around-1"') == 1


def test_the_two_candidates_of_a_pair_differ_in_shape_and_number() -> None:
    two = [{"trace": [step(**POINT), step(**BOX)]}, {"trace": [step(x=20, y=30)], "system": "canary"}]
    shown = {"file": PICTURE, "_candidates": two}
    html = html_of(IMAGE, shown)
    page = Seen(html)
    assert sorted(page.attributes("data-of-place")) == ["A1", "A1", "A2", "A2", "B1", "B1"]
    assert html.count("<circle") == 1
    assert '<rect class="dot"' in html
    assert "canary" not in repr(IMAGE.view(shown))


def test_labels_at_one_place_stand_side_by_side() -> None:
    first, second, other = marks(step(x=480, y=150), step(x=481, y=151), step(x=100, y=500))
    assert second.plate[0] + second.plate[2] <= first.plate[0]
    assert other.beside == 0


@given(anything("arguments", "x", "y", "box", "points", "picture"), anything(), anything("trace", "arguments"))
@settings(max_examples=examples(100), deadline=None)
def test_whatever_is_kept_can_be_shown(trace: Any, words: Any, candidates: Any) -> None:
    for value in (PICTURE, trace):
        found = kept(IMAGE, {"file": value, "words": words})
        assert kept(IMAGE, found) == found
        Seen(html_of(IMAGE, {**found, "trace": trace, "_candidates": candidates}))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("file", ["a.png"], "the name of a picture file is expected, not a list"),
        ("file", {"name": "a.png"}, "the name of a picture file is expected, not a mapping"),
        ("words", ["x"], "a text is expected, not a list"),
        ("file", "a.png", None),
        ("file", PICTURE, None),
        ("file", None, None),
    ],
)
def test_what_cannot_be_a_picture_is_refused_in_words(name: str, value: Any, words: str | None) -> None:
    assert IMAGE.mistake_in(name, value) == words
