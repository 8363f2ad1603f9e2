"""Reads `panel.yaml`, beside the study file: codes and addresses for the way back to a panel, and its key."""

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from assay.errors import Mistake, StudyMistakes
from assay.markdown_file import read_inside
from assay.panels import Panel
from assay.panels.setup import PanelSetup, WayBack
from assay.panels.signatures import why_unfit
from assay.study import yaml
from assay.study.explain import MistakeAt, explain
from assay.suggest import suggest_name

FILE = "panel.yaml"


def load_panel_setup(folder: Path, panel: Panel | None = None) -> PanelSetup | None:
    """What the folder says of its panel; None where there is no such file. Raises StudyMistakes with all of them.

    `panel` is what the study says of it: the key has to suit the way in which it signs.
    """
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
            return setup.model_copy(update={"key": _key(folder, setup.key, panel)}) if setup.key else setup
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


def _key(folder: Path, name: str, panel: Panel | None) -> str:
    try:
        key = read_inside(folder, name).strip()
    except PydanticCustomError as error:
        what = (error.context or {}).get("what", str(error))
        raise StudyMistakes([Mistake(str(folder / FILE), f"key: {what}", "name a file beside panel.yaml")]) from None
    signature = panel.signature if panel is not None else None
    if signature is not None and (why := why_unfit(signature.kind, key)):
        needed = "the panel's public key: a PEM file, or its JSON Web Key Set"
        hint = needed if signature.kind == "jwt_rs256" else "a secret that you share with the panel, or kind: jwt_rs256"
        what = f"the key in {name} cannot be used with signatures of the kind {signature.kind}: {why}"
        raise StudyMistakes([Mistake(str(folder / FILE), what, f"use {hint}")])
    if len(key) < 16:
        what = f"the key in {name} has {len(key)} characters: it could be guessed"
        raise StudyMistakes([Mistake(str(folder / FILE), what, "use the panel's key, of 16 characters at least")])
    return key
