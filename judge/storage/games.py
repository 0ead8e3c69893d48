"""Games, seats, orders on file, phases that have run, the log, press, and diaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Final, NamedTuple

from msgspec.structs import replace
from peewee import JOIN, Case, fn

from judge.storage import models
from judge.storage.errors import AlreadyRun, Stale
from judge.storage.queries import (
    Changing,
    Engine,
    Rows,
    TableGroup,
    Waking,
    changes_of,
    stored_of,
    values_of,
)
from judge.storage.records import (
    DiaryPage,
    Game,
    Json,
    KeptFile,
    LogEntry,
    Order,
    PhaseRun,
    Press,
    Rollback,
    Seat,
)
from judge.storage.values import GameState, Role, SeatState

_G = models.GameRow
_S = models.SeatRow
_O = models.OrderRow
_R = models.PhaseRunRow
_B = models.RollbackRow
_E = models.LogRow
_P = models.PressRow


SECRET_FREE: Final = 1000
"""How many people a game is said to want of which nobody may know."""


def phase_root(thread: str | None, phase: str) -> str | None:
    """Return the Message-ID that starts the thread of a phase, in a game with that one."""
    return thread and f"<{phase.lower()}.{thread[1:]}"


class GameLine(NamedTuple):
    """What a list says of a game; `players` are all its seats of players."""

    name: str
    variant: str
    state: GameState
    phase: str | None
    deadline: datetime | None
    players: int


class GameSearch(NamedTuple):
    """Which games of these `states` somebody looks for: all, or, where `listed`, those of which
    everybody hears and those that a person is in (`also`, an id); on a board, with words that
    stand in `Game.traits`, and with at most so many people wanted."""

    states: Sequence[GameState]
    listed: bool = True
    also: int = 0
    variant: str | None = None
    traits: Sequence[str] = ()
    needs: float | None = None

    def where(self) -> Any:
        """Return the condition on a game's row."""
        fits = _G.state.in_(list(self.states))
        if self.listed:
            fits &= _G.listed | _G.id.in_(_seated(self.also)) if self.also else _G.listed
        if self.variant is not None:
            fits &= _G.variant == self.variant
        for word in self.traits:
            fits &= _G.traits.contains(f" {word} ")
        if self.needs is not None:
            fits &= (_G.free > 0) & (_G.free <= min(self.needs, SECRET_FREE))
        return fits


def _has_part(person_id: int) -> Any:
    """Return the condition that a seat is a person's part in a game, abandoned ones included."""
    return (_S.person_id == person_id) & _S.state.in_((SeatState.ACTIVE, SeatState.ABANDONED))


def _seated(person_id: int) -> Any:
    """Return the ids of the games a person has a part in."""
    return _S.select(_S.game_id).where(_has_part(person_id))


