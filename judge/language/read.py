"""Reads orders in every notation people use, and only what is written.

A line is taken apart into tokens and matched with every form an order can have; names are looked
up over as many words as make one, so that no separator is needed. Surer ways to know a name win
(see `names`); two different meanings equally sure are refused, never guessed between.

What a bare `F kie` means in an adjustments phase, and which unit `F stands` is about, depends on
the position; everything else is read the same wherever it is written, and is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar, Final, TypeAlias, TypeGuard

from judge.language import drafts
from judge.language.drafts import Bare, Change, Draft, Misread, Parse
from judge.language.grammar import Parser
from judge.language.names import (
    Names,
    could_be,
    could_stand,
    one_possible,
    scanned,
    spellings,
    undressed,
)
from judge.language.phrases import Phrases
from judge.language.problems import Fault, Misreading
from judge.language.split import LONGEST_ORDER, IsOrder, split
from judge.language.vocabulary import SAID, VERBS, Token, Verb, tokens
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
from judge.rules.values import frozen
from judge.rules.variant import Variant

_LONE_VERBS: Final = {Verb.HOLD, Verb.MOVE, Verb.SUPPORT, Verb.CONVOY, Verb.RETREAT}


@frozen
class Reading:
    """What a text was read as.

    `order` is Unreadable when it is no order. `owner` is the power named before the unit, `other`
    the one named before the unit that is supported or convoyed. `offers` are orders that the text
    would be if a name that is not known stood for one that is spelled like it.
    """

    order: Order
    owner: str | None = None
    other: str | None = None
    offers: tuple[Order, ...] = ()


def read_order(
    text: str,
    variant: Variant,
    phase: Phase,
    power: str | None = None,
    position: Position | None = None,
    rulebook: Rulebook | None = None,
) -> Order:
    """The order that `text` is, in a phase of the kind of `phase`; Unreadable when it is none.

    `power` and `position` tell whether a bare unit is to be built or removed, and which unit is
    meant where only one can be (`F stands`). Whether an order can be carried out is not asked.
    Under a rulebook that asks for it the order remembers whose unit it says it supports or convoys.
    """
    return Reader.of(variant).read(text, phase.kind, power, position, rulebook).order


def read(
    text: str,
    variant: Variant,
    phase: Phase,
    power: str | None = None,
    position: Position | None = None,
    rulebook: Rulebook | None = None,
) -> Reading:
    """As `read_order`, with the powers that were named and what may have been meant."""
    return Reader.of(variant).read(text, phase.kind, power, position, rulebook)


def split_orders(line: str, variant: Variant) -> list[str]:
    """The orders on one line, apart: separated by commas, semicolons, full stops or `and`.

    Stops of abbreviations, brackets and bullets do not separate. Names decide where a stop may be
    either ("A Par - Bur. Good luck"), and where blanks alone separate.
    """
    return split(line, Reader.of(variant))


class Reader:
    """Reads orders for one variant. Make it by `Reader.of(variant)`."""

    of: ClassVar[Derived[Variant, Reader]]
    """The reader for a variant, made once and kept with it."""

    MOST_REMEMBERED = 1 << 15
    LONGEST_REMEMBERED = 80

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.names = Names.of(variant)
        self.words = self.names.words
        self.codes = frozenset(variant.board.kinds)
        self.locations = {
            location
            for province in variant.board.provinces.values()
            for location in (province.id, *province.locations)
        }
        self._known: dict[Kind, dict[str, Parse | Reading | None]] = {kind: {} for kind in Kind}
        self.settled: dict[Kind, dict[str, Order]] = {kind: {} for kind in Kind}
        """Texts read before whose meaning does not depend on the position, for fast callers."""
        # Long ones are not kept, but asked for more than once in a row.
        self._sought: Callable[[str, Kind], Parse | Reading | None]
        self._sought = lru_cache(maxsize=64)(self._in_any_words)
        self._ways = lru_cache(maxsize=64)(self._in_all_ways)

    def read(
        self,
        text: str,
        kind: Kind,
        power: str | None = None,
        position: Position | None = None,
        rulebook: Rulebook | None = None,
    ) -> Reading:
        """What `text` means in a phase of `kind`."""
        reading = self._read(text, kind, power, position)
        order = reading.order
        if (
            rulebook is not None
            and rulebook.asks_nationality
            and reading.other
            and isinstance(order, Support | Convoy)
        ):
            return replace(reading, order=replace(order, owner=reading.other))
        return reading

    def _read(self, text: str, kind: Kind, power: str | None, position: Position | None) -> Reading:
        found = self._found(text, kind)
        if found is None:
            found = self._diagnose(text, undressed(text, self.names)[-1], kind)
            self._remember(text, kind, found)
        return self._place(text, found, kind, power, position)

    def _found(self, text: str, kind: Kind) -> Parse | Reading | None:
        """What a text means; None where it is no order and why has not been asked."""
        known = self._known[kind]
        if text in known:
            return known[text]
        found = self.canonical(text, kind) or self._sought(text, kind)
        self._remember(text, kind, found)
        return found

    def _remember(self, text: str, kind: Kind, found: Parse | Reading | None) -> None:
        if len(text) > self.LONGEST_REMEMBERED:
            return
        known = self._known[kind]
        if len(known) >= self.MOST_REMEMBERED:
            known.clear()
            self.settled[kind].clear()
        known[text] = found
        if isinstance(found, Reading):
            self.settled[kind][text] = found.order

    def is_shortened(self, text: str, rest: str) -> bool:
        """Whether a text ends in a shortened word and `rest` goes on with it: the short name of a
        power behind a verb, whose unit comes next, or a part of a name (`Norw. Sea`)."""
        *_, verb, last = (Token("", "", ""), Token("", "", ""), *tokens(text))
        names, begun = self.names, tokens(rest)
        if begun and names.provinces.find((last.key, begun[0].key)).ids:
            return last.key not in names.provinces.exact
        return (
            self.words.verbs.get(verb.key) in (Verb.SUPPORT, Verb.CONVOY)
            and len(names.powers.find((last.key,)).ids) == 1
            and last.key not in names.provinces.exact
        )

    def ends(self, left: str, right: str) -> bool:
        """Whether `left` is an order by itself, and `right` behind it does not belong to it."""
        kinds = (Kind.MOVEMENT, Kind.ADJUSTMENTS)
        return any(self.is_order(left, kind) for kind in kinds) and not any(
            self.is_order(f"{left}. {right}", kind) for kind in kinds
        )

    @property
    def tests(self) -> tuple[IsOrder, IsOrder]:
        """Whether a text is one order with no name misspelled, in phases of one kind or another."""
        return self._is_movement, self._is_adjustment

    def _is_movement(self, text: str) -> bool:
        """Whether `text` is one order for a movement or a retreat, with no name misspelled."""
        drafts = (parse.order for parse in self._plainly(text, Kind.MOVEMENT))
        if any(not isinstance(draft, Bare | Change) for draft in drafts):
            return True
        found = undressed(text, self.names)[-1]
        begins = bool(found) and found[0].key in self.words.kinds and found[-1].kind == "word"
        aims = sum(token.kind == "-" for token in found) == 1
        return begins and aims and self._possible([found], Kind.MOVEMENT) is not None

    def _is_adjustment(self, text: str) -> bool:
        """Whether `text` is one build, removal or waive, with no name misspelled."""
        fitting = (Bare, Build, Change, Disband, Waive)
        return any(
            isinstance(parse.order, fitting) for parse in self._plainly(text, Kind.ADJUSTMENTS)
        )

    def begins(self, text: str) -> bool:
        """Whether `text` may begin with an order, however it goes on."""
        ways = self._ways(text)
        return any(
            any(Parser(self.names, way, kind, open_names=opened).orders())
            for way in ways
            for kind in (Kind.MOVEMENT, Kind.ADJUSTMENTS)
            for opened in (False, True)
        )

    def _plainly(self, text: str, kind: Kind) -> Iterator[Parse]:
        for way in self._ways(text):
            yield from Parser(self.names, way, kind).parses()

    def _in_all_ways(self, text: str) -> list[list[Token]]:
        """The tokens of a text in every way that it may be spelled."""
        return [
            way
            for found in undressed(text, self.names)
            for ways in (spellings, scanned)
            for way in ways(found, self.names)
        ]

    def is_order(self, text: str, kind: Kind) -> bool:
        """Whether `text` is an order in a phase of `kind`, whatever stands on the board."""
        found = self._found(text, kind)
        return found is not None and not isinstance(
            self._place(text, found, kind, None, None).order, Unreadable
        )

    def canonical(self, text: str, kind: Kind) -> Reading | None:
        """The reading of an order in canonical form, None for any other text."""
        order = self._canonical(text.split(" "), kind)
        return Reading(order) if order is not None else None

    def _goes(self, found: Sequence[Token]) -> bool:
        """Whether a line says by a sign or a word that a unit is to go somewhere."""
        verbs = (self.words.verbs.get(token.key) for token in found)
        return any(token.kind == "-" or token.key in SAID["to"] for token in found) or any(
            verb in (Verb.MOVE, Verb.RETREAT) for verb in verbs
        )

    def is_canonical(self, text: str) -> bool:
        """Whether `text` is in the form that orders are printed in, in whatever kind of phase.

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

    def _in_any_words(self, text: str, kind: Kind) -> Parse | Reading | None:
        """What a text says as it stands or, where that is no order, in the words of a phrase; None
        where nothing was found."""
        read = self._understand(text, kind)
        # `a fleet for Ceylon` is no fleet from Formosa where units are built.
        unfit = Unreadable if kind is not Kind.ADJUSTMENTS else Unreadable | Move
        # Who has lost one unit answers where it goes.
        aim = kind is Kind.RETREATS and isinstance(read, Parse) and isinstance(read.order, Bare)
        if read is None or aim or (isinstance(read, Reading) and isinstance(read.order, unfit)):
            said = Phrases.of(self.variant).instead(text, kind)
            again = None if said is None else self._understand(said, kind)
            if isinstance(again, Parse) and not (
                kind is Kind.MOVEMENT and isinstance(again.order, Bare)
            ):
                return again
            if isinstance(again, Reading) and not isinstance(again.order, Unreadable):
                return again
        return read

    def _understand(self, text: str, kind: Kind) -> Parse | Reading | None:
        if len(text) > LONGEST_ORDER:
            return _unread(text, Fault.TOO_LONG)
        dressed = undressed(text, self.names)
        if not (found := dressed[-1]) and len(dressed) == 1:
            return _unread(text, Fault.EMPTY)
        read: Parse | Reading | None = None
        ways = [way for each in dressed for way in spellings(each, self.names)]
        for fuzzy in (False, True):
            for way in ways if read is None else ():
                parses = list(Parser(self.names, way, kind, fuzzy=fuzzy).parses())
                if kind is not Kind.ADJUSTMENTS:
                    # A unit alone is no order: `the sea` goes to sea where there is a place `the`.
                    acts = [p for p in parses if p.owner or not isinstance(p.order, Bare)]
                    parses = acts or parses
                if fuzzy and not self._goes(way):
                    # Where a name is misspelled, what stands between two may be a verb misspelled.
                    parses = [each for each in parses if not isinstance(each.order, Move | Retreat)]
                if parses:
                    read = self._choose(text, parses)
                    break
        order = read.order if read is not None else None
        if read is None or not could_be(order, self.variant.board):
            parse = self._possible(ways, kind, order) or self._possible(
                list(scanned(found, self.names)), kind
            )
            if parse is not None:
                return self._surest(text, parse)
        for way in scanned(found, self.names) if read is None else ():
            if parses := list(Parser(self.names, way, kind).parses()):
                read = self._choose(text, parses)
        return read

    def _possible(
        self, ways: Sequence[list[Token]], kind: Kind, order: Draft | None = None
    ) -> Parse | None:
        """The one way to understand a line that the board allows, where a short name may be another
        one's, too. What the line says as it stands, `order`, keeps its unit where that can be."""
        kept = None if order is None else drafts.unit_of(order)
        if kept is not None and not could_stand(kept, self.variant.board):
            kept = None
        parses = [
            parse
            for way in ways
            for parse in Parser(self.names, way, kind, open_names=True).parses()
            if not isinstance(parse.order, Bare | Change)
            and (kept is None or drafts.unit_of(parse.order) == kept)
        ]
        meant = one_possible([parse.order for parse in parses], self.variant.board)  # type: ignore[misc]
        return next((parse for parse in parses if parse.order is meant), None)

    def _choose(self, text: str, parses: Sequence[Parse]) -> Parse | Reading:
        """The surest understanding, or a refusal when several are equally sure."""
        surest = min(parse.tier for parse in parses)
        best = {parse.order: parse for parse in reversed(parses) if parse.tier == surest}
        if len(best) > 1:
            meanings = tuple(map(str, best))
            return Reading(Unreadable(text, Misreading(Fault.AMBIGUOUS, candidates=meanings)))
        (parse,) = best.values()
        return self._surest(text, parse)

    def _surest(self, text: str, parse: Parse) -> Parse | Reading:
        """An understanding as a reading, unless that needs the position."""
        if isinstance(parse.order, Bare | Change) or _wants_place(parse.order):
            return parse
        return self._finish(text, parse, parse.order)

    def _finish(self, text: str, parse: Parse, order: Order) -> Reading:
        """The reading of a finished order, unless its path cannot be one."""
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
        self,
        text: str,
        parse: Parse | Reading,
        kind: Kind,
        power: str | None,
        position: Position | None,
    ) -> Reading:
        """Finishes an understanding that depends on what stands on the board."""
        if isinstance(parse, Reading):
            return parse
        order = parse.order
        power = power or parse.owner
        if isinstance(order, Bare):
            return Reading(self._bare(text, order.unit, kind, power, position), parse.owner)
        if isinstance(order, Change):
            return Reading(self._change(text, order, power, position), parse.owner)
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
        """A build that does not say where: where it can be, if that is one place only."""
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
        """What a unit without a verb means."""
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
        """The build order that converts a unit, by the letter that its kind is not."""
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

    def _diagnose(self, text: str, found: list[Token], kind: Kind) -> Reading:
        """Why a text is no order, as precisely as can be said."""
        misread = [
            (len(bad), sum(len(name.split()) for name in bad), parse, bad)
            for parse in Parser(self.names, found, kind, fuzzy=True, lenient=True).parses()
            if (bad := drafts.bad_names(parse.order))
        ]
        if misread:
            _, _, parse, bad = min(misread, key=lambda draft: draft[:2])
            unread = Unreadable(text, bad[0].problem, drafts.unit_of(parse.order))
            return Reading(unread, parse.owner, parse.other, self._offers(parse.order, bad))
        if found[-1].kind == "?":
            return _unread(text, Fault.QUESTION)
        parser = Parser(self.names, found, kind, fuzzy=True)
        partial = [parse for parse in parser.orders() if drafts.unit_of(parse.order)]
        if not partial:
            return Reading(Unreadable(text, _no_unit(found)))
        parse = max(partial, key=lambda parse: (parse.end, -parse.tier))
        order, end = parse.order, parse.end
        rest = " ".join(token.text for token in found[end:])
        problem = Misreading(Fault.LEFT_OVER, rest, after=str(order))
        offers: tuple[Order, ...] = ()
        if isinstance(order, Bare) and found[end].kind == "/":
            # `A Bur/Bel`: a move, or two units that share an order.
            moves = Parser(self.names, found[end + 1 :], kind).aims(0)
            offers = tuple(
                Move(order.unit, aim.to) for aim in moves if aim.end == len(found) - end - 1
            )
        if isinstance(order, Bare) and parser.verb(end) in (Verb.BOMB, Verb.CARRY, Verb.DROP):
            says_whence = any(word.key == "from" for word in found)
            problem = Misreading(Fault.NO_BOMB_AIM if says_whence else Fault.NO_BOMB_TARGET)
        return Reading(Unreadable(text, problem, drafts.unit_of(order)), parse.owner, offers=offers)

    def _offers(self, draft: Draft, bad: Sequence[Misread]) -> tuple[Order, ...]:
        """Orders like `draft` with the one bad name replaced by each of its candidates."""
        if len(set(bad)) != 1 or isinstance(draft, Bare | Change | Unreadable | Waive):
            return ()
        candidates = bad[0].problem.candidates
        return tuple(drafts.replaced(draft, bad[0], candidate) for candidate in candidates)


def _unread(text: str, fault: Fault) -> Reading:
    return Reading(Unreadable(text, Misreading(fault)))


def _no_unit(found: Sequence[Token]) -> Misreading:
    """What is wrong with a line in which no unit stands first."""
    verb = VERBS.get(found[0].key)
    return Misreading(Fault.NO_UNIT, verb if verb in _LONE_VERBS else "")


Reader.of = Derived(Reader)


_Placed: TypeAlias = Hold | Move | Support | Convoy | Disband | Retreat | Launch | Build


def _wants_place(order: Order) -> TypeGuard[_Placed]:
    """Whether an order leaves out where its unit stands (`F stands`)."""
    return not isinstance(order, Waive | Unreadable) and not order.unit.location
