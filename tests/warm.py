"""Loaded once into the server that tests fork commands from, so that each of them starts with the program in memory.

All of its modules are loaded, a study file has been read, and so has what the report imports when it is made.
"""

import importlib
import pkgutil

import alembic.command  # noqa: F401
import scipy.sparse
import scipy.special
import scipy.stats  # noqa: F401

import assay
from assay.study import load
from assay.study.json_schema import as_text
from assay.study.templates import HERE

for module in pkgutil.walk_packages(assay.__path__, "assay."):
    if "migrations" not in module.name and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
load(HERE / "empathy")
as_text()
