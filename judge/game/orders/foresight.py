"""Whether an order for a later phase could be carried out at all, wherever the units are then."""

from __future__ import annotations

from collections.abc import Iterator

from judge.rules import engine
from judge.rules.board import province_of
from judge.rules.engine import Checked
from judge.rules.orders import Build, Convoy, Hold, Launch, Move, Order, Relay, Retreat, Support
from judge.rules.phase import Kind, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant


def foresee(
    variant: Variant, rulebook: Rulebook | None, power: str, order: Order, phase: Phase
) -> Checked | None:
    """What is wrong with an order on the board that suits it best; None where nothing is.

    There every unit that it names stands where it says, and fleets wherever they could carry an
    army; for a bomb, a unit that can carry it stands everywhere. What it says nothing about (whose
    the units are, what else stands where) is not asked.
    """
    if not isinstance(order, Hold | Move | Support | Convoy | Launch | Relay | Retreat | Build):
        return None
    first: Checked | None = None
    for position in _boards(variant, power, order, phase):
        checked = engine.check(variant, position, power, order, rulebook)
        if checked.problem is None:
            return None
        first = first or checked
    return first


def _boards(variant: Variant, power: str, order: Order, phase: Phase) -> Iterator[Position]:
    """The positions in which the order is tried: one for each unit that may be meant."""
    if isinstance(order, Build):
        centers = [each.id for each in variant.board.provinces.values() if each.supply_center]
        yield Position(phase, {}, {power: tuple(centers)})
        return
    assert isinstance(order, Hold | Move | Support | Convoy | Launch | Relay | Retreat)
    other = next(each for each in variant.powers if each != power)
    for unit in _meant(variant, order.unit):
        if phase.kind is Kind.RETREATS:
            retreats = variant.board.steps(unit.kind, unit.location)
            yield Position(phase, {}, {}, {power: (Dislodged(unit, None, tuple(retreats)),)})
            continue
        if isinstance(order, Launch | Relay):
            origin = order.origins[0] if isinstance(order, Relay) else ""
            carriers = _carriers(variant, origin, but=unit.province)
            yield Position(phase, {power: (unit,), other: tuple(carriers)})
            continue
        for aided in _aided(variant, order):
            there = {each.province for each in (unit, *aided)}
            seas = (each for each in variant.board.provinces.values() if each.terrain == "sea")
            carrier = next(kind.letter for kind in variant.board.kinds.values() if kind.carries)
            fleets = [Unit(carrier, sea.id) for sea in seas if sea.id not in there]
            yield Position(phase, {power: (unit,), other: (*aided, *fleets)})


def _carriers(variant: Variant, origin: str, but: str) -> Iterator[Unit]:
    """A unit in each province that can take a bomb as far as any could; in `origin` one with which
    a bomb starts."""
    for province in variant.board.provinces.values():
        if province.id == but:
            continue
        found = [
            (kind.launches == (province.id == origin), kind.bombs, kind.letter)
            for kind in variant.board.kinds.values()
            if variant.board.stands(
                kind.letter, province.locations[0] if kind.afloat else province.id
            )
        ]
        if found:
            letter = max(found)[2]
            afloat = variant.board.kind(letter).afloat
            yield Unit(letter, province.locations[0] if afloat else province.id)


def _aided(variant: Variant, order: Order) -> Iterator[tuple[Unit, ...]]:
    """The unit that is supported or convoyed, in each way it can be meant."""
    if isinstance(order, Support):
        yield from ((unit,) for unit in _meant(variant, order.target))
    elif isinstance(order, Convoy):
        yield from ((unit,) for unit in _meant(variant, order.army))
    else:
        yield ()


def _meant(variant: Variant, unit: Unit) -> Iterator[Unit]:
    """The units that a unit as written can be: of each kind, and on each coast."""
    province = variant.board.provinces[province_of(unit.location)]
    for kind in (unit.kind,) if unit.kind else variant.board.kinds:
        locations = (province.id, *province.locations)
        if unit.location in province.locations:
            locations = (unit.location,)
        standing = [each for each in locations if variant.board.stands(kind, each)]
        yield from (Unit(kind, each) for each in dict.fromkeys(standing))
