"""The name that `assay.statistics.comparison` had in 0.1.0: notebooks that import it get the same modules."""

import importlib
import pkgutil
import sys

from assay.statistics import comparison

RENAMED = {"second_judgments": "twice", "without_each": "dropped", "weighted_formulas": "weighted"}

for _module in pkgutil.iter_modules(comparison.__path__):
    _name = RENAMED.get(_module.name, _module.name)
    sys.modules[f"{__name__}.{_name}"] = importlib.import_module(f"{comparison.__name__}.{_module.name}")
