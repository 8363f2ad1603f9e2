"""The first page: what was asked of whom, the answer, how far people agree, what to be careful about, and how."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from assay.in_words import count, some_of
from assay.report.agreement_line import decisions_in_words, least_agreement, that_are_compared
from assay.report.charts import interval, number
from assay.report.data import TOO_FEW, Data
from assay.report.headline import headline_of, why_undecided
from assay.report.method_paragraph import method_paragraph
from assay.report.sections import ReportPart, Section
from assay.report.sections.limits import LimitsSection
from assay.report.summary_answers import NET, Answers, HeadlineAnswer, answers_of, value_in_words
from assay.report.system_scores import BOTH
from assay.report.wording import days_in_words, list_in_words, many
from assay.statistics import title_of

MOST_CAREFUL = 4
"""How many limits stand on the first page; a section has all of them."""
MOST_QUESTIONS, MOST_SYSTEMS, MOST_MEANS = 6, 4, 3
"""How many are named on the first page; the others are counted."""


@dataclass(frozen=True, slots=True)
class AgreementInShort:
    """The agreement on one topic, by the coefficient that is shown first."""

    title: str
    coefficient: str
    value: float | None
    ci: tuple[float, float] | None
    n: int
    undefined: str | None
    undecided: str | None = None
    """Why the study's line is not held against it."""


@dataclass(frozen=True, slots=True)
class SummaryNumbers:
    """The first page."""

    asked: list[str]
    answers: Answers
    said: list[str]
    """The answers in sentences."""
    agreement: list[AgreementInShort]
    """From the least to the most; what is undefined last."""
    asks_for: float | None
    agreed: str
    careful: list[str]
    more_careful: int
    method: str
    simulated: bool
    state: str
    days: str

    @property
    def everybody(self) -> bool:
        """Whether somebody is excluded, so that each row also has its number with everybody."""
        return any(each.with_everybody is not None for each in self.answers.rows)

    @property
    def one_question(self) -> bool:
        """Whether all rows are differences on the same question: then they are named by their systems."""
        return self.answers.compared and len({each.title for each in self.answers.rows}) == 1

    @property
    def one_system(self) -> bool:
        """Whether all rows are about the same system, which then need not be named in each."""
        return len({each.first for each in self.answers.rows}) == 1

    @property
    def panels(self) -> list[list[HeadlineAnswer]]:
        """The rows of the figure, grouped by axis."""
        key = _axis_of_one_question if self.one_question else _axis
        return [list(rows) for _, rows in groupby(sorted(self.answers.rows, key=key), key=key)]


def _axis(answer: HeadlineAnswer) -> tuple[bool, str, tuple[str, str], tuple[float, float]]:
    """What rows must have in common to be drawn on one axis."""
    pair = (answer.first, answer.second) if answer.second else ("", "")
    return answer.unit != NET, answer.unit, pair, answer.ends or (0, 0)


def _axis_of_one_question(answer: HeadlineAnswer) -> tuple[bool, str, tuple[str, str], tuple[float, float]]:
    """The axis of a row where there is one question: then pairs of systems share an axis."""
    return answer.unit != NET, answer.unit, (answer.title, ""), answer.ends or (0, 0)


class SummarySection(Section[SummaryNumbers]):
    """The first page: what was asked of whom, the answer, how far people agree, what to be careful about, and how."""

    kind: ClassVar[str] = "summary"
    rank: ClassVar[int] = 0
    title: ClassVar[str] = "Summary"
    part: ClassVar[ReportPart] = "summary"

    def numbers(self, data: Data) -> SummaryNumbers:
        answers = answers_of(data)
        agreement = _agreement(data)
        # That annotators are simulated stands at the head of the page already.
        limits = [each.says for each in LimitsSection().numbers(data).limits if each.about != "simulated"]
        return SummaryNumbers(
            asked=_questions_in_short(data),
            answers=answers,
            said=_answers_in_words(answers, data.study.analysis.generalise == BOTH),
            agreement=agreement,
            asks_for=data.study.analysis.agreement.at_least,
            agreed=_agreement_in_words(agreement, data.study.analysis.agreement.at_least),
            careful=limits[:MOST_CAREFUL],
            more_careful=len(limits[MOST_CAREFUL:]),
            method=method_paragraph(data),
            simulated=any(each.simulated for each in data.that_count),
            state=data.fieldwork.state if data.fieldwork else "",
            days=days_in_words([each.submitted_at for each in data.that_count if not each.is_from_file]),
        )


def _questions_in_short(data: Data) -> list[str]:
    """What was asked, and of whom."""
    questions = [each.ask or each.heading for each in data.study.scored_dimensions]
    people = len({each.annotator for each in data.that_count})
    systems = [name for name in data.systems if name]
    of = f" of {list_in_words(systems)}" if len(systems) <= MOST_SYSTEMS else f" of {count(len(systems))} systems"
    left_out = f"; {many(len(data.excluded))} left out" if data.excluded else ""
    done = "" if data.finished == data.items else f"; {some_of(data.finished, data.items)} are finished"
    return [
        " · ".join(questions[:MOST_QUESTIONS])
        + (f" · and {len(questions) - MOST_QUESTIONS} more" if questions[MOST_QUESTIONS:] else ""),
        f"{many(people)} judged {many(data.items, 'item')}{of if systems else ''}{done}{left_out}.",
    ]