class Games(Waking[Game]):
    """The games. Reads are free; writes belong in a transaction."""

    model, kind = _G, Game

    def add(self, game: Game) -> Game:
        """Store a new game; the same value, with its id. Raises NameTaken."""
        super().add(game)
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
        if not self._engine.change(_G, changes, id=game.id, version=game.version):
            raise Stale(f"game {game.name}")
        game.version += 1
        game.stored = stored_of(game) | changes  # type: ignore[attr-defined]

    def claim(self, game_id: int, *, wait: bool = True) -> Game | None:
        """Return the game, locked for this transaction: one worker at a time.

        None when there is no such game, or, without `wait`, when another worker has it.
        """
        query = _G.select().where(_G.id == game_id)
        return self._engine.record(Game, self._engine.locked(query, skip=not wait))

    def last_named(self, beginning: str, limit: int) -> list[str]:
        """Return the names of so many games that begin like this, the youngest game first."""
        query = _G.select(_G.name).where(_G.name.startswith(beginning)).order_by(_G.id.desc())
        return [name for (name,) in self._engine.tuples(query.limit(limit))]

    def last_started(self, limit: int) -> list[Game]:
        """Return so many games that have started, the youngest first."""
        query = _G.select().where(_G.started_at.is_null(False)).order_by(_G.id.desc())
        return self._engine.records(Game, query.limit(limit))

    def by_thread(self, message_ids: Sequence[str]) -> Game | None:
        """Return the game of which one of these Message-IDs (In-Reply-To, References) starts a
        thread."""
        if not message_ids:
            return None
        roots = [*message_ids, *(f"<{each.partition('.')[2]}" for each in message_ids)]
        query = _G.select().where(_G.thread.in_(roots)).order_by(_G.id.desc())
        return self._engine.record(Game, query.limit(1))

    def all(self, states: Iterable[GameState] = ()) -> list[Game]:
        """Return the games, oldest first; only those in `states` where any are given."""
        query = _G.select().order_by(_G.id)
        wanted = list(states)
        if wanted:
            query = query.where(_G.state.in_(wanted))
        return self._engine.records(Game, query)

    def overview(self, states: Sequence[GameState], ids: Sequence[int]) -> list[GameLine]:
        """Return a line of each game in these `states`, and of those with these ids, oldest first,
        without reading more of it."""
        players = (
            _S.select(_S.game_id, fn.COUNT(_S.id).alias("players"))
            .where(_S.role == Role.PLAYER)
            .group_by(_S.game_id)
            .alias("seated")
        )
        query = (
            _G.select(
                *(_G.name, _G.variant, _G.state, _G.phase, _G.deadline),
                fn.COALESCE(players.c.players, 0),
            )
            .join(players, JOIN.LEFT_OUTER, on=players.c.game_id == _G.id)
            .where(_G.state.in_(list(states)) | _G.id.in_(list(ids)))
            .order_by(_G.id)
        )
        return [GameLine(*row) for row in self._engine.tuples(query)]

    def found(self, wanted: GameSearch) -> int:
        """Return how many games there are that somebody looks for."""
        return self._engine.count(_G, wanted.where())

    def search(self, wanted: GameSearch, start: int = 0, most: int | None = None) -> list[int]:
        """Return the ids of the games that somebody looks for: those that want people first, the
        oldest first; so many at `most`, those from `start` on."""
        full = (_G.state != GameState.FORMING) & (_G.free == 0)
        query = _G.select(_G.id).where(wanted.where())
        query = query.order_by(Case(None, [(full, 1)], 0), _G.id)
        query = query if most is None else query.limit(most).offset(start)
        return [key for (key,) in self._engine.tuples(query)]

    def not_noted(self, states: Sequence[GameState]) -> list[Game]:
        """Return the games of which it is not noted what a search looks for: those of before."""
        return self._where(_G.state.in_(list(states)) & _G.listed.is_null())

    def note_search(self, game: Game) -> None:
        """Store what a search looks for, which counts as no change of the game."""
        noted = {"listed": game.listed, "free": game.free, "traits": game.traits}
        self._engine.run(_G.update(noted).where(_G.id == game.id))

    def all_of(self, game_ids: Sequence[int]) -> list[Game]:
        """Return the games with these ids."""
        return self._having(id=tuple(game_ids))

    def last_ended(self, limit: int, variant: str | None = None) -> list[Game]:
        """Return so many games that have ended, the last one first; only those on a board if one is
        given."""
        query = _G.select().where(_G.ended_at.is_null(False))
        query = query if variant is None else query.where(_G.variant == variant)
        query = query.order_by(_G.ended_at.desc(), _G.id.desc())
        return self._engine.records(Game, query.limit(limit))

    def after(self, game_id: int, state: GameState, limit: int) -> list[int]:
        """Return the ids of so many games in a state, those that follow an id."""
        query = _G.select(_G.id).where((_G.state == state) & (_G.id > game_id)).order_by(_G.id)
        return [key for (key,) in self._engine.tuples(query.limit(limit))]

    def of_person(self, person_id: int, states: Iterable[GameState] = ()) -> list[Game]:
        """Return the games a person has a part in, oldest first, abandoned seats included."""
        query = _G.select().where(_G.id.in_(_seated(person_id))).order_by(_G.id)
        wanted = list(states)
        return self._engine.records(Game, query.where(_G.state.in_(wanted)) if wanted else query)

    def names_of(self, person_id: int, states: Iterable[GameState]) -> dict[int, str]:
        """Return the names of a person's games in these states by their ids, as `of_person` has
        them."""
        query = _G.select(_G.id, _G.name).join(_S, on=_S.game_id == _G.id)
        query = query.where(_has_part(person_id) & _G.state.in_(list(states))).order_by(_G.id)
        return dict(self._engine.tuples(query))

    def marks(self) -> dict[int, str]:
        """Return, for the id of each game, what changes when its record, its seats, what was said
        to everybody in it, or the phases that have run do. Three queries, however many games there
        are."""
        versions = _G.select(_G.id, _G.version)
        seated = (
            _S.select(_S.game_id, _S.state, fn.COUNT(_S.id), fn.SUM(_S.id), fn.SUM(_S.person_id))
            .group_by(_S.game_id, _S.state)
            .order_by(_S.game_id, _S.state)
        )
        said = _P.select(_P.game_id, fn.MAX(_P.id), fn.COUNT(_P.id)).where(_P.public)
        found = {key: str(mark) for key, mark in self._engine.tuples(versions)}
        for query in (seated, said.group_by(_P.game_id)):
            for game_id, *rest in self._engine.tuples(query):
                # There are games of other houses.
                if game_id in found:
                    found[game_id] += f" {'/'.join(map(str, rest))}"
        return found


