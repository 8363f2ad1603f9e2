"""How far a run has come, and what it has brought."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from assay.items.imported_judgments import ImportedAnswers
from assay.items.run_facts import RunFacts
from assay.judging.ask_item import ItemVerdict
from assay.judging.how_asked import all_facts
from assay.judging.passes import PlannedPass
from assay.judging.spending import Tokens
from assay.sides_and_candidates import by_candidate
from assay.study.schema import Study


@dataclass
class RunTally:
    """How far a run has come."""

    passes: int
    done: int = 0
    unable: int = 0
    requests: int = 0
    """Sent in this run; answers that were there already are not among them."""
    money: float = 0
    tokens: Tokens = field(default_factory=Tokens)
    models: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many answers came from which model, by judge and by the name that the answer gave."""
    taken_over: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many answers are those to the very same requests of another judge, by judge and by that one."""
    failures: list[tuple[str, str, str]] = field(default_factory=list)
    """The judge, the item, and why there is no answer."""
    stopped: str = ""
    """Why it ended before everything was asked."""
    interrupted: bool = False
    """Whether that was somebody's wish."""
    silent: dict[str, str] = field(default_factory=dict)
    """The judges that were given up, since nothing came from them, with the last reason."""
    verdicts: dict[str, dict[tuple[str, int], tuple[PlannedPass, ItemVerdict]]] = field(default_factory=dict)
    facts: dict[tuple[str, str], RunFacts] = field(default_factory=dict)
    """How each answer came about, by judge and by the key of its request."""

    def as_json(self) -> dict[str, Any]:
        """The same for a program to read, without what was said of the items."""
        return {
            "unable": self.unable,
            "requests": self.requests,
            "tokens_in": round(self.tokens.sent),
            "tokens_out": round(self.tokens.received),
            "money": self.money,
            "models": [{"judge": judge, "model": name, "answers": n} for (judge, name), n in self.models.items()],
            "taken_over": [
                {"judge": judge, "earlier": earlier, "answers": n} for (judge, earlier), n in self.taken_over.items()
            ],
            "failures": [{"judge": judge, "item": item, "why": why} for judge, item, why in self.failures],
            "silent": self.silent,
            "stopped": self.stopped,
        }

    def judgments(self, study: Study) -> Iterator[tuple[str, ImportedAnswers]]:
        """What came out, as the store takes it in: of each item the passes before the first one that is missing."""
        for judge, verdicts in self.verdicts.items():
            for (name, number), (planned, verdict) in sorted(verdicts.items()):
                if all((name, earlier) in verdicts for earlier in range(1, number)):
                    answers = by_candidate(verdict.answers, study.preference_dimensions, planned.swapped)
                    run = all_facts(self.facts[judge, key] for key in verdict.requests)
                    said = ImportedAnswers(
                        judge, True, answers, number, swapped=planned.swapped, doubt=verdict.doubt, run=run
                    )
                    yield name, said
