"""The outbox: every message of ours, what came back, and what its reply address stands for."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache, cached_property, lru_cache
from typing import Any

from msgspec.structs import replace
from peewee import SQL, fn

from judge.storage import models
from judge.storage.connection import Asked
from judge.storage.engine import Engine, Given, Row, Rows, Statement, among, given, numbered
from judge.storage.people import normal
from judge.storage.records import Bounce, OutboundMessage, Ticket
from judge.storage.values import AddressState, OutboundState

_L = models.OutboundMessage

_PAGES = 20
"""How many others may be sending, each some letters, while there are some for one more."""

_LOCK = """\
SELECT count(*), set_config('judge.letters', coalesce(
    (array_agg(id) FILTER (WHERE pg_try_advisory_lock(%s::bigint # id)))::text, '{}'
), false) FROM found
"""
"""Locks what can be locked, and leaves it to `_STILL_DUE`: somebody else may have sent one between
the look and the lock."""
_UNLOCK = "SELECT pg_advisory_unlock(%s::bigint # id) FROM unnest(%s::bigint[]) AS id"
_LOCKS = (zlib.crc32(b"letter") - 2**31) << 32
"""Advisory locks take two 32-bit keys or one of 64 bits, and ids outgrow 32 bits: those of letters
begin here."""

_WAITING = (_L.state == OutboundState.QUEUED) & (_L.next_try <= given("now"))
_NEXT = _L.select(_L.next_try).order_by(_L.next_try).limit(1)
_NEXT_DUE = Statement(_NEXT.where(_L.state == OutboundState.QUEUED))
_NEXT_KEPT = Statement(_NEXT.where(_L.state == OutboundState.KEPT))
_KEPT_FOR = Statement(
    _L.select(_L.person_id)
    .where((_L.state == OutboundState.KEPT) & (_L.next_try <= given("now")))
    .distinct()
)
_SENT = Statement(
    _L.update(
        state=OutboundState.SENT,
        sent_at=Given("now", _L.sent_at),
        error=None,
        attempts=_L.attempts + 1,
    ).where(_L.id == given("id"))
)


_STILL_DUE = Statement(
    _L.select().where(
        (_L.id == fn.ANY(SQL("current_setting('judge.letters')::bigint[]"))) & _WAITING
    )
)


@cache
def _due(limit: int, page: int, *columns: Any) -> Statement:
    waiting = _L.select(*columns).where(_WAITING).order_by(_L.next_try, _L.id)
    return Statement(waiting.limit(limit).offset(page * limit))


@cache
def _lately(kinds: int, to_one: bool) -> Statement:
    condition = _L.kind.in_(among("kind", kinds)) & (_L.queued_at > given("since"))
    if to_one:
        condition &= _L.recipient == given("recipient")
    return Statement(_L.select(models.count(_L.id)).where(condition))


_KINDS_LATELY = Statement(
    _L.select(_L.kind, models.count(_L.id))
    .where((_L.recipient == given("recipient")) & (_L.queued_at > given("since")))
    .group_by(_L.kind)
)
_NEWEST = _L.select().order_by(_L.id.desc()).limit(given("most"))
_QUEUED_THEN = Statement(
    _NEWEST.where((_L.recipient == given("recipient")) & (_L.queued_at == given("queued_at")))
)


@lru_cache(50)
def _named(count: int) -> Statement:
    return Statement(_NEWEST.where(_L.message_id.in_(among("id", count))))


class Claimed(list[OutboundMessage]):
    """Letters that are nobody else's, and whether there may be more."""

    more = False


class OutboundMessages(Rows[OutboundMessage]):
    """The outbox. A letter is queued in the transaction that caused it and sent after it."""

    model, kind = _L, OutboundMessage

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._reserving = threading.Lock()
        self._reserved: set[int] = set()

    def queue(self, letter: OutboundMessage) -> None:
        """Add a letter to the outbox, inside the caller's transaction.

        Its Message-ID must be new; the database refuses a second one.
        """
        self._engine.announce("letter")
        self._engine.insert(_L, [letter], wait=False)

    @contextmanager
    def claimed(self, now: datetime, limit: int = 50) -> Iterator[Claimed]:
        """Some letters due at `now`, oldest first, that nobody else sends until the block is left;
        where it is left without an exception, until this thread asks for something else.

        Not inside a transaction: what is done with each letter is committed by `sent` or
        `failed` at once.
        """
        reserve = self._locked if self._engine.postgresql else self._reserve
        for page in range(_PAGES):
            with reserve(limit, page, now) as (found, rows):
                if rows:
                    letters = Claimed(OutboundMessage(**row) for row in rows)
                    letters.sort(key=lambda each: (each.next_try, each.id))
                    letters.more = found == limit
                    yield letters
                    return
                if not found:
                    break
        yield Claimed()

    @contextmanager
    def _reserve(self, limit: int, page: int, now: datetime) -> Iterator[tuple[int, list[Row]]]:
        """How many letters are due on a page, and those of them that no other thread has reserved,
        reserved until the block is left: SQLite serves one judge, which keeps them in mind."""
        # What another thread lets go of while this one looks was due then, and is sent now.
        with self._reserving:
            found = self._engine.rows(_due(limit, page), now=now)
            rows = [row for row in found if row["id"] not in self._reserved]
            ids = {row["id"] for row in rows}
            self._reserved |= ids
        try:
            yield len(found), rows
        finally:
            with self._reserving:
                self._reserved -= ids

    @contextmanager
    def _locked(self, limit: int, page: int, now: datetime) -> Iterator[tuple[int, list[Row]]]:
        """The same of several judges: session advisory locks, held by this thread's connection, so
        that a process that dies gives them back."""
        database, errors = self._engine.database, self._engine.errors
        sql, values = _due(limit, page, _L.id).filled(database, {"now": now})
        # A lock is tried for nothing but what is found.
        look = Asked(f"WITH found AS MATERIALIZED ({sql}) {_LOCK}", (*values, _LOCKS))
        with errors():
            looked, due = database.answers(look, Asked(*_STILL_DUE.filled(database, {"now": now})))
        (found, locked), wait = looked.rows[0], True
        got = [int(each) for each in locked.strip("{}").split(",") if each]
        try:
            yield found, _STILL_DUE.rows(database, due.rows)
            # Who is done with them looks for more at once.
            wait = False
        finally:
            if got:
                with errors():
                    database.ask(_UNLOCK, (_LOCKS, got), wait=wait)

    def next_due(self) -> datetime | None:
        """When the next letter is due, which may be in the past."""
        row = self._engine.row(_NEXT_DUE)
        return None if row is None else row["next_try"]

    def sent(self, letter_id: int, now: datetime) -> None:
        """The relay has taken it. Commits at once unless in a transaction. What a power cut undoes
        of that is sent again, under the same Message-ID."""
        self._engine.note(_SENT, id=letter_id, now=now)

    def failed(self, letter_id: int, error: str, next_try: datetime | None) -> None:
        """An attempt failed; the next one is due at `next_try`, or never when None.

        Commits at once unless in a transaction.
        """
        changes: Row = {"error": error, "attempts": _L.attempts + 1}
        if next_try is None:
            changes["state"] = OutboundState.FAILED
        else:
            changes["next_try"] = next_try
        self._set(letter_id, **changes)

    def postponed(self, letter_id: int, error: str, next_try: datetime) -> None:
        """It could not be sent, for which it is not to blame; it is due again at `next_try`.
        Commits at once unless in a transaction."""
        self._set(letter_id, error=error, next_try=next_try)

    def clock_set_back(self, now: datetime) -> None:
        """Let those be due at `now` that were queued by a clock that was ahead, inside the caller's
        transaction."""
        queued = (_L.state == OutboundState.QUEUED) & (_L.queued_at > now)
        self._engine.run(_L.update(next_try=now).where(queued & (_L.next_try > now)))

    # What is kept for the one message a day of somebody who wants one

    def next_kept(self) -> datetime | None:
        """When the next such message is due."""
        row = self._engine.row(_NEXT_KEPT)
        return None if row is None else row["next_try"]

    def kept_for(self, now: datetime) -> list[int]:
        """The ids of the people whose message is due at `now`."""
        return [row["person_id"] for row in self._engine.rows(_KEPT_FOR, now=now)]

    def take_kept(self, person_id: int) -> list[OutboundMessage]:
        """Take what is kept for somebody, in order, inside the caller's transaction; of several
        judges each takes other letters."""
        mine = (_L.person_id == person_id) & (_L.state == OutboundState.KEPT)
        found = self._engine.records(OutboundMessage, _L.select().where(mine).order_by(_L.id))
        take = _L.update(state=OutboundState.TOLD)
        return [each for each in found if self._engine.run(take.where(mine & (_L.id == each.id)))]

    def move_kept(self, person_id: int, when: datetime) -> None:
        """Let what is kept for somebody be due at `when`."""
        mine = (_L.person_id == person_id) & (_L.state == OutboundState.KEPT)
        self._engine.run(_L.update(next_try=when).where(mine))

    def answered(
        self, message_ids: Sequence[str], address: str, queued_at: datetime | None, most: int
    ) -> list[OutboundMessage]:
        """The letters that have one of these Message-IDs, newest first; where there are none,
        those queued to an address at that moment. At most `most`."""
        found: list[OutboundMessage] = []
        if message_ids:
            query, ids = _named(len(message_ids)), numbered("id", message_ids)
            found = self._engine.records(OutboundMessage, query, most=most, **ids)
        if found or queued_at is None:
            return found
        then = {"recipient": address, "queued_at": queued_at}
        return self._engine.records(OutboundMessage, _QUEUED_THEN, most=most, **then)

    def latest(self, reader: int | str, most: int) -> list[OutboundMessage]:
        """The last letters to a person, or to an address of nobody on file, newest first."""
        mine = (_L.person_id if isinstance(reader, int) else _L.recipient) == reader
        query = _L.select().where(mine).order_by(_L.id.desc()).limit(most)
        return self._engine.records(OutboundMessage, query)

    def quotable(self, person_id: int, most: int) -> list[OutboundMessage]:
        """The last letters to a person, oldest first; of those that are known by their digests
        without the bytes, which are most of them."""
        columns = [field for name, field in _L._meta.fields.items() if name != "raw"]
        query = _L.select(*columns).where(_L.person_id == person_id)
        rows = self._engine.rows(query.order_by(_L.id.desc()).limit(most))
        found = [OutboundMessage(**row, raw=b"") for row in reversed(rows)]
        return [each if each.digests else self.find(each.id) or each for each in found]

    def keep_digests(self, letter_id: int, digests: bytes) -> None:
        """Keep by what a quote of a letter is known."""
        self._engine.run(_L.update(digests=digests).where(_L.id == letter_id))

    def by_return_path(self, addresses: Sequence[str]) -> OutboundMessage | None:
        """The letter with one of these return paths, in lower case; they are not to be guessed."""
        if not addresses:
            return None
        query = _L.select().where((_L.envelope_from != "") & _L.envelope_from.in_(list(addresses)))
        return self._engine.record(OutboundMessage, query.order_by(_L.id.desc()).limit(1))

    def lately(self, kinds: Sequence[str], since: datetime, recipient: str | None = None) -> int:
        """How many letters of these kinds were queued after `since`: to an address, or to all."""
        asked = {"since": since, **numbered("kind", kinds)}
        if recipient is not None:
            asked["recipient"] = recipient
        return int(self._engine.value(_lately(len(kinds), recipient is not None), **asked))

    def kinds_lately(self, since: datetime, recipient: str) -> dict[str, int]:
        """How many letters of each kind were queued to an address after `since`."""
        return dict(self._engine.tuples(_KINDS_LATELY, since=since, recipient=recipient))

    def of_mail(self, mail_id: int) -> list[OutboundMessage]:
        """The letters a mail caused, in order."""
        return self._engine.of(OutboundMessage, _L, mail_id=mail_id)

    def to_person(self, game_id: int, person_id: int, since: datetime) -> list[OutboundMessage]:
        """The letters to a person about a game that were queued at `since` or later, in order."""
        about = (_L.game_id == game_id) & (_L.person_id == person_id)
        query = _L.select().where(about & (_L.queued_at >= since)).order_by(_L.id)
        return self._engine.records(OutboundMessage, query)

    def count(self, state: OutboundState) -> int:
        """How many letters are in a state."""
        return self._engine.count(_L, _L.state == state)

    def _set(self, letter_id: int, **changes: Any) -> None:
        with self._engine.own_transaction():
            self._engine.run(_L.update(**changes).where(_L.id == letter_id))


_B = models.Bounce


_A = models.Address
_WROTE = _A.alias()
_MINE = _A.person_id.in_(_WROTE.select(_WROTE.person_id).where(_WROTE.address == given("address")))
_BACK = fn.EXISTS(_B.select(_B.id).where(_B.address == _A.address))
_CONCERNS = Statement(
    _A.select(_A.id).where(_MINE & ((_A.state != AddressState.ACTIVE) | _BACK)).limit(1)
)


class Bounces(Rows[Bounce]):
    """What came back from which address. Reads are free; writes belong in a transaction."""

    model, kind = _B, Bounce

    def add(self, bounce: Bounce) -> Bounce:
        """Store one; returned with its id."""
        return super().add(replace(bounce, address=normal(bounce.address)))

    def of(self, address: str) -> list[Bounce]:
        """What came back from an address since it last worked, oldest first."""
        return self._engine.of(Bounce, _B, address=normal(address))

    def concern(self, address: str) -> bool:
        """Whether anything came back from an address of whoever has this one, or one of them does
        not work."""
        return self._engine.row(_CONCERNS, address=normal(address)) is not None

    def told(self, address: str) -> None:
        """Note that the person behind an address has heard of what came back so far."""
        self._engine.run(_B.update(told=True).where(_B.address == normal(address)))

    def forget(self, address: str) -> None:
        """The address works: what came back from it no longer counts."""
        self._engine.run(_B.delete().where(_B.address == normal(address)))


_T = models.Ticket
_S = models.Secret


QUESTION = "question"
"""The kind of a ticket whose letter asks for a yes."""


def _listed(question: Ticket) -> set[int]:
    """The ids of the mails that a question is about."""
    return {int(each) for part in question.parts for each in part.split()}


class Tickets(Rows[Ticket]):
    """The tickets. Reads are free; writes belong in a transaction."""

    model, kind = _T, Ticket

    @cached_property
    def secret(self) -> bytes:
        """What only this judge knows, made with its database."""
        row = self._engine.row(_S.select().where(_S.name == "reply"))
        assert row is not None
        value: bytes = row["value"]
        return value

    def add(self, ticket: Ticket) -> Ticket:
        """Store a ticket; returned with its id."""
        return self.add_all([ticket])[0]

    def add_all(self, tickets: Sequence[Ticket]) -> list[Ticket]:
        """Store tickets; returned with their ids."""
        made = [replace(ticket, address=normal(ticket.address)) for ticket in tickets]
        ids = self._engine.insert(_T, made)
        return [replace(ticket, id=each) for ticket, each in zip(made, ids, strict=True)]

    def use(self, ticket_id: int, now: datetime) -> bool:
        """Use a ticket up; False if it was used before."""
        fresh = (_T.id == ticket_id) & _T.used_at.is_null()
        return bool(self._engine.run(_T.update(used_at=now).where(fresh)))

    def reclaim(self, ticket_id: int, old: str | None, new: str | None) -> bool:
        """Store what is left of a ticket's claim; False if that changed meanwhile."""
        same = (_T.id == ticket_id) & (_T.claim == old)
        return bool(self._engine.run(_T.update(claim=new).where(same)))

    def asked_about(self, mail_id: int, sender: str) -> Ticket | None:
        """The question whether `sender` wrote this mail; None where nobody was asked."""
        asked = self._engine.of(Ticket, _T, address=normal(sender), kind=QUESTION)
        listing = (each for each in asked if mail_id in _listed(each))
        return next(listing, None) or self._engine.one(Ticket, _T, mail_id=mail_id, kind=QUESTION)

    def told(self, address: str, now: datetime) -> set[int]:
        """The ids of the mails that questions list which went to an address and can still be
        answered."""
        asked = self._engine.of(Ticket, _T, address=normal(address), kind=QUESTION)
        return {mail_id for each in asked if each.expires_at > now for mail_id in _listed(each)}

    def open_questions(self, address: str, now: datetime) -> int:
        """How many questions about further addresses sent to one wait for an answer."""
        waiting = (_T.address == normal(address)) & (_T.kind == QUESTION)
        waiting &= _T.mail_id.is_null()
        waiting &= _T.used_at.is_null() & (_T.expires_at > now)
        return self._engine.count(_T, waiting)

    def asked_since(self, address: str, since: datetime, *, mails: bool = False) -> bool:
        """Whether a question about a further address, or about `mails`, was sent to one after
        `since` that waits for an answer."""
        asked = (_T.address == normal(address)) & (_T.kind == QUESTION) & (_T.created_at > since)
        asked &= _T.mail_id.is_null(not mails)
        return self._engine.count(_T, asked & _T.used_at.is_null()) > 0
