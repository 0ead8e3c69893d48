"""The keeper of the judge: who he is, and what he has laid down for all games.

He is known by the address in the configuration. In a game in which he has no part he acts as its
master, once he says so (SIGN ON mparis); the game's log (AUDIT) says that it was he.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from judge.game.state import State
from judge.game.state.answers import Refused
from judge.game.state.profile import House, Level
from judge.i18n import say
from judge.intake.authentication import prove
from judge.intake.command import Table
from judge.intake.context import MessageContext
from judge.storage import Person, Role, Seat, Storage

DENIED = "denied"
"""The name, in the house's book, of the addresses whose people come into no game any more."""

ALLOWED = "allowed"
"""The name of the addresses that may, where there are any; all others may not then."""

RULES = "rules"
"""The name of the house rules."""

MOTD = "motd"
"""The name of the message of the day, with its number: a text that is changed is shown again."""


def is_keeper(storage: Storage, house: House, sender: str, person: Person | None) -> bool:
    """Whether a mail claims to be from the keeper: by his address, or another one of his."""
    if house.keeper is None:
        return False
    if sender.lower() == house.keeper.lower():
        return True
    known = None if person is None else storage.people.by_address(house.keeper)
    return known is not None and person is not None and known.id == person.id


def of_people(table: Table) -> Table:
    """The commands of everybody but the keeper: nobody else's words are taken for his."""
    return Table([command for command in table if command.who != "keepers"])


def greet(context: MessageContext) -> None:
    """Take the keeper on file, if his address is new: nothing is kept from him as from others."""
    if not context.sender.keeper or context.sender.known_before or not context.incoming.answerable:
        return
    name = context.incoming.sender_name or say("The keeper")
    context.sender.person = context.storage.people.add(Person(name=name, created_at=context.now))
    context.storage.people.add_address(
        context.sender.person.id, context.incoming.sender, context.now
    )
    context.sender.known_before = True


def runs(context: MessageContext, state: State) -> None:
    """From here on the keeper acts as the master of a game. Raises Refused where he plays in it,
    and Unproved where it is not sure that it is he."""
    prove(context, None, Level.TOKEN)
    assert context.sender.person is not None
    if any(
        seat.role == Role.PLAYER
        for seat in state.seats
        if seat.person_id == context.sender.person.id
    ):
        raise Refused("keeper_plays", game=state.game.name)
    enter(context, state)


def enter(context: MessageContext, state: State) -> None:
    """From here on lines are the keeper's, as the master of a game."""
    assert context.sender.person is not None
    context.enter(state)
    context.cursor.keeping = Seat(
        game_id=state.game.id,
        person_id=context.sender.person.id,
        role=Role.MASTER,
        joined_at=context.now,
    )
    context.cursor.seats = [context.cursor.keeping]


def listed(storage: Storage, name: str) -> tuple[str, ...]:
    """The addresses on one of the lists, DENIED or ALLOWED."""
    return tuple(storage.keeper_settings.get(name) or ())


def is_barred(storage: Storage, addresses: Iterable[str]) -> bool:
    """Whether the lists keep whoever has these addresses out of all games he is not in."""
    mine = [address.lower() for address in addresses]
    denied, allowed = listed(storage, DENIED), listed(storage, ALLOWED)
    return _any(mine, denied) or (bool(allowed) and not _any(mine, allowed))


def addresses_of(storage: Storage, person: Person) -> list[str]:
    """All addresses of somebody."""
    return [each.address for each in storage.people.addresses(person.id)]


def check_welcome(context: MessageContext) -> None:
    """Raise Refused where the keeper lets the writer into no game."""
    mine = [context.incoming.sender]
    if context.sender.person is not None:
        mine += addresses_of(context.storage, context.sender.person)
    if is_barred(context.storage, mine):
        raise Refused("not_welcome")


def _any(addresses: Sequence[str], patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(address, each) for address in addresses for each in patterns)


# What everybody is told


def rules(storage: Storage) -> str | None:
    """The house rules, if there are any."""
    text: str | None = storage.keeper_settings.get(RULES)
    return text


def message(storage: Storage) -> str | None:
    """The message of the day, if there is one."""
    kept = storage.keeper_settings.get(MOTD)
    return kept["text"] if kept else None


def say_today(storage: Storage, text: str | None, number: int) -> None:
    """Change the message of the day; `number` tells this one from those before."""
    storage.keeper_settings.put(MOTD, None if text is None else {"text": text, "number": number})


def message_for(storage: Storage, person: Person) -> str | None:
    """The message of the day where somebody has not been shown it yet; now he has."""
    kept = storage.keeper_settings.get(MOTD)
    if not kept or person.options.get(MOTD) == kept["number"]:
        return None
    fresh = storage.people.find(person.id)
    if fresh is None:
        return None
    fresh.options = person.options = fresh.options | {MOTD: kept["number"]}
    storage.people.save(fresh)
    text: str = kept["text"]
    return text
