"""How much happened in a stretch of time, and how full the queues are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from judge.storage import models
from judge.storage.engine import Part
from judge.storage.records import Event, OutboundMessage, Person
from judge.storage.values import AddressState, GameState, InboundState, OutboundState, SeatState

_M = models.InboundMessage
_L = models.OutboundMessage
_G = models.Game
_R = models.PhaseRun
_P = models.Person
_E = models.Event
_S = models.Seat
_A = models.Address


def _within(at: Any, since: datetime, until: datetime) -> Any:
    return (at > since) & (at <= until)


class Statistics(Part):
    """Counts and lists of what happened after `since`, up to `until`. Only reads."""

    def mails(self, since: datetime, until: datetime) -> int:
        """How many mails came in by a door."""
        came = _within(_M.received_at, since, until)
        return self._engine.count(_M, came & (_M.door != "keeper"))

    def letters(self, since: datetime, until: datetime) -> dict[str, int]:
        """How many letters were written, by their kind."""
        within = _within(_L.queued_at, since, until)
        counted = models.count(_L.id).alias("count")
        query = _L.select(_L.kind, counted).where(within).group_by(_L.kind).order_by(_L.kind)
        return {row["kind"]: int(row["count"]) for row in self._engine.rows(query)}

    def failed(self, since: datetime, until: datetime) -> list[OutboundMessage]:
        """The letters of that time that were given up, oldest first."""
        failed = _within(_L.queued_at, since, until) & (_L.state == OutboundState.FAILED)
        return self._engine.records(OutboundMessage, _L.select().where(failed))

    def phases(self, since: datetime, until: datetime) -> int:
        """How many phases ran, those rolled back since included."""
        return self._engine.count(_R, _within(_R.processed_at, since, until))

    def ended(self, since: datetime, until: datetime) -> list[str]:
        """The names of the games that came to their end, the oldest games first."""
        within = _within(_G.ended_at, since, until)
        query = _G.select(_G.name).where(within).order_by(_G.id)
        return [row["name"] for row in self._engine.rows(query)]

    def people(self, since: datetime, until: datetime) -> list[Person]:
        """Who has become known, in order."""
        within = _within(_P.created_at, since, until)
        return self._engine.records(Person, _P.select().where(within).order_by(_P.id))

    def events(self, since: datetime, until: datetime) -> list[Event]:
        """The lines of the log, in order."""
        within = _within(_E.at, since, until)
        return self._engine.records(Event, _E.select().where(within).order_by(_E.id))


WAITING = (InboundState.NEW, InboundState.HELD, InboundState.ASKED)
"""States of mails that are not done with."""


class OutboundQueue(Struct, frozen=True):
    """How many messages wait to be sent, how many of them are due, how many were tried in vain.

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


class Refused(Struct, frozen=True):
    """A message that was given up, and what was said last."""

    id: int
    kind: str
    error: str | None


class DueGame(Struct, frozen=True):
    """A game, its phase, and the moment something is due in it."""

    id: int
    name: str
    phase: str | None
    at: datetime


class QueueMetrics(Part):
    """Reads that stay quick however much has been done. Only reads."""

    def mails(self) -> dict[InboundState, int]:
        """How many mails wait, by their state."""
        return {state: self._engine.count(_M, _M.state == state) for state in WAITING}

    def letters(self, now: datetime) -> OutboundQueue:
        """Count what waits to be sent."""
        queued = models.QUEUED
        oldest = self._engine.row(
            _L.select(_L.queued_at).where(queued).order_by(_L.queued_at).limit(1)
        )
        tried = queued & (_L.attempts > 0)
        said = self._engine.row(
            _L.select(_L.error).where(tried).order_by(_L.next_try.desc()).limit(1)
        )
        return OutboundQueue(
            queued=self._engine.count(_L, queued),
            due=self._engine.count(_L, queued & (_L.next_try <= now)),
            tried=self._engine.count(_L, tried),
            oldest=None if oldest is None else oldest["queued_at"],
            error=None if said is None else said["error"],
        )

    def refused(self, limit: int = 5) -> list[Refused]:
        """The messages given up last, newest first."""
        query = _L.select(_L.id, _L.kind, _L.error)
        query = query.where(_L.state == OutboundState.FAILED).order_by(_L.id.desc())
        return self._engine.records(Refused, query.limit(limit))

    def games(self) -> dict[GameState, int]:
        """How many games there are, by their state."""
        counted = models.count(_G.id).alias("count")
        rows = self._engine.rows(_G.select(_G.state, counted).group_by(_G.state))
        return {row["state"]: int(row["count"]) for row in rows}

    def next(self, limit: int = 10) -> list[DueGame]:
        """The games whose deadlines come next, with those."""
        query = _G.select(_G.id, _G.name, _G.phase, _G.deadline.alias("at"))
        query = query.where((_G.state == GameState.ACTIVE) & _G.deadline.is_null(False))
        return self._engine.records(DueGame, query.order_by(_G.deadline, _G.id).limit(limit))

    def late(self, before: datetime, limit: int = 10) -> list[DueGame]:
        """The games the clock should have looked at before that, the longest overdue first, with
        when it should have."""
        query = _G.select(_G.id, _G.name, _G.phase, _G.wake_at.alias("at")).where(
            _G.wake_at < before
        )
        return self._engine.records(DueGame, query.order_by(_G.wake_at, _G.id).limit(limit))

    def overdue(self, now: datetime) -> list[DueGame]:
        """The games whose deadlines are past, with those, the oldest games first."""
        past = (_G.state == GameState.ACTIVE) & (_G.deadline < now)
        query = _G.select(_G.id, _G.name, _G.phase, _G.deadline.alias("at"))
        return self._engine.records(DueGame, query.where(past).order_by(_G.id))

    def stuck(self) -> list[str]:
        """The names of the games whose open phase made the judge fail, the oldest first."""
        query = _E.select(_G.name, _G.phase, _E.facts).join(_G, on=_E.game_id == _G.id)
        query = query.where((_E.what == "stuck") & (_G.state == GameState.ACTIVE)).order_by(_G.id)
        found = [
            row["name"] for row in self._engine.rows(query) if row["facts"]["phase"] == row["phase"]
        ]
        return list(dict.fromkeys(found))

    def doubtful(self, games: Sequence[GameState], parts: Sequence[SeatState]) -> list[int]:
        """The ids of people with a part in one of these states in a game in one of those, some of
        whose addresses fail, or who have none."""
        query = _S.select(_S.person_id).join(_G, on=_S.game_id == _G.id).distinct()
        query = query.where(_G.state.in_(games) & _S.state.in_(parts))
        failing = _A.select(_A.person_id).where(_A.state == AddressState.FAILING)
        lost = _S.person_id.in_(failing) | _S.person_id.not_in(_A.select(_A.person_id))
        query = query.where(_S.person_id.is_null(False) & lost).order_by(_S.person_id)
        return [row["person_id"] for row in self._engine.rows(query)]
