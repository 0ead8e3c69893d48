"""Whether an order for a later phase could be carried out at all, wherever the units are then."""

from __future__ import annotations

from collections.abc import Iterator

from judge.rules import engine
from judge.rules.board import province_of
from judge.rules.engine import Checked
from judge.rules.orders import Build, Convoy, Hold, Move, Order, Retreat, Support
from judge.rules.phase import Kind, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant


def foresee(
    variant: Variant, rulebook: Rulebook | None, power: str, order: Order, phase: Phase
) -> Checked | None:
    """What is wrong with an order on the board that suits it best; None where nothing is.

    There every unit that it names stands where it says, and fleets wherever they could carry an
    army. What it says nothing about (whose the units are, what else stands where) is not asked.
    """
    if not isinstance(order, Hold | Move | Support | Convoy | Retreat | Build):
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
    assert isinstance(order, Hold | Move | Support | Convoy | Retreat)
    other = next(each for each in variant.powers if each != power)
    for unit in _meant(variant, order.unit):
        if phase.kind is Kind.RETREATS:
            retreats = variant.board.steps(unit.kind, unit.location)
            yield Position(phase, {}, {}, {power: (Dislodged(unit, None, tuple(retreats)),)})
            continue
        for aided in _aided(variant, order):
            there = {each.province for each in (unit, *aided)}
            seas = (each for each in variant.board.provinces.values() if each.terrain == "sea")
            fleets = [Unit("F", sea.id) for sea in seas if sea.id not in there]
            yield Position(phase, {power: (unit,), other: (*aided, *fleets)})


def _aided(variant: Variant, order: Order) -> Iterator[tuple[Unit, ...]]:
    """The unit that is supported or convoyed, in each way it can be meant."""
    if isinstance(order, Support):
        yield from ((unit,) for unit in _meant(variant, order.target))
    elif isinstance(order, Convoy):
        yield from ((unit,) for unit in _meant(variant, order.army))
    else:
        yield ()


def _meant(variant: Variant, unit: Unit) -> Iterator[Unit]:
    """The units that a unit as written can be: of either kind, and on each coast."""
    province = variant.board.provinces[province_of(unit.location)]
    for kind in (unit.kind,) if unit.kind else ("A", "F"):
        locations = (province.id, *province.locations)
        if unit.location in province.locations:
            locations = (unit.location,)
        standing = [each for each in locations if variant.board.steps(kind, each)]
        yield from (Unit(kind, each) for each in dict.fromkeys(standing))
