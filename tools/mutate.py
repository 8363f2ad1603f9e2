"""Break the program on purpose, one thing at a time, and see whether the tests notice.

Each mutant changes one thing in one module: a plus into a minus, a `<` into a `<=`, a 2 into a 3; outside the
statistics also a decision: an `if` turned round, an `in` into a `not in`, a True into a False, a call left out, a
condition of a statement to the database left out. The tests that belong to the module must then fail; a mutant that
they pass is a survivor, and is printed with its line. First they must pass with nothing broken, and notice when every
function of the module fails. A mutant with which they take much longer ends by time, and is printed: it may go on for
ever, or the machine may be busy, so it counts neither as caught nor as a survivor.

Some mutants of each module are drawn from a seed, so that a run ends in minutes and can be had again:

    python -m tools.mutate                          every module of the statistics, 6 mutants each
    python -m tools.mutate pairs wilson --each 100  up to a hundred mutants of two modules
    python -m tools.mutate --of gates --of judgments     every module of these folders
    python -m tools.mutate systems --of report/sections  one module of a folder
    python -m tools.mutate atomic --of exchange --tests exchange/test_atomic    only by these tests, which are quick

It works on a copy of the source in a folder of its own and never writes to this one. Not all survivors are faults: a
limit of memory, or a threshold for what rounding leaves, can be moved without any number changing.
"""

import argparse
import ast
import compileall
import copy
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.break_statements import broken_statements
from tools.tests_of_modules import ELSEWHERE, TESTS

ROOT = Path(__file__).resolve().parent.parent
STATISTICS = "statistics"
LONGEST = 120
TIMES_AS_LONG = 5
"""A mutant ends by time after this many times what its tests take with nothing broken, and never before `LONGEST`."""

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult},
    **{ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
}
"""What stands in the place of each operator. `@` and `|` stay: what they make of arrays is seen at once."""
DECIDED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def formulas(node: ast.AST, statements: bool = False) -> Iterator[ast.AST]:
    """What may be broken in a module: what functions compute. Published data, words and types are none of that.

    With `statements` also what a module puts together once, such as statements to the database.
    """
    for child in ast.iter_child_nodes(node):
        if (
            isinstance(child, ast.Call)
            and isinstance(child.func, ast.Name)
            and child.func.id in ("register", "_register")
        ):
            continue
        if isinstance(child, ast.JoinedStr | ast.arguments | ast.AnnAssign | ast.Raise):
            continue
        put_together = statements and isinstance(child, ast.Assign) and isinstance(child.value, ast.Call)
        if isinstance(node, ast.Module) and isinstance(child, ast.Assign) and not put_together:
            continue
        if child in getattr(node, "decorator_list", ()) or (isinstance(child, ast.keyword) and child.arg == "strict"):
            continue
        yield child
        yield from formulas(child, statements)


def with_functions_that_fail(tree: ast.Module) -> ast.Module:
    """A module of which nothing works: tests that pass with it tell nothing of its mutants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = ast.parse("raise NotImplementedError").body
    return tree


def mutants(tree: ast.Module, decisions: bool = False) -> list[tuple[int, str, ast.Module]]:
    """Every way to break one thing: the line, what was done, and the module so broken."""
    found = []
    for at, node in enumerate(formulas(tree, decisions)):
        for change in [*changes(node), *([*decided(node), *broken_statements(node)] if decisions else ())]:
            broken = copy.deepcopy(tree)
            twin = next(each for place, each in enumerate(formulas(broken, decisions)) if place == at)
            line, words = getattr(node, "lineno", 0), change(twin)
            found.append((line, words, broken))
    return found


def changes(node: ast.AST) -> Iterator[object]:
    """How one node can be broken: functions that do it and say what they did."""
    if isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPPED:
        yield swap_operator
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        yield swap_comparison
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        yield drop_sign
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield change_number


def decided(node: ast.AST) -> Iterator[object]:
    """How one decision can be broken."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in DECIDED:
        yield swap_comparison
    if isinstance(node, ast.If | ast.IfExp):
        yield turn_round
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield turn_truth
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
        yield leave_out


