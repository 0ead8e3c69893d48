"""A game by a real daemon on PostgreSQL, in which judge and server die at times by chance."""

from __future__ import annotations

import contextlib
import re
import smtplib
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

from judge.demo import sample
from judge.demo.server import ADDRESS, HOST, Server, ServerFailed, vouched
from judge.ops.replay import replay
from judge.storage import InboundState, OutboundState, Storage, StorageError, Unavailable
from tests.faults.post import Post
from tests.faults.story import POWERS
from tests.mail.waiting import until
from tests.storage.postgres import Cluster

LONGEST = 0.6
"""Seconds between a mail and what befalls the judge for it, at most: most is processed then."""

PATIENCE = 300.0

_GAME = "paris"
_DUE = re.compile(r" (Due|Deadline:) .*?( days|$)")
"""The time of the deadline, which depends on when it was; it may stand where the subject is cut."""
_PACE = "NEXT 720H GRACE 48H CLOCK NONE DAYS SMTWTFS DELAY 0 MIN 0"


@dataclass(frozen=True)
class Mail:
    """What somebody writes once the game is in a phase: "" before the first, None before there is
    a game. Messages take turns, so what builds upon another one waits for it."""

    phase: str | None
    sender: str
    text: str

    def raw(self, number: int) -> bytes:
        """The message; the same each time it is handed in."""
        message = EmailMessage()
        message["From"] = f"{self.sender.title()} <{self.sender}@players.example>"
        message["To"] = ADDRESS
        message["Message-ID"] = f"<{number}@players.example>"
        message.set_content(self.text)
        return message.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def mails(phases: int) -> list[Mail]:
    """The sample game up to so many phases, with press and with mails of strangers. No phase waits
    for its deadline: it runs as soon as all orders are in."""
    paces = "\n".join(f"SET {kind} {_PACE}" for kind in ("MOVE", "RETREAT", "ADJUST"))
    found = [Mail(None, "mia", f"CREATE ?{_GAME}\n{paces}")]
    found += [
        Mail("", power.lower(), f"JOIN {_GAME}\nSET PREFERENCE {power[0]}") for power in POWERS
    ]
    for number, phase in enumerate(sample.phases()[:phases]):
        writer, reader = POWERS[number % 7], POWERS[(number + 3) % 7]
        press = f"PRESS TO {reader}, {POWERS[(number + 5) % 7]}\nShall we?\nENDPRESS"
        found += [
            Mail(phase.phase, writer.lower(), press),
            Mail(phase.phase, f"eve{number}", "Buy our watches!"),
        ]
        found += [
            Mail(phase.phase, power.lower(), "\n".join(phase.orders[power]))
            for power in POWERS
            if phase.orders.get(power)
        ]
    return found


@dataclass(frozen=True)
class Blow:
    """What befalls the judge so many seconds after somebody began to hand in a mail."""

    mail: int
    seconds: float
    kind: str
    """Whether the judge is killed ("kill"), or its database's server: "crash" is a death of its
    first process, "stop" one of all at once."""
    down: float
    """Seconds before it is started again."""


def blows(chance: Random, kills: int, crashes: int, count: int) -> list[Blow]:
    """As many deaths of the judge, and of its database's server, at times by chance."""
    kinds = ["kill"] * kills + [("crash", "stop")[each % 2] for each in range(crashes)]
    chance.shuffle(kinds)
    at = sorted(chance.randrange(count) for _ in kinds)
    return [
        Blow(mail, chance.uniform(0, LONGEST), kind, chance.choice([0, 0, chance.random()]))
        for mail, kind in zip(at, kinds, strict=True)
    ]


