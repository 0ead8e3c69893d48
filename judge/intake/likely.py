"""Orders in a writer's own words: no form of order was read, yet only one can be meant.

A sentence names places; the position says which of them are the writer's units, and where these
can go. Where the names divide into orders in one way only, these are offered, and never filed:
`my army from Paris she go to Burgundy and Spain is for Marseilles`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from judge.game.orders.interpret import taken_apart
from judge.game.orders.order_context import OrderContext
from judge.game.orders.possible import goal, order_named
from judge.i18n import LANGUAGES
from judge.intake.wishes import places
from judge.language.cover import COMMAND, CONDITION, DOUBT, NEGATION, TIME
from judge.language.names import Names
from judge.language.vocabulary import (
    LINE,
    NUMBERS,
    SAID,
    Phrases,
    Token,
    Verb,
    Vocabulary,
    listed,
    tokens,
)
from judge.limits import BOUNDS
from judge.rules.orders import Hold, Move, Order, Retreat, Support, order_text, place
from judge.rules.phase import Kind
from judge.rules.position import Unit
from judge.rules.variant import Variant


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
    _barred: set[str] = field(default_factory=set)

    def read(self, rows: Mapping[int, str]) -> None:
        """Read rows of text, by their numbers: each by itself, and with the one above where that
        says nothing whole."""
        # An order may lead to a place that one below leaves.
        for _ in range(2):
            above = -1, ""
            for number, text in rows.items():
                left = self._sentences(text[: BOUNDS.line])
                if left is None and above[0] == number - 1:
                    left = self._sentences(f"{above[1]} {text}"[: BOUNDS.line])
                    if left is not None:
                        self.left[above[0]] = ""
                if left is not None:
                    self.left[number] = left
                above = (number, text) if left is None else (-1, "")
            if not self.orders:
                return

    def take(self, offers: Iterable[str], rows: Iterable[int]) -> None:
        """Add what is offered instead of orders that were misspelled, which stand in these rows."""
        for text in offers:
            power, order = order_named(text, self.turn) or ("", None)
            if order is not None and power in self.turn.mine and place(order):
                order = self.turn.check(power, order).order
                if order not in self.turn.filed.values():
                    self._add(order)
        self.left |= dict.fromkeys(rows, "")

    def texts(self) -> dict[str, str]:
        """Return the orders in canonical form, by the province of their unit."""
        return {each: order_text(order, self.turn.wanted) for each, order in self.orders.items()}

    def _sentences(self, text: str) -> str | None:
        """Read the sentences of a text; return those that give no order, None where none does."""
        left: list[str] = []
        every = _SENTENCES.split(text)
        last: str | None = None
        for sentence in every:
            divided = _Divided(sentence, self)
            orders = [each for each in divided.orders() if each not in self.turn.filed.values()]
            for order in orders:
                last = self._add(order)
            if not orders:
                left.append(sentence)
                named = {each.province for each in divided.names}
                if last and any(map(self._is_new, named)) and named.isdisjoint(divided.units):
                    # It may say that the order above is none: `No, to Spain.`
                    self._barred.add(last)
                    self.orders.pop(last, None)
                last = last if named.isdisjoint(divided.units) else None
        return " ".join(left) if len(left) < len(every) else None

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

    def before(self, province: str | None) -> Order | None:
        """Return the order of the unit in a province, as far as one is known; of none, the last
        that was found."""
        if province is None:
            return next(reversed(self.orders.values()), None)
        return self.orders.get(province) or self.given.get(province)


_SENTENCES = re.compile(r"(?<=[\w)\"'][.!?;])\s+|;")
_CLAUSES = (",", ":", "(", ")")


class _Mention(NamedTuple):
    """A place that words name, from one token up to another."""

    start: int
    end: int
    province: str


class _Divided:
    """A sentence, and the ways in which its places divide into orders."""

    def __init__(self, text: str, known: Likely) -> None:
        self.text = text
        self.known, self.turn = known, known.turn
        self.found = tokens(text)
        self.units = _units(self.turn)
        self.acts = Vocabulary.of(self.turn.variant.board).acts[self.turn.wanted]
        named = list(_named(self.found, self.turn.variant))
        again = {after for before, after in pairwise(named) if before.province == after.province}
        self.names = [each for each in named if each not in again]
        self.kinds = list(self._kinds())
        self.names = sorted([*self.names, *self.kinds])

    def orders(self) -> list[Order]:
        """Return the orders; [] where anything may change them, or leaves a choice."""
        own = {each.province for each in self.names} & self.units.keys()
        if not own or len(self.names) > _MOST or self.text.rstrip().endswith("?") or self._bars():
            return []
        if any(len(each.text) == 1 and each.key in self.acts for each in self.found):
            # `Mar S Pra - Bur`
            return []
        for most in range(_MOST_WRONG + 1):
            ways: dict[tuple[Order, ...], int] = {}
            for orders, left in self._from(0, (), most):
                ways[orders] = min(most - left, ways.get(orders, most))
            cost = {orders: wrong + self._in_the_way(orders) for orders, wrong in ways.items()}
            least = min(cost.values(), default=most + 1)
            if least <= most:
                best = [orders for orders, each in cost.items() if each == least]
                sure = len(best) == 1 and ways[best[0]] == least < len(best[0])
                return [*best[0]] if sure else []
        return []

    def _in_the_way(self, orders: Sequence[Order]) -> int:
        """Return how many orders lead to a unit of the writer's that has none."""
        ordered = {each.unit.province for each in orders}  # type: ignore[union-attr]
        stays = self.units.keys() - ordered - self.known.orders.keys() - self.known.given.keys()
        return sum(goal(each) in stays for each in orders)

    def _kinds(self) -> Iterator[_Mention]:
        """Yield the words for a kind of which the writer has one unit, where its place is not
        named."""
        words = Vocabulary.of(self.turn.variant.board)
        named = {each.province for each in self.names}
        for at, token in enumerate(self.found):
            kind = words.kind([token.key]) if len(token.key) > 1 else None
            units = [each for each in self.units.values() if kind and each.kind == kind]
            if len(units) == 1 and units[0].province not in named:
                named.add(units[0].province)
                yield _Mention(at, at + 1, units[0].province)

    def _bars(self) -> bool:
        """Return whether words may change the orders: a condition or a choice wherever it stands,
        what denies or says when before a name of its clause."""
        bars = [part for part in taken_apart(self.text, self.turn).parts if part.kind in _CHANGING]
        marks = [each.start for each in self.found if each.kind in _CLAUSES]
        named = [self.found[each.start].start for each in self.names]
        for part in bars:
            last = min((each for each in marks if each >= part.end), default=len(self.text))
            if part.kind == CONDITION and _CONDITIONS.end(tokens(part.text), 0):
                return True
            if part.text.lower() in SAID["or"]:
                return True
            if part.kind in (NEGATION, TIME, COMMAND) and any(
                part.start < each < last for each in named
            ):
                return True
        return False

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
        yield from self._from(at + 1, done, most - (not again))
        unit = self.units.get(here.province)
        if unit is not None and here.province not in had:
            yield from self._with(self._alone(unit, at, had), at + 1, done, most)
            if after:
                yield from self._with(self._towards(unit, at, had), at + 2, done, most)
        elif after and after[0].province in self.units.keys() - had.keys():
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

    def _goes(self, unit: Unit, goal: str) -> Order:
        return Retreat(unit, goal) if self.turn.wanted is Kind.RETREATS else Move(unit, goal)

    def _aids(self, unit: Unit, whom: str | None, had: Mapping[str, Order]) -> Order | None:
        """Return the support of the unit in a province, or of the order before."""
        order = had.get(whom or "") or self.known.before(whom)
        if whom is None and had:
            order = [*had.values()][-1]
        if isinstance(order, Move):
            return Support(unit, order.unit, order.to)
        return Support(unit, order.unit) if isinstance(order, Hold) else None


