"""The contract of every kind. A new kind is one new file; by existing it is tested here."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any, Literal, get_origin

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.assignment import OpenItem, Order
from assay.displays import WALK, Display
from assay.displays.formatted_text import Wording
from assay.errors import AnswerError, ItemMistakes
from assay.gates import Gate, QuestionGate
from assay.inputs import Input
from assay.items import Mistakes
from assay.kinds import DISPLAYS, EXPORTS, FAMILIES, GATES, INPUTS, MONITORS, ORDERS, SOURCES, Family
from assay.model import CANDIDATES, SIDES, Value
from assay.quality import MonitorData, find_flags
from assay.render import Renderer
from assay.study import load
from assay.study.schema import _shown_type, gate_types
from assay.study.templates import HERE
from assay.web.static_files import FOLDER as STATIC
from assay.web.static_files import scripts
from assay.words import ENGLISH
from tests.items.files import items_of, written
from tests.study.small import changed, folder_with

HOSTILE = """<script>alert(1)</script><b a="'>&amp;"""
HOSTILE_MARKDOWN = "<script>alert(1)</script>\n\n[x](javascript:alert(1))\n\n<img src=x onerror=alert(1)>\n"
KINDS = [(family, name) for family, kinds in FAMILIES.items() for name in kinds]

every_input = pytest.mark.parametrize("kind", INPUTS.values(), ids=list(INPUTS))
every_display = pytest.mark.parametrize("kind", DISPLAYS.values(), ids=list(DISPLAYS))
form_gates = [kind for kind in GATES.values() if not kind.has_items]
every_gate = pytest.mark.parametrize("kind", list(GATES.values()), ids=list(GATES))
every_form_gate = pytest.mark.parametrize("kind", form_gates, ids=[kind.kind for kind in form_gates])
text_gates = [kind for kind in form_gates if not issubclass(kind, QuestionGate)]
every_text_gate = pytest.mark.parametrize("kind", text_gates, ids=[kind.kind for kind in text_gates])
question_gates = [kind for kind in form_gates if issubclass(kind, QuestionGate)]
every_question_gate = pytest.mark.parametrize("kind", question_gates, ids=[kind.kind for kind in question_gates])
every_order = pytest.mark.parametrize("kind", ORDERS.values(), ids=list(ORDERS))
every_monitor = pytest.mark.parametrize("kind", MONITORS.values(), ids=list(MONITORS))
every_export = pytest.mark.parametrize("kind", EXPORTS.values(), ids=list(EXPORTS))
no_deadline = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def renderer(tmp_path: Path) -> Renderer:
    return Renderer(tmp_path)


def texts_of(part: Any) -> Iterator[str]:
    """Every text in some settings; keys are not texts."""
    if isinstance(part, str):
        yield part
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from texts_of(inner)


def with_hostile_texts(part: Any) -> Any:
    """The same settings with something hostile in every text."""
    if isinstance(part, dict):
        return {key: with_hostile_texts(value) for key, value in part.items()}
    if isinstance(part, list):
        return [with_hostile_texts(value) for value in part]
    return HOSTILE + part if isinstance(part, str) else part


def built(kind: Any, written: Any, folder: Path | None = None) -> Any:
    """A kind from its settings, read as from a study file."""
    return kind.model_validate_json(json.dumps(written), context={"folder": folder} if folder else None)


