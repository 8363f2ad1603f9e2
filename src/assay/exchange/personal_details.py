"""What in a free text may tell who somebody is: mail addresses, web pages, numbers, names. In doubt it is marked."""

import re
from typing import NamedTuple

PATTERNS = {
    "mail": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "page": r"(?:https?://|www\.)\S+",
    "handle": r"(?<!\w)@\w{2,}",
    "number": r"\+?\d[\d ./-]{2,}\d|\d{3,}",
    # A capital letter that no sentence begins with, and names of several words wherever they stand.
    "name": r"[^\W\d_a-z]\w+(?:[ -][^\W\d_a-z]\w+)+|(?<=[\w,;:)] )[^\W\d_a-z][^\W\d_]+",
}
ANY = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in PATTERNS.items()))


class TextPart(NamedTuple):
    """A piece of a text, and why a reviewer should look at it; nothing where there is no reason."""

    text: str
    kind: str = ""


def parts(text: str) -> list[TextPart]:
    """A text in pieces, those marked that may tell who somebody is.

    Example:
        >>> [each for each in parts("ask Ana Kern at ana@example.org") if each.kind]
        [TextPart(text='Ana Kern', kind='name'), TextPart(text='ana@example.org', kind='mail')]
    """
    found, end = [], 0
    for each in ANY.finditer(text):
        if each.start() > end:
            found.append(TextPart(text[end : each.start()]))
        found.append(TextPart(each.group(), each.lastgroup or ""))
        end = each.end()
    return [*found, TextPart(text[end:])] if end < len(text) else found
