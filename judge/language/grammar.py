"""The forms an order can have, matched with the tokens of a line in every way that fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from judge.language import sentences
from judge.language.bomb_orders import bombs, conversions, conversions_of
from judge.language.drafts import Aiding, Bare, Parse
from judge.language.names import FUZZY, PREFIX
from judge.language.place_names import Aim, Location, NamedUnit, NameParser
from judge.language.vocabulary import LINE, NUMBERS, SAID, Phrases, Verb
from judge.rules.board import province_of
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Proxy, Retreat, Support, Waive
from judge.rules.phase import Kind
from judge.rules.position import Unit

AIDS: Final = (Verb.SUPPORT, Verb.CONVOY)
GOES: Final = (Verb.MOVE, Verb.BRING)
_PLACELESS: Final = {*AIDS, Verb.HOLD, Verb.DISBAND, Verb.RETREAT, Verb.BUILD, Verb.BOMB}


class Parser(NameParser):
    """All the ways to understand a line as one order, from any of its tokens on."""

    # -- orders

    def parses(self) -> Iterator[Parse]:
        """Yield every way to understand the whole line."""
        for parse in self.orders():
            if all(token.kind in (")", ":", ",") for token in self.found[parse.end :]):
                yield parse

    def orders(self, start: int = 0) -> Iterator[Parse]:
        """Orders that may be read from a place on."""
        for owner, place, tier in self.owners(start):
            for parse in self._owned_orders(self.skip_kind(place, ",") if owner else place):
                yield parse.behind(owner, tier)

    def _owned_orders(self, place: int) -> Iterator[Parse]:
        yield from self._waives(place)
        yield from sentences.for_all(self, place)
        for parse in self._commands(place):
            yield from sentences.aided(self, parse)
        for named in self.owned_units(place):
            yield Parse(Bare(named.unit), named.end, named.tier, named.owner)
            for parse in self.told(named):
                yield from sentences.aided(self, parse)
        yield from sentences.several(self, place)
        yield from self._lone(place)

    def _lone(self, place: int) -> Iterator[Parse]:
        """Yield orders of a player's only fleet or army; only the position can tell which it is."""
        start = self.skip(place, SAID["article"])
        kind = self.unit_kind(place) or self.unit_kind(start)
        if self.key(start) in SAID["unit"]:
            kind = "", self.skip(start, SAID["unit"])
        several = kind and self.key(kind[1] - 1) in self.words.plurals
        if kind and not several and not any(each.unit.kind for each in self.owned_units(place)):
            unit, after = Unit(kind[0], ""), kind[1]
            told = self.act(self._modals(after))
            another = told and told[0] == Verb.BUILD and self.unit_kind(told[1])
            named_so = self.key(after) in self.names.single
            # A whole word for a unit, and a move: `fleet to Channel`.
            whole = len(self.key(start)) > 2 and self.unit_kind(start) is not None
            goes = self.kind_at(after) == "-" or self.verb(after) == Verb.MOVE
            if told and told[0] in _PLACELESS and not another and not named_so:
                yield from self.actions(unit, after)
            elif whole and (goes or self.key(after) in SAID["towards"]):
                yield from self.moves(unit, after) if self.kind is not Kind.ADJUSTMENTS else ()

    def told(self, named: NamedUnit) -> Iterator[Parse]:
        """Yield what a unit that was named is told to do behind its name."""
        for parse in self.actions(named.unit, named.end):
            yield parse.behind(named.owner, named.tier)

    def past(self, place: int, *verbs: str) -> int:
        """Return the place after words for one of these verbs, if they stand at `place`."""
        act = self.act(place)
        return act[1] if act and act[0] in verbs else place

    def units_behind(self, place: int, words: Phrases) -> Sequence[NamedUnit]:
        """Return the units that may be named behind one of `words`, which stands at `place`."""
        start = self.skip(place, words)
        return self.owned_units(start) if start > place else ()

    def locations_behind(self, place: int, words: Phrases) -> Sequence[Location]:
        """Return what may be named behind one of `words`, as `units_behind` does."""
        start = self.skip(place, words)
        return self.locations(start) if start > place else ()

    def _waives(self, place: int) -> Iterator[Parse]:
        """`waive`, `waive 2`, `2 waives`, `waive all builds`, `build waived`."""
        count: int | None = None
        waived = False
        while place < len(self.found):
            word, after = self.key(place), place + 1
            if not waived and self.skip(place, SAID["waive"]) > place:
                waived, after = True, self.skip(place, SAID["waive"])
            elif (word.isdecimal() or word in NUMBERS) and count is None and len(word) < 6:
                count = NUMBERS[word] if word in NUMBERS else int(word)
            elif word not in SAID["build"]:
                break
            place = after
            if waived:
                yield Parse(Waive(count or None), place)

    def _commands(self, place: int) -> Iterator[Parse]:
        """Orders that begin with the verb: `build A Par`, `retreat A Mun - Boh`."""
        article = self.skip(place, SAID["article"])
        if self.kind is Kind.ADJUSTMENTS and self.verb(article) == Verb.BUILD:
            place = article
        act = self.act(place)
        if (act and act[0] == Verb.CONVERT) or self.key(place) in SAID["change"]:
            yield from conversions(self, place)
        yield from sentences.changed(self, place)
        if self.kind is Kind.RETREATS:
            yield from self._homeless(place)
        if act is None:
            yield from sentences.with_unit(self, place, place)
            return
        verb, start = act[0], self.skip_kind(act[1], ":")
        if self.unit_kind(place) and not self.unit_kind(start):
            # Where R is an arsenal, it is a verb only before a unit that is named in full.
            return
        if verb in AIDS:
            yield from self._with_units(verb, start)
        if verb in (Verb.BOMB, Verb.DROP) or self.key(place) in SAID["strike"]:
            yield from sentences.bombed(self, start)
        yield from self._told(verb, place, start)

    def _told(self, verb: str, place: int, start: int) -> Iterator[Parse]:
        """Yield what stands behind a verb at a `place`, from `start` on."""
        long = len(self.key(place)) > 2
        # A word that is another verb, too, may say what a writer does with a unit.
        brings = self.key(place) in sentences.BRING and self.act(place) == (verb, place + 1)
        if long and (verb in GOES or brings):
            yield from sentences.brought(self, start)
            yield from sentences.with_unit(self, start, self._on(start))
            if verb == Verb.BRING or (brings and verb != Verb.BUILD):
                return
        r = Verb.RETREAT if (self.key(place), self.kind) == ("r", Kind.ADJUSTMENTS) else Verb.REMOVE
        if verb in (Verb.DISBAND, Verb.REMOVE, r):
            verb = Verb.DISBAND
            if self.kind is Kind.RETREATS and start >= len(self.found):
                yield Parse(Disband(Unit("", "")), start)
        if verb == Verb.BUILD:
            yield from sentences.built(self, start)
            for location, end, _ in self.locations_behind(start, SAID["at"]):
                yield from self._built(Unit("", location), self.skip_kind(end, ":"))
        if verb in (Verb.HOLD, Verb.DISBAND):
            yield from sentences.together(self, Hold if verb == Verb.HOLD else Disband, start)
        if verb in (Verb.BUILD, Verb.DISBAND) and len(self.key(place)) > 1:
            yield from self._somewhere(verb, start)
        if verb == Verb.HOLD:
            start = self.skip(self.skip(start, SAID["still"]), SAID["with"])
        yield from self._units_told(verb, start)

    def _somewhere(self, verb: str, start: int) -> Iterator[Parse]:
        """`build an army`, `disband it`: a unit without a place."""
        article = self.skip(start, SAID["article"])
        if named := self.unit_kind(article) or self._any_unit(start):
            unit = Unit(named[0], "")
            if not any(each.unit.kind or not named[0] for each in self.owned_units(start)):
                order = Build(unit) if verb == Verb.BUILD else Disband(unit)
                yield Parse(order, named[1], PREFIX)

    def _units_told(self, verb: str, start: int) -> Iterator[Parse]:
        """`build A Par`, `hold A Mun`: a verb and the unit it is for."""
        for unit, owner, end, tier in self.owned_units(start):
            if verb == Verb.BUILD:
                yield Parse(Build(unit), end, tier, owner)
            elif verb == Verb.DISBAND:
                yield Parse(Disband(unit), self.skip(end, SAID["off"]), tier, owner)
            elif verb == Verb.HOLD and (unit.kind or tier < FUZZY):
                # "Stay tuned" is no order for Tunis.
                yield Parse(Hold(unit), self._still(unit, end), tier, owner)
            elif verb == Verb.RETREAT:
                for aim in self.aims(self._drifted(end)):
                    if not aim.path and aim.via is None:
                        sure = max(tier, aim.tier)
                        yield Parse(Retreat(unit, aim.to), aim.end, sure, owner)

    def _any_unit(self, place: int) -> tuple[str, int] | None:
        """Return a unit of no kind (`it`): where units retreat it may be the only one."""
        start = self.skip(place, SAID["article"])
        if self.kind is not Kind.RETREATS:
            return None
        end = max(self.skip(start, SAID["unit"]), self.skip(place, SAID["pronoun"]))
        return ("", end) if end > start else None

    def _homeless(self, place: int) -> Iterator[Parse]:
        """Yield where a unit that is not named retreats to: `to Bohemia`, `back to Bohemia`."""
        start = self.past(place, Verb.RETREAT, *GOES)
        named = self.unit_kind(self.skip(start, SAID["article"])) or self._any_unit(start)
        start = self.skip(named[1] if named else start, SAID["drift"])
        aim = self._on(start)
        goes = aim > start or (start > place and named is None and self.act(place) is not None)
        alone = place == 0 and named is None and self.kind_at(0) == "word"
        for location, end, tier in self.locations(aim) if goes or alone else ():
            if goes or end == len(self.found):
                unit = Unit(named[0] if named else "", "")
                yield Parse(Retreat(unit, location), end, max(tier, PREFIX))

    def _with_units(self, verb: str, place: int) -> Iterator[Parse]:
        """`support Picardy to Belgium with Burgundy`, `support from Bur to Pic - Bel`."""
        for order, told, tier, _, other, _ in self._aids(verb, Unit("", ""), place):
            if self.key(told) in SAID["with"] and isinstance(order, Support | Convoy):
                after = self.skip(told + 1, SAID["both"])
                for unit, owner, end, unit_tier in self.owned_units(after):
                    by = replace(order, unit=unit)
                    sure = max(tier, unit_tier)
                    yield Parse(by, end, sure, owner, other)
                    for each in sentences.further_units(self, end):
                        more = (replace(order, unit=each.unit),)
                        yield Parse(by, each.end, max(sure, each.tier), owner, other, more)
        for unit, owner, end, tier in self.units_behind(place, SAID["with"]):
            after = self.skip(end, SAID["to"])
            for parse in self._aids(verb, unit, after) if after > end else ():
                yield parse.behind(owner, tier)

    def actions(self, unit: Unit, place: int) -> Iterator[Parse]:
        """Yield what `unit` may be told to do from `place` on."""
        place = self._modals(self.skip_kind(place, ":"))
        place = self._corrected(place)
        spoken = self.skip_kind(place, "-")
        said_before = self.skip(spoken, SAID["pronoun"])
        aids = self.act(said_before) if said_before > spoken else None
        if aids and aids[0] in AIDS:
            yield Parse(Aiding(unit, aids[0]), aids[1])
        verb, after = self.act(spoken) or (None, spoken + 1)
        # "S pa" is a slip in a support, rather than Spain.
        supports = verb in AIDS and spoken == place and len(self.key(place)) == 1
        yield from self._acts(unit, verb, place, spoken, after)
        if unit.location:
            if verb == Verb.CONVERT or self.kind is Kind.ADJUSTMENTS:
                yield from conversions_of(self, unit, place)
            if not supports:
                yield from self.moves(unit, place)
                yield from sentences.verb_last(self, unit, place)

    def _acts(
        self, unit: Unit, verb: str | None, place: int, spoken: int, after: int
    ) -> Iterator[Parse]:
        """Yield what a verb from `spoken` up to `after` tells a unit to do, but for moves."""
        if verb == Verb.HOLD:
            yield Parse(Hold(unit), self._still(unit, after))
        elif verb in (Verb.DISBAND, Verb.REMOVE):
            yield Parse(Disband(unit), self.skip(after, SAID["off"]))
        elif verb == Verb.BUILD:
            yield Parse(Build(unit), after)
            if self.kind is Kind.ADJUSTMENTS and not unit.kind:
                yield from self._built(unit, after)
        elif verb in AIDS:
            assert verb
            yield from self._aids(verb, unit, after)
            if self.key(after) in SAID["pronoun"]:
                # `A Mar supports it`: what the order before does.
                yield Parse(Aiding(unit, verb), self.skip(after, SAID["pronoun"]))
        elif verb == Verb.RETREAT:
            yield from self._retreats(unit, self._drifted(after))
        elif verb in (Verb.BOMB, Verb.CARRY, Verb.DROP):
            yield from bombs(self, unit, spoken)
        elif self.key(spoken) in SAID["proxy"] and spoken == place:
            yield from self._proxies(unit, self.skip(after, SAID["for_whom"]))
        elif self.kind is Kind.ADJUSTMENTS and not unit.kind:
            yield from self._built(unit, spoken)

    def _retreats(self, unit: Unit, after: int) -> Iterator[Parse]:
        """Yield where a unit retreats to, which may be said behind where from."""
        left = [(unit.location, after)]
        left += [(at, end) for at, end, _ in self.locations_behind(after, SAID["aim"])]
        for there, start in left:
            for location, end, tier in self.locations(self._on(start)):
                if unit.location in ("", there):
                    yield Parse(Retreat(Unit(unit.kind, there), location), end, tier)

    def _corrected(self, place: int) -> int:
        """Return the place after `not to Bulgaria but`."""
        start = self.skip(place, LINE["contrast"])
        for aim in self.aims(start) if start > place else ():
            comma = self.skip_kind(aim.end, ",")
            if (after := self.skip(comma, LINE["but"])) > comma:
                return after
        return place

    def _built(self, unit: Unit, place: int) -> Iterator[Parse]:
        """Yield kind of unit that is built in a place named before it: `Trieste: a new fleet`."""
        start = self.skip(self.skip_kind(place, "-"), SAID["article"])
        if named := self.unit_kind(start) or self.unit_kind(place):
            yield Parse(Build(Unit(named[0], unit.location)), named[1])

    def _still(self, unit: Unit, place: int) -> int:
        """Return the place after `in Delhi`, where the unit stands there, and after `in place`."""
        place = self.skip(place, SAID["still"])
        there = self.locations_behind(place, SAID["at"])
        return next((end for at, end, _ in there if province_of(at) == unit.province), place)

    def _modals(self, place: int) -> int:
        """Return the place after `will just` and the like, if a verb in full follows."""
        start = place
        while True:
            act = self.act(place)
            if act and len(self.key(place)) > 1 and self.key(place) not in SAID["modal_verb"]:
                return place
            after = self.skip_kind(self.skip(place, SAID["modal"]), ",")
            if after == place or self.key(place) in self.names.single:
                return start
            place = after

    def _proxies(self, unit: Unit, place: int) -> Iterator[Parse]:
        """Yield what follows `P`: a power, by its letter or by name."""
        for power, end, tier in self.owners(place):
            if power is not None:
                yield Parse(Proxy(unit, power), end, tier)
        if letter := self.names.variant.letters.get(self.key(place).upper()):
            yield Parse(Proxy(unit, letter), place + 1)

    def moves(self, unit: Unit, place: int) -> Iterator[Parse]:
        """Yield where `unit` may be told to go from `place` on."""
        for to, path, via, end, tier in self.aims(place):
            if self.kind is Kind.RETREATS and not path and via is None:
                yield Parse(Retreat(unit, to), end, tier)
            else:
                yield Parse(Move(unit, to, via, path), self.skip(end, SAID["overland"]), tier)

    def goes_on(self, place: int) -> bool:
        """Return whether a dash or a word for a direction stands here."""
        return self._on(place) > place

    def _on(self, place: int) -> int:
        """Return place after a dash, `to` or both; not where the name of a place begins with it."""
        after = self.before_name(self.skip_kind(place, "-"), SAID["to"])
        return self._named(self.skip_kind(after, "-"))

    def aims(self, place: int) -> Iterator[Aim]:
        """Yield where a move may go from `place` on: `- Bur`, `to Bur`, `Nth - Nwy via convoy`."""
        start = self.skip(self.skip_kind(place, "-"), SAID["on_its_way"])
        named = self.before_name(start, {self.key(start)}) == start
        if not named and (len(self.key(start)) > 1 or not self.locations(start)):
            start = self.past(start, *GOES)
        start = self._drifted(start)
        after, word = self._on(start), self.skip_kind(start, "-")
        if after == word or self.key(word) not in self.names.single:
            yield from self._legs(after)
            return
        # What stands before names is a name here, too, and rather that one.
        yield from self._legs(word)
        for aim in self._legs(after):
            yield aim._replace(tier=max(aim.tier, PREFIX))

    def _drifted(self, place: int) -> int:
        """Return the place after `back`, `over` and the like, if `to` follows and no name does."""
        after = self.skip(place, SAID["drift"])
        on = self._on(after)
        goes = on > after and self.key(place) not in self.names.single
        return after if goes and all(end <= on for _, end, _ in self.locations(place)) else place

    def _legs(self, place: int) -> list[Aim]:
        """Return where a way that goes on at `place` may end: one location, or several with dashes.

        Of the ways to the same end only the surest are kept, among open names of those to the same
        location: the board tells no waters on the way apart.
        """
        known = self._ways.get(place)
        if known is None:
            by_end: dict[tuple[int, str], list[Aim]] = {}
            for aim in self._each_leg(place):
                by_end.setdefault((aim.end, aim.to * self.open), []).append(aim)
            known = self._ways[place] = [
                aim
                for aims in by_end.values()
                for aim in sorted(aims, key=lambda aim: aim.tier)[:_MOST_WAYS]
            ]
        return known

    def _each_leg(self, place: int) -> Iterator[Aim]:
        through: Counter[int] = Counter()
        for location, end, tier in self.locations(place):
            through[end] += 1
            goes_on = self.kind_at(end) == "-" and through[end] <= _MOST_WAYS
            if goes_on and self._depth < _LONGEST_WAY:
                self._depth += 1
                further = self._legs(end + 1)
                self._depth -= 1
                for aim in further:
                    if len(aim.path) < _LONGEST_WAY:
                        path = (location, *aim.path)
                        yield aim._replace(path=path, via=True, tier=max(tier, aim.tier))
            via, waters, after = self._via(end)
            yield Aim(location, waters, True if via else None, after, tier)

    def _via(self, place: int) -> tuple[bool, tuple[str, ...], int]:
        """Return wish to go by convoy at `place`: whether it is there, waters named, the end."""
        start = self.skip_kind(self.skip_kind(place, ","), "(")
        after = self.skip(start + 1, SAID["article"])
        if self.key(start) in SAID["via"] and not self._is_place(start, after):
            if self.key(after) in SAID["sail"]:
                if self.key(after + 1) in SAID["via"]:
                    waters, end = self._waters(after + 2)
                    return True, waters, end
                if self.key(after + 1) in SAID["whose"]:
                    # Who convoys it is said next.
                    return False, (), place
                return True, (), after + 1
            if self.key(start) in SAID["through"]:
                waters, end = self._waters(after)
                if waters or self.key(start) in SAID["by_convoy"]:
                    return True, waters, end
        elif self.key(start) in SAID["convoyed"] and self.key(start + 1) not in SAID["via"]:
            return True, (), start + 1
        return False, (), place

    def _is_place(self, place: int, after: int) -> bool:
        """Return whether a word for a way is the name of a place: not in `par convoi`."""
        sails = self.key(after) in SAID["sail"]
        ends = self.kind_at(after + 1) != "word" or self.key(after + 1) in SAID["via"]
        return self.key(place) in self.names.single and not (sails and ends)

    def _waters(self, place: int) -> tuple[tuple[str, ...], int]:
        """Waters in a row, with dashes or `and` between them."""
        waters: tuple[str, ...] = ()
        while True:
            start = self.before_name(self.skip_kind(place, "-"), SAID["then_through"])
            found = self.locations(start)
            if not found:
                return waters, place
            waters, place = (*waters, found[0].location), found[0].end

    def _aids(self, verb: str, unit: Unit, place: int) -> Iterator[Parse]:
        """Yield what follows `supports` or `convoys`."""
        supports = verb == Verb.SUPPORT
        aid: type[Support | Convoy] = Support if supports else Convoy
        start = sentences.behind_attack(self, place)
        for other, owner, end, tier in self.owned_units(start):
            if supports:
                held = self._modals(self.skip(self.skip_kind(end, "-"), SAID["holding"]))
                holds, stays = self.past(held, Verb.HOLD), self.skip(end, SAID["in_place"])
                if holds > held:
                    yield Parse(Support(unit, other), self._still(other, holds), tier, other=owner)
                yield Parse(Support(unit, other), stays, tier, other=owner)
            for aim in self.aims(end):
                order, sure = aid(unit, other, aim.to), max(tier, aim.tier)
                yield Parse(order, aim.end, sure, other=owner)
        start = self.skip(place, SAID["article"])
        if supports and self.verb(start) == Verb.HOLD:
            for other, owner, end, tier in self.owned_units(self.skip(start + 1, SAID["hold_of"])):
                yield Parse(Support(unit, other), end, tier, other=owner)
        # `move to Burgundy from Paris`, `an attack on Greece by A Ser`
        start = sentences.behind_attack(self, place)
        for to, end, tier in self.locations(start + 1) if self.key(start) in SAID["to"] else ():
            if self.key(end) in SAID["whose"]:
                for other, owner, after, unit_tier in self.owned_units(end + 1):
                    sure = max(tier, unit_tier)
                    yield Parse(aid(unit, other, to), after, sure, other=owner)
        goes = self.kind_at(place) == "-" or self.key(place) in SAID["to"]
        if goes and unit.kind == "A" and not supports:
            for location, end, tier in self.locations(self._on(place)):
                yield Parse(Move(unit, location, via=True), end, tier)


_MOST_WAYS: Final = 3
_LONGEST_WAY: Final = 12
"""Waters on a way; no convoy has as many."""
