"""What belongs to a dimension is on its page: what to check, kinds of failure, boundaries, worked examples."""

from pathlib import Path

import pytest

from assay.study import load
from assay.study.templates import copy_template
from assay.web.preview import Preview
from tests.straight_client import StraightClient


@pytest.fixture
def page(tmp_path: Path) -> str:
    """The first item of the in-car study, with other worked examples for its first score."""
    folder = tmp_path / "study"
    copy_template("in-car", folder)
    (folder / "guide" / "worked.md").write_text("A *worked* example <script>alert(1)</script>", "utf-8")
    file = folder / "study.yaml"
    named = "    examples: guide/instruction-examples.md\n"
    text = file.read_text("utf-8")
    assert named in text
    file.write_text(text.replace(named, "    examples: guide/worked.md\n"), "utf-8")
    (tmp_path / "store").mkdir()
    preview = Preview(folder, tmp_path / "store")
    html = StraightClient(preview).get("/preview/enter").text
    preview.shown.close()
    return html


def test_everything_that_helps_to_decide_stands_with_its_dimension(page: str, tmp_path: Path) -> None:
    study = load(tmp_path / "study")
    for dimension in study.scored_dimensions[:4]:
        start = page.index(f'id="q-{dimension.dimension}"')
        own = page[start : page.index("</fieldset>", start)].replace("&#39;", "'").replace("&#34;", '"')
        for words in [
            dimension.ask,
            *dimension.check,
            *dimension.not_a_failure,
            *dimension.failures.values(),
            *(line for lines in dimension.levels.values() for line in lines),
            *dimension.boundaries.values(),
        ]:
            assert words in own
        assert dimension.examples is not None
        assert ("<em>worked</em>" in own) == (dimension.examples.file == "guide/worked.md")
        assert ("Worked examples: " in own) == (dimension.examples.file != "guide/worked.md")
    assert "<script>alert" not in page


def test_the_dimensions_stand_in_the_order_of_the_file(page: str, tmp_path: Path) -> None:
    names = [dimension.dimension for dimension in load(tmp_path / "study").rubric if dimension.of == "item"]
    places = [page.index(f'id="q-{name}"') for name in names]
    assert places == sorted(places)


def test_every_level_of_a_scale_stands_in_full_behind_how_to_decide(tmp_path: Path) -> None:
    copy_template("trajectories", tmp_path / "study")
    (tmp_path / "store").mkdir()
    preview = Preview(tmp_path / "study", tmp_path / "store")
    html = StraightClient(preview).get("/preview/enter").text
    preview.shown.close()
    study = load(tmp_path / "study")
    guide = (tmp_path / "study" / "guide" / "criteria.md").read_text("utf-8")
    for dimension in study.rubric[:3]:
        start = html.index(f'id="q-{dimension.dimension}.left"')
        own = html[start : html.index("</fieldset>", start)]
        assert list(dimension.levels) == [1, 2, 3, 4, 5]
        for lines in dimension.levels.values():
            assert len(lines) >= 4
            for line in lines:
                assert f"<li>{line}</li>" in own
                assert f"- {line}\n" in guide, "the guide says the same"
        assert dimension.levels[5][-1].startswith("For example")
