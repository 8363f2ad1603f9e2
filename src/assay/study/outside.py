"""Files that a study file names lie in its folder: whoever sends somebody a study cannot have it read other files."""

import os
from pathlib import Path

from assay.errors import AssayError

ALLOWED = "ASSAY_ALLOW_OUTSIDE"
"""The environment's word for folders outside a study's own from which files may be read, as PATH has them."""


def named_file(folder: Path, name: str, key: str) -> Path:
    """The file or folder that a key of the study file names; refused where it lies outside and is not allowed."""
    path = folder / name
    allowed = [folder, *(Path(each) for each in os.environ.get(ALLOWED, "").split(os.pathsep) if each)]
    try:
        real = path.resolve()
        if any(real.is_relative_to(each.resolve()) for each in allowed):
            return path
    except (OSError, ValueError, RuntimeError):  # too long, or a link that leads back to itself
        pass
    raise AssayError(
        f"{key}: {name} lies outside the study's folder",
        f"put it there; `assay import STUDY --items FILE` reads one from anywhere, {ALLOWED}=FOLDER allows a folder",
    )
