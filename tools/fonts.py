"""Make sure that the fonts are here which layout tests run under: a wide family, a narrow one, one for ideographs.

A browser lays a page out with the fonts of its machine, so tests that measure pages name theirs. They come from
packages of the system. Where those cannot be installed, layout tests are skipped and say why.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools import packages

FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")


@dataclass(frozen=True)
class Family:
    """A family of fonts, the package of Debian and Ubuntu that it comes in, and its files."""

    name: str
    package: str
    files: tuple[str, ...]

    def paths(self) -> list[Path]:
        """Where its files lie on this machine; nothing where one of them is missing."""
        found = [next(_named(file), None) for file in self.files]
        return [path for path in found if path] if all(found) else []


FAMILIES = {
    "wide": Family(
        "DejaVu Sans",
        "fonts-dejavu-core",
        ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"),
    ),
    "narrow": Family(
        "Roboto Condensed",
        "fonts-roboto-unhinted",
        ("RobotoCondensed-Regular.ttf", "RobotoCondensed-Bold.ttf", "RobotoCondensed-Italic.ttf"),
    ),
    "cjk": Family("WenQuanYi Micro Hei", "fonts-wqy-microhei", ("wqy-microhei.ttc",)),
}


PICTURES = Family(
    "Roboto",
    "fonts-roboto-unhinted fonts-wqy-microhei",
    ("Roboto-Regular.ttf", "Roboto-Medium.ttf", "Roboto-Bold.ttf", "Roboto-Italic.ttf", "wqy-microhei.ttc"),
)
"""The family of the pictures in the docs, much like what readers have; the last one has signs that it lacks."""

CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{folder}</dir>
  <cachedir>{folder}/cache</cachedir>
  <alias>
    <family>monospace</family>
    <prefer><family>DejaVu Sans Mono</family><family>WenQuanYi Micro Hei Mono</family></prefer>
  </alias>
  <match target="pattern">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hintstyle" mode="assign"><const>hintslight</const></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
"""


def environment(family: Family, folder: Path) -> dict[str, str]:
    """What a browser must find in its environment to see this family alone; it is written into the folder."""
    folder.mkdir()
    for path in family.paths():
        (folder / path.name).symlink_to(path)
    (folder / "fonts.conf").write_text(CONFIGURATION.format(folder=folder), "utf-8")
    return {"FONTCONFIG_FILE": str(folder / "fonts.conf")}


def missing() -> list[Family]:
    return [family for family in FAMILIES.values() if not family.paths()]


def _named(file: str) -> Iterator[Path]:
    return (path for folder in FOLDERS for path in sorted(Path(folder).expanduser().rglob(file)))


if __name__ == "__main__":
    if missing() and packages.can_install():
        print("Installing the fonts of layout tests from the system's packages ...", flush=True)
        packages.install(*(family.package for family in missing()))
    for family in FAMILIES.values():
        print("font:", family.name if family.paths() else f"{family.name} is missing, of the package {family.package}")
