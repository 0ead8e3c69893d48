"""The forms of orders that people use in sentences: one for several units, one that speaks of
another, and those in which what is done, or where, stands before who does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from judge.language.drafts import Draft, ForAll, Parse
from judge.language.names import PREFIX
from judge.language.place_names import Location, NamedUnit
from judge.language.vocabulary import NUMBERS, SAID, Verb, listed
from judge.rules.orders import Build, Convoy, Disband, Hold, Launch, Move, Support
from judge.rules.phase import Kind
from judge.rules.position import Unit

if TYPE_CHECKING:
    from judge.language.grammar import Parser

BRING: Final = frozenset(word for word in listed("verbs")["bring"] if " " not in word)
"""Words for what a writer does with a unit that goes somewhere; most are other verbs, too."""

_MOST_UNITS: Final = 40
"""Units in a row."""


# -- several units in a row -----------------------------------------------------------------------


def _joined(parser: Parser, place: int) -> int:
    """Return the place after what joins two units of a row, the place itself where nothing does."""
    after = parser.skip_kind(place, ",")
    if after > place and parser.found[place].text in ";；":
        return place
    return max(after, parser.skip(after, SAID["between"]))


def further_units(parser: Parser, place: int) -> Sequence[NamedUnit]:
    """Return the units that may go on a row."""
    after = _joined(parser, place)
    return parser.owned_units(parser.skip(after, SAID["with"])) if after > place else ()


def _row(parser: Parser, place: int) -> Iterator[tuple[list[Unit], int, int]]:
    """Yield each row of two units or more that begins here, the longest last."""
    for unit, _, end, tier in parser.owned_units(place):
        units = [unit]
        while len(units) < _MOST_UNITS:
            more = further_units(parser, end)
            found = next((each for each in more if bool(each.unit.kind) == bool(unit.kind)), None)
            if found is None:
                break
            units.append(found.unit)
            end, tier = found.end, max(tier, found.tier)
            yield units[:], end, tier


def several(parser: Parser, place: int) -> Iterator[Parse]:
    """`A Vie and F Tri hold`, `Ser & Vie both to Bud`: what a row of units is told to do."""
    start = parser.before_name(place, SAID["both"])
    for units, end, tier in _row(parser, start):
        after = parser.skip(parser.skip_kind(end, ","), SAID["together"])
        *others, last = units
        for parse in parser.actions(last, after):
            if isinstance(parse.order, Hold | Move | Support | Convoy | Disband):
                orders: list[Draft] = [replace(parse.order, unit=each) for each in (*others, last)]
                sure = max(tier, parse.tier)
                yield parse._replace(order=orders[0], more=tuple(orders[1:]), tier=sure)
        aids = parser.past(after, Verb.SUPPORT, Verb.CONVOY)
        end = parser.skip(aids, SAID["each_other"])
        if len(units) == 2 and after < aids < end:
            one, two = units
            yield Parse(Support(one, two), end, tier, more=(Support(two, one),))
    if parser.kind is Kind.ADJUSTMENTS:
        yield from built(parser, place)


def together(parser: Parser, make: Callable[[Unit], Hold | Disband], place: int) -> Iterator[Parse]:
    """`keep A Bud and A Tri`, `remove Albania and Serbia`: what several units are told to do."""
    for units, end, tier in _row(parser, parser.before_name(place, SAID["both"])):
        first, *others = map(make, units)
        yield Parse(first, parser.skip(end, SAID["still"]), tier, more=tuple(others))


def built(parser: Parser, place: int) -> Iterator[Parse]:
    """`armies in Vienna and Budapest`, `two armies: Vienna and Budapest`, `A Vie, Bud`: units of
    one kind in several places, of which there are as many as a number says."""
    start, count = place, 0
    for _ in range(2):
        number = parser.key(start)
        if number.isdecimal() and len(number) < 3:
            count, start = int(number), start + 1
        elif len(number) > 2 and NUMBERS.get(number):
            count, start = NUMBERS[number], start + 1
        start = parser.skip(start, SAID["new"])
    named = parser.unit_kind(start)
    if named is None:
        return
    plural = count > 1 or parser.key(start) in parser.words.plurals
    first = parser.skip_kind(parser.skip_kind(named[1], ":"), ",") if plural else named[1]
    for location, end, tier in parser.locations(parser.skip(first, SAID["at"])):
        units, after = [Unit(named[0], location)], _joined(parser, end)
        if count == 1:
            yield Parse(Build(units[0]), end, tier)
        while after > end and len(units) < _MOST_UNITS:
            other = parser.skip(after, SAID["other"])
            if parser.unit_kind(after) and other == after:
                break
            found = next(iter(parser.locations(parser.skip(other, SAID["at"]))), None)
            if found is None:
                break
            units.append(Unit(named[0], found.location))
            end, tier = found.end, max(tier, found.tier)
            if not count or count == len(units):
                yield Parse(Build(units[0]), end, tier, more=tuple(map(Build, units[1:])))
            after = _joined(parser, end)


# -- all units ------------------------------------------------------------------------------------


def _nobody(parser: Parser, place: int) -> Iterator[Parse]:
    """`nobody moves`, `move nothing`."""
    none = parser.skip(place, SAID["nobody"])
    start = parser.skip(none, SAID["not"]) if none > place else place
    goes = parser.past(start, Verb.MOVE, Verb.BRING)
    end = goes if none > place else parser.skip(goes, SAID["nobody"])
    if goes > start and (none > place or end > goes):
        yield Parse(ForAll(frozenset(), rest=False), end)


def _means_all(parser: Parser, key: str, *, said: bool) -> bool:
    """Return whether a word means all units; a letter does only behind a verb that was `said`."""
    return key in SAID["all"] and (said or key not in parser.names.single)


def for_all(parser: Parser, place: int) -> Iterator[Parse]:
    """`all units hold`, `the rest stays put`, `hold everything`, `nobody moves`."""
    verbs = {Kind.MOVEMENT: {Verb.HOLD}, Kind.RETREATS: {Verb.DISBAND, Verb.REMOVE}}
    if parser.kind not in verbs:
        return
    if parser.kind is Kind.MOVEMENT:
        yield from _nobody(parser, place)
    start, kinds, whole, rest, said, stays = place, set[str](), False, False, False, False
    while place < len(parser.found):
        key, act, step = parser.key(place), parser.act(place), 1
        # A letter names no kind.
        named = parser.unit_kind(place) if len(key) > 2 else None
        if key in SAID["rest"] and not (whole and act):
            rest = True
        elif key in SAID["entire"]:
            whole, place = True, max(place + 1, parser.skip(place + 1, SAID["force"]))
            continue
        elif _means_all(parser, key, said=said):
            whole = True
        elif named:
            kinds.add(named[0])
            whole |= key in parser.words.plurals
            place = named[1]
            continue
        elif act and act[0] in verbs[parser.kind] and not said:
            said, step = True, 0
            end = parser.skip(act[1], SAID["as_is"])
            place = parser.skip(end, SAID["still"])
            stays = key in SAID["stays"] and place == end
        elif key not in SAID["besides"] or place - start > _LONGEST_SUBJECT:
            return
        place += step
        if said and (whole or rest):
            draft = ForAll(frozenset(kinds), rest=rest, stays=stays)
            yield Parse(draft, place)
            yield from _all_but(parser, draft, parser.skip_kind(place, ","))


_LONGEST_SUBJECT: Final = 12


def _all_but(parser: Parser, draft: ForAll, place: int) -> Iterator[Parse]:
    """Yield all units but some, which may be told what to do."""
    for one in parser.units_behind(place, SAID["except"]):
        but = replace(draft, but=frozenset({one.unit.province}), rest=True)
        yield Parse(but, one.end, one.tier)
        for told in parser.told(one):
            yield told._replace(owner=None, other=None, more=(*told.more, but))


# -- orders that speak of another one -------------------------------------------------------------


def aided(parser: Parser, parse: Parse) -> Iterator[Parse]:
    """Yield an order, and the same with those behind it that support or convoy it: `A Ser - Gre,
    supported by F Alb`, `A Ser - Gre (S F Alb)`, `with Albania in support`."""
    yield parse
    order = parse.order
    if parse.more or not isinstance(order, Move | Hold) or not order.unit.location:
        return
    place = parser.skip_kind(parser.skip_kind(parse.end, ","), "(")

    def more(by: NamedUnit, end: int, *, convoys: bool = False) -> Parse:
        to = order.to if isinstance(order, Move) else None
        aids = Convoy(by.unit, order.unit, to) if to and convoys else None
        aid = aids or Support(by.unit, order.unit, to)
        sure = max(parse.tier, by.tier)
        return parse._replace(end=parser.skip_kind(end, ")"), tier=sure, more=(aid,))

    for said in ("passive_support", "passive_convoy")[: 1 + isinstance(order, Move)]:
        # A letter says so only in brackets.
        if parser.skip(place, SAID[said]) > place + (parser.kind_at(place - 1) != "("):
            for by in parser.units_behind(place, SAID[said]):
                yield more(by, by.end, convoys=said == "passive_convoy")
    start = parser.skip(place, SAID["joined_by"])
    for by in parser.owned_units(start):
        after = parser.skip(by.end, SAID["in_support"])
        ends = place > parse.end and parser.kind_at(after) in ("", ")", ",")
        if after > by.end and (start > place or ends):
            yield more(by, after)


def behind_attack(parser: Parser, place: int) -> int:
    """Return the place after `the move of`, `an attack by` and the like."""
    start = parser.skip(place, {"the", "a", "an", *SAID["possessive"].single})
    end = parser.past(start, Verb.MOVE, Verb.BRING)
    short = len(parser.key(start)) < 3 or parser.key(start) in parser.names.single
    return place if end == start or short else parser.skip(end, SAID["whose"])


# -- what is done, or where, stands first ---------------------------------------------------------


def brought(parser: Parser, place: int) -> Iterator[Parse]:
    """`send the army in Vienna to Tyrolia`, `have Albania support Serbia to Greece`, `make Serbia
    go to Greece`, `let Serbia hold`."""
    yield from chain.from_iterable(map(parser.told, parser.owned_units(place)))
    yield from several(parser, place)
    start = parser.skip(place, SAID["article"])
    if (named := parser.unit_kind(start)) and len(parser.key(start)) > 2:
        yield from parser.moves(Unit(named[0], ""), named[1])


def changed(parser: Parser, place: int) -> Iterator[Parse]:
    """`change A Ser - Gre to A Ser - Bul`, `replace A Ser - Bul with A Ser - Gre`, `change my order
    for Serbia to hold`, `change Serbia from Greece to Bulgaria`: only the new order counts."""
    start = parser.skip(place, SAID["change"])
    if start == place or parser.kind is not Kind.MOVEMENT:
        return
    for unit in parser.owned_units(parser.skip(start, SAID["order_for"])):
        olds = {unit.end} | {old.end for old in parser.actions(unit.unit, unit.end)}
        olds |= {old.end for old in parser.locations_behind(unit.end, SAID["aim"])}
        for before in olds:
            after = parser.skip(before, SAID["into"])
            if after == before:
                continue
            yield from parser.told(unit._replace(end=after if parser.act(after) else before))
            for new in parser.owned_units(after) if before > unit.end else ():
                for parse in parser.told(new):
                    yield parse.behind(unit.owner, unit.tier)


def with_unit(parser: Parser, place: int, aim: int) -> Iterator[Parse]:
    """`attack Greece with A Ser`, `march on Greece from Serbia`, `Greece with A Ser`: `aim` is
    where the name of the goal begins."""
    if parser.kind is not Kind.MOVEMENT:
        return
    for to, end, tier in parser.locations(aim):
        for unit, owner, after, sure in parser.units_behind(end, SAID["with"]):
            if unit.kind or parser.act(place - 1):
                yield Parse(Move(unit, to), after, max(tier, sure), owner)


def verb_last(parser: Parser, unit: Unit, place: int) -> Iterator[Parse]:
    """`Flotte Brest soll Armee Paris nach Burgund unterstützen`: the verb stands last."""
    start = parser.skip(parser.skip_kind(place, ","), SAID["modal"])
    if start == place:
        return
    for aim in parser.aims(start) if parser.goes_on(start) else ():
        end = parser.past(aim.end, Verb.MOVE)
        yield Parse(Move(unit, aim.to, aim.via, aim.path), end, aim.tier)
    for other, owner, end, tier in parser.owned_units(start):
        goals: list[tuple[str | None, int, int]] = [(None, end, tier)]
        goals += [(aim.to, aim.end, max(tier, aim.tier)) for aim in parser.aims(end)]
        for to, after, sure in goals:
            if (last := parser.past(after, Verb.SUPPORT)) > after:
                yield Parse(Support(unit, other, to), last, sure, other=owner)


def bombed(parser: Parser, place: int) -> Iterator[Parse]:
    """`bomb NWT with the arsenal in Alaska`, `launch a bomb from Alaska to NWT`, `bomb NWT`."""
    carriers = [kind.letter for kind in parser.names.variant.board.kinds.values() if kind.launches]
    if not carriers:
        return

    def launch(by: NamedUnit, to: Location, end: int) -> Parse:
        named = by.unit if by.unit.kind else Unit(carriers[0], by.unit.location)
        return Parse(Launch(named, to.location), end, max(by.tier, to.tier), by.owner)

    for to in parser.locations(parser.skip(parser.skip(place, SAID["bomb_to"]), SAID["article"])):
        yield launch(NamedUnit(Unit("", ""), None, to.end, PREFIX), to, to.end)
        for by in parser.units_behind(to.end, SAID["with"]):
            yield launch(by, to, by.end)
    for by in parser.units_behind(place, SAID["bomb_from"]):
        for to in parser.locations_behind(by.end, SAID["bomb_to"]):
            yield launch(by, to, to.end)
