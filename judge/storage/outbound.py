"""The outbox: every message of ours, what came back, and what its reply address stands for."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from peewee import fn

from judge.storage import models
from judge.storage.person_rows import DOTLESS, mailbox, normal
from judge.storage.queries import Row, Rows
from judge.storage.records import Bounce, OutboundMessage, Ticket
from judge.storage.values import AddressState, OutboundState

_L = models.OutboundRow

_PAGES = 20
"""How many others may be sending, each some letters, while there are some for one more."""


class Quotable(Struct, frozen=True):
    """A letter as far as it matters where a message may quote it: without its bytes."""

    id: int
    game_id: int | None
    person_id: int | None
    mail_id: int | None
    recipient: str
    digests: bytes


class Claimed(list[OutboundMessage]):
    """Letters that are nobody else's, and whether there may be more."""

    more = False


class OutboundMessages(Rows[OutboundMessage]):
    """The outbox. A letter is queued in the transaction that caused it and sent after it."""

    model, kind = _L, OutboundMessage

    def queue(self, letter: OutboundMessage) -> None:
        """Add a letter to the outbox, inside the caller's transaction.

        Its Message-ID must be new; the database refuses a second one.
        """
        self._engine.announce("letter")
        self._engine.add(_L, letter)

    @contextmanager
    def claimed(self, now: datetime, limit: int = 50) -> Iterator[Claimed]:
        """Claim letters due at `now`, oldest first, that nobody else sends until the block is left.

        Not inside a transaction: what is done with each letter is committed by `sent` or
        `failed` at once.
        """
        waiting = models.QUEUED & (_L.next_try <= now)
        due = _L.select(_L.id).where(waiting).order_by(_L.next_try, _L.id).limit(limit)
        for page in range(_PAGES):
            found = [key for (key,) in self._engine.tuples(due.offset(page * limit))]
            with self._engine.reserved(found) as mine:
                # Somebody else may have sent one between the look and the reservation.
                still = self._having(id=tuple(mine), state=OutboundState.QUEUED)
                letters = Claimed(each for each in still if each.next_try <= now)
                letters.sort(key=attrgetter("next_try"))
                if letters:
                    letters.more = len(found) == limit
                    yield letters
                    return
            if not found:
                break
        yield Claimed()

    def next_due(self) -> datetime | None:
        """Return when the next letter is due, which may be in the past."""
        return self._next(models.QUEUED)

    def _next(self, state: Any) -> datetime | None:
        query = _L.select(_L.next_try).where(state).order_by(_L.next_try).limit(1)
        found: datetime | None = self._engine.value(query)
        return found

    def sent(self, letter_id: int, now: datetime) -> None:
        """Note that it was taken. Commits at once unless in a transaction. What a power cut undoes
        of that is sent again, under the same Message-ID."""
        change = {"state": OutboundState.SENT, "sent_at": now, "error": None}
        change["attempts"] = _L.attempts + 1
        self._engine.note(_L.update(change).where(_L.id == letter_id))

    def failed(self, letter_id: int, error: str, next_try: datetime | None) -> None:
        """Note that an attempt failed; the next one is due at `next_try`, or never when None.

        Commits at once unless in a transaction.
        """
        changes: Row = {"error": error, "attempts": _L.attempts + 1}
        if next_try is None:
            changes["state"] = OutboundState.FAILED
        else:
            changes["next_try"] = next_try
        self._set(letter_id, **changes)

    def postponed(self, letter_id: int, error: str, next_try: datetime) -> None:
        """Note that it could not be sent through no fault of its own; it is due again at
        `next_try`. Commits at once unless in a transaction."""
        self._set(letter_id, error=error, next_try=next_try)

    def clock_set_back(self, now: datetime) -> None:
        """Let those be due at `now` that were queued by a clock that was ahead, inside the caller's
        transaction."""
        queued = models.QUEUED & (_L.queued_at > now)
        self._engine.run(_L.update(next_try=now).where(queued & (_L.next_try > now)))

    # What is kept for the one message a day of somebody who wants one

    def next_kept(self) -> datetime | None:
        """Return when the next such message is due."""
        return self._next(models.KEPT)

    def kept_for(self, now: datetime) -> list[int]:
        """Return the ids of the people whose message is due at `now`."""
        query = _L.select(_L.person_id).where(models.KEPT & (_L.next_try <= now)).distinct()
        return [key for (key,) in self._engine.tuples(query)]

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
    ) -> list[Quotable]:
        """Return the letters that have one of these Message-IDs, newest first; where there are
        none, those queued to an address at that moment. At most `most`."""
        found: list[Quotable] = []
        if message_ids:
            found = self._quotable(most, message_id=tuple(message_ids))
        if found or queued_at is None:
            return found
        return self._quotable(most, recipient=address, queued_at=queued_at)

    def latest(self, reader: int | str, most: int) -> list[Quotable]:
        """Return the last letters to a person, or to an address of nobody on file, newest first."""
        whose = "person_id" if isinstance(reader, int) else "recipient"
        return self._quotable(most, **{whose: reader})

    def _quotable(self, most: int, **where: Any) -> list[Quotable]:
        return self._engine.having(Quotable, _L, newest=most, **where)

    def text(self, letter_id: int) -> bytes:
        """Return a letter's bytes, empty once they are thrown away."""
        raw: bytes = self._engine.column(_L, "raw", id=letter_id)
        return raw

    def by_return_path(self, addresses: Sequence[str]) -> OutboundMessage | None:
        """Return the letter with one of these return paths, in lower case; they are not to be
        guessed."""
        if not addresses:
            return None
        query = _L.select().where((_L.envelope_from != "") & _L.envelope_from.in_(list(addresses)))
        return self._engine.record(OutboundMessage, query.order_by(_L.id.desc()).limit(1))

    def lately(self, kinds: Sequence[str], since: datetime, recipient: str | None = None) -> int:
        """Return how many letters of these kinds were queued after `since`: to an address, or to
        all."""
        condition = _L.kind.in_(list(kinds)) & (_L.queued_at > since)
        if recipient is not None:
            condition &= _L.recipient == recipient
        return self._engine.count(_L, condition)

    def kinds_lately(self, since: datetime, recipient: str) -> dict[str, int]:
        """Return how many letters of each kind were queued to the mailbox of an address, however it
        was spelled, after `since`."""
        local, domain = mailbox(recipient)
        spelled = _L.recipient.between(f"{local}+", f"{local},") | (
            _L.recipient.in_((recipient, f"{local}@{domain}"))
        )
        if domain in DOTLESS and local:
            ends = [_L.recipient.endswith(f"@{each}") for each in DOTLESS]
            spelled = _L.recipient.between(local[0], f"{local[0]}~") & (ends[0] | ends[1])
        query = _L.select(_L.kind, _L.recipient, fn.COUNT(_L.id))
        query = query.where(spelled & (_L.queued_at > since)).group_by(_L.kind, _L.recipient)
        found: Counter[str] = Counter()
        for kind, whose, count in self._engine.tuples(query):
            if mailbox(whose) == (local, domain):
                found[kind] += count
        return found

    def of_mail(self, mail_id: int) -> list[OutboundMessage]:
        """Return the letters a mail caused, in order."""
        return self._having(mail_id=mail_id)

    def to_person(self, game_id: int, person_id: int, since: datetime) -> list[OutboundMessage]:
        """Return the letters to a person about a game that were queued at `since` or later, in
        order."""
        about = (_L.game_id == game_id) & (_L.person_id == person_id)
        return self._where(about & (_L.queued_at >= since))

    def count(self, state: OutboundState) -> int:
        """Return how many letters are in a state."""
        return self._engine.count(_L, _L.state == state)

    def _set(self, letter_id: int, **changes: Any) -> None:
        with self._engine.own_transaction():
            self._engine.run(_L.update(**changes).where(_L.id == letter_id))


