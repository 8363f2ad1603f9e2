"""Whatever is wrong in a study file is said: all of it at once, each with its place, in words, with a hint."""

from pathlib import Path

import pytest

from assay.errors import StudyMistakes
from assay.kinds import GATES, INPUTS, ORDERS, STATISTICS
from assay.study import load, load_with_mistakes
from assay.study.templates import copy_template, template_names
from tests.study.small import SMALL, changed, folder_with, mistakes_of, said

MANY_MISTAKES = """\
study: Empathy 2026
titel: Replies
seed: "7"
items:
  source: items.csv
  sytem: model_tag
  show:
    - text: {field: response, label: [Reply]}
rubric:
  - dimension: emotion
    ask: 5
    scale: {from: 1, to: 5, anchors: {1: dull, 7: keen, low: dull}}
  - dimension: safety
    ask: Is it safe?
  - dimension: emotion
    scale: {from: 1, to: 5}
    tags: {empty: Empty}
  - dimension: warmth
    scale: {from: 5, to: 1}
  - dimension: help
    scal: {from: 1, to: 5}
  - dimension: note
    optional: maybe
    text: {longest: 0, phrases: fine}
rules:
  - required: nite
    when: emotion in [1, 5
  - required: safety
    when: any(emotion, wermth, help) == 1 and model_tag == "x"
  - when: response == ""
gates:
  - consent: guide/nothing.md
  - warning: ../outside.md
  - reading: [guide/consent.md, 7]
  - exam: guide/consent.md
assignment: {per_item: 0, order: alphabetical}
navigation: sideways
analysis:
  agreement: {coefficient: kapa}
  monitors:
    straight_lining:
"""

PATH = "the path counts from the folder of study.yaml"
ONE_OF = f"write one of: {', '.join(INPUTS)}"
KINDS = f"exactly one of {', '.join(INPUTS)} is needed"
EACH_ON_ITS_LINE = "write each entry on a line of its own, after a dash"
KNOWN = "known here: emotion, safety, warmth, help, note, response, Reply"

ALL_OF_THEM = [
    ("1:1", "'Empathy 2026' is not a name", "a name has small letters, digits, - and _, begins with a letter"),
    ("2:1", "unknown key 'titel'", "did you mean 'title'?"),
    ("3:1", '"7" is not a whole number', "write a whole number without quotes"),
    ("6:3", "unknown key 'sytem'", "did you mean 'system'?"),
    ("8:31", '["Reply"] is not a text', "put it in quotes"),
    ("11:5", "5 is not a text", "put it in quotes"),
    ("12:48", "anchor 7 lies outside the scale from 1 to 5", "widen the scale, or remove anchor 7"),
    ("12:57", "the key 'low' is not a whole number", "write the scale point as a number"),
    ("13:5", f"no kind is given; {KINDS}", ONE_OF),
    ("15:5", f"scale and tags stand together; {KINDS}", ONE_OF),
    ("15:5", "the dimension 'emotion' stands here a second time", "give each its own name"),
    ("19:22", "the scale ends at 1, which is not above its start, 5", "write the lowest point in from"),
    ("21:5", "unknown key 'scal'", "did you mean 'scale'?"),
    ("23:5", '"maybe" is neither true nor false', "write true or false"),
    ("24:12", "0 is too small", "write 1 or more"),
    ("24:24", 'a list is expected here, not "fine"', EACH_ON_ITS_LINE),
    ("26:5", "there is no dimension 'nite'", "did you mean 'note'?"),
    ("27:5", "cannot read this rule: ] is missing at the end", "at character 17 of 'emotion in [1, 5'"),
    ("29:5", "there is neither a dimension nor a shown field 'wermth'", "did you mean 'warmth'?"),
    ("29:5", "there is neither a dimension nor a shown field 'model_tag'", KNOWN),
    ("30:5", "the rule asks for nothing", "write one of: required, allowed, value"),
    ("32:5", "there is no file guide/nothing.md", PATH),
    ("33:5", "../outside.md lies outside the study's folder", "put the file beside study.yaml and name it from there"),
    ("34:33", "a file's path is expected here, not 7", "name a Markdown file beside study.yaml"),
    ("35:5", "unknown key 'exam'", f"known here: {', '.join(GATES)}"),
    ("36:14", "0 is no number of annotators", "write a whole number from 1 to 1000, or all"),
    ("36:27", "there is no order 'alphabetical'", f"write one of: {', '.join(ORDERS)}"),
    ("37:1", '"sideways" is not known here', "write 'free', 'session' or 'forward-only'"),
    ("39:15", "there is no coefficient 'kapa'", f"write one of: {', '.join(STATISTICS)}"),
    ("41:5", "'straight_lining' has no value", "write straight_lining: {} for its defaults"),
]