class Page(HTMLParser):
    """What a browser makes of a piece of page: its tags, its text, and what its form would send."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.sent: dict[str, list[str]] = {}
        self.area: str | None = None
        self.feed(str(html))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        name, kind = found.get("name", ""), found.get("type", "text")
        if tag == "textarea":
            self.area = name
            self.sent.setdefault(name, []).append("")
        ticked = kind not in ("radio", "checkbox") or "checked" in found
        if tag == "input" and name and ticked:
            self.sent.setdefault(name, []).append(found.get("value", ""))
        if tag == "option" and "selected" in found:
            self.sent.setdefault("option", []).append(found.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        self.area = None if tag == "textarea" else self.area

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.area is not None:
            self.sent[self.area][-1] += data

    @property
    def said(self) -> str:
        """Its text, and what attributes say: the words for a picture, and where it is."""
        return "\n".join([self.text, *(value for _, attributes in self.tags for value in attributes.values())])

    @property
    def names(self) -> set[str]:
        return {attributes["name"] for _, attributes in self.tags if "name" in attributes}


def assert_harmless(html: str) -> None:
    """Nothing that runs came in with a text."""
    page = Page(html)
    assert not {"script", "iframe", "b"} & {tag for tag, _ in page.tags}
    assert all(re.fullmatch("/p/[0-9a-f]{64}", attributes["src"]) for tag, attributes in page.tags if tag == "img")
    for _, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")]
        assert not attributes.get("href", "").startswith("javascript:")


# All kinds


def test_every_family_has_kinds() -> None:
    assert all(len(family) > 0 for family in FAMILIES.values())


@pytest.mark.parametrize(("family", "name"), KINDS, ids=[f"{family} {name}" for family, name in KINDS])
def test_every_kind_has_a_name_in_small_letters_and_says_what_it_is(family: str, name: str) -> None:
    kind = FAMILIES[family][name]
    assert name == (kind.kind if hasattr(kind, "kind") else kind.name)
    assert name == name.lower()
    assert name.replace("_", "").replace("-", "").isalnum()
    words = vars(kind)["__doc__"] if isinstance(kind, type) else kind.doc
    assert len(words.split()) > 3


@pytest.mark.parametrize("kind", [*INPUTS.values(), *DISPLAYS.values(), *GATES.values()], ids=lambda kind: kind.kind)
def test_every_key_of_a_kind_is_described_and_stands_in_its_example(kind: Any, tmp_path: Path) -> None:
    example = built(kind, kind.example, example_folder(kind, tmp_path))
    assert example.model_fields_set == set(kind.model_fields)
    assert all(field.description for field in kind.model_fields.values())


def test_two_kinds_of_one_name_cannot_stand_beside_each_other() -> None:
    family: Family[Any] = Family("assay.inputs")
    family.register("x", int)
    family.register("x", int)
    with pytest.raises(RuntimeError, match="two kinds are called 'x'"):
        family.register("x", str)


# Inputs


@every_input
def test_an_input_can_read_what_it_simulates(kind: type[Input]) -> None:
    asked = built(kind, kind.example)
    for seed in range(40):
        for quality in (-1.0, 0.0, 0.2, 0.5, 0.77, 1.0, 3.0):
            value = asked.read(asked.simulate(Random(seed), quality))
            assert value is not None
            assert value in asked.values() or not asked.values()
            assert json.loads(json.dumps(value)) == value
    assert asked.simulate(Random(1), 0.5) == asked.simulate(Random(1), 0.5)


@every_input
@pytest.mark.parametrize("raw", [[], [""], [" "], ["\t\n"], ["", ""]])
def test_an_input_that_was_not_touched_is_not_answered(kind: type[Input], raw: list[str]) -> None:
    assert built(kind, kind.example).read(raw) is None


def read_or_refused(asked: Input, raw: list[str]) -> Value | AnswerError:
    try:
        return asked.read(raw)
    except AnswerError as error:
        return error


@every_input
@no_deadline
@given(
    raw=st.lists(st.text(max_size=20) | st.sampled_from(["1", "-1", "1e9", "9" * 5000, "\x00", "\ud800"]), max_size=3)
)
def test_an_input_reads_garbage_as_a_legal_value_or_refuses_it_in_words(kind: type[Input], raw: list[str]) -> None:
    asked = built(kind, kind.example)
    found = read_or_refused(asked, raw)
    if isinstance(found, AnswerError):
        assert str(found)[0].isupper()
        assert str(found)[-1] in ".?!"
        assert len(str(found)) < 200
    else:
        assert found is None or found in asked.values() or not asked.values()
        assert json.dumps(found, ensure_ascii=False).encode()


@every_input
def test_an_input_with_a_level_lists_its_values(kind: type[Input]) -> None:
    asked = built(kind, kind.example)
    assert (asked.level is not None) == bool(asked.values())
    assert len(set(asked.values())) == len(asked.values())


@every_input
def test_every_hotkey_gives_an_answer(kind: type[Input]) -> None:
    asked = built(kind, kind.example)
    for key, raw in asked.hotkeys().items():
        assert len(key) == 1
        assert asked.read([raw]) is not None


@every_input
def test_an_input_says_its_values_in_words(kind: type[Input]) -> None:
    asked = built(kind, kind.example)
    assert asked.show(None) == ""
    assert all(asked.show(asked.read(asked.simulate(Random(seed), seed / 10))) for seed in range(10))


def rendered(renderer: Renderer, asked: Input, raw: list[str]) -> str:
    sides = tuple(SIDES)
    return renderer.kind(asked, input=asked, key="warmth", raw=raw, label_id="l-warmth", sides=sides, unable=None)


@every_input
def test_an_input_shows_its_field_and_nothing_is_preselected(kind: type[Input], renderer: Renderer) -> None:
    asked = built(kind, kind.example)
    page = Page(rendered(renderer, asked, []))
    assert "warmth" in page.names
    assert asked.read(page.sent.get("warmth", [])) is None
    assert not [tag for tag, attributes in page.tags if {"checked", "selected"} & set(attributes)]


@every_input
def test_an_input_shows_a_draft_as_it_was(kind: type[Input], renderer: Renderer) -> None:
    asked = built(kind, kind.example)
    for seed in range(10):
        raw = asked.simulate(Random(seed), seed / 9)
        assert Page(rendered(renderer, asked, raw)).sent["warmth"] == raw


@every_input
def test_an_input_escapes_every_text_of_the_study_and_of_the_annotator(kind: type[Input], renderer: Renderer) -> None:
    asked = built(kind, with_hostile_texts(kind.example))
    html = rendered(renderer, asked, [HOSTILE])
    assert_harmless(html)
    for text in texts_of(without_fields(kind.example)):
        assert HOSTILE + text in Page(html).text


FIELDS = {"where_in"}
"""Keys of inputs that name a field of the item: no page says them."""


def without_fields(example: Any) -> Any:
    return {key: value for key, value in example.items() if key not in FIELDS} if isinstance(example, dict) else example


# Displays


def with_hostile_settings(kind: type[Display]) -> Any:
    """A display's settings with something hostile in every text that an author is free to choose."""
    fixed = [name for name, field in kind.model_fields.items() if get_origin(field.annotation) is Literal]
    return {key: value if key in fixed else with_hostile_texts(value) for key, value in kind.example.items()}


