"""Orders of one power that do not fit each other, and what they would lead to.

Nothing but that power's own orders is asked, and nothing of a phase played through is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from msgspec import Struct

from judge.events import EventKind, Recipient
from judge.game.orders import advance
from judge.game.orders.later import LaterLine, Path
from judge.game.orders.order_context import OrderContext
from judge.game.state import State
from judge.game.state.answers import Answer
from judge.game.state.boards import play, standings, with_words
from judge.language.read import read_order
from judge.rules.board import UnitKind, province_of
from judge.rules.orders import Convoy, Launch, Move, Order, Relay, Retreat, Support, place
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant, of_phase


class Hint(Struct, frozen=True):
    """What `order` misses; `answer` names the template that says it, `offers` are lines to send."""

    order: str
    answer: Answer
    offers: tuple[str, ...] = ()


def hints(turn: OrderContext, power: str, orders: Sequence[Order]) -> list[Hint]:
    """Return what does not fit in the orders of `power`; only where there is a position."""
    position = turn.position
    if position is None:
        return []
    if turn.kind is Kind.ADJUSTMENTS:
        return list(_too_many(turn, power, orders))
    given = {where: order for order in orders if (where := place(order)) is not None}
    if turn.kind is Kind.RETREATS:
        return list(_clashes(given))
    mine = {unit.province: unit for unit in position.units.get(power, ())}
    movement = _PowerMovement(turn, power, given, mine)
    return [*chain.from_iterable(map(movement.of, given.values())), *_clashes(given)]


def _clashes(given: Mapping[str, Order]) -> Iterator[Hint]:
    """Return orders of one's own that want the same place."""
    aims: dict[str, Order] = {}
    helped = {province_of(order.to or "") for order in given.values() if isinstance(order, Support)}
    for order in given.values():
        if not isinstance(order, Move | Retreat) or (aim := province_of(order.to)) in helped:
            continue
        if aim in aims:
            facts = {"other": str(aims[aim]), "retreats": isinstance(order, Retreat)}
            yield Hint(str(order), Answer("hint_one_place", facts))
        aims.setdefault(aim, order)


class _PowerMovement(Struct, frozen=True):
    """The orders of one power in a movement phase, and its units, both by province."""

    turn: OrderContext
    power: str
    given: Mapping[str, Order]
    mine: Mapping[str, Unit]

    def of(self, order: Order) -> Iterator[Hint]:
        """Yield what one of the orders misses."""
        match order:
            case Support(target=unit, to=None) if unit.province in self.mine:
                other = self.given.get(unit.province)
                if isinstance(other, Move):
                    leaves = Answer("hint_leaves", {"unit": str(unit), "other": str(other)})
                    yield self.hint(order, leaves, replace(order, to=other.to))
            case Support(target=unit, to=str(to)) if self.is_elsewhere(unit, to):
                other = self.given.get(unit.province)
                better = replace(order, to=other.to if isinstance(other, Move) else None)
                answer = Answer("hint_no_move", self.facts(unit, to))
                yield self.hint(order, answer, Move(unit, to), better)
            case Convoy(army=unit, to=to) if self.is_elsewhere(unit, to):
                answer = Answer("hint_no_army", self.facts(unit, to))
                yield self.hint(order, answer, Move(unit, to))
            case Move(unit=unit, to=to) if self.kind(unit).carried and self.sails(order):
                fleets = [each for each in self.mine.values() if self.kind(each).carries]
                if not any(_carries(each, unit, to) for each in self.given.values()):
                    convoys = self.possible(Convoy(fleet, unit, to) for fleet in fleets)
                    answer = Answer("hint_no_convoy", {"mine": bool(convoys)})
                    yield Hint(str(order), answer, convoys)
            case Launch():
                yield from self.uncarried(order)
            case Relay() if (source := self.mine.get(order.origins[-1])) is not None:
                ahead = _stops(self.given.get(source.province))
                if order.unit.province not in ahead[1:2]:
                    facts = {"unit": str(source), "here": str(order.unit)}
                    yield self.hint(order, Answer("hint_no_bomb", facts))

    def hint(self, order: Order, answer: Answer, *offers: Order) -> Hint:
        return Hint(str(order), answer, self.possible(offers))

    def possible(self, orders: Iterable[Order]) -> tuple[str, ...]:
        good = [each for each in orders if self.turn.check(self.power, each).problem is None]
        return tuple(map(str, good))

    def uncarried(self, order: Launch) -> Iterator[Hint]:
        """Yield what is missing on the way of a bomb: own units that do not carry it on."""
        way = _stops(order)
        for here in range(1, len(way) - 1):
            unit, last = self.mine.get(way[here]), here + 2 == len(way)
            if unit is None or _stops(self.given.get(way[here]))[:2] == way[here : here + 2]:
                continue
            via = () if last else (way[here + 1],)
            relay = Relay(unit, (way[here - 1],), via, way[-1])
            yield self.hint(order, Answer("hint_not_carried", {"unit": str(unit)}), relay)

    def facts(self, unit: Unit, to: str) -> dict[str, object]:
        other = self.given.get(unit.province)
        where = self.turn.variant.board.name(to)
        return {"unit": str(unit), "to": where, "other": None if other is None else str(other)}

    def kind(self, unit: Unit) -> UnitKind:
        return self.turn.variant.board.kind(unit.kind)

    def is_elsewhere(self, unit: Unit, to: str) -> bool:
        """Return whether it is a unit of one's own that is not ordered to go there."""
        other = self.given.get(unit.province)
        goes = isinstance(other, Move) and province_of(other.to) == province_of(to)
        return unit.province in self.mine and not goes

    def sails(self, order: Move) -> bool:
        """Return whether an army cannot get there on foot, or wants to go by sea."""
        return bool(order.via) or self.turn.is_far(order)


