"""Who plays which powers: the lineup chosen before the start, and the seats at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from msgspec import structs

from judge import variants
from judge.game.fairness import Assignment, BadPreferences, assign_powers, read_preferences
from judge.game.people import lateness
from judge.game.state import State
from judge.game.state.settings import AssignmentRule
from judge.game.visibility import identity
from judge.rules.position import Position
from judge.rules.variant import SIDES, Lineup, Variant, fitting, lineup_of
from judge.storage import Condition, Role, Seat, SeatOptions, SeatState

ANY_POWER = "*"
"""The preference of a player who takes any power."""


def seat_players(state: State, seed: str, now: datetime) -> tuple[Assignment, list[Seat]]:
    """Assign the powers to the players who are there.

    Returns the assignment and the players' seats in its order. Where there are fewer people than
    powers (PLAYERS) each has several: a group of the lineup, or an even share. Powers of people who
    are missing are abandoned; those not in play (POWERS, or standing in the lineup) are dummies.
    """
    variant = state.variant
    seats = identity.in_assignment_order(state)
    in_play = state.settings.in_play or len(variant.played)
    # People who are missing leave their share.
    count = max(in_play * len(seats) // state.terms.places, len(seats))
    drawn = assign_powers(variant, _preferences(state, seats), seed, count)
    for seat, powers in zip(seats, drawn.powers, strict=True):
        seat.power = powers[0]
        state.seats.keep(seat)
        for power in powers[1:]:
            alone = {"id": 0, "wait": False, "draw": None, "absence": None}
            state.seats.keep(structs.replace(seat, power=power, joined_at=now, **alone))
    free = [power for power in variant.powers if state.seats.holder(power) is None]
    missing = in_play - sum(map(len, drawn.powers))
    left = [power for power in free if power in variant.played][:missing]
    for power in free:
        lateness.vacate(
            state, power, Condition.ABANDONED if power in left else Condition.DUMMY, now
        )
    return drawn, seats


def _preferences(state: State, seats: Sequence[Seat]) -> list[str]:
    """Return the preferences that count: PRFRAND ignores all, PRFBOTH draws for those without."""
    kind = state.settings.preferences
    lineup = lineup_of(state.variant)
    if kind is AssignmentRule.RANDOM or (lineup is not None and lineup.lots):
        return [ANY_POWER for _ in seats]
    return [
        seat.preferences or (ANY_POWER if kind is AssignmentRule.BOTH else "") for seat in seats
    ]


def opening(variant: Variant, drawn: Assignment) -> Position:
    """Return the opening position, with who wins together where the assignment decided that."""
    lineup, first = lineup_of(variant), variant.opening
    if lineup is None or not (lineup.lots and lineup.together):
        return first
    return replace(first, extra={**first.extra, SIDES: list(map(list, drawn.powers))})


def unseat_players(state: State) -> None:
    """Undo the assignment: everybody has one seat without a power again."""
    there: set[int | None] = set()
    for seat in state.seats:
        if seat.role != Role.PLAYER:
            continue
        if seat.state != SeatState.ACTIVE or seat.person_id in there:
            # The seat was free and is again, or is one of several.
            seat.state = SeatState.LEFT
        else:
            there.add(seat.person_id)
        seat.power, seat.wait, seat.draw, seat.options = (
            *(None, False, None),
            SeatOptions(bot=seat.options.bot),
        )
        state.seats.keep(seat)


def offered(state: State, players: int) -> list[Lineup]:
    """Return the lineups for so many players on this board and rulebook, the usual one first."""
    return fitting(variants.load(state.game.variant), players, state.game.rulebook)


def choose(state: State, people: int | None, lineup: Lineup | None) -> None:
    """Play with so many people by a lineup, or evenly without one; `state.save` keeps it.

    Preferences that name powers outside it are dropped.
    """
    state.set(people=people, lineup=lineup and lineup.name)
    variant = state.variant
    for seat in state.seats.active(Role.PLAYER):
        try:
            read_preferences(seat.preferences, variant.letters, variant.played)
        except BadPreferences:
            seat.preferences = ""
            state.seats.keep(seat)


def refit(state: State) -> None:
    """Take a new rulebook's lineup for as many people."""
    people = state.settings.people
    if state.settings.lineup is not None and people is not None:
        choose(state, people, next(iter(offered(state, people)), None))
