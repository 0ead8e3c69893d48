"""What a line orders, whether it can be carried out, and what to write where it cannot.

Pure: the board and whose orders are taken come in as a `OrderContext`, nothing is put on file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from judge.game.orders.later import foresee
from judge.game.orders.likeness import (
    GOES,
    is_formal,
    looks_like_order,
    meanings,
    names_unit,
    with_coasts,
)
from judge.game.orders.order_context import OrderContext
from judge.game.state.answers import Answer
from judge.game.state.sheet import fill
from judge.i18n import say
from judge.language.cover import ATTEMPT, BARRING, CONDITION, MARK, NEGATION, ORDER, WORD
from judge.language.drafts import Aiding, ForAll, Parse
from judge.language.line import LineReading, Part, Reading
from judge.language.misreadings import Fault, Misreading
from judge.language.names import Names, words_of
from judge.language.read import Reader
from judge.language.vocabulary import LINE, SAID
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
from judge.rules.problems import Said
from judge.sentences import Wording
from judge.sentences.terms import place_words

FITTING: dict[Kind, tuple[type[Order], ...]] = {
    Kind.MOVEMENT: (Hold, Move, Support, Convoy, Launch, Relay, Proxy),
    Kind.RETREATS: (Retreat, Disband),
    Kind.ADJUSTMENTS: (Build, Disband, Waive),
}
"""The orders that each type of phase knows."""

_MOST_OFFERS = 3


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
    left: tuple[str, ...] = ()
    """The words of its line that were not understood and cannot change its meaning."""
    barred: tuple[str, ...] = ()
    """The words left over on its line that may change its meaning."""
    question: str = ""
    """The line, where it asks whether this can be ordered, and says nothing else."""
    general: bool = False
    """Whether its line is for all units that it does not name, of which this is one."""

    @cached_property
    def place(self) -> str | None:
        """The province whose unit it is for."""
        return place(self.order)

    @property
    def denied(self) -> bool:
        """Whether it is left out for a word that denies it, and no condition."""
        words = (word for each in self.barred for word in words_of(each))
        return not self.hangs and any(word in LINE[NEGATION] for word in words)

    @property
    def hangs(self) -> bool:
        """Whether it is left out for a condition on its line, in whatever language."""
        return isinstance(self.order, Unreadable) and isinstance(self.order.problem, Said)


def ask(
    line: str,
    turn: OrderContext,
    power: str | None = None,
    later: Phase | None = None,
    before: str = "",
) -> list[InterpretedOrder]:
    """Return the orders on a line, each by itself; [] when it is none and looks like none.

    `power` is whose orders these are unless a line says so itself, `later` the phase they are for
    if not the one that is open: then it is not asked what stands where. `before` is the order
    above the line, which it may speak of.

    Where words are left over that may change the meaning, no order of the line is taken: each is
    offered as what it would be by itself.
    """
    if later is not None and turn.later is None:
        turn = replace(turn, position=None, seen=turn.position, later=later)
    said = taken_apart(line, turn)
    if not said.orders:
        return []
    found = list(_PartialLine(turn, power, before).read(said))
    # What was tried as an order, and is none.
    other = [each.text for each in found if each.kind == "text"]
    bars = [each.text for each in said.barred]
    bars += [
        each.text
        for each in found
        if each.kind != "order" and _names_command(each.text, turn.commands)
    ]
    # What names a place may be an order for a unit there, in words that nobody read; beside an
    # order, what names others for them.
    reads = any(each.kind == "order" for each in found)
    bars += [each for each in other if _names_place(each, turn) or (reads and _names_all(each))]
    if bars and len(other) < len(found):
        return _all_barred(found, said, tuple(bars), turn)
    if len(said.orders) == 1 and found:
        # What is left over is shown where nothing else on the line is.
        found[0] = replace(found[0], text=line)
    good = (number for number, each in enumerate(found) if each.kind == "order")
    left = (*said.left_over, *other)
    if left and (first := next(good, None)) is not None:
        found[first] = replace(found[first], left=left)
    if all(each.kind == "text" for each in found):
        return []
    return [each for each in found if each.kind != "text"]


def _names_place(text: str, turn: OrderContext) -> bool:
    """Return whether a text names a place, in full or where a unit of the writer's is."""
    known = Names.of(turn.variant).provinces.exact
    named = {word: known[word] for word in words_of(text) if len(word) > 2 and word in known}
    return any(len(word) > 3 or turn.owner(each) in turn.mine for word, each in named.items())


