"""The forms an order can have, matched with the tokens of a line in every way that fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from judge.language.bombs import TURNS, bombs, conversions, conversions_of
from judge.language.drafts import Bare, Draft, Misread, Parse
from judge.language.names import EXACT, FUZZY, MOST_WORDS, PREFIX, Names, coast_of
from judge.language.vocabulary import NUMBERS, TO, WAIVES, Token, Verb
from judge.rules.board import province_of
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Proxy,
    Retreat,
    Support,
    Waive,
)
from judge.rules.phase import Kind
from judge.rules.position import Unit

_AT: Final = {"in", "at", "of", "from"}
_MODALS: Final = {"will", "shall", "should", "must", "is", "to", "be", "just", "simply", "please"}
_PROXY: Final = {"p", "proxy", "proxies"}
_ITS: Final = {"its", "his", "her", "their"}
_ARTICLES: Final = {"the", "my", "our", "a", "an", "from"}
_BUILDS: Final = {"b", "build", "builds", "the", "my", "other", "unused", "remaining"}
_PLACELESS: Final = {
    Verb.HOLD,
    Verb.SUPPORT,
    Verb.CONVOY,
    Verb.DISBAND,
    Verb.RETREAT,
    Verb.BUILD,
    Verb.BOMB,
}
_WITH: Final = {"with", "by", "using", "from"}
_SAIL: Final = {"convoy", "conv", "convoys", "sea", "fleet", "fleets", "ship", "boat"}


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

    def skip(self, place: int, words: set[str]) -> int:
        """The place after one of `words`, if one stands at `place`."""
        return place + 1 if self.key(place) in words else place

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
            if coast and not isinstance(location, Misread):
                yield _Location(f"{location}/{coast}", after, tier)
            else:
                yield _Location(location, after, tier)

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
            bare = words[-1] in _BARE_COASTS or coast in self.names.coasts
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
        start = self.skip(place, {"the"})
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
                match = self.names.provinces.guess("".join(words[:count]))
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
            known = (self.words.verbs, self.words.kinds, TO)
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
                for owner, after, tier in self.owners(self._article(place))
                for unit, end, unit_tier in self.units(self._article(after))
            ]
        return found

    def _article(self, place: int) -> int:
        """The place after an article; `a` is one only where a longer word for a unit follows."""
        if self.key(place) in ("a", "an") and len(self.key(place + 1)) < 3:
            return place
        if self.key(place) in ("a", "an") and not self.unit_kind(place + 1):
            return place
        return self.skip(place, _ARTICLES)

    def units(self, place: int) -> Iterator[tuple[Unit, int, int]]:
        """The units that may be named from `place` on, without their owner."""
        if named := self.unit_kind(place):
            for location, end, tier in self.locations(self.skip(named[1], _AT)):
                yield Unit(named[0], location), end, tier
        start = self.skip(place, {"unit"})
        for location, end, tier in self.locations(
            self.skip(start, _AT) if start > place else place
        ):
            yield Unit("", location), end, tier
            # `the Madras fleet`, `the Bulgarian unit`
            behind = self.unit_kind(end) or ("", end + 1)
            if start == place and len(self.key(end)) > 2 and (behind[0] or self.key(end) == "unit"):
                yield Unit(behind[0], location), behind[1], max(tier, PREFIX)

    # -- orders

    def parses(self) -> Iterator[Parse]:
        """Every way to understand the whole line."""
        for order, owner, other, end, tier in self.orders():
            if all(token.kind in (")", ":", ",") for token in self.found[end:]):
                yield Parse(order, tier, owner, other)

    def orders(self) -> Iterator[tuple[Draft, str | None, str | None, int, int]]:
        """Orders that may be read from the start: (order, owner, other owner, end, tier)."""
        for owner, place, tier in self.owners(0):
            for order, named, other, end, order_tier in self._owned_orders(place):
                yield order, named or owner, other, end, max(tier, order_tier)

    def _owned_orders(self, place: int) -> Iterator[tuple[Draft, str | None, str | None, int, int]]:
        yield from self._waives(place)
        yield from self._commands(place)
        for unit, owner, end, tier in self.owned_units(place):
            yield Bare(unit), owner, None, end, tier
            for order, other, after, action_tier in self.actions(unit, end):
                yield order, owner, other, after, max(tier, action_tier)
        start = self.skip(place, _ARTICLES)
        named = self.unit_kind(place) or self.unit_kind(start)
        named = ("", start + 1) if self.key(start) == "unit" else named
        if named:
            # The player's only fleet or army; which one it is only the position can tell.
            unit = Unit(named[0], "")
            if self.verb(named[1]) in _PLACELESS:
                for order, other, after, tier in self.actions(unit, named[1]):
                    yield order, None, other, after, tier
            elif self.kind is not Kind.ADJUSTMENTS and self._moves(start, named[1]):
                for aim in self.aims(unit, named[1]):
                    yield self._move(unit, aim), None, None, aim.end, aim.tier

    def _moves(self, start: int, place: int) -> bool:
        """Whether a move follows a whole word for a unit (`fleet to Channel`, not `A - Bur`)."""
        goes = self.kind_at(place) == "-" or self.verb(place) == Verb.MOVE
        return (goes or self.key(place) in TO - _AT - {"on", "against"}) and len(
            self.key(start)
        ) > 2

    def _waives(self, place: int) -> Iterator[tuple[Draft, str | None, str | None, int, int]]:
        """`waive`, `waive 2`, `2 waives`, `waive all builds`, `build waived`."""
        count: int | None = None
        waived = False
        while place < len(self.found):
            word = self.key(place)
            if word in WAIVES and not waived:
                waived = True
            elif (word.isdecimal() or word in NUMBERS) and count is None and len(word) < 6:
                count = NUMBERS[word] if word in NUMBERS else int(word)
            elif word not in _BUILDS:
                return
            place += 1
        if waived:
            yield Waive(count or None), None, None, place, EXACT

    def _commands(self, place: int) -> Iterator[tuple[Draft, str | None, str | None, int, int]]:
        """Orders that begin with the verb: `build A Par`, `retreat A Mun - Boh`."""
        verb = self.verb(place)
        start = self.skip_kind(place + 1, ":")
        if verb == Verb.CONVERT or self.key(place) in TURNS:
            for change, owner, end, tier in conversions(self, place):
                yield change, owner, None, end, tier
        if verb is None:
            return
        if self.unit_kind(place) and not self.unit_kind(start):
            # Where R is an arsenal, it is a verb only before a unit that is named in full.
            return
        if verb in (Verb.SUPPORT, Verb.CONVOY):
            yield from self._with_units(verb, start)
        for unit, owner, end, tier in self.owned_units(start):
            removal = verb in (Verb.DISBAND, Verb.REMOVE) or (
                verb == Verb.RETREAT and self.key(place) == "r" and self.kind is Kind.ADJUSTMENTS
            )
            if verb == Verb.BUILD:
                yield Build(unit), owner, None, end, tier
            elif removal:
                yield Disband(unit), owner, None, end, tier
            elif verb == Verb.HOLD and (unit.kind or tier < FUZZY):
                # "Stay tuned" is no order for Tunis.
                yield Hold(unit), owner, None, end, tier
            elif verb == Verb.RETREAT:
                for aim in self.aims(unit, end):
                    if not aim.path and aim.via is None:
                        yield Retreat(unit, aim.to), owner, None, aim.end, max(tier, aim.tier)
            elif verb == Verb.MOVE and len(self.key(place)) > 2:
                for aim in self.aims(unit, end):
                    yield self._move(unit, aim), owner, None, aim.end, max(tier, aim.tier)

    def _with_units(
        self, verb: str, place: int
    ) -> Iterator[tuple[Draft, str | None, str | None, int, int]]:
        """`support Picardy to Belgium with Burgundy`: what is done stands before who does it."""
        told = (self._supports if verb == Verb.SUPPORT else self._convoys)(Unit("", ""), place)
        for order, other, end, tier in told:
            if self.key(end) not in _WITH or not isinstance(order, Support | Convoy):
                continue
            for unit, owner, after, unit_tier in self.owned_units(end + 1):
                yield replace(order, unit=unit), owner, other, after, max(tier, unit_tier)

    def actions(self, unit: Unit, place: int) -> Iterator[tuple[Draft, str | None, int, int]]:
        """What `unit` may be told to do from `place` on: (order, other owner, end, tier)."""
        place = self._modals(self.skip_kind(place, ":"))
        spoken = self.skip_kind(place, "-")
        verb = self.verb(spoken)
        after = spoken + 1
        if verb == Verb.HOLD:
            yield Hold(unit), None, self._still(unit, after), EXACT
        elif verb in (Verb.DISBAND, Verb.REMOVE):
            yield Disband(unit), None, after, EXACT
        elif verb == Verb.BUILD:
            yield Build(unit), None, after, EXACT
        elif verb == Verb.SUPPORT:
            yield from self._supports(unit, after)
        elif verb == Verb.CONVOY:
            yield from self._convoys(unit, after)
        elif verb == Verb.RETREAT:
            for location, end, tier in self.locations(self._on(after)):
                yield Retreat(unit, location), None, end, tier
        elif verb in (Verb.BOMB, Verb.CARRY, Verb.DROP):
            yield from bombs(self, unit, spoken)
        elif self.key(spoken) in _PROXY and spoken == place:
            yield from self._proxies(unit, self.skip(after, {"to", "by", "for"}))
        # "S pa" is a slip in a support, rather than Spain.
        supports = (
            verb in (Verb.SUPPORT, Verb.CONVOY) and spoken == place and len(self.key(place)) == 1
        )
        if unit.location:
            if verb == Verb.CONVERT or self.kind is Kind.ADJUSTMENTS:
                for change, end in conversions_of(self, unit, place):
                    yield change, None, end, EXACT
            for aim in () if supports else self.aims(unit, place):
                yield self._move(unit, aim), None, aim.end, aim.tier

    def _still(self, unit: Unit, place: int) -> int:
        """The place after `in Delhi`, where that is where the unit stands."""
        if self.key(place) in _AT:
            for location, end, _ in self.locations(place + 1):
                if province_of(location) == unit.province:
                    return end
        return place

    def _modals(self, place: int) -> int:
        """The place after `will just` and the like, if a verb in full follows."""
        start = place
        while self.key(place) in _MODALS:
            place += 1
        return place if self.verb(place) and len(self.key(place)) > 1 else start

    def _proxies(self, unit: Unit, place: int) -> Iterator[tuple[Order, str | None, int, int]]:
        """What follows `P`: a power, by its letter or by name."""
        for power, end, tier in self.owners(place):
            if power is not None:
                yield Proxy(unit, power), None, end, tier
        if letter := self.names.variant.letters.get(self.key(place).upper()):
            yield Proxy(unit, letter), None, place + 1, EXACT

    def _move(self, unit: Unit, aim: _Aim) -> Order:
        if self.kind is Kind.RETREATS and not aim.path and aim.via is None:
            return Retreat(unit, aim.to)
        return Move(unit, aim.to, aim.via, aim.path)

    def _on(self, place: int) -> int:
        """The place after a dash, `to` or both."""
        return self.skip(self.skip_kind(place, "-"), TO)

    def aims(self, unit: Unit, place: int) -> Iterator[_Aim]:
        """Where a move may go from `place` on: `- Bur`, `to Bur`, `Nth - Nwy via convoy`."""
        start = self.skip_kind(place, "-")
        if self.key(start) == "in" and self.key(start + 1) in _ITS:
            start += 2
        if self.verb(start) == Verb.MOVE:
            start += 1
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
            if self.key(after) in _SAIL:
                if self.key(after + 1) in ("over", "across", "through"):
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
            found = self.locations(self.skip(self.skip_kind(place, "-"), {"and", "via"}))
            if not found:
                return waters, place
            waters, place = (*waters, found[0].location), found[0].end

    def _supports(self, unit: Unit, place: int) -> Iterator[tuple[Order, str | None, int, int]]:
        """What follows `supports`."""
        for target, owner, end, tier in self.owned_units(place):
            held = self.skip_kind(end, "-")
            held = self.skip(held, {"to", "in"})
            if self.verb(held) == Verb.HOLD:
                yield Support(unit, target), owner, self._still(target, held + 1), tier
            yield Support(unit, target), owner, end, tier
            for aim in self.aims(target, end):
                yield Support(unit, target, aim.to), owner, aim.end, max(tier, aim.tier)
        start = self.skip(place, {"the"})
        if self.verb(start) == Verb.HOLD:
            for target, owner, end, tier in self.owned_units(
                self.skip(start + 1, {"to", "at", "of", "in", "for", "by"})
            ):
                yield Support(unit, target), owner, end, tier
        for target, owner, to, end, tier in self._from(place):
            yield Support(unit, target, to), owner, end, tier

    def _convoys(self, unit: Unit, place: int) -> Iterator[tuple[Order, str | None, int, int]]:
        """What follows `convoys`."""
        for army, owner, end, tier in self.owned_units(place):
            for aim in self.aims(army, end):
                yield Convoy(unit, army, aim.to), owner, aim.end, max(tier, aim.tier)
        for army, owner, to, end, tier in self._from(place):
            yield Convoy(unit, army, to), owner, end, tier
        if unit.kind == "A" and (self.kind_at(place) == "-" or self.key(place) in TO):
            for location, end, tier in self.locations(self._on(place)):
                yield Move(unit, location, via=True), None, end, tier

    def _from(self, place: int) -> Iterator[tuple[Unit, str | None, str, int, int]]:
        """`move to Burgundy from Paris`: (unit, its owner, destination, end, tier)."""
        start = self.skip(place, {"the"})
        start = start + 1 if self.verb(start) == Verb.MOVE else start
        if self.key(start) not in TO:
            return
        for to, end, tier in self.locations(start + 1):
            if self.key(end) == "from":
                for unit, owner, after, unit_tier in self.owned_units(end + 1):
                    yield unit, owner, to, after, max(tier, unit_tier)


@lru_cache(maxsize=64)
def _found_in(
    names: Names, found: tuple[Token, ...], fuzzy: bool, open_names: bool, lenient: bool
) -> tuple[dict[int, list[_Location]], dict[int, list[_Aim]], dict[int, list[_Unit]]]:
    """What the parsers of a line find by place, whatever the kind of phase they read it for."""
    return {}, {}, {}


_MOST_WAYS: Final = 3
_LONGEST_WAY: Final = 12
"""Waters on a way; no convoy has as many."""
_BARE_COASTS: Final = {"north", "south", "east", "west"}
