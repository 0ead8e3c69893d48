"""Mid-game positions to measure on, from games played by seven simple players.

No archive of real games comes with the project, so these stand in for one: every power steers
toward centers that it does not own, keeps a little behind, supports its own attacks, and carries
armies over water. What that leaves out is diplomacy: powers hardly ever support each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from judge.rules.board import province_of
from judge.rules.engine import adjudicate
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Build, Convoy, Hold, Move, Order, Retreat, Support
from judge.rules.phase import Kind
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant

Orders = dict[str, list[Order]]


class Turn(NamedTuple):
    """A position with everybody's orders."""

    position: Position
    orders: Orders


def movements(variant: Variant, seed: int, first: int, last: int, count: int) -> list[Turn]:
    """`count` movement phases of the years `first` to `last`, from as many games as it takes."""
    random = Random(seed)
    turns: list[Turn] = []
    while len(turns) < count:
        turns += [
            turn
            for turn in game(variant, random, last)
            if turn.position.phase.kind is Kind.MOVEMENT and turn.position.phase.year >= first
        ]
    return turns[:count]


def game(variant: Variant, random: Random, last: int) -> Iterator[Turn]:
    """The phases of one game, until somebody wins or the year `last` is over."""
    position = variant.opening
    while position.phase.year <= last:
        turn = Turn(position, planned(variant, position, random))
        yield turn
        result = adjudicate(variant, position, turn.orders)
        if result.winners:
            return
        position = result.position


@cache
def _distances(variant: Variant) -> dict[str, dict[str, int]]:
    """Steps between provinces, whatever moves there."""
    board = variant.board
    near: dict[str, set[str]] = {province: set() for province in board.provinces}
    for steps in (board.army, board.fleet):
        for here, there in steps.items():
            near[province_of(here)].update(map(province_of, there))
    table = {}
    for start in near:
        away = {start: 0}
        ahead = [start]
        for here in ahead:
            for beyond in sorted(near[here]):
                if beyond not in away:
                    away[beyond] = away[here] + 1
                    ahead.append(beyond)
        table[start] = away
    return table


def planned(variant: Variant, position: Position, random: Random) -> Orders:
    """What the simple players order in a position."""
    away = _distances(variant)
    given: Orders = {}
    for power in variant.powers:
        legal = legal_orders(variant, position, power)
        if not legal:
            continue
        match position.phase.kind:
            case Kind.MOVEMENT:
                given[power] = _plan(variant, position, power, legal, random, away)
            case Kind.RETREATS:
                given[power] = [
                    random.choice([o for o in own if isinstance(o, Retreat)] or own)
                    for own in legal.values()
                ]
            case Kind.ADJUSTMENTS:
                given[power] = _adjust(legal, random)
    return given


def _adjust(legal: dict[Unit, list[Order]], random: Random) -> list[Order]:
    """Builds in every free place, too many rather than too few; removals by chance."""
    units = list(legal)
    random.shuffle(units)
    chosen: dict[str, Order] = {}
    for unit in units:
        chosen.setdefault(unit.province, legal[unit][0])
    return [order for order in chosen.values() if isinstance(order, Build)] or [
        legal[unit][0] for unit in units
    ]


def _plan(
    variant: Variant,
    position: Position,
    power: str,
    legal: dict[Unit, list[Order]],
    random: Random,
    away: dict[str, dict[str, int]],
) -> list[Order]:
    owned = set(position.centers.get(power, ()))
    goals = [
        province.id
        for province in variant.board.provinces.values()
        if province.supply_center and province.id not in owned
    ]

    def worth(to: str) -> float:
        steps = sorted(away[to][goal] for goal in goals)[:2] or [9]
        return sum(3.0 / (1 + step) for step in steps) + random.random() * 1.5

    enemies = {
        unit.province
        for other, standing in position.units.items()
        if other != power
        for unit in standing
    }
    units = list(legal)
    random.shuffle(units)
    plan: dict[Unit, Order] = {}
    taken: set[str] = set()
    for unit in units:
        if random.random() < 0.2 and unit not in plan:
            voyage = _voyage(variant, unit, legal, plan, taken, random)
            if voyage:
                taken.add(province_of(voyage[0].to))
                plan[unit] = voyage[0]
                plan.update((order.unit, order) for order in voyage[1])
    here = {unit: worth(unit.province) + 0.4 for unit in units}
    moves = sorted(
        (
            (worth(province_of(order.to)), str(order), order)
            for unit in units
            for order in legal[unit]
            if isinstance(order, Move)
            and not order.via
            and order.to in variant.board.steps(unit.kind, unit.location)
        ),
        reverse=True,
    )
    for value, _, move in moves:
        to = province_of(move.to)
        if move.unit in plan or to in taken or value < here[move.unit]:
            continue
        if to in enemies:
            helpers = _helpers(move, units, legal, plan)
            if not helpers and random.random() < 0.6:
                continue
            plan.update((helper.unit, helper) for helper in helpers[: random.choice((1, 2, 2))])
        plan[move.unit] = move
        taken.add(to)
    for unit in units:
        if unit not in plan:
            plan[unit] = _support(unit, legal[unit], plan, random)
    return [plan[unit] for unit in legal]


def _helpers(
    move: Move, units: list[Unit], legal: dict[Unit, list[Order]], plan: dict[Unit, Order]
) -> list[Support]:
    """Supports of a move by units that have nothing to do yet."""
    return [
        order
        for unit in units
        if unit not in plan and unit != move.unit
        for order in legal[unit]
        if isinstance(order, Support) and order.target == move.unit and order.to == move.to
    ]


def _voyage(
    variant: Variant,
    army: Unit,
    legal: dict[Unit, list[Order]],
    plan: dict[Unit, Order],
    taken: set[str],
    random: Random,
) -> tuple[Move, list[Convoy]] | None:
    """A landing that own fleets can bring about."""
    if army.kind != "A":
        return None
    carriers: dict[str, list[Convoy]] = {}
    for fleet, own in legal.items():
        if fleet not in plan:
            for order in own:
                if isinstance(order, Convoy) and order.army == army and order.to not in taken:
                    carriers.setdefault(order.to, []).append(order)
    steps = variant.board.army.get(army.location, ())
    journeys = [
        order
        for order in legal[army]
        if isinstance(order, Move) and order.to in carriers and order.to not in steps
    ]
    if not journeys:
        return None
    journey = random.choice(journeys)
    return journey, carriers[journey.to]


def _support(unit: Unit, legal: list[Order], plan: dict[Unit, Order], random: Random) -> Order:
    """Support an own move if one is in reach, sometimes an own unit that stays, else stay."""
    moves = []
    stays = []
    for order in legal:
        if not isinstance(order, Support):
            continue
        other = plan.get(order.target)
        if order.to is None:
            if order.target in plan and not isinstance(other, Move):
                stays.append(order)
        elif isinstance(other, Move) and other.to == order.to:
            moves.append(order)
    if moves and random.random() < 0.85:
        return random.choice(moves)
    if stays and random.random() < 0.6:
        return random.choice(stays)
    return Hold(unit)
