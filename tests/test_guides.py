"""Guidelines say what the page says: every dimension, point, anchor, boundary, answer and figure in them exists there.

And what the study file says fits the documents: their worked examples, rules and definitions stand in `facts/` as facts
(a case in our own words, and the scores that it gets), each with the words of the study file that lead there.
"""

import csv
import json
import re
import tomllib
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from assay.displays.formatted_text import WITH_ENDING
from assay.inputs.scale import ScaleInput
from assay.inputs.tags import TagsInput
from assay.study import Dimension, Study, load
from assay.study.templates import HERE, template_names
from tests.guides import reading
from tests.guides.answering import answer_the_rest, left_of_scale, reasons
from tests.guides.reading import Table

FILES = sorted((Path(__file__).parent / "facts").glob("*.toml"))
FACTS: dict[str, list[dict[str, Any]]] = {path.stem: tomllib.loads(path.read_text("utf-8"))["fact"] for path in FILES}
EXPLAINED_AT_LENGTH = {"in-car"}
"""Templates whose guide explains anchors and boundaries in other words than the page has room for."""

each_template = pytest.mark.parametrize("name", template_names())
each_with_the_page_s_words = pytest.mark.parametrize(
    "name", [each for each in template_names() if each not in EXPLAINED_AT_LENGTH]
)


@cache
def template(name: str) -> Study:
    return load(HERE / name)


def plain(text: str) -> str:
    """A text without what is only typography."""
    return re.sub(r"[*_`]", "", " ".join(text.split())).casefold().rstrip(".")


def same_words(guide: str, page: str) -> bool:
    """Whether a guideline says what the page says. More may follow."""
    return plain(guide) == plain(page) or plain(guide).startswith((f"{plain(page)}.", f"{plain(page)};"))


# The guidelines beside the page


@each_template
def test_the_key_question_of_a_section_is_the_one_that_the_page_asks(name: str) -> None:
    study = template(name)
    asked = {plain(each.ask) for each in study.rubric}
    found = [plain(each) for text in reading.guide_files(study).values() for each in reading.KEY_QUESTION.findall(text)]
    assert found
    unknown = {each for each in found if each.replace("what this goal", "what the goal") not in asked}
    assert not unknown


@each_template
def test_a_dimension_is_explained_with_every_point_of_its_scale_and_no_other(name: str) -> None:
    study = template(name)
    for dimension in (each for each in study.rubric if isinstance(each.input, ScaleInput)):
        for section in reading.sections_of(study, dimension):
            points = [int(point) for point, _ in reading.POINT.findall(section.text)]
            assert points in ([], list(dimension.input.values())), (section.file, section.heading)
            between = [f"{low}-{high}" for low, high, _ in reading.BOUNDARY.findall(section.text)]
            assert between in ([], list(dimension.boundaries)), (section.file, section.heading)


@each_with_the_page_s_words
def test_anchors_and_boundaries_stand_in_the_guidelines_in_the_words_of_the_page(name: str) -> None:
    study = template(name)
    explained = 0
    for dimension in (each for each in study.rubric if isinstance(each.input, ScaleInput)):
        for section in reading.sections_of(study, dimension):
            for point, words in reading.POINT.findall(section.text):
                explained += 1
                anchor = dimension.input.anchors[int(point)]
                assert same_words(words, anchor), f"{section.file}: {words!r} is {anchor!r} on the page"
            for low, high, words in reading.BOUNDARY.findall(section.text):
                boundary = dimension.boundaries[f"{low}-{high}"]
                assert same_words(words, boundary), f"{section.file}: {words!r} is {boundary!r} on the page"
    assert explained or not any(isinstance(each.input, ScaleInput) for each in study.rubric)


@each_template
def test_what_guidelines_tell_people_to_choose_tick_or_press_is_on_the_page(name: str) -> None:
    study = template(name)
    said = reading.words_of_page(study)
    for file, text in reading.guide_files(study).items():
        for quoted in reading.ON_PAGE.findall(text):
            assert quoted.casefold().rstrip(".") in said, f"{file}: no page says {quoted!r}"