def turn_round(node: ast.If | ast.IfExp) -> str:
    node.test = ast.UnaryOp(ast.Not(), node.test)
    return "if turned round"


def turn_truth(node: ast.Constant) -> str:
    node.value = not node.value
    return f"to {node.value}"


def leave_out(node: ast.Expr) -> str:
    words = f"left out: {ast.unparse(node.value)[:60]}"
    node.value = ast.Constant(None)
    return words


def swap_operator(node: ast.BinOp) -> str:
    before = type(node.op)
    node.op = SWAPPED[before]()  # type: ignore[assignment]
    return f"{before.__name__} to {type(node.op).__name__}"


def swap_comparison(node: ast.Compare) -> str:
    before = type(node.ops[0])
    node.ops[0] = (SWAPPED | DECIDED)[before]()  # type: ignore[call-overload]
    return f"{before.__name__} to {type(node.ops[0]).__name__}"


def drop_sign(node: ast.UnaryOp) -> str:
    before = type(node.op).__name__
    node.op = ast.UAdd()
    if before == "Not":  # the condition turned round
        node.operand, node.op = ast.Call(ast.Name("bool", ast.Load()), [node.operand], []), ast.UAdd()
    return f"{before} dropped"


def change_number(node: ast.Constant) -> str:
    before = node.value
    node.value = before + 1 if isinstance(before, int) else before * 1.5 + 0.01
    return f"{before} to {node.value}"


def tests_of(module: Path, package: str, instead: list[str]) -> list[str]:
    if package != STATISTICS or instead:
        named = instead or sorted(ELSEWHERE[package].split(), key=lambda name: module.stem not in name)
        files = [f"tests/{name}.py" for name in named]
        if missing := [file for file in files if not (ROOT / file).exists()]:
            raise SystemExit(f"there is no {', '.join(missing)}: every mutant would seem to be caught")
        return ["-k", "not postgresql", *files]
    folder = ROOT / "tests" / "statistics"
    named = TESTS.get(module.stem)
    if named is None:
        dotted = ".".join(module.with_suffix("").parts)
        named = [path.stem for path in sorted(folder.glob("test_*.py")) if dotted in path.read_text("utf-8")]
    return [str(folder / f"{name}.py") for name in named if (folder / f"{name}.py").exists()]


