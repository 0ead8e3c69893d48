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
from collections.abc import Callable, Mapping
from multiprocessing import Pipe, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess, SpawnProcess
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path
from threading import Lock

from msgspec import Struct

from judge.memory import give_back

Serve = Callable[[Connection], None]
"""What a forked process does with its end of the pipe, until it ends."""


class Service(Struct, frozen=True):
    """What a forked process is for; `load` is called once, before the first of them is forked, and
    loads what they share."""

    serve: Serve
    load: Callable[[], object] | None = None


class Forked(Struct, frozen=True):
    """A process that was forked. For one thread, except for `kill`."""

    pid: int
    pipe: Connection
    """To what it serves."""
    _ended: Connection
    """Tells the exit status."""

    @property
    def alive(self) -> bool:
        """Whether it has not ended, nor its server."""
        return not self._ended.poll(0)

    def kill(self) -> None:
        """End it in the middle of what it does."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def end(self, patience: float = 5) -> int:
        """Hang up, and kill it if it has not ended after so many seconds. It is called once.
        Returns the exit status, or the negative number of the signal that ended it."""
        self.pipe.close()
        with self._ended as ended:
            if not ended.poll(patience):
                self.kill()
            try:
                status: int = ended.recv()
            except (EOFError, OSError):
                # The server that would know is gone.
                self.kill()
                return -signal.SIGKILL
        return status


class ForkServer:
    """Forks processes that serve, each by itself. A server that has ended is replaced. For any
    thread."""

    def __init__(self, services: Mapping[str, Service]) -> None:
        """Start the server. Where this process has threads already it cannot be forked: then it is
        started when it is first needed, and the services must be picklable."""
        self._services = services
        self._lock = Lock()
        self._process: BaseProcess | None = None
        if not _has_threads():
            self._start(ForkProcess)

    def fork(self, service: str) -> Forked:
        """Fork a process for one of the services. Raises OSError, EOFError."""
        with self._lock:
            if self._process is None or not self._process.is_alive():
                self._close()
                self._start(SpawnProcess if _has_threads() else ForkProcess)
            assert self._process is not None
            assert self._process.pid is not None
            # Now, for a server that is forked from here would keep them open.
            (pipe, theirs), (ended, teller) = Pipe(), Pipe(duplex=False)
            with theirs, teller:
                self._pipe.send(service)
                for each in (theirs, teller):
                    send_handle(self._pipe, each.fileno(), self._process.pid)
                return Forked(self._pipe.recv(), pipe, ended)

    def close(self) -> None:
        """End the server; nobody waits for what it has forked."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._process is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()
            self._process = None

    def _start(self, kind: type[ForkProcess | SpawnProcess]) -> None:
        _freeze()
        self._pipe, theirs = Pipe()
        ours = self._pipe if kind is ForkProcess else None
        self._process = kind(
            target=_fork_on_demand, args=(theirs, ours, self._services), daemon=True
        )
        self._process.start()
        theirs.close()


def _freeze() -> None:
    """Look for garbage no more among what there is: that writes into each object, which would then
    be shared no more. What is free is nobody's."""
    gc.collect()
    gc.freeze()
    give_back()


def _has_threads() -> bool:
    """Return whether this process has more than one thread, or may have where the system does not
    tell."""
    try:
        return len(list(Path("/proc/self/task").iterdir())) > 1
    except OSError:
        return True


# -- in the server and in what it forks ----------------------------------------------------------


def _fork_on_demand(
    pipe: Connection, asking: Connection | None, services: Mapping[str, Service]
) -> None:
    """Fork a process for each service that is asked for, and tell how it has ended, until the
    process that asks has, whose end of the pipe, `asking`, may have been inherited."""
    if asking is not None:
        # Else one that is killed while it asks would be waited for without end.
        asking.close()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Anyone who stops the daemon lets it finish what it does.
        signal.signal(number, signal.SIG_IGN)
    # A game at work has more objects at a time than that counts on, and leaves nothing behind.
    gc.set_threshold(10_000)
    parent, loaded = parent_process(), set[str]()
    assert parent is not None
    living: dict[Connection, tuple[int, Connection]] = {}
    """Processes, and whom to tell of their ends, by what is closed then."""
    while parent.sentinel not in (ready := wait([pipe, parent.sentinel, *living])):
        if pipe not in ready:
            for closed in ready:
                assert isinstance(closed, Connection)
                pid, teller = living.pop(closed)
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with closed, teller, contextlib.suppress(OSError):
                    teller.send(status)
            continue
        try:
            name = pipe.recv()
            theirs, teller = (Connection(recv_handle(pipe)) for _ in range(2))
        except EOFError:
            return
        service = services[name]
        if service.load is not None and name not in loaded:
            loaded.add(name)
            try:
                service.load()
            except Exception:
                # Each process may try by itself, and says what is wrong to anyone who asks it.
                traceback.print_exc()
            _freeze()
        closed, held = Pipe(duplex=False)
        if (pid := os.fork()) == 0:
            for each in (pipe, teller, closed, *living, *(told for _, told in living.values())):
                each.close()
            os._exit(_served(service.serve, theirs))
        theirs.close()
        held.close()
        living[closed] = pid, teller
        pipe.send(pid)


def _served(serve: Serve, pipe: Connection) -> int:
    try:
        serve(pipe)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0
