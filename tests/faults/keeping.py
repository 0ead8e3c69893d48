"""Where a world's judge keeps all it knows: kept as it stands, and brought back to how it stood."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import psycopg

from judge.storage import Storage, models
from tests.mail.waiting import until
from tests.storage.postgres import Cluster


class Keeping(Protocol):
    """A database that judges are killed at."""

    url: str

    def keep(self, name: str) -> None:
        """Keep how it stands, under a name."""

    def back_to(self, name: str) -> None:
        """Let it stand as it was kept under a name."""

    def at_rest(self) -> None:
        """Wait until nobody is connected any more who is dead."""

    def connected(self) -> contextlib.AbstractContextManager[Any]:
        """A connection of one's own, with `execute`; what is done counts in the end."""

    def close(self) -> None:
        """Throw away all that was kept."""


class File:
    """A SQLite database in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._home = folder / "home"
        self._home.mkdir(parents=True)
        self.url = f"sqlite:{self._home}/judge.db"
        Storage.open(self.url).close()

    def keep(self, name: str) -> None:
        shutil.copytree(self._home, self._folder / name)

    def back_to(self, name: str) -> None:
        shutil.rmtree(self._home)
        shutil.copytree(self._folder / name, self._home)

    def at_rest(self) -> None:
        pass

    @contextlib.contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        path = self._home / "judge.db"
        with contextlib.closing(sqlite3.connect(path, timeout=30)) as connection, connection:
            yield connection

    def close(self) -> None:
        pass


class Served:
    """A database on a PostgreSQL server, and copies of it there."""

    def __init__(self, server: Cluster) -> None:
        self._server = server
        self._kept: list[str] = []
        self.url = server.create("world")
        Storage.open(self.url).close()

    def keep(self, name: str) -> None:
        self.at_rest()
        self._server.create(name, like="world")
        self._kept.append(name)

    def back_to(self, name: str) -> None:
        self.at_rest()
        self._drop("world")
        self._server.create("world", like=name)

    def at_rest(self) -> None:
        others = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'world'"
        with psycopg.connect(self._server.url("postgres"), autocommit=True) as connection:
            # The server notices that a client is dead; until then it has the client's locks.
            until(lambda: connection.execute(others).fetchone() == (0,), 30)
        with self.connected() as connection:
            # What died has used up ids. Only by this are they the same as undisturbed.
            for model in models.ALL:
                table = model._meta.table_name
                connection.execute(
                    f"SELECT setval(pg_get_serial_sequence('\"{table}\"', 'id'),"
                    f' coalesce(max(id), 1), max(id) IS NOT NULL) FROM "{table}"'.encode()
                )

    @contextlib.contextmanager
    def connected(self) -> Iterator[psycopg.Connection]:
        # Each statement sees what stands when it begins, as in SQLite.
        with psycopg.connect(self.url, autocommit=True) as connection:
            yield connection

    def close(self) -> None:
        for name in ("world", *self._kept):
            self._drop(name)

    def _drop(self, name: str) -> None:
        self._server.administer(f'DROP DATABASE "{name}"')
