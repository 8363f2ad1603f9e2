"""Sides become candidates, and candidates sides, in one place."""

import ast
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.model import ROLES, SIDES, Slot, Value
from assay.sides_and_candidates import by_candidate, by_side, slot_of_candidate, systems_by_role

ROOT = Path(assay.__file__).parent
MAY_NAME_THEM = {
    "bots.py",  # looks at both sides of the screen
    "exchange/csv_wide.py",  # has a column for each role
    "exchange/dictionary.py",  # says what these columns are
    "inputs/preference.py",  # its answers are sides
    "judging/order_effect.py",  # counts which side was chosen
    "model.py",  # says what they are
    "judgments/item_rules.py",  # a rule about sides is looked at on each
    "judgments/scales.py",  # the values of a preference on a scale are roles
    "ratings/export_rows.py",  # reads the columns of roles back
    "ratings/from_export.py",
    "report/figures/confusion.py",  # has a row for each value of that scale
    "report/sections/distributions.py",
    "sides_and_candidates.py",
    "statistics/comparison/preferences.py",  # a statistic about which side is chosen, and which knows no study
    "statistics/export_table.py",  # reads the columns of roles of a wide table
    "store/coordinator/comparisons.py",  # counts are kept by role
    "study/schema.py",  # a file may have a field for each side
}
answers = st.dictionaries(
    st.builds(Slot, st.sampled_from(["warmth", "better"]), st.sampled_from(["", *SIDES])),
    st.sampled_from([1, 5, "tie", "neither", *SIDES, None]),
)


@given(answers, st.booleans())
def test_what_was_said_of_candidates_is_said_of_sides_again(said: dict[Slot, Value], swapped: bool) -> None:
    stored = by_candidate(said, ["better"], swapped)
    assert {slot.side for slot in stored} <= {"", *ROLES}
    assert by_side(stored, ["better"], swapped) == said


def test_only_values_that_point_at_a_side_are_renamed() -> None:
    said: dict[Slot, Value] = {Slot("better"): "left", Slot("note", "left"): "left", Slot("warmth", "right", "e"): 3}
    assert by_candidate(said, ["better"], True) == {
        Slot("better"): "b",
        Slot("note", "b"): "left",
        Slot("warmth", "a", "e"): 3,
    }


def test_where_nothing_was_drawn_there_is_nothing_to_undo() -> None:
    from_a_file: dict[Slot, Value] = {Slot("better"): "a", Slot("warmth", "b"): 2}
    assert by_candidate(from_a_file, ["better"], None) == by_side(from_a_file, ["better"], None) == from_a_file


def test_a_question_that_is_asked_of_no_side_has_no_role() -> None:
    assert slot_of_candidate(Slot("warmth", entry="e"), swapped=True) == Slot("warmth", entry="e")
    assert systems_by_role(()) == systems_by_role(("x",)) == {}


def names_them(node: ast.AST) -> bool:
    """Whether something imports both sides or both roles, or writes them out."""
    if isinstance(node, ast.ImportFrom) and node.module == "assay.model":
        return bool({alias.name for alias in node.names} & {"SIDES", "ROLES"})
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else []
    parts = [key for key in node.keys if key] if isinstance(node, ast.Dict) else parts
    written = {part.value for part in parts if isinstance(part, ast.Constant)}
    # A longer list is about something else, such as the colours of a drawing.
    return len(parts) < 5 and (written >= set(SIDES) or written >= set(ROLES))


def naming_them(root: Path) -> set[str]:
    return {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if names_them(node)
    }


def test_sides_and_roles_are_turned_into_each_other_nowhere_else() -> None:
    assert naming_them(ROOT) == MAY_NAME_THEM


def test_sides_and_roles_that_are_written_out_are_seen(tmp_path: Path) -> None:
    for number, line in enumerate(['x = ("left", "right")', 'x = {"a": 1, "b": 2}', 'x = ["b", "a", "tie"]']):
        (tmp_path / f"{number}.py").write_text(f"{line}\n")
    (tmp_path / "other.py").write_text('x = ("left", "top")\ny = "left right"\n')
    assert naming_them(tmp_path) == {"0.py", "1.py", "2.py"}
