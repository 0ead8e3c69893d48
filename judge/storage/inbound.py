"""The inbox: every message that came in, stored once and processed once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import lru_cache
from typing import Any, Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace
from peewee import fn

from judge.storage import models
from judge.storage.queries import Row, Rows
from judge.storage.records import InboundMessage
from judge.storage.values import InboundState

_M = models.InboundRow

_OTHER = _M.alias()
_SENDER, _ID = _OTHER.sender, _OTHER.id
_EARLIER: Final = _OTHER.select(_ID).where(models.NEW & (_M.sender == _SENDER) & (_M.id > _ID))
"""The mails of the same sender that came in before and wait; made once, since peewee makes a class
for each column of an alias."""

_DAY = timedelta(days=1)
_LONGEST_HEAD = 20_000

KNOWN = "known"
"""The lane of everybody whose address is on file."""

_AHEAD = 200
"""How many turns are tried for a mail that nobody else works."""

_MOST_GROUPS = 10_000
"""Groups of which it is remembered who of them was last."""


class _Round(Struct):
    """Who had the last turn: groups take turns, and in each of them its senders."""

    by: Literal["host", "lane"]
    group: str | None = None
    senders: dict[str, str] = field(default_factory=dict)


class Turn(Struct):
    """Whose mail was processed last. Every other turn goes by the domains of senders, and those
    between by lanes: anyone who makes domains up keeps only strangers waiting who write from his
    network, and anyone who has many hosts only those who write by his domain."""

    rounds: list[_Round] = field(default_factory=lambda: [_Round("lane"), _Round("host")])
    several: bool = False
    """Whether more than one waited when it was looked last."""


class Accepted(Struct, frozen=True):
    """A message that is safe now. `duplicate`: the same mail was here already, under this id;
    `known`: the address in From is on file."""

    mail_id: int
    duplicate: bool
    known: bool


class TooMuch(Exception):
    """So much of a sender who is not on file is not stored in a day."""


class InboundMessages(Rows[InboundMessage]):
    """The inbox. Reads are free; writes belong in a transaction unless said otherwise."""

    model, kind = _M, InboundMessage

    def accept(
        self,
        raw: bytes,
        *,
        door: str,
        envelope_from: str | None,
        envelope_to: list[str],
        received_at: datetime,
        most: int | None = None,
        network: str = "",
        house: str | None = None,
    ) -> Accepted:
        """Store a message durably; commits before it returns, so that it may be acknowledged.

        `door` names the way it came (smtp, imap, pipe), `envelope_from` is the return path
        where it is known, `network` that of the host it came from, `house` the one it came for,
        by default the engine's. A mail that came before (see
        `identity`) is not stored again. `most` are the bytes that are stored in a day of a sender
        who is not on file: raises TooMuch beyond where the sender can be told at the door; of what
        another server has accepted only the header stays. Raises Unavailable when it could not be
        stored: then the sender must keep it.
        """
        whose = sender(raw)
        row: Row = {
            "door": door,
            "received_at": received_at,
            "envelope_from": envelope_from,
            "envelope_to": envelope_to,
            "sender": whose,
            "host": whose.rpartition("@")[2],
            "lane": KNOWN,
            **_content(raw, envelope_from),
        }
        if house is not None:
            row["house"] = house
        with self._engine.own_transaction():
            known = self._engine.column(models.AddressRow, "id", address=whose) is not None
            if not known:
                row["lane"] = network
                if most is not None and self._is_too_much(raw, whose, most, received_at):
                    if door == "smtp":
                        raise TooMuch
                    row |= _content(_head_of(raw), envelope_from)
            mail_id = self._engine.add_new(_M, row)
            if mail_id is not None:
                self._engine.announce("mail")
                return Accepted(mail_id, duplicate=False, known=known)
            same = (_M.message_id == row["message_id"]) & (_M.digest == row["digest"])
            same &= _M.house == row.get("house", self._engine.house or "")
            there = self._engine.value(_M.select(_M.id).where(same))
        return Accepted(there, duplicate=True, known=known)

    def note(self, raw: bytes, *, door: str, proof: str, now: datetime) -> InboundMessage:
        """Store what did not come as mail, such as what a keeper does at the command line, as
        processed already: letters and orders that come of it refer to it."""
        mail = InboundMessage(
            door=door,
            received_at=now,
            **_content(raw, None),
            envelope_from=None,
            envelope_to=[],
            state=InboundState.DONE,
            proof=proof,
            worked_at=now,
        )
        return replace(mail, id=self._engine.add(_M, mail))

    def _is_too_much(self, raw: bytes, whose: str, most: int, now: datetime) -> bool:
        """Return whether a message makes more than `most` bytes of a sender in a day."""
        # Named so, the index of states and senders finds them.
        came = _M.state.in_(list(InboundState)) & _came(whose, now - _DAY)
        stored = self._engine.value(_M.select(models.total_bytes(_M.raw)).where(came))
        return int(stored or 0) + len(raw) > most

    def by_message_id(self, message_id: str) -> InboundMessage | None:
        """Return the first mail with this Message-ID, in angle brackets."""
        return self._one(message_id=message_id)

    def next_new(self, after: int = 0) -> int | None:
        """Return the id of the oldest mail waiting for work, of those with an id above `after`."""
        query = _M.select(_M.id).where(models.NEW & (_M.id > after)).order_by(_M.id)
        found: int | None = self._engine.value(query.limit(1))
        return found

    def newest(self) -> int:
        """Return the id of the mail that came in last; 0 where none has."""
        found: int | None = self._engine.value(_M.select(fn.MAX(_M.id)))
        return found or 0

    def waiting_of(self, whose: str, most: int) -> list[tuple[int, datetime]]:
        """Return the oldest mails of a sender that wait for work, at most so many: their ids, and
        when they came in."""
        query = _M.select(_M.id, _M.received_at).where(models.NEW & (_M.sender == whose))
        return self._engine.tuples(query.order_by(_M.id).limit(most))

    def last_of(
        self, whose: str, since: datetime, before: int
    ) -> tuple[int, datetime, bytes] | None:
        """Return the newest mail of a sender that came in after an instant, has been processed, and
        has an id below `before`: its id, when it came in, and its bytes."""
        # It may have been put back to work.
        done = _M.state.in_((InboundState.DONE, InboundState.NEW)) & _M.worked_at.is_null(False)
        done &= _came(whose, since) & (_M.id < before)
        query = _M.select(_M.id, _M.received_at, _M.raw).where(done).order_by(_M.id.desc())
        return next(iter(self._engine.tuples(query.limit(1))), None)

    def latest_of_known(self, since: datetime, most: int) -> list[tuple[datetime, bytes]]:
        """Return the newest mails of people on file that came in after an instant, at most so many:
        when they did, and their bytes."""
        # Of those alone: anyone who looks for few must not look through all.
        recent = _M.id > self.newest() - 50 * most
        known = recent & (_M.lane == KNOWN) & (_M.received_at > since) & models.WITH_TEXT
        query = _M.select(_M.received_at, _M.raw).where(known).order_by(_M.id.desc())
        return self._engine.tuples(query.limit(most))

    def has_written_since(self, whose: str, since: datetime) -> bool:
        """Return whether a mail of a sender has been processed that came in after an instant."""
        done = (_M.state == InboundState.DONE) & _came(whose, since)
        return self._engine.exists(_M.select(_M.id).where(done))

    def was_read_since(self, whose: str, since: datetime) -> bool:
        """Return the same of mails that were read as what a person on file wrote, and of no
        automatic ones."""
        done = (_M.state == InboundState.DONE) & _came(whose, since)
        return self._engine.exists(_M.select(_M.id).where(done & _M.person_id.is_null(False)))

    def failed(self) -> list[InboundMessage]:
        """Return those that made the judge fail: held, or set aside to be tried again; oldest
        first."""
        return self._where(models.BLAMED)

    def turns(self, turn: Turn) -> Iterator[tuple[int, str]]:
        """Return mails that wait for work, each with its sender, in the order in which they have a
        turn; of each sender the oldest. What this costs does not grow with the queue."""
        if not turn.several:
            query = _M.select(_M.id, _M.sender).where(models.NEW).order_by(_M.id)
            waiting = self._engine.tuples(query.limit(2))
            turn.several = len(waiting) > 1
            if not turn.several:
                yield from waiting
                return
        seen: set[int] = set()
        again = 0
        for _ in range(_AHEAD):
            turn.rounds.reverse()
            found = self._next_in(turn.rounds[0])
            if turn.rounds[0].group is None:
                turn.several = False
                return
            if found is None:
                # Somebody else has just processed it.
                continue
            if found[0] not in seen:
                seen.add(found[0])
                yield found
            elif (again := again + 1) > 4 * len(seen) + 4:
                return

    def _next_in(self, last: _Round) -> tuple[int, str] | None:
        """Return the mail of anyone who has the next turn, which is noted, and its sender."""
        column = getattr(_M, last.by)
        groups = _M.select(column).where(models.NEW).order_by(column).limit(1)
        last.group = group = next(self._after(groups, column, last.group), (None,))[0]
        if group is None or len(last.senders) > _MOST_GROUPS:
            last.senders.clear()
        if group is None:
            return None
        mails = _M.select(_M.sender, _M.id).where(models.NEW & (column == group))
        mails = mails.order_by(_M.sender, _M.id).limit(1)
        for whose, mail_id in self._after(mails, _M.sender, last.senders.get(group)):
            last.senders[group] = whose
            return mail_id, whose
        return None

    def _after(self, query: Any, column: Any, last: str | None) -> Iterator[tuple[Any, ...]]:
        """Yield row with the value that follows the last one in a column; behind all the first."""
        if last is not None:
            yield from self._engine.tuples(query.where(column > last))
        yield from self._engine.tuples(query)

    def waiting(self, mail_id: int) -> tuple[bytes, str] | None:
        """Return bytes of a mail that waits for work, and the way it came; None if it does not."""
        found = self._engine.columns(_M, ("raw", "door"), id=mail_id, state=InboundState.NEW)
        return next(iter(found), None)

    def waiting_since(self) -> datetime | None:
        """Return when the oldest mail waiting for work came in; None when none waits."""
        query = _M.select(_M.received_at).where(models.NEW).order_by(_M.id).limit(1)
        found: datetime | None = self._engine.value(query)
        return found

    def claim(
        self, mail_id: int, *, wait: bool = False, in_turn: bool = False
    ) -> InboundMessage | None:
        """Return the mail, locked for this transaction; None if it is not new or, without `wait`,
        in work elsewhere.

        Mails of one sender are processed in the order they came in: `in_turn`, None too while an
        earlier one waits.
        """
        query = _M.select().where((_M.id == mail_id) & models.NEW)
        if in_turn:
            query = query.where(~fn.EXISTS(_EARLIER))
        return self._engine.record(InboundMessage, self._engine.locked(query, skip=not wait))

    def done(
        self,
        mail_id: int,
        now: datetime,
        *,
        game_id: int | None = None,
        person_id: int | None = None,
        why: str | None = None,
    ) -> None:
        """Note that a mail was processed, what it was about, and by which rule, `why`, it was
        not simply read."""
        self._set(
            mail_id,
            state=InboundState.DONE,
            worked_at=now,
            game_id=game_id,
            person_id=person_id,
            problem=why,
        )

    def ask(self, mail_id: int, now: datetime, sender: str, person_id: int | None) -> None:
        """Keep a mail aside until its claimed `sender`, as the whole of it was read, or a person
        has said whether it is theirs."""
        change = {"worked_at": now, "sender": sender, "person_id": person_id}
        self._set(mail_id, state=InboundState.ASKED, **change)

    def confirm(self, mail_id: int, proof: str | None) -> bool:
        """Put a mail whose sender was asked back to work, with what it proves if that is more than
        before; whether it was waiting."""
        change = _M.update(state=InboundState.NEW, attempts=0, proof=proof)
        self._engine.announce("mail")
        return bool(
            self._engine.run(change.where((_M.id == mail_id) & (_M.state == InboundState.ASKED)))
        )

    def drop(self, mail_id: int) -> bool:
        """Be done with a mail that nobody says is theirs, or that the keeper gives up; whether
        it was waiting."""
        waiting = (_M.id == mail_id) & _M.state.in_((InboundState.ASKED, InboundState.HELD))
        return bool(self._engine.run(_M.update(state=InboundState.DONE).where(waiting)))

    def rewrite(self, mail_id: int, raw: bytes) -> None:
        """Store other bytes for a mail, such as those without its password. Its identity stays."""
        self._set(mail_id, raw=raw)

    def hold(self, mail_id: int, problem: str, now: datetime) -> None:
        """Keep a mail for the keeper, with the reason."""
        self._set(mail_id, state=InboundState.HELD, worked_at=now, problem=problem)

    def blame(self, mail_id: int, problem: str, now: datetime) -> None:
        """Count that a mail made the judge fail, and how: it is set aside, to be tried last."""
        change = {"worked_at": now, "problem": problem, "attempts": _M.attempts + 1}
        self._engine.run(_M.update(change).where(_M.id == mail_id))

    def note_problem(self, mail_id: int, problem: str) -> None:
        """Note why a mail waits, which is no fault of its own."""
        self._engine.run(_M.update(problem=problem).where((_M.id == mail_id) & models.NEW))

    def retry(self, mail_id: int) -> bool:
        """Put a held mail back to work; whether there was such a one. Commits at once."""
        with self._engine.own_transaction():
            change = _M.update(state=InboundState.NEW, attempts=0)
            return bool(
                self._engine.run(change.where((_M.id == mail_id) & (_M.state == InboundState.HELD)))
            )

    def take_up(self, problem: str, before: datetime, since: datetime, most: int) -> int:
        """Put held mails back to work that were set aside for a reason before an instant, and came
        in after another: the newest of each domain, at most so many; how many."""
        aside = (_M.state == InboundState.HELD) & (_M.problem == problem)
        waits = aside & (_M.worked_at <= before) & (_M.received_at > since)
        newest = _M.select(fn.MAX(_M.id)).where(waits).group_by(_M.host)
        newest = newest.order_by(fn.MAX(_M.id).desc()).limit(most)
        found = [mail_id for (mail_id,) in self._engine.tuples(newest)]
        change = {"state": InboundState.NEW, "attempts": 0}
        for start in range(0, len(found), 500):
            some = _M.id.in_(found[start : start + 500])
            self._engine.run(_M.update(change).where(aside & some))
        return len(found)

    def let_in(self, why: Collection[str], sender: str, since: datetime, proof: str) -> int:
        """Put back to work, as proved, what was set aside or passed over for one of some reasons of
        what somebody sent after an instant; how many."""
        aside = _M.problem.in_(why) & (_M.sender == sender)
        change = _M.update(state=InboundState.NEW, attempts=0, proof=proof)
        self._engine.announce("mail")
        return self._engine.run(change.where(aside & (_M.received_at > since)))

    def passed_over(self, why: str, since: datetime, until: datetime) -> list[InboundMessage]:
        """Return the mails that were done by a rule, and came in between two instants."""
        return self._where((_M.problem == why) & _M.received_at.between(since, until))

    def asked(self, before: datetime | None = None) -> list[InboundMessage]:
        """Return the mails that wait for their senders' word, oldest first; only those that have
        waited since `before` if it is given."""
        if before is None:
            return self._where(models.ASKED)
        return self._where(models.ASKED & (_M.worked_at <= before))

    def asked_by(self, whose: str, person_id: int | None) -> list[InboundMessage]:
        """Return the mails that wait for the word of anyone who has an address, or of a person."""
        mine = _M.sender == whose
        if person_id is not None:
            mine |= _M.person_id == person_id
        waiting = _M.select().where((_M.state == InboundState.ASKED) & mine)
        return self._engine.records(InboundMessage, waiting.order_by(_M.id))

    def asked_of_whom(self) -> list[tuple[str, int | None]]:
        """Return the senders of mails that wait for somebody's word, and whose word that is."""
        columns = _M.select(_M.sender, _M.person_id).where(_M.state == InboundState.ASKED)
        rows = self._engine.tuples(columns.distinct())
        return [(sender or "", person_id) for sender, person_id in rows]

    def held(self) -> list[InboundMessage]:
        """Return the mails kept aside, oldest first."""
        return self._where(models.HELD)

    def count(self, state: InboundState) -> int:
        """Return how many mails are in a state."""
        return self._engine.count(_M, _M.state == state)

    def _set(self, mail_id: int, **changes: Any) -> None:
        self._engine.change(_M, changes, id=mail_id)