def with_hostile_content(part: Any) -> Any:
    """What an item shows with something hostile in every text; a picture's name is made by us."""
    if isinstance(part, dict) and "picture" in part:
        return part
    if isinstance(part, dict):
        return {key: with_hostile_content(value) for key, value in part.items()}
    return [with_hostile_content(value) for value in part] if isinstance(part, list) else with_hostile_texts(part)


def built_display(kind: type[Display], settings: Any) -> Display:
    """As the study file makes one: what holds other blocks holds real ones."""
    shown: Any = _shown_type().model_validate_json(json.dumps({kind.kind: settings}))
    display: Display = shown.display
    return display


@every_display
def test_a_display_shows_its_fields_and_no_other(kind: type[Display], renderer: Renderer) -> None:
    block = built_display(kind, kind.example)
    assert block.fields() or block.candidate_fields()
    sample = block.sample()
    assert set(sample) == set(block.fields()) | ({CANDIDATES} if block.candidate_fields() else set())
    view = block.view({**sample, "system": "canary", "secret": {"canary": "canary"}})
    html = renderer.kind(block, picture_root="/p/", **view)
    assert "canary" not in html
    assert "canary" not in repr(view)
    for text in texts_of(sample):
        assert text in Page(html).said


@pytest.mark.parametrize(
    "kind", [each for each in DISPLAYS.values() if not each.holds_blocks], ids=lambda kind: kind.kind
)
def test_a_display_says_the_same_in_a_cell_of_a_sheet(kind: type[Display]) -> None:
    block = built_display(kind, kind.example)
    sample = block.sample()
    text = block.plain_text({**sample, "system": "canary", "secret": {"canary": "canary"}})
    assert "canary" not in text
    assert [each for each in texts_of(sample) if each not in text] == []


