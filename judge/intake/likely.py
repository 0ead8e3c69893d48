"""Orders in a writer's own words: no form of order was read, yet only one can be meant.

A sentence names places; the position says which of them are the writer's units, and where these
can go. Where the names divide into orders in one way only, these are offered, and never filed:
`my army from Paris she go to Burgundy and Spain is for Marseilles`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise, permutations
from typing import NamedTuple

from judge.game.orders.interpret import taken_apart
from judge.game.orders.order_context import OrderContext
from judge.game.orders.possible import goal, order_named
from judge.i18n import LANGUAGES
from judge.intake.nearby import Mention, NearNames, named, units_of
from judge.language.cover import COMMAND, CONDITION, CONTRAST, DOUBT, NEGATION, TIME
from judge.language.line import Part
from judge.language.speech import unbroken
from judge.language.vocabulary import (
    SAID,
    Phrases,
    Verb,
    Vocabulary,
    listed,
    tokens,
)
from judge.limits import BOUNDS
from judge.rules.board import province_of
from judge.rules.orders import Hold, Move, Order, Retreat, Support, order_text, place
from judge.rules.phase import Kind
from judge.rules.position import Unit


@dataclass
class Likely:
    """The orders that the text of a mail probably gives, by the province of their unit, and the
    rows that they stand in, each with what else it says.

    `given` are those of lines that were read, by province; they are not said again.
    """

    turn: OrderContext
    given: Mapping[str, Order]
    orders: dict[str, Order] = field(default_factory=dict)
    left: dict[int, str] = field(default_factory=dict)
    against: dict[str, str] = field(default_factory=dict)
    """What says something else of units whose orders were read, by their provinces."""
    bars: dict[str, Sequence[Part]] = field(default_factory=dict)
    """What bars sentences: each is read more than once."""
    _barred: set[str] = field(default_factory=set)
    _loose: dict[int, list[_Loose]] = field(default_factory=dict)

    @cached_property
    def near(self) -> NearNames:
        """What names only places near by."""
        return NearNames(self.turn)

    def read(
        self,
        rows: Mapping[int, str],
        offered: Sequence[tuple[str, str]] = (),
        known: Collection[int] = (),
    ) -> None:
        """Read rows of text, by their numbers: what goes on in the next row as one text, and each
        text with the one above where that says nothing whole. `offered` is what is offered instead
        of orders that were misspelled, each behind its own words; the rows that are `known` are
        read with others only."""
        texts = [each for each in _texts(rows) if not {*each.rows} <= {*known}]
        # An order may lead to a place that one below leaves.
        for _ in range(2):
            above = _Text((-1,), "")
            for each in texts:
                left = self._sentences(each, offered)
                if left is None and above.rows[-1] == each.rows[0] - 1:
                    both = _Text((*above.rows, *each.rows), f"{above.text} {each.text}")
                    left = self._sentences(both, offered)
                    each = both if left is not None else each
                if left is not None:
                    self.left |= {**dict.fromkeys(each.rows, ""), each.rows[0]: left}
                above = each if left is None else _Text((-1,), "")
            if not self.orders:
                return

    def _offered(self, text: str) -> Order | None:
        """Return the writer's order that a line offers."""
        power, order = order_named(text, self.turn) or ("", None)
        mine = order is not None and power in self.turn.mine and place(order)
        return self.turn.check(power, order).order if order is not None and mine else None

    def bar(self, order: Order) -> None:
        """Hear an order that is not carried out: its unit is in doubt where it says another."""
        where = place(order)
        if where is not None and self.orders.get(where, order) != order:
            self._barred.add(where)
            del self.orders[where]

    def finish(self) -> None:
        """Order the units that no order was found for to the places that are named with no unit
        (`and the boat out to the Mid-Atlantic`), if they can be divided among them in one way only:
        to those of its own sentence what is named."""
        units = units_of(self.turn)
        rest = [each for each in units if each not in self.orders and each not in self.given]
        loose = [each for row in self._loose.values() for each in row]
        barred = self._barred.union(*(each.barred for each in loose))
        named = {each.province: each.text for each in loose if each.province in units}
        goals = {
            each.province: each.text
            for each in loose
            if each.province and each.province not in units and self._is_new(each.province)
        }
        doubted = any(each.doubted and each.province in goals for each in loose)
        if doubted or not (self.orders or self.given or named) or not barred.isdisjoint(rest):
            return
        for order in self._divided(rest, named, goals):
            self._add(order)
            for number, row in self._loose.items():
                for each in row:
                    if each.province in (place(order), goal(order)):
                        left = self.left.get(number, each.row)
                        self.left[number] = left.replace(each.text, "").strip()

    def _divided(
        self, rest: Sequence[str], named: Mapping[str, str], goals: Mapping[str, str]
    ) -> Sequence[Order]:
        """Return the one way to order units to as many places, each with the sentence that names
        it; [] where there is none, or several."""
        if len(goals) != len(rest) or len(rest) > _MOST_RESTING:
            return []
        units = units_of(self.turn)
        ways = [
            [Move(units[unit], to) for unit, to in zip(rest, way, strict=True)]
            for way in permutations(goals)
            if all(named.get(at, goals[to]) == goals[to] for at, to in zip(rest, way, strict=True))
        ]
        fit = [way for way in ways if all(map(self._can, way))]
        return fit[0] if len(fit) == 1 else []

    def _can(self, order: Order) -> bool:
        return self.turn.check(self.turn.mine[0], order).problem is None

    def texts(self) -> dict[str, str]:
        """Return the orders in canonical form, by the province of their unit."""
        return {each: order_text(order, self.turn.wanted) for each, order in self.orders.items()}

    def _sentences(self, text: _Text, offered: Sequence[tuple[str, str]]) -> str | None:
        """Read the sentences of a text; return those that give no order, None where none does."""
        left: list[str] = []
        for row in text.rows:
            self._loose.pop(row, None)
        self._loose[text.rows[0]] = loose = list[_Loose]()
        every = _SENTENCES.split(text.text[: BOUNDS.line])
        last: str | None = None
        for sentence in every:
            divided = _Divided(sentence, self)
            read = max(self._instead(sentence, divided, offered), divided.orders(), key=len)
            orders = [each for each in read if each not in self.turn.filed.values()]
            loose.append(_Loose(text.text, sentence, "", barred=divided.barred))
            doubted = bool(divided.names) and bool(divided.bars)
            loose += [_Loose(text.text, sentence, each, doubted) for each in divided.loose(read)]
            for order in orders:
                last = self._add(order)
                if self.given.get(last, order) != order:
                    self.against[last] = sentence
            if orders:
                continue
            left.append(sentence)
            named = {each.province for each in divided.every}
            if last and any(map(self._is_new, named)) and named.isdisjoint(divided.units):
                # It may say that the order above is none: `No, to Spain.`
                self._barred.add(last)
                self.orders.pop(last, None)
            last = last if named.isdisjoint(divided.units) else None
        return " ".join(left) if len(left) < len(every) else None

    def _instead(
        self, sentence: str, divided: _Divided, offered: Sequence[tuple[str, str]]
    ) -> list[Order]:
        """Return what is offered instead of the orders of a sentence, where it names nothing else
        but units."""
        orders = [self._offered(offer) for said, offer in offered if said in sentence]
        known = {each for order in orders if order for each in _places(order, self.turn.wanted)}
        named = {each.province for each in divided.every}
        asks = sentence.rstrip().endswith("?")
        whole = not asks and None not in orders and named - known <= divided.units.keys()
        return [each for each in orders if each] if whole else []

    def _is_new(self, province: str) -> bool:
        """Return whether no order speaks of a province."""
        known = [*self.orders.values(), *self.given.values()]
        return not any(province in (place(each), goal(each)) for each in known)

    def _add(self, order: Order) -> str:
        where = order.unit.province  # type: ignore[union-attr]
        known = self.given.get(where) or self.orders.get(where, order)
        if known != order:
            # Spoken of in two ways, it is in doubt.
            self._barred.add(where)
        if where in self._barred or where in self.given:
            self.orders.pop(where, None)
        else:
            self.orders[where] = order
        return where

    def to(self, province: str | None, more: Mapping[str, Order]) -> Order | None:
        """Return the one order, of `more` ones, too, that leads to a province."""
        every = {**self.given, **self.orders, **more}.values()
        found = [each for each in every if province and goal(each) == province]
        return found[0] if len(found) == 1 else None

    def before(self, province: str | None) -> Order | None:
        """Return the order of the unit in a province, as far as one is known; of none, the last
        that was found, or else read."""
        if province is None:
            known = [*(self.orders or self.given).values()]
            return known[-1] if known else None
        return self.orders.get(province) or self.given.get(province)


