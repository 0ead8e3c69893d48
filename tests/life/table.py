"""The judge on a table where anything may happen to it: its post lost, its process killed."""

from __future__ import annotations

import functools
import itertools
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage, Message
from pathlib import Path
from typing import Any, ClassVar

from judge.commands import TABLE
from judge.game.state import State
from judge.game.state.profile import JudgeProfile
from judge.limits import Limits
from judge.service import Judge
from judge.storage import OutboundMessage, Storage
from tests.clocks import ManualClock

ADDRESS = "judge@judge.example"
KEEPER = "keeper@judge.example"
PLAYERS = ("ann", "bob", "cleo", "dora", "emil", "finn", "gwen")
TONGUES = dict(zip(PLAYERS, ("en", "de", "fr", "en", "de", "fr", "en"), strict=True))
"""The language of each player's letters."""
OTHERS = ("max", "oona", "yan", "zoe")
"""Who runs the game, who watches it, and who may come in later."""
PEOPLE = (*PLAYERS, *OTHERS)
MANY = 10**9
MOST_STEPS = 300
"""Steps that a judge may need until nothing is due; one that needs more does not come to rest."""


class Killed(BaseException):
    """The process ends here, as if somebody had pulled the plug."""


@dataclass(frozen=True)
class Start:
    """How a game begins: its variant with settings, how many players there are, and whether they
    have joined."""

    options: str
    players: int
    joined: bool = True


@dataclass(frozen=True)
class Seen:
    """A letter as anybody who gets it, or looks into its bytes, can read it."""

    letter: OutboundMessage
    head: str
    text: str
    files: tuple[tuple[str, str], ...]
    reply_to: str

    @property
    def all(self) -> str:
        """Everything that can be read."""
        return "\n".join((self.head, self.text, *(content for _, content in self.files)))


def address_of(who: str) -> str:
    """The address of one of the people."""
    return f"{who}@people.example"


def name_of(who: str) -> str:
    """A name that stands in no text by chance."""
    return f"{who.capitalize()}xq"


def see(letter: OutboundMessage) -> Seen:
    """Take a letter apart."""
    message = message_from_bytes(letter.raw)
    texts: list[str] = []
    files: list[tuple[str, str]] = []
    for part in message.walk():
        if part.is_multipart():
            continue
        content = _content(part)
        if part.get_content_type() == "text/plain" and not part.get_filename():
            texts.append(content)
        else:
            files.append((part.get_content_type(), content))
    head = "\n".join(f"{name}: {value}" for name, value in message.items())
    reply_to = str(message["Reply-To"]).rpartition("<")[2].strip("> ")
    return Seen(letter, head, "\n".join(texts), tuple(files), reply_to)


def _content(part: Message) -> str:
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode("utf-8").replace("\r\n", "\n")


