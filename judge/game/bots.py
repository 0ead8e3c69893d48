"""Computer players in a game: they take seats, order when a phase opens, and vote for draws.

The caretaker is a computer without a seat: it orders for powers that nobody plays any more.

A computer knows what the letters to its seat tell: the position, as far as its power sees it. What
it does follows from that and from the game's seed, so that a step that was cut short is repeated
alike. It thinks outside of any transaction: `tasks` are taken in one, `file` stores the orders in
the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from msgspec.structs import replace

from judge.bots import orders_of
from judge.bots.levels import CARETAKER, DEPTHS
from judge.game.people import lateness
from judge.game.state import State
from judge.game.visibility.fog import position_for
from judge.game.visibility.identity import COMPUTER
from judge.rules.orders import Disband, Hold, Order, Waive
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.storage import Outward, Person, Role, SeatOptions, Vote

NAMES: Final = (
    *("Ada", "Blaise", "Claude", "Dana", "Edsger", "Frances", "Grace", "Hedy", "Ivan", "Joan"),
    *("Konrad", "Lotte", "Mary", "Niklaus", "Olga", "Pafnuty", "Radia", "Sophie", "Tim", "Ursula"),
)
"""What computers are called, one after the other."""

MOST_SECONDS: Final = 6.0
"""Processor time that all computers of a game take for a phase together, more or less."""

PEACE: Final = 4
"""A computer votes for a draw from this year of the game on."""


class Task(NamedTuple):
    """What one computer has to decide: all that `think` needs."""

    power: str
    phase: str
    level: str
    variant: Variant
    position: Position
    rulebook: Rulebook
    seed: str
    seconds: float | None


def seat_bots(state: State, level: str, now: datetime, powers: Sequence[str | None]) -> None:
    """Give a computer of this level each of these powers; None is a place that is dealt later."""
    taken = sum(seat.options.bot is not None for seat in state.seats)
    for number, power in enumerate(powers, taken):
        turn, place = divmod(number, len(NAMES))
        name = Outward(f"Bot {NAMES[place]}{f' {turn + 1}' if turn else ''}{COMPUTER}")
        person = state.storage.people.add(Person(name=name, created_at=now))
        options = SeatOptions(bot=level)
        if power is not None:
            lateness.succeed(state, power, person, now, options)
            continue
        state.seats.keep(state.seats.new(person.id, Role.PLAYER, now, options=options))


def go_on(state: State) -> bool:
    """Return whether computers alone decide the open phase of a practice game, which runs at once:
    its player hears of it with the next one. Who has no units left hears of each year's moves."""
    waits = state.settings.always_wait or state.settings.manual_process
    phase, first = state.opened.phase, state.variant.start_phase
    # With a year a letter comes, whatever it begins with: the coach takes leave after the first.
    begins = (phase.season, phase.kind) == (first.season, first.kind)
    if waits or begins or not state.terms.private or phase.kind is Kind.MOVEMENT:
        return False
    return bool(state.owed) and state.owed.keys() <= state.sheets.bots_owing().keys()


def tasks(state: State) -> list[Task]:
    """Return what the computers of a game have to decide now."""
    bots = state.sheets.bots_owing()
    seed = state.game.options.seed or state.game.name
    return [
        Task(
            power,
            str(state.opened.phase),
            level,
            state.variant,
            position_for(state, (power,)),
            state.rulebook,
            seed,
            (depth := DEPTHS.get(level)) and min(depth.seconds, MOST_SECONDS / len(bots)),
        )
        for power, level in bots.items()
    ]


def think(task: Task) -> list[Order]:
    """Return the orders of a computer. It takes seconds."""
    return orders_of(
        task.variant,
        task.position,
        task.power,
        task.level,
        seed=task.seed,
        seconds=task.seconds,
        rulebook=task.rulebook,
    )


def file(state: State, now: datetime, thought: Iterable[tuple[Task, Sequence[Order]]]) -> bool:
    """Store the orders of computers that still owe them in that phase, and let them vote; return
    whether there were any."""
    bots, seats = state.sheets.bots_owing(), state.seats.players()
    phase = state.game.phase
    done = False
    for task, orders in thought:
        if bots.get(task.power) != task.level or task.phase != phase:
            continue
        # What a power does not see may stand in its way.
        good = [order for order in orders if state.sheets.check(task.power, order).problem is None]
        if task.level == CARETAKER:
            good = _with_those_on_file(state, task.power, good)
        state.file(task.power, completed(state, task.power, good), now, None)
        done = True
        if (seat := seats.get(task.power)) is not None:
            seat.options = replace(seat.options, content=phase)
            seat.draw = Vote("all") if _wants_peace(state, task.power) else None
            state.seats.keep(seat)
    return done


def _with_those_on_file(state: State, power: str, orders: list[Order]) -> list[Order]:
    """Return the orders that the player of a power has left, and of others those for other units.
    Builds and removals go together: of those the computer's alone count."""
    if state.opened.phase.kind is Kind.ADJUSTMENTS:
        return orders
    left = state.orders.get(power, [])
    given = {getattr(order, "unit", None) for order in left}
    return [*left, *(order for order in orders if getattr(order, "unit", None) not in given)]


def completed(state: State, power: str, orders: list[Order]) -> list[Order]:
    """Return orders with which nobody waits for the power."""
    kind, owed = state.opened.phase.kind, state.owed[power]
    if kind is Kind.ADJUSTMENTS:
        waives = owed.builds and not any(isinstance(order, Waive) for order in orders)
        return [*orders, Waive()] if waives and len(orders) < owed.builds else orders
    given = {getattr(order, "unit", None) for order in orders}
    missing = [unit for unit in owed.units if unit not in given]
    if kind is Kind.RETREATS:
        return [*orders, *map(Disband, missing)]
    return [*orders, *map(Hold, missing)]


def _wants_peace(state: State, power: str) -> bool:
    """Return whether a computer votes for a draw of all survivors: after some years, where it is
    not ahead of everybody else."""
    calendar, phase = state.variant.calendar, state.opened.phase
    # Where years count down, both figures are negative.
    cycles = (phase.year - state.variant.start_phase.year) // calendar.years
    if cycles < PEACE - 1:
        return False
    counts = {other: len(held) for other, held in state.opened.centers.items()}
    own = counts.get(power, 0)
    return any(count >= own for other, count in counts.items() if other != power)