def passes(tests: list[str], out: Path, longest: float = LONGEST) -> bool | None:
    """Whether the tests pass with the copy as it is; None: they did not end.

    They run in a child, which has the libraries loaded already.
    """
    import pytest

    child = os.fork()
    if not child:
        sink = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        calm = ["-W", "ignore::pytest.PytestAssertRewriteWarning", "-p", "no:cacheprovider"]
        drawn = ["--hypothesis-seed=0", "--hypothesis-profile=mutate"]
        code = pytest.main(["-x", "-q", "-n0", *calm, *drawn, *tests])
        os._exit(int(code))
    end = time.monotonic() + longest
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def load_libraries(source: Path) -> None:
    """Whatever takes long to import and is not ours; and hypothesis without what only people need."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(source))
    sys.path.insert(1, str(ROOT))
    os.environ["PYTHONPATH"] = str(source)
    import numpy  # noqa: F401
    import scipy.sparse
    import scipy.stats  # noqa: F401
    import sklearn.isotonic
    import sklearn.metrics  # noqa: F401
    import statsmodels.api  # noqa: F401
    from hypothesis import Phase, settings

    phases = [Phase.explicit, Phase.generate]  # a failure need not be made small
    settings.register_profile("mutate", phases=phases, max_examples=25, deadline=None, database=None)


@dataclass(frozen=True)
class AsItIs:
    """What the tests do with nothing broken."""

    seconds: float
    fails: str = ""
    """The last lines of what is said where they fail."""


def run_as_it_is(tests: list[str], out: Path, known: dict[frozenset[str], AsItIs]) -> AsItIs:
    """Run the tests with nothing broken, once for all modules that have the same ones."""
    same = frozenset(tests)
    if same not in known:
        start = time.monotonic()
        passed = passes(tests, out, 3600)
        fails = "" if passed else "\n".join(out.read_text("utf-8").splitlines()[-9:])
        known[same] = AsItIs(time.monotonic() - start, fails)
    return known[same]


@dataclass
class Tally:
    """How it went with the mutants of one module, or of all."""

    tried: int = 0
    by_time: int = 0
    survived: int = 0

    def __str__(self) -> str:
        by_time = f", {self.by_time} ended by time" if self.by_time else ""
        return f"{self.tried - self.by_time - self.survived} of {self.tried} mutants caught{by_time}"

    def add(self, other: "Tally") -> None:
        self.tried += other.tried
        self.by_time += other.by_time
        self.survived += other.survived


def try_module(
    source: Path, path: Path, package: str, options: argparse.Namespace, known: dict[frozenset[str], AsItIs]
) -> Tally | str:
    """Try some mutants of a module, and print those that are not caught; or why none can be tried."""
    module, out = path.relative_to(source), source.parent / "out"
    text, tests = path.read_text("utf-8"), tests_of(module, package, options.tests)
    found = mutants(ast.parse(text), decisions=package != STATISTICS)
    chosen = random.Random(f"{options.seed} {module}").sample(found, min(options.each, len(found)))
    if not chosen:
        return Tally()
    whole = run_as_it_is(tests, out, known)
    if whole.fails:
        return f"its tests fail as it is\n{whole.fails}"
    path.write_text(ast.unparse(with_functions_that_fail(ast.parse(text))), "utf-8")
    never_run = passes(tests, out, max(LONGEST, TIMES_AS_LONG * whole.seconds))
    path.write_text(text, "utf-8")
    if never_run and "def " in text:
        return "its tests pass although every function of it fails"
    tally, longest = Tally(), options.longest or max(LONGEST, TIMES_AS_LONG * whole.seconds)
    for line, words, broken in sorted(chosen, key=lambda each: each[0]):
        path.write_text(ast.unparse(ast.fix_missing_locations(broken)), "utf-8")
        passed = passes(tests, out, longest)
        if passed is not False:
            ended = "ended by time: " if passed is None else ""
            print(f"    line {line}: {ended}{words}: {text.splitlines()[line - 1].strip()}", flush=True)
        tally.add(Tally(1, by_time=passed is None, survived=passed is True))
    path.write_text(text, "utf-8")
    return tally


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("modules", nargs="*", help="names of modules; all of them if left out")
    folders = [STATISTICS, *ELSEWHERE]
    asked.add_argument("--of", action="append", choices=folders, help="a folder; the statistics if left out")
    asked.add_argument("--each", type=int, default=6, help="how many mutants of a module")
    asked.add_argument("--seed", type=int, default=0, help="another one draws other mutants")
    asked.add_argument("--longest", type=float, help="seconds after which a mutant ends by time")
    asked.add_argument("--tests", nargs="+", default=[], help="tests to run instead of those of the module")
    options = asked.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mutate-"))
    source = folder / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    compileall.compile_dir(source, quiet=2)  # once, and not in each child
    load_libraries(source)
    os.chdir(ROOT)
    total, start, not_tried = Tally(), time.monotonic(), 0
    known: dict[frozenset[str], AsItIs] = {}
    for package in options.of or [STATISTICS]:
        for path in sorted((source / "assay" / package).rglob("*.py")):
            if options.modules and path.stem not in options.modules:
                continue
            done = try_module(source, path, package, options, known)
            print(f"{path.relative_to(source)}: {done} ({time.monotonic() - start:.0f} s)", flush=True)
            if isinstance(done, Tally):
                total.add(done)
            else:
                not_tried += 1
    shutil.rmtree(folder)
    print(total)
    return int(not_tried > 0)


if __name__ == "__main__":
    sys.exit(main())
