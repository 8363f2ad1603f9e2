"""Loaded once into the server that tests fork commands from, so that each of them starts with the program in memory.

All of its modules are loaded, and what the report imports when it is made; a study file was read, its schema written,
and every template compiled.
"""

import importlib
import pkgutil
from pathlib import Path

import alembic.command  # noqa: F401
import scipy.sparse
import scipy.special
import scipy.stats  # noqa: F401

import assay
from assay.render import Renderer
from assay.study import load
from assay.study.json_schema import as_text
from assay.study.templates import HERE

for module in pkgutil.walk_packages(assay.__path__, "assay."):
    if "migrations" not in module.name and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
load(HERE / "empathy")
as_text()
for template in Path(assay.__file__).parent.rglob("*.html"):
    for name in (template.name, str(template)):
        Renderer(template.parent).environment.get_template(name)
