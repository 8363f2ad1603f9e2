"""A submission as rows of the long table: what all its judgments share once, and what each has of its own.

Exports have a million judgments to write: they work out once for a submission what its judgments share.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any, NamedTuple

from assay.frozen_maker import maker_of
from assay.model import Judgment, Value

_made = maker_of(Judgment)
REST = [(each.name, each.default) for each in fields(Judgment)][10:]
"""The fields of a judgment after its value, which a whole submission shares, with what each is by default."""


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
        """The first of them: who, what and when are the same in all."""
        return self.judgment(self.own[0])

    @property
    def judgments(self) -> Iterator[Judgment]:
        """Each of them, whole."""
        shared = self.shared
        rest = [shared.get(name, default) for name, default in REST]
        for system, dimension, side, entry, value in self.own:
            yield _made(
                shared["submission"],
                shared["item"],
                system,
                shared["systems"],
                shared["group"],
                shared["annotator"],
                dimension,
                side,
                entry,
                value,
                *rest,
            )

    def judgment(self, own: Own) -> Judgment:
        """One of them, whole."""
        system, dimension, side, entry, value = own
        return Judgment(system=system, dimension=dimension, side=side, entry=entry, value=value, **self.shared)

    def changed(self, **shared: Any) -> "SubmissionRows":
        """The same with something else that they share."""
        return SubmissionRows({**self.shared, **shared}, self.own)


def one_by_one(submissions: Iterable[SubmissionRows]) -> Iterator[Judgment]:
    """Every judgment of some submissions."""
    return chain.from_iterable(each.judgments for each in submissions)


def mark_excluded(submissions: Iterable[SubmissionRows], excluded: Collection[str]) -> Iterator[SubmissionRows]:
    """The same submissions, each with whether its annotator is left out of the report."""
    for each in submissions:
        yield each.changed(excluded=True) if each.shared["annotator"] in excluded else each
