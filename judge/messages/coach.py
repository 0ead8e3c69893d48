"""What a newcomer hears in the first year of a practice game: what to look at, and what went wrong.

It follows from the position and the outcomes; `templates/letters/_coach.txt` words it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.game.bots import is_bot
from judge.game.state import State
from judge.game.state.boards import read_unit
from judge.language.read import read_order
from judge.rules.board import province_of
from judge.rules.orders import Move, Support
from judge.rules.outcome import Reason
from judge.rules.phase import Kind, Phase
from judge.rules.position import Unit
from judge.storage import GameState, PhaseRun, Role

MOST = 3
"""Lessons of one message."""


def coaching(state: State, powers: Sequence[str]) -> dict[str, Any] | None:
    """Return what to tell the player of these powers, None where they need no telling.

    `near` are supply centers that nobody owns, by the move that leads there, `lessons` why
    orders of the last phase failed; `worked` says that all of them did,
    `done` that the first year is over now.
    """
    seats = state.active(Role.PLAYER)
    people = [seat for seat in seats if not is_bot(seat)]
    if state.game.state != GameState.ACTIVE or len(people) != 1 or len(seats) < 2 or state.rated:
        return None
    first, phase = state.variant.start_phase, state.opened.phase
    begins = (phase.season, phase.kind) == (first.season, first.kind)
    done = begins and phase.year == first.year + state.variant.calendar.years
    if phase.year != first.year and not done:
        return None
    lessons = [lesson for power in powers for lesson in _lessons(state, power)]
    near = [] if done else [each for power in powers for each in _near(state, power)]
    worked = not lessons and any(True for power in powers for _ in _ran(state, power))
    return {"near": near[:MOST], "lessons": lessons[:MOST], "worked": worked, "done": done}


def _near(state: State, power: str) -> Iterator[dict[str, str]]:
    """Yield the supply centers that nobody owns and a unit of a power can reach, in two steps
    where it can reach none in one."""
    board, position = state.variant.board, state.opened
    if position.phase.kind is not Kind.MOVEMENT:
        return
    owned = {place for held in position.centers.values() for place in held}
    free = {key for key, each in board.provinces.items() if each.supply_center} - owned
    ways: dict[Unit, list[tuple[str, str]]] = {}
    for unit in position.units.get(power, ()):
        steps = board.steps(unit.kind, unit.location)
        near = [(province_of(step), step) for step in steps]
        far = [(province_of(to), step) for step in steps for to in board.steps(unit.kind, step)]
        reached = [each for each in near if each[0] in free] or far
        ways[unit] = sorted(each for each in reached if each[0] in free)
    entered: set[str] = set()
    # Whoever has least to choose from goes first, so that nobody is in another's way.
    for unit in sorted(ways, key=lambda unit: len(ways[unit])):
        for place, step in ways[unit]:
            if province_of(step) not in entered:
                yield {"line": str(Move(unit, step)), "place": board.name(place)}
                entered.add(province_of(step))
                break


def _ran(state: State, power: str) -> Iterator[tuple[PhaseRun, Mapping[str, Any]]]:
    """Yield the results of the orders that a power gave in the phases that ran last, together."""
    runs = state.storage.history.of_game(state.game.id)
    for run in runs:
        if run.processed_at == runs[-1].processed_at:
            for line in run.results["orders"].get(power, ()):
                if line["given"]:
                    yield run, line


def _lessons(state: State, power: str) -> Iterator[dict[str, object]]:
    """Yield an order of each kind that failed, with what would have helped."""
    told = set()
    for run, line in _ran(state, power):
        reason = line["reason"]
        order = read_order(line["order"], state.variant, Phase.read(run.phase), power)
        helping = None
        if reason == Reason.BOUNCED.value and isinstance(order, Move):
            own = {read_unit(unit).province for unit in run.position["units"].get(power, ())}
            if province_of(order.to) in own:
                reason = Reason.OWN_UNIT.value
            else:
                helping = _help(state, power, order)
        if reason is not None and reason not in told:
            told.add(reason)
            yield {"order": line["order"], "reason": reason, "helping": helping}


def _help(state: State, power: str, order: Move) -> str | None:
    """Return a support by another unit of the power that would make a move stronger."""
    for unit in state.opened.units.get(power, ()):
        steps = map(province_of, state.variant.board.steps(unit.kind, unit.location))
        if unit.province != order.unit.province and province_of(order.to) in steps:
            return str(Support(unit, order.unit, province_of(order.to)))
    return None
