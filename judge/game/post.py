"""Letters into the outbox: rendered, addressed, threaded, in the transaction that caused them."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from judge.game.house import House
from judge.game.state import State
from judge.game.views import reader_facts
from judge.mail import compose
from judge.mail.compose import Mailbox
from judge.mail.message import Incoming
from judge.render import letters
from judge.storage import Letter, Person, Storage

log = logging.getLogger(__name__)


def new_message_id(house: House) -> str:
    """A Message-ID that was never used, in angle brackets; not to be guessed either."""
    return compose.message_id(secrets.token_hex(16), house.domain)


class Post:
    """Queues letters. Everything it queues commits or vanishes with the caller's transaction."""

    def __init__(self, storage: Storage, house: House, now: datetime) -> None:
        self.storage = storage
        self.house = house
        self.now = now

    def zone(self, person: Person | None) -> str:
        """The time zone in which this person reads times."""
        return (person and person.time_zone) or self.house.zone

    def address(self, person: Person) -> str | None:
        """Where letters to this person go: the first address that works."""
        for address in self.storage.people.addresses(person.id):
            if address.state == "active":
                return address.address
        return None

    def to_person(
        self,
        kind: str,
        person: Person,
        facts: Mapping[str, Any],
        state: State | None = None,
        mail_id: int | None = None,
    ) -> None:
        """A letter to somebody on file; about `state`, if given, with his own view of it."""
        address = self.address(person)
        if address is None:
            return
        view: dict[str, Any] = {"zone": self.zone(person), "now": self.now}
        if state is not None:
            view = reader_facts(state, person.id, self.zone(person), self.now)
        self.send(
            kind,
            address,
            view | {"name": person.name} | dict(facts),
            person=person,
            state=state,
            mail_id=mail_id,
        )

    def to_game(
        self,
        kind: str,
        state: State,
        facts: Mapping[str, Any],
        *,
        but: Iterable[int | None] = (),
        mail_id: int | None = None,
    ) -> None:
        """A letter to everybody with a part in the game, each with his own view of it."""
        left_out = set(but)
        for person_id in state.everybody():
            person = self.storage.people.find(person_id)
            if person is not None and person_id not in left_out:
                self.to_person(kind, person, facts, state, mail_id)

    def send(
        self,
        kind: str,
        address: str,
        facts: Mapping[str, Any],
        *,
        person: Person | None = None,
        state: State | None = None,
        answers: Incoming | None = None,
        mail_id: int | None = None,
    ) -> None:
        """A letter to an address. `answers` is the mail it replies to, whose thread it joins."""
        known = {"judge": self.house.name, "judge_address": self.house.address, "now": self.now}
        letter = letters.letter(kind, known | dict(facts))
        message_id = new_message_id(self.house)
        game = state.game if state else None
        references = [game.thread] if game and game.thread else []
        if answers is not None:
            references += [each for each in answers.references if each not in references]
            if answers.message_id and answers.message_id not in references:
                references.append(answers.message_id)
        try:
            raw = compose.build(
                sender=Mailbox(self.house.name, self.house.address),
                recipient=Mailbox(person.name if person else "", address),
                subject=letter.subject,
                text=letter.text,
                date=self.now,
                message_id=message_id,
                in_reply_to=references[-1] if references else None,
                references=references,
                automatic="auto-replied" if answers else "auto-generated",
                list_id=f"{game.name}.{self.house.domain}" if game else None,
            )
        except ValueError as error:
            # An address no letter can go to must not keep the game from going on.
            log.warning("no letter: %s", error)
            return
        self.storage.letters.queue(
            Letter(
                message_id=message_id,
                game_id=game.id if game else None,
                person_id=person.id if person else None,
                mail_id=mail_id,
                recipient=address,
                kind=kind,
                subject=letter.subject,
                raw=raw,
                next_try=self.now,
                queued_at=self.now,
            )
        )
