"""What game masters do with people: BECOME, OFFICIAL, PROMOTE, EJECT, DUMMY, and approvals."""

from __future__ import annotations

from datetime import datetime

from judge.commands.admission import approve, end_part
from judge.commands.names_meant import newcomers_named, person_named, power_named
from judge.events import EventKind
from judge.game.people.lateness import occupy, vacate
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.game.visibility.eyes import MASTER
from judge.intake.context import Cursor, Log, MessageContext, Report
from judge.intake.lines import Line
from judge.intake.outward import whole
from judge.storage import Condition, Press, Role, Seat, SeatState, Storage

# BECOME: the master acts in the place of a power


def become(cursor: Cursor, report: Report, log: Log, state: State, call: Line) -> Answer:
    with cursor.entering(call.text):
        if state.phase is None:
            raise not_running(state)
        power = power_named(state, call.arguments, f"BECOME {state.variant.powers[0]}")
        seat = state.seats.holder(power)
        if seat is None:
            raise Refused("nobody_to_become", power=power, game=state.game.name)
        cursor.became, cursor.seats = seat, [seat]
        report.acted.setdefault((seat.game_id, power), [])
    log("became", {"power": power, "phase": state.game.phase})
    return Answer(
        "became",
        {"power": power, "game": state.game.name, "condition": state.powers.condition(power)},
    )


# OFFICIAL: a notice to everybody in the master's name


def official(context: MessageContext, state: State, call: Line) -> Answer:
    subject = whole(context, " ".join(call.arguments.split())[:_LONGEST])
    text = whole(context, "\n".join(call.block).strip("\n"))
    if not text.strip():
        raise Refused("official_empty", write=f"OFFICIAL {subject or 'House rules'}")
    context.storage.press.add(
        Press(
            game_id=state.game.id,
            phase=state.game.phase,
            sender_id=next(
                (seat.id for seat in context.cursor.mine() if seat.role == Role.MASTER), 0
            )
            or None,
            from_label=MASTER,
            to=["All"],
            text=text,
            public=True,
            sent_at=context.now,
            subject=subject,
        )
    )
    context.log("official", {"subject": subject})
    context.cursor.tell(EventKind.OFFICIAL, {"about": subject, "text": text})
    return Answer("official", {"game": state.game.name, "text": text})


_LONGEST = 100
"""Characters of a subject."""


# PROMOTE and EJECT: a further master, and the end of somebody's part


def promote(cursor: Cursor, log: Log, state: State, call: Line) -> Answer:
    person, seats = person_named(cursor, cursor.storage, call.arguments, "PROMOTE ann@example.org")
    if any(seat.role == Role.MASTER for seat in seats):
        raise Refused("is_master", game=state.game.name, who=person.name)
    seat = next((seat for seat in seats if seat.role == Role.OBSERVER), None)
    if seat is None or len(seats) > 1:
        raise Refused("no_observer", game=state.game.name, who=person.name)
    cursor.sender.confirm("promoting", game=state.game.name, who=person.name)
    seat.role = Role.MASTER
    state.seats.keep(seat)
    log("promoted", {"person": person.id})
    cursor.tell(EventKind.PROMOTED, {"who": person.name})
    return Answer("promoted", {"game": state.game.name, "who": person.name})


def eject(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    text = call.arguments.strip(" .!")
    seats = _whose(cursor, cursor.storage, state, text)
    masters = [seat for seat in state.seats.active(Role.MASTER) if seat not in seats]
    if not masters and any(seat.role == Role.MASTER for seat in seats):
        raise Refused("last_master", write="PROMOTE ann@example.org", game=state.game.name)
    powers = [seat.power for seat in seats if seat.power]
    who = cursor.eyes(state).name_of(seats[0])
    cursor.sender.confirm("ejecting", game=state.game.name, who=who, powers=powers)
    facts = end_part(cursor, now, log, state, seats)
    cursor.enter(state)
    return Answer("ejected", {"game": state.game.name} | facts)


def _whose(cursor: Cursor, storage: Storage, state: State, text: str) -> list[Seat]:
    """Return the seats whose parts are to end. Raises Refused."""
    write = f"EJECT {state.variant.powers[0].lower()}"
    if "@" in text.strip("@"):
        return person_named(cursor, storage, text, write)[1]
    power = power_named(state, text, write)
    seat = state.seats.holder(power)
    if seat is None or seat.person_id is None or seat.person_id not in state.seats.everybody():
        raise Refused("nobody_plays", game=state.game.name, power=power)
    return [seat]


# SET APPROVED and SET NOT APPROVED: the game master's word on newcomers


def decide(
    cursor: Cursor, now: datetime, log: Log, state: State, call: Line, agreed: bool
) -> Answer:
    example = state.variant.powers[0].lower()
    write = f"SET {'APPROVED' if agreed else 'NOT APPROVED'} {example}"
    seats = newcomers_named(cursor, cursor.storage, call.arguments, write, refused=agreed)
    names = list(map(cursor.eyes(state).name_of, seats))
    for seat in seats:
        if agreed:
            approve(cursor, log, state, seat)
        else:
            end_part(cursor, now, log, state, [seat])
    return Answer("admissions", {"names": names, "yes": agreed, "game": state.game.name})


# DUMMY and REVIVE: a power that nobody is to play, and its player's return


def dummy(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    power = power_named(state, call.arguments, f"DUMMY {state.variant.powers[0].lower()}")
    if state.powers.condition(power) == Condition.DUMMY and state.seats.holder(power) is not None:
        raise Refused("is_dummy", game=state.game.name, power=power)
    cursor.sender.confirm("dummying", game=state.game.name, power=power)
    vacate(state, power, Condition.DUMMY, now)
    state.game.last_change = now
    log("dummy", {"power": power})
    cursor.tell(EventKind.DUMMY, {"power": power, "revived": False})
    return Answer("dummy", {"game": state.game.name, "power": power})


def revive(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    write = f"REVIVE {state.variant.powers[0].lower()}"
    power = power_named(state, call.arguments, write, spelled=True)
    seat = state.seats.holder(power)
    if state.powers.condition(power) == Condition.PLAYED:
        raise Refused("is_played", game=state.game.name, power=power)
    if (
        seat is None
        or seat.person_id is None
        or seat.state not in (SeatState.ABANDONED, SeatState.EJECTED)
    ):
        raise Refused("nobody_to_revive", game=state.game.name, power=power)
    if any(each.role == Role.PLAYER for each in state.seats.of(seat.person_id) if each is not seat):
        raise Refused("nobody_to_revive", game=state.game.name, power=power)
    occupy(state, seat, now)
    state.game.last_change = now
    log("revived", {"power": power})
    cursor.tell(EventKind.DUMMY, {"power": power, "revived": True})
    return Answer("revived", {"game": state.game.name, "power": power})
