"""A card for an automated judge: what was measured of it, on what, for which rubric, and until when that holds."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from assay.frozen_json import to_json
from assay.items.run_facts import RunFacts
from assay.model import Judgment
from assay.render import Renderer
from assay.report import charts, text_width
from assay.report.data import Data
from assay.report.judge_verdict import SAYS, JudgeVerdict
from assay.report.page import as_text
from assay.report.paper.figure_files import PaperFile
from assay.report.sections.judges import JudgesSection
from assay.report.wording import days_in_words
from assay.study.schema import Study

FORMAT = 1
HOLDS_DAYS = 365
"""For how many days a card holds after its last judgment: a model can change behind its name."""


@dataclass(frozen=True, slots=True)
class JudgeCard:
    """What was measured of one judge."""

    format: int
    judge: str
    study: str
    title: str
    study_version: str
    rubric_version: str
    """The hash of questions, anchors and rules that the judge was asked by."""
    made_at: str
    judged: str
    """On which days people judged."""
    items: int
    """How many items both judged."""
    people: int
    systems: list[str]
    run: RunFacts
    """How it was run, as far as that is known."""
    verdict: JudgeVerdict
    holds_until: str
    """The last day on which the card holds."""
    holds_while: list[str]
    """What must stay as it is."""
    stale: list[str] = field(default_factory=list)
    """Why it was stale when it was made; empty where it was not."""


def rubric_version(study: Study) -> str:
    """A hash of what judges and people are asked: the study's rubric, rules and derived scores."""
    parts = study.model_dump(mode="json", by_alias=True, exclude_unset=True)
    asked = {name: parts[name] for name in ("rubric", "rules", "derive") if name in parts}
    return hashlib.sha256(json.dumps(asked, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def judge_cards(data: Data, runs: Mapping[str, RunFacts]) -> list[JudgeCard]:
    """A card for each judge of a study."""
    cards = [_card(data, verdict, runs) for verdict in JudgesSection().numbers(data).verdicts]
    return [replace(each, stale=why_stale(to_json(each), data.study, runs, data.made_at[:10])) for each in cards]


def _card(data: Data, verdict: JudgeVerdict, runs: Mapping[str, RunFacts]) -> JudgeCard:
    own = [each for each in data.by_judges if each.annotator == verdict.judge]
    items = {each.item for each in own}
    beside = [each for each in data.that_count if each.item in items]
    times = [each.submitted_at for each in [*beside, *own]]
    last = datetime.fromtimestamp(max(times, default=0) / 1000, UTC)
    return JudgeCard(
        format=FORMAT,
        judge=verdict.judge,
        study=data.study.study,
        title=data.study.title,
        study_version=data.study.hash,
        rubric_version=_rubric_of_judge(data, own),
        made_at=data.made_at,
        judged=days_in_words([each.submitted_at for each in beside]),
        items=len({each.item for each in beside}),
        people=len({each.annotator for each in beside}),
        systems=sorted({name for each in own for name in each.systems if name}),
        run=runs.get(verdict.judge, RunFacts()),
        verdict=verdict,
        holds_until=f"{last + timedelta(days=HOLDS_DAYS):%Y-%m-%d}",
        holds_while=["the rubric and its rules", "the judge's prompt", "the judge's model and its settings"],
    )


def _rubric_of_judge(data: Data, own: Sequence[Judgment]) -> str:
    """The rubric version a judge was asked by; of several an outdated one, so that the card counts as stale."""
    asked = {name: data.studies.get(name, data.study) for name in {each.study_hash for each in own}}
    in_force = rubric_version(data.study)
    others = {rubric_version(study) for study in asked.values()} - {in_force}
    return min(others, default=in_force)


def why_stale(card: Mapping[str, Any], study: Study, runs: Mapping[str, RunFacts], today: str) -> list[str]:
    """What has changed since a card was made; nothing where it holds. `card` is its JSON, `today` like 2026-05-31."""
    found = []
    if card["study"] != study.study:
        found.append(f"it is about the study {card['study']}, and this one is {study.study}")
    if card["rubric_version"] != rubric_version(study):
        found.append("the rubric or its rules have changed")
    now, then = runs.get(card["judge"]), card["run"]
    if now is not None:
        found += _changes_of_run(to_json(now), then)
    if today > card["holds_until"]:
        found.append(f"it held until {card['holds_until']}")
    return found


def _changes_of_run(now: Mapping[str, Any], then: Mapping[str, Any]) -> Iterator[str]:
    """Which settings of a judge differ from those on its card; a setting that the card lacks has not changed."""
    if then["models"] and now["models"] != then["models"]:
        yield f"the model is {_list(now['models'])}, and was {_list(then['models'])}"
    if then["templates"] and now["templates"] != then["templates"]:
        yield "the prompt's template has changed"
    elif then.get("prompts") and now["prompts"] != then["prompts"]:
        yield "the prompt has changed"
    if then.get("settings") and now["settings"] != then["settings"]:
        sides = [*now["settings"], *then["settings"]]
        names = [name for name in dict.fromkeys(key for each in sides for key in each) if _differs(name, sides)]
        yield f"its settings have changed: {', '.join(names)}"


def _differs(name: str, settings: Sequence[Mapping[str, Any]]) -> bool:
    return any(each.get(name) != settings[0].get(name) for each in settings)


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "not known"


def card_json(card: JudgeCard) -> dict[str, Any]:
    """The card for a program to read."""
    found: dict[str, Any] = to_json(card)
    return found


def card_page(card: JudgeCard) -> str:
    """The card as a self-contained page."""
    folder = Path(__file__).parent
    renderer = Renderer(folder, charts=charts, text=text_width)
    days = days_in_words([each for each in (card.run.first_at, card.run.last_at) if each is not None])
    return renderer.html("judge_card.html", card=card, says=SAYS, setting_words=setting_words, asked_days=days)


def setting_words(settings: Mapping[str, Any]) -> str:
    """The settings of a judge in a line; what is not set is left out.

    >>> setting_words({"kind": "openai", "temperature": 0.5, "seed": None, "doubt": False, "examples": ["a", "b"]})
    'kind openai, temperature 0.5, examples ["a", "b"]'
    """
    set_ = {name: value for name, value in settings.items() if value is not False and value not in UNSET}
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in set_.items()}
    return ", ".join(f"{name} {text}" for name, text in texts.items())


UNSET: tuple[Any, ...] = (None, "", [], {})


def card_files(cards: Sequence[JudgeCard]) -> Iterator[PaperFile]:
    """Two files for each card."""
    for card in cards:
        name = file_name(card.judge)
        yield PaperFile(f"{name}.html", card_page(card).encode())
        yield PaperFile(f"{name}.json", f"{as_text(card_json(card))}\n".encode())


def file_name(judge: str) -> str:
    """A judge's name as a file name; where a letter had to be replaced, with a hash that keeps it unique.

    >>> file_name("gpt-4o"), file_name("gpt 4/o")
    ('gpt-4o', 'gpt-4-o-9c46d7')
    """
    plain = re.sub(r"[^\w.\-]+", "-", judge).strip("-.")
    return plain if plain == judge else f"{plain}-{hashlib.sha256(judge.encode()).hexdigest()[:6]}".lstrip("-")
