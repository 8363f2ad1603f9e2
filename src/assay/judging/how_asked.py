"""How a judge was asked: what is kept of it with its judgments, so that a card knows whom it speaks of."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from assay.items.run_facts import RunFacts
from assay.judging.answer_log import Record
from assay.judging.judges_file import JudgeEntry

ASKED_WITH = ("ask", "guidelines", "examples", "reasons", "doubt", "ask_again")
"""The keys of a judge that shape what it says, besides its prompt. How often and how fast it is asked does not."""


def settings_of(entry: JudgeEntry, identity: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a judge, with a hash of its address, which is itself nobody else's business."""
    kind = entry.kind
    own = kind.model_dump(mode="json", exclude=set(kind.where))
    if own.get("version", "") is None:
        del own["version"]  # as in what is stored from before there was one: no other settings than those
    text = json.dumps(identity, sort_keys=True, ensure_ascii=False)
    asked = entry.model_dump(mode="json", include=set(ASKED_WITH))
    return {"kind": kind.kind, **own, **asked, "reached": hashlib.sha256(text.encode()).hexdigest()[:12]}


def facts_of_answer(record: Record, prompt: str, settings: Mapping[str, Any]) -> RunFacts:
    """How one answer came about, by its line in the file of answers."""
    return RunFacts(
        models=(record["model"],) if record["model"] else (),
        templates=(record["template"],),
        prompts=(prompt,),
        settings=(settings,),
        first_at=record["at"],
        last_at=record["at"],
        requests=1,
        tokens_in=record["tokens"]["in"],
        tokens_out=record["tokens"]["out"],
    )


def all_facts(some: Iterable[RunFacts]) -> RunFacts:
    """How several answers came about."""
    return sum(some, RunFacts())
