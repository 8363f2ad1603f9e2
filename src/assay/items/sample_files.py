"""Files of a template that were left in a study of one's own: its controls are samples, and mean nothing there."""

from collections.abc import Iterator
from pathlib import Path

from assay.items.reference_items import reference_files
from assay.study.schema import Study
from assay.study.templates import HERE


def sample_warnings(study: Study, folder: Path, source: Path) -> Iterator[str]:
    """What to say of items with known answers that are a template's, byte for byte, where the study's items are not."""
    for file in reference_files(study):
        template = _template_with(folder / file.file)
        if template is not None and _template_with(source) != template:
            yield (
                f"{file.file} holds the samples of the template {template}, and they would stand among your own items: "
                f"write your own, or take {file.file} out of study.yaml"
            )


def _template_with(path: Path) -> str | None:
    """The template that has this very file."""
    if not path.is_file():
        return None
    content = path.read_bytes()
    for file in sorted(HERE.rglob("*")):
        if file.is_file() and file.stat().st_size == len(content) and file.read_bytes() == content:
            return file.relative_to(HERE).parts[0]
    return None
