"""Second thoughts: lines that speak again of a unit that a line above orders, and are not read.

Who takes an order back in words that nobody understands does not want it carried out, nor does who
makes it hang on something.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from judge.game.orders.interpret import InterpretedOrder, taken_apart
from judge.game.orders.likeness import is_formal
from judge.game.orders.order_context import OrderContext
from judge.game.state.answers import Answer
from judge.intake.addressees import ALL, JUDGE, MASTER, courtesies, letters, powers_named
from judge.intake.arguments import ADDRESS
from judge.intake.labels import Label, game_named
from judge.intake.lines import Line, is_talk
from judge.intake.sentence_places import is_other_season
from judge.intake.wishes import doubted, is_doubtful_heading
from judge.language import cover
from judge.language.names import Names, words_of
from judge.language.speech import PERSON, YOU, is_barring, speaks
from judge.language.vocabulary import tokens
from judge.limits import BOUNDS
from judge.rules.board import province_of
from judge.rules.orders import Move, Unreadable
from judge.rules.phase import Kind, Phase

_Lines: TypeAlias = Sequence[Line]


def counting(lines: _Lines) -> dict[str | None, list[Line]]:
    """Return the lines with orders that count for the open phase, by power: each unit's last."""
    by_power: dict[str | None, dict[object, Line]] = {}
    for line in lines:
        if line.asked and is_good(line) and line.later is None:
            given = by_power.setdefault(line.asked.power, {})
            key = line.asked.place or len(given)
            # In adjustments the order of writing counts.
            given.pop(key, None)
            given[key] = line
    return {power: list(given.values()) for power, given in by_power.items()}


Taken: TypeAlias = Mapping[tuple[range, str], Answer]
"""The orders, by their rows and texts, that a line beside them takes back, and that line, each with
what is said of it."""


def revoked(lines: _Lines, turn: OrderContext) -> Taken:
    """Return the orders that a line below speaks of again, and those of one unit that differ where
    words that are not understood stand between them: these may say which counts. What stands below
    a ruled line is no second thought."""
    if not any(map(is_good, lines)):
        return {}
    addressed = in_letters(lines, turn)
    talk = [
        ADDRESS.sub("", line.text) if is_talk(line) and number not in addressed else ""
        for number, line in enumerate(lines)
    ]
    courteous = courtesies(talk)
    said = [
        text if len(text) <= BOUNDS.line and (not courteous[number] or _bars(text)) else ""
        for number, text in enumerate(talk)
    ]
    doubts = {
        number
        for number in doubted(said, turn.variant)
        if not {part.kind for part in taken_apart(said[number], turn).parts}
        <= {cover.ORDER, *_AROUND}
    }
    thoughts = _Thoughts(turn, lines, addressed, doubts)
    for number, line in enumerate(lines):
        if thoughts.given and _RULED.fullmatch(line.text):
            break
        thoughts.take(number, line)
    below_label = {
        each: Answer("below_label", {"label": why}) for each, why in thoughts.replaced.items()
    }
    return {**below_label, **asked_about(thoughts.found.values(), lines, turn)}


def may_be_talk(label: Label) -> bool:
    """Return whether a label leaves open whether what stands below it is wanted."""
    return label.nobody and not label.sure


def leads_elsewhere(line: Line) -> bool:
    """Return whether a line says for which game, power or phase those below it are."""
    return bool((line.label and line.label.binds) or (line.command and line.command.enters))


