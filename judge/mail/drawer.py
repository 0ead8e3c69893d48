"""What draws in a process of its own. It needs nothing of the rest of the judge, so that a process
has little in memory but what it draws with."""

from __future__ import annotations

import select
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection

from judge.memory import give_back

Draw = Callable[[bytes, int], bytes]
"""Makes a PNG of a note, in so many bytes if it can; raises ValueError where it cannot at all."""

_MOMENT = 0.5
"""Seconds without a question after which what is free is given back: while pictures are asked for,
pages that come and go would cost a third of the time that drawing takes."""


def serve(asks: Connection, draw: Draw, seconds: float, quiet: float | None = None) -> None:
    """Draw what is asked for until nobody is there to ask, or asks for `quiet` seconds. A picture
    that takes longer than `seconds` ends the process."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    # `asks.poll` would make another one for each question.
    asked = select.poll()
    asked.register(asks, select.POLLIN)
    with suppress(EOFError, OSError), asks:
        while _is_asked(asked, quiet):
            what = asks.recv_bytes()
            signal.setitimer(signal.ITIMER_REAL, seconds)
            answer = _answer(draw, what)
            signal.setitimer(signal.ITIMER_REAL, 0)
            asks.send_bytes(answer)


def _is_asked(asked: select.poll, quiet: float | None) -> bool:
    if asked.poll(_MOMENT * 1_000):
        return True
    give_back()
    return bool(asked.poll(None if quiet is None else quiet * 1_000))


def _answer(draw: Draw, asked: bytes) -> bytes:
    try:
        return _GOOD + draw(asked[_SIZE:], int.from_bytes(asked[:_SIZE], "big"))
    except Exception as error:  # whatever a note makes of the libraries that draw
        return _BAD + repr(error).encode(errors="replace")


def question(note: bytes, most: int) -> bytes:
    """Return what asks for the picture of a note in so many bytes."""
    return most.to_bytes(_SIZE, "big") + note


def picture(answer: bytes) -> bytes:
    """Return the picture in an answer. Raises ValueError where there is none."""
    if answer[:1] != _GOOD:
        raise ValueError(answer[1:].decode())
    return answer[1:]


_GOOD, _BAD = b"+", b"-"

_SIZE = 4
"""The bytes that say a number."""
