"""A database with as many running games as are wanted, made in seconds.

One game of seven is played up to its first phase by a judge: its people have signed up, everybody's
orders are on file, one of them waits for the deadline. All others are copies of its rows under ids,
names and addresses of their own, made by the database itself. Old letters have no bytes any more,
as `[retention]` leaves them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any
from uuid import uuid4

import peewee

from judge.commands import TABLE
from judge.demo.server import ADDRESS
from judge.game.state.profile import JudgeProfile
from judge.limits import Limits
from judge.mail.address import REPLY, Addresses
from judge.mail.quotes import packed
from judge.service import Judge
from judge.storage import PersonOptions, Storage, models
from tests.clocks import ManualClock
from tests.game.play import answer_first_letters

HOUSE = JudgeProfile(
    name="The Judge",
    address=ADDRESS,
    limits=Limits(hour=10**6, stranger=10**6, strangers=10**6),
)
"""Who the judge is. Nobody is cut short: thousands of mails come within an hour."""

PLAYERS = {
    "Austria": ("vie - gal", "bud - ser", "tri - alb"),
    "England": ("lon - nth", "edi - nwg", "lvp - yor"),
    "France": ("par - bur", "mar - spa", "bre - mid"),
    "Germany": ("ber - kie", "mun - ruh", "kie - den"),
    "Italy": ("ven H", "rom - apu", "nap - ion"),
    "Russia": ("mos - ukr", "war - gal", "stp/sc - bot", "sev - bla"),
    "Turkey": ("con - bul", "smy - con", "ank - bla"),
}
"""Who plays, and what he has ordered. A bounce is among it."""

_MARKED = {
    "game": {"name": "name || k", "thread": "'<' || k || '.' || substr(thread, 2)"},
    "address": {"address": "k || '.' || address"},
    "mail": {"message_id": "message_id || k", "sender": "k || '.' || sender"},
    "letter": {
        "message_id": "'<' || k || '.' || substr(message_id, 2)",
        "recipient": "k || '.' || recipient",
        "envelope_from": "k || '.' || envelope_from",
    },
    "ticket": {"address": "k || '.' || address"},
}
"""What must differ between copies. `k` is the number of the copy."""

_CLOCK = ("opened_at", "deadline", "grace_end", "last_change", "wake_at")
"""What stands in a game about its open phase."""

_WHOLE = ("secret", "house", "alarm")
"""Tables that hold nothing about single games."""

STRIDE = 1000
"""How far the ids of one game lie from those of the next; above all of the first one's."""


@dataclass(frozen=True)
class Town:
    """An open database of running games, numbered from 0; powers are played by other people in
    each."""

    storage: Storage
    clock: ManualClock
    judge: Judge
    games: int
    due: datetime
    """When all of them are due."""
    _tickets: dict[str, int]

    def mail(self, game: int, power: str, number: int = 0) -> tuple[bytes, str, str]:
        """A mail in which a player orders all his units anew, by answering his game's first letter;
        with its sender and its recipient. The same `number` gives the same mail."""
        sender = address(power, game)
        ticket = self._tickets[power] + game * STRIDE
        addresses = Addresses(HOUSE.pattern, self.storage.tickets.secret, HOUSE.domain)
        to = addresses.make(ticket, REPLY)
        message = EmailMessage()
        message["From"] = f"{power} <{sender}>"
        message["To"] = to
        message["Subject"] = f"Re: game{game}: S1901M"
        message["Message-ID"] = f"<{game}.{power}.{number}@players.example>"
        answered = addresses.message_id(self._tickets[power])
        message["In-Reply-To"] = f"<{game}.{answered[1:]}" if game else answered
        message.set_content("\n".join((*PLAYERS[power], "SET WAIT", "")))
        return message.as_bytes().replace(b"\n", b"\r\n"), sender, to

    def write(self, game: int, power: str, number: int = 0) -> int:
        """Put such a mail into the inbox; its id."""
        raw, sender, to = self.mail(game, power, number)
        return self.storage.inbound.accept(
            raw,
            door="smtp",
            envelope_from=sender,
            envelope_to=[to],
            received_at=self.clock.now(),
        ).mail_id

    def fall_due(self, games: Sequence[int], at: datetime) -> None:
        """Let the deadline of these games be `at`, as if their phase had been opened so much
        earlier."""
        first = self.storage.games.by_name("paris")
        assert first is not None
        with self.storage.transaction():
            for number in games:
                game = self.storage.games.claim(first.id + number * STRIDE)
                assert game is not None
                for each in _CLOCK:
                    setattr(game, each, getattr(game, each) - self.due + at)
                self.storage.games.save(game)

    def writers(self, count: int) -> Iterator[tuple[int, str, int]]:
        """`count` times game, power and number for `mail`: people who have not written yet come
        first, and no two of one game follow each other where there are several."""
        for number in range(count):
            turn, game = divmod(number, self.games)
            again, player = divmod(turn, len(PLAYERS))
            yield game, list(PLAYERS)[player], again


