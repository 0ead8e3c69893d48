"""Letters that come back: which address no longer works, and who has to know.

An address is marked when a letter to it is lost for good, or when it has not taken letters for
days. The person's other addresses are used instead. Where there is none, the old one is still
tried, for mailboxes get emptied and servers repaired; but the masters of his games are told, at
once and again with each reminder, so that nobody misses a deadline unnoticed, and of a master the
keeper. A mail from an address shows that it works, and who was told before is told that, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from judge.game.clock.reminder_times import SENT
from judge.game.people.contact import in_doubt, unreached
from judge.game.post import Post
from judge.game.state import State
from judge.game.visibility.identity import is_hidden
from judge.mail.bounces import Failure
from judge.storage import (
    GOING_ON,
    Address,
    AddressState,
    Bounce,
    Event,
    OutboundMessage,
    Person,
    Role,
    Seat,
    SeatState,
    Storage,
)

PATIENCE = timedelta(days=3)
"""How long letters may be delayed before the address counts as one that does not work."""


def came_back(post: Post, letter: OutboundMessage, failure: Failure) -> None:
    """Take note of a letter that was not delivered, inside the caller's transaction."""
    storage, now = post.storage, post.now
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
    person = storage.people.by_address(letter.recipient)
    if person is None:
        return
    address = _record(storage, person, letter.recipient)
    if address.state is AddressState.FAILING:
        return
    if not (failure.hard or _for_days(post, letter)):
        _before_deadline(post, letter, person)
        return
    address.state = AddressState.FAILING
    storage.people.save_address(address)
    facts = {"address": address.address, "letter": letter.id, "status": failure.status}
    storage.events.add(
        Event(at=now, game_id=letter.game_id, actor="judge", what="address fails", facts=facts)
    )
    if not unreached(storage, person):
        lost = {"old": address.address, "said": failure.said, "last": letter.subject}
        post.to_person("moved", person, lost)
        storage.bounces.told(address.address)
        return
    for state in _games(storage, person):
        roles = {seat.role: seat for seat in state.seats_of(person.id)}
        if Role.PLAYER in roles:
            warn(state, post, roles[Role.PLAYER])
        if Role.MASTER in roles:
            _tell_keeper(post, "master_unreached", state, person)
            _log(post, state, person, "unreached")


def _before_deadline(post: Post, letter: OutboundMessage, person: Person) -> None:
    """A letter is only delayed, but its reader has been reminded already: whoever waits for days
    now is late. Told once a phase."""
    for state in _games(post.storage, person):
        game = state.game
        if game.id != letter.game_id:
            continue
        events = [each for each in post.storage.events.of_game(game.id) if _is_about(each, person)]
        if any(each.facts.get("phase") == game.phase for each in events):
            continue
        for seat in state.seats_of(person.id):
            if seat.role == Role.PLAYER and seat.options.get(SENT):
                warn(state, post, seat)


def warn(state: State, post: Post, seat: Seat) -> None:
    """Tell the masters, if letters to a player may not reach him; without any who can be reached,
    the keeper."""
    person = state.person(seat)
    if not in_doubt(post.storage, person):
        return
    facts = {"power": seat.power, "player": person.name, "deadline": state.game.deadline}
    masters = _masters(state, post, person)
    for master in masters:
        post.to_person("unreached", master, facts, state)
    if not masters:
        _tell_keeper(post, "unreached", state, person, facts)
    _log(post, state, person, "unreached")


def _masters(state: State, post: Post, person: Person) -> list[Person]:
    """Who runs a game besides this person, and can be reached."""
    if is_hidden(state) and not state.game.moderated:
        # Who made the game plays in it, and must not know who does what.
        return []
    others = [state.person(seat) for seat in state.active(Role.MASTER)]
    return [each for each in others if each.id != person.id and not unreached(post.storage, each)]


