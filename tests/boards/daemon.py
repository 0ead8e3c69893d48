"""Games on every board through a real daemon: mails over SMTP, letters into Maildirs."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from judge.demo.correspondent import smtp
from judge.demo.server import ADDRESS, HOST, Server, vouched
from judge.game.state import State
from judge.mail.transport import mailbox_name
from judge.storage import Game, Storage
from tests.boards.tables import Table, lines

SPEED = 3600
PATIENCE = 60.0
"""Seconds after which a daemon that does nothing more has gone wrong."""


class Room:
    """A daemon, and the people who play there; one table after the other."""

    def __init__(self, folder: Path, pictures: bool = False) -> None:
        self.server = Server(folder, SPEED, pictures=pictures)
        self.server.start()
        self.storage = Storage.open(self.server.database)
        self._post = smtp(HOST, self.server.port)
        self._number = itertools.count(1)

    def close(self) -> None:
        """Let everybody go home."""
        self.storage.close()
        self.server.stop()

    def play(self, table: Table, phases: int, seed: str = "") -> str | None:
        """Play a game to its end; what went wrong, None where nothing did."""
        chance = random.Random(f"{table}{seed}")
        number = next(self._number)
        name = f"game{number}"
        limit = table.limit(phases)
        options = f"{table.options}, END AFTER {limit}, MOVE DELAY 0 MIN 0, ADJUST DELAY 0 MIN 0"
        master, people = f"m{number}", [f"p{number}x{each}" for each in range(table.people)]
        self._send(master, f"CREATE ?{name} {options}\nSET NO DAILY")
        if self._wait(name, "forming", None) is None:
            return f"{table}: the game was not created"
        for who in people:
            self._send(who, f"JOIN {name}")
        game = self._wait(name, "active", None)
        while game is not None and game.state == "active":
            phase = game.phase
            state = State(self.storage, game)
            for who in people:
                person = self.storage.people.by_address(f"{who}@people.example")
                assert person is not None
                if text := "\n".join(lines(state, person.id, chance)):
                    self._send(who, text)
            game = self._wait(name, None, phase)
        if game is None:
            told = self.storage.games.by_name(name)
            return f"{table}: it goes on no more in {told and told.phase}; {self._held()}"
        if game.outcome is None or game.outcome.ending != "turn limit":
            return f"{table}: it ended with {game.outcome}"
        unread = [who for who in (master, *people) if not self._told(who, name)]
        return f"{table}: {', '.join(unread)} did not hear of the end" if unread else None

    def letters(self) -> Iterator[tuple[EmailMessage, int]]:
        """All letters that have come to anybody, each with how many bytes it has."""
        for path in self.server.mail.glob("*/*/*"):
            raw = path.read_bytes()
            letter = message_from_bytes(raw, policy=policy.default)
            assert isinstance(letter, EmailMessage)
            yield letter, len(raw)

    def _send(self, who: str, text: str) -> None:
        message = EmailMessage()
        sender = f"{who}@people.example"
        message["From"], message["To"] = sender, ADDRESS
        message["Subject"] = "orders"
        message["Message-ID"] = f"<{time.monotonic_ns()}@people.example>"
        message.set_content(text)
        self._post(vouched(message.as_bytes(), sender), sender, ADDRESS)

    def _wait(self, name: str, state: str | None, phase: str | None) -> Game | None:
        """The game when it has come to that state, or on from that phase; None if it does not."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.server.running:
            game = self.storage.games.by_name(name)
            if game is not None and (game.state == state if state else game.state == "ended"):
                return game
            if game is not None and state is None and game.phase != phase:
                return game
            time.sleep(0.05)
        return None

    def _held(self) -> str:
        held = self.storage.inbound.held()
        return f"{len(held)} mails are held; see {self.server.log}"

    def _told(self, who: str, name: str) -> bool:
        """Whether the letter of the end has come."""
        box = self.server.mail / mailbox_name(f"{who}@people.example")
        read: set[str] = set()
        until, sent = time.monotonic() + PATIENCE, 0
        while time.monotonic() < until and self.server.running:
            if (now := len(list(self.server.mail.glob("*/*/*")))) != sent:
                until, sent = time.monotonic() + PATIENCE, now
            there = [*box.glob("new/*"), *box.glob("cur/*")]
            came = [path for path in there if path.name not in read]
            # The end is told last, and large letters take long to read.
            for path in sorted(came, key=lambda path: path.stat().st_mtime_ns, reverse=True):
                read.add(path.name)
                letter = message_from_bytes(path.read_bytes(), policy=policy.default)
                if {"kind=end", f"game={name}"} <= set(str(letter["X-Judge"]).split("; ")):
                    return True
            time.sleep(0.05)
        return False
