"""What stands behind reply addresses, and the secret that signs them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cached_property

from judge.storage import models
from judge.storage.engine import Engine
from judge.storage.people import normal
from judge.storage.records import Ticket
from judge.storage.statements import Statement, given

_T = models.Ticket
_S = models.Secret

_TICKET = Statement(_T.select().where(_T.id == given("id")))

QUESTION = "question"
"""The kind of a ticket whose letter asks for a yes."""


class Tickets:
    """The tickets. Reads are free; writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @cached_property
    def secret(self) -> bytes:
        """What only this judge knows, made with its database."""
        row = self._engine.row(_S.select().where(_S.name == "reply"))
        assert row is not None
        value: bytes = row["value"]
        return value

    def add(self, ticket: Ticket) -> Ticket:
        """Store a ticket; returned with its id."""
        self._engine.need_transaction()
        kept = replace(ticket, address=normal(ticket.address))
        return replace(kept, id=self._engine.add(_T, models.values(kept)))

    def find(self, ticket_id: int) -> Ticket | None:
        """The ticket of that id."""
        row = self._engine.row(_TICKET, id=ticket_id)
        return None if row is None else Ticket(**row)

    def use(self, ticket_id: int, now: datetime) -> bool:
        """Use a ticket up; False if it was used before."""
        self._engine.need_transaction()
        fresh = (_T.id == ticket_id) & _T.used_at.is_null()
        return bool(self._engine.run(_T.update(used_at=now).where(fresh)))

    def asked_about(self, mail_id: int) -> Ticket | None:
        """The question whether somebody wrote this mail; None where nobody was asked."""
        query = _T.select().where((_T.mail_id == mail_id) & (_T.kind == QUESTION)).limit(1)
        row = self._engine.row(query)
        return None if row is None else Ticket(**row)

    def open_questions(self, address: str, now: datetime) -> int:
        """How many questions sent to an address wait for an answer."""
        waiting = (_T.address == normal(address)) & (_T.kind == QUESTION)
        waiting &= _T.used_at.is_null() & (_T.expires_at > now)
        return int(self._engine.value(_T.select(models.count(_T.id)).where(waiting)))
