"""What draws in a process of its own. It needs nothing of the rest of the judge, so that a process
has little in memory but what it draws with."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable
from select import select

Draw = Callable[[bytes, int], bytes]
"""Makes a PNG of a note, in so many bytes if it can; raises ValueError where it cannot at all."""

ROOM = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "524288"}
"""What glibc is told by the environment, mallopt(3): to let the memory of a large picture go when
it is drawn, where it would keep more and more of it for the next one. Others do not know it."""


def program(draw: Draw, line: int, quiet: float | None) -> list[str]:
    """Return the command of a process that serves the socket whose number is `line` by `draw`,
    which is a function of a module."""
    source = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve"
    named = f"import {draw.__module__} as there"
    called = f"serve({line}, there.{draw.__qualname__}, {quiet!r})"
    return [sys.executable, "-c", f"{source}; {named}; {called}"]


def serve(line: int, draw: Draw, quiet: float | None = None) -> None:
    """Draw what is asked for over the socket of that number until nobody is there to ask, or asks
    for so many seconds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=line) as asks:
        try:
            while select([asks], [], [], quiet)[0]:
                send(asks, _answer(draw, receive(asks)))
        except OSError:
            return


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


def send(to: socket.socket, data: bytes) -> None:
    """Send bytes as one message. Raises OSError."""
    to.sendall(len(data).to_bytes(_SIZE, "big") + data)


def receive(of: socket.socket) -> bytes:
    """Return the next message. Raises OSError where the other end has hung up."""
    return _received(of, int.from_bytes(_received(of, _SIZE), "big"))


def _received(of: socket.socket, size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        part = of.recv(min(size - len(found), 1 << 16))
        if not part:
            raise ConnectionError("the other end has hung up")
        found += part
    return bytes(found)
