"""A PostgreSQL server of our own: a fresh cluster in a temporary directory on a free port."""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg

from judge.storage import Storage, models
from tests import memory
from tests.mail.waiting import until


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
        self._numbers = itertools.count()
        self._made: list[str] = []
        self._free: list[str] = []

    def url(self, name: str) -> str:
        return f"postgresql://judge@127.0.0.1:{self._port}/{name}"

    def create(self, name: str, like: str = "template0") -> str:
        """Make a copy of a database nobody is connected to, by default of one with nothing in it
        at all, and return its URL."""
        self.administer(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
        return self.url(name)

    @contextlib.contextmanager
    def laid(self) -> Iterator[str]:
        """The URL of a database with nothing in it, its schema up to date; others get it after."""
        name = self._free.pop() if self._free else f"laid{next(self._numbers)}"
        if name not in self._made:
            Storage.open(self.create(name)).close()
            self._made.append(name)
        yield self.url(name)
        self._empty(name)
        self._free.append(name)

    def _empty(self, name: str) -> None:
        """Take out all but what the migrations put there. Many times faster than a new one."""
        with psycopg.connect(self.url(name), autocommit=True) as connection:
            # Who was killed may still hold locks.
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            tables = [each._meta.table_name for each in models.ALL if each is not models.SecretRow]
            sql = [f'DELETE FROM "{table}"' for table in reversed(tables)]
            sql += [
                f"SELECT setval(pg_get_serial_sequence('\"{table}\"', 'id'), 1, false)"
                for table in tables
            ]
            connection.execute("; ".join(sql).encode())

    def administer(self, sql: str) -> None:
        """Run a statement that concerns whole databases."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(sql.encode())

    def start(self) -> None:
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
        options += " -c max_connections=50"
        if not self._durable:
            # The machine may lose power during a test run; nobody would miss the data.
            options += " -c fsync=off -c full_page_writes=off"
        log = str(self._data / "log")
        self._run("pg_ctl", "-D", str(self._data), "-l", log, "-w", "-o", options, "start")

    def stop(self) -> None:
        """Stop at once: connections are cut, as a crash cuts them."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")

    def crash(self) -> None:
        """Kill the server's first process; the others see it, and end by themselves. `start` fails
        until they have."""
        pid = int((self._data / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        until(lambda: not Path(f"/proc/{pid}").exists(), 60)

    def initialize(self) -> None:
        options = ["-U", "judge", "-A", "trust", "-E", "UTF8", "--no-sync"]
        self._run("initdb", "-D", str(self._data), *options)

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
def cluster(*, durable: bool = False, within: Path | None = None) -> Iterator[Cluster]:
    """Start a cluster and take it away in the end. As root it runs as another user: it must.

    A `durable` one waits for the disk at each commit, as one that is used does. It lies in a folder
    `within` another one; else in memory or, where it is to be durable, where temporary files do.
    """
    become: list[str] = []
    if within is None and not durable:
        within = memory.folder()
    directory = Path(tempfile.mkdtemp(prefix="judge-postgres-", dir=within))
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