@each_template
def test_scales_run_from_where_to_where_guidelines_say(name: str) -> None:
    study = template(name)
    scales = [each.input.values() for each in study.rubric if isinstance(each.input, ScaleInput)]
    ends = {(int(str(values[0])), int(str(values[-1]))) for values in scales}
    for file, text in reading.guide_files(study).items():
        for low, high in reading.FROM_TO.findall(text):
            assert (int(low), int(high)) in ends, f"{file}: from {low} to {high}"


QUESTIONS = ("Question", "Criterion", "Dimension")


def answer_tables(study: Study) -> list[tuple[Table, list[str]]]:
    """The tables of worked examples, with the columns that hold answers."""
    found = []
    for table in reading.tables(study):
        columns = [each for each in table.head[1:] if each in ("Answer", "Score", "Rating", *study.sides)]
        if table.head[0] in QUESTIONS and columns:
            found.append((table, columns))
    return found


@each_template
def test_worked_examples_answer_questions_of_the_page_with_answers_that_its_rules_take(name: str) -> None:
    study = template(name)
    for table, columns in answer_tables(study):
        for column in columns:
            form: dict[str, list[str]] = {}
            for row in table.rows:
                dimension = reading.named_dimension(study, row[table.head[0]])
                assert dimension is not None, f"{table.file}: nothing is called {row[table.head[0]]!r}"
                known = reading.labels(study, dimension)
                answers = [each.strip().casefold() for each in row[column].split(";")]
                assert set(answers) <= set(known), f"{table.file}: {row[column]!r} is no answer on {dimension.heading}"
                form[dimension.dimension] = [known[each] for each in answers]
            if all(study.dimension(each).scope.of != "entries" for each in form):
                assert not reasons(study, answer_the_rest(study, form)), (table.file, form)


@each_template
def test_a_verdict_of_a_worked_example_is_an_answer_of_the_page(name: str) -> None:
    study = template(name)
    known = {label for each in study.rubric if each.input.compares for label in reading.labels(study, each)}
    for file, text in reading.guide_files(study).items():
        for verdict in re.findall(r"^Verdict: \*\*(.+?)\*\*", text, re.MULTILINE):
            assert verdict.casefold() in known, f"{file}: {verdict}"


def tag_rows(study: Study) -> list[tuple[str, Dimension, str, dict[str, set[int]]]]:
    """The rows of guidelines that name a tag of the page and say which scores follow from it."""
    found = []
    for table in reading.tables(study):
        for row in table.rows:
            for dimension in (each for each in study.rubric if isinstance(each.input, TagsInput)):
                known = reading.labels(study, dimension)
                for tag in (known[cell.casefold()] for cell in row.values() if cell.casefold() in known):
                    found.append((table.file, dimension, tag, reading.limits(study, " . ".join(row.values()))))
    return found


@each_template
def test_the_scores_that_follow_from_a_tag_are_those_that_the_rules_leave(name: str) -> None:
    study = template(name)
    for file, dimension, tag, limits in tag_rows(study):
        for scored, allowed in limits.items():
            left = left_of_scale(study, scored, {dimension.dimension: [tag]})
            assert left == allowed, f"{file}: with {tag}, {scored} is {sorted(left)}, not {sorted(allowed)}"


@pytest.mark.parametrize(("name", "tags"), [("route-planning", 4), ("empathy", 7)])
def test_every_tag_stands_in_the_guidelines_with_what_follows(name: str, tags: int) -> None:
    study = template(name)
    rows = tag_rows(study)
    named = {(each.dimension, tag) for _, each, tag, _ in rows}
    wanted = {
        (each.dimension, tag)
        for each in study.rubric
        if isinstance(each.input, TagsInput)
        for tag in each.input.options
    }
    assert named >= wanted
    assert len(wanted) == tags
    assert sum(bool(limits) for *_, limits in rows) >= tags - 1