def _came(whose: str, since: datetime) -> Any:
    """Return the condition that a mail of a sender came in after an instant."""
    return (_M.sender == whose) & (_M.received_at > since)


# Headers the writer's program sets. Relays and mailboxes add their own to every copy (Received,
# Return-Path, Delivered-To, X-...), so those must not make a second delivery look new.
_WRITTEN = (b"from", b"to", b"subject", b"date", b"message-id", b"content-type")
# Bytes of a From field that are looked at: an address and a long name, several times over.
_LONGEST_FROM = 4_000
_NAMED = re.compile(r"[^\"<>,;:()]*(<[^<>\s]+@[^<>\s]+>)")
_FIELD = re.compile(rb"^([!-9;-~]+)[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.MULTILINE)


def identity(raw: bytes, envelope_from: str | None = None) -> tuple[str, str]:
    """Return the Message-ID of a message (empty when it has none) and the digest of its content.

    The digest is a SHA-256 in hex over the headers its writer set and the body, line ends made
    equal, so that copies of one mail that came different ways have the same one. Where these name
    neither a mail nor a writer, it is over all that came, and over who sent it.
    """
    fields, body = _parts(raw)
    content = hashlib.sha256()
    if not (fields.get(b"from") or fields.get(b"message-id")):
        content.update(f"{envelope_from}\n".encode("utf-8", "surrogateescape") + raw)
    for name in _WRITTEN:
        content.update(name + b":" + fields.get(name, b"") + b"\n")
    # Some mailboxes add or drop the last line end.
    content.update(b"\n" + body.rstrip(b"\n"))
    message_id = fields.get(b"message-id", b"").decode("utf-8", "replace")
    # RFC 5322 3.6.4: one id in angle brackets; whatever a broken program wrote is kept as it is, as
    # long as a line may be. PostgreSQL has no more than 2,704 bytes for an entry of an index.
    return message_id.encode()[:998].decode("utf-8", "ignore"), content.hexdigest()


def _content(raw: bytes, envelope_from: str | None) -> Row:
    """Return what is stored of a message itself."""
    message_id, digest = identity(raw, envelope_from)
    return {"raw": raw, "message_id": message_id, "digest": digest}


def _head_of(raw: bytes) -> bytes:
    """Return what is stored of a message that is too much."""
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0][:_LONGEST_HEAD]
    told = b"Too much came from this address or its network in a day: its text was not stored."
    return head + b"\n\n[" + told + b"]\n"


def sender(raw: bytes) -> str:
    """Return the address in From as it stands there, in lower case; empty where there is none to be
    read.

    Mails of one sender are processed in the order they came in. Nobody is believed by it. Never
    raises: what cannot be stored would come again and again, and keep phases waiting.
    """
    fields, _ = _parts(raw)
    written = fields.get(b"from", b"")[:_LONGEST_FROM].decode("utf-8", "replace")
    # A name without quotes may have an @ in it, which the library takes for an address.
    named = _NAMED.match(written)
    try:
        address = parseaddr(named[1] if named else written)[1].lower()[:320]
    except (ValueError, LookupError, RecursionError):
        return ""
    # PostgreSQL stores no null characters, and nobody has an address with control characters.
    return address if address.isprintable() else ""


@lru_cache(1)
def _parts(raw: bytes) -> tuple[dict[bytes, bytes], bytes]:
    """Return the fields of the head that the writer's program sets, the first of each name, and the
    body. Each mail is asked for them twice."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields: dict[bytes, bytes] = {}
    for name, value in _FIELD.findall(head):
        if (name := name.lower()) in _WRITTEN and name not in fields:
            fields[name] = b" ".join(value.split())
    return fields, body