class Seats(Changing[Seat]):
    """Who takes part in which game, in the order people joined, those left behind included. Reads
    are free; writes belong in a transaction."""

    model, kind = _S, Seat

    def of_games(self, game_ids: Sequence[int]) -> dict[int, list[Seat]]:
        """Return those of each of these games, in one query, as `of_game` has them."""
        found: dict[int, list[Seat]] = {each: [] for each in game_ids}
        for seat in self._having(game_id=tuple(game_ids)):
            found[seat.game_id].append(seat)
        return found


class Orders(TableGroup):
    """The orders that one game has on file. They are read once: nobody but who has claimed the game
    writes them, and that through this."""

    def __init__(self, engine: Engine, game_id: int) -> None:
        super().__init__(engine)
        self._game_id = game_id

    @cached_property
    def _on_file(self) -> dict[tuple[str, str], list[Order]]:
        """Them by phase and power, in order."""
        found: dict[tuple[str, str], list[Order]] = {}
        on_file = self._engine.having(Order, _O, game_id=self._game_id)
        for order in sorted(on_file, key=lambda each: each.place):
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
            mine = (_O.game_id == self._game_id) & (_O.phase == phase) & (_O.power == power)
            self._engine.run(_O.delete().where(mine))
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
        self._engine.add_all(_O, orders)
        if orders:
            self._on_file[phase, power] = orders

    def of_phase(self, phase: str) -> dict[str, list[Order]]:
        """Return orders on file for a phase by power, in order; powers without any are absent."""
        found = sorted(self._on_file.items())
        return {power: orders for (each, power), orders in found if each == phase}

    def of_power(self, power: str) -> dict[str, list[Order]]:
        """Return the orders a power has on file by phase, in order."""
        found = sorted(self._on_file.items())
        return {phase: orders for (phase, each), orders in found if each == power}

    def drop(self, phase: str) -> None:
        """Forget the orders for a phase: it has run, and its history holds them."""
        self._engine.run(_O.delete().where((_O.game_id == self._game_id) & (_O.phase == phase)))
        for power in self.of_phase(phase):
            del self._on_file[phase, power]


class History(TableGroup):
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
        """Return one phase of a game."""
        return self._engine.one(PhaseRun, _R, game_id=game_id, phase=phase, rollback=0)

    def of_game(self, game_id: int) -> list[PhaseRun]:
        """Return the phases of a game in the order they ran."""
        return self._engine.having(PhaseRun, _R, game_id=game_id, rollback=0)

    def last(self, game_id: int, kind: str = "") -> PhaseRun | None:
        """Return the phase of a game that ran last, of this kind if one is given."""
        query = _counting(game_id).order_by(_R.id.desc()).limit(1)
        if kind:
            query = query.where(_R.phase.endswith(kind))
        return self._engine.record(PhaseRun, query)

    def after(self, run: PhaseRun) -> PhaseRun | None:
        """Return the phase of a game that ran next; None where none has yet."""
        query = _counting(run.game_id).where(_R.id > run.id).order_by(_R.id).limit(1)
        return self._engine.record(PhaseRun, query)

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
        """Return what one rollback took out, in the order it ran."""
        return self._engine.having(PhaseRun, _R, rollback=rollback_id)

    def undone(self, game_id: int) -> list[PhaseRun]:
        """Return all that rollbacks took out of a game, in the order it ran."""
        query = _R.select().where((_R.game_id == game_id) & (_R.rollback != 0)).order_by(_R.id)
        return self._engine.records(PhaseRun, query)

    def last_rollback(self, game_id: int) -> Rollback | None:
        """Return last rollback of a game that has not been taken back, if nothing ran after it."""
        query = _B.select().where((_B.game_id == game_id) & _B.restored_at.is_null())
        found = self._engine.record(Rollback, query.order_by(_B.id.desc()).limit(1))
        if found is None:
            return None
        last = self.rolled_back(found.id)[-1].id
        since = (_R.game_id == game_id) & (_R.id > last)
        # What an earlier rollback took out ran before this one.
        since &= (_R.rollback == 0) | (_R.rollback > found.id)
        return None if self._engine.exists(_R.select(_R.id).where(since)) else found

    def restore(self, rollback: Rollback, now: datetime) -> None:
        """Let what a rollback took out count again."""
        self._engine.run(_R.update(rollback=0).where(_R.rollback == rollback.id))
        self._engine.run(_B.update(restored_at=now).where(_B.id == rollback.id))