def test_the_figures_in_the_guide_to_empathy_are_those_of_its_study_file() -> None:
    study = template("empathy")
    text = " ".join(" ".join(reading.guide_files(study).values()).split())
    calibration = next(entry.gate for entry in study.gates if entry.gate.kind == "calibration")
    agreement, duplicates, [rest] = study.analysis.agreement, study.assignment.duplicates, study.pace.breaks
    figures = {
        "60 to 90 seconds": study.pace.expect == (60, 90),
        "the first 20 may too": study.pace.grace_items == 20,
        "After every 30 items, rest for five minutes": (rest.after_items, rest.minutes) == (30, 5),
        "ten items for practice": calibration.items_in_attempt(1) == 10,
        "scores eight others": calibration.items_in_attempt(2) == 8,
        "two points or more away on several items of one question": (
            calibration.rule is not None and (calibration.rule.max_difference, calibration.rule.except_) == (1, 1)
        ),
        "About ten are hidden among the others": duplicates is not None and duplicates.count == 10,
        "at most one point between": study.analysis.monitors.by_name()["duplicates"].tolerance == 1,
        "A kappa of 0.4 or more": (agreement.coefficient, agreement.at_least) == ("cohen_kappa_linear", 0.4),
        "You cannot go back to an item": study.navigation == "forward-only",
    }
    for words, holds in figures.items():
        assert words in text
        assert holds, words


TOLD: dict[str, dict[str, list[str]]] = {
    "route-planning": {
        "consent": ["please work on your own and do not talk about items"],
        "reading": [
            "Read both to the end",
            "score five dimensions from 1 to 5, in whole numbers",
            "Score each dimension by itself",
            "A list, a timetable or plain prose are equally good",
            "Three correct sentences can be a 5",
            "think about the other dimensions too",
            "Asking for exactly what is missing is a full answer",
        ],
    },
    "dialog-pairs": {
        "consent": ["Some replies were written by people", '"Tie" is a full answer to both'],
        "reading": [
            "The same message may come back later",
            "Go through the steps in this order and stop at the first one that decides",
            "Now forget which reply was more useful",
            "A label is never a fault",
            "A label in an odd place is a leftover",
        ],
    },
    "empathy": {
        "consent": [
            "Some replies come twice",
            "You need not try to match anybody",
            "In the data and in every report you are a code",
            "Scores, notes and codes may be published",
            "was taken out before the texts came here",
            "share neither the texts nor your scores outside the study",
        ],
        "reading": [
            "Expect both ends of the scale, and use all of it, from 1 to 5",
            "Score in this order: emotion, validation, helpfulness, safety, overall",
            "One score must not pull another up or down",
            "rest for five minutes, and more often when a text stays with you",
            "score alone and do not talk about single items or scores",
            "People see edge cases differently, and that is normal",
            "not to give the scores that somebody else would give",
            "Some items come twice",
            "Agreement is measured",
            "What do they feel, on the surface and below it? What has happened?",
            "Is there any sign that they are in danger?",
            "Does it take up what the person feels?",
            "Is it warm, or cold?",
            "Does its advice fit, and is it concrete?",
            "Could any part of it do harm?",
            "Score what is of use in it. Length earns nothing",
            "Let validation be high if it earns it. Keep helpfulness low",
            "For safety, ask what harm the mistake could do",
            "no score is missing, each is a whole number from 1 to 5, and a note stands beside every 1 and every 5",
        ],
        "warning": ["anxiety", "depression", "trauma", "thoughts of suicide", "Pause whenever you like"],
    },
    "in-car": {
        "consent": ["You will not see the automatic scores"],
        "reading": [
            "You judge the assistant, not the driver",
            "Go from the first turn to the last before you rate anything",
            "Each rating is for the conversation as a whole, not for single turns",
            "Count, then score",
            "a poor rating here must not drag down the rating there",
            "Use all three values",
            "Please do not look anything up",
            "Think of the road",
            "Look things up in the guide",
            "Take your time with the first 5 to 10 conversations",
            "There is no prize for speed",
            "If you notice that you skim, hurry, or give the same number again and again, stop for today",
            "A mistake made before that point still counts",
            "Count only places to which the driver wants to travel",
            "Search results that the assistant reads out do not count",
            "Separate wishes at separate times are not a plan",
            "Music, climate, windows, calls, weather and road preferences are never places",
            "Useless is not unsafe",
            "Such a goal is Done only if the assistant says that the limit is met",
        ],
    },
    "trajectories": {
        "consent": [
            "Answers given in less than 30 seconds are looked at again",
            "A few items have a plain difference",
            "some items may come back later",
        ],
        "reading": [
            "A lucky guess with a right answer deserves lower scores than careful work that ends in a wrong one",
            "Score A by itself before you look closely at B",
            "Score the last item of the day as you scored the first",
            "Thank you for taking part",
            "There is no secret right answer to most items: what counts is your honest judgment",
            "After 30 minutes, rest for five",
            "Mark correctness by the reference all the same. Leave the other scores alone",
            "Put your doubt in the comment",
            "Length by itself means nothing",
            "You judge the thinking, not the wording",
            "If you still waver, go with your first impression and give a lower confidence",
            "Lower thoroughness if the missing part leaves something uncovered",
        ],
    },
}
"""What documents say and no rule can, in our words: at the gates, which have to be passed before anybody judges."""


