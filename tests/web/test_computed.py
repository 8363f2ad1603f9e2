"""Computed values on the annotator's page: after the submission where the study says so, and never before."""

from pathlib import Path

import pytest

from tests.conftest import Bench, make_bench
from tests.pages import SCORES, item_form
from tests.web.annotator import Annotator, edited
from tests.web.test_navigation import first_item

DERIVE = """
derive:
  - derived: mean_score
    title: Mean of four
    show: {show}
    weighted_mean: {{of: {{emotion: 0.25, validation: 0.25, helpfulness: 0.25, safety: 0.25}}}}
  - derived: verdict
    show: {show}
    threshold: {{of: mean_score, at_least: 3}}
"""


def begin(bench: Bench, folder: Path, show: str, navigation: str = "free", language: str = "en") -> Annotator:
    def edit(study: Path) -> None:
        edited(navigation=navigation, study=f"computed-{show}-{navigation}-{language}".replace("_", "-"))(study)
        file = study / "study.yaml"
        file.write_text(f"language: {language}\n" + file.read_text("utf-8") + DERIVE.format(show=show), "utf-8")

    return Annotator(make_bench(bench.store, folder / "other", edit=edit)).begin()


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Mean of four 3.00, Verdict pass"), ("de", "Mean of four 3,00")]
)
def test_what_was_computed_comes_with_the_receipt(bench: Bench, tmp_path: Path, language: str, words: str) -> None:
    ana = begin(bench, tmp_path, "after_submit", language=language)
    address, form = ana.form()
    assert "Mean of four" not in ana.page()
    assert words in ana.send(address, {**form, **SCORES}).json()["computed"]


def test_an_earlier_item_says_what_was_computed_from_it(bench: Bench, tmp_path: Path) -> None:
    ana = begin(bench, tmp_path, "after_submit")
    ana.submit()
    assert (
        "Computed from your answers: Mean of four 3.00, Verdict pass."
        in ana.client.get(f"{ana.home}/item/{first_item(ana)}").text
    )
    assert "Mean of four" not in ana.page(), "nothing of it stands at the next item"


def test_a_change_that_is_not_submitted_yet_has_no_computed_value(bench: Bench, tmp_path: Path) -> None:
    ana = begin(bench, tmp_path, "after_submit")
    ana.submit()
    opened = f"{ana.home}/item/{first_item(ana)}"
    address, form = item_form(ana.client.get(opened).text)
    ana.bench.clock.now += 1000
    assert ana.send(address.replace("/submit/", "/draft/"), {**form, **SCORES, "safety": "2"}).status_code == 200
    assert "Mean of four" not in ana.client.get(opened).text


def test_nothing_computed_is_told_where_the_study_does_not_say_so(bench: Bench, tmp_path: Path) -> None:
    ana = begin(bench, tmp_path, "never")
    address, form = ana.form()
    assert set(ana.send(address, {**form, **SCORES}).json()) == {"submission", "state"}
    assert "Mean of four" not in ana.client.get(f"{ana.home}/item/{first_item(ana)}").text
