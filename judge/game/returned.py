"""Letters that come back: which address no longer works, and who has to know.

An address is marked when a letter to it is lost for good, or when it has not taken letters for
days. The person's other addresses are used instead. Where there is none, the old one is still
tried, for mailboxes get emptied and servers repaired; but the masters of his games are told, at
once and again with each reminder, so that nobody misses a deadline unnoticed. A mail from an
address shows that it works.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from judge.game.post import Post
from judge.game.reach import ACTIVE, FAILING, unreached
from judge.game.state import State
from judge.mail.bounces import Failure
from judge.storage import Address, Bounce, Event, Letter, Person, Seat, Storage

PATIENCE = timedelta(days=3)
"""How long letters may be delayed before the address counts as one that does not work."""


def came_back(post: Post, letter: Letter, failure: Failure) -> None:
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
    if address.state == FAILING or not (failure.hard or _for_days(post, letter)):
        return
    address.state = FAILING
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
    for game in storage.games.of_person(person.id, ("forming", "active", "paused")):
        state = State(storage, game)
        for seat in state.seats_of(person.id):
            if seat.role == "player":
                warn(state, post, seat)


def warn(state: State, post: Post, seat: Seat) -> None:
    """Tell the masters, if letters to a player do not reach him; without masters, the keeper."""
    person = state.person(seat)
    if not unreached(post.storage, person):
        return
    facts = {"power": seat.power, "player": person.name, "deadline": state.game.deadline}
    masters = [each for each in state.active("master") if each.person_id != person.id]
    for master in masters:
        post.to_person("unreached", state.person(master), facts, state)
    if not masters and post.house.keeper:
        about = {"game": state.game.name, "phase": state.game.phase, "zone": post.house.zone}
        post.send("unreached", post.house.keeper, facts | about)


def contact(post: Post, person: Person, sender: str) -> list[dict[str, Any]]:
    """A person wrote from an address of his, so it works; what he should hear about those of his
    that did not, as facts: `address`, what the other side `said`, and whether it `works` now."""
    storage = post.storage
    news: list[dict[str, Any]] = []
    for address in storage.people.addresses(person.id):
        back = storage.bounces.of(address.address)
        if not back and address.state == ACTIVE:
            continue
        works = address.address == sender
        if address.state == FAILING and (works or not all(each.told for each in back)):
            said = next((each.said for each in reversed(back) if each.said), "")
            news.append({"address": address.address, "said": said, "works": works})
            storage.bounces.told(address.address)
        if works:
            storage.bounces.forget(address.address)
            address.state = ACTIVE
            storage.people.save_address(address)
    return news


def _record(storage: Storage, person: Person, address: str) -> Address:
    known = storage.people.addresses(person.id)
    return next(each for each in known if each.address == address.strip().lower())


def _for_days(post: Post, letter: Letter) -> bool:
    first = post.storage.bounces.of(letter.recipient)[0]
    return post.now - min(letter.queued_at, first.at) >= PATIENCE
