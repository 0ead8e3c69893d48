"""The legal orders of a phase, sorted by what they do: what every computer player chooses from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations
from typing import Final

from judge.rules.board import Board, Derived, province_of
from judge.rules.board_index import board_index
from judge.rules.engine import adjudicate
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Convoy, Hold, Move, Order, Support
from judge.rules.outcome import Reason
from judge.rules.position import Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant

Package = dict[Unit, Order]
"""Orders of several units that are of use together only, such as a move with its support."""


Joint = dict[str, list[Order]]
"""Orders of several powers."""

MARGIN: Final = 1e-7
"""A gain below this is none."""


@dataclass(slots=True)
class Options:
    """The orders of one power in a movement phase.

    `moves` are steps by the unit's own means, by location; `aids` supports of own units, by
    supporter, supported unit and the province it goes to or None where it stays. `journeys` are
    moves of armies by own fleets alone, with the convoys.
    """

    units: tuple[Unit, ...]
    holds: dict[Unit, Order] = field(default_factory=dict)
    moves: dict[Unit, dict[str, Order]] = field(default_factory=dict)
    aids: dict[tuple[Unit, Unit, str | None], Order] = field(default_factory=dict)
    journeys: list[Package] = field(default_factory=list)
    other: dict[Unit, list[Order]] = field(default_factory=dict)

    def helpers(self, unit: Unit, goal: str | None) -> list[tuple[Unit, Order]]:
        """Return own units that can support one in its move to a province, or where it stands."""
        found = ((other, self.aids.get((other, unit, goal))) for other in self.units)
        return [(other, order) for other, order in found if order is not None]


class Scene:
    """A position with what all its powers can order, each computed once."""

    def __init__(self, variant: Variant, position: Position, rulebook: Rulebook) -> None:
        self.variant = variant
        self.rulebook = rulebook
        self.position = in_order(variant, position)
        legal = cache(partial(legal_orders, variant, self.position, rulebook=self.rulebook))
        self.legal: Callable[[str], dict[Unit, list[Order]]] = legal
        """Every legal order of a power, as `judge.rules.legal_orders`."""
        self.options: Callable[[str], Options] = cache(
            lambda power: _sorted(variant.board, legal(power))
        )
        """The orders of a power in a movement phase, by what they do."""

    def refused(self, power: str, orders: Sequence[Order]) -> bool:
        """Return whether any of these orders would come to nothing however all others order."""
        outcome = adjudicate(self.variant, self.position, {power: orders}, self.rulebook)
        wrong = (Reason.VOID, Reason.NOT_ALLOWED, Reason.SUPERSEDED)
        return any(result.reason in wrong for result in outcome.results.get(power, ()))


def _sorted(board: Board, legal: Mapping[Unit, Sequence[Order]]) -> Options:
    found = Options(tuple(legal))
    steps = board.steps
    voyages: dict[tuple[Unit, str], Order] = {}
    convoys: dict[tuple[Unit, str], list[tuple[Unit, Order]]] = {}
    for unit, orders in legal.items():
        near = steps(unit.kind, unit.location)
        found.moves[unit] = {}
        found.other[unit] = []
        for order in orders:
            match order:
                case Hold():
                    found.holds[unit] = order
                case Move(to=to) if to in near and not order.via:
                    found.moves[unit][to] = order
                case Move(to=to) if to not in near:
                    voyages[unit, to] = order
                case Support(target=target, to=goal) if target in legal:
                    end = None if goal is None else province_of(goal)
                    found.aids.setdefault((unit, target, end), order)
                case Convoy(army=army, to=to) if army in legal:
                    convoys.setdefault((army, to), []).append((unit, order))
                case Move() | Support() | Convoy():
                    pass
                case _:
                    found.other[unit].append(order)
    for (army, to), order in voyages.items():
        found.journeys += _journeys(board, army, to, order, convoys.get((army, to), ()))
    return found


def _journeys(
    board: Board, army: Unit, to: str, order: Order, carriers: Sequence[tuple[Unit, Order]]
) -> list[Package]:
    """Return the ways of an army over at most two own fleets."""
    index = board_index(board)
    start, end = index.place[army.location], index.place[to]
    found: list[Package] = []
    for count in (1, 2):
        for fleets in combinations(carriers, count):
            waters = sum(1 << index.place[fleet.location] for fleet, _ in fleets)
            route = index.shortest(start, end, waters)
            if len(route) == count:
                found.append({army: order, **dict(fleets)})
        if found:
            break
    return found


def in_order(variant: Variant, position: Position) -> Position:
    """Return the same position, powers and units in a fixed order, so that equal ones are played
    alike."""
    known = [*variant.powers, *sorted({*position.units, *position.centers} - {*variant.powers})]
    return Position(
        position.phase,
        {power: tuple(sorted(position.units[power])) for power in known if power in position.units},
        {p: tuple(sorted(position.centers[p])) for p in known if p in position.centers},
        {p: tuple(sorted(position.dislodged[p])) for p in known if p in position.dislodged},
        tuple(sorted(position.contested)),
        position.extra,
    )


@Derived
def centers_of(variant: Variant) -> dict[str, int]:
    """Return the supply centers of a board, numbered."""
    return {center: number for number, center in enumerate(variant.board.centers)}
