"""What a newcomer hears in the first year of a practice game: what to look at, and what went wrong.

Each thing that is said was tried on the position: the phase is adjudicated once more with the order
that would have helped. `templates/letters/_coach.txt` words it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from judge.game.state import State
from judge.game.visibility.eyes import Eyes, ShownPhase
from judge.language.read import read_order
from judge.rules.board import Board, province_of
from judge.rules.engine import adjudicate
from judge.rules.orders import Hold, Move, Order, Support, place
from judge.rules.outcome import Bounced, Meeting, OwnUnit, Reason
from judge.rules.phase import Kind
from judge.rules.position import Position, Unit
from judge.rules.result import Result
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.storage import GameState, Role

MOST_LESSONS = 3
"""Lessons of one message."""

Orders = Mapping[str, Sequence[Order]]


class Lesson(Struct, frozen=True):
    """Why an order failed, as a code that the template words.

    `line` is an order of the same power that would have made it succeed, `unit` a unit of the same
    power that was in the way.
    """

    order: str
    code: str
    line: str = ""
    unit: str = ""


def coaching(state: State, seen: Eyes, powers: Sequence[str]) -> dict[str, Any] | None:
    """Return what to tell the player of these powers; None where they need no telling, or do not
    see the whole board, as what went wrong may have come from where they see nothing.

    `near` are supply centers that nobody owns, by the move that leads there, `lessons` why
    orders of the last phase failed; `worked` says that all of them did,
    `done` that the first year is over now.
    """
    seats = state.seats.active(Role.PLAYER)
    people = [seat for seat in seats if seat.options.bot is None]
    if (
        state.game.state != GameState.ACTIVE
        or len(people) != 1
        or len(seats) < 2
        or state.terms.rated
    ):
        return None
    if not seen.all:
        return None
    first, phase = state.variant.start_phase, state.open_phase
    begins = (phase.season, phase.kind) == (first.season, first.kind)
    done = begins and phase.year == first.year + state.variant.calendar.years
    if phase.year != first.year and not done:
        return None
    lessons: list[Lesson] = []
    given = 0
    for run in _ran(seen):
        orders = _recorded(state.variant, run)
        for power in powers:
            given += any(line["given"] for line in run.report["orders"].get(power, ()))
            lessons += lessons_of(state.variant, state.rulebook, run.position, orders, power)
    told = {each.code: each for each in reversed(lessons)}
    board, opened = state.variant.board, seen.opened
    near = [] if done else [each for power in powers for each in near_centers(board, opened, power)]
    return {
        "near": near[:MOST_LESSONS],
        "lessons": [each for each in lessons if told[each.code] is each][:MOST_LESSONS],
        "worked": not lessons and given > 0,
        "done": done,
    }


def near_centers(board: Board, position: Position, power: str) -> Iterator[dict[str, str]]:
    """Yield the supply centers that nobody owns or stands in and that a unit of a power can reach
    in one step, each with the move that leads there."""
    if position.phase.kind is not Kind.MOVEMENT:
        return
    taken = {center for held in position.centers.values() for center in held}
    taken |= {unit.province for units in position.units.values() for unit in units}
    gained = set(board.centers).difference(position.centers.get(power, ()))
    ways: dict[Unit, list[str]] = {}
    # A unit that only has to stay to gain a center is not sent away.
    for unit in (each for each in position.units.get(power, ()) if each.province not in gained):
        steps = sorted(board.steps(unit.kind, unit.location))
        ways[unit] = [
            step for step in steps if province_of(step) in set(board.centers).difference(taken)
        ]
    entered: set[str] = set()
    # Anyone who has least to choose from goes first, so that nobody is in another's way.
    for unit in sorted(ways, key=lambda unit: len(ways[unit])):
        step = next((each for each in ways[unit] if province_of(each) not in entered), None)
        if step is not None:
            entered.add(province_of(step))
            yield {"line": str(Move(unit, step)), "place": board.name(province_of(step))}


def _ran(seen: Eyes) -> list[ShownPhase]:
    """Return the phase in which somebody ordered last."""
    return [run for run in seen.phases() if run.report["orders"]][-1:]


def _recorded(variant: Variant, run: ShownPhase) -> Orders:
    """Return all orders of a phase that ran."""
    return {
        power: [
            read_order(line["order"], variant, run.position.phase, power)
            for line in lines
            if line["given"]
        ]
        for power, lines in run.report["orders"].items()
    }


def lessons_of(
    variant: Variant, rulebook: Rulebook, position: Position, orders: Orders, power: str
) -> Iterator[Lesson]:
    """Yield what a power can learn from a phase: of each of its orders that failed why, and what
    would have made it succeed, if one order can."""
    trial = _RetriedPhase(variant, rulebook, position, orders, power)
    for result in trial.results(orders):
        if result.reason is not None and result.given:
            yield trial.lesson(result)


class _RetriedPhase:
    """A phase that is adjudicated again with other orders of one power."""

    def __init__(
        self,
        variant: Variant,
        rulebook: Rulebook,
        position: Position,
        orders: Orders,
        power: str,
    ) -> None:
        self.variant, self.rulebook, self.position = variant, rulebook, position
        self.orders, self.power = orders, power
        self.own = position.units.get(power, ())

    def results(self, orders: Orders) -> Sequence[Result]:
        """Return what becomes of the orders of the power if all powers order so."""
        found = adjudicate(self.variant, self.position, orders, self.rulebook).results
        return found.get(self.power, ())

    def lesson(self, result: Result) -> Lesson:
        """Say why an order failed."""
        order, reason = result.order, result.reason
        assert reason is not None
        if reason is Reason.DISLODGED and not isinstance(order, Move) and result.unit is not None:
            found = self._helper(result, Support(result.unit, result.unit))
            return Lesson(str(order), "dislodged", line=found)
        if not isinstance(order, Move) or reason not in (Reason.BOUNCED, Reason.OWN_UNIT):
            return Lesson(str(order), reason.value)
        return self._stopped(result, order)

    def _stopped(self, result: Result, move: Move) -> Lesson:
        """Say why a move did not get in."""
        outcome = result.outcome
        way, stuck = None, False
        if isinstance(outcome, OwnUnit):
            way, stuck = outcome.unit.unit, outcome.stuck
        elif isinstance(outcome, Bounced) and outcome.by.power == self.power:
            way, stuck = outcome.by.unit, outcome.meeting is Meeting.STUCK
            if outcome.meeting is Meeting.RIVAL:
                if self._works(result, Hold(way)):
                    return Lesson(str(move), "own_rival", unit=str(way))
                way = None
            elif outcome.meeting is Meeting.HEAD_ON:
                return Lesson(str(move), "own_swap", unit=str(way))
        if way is not None:
            return Lesson(str(move), "own_stuck" if stuck else "own_stays", unit=str(way))
        helper = self._helper(result, Support(move.unit, move.unit))
        return Lesson(str(move), "bounced", line=helper)

    def _helper(self, result: Result, wanted: Support) -> str:
        """Return an order of another unit that alone would have made an order succeed; "" for
        none."""
        to = province_of(result.order.to) if isinstance(result.order, Move) else None
        for unit in self.own:
            support = Support(unit, wanted.target, to)
            if unit.province != wanted.target.province and self._works(result, support):
                return str(support)
        return ""

    def _works(self, result: Result, instead: Order) -> bool:
        """Return whether an order succeeds where another unit of its power does something else."""
        mine = [each for each in self.orders[self.power] if place(each) != place(instead)]
        results = self.results({**self.orders, self.power: [*mine, instead]})
        return any(each.order == result.order and each.reason is None for each in results)
