"""A submission as rows of the long table: what all its judgments share once, and what each has of its own.

Exports have a million judgments to write: they work out once for a submission what its judgments share.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from assay.held_once import many_of
from assay.model import Judgment, Value

_judgments = many_of(Judgment)


class Own(NamedTuple):
    """What a judgment has of its own, under the names that `Judgment` has for it."""

    system: str
    dimension: str
    side: str
    entry: str
    value: Value


@dataclass(frozen=True, slots=True)
class SubmissionRows:
    """The judgments of one submission; at least one."""

    shared: Mapping[str, Any]
    """Every field that they share, under the name that `Judgment` has for it."""
    own: Sequence[Own]

    @property
    def head(self) -> Judgment:
        """Its first judgment: annotator, item and times are the same in all."""
        return self.judgment(self.own[0])

    @property
    def judgments(self) -> Iterator[Judgment]:
        """Each judgment, with all fields."""
        return _judgments(self.shared, self.own)

    def judgment(self, own: Own) -> Judgment:
        """One judgment, with all fields."""
        return next(_judgments(self.shared, [own]))

    def with_shared(self, **shared: Any) -> "SubmissionRows":
        """These rows with some shared fields replaced."""
        return SubmissionRows({**self.shared, **shared}, self.own)


def one_by_one(submissions: Iterable[SubmissionRows]) -> Iterator[Judgment]:
    """Every judgment of some submissions."""
    return chain.from_iterable(each.judgments for each in submissions)


def mark_excluded(submissions: Iterable[SubmissionRows], excluded: Collection[str]) -> Iterator[SubmissionRows]:
    """The same submissions, each with whether its annotator is left out of the report."""
    for each in submissions:
        yield each.with_shared(excluded=True) if each.shared["annotator"] in excluded else each
