"""A process that has loaded everything and has no threads, and forks those that work.

What is forked neither loads anything again nor has a copy of it in memory. A process with threads
cannot be forked safely, and one with an open database not at all (https://sqlite.org/howtocorrupt.html
section 2.6); so the daemon forks this one before it does anything else.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import traceback
from collections.abc import Callable
from multiprocessing import Pipe, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess, SpawnProcess
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path

from msgspec import Struct

Serve = Callable[[Connection], None]
"""What a forked process does with its end of the pipe, until it ends."""


class Forked(Struct, frozen=True):
    """A process that was forked. For one thread, except for `kill`."""

    pid: int
    pipe: Connection
    """To what it serves."""
    _server: Connection

    @property
    def alive(self) -> bool:
        """Whether it has not ended, nor its server."""
        return not self._server.poll(0)

    def kill(self) -> None:
        """End it in the middle of what it does."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def end(self, patience: float = 5) -> int:
        """Hang up, and kill it if it has not ended after so many seconds. It is called once.
        Returns the exit status, or the negative number of the signal that ended it."""
        self.pipe.close()
        if not self._server.poll(patience):
            self.kill()
        try:
            status: int = self._server.recv()
        except (EOFError, OSError):
            # The server that would know is gone.
            self.kill()
            return -signal.SIGKILL
        return status


class ForkServer:
    """Forks processes that call `serve`. A server that has ended is replaced. For one thread at a
    time."""

    def __init__(self, serve: Serve, *, waits: bool = True) -> None:
        """Start the server. Where this process has threads already it cannot be forked: then it is
        started when it is first needed, and what `serve` is must be picklable. One that `waits`
        forks one process at a time, and tells how it has ended."""
        self._given = serve, waits
        self._process: BaseProcess | None = None
        if not _has_threads():
            self._start(ForkProcess)

    def fork(self) -> Forked:
        """Fork a process; the one before has ended. Raises OSError, EOFError."""
        pid, pipe = self._forked()
        return Forked(pid, pipe, self._pipe)

    def connected(self) -> Connection:
        """Fork a process, beside others, of a server that does not wait for them: it ends when the
        connection to it, which is returned, is closed. Raises OSError, EOFError."""
        return self._forked()[1]

    def close(self) -> None:
        """End the server; what it waits for has ended."""
        if self._process is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()
            self._process = None

    def _forked(self) -> tuple[int, Connection]:
        if self._process is None or not self._process.is_alive():
            self.close()
            self._start(SpawnProcess if _has_threads() else ForkProcess)
        assert self._process is not None
        assert self._process.pid is not None
        ours, theirs = Pipe()
        with theirs:
            send_handle(self._pipe, theirs.fileno(), self._process.pid)
        return self._pipe.recv(), ours

    def _start(self, kind: type[ForkProcess | SpawnProcess]) -> None:
        # To look for garbage writes into each object, which would then be shared no more.
        gc.collect()
        gc.freeze()
        self._pipe, theirs = Pipe()
        given = theirs, *self._given
        self._process = kind(target=_fork_on_demand, args=given, daemon=True)
        self._process.start()
        theirs.close()


def _has_threads() -> bool:
    """Whether this process has more than one thread, or may have where the system does not tell."""
    try:
        return len(list(Path("/proc/self/task").iterdir())) > 1
    except OSError:
        return True


# -- in the server and in what it forks ----------------------------------------------------------


def _fork_on_demand(pipe: Connection, serve: Serve, waits: bool) -> None:
    """Fork a process for each pipe that is handed over, until the process that asks has ended."""
    if not waits:
        # Nobody asks how they have ended, and the system keeps no note of it.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for number in (signal.SIGINT, signal.SIGTERM):
        # Whoever stops the daemon lets it finish what it does.
        signal.signal(number, signal.SIG_IGN)
    # A game at work has more objects at a time than that counts on, and leaves nothing behind.
    gc.set_threshold(10_000)
    parent = parent_process()
    assert parent is not None
    while parent.sentinel not in wait([pipe, parent.sentinel]):
        theirs = recv_handle(pipe)
        if (pid := os.fork()) == 0:
            pipe.close()
            os._exit(_served(serve, Connection(theirs)))
        os.close(theirs)
        pipe.send(pid)
        if waits:
            pipe.send(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def _served(serve: Serve, pipe: Connection) -> int:
    try:
        serve(pipe)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0
