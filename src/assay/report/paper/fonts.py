"""The font of a paper's figures: the one that comes with the library, or one that the author names."""

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from assay.errors import AssayError

MISSING = "PDF and PNG files of figures need two small libraries that are not installed"
INSTALL = 'pip install "assay-eval[paper]"'


@dataclass(frozen=True)
class PaperFont:
    """A TrueType font, plain and bold."""

    family: str
    plain: Path
    bold: Path

    def name(self, bold: bool) -> str:
        """What a PDF calls it."""
        return f"{self.family} Bold" if bold else self.family

    @cached_property
    def _faces(self) -> tuple[Any, Any]:
        from reportlab.pdfbase.ttfonts import TTFError, TTFont

        try:
            return TTFont(self.family, str(self.plain)), TTFont(self.name(True), str(self.bold))
        except (TTFError, OSError) as error:
            raise AssayError(f"{self.plain}: {error}", "name a TrueType file (.ttf)") from error

    def register(self) -> None:
        """Make it known to the library that writes PDF."""
        from reportlab.pdfbase import pdfmetrics

        for face in self._faces:
            pdfmetrics.registerFont(face)

    def lacks(self, texts: Iterable[str]) -> str:
        """The characters of some texts that the font has no glyph for."""
        known = self._faces[0].face.charToGlyph
        return "".join(
            sorted({each for text in texts for each in text if ord(each) not in known and not each.isspace()})
        )

    def face_rule(self, bold: bool) -> str:
        """The rule that puts it into an SVG file."""
        faces = [(self.plain, 400), *([(self.bold, 600)] if bold else [])]
        return "\n".join(
            f"@font-face {{ font-family: '{self.family}'; font-weight: {weight}; "
            f"src: url(data:font/ttf;base64,{base64.b64encode(path.read_bytes()).decode()}); }}"
            for path, weight in faces
        )


def font_of(file: Path | None) -> PaperFont:
    """The author's font, or the one that comes with the library: Bitstream Vera Sans."""
    try:
        import reportlab
        import resvg_py  # noqa: F401
    except ImportError as error:
        raise AssayError(MISSING, INSTALL) from error
    if file is None:
        folder = Path(str(reportlab.__file__)).parent / "fonts"
        return PaperFont("Bitstream Vera Sans", folder / "Vera.ttf", folder / "VeraBd.ttf")
    if not file.is_file():
        raise AssayError(f"there is no file {file}", "name a TrueType file (.ttf)")
    return PaperFont(_family(file), file, file)


def _family(file: Path) -> str:
    """The name of the family, read from a font file."""
    from reportlab.pdfbase.ttfonts import TTFError, TTFontFile

    try:
        name = TTFontFile(str(file)).familyName
    except (TTFError, OSError) as error:
        raise AssayError(f"{file}: {error}", "name a TrueType file (.ttf)") from error
    return name.decode("latin-1") if isinstance(name, bytes) else str(name)
