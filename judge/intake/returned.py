"""Letters that come back: which address no longer works, and who has to know.

An address is marked when its provider says that there is no such user, when letters to it are lost
for good on two days, or when it has not taken letters for days. The person's other addresses are
used instead. Where there is none, the old one is still tried, for mailboxes get emptied and servers
repaired; but the masters of their games are told, at once and again with each reminder, so that
nobody misses a deadline unnoticed, and of a master the keeper. A mail from an address shows that it
works, and who was told before is told that, too.

Mail that is refused because it is the judge's says nothing of an address: that its keeper hears.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from judge.events import Event, EventKind, Keeper, Reader
from judge.game.people.contact import log_contact, reachable_masters, tell_keeper, unreached, warn
from judge.game.state import State
from judge.mail.bounces import REFUSED, Failure
from judge.storage import (
    GOING_ON,
    Address,
    AddressState,
    Bounce,
    OutboundMessage,
    Person,
    Role,
    SeatState,
    Storage,
)
from judge.storage import Event as LogEntry

PATIENCE = timedelta(days=3)
"""How long letters may be delayed before the address counts as one that does not work."""


def came_back(
    storage: Storage, events: list[Event], now: datetime, letter: OutboundMessage, failure: Failure
) -> None:
    """Take note of a letter that was not delivered, inside the caller's transaction."""
    storage.bounces.add(
        Bounce(
            letter_id=letter.id,
            address=letter.recipient,
            at=now,
            hard=failure.hard,
            status=failure.status,
            said=failure.said,
        )
    )
    if failure.reason in REFUSED:
        _refused(storage, events, now, letter, failure)
    person = storage.people.by_address(letter.recipient)
    if person is None:
        return
    address = _record(storage, person, letter.recipient)
    if address.state is AddressState.FAILING:
        return
    if not (_is_dead(storage, letter, failure) or _for_days(storage, letter, now)):
        _before_deadline(storage, events, now, letter, person)
        return
    address.state = AddressState.FAILING
    storage.people.save_address(address)
    facts = {"address": address.address, "letter": letter.id, "status": failure.status}
    storage.events.add(
        LogEntry(at=now, game_id=letter.game_id, actor="judge", what="address fails", facts=facts)
    )
    if not unreached(storage, person):
        lost = {"old": address.address, "said": failure.said, "last": letter.subject}
        events.append(Event(kind=EventKind.MOVED, to=Reader(person.id), facts=lost))
        storage.bounces.told(address.address)
        return
    for state in _games(storage, person, events):
        roles = {seat.role: seat for seat in state.seats_of(person.id)}
        if Role.PLAYER in roles:
            warn(state, now, roles[Role.PLAYER])
        if Role.MASTER in roles:
            tell_keeper(state, EventKind.MASTER_UNREACHED, person)
            log_contact(state, now, person, "unreached")


def _is_dead(storage: Storage, letter: OutboundMessage, failure: Failure) -> bool:
    """Whether nobody has the address any more. A host may be unknown for an hour, by a slip of its
    keeper; what is told on two days, or by the provider of its own users, is believed."""
    back = storage.bounces.of(letter.recipient)
    return failure.certain or len({each.at.date() for each in back if each.hard}) > 1


def _refused(
    storage: Storage, events: list[Event], now: datetime, letter: OutboundMessage, failure: Failure
) -> None:
    """Tell the keeper who refuses the judge's mail, of each domain once a day."""
    domain = letter.recipient.rpartition("@")[2].lower()
    before = storage.events.lately("mail refused", now - timedelta(days=1))
    facts = {"domain": domain, "reason": failure.reason.value, "said": failure.said}
    storage.events.add(
        LogEntry(at=now, game_id=letter.game_id, actor="judge", what="mail refused", facts=facts)
    )
    if letter.kind != EventKind.REFUSED.word and all(
        each.facts["domain"] != domain for each in before
    ):
        about = facts | {"address": letter.recipient}
        events.append(Event(kind=EventKind.REFUSED, to=Keeper(), facts=about))


def _before_deadline(
    storage: Storage, events: list[Event], now: datetime, letter: OutboundMessage, person: Person
) -> None:
    """A letter is only delayed, but its reader has been reminded already: whoever waits for days
    now is late. Told once a phase."""
    for state in _games(storage, person, events):
        game = state.game
        if game.id != letter.game_id:
            continue
        about = [each for each in state.storage.events.of_game(game.id) if _is_about(each, person)]
        if any(each.facts.get("phase") == game.phase for each in about):
            continue
        for seat in state.seats_of(person.id):
            if seat.role == Role.PLAYER and seat.options.reminded:
                warn(state, now, seat)


