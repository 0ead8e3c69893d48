"""What keeps the peace among players: BLOCK somebody for good, MUTE them in a game, and REPORT."""

from __future__ import annotations

from msgspec.structs import replace

from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.visibility.identity import is_known
from judge.intake.context import MessageContext
from judge.intake.lines import Line
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.storage import Person

MOST = 50
"""People whom one person blocks."""

# BLOCK and UNBLOCK: never in a game with somebody


def block(context: MessageContext, call: Line) -> Answer:
    mine = context.person.options.blocked or ()
    if not call.arguments.strip(" .!"):
        return _listed(context, mine)
    person = _met(context, call.arguments)
    if person.id not in mine and len(mine) >= MOST:
        raise Refused("blocks_enough", most=MOST)
    return _listed(context, tuple(dict.fromkeys((*mine, person.id))), person)


def unblock(context: MessageContext, call: Line) -> Answer:
    mine = context.person.options.blocked or ()
    named = {each.name.casefold(): each.id for each in context.storage.people.all_of(mine)}
    wanted = named.get(call.arguments.strip(" .!").casefold())
    if wanted is None:
        wanted = _met(context, call.arguments).id
    return _listed(context, tuple(each for each in mine if each != wanted))


def _listed(
    context: MessageContext, blocked: tuple[int, ...], person: Person | None = None
) -> Answer:
    """Store whom the sender blocks, and tell them."""
    me = context.person
    if blocked != (me.options.blocked or ()):
        me.options = replace(me.options, blocked=blocked or None)
        context.storage.people.save(me)
    names = [each.name for each in context.storage.people.all_of(blocked)]
    return Answer("blocked", {"names": names, "who": person.name if person else None})


def _met(context: MessageContext, text: str) -> Person:
    """Return the person whom a text names by address, name, or power: somebody in a game of the
    sender's that does not hide them. Raises Refused, and tells of no others."""
    said, found = text.strip(" .!<>").casefold(), dict[int, Person]()
    by_address = context.storage.people.by_address(said)
    for game in context.storage.games.of_person(context.person.id):
        state = context.cursor.states.get(game.id) or State(context.storage, game)
        power = _power(context, state, said)
        seats = [seat for seat in state.seats if seat.person_id not in (None, context.person.id)]
        for seat in seats:
            person = state.person(seat)
            named = person.name.casefold() == said or (power is not None and seat.power == power)
            owns = by_address is not None and by_address.id == person.id
            if (named or owns) and is_known(state, seat, context.person_id):
                found[person.id] = person
    if len(found) != 1:
        raise Refused("whom_to_block", write="BLOCK ann@example.org", who=text, several=bool(found))
    return next(iter(found.values()))


def _power(context: MessageContext, state: State, said: str) -> str | None:
    """Return the power that a text names in a game; of none but the one that the line is for, if no
    game stands in it."""
    word, at, game = said.partition("@")
    here = context.cursor.state
    if game != state.game.name if at else here is None or here.game.id != state.game.id:
        return None
    try:
        return Names.of(state.variant).power(word)
    except ReadError:
        return None
