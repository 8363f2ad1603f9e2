"""The studies that come with the program, each a folder that can be copied and run."""

import shutil
from pathlib import Path

from assay.study.json_schema import FILE, as_text

HERE = Path(__file__).parent


def template_names() -> list[str]:
    """Every template that there is."""
    return sorted(path.parent.name for path in HERE.glob("*/study.yaml"))


def copy_template(name: str, folder: Path) -> list[str]:
    """Write a template's files into a new folder and list them."""
    folder.mkdir(parents=True, exist_ok=True)
    source = HERE / name
    files = sorted(
        path.relative_to(source) for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / file, folder / file)
    (folder / FILE).write_text(as_text(), "utf-8")
    return [*(str(file) for file in files), FILE]
