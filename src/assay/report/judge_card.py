"""A card for an automated judge: what was measured of it, on what, for which rubric, and until when that holds."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from assay.frozen_json import to_json
from assay.render import Renderer
from assay.report import charts, text_width
from assay.report.data import Data
from assay.report.judge_verdict import SAYS, JudgeVerdict
from assay.report.page import as_text
from assay.report.paper.files import PaperFile
from assay.report.sections.judges import JudgesSection
from assay.report.wording import days_in_words
from assay.study.schema import Study

FORMAT = 1
HOLDS_DAYS = 365
"""A card holds so long after the last judgment that it rests on: a model can change behind its name."""


@dataclass(frozen=True, slots=True)
class JudgeRunFacts:
    """What is known of how a judge was run; empty where it was run elsewhere."""

    models: list[str]
    """The models that answered, as their servers named them."""
    templates: list[str]
    """The hashes of the templates of its prompts; an empty one is the program's own."""


@dataclass(frozen=True, slots=True)
class JudgeCard:
    """What was measured of one judge."""

    format: int
    judge: str
    study: str
    title: str
    study_version: str
    rubric_version: str
    """The hash of questions, anchors and rules: what judge and people were asked by."""
    made_at: str
    judged: str
    """On which days people judged."""
    items: int
    """How many items both judged."""
    people: int
    systems: list[str]
    run: JudgeRunFacts
    verdict: JudgeVerdict
    holds_until: str
    """The day after which it is to be measured again."""
    holds_while: list[str]
    """What must stay as it is."""


def rubric_version(study: Study) -> str:
    """The hash of what judges and people are asked by, and of nothing else of a study."""
    parts = study.model_dump(mode="json", by_alias=True, exclude_unset=True)
    asked = {name: parts[name] for name in ("rubric", "rules", "derive") if name in parts}
    return hashlib.sha256(json.dumps(asked, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def judge_cards(data: Data, runs: Mapping[str, JudgeRunFacts]) -> list[JudgeCard]:
    """A card for each judge of a study."""
    return [_card(data, verdict, runs) for verdict in JudgesSection().numbers(data).verdicts]


def _card(data: Data, verdict: JudgeVerdict, runs: Mapping[str, JudgeRunFacts]) -> JudgeCard:
    own = [each for each in data.by_judges if each.annotator == verdict.judge]
    items = {each.item for each in own}
    beside = [each for each in data.that_count if each.item in items]
    times = [each.submitted_at for each in [*beside, *own]]
    last = datetime.fromtimestamp(max(times, default=0) / 1000, UTC)
    run = runs.get(verdict.judge, JudgeRunFacts([], []))
    return JudgeCard(
        format=FORMAT,
        judge=verdict.judge,
        study=data.study.study,
        title=data.study.title,
        study_version=data.study.hash,
        rubric_version=rubric_version(data.study),
        made_at=data.made_at,
        judged=days_in_words([each.submitted_at for each in beside]),
        items=len({each.item for each in beside}),
        people=len({each.annotator for each in beside}),
        systems=sorted({name for each in own for name in each.systems if name}),
        run=run,
        verdict=verdict,
        holds_until=f"{last + timedelta(days=HOLDS_DAYS):%Y-%m-%d}",
        holds_while=["the rubric and its rules", "the judge's prompt", "the judge's model and its settings"],
    )


def why_stale(card: Mapping[str, Any], study: Study, runs: Mapping[str, JudgeRunFacts], today: str) -> list[str]:
    """What has changed since a card was made; nothing where it holds. `card` is its JSON, `today` like 2026-05-31."""
    found = []
    if card["study"] != study.study:
        found.append(f"it is about the study {card['study']}, and this one is {study.study}")
    if card["rubric_version"] != rubric_version(study):
        found.append("the rubric or its rules have changed")
    now, then = runs.get(card["judge"]), card["run"]
    if now is not None and then["models"] and now.models != list(then["models"]):
        found.append(f"the model is {_list(now.models)}, and was {_list(then['models'])}")
    if now is not None and then["templates"] and now.templates != list(then["templates"]):
        found.append("the prompt's template has changed")
    if today > card["holds_until"]:
        found.append(f"it held until {card['holds_until']}")
    return found


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
    return renderer.html("judge_card.html", card=card, says=SAYS)


def card_files(cards: Sequence[JudgeCard]) -> Iterator[PaperFile]:
    """Two files for each card."""
    for card in cards:
        name = file_name(card.judge)
        yield PaperFile(f"{name}.html", card_page(card).encode())
        yield PaperFile(f"{name}.json", f"{as_text(card_json(card))}\n".encode())


def file_name(judge: str) -> str:
    """A judge's name as that of a file; where that takes another letter, with a number that tells it from others.

    >>> file_name("gpt-4o"), file_name("gpt 4/o")
    ('gpt-4o', 'gpt-4-o-9c46d7')
    """
    plain = re.sub(r"[^\w.\-]+", "-", judge).strip("-.")
    return plain if plain == judge else f"{plain}-{hashlib.sha256(judge.encode()).hexdigest()[:6]}".lstrip("-")
