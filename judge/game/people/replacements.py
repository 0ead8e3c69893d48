"""Powers that nobody plays, offered to people who volunteer as replacements."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from judge.events import EventKind, Reader
from judge.game.people.entry import addresses_of, barred, is_barred
from judge.game.people.nmr_timers import since_of
from judge.game.state import IN_USE, State
from judge.game.visibility import fog
from judge.rules.board import province_of
from judge.sentences import Wording
from judge.storage import Person, Seat, SeatState

AGAIN = timedelta(hours=48)
"""How long after a call the next one goes out."""


def call_at(seat: Seat) -> datetime:
    """Return when replacements are called for the power of an abandoned `seat`."""
    called = seat.options.called
    return since_of(seat) if called is None else called + AGAIN


def call(state: State, now: datetime) -> None:
    """Offer the open powers to every volunteer who may enter."""
    powers = state.vacant()
    for power in powers:
        seat = state.holder(power)
        assert seat is not None
        seat.options = replace(seat.options, called=now)
        state.seat(seat)
    people = volunteers(state)
    # What a power of a blind game sees is for its player only.
    blind = fog.is_blind(state)
    pictures = [{"power": power} if blind else picture(state, power) for power in powers]
    for person in people:
        state.tell(EventKind.WANTED, {"open": pictures}, to=Reader(person.id))
    facts = {"powers": powers, "people": [person.id for person in people]}
    state.log(now, "stand-ins called", facts)


def volunteers(state: State) -> list[Person]:
    """Return the volunteers who may take over a power of this game."""
    out = {
        seat.person_id
        for seat in state.seats
        if seat.state in IN_USE or seat.state == SeatState.EJECTED
    }
    return [
        person
        for person in state.storage.people.replacements()
        if person.id not in out and barred(state, person) is None
        if not is_barred(state.storage, addresses_of(state.storage, person))
    ]


def picture(state: State, power: str) -> dict[str, object]:
    """Return the position of `power` as facts: its units, its centers, and who is near."""
    position = fog.position_for(state, (power,))
    variant = state.variant
    board = variant.board
    units = position.units.get(power, ())
    gone = position.dislodged.get(power, ())
    steps = {
        province_of(place) for unit in units for place in board.steps(unit.kind, unit.location)
    }
    near = steps | {unit.province for unit in units} | set(position.centers.get(power, ()))
    neighbors = []
    blind = fog.is_blind(state)
    for other in variant.powers:
        theirs = [unit for unit in position.units.get(other, ()) if other != power]
        close = [
            unit
            for unit in theirs
            if near & {unit.province, *map(province_of, board.steps(unit.kind, unit.location))}
        ]
        if close:
            neighbors.append(
                {
                    "power": other,
                    "count": None if blind else len(position.centers.get(other, ())),
                    "units": [Wording(unit, variant) for unit in close],
                }
            )
    return {
        "power": power,
        "units": [Wording(unit, variant) for unit in units],
        "dislodged": [Wording(each.unit, variant) for each in gone],
        "centers": [board.name(center) for center in sorted(position.centers.get(power, ()))],
        "neighbors": neighbors,
    }