def _names_all(text: str) -> bool:
    """Return whether a text names all units, or all others."""
    return any(word in SAID["all"] or word in SAID["rest"] for word in words_of(text))


def _all_barred(
    found: list[InterpretedOrder], said: LineReading, bars: tuple[str, ...], turn: OrderContext
) -> list[InterpretedOrder]:
    """Return the orders of a line with words that may change them; none if it tells of orders."""
    asks = said.text.rstrip().endswith("?") and all(each.kind != ORDER for each in said.orders)
    if asks or _is_told(said, Names.of(turn.variant)):
        return []
    barred = [_barred(each, said, bars, turn) for each in found if each.kind != "text"]
    if len(barred) == 1 and _only_asks(said):
        barred = [replace(barred[0], question=said.text)]
    return barred


def _only_asks(said: LineReading) -> bool:
    """Return whether a line asks for one order, in words that change nothing of it."""
    words = [each for each in said.parts if each.kind not in (ORDER, MARK)]
    asks = bool(words) and words[-1].text == "?" and said.parts[-1] is words[-1]
    beside = {each.kind for each in words[:-1]}
    return asks and bool(beside) and not beside & (BARRING - {WORD} | {ATTEMPT})


class _PartialLine(Struct):
    """What is known while the orders of a line are read from left to right."""

    turn: OrderContext
    power: str | None
    before: str

    def read(self, said: LineReading) -> Iterator[InterpretedOrder]:
        """Yield the orders of a line, those that need the others last."""
        done = set[str]()
        for part in said.orders:
            assert part.found is not None
            for number, found in enumerate([part.found, *(Parse(each, 0) for each in part.more)]):
                text = part.text if number == 0 else ""
                for asked in self._one(text, found, frozenset(done)):
                    if asked.problem is not None and not asked.text:
                        # What is refused is quoted, whatever of its words was.
                        asked = replace(asked, text=part.text)
                    if asked.place is not None and asked.kind == "order":
                        done.add(asked.place)
                    if asked.read is not None and not isinstance(asked.order, Waive):
                        self.before = asked.read
                    yield asked

    def _one(
        self, text: str, found: Parse | Reading, done: frozenset[str]
    ) -> Iterator[InterpretedOrder]:
        turn, draft = self.turn, found.order
        if isinstance(draft, ForAll):
            # What the line orders counts, and the lines above it; else what is on file.
            above = (
                turn.ordered if turn.ordered != turn.filed.keys() or not done else frozenset[str]()
            )
            whose = found.owner or self.power
            yield from _for_all(text, draft, replace(turn, ordered=above | done), whose)
            return
        if isinstance(draft, Aiding):
            found = self._aiding(text, draft)
        yield _asked(text, found, turn, self.power)

    def _aiding(self, text: str, draft: Aiding) -> Reading:
        """Return an order that aids the one before it."""
        if not self.before:
            return Reading(Unreadable(text, Misreading(Fault.NO_UNIT, draft.verb), draft.unit))
        # Who aids an aid aids the unit that it is for.
        said = f"{draft.unit} {draft.verb} {_AID.split(self.before)[-1]}"
        return Reader.of(self.turn.variant).read(said, self.turn.wanted)


_AID = re.compile(r" [SC] ")


