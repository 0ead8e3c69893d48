"""Letters into the outbox: rendered, addressed, threaded, in the transaction that caused them."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from judge.game.clock import calendars
from judge.game.fairness import record
from judge.game.people.contact import address_of, addresses_of, hears
from judge.game.pictures import attached, likes_html, of_letter, shown_in
from judge.game.state import State
from judge.game.state.profile import House
from judge.game.views import reader_facts
from judge.game.visibility import fog
from judge.game.visibility.identity import is_hidden
from judge.game.visibility.press import ALL as EVERYBODY
from judge.game.visibility.press import several
from judge.i18n import language, speaking
from judge.mail import compose
from judge.mail.address import Addresses
from judge.mail.compose import Attachment, Mailbox
from judge.mail.message import ParsedMessage
from judge.render import hypertext, letters
from judge.render.words import is_tame
from judge.storage import (
    Game,
    OutboundMessage,
    Person,
    PhaseRun,
    Press,
    PressColor,
    Role,
    Storage,
    Ticket,
)

REPLY = "r"
"""The purpose of the address that answers a letter: press goes back to who wrote it."""

ALL = "a"
"""The purpose of the address that answers press to everybody who had it."""

BOUNCE = "b"
"""The purpose of a letter's return path, which only mail systems write to."""

STOP = "u"
"""The purpose of the address by which an observer stops watching (List-Unsubscribe)."""

HIDDEN, GREY = timedelta(minutes=5), timedelta(minutes=15)
"""The steps in which letters go out that come of mails in games where nobody may know who plays,
and unsigned ones."""

log = logging.getLogger(__name__)


def hides(state: State, press: Press | None) -> timedelta | None:
    """How long a letter that comes of somebody's mail has to stay behind, so that what else he did
    in that mail does not tell who he is; None where everybody may know."""
    if press is not None and press.color == PressColor.GREY:
        return GREY
    return HIDDEN if is_hidden(state) else None


def veiled(now: datetime, step: timedelta | None) -> datetime:
    """When such a letter is dated and goes out: at the next full step. Grey ones come later than
    all others, so that the two never go together."""
    if step is None:
        return now
    after = now + HIDDEN if step == GREY else now
    over = (after - datetime.min.replace(tzinfo=UTC)) % step
    return after + (step - over) if over else after


def new_message_id(house: House) -> str:
    """A Message-ID that was never used, in angle brackets; not to be guessed either."""
    return compose.message_id(secrets.token_hex(16), house.domain)