def _answers_in_words(answers: Answers, others_too: bool) -> list[str]:
    """The answers in sentences; `others_too`: the study claims something of annotators like these."""
    if not answers.compared:
        return _means_in_words(answers.rows)
    pairs: dict[tuple[str, str], list[HeadlineAnswer]] = {}
    few: dict[str, list[str]] = {}
    one_pair = len({(each.first, each.second) for each in answers.rows}) == 1
    for each in answers.rows:
        if each.few:
            named = each.title, f"{each.first} − {each.second}"
            about, which = reversed(named) if one_pair else named
            few.setdefault(about, []).append(f"{which} {_value(each)}")
        else:
            pairs.setdefault((each.first, each.second), []).append(each)
    whom = "annotators like these" if others_too else "these annotators"
    said = [_pair_in_words(first, second, rows, whom) for (first, second), rows in pairs.items()]
    if few:
        n = [each.n_units for each in answers.rows if each.few]
        differences = "; ".join(f"{title}: {', '.join(values)}" for title, values in few.items())
        said.append(f"Too few to say ({_range(n)} {answers.rows[0].of}, {TOO_FEW} are needed). {differences}.")
    return said


def _pair_in_words(first: str, second: str, rows: Sequence[HeadlineAnswer], whom: str) -> str:
    """One sentence for two systems: where one is above the other, and where nothing is shown."""
    above = [_title_and_value(each) for each in rows if each.shown and (each.value or 0) > 0]
    below = [_title_and_value(each) for each in rows if each.shown and (each.value or 0) < 0]
    unsure = [_title_and_value(each) for each in rows if each.shown is False]
    undecided: dict[str, list[str]] = {}
    for each in rows:
        if each.shown is None:
            undecided.setdefault(each.undecided, []).append(_title_and_value(each))
    parts = [f"{first} is above {second} on {list_in_words(above)}"] if above else []
    parts += [f"{first} is below {second} on {list_in_words(below)}"] if below else []
    parts += [f"no difference between {first} and {second} is shown on {list_in_words(unsure)}"] if unsure else []
    parts += [f"{first} − {second} is undecided on {list_in_words(on)}: {why}" for why, on in undecided.items()]
    parts += [each.within for each in rows if each.within]
    # A system keeps its name as it is written, also at the beginning of a sentence.
    said = re.sub(r"^no difference", "No difference", "; ".join(parts))
    return f"{said}. n = {_range([each.n_units for each in rows])} {rows[0].of}; for {whom}."


def _means_in_words(rows: Sequence[HeadlineAnswer]) -> list[str]:
    if not rows:
        return []
    several = len({each.first for each in rows}) > 1
    said = [
        f"{each.first}, {_title_and_value(each)}" if several else _title_and_value(each) for each in rows[:MOST_MEANS]
    ]
    few = f"; fewer than {TOO_FEW}: too few to say" if any(each.few for each in rows) else ""
    return [f"Means: {', '.join(said)}. n = {_range([each.n_units for each in rows])} {rows[0].of}{few}."]


def _range(counts: Sequence[int]) -> str:
    low, high = count(min(counts)), count(max(counts))
    return low if low == high else f"{low} to {high}"


def _title_and_value(answer: HeadlineAnswer) -> str:
    return f"{answer.title} ({_value(answer)})"


def _value(answer: HeadlineAnswer) -> str:
    """A number with its interval; and what it is with everybody, where somebody is left out."""
    if answer.with_everybody is None:
        return answer.in_words
    everybody = answer.with_everybody
    return f"{answer.in_words}; with everybody {value_in_words(answer, everybody.value, everybody.ci)}"


def _agreement(data: Data) -> list[AgreementInShort]:
    wanted = data.study.analysis.agreement.coefficient
    found = []
    for topic, coefficients in data.agreement.items():
        main = headline_of(coefficients, wanted)
        if main is not None:
            found.append(
                AgreementInShort(
                    title=topic.title(data.study),
                    coefficient=title_of(main.name),
                    value=main.value,
                    ci=main.ci,
                    n=main.n_items,
                    undefined=main.undefined,
                    undecided=why_undecided(coefficients, wanted),
                )
            )
    return sorted(found, key=lambda each: (each.value is None, each.value or 0))


def _agreement_in_words(rows: Sequence[AgreementInShort], asks_for: float | None) -> str:
    """The least and the most agreement, and whether the study's line is reached."""
    least, compared = least_agreement(rows), that_are_compared(rows)
    if least is None:
        why = rows[0].undefined if rows else "nothing was judged by two people"
        return f"How far people agree is not known: {why}."
    most = max(compared, key=lambda each: each.value or 0)
    said = f"Least agreement: {_coefficient(least)}"
    if most is not least:
        said += f". Most: {_coefficient(most)}"
    few = _too_few(rows, least)
    if asks_for is None:
        return f"{said}.{few}"
    why = next((f" On {each.title}, {each.undecided}." for each in rows if each.undecided), "")
    verdicts = f"{decisions_in_words(rows, asks_for)}, of {many(len(rows), 'question')}"
    return f"{said}. The study asks for {number(asks_for)}: {verdicts}.{why}{few}"


def _too_few(rows: Sequence[AgreementInShort], least: AgreementInShort) -> str:
    """The warning where the least agreement, or that on some topics, is from too few items."""
    if least.n < TOO_FEW:
        return f" Fewer than {TOO_FEW} items behind it: too few to say."
    few = sum(each.n < TOO_FEW for each in rows)
    return f" On {count(few)} of them n is below {TOO_FEW}: too few to say." if few else ""


def _coefficient(each: AgreementInShort) -> str:
    return (
        f"{each.title}, {each.coefficient} {number(each.value)} {interval(each.ci)}".strip() + f", n = {count(each.n)}"
    )
