"""Agreement and scores by groups of people, as the study declares them, and never of fewer than five people."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.judgments.topics import Topic
from assay.model import Coefficient, Estimate
from assay.report.data import Data
from assay.report.headline import headline_of
from assay.report.person_groups import FEWEST_PEOPLE, PersonGroup, groups_of, only_people
from assay.report.sections import ReportPart, Section
from assay.report.system_comparison import numeric_dimensions_as_judged
from assay.report.system_scores import dimension_scores
from assay.report.wording import many
from assay.statistics import agree, title_of


@dataclass(frozen=True, slots=True)
class GroupOfPeople:
    """A group, and how many are in it."""

    title: str
    people: int


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """How far each group agrees within itself, on one dimension or comparison."""

    dimension: str
    title: str
    coefficient: str
    groups: list[Estimate] | None
    """In the order of the groups; None where one of them has too few people who judged this."""


@dataclass(frozen=True, slots=True)
class GroupScores:
    """What each group gives one system on one dimension: the mean of item means."""

    dimension: str
    title: str
    system: str
    groups: list[Estimate] | None
    """In the order of the groups; None where one of them has too few people who judged this."""


@dataclass(frozen=True, slots=True)
class AnswersInGroups:
    """One question, the groups that its answers make, and what each group says."""

    question: str
    title: str
    answered: int
    groups: list[GroupOfPeople]
    """Empty unless there are two groups of five people or more."""
    together: bool
    """Whether several answers are taken together."""
    agreement: list[GroupAgreement]
    scores: list[GroupScores]


@dataclass(frozen=True, slots=True)
class GroupsNumbers:
    """Every question by whose answers the study declares groups."""

    fewest_people: int
    questions: list[AnswersInGroups]


class GroupsSection(Section[GroupsNumbers]):
    """Agreement and scores by groups of people, as the study declares them."""

    kind: ClassVar[str] = "groups"
    rank: ClassVar[int] = 29
    title: ClassVar[str] = "Do groups of people judge alike?"
    part: ClassVar[ReportPart] = "quality"

    def numbers(self, data: Data) -> GroupsNumbers:
        return GroupsNumbers(FEWEST_PEOPLE, [_question(data, name) for name in data.study.analysis.groups])

    def lines(self, numbers: GroupsNumbers) -> list[str]:
        lines = [_line(each, numbers.fewest_people) for each in numbers.questions]
        if any(each.groups for each in numbers.questions):
            lines.append("Nobody was put into a group by chance, so groups may differ for other reasons as well.")
        return lines


def _line(row: AnswersInGroups, fewest: int) -> str:
    if not row.groups:
        return f"{row.title}: there are not two groups of {fewest} people or more, so none is shown."
    named = "; ".join(f"{each.title} ({many(each.people, 'person', 'people')})" for each in row.groups)
    together = f" Answers of fewer than {fewest} people are taken together with others." if row.together else ""
    return f"{row.title}: {named}.{together}"


def _question(data: Data, name: str) -> AnswersInGroups:
    asked = data.study.person_questions[name]
    people = {each.annotator for each in data.that_count}
    given = {who: value for who, value in data.person_answers.get(name, {}).items() if who in people}
    groups = groups_of(asked, people, given)
    parts = [only_people(data, group, people) for group in groups]
    return AnswersInGroups(
        question=name,
        title=asked.heading,
        answered=len(given),
        groups=[GroupOfPeople(group.title, len(group.people)) for group in groups],
        together=any(len(group.answers) > 1 for group in groups),
        agreement=[found for topic in data.topics if (found := _agreement(data, topic, parts)) is not None],
        scores=_scores(parts, groups),
    )


def _agreement(data: Data, topic: Topic, parts: Sequence[Data]) -> GroupAgreement | None:
    main = headline_of(data.agreement[topic], data.study.analysis.agreement.coefficient)
    if main is None or not parts:
        return None
    found = [_within(part, topic, main.name) for part in parts]
    # Whoever shares no item with others of the group adds nothing to its agreement: it would be that of fewer people.
    enough = all(each.n_annotators >= FEWEST_PEOPLE for each in found)
    estimates = [each.estimate for each in found]
    return GroupAgreement(topic.dimension, topic.title(data.study), title_of(main.name), estimates if enough else None)


def _within(part: Data, topic: Topic, name: str) -> Coefficient:
    known = part.ratings.get(topic)
    if known is None:
        return Coefficient(name, None, None, "", 0, 0, 0, "nobody of the group has judged it")
    [found] = agree(known, [name], seed=part.seed)
    return found


def _scores(parts: Sequence[Data], groups: Sequence[PersonGroup]) -> list[GroupScores]:
    """The mean of each system by group, on every dimension with numbers, in the order of the dimensions."""
    titles: dict[tuple[str, str], str] = {}
    means: dict[tuple[str, str], dict[int, Estimate]] = defaultdict(dict)
    people: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for index, part in enumerate(parts):
        for about in numeric_dimensions_as_judged(part):
            for score in dimension_scores(part, about).systems:
                key = about.name, score.system
                titles[key] = about.title
                means[key][index] = score.mean
                people[key][index] = len({each.annotator for each in about.judgments if each.system == score.system})
    return [
        GroupScores(name, title, system, _if_enough(means[name, system], people[name, system], len(groups)))
        for (name, system), title in titles.items()
    ]


def _if_enough(means: Mapping[int, Estimate], people: Mapping[int, int], groups: int) -> list[Estimate] | None:
    enough = all(people.get(index, 0) >= FEWEST_PEOPLE for index in range(groups))
    return [means[index] for index in range(groups)] if enough else None
