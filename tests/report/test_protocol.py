"""Methods are complete: the wording of questions, dates, people at each step, what was declared and changed."""

from dataclasses import replace

from assay.fieldwork import FunnelStep
from assay.report.build import Report, build
from assay.report.sections.protocol import ProtocolNumbers, ProtocolSection
from assay.study import Study
from tests.report.known import answers, report
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
    page = made.html()
    first = protocol(made).questions[0]
    assert first.anchors
    assert all(f"{point}: " in page for point in first.anchors)


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
