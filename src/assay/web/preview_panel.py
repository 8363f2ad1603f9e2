"""The preview as a panel would send somebody: in by its address, and back with the code, never to the real panel."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Connection

from assay.acts.arrivals import keep_panel_setup
from assay.errors import AssayError
from assay.kinds import PANELS
from assay.panels import Panel
from assay.panels.setup import OUTCOMES, PanelSetup, WayBack
from assay.store.annotator import arrivals
from assay.store.coordinator import links
from assay.store.coordinator.record import By
from assay.study import Study

BACK = "/preview/back"
ITEMS = 2
"""How many items come before the way back, where the study does not say how many each person gets."""


def known_panel(name: str) -> str:
    """The name of a kind of panel; raises where there is no such kind."""
    if name not in PANELS:
        raise AssayError(f"there is no panel {name!r}", f"panels: {', '.join(PANELS)}")
    return name


def plan_for_panel(study: Study, name: str) -> dict[str, Any]:
    """Settings that `assignment` needs for a preview of somebody whom this panel sends."""
    own = study.assignment.panel
    settings: dict[str, Any] = {}
    if own is not None and own.kind == name:
        settings = own.model_dump(mode="json", exclude={"signature"}, exclude_unset=True)
    elif name == "generic":
        settings = {"person": "pid", "session": "sid", "survey": "survey"}
    return {"enrol": {"panel": {name: settings}}, "per_annotator": study.assignment.per_annotator or ITEMS}


def lead_back_here(connection: Connection, study_id: int, base: str, now: int) -> bool:
    """Have every way back lead to a page of the preview. False where there are no codes: then samples are shown."""
    declared = arrivals.setup_of(connection, study_id)
    ways = {}
    for outcome in OUTCOMES:
        way = declared.way_back(outcome)
        code = f"CODE-{outcome}" if way is None else way.code
        query = urlencode({"outcome": outcome, "opens": "" if way is None else way.address or ""}, safe="{}")
        ways[outcome] = WayBack(code=code, address=f"{base}{BACK}?{query.replace('{', '%7B').replace('}', '%7D')}")
    keep_panel_setup(connection, By(study_id, "preview", now), PanelSetup.model_validate(ways))
    return bool(declared.model_fields_set)


def address_of_arrival(connection: Connection, study_id: int, panel: Panel, number: int, now: int) -> str:
    """The address to which the panel would send its person with this number."""
    token = partial(links.add, enrols=True)(connection, study_id, None, now)
    said = {name: f"{value}{number}" for name, value in panel.sample().items()}
    return f"/join/{token}?{urlencode(said)}"
