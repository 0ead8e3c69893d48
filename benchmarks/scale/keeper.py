"""What a keeper gets: a whole judge as it is configured by default, on games that all differ.

The games have been played some phases by random orders, each by people of its own; every mail
orders anew, and half of them answer no letter. Nothing is copied, warmed or switched off.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import partial
from random import Random

from benchmarks.rows import Row, say
from benchmarks.scale.meter import memory, switches
from benchmarks.scale.places import HOST, Kind
from benchmarks.scale.sizes import Sizes
from benchmarks.scale.town import HOUSE, PLAYERS
from benchmarks.scale.whole import Running, running
from benchmarks.selfplay import planned
from judge.commands import TABLE
from judge.game.state import State
from judge.mail.address import REPLY, Addresses
from judge.mail.headers import trace
from judge.rules.phase import Kind as PhaseKind
from judge.service import Judge
from judge.storage import Game, OutboundState, Storage
from tests.clocks import ManualClock
from tests.game.play import answer_first_letters

LEAST, MOST = 1, 6
"""Movement phases that a game has behind it."""

AGO, PAST = timedelta(hours=2), timedelta(days=20)
"""How long ago the open phases have begun, and the games."""


AT_ONCE = 1_000
"""Games that all differ, due in the same minute: as many times what one of them takes."""


@dataclass
class Played:
    """Running games, which all differ, and their people."""

    storage: Storage
    judge: Judge
    random: Random
    games: list[str]
    _sent: int = 0

    def mails(self, end: str = "") -> Iterator[tuple[bytes, str, str]]:
        """Everybody's orders of the open phases, one mail each, with sender and recipient; every
        other one begins anew."""
        for name in self.games:
            for power, lines in self._planned(name).items():
                yield self._mail(name, power, f"{lines}{end}")

    def play(self, name: str, clock: ManualClock) -> None:
        """Let everybody order once, by mail, and the phase run as early as it may."""
        phase = self.found(name).phase
        for power, lines in self._planned(name).items():
            raw, sender, to = self._mail(name, power, lines)
            self._take(raw, sender, to)
        while (game := self.found(name)).phase == phase:
            assert game.wake_at is not None
            clock.set(game.wake_at)
            self.judge.work()

    def found(self, name: str) -> Game:
        """The game of that name."""
        game = self.storage.games.by_name(name)
        assert game is not None
        return game

    def orders_on_file(self) -> int:
        """How many orders are on file for open phases."""
        states = [State(self.storage, self.found(name)) for name in self.games]
        return sum(len(own) for state in states for own in state.orders.values())

    def open(self, name: str) -> None:
        """Fill a new game with seven people."""
        self._say("master@players.example", f"CREATE ?{name} PUBLIC\nSET NO DAILY")
        for power in PLAYERS:
            self._say(_address(power, name), f"JOIN {name}\nSET PREFERENCE {power[0]}")

    def fall_due(self) -> None:
        """Let all games be due now, as if their phases had been opened so much earlier."""
        now = datetime.now(UTC)
        for name in self.games:
            deadline = self.found(name).deadline
            assert deadline is not None
            self.move(name, now - deadline)

    def move(self, name: str, by: timedelta) -> None:
        """Let all that is to come in a game come so much later."""
        with self.storage.transaction():
            game = self.storage.games.claim(self.found(name).id)
            assert game is not None
            for each in ("opened_at", "deadline", "grace_end", "last_change", "wake_at"):
                at = getattr(game, each)
                setattr(game, each, None if at is None else at + by)
            self.storage.games.save(game)

    def _planned(self, name: str) -> dict[str, str]:
        state = State(self.storage, self.found(name))
        given = planned(state.variant, state.opened, self.random)
        return {power: "".join(f"{each}\n" for each in own) for power, own in given.items()}

    def _mail(self, name: str, power: str, text: str) -> tuple[bytes, str, str]:
        self._sent += 1
        sender, to = _address(power, name), HOUSE.address
        message = EmailMessage()
        message["From"] = f"{power} <{sender}>"
        message["Subject"] = f"orders for {name}"
        message["Message-ID"] = f"<{self._sent}@{name}.players.example>"
        person = self.storage.people.by_address(sender)
        if self._sent % 2 and person is not None:
            letter = self.storage.outbound.find(self.storage.outbound.latest(person.id, 1)[0].id)
            assert letter is not None
            ids = Addresses(HOUSE.pattern, self.storage.tickets.secret, HOUSE.domain)
            number = ids.read_message_id(letter.message_id)
            assert number is not None
            to = ids.make(number, REPLY)
            message["In-Reply-To"] = letter.message_id
        message["To"] = to
        message.set_content(text)
        return message.as_bytes().replace(b"\n", b"\r\n"), sender, to

    def _say(self, sender: str, text: str) -> None:
        self._sent += 1
        head = f"From: {sender}\r\nMessage-ID: <{self._sent}@players.example>\r\n\r\n"
        self._take(f"{head}{text}\r\n".encode(), sender, HOUSE.address)

    def _take(self, raw: bytes, sender: str, to: str) -> None:
        # As the door writes it, for by another way its writer would be asked.
        raw = trace(HOST, HELLO, HOUSE.domain, "ESMTP") + raw
        now = self.judge.clock.now()
        self.storage.inbound.accept(
            raw, door="smtp", envelope_from=sender, envelope_to=[to], received_at=now
        )
        self.judge.work()


HELLO = "mx.players.example"


def _address(power: str, name: str) -> str:
    return f"{power.lower()}.{name}@players.example"


@contextmanager
def played(url: str, count: int) -> Iterator[Played]:
    """Fill the empty database at `url` with `count` games, each played some phases until a
    movement phase is open, and close it in the end."""
    now, clock = datetime.now(UTC).replace(microsecond=0), ManualClock()
    storage = Storage.open(url)
    try:
        answer_first_letters()
        judge = Judge(storage, clock, HOUSE, TABLE, seed=lambda: f"seed{clock.now()}")
        made = Played(storage, judge, Random(7), [f"game{number}" for number in range(count)])
        for number, name in enumerate(made.games):
            clock.set(now - PAST + timedelta(seconds=number))
            made.open(name)
            moved = 0
            while moved < LEAST + number % (MOST - LEAST) or not _moves(made, name):
                moved += _moves(made, name)
                made.play(name, clock)
            made.move(name, now - AGO - clock.now())
        with storage.outbound.claimed(now, 10**6) as letters:
            for letter in letters:
                storage.outbound.sent(letter.id, now)
        yield made
    finally:
        storage.close()


def _moves(made: Played, name: str) -> bool:
    return State(made.storage, made.found(name)).opened.phase.kind is PhaseKind.MOVEMENT


def kept(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """What an order mail with its answer costs the processor, and a turn of seven of them with its
    results, from door to relay; with pictures, as by default, and without."""
    for pictures, mail_most, turn_most in ((True, 16, 450), (False, 10, 150)):
        say(f"{kind}: playing {sizes.lived} games")
        fill = partial(played, count=sizes.lived)
        with running(kind, fill, pictures=pictures, hello=HELLO) as (judge, made):
            storage, mails = made.storage, list(made.mails("SET WAIT\n"))
            sent, before = storage.outbound.count(OutboundState.SENT), judge.settled()
            if pictures:
                yield Row(f"{kind}: milliseconds of a start", f"{before:.0f}")
            judge.send(iter(mails))
            judge.rest(sent + len(mails))
            mail = (judge.spent() - before) / len(mails)
            on_file = made.orders_on_file()
            told = sum(raw.count(b"\r\n", raw.index(b"\r\n\r\n") + 4) - 1 for raw, _, _ in mails)
            if on_file != told:
                raise RuntimeError(f"{on_file} of {told} orders are on file")
            sent, before = storage.outbound.count(OutboundState.SENT), judge.spent()
            made.fall_due()
            judge.rest(sent + sizes.lived * (len(PLAYERS) + 1))
            results = (judge.spent() - before) / sizes.lived
            turn = results + mail * len(PLAYERS)
            if pictures:
                yield from _at_rest(kind, judge, sizes.rest)
        what = "with pictures" if pictures else "text and HTML alone"
        if kind == "PostgreSQL":
            mail_most, turn_most = mail_most * 3 // 2, turn_most * 3 // 2
        of_mail = f"{kind}: milliseconds an order mail, games differ, {what}"
        yield Row(of_mail, f"{mail:.1f}", f"<= {mail_most}", mail <= mail_most)
        if pictures:
            stormy = results * AT_ONCE / 60_000
            of_storm = f"{kind}: minutes of a core for {AT_ONCE:,} such games due at once"
            yield Row(of_storm, f"{stormy:.1f}", "<= 3", stormy <= 3)
        of_turn = f"{kind}: milliseconds a turn of seven, games differ, {what}"
        yield Row(of_turn, f"{turn:.0f}", f"<= {turn_most}", turn <= turn_most)


def _at_rest(kind: Kind, judge: Running, seconds: int) -> Iterator[Row]:
    """What it keeps of memory after work with pictures and, after so many seconds, without work,
    and how often it wakes up then."""
    busy = memory(judge.server.pid)
    say(f"{kind}: waiting until it rests")
    time.sleep(seconds)
    before, began = switches(judge.server.pid), time.monotonic()
    time.sleep(seconds)
    woken = (
        sum(
            count - before[thread]
            for thread, count in switches(judge.server.pid).items()
            if thread in before
        )
        * 60
        / max(time.monotonic() - began, 1)
    )
    rests = memory(judge.server.pid)
    yield Row(f"{kind}: memory with pictures", f"{busy:.0f} MB", "<= 120 MB", busy <= 120)
    yield Row(f"{kind}: memory at rest", f"{rests:.0f} MB")
    yield Row(f"{kind}: wake-ups a minute at rest", f"{woken:.0f}", "<= 100", woken <= 100)
