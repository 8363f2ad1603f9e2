"""The comparison is the unit of a preference: agreement on each two systems by itself, whatever they are called.

Three people chose between Linnet and Heron on four items and between Linnet and a person on four others. By hand, with
Fleiss' formula (three judgments on each of four items):

Linnet against Heron: LLL, LLH, HHH, TTH. Observed agreement (1 + 1/3 + 1 + 1/3) / 4 = 2/3. Of 12 answers 5 are Linnet,
5 Heron and 2 ties: expected 25/144 + 25/144 + 4/144 = 54/144 = 3/8. Kappa = (2/3 - 3/8) / (5/8) = 7/15.

Linnet against person: PPP, PPT, LLL, PTL. Observed (1 + 1/3 + 1 + 0) / 4 = 7/12. Of 12 answers 4 are Linnet, 6 the
person and 2 ties: expected (16 + 36 + 4) / 144 = 7/18. Kappa = (7/12 - 7/18) / (11/18) = 7/22.

Together, each item in both directions: observed (2/3 + 7/12) / 2 = 5/8. Of 24 answers 4 are ties; a first and a second
system have (24 - 4) / 2 = 10 each: expected (100 + 100 + 16) / 576 = 3/8. Kappa = (5/8 - 3/8) / (5/8) = 2/5.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from assay.model import Comparison, Judgment
from assay.quality.low_agreement import kappas_with_others
from assay.report.build import Report
from assay.report.pilot_verdict import GO, REVISE, pilot_outcome
from assay.study import Study
from assay.study.analysis import PilotSettings
from tests.report.comparing import DIALOGUES, ungrouped
from tests.report.known import line, one, report
from tests.report.test_report import judgment

STUDY = ungrouped(DIALOGUES)
BIRDS = {"b1": "LLL", "b2": "LLH", "b3": "HHH", "b4": "TTH"}
PERSON = {"p1": "PPP", "p2": "PPT", "p3": "LLL", "p4": "PTL"}
NAMES = {"L": "Linnet", "H": "Heron", "P": "person", "T": "tie"}
OTHERS = {"L": "zz", "H": "aa", "P": "mm", "T": "tie"}
"""The person now comes before what it is compared with."""
TURNED = {"L": "mm", "H": "zz", "P": "aa", "T": "tie"}
"""So do, the other way round, both."""


def said(names: Mapping[str, str] = NAMES) -> list[Judgment]:
    made = []
    for items, other in ((BIRDS, "H"), (PERSON, "P")):
        systems = tuple(sorted((names["L"], names[other])))
        for item, letters in items.items():
            for who, letter in zip(("ana", "ben", "cem"), letters, strict=True):
                about: dict[str, Any] = {"system": "", "systems": systems, "study_hash": "now", "group": ""}
                made.append(judgment(item, who, names[letter], "completion", **about))
    return made


def made_of(names: Mapping[str, str] = NAMES, study: Study = STUDY, **more: Any) -> Report:
    directions = [Comparison(names["L"], names["H"]), Comparison(names["L"], names["P"])]
    return report(study, said(names), comparisons=directions, **more)


def kappas(made: Report, coefficient: str = "fleiss_kappa") -> dict[tuple[str, str], Any]:
    rows = [row for row in made.numbers()["agreement"]["dimensions"] if row["dimension"] == "completion"]
    return {(row["system"], row["against"]): one(row["coefficients"], name=coefficient)["value"] for row in rows}


def test_each_comparison_has_the_kappa_that_was_worked_out_by_hand() -> None:
    made = made_of()
    found = kappas(made)
    assert found == {
        ("Linnet", "Heron"): pytest.approx(7 / 15),
        ("Linnet", "person"): pytest.approx(7 / 22),
    }
    assert line(made, "Completion (Linnet against Heron): ").startswith(
        "Completion (Linnet against Heron): Fleiss' kappa 0.47 ["
    )
    assert "3 annotators, 4 items" in line(made, "Completion (Linnet against person): Fleiss' kappa 0.32 [")
    figure = made.numbers()["figures"]["agreement"]["rows"]
    assert [row["title"] for row in figure if row["dimension"] == "completion"] == [
        "Completion (Linnet against Heron)",
        "Completion (Linnet against person)",
    ]


def test_together_they_have_a_value_beside_and_no_interval() -> None:
    made = made_of()
    [pooled] = made.numbers()["agreement"]["pooled"]
    assert (pooled["comparisons"], pooled["n_items"], pooled["n_annotators"]) == (2, 8, 3)
    assert pooled["coefficient"]["value"] == pytest.approx(2 / 5)
    assert pooled["coefficient"]["ci"] is None
    assert line(made, "Completion, all 2 comparisons together: ") == (
        "Completion, all 2 comparisons together: Fleiss' kappa 0.40, 8 items, each taken in both directions."
    )
    assert "It stands beside the values of each comparison, and has no interval." in made.html()


def test_many_comparisons_are_said_in_one_sentence_those_of_few_items_together() -> None:
    def between(item: str, one: str, other: str, letters: str) -> list[Judgment]:
        systems, named = tuple(sorted((one, other))), {"1": one, "2": other, "T": "tie"}
        about: dict[str, Any] = {"system": "", "systems": systems, "study_hash": "now", "group": ""}
        people = zip(("ana", "ben", "cem"), letters, strict=True)
        return [judgment(item, who, named[letter], "completion", **about) for who, letter in people]

    # The four items of Linnet against Heron, five times over: the shares are the same, and so is kappa.
    letters = ["111", "112", "222", "TT2"] * 5
    third = [each for n, said_ in enumerate(letters) for each in between(f"x{n}", "Heron", "person", said_)]
    made = report(STUDY, [*said(), *third])
    [about] = [each for each in made.summary() if each.startswith("Completion, ") and "kappa" in each]
    assert about.startswith("Completion, Fleiss' kappa: Heron against person 0.47 [")
    assert "], 20 items; 2 comparisons of fewer than 20 items: too few to say; all 3 together 0.4" in about
    assert about.endswith(", 28 items, each taken in both directions.")


def test_with_one_comparison_there_is_nothing_to_pool() -> None:
    made = report(STUDY, [each for each in said() if each.item in BIRDS])
    assert made.numbers()["agreement"]["pooled"] == []
    assert kappas(made) == {("Heron", "Linnet"): pytest.approx(7 / 15)}


def test_no_coefficient_depends_on_what_systems_are_called() -> None:
    plain, renamed = made_of(), made_of(OTHERS)
    for coefficient in ("fleiss_kappa", "krippendorff_alpha_nominal", "cohen_kappa", "gwet_ac1", "percent_agreement"):
        assert list(kappas(plain, coefficient).values()) == list(kappas(renamed, coefficient).values()), coefficient
        assert list(kappas(plain, coefficient).values()) == list(kappas(made_of(TURNED), coefficient).values())[::-1]
    back = {name: letter for letter, name in OTHERS.items()}
    assert _without_names(plain) == _without_names(renamed, {name: NAMES[letter] for name, letter in back.items()})


def _without_names(made: Report, names: Mapping[str, str] | None = None) -> Any:
    """What is said of agreement, majorities and annotators, with systems called as in `names`."""
    known = names or {}

    def walk(part: Any) -> Any:
        if isinstance(part, dict):
            return {known.get(key, key): walk(each) for key, each in part.items()}
        if isinstance(part, list):
            return [walk(each) for each in part]
        text = part
        for old, new in known.items() if isinstance(part, str) else ():
            text = text.replace(f"{old} against", f"{new} against").replace(f"against {old}", f"against {new}")
            text = new if text == old else text
        return text

    numbers = made.numbers()
    found = {name: walk(numbers[name]) for name in ("agreement", "annotators")}
    pairs = [pair for row in numbers["preferences"]["families"][0]["dimensions"] for pair in row["pairs"]]
    found["pairs"] = [[walk(pair[key]) for key in ("system", "against", "wins", "net", "majority")] for pair in pairs]
    return found | {"figure": walk(numbers["figures"]["agreement"])}


def test_no_coefficient_depends_on_the_seed() -> None:
    other = STUDY.model_copy(update={"seed": STUDY.seed + 1})
    for coefficient in ("fleiss_kappa", "krippendorff_alpha_nominal", "cohen_kappa"):
        assert kappas(made_of(), coefficient) == kappas(made_of(study=other), coefficient)
    first, second = (made.numbers()["agreement"] for made in (made_of(), made_of(study=other)))
    assert first["pooled"] == second["pooled"]


def test_the_direction_turns_wins_into_losses_and_no_kappa() -> None:
    turned = report(STUDY, said(), comparisons=[Comparison("Heron", "Linnet"), Comparison("person", "Linnet")])
    assert list(kappas(turned).values()) == list(kappas(made_of()).values())
    first, second = (
        made.numbers()["preferences"]["families"][0]["dimensions"][0]["pairs"][0] for made in (made_of(), turned)
    )
    assert (first["wins"]["value"], first["losses"]["value"]) == (second["losses"]["value"], second["wins"]["value"])
    assert first["majority"] == {"items": 4, "wins": 2, "ties": 1, "losses": 1, "none": 0}


def test_two_annotators_are_laid_beside_each_other_by_comparison() -> None:
    panels = made_of().numbers()["figures"]["confusion"]["panels"]
    assert [(panel["title"], panel["labels"], panel["n"]) for panel in panels] == [
        ("Completion (Linnet against Heron)", ["Linnet", "tie", "Heron"], 4),
        ("Completion (Linnet against person)", ["Linnet", "tie", "person"], 4),
    ]


def test_a_blind_study_lays_them_beside_each_other_without_saying_who_is_preferred() -> None:
    blind = STUDY.model_copy(update={"analysis": STUDY.analysis.model_copy(update={"blind": True})})
    found = [made_of(names, study=blind).numbers()["figures"]["confusion"] for names in (NAMES, TURNED)]
    [panel] = found[0]["panels"]
    assert (panel["title"], panel["labels"]) == ("Completion", ["one system", "tie", "the other"])
    # Ana and cem, who agree least: LL LH HH TH, PP PT LL PL.
    assert (found[0]["first"], found[0]["second"]) == ("ana", "cem")
    cells = {(cell["first"], cell["second"]): cell["n"] for cell in panel["cells"]}
    assert cells == {
        ("one system", "one system"): 4,
        ("one system", "the other"): 2,
        ("one system", "tie"): 1,
        ("tie", "one system"): 1,
    }
    assert found[0] == found[1], "whatever the systems are called"


def test_judges_stand_beside_people_by_comparison() -> None:
    judge = [
        replace(each, annotator="gpt", judge=True, submission=f"gpt-{each.item}")
        for each in said()
        if each.annotator == "ana"
    ]
    numbers = report(STUDY, [*said(), *judge], comparisons=made_of().data.comparisons).numbers()
    assert [(row["dimension"], row["title"]) for row in numbers["judges"]["dimensions"]] == [
        ("completion", "Completion (Linnet against Heron)"),
        ("completion", "Completion (Linnet against person)"),
    ]
    assert {row["title"] for row in numbers["figures"]["judge"]["all"]} == {
        "Completion (Linnet against Heron)",
        "Completion (Linnet against person)",
    }


def test_what_is_left_out_is_compared_by_comparison() -> None:
    left_out = {"cem": "talked to the others"}
    numbers = made_of(excluded=left_out).numbers()["excluded"]
    names = ["completion (Linnet against Heron)", "completion (Linnet against person)", "readability"]
    assert list(numbers["without"]) == list(numbers["with_everybody"]) == names
    assert numbers["with_everybody"][names[0]] == pytest.approx(7 / 15)
    # Without cem both say the same of all but one item: LL LL HH TT, and PP PP LL PT.
    assert numbers["without"][names[0]] == 1
    nobody = made_of(excluded=dict.fromkeys(("ana", "ben", "cem"), "all")).numbers()["excluded"]
    assert nobody["without"] == dict.fromkeys(names)


def test_every_comparison_of_a_pilot_has_to_reach_the_threshold() -> None:
    asked = PilotSettings(items=8, dimensions=("completion",), go=0.4, revise=0.2)
    study = STUDY.model_copy(update={"analysis": STUDY.analysis.model_copy(update={"pilot": asked})})
    found = pilot_outcome(made_of(study=study).data)
    assert [(each.title, each.verdict) for each in found.dimensions] == [
        ("Completion (Linnet against Heron)", GO),
        ("Completion (Linnet against person)", REVISE),
    ]
    assert found.verdict == REVISE
    assert [(row["system"], row["against"]) for row in found.as_json()["dimensions"]] == [
        ("Linnet", "Heron"),
        ("Linnet", "person"),
    ]


def test_one_annotator_beside_the_others_depends_on_no_name_either() -> None:
    def of(names: Mapping[str, str]) -> dict[str, Any]:
        data = made_of(names).data
        assert data.work is not None
        return kappas_with_others(data.work, STUDY.dimension("completion"), 3)

    assert of(NAMES) == of(OTHERS) == of(TURNED)
    # Cem says something else than both others on b2, b4, p2 and p4: a disagreement of 4 / 8. Cem gave 1 tie in 8, the
    # others 3 in 16; in both directions the rest is half for the first and half for the second.
    own = {"first": 7 / 16, "tie": 1 / 8}
    rest = {"first": 13 / 32, "tie": 3 / 16}
    expected = 1 - (2 * own["first"] * rest["first"] + own["tie"] * rest["tie"])
    assert of(NAMES)["cem"].value == pytest.approx(1 - (4 / 8) / expected)


def test_what_an_annotator_says_again_depends_on_no_name() -> None:
    def consistency(names: Mapping[str, str]) -> Any:
        first = said(names)
        again = [replace(each, pass_=2, submission=f"{each.submission}-2") for each in first if each.annotator == "ana"]
        again[1] = replace(again[1], value=names["H"])
        data = report(STUDY, [*first, *again], comparisons=made_of(names).data.comparisons)
        row = one(data.numbers()["annotators"]["dimensions"], dimension="completion")
        return row["with_themselves"]["kappa_with_self"]["value"], row["with_themselves"]["exact"]["value"]

    assert consistency(NAMES) == consistency(OTHERS) == consistency(TURNED)
    assert consistency(NAMES)[1] == 7 / 8
