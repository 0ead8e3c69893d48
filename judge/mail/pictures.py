"""Pictures in letters, drawn on the way out.

A letter waits in the outbox with a note of what its pictures show. So the transaction that causes a
letter does not wait for its picture, and a letter that nobody gets is never drawn.
"""

from __future__ import annotations

import base64
import logging
import signal
from collections.abc import Callable
from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from functools import lru_cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Lock

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
    """Draws in a process of its own, which is started when there is something to draw: so drawing
    delays no message, and nothing in a picture can stop the judge. Safe to use from any thread.

    What was drawn is kept, so that what many readers see is drawn once.
    """

    def __init__(self, draw: Draw, seconds: float = 60.0, kept: int = 200) -> None:
        """`draw` is a function of a module; a picture may take `seconds`, and so many are kept."""
        self._draw, self._seconds = draw, seconds
        self._kept = lru_cache(kept)(self._asked)
        self._lock = Lock()
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def __call__(self, note: bytes, most: int = _MOST) -> bytes:
        """Draw a note in so many bytes, if it can be. Raises ValueError where it cannot be drawn,
        or not in time."""
        with self._lock:
            return self._kept(note, most)

    def _asked(self, note: bytes, most: int) -> bytes:
        try:
            pipe = self._started()
            pipe.send((note, most))
            if not pipe.poll(self._seconds):
                raise ValueError(f"it took more than {self._seconds:g} seconds")
            good, answer = pipe.recv()
        except (OSError, EOFError) as error:
            self._end()
            raise ValueError(f"the process that draws has ended: {error!r}") from error
        except ValueError:
            self._end()
            raise
        if not good:
            raise ValueError(answer)
        picture: bytes = answer
        return picture

    def _started(self) -> Connection:
        if self._pipe is None:
            context = get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs, self._draw), daemon=True)
            self._process.start()
            theirs.close()
        return self._pipe

    def _end(self) -> None:
        if self._process is not None and self._pipe is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()
        self._process = self._pipe = None

    def close(self) -> None:
        """End the process; the next picture starts another one."""
        with self._lock:
            self._end()


def _serve(pipe: Connection, draw: Draw) -> None:
    """Draw what is asked for until nobody is there to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            note, most = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = True, draw(note, most)
        except Exception as error:  # whatever a note makes of the libraries that draw
            pipe.send((False, f"{error!r}"))
        else:
            pipe.send(answer)
