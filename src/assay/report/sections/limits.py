"""What the report cannot show, given how much it rests on, who judged, and under what circumstances."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from assay.in_words import count, some_of
from assay.report.data import TOO_FEW, Data
from assay.report.lacks_by_system import unjudged_items
from assay.report.missing_notes import missing_notes
from assay.report.sections import ReportPart, Section
from assay.report.sequence_findings import sequence_findings
from assay.report.system_scores import BOTH
from assay.report.wording import many, some_names
from assay.statistics.arrays import np
from assay.statistics.comparison.system_level import why_not_comparable

FEW_PEOPLE = 5
RARE = 0.2
"""If all answers but the most frequent one are a smaller share, intervals of agreement cover the truth too seldom."""
ENOUGH_OF_RARE = 200
"""From this many items on they cover it as often as they should."""


@dataclass(frozen=True, slots=True)
class ReportLimit:
    """One thing that the report cannot show."""

    about: str
    says: str


@dataclass(frozen=True, slots=True)
class LimitsNumbers:
    """Everything that the report cannot show."""

    too_few_below: int
    limits: list[ReportLimit]


class LimitsSection(Section[LimitsNumbers]):
    """What the report cannot show: for how much it rests on, who judged, and under what circumstances."""

    kind: ClassVar[str] = "limits"
    rank: ClassVar[int] = 60
    title: ClassVar[str] = "What can it not show?"
    part: ClassVar[ReportPart] = "quality"

    def numbers(self, data: Data) -> LimitsNumbers:
        # The first page has some of them.
        found: LimitsNumbers = data.once("limits", lambda: self._numbers(data))
        return found

    @staticmethod
    def _numbers(data: Data) -> LimitsNumbers:
        about = (
            _state,
            _amount,
            _items_for_people,
            _people,
            _erasures,
            _questions_asked_of_some,
            _gaps,
            _notes,
            _sources,
            _order,
            _alike,
            _tests,
            _rare,
        )
        return LimitsNumbers(TOO_FEW, [limit for find in about for limit in find(data)])

    def lines(self, numbers: LimitsNumbers) -> list[str]:
        return [each.says for each in numbers.limits]


def _state(data: Data) -> Iterator[ReportLimit]:
    """Whether annotators are simulated, and whether the study still goes on."""
    bots = sorted({each.annotator for each in data.that_count if each.simulated})
    if bots:
        are = "is a simulated annotator" if len(bots) == 1 else "are simulated annotators"
        yield ReportLimit(
            "simulated", f"No finding: {some_names(bots)} {are}, and what they gave is made up by the program."
        )
    state = data.fieldwork.state if data.fieldwork else "closed"
    if state != "closed":
        yield ReportLimit(
            "not closed", f"Not the end: the study is {state}, and what still comes in will change the numbers."
        )
        if data.study.analysis.blind:
            yield ReportLimit(
                "blind",
                "The study is blind until it is closed, and this report shows how systems compare. Whoever still "
                "judges, or talks with those who judge, must not see it.",
            )


def _items_for_people(data: Data) -> Iterator[ReportLimit]:
    """Whether people were asked for a part of the items, and for some of them more often than for others."""
    left = sum(not each.drawn for each in data.drawn.values())
    if left:
        several = len({each.probability for each in data.drawn.values()}) > 1
        more = (
            " Items on which judges were far apart or unsure were drawn more often: plain means and shares of people's "
            "items are not those of all items. The estimates from people and judges together weigh for that."
            if several
            else ""
        )
        yield ReportLimit(
            "a part of the items",
            f"A part: people were asked for {some_of(len(data.drawn) - left, len(data.drawn))} items, drawn by lot."
            f"{more}",
        )


def _erasures(data: Data) -> Iterator[ReportLimit]:
    """Whether somebody's data were deleted: at their wish, or because the study keeps nobody for longer."""
    if data.erased:
        who = "One person was" if data.erased == 1 else f"{data.erased} people were"
        days = data.study.privacy.delete_people_after_days
        when = "" if days is None else f", at their wish, or {many(days, 'day')} after the study was closed"
        yield ReportLimit(
            "erased",
            f"{who} erased{when}: what tells who they were is gone, and with it their texts or all that they "
            "judged. A report from before can show other numbers.",
        )


