"""A judge that sees pictures sees what an annotator sees: with the marks that the page draws over them."""

import base64
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import assay
from assay.displays.drawn_marks import FIRST, ON_MARK, SECOND, with_marks
from assay.displays.image import ImageDisplay
from assay.displays.image_marks import ImageMark
from assay.model import CANDIDATES
from tests.judging.conftest import Command, kept, write_judges, write_study
from tests.judging.model_server import ModelServer, model_server

STUDY = """\
study: pictures
title: Pictures
items:
  source: items.jsonl
  candidates:
    fields:
      - {system: one, show: {trace: trace_a}}
      - {system: two, show: {trace: trace_b}}
  show:
    - image: {field: picture, marks: trace}
    - pair: [{steps: {field: trace}}]
rubric:
  - dimension: better
    of: pair
    preference: {tie: Same}
"""
SIZE = (400, 300)
GREY = (120, 120, 120)
POINT, BOX, AWAY = {"x": 100, "y": 150}, {"box": [200, 60, 320, 240]}, {"x": 900, "y": 150}


def picture(size: tuple[int, int] = SIZE, mode: str = "RGB", format_: str = "PNG") -> bytes:
    written = io.BytesIO()
    Image.new(mode, size, GREY if mode == "RGB" else (0, 0, 0, 0)).save(written, format_)
    return written.getvalue()


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def drawn(*steps: dict[str, Any], candidates: Any = None, size: tuple[int, int] = SIZE) -> list[ImageMark]:
    shown = {"p": {"picture": "0" * 64, "width": size[0], "height": size[1]}}
    where: dict[str, Any] = {"trace": [{"arguments": each} for each in steps]} if steps else {}
    return ImageDisplay(field="p", marks="trace").marks_over({**shown, **where, **(candidates or {})})


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


def test_marks_have_the_colours_of_the_page() -> None:
    css = (Path(assay.__file__).parent / "displays" / "steps.css").read_text("utf-8")
    found = re.search(r":root \{ --mark-a: (#\w+); --mark-b: (#\w+); --on-mark: (#\w+); \}", css)
    assert found is not None
    assert found.groups() == (FIRST, SECOND, ON_MARK)


def test_points_boxes_and_what_lies_outside_are_drawn_where_the_steps_say() -> None:
    image = opened(with_marks(picture(), drawn(POINT, BOX, AWAY)))
    assert image.size == SIZE
    assert image.getpixel((100, 150)) == rgb(FIRST)
    assert image.getpixel((94, 150)) == image.getpixel((106, 150)) == rgb(ON_MARK), "a dot has a light border"
    for place in ((200, 150), (320, 150), (260, 60), (260, 240)):
        assert image.getpixel(place) == rgb(FIRST), "the edge of the box"
    assert image.getpixel((260, 150)) == GREY, "nothing is drawn inside of it"
    assert image.getpixel((390, 150)) == rgb(FIRST), "an arrow at the border"
    assert image.getpixel((380, 280)) == GREY


def test_labels_stand_beside_what_they_name_and_cover_no_other() -> None:
    many = drawn(*({"x": 200 + at, "y": 150} for at in range(4)))
    image = opened(with_marks(picture(), many))
    alone = opened(with_marks(picture(), drawn({"x": 200, "y": 150})))
    four, one = ({colour: n for n, colour in each.getcolors(10**6) or ()} for each in (image, alone))
    assert four[rgb(FIRST)] > 3 * one[rgb(FIRST)]


def test_the_second_candidate_has_squares_and_dashes_in_its_own_colour() -> None:
    two = {CANDIDATES: [{"trace": [{"arguments": POINT}]}, {"trace": [{"arguments": {"x": 300, "y": 80}}]}]}
    marks = drawn(candidates=two)
    assert [mark.name for mark in marks] == ["A1", "B1"]
    image = opened(with_marks(picture(), marks))
    assert image.getpixel((300, 80)) == rgb(SECOND)
    assert image.getpixel((304, 84)) == rgb(SECOND), "a square has corners"
    box = {CANDIDATES: [{"trace": []}, {"trace": [{"arguments": BOX}]}]}
    edge = opened(with_marks(picture(), drawn(candidates=box)))
    colours = {edge.getpixel((200, y)) for y in range(70, 230)}
    assert {rgb(SECOND), GREY} <= colours, "between the dashes one sees what lies below"


@pytest.mark.parametrize(("mode", "format_"), [("RGBA", "PNG"), ("RGB", "JPEG"), ("RGB", "PNG")])
def test_a_picture_keeps_its_format_and_what_is_clear_is_white(mode: str, format_: str) -> None:
    content = with_marks(picture(mode=mode, format_=format_), drawn(POINT))
    with Image.open(io.BytesIO(content)) as found:
        assert found.format == format_
    wanted = (255, 255, 255) if mode == "RGBA" else GREY
    corner = opened(content).getpixel((399, 299))
    assert isinstance(corner, tuple)
    assert all(abs(one - other) < 4 for one, other in zip(corner, wanted, strict=True))


def test_on_a_large_picture_marks_grow_with_it() -> None:
    large = (4000, 3000)
    image = opened(with_marks(picture(large), drawn({"x": 2000, "y": 1500}, size=large)))
    assert image.getpixel((2020, 1500)) == rgb(FIRST)


def sent(server: ModelServer) -> list[Image.Image]:
    urls = [part["image_url"]["url"] for body in server.requests for part in body["messages"][1]["content"][1:2]]
    return [opened(base64.b64decode(url.partition("base64,")[2])) for url in urls]


def test_a_server_receives_the_picture_with_the_marks_on_the_side_on_which_each_candidate_stands(
    tmp_path: Path, run: Command
) -> None:
    folder = write_study(tmp_path / "study", 0, STUDY)
    (folder / "images").mkdir()
    (folder / "images" / "a.png").write_bytes(picture())
    places = {"one": POINT, "two": {"x": 300, "y": 80}}
    traces = [[{"operation": "LOOK", "arguments": at}] for at in places.values()]
    row = {"id": "i1", "picture": "images/a.png", "one": "x", "two": "y", "trace_a": traces[0], "trace_b": traces[1]}
    (folder / "items.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    done = run("import", folder)
    assert done.code == 0, done.err
    with model_server() as server:
        write_judges(folder, f"{{judge: robot, openai: {{address: '{server.address}', model: m}}}}")
        assert run("judge", folder, "--json").json["judged"] == 2
    colours = [(each.getpixel((100, 150)), each.getpixel((300, 80))) for each in sent(server)]
    assert sorted(colours) == sorted([(rgb(FIRST), rgb(SECOND)), (rgb(SECOND), rgb(FIRST))]), "in both orders"
    hashes = {re.search(r"sha256:(\w+)", json.dumps(each["request"]))[1] for each in kept(folder)}  # type: ignore[index]
    assert len(hashes) == 2, "what is drawn is part of what is asked"
    said = run("judge", folder, "--show", "i1").out
    assert "each with the number of its step" in said
    assert "B1 is step 1 of" in said
