"""What annotators read stands in the catalogues: whole in each language, used, and nowhere else."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from jinja2 import Environment, nodes
from tools.catalogue import whole_catalogue

import assay
from assay.errors import Conflict
from assay.inputs.preference import PreferenceInput
from assay.inputs.yes_no import YesNoInput
from assay.judgments import questionnaire_of
from assay.render import Renderer
from assay.store import open_store
from assay.study import Study
from assay.web import access
from assay.web.pages import Pages
from assay.web.static_files import scripts
from assay.words import ENGLISH, LANGUAGES, ON_THE_PAGE, Translatable, Words, add_words_of_kind, words_of
from tests.conftest import Bench, make_bench
from tests.pages import SCORES, enter, item_form, pass_gates, text_of
from tests.straight_client import StraightClient
from tests.study.small import SMALL, changed, loaded, said

SRC = Path(assay.__file__).parent
PAGES = SRC / "web" / "templates"
SCRIPTS = sorted([*(SRC / "web" / "static").glob("*.js"), *scripts().values()])
# The coordinator's pages are in English: those in the coordinator's frame, what they include, and the preview.
COORDINATOR = {path.name for path in PAGES.glob("*.html") if 'extends "coordinator.html"' in path.read_text("utf-8")}
COORDINATOR |= {
    "coordinator.html",
    "evidence.html",
    "last_kept.html",
    "stopped.html",
    "preview.html",
    "mistakes.html",
    "preview.js",
    "dashboard.js",
}
TEMPLATES = [path for path in sorted(PAGES.glob("*.html")) if path.name not in COORDINATOR]
TEMPLATES += sorted(path for folder in ("inputs", "displays", "gates") for path in (SRC / folder).glob("*.html"))
WORDS_OF_KINDS = sorted(path for path in SRC.rglob("*.toml") if path.parent.name != "words")
every_template = pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parent.name}/{path.name}")
every_language = pytest.mark.parametrize("language", LANGUAGES)

NAMES = {"Assay"}
"""Words that are the same in every language."""
READ = {"alt", "aria-label", "aria-description", "placeholder", "title"}
"""Attributes that people read."""


# The words themselves


SMALL_CATALOGUE = {
    "direction": "ltr",
    "singular": [0, 1],
    "page": {"hello": "Hello {name}", "items": {"one": "{n} item", "other": "{n} items"}},
}


def test_a_key_gives_its_text_with_its_gaps_filled() -> None:
    assert Words("xx", SMALL_CATALOGUE)("page.hello", name="Ana") == "Hello Ana"


def test_a_text_that_counts_follows_the_language() -> None:
    words = Words("xx", SMALL_CATALOGUE)
    assert [words("page.items", n=n) for n in (0, 1, 2)] == ["0 item", "1 item", "2 items"]


@pytest.mark.parametrize(
    ("key", "values"), [("page.nothing", {}), ("page.hello", {}), ("page.items", {}), ("page", {})]
)
def test_a_key_that_is_not_there_and_a_gap_that_is_not_filled_are_mistakes(key: str, values: dict[str, Any]) -> None:
    with pytest.raises(KeyError):
        Words("xx", SMALL_CATALOGUE)(key, **values)


def test_an_error_is_english_to_the_command_line_and_in_the_readers_language_on_a_page() -> None:
    error = Conflict(Translatable("errors.submitted"))
    assert str(error) == "This item is already submitted."
    assert words_of("de").say(error.words) == "Diese Aufgabe ist bereits abgesendet."
    assert words_of("de").say("Somebody's own words.") == "Somebody's own words."


# The catalogues


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@every_language
def test_every_language_has_the_same_keys_with_the_same_gaps(language: str) -> None:
    theirs, ours = words_of(language).texts, ENGLISH.texts
    assert list(theirs) == list(ours), "the same keys, in the same order"
    assert {key: gaps(text) for key, text in theirs.items()} == {key: gaps(text) for key, text in ours.items()}


def texts_in(tables: dict[str, Any]) -> dict[str, str]:
    return Words("xx", {"direction": "ltr", "singular": [1], **tables}).texts


@every_language
@pytest.mark.parametrize("file", WORDS_OF_KINDS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_kind_says_its_texts_in_every_language(file: Path, language: str) -> None:
    tables = tomllib.loads(file.read_text("utf-8"))
    catalogue = texts_in(tomllib.loads((SRC / "words" / f"{language}.toml").read_text("utf-8")))
    assert set(texts_in(tables["en"])) <= {*texts_in(tables.get(language, {})), *catalogue}


def test_what_a_kind_lacks_in_a_language_is_said_in_english_and_a_catalogue_is_taken_first(tmp_path: Path) -> None:
    file = tmp_path / "slider.toml"
    file.write_text(
        '[en.slider]\nmove = "Move it."\nleft = "left"\n[de.slider]\nmove = "Bewegen."\n[en.menu]\nguide = "x"\n'
    )
    add_words_of_kind(file)
    try:
        assert (ENGLISH("slider.move"), words_of("de")("slider.move")) == ("Move it.", "Bewegen.")
        assert words_of("de")("slider.left") == "left"
        assert ENGLISH("menu.guide") == "Guidelines"
    finally:
        for language in LANGUAGES:
            for key in ("slider.move", "slider.left"):
                del words_of(language).texts[key]


def test_a_new_language_starts_from_the_whole_english_catalogue() -> None:
    assert texts_in(tomllib.loads(whole_catalogue(ENGLISH))) == ENGLISH.texts
    assert "picture.zoom" in ENGLISH.texts


@every_language
def test_every_text_says_something_and_says_it_cleanly(language: str) -> None:
    words = words_of(language)
    assert words.direction in ("ltr", "rtl")
    odd = [key for key, text in words.texts.items() if not text or text != text.strip() or "  " in text or "<" in text]
    assert odd == []


@every_language
def test_a_text_that_counts_has_both_forms(language: str) -> None:
    texts = words_of(language).texts
    forms = {key.removesuffix(".one").removesuffix(".other") for key in texts if key.endswith((".one", ".other"))}
    assert all({f"{key}.one", f"{key}.other"} <= set(texts) for key in forms)


# Keys in use


def in_templates(path: Path) -> Iterator[str]:
    """Every key that a template uses. It must be written out, so that it can be found."""
    for call in Environment().parse(path.read_text("utf-8")).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "t":
            first = call.args[0]
            given = [first.expr1, first.expr2] if isinstance(first, nodes.CondExpr) else [first]
            assert all(isinstance(each, nodes.Const) for each in given), f"{path.name}:{call.lineno}"
            yield from (each.value for each in given)  # type: ignore[union-attr]


def in_python(path: Path) -> Iterator[str]:
    """Every key that a module uses: in what is said by an error, or asked of words."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name in ("Translatable", "words", "ENGLISH") and node.args:
                assert isinstance(node.args[0], ast.Constant), f"{path.name}:{node.lineno}"
                yield node.args[0].value