def _all_clear(storage: Storage, events: list[Event], now: datetime, person: Person) -> None:
    """Letters reach a person again: say so to those who were told that they did not."""
    for state in _games(storage, person, events):
        log = state.storage.events.of_game(state.game.id)
        about = [each.what for each in log if _is_about(each, person)]
        if not about or about[-1] == "reached again":
            continue
        log_contact(state, now, person, "reached again")
        for seat in state.seats_of(person.id):
            facts = {"power": seat.power, "player": person.name, "role": seat.role}
            masters = reachable_masters(state, person)
            if seat.role == Role.PLAYER:
                for master in masters:
                    state.tell(EventKind.REACHED, facts, to=Reader(master.id))
            if seat.role == Role.MASTER or (seat.role == Role.PLAYER and not masters):
                tell_keeper(state, EventKind.REACHED, person, facts)


def complained(
    storage: Storage, events: list[Event], now: datetime, letter: OutboundMessage, kind: str
) -> None:
    """Somebody's mail program says that he does not want a letter of ours; `kind` is what of
    RFC 5965 section 7.3 he calls it. Inside the caller's transaction.

    What he only watches ends; who plays is needed, and has pressed the wrong button. He is not
    written to about it. The keeper is told, once for each address.
    """
    person = storage.people.by_address(letter.recipient)
    watched, played = [], []
    for state in _games(storage, person, events) if person is not None else ():
        assert person is not None
        if stop_watching(storage, state.game.id, person.id, "judge", now):
            watched.append(state.game.name)
        elif state.seats_of(person.id):
            played.append(state.game.name)
    before = storage.events.lately("complaint", datetime.min.replace(tzinfo=UTC))
    known = any(each.facts["address"] == letter.recipient for each in before)
    facts = {"address": letter.recipient, "letter": letter.id, "kind": kind}
    storage.events.add(
        LogEntry(at=now, game_id=letter.game_id, actor="judge", what="complaint", facts=facts)
    )
    if not known:
        about = {"subject": letter.subject, "watched": watched, "played": played}
        events.append(Event(kind=EventKind.COMPLAINT, to=Keeper(), facts=facts | about))


def stop_watching(
    storage: Storage, game_id: int, person_id: int, actor: str, now: datetime
) -> bool:
    """End a person's part as an observer of a game; whether he had one. `actor` did it."""
    game = storage.games.claim(game_id)
    if game is None:
        return False
    state = State(storage, game)
    seats = [seat for seat in state.seats_of(person_id) if seat.role == Role.OBSERVER]
    for seat in seats:
        seat.state = SeatState.RESIGNED
        state.seat(seat)
    if seats:
        state.log(now, "stopped watching", {"person": person_id}, actor)
    return bool(seats)


def contact(
    storage: Storage, events: list[Event], now: datetime, person: Person, sender: str
) -> list[dict[str, Any]]:
    """A person wrote from an address of his, so it works; what he should hear about those of his
    that did not, as facts: `address`, what the other side `said`, and whether it `works` now."""
    news: list[dict[str, Any]] = []
    failed = False
    for address in storage.people.addresses(person.id):
        back = storage.bounces.of(address.address)
        if not back and address.state is AddressState.ACTIVE:
            continue
        works = address.address == sender
        failed |= address.state is AddressState.FAILING or bool(back)
        if address.state is AddressState.FAILING and (works or not all(each.told for each in back)):
            said = next((each.said for each in reversed(back) if each.said), "")
            news.append({"address": address.address, "said": said, "works": works})
            storage.bounces.told(address.address)
        if works:
            storage.bounces.forget(address.address)
            address.state = AddressState.ACTIVE
            storage.people.save_address(address)
    if failed and not unreached(storage, person):
        _all_clear(storage, events, now, person)
    return news


def _games(storage: Storage, person: Person, events: list[Event]) -> Iterator[State]:
    """The games that are not over in which a person has a part."""
    for game in storage.games.of_person(person.id, GOING_ON):
        yield State(storage, game, events)


def _is_about(event: LogEntry, person: Person) -> bool:
    reached = event.what in ("unreached", "reached again")
    return reached and event.facts.get("person") == person.id


def _record(storage: Storage, person: Person, address: str) -> Address:
    known = storage.people.addresses(person.id)
    return next(each for each in known if each.address == address.strip().lower())


def _for_days(storage: Storage, letter: OutboundMessage, now: datetime) -> bool:
    first = storage.bounces.of(letter.recipient)[0]
    return now - min(letter.queued_at, first.at) >= PATIENCE
