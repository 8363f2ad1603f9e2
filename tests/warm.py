"""Loaded once into the server that tests fork commands from, so that each of them starts with the program in memory.

All of its modules are loaded, and what the report imports when it is made; a study file was read, its schema written,
every template compiled, and the usual commands were run once.
"""

import atexit
import gc
import importlib
import pkgutil
import tempfile
import threading
from pathlib import Path

import alembic.command  # noqa: F401
import scipy.sparse
import scipy.special
import scipy.stats  # noqa: F401
from typer.testing import CliRunner

import assay
from assay.cli import build, commands
from assay.render import Renderer
from assay.study import load
from assay.study.json_schema import as_text
from assay.study.templates import HERE
from tests.statements import share

for module in pkgutil.walk_packages(assay.__path__, "assay."):
    if "migrations" not in module.name and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
load(HERE / "empathy")
as_text()
for template in Path(assay.__file__).parent.rglob("*.html"):
    for name in (template.name, str(template)):
        Renderer(template.parent).environment.get_template(name)


def _run_commands(study: str) -> None:
    """What they look up, read and compile is kept, and each fork has it."""
    usual = ["init empathy", "check", "import", "invite --count 1", "simulate --items 2", "status", "plan", "report"]
    for command in usual:
        done = CliRunner().invoke(build(), [*command.split(), study])
        assert done.exit_code == 0, f"{command}: {done.exception!r}"
    commands()
    # A thread would not be there in a fork.
    assert threading.active_count() == 1, threading.enumerate()


share()
with tempfile.TemporaryDirectory() as folder:
    _run_commands(f"{folder}/study")
gc.collect()
# Nobody looks through all this again, in any fork; at the very end it is let go, which some libraries insist upon.
gc.freeze()
atexit.register(gc.unfreeze)
