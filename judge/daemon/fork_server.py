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
    """Forks processes that call `serve`, one at a time. A server that has ended is replaced."""

    def __init__(self, serve: Serve) -> None:
        """Start the server. Where this process has threads already it cannot be forked, and what
        `serve` is must be picklable."""
        self._serve = serve
        self._start()

    def fork(self) -> Forked:
        """Fork a process; the one before has ended. Raises OSError, EOFError."""
        if not self._process.is_alive():
            self.close()
            self._start()
        ours, theirs = Pipe()
        with theirs:
            send_handle(self._pipe, theirs.fileno(), self._process.pid)
        return Forked(self._pipe.recv(), ours, self._pipe)

    def close(self) -> None:
        """End the server; what it has forked has ended."""
        self._pipe.close()
        self._process.kill()
        self._process.join()

    def _start(self) -> None:
        # To look for garbage writes into each object, which would then be shared no more.
        gc.collect()
        gc.freeze()
        self._pipe, theirs = Pipe()
        kind = SpawnProcess if _has_threads() else ForkProcess
        self._process = kind(target=_fork_on_demand, args=(theirs, self._serve), daemon=True)
        self._process.start()
        theirs.close()


def _has_threads() -> bool:
    """Whether this process has more than one thread, or may have where the system does not tell."""
    try:
        return len(list(Path("/proc/self/task").iterdir())) > 1
    except OSError:
        return True


# -- in the server and in what it forks ----------------------------------------------------------


def _fork_on_demand(pipe: Connection, serve: Serve) -> None:
    """Fork a process for each pipe that is handed over, until the process that asks has ended."""
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
        pipe.send(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def _served(serve: Serve, pipe: Connection) -> int:
    try:
        serve(pipe)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0