class Post:
    """Queues letters. Everything it queues commits or vanishes with the caller's transaction."""

    def __init__(self, storage: Storage, house: House, now: datetime) -> None:
        self.storage = storage
        self.house = house
        self.now = now
        self._records: dict[int, tuple[PhaseRun, Attachment]] = {}
        self.addresses = Addresses(house.pattern, storage.tickets.secret, house.domain)

    def zone(self, person: Person | None) -> str:
        """The time zone in which this person reads times."""
        return (person and person.time_zone) or self.house.zone

    def address(self, person: Person) -> str | None:
        """Where letters to this person go."""
        return address_of(self.storage, person, self.now)

    def to_person(
        self,
        kind: str,
        person: Person,
        facts: Mapping[str, Any],
        state: State | None = None,
        mail_id: int | None = None,
        press: Press | None = None,
        claim: str | None = None,
        attachments: Sequence[Attachment] = (),
        runs: Sequence[PhaseRun] = (),
    ) -> None:
        """A letter to somebody on file; about `state`, if given, with his own view of it.

        An answer to a letter with `press` is press to who wrote that; one to a letter with `claim`
        decides about that (see `intake.decisions`). It tells of `runs`, phases that have run,
        what the reader sees of them.
        """
        addresses = addresses_of(self.storage, person, self.now, state)
        if not addresses:
            return
        view: dict[str, Any] = {"zone": self.zone(person), "now": self.now}
        if state is not None:
            attachments = (
                *attachments,
                *calendars.files(kind, state, person, self.house.domain, self.now),
            )
            with speaking(person.language):
                view = reader_facts(state, person.id, self.zone(person), self.now)
            shown = [fog.record_of(state, run, person.id) for run in runs]
            view["reports"] = [run.results for run in shown]
            played = (run for run in shown if run.results["orders"])
            attachments = (*attachments, *(self._record(state, run) for run in played))
            if self.house.pictures != "off" and likes_html(person):
                moving = self.house.pictures == "animated"
                with speaking(person.language):
                    boards = list(of_letter(kind, state, person, runs, moving=moving))
                attachments = (*attachments, *attached(boards))
        for address in addresses:
            self.send(
                kind,
                address,
                view | {"name": person.name} | dict(facts),
                person=person,
                state=state,
                mail_id=mail_id,
                press=press,
                claim=claim,
                attachments=attachments,
            )

    def to_game(
        self,
        kind: str,
        state: State,
        facts: Mapping[str, Any],
        *,
        but: Iterable[int | None] = (),
        mail_id: int | None = None,
        attachments: Sequence[Attachment] = (),
        runs: Sequence[PhaseRun] = (),
    ) -> None:
        """A letter to everybody with a part in the game, each with his own view of it."""
        left_out = set(but)
        for person_id in state.everybody():
            person = self.storage.people.find(person_id)
            wanted = person_id not in left_out and hears(state, person_id, kind)
            if person is not None and wanted:
                self.to_person(
                    kind, person, facts, state, mail_id, attachments=attachments, runs=runs
                )

    def send(
        self,
        kind: str,
        address: str,
        facts: Mapping[str, Any],
        *,
        person: Person | None = None,
        state: State | None = None,
        answers: ParsedMessage | None = None,
        mail_id: int | None = None,
        press: Press | None = None,
        ticket: Ticket | None = None,
        claim: str | None = None,
        attachments: Sequence[Attachment] = (),
    ) -> None:
        """A letter to an address, in the language of whose it is, or in the one spoken now.

        `answers` is the mail it replies to, whose thread it joins.
        `ticket` is what an answer to it is about, if not what the letter is about itself.
        """
        known = {"judge": self.house.name, "judge_address": self.house.address, "now": self.now}
        reader = person or self.storage.people.by_address(address)
        spoken = reader.language if reader else language()
        told = known | dict(facts)
        letter = letters.letter(kind, told, spoken)
        behind = self.storage.tickets.add(
            ticket or self._ticket(kind, address, person, state, press, claim)
        )
        html = None
        if likes_html(reader):
            told["reply_address"] = self.addresses.make(behind.id, REPLY)
            html = hypertext.page(kind, told, letter, spoken, shown_in(attachments))
        message_id = self.addresses.message_id(behind.id)
        game = state.game if state else None
        when = self.now
        if state is not None and mail_id is not None and answers is None:
            when = veiled(self.now, hides(state, press))
        references = [game.thread] if game and game.thread else []
        if answers is not None:
            references += [each for each in answers.references if each not in references]
            if answers.message_id and answers.message_id not in references:
                references.append(answers.message_id)
        try:
            raw = compose.build(
                sender=Mailbox(self.house.name, self.house.address),
                recipient=Mailbox(person.name if person and is_tame(person.name) else "", address),
                subject=letter.subject,
                text=letter.text,
                date=when,
                message_id=message_id,
                in_reply_to=references[-1] if references else None,
                references=references,
                automatic="auto-replied" if answers else "auto-generated",
                list_id=f"{game.name}.{self.house.domain}" if game else None,
                reply_to=self._reply_to(behind, press, game),
                cc=self._everybody(behind, press),
                headers=self._stop(behind, state, person),
                attachments=attachments,
                html=html,
            )
        except ValueError as error:
            # An address no letter can go to must not keep the game from going on.
            log.warning("no letter: %s", error)
            return
        self.storage.outbound.queue(
            OutboundMessage(
                message_id=message_id,
                game_id=game.id if game else None,
                person_id=person.id if person else None,
                mail_id=mail_id,
                recipient=address,
                envelope_from=self.addresses.make(behind.id, BOUNCE),
                kind=kind,
                subject=letter.subject,
                raw=raw,
                next_try=when,
                queued_at=self.now,
            )
        )

    def _record(self, state: State, run: PhaseRun) -> Attachment:
        """The record of a phase as a file. What everybody sees alike is written once."""
        kept = self._records.get(id(run))
        if kept is None or kept[0] is not run:
            kept = self._records[id(run)] = (run, record.attached(state.game, run))
        return kept[1]

    def _ticket(
        self,
        kind: str,
        address: str,
        person: Person | None,
        state: State | None,
        press: Press | None,
        claim: str | None,
    ) -> Ticket:
        """What an answer to a letter is about, and may do: the letter's reader, game and phase."""
        parts = state.parts_of(person.id) if state and person else []
        return Ticket(
            kind=kind,
            address=address,
            person_id=person.id if person else None,
            game_id=state.game.id if state else None,
            phase=state.game.phase if state else None,
            parts=parts,
            press_id=press.id if press else None,
            claim=claim,
            created_at=self.now,
            expires_at=self.now + timedelta(days=self.house.reply_days),
        )

    def _reply_to(self, ticket: Ticket, press: Press | None, game: Game | None) -> Mailbox:
        name = f"{press.from_label} in {game.name}" if press and game else self.house.name
        return Mailbox(name, self.addresses.make(ticket.id, REPLY))

    def _everybody(self, ticket: Ticket, press: Press | None) -> list[Mailbox]:
        """What a mail program answers as well when its user answers to all."""
        if press is None or not several(press):
            return []
        name = "Everybody" if press.to == [EVERYBODY] else ", ".join([press.from_label, *press.to])
        return [Mailbox(name, self.addresses.make(ticket.id, ALL))]

    def _stop(
        self, ticket: Ticket, state: State | None, person: Person | None
    ) -> list[tuple[str, str]]:
        """For observers, the address their mail program's button to unsubscribe writes to
        (RFC 2369 section 3.2); players must not leave by mistake."""
        seats = state.seats_of(person.id) if state and person else []
        if not seats or any(seat.role != Role.OBSERVER for seat in seats):
            return []
        stop = self.addresses.make(ticket.id, STOP)
        return [("List-Unsubscribe", f"<mailto:{stop}?subject=unsubscribe>")]
