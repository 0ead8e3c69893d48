"""Pictures in letters, drawn on the way out.

A letter waits in the outbox with a note of what its pictures show. So the transaction that causes a
letter does not wait for its picture, and a letter that nobody gets is never drawn.
"""

from __future__ import annotations

import base64
import ctypes
import logging
import os
import signal
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Condition, Thread

NOTE = "application/x-judge-board"
"""The type of a picture that is still to be drawn: a note of what it shows."""

_AS_IS = compat32.clone(linesep="\r\n", max_line_length=None)
"""Header fields stay as they are, byte by byte."""

log = logging.getLogger(__name__)

Draw = Callable[[bytes, int], bytes]
"""Makes a PNG of a note, in so many bytes if it can; raises ValueError where it cannot at all."""

_MOST, _STEP = 70_000, 4_000
"""The most bytes of a picture, and the steps in which it gets fewer: what many readers see is drawn
once, though their letters differ by a few bytes."""


def draw_pictures(raw: bytes, draw: Draw) -> bytes:
    """Return the letter with its pictures as PNG, all else as it is.

    The type of a note may say how many bytes the letter is to have at `most`. A picture that cannot
    be drawn stays away; the letter says in words what it shows.
    """
    if NOTE.encode() not in raw:
        return raw
    message = message_from_bytes(raw, policy=_AS_IS)
    notes = [part for part in message.walk() if part.get_content_type() == NOTE]
    rest = len(raw) - sum(len(str(part.get_payload())) for part in notes)
    for part in notes:
        letter = str(part.get_param("most", ""))
        room = _room(int(letter) - rest) if letter.isdecimal() else _MOST
        _replace(part, draw, room)
    return message.as_bytes(policy=_AS_IS)


def _room(encoded: int) -> int:
    """How many bytes of a picture become so many in base64 (RFC 2045 section 6.8)."""
    bytes_ = encoded * 76 // 78 * 3 // 4
    return max(_STEP, min(_MOST, bytes_ - bytes_ % _STEP))


def _replace(part: Message, draw: Draw, room: int) -> None:
    data = part.get_payload(decode=True)
    try:
        picture = draw(data if isinstance(data, bytes) else b"", room)
    except ValueError as error:
        log.warning("a picture is left out: %s", error)
        picture = b""
    part.replace_header("Content-Type", "image/png")
    part.set_payload(base64.encodebytes(picture).decode())


class Apart:
    """Draws in processes of their own, at most one a core, which are started when there is
    something to draw and end when there has been nothing for a while: so drawing delays no message,
    nothing in a picture can stop the judge, and a judge that rests has no memory for it. Safe to
    use from any thread.

    What was drawn is kept, so that what many readers see is drawn once.
    """

    def __init__(
        self, draw: Draw, seconds: float = 60.0, kept: int = 200, quiet: float = 60.0
    ) -> None:
        """`draw` is a function of a module; a picture may take `seconds`, so many are `kept`, and
        after `quiet` seconds without work a process ends."""
        self._draw, self._seconds, self._most_kept, self._quiet = draw, seconds, kept, quiet
        self._most = os.cpu_count() or 1
        self._kept: OrderedDict[tuple[bytes, int], bytes] = OrderedDict()
        self._drawing: set[tuple[bytes, int]] = set()
        self._idle: list[Connection] = []
        self._processes: dict[Connection, SpawnProcess] = {}
        self._begun = 0
        self._changed = Condition()

    def __call__(self, note: bytes, most: int = _MOST) -> bytes:
        """Draw a note in so many bytes, if it can be. Raises ValueError where it cannot be drawn,
        or not in time."""
        key = note, most
        with self._changed:
            while key in self._drawing or (key not in self._kept and self._begun >= self._most):
                self._changed.wait()
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            self._drawing.add(key)
            self._begun += 1
        try:
            picture = self._asked(key)
        finally:
            with self._changed:
                self._begun -= 1
                self._drawing.discard(key)
                self._changed.notify_all()
        with self._changed:
            self._kept[key] = picture
            while len(self._kept) > self._most_kept:
                self._kept.popitem(last=False)
        return picture

    def _asked(self, key: tuple[bytes, int]) -> bytes:
        try:
            pipe = self._sent(key)
        except OSError as error:
            raise ValueError(f"no process that draws can be had: {error!r}") from error
        try:
            if not pipe.poll(self._seconds):
                raise ValueError(f"it took more than {self._seconds:g} seconds")
            good, answer = pipe.recv()
        except (OSError, EOFError) as error:
            self._end(pipe)
            raise ValueError(f"the process that draws has ended: {error!r}") from error
        except ValueError:
            self._end(pipe)
            raise
        with self._changed:
            self._idle.append(pipe)
        if not good:
            raise ValueError(answer)
        picture: bytes = answer
        return picture

    def _sent(self, key: tuple[bytes, int]) -> Connection:
        """Send a note to a process that waits, or to a new one where none does any more."""
        while True:
            with self._changed:
                pipe = self._idle.pop() if self._idle else None
            if pipe is None:
                pipe = self._started()
                pipe.send(key)
                return pipe
            with suppress(OSError):
                # One that ends just now has hung up: it says nothing before it is asked.
                if not pipe.poll(0):
                    pipe.send(key)
                    return pipe
            self._end(pipe)

    def _started(self) -> Connection:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        arguments = theirs, self._draw, self._quiet
        process = context.Process(target=_serve, args=arguments, daemon=True)
        process.start()
        theirs.close()
        # What has ended is to be waited for, or the system keeps a note of it.
        Thread(target=process.join, name="drawing", daemon=True).start()
        with self._changed:
            self._processes[ours] = process
        return ours

    def _end(self, pipe: Connection) -> None:
        with self._changed:
            process = self._processes.pop(pipe, None)
        pipe.close()
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the processes that draw nothing now; the next picture starts another one."""
        with self._changed:
            idle, self._idle = self._idle, []
        for pipe in idle:
            self._end(pipe)


def _serve(pipe: Connection, draw: Draw, quiet: float | None = None) -> None:
    """Draw what is asked for until nobody is there to ask, or asks for so many seconds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _give_back_large_blocks()
    while True:
        try:
            if not pipe.poll(quiet):
                return
            note, most = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = True, draw(note, most)
        except Exception as error:  # whatever a note makes of the libraries that draw
            pipe.send((False, f"{error!r}"))
        else:
            pipe.send(answer)


def _give_back_large_blocks() -> None:
    """Let the memory of a large picture go when it is drawn (mallopt(3)): else glibc keeps more and
    more of it for the next one. Other C libraries have no such word."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, 1 << 19)


_MMAP_THRESHOLD = -3
"""`M_MMAP_THRESHOLD` of malloc.h."""
