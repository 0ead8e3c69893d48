"""Reads orders in every notation people use, and only what is written.

What a bare `F kie` means in an adjustments phase, and which unit `F stands` is about, depends on
the position; everything else is read the same wherever it is written, and is remembered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import ClassVar, Final, TypeAlias, TypeGuard

from judge.language import cover as covers
from judge.language import drafts
from judge.language.cover import Chart, Cover
from judge.language.drafts import Aiding, Bare, Change, Draft, ForAll, Misread, Parse
from judge.language.grammar import Parser
from judge.language.line import LineReading, Part, Reading
from judge.language.misreadings import Fault, Misreading
from judge.language.names import (
    FUZZY,
    Names,
    could_be,
    could_stand,
    one_possible,
    scanned,
    spellings,
)
from judge.language.place_names import Mode
from judge.language.vocabulary import Token, Verb, core, tokens
from judge.rules.board import Derived, province_of
from judge.rules.hooks import never_converts, rule_hooks
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Launch,
    Move,
    Order,
    Relay,
    Retreat,
    Support,
    Unreadable,
    Waive,
)
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position, Unit
from judge.rules.problems import Code, Illegal
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant

_LONE_VERBS: Final = {Verb.HOLD, Verb.MOVE, Verb.SUPPORT, Verb.CONVOY, Verb.RETREAT}

MOST_TOKENS: Final = 360
"""Words and signs of a line that is read as orders; a power with 34 units needs two thirds."""

_LONGEST_LINE: Final = 4000
"""Characters of a line that is read."""

LONGEST_ORDER: Final = 400
"""A longer text is no order by itself."""

_MOST_AGAIN: Final = 110
"""Words and signs of a line that is read again with its names misspelled."""


def read_order(
    text: str,
    variant: Variant,
    phase: Phase,
    power: str | None = None,
    position: Position | None = None,
    rulebook: Rulebook | None = None,
) -> Order:
    """Return order that `text` is, in a phase of the kind of `phase`; Unreadable when it is none.

    `power` and `position` tell whether a bare unit is to be built or removed, and which unit is
    meant where only one can be (`F stands`). Whether an order can be carried out is not asked.
    Under a rulebook that asks for it the order remembers whose unit it says it supports or convoys.
    """
    return Reader.of(variant).read(text, phase.kind, power, position, rulebook).order


class Reader:
    """Reads orders for one variant. Make it by `Reader.of(variant)`."""

    of: ClassVar[Derived[Variant, Reader]]
    """The reader for a variant, made once and kept with it."""

    MOST_REMEMBERED = 1 << 15
    LONGEST_REMEMBERED = 80

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.codes = frozenset(variant.board.kinds)
        self.locations = {
            location
            for province in variant.board.provinces.values()
            for location in (province.id, *province.locations)
        }
        self._known: dict[Kind, dict[str, Parse | Reading]] = {kind: {} for kind in Kind}
        self.settled: dict[Kind, dict[str, Order]] = {kind: {} for kind in Kind}
        """Texts read before whose meaning does not depend on the position, for fast callers."""
        self.line = lru_cache(maxsize=256)(self._line)
        """Read a line that may have several orders, in a phase of a kind; the words of commands
        beside orders are left over, and bar them."""

    @cached_property
    def names(self) -> Names:
        """The names of the board, which orders in canonical form are read without."""
        return Names.of(self.variant)

    def read(
        self,
        text: str,
        kind: Kind,
        power: str | None = None,
        position: Position | None = None,
        rulebook: Rulebook | None = None,
    ) -> Reading:
        """Return what `text` means in a phase of `kind`, as one order."""
        known = self._known[kind]
        found = known.get(text)
        if found is None:
            found = self.canonical(text, kind) or self._alone(text, kind)
            if len(text) <= self.LONGEST_REMEMBERED:
                if len(known) >= self.MOST_REMEMBERED:
                    known.clear()
                    self.settled[kind].clear()
                known[text] = found
                if isinstance(found, Reading):
                    self.settled[kind][text] = found.order
        return self.placed(text, found, kind, power, position, rulebook)

    def placed(
        self,
        text: str,
        found: Parse | Reading,
        kind: Kind,
        power: str | None = None,
        position: Position | None = None,
        rulebook: Rulebook | None = None,
    ) -> Reading:
        """Finish an order that depends on what stands on the board."""
        reading = found
        if not isinstance(reading, Reading):
            reading = self._place(text, reading, kind, power, position)
        order, asks = reading.order, rulebook is not None and rulebook.asks_nationality
        if asks and reading.other and isinstance(order, Support | Convoy):
            return replace(reading, order=replace(order, owner=reading.other))
        return reading

    def _alone(self, text: str, kind: Kind) -> Parse | Reading:
        """Return what a text means as one order."""
        if len(text) > LONGEST_ORDER:
            return _unread(text, Fault.TOO_LONG)
        line = self.line(text, kind)
        orders = [each for each in line.orders if each.found is not None]
        if not orders:
            return self._diagnose(text, tokens(text), kind)
        first = orders[0]
        assert first.found is not None
        if first.kind == covers.ATTEMPT and isinstance(first.found, Reading):
            unread = first.found.order
            assert isinstance(unread, Unreadable)
            return replace(first.found, order=replace(unread, text=text))
        if len(orders) == 1 and not first.more and not line.barred:
            return first.found
        order = first.found.order
        rest = text[first.end :].strip() if first.start == 0 or not line.barred else ""
        left = rest or " ".join(each.text for each in line.barred) or text[first.end :]
        if line.barred and line.barred[0].text.endswith("?"):
            return _unread(text, Fault.QUESTION)
        problem = Misreading(Fault.LEFT_OVER, left.strip(), after=str(order))
        unit = None if isinstance(order, ForAll) else drafts.unit_of(order)
        return Reading(Unreadable(text, problem, unit))

    # -- lines

    def _line(self, text: str, kind: Kind, commands: Collection[str] = ()) -> LineReading:
        if (order := self.canonical(text, kind)) is not None:
            return LineReading(text, (Part(covers.ORDER, text, 0, len(text), order),))
        if len(text) > _LONGEST_LINE or len(tokens(text)) > MOST_TOKENS:
            return LineReading(text, (Part(covers.WORD, text, 0, len(text)),))
        begin, end = core(text)
        found = [
            token._replace(start=token.start + begin, end=token.end + begin)
            for token in tokens(text[begin:end])
        ]
        if not found:
            return LineReading(text, (Part(covers.MARK, text, 0, len(text)),))
        cover = self._cover(text, found, kind, commands)
        return LineReading(text, tuple(self._parts(text, cover, kind)))

    def _cover(
        self, text: str, found: Sequence[Token], kind: Kind, commands: Collection[str]
    ) -> Cover:
        """Return the best of the ways to spell and to cover a line."""
        best: Cover | None = None
        for way, mode in self._ways(found):
            chart = Chart(self.names, way, kind, mode, commands=commands, text=text)
            cover = self._open(chart.cover(), kind)
            if cover.is_clean and cover.parses:
                if not cover.has_words or mode is not Mode.PLAIN or len(way) > _MOST_AGAIN:
                    return cover
                # What is left over may be a name misspelled.
                again = Chart(self.names, way, kind, Mode.FUZZY, commands=commands, text=text)
                return min(cover, self._open(again.cover(), kind), key=lambda each: each.cost)
            if best is None or self._rank(cover) < self._rank(best):
                best = cover
            if cover.is_talk:
                break
        assert best is not None
        return best

    def _rank(self, cover: Cover) -> tuple[bool, bool, bool, int]:
        """Return how good a cover is; less is better."""
        unread = not (cover.is_clean and cover.parses)
        possible = all(could_be(each.order, self.variant.board) for each in cover.parses)
        return unread, cover.rival is not None, not possible, cover.cost

    def _ways(self, found: Sequence[Token]) -> Iterator[tuple[list[Token], Mode]]:
        """Yield the ways to spell a line, the surer first: as it stands, without brackets, with the
        letters of units apart; then with names that only the board tells apart, with names
        misspelled, scanned, and unknown."""
        ways = list(spellings([*found], self.names))
        yield from ((way, Mode.PLAIN) for way in ways)
        if len(found) <= _MOST_AGAIN:
            yield from ((way, Mode.OPEN) for way in ways)
            yield from ((way, Mode.PLAIN) for way in scanned([*found], self.names))
            yield from ((way, Mode.FUZZY) for way in ways)
            yield from ((way, Mode.OPEN) for way in scanned([*found], self.names))
            yield ways[0], Mode.LENIENT

    def _open(self, cover: Cover, kind: Kind) -> Cover:
        """Return a cover with each order that the board cannot allow read anew, with open names."""
        pieces = list(cover.pieces)
        for number, piece in enumerate(pieces):
            if piece.kind != covers.ORDER or piece.parse is None:
                continue
            order = piece.parse.order
            if could_be(order, self.variant.board):
                continue
            words = cover.found[piece.start : piece.end]
            parse = self._possible(list(spellings([*words], self.names)), kind, order)
            parse = parse or self._possible(list(scanned([*words], self.names)), kind)
            if parse is not None:
                pieces[number] = piece._replace(parse=parse)
        return cover._replace(pieces=tuple(pieces))

    def _parts(self, text: str, cover: Cover, kind: Kind) -> Iterator[Part]:
        """Yield the pieces of a cover, with the text of each; together they have all of it."""
        found = cover.found
        if cover.rival is not None and cover.parses:
            yield self._rivals(text, cover)
            return
        for piece in cover.pieces:
            end = piece.end
            start, stop = found[piece.start].start, found[end - 1].end
            words = text[start:stop]
            if piece.kind == covers.ORDER and piece.parse is not None:
                order = self._surest(words, piece.parse)
                yield Part(covers.ORDER, words, start, stop, order, piece.parse.more)
            elif piece.kind in (covers.BARE, covers.ATTEMPT):
                tokens_of = [*found[piece.start : end]]
                reading = self._diagnose(words, tokens_of, kind)
                yield Part(covers.ATTEMPT, words, start, stop, reading)
            else:
                yield Part(piece.kind, words, start, stop)

    def _rivals(self, text: str, cover: Cover) -> Part:
        """Return a line that has two meanings."""
        first = [order for each in cover.parses for order in (each.order, *each.more)]
        pairs = zip(first, cover.rival or (), strict=False)
        one, two = next(((a, b) for a, b in pairs if a != b), (first[0], first[0]))
        problem = Misreading(Fault.AMBIGUOUS, candidates=tuple(sorted((str(one), str(two)))))
        return Part(covers.ATTEMPT, text, 0, len(text), Reading(Unreadable(text, problem)))

    def canonical(self, text: str, kind: Kind) -> Reading | None:
        """Return the reading of an order in canonical form, None for any other text."""
        order = self._canonical(text.split(" "), kind)
        return Reading(order) if order is not None else None

    def is_canonical(self, text: str) -> bool:
        """Return whether `text` is in the form that orders are printed in, in whatever kind of
        phase.

        `W` for waiving counts, too: it is how collections of test cases write it.
        """
        words = text.split(" ")
        if text == "W" or self._canonical(words, Kind.MOVEMENT) is not None:
            return True
        if len(words) < 4 or words[2] != "bomb":
            return False
        order = self.read(text, Kind.MOVEMENT).order
        return isinstance(order, Launch | Relay) and str(order) == text

    def _canonical(self, words: list[str], kind: Kind) -> Order | None:
        there, codes = self.locations, self.codes
        match words:
            case ["B" | "D" as due, code, place] if code in codes and place in there:
                return (Build if due == "B" else Disband)(Unit(code, place))
            case [code, place, *told] if code in codes and place in there:
                unit = Unit(code, place)
            case _:
                return None
        match told:
            case ["H"]:
                return Hold(unit)
            case ["D"]:
                return Disband(unit)
            case ["-", to] if to in there:
                return (Retreat if kind is Kind.RETREATS else Move)(unit, to)
            case ["-", to, "via", "convoy"] if to in there:
                return Move(unit, to, via=True)
            case ["R", to] if to in there:
                return Retreat(unit, to)
            case ["S", code, place] if code in codes and place in there:
                return Support(unit, Unit(code, place))
            case ["S" | "C" as aid, code, place, "-", to] if code in codes and {place, to} <= there:
                return (Support if aid == "S" else Convoy)(unit, Unit(code, place), to)
        return None

    def _possible(
        self, ways: Sequence[list[Token]], kind: Kind, order: Draft | None = None
    ) -> Parse | None:
        """Return the one way to understand a line that the board allows, where a short name may be
        another one's, too. What the line says as it stands, `order`, keeps its unit where that can
        be."""
        kept = None if order is None else drafts.unit_of(order)
        if kept is not None and not could_stand(kept, self.variant.board):
            kept = None
        parses = [
            parse
            for way in ways
            for parse in Parser(self.names, way, kind, Mode.OPEN).parses()
            if not isinstance(parse.order, Bare | Change)
            and (kept is None or drafts.unit_of(parse.order) == kept)
        ]
        meant = one_possible([parse.order for parse in parses], self.variant.board)  # type: ignore[misc]
        return next((each for each in parses if each.order is meant and each.tier < FUZZY), None)

    def _surest(self, text: str, parse: Parse) -> Parse | Reading:
        """Return an understanding as a reading, unless that needs the position."""
        order = parse.order
        if isinstance(order, Bare | Change | ForAll | Aiding) or _wants_place(order):
            return parse
        return self._finish(text, parse, order)

    def _finish(self, text: str, parse: Parse, order: Order) -> Reading:
        """Return the reading of a finished order, unless its path cannot be one."""
        if isinstance(order, Move) and order.path:
            board = self.variant.board
            spaces = board.provinces
            dry = [water for water in order.path if not spaces[province_of(water)].carries]
            problem = None
            if board.kind(order.unit.kind).afloat:
                spaces_named = 1 + len(order.path)
                problem = Misreading(Fault.ONE_SPACE, unit=order.unit, count=spaces_named)
            elif dry:
                problem = Misreading(Fault.NO_WATER, place=dry[0])
            if problem:
                return Reading(Unreadable(text, problem, order.unit), parse.owner, parse.other)
        return Reading(order, parse.owner, parse.other)

    def _place(
        self, text: str, parse: Parse, kind: Kind, power: str | None, position: Position | None
    ) -> Reading:
        """Finishes an understanding that depends on what stands on the board."""
        order = parse.order
        power = power or parse.owner
        if isinstance(order, Bare):
            return Reading(self._bare(text, order.unit, kind, power, position), parse.owner)
        if isinstance(order, Change):
            return Reading(self._change(text, order, power, position), parse.owner)
        if isinstance(order, ForAll | Aiding):
            # What it stands for only its line tells, or what stands there.
            return Reading(Unreadable(text, Misreading(Fault.NO_UNIT)), parse.owner)
        if not _wants_place(order):
            return self._finish(text, parse, order)
        unit = order.unit
        if position is None or power is None:
            problem = Misreading(Fault.NO_PLACE, unit=unit)
            return Reading(Unreadable(text, problem), parse.owner, parse.other)
        if isinstance(order, Build):
            return self._build(text, parse, unit, power, position)
        standing = position.units.get(power, ())
        if kind is Kind.RETREATS:
            standing = tuple(lost.unit for lost in position.dislodged.get(power, ()))
        meant = [there for there in standing if unit.kind in ("", there.kind)]
        if len(meant) != 1:
            problem = Misreading(Fault.WHICH_UNIT, unit=unit, power=power, count=len(meant))
            offers = tuple(replace(order, unit=each) for each in meant)
            return Reading(Unreadable(text, problem), parse.owner, parse.other, offers)
        return self._finish(text, parse, replace(order, unit=meant[0]))

    def _build(
        self, text: str, parse: Parse, unit: Unit, power: str, position: Position
    ) -> Reading:
        """Return a build that does not say where: where it can be, if that is one place only."""
        legal = legal_orders(self.variant, position, power)
        taken = {each.province for each in position.units.get(power, ())}
        found = {
            str(order): order
            for orders in legal.values()
            for order in orders
            if isinstance(order, Build) and order.unit.kind == unit.kind
            if order.unit.province not in taken
        }
        if len(found) == 1:
            (order,) = found.values()
            return Reading(order, parse.owner)
        problem = Misreading(Fault.WHERE_BUILT, unit=unit, candidates=tuple(found))
        return Reading(Unreadable(text, problem), parse.owner, offers=tuple(found.values()))

    def _bare(
        self, text: str, unit: Unit, kind: Kind, power: str | None, position: Position | None
    ) -> Order:
        """Return what a unit without a verb means."""
        if kind is Kind.MOVEMENT:
            return Unreadable(text, Misreading(Fault.NO_ACTION, unit=unit), unit)
        if kind is Kind.RETREATS:
            return Unreadable(text, Misreading(Fault.NO_RETREAT, unit=unit), unit)
        if power is not None and position is not None:
            owned = len(position.centers.get(power, ()))
            standing = position.units.get(power, ())
            here = next((there for there in standing if there.province == unit.province), None)
            if here is not None and unit.kind not in ("", here.kind):
                # Another unit stands there; perhaps it is to become this one.
                converting = rule_hooks(self.variant).can_convert
                if converting(self.variant, position, power, here):
                    return Build(unit)
            if owned != len(standing):
                return Build(unit) if owned > len(standing) else Disband(unit)
            if here is not None:
                return Disband(unit)
        elif not unit.kind:
            return Unreadable(text, Misreading(Fault.BUILD_OR_REMOVE, unit=unit), unit)
        return Build(unit)

    def _change(
        self, text: str, order: Change, power: str | None, position: Position | None
    ) -> Order:
        """Return the build order that converts a unit, by the letter that its kind is not."""
        unit, into = order.unit, order.into
        if rule_hooks(self.variant).can_convert is never_converts:
            return Unreadable(text, Illegal(code=Code.NO_CONVERSION), unit)
        if position is not None and position.phase.kind is Kind.ADJUSTMENTS:
            standing = position.units.get(power or "", ())
            here = next((there for there in standing if there.province == unit.province), None)
            if here is None:
                return Unreadable(text, Illegal(code=Code.NOT_STANDING, place=unit.province), unit)
            unit = unit._replace(kind=here.kind)
        others = [kind for kind in self.codes if kind != unit.kind]
        into = into or (others[0] if unit.kind and len(others) == 1 else "")
        return Build(Unit(into, unit.location))

    def _diagnose(self, text: str, found: Sequence[Token], kind: Kind) -> Reading:
        """Return why a text is no order, as precisely as can be said."""
        if not found:
            return _unread(text, Fault.EMPTY)
        misread = [
            (len(bad), sum(len(name.split()) for name in bad), parse, bad)
            for parse in Parser(self.names, found, kind, Mode.LENIENT).parses()
            if (bad := drafts.bad_names(parse.order))
        ]
        if misread:
            _, _, parse, bad = min(misread, key=lambda draft: draft[:2])
            # A whole word names the unit, wherever it stands.
            kinds = (self.names.words.kinds.get(each.key) for each in found if len(each.key) > 2)
            unplaced = next((Unit(kind, "") for kind in kinds if kind), None)
            unit = drafts.unit_of(parse.order) or unplaced
            unread = Unreadable(text, bad[0].problem, unit)
            return Reading(unread, parse.owner, parse.other, self._offers(parse.order, bad))
        if found[-1].kind == "?":
            return _unread(text, Fault.QUESTION)
        parser = Parser(self.names, found, kind, Mode.FUZZY)
        partial = [parse for parse in parser.orders() if drafts.unit_of(parse.order)]
        if not partial:
            verb = self.names.words.verbs.get(found[0].key, "")
            lone = verb if verb in _LONE_VERBS else ""
            return Reading(Unreadable(text, Misreading(Fault.NO_UNIT, lone)))
        parse = max(partial, key=lambda parse: (parse.end, -parse.tier))
        order, end = parse.order, parse.end
        rest = " ".join(token.text for token in found[end:])
        problem = Misreading(Fault.LEFT_OVER, rest, after=str(order))
        if isinstance(order, Bare) and end == len(found):
            fault = Fault.NO_RETREAT if kind is Kind.RETREATS else Fault.NO_ACTION
            problem = Misreading(fault, unit=order.unit)
        if isinstance(order, Bare) and parser.verb(end) in (Verb.BOMB, Verb.CARRY, Verb.DROP):
            says_whence = any(word.key == "from" for word in found)
            problem = Misreading(Fault.NO_BOMB_AIM if says_whence else Fault.NO_BOMB_TARGET)
        return Reading(Unreadable(text, problem, drafts.unit_of(order)), parse.owner)

    def _offers(self, draft: Draft, bad: Sequence[Misread]) -> tuple[Order, ...]:
        """Orders like `draft` with the one bad name replaced by each of its candidates."""
        if len(set(bad)) != 1 or isinstance(draft, _UNNAMED):
            return ()
        candidates = bad[0].problem.candidates
        return tuple(drafts.replaced(draft, bad[0], candidate) for candidate in candidates)


_UNNAMED: Final = (Bare, Change, ForAll, Aiding, Unreadable, Waive)


def _unread(text: str, fault: Fault) -> Reading:
    return Reading(Unreadable(text, Misreading(fault)))


Reader.of = Derived(Reader)


_Placed: TypeAlias = Hold | Move | Support | Convoy | Disband | Retreat | Launch | Build


def _wants_place(order: Order) -> TypeGuard[_Placed]:
    """Return whether an order leaves out where its unit stands (`F stands`)."""
    return not isinstance(order, Waive | Unreadable) and not order.unit.location
