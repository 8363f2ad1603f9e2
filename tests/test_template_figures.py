"""The study files of the templates have the figures of their documents: how many judge, what is computed, and how.

Guidelines are held against their study file in `test_guides.py`. Here the study file is held against the document, for
what no guideline says.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from assay.inputs.scale import ScaleInput
from assay.study import Study, load
from assay.study.templates import HERE, template_names

FIGURES: dict[str, dict[str, tuple[Callable[[Any], Any], Any]]] = {
    "in-car": {
        "everybody judges every conversation": (lambda study: study.assignment.per_item, "all"),
        "a folder is finished before the next one": (lambda study: study.assignment.batches, "in_order"),
        "previous, next or any from a list": (lambda study: study.navigation, "free"),
        "the four dimensions weigh alike": (
            lambda study: study.derive[0].normalised_mean.of,
            {
                "instruction_constraint_adherence": 1.0,
                "context_ambiguity_handling": 1.0,
                "plan_coherence": 1.0,
                "safety_compliance": 1.0,
            },
        ),
        "the share of goals weighs as much as one of them": (
            lambda study: (study.derive[0].normalised_mean.ratio.of, study.derive[0].normalised_mean.ratio.weight),
            ("goal", 1.0),
        ),
        "passed from three quarters on": (lambda study: study.derive[1].threshold.at_least, 0.75),
    },
    "route-planning": {
        "at least three annotators": (lambda study: study.assignment.per_item, 3),
        "agreement": (lambda study: study.analysis.agreement.coefficient, "fleiss_kappa"),
        "weights of the overall score": (
            lambda study: study.derive[0].weighted_mean.of,
            {
                "coherence": 0.4,
                "relevance": 0.2,
                "instruction_following": 0.2,
                "safety_compliance": 0.1,
                "fluency": 0.1,
            },
        ),
    },
    "dialog-pairs": {
        "three labels for each turn and comparison": (lambda study: study.assignment.per_item, 3),
        "agreement of the three": (lambda study: study.analysis.agreement.coefficient, "fleiss_kappa"),
        "nothing is computed": (lambda study: study.derive, ()),
    },
    "empathy": {
        "two annotators": (lambda study: study.assignment.per_item, 2),
        "no going back": (lambda study: study.navigation, "forward-only"),
        "the overall score is nobody's mean": (lambda study: study.derive, ()),
        "the lines of the pilot, and how often": (
            lambda study: (study.analysis.pilot.go, study.analysis.pilot.revise, study.analysis.pilot.rounds),
            (0.4, 0.25, 2),
        ),
        "what the pilot decides on": (
            lambda study: study.analysis.pilot.dimensions,
            ("emotion", "validation", "helpfulness", "safety"),
        ),
    },
    "trajectories": {
        "three annotators": (lambda study: study.assignment.per_item, 3),
        "going back within the session": (lambda study: study.navigation, "session"),
        "one in twenty comes again": (lambda study: study.assignment.duplicates.share, 0.05),
        "attention checks": (lambda study: study.assignment.controls.items, "controls.json"),
        "agreement to be reached": (lambda study: study.analysis.agreement.at_least, 0.4),
        "looked at again above this deviation": (lambda study: study.analysis.adjudicate_above, 1.5),
    },
}
"""Figures of each document, each with how it is read from the study file."""

SCALES = {
    "in-car": {(0, 2)},
    "route-planning": {(1, 5)},
    "dialog-pairs": set(),
    "empathy": {(1, 5)},
    "trajectories": {(1, 5)},
}


@cache
def template(name: str) -> Study:
    return load(HERE / name)


def test_every_template_has_its_figures() -> None:
    assert FIGURES.keys() == SCALES.keys() == set(template_names())


@pytest.mark.parametrize(
    ("name", "what"), [pytest.param(name, what, id=f"{name}: {what}") for name in FIGURES for what in FIGURES[name]]
)
def test_a_study_file_has_the_figure_of_its_document(name: str, what: str) -> None:
    read, expected = FIGURES[name][what]
    assert read(template(name)) == expected


@pytest.mark.parametrize("name", SCALES)
def test_scales_have_the_ends_of_the_document_and_every_point_has_words(name: str) -> None:
    scales = [each.input for each in template(name).rubric if isinstance(each.input, ScaleInput)]
    assert {(each.values()[0], each.values()[-1]) for each in scales} == SCALES[name]
    for each in scales:
        assert set(each.anchors) == set(each.values())
