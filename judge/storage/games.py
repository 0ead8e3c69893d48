"""Games, seats, orders on file, phases that have run, the log, press, and diaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property

from msgspec.structs import replace
from peewee import fn

from judge.storage import models
from judge.storage.connection import AlreadyRun, NameTaken, Stale
from judge.storage.engine import (
    Changing,
    Engine,
    Part,
    Rows,
    Statement,
    among,
    changes_of,
    given,
    numbered,
    replacing,
    selecting,
    stored_of,
    values_of,
)
from judge.storage.records import (
    DiaryPage,
    Event,
    Game,
    Json,
    Order,
    PhaseRun,
    Press,
    Rollback,
    Seat,
)
from judge.storage.values import GameState, SeatState

_G = models.Game
_S = models.Seat
_O = models.Order
_R = models.PhaseRun
_B = models.Rollback
_E = models.Event
_P = models.Press

_GAME_WAKES = Statement(
    _G.select(_G.wake_at).where(_G.wake_at.is_null(False)).order_by(_G.wake_at).limit(1)
)
_GAMES_AFTER = Statement(
    _G.select(_G.id)
    .where((_G.state == given("state")) & (_G.id > given("game_id")))
    .order_by(_G.id)
    .limit(given("limit"))
)
_OF_GAME = _O.game_id == given("game_id")
_OF_PHASE = _OF_GAME & (_O.phase == given("phase"))
_ORDERS = Statement(_O.select().where(_OF_GAME).order_by(_O.phase, _O.power, _O.place))
_ORDERS_GONE = Statement(_O.delete().where(_OF_PHASE & (_O.power == given("power"))))
_PHASE_GONE = Statement(_O.delete().where(_OF_PHASE))
_COUNTING = _R.select().where((_R.game_id == given("game_id")) & (_R.rollback == 0))
_NEXT_RUN = Statement(_COUNTING.where(_R.id > given("id")).order_by(_R.id).limit(1))
_VERSIONS = Statement(_G.select(_G.id, _G.version))
_SEATED = Statement(
    _S.select(_S.game_id, _S.state, models.count(_S.id), fn.SUM(_S.id), fn.SUM(_S.person_id))
    .group_by(_S.game_id, _S.state)
    .order_by(_S.game_id, _S.state)
)
_SAID = Statement(
    _P.select(_P.game_id, fn.MAX(_P.id), models.count(_P.id)).where(_P.public).group_by(_P.game_id)
)
_LAST_RUN = Statement(_COUNTING.order_by(_R.id.desc()).limit(1))


@cache
def _games_due(limit: int) -> Statement:
    due = _G.select(_G.id).where(_G.wake_at <= given("now"))
    return Statement(due.order_by(_G.wake_at, _G.id).limit(limit))


@cache
def _games_of_person(states: int) -> Statement:
    mine = (_S.person_id == given("person_id")) & _S.state.in_(
        (SeatState.ACTIVE, SeatState.ABANDONED)
    )
    query = _G.select().where(_G.id.in_(_S.select(_S.game_id).where(mine))).order_by(_G.id)
    return Statement(query.where(_G.state.in_(among("state", states))) if states else query)


class Games(Rows[Game]):
    """The games. Reads are free; writes belong in a transaction."""

    model, kind = _G, Game

    def add(self, game: Game) -> Game:
        """Store a new game; the same value, with its id. Raises NameTaken."""
        game.name = game.name.lower()
        game_id = self._engine.add_new(_G, game)
        if game_id is None:
            raise NameTaken(game.name)
        game.id = game_id
        game.stored = values_of(game)  # type: ignore[attr-defined]
        return game

    def save(self, game: Game) -> None:
        """Store what changed in a game.

        Raises Stale if it was saved elsewhere since it was read; that cannot happen to a game
        that was claimed in this transaction.
        """
        if not (changes := changes_of(game)):
            return
        changes["version"] = game.version + 1
        known = {"known_id": game.id, "known_version": game.version}
        saving = replacing(_G, tuple(changes), ("id", "version"))
        if not self._engine.run(saving, **changes, **known):
            raise Stale(f"game {game.name}")
        game.version += 1
        game.stored = stored_of(game) | changes  # type: ignore[attr-defined]

    def claim(self, game_id: int, *, wait: bool = True) -> Game | None:
        """The game, locked for this transaction: one worker at a time.

        None when there is no such game, or, without `wait`, when another worker has it.
        """
        return self._engine.record(
            Game, self._engine.locked(selecting(_G, "id"), skip=not wait), id=game_id
        )

    def by_name(self, name: str) -> Game | None:
        """The game of that name, in whatever case it is written."""
        return self._engine.one(Game, _G, name=name.lower())

    def last_named(self, beginning: str, limit: int) -> list[str]:
        """The names of so many games that begin like this, the youngest game first."""
        query = _G.select(_G.name).where(_G.name.startswith(beginning)).order_by(_G.id.desc())
        return [row["name"] for row in self._engine.rows(query.limit(limit))]

    def last_started(self, limit: int) -> list[Game]:
        """So many games that have started, the youngest first."""
        query = _G.select().where(_G.started_at.is_null(False)).order_by(_G.id.desc())
        return self._engine.records(Game, query.limit(limit))

    def by_thread(self, message_ids: Sequence[str]) -> Game | None:
        """The game whose thread one of these Message-IDs (In-Reply-To, References) starts."""
        if not message_ids:
            return None
        query = _G.select().where(_G.thread.in_(list(message_ids))).order_by(_G.id.desc())
        return self._engine.record(Game, query.limit(1))

    def all(self, states: Iterable[GameState] = ()) -> list[Game]:
        """The games, oldest first; only those in `states` where any are given."""
        query = _G.select().order_by(_G.id)
        wanted = list(states)
        if wanted:
            query = query.where(_G.state.in_(wanted))
        return self._engine.records(Game, query)

    def after(self, game_id: int, state: GameState, limit: int) -> list[int]:
        """The ids of so many games in a state, those that follow an id."""
        facts = {"game_id": game_id, "state": state, "limit": limit}
        return [row["id"] for row in self._engine.rows(_GAMES_AFTER, **facts)]

    def of_person(self, person_id: int, states: Iterable[GameState] = ()) -> list[Game]:
        """The games a person has a part in, oldest first, abandoned seats included."""
        wanted = list(states)
        query = _games_of_person(len(wanted))
        return self._engine.records(Game, query, person_id=person_id, **numbered("state", wanted))

    def marks(self) -> dict[int, str]:
        """Return, for the id of each game, what changes when its record, its seats, what was said
        to everybody in it, or the phases that have run do. Three queries, however many games there
        are."""
        found = {key: str(mark) for key, mark in self._engine.tuples(_VERSIONS)}
        for query in (_SEATED, _SAID):
            for game_id, *rest in self._engine.tuples(query):
                found[game_id] += f" {'/'.join(map(str, rest))}"
        return found

    def due(self, now: datetime, limit: int = 100) -> list[int]:
        """Ids of the games the clock must look at now, the longest overdue first."""
        # This is asked all the time. PostgreSQL plans a comparison with another value anew.
        first = self.next_wake()
        if first is None or first > now:
            return []
        return [row["id"] for row in self._engine.rows(_games_due(limit), now=now)]

    def next_wake(self) -> datetime | None:
        """When the clock must next look at any game, which may be in the past."""
        row = self._engine.row(_GAME_WAKES)
        return None if row is None else row["wake_at"]


class Seats(Changing[Seat]):
    """Who takes part in which game, in the order people joined, those left behind included. Reads
    are free; writes belong in a transaction."""

    model, kind = _S, Seat


class Orders(Part):
    """The orders that one game has on file. They are read once: nobody but who has claimed the game
    writes them, and that through this."""

    def __init__(self, engine: Engine, game_id: int) -> None:
        super().__init__(engine)
        self._game_id = game_id

    @cached_property
    def _on_file(self) -> dict[tuple[str, str], list[Order]]:
        """Them by phase and power, in order."""
        found: dict[tuple[str, str], list[Order]] = {}
        for order in self._engine.records(Order, _ORDERS, game_id=self._game_id):
            found.setdefault((order.phase, order.power), []).append(order)
        return found

    def replace(
        self,
        phase: str,
        power: str,
        texts: Sequence[str],
        *,
        arrived_at: datetime,
        mail_id: int | None = None,
    ) -> None:
        """Make `texts`, canonical and in this order, all that a power has on file for a phase.

        An order that was on file already keeps the mail and the time it came with.
        """
        on_file = self._on_file.get((phase, power), [])
        before = {order.text: order for order in on_file}
        if [order.text for order in on_file] == list(texts):
            return
        self._on_file.pop((phase, power), None)
        if before:
            self._engine.write(_ORDERS_GONE, game_id=self._game_id, phase=phase, power=power)
        orders = []
        for place, text in enumerate(texts):
            old = before.get(text)
            order = Order(
                game_id=self._game_id,
                phase=phase,
                power=power,
                place=place,
                text=text,
                mail_id=old.mail_id if old else mail_id,
                arrived_at=old.arrived_at if old else arrived_at,
            )
            orders.append(order)
        self._engine.insert(_O, orders, wait=False)
        if orders:
            self._on_file[phase, power] = orders

    def of_phase(self, phase: str) -> dict[str, list[Order]]:
        """The orders on file for a phase by power, in order; powers without any are absent."""
        found = sorted(self._on_file.items())
        return {power: orders for (each, power), orders in found if each == phase}

    def of_power(self, power: str) -> dict[str, list[Order]]:
        """The orders a power has on file by phase, in order."""
        found = sorted(self._on_file.items())
        return {phase: orders for (phase, each), orders in found if each == power}

    def drop(self, phase: str) -> None:
        """Forget the orders for a phase: it has run, and its history holds them."""
        self._engine.write(_PHASE_GONE, game_id=self._game_id, phase=phase)
        for power in self.of_phase(phase):
            del self._on_file[phase, power]


class History(Part):
    """The phases that have run. Reads are free; writes belong in a transaction.

    What was rolled back stays on file; it is read by `rolled_back` and by nothing else.
    """

    def add(self, run: PhaseRun) -> PhaseRun:
        """Record a phase that has run; returned with its id.

        Raises AlreadyRun where the game has it: whatever was about to be done must not be.
        """
        run_id = self._engine.add_new(_R, run)
        if run_id is None:
            raise AlreadyRun(f"phase {run.phase} of game {run.game_id}")
        return replace(run, id=run_id)

    def find(self, game_id: int, phase: str) -> PhaseRun | None:
        """One phase of a game."""
        return self._engine.one(PhaseRun, _R, game_id=game_id, phase=phase, rollback=0)

    def of_game(self, game_id: int) -> list[PhaseRun]:
        """The phases of a game in the order they ran."""
        return self._engine.of(PhaseRun, _R, game_id=game_id, rollback=0)

    def last(self, game_id: int) -> PhaseRun | None:
        """The phase of a game that ran last."""
        return self._engine.record(PhaseRun, _LAST_RUN, game_id=game_id)

    def after(self, run: PhaseRun) -> PhaseRun | None:
        """The phase of a game that ran next; None where none has yet."""
        return self._engine.record(PhaseRun, _NEXT_RUN, game_id=run.game_id, id=run.id)

    # Rollbacks

    def roll_back(self, rollback: Rollback) -> Rollback:
        """Take a phase and all that ran after it out of what counts; the rollback with its id.

        Raises LookupError where the phase has not run.
        """
        first = self.find(rollback.game_id, rollback.phase)
        if first is None:
            raise LookupError(f"phase {rollback.phase} of game {rollback.game_id} has not run")
        made = replace(rollback, id=self._engine.add(_B, rollback))
        later = (_R.game_id == rollback.game_id) & (_R.rollback == 0) & (_R.id >= first.id)
        self._engine.run(_R.update(rollback=made.id).where(later))
        return made

    def rolled_back(self, rollback_id: int) -> list[PhaseRun]:
        """What one rollback took out, in the order it ran."""
        return self._engine.of(PhaseRun, _R, rollback=rollback_id)

    def undone(self, game_id: int) -> list[PhaseRun]:
        """All that rollbacks took out of a game, in the order it ran."""
        query = _R.select().where((_R.game_id == game_id) & (_R.rollback != 0)).order_by(_R.id)
        return self._engine.records(PhaseRun, query)

    def last_rollback(self, game_id: int) -> Rollback | None:
        """The last rollback of a game that has not been taken back, if nothing ran after it."""
        query = _B.select().where((_B.game_id == game_id) & _B.restored_at.is_null())
        found = self._engine.record(Rollback, query.order_by(_B.id.desc()).limit(1))
        if found is None:
            return None
        last = self.rolled_back(found.id)[-1].id
        since = (_R.game_id == game_id) & (_R.id > last)
        # What an earlier rollback took out ran before this one.
        since &= (_R.rollback == 0) | (_R.rollback > found.id)
        ran = self._engine.row(_R.select(_R.id).where(since).limit(1))
        return found if ran is None else None

    def restore(self, rollback: Rollback, now: datetime) -> None:
        """Let what a rollback took out count again."""
        self._engine.run(_R.update(rollback=0).where(_R.rollback == rollback.id))
        self._engine.run(_B.update(restored_at=now).where(_B.id == rollback.id))


class Events(Rows[Event]):
    """The log. Reads are free; writes belong in a transaction, so that it never lies."""

    model, kind = _E, Event

    def log(
        self,
        at: datetime,
        what: str,
        facts: Mapping[str, Json],
        *,
        actor: str = "judge",
        game_id: int | None = None,
    ) -> None:
        """Write a line: who did what, and when."""
        self.add(Event(at=at, game_id=game_id, actor=actor, what=what, facts=dict(facts)))

    def lately(
        self, what: str, since: datetime, game_id: int | None = None, actor: str | None = None
    ) -> list[Event]:
        """The lines that say `what` and are younger than `since`, of a game or of somebody if one
        is given."""
        condition = (_E.what == what) & (_E.at > since)
        if game_id is not None:
            condition &= _E.game_id == game_id
        if actor is not None:
            condition &= _E.actor == actor
        return self._engine.records(Event, _E.select().where(condition))

    def at(self, game_id: int, what: str, at: datetime) -> Event | None:
        """The line of a game that says `what` of that instant; None where none does."""
        # By the game's index: as many lines as there are games may say the same of one instant.
        named = (_E.what.concat("") == what) & (_E.game_id == game_id)
        return self._engine.record(Event, _E.select().where(named & (_E.at == at)).limit(1))

    def last(self, limit: int = 100) -> list[Event]:
        """The newest lines, newest first."""
        return self._engine.records(Event, _E.select().order_by(_E.id.desc()).limit(limit))


# What players wrote

_X = models.Press
_N = models.DiaryPage


class PressMessages(Rows[Press]):
    """What was said. Reads are free; writes belong in a transaction."""

    model, kind = _X, Press

    def lately(self, seat_ids: Sequence[int], since: datetime) -> int:
        """How many messages came from these seats after `since`."""
        mine = _X.sender_id.in_(list(seat_ids)) & (_X.sent_at > since)
        return self._engine.count(_X, mine)

    def letters(self, person_id: int, since: datetime) -> int:
        """For how many others, counted once a message, the press of a person after `since` was."""
        mine = _S.select(_S.id).where(_S.person_id == person_id)
        own = {row["id"] for row in self._engine.rows(mine)}
        query = _X.select(_X.seats).where(_X.sender_id.in_(mine) & (_X.sent_at > since))
        return sum(len({*row["seats"]} - own) for row in self._engine.rows(query))

    def broadcasts(self, seat_ids: Sequence[int], phase: str | None) -> int:
        """How many broadcasts these seats have written in a phase."""
        mine = _X.sender_id.in_(list(seat_ids)) & (_X.phase == phase) & _X.public
        return self._engine.count(_X, mine)

    def held(self, game_id: int) -> list[Press]:
        """What waits for the results of a game, in the order it was written."""
        return self._engine.of(Press, _X, game_id=game_id, held=True)

    def release(self, press: Press) -> None:
        """Let a held message go: it was sent at `press.sent_at`, to `press.seats`."""
        change = _X.update(held=False, sent_at=press.sent_at, seats=press.seats)
        self._engine.run(change.where(_X.id == press.id))


class Diaries(Rows[DiaryPage]):
    """The pages of diaries. Reads are free; writes belong in a transaction."""

    model, kind = _N, DiaryPage

    def add(self, note: DiaryPage) -> DiaryPage:
        """Store a page under the next number of its seat; returned with it and its id."""
        last = max((each.number for each in self.of_seat(note.seat_id)), default=0)
        numbered = replace(note, number=last + 1)
        return super().add(numbered)

    def remove(self, note_id: int) -> None:
        """Tear a page out."""
        self._engine.run(_N.delete().where(_N.id == note_id))

    def of_seat(self, seat_id: int) -> list[DiaryPage]:
        """The pages of a seat in order."""
        return self._engine.of(DiaryPage, _N, seat_id=seat_id)