@every_display
def test_a_display_escapes_every_text(kind: type[Display], renderer: Renderer) -> None:
    block = built_display(kind, with_hostile_settings(kind))
    sample = with_hostile_content(block.sample())
    html = renderer.kind(block, picture_root="/p/", **block.view(sample))
    assert_harmless(html)
    for text in texts_of(sample):
        assert text in Page(html).said


@every_display
@pytest.mark.parametrize("value", [None, "", " ", 0, False, 1.5, 2**60, [], {}, [["x"]], {"a": None}, "x" * 100_000])
def test_a_display_copes_with_any_value(kind: type[Display], value: Any, renderer: Renderer) -> None:
    block = built_display(kind, kind.example)
    fields = [*block.fields(), *([CANDIDATES] if block.candidate_fields() else [])]
    assert renderer.kind(block, picture_root="/p/", **block.view(dict.fromkeys(fields, value)))
    assert renderer.kind(block, picture_root="/p/", **block.view({}))


def test_no_letter_means_two_things_on_the_page() -> None:
    own = re.findall(r'case "(\w)"', (STATIC / "keys.js").read_text("utf-8"))
    inputs = [str(kind.shortcut.keys[0]).lower() for kind in INPUTS.values() if kind.shortcut]
    scripted = {file: re.findall(r"\bkeys: {([^}]*)}", file.read_text("utf-8")) for file in scripts().values()}
    letters = [found for keys in scripted.values() for part in keys for found in re.findall(r"(\w):", part)]
    assert len(own) > 10
    assert {"n", "t"} <= set(inputs)
    assert {"z", "m"} <= set(letters)
    assert sorted({*own, *inputs, *letters}) == sorted([*own, *inputs, *letters])


@every_display
def test_a_display_that_has_places_says_by_which_keys_they_are_walked(kind: type[Display], renderer: Renderer) -> None:
    block = built_display(kind, kind.example)
    html = renderer.kind(block, picture_root="/p/", **block.view(block.sample()))
    if "data-place=" in html:
        assert WALK in block.shortcuts()


# Gates


