"""Somebody with a mail program, who sends by SMTP as a rule and reads a Maildir."""

from __future__ import annotations

import json
import smtplib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import localtime, parseaddr, parsedate_to_datetime
from pathlib import Path
from typing import Any

from judge.demo.clients import Client, Draft, Quoted, mutt

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


@dataclass(frozen=True)
class Received:
    """A message as its reader sees it."""

    path: Path
    message: EmailMessage

    @property
    def subject(self) -> str:
        """The subject, unfolded."""
        return " ".join(str(self.message["Subject"] or "").split())

    @property
    def text(self) -> str:
        """The plain text."""
        part = self.message.get_body(preferencelist=("plain",))
        return "" if part is None else str(part.get_content())

    @property
    def first(self) -> str:
        """The first paragraph on one line, which lists of messages show beside the subject."""
        return " ".join(self.text.partition("\n\n")[0].split())

    @property
    def page(self) -> str:
        """The HTML, "" if there is none."""
        part = self.message.get_body(preferencelist=("html",))
        return "" if part is None else str(part.get_content())

    def records(self) -> list[Mapping[str, Any]]:
        """Return the attached records of phases."""
        return [each for each in self._objects() if "results" in each]

    @property
    def opened(self) -> Mapping[str, Any] | None:
        """The attached object of the open phase, as `judge bot` takes it."""
        return next((each for each in self._objects() if "legal" in each), None)

    def _objects(self) -> list[Mapping[str, Any]]:
        found = [
            json.loads(part.get_content())
            for part in self.message.iter_attachments()
            if isinstance(part, EmailMessage) and part.get_content_type() == "application/json"
        ]
        # The message of the end has the records of all phases in one list.
        return [each for each in found if isinstance(each, dict)]

    @property
    def answer_to(self) -> str:
        """The address that a reply goes to."""
        return parseaddr(str(self.message["Reply-To"] or self.message["From"]))[1]

    @property
    def quoted(self) -> Quoted:
        """The message as mail programs quote it."""
        author, address = parseaddr(str(self.message["From"]))
        return Quoted(
            str(self.message["Message-ID"]),
            str(self.message["References"] or ""),
            self.subject,
            author,
            address,
            parsedate_to_datetime(str(self.message["Date"])),
            self.text,
            self.page,
        )

    @property
    def replies_to(self) -> str:
        """The Message-ID of what it answers."""
        return str(self.message["In-Reply-To"]).strip()

    @property
    def is_reply(self) -> bool:
        """Whether it answers a message of the reader's (RFC 3834)."""
        return str(self.message["Auto-Submitted"]).startswith("auto-replied")


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
        quoted = answers.quoted if answers else None
        draft = Draft(self.name, self.address, to, subject, text, localtime(), quoted)
        message = self._client(draft).replace("\n", "\r\n").encode()
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
    return Received(path, message)
