"""Messages that come back: which address no longer works, and who has to know.

An address is marked when its provider says that there is no such user, when messages to it are lost
for good on two days, or when it has not taken messages for days. The person's other addresses are
used instead. Without another one the old one is still tried, for mailboxes get emptied and servers
repaired; but the masters of their games are told, at once and again with each reminder, so that
nobody misses a deadline unnoticed. If a master is not reached, the keeper is told. A message from
an address shows that it works, and those who were told before are told that, too.

Mail that is refused because the judge sent it says nothing about an address: the keeper is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from judge.events import Event, EventKind, HouseKeeper, Recipient
from judge.game.people.contact import log_contact, reachable_masters, tell_keeper, unreached, warn
from judge.game.state import State
from judge.storage import (
    GOING_ON,
    AddressState,
    Bounce,
    LogEntry,
    OutboundMessage,
    Person,
    Role,
    SeatState,
    Storage,
)

if TYPE_CHECKING:
    from judge.mail.bounces import Failure

PATIENCE = timedelta(days=3)
"""How long messages may be delayed before the address counts as one that does not work."""


class ReturnedMail(Struct, frozen=True):
    """Takes note of messages that came back, inside the caller's transaction."""

    storage: Storage
    events: list[Event]
    """Where to append what people must be told."""
    now: datetime

    def came_back(self, letter: OutboundMessage, failure: Failure) -> None:
        """Take note of a message that was not delivered."""
        self.storage.bounces.add(
            Bounce(
                letter_id=letter.id,
                address=letter.recipient,
                at=self.now,
                hard=failure.hard,
                status=failure.status,
                said=failure.said,
            )
        )
        if failure.refused:
            self._refused(letter, failure)
        person = self.storage.people.by_address(letter.recipient)
        if person is None:
            return
        known = self.storage.people.addresses(person.id)
        sent_to = letter.recipient.strip().lower()
        address = next(each for each in known if each.address == sent_to)
        if address.state is AddressState.FAILING:
            return
        back = self.storage.bounces.of(letter.recipient)
        # A host may be unknown for an hour, by a slip of its keeper; what is said on two days, or
        # by a provider of its own users, is believed.
        dead = failure.certain or len({each.at.date() for each in back if each.hard}) > 1
        if not dead and self.now - min(letter.queued_at, back[0].at) < PATIENCE:
            self._before_deadline(letter, person)
            return
        address.state = AddressState.FAILING
        self.storage.people.save_address(address)
        facts = {"address": address.address, "letter": letter.id, "status": failure.status}
        self._log(letter, "address fails", facts)
        if not unreached(self.storage, person):
            lost = {"old": address.address, "said": failure.said, "last": letter.subject}
            self.events.append(Event(kind=EventKind.MOVED, to=Recipient(person.id), facts=lost))
            self.storage.bounces.told(address.address)
            return
        for state in self._games(person):
            roles = {seat.role: seat for seat in state.seats.of(person.id)}
            if Role.PLAYER in roles:
                warn(state, self.now, roles[Role.PLAYER])
            if Role.MASTER in roles:
                tell_keeper(state, EventKind.MASTER_UNREACHED, person)
                log_contact(state, self.now, person, "unreached")

    def _refused(self, letter: OutboundMessage, failure: Failure) -> None:
        """Tell the keeper who refuses the judge's mail, of each domain once a day."""
        domain = letter.recipient.rpartition("@")[2].lower()
        before = self.storage.events.lately("mail refused", self.now - timedelta(days=1))
        facts = {"domain": domain, "reason": failure.reason.value, "said": failure.said}
        self._log(letter, "mail refused", facts)
        if letter.kind != EventKind.REFUSED.word and all(
            each.facts["domain"] != domain for each in before
        ):
            about = facts | {"address": letter.recipient}
            self.events.append(Event(kind=EventKind.REFUSED, to=HouseKeeper(), facts=about))

    def _before_deadline(self, letter: OutboundMessage, person: Person) -> None:
        """Warn, once a phase, if a message is delayed whose reader was reminded already."""
        for state in self._games(person):
            game = state.game
            if game.id != letter.game_id:
                continue
            about = [
                each for each in state.storage.events.of_game(game.id) if _is_about(each, person)
            ]
            if any(each.facts.get("phase") == game.phase for each in about):
                continue
            for seat in state.seats.of(person.id):
                if seat.role == Role.PLAYER and seat.options.reminded:
                    warn(state, self.now, seat)

    def _all_clear(self, person: Person) -> None:
        """Tell those who heard that messages do not reach a person that they do again."""
        for state in self._games(person):
            log = state.storage.events.of_game(state.game.id)
            about = [each.what for each in log if _is_about(each, person)]
            if not about or about[-1] == "reached again":
                continue
            log_contact(state, self.now, person, "reached again")
            for seat in state.seats.of(person.id):
                facts = {"power": seat.power, "player": person.name, "role": seat.role}
                masters = reachable_masters(state, person)
                if seat.role == Role.PLAYER:
                    for master in masters:
                        state.tell(EventKind.REACHED, facts, to=Recipient(master.id))
                if seat.role == Role.MASTER or (seat.role == Role.PLAYER and not masters):
                    tell_keeper(state, EventKind.REACHED, person, facts)

    def complained(self, letter: OutboundMessage, kind: str) -> None:
        """Take note that somebody's mail program calls a message of ours unwanted.

        They stop watching games; a player is needed, and has pressed the wrong button. They are not
        written to about it. The keeper is told, once for each address. `kind` is the type of
        feedback (RFC 5965 section 7.3).
        """
        person = self.storage.people.by_address(letter.recipient)
        watched, played = [], []
        for state in self._games(person) if person is not None else ():
            assert person is not None
            if self.stop_watching(state.game.id, person.id, "judge"):
                watched.append(state.game.name)
            elif state.seats.of(person.id):
                played.append(state.game.name)
        before = self.storage.events.lately("complaint", datetime.min.replace(tzinfo=UTC))
        known = any(each.facts["address"] == letter.recipient for each in before)
        facts = {"address": letter.recipient, "letter": letter.id, "kind": kind}
        self._log(letter, "complaint", facts)
        if not known:
            about = {"subject": letter.subject, "watched": watched, "played": played}
            self.events.append(
                Event(kind=EventKind.COMPLAINT, to=HouseKeeper(), facts=facts | about)
            )

    def stop_watching(self, game_id: int, person_id: int, actor: str) -> bool:
        """End a person's seat as an observer of a game; whether they had one. `actor` did it."""
        game = self.storage.games.claim(game_id)
        if game is None:
            return False
        state = State(self.storage, game)
        seats = [seat for seat in state.seats.of(person_id) if seat.role == Role.OBSERVER]
        state.seats.leave(seats, SeatState.RESIGNED)
        if seats:
            state.log(self.now, "stopped watching", {"person": person_id}, actor)
        return bool(seats)

    def contact(self, person: Person, sender: str) -> list[dict[str, object]]:
        """Note that an address of a person works, for they wrote from it: where `Bounces.concern`
        says that there is something to note. Returns what to tell them about their addresses that
        did not work: the `address`, what the other side `said`, and whether it `works` now."""
        news: list[dict[str, object]] = []
        failed = False
        for address in self.storage.people.addresses(person.id):
            back = self.storage.bounces.of(address.address)
            if not back and address.state is AddressState.ACTIVE:
                continue
            works = address.address == sender
            failed |= address.state is AddressState.FAILING or bool(back)
            if address.state is AddressState.FAILING and (
                works or not all(each.told for each in back)
            ):
                said = next((each.said for each in reversed(back) if each.said), "")
                news.append({"address": address.address, "said": said, "works": works})
                self.storage.bounces.told(address.address)
            if works:
                self.storage.bounces.forget(address.address)
                address.state = AddressState.ACTIVE
                self.storage.people.save_address(address)
        if failed and not unreached(self.storage, person):
            self._all_clear(person)
        return news

    def _log(self, letter: OutboundMessage, what: str, facts: Mapping[str, object]) -> None:
        self.storage.events.log(self.now, what, facts, game_id=letter.game_id)

    def _games(self, person: Person) -> Iterator[State]:
        """Yield the games that are not over in which a person has a seat."""
        for game in self.storage.games.of_person(person.id, GOING_ON):
            yield State(self.storage, game, self.events)


def _is_about(event: LogEntry, person: Person) -> bool:
    reached = event.what in ("unreached", "reached again")
    return reached and event.facts.get("person") == person.id
