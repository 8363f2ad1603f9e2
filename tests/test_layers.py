"""Data flows one way, and so do imports."""

import ast
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent

# Each part of the program may import what stands before it, and itself. Parts on one line do not know each other,
# unless a line of ALSO says so.
ORDER: list[set[str]] = [
    {"client"},  # stands alone
    {"words", "model"},
    {"errors"},
    {"kinds", "mistakes"},
    {"document", "render", "pictures", "files"},
    {"prose"},
    {"inputs", "displays", "gates", "derivations"},
    {"study"},
    {"items"},
    {"assignment"},
    {"judgments"},
    {"characters"},
    {"statistics"},
    {"quality", "tables"},
    {"alarms", "exclusions"},
    {"report", "exchange"},
    {"store"},
    {"sheets"},
    {"oversight", "standing"},
    {"dashboard"},
    {"web"},
    {"server", "simulate"},
    {"cli"},
]
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}

# What a part must not see although it stands behind it.
FORBIDDEN = {
    "statistics": {"study", "items", "assignment", "judgments", "inputs", "displays", "gates", "derivations"},
    "store": {"report", "quality", "statistics", "exchange", "alarms", "exclusions"},
    "server": {"statistics", "quality", "report"},
}


def part_of(module: str) -> str:
    return module.split(".")[1] if module.count(".") else ""


def imports() -> list[tuple[str, str, str]]:
    """Every import of one part of the program by another: (file, importing part, imported part)."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        relative = path.relative_to(ROOT)
        part = relative.parts[0].removesuffix(".py")
        if part in ("__init__", "__main__"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{relative}: imports are written out in full"
                module = node.module or ""
                names = [module] if module != "assay" else [f"assay.{alias.name}" for alias in node.names]
            found += [(str(relative), part, part_of(name)) for name in names if name.startswith("assay.")]
    return [each for each in found if each[2] not in ("__version__", "")]


def test_every_part_of_the_program_has_its_place() -> None:
    parts = {
        path.name.removesuffix(".py")
        for path in ROOT.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert parts - {"__init__", "__main__"} == set(RANK)


def test_imports_follow_the_flow_of_data() -> None:
    against = [
        f"{file}: {part} imports {other}"
        for file, part, other in imports()
        if other != part and (RANK[other] >= RANK[part] or other in FORBIDDEN.get(part, set()))
    ]
    assert against == []


def test_the_check_sees_an_import_against_the_flow() -> None:
    assert ("web/annotate.py", "web", "store") in imports()
    assert RANK["store"] < RANK["web"]


def test_the_annotators_side_cannot_import_what_is_hidden() -> None:
    for name in ("web/annotate.py", "store/annotator/assignments.py", "store/annotator/next_item.py"):
        tree = ast.parse((ROOT / name).read_text("utf-8"))
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        assert not names & {"results", "item_hidden", "tables", "metadata"}, name


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_stay_small_enough_to_be_one_thing(path: Path) -> None:
    limit = 380 if "migrations" not in path.parts else 1000
    assert len(path.read_text("utf-8").splitlines()) <= limit
