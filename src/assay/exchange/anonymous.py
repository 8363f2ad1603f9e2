"""Data for publishing: new pseudonyms for each export, times as order and duration, free texts only where reviewed.

Nothing here can be joined with another export of the same study: names and ids are drawn anew each time.
"""

import hmac
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

from assay.exchange import ExportData
from assay.exchange.anonymity_report import AnonymityReport
from assay.model import ExportAnnotator, Judgment
from assay.submission_rows import Own, SubmissionRows

BEGINNING = 946_684_800_000
"""The first of January 2000, in milliseconds: when the work of every annotator begins in an anonymised export."""
SECOND = 1000


@dataclass
class Names:
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
    names, texts = Names(key), {name for name, each in data.dimensions.items() if each.input.answer == "text"}
    times, people, said = _times(data), set(), {True: Counter[str](), False: Counter[str]()}

    def stays(each: SubmissionRows, own: Own) -> bool:
        return own.dimension not in texts or text_key(each.judgment(own)) in let_through

    for each in data.submissions():
        if not each.shared["judge"]:
            people.add(each.shared["annotator"])
        for own in each.own:
            if own.dimension in texts and own.value:
                said[stays(each, own)][own.dimension] += 1

    def anonymise_all(submissions: Iterable[SubmissionRows]) -> Iterator[SubmissionRows]:
        for each in submissions:
            if kept := [own for own in each.own if stays(each, own)]:
                yield _anonymise_submission(SubmissionRows(each.shared, kept), names, times[each.shared["submission"]])

    def annotators() -> Iterator[ExportAnnotator]:
        for each in data.annotators():
            name = each.annotator if each.judge else names.person(each.annotator)
            yield replace(each, annotator=name, active_ms=_whole(each.active_ms), first_at=None, last_at=None)

    return replace(
        data,
        submissions=lambda by="time": anonymise_all(data.submissions(by)),
        parts=lambda work: data.in_parts(lambda some: work(anonymise_all(some))),
        annotators=annotators,
        agreed=[replace(each, reason="", by="", at=BEGINNING) for each in data.agreed],
        total=lambda: None,
        changed=AnonymityReport(len(people), len(times), said[False], said[True]),
    )


def _times(data: ExportData) -> dict[str, tuple[int, int]]:
    """Begin and end of each submission on a made-up time line: everybody starts at one time, and nobody pauses."""
    at: dict[str, int] = {}
    found: dict[str, tuple[int, int]] = {}
    for each in data.submissions():
        annotator = each.shared["annotator"]
        begins = at.get(annotator, BEGINNING)
        at[annotator] = begins + max(SECOND, _whole(each.shared["active_ms"]) or 0)
        found[each.shared["submission"]] = begins, at[annotator]
    return found


def _anonymise_submission(each: SubmissionRows, names: Names, times: tuple[int, int]) -> SubmissionRows:
    annotator = each.shared["annotator"]
    return each.with_shared(
        annotator=annotator if each.shared["judge"] else names.person(annotator),
        submission=names.of("submission", each.shared["submission"], 24),
        shown_at=times[0],
        submitted_at=times[1],
        active_ms=_whole(each.shared["active_ms"]),
        events=None,
    )


def _whole(milliseconds: int | None) -> int | None:
    """Milliseconds, rounded to whole seconds."""
    return None if milliseconds is None else round(milliseconds / SECOND) * SECOND
