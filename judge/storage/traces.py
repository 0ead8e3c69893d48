"""Mails from the door to their fate, and letters from their event to the relay's last word, without
a text of either."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from msgspec import Struct
from peewee import fn

from judge.storage import models
from judge.storage.queries import TableGroup
from judge.storage.values import InboundState, OutboundState

_M = models.InboundRow
_L = models.OutboundRow
_O = models.OrderRow


class TracedMail(Struct, frozen=True):
    """What became of a mail, as `InboundMessage` has it."""

    id: int
    received_at: datetime
    door: str
    sender: str | None
    lane: str
    envelope_from: str | None
    message_id: str
    state: InboundState
    worked_at: datetime | None
    attempts: int
    proof: str | None
    problem: str | None
    game_id: int | None
    person_id: int | None


class TracedLetter(Struct, frozen=True):
    """What became of a letter, as `OutboundMessage` has it."""

    id: int
    queued_at: datetime
    kind: str
    recipient: str
    game_id: int | None
    mail_id: int | None
    message_id: str
    state: OutboundState
    attempts: int
    next_try: datetime
    sent_at: datetime | None
    error: str | None


class Traces(TableGroup):
    """Where mails and letters are. Reads only."""

    def mails(
        self,
        most: int,
        addresses: Collection[str] = (),
        game_id: int | None = None,
        until: datetime | None = None,
    ) -> list[TracedMail]:
        """Return the newest mails from some addresses, of a game, or of all, newest first; those
        that came in `until` then."""
        query = self._columns(_M, TracedMail)
        if addresses:
            # Named so, the index of states and senders finds them.
            senders = _M.sender.in_(list(addresses))
            query = query.where(_M.state.in_(list(InboundState)) & senders)
        if game_id is not None:
            query = query.where(_M.game_id == game_id)
        if until is not None:
            query = query.where(_M.received_at <= until)
        return self._engine.records(TracedMail, query.order_by(_M.id.desc()).limit(most))

    def mail(self, mail_id: int) -> TracedMail | None:
        """Return the mail of that id."""
        return self._engine.record(
            TracedMail, self._columns(_M, TracedMail).where(_M.id == mail_id)
        )

    def orders_of(self, mail_id: int) -> list[tuple[str, str, int]]:
        """Return how many orders on file come from a mail, by phase and power."""
        query = _O.select(_O.phase, _O.power, fn.COUNT(_O.id)).where(_O.mail_id == mail_id)
        return self._engine.tuples(query.group_by(_O.phase, _O.power))

    def letters(
        self,
        most: int,
        addresses: Collection[str] = (),
        game_id: int | None = None,
        mail_id: int | None = None,
        until: datetime | None = None,
    ) -> list[TracedLetter]:
        """Return the newest letters to some addresses, of a game, because of a mail, or of all,
        newest first; those written `until` then."""
        query = self._columns(_L, TracedLetter)
        if addresses:
            query = query.where(_L.recipient.in_(list(addresses)))
        if game_id is not None:
            query = query.where(_L.game_id == game_id)
        if mail_id is not None:
            query = query.where(_L.mail_id == mail_id)
        if until is not None:
            query = query.where(_L.queued_at <= until)
        return self._engine.records(TracedLetter, query.order_by(_L.id.desc()).limit(most))

    def letter(self, letter_id: int) -> TracedLetter | None:
        """Return the letter of that id."""
        query = self._columns(_L, TracedLetter).where(_L.id == letter_id)
        return self._engine.record(TracedLetter, query)

    def addresses(self) -> set[str]:
        """Return every address that a mail came from or a letter went to."""
        senders = self._engine.tuples(_M.select(_M.sender).distinct())
        readers = self._engine.tuples(_L.select(_L.recipient).distinct())
        return {address for (address,) in (*senders, *readers) if address}

    def _columns(self, model: Any, kind: type[Struct]) -> Any:
        return model.select(*(getattr(model, name) for name in kind.__struct_fields__))
