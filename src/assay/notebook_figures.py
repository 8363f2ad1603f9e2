"""The figures of a report in a notebook: each shows itself, and one that is not there says why."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.suggest import suggest_name


@dataclass(frozen=True)
class NotebookFigure:
    """A figure that shows itself in a notebook."""

    name: str
    question: str
    caption: str
    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f"<figure>{self.svg}<figcaption>{_escape(self.question)} {_escape(self.caption)}</figcaption></figure>"


class NotebookFigures(dict[str, NotebookFigure]):
    """Figures by their names."""

    def __init__(self, drawn: Mapping[str, NotebookFigure], reported: Callable[[], Mapping[str, Any]]) -> None:
        super().__init__(drawn)
        self._reported = reported

    def __missing__(self, name: str) -> NotebookFigure:
        known = self._reported()
        why = known.get(name, {}).get("nothing") or suggest_name(name, self or known)
        raise KeyError(f"there is no figure {name!r}: {why}")


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