def test_every_mistake_of_a_file_is_listed_at_once_each_with_its_place_and_a_hint(tmp_path: Path) -> None:
    mistakes = mistakes_of(tmp_path, MANY_MISTAKES)
    expected = [(f"{tmp_path / 'study.yaml'}:{place}", what) for place, what, _ in ALL_OF_THEM]
    assert [(mistake.where, mistake.what) for mistake in mistakes] == expected
    for mistake, (_, _, hint) in zip(mistakes, ALL_OF_THEM, strict=True):
        assert mistake.hint.startswith(hint)


def test_loading_a_broken_file_raises_the_same_list(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, MANY_MISTAKES)
    with pytest.raises(StudyMistakes) as raised:
        load(folder)
    assert list(raised.value.mistakes) == load_with_mistakes(folder)[1]
    assert "study.yaml:2:1: unknown key 'titel'\n  hint: did you mean 'title'?" in raised.value.what


def test_the_small_study_has_no_problems(tmp_path: Path) -> None:
    assert said(tmp_path, SMALL) == []


@pytest.mark.parametrize("name", template_names())
def test_every_template_has_no_problems(name: str, tmp_path: Path) -> None:
    copy_template(name, tmp_path)
    study, mistakes = load_with_mistakes(tmp_path)
    assert mistakes == []
    assert study is not None


@pytest.mark.parametrize(
    ("old", "new", "place", "what"),
    [
        ("title: A small study", "titel: A small study", "2:1", "unknown key 'titel'"),
        ("dimension: warmth", "dimenson: warmth", "8:5", "unknown key 'dimenson'"),
        ("dimension: warmth", "dimension: Warmth", "8:5", "'Warmth' is not a name"),
        ("dimension: warmth", "warmth", "9:10", "a colon is not expected here"),
        ("{field: response}", "{feild: response}", "6:14", "unknown key 'feild'"),
        ("text: {field: response}", "txt: {field: response}", "6:7", "unknown key 'txt'"),
        ("{field: response}", "{field: [response]}", "6:14", '["response"] is not a text'),
        ("{field: response}", "{field: response}\n      before: [warmth]", "7:7", "the block is there from the start"),
        (
            "{field: response}",
            "{field: response}\n      after: [warmth]\n      before: [warmth]",
            "8:7",
            "the block waits for warmth, and warmth waits for the block",
        ),
        ("scale: {from: 1", "scale: {frm: 1", "9:13", "unknown key 'frm'"),
        ("scale: {from: 1", "scale: {from: one", "9:13", '"one" is not a whole number'),
        ("scale: {from", "slider: {from", "9:5", "unknown key 'slider'"),
        ("to: 5, ", "", "9:5", "the key 'to' is missing"),
        ("to: 5, ", "to: 1000000000, ", "9:22", "the scale has 1,000,000,000 points"),
        ("1: cold", "1: [cold]", "9:39", '["cold"] is not a text'),
        ("1: cold", "0: cold", "9:39", "anchor 0 lies outside the scale from 1 to 5"),
        ("text: {}", "text:", "12:5", "'text' has no value"),
        ("text: {}", "text: {}\n    levels: {1: [cold]}", "13:5", "text has no points to describe"),
        ("scale: {from: 1", "levels: {6: warm}\n    scale: {from: 1", "9:14", "the scale from 1 to 5 has no point 6"),
        ("text: {}", "tags: {}", "12:5", "this must not be empty"),
        ("text: {}", "tags: {empty: 1}", "12:12", "1 is not a text"),
        ("text: {}", 'tags: {"": Empty}', "12:12", "an answer has no name"),
        ("text: {}", 'text: {phrases: [fine, " "]}', "12:28", 'the phrase " " cannot be an answer'),
        ("text: {}", "text: {longest: 3, phrases: [fine]}", "12:34", 'the phrase "fine" cannot be an answer'),
        ("required: note", "required: Note", "14:5", "'Note' is not a name"),
        ("required: note", "requires: note", "14:5", "unknown key 'requires'"),
        ("when: warmth in [1, 5]", "when: warmth in", "15:5", "cannot read this rule: something is missing at the end"),
        ("when: warmth in [1, 5]", "when: 5", "15:5", "5 is not a text"),
        ("consent: guide", "conset: guide", "17:5", "unknown key 'conset'"),
        (
            "- consent: guide/consent.md",
            "- guide/consent.md",
            "17:5",
            'keys with values are expected here, not "guide/consent.md"',
        ),
        ("guide/consent.md", "/etc/hostname", "17:5", "/etc/hostname lies outside the study's folder"),
        ("guide/consent.md", "guide", "17:5", "there is no file guide"),
        ("guide/consent.md", '"guide/\\0.md"', "17:14", "the text holds a NUL character"),
        ("consent: guide/consent.md", "consent:", "17:5", "'consent' has no value"),
        ("  source: items.csv", "  souce: items.csv", "4:3", "unknown key 'souce'"),
        (
            "  source: items.csv",
            "  source: items.csv\n  system: response",
            "5:3",
            "the field 'response' is the system and is shown too",
        ),
        (
            "  source: items.csv",
            "  source: items.csv\n  group: response",
            "5:3",
            "the field 'response' is the group and is shown too",
        ),
    ],
)
def test_one_mistake_gives_one_message(tmp_path: Path, old: str, new: str, place: str, what: str) -> None:
    assert said(tmp_path, changed(old, new)) == [(place, what)]