def _amount(data: Data) -> Iterator[ReportLimit]:
    """Whether there are enough items."""
    items: dict[str, set[str]] = defaultdict(set)
    for each in data.that_count:
        if each.value is not None:
            items[each.dimension].add(each.item)
    few = {each.heading: len(items[each.dimension]) for each in data.study.scored_dimensions if items[each.dimension]}
    few = {name: n for name, n in few.items() if n < TOO_FEW}
    if few:
        which = (
            "every dimension rests"
            if len(few) == len(data.study.scored_dimensions)
            else f"{some_names(list(few))} rest"
        )
        yield ReportLimit(
            "too few items",
            f"Few items: {which} on fewer than {TOO_FEW} items ({min(few.values())}). Such numbers are "
            "printed with “too few to say”: their intervals are rough, and no test is made of them.",
        )
    groups = {each.group or each.item for each in data.that_count}
    shared = {each.group for each in data.that_count if each.group}
    if data.study.items.group is not None and shared and len(groups) < TOO_FEW:
        yield ReportLimit(
            "too few groups",
            f"Few sources: items come from {many(len(groups), 'source')}, and what shares a source counts once there. "
            f"Fewer than {TOO_FEW} are too few to say.",
        )
    if data.finished < data.items:
        left = data.items - data.finished
        yield ReportLimit(
            "not finished",
            f"Not all items: {some_of(left, data.items)} items {'lacks' if left == 1 else 'lack'} judgments. If those "
            f"that are done are easier than the others, the numbers are too good.{_items_without_judgment(data)}",
        )


def _items_without_judgment(data: Data) -> str:
    """Which systems have items without any judgment. Section `missing` says whether that is chance."""
    of_each = [
        f"{some_of(each.skipped, each.asked)} of {each.system}" for row in unjudged_items(data) for each in row.systems
    ]
    return f" Nobody judged {', '.join(of_each)}." if of_each else ""


def _people(data: Data) -> Iterator[ReportLimit]:
    """Who the annotators are, and what an interval over items leaves out."""
    people = {each.annotator for each in data.that_count}
    if not people:
        return
    if data.study.analysis.generalise == BOTH:
        yield ReportLimit(
            "intervals over items",
            f"Annotators like these: comparisons of systems draw the {len(people)} annotators too, as if they had been "
            "picked by lot from those meant; all other intervals come from drawing items, with these annotators.",
        )
    elif len(people) < FEW_PEOPLE:
        two = " Where two people differ, nothing says who is right." if len(people) == 2 else ""
        yield ReportLimit(
            "few annotators",
            f"Few annotators: {len(people)} judged. Intervals come from drawing items, with "
            f"these annotators as they are; other annotators would add to their width.{two}",
        )
    else:
        yield ReportLimit(
            "intervals over items",
            f"These annotators: intervals come from drawing items, with these {len(people)} annotators as they are; "
            "others would add to their width.",
        )
    if data.excluded:
        yield ReportLimit(
            "left out",
            f"Not everybody: {many(len(data.excluded))} left out. “What is left out?” has the reasons, and the "
            "results with and without them.",
        )


def _questions_asked_of_some(data: Data) -> Iterator[ReportLimit]:
    """Questions that were not asked of everybody."""
    answered = {each.dimension for each in data.that_count}
    for dimension in data.study.scored_dimensions:
        if dimension.ask_when is not None and dimension.dimension in answered:
            yield ReportLimit(
                "not asked of all",
                f"Not everybody was asked: {dimension.heading} is asked only when {dimension.ask_when}. Its numbers "
                "are about what was asked, and agreement is among those who were asked about the same item.",
            )


def _gaps(data: Data) -> Iterator[ReportLimit]:
    """Answers that judgments from files lack."""
    judged: dict[str, set[str]] = defaultdict(set)
    for each in data.that_count:
        if each.is_from_file:
            judged[each.submission].add(each.dimension)
    always = [each for each in data.study.scored_dimensions if each.is_always_asked]
    lacks = {each.heading: sum(each.dimension not in given for given in judged.values()) for each in always}
    some = [f"{name} {count(n)}" for name, n in lacks.items() if 0 < n < len(judged)]
    if some:
        yield ReportLimit(
            "gaps in files",
            f"Gaps: of {many(len(judged), 'submission')} from files, some lack an answer ({', '.join(some)}). If what "
            "was left out was harder to judge, the numbers are too good.",
        )


def _notes(data: Data) -> Iterator[ReportLimit]:
    """Answers that a rule asks for because of a score, such as notes, and that judgments from files lack."""
    lacking = missing_notes(data)
    if not lacking:
        return
    files = data.fieldwork.imports if data.fieldwork else {}
    from_each = []
    for number, counts in lacking.items():
        # By its files, which are the same however often they were taken in and back; a script's import has none.
        named = some_names(list(files.get(number, ()) if number is not None else ()))
        named = named or ("earlier imports" if number is None else f"import {number}")
        titles = ", ".join(f"{data.study.dimension(name).heading} {count(n)}" for name, n in counts.items())
        from_each.append(f"{named}: {titles}")
    # By name: in which order files were taken in is no part of the data.
    from_each.sort()
    total = sum(n for counts in lacking.values() for n in counts.values())
    yield ReportLimit(
        "notes missing in files",
        f"Missing notes: {many(total, 'answer')} that the study's rules ask for beside a score, such as a note, "
        f"did not come with the judgments from files ({'; '.join(from_each)}). A judgment that is "
        "given here is not taken without.",
    )