def taken_apart(line: str, turn: OrderContext) -> LineReading:
    """Return how the whole of a line is read where a turn's orders and commands may stand."""
    return Reader.of(turn.variant).line(line, turn.wanted, turn.commands)


def gives_order(line: str, turn: OrderContext) -> bool:
    """Return whether a line gives an order, rightly or wrongly spelled, rather than tells of
    orders."""
    said = taken_apart(line, turn)
    return any(map(_gives, said.parts)) and not _is_told(said, Names.of(turn.variant))


def _is_told(said: LineReading, names: Names) -> bool:
    """Return whether a line tells of orders: most of it is other words, and none is formal."""
    inside = beside = 0
    for each in said.parts:
        words = len(each.text.split())
        inside += words * _gives(each)
        # What might be an order and names no unit is words.
        beside += words * (each.kind in _BESIDE or (each.kind == ATTEMPT and not _gives(each)))
    return beside > inside and not any(is_formal(each.text, names) for each in said.orders)


def _gives(part: Part) -> bool:
    """Return whether a part of a line is an order, or names the unit that it may be meant for."""
    order = part.found and part.found.order
    return part.kind == ORDER or (isinstance(order, Unreadable) and names_unit(order))


_BESIDE = BARRING | {WORD}


def _names_command(text: str, commands: Collection[str]) -> bool:
    """Return whether a text has the name of a command in it."""
    words = text.lower().split()
    starts = range(len(words))
    return any(
        " ".join(words[at:end]) in commands for at in starts for end in range(at + 1, at + 4)
    )


def _barred(
    asked: InterpretedOrder, said: LineReading, bars: tuple[str, ...], turn: OrderContext
) -> InterpretedOrder:
    """Return an order that shares its line with words that may change its meaning."""
    if asked.kind != "order" or asked.problem is not None:
        return replace(asked, barred=bars)
    offers = () if asked.read is None else (asked.read,)
    if condition := said.words_of(CONDITION):
        problem = say(
            "it hangs on “{condition}”, and an order for this phase has no conditions",
            condition=condition,
        )
        return replace(_unread(asked, Said(problem), problem, offers), barred=bars)
    left = " … ".join(bars[:_MOST_LEFT])
    fault = Misreading(Fault.LEFT_OVER, left, after=asked.read or "")
    unread = _unread(asked, fault, Wording(fault, turn.variant), offers)
    return replace(unread, barred=bars)


_MOST_LEFT = 6
"""Words that are named of those that were left over."""


def _for_all(
    text: str, said: ForAll, turn: OrderContext, power: str | None
) -> Iterator[InterpretedOrder]:
    """Yield a hold for each unit that a line means without its name, or where due a disbandment."""
    position = turn.position or turn.seen
    if position is None:
        yield InterpretedOrder(text, "text", Unreadable(text, Misreading(Fault.EMPTY)))
        return
    powers = (power,) if power else turn.mine
    orders: list[tuple[str, Hold | Disband]] = []
    for each in powers:
        if turn.wanted is Kind.MOVEMENT:
            orders += [(each, Hold(unit)) for unit in position.units.get(each, ())]
        else:
            orders += [(each, Disband(lost.unit)) for lost in position.dislodged.get(each, ())]
    others = turn.ordered | turn.filed.keys() if said.stays else turn.ordered
    meant = [
        (each, order)
        for each, order in orders
        if not said.kinds or order.unit.kind in said.kinds
        if not said.rest or order.unit.province not in others
        if order.unit.province not in said.but
    ]
    for number, (each, order) in enumerate(meant):
        found = _order("" if number else text, Reading(order, each), turn, each)
        yield replace(found, general=True)


def _unread(
    asked: InterpretedOrder, fault: Said | Misreading, problem: object, offers: tuple[str, ...]
) -> InterpretedOrder:
    """Return an order that is not taken as it was read, for a `problem` that its writer is told."""
    order = Unreadable(asked.text, fault, getattr(asked.order, "unit", None))
    why = Answer("unreadable_order", {"problem": problem})
    return replace(asked, kind="unknown", order=order, read=None, problem=why, offers=offers)


