"""A PostgreSQL server of our own: a fresh cluster in a temporary directory on a free port."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path


class Cluster:
    """A running cluster. `url(name)` names a database in it."""

    def __init__(
        self, programs: Path, data: Path, port: int, become: list[str], durable: bool
    ) -> None:
        self._programs = programs
        self._data = data
        self._port = port
        self._become = become
        self._durable = durable

    def url(self, name: str) -> str:
        return f"postgresql://judge@127.0.0.1:{self._port}/{name}"

    def create(self, name: str) -> str:
        """Make an empty database and return its URL."""
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self._port), "-U", "judge", name)
        return self.url(name)

    def start(self) -> None:
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
        options += " -c max_connections=50"
        if not self._durable:
            # The machine may lose power during a test run; nobody would miss the data.
            options += " -c fsync=off"
        log = str(self._data / "log")
        self._run("pg_ctl", "-D", str(self._data), "-l", log, "-w", "-o", options, "start")

    def stop(self) -> None:
        """Stop at once: connections are cut, as a crash cuts them."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")

    def initialize(self) -> None:
        self._run("initdb", "-D", str(self._data), "-U", "judge", "-A", "trust", "-E", "UTF8")

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*self._become, str(self._programs / program), *arguments],
            cwd="/",
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
            # pg_ctl leaves the server running with what it inherits; a pipe would never end.
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed ({done.returncode}): {done.stderr}")


def _programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    beside = shutil.which("initdb")
    if not found and beside:
        found = [Path(beside)]
    if not found:
        raise RuntimeError("PostgreSQL's server programs are not installed (Debian: postgresql)")
    return found[-1].parent


@contextlib.contextmanager
def cluster(*, durable: bool = False) -> Iterator[Cluster]:
    """Start a cluster and take it away in the end. As root it runs as another user: it must.

    A `durable` one waits for the disk at each commit, as one that is used does.
    """
    become: list[str] = []
    directory = Path(tempfile.mkdtemp(prefix="judge-postgres-"))
    try:
        if os.getuid() == 0:
            names = {entry.pw_name: entry for entry in pwd.getpwall()}
            user = names.get("postgres") or names["nobody"]
            os.chown(directory, user.pw_uid, user.pw_gid)
            become = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}"]
            become.append("--clear-groups")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        made = Cluster(_programs(), directory / "data", port, become, durable)
        made.initialize()
        made.start()
        try:
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(directory, ignore_errors=True)
