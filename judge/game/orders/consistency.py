"""Orders of one power that do not fit each other, and what they would lead to.

Nothing but that power's own orders is asked, and nothing of a phase played through is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct

from judge.events import EventKind, Reader
from judge.game.orders import advance
from judge.game.orders.interpret import OrderContext
from judge.game.orders.later import Path, Row
from judge.game.state import State
from judge.game.state.answers import Answer
from judge.game.state.boards import report, standings, with_words
from judge.game.state.sheet import carried_out, place
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.board import UnitKind
from judge.rules.orders import Convoy, Launch, Move, Order, Relay, Retreat, Support
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant, of_phase
from judge.storage import Person


class Hint(Struct, frozen=True):
    """What `order` misses; `answer` names the template that says it, `offers` are lines to send."""

    order: str
    answer: Answer
    offers: tuple[str, ...] = ()


def hints(desk: OrderContext, power: str, orders: Sequence[Order]) -> list[Hint]:
    """What does not fit in the orders of `power`; only where there is a position."""
    position = desk.position
    if position is None:
        return []
    if desk.kind is Kind.ADJUSTMENTS:
        return list(_too_many(desk, power, orders))
    given = {where: order for order in orders if (where := place(order)) is not None}
    if desk.kind is Kind.RETREATS:
        return list(_clashes(given))
    mine = {unit.province: unit for unit in position.units.get(power, ())}
    found = [
        hint for order in given.values() for hint in _movement(desk, power, order, given, mine)
    ]
    return [*found, *_clashes(given)]


def _clashes(given: Mapping[str, Order]) -> Iterator[Hint]:
    """Orders of one's own that want the same place."""
    aims: dict[str, Order] = {}
    helped = {_province(order.to or "") for order in given.values() if isinstance(order, Support)}
    for order in given.values():
        if not isinstance(order, Move | Retreat) or (aim := _province(order.to)) in helped:
            continue
        if aim in aims:
            facts = {"other": str(aims[aim]), "retreats": isinstance(order, Retreat)}
            yield Hint(str(order), Answer("hint_one_place", facts))
        aims.setdefault(aim, order)


def _movement(
    desk: OrderContext,
    power: str,
    order: Order,
    given: Mapping[str, Order],
    mine: Mapping[str, Unit],
) -> Iterator[Hint]:
    match order:
        case Support(to=None) if order.target.province in mine:
            other = given.get(order.target.province)
            if isinstance(other, Move):
                offers = _possible(desk, power, replace(order, to=other.to))
                leaves = Answer("hint_leaves", {"unit": str(order.target), "other": str(other)})
                yield Hint(str(order), leaves, offers)
        case Support() if order.target.province in mine and not _goes(
            order.target, order.to, given
        ):
            yield from _unmatched(desk, power, order, given)
        case Convoy() if order.army.province in mine and not _goes(order.army, order.to, given):
            facts = _facts(desk, order.army, order.to, given)
            offers = _possible(desk, power, Move(order.army, order.to))
            yield Hint(str(order), Answer("hint_no_army", facts), offers)
        case Move() if _kind(desk, order.unit).carried and _sails(desk, order):
            carried = any(
                isinstance(other, Convoy)
                and other.army.province == order.unit.province
                and _province(other.to) == _province(order.to)
                for other in given.values()
            )
            if not carried:
                fleets = [unit for unit in mine.values() if _kind(desk, unit).carries]
                offers = _possible(
                    desk, power, *(Convoy(fleet, order.unit, order.to) for fleet in fleets)
                )
                yield Hint(str(order), Answer("hint_no_convoy", {"mine": bool(offers)}), offers)
        case Launch():
            yield from _uncarried(desk, power, order, given, mine)
        case Relay() if (source := mine.get(order.origins[-1])) is not None:
            ahead = _stops(given.get(source.province))
            if order.unit.province not in ahead[1:2]:
                facts = {"unit": str(source), "here": str(order.unit)}
                yield Hint(str(order), Answer("hint_no_bomb", facts))


def _uncarried(
    desk: OrderContext,
    power: str,
    order: Launch,
    given: Mapping[str, Order],
    mine: Mapping[str, Unit],
) -> Iterator[Hint]:
    """What is missing on the way of a bomb: own units that do not carry it on."""
    way = _stops(order)
    for here in range(1, len(way) - 1):
        unit, last = mine.get(way[here]), here + 2 == len(way)
        if unit is None or _stops(given.get(way[here]))[:2] == way[here : here + 2]:
            continue
        via = () if last else (way[here + 1],)
        offers = _possible(desk, power, Relay(unit, (way[here - 1],), via, way[-1]))
        yield Hint(str(order), Answer("hint_not_carried", {"unit": str(unit)}), offers)


def _stops(order: Order | None) -> tuple[str, ...]:
    """The way of a bomb from the unit of an order on; () where it takes none anywhere."""
    if not isinstance(order, Launch | Relay):
        return ()
    return (order.unit.province, *order.via, *((order.to,) if order.to else ()))


def _unmatched(
    desk: OrderContext, power: str, order: Support, given: Mapping[str, Order]
) -> Iterator[Hint]:
    assert order.to is not None
    other = given.get(order.target.province)
    better = replace(order, to=other.to if isinstance(other, Move) else None)
    offers = _possible(desk, power, Move(order.target, order.to), better)
    facts = _facts(desk, order.target, order.to, given)
    yield Hint(str(order), Answer("hint_no_move", facts), offers)