def asked_about(
    found: Iterable[Sequence[tuple[Line, str]]], lines: _Lines, turn: OrderContext
) -> Taken:
    """Return what is said of orders that are `found` to be taken back, each by some words, and of
    the lines that say so."""
    held: dict[str, dict[tuple[range, str], Line]] = {}
    for order, why in chain.from_iterable(found):
        # A line may have several orders.
        held.setdefault(why, {})[order.rows, ordered_by(order)] = order
    elsewhere = any(line.command is not None and line.command.enters for line in lines)
    labels = {line.text for line in lines if line.label and not may_be_talk(line.label)}
    taken: dict[tuple[range, str], Answer] = {}
    for why, orders in held.items():
        others = why in labels or _names_others(why, turn) or names_other_game(why, turn)
        places = [each.asked.place for each in orders.values() if each.asked and not each.later]
        # They can all be filed as they stand, for the one power of their writer.
        can = len(turn.mine) == 1 and len({*places}) == len(orders)
        asks = can and all(map(ordered_by, orders.values())) and not (elsewhere or others)
        texts = "\n".join(map(ordered_by, orders.values()))
        facts = {"label": why, "lines": texts, "count": len(orders)}
        answer = Answer("doubted_orders" if asks else "below_label", facts)
        beside = [(line.rows, why) for line in lines if is_talk(line) and line.text == why]
        about = [(each.rows, each.text) for each in orders.values()]
        taken |= dict.fromkeys([*about, *beside], answer)
    return taken


def ordered_by(line: Line) -> str:
    """Return what a line orders, in canonical form; "" where that is not known."""
    return line.read or (line.offers[0] if len(line.offers) == 1 else "")


@dataclass
class _Thoughts:
    """What stands above a line: the orders that are given, and what words have stood below each.

    Of the `lines` of the mail the numbers in `addressed` are to somebody else, those in `doubts`
    doubt orders; `heading` is a line above orders that doubts them.
    """

    turn: OrderContext
    lines: _Lines
    addressed: Set[int]
    doubts: Set[int]
    given: dict[_OrderOwner, Line] = field(default_factory=dict)
    found: dict[_OrderOwner, list[tuple[Line, str]]] = field(default_factory=dict)
    between: dict[_OrderOwner, str] = field(default_factory=dict)
    twice: dict[_OrderOwner, Line] = field(default_factory=dict)
    heading: str = ""
    replaced: dict[tuple[range, str], str] = field(default_factory=dict)
    """Orders in whose place others are asked about, each with what stands above these."""

    def take(self, number: int, line: Line) -> None:
        """Go on to a line."""
        asked, places, unit = line.asked, set[str](), None
        label, here = line.label, ("", self.turn.game)
        elsewhere = label and (label.several or label.phase or label.game not in here)
        # With its own power somebody signs.
        if elsewhere and not any(each.asked for each in self.lines[number:]):
            # With no orders below it, it can only be about those above.
            self.found |= {unit: [(each, line.text)] for unit, each in self.given.items()}
            self.given = {}
        if leads_elsewhere(line):
            # What stands below is for another game or phase.
            self.given, self.between, self.twice, self.heading = {}, {}, {}, ""
        if asked and asked.place and is_good(line):
            unit = _OrderOwner(line.later, asked.power, asked.place)
            self._give(unit, line)
        elif asked:
            places = _taken_back(line, asked, list(self.given.values()), self.turn)
        elif is_talk(line):
            places = self._hear(number, line)
        for each in [each for each in self.given if each.place in places and each != unit]:
            # Nor does what was written for it before count then.
            both = self.twice.pop(each, None), self.given.pop(each)
            self.found[each] = [(order, line.text) for order in both if order]

    def _give(self, unit: _OrderOwner, line: Line) -> None:
        before, said = self.given.get(unit), self.between.pop(unit, "")
        earlier = self.found.pop(unit, [])
        differs = before is not None and before.read != line.read
        # On one line it may be a choice, but what one unit does is none beside what all do.
        named = before is not None and before.asked and not before.asked.general
        if before is not None and differs and (said or (named and before.rows == line.rows)):
            self.found[unit] = [(before, said or line.text), (line, said or before.text)]
        if self.heading:
            held = self.found.get(unit, [])
            self.found[unit] = [*earlier, *held, (line, self.heading)]
            if before is not None and differs and not held:
                # `Forget those. I want:`
                self.replaced[before.rows, before.text] = self.heading
            self.given.pop(unit, None)
            return
        self.given[unit] = line
        if before is not None and differs:
            self.twice[unit] = before

    def _hear(self, number: int, line: Line) -> set[str]:
        # What an address is made of says nothing.
        line = replace(line, text=ADDRESS.sub("", line.text))
        heads, others = line.text.endswith(":"), self._is_for_others(number, line)
        doubts = number in self.doubts
        if not (doubts or self.given or courtesies([line.text])[0]):
            doubts = is_doubtful_heading(line.text, self.turn.variant)
        self.heading = line.text if others or (doubts and (heads or not self.given)) else ""
        if not self.given:
            return set()
        if _may_choose(line.text, self.turn):
            self.between |= dict.fromkeys(self.given.keys() - self.between.keys(), line.text)
            for unit in self.twice.keys() & self.given.keys():
                both = self.twice[unit], self.given.pop(unit)
                self.found[unit] = [(each, line.text) for each in both]
        every = {unit_at(each) for each in self.given.values()}
        if others and not heads:
            return every
        if not self.given or heads or number in self.addressed:
            return set()
        if about := _spoken_of(line, list(self.given.values()), self.turn):
            return about
        # Below it may stand how it is meant.
        return (self._ordered_at(number + 1) & every or every) if doubts else set()

    def _ordered_at(self, number: int) -> set[str]:
        """Return the unit that is ordered by name on a line, if one is."""
        here = [each for each in self.lines[number : number + 1] if is_good(each)]
        return {unit_at(each) for each in here if each.asked and not each.asked.general}

    def _is_for_others(self, number: int, line: Line) -> bool:
        """Return whether a line says of others that what stands beside it is for them."""
        heads = line.text.endswith((":",) if self.given else (":", ")"))
        others = heads and _names_others(line.text, self.turn)
        others = others or names_other_game(line.text, self.turn)
        return others and number not in self.addressed and line.label is None


