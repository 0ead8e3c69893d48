"""Hints, for the keeper, that several people on file may be one, from what is kept anyway."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from itertools import combinations

from msgspec import Struct

from judge.game.state import IN_USE
from judge.storage import GOING_ON, Role, Storage
from judge.storage.person_rows import mailbox

MOST_SHARING = 3
"""People who share a way for it to tell something: what more share is a provider's."""


class AccountHint(Struct, frozen=True):
    """Two people who may be one.

    `ways` are how many ways of mail hardly anybody but they use, `all_ways` how many they share,
    `mailbox` that an address of each is the same mailbox, `games` what both play at present.
    """

    names: tuple[str, str]
    addresses: tuple[list[str], list[str]]
    ways: int
    all_ways: int
    mailbox: bool
    games: list[str]


def hints(storage: Storage, together: bool = True) -> list[AccountHint]:
    """Return the pairs of people who may be one, those with most in common first; only those who
    play `together` at present, or all."""
    people = {person.id: person for person in storage.people.last()}
    addresses = storage.people.all_addresses(list(people))
    ways = {key: {way for each in found for way in each.ways} for key, found in addresses.items()}
    rare = _rare(ways)
    boxes = {key: {mailbox(each.address) for each in found} for key, found in addresses.items()}
    texts = {key: [each.address for each in found] for key, found in addresses.items()}
    pairs = _sharing(rare) | _sharing(boxes)
    games = _games(storage, {key for pair in pairs for key in pair})
    found = [
        AccountHint(
            names=(people[one].name, people[two].name),
            addresses=(texts[one], texts[two]),
            ways=len(rare[one] & rare[two]),
            all_ways=len(ways[one] & ways[two]),
            mailbox=bool(boxes[one] & boxes[two]),
            games=sorted(games[one] & games[two]),
        )
        for one, two in sorted(pairs)
    ]
    found.sort(key=lambda each: (not each.mailbox, -each.ways, each.names))
    return [each for each in found if each.games or not together]


def _rare(ways: dict[int, set[str]]) -> dict[int, set[str]]:
    """Return the ways of each that hardly anybody else has."""
    users = Counter(way for each in ways.values() for way in each)
    return {key: {way for way in each if users[way] <= MOST_SHARING} for key, each in ways.items()}


def _sharing(marks: Mapping[int, Iterable[Hashable]]) -> set[tuple[int, int]]:
    """Return the pairs who have a mark in common."""
    having: dict[Hashable, list[int]] = defaultdict(list)
    for key, each in sorted(marks.items()):
        for mark in each:
            having[mark].append(key)
    return {pair for keys in having.values() for pair in combinations(keys, 2)}


def _games(storage: Storage, people: Iterable[int]) -> dict[int, set[str]]:
    """Return the names of the games that each of these people plays at present."""
    found: dict[int, set[str]] = {key: set() for key in people}
    for key, games in found.items():
        for game in storage.games.of_person(key, GOING_ON):
            mine = [seat for seat in storage.seats.of_game(game.id) if seat.person_id == key]
            if any(seat.role is Role.PLAYER and seat.state in IN_USE for seat in mine):
                games.add(game.name)
    return found
