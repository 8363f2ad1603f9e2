"""Functions and classes are found by their names: a verb with an object or a noun, and each class once."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent
Function = ast.FunctionDef | ast.AsyncFunctionDef

IRREGULAR = re.compile(
    "become|begun|bought|bound|broken|brought|built|caught|chosen|done|drawn|fallen|forgotten|found|given|gone|"
    "got|grown|held|hidden|kept|known|laid|led|left|lent|lost|made|meant|met|overridden|paid|said|seen|sent|"
    "shown|sold|spent|spread|stolen|stood|struck|taken|thought|thrown|told|torn|undone|understood|withdrawn|"
    "won|worn|written"
)
NO_PARTICIPLES = re.compile(
    "bring|closing|ending|exceed|feed|finding|heading|king|landing|mapping|missing|need|nothing|opening|"
    "proceed|ranking|rating|reading|ring|seed|setting|sing|speed|spelling|string|thing|warning|wording"
)
SMALL = re.compile(
    "a|above|again|ahead|alone|among|apart|as|aside|at|away|back|before|behind|below|between|by|down|each|"
    "elsewhere|every|far|first|for|from|in|last|lately|meanwhile|of|on|once|only|or|out|over|since|so|the|to|"
    "together|up|with|without"
)
"""What may stand behind a participle and is no noun that it belongs to: `asked_of`, `said_again`."""

MAY_BE_NAMED_SO = {
    # What stands in the API's description as `operationId`, which scripts are generated from.
    "web/api/adjudications.py: listed",
    "web/api/annotators.py: listed",
    "web/api/assignments.py: listed",
    "web/api/flags.py: listed",
    "web/api/imports.py: listed",
    "web/api/item_list.py: listed",
    "web/api/items.py: listed",
    "web/api/judgments.py: listed",
    "web/api/studies.py: done",
    "web/api/texts.py: listed",
    # What people write in a notebook.
    "notebook.py: NotebookStudy.agreed",
    # What kinds from elsewhere offer, too.
    "gates/__init__.py: Gate.kept_meanwhile",
    "gates/reading.py: Reading.kept_meanwhile",
    "judges/__init__.py: Judge.opened",
    "judges/anthropic.py: AnthropicJudge.opened",
    "judges/command.py: CommandJudge.opened",
    "judges/http.py: HttpJudge.opened",
    "judges/openai.py: OpenaiJudge.opened",
    "judges/python.py: PythonJudge.opened",
    # What the bot of a kind reads of an item, also of a kind from elsewhere.
    "bots.py: ItemOnScreen.shown",
    "bots.py: ItemOnScreen.expected",
    # Why there is no value or no decision: the key of the report's JSON and of every estimate beside it.
    "report/agreement_line.py: OneAgreement.undecided",
    "report/summary_answers.py: HeadlineAnswer.undefined",
    "report/headline.py: OneOfSeveral.undefined",
    "report/preferences.py: PreferencePair.undecided",
    "report/system_scores.py: PairOfSystems.undecided",
    # A decorator: it says what the class below it becomes.
    "held_once.py: held_once",
    # What people call the units: a field of other classes, too.
    "judgments/units.py: Units.called",
}

LONG = {
    # A command: its options with their help, which is its documentation; at most 44 lines are code.
    "cli/agree.py: run",
    "cli/annotator.py: run",
    "cli/backup.py: run",
    "cli/export.py: run",
    "cli/import_.py: run",
    "cli/invite.py: run",
    "cli/judge.py: run",
    "cli/plan.py: run",
    "cli/serve.py: run",
    "cli/sheets.py: run",
    # A statistic that is imported by users: half of it is its formula, citation and example, at most 35 lines are code.
    "statistics/comparison/alt_test.py: alt_test",
    "statistics/comparison/dawid_skene.py: dawid_skene",
    "statistics/comparison/many_facets.py: rating_model",
    # Tables as they were released: they are never edited.
    "store/engine/migrations/versions/0001_first_tables.py: upgrade",
    "store/engine/migrations/versions/0004_gates_assignment_quality.py: _of_the_coordinator",
}
"""Functions over 60 lines, each with the reason why it is one."""


def functions(root: Path) -> Iterator[tuple[str, Function]]:
    """Every function below a folder, with its file and what it stands in."""

    def inside(node: ast.AST, around: str) -> Iterator[tuple[str, Function]]:
        for each in ast.iter_child_nodes(node):
            if isinstance(each, Function):
                yield f"{around}{each.name}", each
            named = isinstance(each, Function | ast.ClassDef)
            yield from inside(each, f"{around}{each.name}." if named else around)

    for path in sorted(root.rglob("*.py")):
        yield from inside(ast.parse(path.read_text("utf-8")), f"{path.relative_to(root).as_posix()}: ")


def is_state(function: Function) -> bool:
    """Whether it is a property that says yes or no: it reads as an adjective, as `item.finished` does."""
    is_property = any("property" in ast.unparse(each) for each in function.decorator_list)
    return is_property and function.returns is not None and ast.unparse(function.returns) in ("bool", "bool | None")


def is_bare_participle(name: str) -> bool:
    """Whether a name is, or begins with, what was done, and does not say to what."""
    if name.startswith("__"):
        return False
    first, *rest = name.strip("_").split("_")
    is_regular = re.fullmatch(r"\w+(ed|ing)", first) is not None and not NO_PARTICIPLES.fullmatch(first)
    is_participle = is_regular or IRREGULAR.fullmatch(first) is not None
    return is_participle and (not rest or SMALL.fullmatch(rest[0]) is not None)


def named_by_participles(root: Path) -> set[str]:
    released = "store/engine/migrations/versions/"
    return {
        name
        for name, function in functions(root)
        if is_bare_participle(function.name) and not is_state(function) and not name.startswith(released)
    }


def longer_than(lines: int, root: Path) -> set[str]:
    return {name for name, each in functions(root) if (each.end_lineno or 0) - each.lineno + 1 > lines}


def test_a_function_is_named_by_a_verb_with_its_object_or_by_a_noun() -> None:
    assert named_by_participles(ROOT) == MAY_BE_NAMED_SO


@pytest.mark.parametrize("name", ["_joined", "asked", "kept", "_said_again", "left_by_failing", "running", "shown_to"])
def test_a_bare_participle_is_seen_wherever_it_stands(tmp_path: Path, name: str) -> None:
    (tmp_path / "acts").mkdir()
    (tmp_path / "acts" / "one.py").write_text(f"def {name}(): ...\n")
    (tmp_path / "two.py").write_text(f"class A:\n    async def {name}(self): ...\n")
    (tmp_path / "three.py").write_text(f"def around():\n    if True:\n        def {name}(): ...\n")
    seen = {f"acts/one.py: {name}", f"two.py: A.{name}", f"three.py: around.{name}"}
    assert named_by_participles(tmp_path) == seen


def test_a_participle_with_its_noun_a_noun_and_a_state_are_no_fault(tmp_path: Path) -> None:
    names = ("shared_items", "_left_out_people", "heading", "feed_rows", "__missing__", "need", "given_values")
    state = (
        "class A:\n    @property\n    def finished(self) -> bool: ...\n    @property\n    def drawn(self) -> int: ...\n"
    )
    (tmp_path / "one.py").write_text("".join(f"def {name}(): ...\n" for name in names) + state)
    assert named_by_participles(tmp_path) == {"one.py: _left_out_people", "one.py: A.drawn"}


def test_no_function_is_called_row_or_said_without_saying_which() -> None:
    assert [name for name, each in functions(ROOT) if each.name in ("_row", "_said")] == []


def test_a_class_name_exists_once_also_a_private_one() -> None:
    trees = [ast.parse(path.read_text("utf-8")) for path in ROOT.rglob("*.py")]
    names = [each.name for tree in trees for each in ast.walk(tree) if isinstance(each, ast.ClassDef)]
    assert len(names) > 500
    assert {name for name in names if names.count(name) > 1} == set()


def test_a_function_over_sixty_lines_has_a_reason() -> None:
    assert longer_than(60, ROOT) == LONG


def test_a_function_that_grew_is_seen(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("def short():\n" + "    x = 1\n" * 59 + "def long():\n" + "    x = 1\n" * 60)
    assert longer_than(60, tmp_path) == {"one.py: long"}
