"""Personal data that is not to be kept: of somebody who wants to be forgotten, or grown old."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import asdict, replace

from judge.storage import models
from judge.storage.queries import TableGroup
from judge.storage.records import Person
from judge.storage.values import InboundState, OutboundState

_M = models.InboundRow
_L = models.OutboundRow
_E = models.LogRow
_T = models.TicketRow

_NEVER = datetime.fromtimestamp(0, UTC)

_ONCE = 500
"""Rows whose bytes are thrown away in one transaction."""


class Erasure(TableGroup):
    """What games need of people stays: who played what is a number then. Writes belong in a
    transaction unless said otherwise."""

    def person(self, person_id: int, name: str, addresses: Sequence[str]) -> None:
        """Forget a person: their name, addresses, messages, diaries, record, and where the log
        names them. The games they played, and the press others have, stay."""
        run, mine = self._engine.run, list(addresses)
        of_mails = (_M.person_id == person_id) | _M.envelope_from.in_(mine) | _M.sender.in_(mine)
        gone = {"raw": b"", "envelope_from": None, "sender": None, "problem": None}
        run(_M.update(**gone, message_id="", envelope_to=[]).where(of_mails))
        of_letters = (_L.person_id == person_id) | _L.recipient.in_(mine)
        run(
            _L.update(state=OutboundState.FAILED, error=None).where(
                of_letters & _L.state.in_((OutboundState.QUEUED, OutboundState.KEPT))
            )
        )
        empty = {"subject": "", "recipient": "", "envelope_from": "", "error": None}
        run(_L.update(**empty, raw=b"", digests=b"").where(of_letters))
        of_tickets = (_T.person_id == person_id) | _T.address.in_(mine)
        run(_T.update(address="", claim=None).where(of_tickets))
        run(models.BounceRow.delete().where(models.BounceRow.address.in_(mine)))
        run(models.ReliabilityRow.delete().where(models.ReliabilityRow.person_id == person_id))
        seats = models.SeatRow.select(models.SeatRow.id).where(
            models.SeatRow.person_id == person_id
        )
        run(models.DiaryRow.delete().where(models.DiaryRow.seat_id.in_(seats)))
        plain = {"password": None, "absence": None, "preferences": ""}
        run(models.SeatRow.update(**plain).where(models.SeatRow.person_id == person_id))
        theirs = models.SeatRow.select().where(models.SeatRow.person_id == person_id)
        for row in self._engine.rows(theirs):
            options = replace(row["options"], addresses=(), muted=())
            run(models.SeatRow.update(options=options).where(models.SeatRow.id == row["id"]))
        self._in_the_log(person_id, [each for each in (*mine, name) if each])
        run(models.AddressRow.delete().where(models.AddressRow.person_id == person_id))
        nobody = asdict(Person(created_at=_NEVER))
        del nobody["id"], nobody["created_at"]
        run(models.PersonRow.update(**nobody).where(models.PersonRow.id == person_id))

    def _in_the_log(self, person_id: int, words: Sequence[str]) -> None:
        instead = f"person {person_id}"
        for row in self._engine.rows(_E.select()):
            facts = _without(row["facts"], words, instead)
            actor = instead if row["actor"] in words else row["actor"]
            if facts != row["facts"] or actor != row["actor"]:
                change = _E.update(facts=facts, actor=actor)
                self._engine.run(change.where(_E.id == row["id"]))

    def mails(self, before: datetime) -> int:
        """Throw away the bytes of some mails that were done with before; how many. What games and
        their logs need of them stays. Commits at once."""
        with self._engine.own_transaction():
            processed = (_M.state == InboundState.DONE) & (_M.worked_at < before) & models.WITH_TEXT
            mails = _M.select(_M.id).where(processed).limit(_ONCE)
            return self._engine.run(_M.update(raw=b"").where(_M.id.in_(mails)))

    def letters(self, before: datetime, digests: Callable[[bytes], bytes]) -> int:
        """Return the same of letters that are done with; of each stay its digests, or what
        `digests` makes of it where it has none."""
        with self._engine.own_transaction():
            sent = (
                _L.state.in_((OutboundState.SENT, OutboundState.TOLD, OutboundState.FAILED))
                & (_L.queued_at < before)
                & models.WITH_TEXT
            )
            letters = self._engine.tuples(_L.select(_L.id, _L.digests).where(sent).limit(_ONCE))
            for letter_id in (key for key, kept in letters if not kept):
                raw = self._engine.column(_L, "raw", id=letter_id)
                self._engine.run(_L.update(digests=digests(raw)).where(_L.id == letter_id))
            done = [key for key, _ in letters]
            return self._engine.run(_L.update(raw=b"").where(_L.id.in_(done)))


def _without(facts: Any, words: Sequence[str], instead: str) -> Any:
    text = json.dumps(facts, ensure_ascii=False)
    for word in words:
        text = text.replace(json.dumps(word, ensure_ascii=False), json.dumps(instead))
        if "@" in word:
            text = text.replace(word, instead)
    return json.loads(text)