def _counting(game_id: int) -> Any:
    """Return the phases of a game that count."""
    return _R.select().where((_R.game_id == game_id) & (_R.rollback == 0))


class Events(Rows[LogEntry]):
    """The log. Reads are free; writes belong in a transaction, so that it never lies."""

    model, kind = _E, LogEntry

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
        self.add(LogEntry(at=at, game_id=game_id, actor=actor, what=what, facts=dict(facts)))

    def lately(
        self, what: str, since: datetime, game_id: int | None = None, actor: str | None = None
    ) -> list[LogEntry]:
        """Return the lines that say `what` and are younger than `since`, of a game or of somebody
        if one is given."""
        condition = (_E.what == what) & (_E.at > since)
        if game_id is not None:
            condition &= _E.game_id == game_id
        if actor is not None:
            condition &= _E.actor == actor
        return self._engine.records(LogEntry, _E.select().where(condition))

    def count(self, what: str, since: datetime, actor: str) -> int:
        """Return how many lines say `what` of somebody and are younger than `since`."""
        return self._engine.count(_E, (_E.what == what) & (_E.at > since) & (_E.actor == actor))

    def at(self, game_id: int, what: str, at: datetime) -> LogEntry | None:
        """Return the line of a game that says `what` of that instant; None where none does."""
        # By the game's index: as many lines as there are games may say the same of one instant.
        named = (_E.what.concat("") == what) & (_E.game_id == game_id)
        return self._engine.record(LogEntry, _E.select().where(named & (_E.at == at)).limit(1))

    def last(self, limit: int = 100) -> list[LogEntry]:
        """Return the newest lines, newest first."""
        return self._engine.records(LogEntry, _E.select().order_by(_E.id.desc()).limit(limit))


# What players wrote

_N = models.DiaryRow


class PressMessages(Rows[Press]):
    """What was said. Reads are free; writes belong in a transaction."""

    model, kind = _P, Press

    def lately(self, seat_ids: Sequence[int], since: datetime) -> int:
        """Return how many messages came from these seats after `since`."""
        mine = _P.sender_id.in_(list(seat_ids)) & (_P.sent_at > since)
        return self._engine.count(_P, mine)

    def letters(self, person_id: int, since: datetime) -> int:
        """For how many others, counted once a message, the press of a person after `since` was."""
        mine = _S.select(_S.id).where(_S.person_id == person_id)
        own = {key for (key,) in self._engine.columns(_S, ("id",), person_id=person_id)}
        query = _P.select(_P.seats).where(_P.sender_id.in_(mine) & (_P.sent_at > since))
        return sum(len({*seats} - own) for (seats,) in self._engine.tuples(query))

    def broadcasts(self, seat_ids: Sequence[int], phase: str | None) -> int:
        """Return how many broadcasts these seats have written in a phase."""
        mine = _P.sender_id.in_(list(seat_ids)) & (_P.phase == phase) & _P.public
        return self._engine.count(_P, mine)

    def held(self, game_id: int) -> list[Press]:
        """Return what waits for the results of a game, in the order it was written."""
        return self._where((_P.game_id == game_id) & _P.held)

    def release(self, press: Press) -> None:
        """Let a held message go: it was sent at `press.sent_at`, to `press.seats`."""
        change = _P.update(held=False, sent_at=press.sent_at, seats=press.seats)
        self._engine.run(change.where(_P.id == press.id))


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
        """Return the pages of a seat in order."""
        return self._having(seat_id=seat_id)


class Files(Rows[KeptFile]):
    """The files of games from other judges. Reads are free; writes belong in a transaction."""

    model, kind = models.FileRow, KeptFile
