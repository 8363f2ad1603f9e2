"""Questions about the person in a study file: any input, names of their own, and groups that can be listed."""

from pathlib import Path

import pytest

from tests.study.small import SMALL, loaded, said

ABOUT = """\
  - questionnaire:
      questions:
        - question: age
          choice: {young: Under 30, old: 30 or older}
        - question: years
          scale: {from: 0, to: 3, anchors: {0: none, 3: many}}
        - {question: tools, tags: {a: A, b: B}, optional: true}
"""
END = """\
at_end:
  questions:
    - {question: feedback, ask: What should we know?, text: {}, optional: true}
"""
WHOLE = SMALL + ABOUT + END


def test_a_study_without_them_is_stored_without_them(tmp_path: Path) -> None:
    document = loaded(tmp_path).document()
    assert not any(word in document for word in ("at_end", "groups", "questionnaire"))


def test_questions_before_and_after_the_work_are_read_with_their_inputs(tmp_path: Path) -> None:
    study = loaded(tmp_path, WHOLE + "analysis: {groups: [age, years]}\n")
    assert list(study.person_questions) == ["age", "years", "tools", "feedback"]
    assert [each.input.kind for each in study.person_questions.values()] == ["choice", "scale", "tags", "text"]
    assert study.at_end is not None
    assert study.at_end.version not in study.gate_versions, "nobody has to pass what comes after the work"


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (WHOLE + "analysis: {groups: [agee]}\n", "28:21", "no questionnaire asks 'agee'"),
        (WHOLE + "analysis: {groups: [tools]}\n", "28:21", "'tools' is answered by tags: its answers make no groups"),
        (WHOLE.replace("feedback", "age"), "27:8", "the question 'age' stands here a second time"),
        (WHOLE.replace("text: {}, optional: true}\n", "preference: {}}\n"), "27:55", "preference compares two sides"),
        (WHOLE.replace("choice: {young", "choise: {young"), "21:11", "unknown key 'choise'"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, where: str, what: str) -> None:
    found = said(tmp_path, text)
    assert [(place.startswith(where), words.startswith(what)) for place, words in found] == [(True, True)], found
