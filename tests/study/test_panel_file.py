"""`panel.yaml`: codes and addresses for the way back, and every mistake in it with its place."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import StudyMistakes
from assay.kinds import PANELS
from assay.panels import Arrival
from assay.panels.setup import OUTCOMES, WayBack
from assay.study.panel_file import load_panel_setup


def setup_of(folder: Path, text: str) -> str:
    """What is wrong with such a file."""
    (folder / "panel.yaml").write_text(text, "utf-8")
    with pytest.raises(StudyMistakes) as caught:
        load_panel_setup(folder)
    return str(caught.value)


def test_without_the_file_nothing_is_set(tmp_path: Path) -> None:
    assert load_panel_setup(tmp_path) is None


def test_each_outcome_has_its_code_and_address(tmp_path: Path) -> None:
    lines = [f"{outcome}: {{code: C{number}}}" for number, outcome in enumerate(OUTCOMES)]
    (tmp_path / "panel.yaml").write_text("\n".join([*lines, "key: key.txt"]), "utf-8")
    (tmp_path / "key.txt").write_text("0123456789abcdef\n", "utf-8")
    setup = load_panel_setup(tmp_path)
    assert setup is not None
    assert [setup.way_back(outcome) for outcome in OUTCOMES] == [WayBack(code=f"C{n}") for n in range(len(OUTCOMES))]
    assert setup.key == "0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("finished: {code: A}\nfinnished: {code: B}", "panel.yaml:2:1", "unknown key 'finnished'"),
        ("finished:\n  cod: A", "panel.yaml:2:3", "unknown key 'cod'"),
        ("finished: {address: panel.example}", "panel.yaml:1:", "no address of a page"),
        ("finished: {address: 'https://a/?x={who}'}", "panel.yaml:1:", "{code}, {person}, {session}, {survey}"),
        ("finished: 12", "panel.yaml:1:", "12"),
        ("finished: {code: A", "panel.yaml:", ""),
        ("key: nowhere.txt", "panel.yaml", "there is no file nowhere.txt"),
        ("key: ../key.txt", "panel.yaml", "outside"),
    ],
)
def test_a_mistake_says_where_and_what(tmp_path: Path, text: str, where: str, what: str) -> None:
    said = setup_of(tmp_path, text)
    assert where in said
    assert what in said


def test_a_key_that_can_be_guessed_is_refused_and_not_printed(tmp_path: Path) -> None:
    (tmp_path / "key.txt").write_text("hunter2", "utf-8")
    said = setup_of(tmp_path, "key: key.txt")
    assert "7 characters" in said
    assert "hunter2" not in said


def test_the_addresses_of_the_documentation_are_filled_in() -> None:
    rows = [
        line
        for line in Path(__file__).parents[2].joinpath("docs/panels.md").read_text("utf-8").splitlines()
        if "`https://" in line
    ]
    prolific, sona = (line.rpartition("`https")[2].split("`")[0] for line in rows if line.startswith("|"))
    by_code = WayBack(code="C1", address=f"https{prolific}").address_for(Arrival("60ffe5c8"))
    assert by_code == "https://app.prolific.com/submissions/complete?cc=C1"
    assert WayBack(address=f"https{sona}").address_for(Arrival("48213")).endswith("&survey_code=48213")


@given(person=st.text(max_size=30))
def test_what_is_filled_in_cannot_change_the_address(person: str) -> None:
    way = WayBack(code="a b&c", address="https://panel.example/done?cc={code}&who={person}")
    address = way.address_for(Arrival(person.encode(errors="replace").decode()))
    assert address.startswith("https://panel.example/done?cc=a%20b%26c&who=")
    assert address.count("&") == 1
    assert not any(each.isspace() or each in "\"'<>#" for each in address)


@given(kind=st.sampled_from(sorted(PANELS)), person=st.text(max_size=120), session=st.text(max_size=120))
def test_an_arrival_is_known_by_ids_of_the_panels_form_alone(kind: str, person: str, session: str) -> None:
    settings = {"person": "pid", "session": "sid"} if kind == "generic" else {}
    panel = PANELS[kind](**settings)
    of_person, of_session, _ = panel.names
    found = panel.arrival({of_person: person, **({of_session: session} if of_session else {})})
    if found is not None:
        assert found.person
        assert found.person == person.strip()
        assert found.person.isascii()
        assert not found.signed


@pytest.mark.parametrize("kind", sorted(PANELS))
def test_the_sample_of_a_panel_is_one_of_its_arrivals(kind: str) -> None:
    settings = {"person": "pid", "session": "sid"} if kind == "generic" else {}
    panel = PANELS[kind](**settings)
    assert panel.arrival(panel.sample()) is not None
