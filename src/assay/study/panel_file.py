"""Reads `panel.yaml`, beside the study file: codes and addresses for the way back to a panel, and its key."""

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from assay.errors import Mistake, StudyMistakes
from assay.markdown_file import read_inside
from assay.panels.setup import PanelSetup, WayBack
from assay.study import yaml
from assay.study.explain import MistakeAt, explain
from assay.suggest import suggest_name

FILE = "panel.yaml"


def load_panel_setup(folder: Path) -> PanelSetup | None:
    """What the folder says of its panel; None where there is no such file. Raises StudyMistakes with all of them."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        tree = yaml.read(path.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise StudyMistakes([Mistake(str(path), f"the file cannot be read ({error})", "save it as UTF-8")]) from None
    found = [*tree.mistakes]
    if not found:
        try:
            setup = PanelSetup.model_validate_json(json.dumps(tree.data))
            return setup.model_copy(update={"key": _key(folder, setup.key)}) if setup.key else setup
        except ValidationError as error:
            for each in error.errors(include_url=False):
                at, what, hint = _explain(each)
                found.append(yaml.PositionedMistake(tree.position(at), what, hint))
    raise StudyMistakes([Mistake(f"{path}:{line}:{column}", what, hint) for (line, column), what, hint in found])


def _explain(error: Any) -> MistakeAt:
    at: yaml.Path = error["loc"]
    if error["type"] != "extra_forbidden":
        return explain(error, at)
    known = PanelSetup.model_fields if len(at) == 1 else WayBack.model_fields
    return MistakeAt(at, f"unknown key {at[-1]!r}", suggest_name(str(at[-1]), list(known)))


def _key(folder: Path, name: str) -> str:
    try:
        key = read_inside(folder, name).strip()
    except PydanticCustomError as error:
        what = (error.context or {}).get("what", str(error))
        raise StudyMistakes([Mistake(str(folder / FILE), f"key: {what}", "name a file beside panel.yaml")]) from None
    if len(key) < 16:
        what = f"the key in {name} has {len(key)} characters: it could be guessed"
        raise StudyMistakes([Mistake(str(folder / FILE), what, "use the panel's key, of 16 characters at least")])
    return key
