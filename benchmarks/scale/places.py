"""Where databases are made to measure on, and processes beside this one."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, Self

from tests.storage.postgres import cluster

Kind = Literal["SQLite", "PostgreSQL"]
KINDS: tuple[Kind, ...] = ("SQLite", "PostgreSQL")
HOST = "127.0.0.1"


@contextmanager
def databases(kind: Kind) -> Iterator[Callable[[], str]]:
    """Makes empty databases that wait for the disk at every commit, and says where each is. Raises
    RuntimeError where PostgreSQL is not installed."""
    numbers = itertools.count()
    if kind == "PostgreSQL":
        with cluster(durable=True) as made:
            yield lambda: made.create(f"judge{next(numbers)}")
    else:
        with tempfile.TemporaryDirectory(prefix="judge-scale-") as folder:
            yield lambda: f"sqlite:{Path(folder, f'judge{next(numbers)}.db')}"


class Child:
    """A process of `benchmarks.scale.child`: it says when it is ready, begins when it is told to,
    and says in the end what it has done."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.scale.child", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.ready: dict[str, Any] = self._said()

    def go(self) -> None:
        """Let it begin, or end what it does until it is told."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def done(self) -> dict[str, Any]:
        """Wait until it has done it; what that was."""
        return self._said()

    def _said(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a child process ended with {self._process.wait()}")
        found: dict[str, Any] = json.loads(line)
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