@dataclass
class Outcome:
    """How a game came out, as far as it does not depend on when what happened."""

    phases: list[tuple[str, Any, Any]] = field(default_factory=list)
    """Phase, orders and results of each."""
    letters: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Of each letter its recipient, kind, subject, and the mail that it answers."""
    wrong: list[str] = field(default_factory=list)
    """What must not be, whatever happened."""
    again: int = 0
    """How often a letter was delivered that had been before, under the same Message-ID."""


class Life:
    """A game that is played while there are blows."""

    def __init__(self, folder: Path, cluster: Cluster, name: str, mails: Sequence[Mail]) -> None:
        self._cluster = cluster
        self._mails = mails
        self.post = Post()
        doors = f"[smtp]\nhost = '{HOST}'\nport = 0\n[outgoing.relay]\nhost = '{HOST}'\n"
        doors += f"port = {self.post.port}\nsecurity = 'none'\n"
        self.server = Server(folder, 1, doors, patience=PATIENCE)
        self.url = cluster.create(name)
        text = self.server.config.read_text().replace("port = 0", f"port = {self.server.port}")
        self.server.config.write_text(text.replace("sqlite:judge.db", self.url))
        self._begun = 0
        self._struck = 0
        self._moved = threading.Condition()

    def play(self, blows: Sequence[Blow] = ()) -> Outcome:
        """Play the game to its end; how it came out."""
        self.server.start()
        troubles = threading.Thread(target=self._strike, args=(blows,), daemon=True)
        troubles.start()
        try:
            for number, mail in enumerate(self._mails):
                self._wait_for(mail.phase)
                with self._moved:
                    # None falls upon a game that is over.
                    due = sum(each.mail < number for each in blows)
                    self._moved.wait_for(lambda due=due: self._struck >= due)  # type: ignore[misc]
                    self._begun = number + 1
                    self._moved.notify_all()
                until(lambda n=number, m=mail: self._handed_in(n, m), PATIENCE)  # type: ignore[misc]
            troubles.join(PATIENCE)
            assert not troubles.is_alive()
            until(self._is_quiet, PATIENCE)
            assert self.server.stop() == 0
            return self._outcome()
        finally:
            self.server.kill()
            self.post.close()

    def _strike(self, blows: Sequence[Blow]) -> None:
        for blow in blows:
            with self._moved:
                self._moved.wait_for(lambda at=blow.mail: self._begun > at)  # type: ignore[misc]
            time.sleep(blow.seconds)
            {
                "kill": self.server.kill,
                "crash": self._cluster.crash,
                "stop": self._cluster.stop,
            }[blow.kind]()
            with self._moved:
                self._struck += 1
                self._moved.notify_all()
            time.sleep(blow.down)
            if blow.kind != "kill":
                until(self._serves, PATIENCE)
            until(self._runs, PATIENCE)

    def _serves(self) -> bool:
        """Whether the database's server could be started."""
        with contextlib.suppress(RuntimeError):
            self._cluster.start()
            return True
        return False

    def _runs(self) -> bool:
        """Whether the judge runs, which is started again where it ended."""
        if not self.server.running:
            with contextlib.suppress(ServerFailed):
                self.server.start()
        return self.server.running

    def _handed_in(self, number: int, mail: Mail) -> bool:
        sender = f"{mail.sender}@players.example"
        try:
            with smtplib.SMTP(HOST, self.server.port, timeout=30) as server:
                server.sendmail(sender, [ADDRESS], vouched(mail.raw(number), sender))
        except smtplib.SMTPResponseException as error:
            if error.smtp_code >= 500:
                raise
            return False
        except (OSError, smtplib.SMTPException):
            return False
        return True

    @contextlib.contextmanager
    def _stored(self) -> Iterator[Storage]:
        storage = Storage.open(self.url)
        try:
            yield storage
        finally:
            storage.close()

    def _wait_for(self, phase: str | None) -> None:
        def there() -> bool:
            with contextlib.suppress(StorageError, Unavailable), self._stored() as storage:
                game = storage.games.by_name(_GAME)
                return game is not None and (game.phase or "") == phase
            return False

        if phase is not None:
            until(there, PATIENCE)

    def _is_quiet(self) -> bool:
        with contextlib.suppress(StorageError, Unavailable), self._stored() as storage:
            game = storage.games.by_name(_GAME)
            over = game is not None and game.phase == sample.phases()[self._count() - 1].next
            waits = storage.inbound.count(InboundState.NEW)
            return bool(over and not waits and not storage.outbound.count(OutboundState.QUEUED))
        return False

    def _count(self) -> int:
        return len({each.phase for each in self._mails if each.phase})

    def _outcome(self) -> Outcome:
        found = Outcome()
        with self._stored() as storage:
            game = storage.games.by_name(_GAME)
            assert game is not None
            runs = storage.history.of_game(game.id)
            found.phases = [(each.phase, each.orders, _plain(each.results)) for each in runs]
            names = self._received(storage, found)
            self._sent(storage, found, names)
            for told in replay(storage):
                found.wrong += [f"{told.game}: {fault}" for fault in told.faults]
            ran = {each.phase: each for each in runs}
            for phase in sample.phases():
                if phase.phase in ran and phase.next in ran:
                    then = ran[phase.next].position
                    found.wrong += sample.differences(phase, ran[phase.phase], then)
        return found

    def _received(self, storage: Storage, found: Outcome) -> dict[int, str]:
        """The Message-ID of each mail; each was stored once and processed."""
        rows = [storage.inbound.find(each) for each in range(1, 100 * len(self._mails))]
        stored = [each for each in rows if each is not None]
        found.wrong += [
            f"mail {each.id} is {each.state}" for each in stored if each.state != "done"
        ]
        counted = Counter(each.message_id for each in stored)
        for number in range(len(self._mails)):
            if (times := counted.pop(f"<{number}@players.example>", 0)) != 1:
                found.wrong.append(f"mail {number} is there {times} times")
        found.wrong += [f"nobody wrote {each}" for each in counted]
        return {each.id: each.message_id or "" for each in stored}

    def _sent(self, storage: Storage, found: Outcome, names: dict[int, str]) -> None:
        """Count the letters; each was delivered, and nothing else."""
        rows = [storage.outbound.find(each) for each in range(1, 1000 * len(self._mails))]
        written = [each for each in rows if each is not None]
        delivered = Counter(message_id for _, message_id in self.post.kept)
        for letter in written:
            answers = names.get(letter.mail_id or 0, "")
            subject = _DUE.sub("", letter.subject)
            found.letters[letter.recipient, letter.kind, subject, answers] += 1
            if letter.state != "sent" or not delivered[letter.message_id]:
                found.wrong.append(f"letter {letter.id} is {letter.state}, or was lost")
        nobodys = delivered.keys() - {each.message_id for each in written}
        found.wrong += [f"nobody wrote letter {each}" for each in nobodys]
        found.again = delivered.total() - len(delivered)


def _plain(results: Any) -> Any:
    """Results without what is drawn by chance."""
    return {key: value for key, value in results.items() if key != "seals"}


def differences(found: Outcome, undisturbed: Outcome) -> list[str]:
    """What came out otherwise than undisturbed, a sentence each."""
    told = list(found.wrong)
    if found.phases != undisturbed.phases:
        told.append(f"phases are {found.phases}, not {undisturbed.phases}")
    lost, more = undisturbed.letters - found.letters, found.letters - undisturbed.letters
    told += [f"lost {n} of letter {each}" for each, n in lost.items()]
    told += [f"{n} too many of letter {each}" for each, n in more.items()]
    return told
