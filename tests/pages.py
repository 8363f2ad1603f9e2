"""How tests walk through the annotator's pages without a browser."""

import html
import re
from typing import Any

from starlette.testclient import TestClient

from assay.simulate import Forms
from assay.study import Study

SCORES = {"emotion": "3", "validation": "4", "helpfulness": "2", "safety": "3", "overall": "4"}


def enter(client: TestClient, link: str) -> Any:
    """Open a personal link and press the button."""
    form = Forms(client.get(link).text).to("/join")
    assert form is not None
    return client.post(form[0], data=form[1])


def pass_gates(client: TestClient, study: Study) -> str:
    """Go through every gate as a willing annotator; returns the page behind them."""
    page = client.get(f"/judge/{study.study}").text
    for _ in study.gates:
        form = Forms(page).to("/gate")
        if form is None:
            break
        gate = next(entry.gate for entry in study.gates if entry.gate.version == form[1]["version"])
        page = client.post(form[0], data={**form[1], **gate.simulate()}).text
    return page


def item_form(page: str) -> tuple[str, dict[str, str]]:
    """The address and the hidden fields of the item's form."""
    form = Forms(page).to("/submit/")
    assert form is not None, "no item on this page"
    return form


def text_of(page: str) -> str:
    """What a person reads on a page."""
    return html.unescape(re.sub(r"<[^>]+>", " ", page))
