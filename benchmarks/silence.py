"""What people who fall silent do to games, with the caretaker and without: whole lives of games,
played out by the judge's own clock on a made-up calendar.

    python -m benchmarks.silence                    300 games for each row
    python -m benchmarks.silence --games 20         a quick look

Missed orders belong to people, not to coins. Of the people of a game most order before the
deadline. Some leave: at some phase of the plan, each as likely as the others, they stop for good.
Some are always in trouble: before each phase it is even odds whether they are late, by two days on
average. How many there are of both follows from the share of order-phases that are to be missed: a
third of it belongs to those who are late. Besides, who must wait for others loses interest: of
a hundred who wait beyond a deadline, one leaves a day. A call for replacements finds somebody one
time in ten; these people are drawn like the first ones.

Everybody's units go for centers of others, without much thought: what matters here is when orders
come, not which. The caretaker orders as it does in games. A game ends by a win, or after `LAST`;
one that nobody plays, or that still stands after `PATIENCE`, has ended without a result. Both rules
get the same people and the same chance.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.rows import Row, say, show
from judge.game import bots, phases
from judge.game.people import lateness
from judge.game.state import State
from judge.game.state.settings import Settings
from judge.rules.board import province_of
from judge.rules.orders import Move, Order
from judge.rules.phase import Kind
from judge.rules.rulebook import Rulebook
from judge.storage import (
    Game,
    GameState,
    Outward,
    Person,
    Role,
    Seat,
    SeatState,
    Storage,
    StoredEnding,
)

LAST = "F1905"
PLANNED = 21
"""Phases of such a game in which a power has something to order, more or less."""
PATIENCE = timedelta(days=365)
LATE = timedelta(days=2)
LEAVES_A_DAY = 0.01
FOUND = 0.1
SHARES = (0.23, 0.31)
START = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@dataclass
class Human:
    """Somebody who plays: from which of their phases on they are gone, and whether they are one of
    those who are late."""

    leaves: int | None
    late: bool
    phases: int = 0

    @property
    def gone(self) -> bool:
        """Whether they write nothing any more."""
        return self.leaves is not None and self.phases >= self.leaves


def human(missed: float, chance: Random) -> Human:
    """Draw one person where that share of order-phases is missed."""
    late, leaves = missed / 3 * 2, missed * 2 / 3 * 2
    kind = chance.random()
    at = chance.randrange(PLANNED)
    return Human(at if kind < leaves else None, leaves <= kind < leaves + late)


class Life(NamedTuple):
    """What became of a game: days that phases ran after their first deadline, how long it took,
    whether it has a result, and the order-phases that were missed and all there were."""

    waited: float
    days: float
    result: bool
    missed: int
    asked: int


@dataclass
class Table:
    """One game, its people, and what each of them is about to do."""

    state: State
    missed: float
    chance: Random
    now: datetime = START
    people: dict[int, Human] = field(default_factory=dict)
    plans: dict[str, datetime] = field(default_factory=dict)
    calls: dict[str, datetime] = field(default_factory=dict)
    opened: tuple[str | None, datetime | None] = (None, None)
    deadline: datetime = START
    waited: timedelta = timedelta(0)
    counts: list[int] = field(default_factory=lambda: [0, 0])

    def sit(self, power: str | None) -> Seat:
        """Let somebody new take a seat."""
        storage = self.state.storage
        person = storage.people.add(Person(name=Outward("somebody"), created_at=self.now))
        self.people[person.id] = human(self.missed, self.chance)
        return self.state.seats.keep(
            Seat(
                game_id=self.state.game.id,
                person_id=person.id,
                role=Role.PLAYER,
                power=power,
                joined_at=self.now,
            )
        )

    def play(self) -> Life:
        """Play the game to its end."""
        for _ in range(self.state.terms.places):
            self.sit(None)
        tick = START
        while self.state.game.state != GameState.ENDED and self.now < START + PATIENCE:
            wake = self.state.game.wake_at
            if (self.opened[0] is None or (wake and wake <= self.now)) and self._work():
                break
            tick = max(tick, self.deadline) + DAY if tick <= self.now else tick
            wake = self.state.game.wake_at
            moments = [*self.plans.values(), *self.calls.values(), tick, *([wake] if wake else [])]
            self.now = max(self.now, min(moments))
            if tick <= self.now:
                self._lose_interest()
            self._write()
            self._replace()
        outcome = self.state.game.outcome
        result = outcome is not None and outcome.ending != StoredEnding.DESERTED
        if outcome is None:
            self._count_wait()
        days = (self.now - START) / DAY
        return Life(self.waited / DAY, days, result, *self.counts)

    def _work(self) -> bool:
        """Let the judge do all that is due, and people look at a phase that has opened; return
        whether the game is over."""
        state = self.state
        while state.game.state != GameState.ENDED:
            phases.work(state, self.now, lambda: "seed")
            state.events.clear()
            self._look()
            if tasks := bots.tasks(state):
                bots.file(state, self.now, [(task, bots.think(task)) for task in tasks])
                phases.reschedule(state, self.now)
                state.save()
            elif state.game.wake_at is None or state.game.wake_at > self.now:
                return False
        return True

    def _look(self) -> None:
        game = self.state.game
        if (game.phase, game.opened_at) == self.opened:
            return
        self._count_wait()
        self.opened = (game.phase, game.opened_at)
        if game.state == GameState.ENDED or game.deadline is None:
            return
        self.deadline = game.deadline
        self.plans = {p: at for p, at in self.plans.items() if self._is_silent(p)}
        for power in self.state.owed:
            if self.state.sheets.of(power).optional:
                continue
            self.counts[1] += 1
            at = self._plan(power)
            self.counts[0] += at is None or at > self.deadline
            if at is not None:
                self.plans[power] = min(at, self.plans.get(power, at))

    def _count_wait(self) -> None:
        if self.opened[0] is not None:
            self.waited += max(self.now - self.deadline, timedelta(0))

    def _is_silent(self, power: str) -> bool:
        seat = self.state.seats.holder(power)
        return seat is not None and seat.state == SeatState.ABANDONED

    def _plan(self, power: str) -> datetime | None:
        """Return when the player of a power will send the orders of the phase that opened."""
        seat = self.state.seats.holder(power)
        if seat is None or seat.person_id not in self.people:
            return None
        if seat.state not in (SeatState.ACTIVE, SeatState.ABANDONED):
            return None
        who = self.people[seat.person_id]
        early, days, odds = self.chance.random(), self.chance.expovariate(1), self.chance.random()
        if who.gone:
            return None
        who.phases += 1
        if who.late and odds < 0.5:
            return self.deadline + days * LATE
        return self.now + (0.1 + 0.85 * early) * (self.deadline - self.now)

    def _write(self) -> None:
        """Take the orders of everybody who sends them now."""
        state = self.state
        for power in [power for power, at in self.plans.items() if at <= self.now]:
            del self.plans[power]
            seat = state.seats.holder(power)
            if seat is None or seat.person_id not in self.people or not state.powers.alive(power):
                continue
            if seat.state == SeatState.ABANDONED:
                lateness.occupy(state, seat, self.now)
            elif seat.state != SeatState.ACTIVE:
                continue
            seat.wait = False
            state.seats.keep(seat)
            if power in state.owed:
                given = bots.completed(state, power, self._orders(power))
                state.file(power, given, self.now, None)
                state.game.last_change = self.now
            if not state.sheets.missing():
                phases.reschedule(state, self.now)

    def _orders(self, power: str) -> list[Order]:
        """Return orders for a movement phase: a center of others next to a unit, or anything."""
        state = self.state
        if state.opened.phase.kind is not Kind.MOVEMENT:
            return []
        provinces, own = state.variant.board.provinces, state.opened.centers.get(power, ())
        orders, goals = list[Order](), set[str]()
        for unit in state.opened.units.get(power, ()):
            near = sorted(state.variant.board.steps(unit.kind, unit.location))
            self.chance.shuffle(near)
            near.sort(key=lambda to: not provinces[province_of(to)].supply_center or to in own)
            free = [to for to in near if province_of(to) not in goals]
            if free and self.chance.random() < 0.7:
                orders.append(Move(unit, free[0]))
                goals.add(province_of(free[0]))
        return orders

    def _replace(self) -> None:
        """Let those who are asked to stand in take powers over, as chance will have it."""
        state = self.state
        if state.game.state == GameState.ENDED:
            return
        again = lateness.SELDOM if state.terms.caretaker else lateness.AGAIN
        missing = state.powers.in_care() if state.terms.caretaker else state.powers.vacant()
        self.calls = {p: self.calls.get(p, self.now + again) for p in missing}
        for power in [power for power, at in self.calls.items() if at <= self.now]:
            self.calls[power] = self.now + again
            if self.chance.random() >= FOUND:
                continue
            before = state.seats.holder(power)
            assert before is not None
            before.state = SeatState.REPLACED
            state.seats.keep(before)
            del self.calls[power]
            self.plans.pop(power, None)
            seat = self.sit(power)
            lateness.occupy(state, seat, self.now)
            if not state.sheets.of(power).complete:
                self.plans[power] = self.now + DAY * self.chance.random()
            seat.wait = False
            phases.reschedule(state, self.now)
            state.save()

    def _lose_interest(self) -> None:
        """Let people leave whom others have kept waiting for a day."""
        if self.now <= self.deadline:
            return
        missing = set(self.state.sheets.missing())
        for power, seat in self.state.seats.players().items():
            who = self.people.get(seat.person_id or 0)
            odds = self.chance.random()
            if who is not None and power not in missing and not who.gone and odds < LEAVES_A_DAY:
                who.leaves = who.phases


def lives(games: int, missed: float, caretaker: bool) -> Iterator[Life]:
    """Yield what becomes of so many games where that share of order-phases is missed."""
    settings = Settings(listed=True, caretaker=caretaker, turn_limit=LAST)
    with tempfile.TemporaryDirectory() as folder:
        storage = Storage.open(f"sqlite:{Path(folder) / 'judge.db'}")
        for number in range(games):
            with storage.transaction():
                game = storage.games.add(
                    Game(
                        name=f"game{number}",
                        variant="standard",
                        rulebook=Rulebook.edition("2023").name,
                        settings=settings.to_json(),
                        created_at=START,
                    )
                )
                state = State(storage, game)
                state.note(seed=f"{missed} {number}")
                yield Table(state, missed, Random(f"{missed} {number}")).play()
        storage.close()


def compare(games: int, missed: float) -> Iterator[Row]:
    """Compare the rules; what is promised is half the days and half the lost games."""
    found = {}
    for caretaker in (False, True):
        say(f"{missed:.0%} missed, {'with' if caretaker else 'without'} the caretaker")
        found[caretaker] = list(lives(games, missed, caretaker))
    before, after = found[False], found[True]
    what = f"{games} games, {missed:.0%} missed:"
    share = [sum(x.missed for x in each) / sum(x.asked for x in each) for each in (before, after)]
    yield Row(f"{what} in fact missed", f"{share[0]:.0%}, with caretaker {share[1]:.0%}")
    length = [sum(x.days for x in each) / games for each in (before, after)]
    yield Row(f"{what} days a game", f"{length[0]:.0f} -> {length[1]:.0f}")
    waited = [sum(x.waited for x in each) / games for each in (before, after)]
    half = waited[1] <= waited[0] / 2
    yield Row(f"{what} days waited", f"{waited[0]:.1f} -> {waited[1]:.1f}", "halved", half)
    lost = [sum(not x.result for x in each) for each in (before, after)]
    half = lost[1] <= lost[0] / 2
    yield Row(f"{what} without a result", f"{lost[0]} -> {lost[1]}", "halved", half)


def main() -> int:
    """Print the table; return 1 where something promised was not kept."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n\n")[0])
    parser.add_argument("--games", type=int, default=300, help="games for each row")
    games = parser.parse_args().games
    kept = [show(row) for missed in SHARES for row in compare(games, missed)]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
