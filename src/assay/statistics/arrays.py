"""numpy, imported when it is first used, and the types of arrays.

A study file names its coefficients, so loading one imports every module here; numpy alone takes 0.07 s of that time,
and none of it is needed to look up a name.
"""

import importlib
from typing import TYPE_CHECKING, Any

__all__ = ["Bools", "Floats", "Ints", "np"]


class LazyModule:
    """A module that is imported at the first use of anything in it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, found)
        return found


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.integer[Any]]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool]
else:
    np = LazyModule("numpy")
    Ints = Floats = Bools = Any