@pytest.mark.parametrize("name", TOLD)
def test_annotators_are_told_what_the_document_tells_them(name: str) -> None:
    gates = {entry.gate.kind: entry.gate for entry in template(name).gates}
    for kind, sentences in TOLD[name].items():
        texts = [*getattr(gates[kind], "sections", ()), getattr(gates[kind], "text", None)]
        text = plain(" ".join(each.text for each in texts if each is not None))
        for sentence in sentences:
            assert plain(sentence) in text, f"{kind}: {sentence}"


@each_template
def test_consent_does_not_call_a_guide_short_whose_pages_say_how_long_they_take(name: str) -> None:
    [consent] = [entry.gate.text.text for entry in template(name).gates if entry.gate.kind == "consent"]  # type: ignore[attr-defined]
    assert not re.search(r"\b(?:short|brief|quick) (?:guide|introduction)\b", consent)


REFERENCES = {
    "02": ("safety", 2, "surely manage", "sure promise"),
    "04": ("validation", 3, "sounds awful", "without warmth"),
    "05": ("helpfulness", 3, "lean on the people around you", "neither says what to do"),
    "06": ("emotion", 5, "shame", "never said outright"),
    "07": ("helpfulness", 5, "knock on her door now", "a crisis line tonight"),
    "09": ("emotion", 3, "you're upset", "is a broad feeling word, and it fits"),
    "10": ("validation", 2, "feel sad about that", "copied without warmth"),
    "12": ("overall", 1, "stop eating", "silence would have been better"),
    "16": ("emotion", 2, "frustrating", "needs a feeling word that fits"),
    "18": ("helpfulness", 3, "let your husband help", "stay vague"),
}
"""References of practice items on which a boundary decides: the score, and words of the reply and of the reason."""


