"""Who is never in a game together with whom (BLOCK): people say so, and nobody learns of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from judge.game.state import IN_USE, State
from judge.storage import Person, Role


def at_odds(one: Person, other: Person) -> bool:
    """Return whether one of two people blocks the other."""
    return other.id in (one.options.blocked or ()) or one.id in (other.options.blocked or ())


def kept_apart(state: State, person: Person) -> bool:
    """Return whether somebody else who plays in a game, or runs it, is at odds with a person.

    Nobody is where a game hides people: that they are kept out would tell who plays in it.
    """
    if state.terms.hides_people:
        return False
    others = [
        seat
        for seat in state.seats
        if seat.state in IN_USE and seat.role is not Role.OBSERVER
        if seat.person_id not in (None, person.id)
    ]
    state.seats.load_people(others)
    return any(at_odds(person, state.seats.person(seat)) for seat in others)


def in_peace(people: Sequence[Person]) -> list[Person]:
    """Return people of whom no two are at odds; who comes first stays."""
    found: list[Person] = []
    for person in people:
        if not any(at_odds(person, each) for each in found):
            found.append(person)
    return found


def odd_pairs(people: Sequence[Person]) -> set[tuple[int, int]]:
    """Return the pairs who are at odds, by their ids, the smaller first."""
    order = sorted(people, key=lambda person: person.id)
    return {(one.id, other.id) for one, other in combinations(order, 2) if at_odds(one, other)}
