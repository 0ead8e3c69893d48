"""What a sentence names, and what of its words may change what it says of that: conditions,
choices, negations, times; and whether it says that all units stay.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from judge.game.orders.interpret import taken_apart
from judge.game.orders.order_context import OrderContext
from judge.game.orders.possible import goal, order_named
from judge.i18n import LANGUAGES
from judge.intake.nearby import Mention, NearNames, named, units_of
from judge.language.cover import COMMAND, CONDITION, CONTRAST, DOUBT, NEGATION, ORDER, TIME
from judge.language.line import Part
from judge.language.names import edits, words_of
from judge.language.phase_names import is_season
from judge.language.speech import OWN, PERSON, YOU, is_around, says_nothing, speaks
from judge.language.vocabulary import NUMBERS, SAID, Phrases, Verb, Vocabulary, listed, tokens
from judge.rules.board import name_key, province_of
from judge.rules.orders import Order, order_text, place
from judge.rules.phase import Kind


@dataclass
class KnownOrders:
    """What is known of a mail's orders: those of lines that were `given` in a form that is read,
    and those that are likely, by the province of their unit; `written` is what it says."""

    turn: OrderContext
    given: Mapping[str, Order]
    written: Sequence[str] = ()
    orders: dict[str, Order] = field(default_factory=dict)
    last: Order | None = None
    """The likely order above."""
    numbered: dict[str, Order] = field(default_factory=dict)
    """The likely orders of a list by what numbers them: `(2) Kiel supports the move at (1)`."""

    @cached_property
    def near(self) -> NearNames:
        """What names only places near by."""
        return NearNames(self.turn, self.written)

    @cached_property
    def on_file(self) -> Set[str | None]:
        """The units that have an order already: `Brest does not change`."""
        return {place(each) for each in self.turn.filed.values()}

    def to(self, province: str | None, more: Mapping[str, Order]) -> Order | None:
        """Return the one order, of `more` ones, too, that leads to a province."""
        every = {**self.given, **self.orders, **more}.values()
        found = [each for each in every if province and goal(each) == province]
        return found[0] if len(found) == 1 else None

    def before(self, province: str | None) -> Order | None:
        """Return the order of the unit in a province, as far as one is known; of none, the last
        above, or the only one."""
        if province is None:
            return self.last or (next(iter(self.given.values())) if len(self.given) == 1 else None)
        return self.orders.get(province) or self.given.get(province)


def places_of(order: Order, kind: Kind) -> set[str]:
    """Return the provinces that an order names."""
    return {province_of(each) for each in order_text(order, kind).split() if len(each) > 1}


class SentencePlaces:
    """A sentence, the places of a board that it names, and what bars what it says of them."""

    def __init__(self, text: str, known: KnownOrders) -> None:
        self.text = text
        self.known, self.turn = known, known.turn
        self.found = tokens(text)
        self.units = units_of(self.turn)
        self.acts = Vocabulary.of(self.turn.variant.board).acts[self.turn.wanted]
        self.every = list(named(self.found, self.turn.variant, known.near))
        self.every = sorted([*self.every, *self._read()])
        self.kinds = list(self._kinds())
        self.names = self.every
        self.barred: frozenset[str] = frozenset()
        """The units that it names where something may change what it says of them."""

    def _hangs(self, part: Part) -> bool:
        """Return whether a part is a condition, in a language of ours, or a choice."""
        if part.kind == CONDITION and part.text.lower() not in SAID["rest"]:
            return _CONDITIONS.end(tokens(part.text), 0) > 0
        return part.text.lower() in SAID["or"]

    @cached_property
    def stays(self) -> bool:
        """Whether it says that all units hold, or all others than those of its orders."""
        if self.turn.wanted is not Kind.MOVEMENT or self.text.rstrip().endswith("?"):
            return False
        for here in self.clauses:
            keys = {at: self.found[at].key for at in here}
            rest = {at for at, key in keys.items() if key in SAID["rest"]}
            # All units, as many as there are, or the rest.
            counts = {at for at, key in keys.items() if NUMBERS.get(key) == len(self.units)}
            all_of_them = rest | counts | {at for at, key in keys.items() if key in SAID["all"]}
            holds = self._said(here, Verb.HOLD)
            if holds is None and len(here) <= _BRIEF:
                # But not that `there are three`.
                holds = self._rest(range(min(all_of_them, default=here.start), here.stop))
            # `celle de Roumanie reste`
            every = bool(all_of_them - {*(holds or ())})
            holds = holds if every else None
            if holds and self._keeps(holds, rest):
                # As it is on file.
                continue
            nobody = not SAID["nobody"].single.keys().isdisjoint(keys.values())
            said = holds or (nobody and self._said(here, Verb.MOVE))
            if (every or nobody) and self._takes_out():
                # `On ne touche à rien sauf Naples`
                said = holds = here
            if said and not any(self._changes(part, here, holds) for part in self.bars):
                return True
        return False

    @cached_property
    def numbers(self) -> Mapping[int, str]:
        """What numbers this sentence of a list, or others, by where it stands."""
        return {
            at: each.key
            for at, (each, after) in enumerate(pairwise(self.found))
            if after.kind == ")" and (each.key.isdecimal() or len(each.key) == 1)
        }

    @cached_property
    def clauses(self) -> Sequence[range]:
        """The parts of it, by the places of their tokens."""
        ends = (n for n, each in enumerate(self.found) if each.kind in CLAUSES)
        return [range(*each) for each in pairwise([0, *ends, len(self.found)])]

    def _clause(self, at: int) -> range:
        """Return the clause in which a token stands; a sign between two belongs to the later."""
        return next(each for each in self.clauses if at in each)

    def _named(self, here: range) -> Sequence[Mention]:
        """Return the names in a clause."""
        return [each for each in self.every if each.start in here]

    def _said(self, among: range, verb: str) -> range | None:
        """Return where words say that units do something (`don't move`: hold)."""
        return next((where for act, where in self._verbs_in(among) if act == verb), None)

    def _verbs_in(self, among: Iterable[int]) -> Iterator[tuple[str, range]]:
        """Yield what words say that units do, and where; a letter may be anything in a sentence."""
        for at in among:
            act = self.acts.find(self.found, at) if len(self.found[at].key) > 1 else None
            if act:
                yield act[0], range(at, act[1])

    def _keeps(self, holds: range, rest: set[int]) -> bool:
        """Return whether a verb says that something is left as it is, and not the `rest`."""
        key = self.found[holds.start].key
        still = SAID["still"].end(self.found, holds.stop) > holds.stop
        return key in SAID["stays"] and not (still or rest <= {*holds})

    def _takes_out(self) -> bool:
        """Return whether one of the writer's units is taken out of all, or of nothing."""
        names = sorted([*self.every, *self.kinds])
        behind = (
            next((each.province for each in names if each.start > part.start), "")
            for part in self.bars
            if _takes_out_of_all(part)
        )
        return not self.units.keys().isdisjoint(behind)

    def _changes(self, part: Part, clause: range, holds: range | None) -> bool:
        """Return whether a part may change that all hold, and neither excepts one nor says it."""
        if _takes_out_of_all(part) or part.text.lower() in SAID["rest"]:
            return False
        at = part.start
        if holds and (at in holds or (part.kind == DOUBT and at >= holds.stop)):
            return False
        return at in clause or (part.kind == NEGATION and at < clause.start)

    @cached_property
    def bars(self) -> Sequence[Part]:
        """The words that may change what is said of its places, wherever they stand."""
        return [part for part in self.parts if part.kind != ORDER]

    @cached_property
    def parts(self) -> Sequence[Part]:
        """The words that may change what is said, and the orders that are read, by their tokens."""
        starts = [each.start for each in self.found]
        parts = [
            replace(part, start=bisect_left(starts, part.start), end=bisect_left(starts, part.end))
            for part in taken_apart(self.text, self.turn).parts
            if part.kind in (ORDER, *_CHANGING)
        ]
        return parts + [
            Part(TIME, each.text, at, at + 1)
            for at, each in enumerate(self.found)
            if is_other_season(each.key, self.turn)
            and not any(part.start <= at < part.end for part in parts)
        ]

    @cached_property
    def _ordered(self) -> Sequence[tuple[Part, Order]]:
        """The orders that are read, each behind its words."""
        said = [each for each in self.parts if each.kind == ORDER]
        found = [(part, order_named(part.text, self.turn)) for part in said]
        return [(part, order[1]) for part, order in found if order]

    def _read(self) -> Iterator[Mention]:
        """Yield the units of orders that are read which no place names (`la flotte roumaine`)."""
        for part, order in self._ordered:
            known = {each.province for each in self.every if part.start <= each.start < part.end}
            where = place(order)
            if where in self.units.keys() - known:
                yield Mention(part.start, part.start + 1, where)

    def _kinds(self) -> Iterator[Mention]:
        """Yield the words for a kind of unit of which the writer has one, not named beside them."""
        words = Vocabulary.of(self.turn.variant.board)
        said = set[str]()
        for at, token in enumerate(self.found):
            kind = words.kind([token.key]) if len(token.key) > 1 else None
            units = [where for where, unit in self.units.items() if kind and unit.kind == kind]
            if len(units) != 1 or units[0] in said:
                continue
            named = [each.start for each in self.every if each.province == units[0]]
            if not any(start in self._clause(at) or abs(start - at) <= _NEAR for start in named):
                said.add(units[0])
                yield Mention(at, at + 1, units[0])

    @cached_property
    def denied(self) -> set[Mention] | None:
        """Places that are in no order (`to Picardy, not to Burgundy`, `Paris to Burgundy, no, Paris
        to Picardy`); None where words may change the orders: a condition or a choice wherever it
        stands, what denies or says when before a unit of its clause."""
        if self._leaves_open():
            return None
        denied = {*self._outdated(), *self._left_out(), *self._beside_it()}
        for part in self.bars:
            if self.stays and _takes_out_of_all(part):
                continue
            if self._hangs(part):
                return None
            after = self._behind(part) if part.kind not in (CONDITION, DOUBT) else []
            takes = self._taken(part, after) if after else ()
            if takes is None:
                return None
            denied.update(takes)
        return denied

    def _leaves_open(self) -> bool:
        """Return whether it has a word of choice behind a place, or joins two goals of one unit
        (`between Paris to Burgundy and Paris to Picardy`)."""
        first = self.every[0].start if self.every else len(self.found)
        return any(each.text.lower() in SAID["or"] for each in self.found[first:]) or any(
            unit.province == name.province in self.units
            and name.start == to.end + 1
            and self.found[to.end].key in AND
            for unit, to, name in zip(self.every, self.every[1:], self.every[2:], strict=False)
        )

    def _taken(self, part: Part, after: Sequence[Mention]) -> Sequence[Mention] | None:
        """Return those of the names behind a part that are in no order for what it says: that
        something is not done, or when; None where it may change what is said of a unit."""
        if part.kind == TIME:
            name = after[0]
            first = self._named(self._clause(name.start))[0] == name
            season = any(is_other_season(word, self.turn) for word in words_of(part.text))
            if not (season or (first and name.start - part.end <= _NEAR)):
                # What says when says it of words near it, or is a season.
                return ()
            return after if season and self.every[0].start < part.start else None
        if part.kind not in (NEGATION, CONTRAST):
            return None
        if after[0].province not in self.units:
            return after[:1]
        return () if self._earlier(after[0]) or self._rests(part, after[0]) else None

    def _left_out(self) -> Iterator[Mention]:
        """Yield the places that an order that was read denies (`not to Burgundy`)."""
        for part, order in self._ordered:
            names = [each for each in self.every if part.start <= each.start < part.end]
            if len(names) > _IN_MOVE:
                own = places_of(order, self.turn.wanted)
                yield from (each for each in names if each.province not in own)

    def _beside_it(self) -> Iterator[Mention]:
        """Yield places in brackets with other words and no unit (`I promised nobody Sweden`)."""
        for here in self.clauses:
            names = self._named(here)
            empty = not any(self.turn.owner(each.province) for each in names)
            more = sum(map(self._tells, here)) > sum(each.end - each.start for each in names)
            if self.found[here.start].kind == "(" and empty and more:
                yield from names

    def _tells(self, at: int) -> bool:
        """Return whether a word is none that may stand between a unit and its goal."""
        key, acts = self.found[at].key, self._acts([at])
        around = is_around(key) or key in SAID["to"] or key in SAID["article"]
        return self.found[at].kind == "word" and not (around or acts)

    def _outdated(self) -> Iterator[Mention]:
        """Yield the units, each with its goal, for which another goal is named behind."""
        for at, name in enumerate(self.every):
            for before in self._earlier(name) if self._goal(at) is not None else ():
                if self._goal(before) not in (None, self._goal(at)):
                    yield from self.every[before : before + 2]

    def _earlier(self, name: Mention) -> Sequence[int]:
        """Return which names before one are of the same unit."""
        before = self.every[: self.every.index(name)] if name.province in self.units else ()
        return [at for at, each in enumerate(before) if each.province == name.province]

    def _goal(self, at: int) -> str | None:
        """Return the place right behind a unit, if it is no other unit, or of a support."""
        to = self.every[at + 1 : at + 2]
        start = self.every[at - 1].end if at else 0
        said = self._acts(range(start, self.every[at].start))
        between = any(self.every[at] < each < to[0] for each in self.kinds) if to else False
        if not to or between or to[0].province in self.units or not said.isdisjoint(AIDS):
            return None
        return to[0].province

    def _behind(self, part: Part) -> list[Mention]:
        """Return the names behind a part in its clause."""
        last = self._clause(part.end - 1).stop
        return [each for each in self.every if part.start < each.start < last]

    def _rests(self, part: Part, name: Mention) -> bool:
        """Return whether words deny that anything is done with a unit (`don't touch Venice`)."""
        here = self._clause(name.start)
        alone = self._named(here) == [name]
        denies = range(part.start, part.end)
        said = any(
            self.found[at].kind == "word" and not is_around(self.found[at].key)
            for at in here
            if at != name.start and at not in denies
        )
        return alone and said and not self._is_said_by_person(here)

    def _is_said_by_person(self, here: range) -> bool:
        """Return whether somebody is the subject of a clause, or may be."""
        first, last = self.found[here.start], self.found[here.stop - 1]
        return speaks(self.text[first.start : last.end], PERSON)

    def _rest(self, among: Sequence[int]) -> range | None:
        """Return where words say that units rest, if no verb for that does."""
        for at in among:
            end = SAID["still"].end(self.found, at)
            if end > at or is_holding(self.found[at].key):
                return range(at, max(end, at + 1))
        return None

    def _acts(self, among: Sequence[int]) -> set[str]:
        """Return what words say that a unit does; a letter may be anything in a sentence."""
        acts = {act for act, _ in self._verbs_in(among)}
        made = any(_is_made(self.found[at].key, "support") for at in among)
        return acts | ({Verb.SUPPORT} if made else set())


