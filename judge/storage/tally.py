"""How much there was of what in a stretch of time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from judge.storage import models
from judge.storage.engine import Engine
from judge.storage.enums import OutboundState
from judge.storage.records import Event, Letter, Person

_M = models.Mail
_L = models.Letter
_G = models.Game
_R = models.PhaseRun
_P = models.Person
_E = models.Event


class Tally:
    """Counts and lists of what happened after `since`, up to `until`. Only reads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def mails(self, since: datetime, until: datetime) -> int:
        """How many mails came in by a door."""
        return self._count(_M, _M.received_at, since, until, _M.door != "keeper")

    def letters(self, since: datetime, until: datetime) -> dict[str, int]:
        """How many letters were written, by their kind."""
        within = (_L.queued_at > since) & (_L.queued_at <= until)
        counted = models.count(_L.id).alias("count")
        query = _L.select(_L.kind, counted).where(within).group_by(_L.kind).order_by(_L.kind)
        return {row["kind"]: int(row["count"]) for row in self._engine.rows(query)}

    def failed(self, since: datetime, until: datetime) -> list[Letter]:
        """The letters of that time that were given up, oldest first."""
        within = (
            (_L.queued_at > since) & (_L.queued_at <= until) & (_L.state == OutboundState.FAILED)
        )
        return [Letter(**row) for row in self._engine.rows(_L.select().where(within))]

    def phases(self, since: datetime, until: datetime) -> int:
        """How many phases ran, those rolled back since included."""
        return self._count(_R, _R.processed_at, since, until)

    def ended(self, since: datetime, until: datetime) -> list[str]:
        """The names of the games that came to their end, the oldest games first."""
        within = (_G.ended_at > since) & (_G.ended_at <= until)
        query = _G.select(_G.name).where(within).order_by(_G.id)
        return [row["name"] for row in self._engine.rows(query)]

    def people(self, since: datetime, until: datetime) -> list[Person]:
        """Who has become known, in order."""
        within = (_P.created_at > since) & (_P.created_at <= until)
        rows = self._engine.rows(_P.select().where(within).order_by(_P.id))
        return [Person(**row) for row in rows]

    def events(self, since: datetime, until: datetime) -> list[Event]:
        """The lines of the log, in order."""
        within = (_E.at > since) & (_E.at <= until)
        rows = self._engine.rows(_E.select().where(within).order_by(_E.id))
        return [Event(**row) for row in rows]

    def _count(
        self, model: Any, at: Any, since: datetime, until: datetime, also: Any = True
    ) -> int:
        query = model.select(models.count(model.id)).where((at > since) & (at <= until) & also)
        return int(self._engine.value(query))
