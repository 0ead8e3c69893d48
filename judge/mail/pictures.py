"""Pictures in letters, drawn on the way out.

A letter waits in the outbox with a note of what its pictures show. So the transaction that causes a
letter does not wait for its picture, and a letter that nobody gets is never draw_pictures.
"""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable
from email import message_from_bytes
from email.message import Message
from email.policy import compat32

from judge.mail.transport import Transport

NOTE = "application/x-judge-board"
"""The type of a picture that is still to be draw_pictures: a note of what it shows."""

_AS_IS = compat32.clone(linesep="\r\n", max_line_length=None)
"""Header fields stay as they are, byte by byte."""

log = logging.getLogger(__name__)

Draw = Callable[[bytes], bytes]
"""Makes a PNG or a GIF of a note; raises ValueError where it cannot."""


def draw_pictures(raw: bytes, draw: Draw) -> bytes:
    """Return the letter with its pictures as PNG or GIF, all else as it is.

    A picture that cannot be draw_pictures stays away; the letter says in words what it shows.
    """
    if NOTE.encode() not in raw:
        return raw
    message = message_from_bytes(raw, policy=_AS_IS)
    for part in message.walk():
        if part.get_content_type() == NOTE:
            _replace(part, draw)
    return message.as_bytes(policy=_AS_IS)


def _replace(part: Message, draw: Draw) -> None:
    data = part.get_payload(decode=True)
    try:
        picture = draw(data if isinstance(data, bytes) else b"")
    except ValueError as error:
        log.warning("a picture is left out: %s", error)
        picture = b""
    kind = "gif" if picture.startswith(b"GIF8") else "png"
    part.replace_header("Content-Type", f"image/{kind}")
    if name := part.get_filename():
        # A picture that was to move may have become one that stands still.
        name = f"{name.rpartition('.')[0]}.{kind}"
        part.set_param("filename", name, "Content-Disposition", replace=True)
    part.set_payload(base64.encodebytes(picture).decode())


class DrawingTransport:
    """A way out that draws the pictures of letters before it hands them on."""

    def __init__(self, transport: Transport, draw: Draw) -> None:
        self._transport = transport
        self._draw = draw

    def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
        """Draw the pictures and hand the letter on; as `Transport.deliver`."""
        self._transport.deliver(draw_pictures(raw, self._draw), recipient, message_id, sender)

    def close(self) -> None:
        """Let go of connections."""
        self._transport.close()