def _takes_out_of_all(part: Part) -> bool:
    return part.text.lower() in SAID["except"]


def is_other_season(word: str, turn: OrderContext) -> bool:
    """Return whether a word names a season that is not the one that is played."""
    now = SAID[turn.phase.season.name.lower()] if turn.phase else ()
    return len(word) > 1 and is_season(word) and word not in now


@lru_cache(maxsize=4096)
def _is_made(word: str, verb: str) -> bool:
    """Return whether a word is made of one of these verbs, or is one of them misspelled."""
    stem = _STEMS[verb]
    return any(
        word.endswith(each)
        or word[:stem] == each[:stem]
        or (not each.startswith(word) and edits(word, each, 1) == 1)
        for each in _MADE_OF[verb]
        if len(each) >= stem <= len(word) + 1
    )


def is_holding(word: str) -> bool:
    """Return whether a word is made of a verb that says that a unit holds."""
    return _is_made(word, "hold")


_STEMS = {"hold": 6, "support": 7}
"""Letters that words made of a verb have in common with it."""

_MADE_OF = {verb: [*filter(str.isalpha, map(name_key, listed("verbs")[verb]))] for verb in _STEMS}


def is_unit(text: str, known: KnownOrders) -> bool:
    """Return whether a text names one of the writer's units, and says nothing else."""
    if len(text) > _HEADING:
        return False
    found = tokens(text)
    names = [*named(found, known.turn.variant, known.near)]
    if len(names) != 1 or names[0].province not in units_of(known.turn):
        return False
    kinds = Vocabulary.of(known.turn.variant.board)
    others = [each for at, each in enumerate(found) if not names[0].start <= at < names[0].end]
    return all(
        each.kind != "word"
        or kinds.kind([each.key]) is not None
        or says_nothing(each.key)
        or speaks(each.key, OWN, YOU)
        for each in others
    )


_HEADING = 40
"""Characters of a text that only names a unit."""

CLAUSES = (",", ":", "(", ")")
AND = SAID["and"]

_NEAR = 2
"""Words between what says when and what it says that of."""

_IN_MOVE = 2
"""Places of a move."""

_BRIEF = 8
"""Words of a clause that says that all rest without a verb for it."""

_CHANGING = frozenset({CONDITION, CONTRAST, NEGATION, TIME, COMMAND, DOUBT})
AIDS = (Verb.SUPPORT,)

_CONDITIONS = Phrases((word, word) for word in listed("line", LANGUAGES)[CONDITION])
"""Conditions in languages that people are answered in: `se` is one in Italian, not in French."""