def example_folder(kind: Any, folder: Path, text: str = "# Before you begin\n\nSome *words*.\n") -> Path:
    """A folder with every Markdown file that an example names."""
    for name in texts_of(kind.example):
        if name.endswith(".md"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8")
    return folder


def built_gate(kind: type[Gate], folder: Path, text: str = "# Before you begin\n\nSome *words*.\n") -> Gate:
    gate: Gate = built(gate_types()[kind.kind], kind.example, example_folder(kind, folder, text))
    return gate


UNTOUCHED: dict[str, Any] = {"given": {}, "missing": [], "last": None, "told": {}, "over": False, "total": 5}
UNTOUCHED |= {"wording": Wording(), "asked": ""}
"""What a gate's template is handed before anybody has answered."""


@every_form_gate
def test_a_gate_is_passed_by_a_willing_annotator(kind: type[Gate], tmp_path: Path) -> None:
    gate = built_gate(kind, tmp_path)
    assert gate.decide(gate.simulate()) is True
    assert gate.title(ENGLISH)


@every_form_gate
@pytest.mark.parametrize(
    "form", [{}, {"choice": ""}, {"choice": "AGREE"}, {"choice": "yes"}, {"read-0": "no"}, {"x": "yes"}]
)
def test_a_gate_without_a_decision_is_not_passed(kind: type[Gate], tmp_path: Path, form: dict[str, str]) -> None:
    assert built_gate(kind, tmp_path).decide(form) is None


@every_form_gate
def test_a_gate_needs_all_that_a_willing_annotator_sends(kind: type[Gate], tmp_path: Path) -> None:
    gate = built_gate(kind, tmp_path)
    form = gate.simulate()
    for left_out in form:
        assert gate.decide({name: value for name, value in form.items() if name != left_out}) is None


@every_form_gate
def test_a_gate_offers_what_passes_it_and_nothing_is_chosen(
    kind: type[Gate], tmp_path: Path, renderer: Renderer
) -> None:
    gate = built_gate(kind, tmp_path)
    wanted, told = set(gate.simulate().items()), dict[str, str]()
    while wanted:  # what takes several forms offers something more with each
        page = Page(renderer.kind(gate, gate=gate, **{**UNTOUCHED, "told": told}))
        offered = {(attributes.get("name"), attributes.get("value")) for _, attributes in page.tags}
        assert wanted & offered
        assert gate.decide({name: values[0] for name, values in page.sent.items()}) is None
        told |= gate.kept_meanwhile(dict(wanted & offered))
        wanted -= offered


@every_text_gate
def test_a_gate_shows_its_text(kind: type[Gate], tmp_path: Path, renderer: Renderer) -> None:
    gate = built_gate(kind, tmp_path)
    page = Page(renderer.kind(gate, gate=gate, **UNTOUCHED))
    assert "Before you begin" in page.text
    assert ("em", {}) in page.tags


@every_question_gate
def test_a_gate_with_questions_shows_each_and_names_what_is_missing(
    kind: type[QuestionGate], tmp_path: Path, renderer: Renderer
) -> None:
    gate = built(kind, kind.example, example_folder(kind, tmp_path))
    page = Page(renderer.kind(gate, gate=gate, **{**UNTOUCHED, "missing": gate.missing({})}))
    assert gate.missing({}) == list(gate.questions_by_field())
    assert gate.missing(gate.simulate()) == []
    for question in gate.questions_by_field().values():
        assert question.ask in page.text
        assert all(label in page.text for label in question.options.values())
    assert ENGLISH("answers.missing") in page.text


@every_question_gate
def test_an_answer_that_nobody_offers_is_none(kind: type[QuestionGate], tmp_path: Path) -> None:
    gate = built(kind, kind.example, example_folder(kind, tmp_path))
    assert gate.decide({**gate.simulate(), "q-0": "maybe"}) is None
    assert gate.answers_to_store({"q-0": "maybe", "x": "y"}) == {}


@every_gate
def test_a_gate_lets_nothing_hostile_through(kind: type[Gate], tmp_path: Path, renderer: Renderer) -> None:
    gate = built_gate(kind, tmp_path, HOSTILE_MARKDOWN)
    assert_harmless(renderer.kind(gate, gate=gate, **UNTOUCHED))


@every_text_gate
def test_a_gate_has_another_version_when_its_text_is_another(kind: type[Gate], tmp_path: Path) -> None:
    version = built_gate(kind, tmp_path).version
    assert built_gate(kind, tmp_path).version == version
    assert built_gate(kind, tmp_path, "Other words.\n").version != version


@every_gate
def test_a_gate_comes_back_from_what_it_dumps(kind: type[Gate], tmp_path: Path) -> None:
    gate = built_gate(kind, tmp_path)
    again = type(gate).model_validate_json(gate.model_dump_json(by_alias=True, exclude_unset=True))
    assert (again, again.version) == (gate, gate.version)


# Orders


candidates = st.lists(
    st.builds(OpenItem, item=st.integers(0, 10**6), lot=st.integers(0, 2**63 - 1), n_annotators=st.integers(0, 5)),
    max_size=8,
    unique_by=(lambda each: each.item, lambda each: each.lot),
)


@every_order
@no_deadline
@given(given=candidates, start=st.integers(0, 2**63 - 1), rng=st.randoms(use_true_random=False))
def test_an_order_ranks_every_candidate_once_and_the_same_each_time(
    kind: type[Order], given: list[OpenItem], start: int, rng: Random
) -> None:
    ranked = kind().rank(given, start)
    assert sorted(ranked, key=hash) == sorted(given, key=hash)
    shuffled = given[:]
    rng.shuffle(shuffled)
    assert kind().rank(shuffled, start) == ranked


# Monitors, sources, exports


@every_monitor
def test_a_monitor_needs_no_settings_and_finds_nothing_in_nothing(kind: Any) -> None:
    monitor = kind()
    assert monitor.flags(MonitorData(load(HERE / "empathy"), [], {})) == []
    assert all(field.description for field in kind.model_fields.values())


def test_the_monitors_of_a_study_find_nothing_in_nothing() -> None:
    assert find_flags(MonitorData(load(HERE / "empathy"), [], {})) == []


SUFFIXES = [(name, suffix) for name, kind in SOURCES.items() for suffix in kind.suffixes]


@pytest.mark.parametrize(("name", "suffix"), SUFFIXES)
@pytest.mark.parametrize("content", [b"", b"\n", b"\xff", b"\x00"])
def test_a_source_reads_an_empty_or_broken_file_without_a_traceback(
    name: str, suffix: str, content: bytes, tmp_path: Path
) -> None:
    assert suffix.startswith(".")
    assert suffix == suffix.lower()
    path = written(tmp_path, f"items{suffix}", content)
    if content.strip() == b"":
        assert list(SOURCES[name]().rows(path, Mistakes(path))) == []
    with pytest.raises(ItemMistakes):
        items_of(path)


@every_export
def test_an_export_is_a_file_by_its_ending_or_a_folder(kind: Any) -> None:
    assert kind.suffix == "" or kind.suffix.startswith(".")
    assert kind.name.replace("-", "").replace("_", "").isalnum() or not kind.name


# A new kind


SLIDER = '''"""A mark on a line between two ends, for a test."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from assay.inputs import Input
from assay.model import Level, Value


class Slider(Input):
    """A mark on a line between two ends, for a test."""

    kind: ClassVar[str] = "slider"
    level: ClassVar[Level | None] = "interval"
    example: ClassVar[Any] = {"high": 10}

    high: int = 10

    def values(self) -> tuple[Value, ...]:
        return tuple(range(self.high + 1))

    def read(self, raw: Sequence[str]) -> Value:
        return int(raw[0]) if raw else None

    def simulate(self, rng: Random, quality: float) -> list[str]:
        return [str(rng.randint(0, self.high))]
'''
SLIDER_TEMPLATE = '<input type="range" name="{{ key }}" max="{{ input.high }}">'
WITH_SLIDER = changed("scale: {from: 1, to: 5, anchors: {1: cold, 5: warm}}", "slider: {high: 7}")
LOOK = """
import sys
from pathlib import Path
import assay.inputs
if len(sys.argv) > 2:
    assay.inputs.__path__.append(sys.argv[2])
from assay.render import Renderer
from assay.study import load
from assay.study.schema import _shown_type
study = load(Path(sys.argv[1]))
asked = study.dimension("warmth").input
print(asked.kind, asked.high, asked.read(["3"]), Renderer(Path()).kind(asked, input=asked, key="warmth"))
"""


def looked_at(folder: Path, *more: Path, environment: Mapping[str, str] | None = None) -> str:
    """What a process of its own says of the study: here the registry must stay as it is."""
    command = [sys.executable, "-W", "error", "-c", LOOK, str(folder), *map(str, more)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})
    return done.stdout + done.stderr