@pytest.mark.parametrize(
    ("analysis", "what"),
    [
        ("compare: [{margin: 4}]", "no difference on 'warmth' can be larger than 4: the margin decides nothing"),
        ("compare: [{margin: -1}]", "-1 is too small"),
        ("compare: [{margin_net: 0.2}]", "`margin_net` is for preferences, and none is compared"),
        ("compare: [{show: equivalence}]", "to show equivalence takes the difference that would matter"),
        ("looks: any, generalise: items and annotators", "looks at any time are worked out for these annotators only"),
        (
            "stop_when: {difference_shown: true}",
            "a study that stops by its results takes intervals that hold at every look",
        ),
        ("looks: any, stop_when: {then: pause}", "a stopping rule without a condition is never reached"),
        (
            "looks: any, stop_when: {equivalence_shown: true}",
            "to stop when equivalence is shown takes the difference that would matter",
        ),
        (
            "looks: any, stop_when: {narrower_than_net: 0.2}",
            "`narrower_than_net` is for preferences, and none is asked",
        ),
        ("looks: any, stop_when: {narrower_than: 0.2, on: [heat]}", "there is no dimension 'heat'"),
        ("looks: any, stop_when: {narrower_than: 0.2, then: dance}", '"dance" is not known here'),
        ("generalise: annotators", '"annotators" is not known here'),
        ("pilot: {items: 5, go: 0.5, revise: 0.3, decide_by: luck}", '"luck" is not known here'),
    ],
)
def test_a_claim_that_cannot_be_decided_is_a_mistake(tmp_path: Path, analysis: str, what: str) -> None:
    [(_, found)] = said(tmp_path, f"{SMALL}analysis: {{{analysis}}}\n")
    assert found == what


def test_a_claim_that_can_be_decided_is_none(tmp_path: Path) -> None:
    whole = "compare: [{margin: 0.5, show: non_inferiority}], generalise: items and annotators"
    assert said(tmp_path, f"{SMALL}analysis: {{{whole}}}\n") == []
    stops = "looks: any, stop_when: {difference_shown: true, narrower_than: 0.5, on: [warmth], then: pause}"
    assert said(tmp_path, f"{SMALL}analysis: {{{stops}}}\n") == []


@pytest.mark.parametrize("section", ["items", "rubric", "rules", "gates", "seed", "assignment", "analysis"])
@pytest.mark.parametrize(("value", "words"), [("", "has no value"), ("x", '"x"')])
def test_a_section_with_nothing_or_a_word_behind_it_is_one_clear_problem(
    tmp_path: Path, section: str, value: str, words: str
) -> None:
    lines = SMALL.splitlines()
    start = next((number for number, line in enumerate(lines) if line.startswith(f"{section}:")), len(lines))
    end = next((number for number in range(start + 1, len(lines)) if not lines[number].startswith(" ")), len(lines))
    text = "\n".join([*lines[:start], f"{section}: {value}", *lines[end:]])
    [(place, what)] = said(tmp_path, text)
    assert place == f"{start + 1}:1"
    assert words in what


def test_a_number_in_place_of_the_rules_is_one_clear_problem(tmp_path: Path) -> None:
    lines = SMALL.splitlines()
    at = lines.index("rules:")
    text = "\n".join([*lines[:at], "rules: 5", *lines[at + 3 :]])
    assert said(tmp_path, text) == [(f"{at + 1}:1", "a list is expected here, not 5")]


def test_a_hidden_field_cannot_be_used_in_a_rule(tmp_path: Path) -> None:
    text = changed("  source: items.csv", "  source: items.csv\n  system: model").replace(
        "warmth in [1, 5]", 'model == "x"'
    )
    assert said(tmp_path, text) == [("16:5", "there is neither a dimension nor a shown field 'model'")]


def test_a_shown_field_and_a_dimension_can_be_used_in_a_rule(tmp_path: Path) -> None:
    assert said(tmp_path, changed("warmth in [1, 5]", 'warmth == 1 and response != ""')) == []


