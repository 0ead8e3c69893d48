"""Orders in a writer's own words: no form of order was read, yet only one can be meant.

A sentence names places; the position says which of them are the writer's units, and where these
can go. Where the names divide into orders in one way only, these are offered, and never filed:
`my army from Paris she go to Burgundy and Spain is for Marseilles`. Each name is a unit, the place
where the unit beside it goes, or is named again; words for moving are not needed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise, permutations
from typing import NamedTuple

from judge.game.orders.order_context import OrderContext
from judge.game.orders.possible import goal, order_named
from judge.intake.nearby import Mention, units_of
from judge.intake.sentence_places import (
    AIDS,
    AND,
    CLAUSES,
    KnownOrders,
    SentencePlaces,
    is_holding,
    is_unit,
    places_of,
)
from judge.language.cover import NEGATION
from judge.language.speech import QUOTED, unbroken
from judge.language.vocabulary import SAID, Verb
from judge.limits import BOUNDS
from judge.rules.orders import Convoy, Hold, Move, Order, Retreat, Support, order_text, place
from judge.rules.phase import Kind
from judge.rules.position import Unit

_Several = tuple[Order, ...]
_Given = Mapping[str, Order]
"""Orders by the provinces of their units."""


class Division(SentencePlaces):
    """The ways in which the places that a sentence names divide into orders."""

    def orders(self) -> list[Order]:
        """Return the orders; [] where anything may change them, or leaves a choice."""
        every = {each.province for each in (*self.every, *self.kinds)}
        if not every or len(self.every) > _MOST or self.text.rstrip().endswith("?"):
            return []
        denied = self.denied
        first = min(each.start for each in (*self.every, *self.kinds))
        letters = any(
            len(each.text) == 1 and each.key in self.acts and at not in self.numbers
            for at, each in enumerate(self.found[first:], first)
        )
        now = str(self.turn.phase.year) if self.turn.phase else ""
        keys = [each.key for each in self.found]
        dated = any(key.isdecimal() and len(key) > 2 and key != now for key in keys)
        if denied is None or letters or dated:
            # `Mar S Pra - Bur`
            self.barred = frozenset(self._spoken_of())
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

    @property
    def hanging(self) -> Set[str]:
        """The units that it names beside a condition or a choice, on which they hang elsewhere."""
        return self.barred if any(map(self._hangs, self.bars)) else frozenset()

    def doubts(self, orders: Sequence[Order]) -> bool:
        """Return whether it says more of the places that are in none of these orders."""
        aids = not orders and not self._acts(range(len(self.found))).isdisjoint(AIDS)
        return bool(self.names and (self.bars or aids))

    def _spoken_of(self) -> Iterator[str]:
        """Yield the units that it names, but as a place where another one goes."""
        names = sorted([*self.every, *self.kinds])
        for before, name in pairwise([Mention(0, 0, ""), *names]):
            kinds = {each.kind for each in self.found[before.end : name.start]} - {":"}
            alone = before.province not in self.units or not kinds.isdisjoint(CLAUSES)
            if alone and name.province in self.units:
                yield name.province

    def _divided(self) -> list[Order]:
        for most in range(_MOST_WRONG + 1):
            ways: dict[_Several, int] = {}
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
        said = set().union(*(places_of(each, self.turn.wanted) for each in orders))
        return len({each.province for each in self.names} & self.units.keys() - said)

    def loose(self, orders: Sequence[Order]) -> Iterator[str]:
        """Yield places that are in no order: units, and those in a clause without one that is."""
        names = [*self.every, *self.kinds]
        if self.barred or not names or self.text.rstrip().endswith("?"):
            return
        used = {place(each) for each in orders} | {goal(each) for each in orders}
        ends = (n for n, each in enumerate(self.found) if each.kind in CLAUSES or each.key in AND)
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
        """Return how many orders lead to a unit of the writer's that is not said to leave."""
        every = *orders, *self.known.orders.values(), *self.known.given.values()
        leaves = {each.unit.province for each in every if isinstance(each, Move | Retreat)}
        return sum(goal(each) in self.units.keys() - leaves for each in orders)

    def _from(self, at: int, done: _Several, most: int) -> Iterator[tuple[_Several, int]]:
        """Yield the ways to divide the names from one on of which at most so many are wrong: in no
        order, or in one that cannot be. Behind each stands how many more might have been."""
        if most < 0:
            return
        if at == len(self.names):
            yield done, most
            return
        had = {order.unit.province: order for order in done}  # type: ignore[union-attr]
        for orders, end, wrong in self._steps(at, had):
            good = tuple(filter(self.turn.can, orders))
            yield from self._from(end, (*done, *good), most - wrong - (len(orders) - len(good)))

    def _steps(self, at: int, had: _Given) -> Iterator[tuple[_Several, int, int]]:
        """Yield orders that a name may begin, the name behind them, how many names are wrong."""
        here, after = self.names[at], self.names[at + 1 : at + 2]
        again = here.province in had or here.province in map(goal, had.values())
        # Of a unit it may say what it does in words that nobody read.
        counts = here.province in self.known.near.near - self.units.keys()
        yield (), at + 1, counts and not again
        unit, other = self.units.get(here.province), after[0].province if after else ""
        if unit is not None and here.province not in had:
            for order, end in self._options(unit, at, had):
                yield (order,), end, 0
            for both, end in self._shared(unit, at, had):
                yield both, end, 0
            if carried := self._carried(at, had):
                yield carried, at + 3, 0
            # `Paris nears Belgium by Picardy`
            if len(self.names) > at + 2 and other not in had and other not in self.units:
                yield (self.goes(unit, self.names[at + 2].province),), at + 3, 1
        elif other in self.units.keys() - had.keys():
            between = self.found[here.end : after[0].start]
            joined = any(each.kind == "," or each.key in AND for each in between)
            if not joined and self._acts(self._behind_name(at + 1)).isdisjoint(AIDS):
                yield (self.goes(self.units[other], here.province),), at + 2, 0

    def _verbs(self, at: int) -> set[str]:
        """Return what the words behind a name say that a unit does, else those before it."""
        before = self.names[at - 1].end if at else 0
        marks = [n for n in range(before, self.names[at].start) if self.found[n].kind in CLAUSES]
        clause = range(max(marks, default=before), self.names[at].start)
        if at and not marks and self.names[at - 1].province in self.units:
            # What stands between two units is what the first one does.
            clause = range(0)
        return self._acts(self._behind_name(at)) or self._acts(clause)

    def _behind_name(self, at: int) -> range:
        """Return where the words stand between a name and the next one."""
        after = self.names[at + 1].start if at + 1 < len(self.names) else len(self.found)
        return range(self.names[at].end, after)

    def _is_denied(self, at: int) -> bool:
        """Return whether words beside a unit deny that it does anything."""
        name, behind = self.names[at], self._behind_name(at)
        here = self._clause(name.start)
        # `Paris not to Burgundy`
        goes = any(each.start in here and each > name for each in self.every)
        if goes or self._is_said_by_person(here) or name.province in self.known.on_file:
            return False
        return any(
            (part.start in behind and part.start in here)
            or (self._behind(part)[:1] == [name] and self._rests(part, name))
            for part in self.bars
            if part.kind == NEGATION
        )

    def _is_still(self, at: int) -> bool:
        """Return whether words behind a unit say where it is (`Smyrna verbleibt`)."""
        name, words = self.names[at], self._behind_name(at)
        here = self._clause(name.start)
        behind = [n for n in words if n in here]
        leads = any(self.found[n].kind == "-" or self.found[n].key in SAID["to"] for n in behind)
        rests = self._rest(behind)
        # `Albania goes there`
        goes = not self._acts(behind).isdisjoint(_GOES)
        near = rests is not None and rests.start <= name.end + 1 and not goes
        return not leads and (near or any(is_holding(self.found[n].key) for n in behind))

    def _alone(self, unit: Unit, at: int, had: _Given) -> Order | None:
        verbs = self._verbs(at)
        here = self.names[at] not in self.kinds and self.turn.wanted is Kind.MOVEMENT
        if Verb.HOLD in verbs and verbs.isdisjoint(AIDS):
            # `The decision on the fleet remains open.`
            return Hold(unit) if here else None
        if verbs <= _GOES and here and (self._is_denied(at) or self._is_still(at)):
            return Hold(unit)
        behind, after = self._behind_name(at), self.names[at + 1 : at + 2]
        joined = any(self.found[n].key in AND for n in behind)
        has_object = after and after[0].start in self._clause(self.names[at].start) and not joined
        said = [n for n in behind if self.found[n].kind == "word"]
        # What aids stands last: whom?
        ends = not said or not self._acts(said[-1:]).isdisjoint(AIDS)
        if verbs.isdisjoint(AIDS) or has_object or (ends and not had):
            return None
        return self._aids(unit, None, had)

    def _towards(self, unit: Unit, at: int, had: _Given) -> Order | None:
        to = self.names[at + 1]
        verbs = self._acts(range(self.names[at].end, to.start))
        here = self._clause(to.start)
        last = not any(each.start in here for each in self.names[at + 2 :])
        if to.province in self.units and last:
            # `Serbien wird Albanien unterstützen`
            verbs |= self._acts(range(to.end, here.stop))
        if Verb.CONVOY in verbs:
            # `The fleet of the Ionian Sea convoys her to Tunis.`
            move = self.known.to(to.province, had)
            return Convoy(unit, move.unit, move.to) if isinstance(move, Move) else None
        if verbs.isdisjoint(AIDS):
            return self.goes(unit, to.province)
        parted = not last and self._is_parted(at)
        return None if parted else self._aids(unit, to.province, had)

    def _is_parted(self, at: int) -> bool:
        """Return whether the unit behind one has a clause of its own (`Albania helps along, Vienna
        to Trieste`)."""
        here, to = self.names[at], self.names[at + 1]
        comma = any(each.kind == "," for each in self.found[here.end : to.start])
        return comma and to.province in self.units

    def _backs(self, unit: Unit, at: int, _: object) -> Order | None:
        """Return the support of a unit, anybody's, to the place that is named behind it."""
        after = self.names[at + 1 : at + 3]
        if len(after) < 2 or self._is_parted(at):
            return None
        if self._acts(range(self.names[at].end, after[0].start)).isdisjoint(AIDS):
            return None
        whom = self._anybodys(after[0].province)
        return Support(unit, whom, after[1].province) if whom else None

    def _anybodys(self, province: str | None) -> Unit | None:
        """Return the unit that stands in a province, whosever it is."""
        assert self.turn.position is not None
        every = chain.from_iterable(self.turn.position.units.values())
        return next((each for each in every if each.province == province), None)

    def _options(self, unit: Unit, at: int, had: _Given) -> Iterator[tuple[Order, int]]:
        """Yield what the unit that is named may do, each with the name behind those that say so."""
        more = at + 1 < len(self.names)
        does = (self._alone, self._towards, self._backs) if more else (self._alone,)
        for end, order in enumerate((each(unit, at, had) for each in does), at + 1):
            if order is not None:
                yield order, end

    def _shared(self, unit: Unit, at: int, had: _Given) -> Iterator[tuple[_Several, int]]:
        """Yield the orders of two units that do alike (`Kiel and Berlin support Munich`)."""
        after = self.names[at + 1].province if at + 1 < len(self.names) else ""
        between = self._behind_name(at)
        joined = any(self.found[n].key in AND for n in between) and not self._acts(between)
        if not joined or after not in self.units.keys() - had.keys():
            return
        for order, end in self._options(self.units[after], at + 1, had):
            both = (replace(order, unit=unit), order) if isinstance(order, Hold | Support) else None
            if both and all(map(self.turn.can, both)):
                yield both, end

    def _carried(self, at: int, had: _Given) -> _Several:
        """Return the orders of an army and of a fleet that three names beside each other are, with
        the place where it cannot go without (`the Ionian takes Apulia to Tunis`); () for none."""
        three = self.names[at : at + 3]
        marks = self.found[three[0].start : three[-1].end]
        parted = any(each.kind in (",", ":") for each in marks)
        # `Apulia embarks in the Ionian and lands at Tunis`
        units = [each for each in three if each.province in self.units]
        joined = any(each.key in AND for each in self.found[three[0].start : units[-1].end])
        if len(three) < 3 or parted or joined or self.turn.wanted is not Kind.MOVEMENT:
            return ()
        mine = [self.units[each.province] for each in units]
        goals = [each.province for each in three if each.province not in self.units]
        if len(goals) != 1 or not had.keys().isdisjoint(each.province for each in mine):
            return ()
        for army, fleet in permutations(mine, 2):
            move, convoy = Move(army, goals[0]), Convoy(fleet, army, goals[0])
            if self.turn.is_far(move) and self.turn.can(convoy):
                return move, convoy
        return ()

    def goes(self, unit: Unit, goal: str) -> Order:
        """Return the order of a unit to go to a place."""
        return Retreat(unit, goal) if self.turn.wanted is Kind.RETREATS else Move(unit, goal)

    def _aids(self, unit: Unit, whom: str | None, had: _Given) -> Order | None:
        """Return the support of the unit in a province, or of the order before."""
        order = had.get(whom or "") or self.known.before(whom) or self.known.to(whom, had)
        if whom is None:
            aided = (each for each in [*had.values()][::-1] if isinstance(each, _AIDED))
            others = [key for at, key in self.numbers.items() if at > _NUMBERED]
            order = self.known.numbered.get(others[-1]) if others else next(aided, order)
        if isinstance(order, Move):
            return Support(unit, order.unit, order.to)
        # What a unit of one's own does may be said later.
        standing = None if whom in self.units else self._anybodys(whom)
        stands = order.unit if isinstance(order, Hold) else standing
        return Support(unit, stands) if stands else None