def in_script(path: Path) -> Iterator[str]:
    """Every key that a script uses."""
    text = re.sub(r"/\*.*?\*/|//.*", "", path.read_text("utf-8"), flags=re.S if path.name == "words.js" else re.M)
    if path.name != "words.js":
        for found in re.finditer(r"(?<![\w.])t\(\s*(?:\"([\w.]+)\"|)", text):
            assert found[1], f"{path.name}: t() of something that is not written out"
            yield found[1]


@cache
def used() -> dict[str, set[str]]:
    """Every key in use, by the file that uses it."""
    found = {str(path.relative_to(SRC)): set(in_templates(path)) for path in [*TEMPLATES, PAGES / "base.html"]}
    modules = [path for path in SRC.rglob("*.py") if path.parent.name != "words"]
    found |= {str(path.relative_to(SRC)): set(in_python(path)) for path in modules}
    return found | {str(path.relative_to(SRC)): set(in_script(path)) for path in SCRIPTS}


def test_every_key_in_use_has_a_text() -> None:
    known = {key.removesuffix(".one").removesuffix(".other") for key in ENGLISH.texts}
    assert {file: keys - known for file, keys in used().items() if keys - known} == {}


def test_every_key_that_scripts_use_comes_with_the_page() -> None:
    questionnaire_of = {key.split(".")[0] for path in SCRIPTS for key in in_script(path)}
    assert questionnaire_of <= set(ON_THE_PAGE)


def test_every_text_is_in_use() -> None:
    known = {key.removesuffix(".one").removesuffix(".other") for key in ENGLISH.texts}
    assert known - {key for keys in used().values() for key in keys} == set()


def test_the_checks_see_keys_where_they_are_used() -> None:
    found = used()
    assert "landing.begin" in found["web/templates/landing.html"]
    assert "content.right" in found["displays/pair.html"]
    assert "errors.submitted" in found["store/annotator/submissions.py"]
    assert "consent.heading" in found["gates/consent.py"]


