"""How much happened in a stretch of time, and how full the queues are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import peewee
from msgspec import Struct
from peewee import fn

from judge.storage import models
from judge.storage.queries import TableGroup
from judge.storage.records import Person
from judge.storage.values import AddressState, GameState, InboundState, OutboundState, SeatState

_M = models.InboundRow
_L = models.OutboundRow
_G = models.GameRow
_R = models.PhaseRunRow
_P = models.PersonRow
_E = models.LogRow
_S = models.SeatRow
_A = models.AddressRow


class Happened(Struct, frozen=True):
    """What happened in a stretch of time: how many mails came in by a door, letters were written
    and given up, and phases ran, those rolled back since included; the names of the games that came
    to their end, and who has become known, oldest first."""

    mails: int
    letters: int
    failed: int
    phases: int
    ended: list[str]
    people: list[Person]


class Statistics(TableGroup):
    """What happened. Only reads."""

    def happened(self, since: datetime, until: datetime, *, without: str) -> Happened:
        """Return what happened after `since`, up to `until`; letters of the kind `without` do not
        count, but as given up."""

        def within(at: Any) -> Any:
            return (at > since) & (at <= until)

        count, written = self._engine.count, within(_L.queued_at)
        ended = _G.select(_G.name).where(within(_G.ended_at)).order_by(_G.id)
        people = _P.select().where(within(_P.created_at)).order_by(_P.id)
        return Happened(
            mails=count(_M, within(_M.received_at) & (_M.door != "keeper")),
            letters=count(_L, written & (_L.kind != without)),
            failed=count(_L, written & (_L.state == OutboundState.FAILED)),
            phases=count(_R, within(_R.processed_at) & self._played_here()),
            ended=[name for (name,) in self._engine.tuples(ended)],
            people=self._engine.records(Person, people),
        )

    def _played_here(self) -> Any:
        """Return the condition that a phase is of a game of this house."""
        if self._engine.house is None:
            return peewee.SQL("1 = 1")
        return _R.game_id.in_(_G.select(_G.id).where(self._engine.owns(_G)))


WAITING = (InboundState.NEW, InboundState.HELD, InboundState.ASKED)
"""States of mails that are not done with."""


class OutboundQueue(Struct, frozen=True):
    """How many messages wait to be sent, how many of them are due, how many were that failed.

    `oldest` is when the one that waits longest was queued, `error` what was said last.
    """

    queued: int
    due: int
    tried: int
    oldest: datetime | None
    error: str | None

    @property
    def counts(self) -> dict[str, int]:
        """The three numbers by name."""
        return {"queued": self.queued, "due": self.due, "tried": self.tried}


class DueGame(Struct, frozen=True):
    """A game, its phase, and the moment something is due in it."""

    id: int
    name: str
    phase: str | None
    at: datetime


class QueueMetrics(TableGroup):
    """Reads that stay quick however much has been done. Only reads."""

    def mails(self) -> dict[InboundState, int]:
        """Return how many mails wait, by their state."""
        return {state: self._engine.count(_M, _M.state == state) for state in WAITING}

    def letters(self, now: datetime) -> OutboundQueue:
        """Count what waits to be sent."""
        queued = models.QUEUED
        tried = queued & (_L.attempts > 0)
        oldest = _L.select(_L.queued_at).where(queued).order_by(_L.queued_at).limit(1)
        said = _L.select(_L.error).where(tried).order_by(_L.next_try.desc()).limit(1)
        return OutboundQueue(
            queued=self._engine.count(_L, queued),
            due=self._engine.count(_L, queued & (_L.next_try <= now)),
            tried=self._engine.count(_L, tried),
            oldest=self._engine.value(oldest),
            error=self._engine.value(said),
        )

    def refused(self, limit: int = 5) -> list[tuple[int, str, str | None]]:
        """Return the messages given up last, newest first: id, kind, and what was said last."""
        query = _L.select(_L.id, _L.kind, _L.error)
        query = query.where(models.FAILED).order_by(_L.id.desc())
        return self._engine.tuples(query.limit(limit))

    def games(self) -> dict[GameState, int]:
        """Return how many games there are, by their state."""
        query = _G.select(_G.state, fn.COUNT(_G.id)).group_by(_G.state)
        return dict(self._engine.tuples(query))

    def next(self, limit: int = 10) -> list[DueGame]:
        """Return the games whose deadlines come next, with those."""
        running = (_G.state == GameState.ACTIVE) & _G.deadline.is_null(False)
        return self._games(_G.deadline, running, limit)

    def late(self, before: datetime, limit: int = 10) -> list[DueGame]:
        """Return the games the clock should have looked at before that, the longest overdue first,
        with when it should have."""
        return self._games(_G.wake_at, _G.wake_at < before, limit)

    def overdue(self, now: datetime) -> list[DueGame]:
        """Return the games whose deadlines are past, with those, the oldest games first."""
        past = (_G.state == GameState.ACTIVE) & (_G.deadline < now)
        return sorted(self._games(_G.deadline, past), key=lambda game: game.id)

    def _games(self, at: Any, which: Any, limit: int | None = None) -> list[DueGame]:
        query = _G.select(_G.id, _G.name, _G.phase, at.alias("at")).where(which)
        return self._engine.records(DueGame, query.order_by(at, _G.id).limit(limit))

    def stuck(self) -> list[str]:
        """Return the names of the games whose open phase made the judge fail, the oldest first."""
        query = _E.select(_G.name, _G.phase, _E.facts).join(_G, on=_E.game_id == _G.id)
        query = query.where((_E.what == "stuck") & (_G.state == GameState.ACTIVE)).order_by(_G.id)
        found = self._engine.tuples(query)
        return list(dict.fromkeys(name for name, phase, facts in found if facts["phase"] == phase))

    def doubtful(self, games: Sequence[GameState], parts: Sequence[SeatState]) -> list[int]:
        """Return the ids of people with a part in one of these states in a game in one of those,
        some of whose addresses fail, or who have none."""
        query = _S.select(_S.person_id).join(_G, on=_S.game_id == _G.id).distinct()
        query = query.where(_G.state.in_(games) & _S.state.in_(parts) & self._engine.owns(_G))
        failing = _A.select(_A.person_id).where(_A.state == AddressState.FAILING)
        lost = _S.person_id.in_(failing) | _S.person_id.not_in(_A.select(_A.person_id))
        query = query.where(_S.person_id.is_null(False) & lost).order_by(_S.person_id)
        return [key for (key,) in self._engine.tuples(query)]
