"""How the study was run: the wording of questions, dates, people at each step, what was declared and changed."""

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

from assay import __version__
from assay.fieldwork import FunnelStep
from assay.in_words import count
from assay.inputs.one_of import OneOf
from assay.report.data import Data
from assay.report.sections import ReportPart, Section
from assay.report.wording import days_in_words, list_in_words, many
from assay.study.rubric import Dimension
from assay.study.schema import Study

OF = {"item": "the item", "side": "each of the two", "pair": "both together", "entries": "each entry"}
LONGEST = 400
"""Up to this many letters anchors stand in the methods whole; of longer ones the two ends, and all in the appendix."""
CHANGED = ("analysis", "rubric", "rules", "assignment", "gates", "items", "derive", "pace", "navigation")
"""The parts of a study file whose change a reader must know of, the most telling first."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """One question as annotators read it."""

    dimension: str
    title: str
    ask: str
    of: str
    level: str | None
    values: list[str]
    anchors: Mapping[str, str]
    """The words of each answer that has some."""
    asked_when: str
    unable: str = ""
    """The words of the answer that one cannot judge it, where there is one."""

    @property
    def scale(self) -> str:
        """What can be answered, with the words of each answer, in a few lines."""
        said = self._all_anchors()
        if len(said) > LONGEST and len(self.anchors) > 1:
            first, *_, last = self.anchors.values()
            ends = f"from “{first}” to “{last}”; the words at each point are in the appendix"
            said = ends if self.level == "ordinal" else f"{count(len(self.anchors))} answers, named in the appendix"
        return f"{said}; or: {self.unable}" if self.unable else said

    def _all_anchors(self) -> str:
        if not self.anchors:
            ends = f"{self.values[0]} to {self.values[-1]}" if len(self.values) > 2 else " or ".join(self.values)
            return ends or "free text"
        if not self.values:
            return f"any of: {'; '.join(self.anchors.values())}"
        if not all(each.lstrip("-").isdigit() for each in self.values):
            return f"one of: {'; '.join(self.anchors.values())}"
        points = "" if self.anchors.keys() == {*self.values} else f"{self.values[0]} to {self.values[-1]}; "
        return points + "; ".join(f"{point} = {words}" for point, words in self.anchors.items())


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """A version of the study, when it came into force, and what of it differs from what was declared."""

    hash: str
    published: str
    """The day, in UTC; empty where it is not known."""
    submissions: int
    differs_in: list[str]


@dataclass(frozen=True, slots=True)
class ProtocolNumbers:
    """How the study was run."""

    questions: list[AskedQuestion]
    days: str
    recruited: str
    """How people were found, in words."""
    steps: list[FunnelStep]
    counted: int
    """How many people the report counts."""
    declared: str | None
    """The version under which the first judgment was given; None where nothing was judged here."""
    versions: list[PublishedVersion]
    analysis_changed: list[str]
    """The keys of the analysis that are no longer as they were when the first judgment was given."""
    software: Mapping[str, str]


class ProtocolSection(Section[ProtocolNumbers]):
    """How the study was run: the wording of questions, dates, people at each step, what was declared and changed."""

    kind: ClassVar[str] = "protocol"
    rank: ClassVar[int] = 48
    title: ClassVar[str] = "How was the study run?"
    part: ClassVar[ReportPart] = "methods"

    def numbers(self, data: Data) -> ProtocolNumbers:
        work = data.fieldwork
        here = [each for each in data.judgments if not each.is_from_file and each.is_of_study]
        first = min(here, key=_when, default=None)
        declared = data.studies.get(first.study_hash) if first else None
        published = work.published if work else {}
        return ProtocolNumbers(
            questions=[_question(each, data.study) for each in data.study.rubric],
            days=days_in_words([each.submitted_at for each in here]),
            recruited=_recruitment(data),
            steps=list(work.funnel) if work else [],
            counted=len({each.annotator for each in data.that_count}),
            declared=first.study_hash if first else None,
            versions=[
                PublishedVersion(
                    hash=name,
                    published=days_in_words([published[name]] if name in published else []),
                    submissions=data.versions.get(name, 0),
                    differs_in=_parts_that_differ(declared, data.studies.get(name, data.study)),
                )
                for name in dict.fromkeys([*data.versions, data.study.hash])
            ],
            analysis_changed=_changed_keys(declared, data.study),
            software={
                "assay": __version__,
                "python": platform.python_version(),
                **{name: version(name) for name in ("numpy", "scipy")},
            },
        )

    def lines(self, numbers: ProtocolNumbers) -> list[str]:
        lines = []
        if numbers.days:
            lines.append(
                f"Dates: judgments were given {'from' if ' to ' in numbers.days else 'on'} {numbers.days} (UTC)."
            )
        lines.append(f"Recruitment: {numbers.recruited}.")
        if numbers.steps and numbers.steps[0].people:
            steps = ", ".join(f"{each.name.lower()} {count(each.people)}" for each in numbers.steps)
            lines.append(f"People at each step: {steps}; counted here {numbers.counted}.")
        lines += _declaration_in_words(numbers)
        used = ", ".join(f"{name} {number}" for name, number in numbers.software.items())
        return [*lines, f"Software: {used}."]


def _recruitment(data: Data) -> str:
    """How people were found: what the study file says of it, and nothing of people who are known from files alone."""
    enrol = data.study.assignment.enrol
    if data.sources.is_elsewhere:
        return "not known here, since all judgments came from files"
    if enrol is None:
        return "by invitation, each person with a personal link"
    most = "" if enrol.at_most is None else f", {count(enrol.at_most)} at most"
    if enrol.panel is not None:
        return f"people were sent by a panel ({enrol.panel.kind.kind}){most}"
    return f"through an open link, by which whoever had it could take part{most}"


def _when(judgment: Any) -> tuple[int, str]:
    return judgment.submitted_at, judgment.submission


def _question(dimension: Dimension, study: Study) -> AskedQuestion:
    has = dimension.input
    if isinstance(has, OneOf):
        labels = {str(each.value): each.label for each in has.choices(study.sides, study.words) if each.label}
    else:
        labels = {str(name): words for name, words in getattr(has, "options", {}).items()}
    return AskedQuestion(
        dimension=dimension.dimension,
        title=dimension.heading,
        ask=dimension.ask,
        of=OF.get(dimension.scope.of, dimension.scope.of),
        level=has.level,
        values=[str(each) for each in has.values()],
        anchors=labels,
        asked_when="" if dimension.ask_when is None else str(dimension.ask_when),
        unable=study.unable(dimension) or "",
    )


def _parts_that_differ(declared: Study | None, now: Study) -> list[str]:
    """The parts of the study file that differ from what was in force at the first judgment."""
    if declared is None:
        return []
    was, is_ = (json.loads(each.document()) for each in (declared, now))
    return [part for part in CHANGED if was.get(part) != is_.get(part)]


def _changed_keys(declared: Study | None, now: Study) -> list[str]:
    if declared is None:
        return []
    was, is_ = (json.loads(each.document()).get("analysis") or {} for each in (declared, now))
    return sorted(key for key in was.keys() | is_.keys() if was.get(key) != is_.get(key))


def _declaration_in_words(numbers: ProtocolNumbers) -> Sequence[str]:
    if numbers.declared is None:
        return ["Declared: no judgment was given here, so nothing can be said of what was declared before."]
    first = next((each for each in numbers.versions if each.hash == numbers.declared), None)
    when = f" (in force since {first.published})" if first is not None and first.published else ""
    said = f"Declared before the first judgment: the analysis of version {numbers.declared[:12]}{when}"
    if numbers.analysis_changed:
        keys = list_in_words([f"analysis.{each}" for each in numbers.analysis_changed])
        return [f"{said}. Changed after data were there: {keys}. What rests on these was not declared beforehand."]
    others = [each for each in numbers.versions if each.differs_in]
    more = f" Otherwise {many(len(others), 'later version')} changed: " if others else ""
    parts = list_in_words(sorted({part for each in others for part in each.differs_in}))
    return [f"{said}; it was not changed since.{more}{parts}{'.' if more else ''}"]
