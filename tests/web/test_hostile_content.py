"""Whatever stands in a study or an item is shown as text."""

import json
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from assay.store import Backend, open_store
from assay.web.static_files import judging_scripts
from tests.conftest import Bench, make_bench
from tests.pages import SCORES
from tests.web.annotator import Annotator, read_csv, write_csv
from tests.web.test_headers import Page

TEXTS = {
    "script": "<script>alert(1)</script>",
    "closing tags": "</div></form></main><h1>owned</h1><!--",
    "quotes": '"\' onmouseover="alert(1)" x=\'',
    "entities": "&lt;b&gt; &amp;amp; &#60;script&#62;",
    "template": "{{ 7 * 7 }} {% raw %} {# no #} ${7*7} #{7*7}",
    "right to left": "שלום, זה מבחן (1). ‮txet desrever‬ العربية",
    "emoji": "👩🏽‍🚀 family 👨‍👩‍👧‍👦 flag 🇪🇺 e\u0301",
    "spaces": "one  two\n\n   three\ttab\u00a0nbsp\u3000wide",
    "long": " ".join(f"word{number}" for number in range(3000)),
    "one word": "x" * 300,
    "chinese": "我很难过" * 200,
    "markdown": "# no heading\n\n[link](javascript:alert(1)) <b>b</b> `code`",
    "svg": '<svg/onload=alert(1)><img src=x onerror="alert(1)">',
}


class Prose(HTMLParser):
    """The texts of an item, as a browser would read them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not self.inside, "nothing inside a text is a tag"
        if ("class", "prose") in attrs:
            self.inside = True
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[-1] += data


def with_item(statement: str, response: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        row = read_csv(folder / "items.csv")[0]
        write_csv(folder / "items.csv", [{**row, "user_statement": statement, "response": response}])

    return edit


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[Backend]:
    opened = open_store(tmp_path / "assay.db")
    yield opened
    opened.close()


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_an_item_is_shown_as_the_text_it_is(sqlite_store: Backend, tmp_path: Path, text: str) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", edit=with_item(text, "before " + text))
    page = Annotator(bench).begin().page()
    assert Prose(page).texts == [text, "before " + text]
    assert Page(page).inline == []


def test_an_empty_reply_is_said_to_be_empty(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", edit=with_item("Hello?", " \n"))
    ana = Annotator(bench).begin()
    assert Prose(ana.page()).texts == ["Hello?"]
    assert "(This text is empty.)" in ana.page()
    assert ana.submit().status_code == 422, "an empty reply gets 1 throughout"
    assert ana.submit(dict.fromkeys(SCORES, "1") | {"note": "nothing there"}).status_code == 200


HOSTILE = "<script>alert('x')</script>\" onfocus=\"alert(1)\" '</script><!-- {{ 7 * 7 }}"


def hostile_study(folder: Path) -> None:
    """Everything that a study says, said by somebody who means harm."""
    said = json.dumps(HOSTILE)
    (folder / "study.yaml").write_text(
        f"""
study: hostile
title: {said}
items:
  source: items.csv
  join: mapping.json
  id: eval_id
  system: model_tag
  group: sample_id
  show: [text: {{field: response, label: {said}}}]
rubric:
  - dimension: one
    title: {said}
    ask: {said}
    scale: {{from: 1, to: 2, anchors: {{1: {said}}}}}
    boundaries: {{1-2: {said}}}
  - dimension: two
    optional: true
    tags: {{a: {said}}}
  - dimension: three
    optional: true
    text: {{phrases: [{said}]}}
rules: [{{required: three, when: one == 1, message: {said}}}]
gates: [consent: guide/consent.md, reading: [guide/rubric.md]]
support: guide/consent.md
""",
        "utf-8",
    )
    text = (
        f"# {HOSTILE}\n\n<img src=x onerror=alert(1)> [click](javascript:alert(1)) ![x](https://evil.example/x.png)\n"
    )
    for name in ("consent", "rubric"):
        (folder / "guide" / f"{name}.md").write_text(text, "utf-8")


@pytest.fixture
def hostile(sqlite_store: Backend, tmp_path: Path) -> Bench:
    return make_bench(sqlite_store, tmp_path / "study", edit=hostile_study)


def test_a_hostile_study_is_shown_as_text_on_every_page(hostile: Bench) -> None:
    client = hostile.client()
    seen = []
    client.event_hooks = {"response": [lambda response: seen.append(response.read().decode())]}
    ana = Annotator(hostile, client=client).begin()
    refused = ana.submit({"one": "1"})
    assert refused.status_code == 422
    for page in ("guide", "support"):
        client.get(f"{ana.home}/{page}")
    seen += [hostile.client().get(hostile.coordinator_link()).text]
    assert len(seen) > 8
    for page in seen:
        found = Page(page)
        assert found.inline == []
        assert not [address for address in found.addresses if not address.startswith(("/", "#"))]
        own = 2 + len(judging_scripts())
        assert found.tags.count("script") in (0, 1, own), "the page's own, its rules, its words"
        assert "img" not in found.tags
    assert "&lt;script&gt;alert(" in refused.text


def test_the_rules_of_a_hostile_study_reach_the_page_whole(hostile: Bench) -> None:
    page = Annotator(hostile).begin().page()
    rules = json.loads(page.split('id="rules">')[1].split("</script>")[0])
    assert [rule["message"] for rule in rules] == [HOSTILE]


def test_a_hostile_study_can_be_judged(hostile: Bench) -> None:
    ana = Annotator(hostile, "<b>ana</b>").begin()
    assert ana.submit({"one": "2", "three": HOSTILE}).status_code == 200
