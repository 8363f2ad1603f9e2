"""A report on known data says what can be worked out by hand."""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import pytest

from assay.model import Judgment
from assay.report.build import Report, build
from assay.report.charts import Axis, interval, number
from assay.report.data import Data
from assay.study import Study, load
from assay.study.field_types import OneKind
from assay.study.templates import HERE

STUDY = load(HERE / "empathy")
PLAIN = STUDY.model_copy(update={"items": STUDY.items.model_copy(update={"group": None})})


def judgment(item: str, annotator: str, value: object, dimension: str = "emotion", **more: object) -> Judgment:
    made = Judgment(
        submission=f"{annotator}-{item}",
        item=item,
        system="m",
        systems=("m",),
        group="s",
        annotator=annotator,
        dimension=dimension,
        side="",
        entry="",
        value=value,  # type: ignore[arg-type]
        pass_=1,
        revision=1,
        shown_at=0,
        submitted_at=1000,
        active_ms=60_000,
        study_hash=STUDY.hash,
        consent="",
    )
    return replace(made, **more)  # type: ignore[arg-type]


def report(judgments: Iterable[Judgment], items: int = 40, studies: dict[str, Study] | None = None) -> Report:
    found = list(judgments)
    return build(
        Data(
            study=PLAIN,
            judgments=found,
            items=items,
            finished=len({each.item for each in found}),
            systems={"m": items},
            annotators=sorted({each.annotator for each in found} | {"idle"}),
            versions={STUDY.hash: len({each.submission for each in found})},
            studies={STUDY.hash: PLAIN, **(studies or {})},
            made_at="2027-01-01T00:00:00.000Z",
            seed=1,
        )
    )


def emotion(made: Report) -> dict[str, dict[str, object]]:
    row = next(each for each in made.numbers()["agreement"]["dimensions"] if each["dimension"] == "emotion")
    return {each["name"]: each for each in row["coefficients"]}


def pairs(values: Iterable[tuple[int, int]]) -> list[Judgment]:
    return [
        judgment(f"i{index}", who, value)
        for index, both in enumerate(values)
        for who, value in zip(("ana", "ben"), both, strict=True)
    ]


def test_agreement_worked_out_by_hand() -> None:
    # 40 items; the two agree on 30 of them and are one apart on 10: half of the items are 2s and half are 4s for ana.
    made = report(pairs([(2, 2)] * 15 + [(2, 3)] * 5 + [(4, 4)] * 15 + [(4, 5)] * 5))
    found = emotion(made)
    assert found["percent_agreement"]["value"] == pytest.approx(0.75)
    assert found["within_one_agreement"]["value"] == pytest.approx(1.0)
    # Linear: observed disagreement 10/40; by chance, from the two margins: mean of |x - y|.
    ana, ben = [2] * 20 + [4] * 20, [2] * 15 + [3] * 5 + [4] * 15 + [5] * 5
    chance = sum(abs(x - y) for x, y in product(ana, ben)) / 1600
    assert found["cohen_kappa_linear"]["value"] == pytest.approx(1 - 0.25 / chance)
    line = next(line for line in made.summary() if line.startswith("Emotion recognition"))
    value = 1 - 0.25 / chance
    assert re.fullmatch(
        rf"Emotion recognition: weighted kappa \(linear\) {value:.2f} \[0\.\d\d, 0\.\d\d\], 2 annotators, 40 items; "
        r"100 % within one point; the study asks for at least 0\.40: (met|undecided, the interval contains it)\.",
        line,
    )


def test_undefined_is_said_with_its_reason() -> None:
    same = emotion(report(pairs([(3, 3)] * 40)))
    assert same["krippendorff_alpha_ordinal"]["value"] is None
    assert "same value" in str(same["krippendorff_alpha_ordinal"]["undefined"])
    alone = report(judgment(f"i{n}", "ana", n % 5 + 1) for n in range(40))
    assert "only one annotator" in str(emotion(alone)["cohen_kappa_linear"]["undefined"])
    assert any("undefined (there is only one annotator)" in line for line in alone.summary())
    assert "undefined: there is only one annotator" in alone.html()
    nothing = report([])
    assert "there are no judgments" in str(emotion(nothing)["percent_agreement"]["undefined"])
    assert "nobody has judged yet" in nothing.html()


def test_few_items_are_marked_as_too_few_to_say() -> None:
    made = report(pairs([(1, 2), (3, 3), (5, 4)]))
    assert any("too few to say" in line for line in made.summary())


def test_only_the_first_pass_and_the_newest_revision_count() -> None:
    first = pairs([(n % 5 + 1, n % 5 + 1) for n in range(40)])
    later = [
        replace(first[0], value=5, revision=2, submission="later"),
        replace(first[1], value=1, pass_=2, submission="d"),
    ]
    made = report([replace(first[0], superseded=True), *first[1:], *later])
    assert made.numbers()["overview"]["submissions"] == 80
    assert made.numbers()["overview"]["judgments_stored"] == 82
    assert made.numbers()["methods"]["left_out"] == 2
    assert float(str(emotion(made)["percent_agreement"]["value"])) == pytest.approx(39 / 40)


