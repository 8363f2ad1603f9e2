"""Templates and guide texts, for pages and reports alike. Kinds keep their template, style and script beside them."""

import inspect
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from jinja2 import BytecodeCache, Environment, FunctionLoader, StrictUndefined, Template
from jinja2.bccache import Bucket
from markupsafe import Markup

from assay.markdown_text import markdown
from assay.words import ENGLISH, Words


def files_beside(kind: type, suffix: str) -> dict[str, Path]:
    """By the name of each module, the file with this suffix beside it: that of the kind, then those it builds on."""
    modules = {each.__module__: Path(inspect.getfile(each)) for each in kind.__mro__ if each.__module__ != "builtins"}
    files = {name: module.with_suffix(suffix) for name, module in modules.items()}
    return {name: file for name, file in files.items() if file.is_file()}


@cache
def template_of(kind: type) -> str:
    """The name of a kind's template: the .html file beside the module that declares it, or what it builds on."""
    own = Path(inspect.getfile(kind)).with_suffix(".html")
    return str(next(iter(files_beside(kind, ".html").values()), own))


class _TemplateCache(BytecodeCache):
    """Templates are compiled once per process, and shared by the renderers of all languages."""

    kept: ClassVar[dict[str, bytes]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()


def compiled_templates() -> dict[str, bytes]:
    """The templates that were compiled until now, for another process."""
    return _TemplateCache.kept


def know_templates(compiled: dict[str, bytes]) -> None:
    """Take over what another process has compiled."""
    _TemplateCache.kept.update(compiled)


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
            bytecode_cache=_TemplateCache(),
        )
        self.environment.globals.update(t=words, markdown=markdown, render_kind=self.kind, **extra)
        self._templates: dict[str, Template] = {}

    def _load(self, name: str) -> str | None:
        path = Path(name)
        path = path if path.is_absolute() else self.folder / path
        return path.read_text("utf-8") if path.suffix in (".html", ".css") and path.is_file() else None

    def kind(self, kind: object, /, **values: Any) -> Markup:
        """The part of a page that a kind renders. Its template gets these values and nothing else of the page."""
        return Markup(self.html(template_of(kind if isinstance(kind, type) else type(kind)), **values))

    def html(self, name: str, /, **values: Any) -> str:
        """A template, filled in."""
        return self._template(name).render(values)

    def _template(self, name: str) -> Template:
        """A template with what all of them know: in one dictionary, since each rendering copies it."""
        if name not in self._templates:
            template = self.environment.get_template(name)
            template.globals = {**template.globals}
            self._templates[name] = template
        return self._templates[name]
