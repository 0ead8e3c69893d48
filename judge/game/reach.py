"""By which of his addresses a person is reached."""

from __future__ import annotations

from datetime import datetime, timedelta

from judge.storage import Address, Person, Storage

ACTIVE = "active"
FAILING = "failing"

LAST_TRY = timedelta(days=30)
"""How long an address that does not work is still written to when there is no other."""


def address_of(storage: Storage, person: Person, now: datetime) -> str | None:
    """Where letters to a person go: to an address he has proved before others, to one that works
    before one that does not; None when it has not worked for a month."""
    usable = _usable(storage, person)
    for each in usable:
        if each.state == ACTIVE:
            return each.address
    for each in usable:
        back = storage.bounces.of(each.address)
        if not back or now - back[0].at < LAST_TRY:
            return each.address
    return None


def unreached(storage: Storage, person: Person) -> bool:
    """Whether letters to a person come back, all his addresses taken together."""
    usable = _usable(storage, person)
    return not any(each.state == ACTIVE for each in usable)


def in_doubt(storage: Storage, person: Person) -> bool:
    """Whether letters to a person have come back or been delayed since he last wrote, and that
    from all his addresses; so he may not know what he should."""
    usable = _usable(storage, person)
    return all(each.state == FAILING or storage.bounces.of(each.address) for each in usable)


def _usable(storage: Storage, person: Person) -> list[Address]:
    """Those he has proved, if any; else all."""
    known = storage.people.addresses(person.id)
    return [each for each in known if each.proved] or known
