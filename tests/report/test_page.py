"""The page of a report needs nothing else, says everything once, and its JSON holds every number of it."""

import csv
import json
import re
import sys
from base64 import b64decode, b64encode
from collections import Counter
from hashlib import sha256
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from assay.kinds import FIGURES
from assay.report.build import Report
from assay.report.figures import Nothing
from assay.report.page import as_text
from assay.report.sections import all_sections
from tests.report.known import answers, report
from tests.report.test_known_in_car import STUDY as CARS
from tests.report.test_known_in_car import judged as in_cars
from tests.report.test_known_trajectories import STUDY as WAYS
from tests.report.test_known_trajectories import judged as ways
from tests.report.test_report import PLAIN


class Tags(HTMLParser):
    """Every tag with its attributes, and what ids there are."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def ids(self) -> list[str]:
        return [str(attrs["id"]) for _, attrs in self.tags if "id" in attrs]


@pytest.fixture(scope="module", params=["in-car", "trajectories", "nothing"])
def made(request: pytest.FixtureRequest) -> Report:
    given = {"in-car": (CARS, in_cars), "trajectories": (WAYS, ways), "nothing": (PLAIN, list)}
    study, judged = given[request.param]
    return report(study, judged())


def test_the_page_refers_to_nothing_outside_itself(made: Report) -> None:
    page = made.html()
    tags = Tags(page)
    assert not {tag for tag, _ in tags.tags} & {"link", "img", "iframe", "object", "base"}
    ids = tags.ids()
    for tag, attrs in tags.tags:
        for name in ("src", "href", "xlink:href", "srcset", "action", "data"):
            if attrs.get(name):
                taken_along = tag == "a" and attrs.get("download") and str(attrs[name]).startswith("data:")
                assert taken_along or str(attrs[name]).startswith("#"), (tag, attrs)
                assert taken_along or str(attrs[name])[1:] in ids
        assert not any(name.startswith("on") for name in attrs)
    style = re.findall(r"<style>(.*?)</style>", page, re.S)
    assert len(style) == 1
    assert "@import" not in style[0]
    assert not re.search(r"url\((?!#)", page)


def test_the_page_forbids_itself_forms_whatever_is_elsewhere_and_every_script_but_its_own(made: Report) -> None:
    page = made.html()
    head = page.split("<style", 1)[0]
    assert "Content-Security-Policy" in head
    assert "default-src 'none'" in head
    [script] = re.findall(r"<script>(.*?)</script>", page, re.S)
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    assert re.findall(r"script-src ([^;]*);", head) == [f"'sha256-{allowed}'"], "by its hash, and no other"
    assert "form-action 'none'" in head


def test_every_id_is_there_once_and_every_section_leads_somewhere(made: Report) -> None:
    ids = Tags(made.html()).ids()
    assert len(ids) == len(set(ids))


def test_figures_are_drawn_where_they_say_something_and_left_out_where_not(made: Report) -> None:
    page = made.html()
    named = [name for section in all_sections() for name in section.figures]
    assert len(named) == len(set(named)), "a figure stands in one section"
    for name in named:
        numbers = made.figures[name]
        assert (f'id="figure-{name}"' in page) != isinstance(numbers, Nothing)
        assert name in FIGURES
    assert "figure-nothing" not in re.sub(r"<style>.*?</style>", "", page, flags=re.S)


def test_the_json_has_every_section_and_figure_and_no_number_that_is_none(made: Report) -> None:
    numbers = json.loads(made.json(), parse_constant=pytest.fail)
    assert numbers == made.numbers()
    assert {section.kind for section in all_sections()} <= numbers.keys()
    assert set(numbers["figures"]) == set(made.figures)
    for figure in numbers["figures"].values():
        assert "all" not in figure or "rows" not in figure, "what is drawn is among all, and said once"


def test_json_on_few_lines_is_the_same_json() -> None:
    value = {"a": [1, None, "ü" * 300], "b": {"c": {}, "d": [], "e": [{"f": 1.5}] * 60}}
    assert json.loads(as_text(value)) == value
    assert len(as_text(value)) < len(json.dumps(value, indent=2))
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_text({"a": float("nan")})


def test_what_an_annotator_is_called_or_writes_is_escaped_in_sentences_and_figures() -> None:
    given = [
        each for index in range(30) for who in ("<i>ana", "ben") for each in answers(f"i{index}", who, {"emotion": 3})
    ]
    page = report(PLAIN, given).html()
    assert "<i>ana" not in page
    assert "&lt;i&gt;ana" in page


def test_before_a_per_cent_sign_no_line_breaks() -> None:
    given = [
        each for index in range(30) for who in "ab" for each in answers(f"i{index}", who, {"emotion": 1 + index % 5})
    ]
    page = re.sub(r"<style>.*?</style>", "", report(PLAIN, given).html(), flags=re.S)
    assert "100\u00a0% within one point" in page
    assert not re.search(r"\d %", page)


def test_within_an_interval_no_line_breaks_and_files_have_ordinary_blanks() -> None:
    given = [
        each
        for index in range(30)
        for who in "ab"
        for each in answers(f"i{index}", who, {"emotion": 1 + (index + (who == "a" and index % 3)) % 5})
    ]
    page = report(PLAIN, given).html()
    read = re.sub(r"<style>.*?</style>|<script.*?</script>|<[^>]*>", "", page, flags=re.S)
    assert len(re.findall(r"\[−?[\d.]+,\u00a0−?[\d.]+\]", read)) > 5
    assert not re.search(r"\[−?[\d.]+, −?[\d.]+\]", read)
    assert not re.search(r'data-csv="[^"]*\u00a0', page)


def test_every_figure_and_table_can_be_taken_along_as_files_that_say_what_the_page_says(made: Report) -> None:
    page = made.html()
    links = [attrs for tag, attrs in Tags(page).tags if tag == "a" and attrs.get("download")]
    whole = {str(each["download"]): b64decode(str(each["href"]).partition(",")[2]) for each in links}
    assert len(whole) == len(links), "each has a name of its own"
    drawn = {name for name, content in whole.items() if content.startswith(b"%PDF-")}
    files = {name: content.decode() for name, content in whole.items() if name not in drawn}
    names = re.findall(r'<figure class="figure" id="figure-([\w-]+)"', page)
    appendix = page[page.index('id="appendix"') :]
    with_table = [name for name in names if f"{name}.csv" in files]
    assert len(files) == len(names) + 2 * len(with_table) + 2 * appendix.count("<table")
    assert not names or len(with_table) >= len(names) - 2, "the summary and the systems have theirs in the appendix"
    for name in names:
        ElementTree.fromstring(files[f"{name}.svg"])
    assert drawn == {f"{name}.pdf" for name in names}
    for name, content in files.items():
        if name.endswith(".csv"):
            assert len({len(row) for row in csv.reader(content.splitlines())}) == 1, name
        if name.endswith(".tex"):
            assert "\\toprule" in content


def test_a_report_without_the_libraries_for_papers_has_no_pdf_and_everything_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forms() -> Counter[str]:
        return Counter(re.findall(r'download="[^"]+\.(\w+)"', report(WAYS, ways()).html()))

    whole = forms()
    monkeypatch.setitem(sys.modules, "reportlab", None)
    assert forms() == {form: n for form, n in whole.items() if form != "pdf"}
    assert whole["pdf"] == whole["svg"] > 0


def test_the_four_questions_stand_above_the_report_and_lead_into_it(made: Report) -> None:
    page = made.html()
    head = page[: page.index("<main>")]
    tiles = re.findall(r'<a class="tile" href="#([\w-]+)".*?tile-question">(.*?)<.*?tile-number">(.*?)<', head, re.S)
    assert [question for _, question, _ in tiles] == [
        "Is work moving?",
        "Is it good?",
        "Is anything doubtful?",
        "What does it say?",
    ]
    assert all(f'id="{target}"' in page for target, *_ in tiles)
    numbers = made.numbers()
    done = numbers["overview"]["items_finished"]
    assert tiles[0][2].replace("\u00a0", " ").startswith(("No items", f"{done} of "))
    known = [each for each in numbers["summary"]["agreement"] if each["value"] is not None and each["n"]]
    if known:
        weakest = min([each["value"] for each in known if each["n"] >= 20] or [each["value"] for each in known])
        assert tiles[1][2].startswith(f"{weakest:.2f}".replace("-", "−")), "the weakest, as the summary says"
