"""The process in which messages and games are processed, apart from what receives and sends.

The daemon decides what is processed next, and gives each piece of work a budget. What exceeds it,
or breaks the process, ends that process alone; the next piece of work gets another one.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import resource
import select
import signal
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial
from math import ceil, inf
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path
from typing import Any

from msgspec import Struct

from judge import logs, render, variants
from judge.config import Config
from judge.daemon.fork_server import Forked, ForkServer, Service
from judge.intake.addressees import is_for_stranger, letters
from judge.intake.command import said_elsewhere
from judge.language.names import Names
from judge.mail import drawer
from judge.mail.message import parse
from judge.maps import shelf
from judge.maps.atlas import drawing_of
from judge.maps.notes import load_drawing, picture_of
from judge.messages import html_message
from judge.service import Judge
from judge.storage import Lacking, StorageError, Unavailable

log = logging.getLogger(__name__)

GAME = 30
"""How many times the processor time of a message what is due in a game may take."""

STILL = 600
"""Seconds of waiting in which the process uses no processor time, after which it counts as dead."""

GRACE = 0.5
"""Seconds to wait when the process has died: anyone who kills the whole judge kills this process,
too."""

QUIET = 60.0
"""Seconds without anything to do after which a process ends: a new one shares what the old one had
for itself, 40 MB with what works messages, whose next message takes 40 milliseconds more."""

WORK, DRAW = "work", "draw"
"""What processes are forked for."""

_NO_MEMORY = 3
"""Its exit status when there was not enough memory."""

Make = Callable[[Config, AbstractContextManager[object]], Judge]
"""Builds the judge that works in the process, from the configuration and its turn to write."""


class Died(Exception):
    """A piece of work ended the process that processed it; the message says how."""


class NotStarted(Exception):
    """The process could not be started; the message says why."""


class _Job(Struct, frozen=True):
    """What is to be called, with what, the processor time it may take, in seconds, and whether
    nobody else needs to hear what it writes."""

    name: str
    arguments: tuple[Any, ...]
    seconds: float
    about: dict[str, object]
    alone: bool


class Shared:
    """A file by which two processes share the turn to write to a SQLite database, and whether the
    work that was handed over has begun.

    Threads and processes queue for the turn, where they would poll SQLite's own lock. A process
    that dies gives it back (https://man7.org/linux/man-pages/man2/F_SETLK.2const.html).
    """

    def __init__(self, file: int) -> None:
        """`file` is the number of an open file that is there for nothing else."""
        self.file, self._threads = file, threading.Lock()

    def __enter__(self) -> None:
        self._threads.acquire()
        try:
            fcntl.lockf(self.file, fcntl.LOCK_EX)
        except BaseException:
            self._threads.release()
            raise

    def __exit__(self, *_: object) -> None:
        fcntl.lockf(self.file, fcntl.LOCK_UN)
        self._threads.release()

    @property
    def begun(self) -> bool:
        """Whether the work has begun."""
        return os.pread(self.file, 1, 0) == b"1"

    @begun.setter
    def begun(self, is_so: bool) -> None:
        os.pwrite(self.file, b"1" if is_so else b"0", 0)


class WorkProcess:
    """Works messages and games in a process of its own, which is started when it is needed.

    For one thread; `close` is for any. It is called like the `Judge` in it, raises what that
    raises, and Died.
    """

    def __init__(
        self, config: Config, server: ForkServer, shared: Shared, alone: Callable[[], bool]
    ) -> None:
        """`server` forks what `working` makes; `alone` is asked for `Storage.alone`."""
        self._config, self._server, self._shared, self._alone = config, server, shared, alone
        self.progress: Callable[[], None] = lambda: None
        """Called now and then while it works."""
        self._process: Forked | None = None
        self._ready = False
        self._busy = False
        self._worked = inf
        """When the process worked last, as `time.monotonic` tells; where it has not, for ever."""

    def process_message(self, mail_id: int) -> bool:
        """Do what `Judge.process_message` does, there."""
        return bool(self._call("process_message", mail_id, about={"mail": mail_id}))

    def hold(self, mail_id: int, problem: str) -> None:
        """Do what `Judge.hold` does, there."""
        self._call("hold", mail_id, problem, about={"mail": mail_id})

    def run_game(self, game_id: int, newest: int | None, by: datetime | None) -> bool:
        """Do what `Judge.run_game` does, there."""
        about: dict[str, object] = {"game_id": game_id}
        return bool(self._call("run_game", game_id, newest, by, about=about, times=GAME))

    def start(self) -> None:
        """Start the process, if there is none, or none but one that has been quiet for long,
        without waiting until it is ready. Raises NotStarted."""
        rests = time.monotonic() - self._worked > QUIET
        if self._process is not None and self._process.alive and not rests:
            return
        self.renew()
        try:
            self._process = self._server.fork(WORK)
            send_handle(self._process.pipe, self._shared.file, self._process.pid)
        except (EOFError, OSError) as error:
            raise NotStarted(f"the process that reads messages does not start: {error!r}") from None

    def renew(self) -> None:
        """End the process; what is processed next gets another one."""
        process, self._process = self._process, None
        self._ready, self._worked = False, inf
        if process is not None:
            process.end()

    def close(self) -> None:
        """End the process, in the middle of its work if it must be."""
        if self._busy and self._process is not None:
            self._process.kill()
        else:
            self.renew()

    def _call(self, name: str, *arguments: Any, about: dict[str, object], times: int = 1) -> Any:
        job = _Job(name, arguments, self._config.work.seconds * times, about, self._alone())
        self._busy = True
        try:
            while True:
                pipe = self._started()
                self._shared.begun = False
                try:
                    pipe.send(job)
                    return self._answer(pipe)
                except (EOFError, OSError):
                    if self._shared.begun:
                        died = self._ended(job)
                        break
                # That one died while it had nothing to do is no job's fault.
                self.renew()
        finally:
            self._busy, self._worked = False, time.monotonic()
        time.sleep(GRACE)
        raise Died(died)

    def _started(self) -> Connection:
        """Return the pipe to the process, which has said that it is ready. Raises NotStarted."""
        # That a process which was ready has ended shows when a job is handed to it.
        if not self._ready:
            self.start()
        assert self._process is not None
        pipe = self._process.pipe
        try:
            while not self._ready:
                if pipe.poll(1):
                    self._ready = self._result(*pipe.recv()) == "ready"
                self.progress()
        except (EOFError, OSError) as error:
            self.renew()
            raise NotStarted(f"the process that reads messages does not start: {error!r}") from None
        return pipe

    def _answer(self, pipe: Connection) -> Any:
        still, used = 0, 0.0
        # `pipe.poll` would make another one for each answer.
        ready = select.poll()
        ready.register(pipe, select.POLLIN)
        while not ready.poll(1_000):
            before, used = used, self._used()
            still = 0 if used > before else still + 1
            if still > STILL and self._process is not None:
                self._process.kill()
            self.progress()
        said, what = pipe.recv()
        if said == "last":
            self.renew()
            return what
        return self._result(said, what)

    def _result(self, said: str, what: Any) -> Any:
        if said == "lacking":
            raise Lacking(what)
        if said == "unavailable":
            raise Unavailable(what)
        if said == "failed":
            raise RuntimeError(what)
        return what

    def _used(self) -> float:
        """Processor time of the process so far, in any unit; 0 where this machine does not tell."""
        try:
            told = Path(f"/proc/{self._process.pid if self._process else 0}/stat").read_text()
            fields = told.rpartition(")")[2].split()
        except OSError:
            return 0
        return float(fields[11]) + float(fields[12])

    def _ended(self, job: _Job) -> str:
        """Return what ended the process, in words."""
        process, self._process = self._process, None
        self._ready = False
        assert process is not None
        code = process.end()
        if code == -signal.SIGXCPU:
            return f"It took more than {job.seconds:g} seconds of processor time."
        if code == _NO_MEMORY:
            return f"It needed more than {self._config.work.memory} MB of memory."
        if code < 0:
            return f"It ended the process that processed it (signal {-code})."
        return f"It ended the process that processed it (exit status {code})."


# -- in the process itself ----------------------------------------------------------------------


def working(config: Config, make: Make) -> Service:
    """Return what works in the process; `make` is a function of a module."""
    return Service(partial(_serve, config, make), partial(_load_work, config.judge.variants))


def _load_work(places: Sequence[Path]) -> None:
    """Load what most messages need: half a second's work, which no message waits for."""
    variants.configure(places)
    standard = variants.load("standard")
    Names.of(standard)
    drawing_of(standard)
    parse(b"From: ann@example.org\r\n\r\nHello\r\n")
    said_elsewhere("Hello")
    is_for_stranger("Hello")
    letters(["Hello"], standard)
    html_message.load(("reply", "results"))
    render.hour(datetime.now(UTC), "UTC")


def drawing(places: Sequence[Path], folder: str) -> Service:
    """Return what draws the boards of the places that are configured; what the processes keep for
    each other is in a folder, which is made when it is needed."""
    return Service(_draw, partial(_load_drawing, places, folder))


def _load_drawing(places: Sequence[Path], folder: str) -> None:
    variants.configure(places)
    Path(folder).mkdir(mode=0o700, exist_ok=True)
    os.environ[shelf.FOLDER] = folder
    load_drawing()


def _draw(pipe: Connection) -> None:
    drawer.serve(pipe, picture_of, _DRAWN_IN, QUIET)


_DRAWN_IN = 75.0
"""Seconds that a picture may take, which are more than anybody waits for it."""


def _serve(config: Config, make: Make, pipe: Connection) -> None:
    """Work what is asked for until nobody is there to ask."""
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    logs.set_up(config.log.level, form=config.log.format)
    variants.configure(config.judge.variants)
    # Anyone who stops the daemon hangs up, at any moment.
    with contextlib.suppress(EOFError, OSError):
        shared = Shared(recv_handle(pipe))
        try:
            judge = make(config, shared)
        except (StorageError, Unavailable) as error:
            pipe.send(("unavailable", str(error)))
            return
        most = _limit_memory(config.work.memory * 1_000_000)
        try:
            pipe.send(("done", "ready"))
            while True:
                job = pipe.recv()
                shared.begun = True
                pipe.send(_worked(judge, job, most))
        finally:
            judge.storage.close()


def _worked(judge: Judge, job: _Job, most: float) -> tuple[str, Any]:
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    _limit(resource.RLIMIT_CPU, ceil(used + job.seconds))
    judge.storage.alone = job.alone
    try:
        with logs.about(**job.about):
            answer = getattr(judge, job.name)(*job.arguments)
    except MemoryError:
        os._exit(_NO_MEMORY)
    except Lacking as error:
        return "lacking", str(error)
    except Unavailable as error:
        return "unavailable", str(error)
    except Exception:
        return "failed", traceback.format_exc()
    # Half of its memory is for each message, whatever others have left behind.
    return ("last" if _size() > most else "done"), answer


def _limit_memory(budget: int) -> float:
    """Let this process get no more than so many bytes on top; the size after which it has used up
    half of them. Where the system does not tell its size there is no limit."""
    _limit(resource.RLIMIT_CORE, 0)
    size = _size()
    if size:
        _limit(resource.RLIMIT_AS, size + budget)
    return size + budget / 2


def _limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    try:
        resource.setrlimit(what, (most, hard))
    except (OSError, ValueError) as error:
        # A stricter limit is set from outside, or anyone who set this up forbids it.
        log.warning("a limit of the process that reads messages cannot be set: %s", error)


def _size() -> int:
    """Return the bytes of addresses this process has; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _end_with_the_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
    os._exit(0)
