"""Groups of people by what they said about themselves. None of fewer than five people is ever shown."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from assay.model import Value
from assay.report.data import Data
from assay.study.person import PersonQuestion

FEWEST_PEOPLE = 5
"""The fewest people in a group about which anything is reported."""
NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class PersonGroup:
    """People who gave the same answer, or one of several answers that are merged."""

    answers: tuple[str, ...]
    people: frozenset[str]

    @property
    def title(self) -> str:
        """What the report calls it."""
        return " or ".join(self.answers)

    def __add__(self, other: "PersonGroup") -> "PersonGroup":
        return PersonGroup((*self.answers, *other.answers), self.people | other.people)


def groups_of(asked: PersonQuestion, people: Collection[str], given: Mapping[str, Value]) -> list[PersonGroup]:
    """People in groups of five or more; fewer than two groups where there are too few people for them.

    Small groups are merged, together with whoever has not answered. Where that is still too small, the smallest other
    group joins it: if it were left out, its result would follow from subtraction: everybody − all other groups.
    """
    every = _by_answer(asked, people, given)
    shown = [each for each in every if each.answers != (NO_ANSWER,) and len(each.people) >= FEWEST_PEOPLE]
    rest = [each for each in every if each not in shown]
    while rest and shown and sum(len(each.people) for each in rest) < FEWEST_PEOPLE:
        smallest = min(shown, key=lambda each: len(each.people))
        shown.remove(smallest)
        rest.append(smallest)
    if rest:
        first, *more = [each for each in every if each in rest]
        shown.append(sum(more, start=first))
    return shown if len(shown) > 1 else []


def _by_answer(asked: PersonQuestion, people: Collection[str], given: Mapping[str, Value]) -> list[PersonGroup]:
    """A group for each answer that somebody gave, in the order of the question; whoever gave none comes last."""
    values = asked.input.values()
    found = [(asked.input.show(value), {name for name in people if given.get(name) == value}) for value in values]
    known = {name for _, some in found for name in some}
    found.append((NO_ANSWER, set(people) - known))
    return [PersonGroup((title,), frozenset(some)) for title, some in found if some]


def only_people(data: Data, group: PersonGroup, people: Collection[str]) -> Data:
    """The data of a report with the judgments of this group alone."""
    others = {name: "another group" for name in people if name not in group.people}
    return replace(data, excluded={**data.excluded, **others})
