"""What is still open before a study is closed: unfinished items, held places, flags, problems, the pilot."""

from dataclasses import dataclass
from typing import Any

from assay.in_words import many, of_whole
from assay.live.at_a_glance import at_a_glance
from assay.live.flags import current_flags
from assay.store import Backend
from assay.study import Study


@dataclass(frozen=True, slots=True)
class OpenMatter:
    """One thing to look at before closing."""

    about: str
    count: int
    """How many are open; 0: it is settled."""
    says: str
    page: str
    """Which page of the coordinator's it is dealt with on."""

    def as_json(self) -> dict[str, Any]:
        """The same for a program to read."""
        return {"about": self.about, "open": self.count, "says": self.says}


def before_closing(store: Backend, study_id: int, study: Study, now: int) -> list[OpenMatter]:
    """Everything that a coordinator should have seen before a study is closed, settled or not."""
    # Monitors look now: that no flag is open is not to be said of work that nobody has looked at.
    current_flags(store, study_id, study, now)
    found = at_a_glance(store, study_id, study, now)
    left = found.counts.items - found.counts.finished
    held = sum(each.open + each.judged for each in found.held)
    matters = [
        OpenMatter(
            "items",
            left,
            f"{of_whole(found.counts.finished, found.counts.items)} items have all their judgments",
            "items?unfinished=on",
        ),
        OpenMatter(
            "places",
            held,
            f"{many(held, 'place')} {'is' if held == 1 else 'are'} held by people who have stopped"
            if held
            else "nobody who has stopped holds a place",
            "manage#held",
        ),
        OpenMatter(
            "gates",
            len(found.waiting),
            f"{many(len(found.waiting), 'person', 'people')} wait at a gate" if found.waiting else "nobody waits",
            "#who",
        ),
        OpenMatter(
            "flags",
            len(found.open_flags),
            f"{many(len(found.open_flags), 'flag')} {'is' if len(found.open_flags) == 1 else 'are'} open"
            if found.open_flags
            else "no flag is open",
            "flags",
        ),
        OpenMatter(
            "problems",
            len(found.problems),
            f"{many(len(found.problems), 'problem')} with items, nobody has dealt with"
            if found.problems
            else "no problem with an item is open",
            "manage#problems",
        ),
    ]
    if study.analysis.pilot is not None:
        said = f"pilot {found.pilot} is under way: the main part never opened" if found.pilot else "the pilot is over"
        matters.append(OpenMatter("pilot", int(bool(found.pilot)), said, "pilot"))
    return matters