_MOST, _MOST_WRONG = 12, 3
"""Places of a sentence that is divided, and those of them that may be in no order."""

_CHANGING = frozenset({CONDITION, NEGATION, TIME, COMMAND, DOUBT})
_AIDS = (Verb.SUPPORT,)


def can_be_likely(turn: OrderContext) -> bool:
    """Return whether orders are looked for in any words: of one power, for the phase that is open,
    if units move or retreat in it; what is built where is read whatever the words."""
    known = turn.position is not None and turn.later is None and len(turn.mine) == 1
    return known and turn.wanted is not Kind.ADJUSTMENTS


def _units(turn: OrderContext) -> Mapping[str, Unit]:
    """Return the writer's units that need an order, by province."""
    assert turn.position is not None
    power, units = turn.mine[0], list[Unit]()
    if turn.wanted is Kind.RETREATS:
        units = [each.unit for each in turn.position.dislodged.get(power, ())]
    elif turn.wanted is Kind.MOVEMENT:
        units = [*turn.position.units.get(power, ())]
    return {each.province: each for each in units}


def _named(found: Sequence[Token], variant: Variant) -> Iterator[_Mention]:
    """Yield the places that words name, misspelled ones, too."""
    at = 0
    while at < len(found):
        here = [each.key for each in found[at : at + _LONGEST] if each.kind == "word"]
        for length in range(len(here), 0, -1):
            if province := _called(here[:length], variant):
                yield _Mention(at, at + length, province)
                at += length - 1
                break
        at += 1


def _called(words: Sequence[str], variant: Variant) -> str | None:
    """Return the place that words name, together or misspelled; what says something of its own is
    none by itself."""
    known, provinces, key = places(variant), Names.of(variant).provinces, "".join(words)
    if key in known and (len(words) > 1 or key not in _ORDINARY):
        return provinces.exact[known[key]]
    if len(key) <= _GUESSED or words[0] in _ORDINARY:
        return None
    ids = provinces.mean(tuple(words)).ids
    return ids[0] if len(ids) == 1 else None


_LONGEST = 4
"""Words of a name."""

_CONDITIONS = Phrases((word, word) for word in listed("line", LANGUAGES)[CONDITION])
"""Conditions in languages that people are answered in: `se` is one in Italian, not in French."""

_ORDINARY = (
    frozenset(word for words in (*SAID.values(), *LINE.values()) for word in words.single)
    | NUMBERS.keys()
)
"""Words that say something of their own."""

_GUESSED = 5
"""Letters of words that may be a name misspelled."""
