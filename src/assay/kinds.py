"""Discovery of kinds: a new input, display, gate, monitor ... is one new file, found and not listed.

A family of kinds is a package. Importing its modules registers what they declare; packages from elsewhere add theirs
through an entry point group of the family's name.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, Strict

from assay.words import Translatable, add_words_of_kind

T = TypeVar("T")

Many = Annotated[tuple[T, ...], Strict(False)]
"""A list in the study file, a tuple in the model: strict about what is in it, not about which of the two it is."""


@dataclass(frozen=True)
class Reference:
    """Marks the type of a key whose text names something that another part of the study file declares.

    `Annotated[str, Reference(("dimension",), ...)]` is all that a part or a kind has to say: that the name exists is
    then checked by `study.references`, with its line and column.
    """

    to: tuple[str, ...]
    """What it may name: a `dimension`, a `derived value`, a shown `field`, a list of `entries`."""
    missing: str
    """What is said where there is no such thing; `{name}` is the name."""
    listed_in: str = ""
    """The part of the study file that declares them, where the hint is to list them all."""
    names: Callable[[str], Iterable[str]] = lambda text: (text,)
    """The names in a text: the text itself, or those in an expression."""


class Settings(BaseModel):
    """Part of the study file: frozen, typed, and closed to keys it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)

    short: ClassVar[dict[str, Any] | None] = None
    """The JSON Schema of a shorter way to write it, where there is one."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Both ways to write it, for editors that complete and check study files."""
        written = handler(core)
        return written if cls.short is None else {"anyOf": [cls.short, written]}


def modules_of(package: str) -> Iterator[ModuleType]:
    """Every module of a package, by name: what is there is found, nobody lists it. Packages in it are left alone."""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if not module.ispkg:
            yield importlib.import_module(f"{package}.{module.name}")


class Family(Mapping[str, T]):
    """All kinds of one family by the word that names each in the study file. Read on first use."""

    def __init__(self, package: str) -> None:
        self.package = package
        self._kinds: dict[str, T] = {}
        self._loaded = False

    def register(self, name: str, kind: T) -> None:
        """Add a kind. Two kinds of one family cannot have the same name."""
        if name in self._kinds and self._kinds[name] is not kind:
            raise RuntimeError(f"{self.package}: two kinds are called {name!r}")
        self._kinds[name] = kind

    def _load(self) -> dict[str, T]:
        if not self._loaded:
            self._loaded = True
            for _ in modules_of(self.package):
                pass  # a module registers what it declares as it is imported
            for point in entry_points(group=self.package):
                point.load()
            self._kinds = dict(sorted(self._kinds.items()))
        return self._kinds

    def __getitem__(self, name: str) -> T:
        return self._load()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._load())

    def __len__(self) -> int:
        return len(self._load())


# The families. Typed loosely here because each base class lives in its own package, which imports this module.
INPUTS: Family[Any] = Family("assay.inputs")
DISPLAYS: Family[Any] = Family("assay.displays")
GATES: Family[Any] = Family("assay.gates")
DERIVATIONS: Family[Any] = Family("assay.derivations")
SOURCES: Family[Any] = Family("assay.items")
ORDERS: Family[Any] = Family("assay.assignment")
STATISTICS: Family[Any] = Family("assay.statistics")
MONITORS: Family[Any] = Family("assay.quality")
SECTIONS: Family[Any] = Family("assay.report.sections")
FIGURES: Family[Any] = Family("assay.report.figures")
EXPORTS: Family[Any] = Family("assay.exchange")
PANELS: Family[Any] = Family("assay.panels")
JUDGES: Family[Any] = Family("assay.judges")

FAMILIES: dict[str, Family[Any]] = {
    "input": INPUTS,
    "display": DISPLAYS,
    "gate": GATES,
    "derivation": DERIVATIONS,
    "source": SOURCES,
    "order": ORDERS,
    "statistic": STATISTICS,
    "monitor": MONITORS,
    "section": SECTIONS,
    "figure": FIGURES,
    "export": EXPORTS,
    "panel": PANELS,
    "judge": JUDGES,
}


@dataclass(frozen=True)
class Shortcut:
    """Keys on the keyboard of the judging page that a kind brings, and what they do, for the list of keys."""

    keys: tuple[Translatable | str, ...]
    """What stands on them: a letter, or the word of a catalogue for a key such as Esc."""
    does: Translatable


class KindSettings(Settings):
    """A kind whose fields are its study-file keys. A subclass that names its `kind` is registered by existing."""

    family: ClassVar[Family[Any]]
    kind: ClassVar[str]

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if "kind" in cls.__dict__:
            cls.family.register(cls.kind, cls)
            words = Path(inspect.getfile(cls)).with_suffix(".toml")
            if words.is_file():
                add_words_of_kind(words)
