"""Who comes into a game: the master's lists of people, and his word on each newcomer."""

from __future__ import annotations

from dataclasses import replace

from judge.events import EventKind, Reader, reader
from judge.game.people.lateness import vacate
from judge.game.state import State, part
from judge.game.state.answers import Answer, Refused
from judge.game.visibility import identity
from judge.intake.context import MessageContext
from judge.intake.keeper import check_welcome
from judge.intake.reading import Decision
from judge.storage import Condition, GameState, Role, Seat, SeatState


def admit(context: MessageContext, state: State) -> None:
    """Raise Refused where the lists of the keeper, or of the game's master, keep the writer out, or
    the master has said no to him already.

    What is said is the same for both lists: who is on them is the master's business.
    """
    check_welcome(context)
    mine = {context.incoming.sender.lower()}
    if context.sender.person is not None:
        mine |= {
            each.address for each in context.storage.people.addresses(context.sender.person.id)
        }
    allowed, denied = set(state.settings.allowed), set(state.settings.denied)
    if mine & denied or (allowed and not mine & allowed):
        raise Refused("not_admitted", write="LIST", game=state.game.name)
    if (
        context.sender.person is not None
        and not mine & allowed
        and turned_away(state, context.sender.person.id)
    ):
        masters = [state.person(seat).name for seat in state.active(Role.MASTER)]
        write = f"OBSERVE {state.game.name}"
        raise Refused("turned_away", write=write, game=state.game.name, masters=masters)


def turned_away(state: State, person_id: int) -> Seat | None:
    """The seat of somebody to whom a master has said no, and not yes since; None of others."""
    seats = [
        seat for seat in state.seats if seat.person_id == person_id and seat.role == Role.PLAYER
    ]
    refused = [seat for seat in seats if seat.state == SeatState.EJECTED and seat.options.approval]
    if not state.game.moderated or not refused or refused[-1].options.invited:
        return None
    return refused[-1]


def waiting_seats(state: State) -> list[Seat]:
    """The seats of players to whom no master has agreed yet."""
    return [seat for seat in state.active(Role.PLAYER) if state.awaits_approval(seat)]


def newcomer(context: MessageContext, state: State, seat: Seat) -> bool:
    """Ask the masters about a player who has just come, where the game wants that; whether they
    are asked. He cannot order before one of them agrees."""
    if not (state.settings.approval and state.game.moderated):
        return False
    if any(each.options.invited for each in state.seats if each.person_id == seat.person_id):
        return False
    for own in _parts(state, seat):
        own.options = replace(own.options, approval=True)
        state.seat(own)
    facts = {"who": state.person(seat).name, "power": seat.power}
    for master in state.active(Role.MASTER):
        state.tell(
            EventKind.APPROVAL,
            facts,
            to=reader(master),
            mail_id=context.mail.id,
            claim=str(seat.id),
        )
    return True


def _parts(state: State, seat: Seat) -> list[Seat]:
    """All that the player of a seat plays; he is agreed to as one."""
    return [each for each in state.active(Role.PLAYER) if each.person_id == seat.person_id]


def approve(context: MessageContext, state: State, seat: Seat) -> None:
    """Agree to a player: he may order, or come after all if he was turned away, and is told."""
    if seat.state == SeatState.EJECTED:
        seat.options = replace(seat.options, invited=True)
        state.seat(seat)
        context.log("approved", {"person": seat.person_id})
        state.tell(EventKind.INVITED, to=reader(seat), mail_id=context.mail.id)
        return
    for own in _parts(state, seat):
        own.options = replace(own.options, approval=False)
        state.seat(own)
    facts = {"power": seat.power, "who": state.person(seat).name}
    context.log("approved", {"power": seat.power, "person": seat.person_id})
    state.tell(EventKind.APPROVED, facts, to=reader(seat), mail_id=context.mail.id)
    tell_if_full(context, state)


def tell_if_full(context: MessageContext, state: State) -> None:
    """Tell everybody where a game has all its players and only waits for START; where they must
    not know how many have joined, the masters alone."""
    full = len(state.active(Role.PLAYER)) == state.places and not waiting_seats(state)
    if full and state.settings.manual_start and state.game.state == GameState.FORMING:
        context.tell(EventKind.FULL, {}, masters=identity.counted(state) is None)


def end_part(context: MessageContext, state: State, seats: list[Seat]) -> dict[str, object]:
    """End somebody's part; all are told where he played or ran the game, else he alone. What
    happened, as facts."""
    person = state.person(seats[0])
    played = [seat for seat in seats if seat.role == Role.PLAYER]
    facts: dict[str, object] = {
        "who": person.name,
        "powers": [seat.power for seat in played if seat.power],
        "played": bool(played),
        "ran": any(seat.role == Role.MASTER for seat in seats),
        "started": state.position is not None,
    }
    parts = [part(seat) for seat in seats]
    me = context.sender.person.id if context.sender.person else None
    turned = any(state.awaits_approval(seat) for seat in seats)
    if turned or person.id != me:
        own = facts | ({"turned": True} if turned else {})
        state.tell(EventKind.EJECTED, own, to=Reader(person.id), mail_id=context.mail.id)
    if facts["powers"] if turned else facts["played"] or facts["ran"]:
        state.tell(EventKind.EJECTED, facts, but=(person.id, me), mail_id=context.mail.id)
    for seat in seats:
        seat.state = SeatState.EJECTED
        seat.wait, seat.draw = False, None
        state.seat(seat)
        if seat.power and state.position is not None:
            vacate(state, seat.power, Condition.ABANDONED, context.now)
    context.log("ejected", {"person": person.id, "parts": parts})
    return facts


def _decide(context: MessageContext, state: State, claim: str, yes: bool) -> Answer:
    """What the master's answer to the letter about a newcomer does."""
    seat = next((seat for seat in waiting_seats(state) if str(seat.id) == claim), None)
    if seat is None and yes:
        # He has said no, and changes his mind.
        asked = next((each for each in state.seats if str(each.id) == claim), None)
        if asked is not None and asked.person_id is not None:
            seat = turned_away(state, asked.person_id)
    if seat is None:
        raise Refused("decided", game=state.game.name)
    who = state.person(seat).name
    if yes:
        approve(context, state, seat)
    else:
        end_part(context, state, [seat])
    return Answer("admission", {"who": who, "yes": yes, "game": state.game.name})


DECISION = Decision(EventKind.APPROVAL, _decide)
"""The letter that asks a master whether somebody may play."""
