"""Methods are complete: the wording of questions, dates, people at each step, what was declared and changed."""

import json
from dataclasses import replace
from html import unescape

import pytest

from assay.fieldwork import FunnelStep
from assay.report.build import Report, build
from assay.report.sections.protocol import AskedQuestion, ProtocolNumbers, ProtocolSection, _question
from assay.study import Study, study_from_document
from tests.report.known import answers, report
from tests.report.test_known_trajectories import STUDY as WAYS
from tests.report.test_report import PLAIN


def judged() -> Report:
    given = [each for index in range(3) for who in "ab" for each in answers(f"i{index}", who, {"emotion": 3})]
    return report(PLAIN, given)


def protocol(made: Report) -> ProtocolNumbers:
    found: ProtocolNumbers = made.parts["protocol"]
    return found


def lines(made: Report) -> str:
    return " ".join(ProtocolSection().lines(protocol(made)))


def test_every_question_stands_there_as_annotators_read_it_with_its_anchors() -> None:
    made = judged()
    for asked, dimension in zip(protocol(made).questions, PLAIN.rubric, strict=True):
        assert (asked.title, asked.ask) == (dimension.heading, dimension.ask)
    page = unescape(made.html())
    with_words = [each for each in protocol(made).questions if each.anchors]
    assert with_words
    for asked in with_words:
        has = PLAIN.dimension(asked.dimension).input
        declared = getattr(has, "anchors", None) or has.options  # type: ignore[attr-defined]
        assert asked.anchors == {str(point): words for point, words in declared.items()}
        assert "; ".join(f"{point}: {words}" for point, words in declared.items()) in page


def methods(made: Report) -> str:
    """The text of the methods, without the appendix."""
    page = unescape(made.html()).replace("\u00a0", " ")
    return page[page.index('id="part-methods"') : page.index('id="appendix"')]


def test_the_methods_themselves_name_each_question_with_its_wording_and_its_scale_with_anchors() -> None:
    said = methods(judged())
    for asked in PLAIN.rubric:
        row = next(each for each in said.split("<tr>") if f'<th scope="row">{asked.heading}<' in each)
        assert asked.ask in row
        for point, words in getattr(asked.input, "anchors", {}).items():
            assert f"{point} = {words}" in row
        for words in getattr(asked.input, "options", {}).values():
            assert words in row


def asked(**about: object) -> AskedQuestion:
    plain = {"dimension": "a", "title": "A", "ask": "", "of": "the item", "level": "ordinal", "asked_when": ""}
    return AskedQuestion(**{**plain, "values": list("12345"), "anchors": {}, **about})  # type: ignore[arg-type]


def test_a_scale_is_said_as_it_was_answered() -> None:
    assert asked().scale == "1 to 5"
    assert asked(anchors={"1": "bad", "5": "good"}).scale == "1 to 5; 1 = bad; 5 = good"
    assert asked(values=["1", "2"], anchors={"1": "bad", "2": "good"}).scale == "1 = bad; 2 = good"
    assert asked(values=["0", "1"], anchors={"0": "No", "1": "Yes"}).scale == "0 = No; 1 = Yes"
    assert asked(values=["left", "tie"], anchors={"left": "Left", "tie": "Equal"}).scale == "one of: Left; Equal"
    assert asked(values=[], anchors={"empty": "Empty"}).scale == "any of: Empty"
    assert asked(values=[]).scale == "free text"
    assert asked(unable="Cannot say").scale == "1 to 5; or: Cannot say"
    long = {point: f"{point} {'x' * 100} {point}" for point in "12345"}
    ends = f"from “{long['1']}” to “{long['5']}”; the words at each point are in the appendix"
    assert asked(anchors=long).scale == ends
    assert asked(anchors=long, values=[], level=None).scale == "5 answers, named in the appendix"
    assert asked(anchors={"1": "x" * 500}).scale == f"1 to 5; 1 = {'x' * 500}"


def test_answers_whose_words_come_from_the_language_are_named_by_these() -> None:
    study = WAYS
    found = {each.dimension: _question(each, study) for each in study.rubric}
    assert found["correctness"].scale == "0 = No; 1 = Yes"
    assert found["preference"].scale.startswith("one of: ")
    assert len(found["preference"].anchors) == len(found["preference"].values) == 3


@pytest.mark.parametrize(
    ("enrol", "said"),
    [
        (None, "Recruitment: by invitation, each person with a personal link."),
        ({"at_most": 40}, "Recruitment: through an open link, by which whoever had it could take part, 40 at most."),
        ({"panel": "prolific"}, "Recruitment: people were sent by a panel (prolific)."),
    ],
)
def test_how_people_were_found_is_said(enrol: dict[str, object] | None, said: str) -> None:
    made = judged()
    document = json.loads(PLAIN.document())
    document["assignment"] |= {} if enrol is None else {"enrol": enrol}
    study = study_from_document(json.dumps(document))
    assert said in lines(build(replace(made.data, study=study)))


def test_how_people_of_files_were_found_is_not_claimed() -> None:
    made = judged()
    elsewhere = [replace(each, source="imported") for each in made.data.judgments]
    assert "Recruitment: not known here, since all judgments came from files." in lines(
        build(replace(made.data, judgments=elsewhere))
    )


def test_people_at_each_step_are_counted_and_what_was_declared_is_said() -> None:
    made = judged()
    work = made.data.fieldwork
    assert work is not None
    steps = [FunnelStep("Invited", 5), FunnelStep("Opened the link", 4), FunnelStep("Consent", 3)]
    made = build(replace(made.data, fieldwork=replace(work, funnel=steps, published={"now": 0})))
    assert "People at each step: invited 5, opened the link 4, consent 3; counted here 2." in lines(made)
    assert "Declared before the first judgment: the analysis of version now (in force since 1 January 1970)" in lines(
        made
    )
    assert "not changed since" in lines(made)
    assert "Software: assay " in lines(made)


def test_an_analysis_that_was_changed_after_data_were_there_is_named() -> None:
    made = judged()
    changed: Study = PLAIN.model_copy(update={"analysis": PLAIN.analysis.model_copy(update={"use_agreed": True})})
    made = build(replace(made.data, study=changed, versions={"now": 6}, studies={"now": PLAIN}))
    assert protocol(made).analysis_changed == ["use_agreed"]
    assert "Changed after data were there: analysis.use_agreed." in lines(made)
    assert [each.differs_in for each in protocol(made).versions] == [[], ["analysis"]]
    assert "Every version of the study" in made.html()