def address(power: str, game: int = 0) -> str:
    """The address of a player."""
    return f"{game}.{power.lower()}@players.example" if game else f"{power.lower()}@players.example"


@contextmanager
def town(
    url: str, games: int, start: datetime | None = None, *, plain: bool = False
) -> Iterator[Town]:
    """Fill the empty database at `url` with running games, and close it in the end. The first has
    begun at `start`, in UTC, and so have all. `plain`: nobody wants HTML beside the text."""
    clock = ManualClock(start) if start else ManualClock()
    storage = Storage.open(url)
    try:
        answer_first_letters()
        judge = Judge(storage, clock, HOUSE, TABLE, seed=lambda: "seed")
        _play(storage, judge)
        tickets, due = _known(storage)
        if plain:
            with storage.transaction():
                options = PersonOptions(html=False, daily=False)
                storage._engine.run(models.PersonRow.update(options=options))
        _copy(storage, games)
        yield Town(storage, clock, judge, games, due, tickets)
    finally:
        storage.close()


def _play(storage: Storage, judge: Judge) -> None:
    """The game that all others are copies of."""
    _send(judge, "master@players.example", "CREATE ?paris\nSET NO DAILY")
    for power in PLAYERS:
        _send(judge, address(power), f"JOIN paris\nSET PREFERENCE {power[0]}")
    for power, orders in PLAYERS.items():
        wait = "SET WAIT" if power == "Turkey" else ""
        _send(judge, address(power), "\n".join((*orders, wait)))
    now = judge.clock.now()
    with storage.outbound.claimed(now, 1000) as letters:
        for letter in letters:
            storage.outbound.sent(letter.id, now)
    storage.erasure.mails(now + timedelta(days=1))
    storage.erasure.letters(now + timedelta(days=1), packed)


def put(judge: Judge, sender: str, text: str) -> int:
    """Put a mail that answers nothing into the inbox; its id."""
    raw = f"From: {sender}\r\nMessage-ID: <{uuid4()}@players.example>\r\n\r\n{text}\r\n"
    return judge.storage.inbound.accept(
        raw.encode(),
        door="smtp",
        envelope_from=sender,
        envelope_to=[HOUSE.address],
        received_at=judge.clock.now(),
    ).mail_id


def _send(judge: Judge, sender: str, text: str) -> None:
    put(judge, sender, text)
    judge.work()


def _known(storage: Storage) -> tuple[dict[str, int], datetime]:
    """The tickets behind everybody's first letter, and the deadline."""
    game = storage.games.by_name("paris")
    assert game is not None
    assert game.phase == "S1901M"
    assert game.deadline is not None
    powers = {address(power): power for power in PLAYERS}
    path = Addresses(HOUSE.pattern, storage.tickets.secret, HOUSE.domain)
    tickets = {
        powers[letter.recipient]: next(path.among([letter.envelope_from])).number
        for letter in storage.outbound.of_game(game.id)
        if letter.kind == "start" and letter.recipient in powers
    }
    return tickets, game.deadline


def _copy(storage: Storage, games: int) -> None:
    engine = storage._engine
    with engine.transaction():
        for model in models.ALL:
            if model is models.PulseRow:
                engine.run(model.delete())
            elif model._meta.table_name not in _WHOLE:
                engine.database.execute_sql(_copying(model, games))
                engine.count_on(model)
    # What a database that has been used for a while knows of its tables.
    engine.database.execute_sql("ANALYZE")


def _copying(model: Any, games: int) -> str:
    """SQL that copies all rows of a table for each game but the first."""
    table = model._meta.table_name
    marked = _MARKED.get(table, {})
    columns: dict[str, str] = {}
    for field in model._meta.sorted_fields:
        name = f'"{field.column_name}"'
        refers = isinstance(field, peewee.IntegerField) and field.column_name.endswith("_id")
        own = refers or isinstance(field, peewee.AutoField)
        columns[name] = f"{name} + k * {STRIDE}" if own else marked.get(field.column_name, name)
    return (
        f"WITH RECURSIVE copies(k) AS"
        f" (SELECT 1 WHERE {games} > 1 UNION ALL SELECT k + 1 FROM copies WHERE k < {games} - 1)"
        f' INSERT INTO "{table}" ({", ".join(columns)})'
        f' SELECT {", ".join(columns.values())} FROM "{table}", copies'
    )