_MOST, _MOST_WRONG = 12, 3
"""Places of a sentence that is divided, and those of them that may be in no order."""

_AIDED = (Move, Hold)

_NUMBERED = 1
"""Where the number of a sentence stands: `(1)`."""
_GOES = {Verb.MOVE, Verb.BRING}


@dataclass
class Likely(KnownOrders):
    """The orders that the text of a mail probably gives, by the province of their unit, and the
    rows that they stand in, each with what else it says. `given` are those of lines that were read,
    by province; they are not said again."""

    told: Mapping[int, Order] = field(default_factory=dict)
    """The orders that were read, by the row that they begin in."""
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
        every = [rows.get(row, "") for row in range(max(rows, default=-1) + 1)]
        runs = [run for run in unbroken(every) if run.start in rows and not {*run} <= {*known}]
        texts = [_Text((*run,), " ".join(every[run.start : run.stop])) for run in runs]
        # An order may lead to a place that one below leaves.
        for _ in range(2):
            above, self.last, end = _NOTHING, None, 0
            for each in texts:
                for row in range(end, each.rows[0]):
                    self.last = self.told.get(row, self.last)
                end = each.rows[-1] + 1
                left = self._sentences(each, offered)
                if left is None and above.rows[-1] == each.rows[0] - 1:
                    both = _Text((*above.rows, *each.rows), f"{above.text} {each.text}")
                    left = self._sentences(both, offered)
                    each = both if left is not None else each
                if left is not None:
                    self.left |= {**dict.fromkeys(each.rows, ""), each.rows[0]: left}
                above = each if left is None else _NOTHING
            if not self.orders:
                return

    def headed(self, heading: str, text: str) -> str:
        """Return a text below the heading that a quoted line is, if it names a unit and no more."""
        return f"{heading} {text}" if heading and is_unit(heading, self) else text

    @property
    def is_whole(self) -> bool:
        """Whether each of the writer's units has an order, several of them."""
        units = units_of(self.turn).keys()
        # `Ann: all quiet here`
        return len(units) > 1 and not self.staying and units <= {*self.orders, *self.given}

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
        whole = QUOTED.sub(" ", text.text[: BOUNDS.line])
        every = [*self._headed(_SENTENCES.split(whole))]
        last: str | None = None
        for sentence in every:
            divided = Division(sentence, self)
            read = max(divided.orders(), self._instead(sentence, divided, offered), key=len)
            self._barred |= divided.hanging
            orders = [each for each in read if each not in self.turn.filed.values()]
            loose.append(_Loose(text.text, sentence, "", barred=divided.barred))
            doubted = divided.doubts(read)
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
            unit = divided.units.get(last or "")
            reach = self.turn.variant.board.provinces_near([unit]) if unit else set[str]()
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
        self, said: str, divided: Division, offered: Sequence[tuple[str, str]]
    ) -> list[Order]:
        """Return what is offered instead of a sentence that names only units besides."""
        orders = [self._offered(offer) for text, offer in offered if text in said]
        known = {each for order in orders if order for each in places_of(order, self.turn.wanted)}
        named = {each.province for each in divided.every}
        asks = said.rstrip().endswith("?")
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

_MOST_RESTING = 4
"""Units that are divided among places that are named with none."""


class _Text(NamedTuple):
    """A text, and the rows that it stands in."""

    rows: tuple[int, ...]
    text: str


_NOTHING = _Text((-2,), "")
"""What no row stands below."""


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
