"""Data for publishing: new pseudonyms for each export, times as order and duration, free texts only where reviewed.

Nothing here can be joined with another export of the same study: names and ids are drawn anew each time.
"""

import hmac
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

from assay.exchange import By, ExportData
from assay.exchange.anonymity_report import AnonymityReport
from assay.model import ExportAnnotator, Judgment

BEGINNING = 946_684_800_000
"""The first of January 2000, in milliseconds: when the work of every annotator begins in an anonymised export."""
SECOND = 1000


@dataclass
class _Names:
    """New names and ids: drawn by a key that is made for one export and kept nowhere."""

    key: bytes

    def of(self, kind: str, name: str, length: int) -> str:
        return hmac.new(self.key, f"{kind}:{name}".encode(), sha256).hexdigest()[:length]

    def person(self, name: str) -> str:
        return f"r-{self.of('annotator', name, 10)}"


def text_key(judgment: Judgment) -> str:
    """What one free text is called where it is reviewed."""
    return f"{judgment.submission}/{judgment.key}"


def anonymous(data: ExportData, key: bytes, let_through: Collection[str]) -> ExportData:
    """The same data for publishing. `key` is drawn for this export; `let_through` has the texts that may stay."""
    names, texts = _Names(key), {name for name, each in data.dimensions.items() if each.input.answer == "text"}
    times, people, said = _times(data), set(), {True: Counter[str](), False: Counter[str]()}
    for each in data.judgments():
        if not each.judge:
            people.add(each.annotator)
        if each.dimension in texts and each.value:
            said[text_key(each) in let_through][each.dimension] += 1

    def stays(each: Judgment) -> bool:
        return each.dimension not in texts or text_key(each) in let_through

    def judgments(by: By = "time") -> Iterator[Judgment]:
        return (_changed(each, names, times[each.submission]) for each in data.judgments(by) if stays(each))

    def annotators() -> Iterator[ExportAnnotator]:
        for each in data.annotators():
            name = each.annotator if each.judge else names.person(each.annotator)
            yield replace(each, annotator=name, active_ms=_whole(each.active_ms), first_at=None, last_at=None)

    return replace(
        data,
        judgments=judgments,
        annotators=annotators,
        agreed=[replace(each, reason="", by="", at=BEGINNING) for each in data.agreed],
        total=None,
        changed=AnonymityReport(len(people), len(times), said[False], said[True]),
    )


def _times(data: ExportData) -> dict[str, tuple[int, int]]:
    """When each submission begins and ends, where everybody's work begins at one time and nobody pauses."""
    at: dict[str, int] = {}
    found: dict[str, tuple[int, int]] = {}
    for each in data.judgments():
        if each.submission not in found:
            begins = at.get(each.annotator, BEGINNING)
            at[each.annotator] = begins + max(SECOND, _whole(each.active_ms) or 0)
            found[each.submission] = begins, at[each.annotator]
    return found


def _changed(each: Judgment, names: _Names, times: tuple[int, int]) -> Judgment:
    return replace(
        each,
        annotator=each.annotator if each.judge else names.person(each.annotator),
        submission=names.of("submission", each.submission, 24),
        shown_at=times[0],
        submitted_at=times[1],
        active_ms=_whole(each.active_ms),
        events=None,
    )


def _whole(milliseconds: int | None) -> int | None:
    """To the second."""
    return None if milliseconds is None else round(milliseconds / SECOND) * SECOND
