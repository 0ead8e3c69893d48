"""The keeper of the judge: who they are, and how they run a game they have no part in.

They are known by the address in the configuration. In a game in which they have no part they act as
its game master, once they say so (SIGN ON mparis); the game's log (AUDIT) says that it was they.
"""

from __future__ import annotations

from judge.game.people.entry import addresses_of, is_barred
from judge.game.state import State
from judge.game.state.answers import Refused
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.i18n import say
from judge.intake.authentication import prove
from judge.intake.command import Table
from judge.intake.context import MessageContext
from judge.storage import Person, Role, Seat, Storage


def is_keeper(storage: Storage, profile: JudgeProfile, sender: str, person: Person | None) -> bool:
    """Whether a mail claims to be from the keeper: by his address, or another one of his."""
    if profile.keeper is None:
        return False
    if sender.lower() == profile.keeper.lower():
        return True
    known = None if person is None else storage.people.by_address(profile.keeper)
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
    prove(context, None, TrustLevel.TOKEN)
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


def check_welcome(context: MessageContext) -> None:
    """Raise Refused where the keeper lets the writer into no game."""
    mine = [context.incoming.sender]
    if context.sender.person is not None:
        mine += addresses_of(context.storage, context.sender.person)
    if is_barred(context.storage, mine):
        raise Refused("not_welcome")
