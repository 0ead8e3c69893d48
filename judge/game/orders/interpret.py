"""What a line orders, whether it can be carried out, and what to write where it cannot.

Pure: the board and whose orders are taken come in as a `OrderContext`, nothing is put on file.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from judge.game.orders.later import foresee
from judge.game.orders.likeness import (
    ANY,
    GOES,
    looks_like_order,
    meanings,
    names_other_phase,
    names_unit,
    places_named,
    power_named,
    with_coasts,
)
from judge.game.state import State
from judge.game.state.answers import Answer
from judge.game.state.boards import standing
from judge.game.state.sheet import fill, lent_to, places_of
from judge.game.visibility.fog import part_of, seen
from judge.i18n import say
from judge.language.names import Names
from judge.language.phrases import Phrases
from judge.language.problems import Fault, Misreading
from judge.language.read import Reading, read, split_orders
from judge.rules import engine
from judge.rules.engine import Checked, Owed
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Launch,
    Move,
    Order,
    Proxy,
    Relay,
    Retreat,
    Support,
    Unreadable,
    Waive,
    order_text,
    place,
)
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position
from judge.rules.problems import Code, Illegal, Said
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.sentences import Wording
from judge.sentences.terms import place_words

FITTING: dict[Kind, tuple[type[Order], ...]] = {
    Kind.MOVEMENT: (Hold, Move, Support, Convoy, Launch, Relay, Proxy),
    Kind.RETREATS: (Retreat, Disband),
    Kind.ADJUSTMENTS: (Build, Disband, Waive),
}
"""The orders that each type of phase knows."""

_CONDITION = re.compile(
    rf"\W*(?:(?:and|but|only|or)\s+)?(?:{ANY['condition']})\b(?!\s+(?:{ANY['wish']}))",
    re.IGNORECASE,
)
_LABEL = re.compile(r"([^:：]{1,100})[:：]\s*(?=\S)")
_NOT_NOW = re.compile(rf"\b(?:{ANY['not_now']})\b", re.IGNORECASE)
_REMARK = re.compile(
    rf"(?<!\s)\s*\((?![^()]*(?:\b(?:{ANY['no_remark']})\b|\?))[^()]{{3,}}\)[\s.!]*\Z", re.IGNORECASE
)
_SENTENCES = re.compile(r"(?<=\w\w\w)[.!]+\s+(?=\w)")
_MOST_SENTENCES = 9
_MOST_OFFERS = 3
_MOST_PIECES = 40  # of a line with more none is taken apart further
_DEEPEST = 8  # a piece that was cut from others as often is not


class InterpretedOrder(Struct, frozen=True, dict=True):
    """A piece of a line that is an order, or was meant as one.

    `read` is canonical, None for what could not be read; `order` is then Unreadable. `power` is
    whose order it is, None where nothing says. `problem` and `offers` as in `lines.Line`.
    """

    text: str
    kind: Literal["order", "unknown", "text"]
    order: Order
    read: str | None = None
    power: str | None = None
    problem: Answer | None = None
    offers: tuple[str, ...] = ()

    @cached_property
    def place(self) -> str | None:
        """The province whose unit it is for."""
        return place(self.order)

    @property
    def hangs(self) -> bool:
        """Whether it is left out for a condition on its line, in whatever language."""
        return isinstance(self.order, Unreadable) and isinstance(self.order.problem, Said)


def ask(
    line: str, desk: OrderContext, power: str | None = None, later: Phase | None = None
) -> list[InterpretedOrder]:
    """The orders on a line, each by itself; [] when it is none and looks like none.

    `power` is whose orders these are unless a line says so itself, `later` the phase they are for
    if not the one that is open: then it is not asked what stands where.
    """
    if later is not None and desk.later is None:
        desk = replace(desk, position=None, seen=desk.position, later=later)
    found = list(_pieces(line, desk, power))
    # What lets all units hold, or disband, is read as no order of another sort.
    other = (each.kind == "order" and not isinstance(each.order, Hold | Disband) for each in found)
    if not (found and all(other)) and (several := list(_for_all(line, desk, power))):
        return several
    more = [each for each in found if each.kind != "order" or _REMARK.search(each.text)]
    if more and 1 < len(found) < _MOST_PIECES and desk.depth < _DEEPEST:
        done = {each.place for each in found if each.kind == "order" and each.place}
        there = replace(desk, ordered=frozenset(done) or desk.ordered, depth=desk.depth + 1)
        found = list(_taken_apart(found, more, there, power))
    unread = any(each.kind != "order" for each in found)
    if unread or _REMARK.search(line) or any(each.problem for each in found):
        for lines in Phrases.of(desk.variant).apart(line):
            several = list(_several(lines, desk, power))
            # What can be read as it stands is taken so, unless all goes well.
            if all(each.kind == "order" and (unread or not each.problem) for each in several):
                return [replace(several[0], text=line), *several[1:]]
    said = _SENTENCES.split(line)
    if unread and 1 < len(said) < _MOST_SENTENCES:
        texts = [
            InterpretedOrder(each, "text", Unreadable(each, Misreading(Fault.EMPTY)))
            for each in said
        ]
        several = list(_taken_apart(texts, texts, desk, power))
        # Where most of it is talk, orders are talked about.
        if 2 * _goods(several) >= len(several) and _goods(several) > _goods(found):
            return several
    if condition := next(
        (each.text for each in found if each.kind != "order" and _CONDITION.match(each.text)), None
    ):
        return [_hanging(each, condition) for each in found]
    if found and found[0].kind != "order" and (label := _LABEL.match(line)):
        # What stands before a colon may say what follows, and for whom.
        if _NOT_NOW.search(label[1]) or names_other_phase(label[1], desk.variant, desk.phase):
            return []
        named = power_named(label[1], desk.variant)
        labeled = list(_pieces(line[label.end() :], desk, named or power))
        if labeled and labeled[0].kind == "order":
            # A unit before a colon is no label for the order of another one.
            return labeled if places_named(label[1], desk.variant) <= {labeled[0].place} else found
    return found if any(each.kind != "text" for each in found) else []


def _goods(pieces: Sequence[InterpretedOrder]) -> int:
    return sum(each.kind == "order" and each.problem is None for each in pieces)


def _taken_apart(
    found: Sequence[InterpretedOrder],
    more: Sequence[InterpretedOrder],
    desk: OrderContext,
    power: str | None,
) -> Iterator[InterpretedOrder]:
    """The pieces of a line, with `more` of them each read by itself and by the order before it."""
    before = ""
    for each in found:
        named = Phrases.of(desk.variant).named(each.text, before) if each in more else None
        read = ask(named or each.text, desk, power, desk.later) if each in more else []
        before = next((piece.read for piece in read or [each] if piece.read), before)
        yield from (
            [replace(read[0], text=each.text), *read[1:]] if read and named else read or [each]
        )


def _several(
    lines: Sequence[str], desk: OrderContext, power: str | None
) -> Iterator[InterpretedOrder]:
    """The orders that one sentence comes to; only what is wrong is shown in words of its own."""
    before = ""
    for line in lines:
        text = Phrases.of(desk.variant).named(line, before) or line
        found = ask(text, desk, power, desk.later) or [
            InterpretedOrder(text, "text", Unreadable(text, Misreading(Fault.EMPTY)))
        ]
        done = desk.ordered.union(each.place for each in found if each.place)
        desk, before = replace(desk, ordered=done), found[0].read or ""
        yield from (each if each.problem else replace(each, text="") for each in found)


def _for_all(line: str, desk: OrderContext, power: str | None) -> Iterator[InterpretedOrder]:
    """A hold for each unit that a line lets hold without naming it, or a disbandment for each that
    is dislodged; the line stands before the first of them."""
    kind = desk.wanted
    said = None if kind is Kind.ADJUSTMENTS else Phrases.of(desk.variant).for_all(line, kind)
    position = desk.position or desk.seen
    if said is None or position is None:
        return
    powers = desk.mine if not (said.owner or power) else (said.owner or power or "",)
    orders: list[tuple[str, Hold | Disband]] = []
    for each in powers:
        if kind is Kind.MOVEMENT:
            orders += [(each, Hold(unit)) for unit in position.units.get(each, ())]
        else:
            orders += [(each, Disband(lost.unit)) for lost in position.dislodged.get(each, ())]
    others = desk.ordered | desk.filed if said.stays else desk.ordered
    meant = [
        (each, order)
        for each, order in orders
        if not said.kinds or order.unit.kind in said.kinds
        if not said.rest or order.unit.province not in others
    ]
    for number, (each, order) in enumerate(meant):
        yield _order("" if number else line, Reading(order, each), desk, each)


def _hanging(asked: InterpretedOrder, condition: str) -> InterpretedOrder:
    """An order that shares its line with a condition: it is not taken without it."""
    if asked.kind != "order" or asked.problem is not None:
        return asked
    problem = say(
        "it hangs on “{condition}”, and an order for this phase has no conditions",
        condition=condition,
    )
    offers = () if asked.read is None else (asked.read,)
    return _unread(asked, Said(problem), problem, offers)


def _unread(
    asked: InterpretedOrder, fault: Said | Misreading, problem: object, offers: tuple[str, ...]
) -> InterpretedOrder:
    """An order that is not taken as it was read, for a `problem` that its writer is told."""
    order = Unreadable(asked.text, fault, getattr(asked.order, "unit", None))
    why = Answer("unreadable_order", {"problem": problem})
    return replace(asked, kind="unknown", order=order, read=None, problem=why, offers=offers)


def _pieces(line: str, desk: OrderContext, power: str | None) -> Iterator[InterpretedOrder]:
    names = Names.of(desk.variant)
    phase = desk.phase or desk.variant.start_phase._replace(kind=desk.wanted)
    whose = power or (desk.powers[0] if desk.powers else None)
    for text in split_orders(line, desk.variant):
        reading = read(text, desk.variant, phase, whose, desk.position, desk.rulebook)
        if isinstance(reading.order, Unreadable) and (remark := _REMARK.search(text)):
            bare = read(
                text[: remark.start()], desk.variant, phase, whose, desk.position, desk.rulebook
            )
            reading = reading if isinstance(bare.order, Unreadable) else bare
        order = reading.order
        if not isinstance(order, Unreadable):
            asked = _order(text, reading, desk, power)
            if whose is None and asked.power is not None and desk.position is not None:
                # What a bare unit means depends on whose it is.
                reading = read(text, desk.variant, phase, asked.power, desk.position, desk.rulebook)
                if not isinstance(reading.order, Unreadable):
                    asked = _order(text, reading, desk, power)
            yield _doubted(asked, desk)
        elif names_unit(order) or looks_like_order(text, names):
            facts = {"problem": Wording(order.problem, desk.variant)}
            problem = Answer("unreadable_order", facts)
            offers = tuple(_offers(desk, reading, power))
            yield InterpretedOrder(text, "unknown", order, None, power, problem, offers)
        else:
            yield InterpretedOrder(text, "text", order)


def _doubted(asked: InterpretedOrder, desk: OrderContext) -> InterpretedOrder:
    """An order, or a question where a slip may have made it of another one."""
    if desk.position is None or asked.problem is not None or GOES.search(asked.text):
        return asked
    units = [unit for power in desk.mine for unit in desk.position.units.get(power, ())]
    found = meanings(asked.text, asked.order, desk.variant, units)
    if not found:
        return asked
    fault = Misreading(Fault.AMBIGUOUS, candidates=found)
    return _unread(asked, fault, Wording(fault, desk.variant), found)


def _offers(desk: OrderContext, reading: Reading, power: str | None) -> Iterator[str]:
    """Lines to write instead of one that could not be read: what it may have meant, or a hold
    where it names a unit only."""
    order = reading.order
    good = [offer for offer in reading.offers if _is_possible(desk, offer, reading.owner or power)]
    yield from (order_text(offer, desk.kind) for offer in good[:_MOST_OFFERS])
    if good or not isinstance(order, Unreadable) or order.unit is None:
        return
    if not isinstance(order.problem, Misreading) or order.problem.fault is not Fault.NO_ACTION:
        return
    if desk.position is not None and desk.kind is Kind.MOVEMENT:
        for units in desk.position.units.values():
            for unit in units:
                if unit.province == order.unit.province:
                    yield f"{unit} H"


def _is_possible(desk: OrderContext, order: Order, power: str | None) -> bool:
    if desk.position is None:
        return True
    powers = desk.mine if power is None else (power,)
    return any(desk.check(each, order).problem is None for each in powers)


def _order(text: str, reading: Reading, desk: OrderContext, power: str | None) -> InterpretedOrder:
    """An order that could be read, checked as far as there is a position."""
    order = reading.order
    # Without a power named, the unit tells whose order it is.
    where = place(order)
    owner = desk.owner(where)
    mine = owner if owner in desk.mine else None
    whose = reading.owner or power or mine
    if owner is not None and reading.owner in (None, owner):
        whose = desk.lent.get(where or "", whose)
    if reading.owner is None and power is not None and mine is not None:
        whose = mine if desk.powers is not None else power
    if whose is None and desk.powers:
        builds = desk.position is not None and isinstance(order, Waive)
        # Each of these could waive.
        building = [
            each for each in desk.powers if builds and (owed := desk.owed.get(each)) and owed.builds
        ]
        if len(building) > 1:
            text_of = order_text(order, desk.wanted)
            offers = tuple(f"{each} {text_of}" for each in building)
            asked = InterpretedOrder(text, "order", order, text_of, None)
            return replace(asked, problem=Answer("whose_order"), offers=offers)
        whose = building[0] if building else desk.powers[0]
    asked = InterpretedOrder(text, "order", order, order_text(order, desk.wanted), whose)
    if desk.later is not None:
        return _foreseen(asked, desk, desk.later, named=reading.owner or power or mine)
    if desk.position is None:
        return asked
    if whose is None:
        problem = say("it does not say whose order it is")
        if where is not None:
            problem = say("no unit stands in {place}", place=place_words(where, desk.variant.board))
        facts = {"problem": problem, "earlier": None}
        return replace(asked, problem=Answer("impossible_order", facts))
    return _checked(asked, whose, desk)


def _foreseen(
    asked: InterpretedOrder, desk: OrderContext, later: Phase, named: str | None
) -> InterpretedOrder:
    """An order for a later phase, checked as far as it can be now.

    `named` is whose order it is, by what is written or by what stands there now.
    """
    power = asked.power
    if power is None:
        return asked
    if power not in desk.mine:
        owned = Answer("not_your_unit", {"owner": power, "power": desk.mine[0]})
        return replace(asked, problem=owned)
    if len(desk.mine) > 1 and named is None:
        offers = tuple(f"{each} {asked.read}" for each in desk.mine)
        return replace(asked, problem=Answer("whose_order"), offers=offers)
    if isinstance(asked.order, Proxy):
        return replace(asked, problem=Answer("no_proxy_ahead"))
    if not isinstance(asked.order, FITTING[later.kind]):
        return replace(asked, problem=Answer("wrong_phase_ahead", {"phase": str(later)}))
    checked = foresee(desk.variant, desk.rulebook, power, asked.order, later)
    if checked is None or checked.problem is None:
        return asked
    offers = () if checked.suggestion is None else (checked.suggestion,)
    facts = {"problem": Wording(checked.problem, desk.variant), "earlier": None}
    problem = Answer("impossible_order", facts)
    return replace(asked, problem=problem, offers=offers)


def _checked(asked: InterpretedOrder, power: str, desk: OrderContext) -> InterpretedOrder:
    assert desk.position is not None
    order = asked.order
    owed = desk.owed

    def refused(code: str, *offers: str, **facts: object) -> InterpretedOrder:
        sheet = fill(desk.variant, desk.kind, power, owed.get(power), ())
        known = {"phase": str(desk.phase), "power": power, "sheet": sheet}
        return replace(asked, problem=Answer(code, known | facts), offers=offers)

    where = asked.place
    lent = where is not None and desk.lent.get(where) == power
    if power not in desk.mine and not lent:
        return refused("not_your_unit", owner=power, power=desk.mine[0])
    if isinstance(order, Proxy) and (lent or not desk.proxies):
        return refused("no_proxy", allowed=desk.proxies)
    if not isinstance(order, FITTING[desk.kind]):
        return refused("wrong_phase", later=str(_fitting_phase(desk, order)))
    if power not in owed:
        return refused("nothing_to_decide")
    checked = desk.check(power, order)
    if checked.problem is not None:
        offers = tuple(_instead(desk, power, order, checked.suggestion))
        problem = Wording(checked.problem, desk.variant)
        return refused("impossible_order", *offers, problem=problem, earlier=None)
    order, read = checked.order, order_text(checked.order, desk.kind)
    return InterpretedOrder(asked.text, asked.kind, order, read, power)


def _fitting_phase(desk: OrderContext, order: Order) -> Phase:
    """The next phase that knows such orders."""
    calendar = desk.variant.calendar
    phase = calendar.next(desk.phase or desk.variant.start_phase)
    while not isinstance(order, FITTING[phase.kind]):
        phase = calendar.next(phase)
    return phase


def _instead(desk: OrderContext, power: str, order: Order, suggestion: str | None) -> Iterator[str]:
    """Orders near an impossible one that would do: all the coasts that can be meant."""
    coasts = [
        offer for offer in with_coasts(order, desk.variant) if not desk.check(power, offer).problem
    ]
    if coasts:
        yield from (order_text(offer, desk.kind) for offer in coasts)
    elif suggestion is not None:
        yield suggestion


_OF_UNITS = (Hold, Move, Support, Convoy, Launch, Relay)


class OrderContext(Struct, frozen=True, dict=True):
    """A board, and for whom orders are taken.

    Without a `position` orders are read, but nothing says whether they can be carried out.
    `powers` are those whose orders the writer may give; None for all powers. `conditions`:
    whether orders may depend on what stands where. `later` is the phase that lines are for, if not
    the one that is open, whose position is `seen` then: it tells whose a unit is, not what it can.
    `proxies`: whether units may be left to other powers; `lent` are those left to `powers`, by
    province, with their owners. `unseen` are provinces of which the position says nothing, because
    the writer must not know what is there. `ordered` are those whose units have an order already,
    where the rest are said to hold: in a mail or, where that has none, on file (`filed`). `owing`
    is what `owed` says, where that is known. `depth` says how many times what is read was cut from
    a longer line.
    """

    variant: Variant
    position: Position | None = None
    rulebook: Rulebook | None = None
    powers: tuple[str, ...] | None = None
    conditions: bool = True
    proxies: bool = True
    lent: Mapping[str, str] = field(default_factory=dict)
    seen: Position | None = None
    later: Phase | None = None
    unseen: frozenset[str] = frozenset()
    ordered: frozenset[str] = frozenset()
    filed: frozenset[str] = frozenset()
    owing: Mapping[str, Owed] | None = None
    depth: int = 0

    @property
    def phase(self) -> Phase | None:
        """The phase that is open, as far as one is known."""
        return self.position.phase if self.position else None

    @property
    def kind(self) -> Kind:
        """What kind of orders is wanted."""
        return self.position.phase.kind if self.position else Kind.MOVEMENT

    @property
    def wanted(self) -> Kind:
        """What kind of orders lines are read as: those of the phase that they are for."""
        return self.kind if self.later is None else self.later.kind

    @property
    def owed(self) -> Mapping[str, Owed]:
        """What each power has to decide; only where there is a position."""
        return self._owed if self.owing is None else self.owing

    @cached_property
    def _owed(self) -> Mapping[str, Owed]:
        assert self.position is not None
        return engine.owed(self.variant, self.position)

    @property
    def mine(self) -> tuple[str, ...]:
        """The powers whose orders count."""
        return tuple(self.variant.powers) if self.powers is None else self.powers

    def check(self, power: str, order: Order) -> Checked:
        """Whether `power` can give this order now; only where there is a position.

        What it says of a place out of sight is believed: that there is a unit, and which.
        """
        assert self.position is not None
        checked = engine.check(self.variant, self.position, power, order, self.rulebook)
        if checked.problem is None or not self.unseen or self.kind is not Kind.MOVEMENT:
            return checked
        for position in self._imagined:
            possible = engine.check(self.variant, position, power, order, self.rulebook)
            if possible.problem is None:
                return dataclasses.replace(possible, order=self._as_written(order, possible.order))
        where = order.unit.province if isinstance(order, _OF_UNITS) else None
        if where in self.unseen:
            # Whether anybody else is there must not be told.
            problem = Illegal(code=Code.NOT_STANDING, place=where)
            return dataclasses.replace(checked, problem=problem, suggestion=None)
        return checked

    @cached_property
    def _imagined(self) -> tuple[Position, ...]:
        """The position with a unit in every place out of sight: of each kind where it can stand,
        of the first that can elsewhere."""
        assert self.position is not None
        others = [power for power in self.variant.powers if power not in self.mine]
        owner = (others or list(self.variant.powers))[0]
        board, known, found = self.variant.board, self.position.units, []
        for wanted in board.kinds.values():
            kinds = (wanted, *board.kinds.values())
            units = [
                next(unit for kind in kinds if (unit := standing(board, kind, each)))
                for each in sorted(self.unseen)
            ]
            there = {**known, owner: (*known.get(owner, ()), *units)}
            found.append(dataclasses.replace(self.position, units=there))
        return tuple(found)

    def _as_written(self, order: Order, fitted: Order) -> Order:
        """The order as it was fitted to an imagined position, the imagined unit as it was named."""
        if isinstance(order, Support) and isinstance(fitted, Support):
            if order.target.province in self.unseen:
                return dataclasses.replace(fitted, target=order.target, owner=order.owner)
        elif (
            isinstance(order, Convoy)
            and isinstance(fitted, Convoy)
            and order.army.province in self.unseen
        ):
            return dataclasses.replace(fitted, army=order.army, owner=order.owner)
        return fitted

    def owner(self, province: str | None) -> str | None:
        """Whose unit is in a province, a dislodged one first; in adjustments also whose home."""
        position = self.position or self.seen
        if position is None or province is None:
            return None
        for power, gone in position.dislodged.items():
            if any(each.unit.province == province for each in gone):
                return power
        for power, units in position.units.items():
            if any(unit.province == province for unit in units):
                return power
        if position.phase.kind is Kind.ADJUSTMENTS:
            for power, centers in position.centers.items():
                if province in centers:
                    return power
        return None


def order_context(state: State, powers: tuple[str, ...]) -> OrderContext:
    """Where orders of these powers are taken: with what they see, where the game is blind.

    Their orders are accepted whether or not what they name out of sight is there. They may depend
    on what stands where, except in blind games: a player would learn it from the reply.
    """
    position, variant, rulebook = state.opened, state.variant, state.rulebook
    blind, orders, owed = state.blind, state.orders, state.owed
    lent, ordered = lent_to(powers, orders), places_of(powers, orders)
    unseen: frozenset[str] = frozenset()
    if blind:
        known = seen(variant, position, powers) | frozenset(lent)
        position = part_of(position, known, powers)
        unseen = frozenset(variant.board.provinces) - known
    return OrderContext(
        variant,
        position,
        rulebook,
        powers,
        conditions=not state.settings.blind,
        proxies=state.settings.proxy,
        lent=lent,
        unseen=unseen,
        ordered=ordered,
        filed=ordered,
        owing=None if blind else owed,
    )