def test_distributions_count_every_point_of_the_declared_scale() -> None:
    made = report(pairs([(2, 2)] * 3 + [(4, 5)] * 7))
    row = made.numbers()["distributions"]["dimensions"][0]
    assert row["points"] == ["1", "2", "3", "4", "5"]
    assert row["annotators"] == {"ana": [0, 3, 0, 7, 0], "ben": [0, 3, 0, 0, 7]}
    assert row["all"] == [0, 6, 0, 7, 7]


def test_distributions_count_what_was_answered_on_this_dimension() -> None:
    given = pairs([(2, 2)] * 3 + [(4, 5)] * 7)
    other = [replace(each, dimension="validation", value=3) for each in given]
    not_answered = replace(given[0], annotator="cem", submission="c", value=None)
    made = report([*given, *other, not_answered])
    rows = {row["dimension"]: row for row in made.numbers()["distributions"]["dimensions"]}
    assert rows["emotion"]["annotators"] == {"ana": [0, 3, 0, 7, 0], "ben": [0, 3, 0, 0, 7]}
    assert rows["validation"]["annotators"] == {"ana": [0, 0, 10, 0, 0], "ben": [0, 0, 10, 0, 0]}


def test_the_same_seed_gives_the_same_report_and_json_holds_no_nan() -> None:
    judgments = pairs([(n % 5 + 1, (n * 7) % 5 + 1) for n in range(40)])
    assert report(judgments).json() == report(judgments).json()
    json.loads(report(judgments).json(), parse_constant=pytest.fail)
    json.loads(report([]).json(), parse_constant=pytest.fail)


def test_the_page_needs_nothing_from_elsewhere_and_escapes_what_it_shows() -> None:
    made = report([judgment("i1", "<script>alert(1)</script>", 3), judgment("i1", "ben", 4)])
    page = made.html()
    assert page.count("<script") == 1, "the page's own"
    assert "&lt;script&gt;" in page
    assert not re.search(r'(?:src|href)="(?!#|data:(?:text|image|application)/[\w+-]+;base64,)', page)
    assert "url(" not in page


def test_the_threshold_of_the_study_is_drawn() -> None:
    assert 'class="f-threshold"' in report(pairs([(1, 2), (3, 3)] * 20)).html()


def test_where_the_studys_coefficient_does_not_apply_another_is_said_and_drawn() -> None:
    study = load(HERE / "in-car")
    said = [judgment(f"i{n}", who, n % 2, "goal", entry="e1") for n in range(30) for who in ("ana", "ben")]
    made = build(replace(report([]).data, study=study, judgments=said, studies={}, annotators=["ana", "ben"]))
    goal = next(each for each in made.numbers()["agreement"]["dimensions"] if each["dimension"] == "goal")
    assert goal["main"] == "krippendorff_alpha_nominal"
    assert "Krippendorff&#39;s alpha (nominal)" in made.html()


def test_an_axis_places_values_and_ticks() -> None:
    axis = Axis(-0.2, 1, 100, 700)
    assert axis.at(-0.2) == 100
    assert axis.at(1) == 700
    assert axis.at(0.4) == 400
    assert axis.at(-5) == 100
    assert axis.ticks(6) == [-0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert number(None) == "–"
    assert number(-0.5) == "−0.50"
    assert interval((0.1, 0.25)) == "[0.10, 0.25]"


def test_a_judgment_on_another_scale_or_of_a_dropped_dimension_is_not_compared_and_the_report_says_so() -> None:
    wide = STUDY.rubric[0].input.model_copy(update={"to": 7})  # type: ignore[attr-defined]
    wider = PLAIN.rubric[0].model_copy(update={"scale": wide})
    wider.__dict__.pop(OneKind.only_kind.attrname, None)
    old = PLAIN.model_copy(update={"rubric": (wider, *PLAIN.rubric[1:])})
    first = pairs([(n % 5 + 1, n % 5 + 1) for n in range(40)])
    seven = {"ana": 7, "ben": 5}
    on_seven = [replace(each, item=f"w{each.item}", value=seven[each.annotator], study_hash="old") for each in first]
    dropped = [replace(first[0], item="x", dimension="tone")]
    made = report(first + on_seven + dropped, studies={"old": old})
    assert made.numbers()["methods"]["off_scale"] == {"emotion": 80, "tone": 1}
    assert made.numbers()["distributions"]["dimensions"][0]["all"] == [16] * 5
    assert emotion(made)["percent_agreement"]["value"] == pytest.approx(1.0)
    assert "no longer in force" in made.html()


def test_simulated_annotators_are_said_first() -> None:
    made = report(judgment(f"i{n}", who, n % 5 + 1, simulated=True) for n in range(40) for who in ("bot1", "bot2"))
    assert made.summary()[0] == "These numbers are no finding: bot1, bot2 are simulated, and counted."
    assert "simulated" not in "".join(report(pairs([(1, 2)] * 30)).summary())


def test_the_threshold_of_the_study_is_met_not_met_or_undecided() -> None:
    def said(values: list[tuple[int, int]]) -> str:
        return next(line for line in report(pairs(values)).summary() if line.startswith("Emotion"))

    assert "at least 0.40: met" in said([(n % 5 + 1, n % 5 + 1) for n in range(100)] + [(1, 2)])
    assert "at least 0.40: not met" in said([(n % 5 + 1, (n * 3) % 5 + 1) for n in range(100)])
