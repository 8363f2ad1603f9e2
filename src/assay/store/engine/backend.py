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
    """Why nothing is written into tables that a newer program has changed while this one ran."""
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
    """The version of the tables that this program writes, once it has seen to it; None: whatever there is."""
    damage: str = ""
    """What is wrong with the data, once that was seen: it does not pass, and nothing more is taken."""
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
        """Read without holding up the server."""
        raise NotImplementedError

    async def awrite(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write without holding up the server."""
        raise NotImplementedError

    async def awrite_soon(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for what takes less than a few milliseconds, as everything does that an annotator's page sends."""
        return await self.awrite(act, *args, **kwargs)

    def stream(
        self, ask: Callable[Concatenate[Connection, P], Iterator[T]], *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[T]:
        """Read row by row on a connection of its own, as one snapshot, without gathering anything."""
        raise NotImplementedError

    @contextmanager
    def alone(self, work: int, study_id: int) -> Iterator[bool]:
        """Be the only one to do some long work in a study, for as long as the block lasts; whether nobody else does.

        `work` is any number that no other work has. Whatever ends the process ends this, too.
        """
        raise NotImplementedError
        yield

    @staticmethod
    def change_nothing(connection: Connection) -> None:
        """Write something that changes nothing, and must reach the disk all the same: a write that shows whether."""
        raise NotImplementedError

    def limit_waiting(self) -> None:
        """From now on others wait for whoever waits for the database, as in a server: nothing waits for ever."""

    def look_for_damage(self) -> None:
        """Look at everything that is stored, unless the database does so itself.

        Raises where it is damaged; where there is much to look at, the answer comes later, as `damage`.
        """

    def migrate(self, act: Callable[[Connection], None]) -> None:
        """Change the tables themselves, all of it or nothing."""
        self.write(act)

    def rows_came(self, added: Mapping[str, int]) -> None:
        """So many rows came into these tables: a database that plans by what it knows of tables has a new look at them.

        It fails nothing: without it the database is only slower for a while.
        """

    def overwrite_deleted(self) -> str:
        """See to it that nothing of deleted rows is left in the database's files; what is left to do, or nothing.

        It takes a while in a large database, during which others wait.
        """
        raise NotImplementedError

    @property
    def description(self) -> str:
        """What the data is kept in, for people."""
        raise NotImplementedError

    def close(self) -> None:
        """Finish what is waiting and let go."""
        raise NotImplementedError