_B = models.BounceRow
_A = models.AddressRow


class Bounces(Rows[Bounce]):
    """What came back from which address. Reads are free; writes belong in a transaction."""

    model, kind = _B, Bounce

    def add(self, bounce: Bounce) -> Bounce:
        """Store one; returned with its id."""
        return super().add(replace(bounce, address=normal(bounce.address)))

    def of(self, address: str) -> list[Bounce]:
        """Return what came back from an address since it last processed, oldest first."""
        return self._having(address=normal(address))

    def concern(self, person_id: int) -> bool:
        """Return whether anything came back from an address of a person, or one of them does not
        work."""
        theirs = self._engine.columns(_A, ("address", "state"), person_id=person_id)
        if any(state is not AddressState.ACTIVE for _, state in theirs):
            return True
        named = tuple(address for address, _ in theirs)
        return bool(self._engine.columns(_B, ("id",), newest=1, address=named))

    def told(self, address: str) -> None:
        """Note that the person behind an address has heard of what came back so far."""
        self._engine.run(_B.update(told=True).where(_B.address == normal(address)))

    def forget(self, address: str) -> None:
        """Forget what came back from an address: it works."""
        self._engine.run(_B.delete().where(_B.address == normal(address)))


_T = models.TicketRow
_S = models.SecretRow


