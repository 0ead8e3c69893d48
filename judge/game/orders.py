"""Order lines of a mail: read, checked, and put on file."""

from __future__ import annotations

import re
from typing import Literal

from judge.game.command import Answer
from judge.game.sheet import place
from judge.game.state import State
from judge.game.visit import Item, Visit
from judge.language.names import Names, words_of
from judge.language.read import Reading, read, split_orders
from judge.language.write import describe
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Unreadable,
    Waive,
)
from judge.rules.phase import Kind

FITTING: dict[Kind, tuple[type[Order], ...]] = {
    Kind.MOVEMENT: (Hold, Move, Support, Convoy),
    Kind.RETREATS: (Retreat, Disband),
    Kind.ADJUSTMENTS: (Build, Disband, Waive),
}
"""The orders that each type of phase knows."""

_DOING = re.compile(
    r"--?>|[-–—→=]"
    r"|\b(?:holds?|stands?|supports?|convoys?|moves?|retreats?|disbands?|to|[hscmrd])\b",
    re.IGNORECASE,
)
_KINDS = {"a", "f", "army", "fleet"}
_VERBS = {"build", "remove", "disband", "retreat", "waive", "move", "hold", "support", "convoy"}
_MOST_WORDS = 12
"""A line of more words than this is prose, whatever it names."""


def looks_like_order(line: str, names: Names) -> bool:
    """Whether a line that could not be read was probably meant as an order.

    It begins as orders do, with a unit, a province or a verb (a power may come first), names a
    province, and says something to do; what people write to a human being seldom does all three.
    """
    words = list(words_of(line))
    if words and words[0] in names.powers.exact:
        del words[0]
    if not words or len(words) > _MOST_WORDS:
        return False
    places = [word for word in words if len(word) > 2 and word in names.provinces.exact]
    if words[0] in _VERBS:
        return bool(places) or words[0] == "waive"
    if words[0] in _KINDS:
        return bool(places) or _DOING.search(line.partition(" ")[2]) is not None
    return words[0] in places and _DOING.search(line) is not None


def take(visit: Visit, line: str) -> list[Item]:
    """Carry out a line of orders for the power or powers of this visit; [] when it is none."""
    state = visit.state
    seats = visit.playing()
    if state is None or not seats or state.game.state != "active":
        return []
    names = Names.of(state.variant)
    items = []
    for text in split_orders(line, state.variant):
        reading = read(text, state.variant, state.opened.phase, seats[0].power, state.opened)
        order = reading.order
        if not isinstance(order, Unreadable):
            items.append(_take_one(visit, state, text, reading))
        elif items or (order.unit and order.unit.kind) or looks_like_order(text, names):
            answer = Answer("unreadable_order", {"problem": order.problem})
            items.append(Item(text, "refused", answer, write=_instead(state, reading)))
    return items


def _instead(state: State, reading: Reading) -> str | None:
    """A line to write instead of one that could not be read: what it may have meant, or a hold."""
    order = reading.order
    power = reading.owner
    for offer in reading.offers:
        for each in (power, *state.variant.powers):
            if each is not None and state.check(each, offer).problem is None:
                return str(offer)
    if not isinstance(order, Unreadable) or order.unit is None:
        return None
    if state.opened.phase.kind is Kind.MOVEMENT:
        for units in state.opened.units.values():
            for unit in units:
                if unit.province == order.unit.province:
                    return f"{unit} H"
    return None


def _take_one(visit: Visit, state: State, text: str, reading: Reading) -> Item:
    order = reading.order
    kind = state.opened.phase.kind
    power = _power(visit, state, order)

    def refused(code: str, write: str | None = None, **facts: object) -> Item:
        known = {"phase": str(state.opened.phase), "power": power, "sheet": state.sheet(power)}
        return Item(text, "refused", Answer(code, known | facts), str(order), write)

    if not isinstance(order, FITTING[kind]):
        return refused("wrong_phase")
    if power not in state.owed:
        return refused("nothing_to_decide")
    if reading.owner is not None and reading.owner != power:
        return refused("not_your_unit", owner=reading.owner)
    checked = state.check(power, order)
    if checked.problem is not None:
        earlier = _on_file(state, power, checked.order)
        return refused(
            "impossible_order",
            checked.suggestion,
            problem=checked.problem,
            earlier=None if earlier is None else str(earlier),
        )
    _file(visit, state, power, checked.order)
    words = describe(checked.order, state.variant)
    answer = Answer("order", {"words": words, "power": power})
    taken: Literal["order"] = "order"
    return Item(text, taken, answer, str(checked.order))


def _power(visit: Visit, state: State, order: Order) -> str:
    """For which of the writer's powers an order is: the one whose unit it names, else his first."""
    powers = [seat.power for seat in visit.playing() if seat.power]
    position = state.opened
    where = place(order)
    for power in powers:
        units = position.units.get(power, ())
        dislodged = [each.unit for each in position.dislodged.get(power, ())]
        homes = position.centers.get(power, ())
        if where in [unit.province for unit in (*units, *dislodged)] or where in homes:
            return power
    return powers[0]


def _on_file(state: State, power: str, order: Order) -> Order | None:
    """What is on file for the same unit."""
    for other in state.orders.get(power, ()):
        if place(other) is not None and place(other) == place(order):
            return other
    return None


def _file(visit: Visit, state: State, power: str, order: Order) -> None:
    """Put an order on file: a unit has one, the last; a mail's adjustments replace earlier ones."""
    orders = list(state.orders.get(power, ()))
    if state.opened.phase.kind is Kind.ADJUSTMENTS:
        begun = (state.game.id, power)
        if begun not in visit.adjusted:
            visit.adjusted.add(begun)
            orders = []
    kept = [other for other in orders if place(other) != place(order)]
    state.file(power, [*kept, order], visit.mail.received_at, visit.mail.id)
    state.game.last_change = visit.now
