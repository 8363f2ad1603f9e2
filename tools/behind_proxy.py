"""Servers of the program on one database, and nginx before them, as docs/deploy.md has it."""

import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tools.deploy_doc import proxy_of_several
from tools.nginx import nginx
from tools.postgres_pair import free_port
from tools.processes import ASSAY, Failed

CONFIG = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 4096; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/temp;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
{recipe}
}}
"""
"""Around the recipe: where nginx keeps its own files, for somebody who is not the system's administrator."""


class Server:
    """`assay serve` on a port that it keeps over its restarts."""

    def __init__(self, folder: Path, database: str) -> None:
        self.port = free_port()
        self.command = [
            *ASSAY,
            "serve",
            str(folder),
            "--port",
            str(self.port),
            "--database",
            database,
            "--behind-proxy",
        ]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if "Stop with Ctrl-C" in line:
                threading.Thread(target=self.process.stdout.read, daemon=True).start()
                return
        raise Failed(f"a server did not start\n{said}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def leave(self) -> None:
        """As for an update: it finishes what it has."""
        self.process.terminate()
        if self.process.wait(30) not in (0, -15):
            raise Failed(f"a server that was to leave ended with {self.process.returncode}")


@contextmanager
def behind_proxy(folder: Path, servers: list[Server]) -> Iterator[str]:
    """The address of the proxy."""
    program = nginx()
    if program is None:
        raise Failed("nginx is missing: python -m tools.nginx installs it")
    port = free_port()
    folder.mkdir()
    folder.chmod(0o777)
    recipe = proxy_of_several(port, [each.port for each in servers], folder)
    config = folder / "nginx.conf"
    config.write_text(CONFIG.format(folder=folder, recipe=recipe))
    process = subprocess.Popen([program, "-c", str(config), "-e", str(folder / "nginx.log")])
    try:
        time.sleep(0.5)
        if process.poll() is not None:
            raise Failed("nginx ended at once")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def started(stack: ExitStack, folder: Path, database: str, count: int) -> list[Server]:
    servers = []
    for _ in range(count):
        servers.append(Server(folder, database))
        stack.callback(servers[-1].kill)
    return servers