def is_of_other_game(text: str, turn: OrderContext) -> bool:
    """Return whether a text names another game of the writer's, but not as a place is called, save
    beside the name of this game."""
    named, places = game_named(text, turn), Names.of(turn.variant).provinces.exact
    both = any(token.key == turn.game.lower() for token in tokens(text))
    other = names_other_game(text, turn, () if both else places)
    return bool(named and named != turn.game) or other


def names_other_game(text: str, turn: OrderContext, but: Collection[str] = ()) -> bool:
    """Return whether a text names another game of the writer's, wherever in it, `but` some."""
    others = {each.lower() for each in turn.games if each != turn.game} - {*but}
    return not others.isdisjoint(token.key for token in tokens(text))


def _names_others(text: str, turn: OrderContext) -> bool:
    """Return whether a heading names a power of somebody else's, or another season."""
    others = bool(turn.mine) and not powers_named(text, turn.variant) <= {*turn.mine}
    return others or any(is_other_season(word, turn) for word in words_of(text))


def unit_at(order: Line) -> str:
    return (order.asked and order.asked.place) or ""


def is_good(line: Line) -> bool:
    return line.kind == "order" and line.problem is None


class _OrderOwner(NamedTuple):
    """Whose order it is, and for which phase, if not for the one that is open."""

    later: Phase | None
    power: str | None
    place: str


def _bars(text: str) -> bool:
    """Return whether a text has a word that may change the meaning of an order beside it."""
    return any(map(is_barring, words_of(text)))


def _may_choose(text: str, turn: OrderContext) -> bool:
    """Return whether words between orders may say which of them counts."""
    if courtesies([text])[0] or len(text) > BOUNDS.line:
        return False
    parts = taken_apart(text, turn).parts
    kinds = {part.kind for part in parts}
    denies = not kinds.isdisjoint({cover.DOUBT, cover.CONTRAST}) or _bars(text)
    return not kinds.issubset(_AROUND) and not denies


_RULED = re.compile(r"\s*([-_=*~#+])\1{4,}\s*")


def in_letters(
    lines: _Lines, turn: OrderContext, ours: Sequence[str] = (ALL, MASTER, JUDGE)
) -> set[int]:
    """Return the numbers of the lines of letters to somebody, but those that greet `ours`."""
    unread = [line if is_talk(line) or line.kind == "unknown" else None for line in lines]
    talk = [line.text[: BOUNDS.line] if line else "" for line in unread]
    found: set[int] = set()
    for letter in letters(talk, turn.variant, turn.heard):
        if {*letter.to} <= {*turn.mine}:
            # It says whose the orders are.
            continue
        if JUDGE not in letter.to and not (letter.greets and not {*ours}.isdisjoint(letter.to)):
            found.update(range(letter.first, letter.end))
    return found


