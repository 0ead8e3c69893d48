"""The inbox: every message that came in, stored once and worked once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import cache, lru_cache
from typing import Any

import peewee
from msgspec import Struct, field
from msgspec.structs import replace

from judge.storage import models
from judge.storage.engine import Given, Row, Rows, Statement, given, inserting, numbered_values
from judge.storage.records import InboundMessage
from judge.storage.values import InboundState

_M = models.InboundMessage

_IF_NEW = (_M.id == given("id")) & (_M.state == InboundState.NEW)
_IS_NEW = _M.select().where(_IF_NEW)
_NEW = Statement(_IS_NEW)
_CAME_BY = Statement(_M.select(_M.raw, _M.door).where(_IF_NEW))
_EARLIER = _M.alias()
_IN_TURN = Statement(
    _IS_NEW.where(
        ~peewee.fn.EXISTS(
            _EARLIER.select(_EARLIER.id).where(
                (_EARLIER.state == InboundState.NEW)
                & (_EARLIER.sender == _M.sender)
                & (_EARLIER.id < _M.id)
            )
        )
    )
)
_WAITS = _M.state == InboundState.NEW
NEXT_NEW = Statement(
    _M.select(_M.id).where(_WAITS & (_M.id > given("after"))).order_by(_M.id).limit(1)
)
_TWO_NEW = Statement(_M.select(_M.id, _M.sender).where(_WAITS).order_by(_M.id).limit(2))
_NEWEST = Statement(_M.select(_M.id).order_by(_M.id.desc()).limit(1))
_WAITING_SINCE = Statement(_M.select(_M.received_at).where(_WAITS).order_by(_M.id).limit(1))
_FROM = _M.select(_M.id, _M.received_at).where(_WAITS & (_M.sender == given("sender")))
_OF_SENDER = Statement(_FROM.order_by(_M.id).limit(given("most")))
_CAME = (_M.sender == given("sender")) & (_M.received_at > given("since"))
_DONE_SINCE = _M.select(_M.id).where((_M.state == InboundState.DONE) & _CAME).limit(1)
_SINCE = Statement(_DONE_SINCE)
_LAST = Statement(
    _M.select()
    .where((_M.state == InboundState.DONE) & _CAME & (_M.id < given("before")))
    .order_by(_M.id.desc())
    .limit(given("most"))
)
_READ_SINCE = Statement(_DONE_SINCE.where(_M.person_id.is_null(False)))
FAILED = Statement(_M.select().where(models.FAILED).order_by(_M.id))
_ASKING = _M.select().where(_M.state == InboundState.ASKED).order_by(_M.id)
_ASKED = Statement(_ASKING)
_ASKED_BEFORE = Statement(_ASKING.where(_M.worked_at <= given("before")))
_HELD = Statement(_M.select().where(_M.state == InboundState.HELD).order_by(_M.id))

_BYTES = Statement(
    _M.select(models.total_bytes(_M.raw)).where(
        # Named so, the index of states and senders finds them.
        _M.state.in_(list(InboundState)) & _CAME
    )
)
_ON_FILE = Statement(models.Address.select().where(models.Address.address == given("sender")))


@cache
def _of_known(names: tuple[str, ...]) -> Statement:
    """Inserts a mail of somebody on file that is new."""
    columns = [getattr(_M, name) for name in names]
    on_file = peewee.fn.EXISTS(_ON_FILE.query)
    given = peewee.Select(columns=[Given(each.name, each) for each in columns]).where(on_file)
    return Statement(_M.insert_from(given, columns).on_conflict_ignore().returning(_M.id))


_DAY = timedelta(days=1)
_LONGEST_HEAD = 20_000

KNOWN = "known"
"""The lane of everybody whose address is on file."""

_AHEAD = 200
"""How many turns are tried for a mail that nobody else works."""

_MOST_GROUPS = 10_000
"""Groups of which it is remembered who of them was last."""


class _Grouped:
    """The mails that wait for work, grouped by a column."""

    def __init__(self, column: Any) -> None:
        groups = _M.select(column).where(_WAITS).order_by(column).limit(1)
        self.first = Statement(groups)
        after = groups.where(column > given("after"))
        self.next = Statement(peewee.Select(columns=[peewee.fn.COALESCE(after, groups)]))
        mails = _M.select(_M.id, _M.sender).where(_WAITS & (column == given("group")))
        mails = mails.order_by(_M.sender, _M.id).limit(1)
        self.first_of = Statement(mails)
        self.next_of = Statement(mails.where(_M.sender > given("after")))


class _Round(Struct):
    """Who had the last turn: groups take turns, and in each of them its senders."""

    by: _Grouped
    group: str | None = None
    senders: dict[str, str] = field(default_factory=dict)


_HOSTS, _LANES = _Grouped(_M.host), _Grouped(_M.lane)


class Turn(Struct):
    """Whose mail was worked last. Every other turn goes by the domains of senders, and those
    between by lanes: whoever makes domains up keeps only strangers waiting who write from his
    network, and whoever has many hosts only those who write by his domain."""

    rounds: list[_Round] = field(default_factory=lambda: [_Round(_LANES), _Round(_HOSTS)])
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
    ) -> Accepted:
        """Store a message durably; commits before it returns, so that it may be acknowledged.

        `door` names the way it came (smtp, imap, pipe), `envelope_from` is the return path
        where it is known, `network` that of the host it came from. A mail that came before (see
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
            "state": InboundState.NEW,
            "attempts": 0,
            "sender": whose,
            "host": whose.rpartition("@")[2],
            "lane": KNOWN,
            **_content(raw),
        }
        mail_id = self._engine.put_in(_of_known(tuple(row)), "mail", **row)
        if mail_id is not None:
            return Accepted(mail_id, duplicate=False, known=True)
        # A stranger's, or a duplicate.
        if not (known := bool(self._engine.rows(_ON_FILE, sender=whose))):
            row["lane"] = network
            if most is not None and self._is_too_much(raw, whose, most, received_at):
                if door == "smtp":
                    raise TooMuch
                row |= _content(_head_of(raw))
        storing = inserting(_M, tuple(row), 1, new=True)
        mail_id = self._engine.put_in(storing, "mail", **numbered_values([row]))
        if duplicate := mail_id is None:
            same = (_M.message_id == row["message_id"]) & (_M.digest == row["digest"])
            mail_id = self._engine.value(_M.select(_M.id).where(same))
        return Accepted(mail_id, duplicate=duplicate, known=known)

    def note(self, raw: bytes, *, door: str, proof: str, now: datetime) -> InboundMessage:
        """Store what did not come as mail, such as what a keeper does at the command line, as
        worked already: letters and orders that come of it refer to it."""
        mail = InboundMessage(
            door=door,
            received_at=now,
            **_content(raw),
            envelope_from=None,
            envelope_to=[],
            state=InboundState.DONE,
            proof=proof,
            worked_at=now,
        )
        return replace(mail, id=self._engine.add(_M, mail))

    def _is_too_much(self, raw: bytes, whose: str, most: int, now: datetime) -> bool:
        """Whether a message makes more than `most` bytes of a sender in a day."""
        since = now - _DAY
        came = int(self._engine.value(_BYTES, sender=whose, since=since) or 0)
        return came + len(raw) > most

    def by_message_id(self, message_id: str) -> InboundMessage | None:
        """The first mail with this Message-ID, in angle brackets."""
        return self._engine.one(InboundMessage, _M, message_id=message_id)

    def next_new(self, after: int = 0) -> int | None:
        """The id of the oldest mail waiting for work, of those with an id above `after`."""
        found: int | None = self._engine.value(NEXT_NEW, after=after)
        return found

    def newest(self) -> int:
        """The id of the mail that came in last; 0 where none has."""
        found: int | None = self._engine.value(_NEWEST)
        return found or 0

    def waiting_of(self, whose: str, most: int) -> list[tuple[int, datetime]]:
        """The oldest mails of a sender that wait for work, at most so many: their ids, and when
        they came in."""
        rows = self._engine.rows(_OF_SENDER, sender=whose, most=most)
        return [(row["id"], row["received_at"]) for row in rows]

    def last_of(self, whose: str, since: datetime, before: int, most: int) -> list[InboundMessage]:
        """The newest mails of a sender that came in after an instant, have been worked and have an
        id below `before`, at most so many; newest first."""
        asked = {"sender": whose, "since": since, "before": before, "most": most}
        return self._engine.records(InboundMessage, _LAST, **asked)

    def has_written_since(self, whose: str, since: datetime) -> bool:
        """Whether a mail of a sender has been worked that came in after an instant."""
        return self._engine.value(_SINCE, sender=whose, since=since) is not None

    def was_read_since(self, whose: str, since: datetime) -> bool:
        """The same of mails that were read as what a person on file wrote, and of no automatic
        ones."""
        return self._engine.value(_READ_SINCE, sender=whose, since=since) is not None

    def failed(self) -> list[InboundMessage]:
        """Those that made the judge fail: held, or set aside to be tried again; oldest first."""
        return self._engine.records(InboundMessage, FAILED)

    def turns(self, turn: Turn) -> Iterator[tuple[int, str]]:
        """Mails that wait for work, each with its sender, in the order in which they have a turn;
        of each sender the oldest. What this costs does not grow with the queue."""
        if not turn.several:
            waiting = self._engine.rows(_TWO_NEW)
            turn.several = len(waiting) > 1
            if not turn.several:
                yield from ((row["id"], row["sender"]) for row in waiting)
                return
        seen: set[int] = set()
        again = 0
        for _ in range(_AHEAD):
            turn.rounds.reverse()
            row = self._next_in(turn.rounds[0])
            if turn.rounds[0].group is None:
                turn.several = False
                return
            if row is None:
                # Somebody else has just worked it.
                continue
            if row["id"] not in seen:
                seen.add(row["id"])
                yield row["id"], row["sender"]
            elif (again := again + 1) > 4 * len(seen) + 4:
                return

    def _next_in(self, last: _Round) -> Row | None:
        """The mail of whoever has the next turn, which is noted."""
        turn = last.by.first if last.group is None else last.by.next
        last.group = group = self._engine.value(turn, after=last.group)
        if group is None or len(last.senders) > _MOST_GROUPS:
            last.senders.clear()
        if group is None:
            return None
        after = last.senders.get(group)
        row = after and self._engine.row(last.by.next_of, group=group, after=after)
        row = row or self._engine.row(last.by.first_of, group=group)
        if row is not None:
            last.senders[group] = row["sender"]
        return row

    def waiting(self, mail_id: int) -> tuple[bytes, str] | None:
        """The bytes of a mail that waits for work, and the way it came; None if it does not."""
        row = self._engine.row(_CAME_BY, id=mail_id)
        return None if row is None else (row["raw"], row["door"])

    def waiting_since(self) -> datetime | None:
        """When the oldest mail waiting for work came in; None when none waits."""
        row = self._engine.row(_WAITING_SINCE)
        return None if row is None else row["received_at"]

    def claim(
        self, mail_id: int, *, wait: bool = False, in_turn: bool = False
    ) -> InboundMessage | None:
        """The mail, locked for this transaction; None if it is not new or, without `wait`, in work
        elsewhere.

        Mails of one sender are worked in the order they came in: `in_turn`, None too while an
        earlier one waits. On SQLite whoever takes turns sees to that.
        """
        query = _IN_TURN if in_turn and self._engine.postgresql else _NEW
        locked = self._engine.locked(query, skip=not wait)
        return self._engine.record(InboundMessage, locked, id=mail_id)

    def done(
        self,
        mail_id: int,
        now: datetime,
        *,
        game_id: int | None = None,
        person_id: int | None = None,
    ) -> None:
        """The mail has been worked; what it was about is noted."""
        self._set(
            mail_id,
            state=InboundState.DONE,
            worked_at=now,
            game_id=game_id,
            person_id=person_id,
            problem=None,
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

    def retry(self, mail_id: int) -> bool:
        """Put a held mail back to work; whether there was such a one. Commits at once."""
        with self._engine.own_transaction():
            change = _M.update(state=InboundState.NEW, attempts=0)
            return bool(
                self._engine.run(change.where((_M.id == mail_id) & (_M.state == InboundState.HELD)))
            )

    def asked(self, before: datetime | None = None) -> list[InboundMessage]:
        """The mails that wait for their senders' word, oldest first; only those that have waited
        since `before` if it is given."""
        if before is None:
            return self._engine.records(InboundMessage, _ASKED)
        return self._engine.records(InboundMessage, _ASKED_BEFORE, before=before)

    def asked_by(self, whose: str, person_id: int | None) -> list[InboundMessage]:
        """The mails that wait for the word of whoever has an address, or of a person."""
        mine = _M.sender == whose
        if person_id is not None:
            mine |= _M.person_id == person_id
        waiting = _M.select().where((_M.state == InboundState.ASKED) & mine)
        return self._engine.records(InboundMessage, waiting.order_by(_M.id))

    def asked_of_whom(self) -> list[tuple[str, int | None]]:
        """The senders of mails that wait for somebody's word, and whose word that is."""
        columns = _M.select(_M.sender, _M.person_id).where(_M.state == InboundState.ASKED)
        rows = self._engine.tuples(columns.distinct())
        return [(sender or "", person_id) for sender, person_id in rows]

    def held(self) -> list[InboundMessage]:
        """The mails kept aside, oldest first."""
        return self._engine.records(InboundMessage, _HELD)

    def count(self, state: InboundState) -> int:
        """How many mails are in a state."""
        return self._engine.count(_M, _M.state == state)

    def _set(self, mail_id: int, **changes: Any) -> None:
        self._engine.replace(_M, mail_id, changes)


# Headers the writer's program sets. Relays and mailboxes add their own to every copy (Received,
# Return-Path, Delivered-To, X-...), so those must not make a second delivery look new.
_WRITTEN = (b"from", b"to", b"subject", b"date", b"message-id", b"content-type")
# Bytes of a From field that are looked at: an address and a long name, several times over.
_LONGEST_FROM = 4_000
_NAMED = re.compile(r"[^\"<>,;:()]*(<[^<>\s]+@[^<>\s]+>)")
_FIELD = re.compile(rb"^([!-9;-~]+)[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.MULTILINE)


def identity(raw: bytes) -> tuple[str, str]:
    """The Message-ID of a message (empty when it has none) and the digest of its content.

    The digest is a SHA-256 in hex over the headers its writer set and the body, line ends made
    equal, so that copies of one mail that came different ways have the same one.
    """
    fields, body = _parts(raw)
    content = hashlib.sha256()
    for name in _WRITTEN:
        content.update(name + b":" + fields.get(name, b"") + b"\n")
    # Some mailboxes add or drop the last line end.
    content.update(b"\n" + body.rstrip(b"\n"))
    message_id = fields.get(b"message-id", b"").decode("utf-8", "replace")
    # RFC 5322 3.6.4: one id in angle brackets; whatever a broken program wrote is kept as it is, as
    # long as a line may be. PostgreSQL has no more than 2,704 bytes for an entry of an index.
    return message_id.encode()[:998].decode("utf-8", "ignore"), content.hexdigest()


def _content(raw: bytes) -> Row:
    """What is stored of a message itself."""
    message_id, digest = identity(raw)
    return {"raw": raw, "message_id": message_id, "digest": digest}


def _head_of(raw: bytes) -> bytes:
    """What is stored of a message that is too much."""
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0][:_LONGEST_HEAD]
    told = b"Too much came from this address or its network in a day: its text was not stored."
    return head + b"\n\n[" + told + b"]\n"


def sender(raw: bytes) -> str:
    """The address in From as it stands there, in lower case; empty where there is none to be read.

    Mails of one sender are worked in the order they came in. Nobody is believed by it. Never
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
    """The fields of the head that the writer's program sets, the first of each name, and the body.
    Each mail is asked for them twice."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields: dict[bytes, bytes] = {}
    for name, value in _FIELD.findall(head):
        if (name := name.lower()) in _WRITTEN and name not in fields:
            fields[name] = b" ".join(value.split())
    return fields, body
