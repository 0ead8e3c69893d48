"""A judge on a table: mails in, letters out, time moved by hand."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from email.utils import getaddresses, parseaddr
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from judge.commands import TABLE
from judge.game.state.profile import JudgeProfile
from judge.intake import reception
from judge.service import Judge
from judge.storage import InboundState, Storage
from tests.clocks import ManualClock
from tests.storage.laid import lay

ADDRESS = "judge@judge.example"
KEEPER = "keeper@judge.example"
REPLIES = ("reply", "nothing", "welcome", "trouble", "question", "kept", "answered", "unverified")
"""The kinds of letters that answer a mail."""
_NUMBERED = re.compile("&#([0-9]{3,});")
PEOPLE = ("ann", "bob", "cleo", "dora", "emil", "finn", "gwen")


@dataclass(frozen=True)
class Received:
    """A letter as its reader's mail program shows it; taken apart as far as it is looked at."""

    to: str
    kind: str
    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        message = message_from_bytes(self.raw, policy=policy.default)
        assert isinstance(message, EmailMessage)
        return message

    @cached_property
    def subject(self) -> str:
        return dict(self.headers)["Subject"]

    @cached_property
    def sender(self) -> str:
        """The name it comes from."""
        name = parseaddr(str(self._parts["From"]).replace("\r\n", ""))[0]
        return str(make_header(decode_header(name)))

    @property
    def told(self) -> str:
        """What it tells programs that it is."""
        return dict(self.headers)["X-Judge"]

    @property
    def first(self) -> str:
        """The first paragraph, on one line: what a list of letters shows beside the subject."""
        return " ".join(self.text.partition("\n\n")[0].split())

    @cached_property
    def text(self) -> str:
        return self.contents("text/plain")[0]

    @property
    def headers(self) -> list[tuple[str, str]]:
        """All fields, decoded."""
        return [
            (name, str(make_header(decode_header(value.replace("\r\n", "")))))
            for name, value in self._parts.items()
        ]

    def contents(self, kind: str = "") -> list[str]:
        """The decoded parts of a media type, or all of them."""
        found = []
        for part in self._parts.walk():
            if not part.is_multipart() and part.get_content_type().startswith(kind):
                content = part.get_payload(decode=True)
                assert isinstance(content, bytes)
                text = content.decode().replace("\r\n", "\n")
                html = part.get_content_type() == "text/html"
                found.append(_NUMBERED.sub(lambda it: chr(int(it[1])), text) if html else text)
        return found

    @cached_property
    def _parts(self) -> Message:
        # Reading each field as RFC 5322 has it takes far longer.
        return message_from_bytes(self.raw, policy=policy.compat32)


_AGREED = re.compile(r"^\s*(PROCESS|DUMMY|PROMOTE|(SET )?CONCEDE)\b", re.MULTILINE | re.IGNORECASE)


def answer_first_letters() -> None:
    """From now on, in this process and those it forks, strangers have answered their first letter,
    for who does not measure or test that."""
    reception.may_be_made_up = lambda storage, sender, incoming, now: False


def flat(letter: Received) -> str:
    """The words of a letter, wherever its lines are broken."""
    return " ".join(letter.text.split())


class PostClock(ManualClock):
    """A clock that lets the post arrive before time goes on."""

    def __init__(self, deliver: Callable[[], None]) -> None:
        super().__init__()
        self._deliver = deliver

    def set(self, instant: datetime) -> None:
        self._deliver()
        super().set(instant)

    def advance(self, **lapse: float) -> datetime:
        self._deliver()
        return super().advance(**lapse)


