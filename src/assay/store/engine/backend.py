"""What the store needs of a database, whichever it is: a read or a write is a function that takes a connection."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from assay.errors import StoreError

P = ParamSpec("P")
T = TypeVar("T")


def other_tables(found: str, wanted: str) -> StoreError:
    """The error where a newer program has migrated the tables while this one ran."""
    return StoreError(
        f"a newer version of the program has changed the tables (schema {found}, here {wanted}); "
        "what comes now cannot be kept",
        "stop this server and start the newer version",
    )


class Backend:
    """What a database must offer to the store."""

    dialect: str
    version: str
    last_write: float = 0.0
    """When something was last written and confirmed, by the monotonic clock; 0 where the last write has failed."""
    schema: str | None = None
    """The version of the tables that this program writes, once it has checked it; None: not checked."""
    damage: str = ""
    """What is wrong with the data, once damage was found: it stays set, and nothing more is stored."""
    address: str
    """Where the data is, as `open_store` takes it. It may hold a password: for other processes, not for people."""
    folder: Path | None = None
    """The folder of the study that it was opened for, where that is known: its backups lie there."""

    def read(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function that only reads."""
        raise NotImplementedError

    def write(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function that writes; it returns after the commit, or raises and nothing is changed."""
        raise NotImplementedError

    async def aread(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read in a thread, without blocking the event loop."""
        raise NotImplementedError

    async def awrite(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write without blocking the event loop."""
        raise NotImplementedError

    async def awrite_soon(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`awrite` for writes of at most a few milliseconds, such as everything that an annotator's page sends."""
        return await self.awrite(act, *args, **kwargs)

    def stream(
        self, ask: Callable[Concatenate[Connection, P], Iterator[T]], *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[T]:
        """Read row by row on a connection of its own, as one snapshot, without gathering anything."""
        raise NotImplementedError

    @contextmanager
    def alone(self, work: int, study_id: int) -> Iterator[bool]:
        """Hold a lock for some long work in a study while the block lasts; yields False where somebody else has it.

        `work` is a number that no other kind of work has. The lock ends with the process.
        """
        raise NotImplementedError
        yield

    @staticmethod
    def change_nothing(connection: Connection) -> None:
        """Make a write without effect that still must reach the disk, to test whether writing works."""
        raise NotImplementedError

    def limit_waiting(self) -> None:
        """Set the timeouts of a server, in which others wait for whoever waits for the database."""

    def look_for_damage(self) -> None:
        """Check the integrity of all data, unless the database does so itself.

        Raises where they are damaged. A large file is checked in the background, and sets `damage`.
        """

    def migrate(self, act: Callable[[Connection], None]) -> None:
        """Change the tables themselves, all of it or nothing."""
        self.write(act)

    def rows_came(self, added: Mapping[str, int]) -> None:
        """Tell the database how many rows were added to tables, so that it can update its planner statistics.

        A failure is ignored: without statistics the database is only slower for a while.
        """

    def overwrite_deleted(self) -> str:
        """Remove the remains of deleted rows from the database's files; returns what is left to do, or "".

        It takes a while in a large database, during which others wait.
        """
        raise NotImplementedError

    @property
    def description(self) -> str:
        """What the data is kept in, for people."""
        raise NotImplementedError

    def close(self) -> None:
        """Finish waiting writes and close all connections."""
        raise NotImplementedError
