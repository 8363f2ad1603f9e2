"""How wide a text is drawn in a figure, whatever the font: SVG neither wraps nor cuts, so room is made beforehand.

The server does not know which family a reader's machine has. Letters are taken to be as wide as in the widest families
in common use: DejaVu Sans and Verdana, and for ideographs and quotation marks those of Chinese, Japanese and Korean. In
any other family some room is left over. `tests/browser/test_figures.py` measures real families against it.
"""

import math
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

SIZE = 13
"""In pixels: the size in which `figures.css` sets the text of a figure."""
BOLD = 1.16
"""So much wider a text is in bold."""
EM = {
    **dict.fromkeys(" .,'|ijlf", 0.37),
    **dict.fromkeys('-:;!/\\()[]IJrt·"', 0.46),
    **dict.fromkeys("cksvxyzFL*_?", 0.6),
    **dict.fromkeys("0123456789abdeghnopquETPY$€{}–", 0.64),
    **dict.fromkeys("ABCKRSVXZ", 0.7),
    **dict.fromkeys("DGHNOQU&", 0.79),
    **dict.fromkeys("w+−=<>~×#^", 0.84),
    **dict.fromkeys("mMW@…“”‘’", 1.0),
    "%": 1.08,
}
"""How wide letters are, as a share of the size."""
CAPITAL, LETTER, OTHER, EMOJI = 0.95, 0.8, 1.0, 1.3
"""How wide all other characters are: of Latin, Greek and Cyrillic, and of all other scripts and signs."""
AFTER_CYRILLIC, FIRST_EMOJI = 0x530, 0x1F000


def width(text: str, bold: bool = False) -> float:
    """How wide a text is at most, in pixels.

    >>> round(width("in"), 2), round(width("WW"), 2), round(width("漢字"), 2)
    (13.13, 26.0, 26.0)
    """
    return SIZE * sum(map(_em, text)) * (BOLD if bold else 1)


def widest(texts: Iterable[object]) -> int:
    """How wide the widest of some texts or whole numbers is, in whole pixels; 0 where there are none.

    >>> widest([7, 1200]), widest([])
    (34, 0)
    """
    return math.ceil(max((width(str(each)) for each in texts), default=0))


@lru_cache(maxsize=4096)
def _em(letter: str) -> float:
    if letter in EM:
        return EM[letter]
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    if ord(letter) >= FIRST_EMOJI:
        return EMOJI
    if ord(letter) >= AFTER_CYRILLIC:
        return OTHER
    plain = unicodedata.normalize("NFKD", letter)[0]
    return EM.get(plain, CAPITAL if letter.isupper() else LETTER)


def cut(text: str, room: float, bold: bool = False) -> str:
    """A text that is no wider than so many pixels, with an ellipsis where something is missing.

    Of words the beginning says most; of a name without a space the end tells it from its neighbours.

    >>> cut("Emotion recognition", 80), cut("0071f6d36c3b2401170a", 120)
    ('Emotion…', '0071f6d…01170a')
    """
    if width(text, bold) <= room:
        return text
    left = room - width("…", bold)
    if " " in text or left < 6 * SIZE:
        return text[: _letters(text, left, bold)].rstrip() + "…"
    head = text[: _letters(text, left * 0.58, bold)]
    tail = text[len(head) :][::-1]
    tail = tail[: _letters(tail, left - width(head, bold), bold)]
    return f"{head}…{tail[::-1]}"


def lines(text: str, room: float, most: int = 99, bold: bool = False) -> list[str]:
    """A text on several lines, each no wider than so many pixels; cut where it needs more lines than it may have.

    >>> lines("Validation and warmth", 90), lines("漢字漢字", 30)
    (['Validation', 'and warmth'], ['漢字', '漢字'])
    """
    found: list[str] = []
    rest = text.strip()
    while len(found) < most - 1 and width(rest, bold) > room:
        end = max(1, _letters(rest, room, bold))
        space = rest.rfind(" ", 0, end + 1)
        # A name without a space is broken behind a hyphen, where that does not leave much of the line empty.
        hyphen = max(rest.rfind(each, 0, end) + 1 for each in "-_./")
        end = space if space > 0 else hyphen if hyphen > end // 2 else end
        found.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*found, cut(rest, room, bold)]


def _letters(text: str, room: float, bold: bool) -> int:
    """How many letters of a text, from its beginning, fit into the room."""
    used = 0.0
    for count, letter in enumerate(text):
        used += width(letter, bold)
        if used > room:
            return count
    return len(text)
