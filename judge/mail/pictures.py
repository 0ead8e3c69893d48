"""Pictures in letters, drawn on the way out.

A letter waits in the outbox with a note of what its pictures show. So the transaction that causes a
letter does not wait for its picture, and a letter that nobody gets is never drawn.
"""

from __future__ import annotations

import base64
import logging
import os
import re
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from multiprocessing.connection import Connection
from threading import Condition, Lock

from judge.mail.compose import shown_width, text_part
from judge.mail.drawer import Draw, picture, question

NOTE = "application/x-judge-board"
"""The type of a picture that is still to be drawn: a note of what it shows."""

_AS_IS = compat32.clone(linesep="\r\n", max_line_length=None)
"""Header fields stay as they are, byte by byte."""

log = logging.getLogger(__name__)

_MOST, _STEP = 78_000, 1_000
"""The most bytes of a picture, and the steps in which it gets fewer: what many readers see is drawn
once, though their letters differ by a few bytes."""


def draw_pictures(raw: bytes, draw: Draw) -> bytes:
    """Return the letter, one of ours, with its pictures as PNG, all else as it is.

    The type of a note may say how many bytes the letter is to have at `most`; one that has fewer
    pixels for it than was thought is shown smaller, as sharp. A picture that cannot be drawn stays
    away; the letter says in words what it shows.
    """
    if NOTE.encode() not in raw:
        return raw
    # To take a whole letter apart takes as long as all else that is done to send it. Its boundaries
    # differ in a digit, and nobody could know them when he wrote what stands in it.
    boundary = BytesHeaderParser().parsebytes(raw.partition(_END * 2)[0]).get_boundary("")
    parts = re.split(rb"\r\n--(?==\d%b)" % re.escape(boundary[2:].encode()), raw)
    pages = [k for k, each in enumerate(parts) if _PAGE.match(each.partition(_END)[2])]
    named = {k: _part(each) for k, each in enumerate(parts) if NOTE.encode() in each}
    notes = {k: part for k, part in named.items() if part.get_content_type() == NOTE}
    rest = len(raw) - sum(len(str(part.get_payload())) for part in notes.values())
    for k, part in notes.items():
        letter = str(part.get_param("most", ""))
        room = _room((int(letter) - rest) // len(notes)) if letter.isdecimal() else _MOST
        picture = _drawn(part, draw, room)
        head, _, _ = parts[k].partition(_END * 2)
        data = base64.encodebytes(picture).replace(b"\n", _END)
        parts[k] = _TYPE.sub(rb"\g<1>image/png", head, count=1) + _END * 2 + data
        for page in pages if picture else ():
            parts[page] = _narrowed(parts[page], str(part["Content-ID"]), picture)
    return b"\r\n--".join(parts)


_TYPE = re.compile(rb"(\r\ncontent-type: )[^\r]*(?:\r\n[ \t][^\r]*)*", re.IGNORECASE)
_WIDTH = re.compile(rb'\A"\d+("[^>]*;max-width:)\d+px')
_PAGE = re.compile(rb"content-type: text/html\b", re.IGNORECASE)


def _narrowed(found: bytes, cid: str, picture: bytes) -> bytes:
    """Return part of a letter with its page, which shows a picture no wider than it is sharp."""
    boundary, end, part = found.partition(_END)
    # PNG begins with its width (PNG specification, IHDR).
    wide = b"%d" % shown_width(int.from_bytes(picture[16:20], "big"))
    shown = b'cid:%b" width=' % cid.strip("<>").encode()
    # Most pictures are as wide as was foreseen: then the page is not decoded.
    _, _, foreseen = part.replace(b"=" + _END, b"").partition(shown)
    if not foreseen or foreseen.removeprefix(b"3D").startswith(b'"%b"' % wide):
        return found
    page = _part(found).get_payload(decode=True)
    assert isinstance(page, bytes)
    first, *others = page.split(shown)
    others = [_WIDTH.sub(rb'"%b\g<1>%bpx' % (wide, wide), each, count=1) for each in others]
    page = shown.join([first, *others])
    return boundary + end + text_part(page.replace(_END, b"\n"), "html")


_END = b"\r\n"


def _part(found: bytes) -> Message:
    """Return the part of a letter behind the line that begins it."""
    return message_from_bytes(found.partition(_END)[2], policy=_AS_IS)


def _room(encoded: int) -> int:
    """Return how many bytes of a picture become so many in base64 (RFC 2045 section 6.8)."""
    bytes_ = encoded * 76 // 78 * 3 // 4
    return max(_STEP, min(_MOST, bytes_ - bytes_ % _STEP))


def _drawn(part: Message, draw: Draw, room: int) -> bytes:
    data = part.get_payload(decode=True)
    try:
        return draw(data if isinstance(data, bytes) else b"", room)
    except ValueError as error:
        log.warning("a picture is left out: %s", error)
        return b""


class Apart:
    """Draws in processes of their own, at most one a core, which are started when there is
    something to draw and end when there has been nothing for a while: so drawing delays no message,
    nothing in a picture can stop the judge, and a judge that rests has no memory for it. Safe to
    use from any thread.

    What was drawn is kept, so that what many readers see is drawn once.
    """

    def __init__(
        self,
        started: Callable[[], Connection],
        seconds: float = 60.0,
        kept: int = 40,
        alike: Callable[[bytes], bytes] = bytes,
    ) -> None:
        """`started` starts a process that serves the connection it returns by `drawer.serve`, and
        raises OSError or EOFError where none can be had. A picture may take `seconds`, so many are
        `kept`. `alike` tells what is alike in notes of one board."""
        self._alike = alike
        self._start, self._seconds, self._most_kept = started, seconds, kept
        self._most = os.cpu_count() or 1
        self._kept: OrderedDict[tuple[bytes, int], bytes] = OrderedDict()
        self._drawing: set[tuple[bytes, int]] = set()
        self._idle: list[tuple[Connection, bytes]] = []
        """The processes that wait, and what each has drawn last: it has much of that board."""
        self._begun = 0
        self._changed, self._starting = Condition(), Lock()

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
            line = self._sent(key)
        except (EOFError, OSError) as error:
            raise ValueError(f"no process that draws can be had: {error!r}") from error
        try:
            answer = line.recv_bytes() if line.poll(self._seconds) else None
        except (EOFError, OSError) as error:
            line.close()
            raise ValueError(f"the process that draws has ended: {error!r}") from error
        if answer is None:
            # The process ends by itself.
            line.close()
            raise ValueError(f"it took more than {self._seconds:g} seconds")
        with self._changed:
            self._idle.append((line, self._alike(key[0])))
        return picture(answer)

    def _sent(self, key: tuple[bytes, int]) -> Connection:
        """Send a question to a process that waits, at best to one that has drawn the same board, or
        to a new one where none does any more."""
        asked, board = question(*key), self._alike(key[0])
        while True:
            with self._changed:
                self._idle.sort(key=lambda idle: idle[1] == board)
                line, _ = self._idle.pop() if self._idle else (None, b"")
            if line is None:
                with self._starting:
                    line = self._start()
                line.send_bytes(asked)
                return line
            with suppress(OSError):
                # One that ends just now has hung up: it says nothing before it is asked.
                if not line.poll(0):
                    line.send_bytes(asked)
                    return line
            line.close()

    def close(self) -> None:
        """End the processes that draw nothing now; the next picture starts another one."""
        with self._changed:
            idle, self._idle = self._idle, []
        for line, _ in idle:
            line.close()
