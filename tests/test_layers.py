"""Data flows one way, and so do imports."""

import ast
import re
import shutil
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent

# Each part of the program may import what stands before it, and itself. Parts on one line do not know each other.
ORDER: list[set[str]] = [
    {"client", "suggest", "beside", "freed_memory"},  # stand alone
    {"each_beside", "frozen_maker"},
    {"held_once"},
    {"words", "model", "count_marks", "fieldwork", "frozen_json", "in_words"},
    {"errors", "sides_and_candidates", "formulas", "submission_rows"},
    {"compiled_templates", "kinds", "mistakes", "markdown_text", "truncated_pictures", "plain_terminal"},
    {"markdown_file", "render", "pictures", "files"},
    {"inputs", "displays", "gates", "derivations", "panels", "judges"},
    {"study"},
    {"items"},
    {"assignment", "pace"},
    {"judgments"},
    {"bots", "judging"},
    {"statistics"},
    {"quality", "ratings"},
    {"false_alarm_rates", "excluded_annotators"},
    {"report", "exchange"},
    {"store"},
    {"live"},
    {"acts", "notebook_figures"},
    {"sheets", "notebook"},
    {"web", "connections"},
    {"server", "simulate"},
    {"cli"},
]
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}

# What a part must not see although it stands behind it.
FORBIDDEN = {
    "statistics": {"study", "items", "assignment", "judgments", "inputs", "displays", "gates", "derivations"},
    "store": {"report", "quality", "statistics", "exchange", "false_alarm_rates", "excluded_annotators"},
    "server": {"statistics", "quality", "report"},
}


# The annotator's side: what it imports must not reach what is hidden.
ANNOTATORS_SIDE = (
    *("store/annotator/*.py", "web/annotator/*.py", "web/api/assignments.py", "web/api/item_list.py"),
    *("judging/*.py", "store/coordinator/items_for_judges.py"),  # what judges are shown is what people are shown
)
CLAIM = re.compile("[Cc]annot reach what is hidden")
"""How a docstring says that a module is of the annotator's side."""
TABLES = "assay.store.tables"
HIDDEN = {"item_hidden", "metadata"}
"""The table of what is hidden, and what leads to every table."""


def part_of(module: str) -> str:
    return module.split(".")[1] if module.count(".") else ""


@cache
def names_imported(path: Path) -> list[tuple[str, str]]:
    """Every import in a file of something of the program: (module, name), or (module, "") of the module itself."""
    found: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out in full"
            found += [(node.module or "", alias.name) for alias in node.names]
    return [(module, name) for module, name in found if module.split(".")[0] == "assay"]


def imports(root: Path) -> list[tuple[str, str, str]]:
    """Every import of one part of the program by another: (file, importing part, imported part)."""
    found = []
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root)
        part = relative.parts[0].removesuffix(".py")
        if part in ("__init__", "__main__"):
            continue
        for module, name in names_imported(path):
            found.append((str(relative), part, part_of(module if module != "assay" else f"assay.{name}")))
    return [each for each in found if each[2] not in ("__version__", "")]


def against_the_flow(root: Path) -> list[str]:
    return [
        f"{file}: {part} imports {other}"
        for file, part, other in imports(root)
        if other != part and (RANK[other] >= RANK[part] or other in FORBIDDEN.get(part, set()))
    ]


# The description of the API lists every endpoint, its own among them.
KNOWN_CIRCLE = ("assay.web.api.openapi", "assay.web.api")


def circle(root: Path) -> list[str]:
    """Modules that import each other in a circle, be it inside functions; none where there is no circle."""
    names = {path: ".".join(("assay", *path.relative_to(root).with_suffix("").parts)) for path in root.rglob("*.py")}
    modules = {name.removesuffix(".__init__"): path for path, name in names.items()}
    graph = {}
    for name, path in modules.items():
        pairs = [(f"{module}.{member}", module) for module, member in names_imported(path)]
        found = {whole if whole in modules else module for whole, module in pairs}
        graph[name] = {each for each in found if each in modules and each != name and (name, each) != KNOWN_CIRCLE}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def annotators_side(root: Path) -> list[Path]:
    found = {pattern: sorted(root.glob(pattern)) for pattern in ANNOTATORS_SIDE}
    assert all(found.values()), f"no such module: {[pattern for pattern, paths in found.items() if not paths]}"
    return [path for paths in found.values() for path in paths]