def _all_clear(post: Post, person: Person) -> None:
    """Letters reach a person again: say so to those who were told that they did not."""
    for state in _games(post.storage, person):
        events = post.storage.events.of_game(state.game.id)
        about = [each.what for each in events if _is_about(each, person)]
        if not about or about[-1] == "reached again":
            continue
        _log(post, state, person, "reached again")
        for seat in state.seats_of(person.id):
            facts = {"power": seat.power, "player": person.name, "role": seat.role}
            masters = _masters(state, post, person)
            if seat.role == Role.PLAYER:
                for master in masters:
                    post.to_person("reached", master, facts, state)
            if seat.role == Role.MASTER or (seat.role == Role.PLAYER and not masters):
                _tell_keeper(post, "reached", state, person, facts)


def complained(post: Post, letter: OutboundMessage, kind: str) -> None:
    """Somebody's mail program says that he does not want a letter of ours; `kind` is what of
    RFC 5965 section 7.3 he calls it. Inside the caller's transaction.

    What he only watches ends; who plays is needed, and has pressed the wrong button. He is not
    written to about it. The keeper is told, once for each address.
    """
    storage = post.storage
    person = storage.people.by_address(letter.recipient)
    watched, played = [], []
    for state in _games(storage, person) if person is not None else ():
        assert person is not None
        if stop_watching(post, state.game.id, person.id, "judge"):
            watched.append(state.game.name)
        elif state.seats_of(person.id):
            played.append(state.game.name)
    before = storage.events.lately("complaint", datetime.min.replace(tzinfo=UTC))
    known = any(each.facts["address"] == letter.recipient for each in before)
    facts = {"address": letter.recipient, "letter": letter.id, "kind": kind}
    storage.events.add(
        Event(at=post.now, game_id=letter.game_id, actor="judge", what="complaint", facts=facts)
    )
    if post.house.keeper and not known:
        about = {"subject": letter.subject, "watched": watched, "played": played}
        post.send("complaint", post.house.keeper, facts | about)


def stop_watching(post: Post, game_id: int, person_id: int, actor: str) -> bool:
    """End a person's part as an observer of a game; whether he had one. `actor` did it."""
    game = post.storage.games.claim(game_id)
    if game is None:
        return False
    state = State(post.storage, game)
    seats = [seat for seat in state.seats_of(person_id) if seat.role == Role.OBSERVER]
    for seat in seats:
        seat.state = SeatState.RESIGNED
        state.seat(seat)
    if seats:
        state.log(post.now, "stopped watching", {"person": person_id}, actor)
    return bool(seats)


def contact(post: Post, person: Person, sender: str) -> list[dict[str, Any]]:
    """A person wrote from an address of his, so it works; what he should hear about those of his
    that did not, as facts: `address`, what the other side `said`, and whether it `works` now."""
    storage = post.storage
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
        _all_clear(post, person)
    return news


def _games(storage: Storage, person: Person) -> Iterator[State]:
    """The games that are not over in which a person has a part."""
    for game in storage.games.of_person(person.id, GOING_ON):
        yield State(storage, game)


def _tell_keeper(
    post: Post, kind: str, state: State, person: Person, facts: Mapping[str, Any] | None = None
) -> None:
    if not post.house.keeper:
        return
    about = {"game": state.game.name, "phase": state.game.phase, "zone": post.house.zone}
    post.send(kind, post.house.keeper, {"player": person.name} | dict(facts or {}) | about)


def _log(post: Post, state: State, person: Person, what: str) -> None:
    state.log(post.now, what, {"person": person.id, "phase": state.game.phase})


def _is_about(event: Event, person: Person) -> bool:
    reached = event.what in ("unreached", "reached again")
    return reached and event.facts.get("person") == person.id


def _record(storage: Storage, person: Person, address: str) -> Address:
    known = storage.people.addresses(person.id)
    return next(each for each in known if each.address == address.strip().lower())


def _for_days(post: Post, letter: OutboundMessage) -> bool:
    first = post.storage.bounces.of(letter.recipient)[0]
    return post.now - min(letter.queued_at, first.at) >= PATIENCE
