"""Exports: judgments as data, in formats that open without this program. Written complete or not at all."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, ClassVar

from assay.kinds import EXPORTS
from assay.model import UNABLE, Judgment


class Export:
    """A format for judgments. A subclass that names its `kind` is registered by existing."""

    kind: ClassVar[str]
    suffix: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        EXPORTS.register(cls.kind, cls)

    def write(self, judgments: Iterable[Judgment], file: IO[str]) -> int:
        """Write every judgment and return how many there were. Streams: nothing is gathered in memory."""
        return self.table(COLUMNS, map(as_row, judgments), file)

    def table(self, columns: Iterable[str], rows: Iterable[Mapping[str, Any]], file: IO[str]) -> int:
        """Write rows that have these columns and return how many there were."""
        raise NotImplementedError


COLUMNS = {
    "item": "the item's id in its file",
    "system": "what the judgment is about: the item's system, or that of one side; empty for a pair as a whole",
    "systems": "every system of the item, with | between them",
    "group": "what the item shares with others, such as its prompt",
    "batch": "the batch that the item belongs to",
    "annotator": "the annotator's pseudonym",
    "dimension": "the quality asked about",
    "side": "left or right, where the candidate stood; empty where there are no sides",
    "left": "the system that stood on the left; empty where there are no sides",
    "entry": "which of a list inside the item; empty where there is none",
    "value": "the judgment; of a preference, the system that was chosen, or tie; empty where it could not be judged",
    "missing": "unable, where the annotator said that this cannot be judged",
    "pass": "1 for the first time, 2 for a duplicate",
    "revision": "1 for the first submission of an item, more for later changes",
    "submission": "which submission the judgment came in",
    "shown_at": "when the item was first seen, UTC",
    "submitted_at": "when the submission was stored, UTC",
    "active_seconds": "how long the annotator was active on the item; empty where unknown",
    "study_hash": "the version of the study that was shown",
    "consent": "the version of the consent text that was in force",
    "source": "work on the page, practice at a gate, or imported",
    "judge": "whether it is an automated judge",
    "simulated": "whether the annotator is a bot",
    "position": "the annotator's how-manieth item it was",
    "control": "whether the item has a known answer and was hidden among the others",
    "surplus": "whether it came after its place had gone to another: kept, and counted nowhere",
    "overridden": "the warnings that the annotator did not heed, with | between them",
}
"""The long table: one row for each judgment, and what each column means."""

BREAKS = {
    "annotator": "the annotator's pseudonym",
    "started_at": "when the break began, UTC",
    "ended_at": "when it ended, UTC; empty where it goes on",
    "seconds": "how long it was; empty where it goes on",
    "simulated": "whether the annotator is a bot",
}
"""The breaks: one row for each, and what each column means."""


def as_row(judgment: Judgment) -> dict[str, Any]:
    """One judgment under the names of the long table."""
    return {
        "item": judgment.item,
        "system": judgment.system,
        "systems": "|".join(judgment.systems),
        "group": judgment.group,
        "batch": judgment.batch,
        "annotator": judgment.annotator,
        "dimension": judgment.dimension,
        "side": judgment.side,
        "left": judgment.left,
        "entry": judgment.entry,
        "value": judgment.value,
        "missing": str(UNABLE) if judgment.value is None else None,
        "pass": judgment.pass_,
        "revision": judgment.revision,
        "submission": judgment.submission,
        "shown_at": as_time(judgment.shown_at),
        "submitted_at": as_time(judgment.submitted_at),
        "active_seconds": None if judgment.active_ms is None else judgment.active_ms / 1000,
        "study_hash": judgment.study_hash,
        "consent": judgment.consent,
        "source": judgment.source,
        "judge": judgment.judge,
        "simulated": judgment.simulated,
        "position": judgment.position,
        "control": judgment.control,
        "surplus": judgment.surplus,
        "overridden": "|".join(judgment.overridden),
    }


def break_row(annotator: str, started_at: int, ended_at: int | None, simulated: bool) -> dict[str, Any]:
    """One break under the names of its table."""
    return {
        "annotator": annotator,
        "started_at": as_time(started_at),
        "ended_at": None if ended_at is None else as_time(ended_at),
        "seconds": None if ended_at is None else (ended_at - started_at) / 1000,
        "simulated": simulated,
    }


def as_time(milliseconds: int) -> str:
    """A time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@contextmanager
def written_whole(path: Path) -> Iterator[IO[str]]:
    """A file that appears complete or not at all: written beside its place, flushed to disk, then renamed."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