@cache
def file_of(root: Path, module: str) -> Path | None:
    """The file of a module of the program; None: there is no such module."""
    path = root.joinpath(*module.split(".")[1:])
    return next((each for each in (path.with_suffix(".py"), path / "__init__.py") if each.exists()), None)


def reads_hidden(file: Path) -> bool:
    return any(name in HIDDEN for module, name in names_imported(file) if module.startswith(TABLES))


def leads_to_hidden(root: Path, module: str, name: str) -> bool:
    """Whether an import is of what is hidden itself: the table, all tables, or a module of tables."""
    whole = f"{module}.{name}".rstrip(".")
    if file_of(root, whole):
        return whole.startswith(TABLES)
    return module.startswith(TABLES) and name in HIDDEN


# The tables are looked at by what is imported of them. Machinery does not know whose rows it moves; that it leads to
# neither half is tested below. What the program is from outside (`import assay`) loads its parts when asked for them.
NOT_WALKED = ("store/tables/", "store/engine/", "store/__init__.py", "__init__.py")


def ways_to_hidden(root: Path, start: Path) -> list[list[Path]]:
    """From a module, along its imports and those of what it imports, to each module that reads what is hidden."""
    came_from: dict[Path, Path | None] = {start: None}
    waiting = [start]
    for path in waiting:
        for module, name in names_imported(path):
            file = file_of(root, f"{module}.{name}".rstrip(".")) or file_of(root, module)
            if file and file not in came_from and not str(file.relative_to(root)).startswith(NOT_WALKED):
                came_from[file] = path
                waiting.append(file)
    found = []
    for file in waiting[1:]:
        if reads_hidden(file):
            way = [file]
            while (before := came_from[way[-1]]) is not None:
                way.append(before)
            found.append(way[::-1])
    return found


def towards_hidden(root: Path) -> list[str]:
    """Each import of the annotator's side, and the shortest way along imports, that gets at what is hidden."""
    found = []
    for path in annotators_side(root):
        imported = [each for each in names_imported(path) if leads_to_hidden(root, *each)]
        at_once = [f"{module} {name}".rstrip() for module, name in imported]
        ways = [" -> ".join(str(each.relative_to(root)) for each in way[1:]) for way in ways_to_hidden(root, path)]
        found += [f"{path.relative_to(root)}: {each}" for each in [*at_once, *ways[:1]]]
    return found


STORE_ORDER = {"tables": 0, "engine": 1, "": 1, "annotator": 2, "coordinator": 3, "upkeep": 4}
"""The rooms of the store: each may import what stands before it. `assay.store` itself opens the engine."""


def store_rank(module: str) -> int:
    room = module.split(".")[2] if module.count(".") > 1 else ""
    return STORE_ORDER.get(room, STORE_ORDER[""])


def against_the_order_of_the_store(root: Path) -> list[str]:
    found = []
    for path in sorted((root / "store").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        own = store_rank(".".join(("assay", *parts)) if len(parts) > 2 else "assay.store")
        for module, name in names_imported(path):
            if part_of(module) == "store" and "migrations" not in parts:
                whole = f"{module}.{name}" if module == "assay.store" and name in STORE_ORDER else module
                if store_rank(whole) > own:
                    found.append(f"{path.relative_to(root)}: {whole}")
    return found


def test_each_room_of_the_store_imports_those_before_it() -> None:
    rooms = {path.name for path in (ROOT / "store").iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert rooms == {*STORE_ORDER} - {""}
    assert against_the_order_of_the_store(ROOT) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("engine/x.py", "from assay.store.annotator.names import is_called"),
        ("engine/x.py", "from assay.store import annotator"),
        ("annotator/x.py", "def late():\n    from assay.store.coordinator import record"),
        ("coordinator/x.py", "import assay.store.upkeep.verify"),
        ("tables/x.py", "from assay.store.engine.prepared import Prepared"),
        ("__init__.py", "from assay.store.annotator import names"),
    ],
)
def test_an_import_against_the_order_of_the_store_is_seen(tmp_path: Path, file: str, line: str) -> None:
    (tmp_path / "store" / file).parent.mkdir(parents=True)
    (tmp_path / "store" / file).write_text(f"from assay.store.tables import item\n{line}\n")
    assert [each.split(":")[0] for each in against_the_order_of_the_store(tmp_path)] == [f"store/{file}"]


