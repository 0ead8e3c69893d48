"""A mail server in trouble."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable

HARMLESS = (
    *("closed", "garbage", "dropped, closed", "451 try later", "452 full", "421 going down"),
    *("garbled", "not kept, silence", "kept, then closed", "kept, then silence"),
)
"""What may happen to a letter that gets there in the end."""


class Post:
    """A mail server that misbehaves as it is told, a letter at a time, and keeps what it has."""

    def __init__(self) -> None:
        self.ways: list[str] = []
        """What it does with the next connections or letters; after that it behaves."""
        self.shut = False
        """Whether it talks to nobody."""
        self.always = ""
        """What it does with every letter, whatever `ways` say; "hang": it never greets anybody."""
        self.kept: list[tuple[str, str]] = []
        """Recipient and Message-ID of each letter that it has, as often as it has it."""
        self.secret: list[str] = []
        """The Message-IDs of those which it has without having said so, as often as it has them."""
        self.refused: list[str] = []
        """The Message-IDs of those which it will never take."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _is_shut(self) -> bool:
        return self.shut

    def _hangs(self) -> bool:
        return self.always == "hang"

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._talk, args=(client,), daemon=True).start()

    def _talk(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client, client.makefile("rb") as lines:

            def say(text: str) -> None:
                client.sendall(text.encode("latin-1") + b"\r\n")

            if self._is_shut():
                return
            while self._hangs():
                time.sleep(0.1)
            if self.ways[:1] == ["closed"]:
                self.ways.pop(0)
                return
            if self.ways[:1] == ["garbage"]:
                self.ways.pop(0)
                say("\x00\xffHTTP/1.1 400 Bad Request")
                return
            say("220 post.example")
            recipient = ""
            for line in lines:
                if self._is_shut():
                    return
                word = line.split()[0].upper() if line.split() else b""
                if word == b"DATA":
                    if self._take(lines, recipient, say):
                        return
                elif word == b"QUIT":
                    say("221 bye")
                    return
                else:
                    if word == b"RCPT":
                        recipient = line.decode().partition("<")[2].partition(">")[0]
                    say("250 OK")

    def _take(self, lines: object, recipient: str, say: Callable[[str], None]) -> bool:
        """Take a letter, and behave; whether the connection is over."""
        say("354 go on")
        raw = b"".join(iter(lines.readline, b".\r\n"))  # type: ignore[attr-defined]
        message_id = raw.partition(b"\nMessage-ID: ")[2].partition(b"\r")[0].decode()
        way = self.always or (self.ways.pop(0) if self.ways else "250 OK")
        if way.startswith(("kept", "250")):
            self.kept.append((recipient, message_id))
        if way.startswith("kept"):
            self.secret.append(message_id)
        if way.startswith("5"):
            self.refused.append(message_id)
        if way.endswith("silence"):
            # Most of those who wait have had enough sooner.
            time.sleep(10)
            return True
        if way.endswith("closed"):
            return True
        if way == "garbled":
            say("\x80\x81 what?")
            return True
        say(way)
        return way.startswith("421")