def _asked(
    text: str, found: Parse | Reading, turn: OrderContext, power: str | None
) -> InterpretedOrder:
    """Return a piece of a line that is an order, or was meant as one."""
    reader, whose = Reader.of(turn.variant), power or (turn.powers[0] if turn.powers else None)

    def placed(owner: str | None) -> Reading:
        return reader.placed(text, found, turn.wanted, owner, turn.position, turn.rulebook)

    reading = placed(whose)
    order = reading.order
    if not isinstance(order, Unreadable):
        asked = _order(text, reading, turn, power)
        return _doubted(asked, turn)
    if looks_like_order(text, order, Names.of(turn.variant)):
        problem = Answer("unreadable_order", {"problem": Wording(order.problem, turn.variant)})
        offers = _offers(turn, reading, power)
        return InterpretedOrder(text, "unknown", order, None, power, problem, offers)
    return InterpretedOrder(text, "text", order)


def _doubted(asked: InterpretedOrder, turn: OrderContext) -> InterpretedOrder:
    """Return an order, or a question where a slip may have made it of another one."""
    if turn.position is None or asked.problem is not None or GOES.search(asked.text):
        return asked
    units = [unit for power in turn.mine for unit in turn.position.units.get(power, ())]
    found = meanings(asked.text, asked.order, turn.variant, units)
    if not found:
        return asked
    fault = Misreading(Fault.AMBIGUOUS, candidates=found)
    return _unread(asked, fault, Wording(fault, turn.variant), found)


def _offers(turn: OrderContext, reading: Reading, power: str | None) -> tuple[str, ...]:
    """Return what a line that could not be read may have meant, as far as that can be done."""
    owner = reading.owner or power
    powers = turn.mine if owner is None else (owner,)
    good = [
        offer
        for offer in reading.offers
        if turn.position is None or any(turn.check(each, offer).problem is None for each in powers)
    ]
    return tuple(order_text(offer, turn.kind) for offer in good[:_MOST_OFFERS])


def _whose(
    reading: Reading, turn: OrderContext, power: str | None
) -> tuple[str | None, str | None]:
    """Return the writer's power whose unit an order is for, and whose order it is."""
    where = place(reading.order)
    owner = turn.owner(where)
    mine = owner if owner in turn.mine else None
    whose = reading.owner or power or mine
    if owner is not None and reading.owner in (None, owner):
        whose = turn.lent.get(where or "", whose)
    if reading.owner is None and power is not None and mine is not None:
        whose = mine if turn.powers is not None else power
    return mine, whose


def _order(text: str, reading: Reading, turn: OrderContext, power: str | None) -> InterpretedOrder:
    """Return an order that could be read, checked as far as there is a position."""
    order, where = reading.order, place(reading.order)
    mine, whose = _whose(reading, turn, power)
    if whose is None and turn.powers:
        builds = turn.position is not None and isinstance(order, Waive)
        # Each of these could waive.
        building = [
            each for each in turn.powers if builds and (owed := turn.owed.get(each)) and owed.builds
        ]
        if len(building) > 1:
            text_of = order_text(order, turn.wanted)
            offers = tuple(f"{each} {text_of}" for each in building)
            asked = InterpretedOrder(text, "order", order, text_of, None)
            return replace(asked, problem=Answer("whose_order"), offers=offers)
        whose = building[0] if building else turn.powers[0]
    asked = InterpretedOrder(text, "order", order, order_text(order, turn.wanted), whose)
    if turn.later is not None:
        return _foreseen(asked, turn, turn.later, named=reading.owner or power or mine)
    if turn.position is None:
        return asked
    if whose is None:
        problem = say("it does not say whose order it is")
        if where is not None:
            problem = say("no unit stands in {place}", place=place_words(where, turn.variant.board))
        facts = {"problem": problem, "earlier": None}
        return replace(asked, problem=Answer("impossible_order", facts))
    return _checked(asked, whose, turn)