# No words beside them


class Read(HTMLParser):
    """What a person would read of a page: texts and attributes, keys on the keyboard left out."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.found: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.inside.append(tag)
        self.found += [value for name, value in attributes if name in READ and value]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            while self.inside.pop() != tag:
                pass

    def handle_data(self, text: str) -> None:
        key = "kbd" in self.inside and len(text.strip()) == 1
        if not key and not {"script", "style"} & set(self.inside):
            self.found.append(text)


def literal_words(source: str) -> list[str]:
    """Words that a template says by itself: between its tags, in attributes, or as texts in its expressions."""
    source = re.sub(r"{% block body_class %}.*?{% endblock %}", "", source)
    environment = Environment()
    page, expressions, expression = "", [], ""
    for _, kind, text in environment.lex(source):
        if kind == "data":
            page += text
        elif kind == "variable_begin":
            expression = "{{"
        elif kind == "variable_end":
            page += f"\x00{len(expressions)}\x00"
            expressions.append(expression + "}}")
            expression = ""
        elif expression:
            expression += text
    found = []
    for text in Read(page).found:
        plain = re.sub(r"\x00\d+\x00", " ", text)
        found += [word for word in re.findall(r"[^\W\d_]{2,}", plain) if word not in NAMES]
        for number in re.findall(r"\x00(\d+)\x00", text):
            found += _said_by(environment.parse(expressions[int(number)]))
    return found


def _said_by(node: nodes.Node) -> list[str]:
    """Texts with letters in an expression; those that are handed to a function are its business."""
    if isinstance(node, nodes.Const):
        return re.findall(r"[^\W\d_]{2,}", node.value) if isinstance(node.value, str) else []
    own = isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name)
    compared = isinstance(node, nodes.Compare | nodes.Getitem | nodes.Test)
    return [] if own or compared else [word for child in node.iter_child_nodes() for word in _said_by(child)]


@every_template
def test_a_template_says_nothing_by_itself(path: Path) -> None:
    assert literal_words(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("<p>Some words</p>", ["Some", "words"]),
        ("{% if x %}Some{% endif %} {{ y }}", ["Some"]),
        ('<img alt="A picture">', ["picture"]),
        ('<a class="big" aria-label="{{ label or "Table" }}">', ["Table"]),
        ('{{ "Open" if x else t("landing.open") }}', ["Open"]),
        ('{{ name.replace("-", " or ") }}', ["or"]),
        ("<kbd>Enter</kbd> <kbd>G</kbd>", ["Enter"]),
        ('<p class="a {{ "one" if x }}" id="words">{{ t("landing.open", n=1) }}: {{ a }}</p>{# a comment #}', []),
        ("<script>let a = 1;</script>{{ x if y == 'partly' else t('a.b') }}", []),
    ],
)
def test_the_check_sees_words_that_stand_in_a_template(source: str, words: list[str]) -> None:
    assert literal_words(source) == words


KEYS = {"ArrowDown", "ArrowUp", "Backspace", "Delete", "Digit", "End", "Enter", "Escape", "Home", "PageDown", "PageUp"}
KEYS |= {"Tab"}
"""What browsers call keys."""


def words_in_script(source: str) -> list[str]:
    """Texts in a script that look as if they were for people: they begin like a sentence, or have several words."""
    code = re.sub(r"/\*.*?\*/", "", source, flags=re.S)
    code = re.sub(r"""(?<![:"'`])//.*""", "", code)
    texts = [found[2] for found in re.finditer(r"""(["'`])((?:\\.|(?!\1).)*)\1""", code)]
    return [text for text in texts if re.match(r"[A-Z][a-z]+|.*[a-z]+ [a-z]+ [a-z]", text) and text not in KEYS]


@pytest.mark.parametrize("path", [path for path in SCRIPTS if path.name not in COORDINATOR], ids=lambda path: path.name)
def test_a_script_says_nothing_by_itself(path: Path) -> None:
    assert words_in_script(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("""say("Saved"); // A comment\n/** Another */""", ["Saved"]),
        ("say(`Turn ${at} of ${all}`)", ["Turn ${at} of ${all}"]),
        ("say('not saved yet')", ["not saved yet"]),
        ("""t("status.saved"); if (event.key === "Enter") go("https://x/y", "#id .class")""", []),
    ],
)
def test_the_check_sees_words_that_stand_in_a_script(source: str, words: list[str]) -> None:
    assert words_in_script(source) == words


