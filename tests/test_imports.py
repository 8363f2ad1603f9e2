"""An import inside a function must buy start-up time: it loads something heavy that its module does without.

Everything else is imported at the head of a module, where it is seen. What is heavy is declared here, with the time
that is saved where it is not loaded. Commands import the parts of the program inside their functions: the help loads
the modules of all commands, and each of them needs other parts.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent

HEAVY = {
    "pydantic": "0.04 s: the types of a study file",
    "jinja2": "0.05 s: pages",
    "markdown_it": "0.04 s: Markdown in pages",
    "ruamel": "0.02 s: study files",
    "numpy": "0.1 s: statistics",
    "scipy": "0.3 to 0.8 s: the rarer tests and intervals",
    "duckdb": "0.1 s: Parquet, and tables of judgments",
    "sqlalchemy": "0.2 s: the store",
    "psycopg": "may not be there at all: PostgreSQL",
    "pyrage": "may not be there at all: encrypted backups",
    "reportlab": "may not be there at all: figures of a paper as PDF",
    "resvg_py": "may not be there at all: figures of a paper as PNG",
    "alembic": "0.3 s: migrations, once for a new version",
    "starlette": "0.1 s: the server",
    "uvicorn": "0.1 s: the server",
    "httpx2": "0.1 s: simulated annotators, automated judges",
    "PIL": "0.02 s: pictures",
    "segno": "0.04 s: the picture of a link",
    "rich": "0.04 s: tables and progress bars on a terminal",
}
"""Packages from elsewhere, with the time of a processor that importing them takes, and what they are for."""

CIRCLES = {
    ("assay.web.api.openapi", "assay.web.api"): "the description of all endpoints is one of them",
}
"""Imports that would be circular at the head of a module: (module, what it imports), and why they are."""

FOR_EVERY_COMMAND = {"assay", "assay.errors", "assay.words"}
"""What a module of a command may import of the program at its head, besides other commands: the help loads them all."""

NEVER_FOR_HELP = {"numpy", "scipy", "duckdb", "starlette", "sqlalchemy", "PIL", "jinja2", "alembic", "pydantic"}


def module_name(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(["assay", *(parts[:-1] if parts[-1] == "__init__" else parts)])


def targets(node: ast.Import | ast.ImportFrom, known: frozenset[str]) -> set[str]:
    """The modules that an import loads, without the packages that they lie in."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    module = node.module or ""
    inner = {f"{module}.{alias.name}" for alias in node.names} & known
    return inner | ({module} if len(inner) < len(node.names) else set())


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def is_command(module: str) -> bool:
    return module.startswith("assay.cli.")


def is_for_every_command(module: str) -> bool:
    """Whether the heads of commands may import a module: what is no part of the program, or a small one."""
    return module.split(".")[0] != "assay" or module in FOR_EVERY_COMMAND or is_command(module)


class Program:
    """The modules of the program, what each imports at its head, and what its functions import."""

    def __init__(self, root: Path) -> None:
        self.paths = {module_name(path, root): path for path in sorted(root.rglob("*.py"))}
        self.known = frozenset(self.paths)
        self.at_head: dict[str, set[str]] = {}
        self.in_functions: dict[str, list[tuple[int, set[str]]]] = {}
        for name, path in self.paths.items():
            self.at_head[name], self.in_functions[name] = set(), []
            self._read(name, ast.parse(path.read_text("utf-8")), inside=False)
        self.heavy = cache(self._heavy)

    def _read(self, name: str, node: ast.AST, inside: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                found = targets(child, self.known)
                if inside:
                    self.in_functions[name].append((child.lineno, found))
                else:
                    self.at_head[name] |= found
            elif is_for_types(child):
                for other in child.orelse:  # type: ignore[attr-defined]
                    self._read(name, other, inside)
            else:
                self._read(name, child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))

    def loaded_by(self, module: str) -> set[str]:
        """Every module that importing this one loads, from its head and the heads of those."""
        found: set[str] = set()
        waiting = [module]
        while waiting:
            name = waiting.pop()
            for part in (name.rsplit(".", count)[0] for count in range(name.count(".") + 1)):
                if part not in found:
                    found.add(part)
                    waiting += self.at_head.get(part, ())
        return found

    def _heavy(self, module: str) -> frozenset[str]:
        return frozenset({name.split(".")[0] for name in self.loaded_by(module)} & set(HEAVY))

    def needless(self) -> Iterator[str]:
        """Imports in functions that load nothing heavy which their module does without."""
        for name, imports in self.in_functions.items():
            for line, found in imports:
                for target in sorted(found):
                    if is_command(name) and not is_for_every_command(target):
                        continue
                    if self.heavy(target) <= self.heavy(name) and (name, target) not in CIRCLES:
                        yield f"{self.paths[name]}:{line}: import {target} at the head of the module"


@pytest.fixture(scope="module")
def program() -> Program:
    return Program(ROOT)


def test_imports_in_functions_buy_start_up_time(program: Program) -> None:
    assert sum(map(len, program.in_functions.values())) > 50
    assert list(program.needless()) == []


def test_every_circle_that_is_declared_is_one(program: Program) -> None:
    for name, target in CIRCLES:
        assert any(target in found for _, found in program.in_functions[name]), f"{name} does not import {target}"
        assert name in program.loaded_by(target), f"{target} does not import {name}: no circle"


def test_the_heads_of_commands_import_nothing_that_only_one_of_them_needs(program: Program) -> None:
    heads = {name: found for name, found in program.at_head.items() if is_command(name)}
    assert len(heads) > 20
    needed_by_one = {name: {each for each in found if not is_for_every_command(each)} for name, found in heads.items()}
    assert {name: found for name, found in needed_by_one.items() if found} == {}


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ("def f():\n    import json", True),
        ("def f():\n    from assay.light import x", True),
        ("def f():\n    from assay import light", True),
        ("import numpy\ndef f():\n    from assay.heavy import x", True),
        ("def f():\n    import numpy.linalg", False),
        ("def f():\n    from assay.heavy import x", False),
        ("def f():\n    from assay import heavier", False),
        ("class A:\n    async def f(self):\n        if 1:\n            import json", True),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy\ndef f():\n    import numpy", False),
    ],
)
def test_a_needless_import_is_seen(tmp_path: Path, body: str, seen: bool) -> None:
    (tmp_path / "light.py").write_text("import json\nx = 1\n")
    (tmp_path / "heavy.py").write_text("import numpy\nx = 1\n")
    (tmp_path / "heavier.py").write_text("from assay.heavy import x\n")
    (tmp_path / "module.py").write_text(body + "\n")
    assert bool(list(Program(tmp_path).needless())) == seen


def test_the_help_loads_nothing_heavy() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "assay", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {line.rsplit("|", 1)[1].strip().split(".")[0] for line in done.stderr.splitlines() if line.count("|") == 2}
    assert {"assay", "typer"} <= loaded
    assert loaded & NEVER_FOR_HELP == set()