def test_a_mistake_in_an_earlier_part_does_not_hide_one_in_a_later_part(tmp_path: Path) -> None:
    text = changed("title: A small study", "titel: A small study").replace("required: note", "required: nope")
    assert [what for _, what in said(tmp_path, text)] == ["unknown key 'titel'", "there is no dimension 'nope'"]


def test_two_mistakes_in_one_scale_are_both_listed(tmp_path: Path) -> None:
    text = changed("to: 5, anchors: {1: cold,", "to: 5, step: 1, anchors: {1: cold, 9: hot,")
    assert [what for _, what in said(tmp_path, text)] == [
        "unknown key 'step'",
        "anchor 9 lies outside the scale from 1 to 5",
    ]


def test_the_study_is_there_as_far_as_it_could_be_read(tmp_path: Path) -> None:
    text = changed("dimension: note", "dimension: Note").replace(
        "title: A small study", "title: A small study\ncolour: red"
    )
    study, mistakes = load_with_mistakes(folder_with(tmp_path, text))
    assert study is not None
    assert [dimension.dimension for dimension in study.rubric] == ["warmth"]
    assert len(mistakes) == 2


def test_no_study_file_is_said_with_a_way_to_one(tmp_path: Path) -> None:
    study, [mistake] = load_with_mistakes(tmp_path)
    assert study is None
    assert mistake.what == "there is no such file"
    assert "assay init" in mistake.hint


def test_a_folder_called_like_the_study_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").mkdir()
    study, [mistake] = load_with_mistakes(tmp_path / "study.yaml" / "study.yaml")
    assert (study, mistake.what) == (None, "there is no such file")
    study, [mistake] = load_with_mistakes(tmp_path)
    assert study is None
    assert mistake.what.startswith("the file cannot be read")


def test_a_guide_that_is_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("canary", "utf-8")
    folder = folder_with(tmp_path / "study", SMALL)
    (folder / "guide" / "consent.md").unlink()
    (folder / "guide" / "consent.md").symlink_to(secret)
    _, [mistake] = load_with_mistakes(folder)
    assert mistake.what == "guide/consent.md lies outside the study's folder"
    assert "canary" not in str(mistake)


def test_a_guide_that_leads_back_to_itself_is_refused(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, SMALL)
    (folder / "guide" / "consent.md").unlink()
    (folder / "guide" / "consent.md").symlink_to(folder / "guide" / "consent.md")
    _, [mistake] = load_with_mistakes(folder)
    assert mistake.what == '"guide/consent.md" cannot be the name of a file'


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"caf\xe9", "guide/consent.md is not UTF-8 (byte 3)"),
        (b"a\x00b", "guide/consent.md holds a NUL character"),
        (b"a" * 1_000_001, "guide/consent.md is larger than 1,000,000 bytes"),
    ],
)
def test_a_guide_that_is_no_text_or_too_long_is_refused(tmp_path: Path, content: bytes, what: str) -> None:
    folder = folder_with(tmp_path, SMALL)
    (folder / "guide" / "consent.md").write_bytes(content)
    _, [mistake] = load_with_mistakes(folder)
    assert mistake.what == what


def test_a_guide_with_a_very_long_name_is_refused(tmp_path: Path) -> None:
    [(_, what)] = said(tmp_path, changed("guide/consent.md", "x" * 5000))
    assert what.endswith("cannot be the name of a file")
    assert len(what) < 100


def test_a_comparison_on_something_that_is_not_there_is_refused_with_its_place_and_what_was_meant(
    tmp_path: Path,
) -> None:
    derived = """derive:
  - derived: total
    weighted_mean: {of: {warmth: 1.0}}
"""
    compared = """analysis:
  compare:
    - {on: [warmth, total]}
    - on: [wermth]
    - on: [warmth, totl]
"""
    found = mistakes_of(tmp_path, SMALL + derived + compared)
    assert [(each.what, each.hint) for each in found] == [
        ("there is neither a dimension nor a derived value 'wermth'", "did you mean 'warmth'?"),
        ("there is neither a dimension nor a derived value 'totl'", "did you mean 'total'?"),
    ]
    lines = (SMALL + derived + compared).splitlines()
    assert [lines[int(each.where.split(":")[-2]) - 1].strip() for each in found] == [
        "- on: [wermth]",
        "- on: [warmth, totl]",
    ]


def test_a_comparison_that_is_written_wrongly_has_one_problem(tmp_path: Path) -> None:
    for written in ("{on: warmth}", "{on: [7]}", "{on: {a: b}}", "7"):
        found = mistakes_of(tmp_path, SMALL + f"analysis:\n  compare:\n    - {written}\n")
        assert len(found) == 1, written
