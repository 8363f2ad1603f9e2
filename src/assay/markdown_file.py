"""A Markdown file that the study file names by its path. Its text becomes part of the study, and so of its version."""

from pathlib import Path
from typing import Any

from pydantic import GetJsonSchemaHandler, ValidationInfo, model_validator

from assay.kinds import Settings
from assay.mistakes import mistake, quote

LARGEST = 1_000_000


class MarkdownFile(Settings):
    """A Markdown file in the study's folder. In the study file it is written as the file's path alone."""

    file: str
    text: str

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """In the study file it is a path."""
        return {"type": "string", "description": "The path of a Markdown file, beside the study file."}

    @model_validator(mode="before")
    @classmethod
    def _from_path(cls, data: Any, info: ValidationInfo) -> Any:
        folder = (info.context or {}).get("folder")
        if folder is None:
            return data
        if not isinstance(data, str):
            raise mistake(
                f"a file's path is expected here, not {quote(data)}", "name a Markdown file beside study.yaml"
            )
        return {"file": data, "text": read_inside(Path(folder), data)}


def read_inside(folder: Path, name: str) -> str:
    """Read a text file that must lie in the study's folder."""
    path = _path_inside(folder, name)
    try:
        if path.stat().st_size > LARGEST:
            raise mistake(f"{name} is larger than {LARGEST:,} bytes", "split it into several sections")
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise mistake(f"{name} is not UTF-8 (byte {error.start})", "save the file as UTF-8") from None
    except OSError as error:
        raise mistake(f"{name} cannot be read ({error.strerror})", "look at its permissions") from None
    if "\x00" in text:
        raise mistake(f"{name} holds a NUL character", "remove it from the text")
    return text


def _path_inside(folder: Path, name: str) -> Path:
    try:
        path = (folder / name).resolve()
        there = path.is_file()
    except (OSError, ValueError, RuntimeError):
        # Too long, with a NUL in it, or a link that leads back to itself.
        raise mistake(f"{quote(name)} cannot be the name of a file", "name a Markdown file beside study.yaml") from None
    if not path.is_relative_to(folder.resolve()):
        raise mistake(
            f"{name} lies outside the study's folder", "put the file beside study.yaml and name it from there"
        )
    if not there:
        raise mistake(f"there is no file {name}", "the path counts from the folder of study.yaml")
    return path