_SENTENCES = re.compile(r"(?<=[\w)\"'][.!?;])\s+|;")
_CLAUSES = (",", ":", "(", ")")
_AND = SAID["and"]


class _Text(NamedTuple):
    """A text, and the rows that it stands in."""

    rows: tuple[int, ...]
    text: str


def _texts(rows: Mapping[int, str]) -> Iterator[_Text]:
    """Yield rows of text, with those in which they go on."""
    every = [rows.get(row, "") for row in range(max(rows, default=-1) + 1)]
    for run in unbroken(every):
        if run.start in rows:
            yield _Text((*run,), " ".join(every[run.start : run.stop]))


def _places(order: Order, kind: Kind) -> set[str]:
    """Return the provinces that an order names."""
    return {province_of(each) for each in order_text(order, kind).split() if len(each) > 1}


class _Loose(NamedTuple):
    """A place that a sentence of a row names and that is in no order, "" for none, whether words
    say more of it, and the units of which the sentence may say something else."""

    row: str
    text: str
    province: str
    doubted: bool = False
    barred: frozenset[str] = frozenset()


class _Divided:
    """A sentence, and the ways in which its places divide into orders."""

    def __init__(self, text: str, known: Likely) -> None:
        self.text = text
        self.known, self.turn = known, known.turn
        self.found = tokens(text)
        self.units = units_of(self.turn)
        self.acts = Vocabulary.of(self.turn.variant.board).acts[self.turn.wanted]
        self.every = list(named(self.found, self.turn.variant, known.near))
        self.kinds = list(self._kinds())
        self.names = self.every
        self.barred: frozenset[str] = frozenset()
        """The units that it names where something may change what it says of them."""

    def orders(self) -> list[Order]:
        """Return the orders; [] where anything may change them, or leaves a choice."""
        every = {each.province for each in (*self.every, *self.kinds)}
        if not every or len(self.every) > _MOST or self.text.rstrip().endswith("?"):
            return []
        denied = self.denied
        letters = any(len(each.text) == 1 and each.key in self.acts for each in self.found)
        if denied is None or letters:
            # `Mar S Pra - Bur`
            self.barred = frozenset(every & self.units.keys())
            return []
        if every.isdisjoint(self.units):
            return []
        names = [each for each in self.every if each not in denied]
        again = {after for before, after in pairwise(names) if before.province == after.province}
        best: list[Order] = []
        # `Par: A Par - Bur`, but `Rome to Venice, Venice to Trieste`.
        for less in (again, set[Mention]()) if again else (again,):
            self.names = sorted([*(each for each in names if each not in less), *self.kinds])
            best = max(best, self._divided(), key=len)
        return best

    def _divided(self) -> list[Order]:
        for most in range(_MOST_WRONG + 1):
            ways: dict[tuple[Order, ...], int] = {}
            for orders, left in self._from(0, (), most):
                ways[orders] = min(most - left, ways.get(orders, most))
            cost = {orders: wrong + self._in_the_way(orders) for orders, wrong in ways.items()}
            least = min(cost.values(), default=most + 1)
            if least <= most:
                found = [orders for orders, each in cost.items() if each == least]
                idle = {orders: self._idle(orders) for orders in found}
                found = [each for each in found if idle[each] == min(idle.values())]
                # Who understands less of it reads nothing else.
                best = [each for each in found if not any({*each} < {*more} for more in found)]
                sure = len(best) == 1 and ways[best[0]] == least < len(best[0])
                return [*best[0]] if sure else []
        return []

    def _idle(self, orders: Sequence[Order]) -> int:
        """Return how many units of the writer's that are named are in none of these orders."""
        said = set().union(*(_places(each, self.turn.wanted) for each in orders))
        return len({each.province for each in self.names} & self.units.keys() - said)

    @cached_property
    def bars(self) -> Sequence[Part]:
        """The words that may change what is said of its places, wherever they stand."""
        known = self.known.bars
        if self.text not in known:
            parts = taken_apart(self.text, self.turn).parts
            known[self.text] = [part for part in parts if part.kind in _CHANGING]
        return known[self.text]

    def loose(self, orders: Sequence[Order]) -> Iterator[str]:
        """Yield the places that are in none of these orders: units, and those that stand in a
        clause without one that is."""
        names = [*self.every, *self.kinds]
        if self.barred or not names or self.text.rstrip().endswith("?"):
            return
        used = {place(each) for each in orders} | {goal(each) for each in orders}
        ends = (n for n, each in enumerate(self.found) if each.kind in _CLAUSES or each.key in _AND)
        clauses = [0, *ends, len(self.found)]
        denied = self.denied or ()
        for start, end in pairwise(clauses):
            here = [each for each in names if start <= each.start < end]
            said = {each.province for each in here}
            for each in here:
                own = each.province in self.units
                if each.province not in used and each not in denied and (own or not said & used):
                    yield each.province

    def _in_the_way(self, orders: Sequence[Order]) -> int:
        """Return how many orders lead to a unit of the writer's that has none."""
        ordered = {each.unit.province for each in orders}  # type: ignore[union-attr]
        stays = self.units.keys() - ordered - self.known.orders.keys() - self.known.given.keys()
        return sum(goal(each) in stays for each in orders)

    def _kinds(self) -> Iterator[Mention]:
        """Yield the words for a kind of which the writer has one unit, where its place is not
        named."""
        words = Vocabulary.of(self.turn.variant.board)
        named = {each.province for each in self.every}
        for at, token in enumerate(self.found):
            kind = words.kind([token.key]) if len(token.key) > 1 else None
            units = [each for each in self.units.values() if kind and each.kind == kind]
            if len(units) == 1 and units[0].province not in named:
                named.add(units[0].province)
                yield Mention(at, at + 1, units[0].province)

    @cached_property
    def denied(self) -> set[Mention] | None:
        """Places to which no unit is to go (`to Picardy, not to Burgundy`); None where words may
        change the orders: a condition or a choice wherever it stands, what denies or says when
        before a unit of its clause."""
        marks = [each.start for each in self.found if each.kind in _CLAUSES]
        denied: set[Mention] = set()
        for part in self.bars:
            last = min((each for each in marks if each >= part.end), default=len(self.text))
            if part.kind == CONDITION and _CONDITIONS.end(tokens(part.text), 0):
                return None
            if part.text.lower() in SAID["or"]:
                return None
            if part.kind in (CONDITION, DOUBT):
                continue
            after = [
                each for each in self.every if part.start < self.found[each.start].start < last
            ]
            denies = part.kind in (NEGATION, CONTRAST)
            if after and (not denies or after[0].province in self.units):
                return None
            denied.update(after[:1])
        return denied

    def _from(
        self, at: int, done: tuple[Order, ...], most: int
    ) -> Iterator[tuple[tuple[Order, ...], int]]:
        """Yield the ways to divide the names from one on of which at most so many are wrong: in no
        order, or in one that cannot be. Behind each stands how many more might have been."""
        if most < 0:
            return
        if at == len(self.names):
            yield done, most
            return
        here, after = self.names[at], self.names[at + 1 : at + 2]
        had = {order.unit.province: order for order in done}  # type: ignore[union-attr]
        again = here.province in had or any(here.province == goal(order) for order in done)
        # Of a unit it may say what it does in words that nobody read.
        yield from self._from(at + 1, done, most - (not again and here.province not in self.units))
        unit = self.units.get(here.province)
        if unit is not None and here.province not in had:
            yield from self._with(self._alone(unit, at, had), at + 1, done, most)
            if after:
                yield from self._with(self._towards(unit, at, had), at + 2, done, most)
                yield from self._with(self._backs(unit, at), at + 3, done, most)
        elif (
            after
            and after[0].province in self.units.keys() - had.keys()
            and not any(each.kind == "," for each in self.found[here.end : after[0].start])
        ):
            order = self._goes(self.units[after[0].province], here.province)
            yield from self._with(order, at + 2, done, most)

    def _with(
        self, order: Order | None, at: int, done: tuple[Order, ...], most: int
    ) -> Iterator[tuple[tuple[Order, ...], int]]:
        if order is not None:
            good = self.turn.check(self.turn.mine[0], order).problem is None
            yield from self._from(at, (*done, order) if good else done, most - (not good))

    def _verbs(self, at: int) -> set[str]:
        """Return what the words behind a name say that a unit does, else those before it in its
        clause, up to the names beside it."""
        before = self.names[at - 1].end if at else 0
        after = self.names[at + 1].start if at + 1 < len(self.names) else len(self.found)
        marks = [n for n in range(before, self.names[at].start) if self.found[n].kind in _CLAUSES]
        clause = range(max(marks, default=before), self.names[at].start)
        return self._acts(range(self.names[at].end, after)) or self._acts(clause)

    def _acts(self, among: range) -> set[str]:
        """Return what words say that a unit does; a letter may be anything in a sentence."""
        words = (at for at in among if len(self.found[at].key) > 1)
        return {act[0] for act in (self.acts.find(self.found, at) for at in words) if act}

    def _alone(self, unit: Unit, at: int, had: Mapping[str, Order]) -> Order | None:
        verbs = self._verbs(at)
        if Verb.HOLD in verbs:
            # `The decision on the fleet remains open.`
            holds = self.turn.wanted is Kind.MOVEMENT and self.names[at] not in self.kinds
            return Hold(unit) if holds else None
        return None if verbs.isdisjoint(_AIDS) else self._aids(unit, None, had)

    def _towards(self, unit: Unit, at: int, had: Mapping[str, Order]) -> Order | None:
        to = self.names[at + 1]
        aids = not self._acts(range(self.names[at].end, to.start)).isdisjoint(_AIDS)
        return self._aids(unit, to.province, had) if aids else self._goes(unit, to.province)

    def _backs(self, unit: Unit, at: int) -> Order | None:
        """Return the support of a unit, anybody's, to the place that is named behind it."""
        after = self.names[at + 1 : at + 3]
        if len(after) < 2 or self._acts(range(self.names[at].end, after[0].start)).isdisjoint(
            _AIDS
        ):
            return None
        assert self.turn.position is not None
        every = chain.from_iterable(self.turn.position.units.values())
        whom = next((each for each in every if each.province == after[0].province), None)
        return Support(unit, whom, after[1].province) if whom else None

    def _goes(self, unit: Unit, goal: str) -> Order:
        return Retreat(unit, goal) if self.turn.wanted is Kind.RETREATS else Move(unit, goal)

    def _aids(self, unit: Unit, whom: str | None, had: Mapping[str, Order]) -> Order | None:
        """Return the support of the unit in a province, or of the order before."""
        order = had.get(whom or "") or self.known.before(whom) or self.known.to(whom, had)
        if whom is None and had:
            order = [*had.values()][-1]
        if isinstance(order, Move):
            return Support(unit, order.unit, order.to)
        return Support(unit, order.unit) if isinstance(order, Hold) else None


_MOST, _MOST_WRONG, _MOST_RESTING = 12, 3, 4
"""Places of a sentence that is divided, those of them that may be in no order, and units that are
divided among places without one."""

_CHANGING = frozenset({CONDITION, CONTRAST, NEGATION, TIME, COMMAND, DOUBT})
_AIDS = (Verb.SUPPORT,)


def can_be_likely(turn: OrderContext) -> bool:
    """Return whether orders are looked for in any words: of one power, for the phase that is open,
    if units move or retreat in it; what is built where is read whatever the words."""
    known = turn.position is not None and turn.later is None and len(turn.mine) == 1
    return known and turn.wanted is not Kind.ADJUSTMENTS


_CONDITIONS = Phrases((word, word) for word in listed("line", LANGUAGES)[CONDITION])
"""Conditions in languages that people are answered in: `se` is one in Italian, not in French."""