# In templates


def test_a_text_is_escaped_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        '<p title="{{ t("page.hello", name=name) }}">{{ t("page.hello", name=name) }}</p>'
    )
    html = Renderer(tmp_path, Words("xx", SMALL_CATALOGUE)).html("page.html", name='<b a="1">')
    assert html == '<p title="Hello &lt;b a=&#34;1&#34;&gt;">Hello &lt;b a=&#34;1&#34;&gt;</p>'


def test_the_words_of_scripts_are_whole_and_cannot_end_their_element(tmp_path: Path) -> None:
    catalogue = {**SMALL_CATALOGUE, "script": {"odd": "</script><b>", "count": {"one": "{n}", "other": "{n}s"}}}
    html = Pages(Words("xx", catalogue)).html("words.html")
    [content] = re.findall(r'<script type="application/json" id="words">(.*?)</script>', html, re.S)
    texts = {"script.odd": "</script><b>", "script.count.one": "{n}", "script.count.other": "{n}s"}
    assert json.loads(content) == {"singular": [0, 1], "texts": texts}


def test_the_direction_comes_from_the_catalogue(sqlite_bench: Bench) -> None:
    rtl = Pages(Words("ar", {**ENGLISH_TABLES, "direction": "rtl", "singular": [1]}))
    assert '<html lang="ar" dir="rtl"' in rtl.message(200, "x", "y").body.decode()


ENGLISH_TABLES: dict[str, Any] = {}
for key, text in ENGLISH.texts.items():
    place = ENGLISH_TABLES
    *tables, last = key.split(".")
    for table in tables:
        place = place.setdefault(table, {})
    place[last] = text


# A study in another language


def test_a_study_that_names_no_language_is_english_and_keeps_its_version(tmp_path: Path) -> None:
    study = loaded(tmp_path / "a")
    assert (study.language, "language" in study.document()) == ("en", False)
    named = loaded(tmp_path / "b", "language: de\n" + SMALL)
    assert (named.language, named.hash == study.hash) == ("de", False)


def test_a_language_without_a_catalogue_is_refused(tmp_path: Path) -> None:
    assert said(tmp_path, "language: tlh\n" + SMALL) == [("1:1", '"tlh" is not known here')]


def test_labels_that_the_study_leaves_out_are_in_its_language_and_values_are_not() -> None:
    german = words_of("de")
    for question, labels in ((YesNoInput(), ["Nein", "Ja"]), (PreferenceInput(), ["Links", "Gleich gut", "Rechts"])):
        assert [choice.label for choice in question.choices((), german)] == labels
        assert [choice.value for choice in question.choices((), german)] == list(question.values())
    assert [choice.label for choice in YesNoInput(yes="Done", no="Open").choices((), german)] == ["Open", "Done"]
    assert [choice.value for choice in PreferenceInput(tie=None).choices((), german)] == ["left", "right"]


def test_the_sides_of_a_pair_are_named_in_the_studys_language(tmp_path: Path) -> None:
    assert loaded(tmp_path, "language: de\n" + SMALL).sides == ("Links", "Rechts")


def test_what_a_rule_says_by_itself_is_in_the_studys_language(tmp_path: Path) -> None:
    def messages(study: Study) -> list[str]:
        return [rule.message for rule in questionnaire_of(study, {"response": "x"}).rules]

    german = "language: de\n" + SMALL
    assert messages(loaded(tmp_path / "a", german)) == ["Bitte beantworten Sie diese Frage."]
    own = "language: de\n" + changed("    when: warmth", "    message: Why?\n    when: warmth")
    assert messages(loaded(tmp_path / "b", own)) == ["Why?"]


@pytest.fixture
def german(tmp_path: Path) -> Iterator[Bench]:
    """A German study: the program speaks German, its texts are what its author wrote."""

    def in_german(folder: Path) -> None:
        file = folder / "study.yaml"
        file.write_text("language: de\n" + file.read_text("utf-8"), "utf-8")

    store = open_store(tmp_path / "assay.db")
    yield make_bench(store, tmp_path / "study", edit=in_german)
    store.close()


def is_german(page: str) -> bool:
    return '<html lang="de" dir="ltr"' in page