EDGES = ("web", "cli", "simulate.py", "server.py")
WRITES = {"write", "awrite", "awrite_soon"}
BESIDE_ACTS = {
    "web/access.py: renew",  # a session lasts while it is used: nobody does anything
    "web/api/endpoint.py: once",  # does an act that it is given, and keeps the answer for a repeat
}
"""What an edge has written without an act, and why that is none."""


def names_in(node: ast.AST) -> set[str]:
    """The names that an expression begins with, and what is taken from them: `a` and `a.b` give a, and a and b."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def from_the_store(root: Path, path: Path) -> list[str]:
    """What a module of an edge gives to a write although it comes from the store and is no act."""
    tree = ast.parse(path.read_text("utf-8"))
    nodes = list(ast.walk(tree))
    foreign = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("assay.store")
        for alias in node.names
    }
    set_to: dict[str, list[ast.expr]] = {}
    for node in nodes:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            if isinstance(target, ast.Name):
                set_to.setdefault(target.id, []).append(node.value)
    # Where the write itself has another name: `write = store.awrite_soon`.
    aliases = {name for name, values in set_to.items() for value in values if last_name(value) in WRITES}
    found = []
    for node in nodes:
        if not isinstance(node, ast.Call) or last_name(node.func) not in WRITES | aliases or not node.args:
            continue
        first = node.args[0]
        values = [first, *(each for name in names_in(first) for each in set_to.get(name, ()))]
        parts = [part for value in values for part in ast.walk(value) if isinstance(part, ast.Attribute | ast.Name)]
        given = {last_name(part) for part in parts if names_in(part) & foreign and last_name(part) not in MODULES}
        found += [f"{path.relative_to(root)}: {name}" for name in sorted(given)]
    return found


MODULES = {path.stem for path in (ROOT / "store").rglob("*.py")}


def writes_without_an_act(root: Path) -> set[str]:
    files = [path for edge in EDGES for path in (root.glob(edge) if "." in edge else (root / edge).rglob("*.py"))]
    return {found for path in files for found in from_the_store(root, path)}


def test_an_edge_writes_through_acts_alone() -> None:
    assert writes_without_an_act(ROOT) == BESIDE_ACTS


@pytest.mark.parametrize(
    "lines",
    [
        "from assay.store.annotator import breaks\nstore.write(breaks.begin, 1)",
        "from assay.store.annotator.breaks import begin\nasync def a(call):\n    await call.store.awrite(begin, 1)",
        "from assay.store.annotator.breaks import begin\nwrite = store.awrite_soon\nwrite(begin, 1)",
        "from assay.store.annotator import breaks\nact = breaks.begin if x else breaks.end\nstore.write(act, 1)",
        "from assay.store.annotator.breaks import begin\nact = partial(begin, 2)\nstore.write(act, 1)",
        "from assay.store.annotator.breaks import begin\nstore.write(lambda connection: begin(connection))",
    ],
)
def test_a_write_without_an_act_is_seen(tmp_path: Path, lines: str) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "page.py").write_text(f"{lines}\nstore.write(acts.submit, 1)\n")
    assert writes_without_an_act(tmp_path) - {"web/page.py: end"} == {"web/page.py: begin"}


def test_every_part_of_the_program_has_its_place() -> None:
    parts = {
        path.name.removesuffix(".py")
        for path in ROOT.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert parts - {"__init__", "__main__"} == set(RANK)


def test_imports_follow_the_flow_of_data() -> None:
    assert len(imports(ROOT)) > 1000
    assert against_the_flow(ROOT) == []


PLANTED = [
    ("model.py", "from assay.study import Study", "model imports study"),  # from before
    ("inputs/scale.py", "import assay.gates", "inputs imports gates"),  # from beside
    ("statistics/pairs.py", "from assay import judgments", "statistics imports judgments"),  # forbidden
    ("store/late.py", "def late():\n    from assay.report import Report", "store imports report"),  # in a function
]


@pytest.mark.parametrize(("file", "line", "seen"), PLANTED, ids=[seen for _, _, seen in PLANTED])
def test_an_import_against_the_flow_is_seen(tmp_path: Path, file: str, line: str, seen: str) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(f"{line}\n")
    (tmp_path / "web.py").write_text("from assay.store import work\nfrom assay import __version__\n")
    assert against_the_flow(tmp_path) == [f"{file}: {seen}"]


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(ROOT) == []


def test_a_circle_is_seen_where_an_import_stands_inside_a_function(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "__init__.py").write_text("def build():\n    from assay.report.page import page\n")
    (tmp_path / "report" / "page.py").write_text("from assay.report import build\n")
    assert set(circle(tmp_path)) == {"assay.report", "assay.report.page"}


def test_the_annotators_side_imports_nothing_that_is_hidden() -> None:
    assert towards_hidden(ROOT) == []


def test_every_module_that_says_it_is_of_the_annotators_side_is_guarded() -> None:
    claim = [path for path in ROOT.rglob("*.py") if CLAIM.search(path.read_text("utf-8").replace("\n", " "))]
    assert claim
    assert set(claim) <= set(annotators_side(ROOT))


@pytest.mark.parametrize(
    "line",
    [
        "from assay.store.tables import item, item_hidden",
        "from assay.store.tables.items import item_hidden as item",
        "from assay.store.tables import metadata",
        "from assay.store.tables import items",
        "from assay.store import tables",
        "import assay.store.tables",
        "from assay.store.coordinator import long_table",
        "from assay.store.coordinator.long_table import judgments",
        "import assay.store.coordinator.long_table",
    ],
)
def test_an_import_of_what_is_hidden_is_seen(tmp_path: Path, line: str) -> None:
    side = [path.relative_to(ROOT) for path in annotators_side(ROOT)]
    shutil.copytree(ROOT / "store" / "tables", tmp_path / "store" / "tables")
    shutil.copytree(ROOT / "store" / "coordinator", tmp_path / "store" / "coordinator")
    for path in side:
        (tmp_path / path.parent).mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"from assay.store.tables import item\n{line}\n")
    assert [found.split(": ")[0] for found in towards_hidden(tmp_path)] == [str(path) for path in side]


def test_what_is_hidden_is_seen_behind_other_imports(tmp_path: Path) -> None:
    for path in annotators_side(ROOT):
        (tmp_path / path.relative_to(ROOT).parent).mkdir(parents=True, exist_ok=True)
        (tmp_path / path.relative_to(ROOT)).write_text("from assay.store.tables import item\n")
    (tmp_path / "web" / "annotator" / "pages.py").write_text("from assay.acts.claims import claim\n")
    (tmp_path / "acts").mkdir()
    (tmp_path / "acts" / "claims.py").write_text("def claim():\n    from assay.store.coordinator import long_table\n")
    shutil.copy(ROOT / "store" / "coordinator" / "long_table.py", tmp_path / "store" / "coordinator")
    assert towards_hidden(tmp_path) == ["web/annotator/pages.py: acts/claims.py -> store/coordinator/long_table.py"]


PARTICIPLES = ("ed", "drawn", "given", "had", "hidden", "kept", "known", "made", "said", "shown", "taken", "told")
NOUNS = ("seed", "feed", "need")
NAMES_OF_USERS = {"inputs", "displays", "gates", "derivations", "assignment", "quality", "sections", "judges", "panels"}
"""Packages whose modules are named as study files, exports and the report's JSON have them."""
MAY_END_SO = {
    "store.engine.prepared",  # a prepared statement is what everybody calls it
    "statistics.comparison.prediction_powered",  # as the papers have it, and imported by users
    "judging.how_asked",
}