QUESTION = "question"
"""The kind of a ticket whose letter asks for a yes."""


def _listed(question: Ticket) -> set[int]:
    """Return the ids of the mails that a question is about."""
    return {int(each) for part in question.parts for each in part.split()}


class Tickets(Rows[Ticket]):
    """The tickets. Reads are free; writes belong in a transaction."""

    model, kind = _T, Ticket

    @cached_property
    def secret(self) -> bytes:
        """What only this judge knows, made with its database."""
        value: bytes = self._engine.column(_S, "value", name="reply")
        return value

    def mark(self, address: str) -> str:
        """Return what stands for an address in the log: a digest with the key of this judge."""
        digest = hmac.new(self.secret, normal(address).encode("utf-8", "replace"), sha256)
        return digest.hexdigest()[:12]

    def add(self, ticket: Ticket) -> Ticket:
        """Store a ticket; returned with its id."""
        return super().add(replace(ticket, address=normal(ticket.address)))

    def add_all(self, tickets: Sequence[Ticket]) -> list[Ticket]:
        """Store tickets; returned with their ids."""
        made = [replace(ticket, address=normal(ticket.address)) for ticket in tickets]
        ids = self._engine.add_all(_T, made)
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
        """Return the question whether `sender` wrote this mail; None where nobody was asked."""
        asked = self._having(address=normal(sender), kind=QUESTION)
        listing = (each for each in asked if mail_id in _listed(each))
        return next(listing, None) or self._one(mail_id=mail_id, kind=QUESTION)

    def told(self, address: str, now: datetime) -> set[int]:
        """Return the ids of the mails that questions list which went to an address and can still be
        answered."""
        asked = self._having(address=normal(address), kind=QUESTION)
        return {mail_id for each in asked if each.expires_at > now for mail_id in _listed(each)}

    def claimed(self, address: str, since: datetime) -> list[Ticket]:
        """Return the tickets of letters to an address after `since` that ask for something."""
        asking = (_T.address == normal(address)) & (_T.created_at > since)
        return self._where(asking & _T.claim.is_null(False))

    def open_questions(self, address: str, now: datetime) -> int:
        """Return how many questions about further addresses sent to one wait for an answer."""
        waiting = (_T.address == normal(address)) & (_T.kind == QUESTION)
        waiting &= _T.mail_id.is_null()
        waiting &= _T.used_at.is_null() & (_T.expires_at > now)
        return self._engine.count(_T, waiting)

    def asked_since(self, address: str, since: datetime, *, mails: bool = False) -> bool:
        """Return whether a question about a further address, or about `mails`, was sent to one
        after `since` that waits for an answer."""
        asked = (_T.address == normal(address)) & (_T.kind == QUESTION) & (_T.created_at > since)
        asked &= _T.mail_id.is_null(not mails)
        return self._engine.count(_T, asked & _T.used_at.is_null()) > 0
