"""Kill points: before every commit, socket write and file operation of this process."""

from __future__ import annotations

import email.generator
import hashlib
import os
import secrets
import signal
import socket
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.storage import databases, queries

_FILES = {"os.rename", "os.remove", "os.mkdir", "os.truncate", "os.link", "os.rmdir"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass(frozen=True)
class Kill:
    """A death before the operation number `at` of a process: of the daemon, or of that in which it
    works, `alone` or with the daemon."""

    at: int
    work: bool = False
    alone: bool = False


class Points:
    """Counts what this process does to the world, and ends it before the operation number
    `kill_at` (SIGKILL), with what else `end` ends. What it has done so far is told, by kind, in a
    file."""

    doing = ""
    """What is told before each kind."""

    def __init__(
        self, kill_at: int | None, told: Path, end: Callable[[], None] = lambda: None
    ) -> None:
        self._kill_at, self._end = kill_at, end
        self._told = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._lock = threading.RLock()
        self._count = 0

    def reach(self, kind: str) -> None:
        """One more of a kind is about to happen."""
        with self._lock:
            self._count += 1
            if self._count == self._kill_at:
                self._end()
                os.kill(os.getpid(), signal.SIGKILL)
            os.write(self._told, f"{self.doing}{kind}\n".encode())

    def install(self) -> None:
        """Count from now on. For the rest of the life of this process."""
        self._sockets()
        self._files()
        self._commits()

    def _sockets(self) -> None:
        for name in ("send", "sendall", "sendto", "sendmsg"):
            real = getattr(socket.socket, name)

            def counted(own: socket.socket, *args: Any, _real: Any = real, **more: Any) -> Any:
                # asyncio wakes itself by a socket to itself.
                if own.family in (socket.AF_INET, socket.AF_INET6):
                    self.reach("socket")
                return _real(own, *args, **more)

            setattr(socket.socket, name, counted)

    def _files(self) -> None:
        def hear(event: str, args: tuple[Any, ...]) -> None:
            opened = event == "open" and isinstance(args[2], int) and args[2] & _WRITING
            if opened or event in _FILES:
                self.reach("file")

        sys.addaudithook(hear)
        real = os.fsync

        def fsync(descriptor: int) -> None:
            self.reach("file")
            real(descriptor)

        os.fsync = fsync  # type: ignore[assignment]

    def _commits(self) -> None:
        real: Callable[..., sqlite3.Connection] = databases.SqliteFile._connect

        def connect(own: Any) -> sqlite3.Connection:
            connection = real(own)

            def hear(statement: str) -> None:
                # What writes outside of a transaction is one, and commits.
                text = statement.lstrip().upper()
                alone = text.startswith(("INSERT", "UPDATE")) and not connection.in_transaction
                if alone or text.startswith("COMMIT"):
                    self.reach("commit")

            connection.set_trace_callback(hear)
            return connection

        databases.SqliteFile._connect = connect  # type: ignore[method-assign, assignment]
        self._served()

    def _served(self) -> None:
        """PostgreSQL is written to by a library that is not Python's: before each exchange."""
        exchanges = ("statement", "execute_sql"), ("statement", "begin")
        for kind, name in (("commit", "commit"), *exchanges):
            real = getattr(databases.PostgresqlServer, name)

            def counted(
                own: Any, *args: Any, _kind: str = kind, _real: Any = real, **more: Any
            ) -> Any:
                self.reach(_kind)
                return _real(own, *args, **more)

            setattr(databases.PostgresqlServer, name, counted)


def same_chance() -> None:
    """Let chance in each transaction depend on what stands in the database when it begins: then a
    transaction that is repeated is the same one."""
    real = queries.Engine.transaction
    state = threading.local()

    @contextmanager
    def transaction(own: queries.Engine) -> Iterator[None]:
        with real(own):
            sql = "SELECT max(id) FROM "
            read = own.database.execute_sql
            state.salt = [read(sql + name).fetchone()[0] for name in ("event", "letter", "ticket")]
            state.count = 0
            yield

    def token_hex(size: int = 32) -> str:
        state.count = getattr(state, "count", 0) + 1
        text = f"{getattr(state, 'salt', None)} {state.count}"
        return hashlib.sha256(text.encode()).hexdigest()[: 2 * size]

    class Chance:
        """In place of the module by which boundaries of MIME parts are drawn."""

        @staticmethod
        def randrange(end: int) -> int:
            return int(token_hex(), 16) % end

    email.generator.random = Chance  # type: ignore[attr-defined]
    queries.Engine.transaction = transaction  # type: ignore[method-assign, assignment]
    secrets.token_hex = token_hex  # type: ignore[assignment]
