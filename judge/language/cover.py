"""One reading of a line: pieces that together cover it, and the words that are left over.

Of all ways to cover the line the cheapest counts (`_COSTS`); docs/reading.md tells it at length.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Final, NamedTuple

from judge.language.drafts import Aiding, Bare, Change, Draft, ForAll, Misread, Parse, bad_names
from judge.language.grammar import Parser
from judge.language.names import FUZZY, Names, one_possible
from judge.language.place_names import Mode
from judge.language.vocabulary import LINE, NUMBERS, SAID, Token, Verb
from judge.rules.orders import Build, Convoy, Move, Order, Retreat, Support, Waive
from judge.rules.phase import Kind

ORDER, ATTEMPT, BARE = "order", "attempt", "bare"
JOIN, COURTESY, POSSIBLE, FALLBACK, MARK = "join", "courtesy", "possible", "fallback", "mark"
CONTRAST, LABEL, OUTCOME = "contrast", "label", "outcome"
CONDITION, NEGATION, DOUBT, TIME = "condition", "negation", "doubt", "time"
NAME, NUMBER, VERB, COMMAND, WORD = "name", "number", "verb", "command", "word"

BARRING: Final = frozenset({CONDITION, NEGATION, DOUBT, TIME, NAME, NUMBER, VERB, COMMAND})
"""What may change the meaning of an order beside it: with any of these left over none is filed."""

_COSTS: Final = {
    ORDER: 2,
    JOIN: 1,
    COURTESY: 3,
    POSSIBLE: 1,
    FALLBACK: 0,
    CONTRAST: 3,
    LABEL: 1,
    OUTCOME: 2,
    MARK: 1,
    BARE: 50,
    ATTEMPT: 45,
    CONDITION: 60,
    NEGATION: 60,
    DOUBT: 60,
    TIME: 55,
    WORD: 40,
    NAME: 65,
    NUMBER: 60,
    VERB: 60,
    COMMAND: 60,
}
_TIERS: Final = (0, 4, 12)
"""What names cost by how sure they are."""

_DASH: Final = 20
_WRONG_PHASE: Final = 20
_UNFIT: Final = {
    Kind.MOVEMENT: (Waive, Retreat),
    Kind.RETREATS: (Build, Waive, Support, Convoy),
    Kind.ADJUSTMENTS: (Move, Support, Convoy, Retreat),
}
"""Orders that a phase does not know, and that its words rarely mean."""
_RUN: Final = 20
"""What each further word costs behind a unit that is not told anything."""

_SHORT_WORD: Final = 3
"""Letters of a word that may say anything."""

_STOP: Final = 3
"""What it costs an order to go on behind a full stop."""


class CoverPiece(NamedTuple):
    """What some words of a line are: from the token `start` up to `end`, by the rule `kind`."""

    kind: str
    start: int
    end: int
    parse: Parse | None = None


class Cover(NamedTuple):
    """The pieces of a line, in order, and what they cost; `rival` are the orders that another way
    to cover it, which costs no more, would give."""

    pieces: tuple[CoverPiece, ...]
    cost: int
    found: Sequence[Token]
    rival: tuple[Draft, ...] | None = None

    @property
    def parses(self) -> list[Parse]:
        """The orders that were read."""
        return [each.parse for each in self.pieces if each.kind == ORDER and each.parse]

    @property
    def has_words(self) -> bool:
        """Whether words are left over."""
        return any(each.kind == WORD for each in self.pieces)

    @property
    def is_talk(self) -> bool:
        """Whether no word names anything, not even misspelled, or tells anybody to act: in no way
        to spell the line would it have an order."""
        kinds = {each.kind for each in self.pieces}
        dashes = any(each.kind in "-/" for each in self.found)
        return not dashes and kinds.isdisjoint((ORDER, ATTEMPT, BARE, NAME, VERB, CONTRAST))

    @property
    def is_clean(self) -> bool:
        """Whether nothing is left over that could change a meaning, not even a dash."""
        return not any(
            each.kind in BARRING
            or each.kind in (ATTEMPT, BARE)
            or (each.kind == MARK and self.found[each.start].kind == "-")
            for each in self.pieces
        )


_LONGEST_LABEL: Final = 8
_PHASES: Final = ("spring", "summer", "fall", "winter")
_KINDS: Final = ("phase_movement", "phase_retreats", "phase_adjustments")

_ENDING: Final = (JOIN, CONDITION, NEGATION, DOUBT, TIME)
"""What ends the words behind a unit."""


_Path = tuple["_Path | None", CoverPiece]


class Chart:
    """Covers the tokens of a line with pieces. `commands` are the words of commands."""

    def __init__(
        self,
        names: Names,
        found: Sequence[Token],
        kind: Kind,
        mode: Mode,
        *,
        commands: Collection[str] = (),
        text: str = "",
    ) -> None:
        self.names, self.found, self.kind, self.mode = names, found, kind, mode
        self.commands, self.text, self.stops = commands, text, _stops(text, found)
        self._brackets = "(" in text or ")" in text
        self.fuzzy = mode in (Mode.FUZZY, Mode.LENIENT)
        self.parser = Parser(names, found, kind, Mode.FUZZY if self.fuzzy else mode)
        request = LINE["request"]
        self._asks = any(request.end(found, place) > place for place in range(len(found)))
        """Whether it is a polite request, whose question mark is none."""
        self._known: dict[int, list[CoverPiece]] = {}
        self._ends: list[int] = []
        self._misread = Parser(names, found, kind, Mode.LENIENT)

    def cover(self) -> Cover:
        """Return the cheapest way to cover the line."""
        end = len(self.found)
        heap: list[tuple[int, int, int, _Path | None, tuple[Draft, ...]]] = [(0, 0, 0, None, ())]
        reached: dict[int, list[tuple[Draft, ...]]] = {}
        best: tuple[int, _Path | None] | None = None
        count = 0
        while heap:
            cost, back, _, path, orders = heappop(heap)
            place = -back
            if best is not None and cost > best[0]:
                break
            if orders in reached.setdefault(place, []) or len(reached[place]) > 1:
                continue
            reached[place].append(orders)
            if place == end:
                if best is not None:
                    return Cover(_pieces(best[1]), best[0], self.found, orders)
                best = cost, path
                continue
            for piece in self._from(place):
                count += 1
                said = orders
                if piece.kind == ORDER and piece.parse is not None:
                    said += (piece.parse.order, *piece.parse.more)
                heappush(heap, (cost + self._cost(piece), -piece.end, count, (path, piece), said))
        assert best is not None
        return Cover(_pieces(best[1]), best[0], self.found)

    def _cost(self, piece: CoverPiece) -> int:
        cost = _COSTS[piece.kind]
        if piece.kind == BARE and piece.parse is not None:
            cost += _RUN * (piece.end - piece.parse.end)
        if piece.parse is not None:
            cost += _TIERS[min(piece.parse.tier, FUZZY)]
            cost += sum(_STOP for stop in self.stops if piece.start < stop < piece.end)
            order = piece.parse.order
            cost += bool(piece.parse.more) + isinstance(order, Bare | Aiding)
            cost -= isinstance(order, ForAll)
            cost += _WRONG_PHASE * isinstance(order, _UNFIT[self.kind])
        elif piece.kind == MARK:
            # A dash belongs to an order rather than to nothing.
            cost += _DASH * (self.found[piece.start].kind == "-")
        elif piece.kind not in (JOIN, FALLBACK, POSSIBLE, CONTRAST, LABEL, OUTCOME):
            cost += piece.end - piece.start - 1
        return cost

    def _from(self, place: int) -> list[CoverPiece]:
        """Return the pieces that may begin at a place."""
        if place not in self._known:
            self._known[place] = list(self._each(place))
        return self._known[place]

    def _each(self, place: int) -> Iterator[CoverPiece]:
        token = self.found[place]
        by_end: dict[tuple[int, Draft], CoverPiece] = {}
        parses = self.parser.orders(place)
        for parse in self._possible(parses) if self.mode is Mode.OPEN else parses:
            piece = self._order(place, parse)
            if piece is not None:
                key = (piece.end, parse.order)
                known = by_end.get(key)
                if known is None or (known.parse and known.parse.tier > parse.tier):
                    by_end[key] = piece
        yield from by_end.values()
        if self.mode is Mode.LENIENT:
            yield from self._attempts(place)
        if token.kind != "word":
            yield CoverPiece(self._sign(place), place, place + 1)
            return
        if (behind := self._numbered(place)) > place:
            yield CoverPiece(MARK, place, behind)
            return
        # Where a name of the board begins an order, it is no word behind orders.
        named = token.key in self.names.single
        ordered = named and any(each.kind == ORDER for each in by_end.values())
        around = list(self._around(place, ordered))
        barring = max((each.end for each in around if each.kind in BARRING), default=0)
        # Of two phrases that begin alike the longer one is meant, in doubt the one that bars.
        yield from (
            each for each in around if each.end > barring or each.kind in BARRING or not barring
        )
        if not barring:
            yield CoverPiece(self._left(place), place, place + 1)

    def _numbered(self, place: int) -> int:
        """Return place after the number of an order within the line: `2) A Mar H`, `3. A Mar H`."""
        key = self.found[place].key
        marked = place + 1 < len(self.found) and self.found[place + 1].kind == ")"
        end = place + 1 + marked
        numbers = key.isdecimal() and len(key) < 3 and end < len(self.found)
        return end if numbers and (marked or end in self.stops) else place

    def _sign(self, place: int) -> str:
        """Return what a sign is that belongs to nothing."""
        return DOUBT if self.found[place].kind == "?" and not self._asks else MARK

    def _order(self, place: int, parse: Parse) -> CoverPiece | None:
        """Return an order as a piece; None for what is none."""
        order = parse.order
        if isinstance(order, Bare) and (
            self.kind is not Kind.ADJUSTMENTS
            or not (order.unit.kind or self._may_be_bare(place, parse.end))
        ):
            return CoverPiece(BARE, place, self._run(parse.end), parse)
        if (
            self.fuzzy
            and parse.tier >= FUZZY
            and isinstance(order, Move | Retreat)
            and not self._goes(place, parse.end)
        ):
            # Where a name is misspelled, what stands between two may be a verb misspelled.
            return None
        torn = self._brackets and self._is_torn(place, parse.end)
        return None if torn else CoverPiece(ORDER, place, parse.end, parse)

    def _is_torn(self, place: int, end: int) -> bool:
        """Return whether words have one bracket of two (`Lon - Nwy (convoy Nth), Nrg supports`)."""
        start, stop = self.found[place].start, self.found[end - 1].end
        depth = self.text.count("(", start, stop) - self.text.count(")", start, stop)
        closes = self.text[stop:].lstrip().startswith(")" * depth)
        opens = self.text[:start].rstrip().endswith("(" * -depth)
        return not (closes and opens)

    def _run(self, place: int) -> int:
        """Return where the words end behind a unit that tell it nothing it can do."""
        if not self._ends:
            self._ends = [
                number
                for number, token in enumerate(self.found)
                if token.kind not in ("word", "-", "/")
                or any(LINE[kind].end(self.found, number) > number for kind in _ENDING)
            ] + [len(self.found)]
        return self._ends[bisect_left(self._ends, place)]

    def _possible(self, parses: Iterable[Parse]) -> Iterator[Parse]:
        """Of the orders that end in the same place the one that the board allows."""
        by_end: dict[int, list[Parse]] = {}
        for parse in parses:
            by_end.setdefault(parse.end, []).append(parse)
        for found in by_end.values():
            orders: list[Order] = []
            for each in found:
                if isinstance(each.order, Bare):
                    if self.kind is Kind.ADJUSTMENTS:
                        yield each
                elif isinstance(each.order, Change | ForAll | Aiding):
                    yield each
                else:
                    orders.append(each.order)
            one = one_possible(orders, self.names.variant.board)
            yield from (each for each in found if each.order is one and each.tier < FUZZY)

    def _may_be_bare(self, start: int, end: int) -> bool:
        """Return whether the name of a place stands by itself, as in a list of builds."""
        before = self.found[start - 1].kind if start else ","
        after = self.found[end].kind if end < len(self.found) else ","
        join = LINE["join"]
        joined = start > 0 and self.found[start - 1].key in join
        goes_on = end < len(self.found) and self.found[end].key in join
        return (before != "word" or joined) and (after != "word" or goes_on)

    def _goes(self, start: int, end: int) -> bool:
        """Return whether words say by a sign or a word that a unit is to go somewhere."""
        return any(
            token.kind == "-"
            or token.key in SAID["to"]
            or self.names.words.verbs.get(token.key) in (Verb.MOVE, Verb.RETREAT)
            for token in self.found[start:end]
        )

    def _attempts(self, place: int) -> Iterator[CoverPiece]:
        """Orders with a name that is none, and those that do not say which unit is to do it."""
        if self._verb_alone(place):
            yield CoverPiece(ATTEMPT, place, self._run(place + 1))
        before = self.found[place - 1] if place else None
        amid = before is not None and before.kind == "word" and before.key not in LINE["join"]
        for parse in self._misread.orders(place):
            inside = range(place, parse.end)
            apart = any(self.found[each].kind == "," or self._bars(each) for each in inside)
            draft = isinstance(parse.order, Bare | ForAll | Aiding)
            unit = getattr(parse.order, "unit", None)
            if amid and unit and isinstance(unit.location, Misread):
                # It stands within a sentence.
                continue
            moves = isinstance(parse.order, Move | Retreat)
            if moves and not self._goes(place, parse.end):
                continue
            if not draft and not apart and bad_names(parse.order):
                bad = len(bad_names(parse.order))
                yield CoverPiece(ATTEMPT, place, parse.end, parse._replace(tier=min(bad, FUZZY)))

    def _verb_alone(self, place: int) -> bool:
        """Return whether a letter stands here for support or convoy that no unit stands before."""
        before = place > 0 and self.found[place - 1].kind == "word"
        aids = self.names.words.verbs.get(self.found[place].key) in (Verb.SUPPORT, Verb.CONVOY)
        units = place + 1 < len(self.found) and self.parser.owned_units(place + 1)
        return aids and not before and bool(units)

    def _bars(self, place: int) -> bool:
        """Return whether a phrase begins here that bars the orders beside it."""
        return any(LINE[kind].end(self.found, place) > place for kind in _ENDING if kind != JOIN)

    def _label(self) -> int:
        """Return where a label that begins the line ends (`Fall 1901:`, `Retreats: Russia,`)."""
        phases, place = 0, 0
        while place < min(len(self.found), _LONGEST_LABEL):
            token = self.found[place]
            if token.kind == ":":
                return place + 1 if phases else 0
            named = any(token.key in SAID[name] for name in _PHASES)
            stem = len(token.key) > 4 and any(
                token.key.startswith(each)
                for name in _KINDS
                for each in SAID[name].single
                if len(each) > 4
            )
            phases += named or stem
            filler = token.key in SAID["phase_filler"] or token.key in LINE["courtesy"]
            if not (named or stem or filler or token.key.isdecimal()):
                return 0
            place += 1
        return 0

    def _outcome(self, start: int, place: int) -> int:
        """Return where the outcome of a result ends, with its brackets or before the next comma."""
        closing = ")" if self.found[start - 1].kind == "(" else ","
        while place < len(self.found) and self.found[place].kind != closing:
            if self._bars(place):
                break
            place += 1
        return place

    def _around(self, place: int, ordered: bool) -> Iterator[CoverPiece]:
        """Yield what stands around orders; where one is `ordered`, no outcome and no fallback."""
        if place == 0 and (end := self._label()):
            yield CoverPiece(LABEL, 0, end)
        if place and not ordered and (end := LINE["outcome"].end(self.found, place)) > place:
            yield CoverPiece(OUTCOME, place, self._outcome(place, end))
        fallback = () if ordered else (FALLBACK,)
        for kind in (JOIN, COURTESY, POSSIBLE, *fallback, CONDITION, NEGATION, DOUBT, TIME):
            end = LINE[kind].end(self.found, place)
            if end > place and not (kind == NEGATION and self._is_said_aside(place, end)):
                yield CoverPiece(kind, place, end)
        end = LINE["request"].end(self.found, place)
        if end > place:
            yield CoverPiece(COURTESY, place, end)
        yield from self._contrast(place)

    def _is_said_aside(self, place: int, end: int) -> bool:
        """Return whether what may be a negation is an answer to something else: `no: Ser - Gre`."""
        polite = end < len(self.found) and LINE[COURTESY].end(self.found, place) >= end
        return polite and next(iter(self.parser.orders(end)), None) is None

    def _contrast(self, place: int) -> Iterator[CoverPiece]:
        """Yield what is said not to be done where something else is: `instead of Gre`, `not Ser-Gre
        but`; it ends in another order, or stands behind one."""
        start = LINE["contrast"].end(self.found, place)
        if start == place:
            return
        ends = {each.end for each in self.parser.owned_units(start)}
        kind = self.parser.unit_kind(self.parser.skip(start, SAID["article"]))
        ends |= {kind[1]} if kind else set()
        ends |= {parse.end for parse in self.parser.orders(start)}
        ends |= {aim.end for aim in self.parser.aims(start)}
        for end in ends:
            comma = self.parser.skip_kind(end, ",")
            after = LINE["but"].end(self.found, comma)
            if after > comma:
                yield CoverPiece(CONTRAST, place, after)
            elif LINE["rather"].end(self.found, place) > place:
                yield CoverPiece(CONTRAST, place, end)

    def _may_name(self, key: str) -> bool:
        """Return whether a word may be a name with a slip, or one behind the letter of a unit."""
        names = self.names
        if len(key) > 4 and names.provinces.guess(key).ids:
            return True
        if len(key) > 3 and any(distance == 1 for _, distance in names.kinds.near(key, 1)):
            return True
        return key[0] in names.words.kinds and key[1:] in names.provinces.exact

    def _ends_name(self, place: int) -> bool:
        """Return whether a word and the one before it may together be a name with a slip."""
        before, here = self.found[place - 1] if place else None, self.found[place]
        if before is None or before.kind != "word" or len(here.key) <= _SHORT_WORD:
            return False
        return bool(self.names.provinces.guess(before.key + here.key).ids)

    def _names(self, place: int) -> bool:
        """Return whether a word names something, or may."""
        token, names = self.found[place], self.names
        key, provinces = token.key, names.provinces
        if len(key) > 2 and (key in provinces.exact or key in provinces.unclear):
            return True
        if len(key) > 3 and len(provinces.find((key,)).ids) == 1:
            return True
        if key in names.powers.exact or (len(key) > 2 and key in names.words.kinds):
            return True
        return self._may_name(key) or self._ends_name(place)

    def _left(self, place: int) -> str:
        """Return what a word is that belongs to nothing."""
        token, names = self.found[place], self.names
        key = token.key
        if key.isdecimal() or (key in NUMBERS and len(key) > 3):
            return NUMBER
        if len(key) == 1 and key in names.words.kinds:
            behind = place + 1 < len(self.found) and self.parser.locations(place + 1)
            return NAME if token.text.isupper() or behind else WORD
        if key in names.words.verbs or key in SAID["proxy"]:
            return VERB
        if (len(key) > 2 or token.text.isupper()) and self._names(place):
            return NAME
        if any(end > place + 1 for _, end, _ in self.parser.locations(place)):
            # `north sea`
            return NAME
        if any(key in SAID[season] for season in _PHASES):
            return TIME
        keys = [each.key for each in self.found[place : place + _COMMAND_WORDS]]
        names_command = any(
            " ".join(keys[:end]) in self.commands for end in range(1, len(keys) + 1)
        )
        return COMMAND if names_command else WORD


_COMMAND_WORDS = 3
"""Words of the name of a command."""


def _pieces(path: _Path | None) -> tuple[CoverPiece, ...]:
    found: list[CoverPiece] = []
    while path is not None:
        path, piece = path
        found.append(piece)
    return tuple(reversed(found))


def _stops(text: str, found: Sequence[Token]) -> set[int]:
    """Return the words behind a full stop or the like."""
    return {
        number
        for number in range(1, len(found))
        if any(sign in ".!。" for sign in text[found[number - 1].end : found[number].start])
    }