class Play:
    """The judge with its database and clock, and the people who write to it."""

    _kept: ClassVar[dict[Hashable, tuple[bytes, datetime, int]]] = {}
    """Databases, times and numbers of mails at which many a test begins."""

    def __init__(self, folder: Path) -> None:
        self.clock = PostClock(self.deliver)
        self.file = folder / "judge.db"
        self.secret: bytes | None = None
        if not self.file.exists():
            lay(self.file)
        self._open()
        self._number = itertools.count(1)
        self._seen = 0
        self.answering = {"max@people.example"}
        self.unreachable: set[str] = set()

    def _open(self) -> None:
        self.storage = Storage.open(f"sqlite:{self.file}")
        if self.secret is not None:
            self.storage.tickets.secret = self.secret
        house = JudgeProfile(name="The Judge", address=ADDRESS, keeper=KEEPER)
        self.judge = Judge(self.storage, self.clock, house, TABLE, seed=lambda: "seed")

    def deliver(self) -> None:
        """Hand over all letters on their way, save those to whom none can be delivered."""
        while (due := self.storage.outbound.next_due()) and due <= self.clock.now():
            with self.storage.outbound.claimed(self.clock.now(), 1000) as letters:
                for letter in letters:
                    if letter.recipient in self.unreachable:
                        self.storage.outbound.failed(letter.id, "no such mailbox", None)
                    else:
                        self.storage.outbound.sent(letter.id, self.clock.now())

    def mail(
        self,
        who: str,
        text: str,
        subject: str = "",
        answers: Received | None = None,
        name: str | None = None,
        headers: dict[str, str] | None = None,
        to: str | None = None,
        subtype: str = "plain",
    ) -> int:
        """Put a mail into the inbox without working it; its id.

        An answer goes to the reply address of the letter it answers. Who runs games answers the
        last letter that came to him, for else he would be asked; others write anew.
        """
        message = EmailMessage()
        address = who if "@" in who else f"{who}@people.example"
        display = name if name is not None else who.partition("@")[0].capitalize()
        message["From"] = f"{display} <{address}>"
        if to is None and answers is not None:
            to = str(answers.message["Reply-To"])
        elif to is None and address in self.answering:
            to = self.last_reply_to(address)
        message["To"] = to or ADDRESS
        message["Subject"] = subject or (f"Re: {answers.subject}" if answers else "")
        message["Message-ID"] = f"<{next(self._number)}@{address.partition('@')[2]}>"
        if answers is not None:
            message["In-Reply-To"] = answers.message["Message-ID"]
            message["References"] = answers.message["Message-ID"]
        for field, value in (headers or {}).items():
            message[field] = value
        message.set_content(text, subtype=subtype)
        recipients = [found for _, found in getaddresses([str(message["To"])])]
        return self.raw(message.as_bytes(), address, recipients)

    def last_reply_to(self, address: str, kind: str | None = None) -> str | None:
        """The reply address of the last letter of a kind to somebody; of any but press."""
        person = self.storage.people.by_address(address)
        letters = self.storage.outbound.of_person(person.id) if person else []
        found = [
            letter
            for letter in letters
            if (letter.kind == kind if kind else letter.kind not in ("press", "question"))
        ]
        return str(read(found[-1]).message["Reply-To"]) if found else None

    def raw(self, raw: bytes, sender: str = "", to: Sequence[str] = (ADDRESS,)) -> int:
        """Put raw bytes into the inbox; the mail's id."""
        accepted = self.storage.inbound.accept(
            raw,
            door="imap",
            envelope_from=sender,
            envelope_to=list(to),
            received_at=self.clock.now(),
        )
        return accepted.mail_id

    def send(
        self,
        who: str,
        text: str,
        subject: str = "",
        answers: Received | None = None,
        name: str | None = None,
        headers: dict[str, str] | None = None,
        to: str | None = None,
    ) -> Received:
        """Send a mail, let the judge work it alone, and return the one reply.

        A test that is about something else need not say YES to what a master or a voter does.
        """
        reply = self.ask(who, text, subject, answers, name, headers, to)
        if _AGREED.search(text) and re.search(r"\bYES\b", reply.text):
            return self.ask(who, "YES", answers=reply)
        return reply

    def ask(
        self,
        who: str,
        text: str,
        subject: str = "",
        answers: Received | None = None,
        name: str | None = None,
        headers: dict[str, str] | None = None,
        to: str | None = None,
    ) -> Received:
        """Send a mail, let the judge work it alone, and return the one reply."""
        mail_id = self.mail(who, text, subject, answers, name, headers, to)
        self.judge.process_message(mail_id)
        processed = self.storage.inbound.find(mail_id)
        assert processed is not None
        assert processed.state is not InboundState.HELD, processed.problem
        address = who if "@" in who else f"{who}@people.example"
        replies = [
            letter
            for letter in map(read, self.storage.outbound.of_mail(mail_id))
            if letter.kind in REPLIES and letter.to == address
        ]
        assert len(replies) == 1, ([letter.kind for letter in replies], processed.problem)
        return replies[0]

    def meet(self, *who: str) -> None:
        """Let strangers have the first letter, which is the same whatever is asked."""
        for each in who:
            self.ask(each, "hello")

    def answer(self, who: str, text: str) -> Received:
        """Answer the last letter somebody got, and return the one reply."""
        return self.send(who, text, to=self.last_reply_to(f"{who}@people.example"))

    def sure(self, who: str, text: str, answers: Received | None = None) -> Received:
        """Send what cannot be undone, say YES to the question it brings, and return the reply."""
        asked = self.ask(who, text, answers=answers)
        assert "YES" in asked.text, asked.text
        return self.send(who, "YES", answers=asked)

    def letters(self) -> list[Received]:
        """The letters queued since the last look."""
        found = []
        while (letter := self.storage.outbound.find(self._seen + 1)) is not None:
            self._seen += 1
            found.append(read(letter))
        return found

    def run(self) -> list[Received]:
        """Let the judge do all that is due, and return every letter since the last look."""
        self.judge.work()
        return self.letters()

    def wake(self) -> list[Received]:
        """Move the clock to the next moment the judge waits for, and let it work."""
        moment = self.judge.next_wake()
        assert moment is not None
        self.clock.set(max(moment, self.clock.now()))
        return self.run()

    def lapse(self) -> list[Received]:
        """Let time pass until the open phase has run, whatever comes; every letter since."""
        game = self.storage.games.by_name("paris")
        assert game is not None
        letters = self.letters()
        phase = game.phase
        while game is not None and game.state == "active" and game.phase == phase:
            letters += self.wake()
            game = self.storage.games.by_name("paris")
        return letters

    def start(self, options: str = "", preferences: str = "AEFGIRT") -> dict[str, Received]:
        """A game `paris` of seven, each with the power he wishes; the start letters by reader."""
        self.begin("start", options, preferences, make=lambda: self._start(options, preferences))
        starts = [letter for letter in self.letters() if letter.kind == "start"]
        return {letter.to.partition("@")[0]: letter for letter in starts}

    def begin(self, *key: Hashable, make: Callable[[], object]) -> None:
        """Do what `make` does; where nothing has happened yet, it is played out `once`."""
        if self.storage.inbound.find(1) is None and self.clock.now() == ManualClock().now():
            self.once((*key, self.secret), make)
        else:
            make()

    def once(self, key: Hashable, make: Callable[[], object]) -> None:
        """Be where `make` leads an empty judge to; it is played out the first time only.

        Letters that were looked at on the way come again at the next look."""
        if key not in self._kept:
            make()
            # Closing writes everything into the one file.
            self.storage.close()
            self._kept[key] = (self.file.read_bytes(), self.clock.now(), next(self._number))
        else:
            self.storage.close()
        image, now, number = self._kept[key]
        self.file.write_bytes(image)
        self._open()
        self._number = itertools.count(number)
        self._seen = 0
        if now != self.clock.now():  # moving the clock hands letters over
            self.clock.set(now)

    def _start(self, options: str, preferences: str) -> None:
        self.send("max", f"CREATE ?paris standard{', ' + options if options else ''}\nSET NO DAILY")
        for who, letter in zip(PEOPLE, preferences, strict=True):
            self.send(who, f"JOIN paris\nSET PREFERENCE {letter}")
        self.judge.work()


def read(letter: object) -> Received:
    """A queued letter as anybody who gets it has it."""
    return Received(
        to=letter.recipient,  # type: ignore[attr-defined]
        kind=letter.kind,  # type: ignore[attr-defined]
        raw=letter.raw,  # type: ignore[attr-defined]
    )
