"""Positions made by chance, crowded around a few waters, with orders that get in each other's way.

Everything comes from one `random.Random`, so a seed is enough to see a position again.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from judge.rules.board import Board, province_of
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Convoy, Hold, Move, Order, Support
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant

Orders = dict[str, list[Order]]


def situation(variant: Variant, random: Random) -> tuple[Position, Orders]:
    """A position of a movement phase, and one legal order for almost every unit."""
    if random.random() < 0.4:
        return knot(variant, random)
    position = _position(variant, random)
    return position, orders(variant, position, random)


def muddle(variant: Variant, random: Random) -> tuple[Position, Orders]:
    """A position in which some of the orders are nonsense."""
    position, given = situation(variant, random)
    for orders in given.values():
        for number, order in enumerate(orders):
            if random.random() < 0.25:
                assert isinstance(order, Hold | Move | Support | Convoy)
                orders[number] = nonsense(variant, position, order.unit, random)
    return position, given


def knot(variant: Variant, random: Random) -> tuple[Position, Orders]:
    """Convoys over neighboring waters that land on units which help to attack or to hold one of the
    convoying fleets: paradoxes of the first and of higher orders, nested ones, and near misses.
    """
    board = variant.board
    waters = _waters(board, random, random.choice((1, 2, 2, 2, 3, 3, 4)))
    kinds: dict[str, str] = dict.fromkeys(waters, "F")
    plan: dict[str, tuple[str, str, str]] = {}

    def free(*touched: str) -> list[str]:
        """Coasts nobody stands on that touch all these waters."""
        return sorted(
            name
            for name, space in board.provinces.items()
            if name not in kinds and space.terrain == "coast" and not space.coasts
            if all(water in _neighbors(board, name) for water in touched)
        )

    def attack(water: str) -> str | None:
        """The fleet that attacks a water, a new one if there is none yet."""
        known = [name for name, order in plan.items() if order[:2] == ("-", water)]
        if known and random.random() < 0.7:
            return random.choice(known)
        sources = free(water) + sorted(
            name
            for name in _neighbors(board, water)
            if name not in kinds and board.provinces[name].terrain == "sea"
        )
        if not sources:
            return None
        source = random.choice(sources)
        kinds[source] = "F"
        plan[source] = ("-", water, "")
        return source

    voyages: list[tuple[list[str], str]] = []
    helpers = []
    round_about = random.random() < 0.7
    for number, water in enumerate(waters):
        # In a circle each landing decides about the next convoy: a paradox of higher order.
        target = waters[number - 1] if round_about else random.choice(waters)
        chain = [water]
        beyond = sorted(_neighbors(board, water).intersection(waters).difference(chain))
        if beyond and random.random() < 0.15:
            chain.append(random.choice(beyond))
        ends = free(chain[-1], target)
        if ends:
            end = random.choice(ends)
            kinds[end] = "F"
            voyages.append((chain, end))
            helpers.append((end, target))
    for chain, end in voyages:
        starts = free(chain[0])
        if starts:
            start = random.choice(starts)
            kinds[start] = "A"
            plan[start] = ("-", end, "")
            for fleet in chain:
                plan.setdefault(fleet, ("C", start, end))
    for helper, target in helpers:
        if random.random() < 0.3:
            plan[helper] = ("S", target, "")
            source, second = attack(target), free(target)
            if source and second and random.random() < 0.9:
                supporter = random.choice(second)
                kinds[supporter] = "F"
                plan[supporter] = ("S", source, target)
        else:
            source = attack(target)
            if source:
                plan[helper] = ("S", source, target)
    return _made(variant, random, kinds, plan)


def _made(
    variant: Variant, random: Random, kinds: dict[str, str], plan: dict[str, tuple[str, str, str]]
) -> tuple[Position, Orders]:
    """The units and orders of a plan, with bystanders that meddle."""
    board = variant.board
    around = {name for place in kinds for name in _neighbors(board, place)} - {*kinds}
    meddlers = sorted(name for name in around if not board.provinces[name].coasts)
    random.shuffle(meddlers)
    kinds = dict(kinds)
    for name in meddlers[: random.choice((0, 0, 1, 2, 3, 5))]:
        kinds[name] = "A" if board.provinces[name].terrain == "land" else "F"
        if board.provinces[name].terrain == "coast" and random.random() < 0.4:
            kinds[name] = "A"
    powers = random.sample(variant.powers, k=min(len(variant.powers), random.randint(3, 7)))
    units: dict[str, list[Unit]] = {power: [] for power in powers}
    parted = random.random() < 0.7
    for name, kind in kinds.items():
        # Those who convoy on one side, their adversaries on the other; else all mixed.
        sailing = plan.get(name, ("", "", ""))[0] == "C" or (name in plan and kind == "A")
        side = powers if not parted else powers[:2] if sailing else powers[2:]
        units[random.choice(side)].append(Unit(kind, name))
    standing = {power: tuple(own) for power, own in units.items() if own}
    position = Position(variant.start_phase, standing)
    unit_at = {unit.province: unit for own in standing.values() for unit in own}
    chosen: dict[Unit, Order] = {}
    for name, (what, one, other) in plan.items():
        unit = unit_at[name]
        if what == "-":
            via = True if random.random() < 0.5 and unit.kind == "A" else None
            chosen[unit] = Move(unit, one, via=via)
        elif what == "C":
            chosen[unit] = Convoy(unit, unit_at[one], other)
        else:
            chosen[unit] = Support(unit, unit_at[one], other or None)
    return position, orders(variant, position, random, chosen)


def _waters(board: Board, random: Random, count: int) -> list[str]:
    """Some waters that hang together."""
    seas = sorted(name for name, space in board.provinces.items() if space.terrain == "sea")
    waters = [random.choice(seas)]
    while len(waters) < count:
        around = {sea for water in waters for sea in _neighbors(board, water)}
        nearby = sorted(around.intersection(seas).difference(waters))
        if not nearby:
            break
        waters.append(random.choice(nearby))
    return waters


def _neighbors(board: Board, province: str) -> set[str]:
    locations = (province, *board.provinces[province].locations)
    steps = {step for location in locations for step in board.fleet.get(location, ())}
    return {province_of(step) for step in steps.union(board.army.get(province, ()))}


def _position(variant: Variant, random: Random) -> Position:
    board = variant.board
    waters = _waters(board, random, random.choice((1, 2, 2, 3, 3, 4, 5)))
    shores = sorted({name for water in waters for name in _neighbors(board, water)} - {*waters})
    inland = sorted({name for shore in shores for name in _neighbors(board, shore)})
    places = [water for water in waters if random.random() < 0.85]
    wanted = random.randint(4, 14)
    random.shuffle(shores)
    places += shores[:wanted]
    places += random.sample(inland, k=random.randint(0, min(3, len(inland))))
    powers = random.sample(variant.powers, k=min(len(variant.powers), random.randint(2, 4)))
    units: dict[str, list[Unit]] = {power: [] for power in powers}
    for place in dict.fromkeys(places):
        space = board.provinces[place]
        if space.terrain == "sea" or (space.terrain == "coast" and random.random() < 0.45):
            unit = Unit("F", random.choice(space.locations))
        else:
            unit = Unit("A", place)
        units[random.choice(powers)].append(unit)
    standing = {power: tuple(own) for power, own in units.items() if own}
    return Position(variant.start_phase, standing)


def orders(
    variant: Variant,
    position: Position,
    random: Random,
    fixed: Mapping[Unit, Order] | None = None,
) -> Orders:
    """One legal order for almost every unit: landings first, then attacks, then supports.

    `fixed` are orders decided before; those for the other units are made to meet them.
    """
    options: dict[Unit, list[Order]] = {}
    owner: dict[Unit, str] = {}
    for power in position.units:
        for unit, legal in legal_orders(variant, position, power).items():
            options[unit] = legal
            owner[unit] = power
    occupied = {unit.province for unit in options}
    chosen: dict[Unit, Order] = dict(fixed or {})
    units = list(options)
    random.shuffle(units)
    if not fixed or random.random() < 0.3:
        _convoy(variant, random, units, options, occupied, chosen)
    if random.random() < 0.8:
        _entangle(random, units, options, chosen)
    if random.random() < 0.6:
        _duel(random, units, options, chosen)
    carrying = {unit.province for unit, order in chosen.items() if isinstance(order, Convoy)}
    aimed: set[str] = set()
    later = []
    for unit in units:
        if unit in chosen:
            continue
        luck = random.random()
        if luck < 0.5:
            chosen[unit] = _attack(random, unit, options[unit], occupied, carrying, aimed)
        elif luck < 0.55:
            chosen[unit] = random.choice(options[unit])
        else:
            later.append(unit)
    for unit in later:
        chosen[unit] = _support(random, unit, options[unit], chosen)
    given: Orders = {}
    for unit in units:
        if random.random() < 0.98:
            given.setdefault(owner[unit], []).append(chosen[unit])
    return given


def _convoy(
    variant: Variant,
    random: Random,
    units: list[Unit],
    options: dict[Unit, list[Order]],
    occupied: set[str],
    chosen: dict[Unit, Order],
) -> None:
    for army in units:
        if army in chosen:
            continue
        steps = variant.board.army.get(army.location, ())
        journeys = [
            order
            for order in options[army]
            if isinstance(order, Move) and army.kind == "A" and (order.via or order.to not in steps)
        ]
        if not journeys or random.random() < 0.3:
            continue
        weights = [4 if province_of(order.to) in occupied else 1 for order in journeys]
        journey = random.choices(journeys, weights)[0]
        fleets = [
            (fleet, order)
            for fleet in units
            if fleet not in chosen
            for order in options[fleet]
            if isinstance(order, Convoy) and order.army == army and order.to == journey.to
        ]
        if not fleets:
            continue
        unsaid = journey.to in steps and random.random() < 0.5
        chosen[army] = Move(army, journey.to) if unsaid else journey
        chosen.update(pair for pair in fleets if random.random() < 0.85)


def _entangle(
    random: Random, units: list[Unit], options: dict[Unit, list[Order]], chosen: dict[Unit, Order]
) -> None:
    """Let units that an army lands on support for or against convoying fleets: what paradoxes need.

    Where the support is for an attack, the attack is ordered too.
    """
    carrying = {unit.province for unit, order in chosen.items() if isinstance(order, Convoy)}
    landings = {province_of(order.to) for order in chosen.values() if isinstance(order, Move)}
    for unit in units:
        if unit in chosen or unit.province not in landings or random.random() < 0.15:
            continue
        attacks = []
        shields = []
        for order in options[unit]:
            if not isinstance(order, Support):
                continue
            if order.to is None:
                if order.target.province in carrying:
                    shields.append(order)
            elif order.to in carrying and _free(order, chosen):
                attacks.append(order)
        if attacks and (not shields or random.random() < 0.75):
            attack = random.choice(attacks)
            assert attack.to is not None
            chosen[unit] = attack
            chosen[attack.target] = Move(attack.target, attack.to)
        elif shields:
            chosen[unit] = random.choice(shields)


def _duel(
    random: Random, units: list[Unit], options: dict[Unit, list[Order]], chosen: dict[Unit, Order]
) -> None:
    """Let some neighbors go for each other's provinces, with supports and a third one following."""
    idle = [unit for unit in units if unit not in chosen]
    for unit in idle:
        if unit in chosen or random.random() < 0.5:
            continue
        for other in idle:
            there = _step(options[unit], other.province)
            back = _step(options[other], unit.province)
            if other not in chosen and there and back:
                chosen[unit], chosen[other] = there, back
                break
        else:
            continue
        for helper in idle:
            if helper in chosen or random.random() < 0.3:
                continue
            help_: list[Order] = [
                order
                for order in options[helper]
                if isinstance(order, Support)
                and order.to is not None
                and isinstance(move := chosen.get(order.target), Move)
                and order.to == move.to
            ]
            follow = _step(options[helper], random.choice((unit, other)).province)
            if follow and (not help_ or random.random() < 0.3):
                help_ = [follow]
            if help_:
                chosen[helper] = random.choice(help_)


