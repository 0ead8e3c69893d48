"""A power gets a player again: its own, who writes after all, or somebody new."""

from __future__ import annotations

from judge.events import Event, EventKind, Reader, reader
from judge.game.clock.reminders import forget_reminders
from judge.game.clock.timing import set_clock
from judge.game.people import lateness, nmr_timers
from judge.game.people.admission import admit, newcomer
from judge.game.people.entry import check
from judge.game.people.replacements import picture
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.settings import PressRule
from judge.intake.authentication import level, prove
from judge.intake.authorization import ensure_registered
from judge.intake.context import MessageContext
from judge.storage import Condition, GameState, Role, Seat, SeatState


def take_over(context: MessageContext, state: State, power: str) -> Answer:
    """Make the writer the player of `power`, with the orders it has on file, and of what its player
    had besides.

    Raises Refused where it is not open, where he may not enter, or has a part already.
    """
    game = state.game
    found = state.open_powers()
    mine = state.seats_of(context.sender.person.id) if context.sender.person else []
    own = next((seat for seat in mine if seat.power == power), None)
    if own is not None:
        context.enter(state, [own])
        context.report.came.add(game.id)
        return Answer("signed_on", {"game": game.name, "roles": [power]})
    if power not in found:
        write = f"TAKE OVER {found[0].lower()}@{game.name}" if found else f"OBSERVE {game.name}"
        raise Refused("not_open", write=write, game=game.name, power=power, open=found)
    if any(seat.role == Role.PLAYER for seat in mine):
        context.enter(state)
        raise Refused("already_in", game=game.name)
    if game.moderated and any(seat.role == Role.MASTER for seat in mine):
        raise Refused("masters_watch", game=game.name)
    if context.sender.person is None:
        raise Refused("unknown_sender", write="JOIN")
    check(state, context.sender.person)
    prove(context, None)
    admit(context, state)
    ensure_registered(context)
    for seat in mine:
        if seat.role == Role.OBSERVER:
            seat.state = SeatState.LEFT
            state.seat(seat)
    powers = [each for each in state.hand(power) if each in found]
    gone = state.holder(power)
    assert gone is not None
    seats = [_succeed(context, state, each) for each in powers]
    context.enter(state, seats)
    newcomer(context, state, seats[0])
    game.last_change = context.now
    fresh = game.state == GameState.ACTIVE and not state.vacant()
    if fresh:
        _begin_afresh(context, state)
    _tell(context, state, powers, gone, fresh)
    return Answer("taken_over", {"game": game.name, "taken": powers, "fresh": fresh})


def _succeed(context: MessageContext, state: State, power: str) -> Seat:
    """Give a power to the writer."""
    before, person = state.holder(power), ensure_registered(context)
    assert before is not None
    if before.state == SeatState.ABANDONED:
        before.state = SeatState.REPLACED
        state.seat(before)
    seat = Seat(
        game_id=state.game.id,
        person_id=person.id,
        role=Role.PLAYER,
        power=power,
        joined_at=context.now,
    )
    lateness.occupy(state, state.seat(seat), context.now)
    context.log("taken over", {"power": power, "person": person.id, "before": before.id})
    return seat


def _begin_afresh(context: MessageContext, state: State) -> None:
    """All powers have players again: the phase gets a new deadline, and nobody is hurried."""
    set_clock(state, context.now, state.game.deadline)
    forget_reminders(state)
    forget_reminders(state)
    for seat in state.active(Role.PLAYER):
        owes = seat.power is not None and state.sheet(seat.power).owes
        if owes or state.settings.press is not PressRule.NONE:
            seat.wait = True
        state.seat(seat)


def _tell(
    context: MessageContext, state: State, powers: list[str], before: Seat, fresh: bool
) -> None:
    """The newcomer gets all he needs to play, his predecessor and the others the news."""
    assert context.sender.person is not None
    facts = {
        "taken": powers,
        "fresh": fresh,
        "vacant": state.vacant(),
        "pictures": [picture(state, power) for power in powers],
    }
    me = context.sender.person.id
    state.tell(EventKind.TAKEN, facts, to=Reader(me), mail_id=context.mail.id)
    news = {"taken": powers, "fresh": fresh, "own": False, "vacant": state.vacant()}
    if before.state == SeatState.REPLACED and before.person_id not in (None, me):
        about = news | {"game": state.game.name, "phase": state.game.phase}
        context.events.append(
            Event(kind=EventKind.REPLACED, to=reader(before), facts=about, mail_id=context.mail.id)
        )
    if not state.settings.quiet:
        state.tell(EventKind.TAKEOVER, news, but=(me,), mail_id=context.mail.id)


def come_back(context: MessageContext) -> None:
    """Whoever had fallen silent and has now written for his power plays it again; all are told.

    In one phase that works once without orders: else nobody could rely on being told that a power
    is open.
    """
    for game_id in context.report.came:
        state = context.cursor.states[game_id]
        if context.sender.person is None or state.game.state not in (
            GameState.ACTIVE,
            GameState.PAUSED,
        ):
            continue
        back = [
            seat
            for seat in state.seats_of(context.sender.person.id)
            if seat.state == SeatState.ABANDONED
            and seat.power is not None
            and state.alive(seat.power)
            if state.condition(seat.power) != Condition.DUMMY
            if nmr_timers.back_at(state, seat) is None or state.sheet(seat.power).complete
        ]
        if not back or level(context, state) < context.profile.trust:
            continue
        for seat in back:
            lateness.occupy(state, seat, context.now)
            context.log("came back", {"power": seat.power})
        facts = {
            "taken": [seat.power for seat in back],
            "fresh": False,
            "own": True,
            "vacant": state.vacant(),
        }
        if not state.settings.quiet:
            me = context.sender.person.id
            state.tell(EventKind.TAKEOVER, facts, but=(me,), mail_id=context.mail.id)