def _foreseen(
    asked: InterpretedOrder, turn: OrderContext, later: Phase, named: str | None
) -> InterpretedOrder:
    """Return an order for a later phase, checked as far as it can be; `named` is whose it is."""
    power = asked.power
    if power is None:
        return asked
    if power not in turn.mine:
        owned = Answer("not_your_unit", {"owner": power, "power": turn.mine[0]})
        return replace(asked, problem=owned)
    if len(turn.mine) > 1 and named is None:
        offers = tuple(f"{each} {asked.read}" for each in turn.mine)
        return replace(asked, problem=Answer("whose_order"), offers=offers)
    if isinstance(asked.order, Proxy):
        return replace(asked, problem=Answer("no_proxy_ahead"))
    if not isinstance(asked.order, FITTING[later.kind]):
        return replace(asked, problem=Answer("wrong_phase_ahead", {"phase": str(later)}))
    checked = foresee(turn.variant, turn.rulebook, power, asked.order, later)
    if checked is None or checked.problem is None:
        return asked
    offers = () if checked.suggestion is None else (checked.suggestion,)
    facts = {"problem": Wording(checked.problem, turn.variant), "earlier": None}
    problem = Answer("impossible_order", facts)
    return replace(asked, problem=problem, offers=offers)


def _checked(asked: InterpretedOrder, power: str, turn: OrderContext) -> InterpretedOrder:
    assert turn.position is not None
    order = asked.order
    owed = turn.owed

    def refused(code: str, *offers: str, **facts: object) -> InterpretedOrder:
        sheet = fill(turn.variant, turn.kind, power, owed.get(power), ())
        known = {"phase": str(turn.phase), "power": power, "sheet": sheet}
        return replace(asked, problem=Answer(code, known | facts), offers=offers)

    where = asked.place
    lent = where is not None and turn.lent.get(where) == power
    if power not in turn.mine and not lent:
        return refused("not_your_unit", owner=power, power=turn.mine[0])
    if isinstance(order, Proxy) and (lent or not turn.proxies):
        return refused("no_proxy", allowed=turn.proxies)
    if not isinstance(order, FITTING[turn.kind]):
        kinds = [kind for kind, known in FITTING.items() if isinstance(order, known)]
        now = turn.phase or turn.variant.start_phase
        later = str(turn.variant.calendar.following(now, *kinds))
        return refused("wrong_phase", *_as_move(order, turn, power), later=later)
    if power not in owed:
        return refused("nothing_to_decide")
    checked = turn.check(power, order)
    if checked.problem is not None:
        offers = tuple(_instead(turn, power, order, checked.suggestion))
        problem = Wording(checked.problem, turn.variant)
        return refused("impossible_order", *offers, problem=problem, earlier=None)
    order, read = checked.order, order_text(checked.order, turn.kind)
    return InterpretedOrder(asked.text, asked.kind, order, read, power)


def _as_move(order: Order | None, turn: OrderContext, power: str) -> Iterator[str]:
    """Yield the move that a retreat says where units move: `the fleet goes back to Ankara`."""
    if isinstance(order, Retreat) and turn.kind is Kind.MOVEMENT:
        move = turn.check(power, Move(order.unit, order.to))
        if move.problem is None:
            yield order_text(move.order, turn.kind)


def _instead(turn: OrderContext, power: str, order: Order, suggestion: str | None) -> Iterator[str]:
    """Return orders near an impossible one that would do: all the coasts that can be meant."""
    coasts = [
        offer for offer in with_coasts(order, turn.variant) if not turn.check(power, offer).problem
    ]
    if coasts:
        yield from (order_text(offer, turn.kind) for offer in coasts)
    elif suggestion is not None:
        yield suggestion
