"""One fault after another while people are at work, and what they met (`tools/several_servers.py`)."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Outcome:
    """What annotators met."""

    acknowledged: list[str] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)
    """How long somebody waited for an answer that came only after a failure, in seconds."""
    failures: int = 0
    all_in: threading.Event = field(default_factory=threading.Event)
    """Everybody has opened their link and passed the gates, which nobody tries again."""
    share: float = 0.0
    """How much of the work may be done so far: each fault meets people at work."""
    broken: str = ""
    """Why something could not be made to fail."""


def one_after_another(acts: dict[str, Callable[[], None]], between: float, outcome: Outcome) -> None:
    """Once everybody is at work: one thing after another. What cannot be made to fail is said by the outcome."""
    outcome.all_in.wait()
    begun = time.perf_counter()
    try:
        for number, (name, act) in enumerate(acts.items(), 1):
            outcome.share = number / (len(acts) + 2)
            time.sleep(between)
            act()
            at, done = time.perf_counter() - begun, len(outcome.acknowledged)
            print(f"{at:>6.1f} s  {name} ({done} acknowledged so far, {outcome.failures} requests tried again)")
        outcome.share = (len(acts) + 1) / (len(acts) + 2)
        time.sleep(between)
    except Exception as failure:
        # In a thread nobody else would hear of it, and a run without its faults would be called a good one.
        outcome.broken = str(failure) or type(failure).__name__
    finally:
        outcome.share = 1.0
