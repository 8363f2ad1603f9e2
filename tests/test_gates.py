"""What gates say without a page: what a text says under a heading, and how often somebody may try."""

import pytest

from assay.gates.quiz import Quiz
from assay.gates.reading import Reading
from assay.gates.screening import Screening

RUBRIC = """# Rubric

Read all of it.

## Warmth

How warm it is.

### Examples of warmth

A hug.

## Tone
## Safety
No harm.
"""
CASES = "# Edge cases\n\n## Empty replies\n\nThey are 1.\n"
READING = Reading.model_validate(
    {"sections": [{"file": "rubric.md", "text": RUBRIC}, {"file": "cases.md", "text": CASES}]}
)


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("Warmth", "## Warmth\n\nHow warm it is.\n\n### Examples of warmth\n\nA hug.\n"),
        ("examples", "### Examples of warmth\n\nA hug.\n"),
        ("Tone", "## Tone"),
        ("SAFETY", "## Safety\nNo harm."),
        ("Empty replies", "## Empty replies\n\nThey are 1."),
        ("Helpfulness", ""),
        ("How warm it is", ""),
    ],
)
def test_what_is_read_about_a_heading_ends_at_the_next_one_that_is_no_part_of_it(heading: str, said: str) -> None:
    assert READING.about(heading) == said


def test_whoever_is_screened_out_has_no_second_attempt() -> None:
    assert Screening.model_validate(Screening.example | {"leave": None}).most_attempts == 1


def test_who_passed_a_gate_with_an_earlier_program_has_still_passed_it() -> None:
    """Its version goes by what its file says: a key that came later changes nothing for a file that leaves it out."""
    question = {"ask": "Is a long reply better?", "options": {"yes": "Yes", "no": "No"}, "answer": "no"}
    assert Quiz.model_validate({"questions": [question]}).version == "daf9eb25734e3ddd"