def _step(options: list[Order], province: str) -> Move | None:
    """A move by land or sea of the unit itself into a province, if there is one."""
    for order in options:
        if isinstance(order, Move) and not order.via and province_of(order.to) == province:
            return order
    return None


def _free(support: Support, chosen: dict[Unit, Order]) -> bool:
    """Whether the supported unit makes that move, or has no order yet."""
    other = chosen.get(support.target)
    return other is None or (isinstance(other, Move) and other.to == support.to)


def _attack(
    random: Random,
    unit: Unit,
    options: list[Order],
    occupied: set[str],
    carrying: set[str],
    aimed: set[str],
) -> Order:
    moves = [order for order in options if isinstance(order, Move)]
    if not moves:
        return Hold(unit)
    weights = [
        1
        + 6 * (province_of(order.to) in carrying)
        + 3 * (province_of(order.to) in aimed)
        + 2 * (province_of(order.to) in occupied)
        for order in moves
    ]
    move = random.choices(moves, weights)[0]
    aimed.add(province_of(move.to))
    return move


def _support(random: Random, unit: Unit, options: list[Order], chosen: dict[Unit, Order]) -> Order:
    fitting: list[Order] = []
    for order in options:
        if not isinstance(order, Support):
            continue
        other = chosen.get(order.target)
        if order.to is None and not isinstance(other, Move):
            fitting += [order] * (4 if isinstance(other, Convoy) else 1)
        elif isinstance(other, Move) and order.to is not None:
            fitting += [order] * 3 * (province_of(order.to) == province_of(other.to))
    if fitting and random.random() < 0.95:
        return random.choice(fitting)
    return random.choice(options)


def nonsense(variant: Variant, position: Position, unit: Unit, random: Random) -> Order:
    """Any order for the unit, badly written as often as not: most are illegal, some are vague."""
    board = variant.board
    everybody = [other for units in position.units.values() for other in units]

    def written(meant: Unit) -> Unit:
        kind = random.choice((meant.kind, meant.kind, "", "A", "F"))
        place = random.choice((meant.location, meant.location, meant.province))
        return Unit(kind, place)

    def somewhere(start: str) -> str:
        near = sorted(_neighbors(board, province_of(start)))
        province = random.choice(near) if random.random() < 0.8 else random.choice([*board.army])
        return random.choice((province, *board.provinces[province].locations))

    other = random.choice(everybody)
    match random.randrange(6):
        case 0:
            return Hold(written(unit))
        case 1 | 2:
            via = random.choice((None, None, True))
            return Move(written(unit), somewhere(unit.location), via=via)
        case 3:
            return Support(written(unit), written(other))
        case 4:
            start = random.choice((unit.location, other.location))
            return Support(written(unit), written(other), somewhere(start))
        case _:
            return Convoy(written(unit), written(other), somewhere(unit.location))
