"""Break the program on purpose, one thing at a time, and see whether the tests notice.

Each mutant changes one thing in one module: a plus into a minus, a `<` into a `<=`, a 2 into a 3; outside the
statistics also a decision: an `if` turned round, an `in` into a `not in`, a True into a False, a call left out. The
tests that belong to the module must then fail; a mutant that they pass is a survivor, and is printed with its line.
Some mutants of each module are drawn from a seed, so that a run ends in minutes and can be had again:

    python tools/mutate.py                          every module of the statistics, 6 mutants each
    python tools/mutate.py pairs wilson --each 100  up to a hundred mutants of two modules
    python tools/mutate.py --of gates --of judgments     every module of these folders
    python tools/mutate.py systems --of report/sections  one module of a folder
    python tools/mutate.py atomic --of exchange --tests exchange/test_atomic    only by these tests, which are quick

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
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STATISTICS = "statistics"
LONGEST = 120
"""Seconds after which a mutant is taken never to end, which counts as caught."""

KNOWN = "test_canonical test_known_answers test_agree"
COMPARED = "test_oracles test_canonical"
TABLE = {
    "percent_agreement within_one_agreement cohen_kappa scott_pi pairs fleiss_kappa conger_kappa": KNOWN,
    "brennan_prediger gwet_ac chance kendall_w": KNOWN,
    "krippendorff_alpha": f"{KNOWN} test_from_arrays",
    "icc_one_way icc_two_way intraclass": f"test_intraclass {KNOWN}",
    "spearman_brown": "test_spearman_brown test_canonical",
    "bootstrap jackknife": "test_intervals test_from_arrays test_coverage",
    "base __init__": f"{KNOWN} test_intervals test_degenerate",
    "patterns": f"test_from_arrays test_intervals {KNOWN}",
    "table frames factors": f"test_ratings_table test_from_arrays {KNOWN}",
    "f_distribution": "test_f_distribution test_intraclass",
    "estimate correlation halo leave_one_out rest_kappa similar spread_ratio wilson benjamini_hochberg": (
        "test_annotator_statistics test_oracles"
    ),
    "finite": "test_degenerate",
    "aggregates dawid_skene": "test_aggregates",
    "alt_test calibration": f"test_calibration {COMPARED}",
    "bradley_terry paired_comparison": f"test_bradley_terry {COMPARED}",
    "effect_sizes multiple": f"test_effect_sizes {COMPARED}",
    "binary_tests rank_tests": f"test_system_comparisons test_binomial {COMPARED}",
    "systems": "test_system_comparisons test_effect_sizes test_degenerate",
    "judges weighted_formulas system_level": f"test_judges {COMPARED}",
    "planning precision": f"test_planning test_degenerate {COMPARED}",
    "preferences": f"test_preferences test_degenerate {COMPARED}",
    "measure resample": "test_resample test_system_comparisons",
}
TESTS = {module: tests.split() for modules, tests in TABLE.items() for module in modules.split()}
"""The tests of each module, those first that fail soonest. Of a module that is not named here: all that name it."""

ELSEWHERE = {
    "acts": "acts/test_attempt_result acts/test_may_judge store/test_exclusions store/test_reassigning "
    "store/test_flags store/test_undo_import store/test_begin_again web/test_pairs_pages web/test_calibration "
    "web/test_manage web/test_oversight web/test_publishing web/test_submissions web/test_drafts web/test_navigation "
    "web/test_gates web/test_api cli/test_managing cli/test_gate cli/test_import_judgments sheets/test_ratings",
    "exchange": "exchange/test_atomic exchange/test_layouts exchange/test_export_columns exchange/test_contract "
    "cli/test_export",
    "store/annotator": "store/test_exactly_k store/test_work store/test_pairs store/test_assignment store/test_pace "
    "store/test_held_places store/test_reassigning store/test_places_from_files web/test_submissions web/test_drafts "
    "web/test_navigation web/test_calibration",
    "assignment": "assignment/test_workload_forecast test_simulate store/test_assignment store/test_pairs",
    "gates": "test_gates judgments/test_reference test_kinds test_golden web/test_gates web/test_journey "
    "web/test_calibration",
    "judgments": "judgments/test_what_counts judgments/test_rules judgments/test_read_answers judgments/test_derive "
    "judgments/test_reference "
    "judgments/test_questionnaire judgments/test_lint report/test_systems report/test_preferences_section",
    "report/sections": "report/test_known_empathy report/test_known_in_car report/test_known_route_planning "
    "report/test_known_trajectories report/test_known_dialog_pairs report/test_systems report/test_preferences_section "
    "report/test_annotators_section report/test_judges_section report/test_fieldwork_sections report/test_report "
    "report/test_excluded report/test_adjudication report/test_agreed_values report/test_flags_section "
    "report/test_overview_section report/test_summary report/test_comparisons report/test_fair_averages_section "
    "report/test_variance_section report/test_groups_section report/test_notes report/test_protocol "
    "report/test_judges_together report/test_distributions_section report/test_counts_section "
    "report/test_people_and_judges report/test_decisions test_golden",
}
"""The tests of each folder outside the statistics, those first that fail soonest. They run on SQLite alone."""

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


def formulas(node: ast.AST) -> Iterator[ast.AST]:
    """What may be broken in a module: what functions compute. Published data, words and types are none of that."""
    for child in ast.iter_child_nodes(node):
        if (
            isinstance(child, ast.Call)
            and isinstance(child.func, ast.Name)
            and child.func.id in ("register", "_register")
        ):
            continue
        if isinstance(child, ast.JoinedStr | ast.arguments | ast.AnnAssign | ast.Raise):
            continue
        if isinstance(node, ast.Module) and isinstance(child, ast.Assign):
            continue
        if child in getattr(node, "decorator_list", ()) or (isinstance(child, ast.keyword) and child.arg == "strict"):
            continue
        yield child
        yield from formulas(child)


def mutants(tree: ast.Module, decisions: bool = False) -> list[tuple[int, str, ast.Module]]:
    """Every way to break one thing: the line, what was done, and the module so broken."""
    found = []
    for at, node in enumerate(formulas(tree)):
        for change in [*changes(node), *(decided(node) if decisions else ())]:
            broken = copy.deepcopy(tree)
            twin = next(each for place, each in enumerate(formulas(broken)) if place == at)
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


def passes(tests: list[str], out: Path, longest: int = LONGEST) -> bool | None:
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


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("modules", nargs="*", help="names of modules; all of them if left out")
    folders = [STATISTICS, *ELSEWHERE]
    asked.add_argument("--of", action="append", choices=folders, help="a folder; the statistics if left out")
    asked.add_argument("--each", type=int, default=6, help="how many mutants of a module")
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--longest", type=int, default=LONGEST, help="seconds after which a mutant never ends")
    asked.add_argument("--sound", action="store_true", help="first see that the tests of a module pass as it is")
    asked.add_argument("--tests", nargs="+", default=[], help="tests to run instead of those of the module")
    options = asked.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mutate-"))
    source = folder / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    compileall.compile_dir(source, quiet=2)  # once, and not in each child
    load_libraries(source)
    os.chdir(ROOT)
    survivors, count, start = [], 0, time.monotonic()
    every = [
        (path, package)
        for package in options.of or [STATISTICS]
        for path in sorted((source / "assay" / package).rglob("*.py"))
    ]
    for path, package in every:
        module = path.relative_to(source)
        if options.modules and path.stem not in options.modules:
            continue
        text, tests = path.read_text("utf-8"), tests_of(module, package, options.tests)
        found = mutants(ast.parse(text), decisions=package != STATISTICS)
        chosen = random.Random(f"{options.seed} {module}").sample(found, min(options.each, len(found)))
        if options.sound and not passes(tests, folder / "out"):
            said = (folder / "out").read_text("utf-8").splitlines()[-9:]
            print(f"{module}: its tests fail as it is", *said, sep="\n", flush=True)
            continue
        lived, endless = [], 0
        for line, words, broken in sorted(chosen, key=lambda each: each[0]):
            path.write_text(ast.unparse(ast.fix_missing_locations(broken)), "utf-8")
            passed = passes(tests, folder / "out", options.longest)
            endless += passed is None
            if passed:
                lived.append(f"    line {line}: {words}: {text.splitlines()[line - 1].strip()}")
                print(lived[-1], flush=True)
        path.write_text(text, "utf-8")
        count, survivors = count + len(chosen), survivors + lived
        took = time.monotonic() - start
        by_time = f", {endless} because they never ended" if endless else ""
        caught = f"{len(chosen) - len(lived)} of {len(chosen)} caught{by_time}"
        print(f"{module}: {caught} ({took:.0f} s)", flush=True)
    shutil.rmtree(folder)
    print(f"{count - len(survivors)} of {count} mutants caught")
    return 0


if __name__ == "__main__":
    sys.exit(main())
