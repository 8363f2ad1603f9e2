"""Which entries of an item seem to lie within others, by their wording. It is only proposed: a person confirms it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.items.entry_links import Link, LinkFile, names_of

GO = "go"
FIND = "find"
VERBS = {
    **dict.fromkeys(("navigate", "go", "drive", "take", "route", "head", "reach", "visit", "stop"), GO),
    **dict.fromkeys(("fahre", "navigiere", "bringe"), GO),
    **dict.fromkeys(("find", "search", "look", "locate", "suggest", "recommend", "finde", "suche"), FIND),
    **dict.fromkeys(("show", "display", "zeige"), "show"),
}
"""What an order asks for, by its first word; others mean themselves."""
PHRASES = (
    (re.compile(r"^(?:set|start|begin|give|get)\s+(?:the\s+)?(?:navigation|route|directions)\b"), GO),
    (re.compile(r"^replace\s+(?:the\s+)?(?:current\s+)?destination\b"), GO),
    (re.compile(r"^(?:add|swap in)\b"), GO),
)
_LITTLE = """
a an the to of and or my your our its this now please way close nearby current destination navigation directions route
stop some any other options der die das ein eine zu zum zur und
"""
_BETWEEN = "near in at on for with by via that which before after along mit nach auf im am bei"
BEGINS_A_LIMIT = frozenset(_BETWEEN.split())
"""What stands before them is what is looked for; behind them stands where it is to be, or what it is to have."""
SMALL = frozenset(_LITTLE.split()) | BEGINS_A_LIMIT
"""Words that do not tell one thing from another."""
COMMON = frozenset(["place", "restaurant", "shop", "store", "station"])
"""Words that two different things may well share."""
WORD = re.compile(r"[\w:]+")


@dataclass(frozen=True)
class EntryWording:
    """What an entry asks for, as far as its words say so."""

    text: str
    act: str
    words: frozenset[str]
    thing: frozenset[str]
    """Those of its words that say what, and not where or how."""

    @classmethod
    def of(cls, text: str) -> "EntryWording":
        """Take a text apart: what is to be done, and the words that say with what."""
        plain = " ".join(text.casefold().split())
        for pattern, act in PHRASES:
            if (said := pattern.search(plain)) is not None:
                return cls._about(text, act, plain[said.end() :])
        first, _, rest = plain.partition(" ")
        return cls._about(text, VERBS.get(first, first), rest)

    @classmethod
    def _about(cls, text: str, act: str, rest: str) -> "EntryWording":
        words = WORD.findall(rest)
        limit = next((at for at, word in enumerate(words) if word in BEGINS_A_LIMIT and at > 0), len(words))
        return cls(text, act, _stems(words), _stems(words[:limit]))

    def lies_within(self, other: "EntryWording") -> bool:
        """Whether whoever has the other has this too, by the words: it says the same, or less."""
        if self.act == other.act:
            return bool(self.words) and self.words <= other.words
        if (self.act, other.act) != (FIND, GO):
            return False
        # Whoever is led to a place has found one. Its name need share one word only with what was looked for.
        return bool(self.thing & other.words - COMMON) or (bool(self.words) and self.words <= other.words)


def _stems(words: Sequence[str]) -> frozenset[str]:
    return frozenset(_stem(word) for word in words if word not in SMALL)


def _stem(word: str) -> str:
    """A word without its plural ending: two wordings of one thing often differ in it."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def propose(item: str, texts: Sequence[str], declined: Collection[tuple[str, str]] = ()) -> Iterator[Link]:
    """The links between the entries of an item that their wording suggests, in their order.

    Of two that say the same, the later lies within the earlier. What follows from two other links is not proposed, as
    long as neither was declined.
    """
    entries = [EntryWording.of(text) for text in dict.fromkeys(texts)]
    found = {
        (specific.text, general.text)
        for at, specific in enumerate(entries)
        for place, general in enumerate(entries)
        if at != place and general.lies_within(specific) and (at > place or not specific.lies_within(general))
    } - set(declined)
    for at in entries:
        for to in entries:
            between = any((at.text, via.text) in found and (via.text, to.text) in found for via in entries)
            if (at.text, to.text) in found and not between:
                yield Link(item, at.text, to.text)


def unanswered_links(file: LinkFile, item: str, entries: Sequence[Mapping[str, Any]]) -> Iterator[Link]:
    """What is proposed for the entries of an item, without what the file or the item itself says already."""
    known = {link.pair for link in file.of(item)}
    known |= {(each["text"], name) for each in entries for name in names_of(each.get(file.settings.as_))}
    declined = {link.pair for link in file.of(item) if link.confirmed is False}
    proposed = propose(item, [each["text"] for each in entries], declined)
    yield from (link for link in proposed if link.pair not in known)
