"""Somebody with a mail program, who sends by SMTP as a rule and reads a Maildir."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import localtime
from pathlib import Path

from judge.demo.clients import Client, ComposedMail, mutt
from judge.demo.mail_programs import Received
from judge.demo.server import vouched

Post = Callable[[bytes, str, str], None]
"""Sends a message from one address to another; after an OSError it is tried again."""

PATIENCE = 30.0
"""Seconds for which a mail program keeps trying while the server does not answer."""


def smtp(host: str, port: int) -> Post:
    """Return what sends through an SMTP server."""

    def post(message: bytes, sender: str, recipient: str) -> None:
        with smtplib.SMTP(host, port, timeout=10) as server:
            server.sendmail(sender, [recipient], message, ["BODY=8BITMIME"])

    return post


class Correspondent:
    """A name, an address, a mailbox and a mail program."""

    def __init__(
        self, name: str, address: str, mailbox: Path, post: Post, client: Client = mutt
    ) -> None:
        """`mailbox` is their Maildir; `client` writes their messages, and `post` sends them."""
        self.name = name
        self.address = address
        self.mailbox = mailbox
        self._post = post
        self._client = client
        self.sent: dict[str, str] = {}
        """What was typed into all messages sent, by Message-ID, in order."""
        self._seen: set[str] = set()

    def write(self, to: str, subject: str, text: str, answers: Received | None = None) -> None:
        """Send a message, as a reply that quotes `answers` if that is given.

        If the server does not answer, it is tried again with the same Message-ID, so that it counts
        once however often it arrives. Raises OSError if the server stays away.
        """
        draft = ComposedMail(self.name, self.address, to, subject, text, localtime(), answers)
        message = vouched(self._client(draft).replace("\n", "\r\n").encode(), self.address)
        self.sent[str(message_from_bytes(message)["Message-ID"])] = text
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                self._post(message, self.address, to)
                return
            except OSError as error:
                if getattr(error, "smtp_code", 0) >= 500 or time.monotonic() > limit:
                    raise
                time.sleep(0.1)

    def letters(self) -> list[Received]:
        """Return the messages not seen before, in the order they came."""
        fresh = [path for path in self._paths() if path.name not in self._seen]
        self._seen.update(path.name for path in fresh)
        return [_read(path) for path in fresh]

    def all_letters(self) -> list[Received]:
        """Return all messages in the mailbox, in the order they came."""
        return [_read(path) for path in self._paths()]

    def _paths(self) -> list[Path]:
        found = [(path.stat().st_mtime_ns, path) for path in (self.mailbox / "new").glob("*")]
        return [path for _, path in sorted(found)]


def _read(path: Path) -> Received:
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return Received(message)