def _facts(
    desk: OrderContext, unit: Unit, to: str, given: Mapping[str, Order]
) -> dict[str, object]:
    other = given.get(unit.province)
    return {
        "unit": str(unit),
        "to": desk.variant.board.name(to),
        "other": None if other is None else str(other),
    }


def _too_many(desk: OrderContext, power: str, orders: Sequence[Order]) -> Iterator[Hint]:
    assert desk.position is not None
    due = desk.owed.get(power)
    if due is None:
        return
    asked = due.adjusting(orders)
    count = due.builds or due.removals
    for order in asked[count:]:
        facts = {
            "count": count,
            "asked": len(asked),
            "builds": bool(due.builds),
            "first": [str(each) for each in asked[:count]],
        }
        yield Hint(str(order), Answer("hint_too_many", facts))


def _goes(unit: Unit, to: str | None, given: Mapping[str, Order]) -> bool:
    """Whether the unit in that place is ordered to go there."""
    other = given.get(unit.province)
    return isinstance(other, Move) and _province(other.to) == _province(to or "")


def _sails(desk: OrderContext, order: Move) -> bool:
    """Whether an army cannot get there on foot, or wants to go by sea."""
    here = order.unit
    steps = {_province(there) for there in desk.variant.board.steps(here.kind, here.location)}
    return bool(order.via) or _province(order.to) not in steps


def _possible(desk: OrderContext, power: str, *orders: Order) -> tuple[str, ...]:
    return tuple(str(order) for order in orders if desk.check(power, order).problem is None)


def _kind(desk: OrderContext, unit: Unit) -> UnitKind:
    return desk.variant.board.kind(unit.kind)


def _province(location: str) -> str:
    return location.partition("/")[0]


def misfits(state: State, power: str, phase: Phase) -> list[Hint]:
    """What does not fit in what `power` has sent ahead for a phase, wherever others are then.

    Its own units are those that its orders name, and in the next movement phase those that its
    orders on file bring there. Orders that never count together are not compared.
    """
    if phase.kind is Kind.ADJUSTMENTS:
        return []
    found: dict[tuple[str, str], Hint] = {}
    for orders in _together(state, advance.rows(state, power, phase), phase):
        for hint in _look(state, power, phase, orders):
            found.setdefault((hint.order, hint.answer.code), hint)
    return list(found.values())


def _together(state: State, rows: Sequence[Row], phase: Phase) -> Iterator[list[Order]]:
    """The orders that count in each branch, with those that count around it."""
    variant = of_phase(state.variant, phase)
    inner: list[Path] = []
    for row in rows:
        if row.path not in inner:
            inner.append(row.path)
    for path in inner or [()]:
        mine = [
            row for row in rows if row.path == path[: len(row.path)] and row.text != advance.WAIT
        ]
        yield [read_order(row.text, variant, phase) for row in mine]


def _look(state: State, power: str, phase: Phase, orders: Sequence[Order]) -> list[Hint]:
    of_orders = (getattr(order, "unit", None) for order in orders)
    named = {unit.province: unit for unit in of_orders if unit is not None}
    expected = _expected(state, power) if _is_next(state, phase) else {}
    units = tuple(unit for unit in (expected | named).values() if unit.kind)
    position = Position(phase, {power: units}, {power: ()})
    variant = of_phase(state.variant, phase)
    return hints(OrderContext(variant, position, state.rulebook, powers=(power,)), power, orders)


def _expected(state: State, power: str) -> dict[str, Unit]:
    """Where the units of `power` stand when all its orders on file succeed."""
    given = {place(order): order for order in state.orders.get(power, ())}
    found = {}
    for unit in state.opened.units.get(power, ()):
        order = given.get(unit.province)
        there = Unit(unit.kind, order.to) if isinstance(order, Move) else unit
        found[there.province] = there
    return found


def _is_next(state: State, phase: Phase) -> bool:
    """Whether no unit moves between the open phase and that one."""
    now = state.opened.phase
    if now.kind is not Kind.MOVEMENT:
        return False
    following = state.variant.calendar.next(now)
    while following.kind is not Kind.MOVEMENT:
        following = state.variant.calendar.next(following)
    return following == phase


def preview(state: State, readers: Sequence[Person]) -> None:
    """Write to these readers, who may know all orders, what the open phase would lead to now."""
    _, _, found = foretold(state.variant, state.opened, state.orders, state.rulebook)
    found["missing"] = [power for power in state.owed if not state.sheet(power).complete]
    for person in readers:
        state.tell(EventKind.PREVIEW, found, to=Reader(person.id))


def foretold(
    variant: Variant, before: Position, orders: Mapping[str, Sequence[Order]], rulebook: Rulebook
) -> tuple[Position, dict[str, Any], dict[str, object]]:
    """Return the position to which orders would lead, their results, and, with these as `report`,
    all of it as facts for templates."""
    adjudication = engine.adjudicate(variant, before, carried_out(orders), rulebook)
    told = with_words(report(variant, before, adjudication), variant)
    return (
        adjudication.position,
        told,
        {
            "report": told,
            "after": standings(variant, adjudication.position),
            "winners": list(adjudication.winners),
            "ending": adjudication.ending and adjudication.ending.value,
        },
    )