def test_every_page_on_the_way_is_in_the_studys_language(german: Bench) -> None:
    client, link = german.client(), german.link()
    landing = client.get(link).text
    assert is_german(landing)
    assert "Vielen Dank für Ihre Hilfe." in text_of(landing)
    gate = enter(client, link).text
    assert is_german(gate)
    assert "Ich bin einverstanden und möchte teilnehmen" in text_of(gate)
    assert "Bevor Sie beginnen" in text_of(gate)
    item = pass_gates(client, german.study)
    assert is_german(item)
    assert "Absenden" in text_of(item)
    assert "freiwillig" in text_of(item)
    for name in ("guide", "support"):
        assert is_german(client.get(f"/judge/{german.study.study}/{name}").text)


def test_a_gate_that_is_not_passed_says_so_in_the_studys_language(german: Bench) -> None:
    client = german.client()
    page = enter(client, german.link()).text
    version = re.search(r'name="version" value="(\w+)"', page)
    csrf = re.search(r'name="csrf" value="([^"]+)"', page)
    assert version
    assert csrf
    answer = client.post(f"/judge/{german.study.study}/gate", data={"version": version[1], "csrf": csrf[1]})
    assert answer.status_code == 422
    assert "Bitte bestätigen Sie jeden Teil" in answer.text


JSON = {"accept": "application/json"}


def test_refusals_are_in_the_studys_language(german: Bench) -> None:
    client = german.client()
    enter(client, german.link())
    address, hidden = item_form(pass_gates(client, german.study))
    home = f"/judge/{german.study.study}"
    reasons = client.post(address, data={**hidden, **SCORES, "overall": "9"}, headers=JSON).json()["reasons"]
    assert reasons == {"overall": "Bitte wählen Sie eine ganze Zahl von 1 bis 5."}
    missing = client.post(address, data=hidden)
    assert missing.status_code == 422
    assert is_german(missing.text)
    assert "Bitte beantworten Sie diese Frage." in missing.text
    old = client.post(address, data={**hidden, "csrf": "x"}, headers=JSON)
    assert (old.status_code, old.json()["error"][:24]) == (403, "Die Seite war zu alt. Bi")
    lost = client.post(f"{home}/submit/nothing", data={**hidden, **SCORES})
    assert (lost.status_code, is_german(lost.text)) == (404, True)
    assert "Diese Aufgabe gibt es für Sie nicht." in lost.text
    assert client.post(address, data={**hidden, **SCORES}).status_code == 200
    twice = client.post(address, data={**hidden, **SCORES, "overall": "1"}, headers=JSON)
    assert (twice.status_code, "bereits" in twice.json()["error"]) == (409, True)


def test_who_is_not_known_is_told_so_in_the_studys_language_and_in_english_where_there_is_no_study(
    german: Bench,
) -> None:
    home = f"/judge/{german.study.study}"
    assert "Ihren persönlichen Link" in german.client().get(home).text
    assert "your personal link" in german.client().get("/judge/another").text
    assert "your personal link" in german.client().get(f"/coordinate/{german.study.study}").text
    assert "does not lead anywhere" in german.client().get("/join/nowhere").text
    assert "Diese Adresse kann das nicht beantworten." in german.client().put(home).text


def test_a_failure_is_told_in_the_studys_language(german: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(access, "session_of", fail)
    client = StraightClient(german.app, base_url="http://testserver", raise_server_exceptions=False)
    client.cookies.set(f"assay-annotator-{german.study.study}", "x")
    answer = client.get(f"/judge/{german.study.study}")
    assert (answer.status_code, is_german(answer.text)) == (500, True)
    assert "Hier ist etwas schiefgegangen." in answer.text


def test_the_coordinators_pages_stay_english(german: Bench) -> None:
    client, link = german.client(), german.coordinator_link()
    assert "This link opens the coordinator" in client.get(link).text
    page = enter(client, link)
    assert '<html lang="en" dir="ltr"' in page.text


def test_two_studies_in_one_store_speak_their_own_languages(german: Bench, tmp_path: Path) -> None:
    def renamed(folder: Path) -> None:
        file = folder / "study.yaml"
        file.write_text(re.sub(r"(?m)^study: .*", "study: english", file.read_text("utf-8")), "utf-8")

    english = make_bench(german.store, tmp_path / "english", edit=renamed)
    for bench, lang in ((german, "de"), (english, "en"), (german, "de")):
        client = bench.client()
        enter(client, bench.link(f"ana-{lang}"))
        assert f'<html lang="{lang}"' in pass_gates(client, bench.study)
