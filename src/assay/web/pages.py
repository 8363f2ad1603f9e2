"""Pages as answers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.responses import HTMLResponse

from assay.judgments import MISSING
from assay.render import Renderer
from assay.study import Study


@dataclass(frozen=True)
class Questions:
    """The parts of the judging page that depend on the study and the answers, not on the item."""

    form: Markup
    dialogs: Markup


class Pages(Renderer):
    """All pages of the web edge."""

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent / "templates")
        self._untouched: dict[str, Questions] = {}

    def response(self, name: str, status: int = 200, /, **values: Any) -> HTMLResponse:
        """A page as an answer."""
        return HTMLResponse(self.html(name, **values), status)

    def questions(self, study: Study, answers: dict[str, list[str]], reasons: dict[str, str]) -> Questions:
        """The questions of a study. Untouched they are the same for every item, so they are made once."""
        if answers or reasons:
            return self._questions(study, answers, reasons)
        if study.hash not in self._untouched:
            self._untouched[study.hash] = self._questions(study, {}, {})
        return self._untouched[study.hash]

    def _questions(self, study: Study, answers: dict[str, list[str]], reasons: dict[str, str]) -> Questions:
        rules = [
            {"required": rule.required, "tree": rule.tree, "message": rule.message or MISSING} for rule in study.rules
        ]
        headings = {dimension.dimension: dimension.heading for dimension in study.rubric}
        digits = sorted(digit for dimension in study.rubric for digit in dimension.input.hotkeys())
        values: dict[str, Any] = {
            "study": study,
            "answers": answers,
            "reasons": reasons,
            "headings": headings,
            "rules": rules,
            "digits": f"{digits[0]}-{digits[-1]}" if digits else "",
            "has_note": any(dimension.input.kind == "text" for dimension in study.rubric),
        }
        return Questions(Markup(self.html("questions.html", **values)), Markup(self.html("dialogs.html", **values)))