def _sources(data: Data) -> Iterator[ReportLimit]:
    """Judgments that came in different ways: from files, on sheets, under several versions, after talking."""
    brought = {each.submission for each in data.that_count if each.is_from_file}
    if brought:
        again = len({each.submission for each in data.second_passes if each.is_from_file})
        beside = f", and {again:,} second {'pass' if again == 1 else 'passes'} beside them," if again else ""
        came, unknown = "did not come by the page", "; their times and sides are not known"
        if data.sources.is_elsewhere:
            came, unknown = f"{'was' if len(brought) + again == 1 else 'were'} given elsewhere", ""
        yield ReportLimit(
            "imported",
            f"From files: {many(len(brought), 'submission')}{beside} {came}. Whether they "
            f"were blind and given one by one is for their source to say{unknown}.",
        )
    on_sheets = {each.submission for each in data.that_count if each.source == "sheet"}
    if on_sheets:
        yield ReportLimit(
            "sheets",
            f"On sheets: {many(len(on_sheets), 'submission')} did not come by the page. On a sheet everything lies "
            "open at once, answers can be changed until it is read, and times are not known.",
        )
    used = {each.study_hash for each in data.that_count} & set(data.versions)
    if len(used) > 1:
        yield ReportLimit(
            "versions",
            f"Several versions: judgments were given under {len(used)} versions of the study. They "
            "are joined where the scale is the same, and left apart where it is not.",
        )
    for title, given in data.n_pooled_by_declaration.items():
        one = given == 1
        yield ReportLimit(
            f"pooled {title}",
            f"Pooled scales: {many(given, 'judgment')} on {title} {'was' if one else 'were'} given on a scale of "
            f"another meaning, and {'is' if one else 'are'} pooled with the others because the study says so "
            "(pool_with).",
        )
    for name, asked in data.study.items.clean.items():
        removed = [f"“{each}”" for each in asked.remove]
        done = [*([f"{some_names(removed)} was removed"] if removed else [])]
        done += ["its first letter was made a capital"] if asked.capital else []
        yield ReportLimit(
            f"cleaned {name}",
            f"Cleaned texts: before {name} was shown, {' and '.join(done)}. Nobody judged it as it was.",
        )
    if data.with_agreed.values:
        yield ReportLimit("agreed", f"After talking: {data.with_agreed.in_words()}")


def _order(data: Data) -> Iterator[ReportLimit]:
    """What the items gave away by the order in which annotators saw them."""
    for each in sequence_findings(data):
        yield ReportLimit(
            f"sequence: {each.kind}",
            f"Not blind to everybody: in the order in which annotators saw the items, {each.in_words()}. Whoever "
            "noticed it could tell systems apart.",
        )


def _alike(data: Data) -> Iterator[ReportLimit]:
    """Comparisons that are confounded, since their systems had different annotators or different items."""
    who: dict[str, set[str]] = defaultdict(set)
    for each in data.that_count:
        for system in {each.system, *each.systems} - {""}:
            who[system].add(each.annotator)
    apart = [f"{one} and {other}" for one, other in combinations(sorted(who), 2) if not who[one] & who[other]]
    if apart:
        yield ReportLimit(
            "different people",
            f"Different people: nobody judged both {some_names(apart)}. What differs may be the people.",
        )

    judged = dict.fromkeys((each.annotator, each.item) for each in data.by_judges)
    if judged and why_not_comparable(judged):
        yield ReportLimit(
            "judges on different items",
            "Different items: the judges did not judge the same items, so what differs between them may be the items.",
        )


def _tests(data: Data) -> Iterator[ReportLimit]:
    if len(data.systems) > 1 or data.study.preference_dimensions:
        yield ReportLimit(
            "no difference shown",
            "No difference shown is not no difference: the interval says how large one could still be.",
        )
    if data.by_judges:
        yield ReportLimit(
            "judges",
            "These judges: they were looked at as they were, on these items and systems. Another version of a judge is "
            "another judge.",
        )


def _rare(data: Data) -> Iterator[ReportLimit]:
    """Whether nearly all answers are the same one, so that agreement rests on the few items where they are not."""
    found: dict[str, float] = {}
    for topic, ratings in data.ratings.items():
        given = ratings.values[ratings.values >= 0]
        shared = int(((ratings.values >= 0).sum(axis=1) >= 2).sum())
        if not 2 <= shared < ENOUGH_OF_RARE or (ratings.level != "nominal" and len(ratings.categories) > 2):
            continue
        others = 1 - float((given == np.bincount(given).argmax()).mean())
        if 0 < others < RARE:
            found[topic.title(data.study)] = others
    if found:
        shares = some_names([f"{name} {100 * share:.0f} %" for name, share in found.items()])
        yield ReportLimit(
            "rare answers",
            f"Rare answers: nearly all are the same one (others: {shares}), and agreement beyond chance rests on "
            "the few items where they are not. With 20 to 60 items such a 95 % interval held the truth in 83 to 86 of "
            "100 simulated studies, and with 150 in 92: most often its upper end was too low.",
        )