def _carries(order: Order, army: Unit, to: str) -> bool:
    if not isinstance(order, Convoy):
        return False
    return order.army.province == army.province and province_of(order.to) == province_of(to)


def _stops(order: Order | None) -> tuple[str, ...]:
    """Return the way of a bomb from the unit of an order on; () where it takes none anywhere."""
    if not isinstance(order, Launch | Relay):
        return ()
    return (order.unit.province, *order.via, *((order.to,) if order.to else ()))


def _too_many(turn: OrderContext, power: str, orders: Sequence[Order]) -> Iterator[Hint]:
    assert turn.position is not None
    due = turn.owed.get(power)
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


def misfits(state: State, power: str, phase: Phase) -> list[Hint]:
    """Return what does not fit in what `power` has sent ahead for a phase, wherever others are
    then.

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


def _together(state: State, rows: Sequence[LaterLine], phase: Phase) -> Iterator[list[Order]]:
    """Yield the orders that count in each branch, with those that count around it."""
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
    """Return where the units of `power` stand when all its orders on file succeed."""
    given = {place(order): order for order in state.orders.get(power, ())}
    found = {}
    for unit in state.opened.units.get(power, ()):
        order = given.get(unit.province)
        there = Unit(unit.kind, order.to) if isinstance(order, Move) else unit
        found[there.province] = there
    return found


def _is_next(state: State, phase: Phase) -> bool:
    """Return whether no unit moves between the open phase and that one."""
    now = state.opened.phase
    if now.kind is not Kind.MOVEMENT:
        return False
    return state.variant.calendar.following(now, Kind.MOVEMENT) == phase


def preview(state: State, readers: Sequence[int]) -> None:
    """Write to people, by their ids, who may know all orders, what the open phase would lead to."""
    _, _, found = foretold(state.variant, state.opened, state.orders, state.rulebook)
    found["missing"] = [power for power in state.owed if not state.sheets.of(power).complete]
    for person_id in readers:
        state.tell(EventKind.PREVIEW, found, to=Recipient(person_id))


def foretold(
    variant: Variant, before: Position, orders: Mapping[str, Sequence[Order]], rulebook: Rulebook
) -> tuple[Position, dict[str, Any], dict[str, object]]:
    """Return the position to which orders would lead, their results, and, with these as `report`,
    all of it as facts for templates."""
    after, found = play(variant, before, orders, rulebook)
    told = with_words(found, variant)
    ends = {name: found[name] for name in ("winners", "ending")}
    return after, told, {"report": told, "after": standings(variant, after), **ends}
