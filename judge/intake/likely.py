"""Orders in a writer's own words: no form of order was read, yet only one can be meant.

A sentence names places; the position says which of them are the writer's units, and where these
can go. Where the names divide into orders in one way only, these are offered, and never filed:
`my army from Paris she go to Burgundy and Spain is for Marseilles`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import permutations
from typing import NamedTuple

from judge.game.orders.order_context import OrderContext
from judge.game.orders.possible import goal, order_named
from judge.intake.division import Division
from judge.intake.sentence_places import KnownOrders, is_unit, places_of, units_of
from judge.language.speech import unbroken
from judge.limits import BOUNDS
from judge.rules.orders import Convoy, Hold, Move, Order, order_text, place
from judge.rules.phase import Kind


@dataclass
class Likely(KnownOrders):
    """The orders that the text of a mail probably gives, by the province of their unit, and the
    rows that they stand in, each with what else it says.

    `given` are those of lines that were read, by province; they are not said again.
    """

    left: dict[int, str] = field(default_factory=dict)
    against: dict[str, str] = field(default_factory=dict)
    """What says something else of units whose orders were read, by their provinces."""
    replaced: set[str] = field(default_factory=set)
    """The units whose orders were read and are denied where others take their place."""
    staying: dict[int, set[str]] = field(default_factory=dict)
    """The rows that say of all other units that they hold, and the units that they name."""
    _barred: set[str] = field(default_factory=set)
    _loose: dict[int, list[_Loose]] = field(default_factory=dict)

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
            above, self.last = _Text((-1,), ""), None
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

    def headed(self, heading: str, text: str) -> str:
        """Return a text below the heading that a quoted line is, if it names one of the units and
        nothing else."""
        return f"{heading} {text}" if heading and is_unit(heading, self) else text

    @property
    def is_whole(self) -> bool:
        """Whether each of the writer's units has an order, several of them."""
        units = units_of(self.turn).keys()
        return len(units) > 1 and units <= self.orders.keys() | self.given.keys()

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
        self._carry({each.province for each in loose} & {*rest} - barred)
        rest = [each for each in rest if each not in self.orders]
        if self.staying:
            others = self.on_file | barred.union(*self.staying.values())
            self.orders |= {at: Hold(units[at]) for at in rest if at not in others}
            return
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

    def _carry(self, named: Set[str]) -> None:
        """Let each unit that is named without an order convoy the one army that needs it."""
        units = units_of(self.turn)
        every = (*self.orders.values(), *self.given.values())
        sail = [each for each in every if isinstance(each, Move) and self.turn.is_far(each)]
        for fleet in sorted(named):
            ways = [Convoy(units[fleet], each.unit, each.to) for each in sail]
            if len(can := [each for each in ways if self.turn.can(each)]) == 1:
                self._add(can[0])

    def _divided(
        self, rest: Sequence[str], named: Mapping[str, str], goals: Mapping[str, str]
    ) -> Sequence[Order]:
        """Return the one way to order units to as many places; [] for none, or several."""
        if len(goals) != len(rest) or len(rest) > _MOST_RESTING:
            return []
        units = units_of(self.turn)
        ways = [
            [Move(units[unit], to) for unit, to in zip(rest, way, strict=True)]
            for way in permutations(goals)
            if all(named.get(at, goals[to]) == goals[to] for at, to in zip(rest, way, strict=True))
        ]
        fit = [way for way in ways if all(map(self.turn.can, way))]
        return fit[0] if len(fit) == 1 else []

    def texts(self) -> dict[str, str]:
        """Return the orders in canonical form, by the province of their unit."""
        return {each: order_text(order, self.turn.wanted) for each, order in self.orders.items()}

    def _sentences(self, text: _Text, offered: Sequence[tuple[str, str]]) -> str | None:
        """Read the sentences of a text; return those that give no order, None where none does."""
        left: list[str] = []
        for row in text.rows:
            self._loose.pop(row, None)
            self.staying.pop(row, None)
        self._loose[text.rows[0]] = loose = list[_Loose]()
        whole = _QUOTED.sub(" ", text.text[: BOUNDS.line])
        every = [*self._headed(_SENTENCES.split(whole))]
        last: str | None = None
        for sentence in every:
            divided = Division(sentence, self)
            read = max(divided.orders(), self._instead(sentence, divided, offered), key=len)
            self._barred |= divided.hanging
            orders = [each for each in read if each not in self.turn.filed.values()]
            loose.append(_Loose(text.text, sentence, "", barred=divided.barred))
            doubted = bool(divided.names) and bool(divided.bars)
            loose += [_Loose(text.text, sentence, each, doubted) for each in divided.loose(read)]
            for order in orders:
                last = self._say(order, divided)
            for number in [*divided.numbers.values()][:1] if len(read) == 1 else ():
                self.numbered[number] = read[0]
            if divided.stays:
                own = {each.province for each in divided.names} & divided.units.keys()
                self.staying.setdefault(text.rows[0], set()).update(own)
            if orders or divided.stays:
                continue
            left.append(sentence)
            named = {each.province for each in divided.every}
            near = self.turn.variant.board.provinces_near
            unit = divided.units.get(last or "")
            reach = near([unit]) if unit else set[str]()
            new = any(map(self._is_new, named & reach))
            if last and new and named.isdisjoint(divided.units):
                # It may say that the order above is none: `No, to Spain.`
                self._barred.add(last)
                self.orders.pop(last, None)
            last = last if named.isdisjoint(divided.units) else None
        return " ".join(left) if len(left) < len(every) else None

    def _say(self, order: Order, divided: Division) -> str:
        """Hear the order of a sentence, beside one of its unit that was read; return its unit."""
        where = place(order) or ""
        given = self.given.get(where, order)
        if goal(given) in {each.province for each in divided.denied or ()}:
            self.given = {at: each for at, each in self.given.items() if at != where}
            self.replaced.add(where)
        elif given != order:
            self.against[where] = divided.text
        return self._add(order)

    def _headed(self, sentences: Sequence[str]) -> Iterator[str]:
        """Yield sentences, each with the unit that heads it (`2. Moscow. To the Ukraine.`)."""
        heading = ""
        for sentence in sentences:
            whole = f"{heading} {sentence}".strip()
            heading = sentence if not heading and is_unit(sentence, self) else ""
            if not heading:
                yield whole
        if heading:
            yield heading

    def _instead(
        self, sentence: str, divided: Division, offered: Sequence[tuple[str, str]]
    ) -> list[Order]:
        """Return what is offered instead of a sentence that names only units besides."""
        orders = [self._offered(offer) for said, offer in offered if said in sentence]
        known = {each for order in orders if order for each in places_of(order, self.turn.wanted)}
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
        if self.given.get(where, order) != order:
            # Spoken of in two ways, it is in doubt; of what is only asked about the last counts.
            self._barred.add(where)
        if where in self._barred or where in self.given:
            self.orders.pop(where, None)
        else:
            self.orders[where] = self.last = order
        return where


_SENTENCES = re.compile(r"(?:(?<=[\w)\"'!][.!;])|(?<=[\w)\"'][?])|(?<=\w [!?]))\s+|;")
_QUOTED = re.compile(r"«[^«»]{20,}»|“[^“”]{20,}”|„[^„“”]{20,}[“”]|\"[^\"]{20,}\"")
"""What somebody says to others."""

_MOST_RESTING = 4
"""Units that are divided among places that are named with none."""


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


class _Loose(NamedTuple):
    """A place that a sentence of a row names and that is in no order, "" for none, whether words
    say more of it, and the units of which the sentence may say something else."""

    row: str
    text: str
    province: str
    doubted: bool = False
    barred: frozenset[str] = frozenset()


def can_be_likely(turn: OrderContext) -> bool:
    """Return whether orders are looked for in any words: of one power, for the phase that is open,
    if units move or retreat in it; what is built where is read whatever the words."""
    known = turn.position is not None and turn.later is None and len(turn.mine) == 1
    return known and turn.wanted is not Kind.ADJUSTMENTS