def _taken_back(line: Line, asked: InterpretedOrder, given: _Lines, turn: OrderContext) -> set[str]:
    """Return the units of which an order that is not taken says that what stands above is not
    wanted: it has words that bar it, or the form of an order by chance and is for none of the
    writer's units (`Picardy for Paris`). Who asks a question has not decided."""
    if any(token.kind == "?" for each in (line.text, *asked.barred) for token in tokens(each)):
        return set()
    order, unit = asked.order, getattr(asked.order, "unit", None)
    if asked.barred:
        stands = False
    elif isinstance(order, Unreadable):
        stands = is_formal(line.text, Names.of(turn.variant))
    else:
        stays = isinstance(order, Move) and province_of(order.to) == asked.place
        stands = turn.owner(asked.place) in turn.mine or (bool(unit and unit.kind) and not stays)
    if stands or (not asked.barred and (turn.position is None or line.later is not None)):
        return set()
    named = provinces_named(line.text, turn)
    if asked.barred:
        # It says whose order it bars.
        return _naming(named, given, turn)
    kind = unit.kind if unit else ""
    return _about(named, given, turn) | {
        unit_at(each) for each in given if kind and (each.read or "").startswith(f"{kind} ")
    }


def _about(named: Set[str], given: _Lines, turn: OrderContext) -> set[str]:
    """Return the units of those orders that name one of these provinces; where none does, of those
    that could, if no other unit of the writer's is there."""
    about = _naming(named, given, turn)
    named = {each for each in named if turn.owner(each) not in turn.mine}
    if about or not named or turn.wanted is not Kind.MOVEMENT:
        return about
    orders = {unit_at(each): each.asked and each.asked.order for each in given}
    units = {place: getattr(order, "unit", None) for place, order in orders.items()}
    near = turn.variant.board.provinces_near
    return {place for place, unit in units.items() if unit and unit.kind and named & near([unit])}


def _naming(named: Set[str], given: _Lines, turn: OrderContext) -> set[str]:
    """Return the units of those orders that name one of these provinces."""
    return {unit_at(each) for each in given if named & provinces_named(each.read or "", turn)}


def _spoken_of(line: Line, given: _Lines, turn: OrderContext) -> set[str]:
    """Return provinces of those units, ordered by the lines above, that ordinary text speaks of.

    It names a province of the order, or one where its unit can go, and does not greet from there. A
    condition on what happens on the board goes on from the order right above it, whatever it names.
    """
    text = line.text
    if len(text) > BOUNDS.line:
        return set()
    named = provinces_named(text, turn)
    about = _about(named, given, turn)
    parts = taken_apart(text, turn).parts
    kinds = [part.kind for part in parts if part.kind not in _AROUND]
    if kinds[:1] == [cover.CONDITION] and (cover.NAME in kinds or named):
        last = max(order.rows.stop for order in given)
        near = last == line.rows.start
        about |= {unit_at(each) for each in given if not near or each.rows.stop == last}
    # The name in a greeting is that of a place where somebody sits.
    tells = [part for part in parts if part.kind in _CHANGING and not speaks(part.text, *_PEOPLE)]
    return set() if courtesies([text])[0] and not tells else about


_PEOPLE = (PERSON, YOU)
_CHANGING = {cover.CONDITION, cover.NEGATION, cover.DOUBT, cover.TIME, cover.VERB, cover.CONTRAST}
_AROUND = (cover.MARK, cover.JOIN, cover.COURTESY, cover.CONTRAST)


def provinces_named(text: str, turn: OrderContext) -> set[str]:
    """Return the provinces that a text names."""
    known, words = Names.of(turn.variant).provinces.exact, words_of(text)
    starts = range(len(words))
    names = {"".join(words[at:end]) for at in starts for end in range(at + 1, at + 4)}
    return {known[each] for each in names & known.keys()}