def test_a_new_kind_is_one_new_file(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "study", WITH_SLIDER)
    assert "unknown key 'slider'" in looked_at(folder)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "slider.py").write_text(SLIDER, "utf-8")
    (tmp_path / "more" / "slider.html").write_text(SLIDER_TEMPLATE, "utf-8")
    expected = 'slider 7 3 <input type="range" name="warmth" max="7">\n'
    assert looked_at(folder, tmp_path / "more") == expected


def test_a_kind_from_another_package_comes_in_by_its_entry_point(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "study", WITH_SLIDER)
    (tmp_path / "site" / "plug-1.dist-info").mkdir(parents=True)
    (tmp_path / "site" / "plug.py").write_text(SLIDER, "utf-8")
    (tmp_path / "site" / "plug.html").write_text(SLIDER_TEMPLATE, "utf-8")
    (tmp_path / "site" / "plug-1.dist-info" / "METADATA").write_text("Name: plug\nVersion: 1\n", "utf-8")
    (tmp_path / "site" / "plug-1.dist-info" / "entry_points.txt").write_text(
        "[assay.inputs]\nslider = plug:Slider\n", "utf-8"
    )
    assert looked_at(folder, environment={"PYTHONPATH": str(tmp_path / "site")}).startswith("slider 7 3 <input")
