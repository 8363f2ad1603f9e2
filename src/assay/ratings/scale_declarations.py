"""What the person says of scales and levels: of all dimensions, or of one by its name."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from assay.errors import AssayError
from assay.model import Level
from assay.suggest import suggest_name

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
ALL = ""
"""Under this name stands what holds for every dimension that has nothing of its own."""


@dataclass(frozen=True)
class Declared:
    """The scales and levels that are declared, by the dimension's name."""

    scales: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, Level] = field(default_factory=dict)

    def of(self, name: str) -> tuple[str | None, Level | None]:
        """What holds for a dimension."""
        scale, level = self.scales.get(name, self.scales.get(ALL)), self.levels.get(name, self.levels.get(ALL))
        return scale, level

    def refuse_others(self, known: Collection[str]) -> None:
        """Refuse what is said of a dimension that is not there."""
        for option, said in (("--scale", self.scales), ("--level", self.levels)):
            for name in said:
                if name != ALL and name not in known:
                    hint = f"{option} NAME=...: {suggest_name(name, list(known))}"
                    raise AssayError(f"{option} {name}={said[name]}: there is no dimension {name!r}", hint)


def read_declared(scales: Iterable[str], levels: Iterable[str]) -> Declared:
    """What the options say: `1-5` for all, `warmth=1-5` for one.

    Example:
        >>> read_declared(["1-5", "safe=no,yes"], ["safe=nominal"]).of("safe")
        ('no,yes', 'nominal')
    """
    known: dict[str, Level] = {each: each for each in LEVELS}
    by_name: dict[str, Level] = {}
    for name, level in _by_name("--level", levels).items():
        if level not in known:
            raise AssayError(f"there is no level {level!r}", f"levels: {', '.join(LEVELS)}")
        by_name[name] = known[level]
    return Declared(_by_name("--scale", scales), by_name)


def _by_name(option: str, texts: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, _, said = text.rpartition("=")
        if name in found:
            whose = f"of {name!r}" if name else "of all dimensions"
            raise AssayError(f"{option} {whose} is given twice", f"for one dimension write {option} NAME={said}")
        found[name.strip()] = said.strip()
    return found
