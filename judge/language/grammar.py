"""The forms an order can have, matched with the tokens of a line in every way that fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from judge.language.bombs import bombs, conversions, conversions_of
from judge.language.drafts import Bare, Misread, Parse
from judge.language.names import EXACT, FUZZY, MOST_WORDS, PREFIX, Names, coast_of
from judge.language.vocabulary import NUMBERS, SAID, Token, Verb
from judge.rules.board import province_of
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Proxy,
    Retreat,
    Support,
    Waive,
)
from judge.rules.phase import Kind
from judge.rules.position import Unit

_PLACELESS: Final = {
    Verb.HOLD,
    Verb.SUPPORT,
    Verb.CONVOY,
    Verb.DISBAND,
    Verb.RETREAT,
    Verb.BUILD,
    Verb.BOMB,
}


class _Location(NamedTuple):
    location: str
    end: int
    tier: int


class _Unit(NamedTuple):
    unit: Unit
    owner: str | None
    end: int
    tier: int


class _Aim(NamedTuple):
    """Where a move goes: its end, waters on the way, whether it is to go by convoy."""

    to: str
    path: tuple[str, ...]
    via: bool | None
    end: int
    tier: int


class Parser:
    """All the ways to understand a line as one order. Positions are indices into its tokens.

    `fuzzy` allows misspelled names; `open_names` takes a short name for each that begins like it,
    so that the board can tell which is meant; `lenient` takes words that are no name for one, to
    find out where a line goes wrong.
    """

    def __init__(
        self,
        names: Names,
        found: Sequence[Token],
        kind: Kind,
        *,
        fuzzy: bool = False,
        open_names: bool = False,
        lenient: bool = False,
    ) -> None:
        self.names = names
        self.found = found
        self.kind = kind
        self.fuzzy = fuzzy
        self.open_names = open_names
        self.lenient = lenient
        self.words = names.words
        known = _found_in(names, (*found,), fuzzy, open_names, lenient)
        self._at, self._ways, self._owned = known

    # -- tokens

    def key(self, place: int) -> str:
        """The word at `place` in comparable form, "" where there is none."""
        return self.found[place].key if place < len(self.found) else ""

    def kind_at(self, place: int) -> str:
        """The kind of the token at `place`, "" behind the last."""
        return self.found[place].kind if place < len(self.found) else ""

    def verb(self, place: int) -> str | None:
        """The verb at `place`, by its letter."""
        return self.words.verbs.get(self.key(place))

    def unit_kind(self, place: int) -> tuple[str, int] | None:
        """The letter of the kind of unit named at `place`, and the place after its name."""
        first = self.key(place)
        if self.words.pairs and (code := self.words.pairs.get((first, self.key(place + 1)))):
            return code, place + 2
        code = self.words.kinds.get(first)
        return (code, place + 1) if code else None

    def skip(self, place: int, words: Collection[str]) -> int:
        """The place after one of `words`, if one stands at `place`."""
        return place + 1 if self.key(place) in words else place

    def before_name(self, place: int, words: Collection[str]) -> int:
        """The place after one of `words`, which may stand before the name of a place, unless it is
        the name itself."""
        word = self.key(place)
        named = word in self.names.single and not self.locations(place + 1)
        return place if named else self.skip(place, words)

    def skip_kind(self, place: int, kind: str) -> int:
        """The place after a token of `kind`, if one stands at `place`."""
        return place + 1 if self.kind_at(place) == kind else place

    # -- names

    def locations(self, place: int) -> list[_Location]:
        """What location may be named from `place` on, longest first."""
        found = self._at.get(place)
        if found is None:
            found = self._at[place] = list(self._coasted(self._provinces(place)))
            found += self._coast_first(place)
        return found

    def _coasted(self, provinces: Iterator[_Location]) -> Iterator[_Location]:
        for location, end, tier in provinces:
            coast, after = self._coast(location, end)
            if not coast or isinstance(location, Misread):
                yield _Location(location, after, tier)
                continue
            split, marked = self._split(location), self.kind_at(end) in ("/", "(", ",")
            yield _Location(f"{location}/{coast}", after, tier if split or marked else PREFIX)
            if not marked:
                # Or a place of its own: South China Sea (scs), Coast of Vietnam.
                yield _Location(location, end, PREFIX if split else tier)

    def _coast(self, province: str, place: int) -> tuple[str | None, int]:
        """The coast named at `place` behind a province, and the place after it."""
        place = self.skip_kind(before := place, ",")
        mark = self.kind_at(place)
        start = place + 1 if mark in ("/", "(") else place
        for count in (2, 1):
            words = tuple(self.key(index) for index in range(start, start + count))
            if not all(words):
                continue
            coast = coast_of(words, marked=start > place, own=self.names.coasts)
            end = start + count
            if coast is None or (mark == "(" and self.kind_at(end) != ")"):
                continue
            if mark == "(" and self.verb(start) and not self._is_marked(province, end + 1):
                continue
            bare = words[-1] in SAID["bare_coast"] or coast in self.names.coasts
            if mark not in ("/", "(") and bare and not self._split(province):
                continue
            return coast, end + (mark == "(")
        return None, before

    def _is_marked(self, province: str, place: int) -> bool:
        """Whether a lone letter in brackets is the coast of a province, and no verb (`A bur (S) A
        pic`): `place` is behind it."""
        goes_on = self.kind_at(place) == "word" and not self.verb(place)
        return self._split(province) and not goes_on

    def _split(self, province: str) -> bool:
        known = self.names.variant.board.provinces.get(province)
        return known is not None and bool(known.coasts)

    def _coast_first(self, place: int) -> Iterator[_Location]:
        """`north coast of Spain`."""
        place = self.skip(place, {"the"})
        words = (self.key(place), self.key(place + 1))
        if words[1] == "coast" and (coast := coast_of(words, marked=False, own=self.names.coasts)):
            for location, end, tier in self._provinces(self.skip(place + 2, {"of"})):
                yield _Location(f"{location}/{coast}", end, tier)

    def _provinces(self, place: int) -> Iterator[_Location]:
        if self.key(place) == "the":
            # Of the name, or an article.
            yield from self._called(place)
            place += 1
        yield from self._called(place)

    def _called(self, start: int) -> Iterator[_Location]:
        words: list[str] = []
        ends: list[int] = []
        dashes: list[bool] = []
        dashed = False
        index = start
        while len(words) < MOST_WORDS and (token := self.kind_at(index)) in ("word", "-"):
            if token == "-":
                if not words or (dashed and not dashes[-1]):
                    break
                dashed = True
            else:
                words.append(self.key(index))
                ends.append(index + 1)
                dashes.append(dashed)
            index += 1
        hyphened = self.names.provinces.hyphened
        whole = False
        for count in range(len(words), 0, -1):
            match = self.names.provinces.find(tuple(words[:count]))
            # A letter before a name is a unit's or a verb's, not a part of it misspelled.
            if not match.ids and self._may_guess(words[:count], dashes[count - 1]):
                match = self.names.provinces.guess_of(words[:count])
            if self.open_names and not dashes[count - 1]:
                several = match.ids
                if count == 1:
                    several = tuple(
                        dict.fromkeys(several + self.names.provinces.beginnings(words[0]))
                    )
                if len(several) > 1:
                    yield from (_Location(each, ends[count - 1], PREFIX) for each in several)
                    continue
            if len(match.ids) == 1:
                # `swe - den` spells Sweden, too; a dash within a name is the less likely reading
                # unless the name has one.
                joined = dashes[count - 1] and tuple(words[:count]) not in hyphened
                # So is half a name: "Mediterranean Sea" is rather one space than two.
                tier = max(match.tier, PREFIX) if joined or whole else match.tier
                whole = whole or tier == EXACT
                yield _Location(match.ids[0], ends[count - 1], tier)
        if self.lenient:
            yield from self._misread(start, words, ends, dashes)

    def _may_guess(self, words: Sequence[str], dashed: bool) -> bool:
        return (
            self.fuzzy
            and not dashed
            and min(map(len, words)) > 2
            and self.words.verbs.keys().isdisjoint(words[:-1])
            and not self.names.powers.find(tuple(words)).ids
        )

    def _misread(
        self, start: int, words: list[str], ends: list[int], dashes: list[bool]
    ) -> Iterator[_Location]:
        """Words in a name's place that are no name: one, or two that are no verbs."""
        for count in (1, 2):
            if count > len(words) or dashes[count - 1]:
                return
            taken = words[:count]
            if len(self.names.provinces.find(tuple(words[:1])).ids) == 1:
                return
            known = (self.words.verbs, self.words.kinds, SAID["to"])
            if any(word in each for each in known for word in taken):
                return
            text = " ".join(token.text for token in self.found[start : ends[count - 1]])
            name = Misread(text)
            name.names, name.words = self.names, tuple(taken)
            yield _Location(name, ends[count - 1], FUZZY + count)

    def owners(self, place: int) -> Iterator[tuple[str | None, int, int]]:
        """The power named from `place` on, with the end of its name; also none at all."""
        yield None, place, EXACT
        words: list[str] = []
        index = place
        while len(words) < MOST_WORDS and self.kind_at(index) in ("word", "-"):
            if self.kind_at(index) == "word":
                words.append(self.key(index))
                match = self.names.powers.find(tuple(words))
                if len(match.ids) == 1:
                    yield match.ids[0], self.skip_kind(index + 1, ":"), match.tier
            index += 1
        letter = self.names.variant.letters.get(self.key(place).upper())
        if letter and self.kind_at(place + 1) == ":":
            yield letter, place + 2, EXACT

    # -- units

    def owned_units(self, place: int) -> list[_Unit]:
        """The units that may be named from `place` on: `the French army in Paris`."""
        found = self._owned.get(place)
        if found is None:
            found = self._owned[place] = [
                _Unit(unit, owner, end, max(tier, unit_tier))
                for start in self._article(place)
                for owner, after, tier in self.owners(start)
                for then in self._article(after)
                for unit, end, unit_tier in self.units(then)
            ]
        return found

    def _article(self, place: int) -> tuple[int, ...]:
        """The places after an article; `a` is one only where a longer word for a unit follows, and
        what may be (a part of) a name may be none."""
        if self.key(place) in ("a", "an") and len(self.key(place + 1)) < 3:
            return (place,)
        if self.key(place) in ("a", "an") and not self.unit_kind(place + 1):
            return (place,)
        after = self.skip(place, SAID["article"])
        return (place, after) if after > place and self.key(place) in self.names.begin else (after,)

    def units(self, place: int) -> Iterator[tuple[Unit, int, int]]:
        """The units that may be named from `place` on, without their owner."""
        if named := self.unit_kind(place):
            for location, end, tier in self.locations(self.before_name(named[1], SAID["at"])):
                yield Unit(named[0], location), end, tier
        start = self.skip(place, {"unit"})
        for location, end, tier in self.locations(
            self.before_name(start, SAID["at"]) if start > place else place
        ):
            yield Unit("", location), end, tier
            # `the Madras fleet`, `the Bulgarian unit`
            behind = self.unit_kind(end) or ("", end + 1)
            if start == place and len(self.key(end)) > 2 and (behind[0] or self.key(end) == "unit"):
                yield Unit(behind[0], location), behind[1], max(tier, PREFIX)

    # -- orders

    def parses(self) -> Iterator[Parse]:
        """Every way to understand the whole line."""
        for parse in self.orders():
            if all(token.kind in (")", ":", ",") for token in self.found[parse.end :]):
                yield parse

    def orders(self) -> Iterator[Parse]:
        """Orders that may be read from the start."""
        for owner, place, tier in self.owners(0):
            for parse in self._owned_orders(place):
                yield _behind(owner, tier, parse)

    def _owned_orders(self, place: int) -> Iterator[Parse]:
        yield from self._waives(place)
        yield from self._commands(place)
        for unit, owner, end, tier in self.owned_units(place):
            yield Parse(Bare(unit), end, tier, owner)
            for parse in self.actions(unit, end):
                yield _behind(owner, tier, parse)
        start = self.skip(place, SAID["article"])
        named = self.unit_kind(place) or self.unit_kind(start)
        named = ("", start + 1) if self.key(start) == "unit" else named
        if named:
            # The player's only fleet or army; which one it is only the position can tell.
            unit, after = Unit(named[0], ""), named[1]
            if self.verb(after) in _PLACELESS and self.key(after) not in self.names.single:
                yield from self.actions(unit, after)
            elif self.kind is not Kind.ADJUSTMENTS and self._goes(start, after):
                yield from self._moves(unit, after)

    def _goes(self, start: int, place: int) -> bool:
        """Whether a move follows a whole word for a unit (`fleet to Channel`, not `A - Bur`)."""
        goes = self.kind_at(place) == "-" or self.verb(place) == Verb.MOVE
        return (goes or self.key(place) in SAID["towards"]) and len(self.key(start)) > 2

    def _waives(self, place: int) -> Iterator[Parse]:
        """`waive`, `waive 2`, `2 waives`, `waive all builds`, `build waived`."""
        count: int | None = None
        waived = False
        while place < len(self.found):
            word = self.key(place)
            if word in SAID["waive"] and not waived:
                waived = True
            elif (word.isdecimal() or word in NUMBERS) and count is None and len(word) < 6:
                count = NUMBERS[word] if word in NUMBERS else int(word)
            elif word not in SAID["build"]:
                return
            place += 1
        if waived:
            yield Parse(Waive(count or None), place)

    def _commands(self, place: int) -> Iterator[Parse]:
        """Orders that begin with the verb: `build A Par`, `retreat A Mun - Boh`."""
        verb = self.verb(place)
        start = self.skip_kind(place + 1, ":")
        if verb == Verb.CONVERT or self.key(place) in SAID["turn"]:
            yield from conversions(self, place)
        if verb is None:
            return
        if self.unit_kind(place) and not self.unit_kind(start):
            # Where R is an arsenal, it is a verb only before a unit that is named in full.
            return
        if verb in (Verb.SUPPORT, Verb.CONVOY):
            yield from self._with_units(verb, start)
        removal = verb in (Verb.DISBAND, Verb.REMOVE) or (
            self.key(place) == "r" and verb == Verb.RETREAT and self.kind is Kind.ADJUSTMENTS
        )
        for unit, owner, end, tier in self.owned_units(start):
            if verb == Verb.BUILD:
                yield Parse(Build(unit), end, tier, owner)
            elif removal:
                yield Parse(Disband(unit), end, tier, owner)
            elif verb == Verb.HOLD and (unit.kind or tier < FUZZY):
                # "Stay tuned" is no order for Tunis.
                yield Parse(Hold(unit), end, tier, owner)
            elif verb == Verb.RETREAT:
                for aim in self.aims(end):
                    if not aim.path and aim.via is None:
                        sure = max(tier, aim.tier)
                        yield Parse(Retreat(unit, aim.to), aim.end, sure, owner)
            elif verb == Verb.MOVE and len(self.key(place)) > 2:
                for parse in self._moves(unit, end):
                    yield _behind(owner, tier, parse)

    def _with_units(self, verb: str, place: int) -> Iterator[Parse]:
        """`support Picardy to Belgium with Burgundy`: what is done stands before who does it."""
        for order, told, tier, _, other in self._aids(verb, Unit("", ""), place):
            if self.key(told) in SAID["with"] and isinstance(order, Support | Convoy):
                for unit, owner, end, unit_tier in self.owned_units(told + 1):
                    by = replace(order, unit=unit)
                    yield Parse(by, end, max(tier, unit_tier), owner, other)

    def actions(self, unit: Unit, place: int) -> Iterator[Parse]:
        """What `unit` may be told to do from `place` on."""
        place = self._modals(self.skip_kind(place, ":"))
        spoken = self.skip_kind(place, "-")
        verb = self.verb(spoken)
        after = spoken + 1
        if verb == Verb.HOLD:
            yield Parse(Hold(unit), self._still(unit, after))
        elif verb in (Verb.DISBAND, Verb.REMOVE):
            yield Parse(Disband(unit), after)
        elif verb == Verb.BUILD:
            yield Parse(Build(unit), after)
        elif verb in (Verb.SUPPORT, Verb.CONVOY):
            yield from self._aids(verb, unit, after)
        elif verb == Verb.RETREAT:
            for location, end, tier in self.locations(self._on(after)):
                yield Parse(Retreat(unit, location), end, tier)
        elif verb in (Verb.BOMB, Verb.CARRY, Verb.DROP):
            yield from bombs(self, unit, spoken)
        elif self.key(spoken) in SAID["proxy"] and spoken == place:
            yield from self._proxies(unit, self.skip(after, {"to", "by", "for"}))
        # "S pa" is a slip in a support, rather than Spain.
        supports = (
            verb in (Verb.SUPPORT, Verb.CONVOY) and spoken == place and len(self.key(place)) == 1
        )
        if unit.location:
            if verb == Verb.CONVERT or self.kind is Kind.ADJUSTMENTS:
                yield from conversions_of(self, unit, place)
            if not supports:
                yield from self._moves(unit, place)

    def _still(self, unit: Unit, place: int) -> int:
        """The place after `in Delhi`, where that is where the unit stands."""
        if self.key(place) in SAID["at"]:
            for location, end, _ in self.locations(place + 1):
                if province_of(location) == unit.province:
                    return end
        return place

    def _modals(self, place: int) -> int:
        """The place after `will just` and the like, if a verb in full follows."""
        start = place
        while self.key(place) in SAID["modal"]:
            place += 1
        return place if self.verb(place) and len(self.key(place)) > 1 else start

    def _proxies(self, unit: Unit, place: int) -> Iterator[Parse]:
        """What follows `P`: a power, by its letter or by name."""
        for power, end, tier in self.owners(place):
            if power is not None:
                yield Parse(Proxy(unit, power), end, tier)
        if letter := self.names.variant.letters.get(self.key(place).upper()):
            yield Parse(Proxy(unit, letter), place + 1)

    def _moves(self, unit: Unit, place: int) -> Iterator[Parse]:
        """Where `unit` may be told to go from `place` on."""
        for to, path, via, end, tier in self.aims(place):
            if self.kind is Kind.RETREATS and not path and via is None:
                yield Parse(Retreat(unit, to), end, tier)
            else:
                yield Parse(Move(unit, to, via, path), end, tier)

    def _on(self, place: int) -> int:
        """The place after a dash, `to` or both."""
        return self.before_name(self.skip_kind(place, "-"), SAID["to"])

    def aims(self, place: int) -> Iterator[_Aim]:
        """Where a move may go from `place` on: `- Bur`, `to Bur`, `Nth - Nwy via convoy`."""
        start = self.skip_kind(place, "-")
        if self.key(start) == "in" and self.key(start + 1) in SAID["its"]:
            start += 2
        if self.verb(start) == Verb.MOVE:
            start = self.before_name(start, {self.key(start)})
        yield from self._legs(self._on(start))

    def _legs(self, place: int) -> list[_Aim]:
        """Where a way that goes on at `place` may end: one location, or several with dashes.

        Of the ways to the same end only the surest are kept, among open names of those to the same
        location: the board tells no waters on the way apart.
        """
        known = self._ways.get(place)
        if known is None:
            by_end: dict[tuple[int, str], list[_Aim]] = {}
            for aim in self._each_leg(place):
                by_end.setdefault((aim.end, aim.to * self.open_names), []).append(aim)
            known = self._ways[place] = [
                aim
                for aims in by_end.values()
                for aim in sorted(aims, key=lambda aim: aim.tier)[:_MOST_WAYS]
            ]
        return known

    def _each_leg(self, place: int) -> Iterator[_Aim]:
        through: Counter[int] = Counter()
        for location, end, tier in self.locations(place):
            through[end] += 1
            if self.kind_at(end) == "-" and through[end] <= _MOST_WAYS:
                for aim in self._legs(end + 1):
                    if len(aim.path) < _LONGEST_WAY:
                        path = (location, *aim.path)
                        yield aim._replace(path=path, via=True, tier=max(tier, aim.tier))
            via, waters, after = self._via(end)
            yield _Aim(location, waters, True if via else None, after, tier)

    def _via(self, place: int) -> tuple[bool, tuple[str, ...], int]:
        """The wish to go by convoy at `place`: whether it is there, waters named, the end."""
        start = self.skip_kind(self.skip_kind(place, ","), "(")
        word = self.key(start)
        if word in ("via", "by", "with", "using", "per"):
            after = self.skip(start + 1, {"the", "a"})
            if self.key(after) in SAID["sail"]:
                if self.key(after + 1) in ("over", "across", "through", "via"):
                    waters, end = self._waters(after + 2)
                    return True, waters, end
                return True, (), after + 1
            if word == "via":
                waters, end = self._waters(after)
                return True, waters, end
        elif word in ("convoy", "convoyed"):
            return True, (), start + 1
        return False, (), place

    def _waters(self, place: int) -> tuple[tuple[str, ...], int]:
        """Waters in a row, with dashes or `and` between them."""
        waters: tuple[str, ...] = ()
        while True:
            found = self.locations(self.before_name(self.skip_kind(place, "-"), {"and", "via"}))
            if not found:
                return waters, place
            waters, place = (*waters, found[0].location), found[0].end

    def _aids(self, verb: str, unit: Unit, place: int) -> Iterator[Parse]:
        """What follows `supports` or `convoys`."""
        supports = verb == Verb.SUPPORT
        aid: type[Support | Convoy] = Support if supports else Convoy
        for other, owner, end, tier in self.owned_units(place):
            if supports:
                held = self.skip(self.skip_kind(end, "-"), {"to", "in"})
                if self.verb(held) == Verb.HOLD:
                    still = self._still(other, held + 1)
                    yield Parse(Support(unit, other), still, tier, other=owner)
                yield Parse(Support(unit, other), end, tier, other=owner)
            for aim in self.aims(end):
                order, sure = aid(unit, other, aim.to), max(tier, aim.tier)
                yield Parse(order, aim.end, sure, other=owner)
        start = self.skip(place, {"the"})
        if supports and self.verb(start) == Verb.HOLD:
            behind = self.skip(start + 1, {"to", "at", "of", "in", "for", "by"})
            for other, owner, end, tier in self.owned_units(behind):
                yield Parse(Support(unit, other), end, tier, other=owner)
        # `move to Burgundy from Paris`
        start = start + 1 if self.verb(start) == Verb.MOVE else start
        for to, end, tier in self.locations(start + 1) if self.key(start) in SAID["to"] else ():
            if self.key(end) == "from":
                for other, owner, after, unit_tier in self.owned_units(end + 1):
                    sure = max(tier, unit_tier)
                    yield Parse(aid(unit, other, to), after, sure, other=owner)
        goes = self.kind_at(place) == "-" or self.key(place) in SAID["to"]
        if goes and unit.kind == "A" and not supports:
            for location, end, tier in self.locations(self._on(place)):
                yield Parse(Move(unit, location, via=True), end, tier)


def _behind(owner: str | None, tier: int, parse: Parse) -> Parse:
    """A parse behind a name of this tier, whose power it is unless it names another one."""
    return Parse(parse.order, parse.end, max(tier, parse.tier), parse.owner or owner, parse.other)


@lru_cache(maxsize=64)
def _found_in(
    names: Names, found: tuple[Token, ...], fuzzy: bool, open_names: bool, lenient: bool
) -> tuple[dict[int, list[_Location]], dict[int, list[_Aim]], dict[int, list[_Unit]]]:
    """What the parsers of a line find by place, whatever the kind of phase they read it for."""
    return {}, {}, {}


_MOST_WAYS: Final = 3
_LONGEST_WAY: Final = 12
"""Waters on a way; no convoy has as many."""
