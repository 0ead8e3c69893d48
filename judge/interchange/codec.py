"""Texts to the values of one variant, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, ClassVar, Final, NamedTuple, NoReturn

from judge.i18n import language
from judge.interchange.text import a_text, given_or, refuse, shown, written
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.language.read import Reader
from judge.language.vocabulary import Vocabulary
from judge.rules.board import Derived, name_key, province_of
from judge.rules.board_index import DESTROYED, board_index
from judge.rules.modules.arsenals import RIGHTS
from judge.rules.modules.destruction import CUT_OFF, VANISHED
from judge.rules.orders import (
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
    order_text,
)
from judge.rules.outcome import Outcome
from judge.rules.phase import Kind
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.result import Adjudication, Result
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.sentences import in_words
from judge.sentences.outcome_words import result_words


class Question(NamedTuple):
    """What an input object asks: a position, the orders for it, and the rules in force.

    `written` are the orders as they came in, by power, in the order of `orders`. `notes` says
    whether results are told in sentences, too.
    """

    variant: Variant
    position: Position
    orders: Mapping[str, Sequence[Order]]
    written: Mapping[str, Sequence[str]]
    rulebook: Rulebook
    notes: bool = True


_LISTS: Final = frozenset({list})
_SEASON: Final = re.compile(r"[SUFW]\d{1,5}\Z")


def _shelf(question: Question) -> tuple[Kind, str]:
    """Return where the results of such questions are remembered."""
    return question.position.phase.kind, language() if question.notes else ""


class Codec:
    """Texts to values and back for one variant, each computed once."""

    of: ClassVar[Derived[Variant, Codec]]
    """The codec of a variant, made once and kept with it."""

    MOST_REMEMBERED = 1 << 15

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.names = Names.of(variant)
        self.reader = Reader.of(variant)
        self._powers = frozenset(variant.powers)
        self._centers = frozenset(variant.board.centers)
        self._standing: dict[str, Unit] = {}
        self._places: dict[str, str] = {}
        self._shown = _TextCache()
        self._rows: dict[tuple[Kind, str], dict[object, str]] = {}
        """The results of orders in canonical form, by kind of phase and language; their keys name
        outcomes by the identity of those that are `_kept`, by value, as long as they are."""
        self._kept: dict[Outcome, Outcome] = {}

    # -- in

    def by_power(self, field: str, value: object) -> Iterable[tuple[str, list[Any]]]:
        """Return the lists of an object keyed by powers."""
        lists = _keyed(field, value, "powers")
        if lists.keys() <= self._powers and _LISTS.issuperset(map(type, lists.values())):
            return lists.items()
        return self._by_power(field, lists)

    def _by_power(self, field: str, value: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
        seen: set[str] = set()
        for key, listed in value.items():
            power = key if key in self._powers else self.power(field, key)
            if power in seen:
                refuse(field, f"{power} is named twice")
            seen.add(power)
            if not isinstance(listed, list):
                refuse(f"{field}.{key}", f"must be a list, not {shown(listed)}")
            yield power, listed

    def power(self, field: str, key: str) -> str:
        """Return the power that a key names. Raises InterchangeError."""
        power = self.names.powers.exact.get(name_key(key))
        if power is None:
            known = ", ".join(self.variant.powers)
            refuse(field, f"there is no power {shown(key)}; there are {known}")
        return power

    def read_units(self, value: object) -> dict[str, tuple[Unit, ...]]:
        """Return the units on the board, one a province."""
        known, places = self._standing.__getitem__, self._places
        units: dict[str, tuple[Unit, ...]] = {}
        taken: list[str] = []
        try:
            for power, listed in self.by_power("units", value):
                units[power] = tuple(map(known, listed))
                taken += map(places.__getitem__, listed)
        except (KeyError, TypeError):
            for power, listed in self.by_power("units", value):
                units[power] = tuple(
                    self._unit(f"units.{power}[{number}]", text)
                    for number, text in enumerate(listed)
                )
            taken = [unit.province for standing in units.values() for unit in standing]
        if len({*taken}) < len(taken):
            _refuse_second("units", units, _STANDS)
        return units

    def _unit(self, field: str, text: object) -> Unit:
        """Return the unit that `text` names, where such a unit can stand; remembered."""
        if not isinstance(text, str):
            refuse(field, f"must be a text like {shown('A par')}, not {shown(text)}")
        if text in self._standing:
            return self._standing[text]
        letter, place = self._kind(text)
        if letter is None or not place:
            refuse(field, f"{shown(text)} is no unit; write one like {shown('A par')}")
        try:
            location = self.names.location(place)
        except ReadError as error:
            refuse(field, f"{shown(text)}: {in_words(error.problem, self.variant)}")
        board = self.variant.board
        kind, province = board.kind(letter), board.provinces[province_of(location)]
        if not kind.afloat and province.id not in board.army:
            refuse(field, f"{shown(text)}: {kind.one} cannot stand in {province.name}, a sea")
        if not kind.afloat and location != province.id:
            write = f"write {letter} {province.id}"
            refuse(field, f"{shown(text)}: {kind.one} stands on no coast; {write}")
        if kind.afloat and province.terrain == "land":
            inland = f"{kind.one} cannot stand in {province.name}, it is inland"
            refuse(field, f"{shown(text)}: {inland}")
        if kind.afloat and location not in board.fleet:
            write = f"write {letter} {' or '.join(province.locations)}"
            refuse(field, f"{shown(text)}: the coast is missing; {write}")
        if len(self._standing) >= self.MOST_REMEMBERED:
            self._standing.clear()
            self._places.clear()
        self._places[text] = province.id
        unit = self._standing[text] = board_index(board).same(Unit(letter, location))
        return unit

    def _kind(self, text: str) -> tuple[str | None, str]:
        """Return letter of the kind of unit that a text begins with, and what stands behind it."""
        first, _, rest = text.strip().partition(" ")
        second, _, last = rest.strip().partition(" ")
        words = Vocabulary.of(self.variant.board)
        if letter := words.pairs.get((name_key(first), name_key(second))):
            return letter, last.strip()
        return words.kind((first,)), rest.strip()

    def read_provinces(self, field: str, value: object) -> Iterator[str]:
        """Yield the ids of the provinces in a list."""
        if not isinstance(value, list):
            refuse(field, f"must be a list of provinces, not {shown(value)}")
        for number, text in enumerate(value):
            yield self._province(f"{field}[{number}]", text)

    def _province(self, field: str, text: object) -> str:
        if not isinstance(text, str):
            refuse(field, f"must be a province, not {shown(text)}")
        if text in self.variant.board.provinces:
            return text
        try:
            return province_of(self.names.location(text))
        except ReadError as error:
            refuse(field, f"{shown(text)}: {in_words(error.problem, self.variant)}")

    def read_centers(self, value: object) -> dict[str, tuple[str, ...]]:
        """Return the supply centers each power owns, each owned once."""
        centers: dict[str, tuple[str, ...]] = {}
        for power, listed in self.by_power("centers", value):
            try:
                good = self._centers.issuperset(listed)
            except TypeError:
                good = False
            if good:
                centers[power] = tuple(listed)
                continue
            field = f"centers.{power}"
            centers[power] = tuple(self.read_provinces(field, listed))
            for number, center in enumerate(centers[power]):
                if center not in self._centers:
                    refuse(f"{field}[{number}]", f"{shown(center)} is no supply center")
        if len({*chain.from_iterable(centers.values())}) < sum(map(len, centers.values())):
            _refuse_second("centers", centers, "{} is {}'s already")
        return centers

    def read_remembered(self, data: Mapping[str, Any]) -> dict[str, object]:
        """Return what a position remembers of bombs, without what is empty."""
        found: dict[str, object] = {
            field: sorted(set(self.read_provinces(field, given_or(data, field, []))))
            for field in (DESTROYED, VANISHED)
        }
        since = _keyed(CUT_OFF, given_or(data, CUT_OFF, {}), "centers")
        for center, season in since.items():
            if not isinstance(season, str) or not _SEASON.match(season):
                refuse(f"{CUT_OFF}.{center}", f"must be a season like S2102, not {shown(season)}")
        found[CUT_OFF] = {self._province(CUT_OFF, key): season for key, season in since.items()}
        counts = _keyed(RIGHTS, given_or(data, RIGHTS, {}), "powers")
        for power, count in counts.items():
            if type(count) is not int or count < 0:
                refuse(f"{RIGHTS}.{power}", f"must be a number, not {shown(count)}")
        found[RIGHTS] = {self.power(RIGHTS, key): count for key, count in counts.items()}
        return {field: value for field, value in found.items() if value}

    def read_dislodged(self, value: object) -> dict[str, tuple[Dislodged, ...]]:
        """Return the dislodged units; where they may go is computed anew, not read."""
        found: dict[str, tuple[Dislodged, ...]] = {}
        for power, listed in self.by_power("dislodged", value):
            found[power] = tuple(
                self._dislodged(f"dislodged.{power}[{number}]", entry)
                for number, entry in enumerate(listed)
            )
        units = {power: [gone.unit for gone in listed] for power, listed in found.items()}
        places = [unit.province for listed in units.values() for unit in listed]
        if len(set(places)) < len(places):
            _refuse_second("dislodged", units, _STANDS)
        return {power: gone for power, gone in found.items() if gone}

    def _dislodged(self, field: str, entry: object) -> Dislodged:
        if not isinstance(entry, dict) or "unit" not in entry:
            refuse(field, f"must be an object with a unit and an attacker, not {shown(entry)}")
        attacker = entry.get("attacker")
        return Dislodged(
            self._unit(f"{field}.unit", entry["unit"]),
            None if attacker is None else self._province(f"{field}.attacker", attacker),
        )

    def read_orders(
        self, value: object, position: Position, rulebook: Rulebook
    ) -> tuple[dict[str, list[Order]], dict[str, list[str]]]:
        """Return the orders, as values and as written."""
        orders: dict[str, list[Order]] = {}
        texts: dict[str, list[str]] = {}
        read, kind = self.reader.read, position.phase.kind
        settled = {} if rulebook.asks_nationality else self.reader.settled[kind]
        for power, listed in self.by_power("orders", value):
            texts[power] = listed
            try:
                orders[power] = list(map(settled.__getitem__, listed))
                continue
            except (KeyError, TypeError):
                pass
            for number, text in enumerate(listed):
                a_text(f"orders.{power}[{number}]", text)
            orders[power] = [read(text, kind, power, position, rulebook).order for text in listed]
        return orders, texts

    # -- out

    def listed(self, values: Iterable[Unit | str]) -> str:
        """Return units, provinces or locations as a JSON list."""
        return f"[{','.join(map(self._shown.__getitem__, values))}]"

    def by_powers(self, lists: Mapping[str, Sequence[Unit | str]]) -> str:
        """Return lists of these by power as a JSON object; powers whose list is empty are left
        out."""
        shown, listed = self._shown, self.listed
        found = [f"{shown[power]}:{listed(held)}" for power, held in lists.items() if held]
        return f"{{{','.join(found)}}}"

    def dislodged(self, units: Mapping[str, Sequence[Dislodged]]) -> str:
        """Return dislodged units with their ways out as a JSON object by power."""
        shown, found = self._shown, []
        for power, all_gone in units.items():
            told = [
                f'{{"unit":{shown[gone.unit]},"attacker":'
                f"{'null' if gone.attacker is None else shown[gone.attacker]},"
                f'"retreats":{self.listed(gone.retreats)}}}'
                for gone in all_gone
            ]
            if told:
                found.append(f"{shown[power]}:[{','.join(told)}]")
        return f"{{{','.join(found)}}}"

    def results(self, question: Question, outcome: Adjudication) -> str:
        """Return the results of all orders as JSON text; powers that gave none and needed none are
        left out."""
        notes = question.notes
        known = self._rows.setdefault(_shelf(question), {})
        found = []
        for power, results in outcome.results.items():
            if not results:
                continue
            # Units without an order come last.
            texts = [*question.written.get(power, ())]
            texts += [""] * (len(results) - len(texts))
            rows: list[str] = []
            for text, result in zip(texts, results, strict=False):
                why = id(result.outcome) if notes else result.reason
                row = known.get((text, power, result.unit, why))
                rows.append(row or self._row(question, result, text, len(rows)))
            found.append(f"{self._shown[power]}:[{','.join(rows)}]")
        return f"{{{','.join(found)}}}"

    def _row(self, question: Question, result: Result, text: str, number: int) -> str:
        """Return result of a power's order of this number as JSON text, remembered where it is the
        same in every position: if the order is in canonical form, or the unit held without one."""
        position, unit, kept = question.position, result.unit, None
        known = self._rows[_shelf(question)]
        if question.notes:
            kept = self._kept.get(result.outcome, result.outcome)
        key = text, result.power, unit, result.reason if kept is None else id(kept)
        if key in known:
            return known[key]
        if unit is None:
            self._check_owner(result, number, position)
        order, reason = self._order(result.order, text, position), result.reason
        ordered = unit or getattr(result.order, "unit", None)
        shown_unit = self._shown[ordered] if ordered else "null"
        how = f'"fails","reason":"{reason.value}"' if reason else '"succeeds","reason":null'
        note = f',"note":{written(result_words(result, question.variant))}' if kept else ""
        row = f'{{"order":{written(order)},"unit":{shown_unit},"outcome":{how}{note}}}'
        if unit is not None and (order == text or (not text and isinstance(result.order, Hold))):
            if max(len(known), len(self._kept)) >= self.MOST_REMEMBERED:
                self._kept.clear()
                for each in self._rows.values():
                    each.clear()
            if kept is not None:
                self._kept[kept] = kept
            known[key] = row
        return row

    def _check_owner(self, result: Result, number: int, position: Position) -> None:
        """Refuse an order for a unit that nobody has, where only units can be ordered."""
        order = result.order
        if position.phase.kind is Kind.ADJUSTMENTS or not isinstance(order, _UNIT_ORDERS):
            return
        place = order.unit.province
        standing = any(unit.province == place for held in position.units.values() for unit in held)
        if standing or any(
            gone.unit.province == place for held in position.dislodged.values() for gone in held
        ):
            return
        refuse(
            f"orders.{result.power}[{number}]",
            f"{shown(str(order))} is for nobody's unit; there is none in "
            f"{self.variant.board.name(place)} ({place})",
        )

    def _order(self, order: Order, text: str, position: Position) -> str:
        """Return an order as text: as it was written if that is canonical, with unit letters if
        not."""
        if text and self.reader.is_canonical(text):
            return text
        return order_text(_lettered(order, position), position.phase.kind)


def _keyed(field: str, value: object, keys: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        refuse(field, f"must be an object keyed by {keys}, not {shown(value)}")
    return value


_STANDS: Final = "{} stands where {}'s {} stands"


def _refuse_second(field: str, lists: Mapping[str, Sequence[Unit | str]], said: str) -> NoReturn:
    """Refuse a unit or center in a province that is listed already."""
    first: dict[str, tuple[str, Unit | str]] = {}
    for power, listed in lists.items():
        for number, each in enumerate(listed):
            province = each.province if isinstance(each, Unit) else each
            if province in first:
                problem = said.format(shown(str(each)), *first[province])
                refuse(f"{field}.{power}[{number}]", problem)
            first[province] = power, each
    raise AssertionError("nothing is listed twice")


Codec.of = Derived(Codec)


class _TextCache(dict[Unit | str, str]):
    """Units and names as JSON text, written when they are first shown."""

    def __missing__(self, value: Unit | str) -> str:
        text = self[value] = written(str(value))
        return text


_UNIT_ORDERS: Final = (Hold, Move, Support, Convoy, Launch, Relay, Retreat, Disband)


def _lettered(order: Order, position: Position) -> Order:
    """Return the order with the letters of units that were left out, for units that are on the
    board, and without nationalities."""
    if isinstance(order, Waive | Unreadable):
        return order
    if isinstance(order, Support):
        order = replace(order, target=_named(order.target, position), owner=None)
    elif isinstance(order, Convoy):
        order = replace(order, army=_named(order.army, position), owner=None)
    lettered: Order = replace(order, unit=_named(order.unit, position))
    return lettered


def _named(unit: Unit, position: Position) -> Unit:
    if unit.kind:
        return unit
    dislodged = (gone.unit for held in position.dislodged.values() for gone in held)
    standing = (there for held in position.units.values() for there in held)
    for there in (*dislodged, *standing):
        if there.province == unit.province:
            return Unit(there.kind, unit.location)
    return unit