def test_references_agree_with_the_boundaries_and_say_why() -> None:
    with (HERE / "empathy" / "calibration.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["eval_id"].rpartition("-")[2]: row for row in csv.DictReader(file)}
    for number, (dimension, score, reply, reason) in REFERENCES.items():
        row = rows[number]
        assert int(row[dimension]) == score, number
        assert reply in row["response"], number
        assert reason in row["reason"], number
    scored = "emotion|validation|helpfulness|safety|overall"
    for number, row in rows.items():
        for dimension, said in re.findall(rf"\b({scored}) (?:is|stays at) (\d)", row["reason"].lower()):
            assert row[dimension] == said, f"{number}: {dimension} is {row[dimension]}, and its reason says {said}"


def test_empathy_is_asked_in_the_order_of_its_document() -> None:
    scored = [each.dimension for each in template("empathy").rubric if isinstance(each.input, ScaleInput)]
    assert scored == ["emotion", "validation", "helpfulness", "safety", "overall"]


def test_the_tables_of_demands_name_tests_that_exist() -> None:
    root = Path(__file__).parent.parent
    tests = {
        path.relative_to(root / "tests").as_posix(): path.read_text("utf-8") for path in (root / "tests").rglob("*.py")
    }
    for path in sorted((root / "docs" / "templates").glob("*.md")):
        text = path.read_text("utf-8")
        for name in re.findall(r"`(test_\w+)`", text):
            assert any(f"def {name}(" in code for code in tests.values()), f"{path.name}: {name}"
        for file, name in re.findall(r"`((?:\w+/)*test_\w+\.py)(?:: (test_\w+))?`", text):
            assert file in tests, f"{path.name}: {file}"
            assert not name or f"def {name}(" in tests[file], f"{path.name}: {file}: {name}"


@each_template
def test_every_demand_is_shown_by_a_test(name: str) -> None:
    page = (Path(__file__).parent.parent / "docs" / "templates" / f"{name}.md").read_text("utf-8")
    tables = re.findall(r"^\|[^\n]*\bdemand \|[^\n]*\n\|[-|]+\n((?:\|.*\n)+)", page, re.MULTILINE)
    rows = [row for table in tables for row in table.splitlines()]
    assert len(rows) > 15
    unshown = [row for row in rows if not re.search(r"test_\w+|the same test", row.rstrip("| ").rpartition(" | ")[2])]
    assert unshown == []


def placeholders_in(value: Any) -> set[str]:
    """The placeholders in the texts of some JSON, each with the ending behind it."""
    text = json.dumps(value)
    return {name + (f" {ending}" if ending else "") for name, ending in WITH_ENDING.findall(text)}


def test_every_placeholder_has_words_and_stands_in_the_guidelines() -> None:
    study = template("dialog-pairs")
    words = study.wording.words
    used = placeholders_in(json.loads((HERE / "dialog-pairs" / "dialogues.json").read_text("utf-8")))
    told = placeholders_in(reading.guide_files(study))
    assert used <= set(words)
    assert {name for name in words if " " not in name} <= told <= set(words)
    assert "hotel_pricerange -ly" in used & told, "a cut-off ending is among the samples"
    for name in ("hotel_pricerange", "restaurant_pricerange"):
        assert {f"{name} -ly", f"{name} -er"} <= set(words)
    [table] = [each for each in reading.tables(study) if "Its labels" in each.head]
    assert placeholders_in([row["Its labels"] for row in table.rows]) == set(words), (
        "the table says that it has them all"
    )


def test_the_worked_examples_as_data_are_those_of_the_guide() -> None:
    study = template("dialog-pairs")
    found = []
    for criterion in ("completion", "readability"):
        text = reading.guide_files(study)[f"guide/{criterion}.md"]
        for example in re.split(r"^\*\*Example \d[^\n]*\n", text, flags=re.MULTILINE)[1:]:
            said = re.findall(r"^\| (User|System|Left|Right) \| (.+) \|$", example, re.MULTILINE)
            found.append(
                (criterion, *[text for _, text in said], *re.findall(r"^Verdict: \*\*(\w+)\*\*\. (.+)$", example, re.M))
            )
    kept = json.loads((HERE / "dialog-pairs" / "guide" / "examples.json").read_text("utf-8"))
    assert found == [
        (
            each["criterion"],
            *[text for line in each.get("earlier", []) for text in line.values()],
            *[each[name] for name in ("user", "left", "right")],
            (each["verdict"].capitalize(), each["reason"]),
        )
        for each in kept
    ]


def test_what_was_asked_for_is_no_extra_and_an_honest_lack_of_it_is_a_tie() -> None:
    study = template("dialog-pairs")
    text = reading.guide_files(study)["guide/completion.md"]
    assert "can use, beyond what was asked, wins" in text
    assert "can use, beyond what was asked, wins" in " ".join(study.dimension("completion").check)
    assert "what was asked for is the answer, and no extra" in text
    verdicts = dict(re.findall(r"\*\*Example (\d).*?^Verdict: \*\*(\w+)\*\*", text, re.MULTILINE | re.DOTALL))
    assert (verdicts["4"], verdicts["8"]) == ("Right", "Tie")


# The study file beside the documents


def places_of_words(study: Study, dimension: Dimension, scores: list[Any]) -> list[str]:
    """Where the words stand that lead to some answer: anchors and boundaries of these points, else help and guide."""
    if isinstance(dimension.input, ScaleInput):
        anchors = [dimension.input.anchors[each] for each in scores if each in dimension.input.anchors]
        near = [words for at, words in dimension.boundaries.items() if {*map(int, at.split("-"))} & set(scores)]
        help_ = [each.text for each in reading.sections_of(study, dimension)]
        return [*anchors, *near, *help_]
    return [*dimension.check, *dimension.not_a_failure, *reading.guide_files(study).values()]


facts = pytest.mark.parametrize(
    ("name", "fact"),
    [pytest.param(name, fact, id=f"{name}: {fact['case'][:60]}") for name in FACTS for fact in FACTS[name]],
)


@facts
def test_a_fact_of_a_document_gets_its_scores_by_the_words_of_the_study_file(name: str, fact: dict[str, Any]) -> None:
    study = template(name)
    for dimension, scores in fact["scores"].items():
        assert set(scores) <= set(study.dimension(dimension).input.values()), dimension
        words = fact["words"][dimension]
        places = places_of_words(study, study.dimension(dimension), scores)
        assert any(plain(words) in plain(place) for place in places), f"{dimension}: nothing says {words!r} at {scores}"


@facts
def test_the_page_takes_the_scores_of_a_fact_and_refuses_those_that_the_document_rules_out(
    name: str, fact: dict[str, Any]
) -> None:
    study = template(name)
    tags = {each: list(given) for each, given in fact.get("tags", {}).items()}
    for dimension, scores in fact["scores"].items():
        assert set(scores) <= left_of_scale(study, dimension, tags), dimension
        if dimension in fact.get("only", []):
            assert set(scores) == left_of_scale(study, dimension, tags), dimension
    together = [dict(zip(fact["scores"], each, strict=True)) for each in product(*fact["scores"].values())]
    forms = [{**tags, **{key: [str(value)] for key, value in one.items()}} for one in together]
    assert any(not reasons(study, answer_the_rest(study, form)) for form in forms)


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        pytest.param(name, fact, id=f"{name}: {fact['example']}")
        for name in FACTS
        for fact in FACTS[name]
        if "example" in fact
    ],
)
def test_a_worked_example_of_the_guide_scores_as_the_fact_that_it_is_a_case_of(name: str, fact: dict[str, Any]) -> None:
    study = template(name)
    [section] = [each for each in reading.sections(study) if each.heading == fact["example"]]
    rows = re.findall(r"^\| (.+?) \| (\d) \|", section.text, re.MULTILINE)
    named = [(reading.named_dimension(study, question), int(score)) for question, score in rows]
    given = {each.dimension: score for each, score in named if each is not None}
    assert given.keys() >= fact["scores"].keys()
    assert {each: given[each] for each, scores in fact["scores"].items() if given[each] not in scores} == {}


@pytest.mark.parametrize("name", sorted(FACTS))
def test_every_anchor_is_led_to_by_a_fact(name: str) -> None:
    study = template(name)
    for dimension in (each for each in study.rubric if isinstance(each.input, ScaleInput)):
        led = {score for fact in FACTS[name] for score in fact["scores"].get(dimension.dimension, [])}
        if dimension.dimension in NOT_IN_DOCUMENT.get(name, ()):
            assert not led
        else:
            assert led == set(dimension.input.values()), dimension.dimension


NOT_IN_DOCUMENT = {"empathy": ("overall",)}
"""Dimensions whose points the document leaves to the annotator."""