class Table:
    """The judge with its database and its clock, and the post between it and the people."""

    _images: ClassVar[dict[Start, tuple[bytes, int]]] = {}

    def __init__(self, folder: Path, start: Start) -> None:
        self.folder = folder
        self.clock = ManualClock()
        self.file = folder / "judge.db"
        self._number = itertools.count(1)
        self.looked = 0
        self.posts = True
        """Whether letters are delivered."""
        self.unreachable: set[str] = set()
        self.last: dict[str, list[Seen]] = {}
        """The letters each address got, the newest last."""
        self.mails: list[int] = []
        for old in folder.glob("judge.db*"):
            old.unlink()
        if start not in self._images:
            self.open()
            self._begin(start)
            self.storage.close()
            self._images[start] = (self.file.read_bytes(), next(self._number))
        image, number = self._images[start]
        for old in folder.glob("judge.db*"):
            old.unlink()
        self.file.write_bytes(image)
        self._number = itertools.count(number)
        self.open()
        self.judge.keep_heartbeat()

    def open(self) -> None:
        """Start a process of the judge on the database there is."""
        self.storage = Storage.open(f"sqlite:{self.file}")
        # Nobody pulls the plug of the machine itself.
        self.storage._engine.database.execute_sql("PRAGMA synchronous = off")
        limits = Limits(
            hour=MANY, stranger=MANY, strangers=MANY, nothing=MANY, press=MANY, questions=MANY
        )
        house = JudgeProfile(name="The Judge", address=ADDRESS, keeper=KEEPER, limits=limits)
        self.judge = Judge(self.storage, self.clock, house, TABLE, seed=lambda: "seed")

    def restart(self) -> None:
        """Another process takes over where the last one was killed."""
        self.storage.close()
        self.open()

    def close(self) -> None:
        """Be done."""
        self.storage.close()

    def image(self) -> bytes:
        """The database as it stands."""
        with sqlite3.connect(self.file) as connection:
            content: bytes = connection.serialize()
        connection.close()
        return content

    def _begin(self, start: Start) -> None:
        self.judge.process_message(
            self.put("max", f"CREATE ?paris {start.options}\nSET NO DAILY\nSET NO HTML")
        )
        if not start.joined:
            return
        # HTML says what the plain text says and takes longer to make than all else: one reads it,
        # in another language in each start.
        reader = PLAYERS[len(start.options) % 3]
        for who in PLAYERS[: start.players]:
            wish = "HTML" if who == reader else "NO HTML"
            lines = f"JOIN paris\nSET LANGUAGE {TONGUES[who]}\nSET {wish}"
            self.judge.process_message(self.put(who, lines))
        self.judge.process_message(self.put("oona", "OBSERVE paris\nSET NO HTML"))
        self.judge.work()
        self.deliver()

    # Mail

    def put(
        self,
        who: str,
        text: str,
        to: str = ADDRESS,
        headers: dict[str, str] | None = None,
    ) -> int:
        """Put a mail into the inbox; its id."""
        message = EmailMessage()
        message["From"] = f"{name_of(who)} <{address_of(who)}>"
        message["To"] = to
        message["Subject"] = ""
        message["Message-ID"] = f"<{next(self._number)}@mailer.example>"
        for field, value in (headers or {}).items():
            message[field] = value
        message.set_content(text)
        return self.raw(message.as_bytes(), address_of(who), to)

    def raw(self, raw: bytes, sender: str, to: str) -> int:
        """Put bytes into the inbox; the mail's id."""
        accepted = self.storage.inbound.accept(
            raw,
            door="smtp",
            envelope_from=sender,
            envelope_to=[to],
            received_at=self.clock.now(),
        )
        self.mails.append(accepted.mail_id)
        return accepted.mail_id

    def deliver(self) -> bool:
        """Hand over the letters that are on their way, save to those who cannot be reached; whether
        one came back."""
        if not self.posts:
            return False
        failed: list[OutboundMessage] = []
        while (due := self.storage.outbound.next_due()) and due <= self.clock.now():
            with self.storage.outbound.claimed(self.clock.now(), 1000) as letters:
                for letter in letters:
                    if letter.recipient in self.unreachable:
                        failed.append(letter)
                        self.storage.outbound.failed(letter.id, "trying", None)
                    else:
                        self.storage.outbound.sent(letter.id, self.clock.now())
        for letter in failed:
            self.judge.message_failed(letter, "550 5.1.1 no such mailbox")
        return bool(failed)

    def letters(self) -> list[Seen]:
        """The letters queued since the last look."""
        found = []
        while (letter := self.storage.outbound.find(self.looked + 1)) is not None:
            self.looked += 1
            seen = see(letter)
            found.append(seen)
            self.last.setdefault(letter.recipient, []).append(seen)
        return found

    # Time

    def work(self) -> bool:
        """Let the judge do all that is due, and say whether there was anything.

        Raises AssertionError where that has no end."""
        self.judge.keep_heartbeat()
        self.judge.tidy()
        steps = 0
        while self._step():
            steps += 1
            assert steps < MOST_STEPS, "the judge does not come to rest"
        wake = self.judge.next_wake()
        assert wake is None or wake > self.clock.now(), "the judge would wake at once, for nothing"
        return steps > 0

    def _step(self) -> bool:
        mail_id = self.storage.inbound.next_new()
        if mail_id is not None:
            return self.judge.process_message(mail_id)
        ran = [self.judge.run_game(game_id) for game_id in self.judge.due()]
        return any(ran)

    def wake(self) -> bool:
        """Move the clock to the next moment the judge waits for; whether there is one."""
        moment = self.judge.next_wake()
        if moment is None:
            return False
        self.clock.set(max(moment, self.clock.now()))
        return True

    def outage(self, hours: float) -> None:
        """Nothing works for so long."""
        self.clock.advance(hours=hours)
        self.restart()

    # Looking

    def state(self) -> State | None:
        """The game as it stands, None where it is gone."""
        game = self.storage.games.find(1)
        return None if game is None else State(self.storage, game)

    @contextmanager
    def dying(self, after: int) -> Iterator[list[bool]]:
        """The process is killed at a write to the database, after so many of them; the list tells
        whether it was."""
        left = itertools.count(after, -1)
        killed: list[bool] = []
        engine = self.storage._engine

        def deadly(write: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(write)
            def wrapped(*args: Any, **given: Any) -> Any:
                if next(left) == 0:
                    raise Killed
                return write(*args, **given)

            return wrapped

        for name in ("add", "add_new", "add_all", "run"):
            setattr(engine, name, deadly(getattr(engine, name)))
        try:
            yield killed
        except Killed:
            killed.append(True)
        self.restart()
