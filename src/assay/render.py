"""Templates and guide texts, for pages and reports alike. Kinds keep their template, style and script beside them."""

import inspect
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from assay.compiled_templates import TemplateCache
from assay.markdown_text import markdown
from assay.words import ENGLISH, Words


def files_beside(kind: type, suffix: str) -> dict[str, Path]:
    """The files with this suffix beside the modules of a kind and its base classes, by module, its own first."""
    modules = {each.__module__: Path(inspect.getfile(each)) for each in kind.__mro__ if each.__module__ != "builtins"}
    files = {name: module.with_suffix(suffix) for name, module in modules.items()}
    return {name: file for name, file in files.items() if file.is_file()}


@cache
def template_of(kind: type) -> str:
    """The name of a kind's template: the .html file beside its module, else beside that of a base class."""
    own = Path(inspect.getfile(kind)).with_suffix(".html")
    return str(next(iter(files_beside(kind, ".html").values()), own))


class Renderer:
    """Templates of one folder and of all kinds. Values are escaped unless they are markup already.

    Texts of the program come from a catalogue: `t("left.heading")` in a template is the text of that key in `words`.
    """

    def __init__(self, folder: Path, words: Words = ENGLISH, **extra: Any) -> None:
        self.folder = folder
        self.words = words
        self.environment = Environment(
            loader=FunctionLoader(self._load),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
            bytecode_cache=TemplateCache(),
        )
        self.environment.globals.update(t=words, markdown=markdown, render_kind=self.kind, **extra)
        self._templates: dict[str, Template] = {}

    def _load(self, name: str) -> tuple[str, str, None] | None:
        path = self.folder / name
        is_template = path.suffix in (".html", ".css") and path.is_file()
        return (path.read_text("utf-8"), str(path), None) if is_template else None

    def kind(self, kind: object, /, **values: Any) -> Markup:
        """The part of a page that a kind renders. Its template gets these values and nothing else of the page."""
        return Markup(self.html(template_of(kind if isinstance(kind, type) else type(kind)), **values))

    def html(self, name: str, /, **values: Any) -> str:
        """A template, filled in."""
        return self._template(name).render(values)

    def _template(self, name: str) -> Template:
        """A template whose globals are a plain dictionary: each rendering copies them, and a ChainMap is slow."""
        if name not in self._templates:
            template = self.environment.get_template(name)
            template.globals = {**template.globals}
            self._templates[name] = template
        return self._templates[name]