def named_by_participles(root: Path) -> set[str]:
    """Modules whose names end with something that was done, and do not say what it was done to."""
    paths = [path.relative_to(root).with_suffix("") for path in root.rglob("*.py")]
    return {
        ".".join(path.parts)
        for path in paths
        if not NAMES_OF_USERS & set(path.parts[:-1]) and "versions" not in path.parts
        if path.name.endswith(PARTICIPLES) and not path.name.endswith(NOUNS)
    }


def test_a_module_is_named_by_a_noun_or_a_verb() -> None:
    assert named_by_participles(ROOT) == MAY_END_SO


def test_a_module_that_is_named_by_a_participle_is_seen(tmp_path: Path) -> None:
    (tmp_path / "acts").mkdir()
    (tmp_path / "gates").mkdir()
    for name in ("acts/judged", "acts/had", "acts/items_shown", "acts/excluded_annotators", "acts/feed", "gates/used"):
        (tmp_path / f"{name}.py").touch()
    assert named_by_participles(tmp_path) == {"acts.judged", "acts.had", "acts.items_shown"}


def test_modules_stay_small_enough_to_be_one_thing() -> None:
    lines = {path.relative_to(ROOT): len(path.read_text("utf-8").splitlines()) for path in sorted(ROOT.rglob("*.py"))}
    assert lines
    assert {path: n for path, n in lines.items() if n > (380 if "migrations" not in path.parts else 1000)} == {}
