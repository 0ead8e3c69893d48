"""What work costs: seconds of the processor, and memory."""

from __future__ import annotations

import gc
import os
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from benchmarks.selfplay import Turn, movements
from judge.storage import Storage
from judge.storage.databases import Postgresql
from judge.variants import load as load_board


class Meter:
    """Counts the processor's seconds of this process and, for PostgreSQL, of the server's."""

    def __init__(self, storage: Storage, *, own: bool = True) -> None:
        """`storage` is an open database; its server runs on this machine and serves nobody else.
        Without `own`, what it does for this connection to it is left out."""
        backend = _backend(storage)
        self._master = _parent(backend) if backend else 0
        self._left_out = 0 if own else backend
        self._last: dict[int, float] = {}
        self._server = 0.0
        self.served()

    def served(self) -> float:
        """Seconds of the server so far, from an instant that is always the same; 0 for SQLite."""
        if self._master:
            served = (pid for pid in _children(self._master) if pid != self._left_out)
            now = {pid: _seconds(pid) for pid in served}
            self._server += sum(took - self._last.get(pid, 0.0) for pid, took in now.items())
            self._last = now
        return self._server

    def spent(self) -> float:
        """The same with those of this process."""
        return self.served() + time.process_time()

    def of(self, work: Callable[[], object]) -> float:
        """Seconds that `work` takes. Looking after the server takes milliseconds, and is left
        out."""
        server, before = self.served(), time.process_time()
        work()
        own = time.process_time() - before
        return own + self.served() - server


def memory(pid: int) -> float:
    """How much memory a process and those below it take, in megabytes; what they share counts
    once."""
    return sum(map(_memory, (pid, *_descendants(pid))))


def _memory(pid: int) -> float:
    with suppress(ProcessLookupError, FileNotFoundError):
        # One that has just ended has none.
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def switches(pid: int) -> dict[Path, int]:
    """How often each thread of a process and of those below it has gone to wait for something."""
    found = {}
    for each in (pid, *_descendants(pid)):
        for status in Path(f"/proc/{each}/task").glob("*/status"):
            with suppress(OSError):
                # One that has just ended waits for nothing.
                lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
                found[status] = int(lines["voluntary_ctxt_switches"])
    return found


def processor(pid: int) -> float:
    """Seconds of the processor that a process and those below it have had."""
    return sum(map(_processor, (pid, *_descendants(pid))))


def _processor(pid: int) -> float:
    # What it waited for, too: a child may have ended since.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def load() -> str:
    """How busy the machine is: processes that want a core, over the last minute, and cores."""
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def calibration() -> str:
    """How fast the machine is just now, on a hundred movement phases; "" where the package that
    tells is not installed."""
    spent = package_cost(movements(load_board("standard"), 7, 1902, 1907, 100))
    return f"{spent:.0f} µs" if spent else ""


def package_cost(turns: Sequence[Turn]) -> float:
    """Microseconds that the package `diplomacy` needs to process a movement phase of the standard
    board; 0 where it is not installed."""
    with warnings.catch_warnings():
        # The package leaves a file of its own open.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            from benchmarks import peer
        except ImportError:
            return 0.0
        board = load_board("standard").board
        # What else is loaded here would cost the package its time: twice as much, looked through by
        # the garbage collector again and again.
        gc.collect()
        gc.freeze()
        for _ in range(2):
            games = [peer.game(peer.line(turn, board)) for turn in turns]
            start = time.process_time()
            for game in games:
                game.process()
            # The first time it fills caches of its own.
            spent = time.process_time() - start
        gc.unfreeze()
    return spent / len(games) * 1e6


def _backend(storage: Storage) -> int:
    """The server's process for the connection of this thread; 0 for SQLite."""
    engine = storage._engine
    if not isinstance(engine, Postgresql):
        return 0
    backend: int = engine.database.execute_sql("SELECT pg_backend_pid()").fetchone()[0]
    return backend


def _parent(pid: int) -> int:
    # The name of the program, in parentheses, may hold anything.
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _children(master: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and _parent(int(entry.name)) == master:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def _descendants(pid: int) -> list[int]:
    children = _children(pid)
    return children + [each for child in children for each in _descendants(child)]


def _seconds(pid: int) -> float:
    """https://docs.kernel.org/scheduler/sched-stats.html: nanoseconds on the processor."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0.0
