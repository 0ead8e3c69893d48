"""Positions, orders and results as JSON: how tools outside the daemon talk to the engine.

The objects are described in `docs/formats.md`. Input is read leniently as to writing (any name the
order reader knows) and strictly as to facts: what cannot be a position is an InterchangeError that
names the field and the value. An order that cannot be read or followed is a result, not an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from math import isfinite
from typing import Any, Final, NamedTuple, NoReturn, Protocol

from judge import variants
from judge.language.names import Names
from judge.language.problems import ReadError
from judge.language.read import Reader
from judge.language.vocabulary import Vocabulary
from judge.rules.board import name_key, province_of
from judge.rules.board_index import board_index
from judge.rules.closed_provinces import DESTROYED, destroyed
from judge.rules.derived import Derived
from judge.rules.engine import adjudicate, owed
from judge.rules.hooks import with_modules
from judge.rules.legal_orders import legal_orders
from judge.rules.lineup import Lineup, of_phase, with_lineup
from judge.rules.modules.arsenals import RIGHTS, rights
from judge.rules.modules.destruction import CUT_OFF, VANISHED, cut_off, vanished
from judge.rules.modules.registry import MODULES
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
from judge.rules.phase import Kind, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.result import Adjudication, Result
from judge.rules.rulebook import Rulebook, RulebookError
from judge.rules.variant import Variant
from judge.sentences import in_words
from judge.sentences.outcomes import result_words
from judge.sentences.terms import either

_SEASON: Final = re.compile(r"[SUFW]\d{1,5}\Z")

LONGEST_LINE: Final = 4_000_000
"""Bytes in a line of a stream that are read; a longer line is a bad one."""


class InterchangeError(ValueError):
    """An object that states no possible position; the message names the field and the value."""


class Question(NamedTuple):
    """What an input object asks: a position, the orders for it, and the rules in force.

    `written` are the orders as they came in, by power, in the order of `orders`.
    """

    variant: Variant
    position: Position
    orders: Mapping[str, Sequence[Order]]
    written: Mapping[str, Sequence[str]]
    rulebook: Rulebook


class Sink(Protocol):
    """Where the lines of a stream are answered."""

    def write(self, text: str, /) -> object:
        """Take a line."""
        ...

    def flush(self) -> object:
        """Let the line through."""
        ...


class Source(Protocol):
    """Where the lines of a stream come from."""

    def readline(self, limit: int, /) -> bytes:
        """The next line, or as much of it as `limit` bytes; b"" at the end."""
        ...


# -- adjudication -----------------------------------------------------------------------------


def adjudicate_object(data: object) -> dict[str, Any]:
    """The answer to one input object. Raises InterchangeError."""
    question = read_question(data)
    assert isinstance(data, dict)
    variant, position = question.variant, question.position
    outcome = adjudicate(variant, position, question.orders, question.rulebook)
    codec = _Codec.of(variant)
    results = codec.results(question, outcome)
    after, last = _next_decision(variant, outcome, question.rulebook)
    winners = last.winners
    answer = {
        "id": data.get("id"),
        "variant": variant.name,
        "phase": str(position.phase),
        "next_phase": str(after.phase),
        "results": results,
        "units": codec.units(after.units),
        "dislodged": {
            power: list(map(codec.dislodged, units))
            for power, units in outcome.dislodged.items()
            if units
        },
        "contested": list(outcome.contested),
        "centers": {power: list(owned) for power, owned in after.centers.items() if owned},
        "winner": winners[0] if len(winners) == 1 else list(winners) or None,
    }
    if launches_bombs(variant):
        answer["ending"] = None if last.ending is None else last.ending.value
        answer |= _remembered(after)
    return answer


def adjudicate_line(line: str | bytes) -> str:
    """The answer to one input object, JSON to JSON. Raises InterchangeError."""
    return written(adjudicate_object(parse(line)))


def adjudicate_stream(source: Source, sink: Sink) -> int:
    """Answer objects, one a line, in the order they come, in constant memory.

    A bad line is answered by `{"error": ..., "line": N}`, N counted from 1, and the stream goes on;
    blank lines are passed over. Returns the exit status: 1 if there was a bad line, else 0.
    """
    status = 0
    for number, line in enumerate(_lines(source), 1):
        if line is not None and not line.strip():
            continue
        data: object = None
        try:
            if line is None:
                _refuse("the line", f"is longer than {LONGEST_LINE} bytes")
            data = parse(line)
            answer = written(adjudicate_object(data))
        except InterchangeError as error:
            status = 1
            answer = _failure(str(error), number, data)
        except Exception as error:  # a fault of ours in one line must not cost the others theirs
            status = 1
            answer = _failure(f"the engine failed: {error!r}", number, data)
        sink.write(answer + "\n")
        sink.flush()
    return status


def _failure(problem: str, number: int, data: object) -> str:
    said: dict[str, Any] = {"error": problem, "line": number}
    if isinstance(data, dict) and "id" in data:
        with suppress(RecursionError):
            return written(said | {"id": data["id"]})
    return written(said)


def _lines(source: Source) -> Iterator[bytes | None]:
    """The lines of a source; None for one that is too long."""
    while line := source.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(LONGEST_LINE)
        yield None


_DUMP: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def written(value: object, indent: int | None = None) -> str:
    """A value as JSON that can be sent as UTF-8, on one line unless an indentation is given."""
    text = json.dumps(value, ensure_ascii=False, indent=indent) if indent else _DUMP(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half a character, which JSON can name but UTF-8 cannot hold.
        return json.dumps(value, indent=indent)
    return text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these fields. What is given twice would be lost once."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        _refuse(next(name for name in names if names.count(name) > 1), "is given twice")
    return fields


def _number(text: str) -> float:
    """A number that is one: not NaN, and not too large to be answered."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is no number")
    return number


_LOAD: Final = json.JSONDecoder(
    object_pairs_hook=_once, parse_float=_number, parse_constant=_number
).decode


def parse(text: str | bytes, what: str = "the line") -> object:
    """A JSON value as Python has it. Raises InterchangeError, which calls the text `what`."""
    try:
        return _LOAD(text.decode("utf-8-sig") if isinstance(text, bytes) else text)
    except InterchangeError:
        raise
    except UnicodeDecodeError as error:
        _refuse(what, f"is not UTF-8: {error}")
    except (ValueError, RecursionError) as error:
        _refuse(what, f"is not JSON: {error}")


def _next_decision(
    variant: Variant, outcome: Adjudication, rulebook: Rulebook
) -> tuple[Position, Adjudication]:
    """The next position in which somebody has something to decide, and the phase that led to it."""
    position = outcome.position
    while not outcome.winners and not outcome.ending and position.phase.kind is not Kind.MOVEMENT:
        if position.phase.kind is Kind.RETREATS:
            if position.dislodged:
                break
        elif owed(variant, position, rulebook):
            break
        outcome = adjudicate(variant, position, {}, rulebook)
        position = outcome.position
    return position, outcome


# -- reading positions --------------------------------------------------------------------------


def read_question(data: object) -> Question:
    """The position and the orders of an input object. Raises InterchangeError."""
    if not isinstance(data, dict):
        _refuse("the object", f"must be a JSON object, not {_shown(data)}")
    variant = _variant(_given(data, "variant", "standard"))
    variant = _lined_up(variant, data.get("players"))
    variant = with_modules(variant, _modules(_given(data, "modules", [])))
    variant = _won_with(variant, data.get("victory"))
    rulebook = _rulebook(data, variant)
    phase = _phase(data.get("phase"), variant)
    variant = of_phase(variant, phase)
    codec = _Codec.of(variant)
    if "units" not in data:
        _refuse("units", "is missing")
    if "centers" not in data and phase.kind is Kind.ADJUSTMENTS:
        _refuse("centers", "is missing; it decides who builds and who removes")
    dislodged = codec.read_dislodged(_given(data, "dislodged", {}))
    contested = tuple(codec.read_provinces("contested", _given(data, "contested", [])))
    if dislodged and phase.kind is not Kind.RETREATS:
        _refuse("dislodged", f"has units, but in {phase} nobody retreats")
    position = Position(
        phase,
        codec.read_units(data["units"]),
        codec.read_centers(_given(data, "centers", {})),
        dislodged,
        contested,
        codec.read_remembered(data) if launches_bombs(variant) else {},
    )
    _check_ruins(position)
    orders, written = codec.read_orders(_given(data, "orders", {}), position, rulebook)
    return Question(variant, position, orders, written, rulebook)


def _given(data: Mapping[str, Any], field: str, default: object) -> object:
    """A field that may be left out or null."""
    value = data.get(field)
    return default if value is None else value


def _refuse(field: str, problem: str) -> NoReturn:
    raise InterchangeError(f"{field}: {problem}")


def _shown(value: object) -> str:
    """A value as JSON, short enough for a message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(type(value).__name__)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _variant(name: object) -> Variant:
    if not isinstance(name, str):
        _refuse("variant", f"must be a text, not {_shown(name)}")
    try:
        return variants.load(name)
    except variants.VariantError as error:
        _refuse("variant", f"{_shown(name)}: {'; '.join(error.problems)}")


def _lined_up(variant: Variant, name: object) -> Variant:
    """The variant in one of its games for fewer players."""
    if name is None:
        return variant
    if name not in variant.lineups:
        known = either(list(variant.lineups)) if variant.lineups else "none"
        _refuse("players", f"{variant.name} has no lineup {_shown(name)}; there is {known}")
    return with_lineup(variant, str(name))


def _modules(names: object) -> tuple[str, ...]:
    """The rule modules that a game's settings add to its variant."""
    if not isinstance(names, list):
        _refuse("modules", f"must be a list of names, not {_shown(names)}")
    for number, name in enumerate(names):
        if name not in MODULES:
            known = either(list(MODULES))
            _refuse(f"modules[{number}]", f"there is no {_shown(name)}; there is {known}")
    return tuple(names)


def _won_with(variant: Variant, centers: object) -> Variant:
    """The variant, won with so many centers; None leaves its own number."""
    if centers is None or centers == variant.victory:
        return variant
    if not isinstance(centers, int) or isinstance(centers, bool) or centers < 1:
        _refuse("victory", f"must be a number of supply centers, not {_shown(centers)}")
    return replace(variant, victory=centers)


def _rulebook(data: Mapping[str, Any], variant: Variant) -> Rulebook:
    name = data.get("rules")
    options = data.get("options")
    if name is not None and not isinstance(name, str):
        _refuse("rules", f"must be a text, not {_shown(name)}")
    if options is not None and not isinstance(options, dict):
        _refuse("options", f"must be an object of issues and letters, not {_shown(options)}")
    try:
        rulebook = Rulebook.edition(variant.rulebook if name is None else name)
    except RulebookError as error:
        _refuse("rules", str(error))
    for issue, letter in (options or {}).items():
        if not isinstance(letter, str):
            _refuse(f"options.{issue}", f"must be a letter, not {_shown(letter)}")
    try:
        return rulebook.with_options(options) if options else rulebook
    except RulebookError as error:
        _refuse("options", str(error))


def _phase(text: object, variant: Variant) -> Phase:
    if text is None:
        _refuse("phase", "is missing")
    if not isinstance(text, str):
        _refuse("phase", f"must be a text, not {_shown(text)}")
    try:
        phase = Phase.read(text)
    except ValueError:
        _refuse("phase", f"{_shown(text)} is no phase; write one like {variant.start_phase}")
    if not variant.calendar.knows(phase):
        known = [str(Phase(season, phase.year, kind)) for season, kind in variant.calendar.year]
        _refuse("phase", f"there is no {_shown(text)} in this game; there is {either(known)}")
    return phase


class _Codec:
    """Texts to values and back for one variant, each worked out once."""

    MOST_REMEMBERED = 1 << 15

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.names = Names.of(variant)
        self.reader = Reader.of(variant)
        self._powers = {power: power for power in variant.powers}
        self._centers = frozenset(
            province.id for province in variant.board.provinces.values() if province.supply_center
        )
        self._standing: dict[str, Unit] = {}
        self._places: dict[str, str] = {}
        self._shown: dict[Unit, str] = {}
        self._orders: dict[Kind, dict[str, str]] = {kind: {} for kind in Kind}

    @staticmethod
    def of(variant: Variant) -> _Codec:
        """The codec of a variant, made once and kept with it."""
        return _codec(variant)

    # -- in

    def by_power(self, field: str, value: object) -> Iterator[tuple[str, list[Any]]]:
        """The lists of an object keyed by powers."""
        if not isinstance(value, dict):
            _refuse(field, f"must be an object keyed by powers, not {_shown(value)}")
        seen: set[str] = set()
        for key, listed in value.items():
            power = self._powers.get(key) or self._power(field, key)
            if power in seen:
                _refuse(field, f"{power} is named twice")
            seen.add(power)
            if not isinstance(listed, list):
                _refuse(f"{field}.{key}", f"must be a list, not {_shown(listed)}")
            yield power, listed

    def _power(self, field: str, key: str) -> str:
        power = self.names.powers.exact.get(name_key(key))
        if power is None:
            known = ", ".join(self.variant.powers)
            _refuse(field, f"there is no power {_shown(key)}; there are {known}")
        return power

    def read_units(self, value: object) -> dict[str, tuple[Unit, ...]]:
        """The units on the board, one a province."""
        standing, places = self._standing, self._places
        units: dict[str, tuple[Unit, ...]] = {}
        taken: set[str] = set()
        count = 0
        for power, listed in self.by_power("units", value):
            try:
                units[power] = tuple([standing[text] for text in listed])
                taken.update([places[text] for text in listed])
            except (KeyError, TypeError):
                units[power] = tuple(
                    self._unit(f"units.{power}[{number}]", text)
                    for number, text in enumerate(listed)
                )
                taken.update(unit.province for unit in units[power])
            count += len(listed)
        if len(taken) < count:
            self._crowded("units", units)
        return units

    def _crowded(self, field: str, units: Mapping[str, Sequence[Unit]]) -> NoReturn:
        """Refuse units of which two are in one province."""
        held: dict[str, str] = {}
        for power, standing in units.items():
            for number, unit in enumerate(standing):
                if unit.province in held:
                    _refuse(
                        f"{field}.{power}[{number}]",
                        f"{_shown(str(unit))} stands where {held[unit.province]} stands",
                    )
                held[unit.province] = f"{power}'s {unit}"
        raise AssertionError("no two units are in one province")

    def _unit(self, field: str, text: object) -> Unit:
        """The unit that `text` names, where such a unit can stand; remembered."""
        if not isinstance(text, str):
            _refuse(field, f"must be a text like {_shown('A par')}, not {_shown(text)}")
        if text in self._standing:
            return self._standing[text]
        letter, place = self._kind(text)
        if letter is None or not place:
            _refuse(field, f"{_shown(text)} is no unit; write one like {_shown('A par')}")
        try:
            location = self.names.location(place)
        except ReadError as error:
            _refuse(field, f"{_shown(text)}: {in_words(error.problem, self.variant)}")
        board = self.variant.board
        kind, province = board.kind(letter), board.provinces[province_of(location)]
        if not kind.afloat and province.id not in board.army:
            _refuse(field, f"{_shown(text)}: {kind.one} cannot stand in {province.name}, a sea")
        if not kind.afloat and location != province.id:
            write = f"write {letter} {province.id}"
            _refuse(field, f"{_shown(text)}: {kind.one} stands on no coast; {write}")
        if kind.afloat and province.terrain == "land":
            inland = f"{kind.one} cannot stand in {province.name}, it is inland"
            _refuse(field, f"{_shown(text)}: {inland}")
        if kind.afloat and location not in board.fleet:
            write = f"write {letter} {' or '.join(province.locations)}"
            _refuse(field, f"{_shown(text)}: the coast is missing; {write}")
        if len(self._standing) >= self.MOST_REMEMBERED:
            self._standing.clear()
            self._places.clear()
        self._places[text] = province.id
        unit = self._standing[text] = board_index(board).same(Unit(letter, location))
        return unit

    def _kind(self, text: str) -> tuple[str | None, str]:
        """The letter of the kind of unit that a text begins with, and what stands behind it."""
        first, _, rest = text.strip().partition(" ")
        second, _, last = rest.strip().partition(" ")
        words = Vocabulary.of(self.variant.board)
        if letter := words.pairs.get((name_key(first), name_key(second))):
            return letter, last.strip()
        return words.kind((first,)), rest.strip()

    def read_provinces(self, field: str, value: object) -> Iterator[str]:
        """The ids of the provinces in a list."""
        if not isinstance(value, list):
            _refuse(field, f"must be a list of provinces, not {_shown(value)}")
        for number, text in enumerate(value):
            yield self._province(f"{field}[{number}]", text)

    def _province(self, field: str, text: object) -> str:
        if not isinstance(text, str):
            _refuse(field, f"must be a province, not {_shown(text)}")
        if text in self.variant.board.provinces:
            return text
        try:
            return province_of(self.names.location(text))
        except ReadError as error:
            _refuse(field, f"{_shown(text)}: {in_words(error.problem, self.variant)}")

    def read_centers(self, value: object) -> dict[str, tuple[str, ...]]:
        """The supply centers each power owns, each owned once."""
        centers: dict[str, tuple[str, ...]] = {}
        owned: set[str] = set()
        count = 0
        for power, listed in self.by_power("centers", value):
            try:
                good = self._centers.issuperset(listed)
            except TypeError:
                good = False
            if good:
                centers[power] = tuple(listed)
            else:
                field = f"centers.{power}"
                centers[power] = tuple(self.read_provinces(field, listed))
                for number, center in enumerate(centers[power]):
                    if center not in self._centers:
                        _refuse(f"{field}[{number}]", f"{_shown(center)} is no supply center")
            owned.update(centers[power])
            count += len(centers[power])
        if len(owned) < count:
            self._owned_twice(centers)
        return centers

    def _owned_twice(self, centers: Mapping[str, Sequence[str]]) -> NoReturn:
        """Refuse centers of which one is listed twice."""
        owners: dict[str, str] = {}
        for power, listed in centers.items():
            for number, center in enumerate(listed):
                if center in owners:
                    field = f"centers.{power}[{number}]"
                    _refuse(field, f"{_shown(center)} is {owners[center]}'s already")
                owners[center] = power
        raise AssertionError("no center is listed twice")

    def read_remembered(self, data: Mapping[str, Any]) -> dict[str, object]:
        """What a position remembers of bombs, without what is empty."""
        found: dict[str, object] = {
            field: sorted(set(self.read_provinces(field, _given(data, field, []))))
            for field in (DESTROYED, VANISHED)
        }
        since = _given(data, CUT_OFF, {})
        if not isinstance(since, dict):
            _refuse(CUT_OFF, f"must be an object keyed by centers, not {_shown(since)}")
        for center, season in since.items():
            if not isinstance(season, str) or not _SEASON.match(season):
                _refuse(f"{CUT_OFF}.{center}", f"must be a season like S2102, not {_shown(season)}")
        found[CUT_OFF] = {self._province(CUT_OFF, key): season for key, season in since.items()}
        counts = _given(data, RIGHTS, {})
        if not isinstance(counts, dict):
            _refuse(RIGHTS, f"must be an object keyed by powers, not {_shown(counts)}")
        for power, count in counts.items():
            if type(count) is not int or count < 0:
                _refuse(f"{RIGHTS}.{power}", f"must be a number, not {_shown(count)}")
        found[RIGHTS] = {self._power(RIGHTS, key): count for key, count in counts.items()}
        return {field: value for field, value in found.items() if value}

    def read_dislodged(self, value: object) -> dict[str, tuple[Dislodged, ...]]:
        """The dislodged units; where they may go is worked out anew, not read."""
        found: dict[str, tuple[Dislodged, ...]] = {}
        for power, listed in self.by_power("dislodged", value):
            found[power] = tuple(
                self._dislodged(f"dislodged.{power}[{number}]", entry)
                for number, entry in enumerate(listed)
            )
        units = {power: [gone.unit for gone in listed] for power, listed in found.items()}
        places = [unit.province for listed in units.values() for unit in listed]
        if len(set(places)) < len(places):
            self._crowded("dislodged", units)
        return {power: gone for power, gone in found.items() if gone}

    def _dislodged(self, field: str, entry: object) -> Dislodged:
        if not isinstance(entry, dict) or "unit" not in entry:
            _refuse(field, f"must be an object with a unit and an attacker, not {_shown(entry)}")
        attacker = entry.get("attacker")
        return Dislodged(
            self._unit(f"{field}.unit", entry["unit"]),
            None if attacker is None else self._province(f"{field}.attacker", attacker),
        )

    def read_orders(
        self, value: object, position: Position, rulebook: Rulebook
    ) -> tuple[dict[str, list[Order]], dict[str, list[str]]]:
        """The orders, as values and as written."""
        orders: dict[str, list[Order]] = {}
        written: dict[str, list[str]] = {}
        read, kind = self.reader.read, position.phase.kind
        settled = {} if rulebook.asks_nationality else self.reader.settled[kind]
        for power, listed in self.by_power("orders", value):
            written[power] = listed
            try:
                orders[power] = [settled[text] for text in listed]
                continue
            except (KeyError, TypeError):
                pass
            for number, text in enumerate(listed):
                if not isinstance(text, str):
                    _refuse(f"orders.{power}[{number}]", f"must be a text, not {_shown(text)}")
            orders[power] = [read(text, kind, power, position, rulebook).order for text in listed]
        return orders, written

    # -- out

    def unit(self, unit: Unit) -> str:
        """A unit as text."""
        text = self._shown.get(unit)
        if text is None:
            text = self._shown[unit] = str(unit)
        return text

    def units(self, units: Mapping[str, Sequence[Unit]]) -> dict[str, list[str]]:
        """Units as texts, by power; powers without any are left out."""
        return {power: list(map(self.unit, held)) for power, held in units.items() if held}

    def dislodged(self, gone: Dislodged) -> dict[str, Any]:
        """A dislodged unit with its ways out."""
        return {
            "unit": self.unit(gone.unit),
            "attacker": gone.attacker,
            "retreats": list(gone.retreats),
        }

    def results(self, question: Question, outcome: Adjudication) -> dict[str, list[dict[str, Any]]]:
        """The results of all orders; powers that gave none and needed none are left out."""
        position = question.position
        known, shown = self._orders[position.phase.kind], self._shown
        found: dict[str, list[dict[str, Any]]] = {}
        for power, results in outcome.results.items():
            if not results:
                continue
            written = question.written.get(power, ())
            given = len(written)
            rows = found[power] = []
            for number, result in enumerate(results):
                text = written[number] if result.given and number < given else ""
                unit = result.unit
                if unit is None:
                    self._check_owner(result, number, position)
                    unit = getattr(result.order, "unit", None)
                reason = result.reason
                rows.append(
                    {
                        "order": known.get(text) or self._order(result.order, text, position),
                        "unit": unit and (shown.get(unit) or self.unit(unit)),
                        "outcome": "fails" if reason else "succeeds",
                        "reason": reason and reason.value,
                        "note": result_words(result, question.variant),
                    }
                )
        return found

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
        _refuse(
            f"orders.{result.power}[{number}]",
            f"{_shown(str(order))} is for nobody's unit; there is none in "
            f"{self.variant.board.name(place)} ({place})",
        )

    def _order(self, order: Order, written: str, position: Position) -> str:
        """An order as text: as it was written if that is canonical, with unit letters if not."""
        kind = position.phase.kind
        known = self._orders[kind]
        if written and self.reader.is_canonical(written):
            if len(known) >= self.MOST_REMEMBERED:
                known.clear()
            known[written] = written
            return written
        return order_text(_lettered(order, position), kind)


@Derived
def _codec(variant: Variant) -> _Codec:
    """The codec of a variant."""
    return _Codec(variant)


_UNIT_ORDERS: Final = (Hold, Move, Support, Convoy, Launch, Relay, Retreat, Disband)


def _lettered(order: Order, position: Position) -> Order:
    """The order with the letters of units that were left out, for units that are on the board, and
    without nationalities."""
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


# -- other questions ----------------------------------------------------------------------------


def orders_object(data: object, power: str) -> dict[str, list[str]]:
    """Every legal order of each unit of `power` in the position of an input object.

    Raises InterchangeError, also when there is no such power.
    """
    question = read_question(data)
    try:
        named = Names.of(question.variant).power(power)
    except ReadError as error:
        _refuse("power", in_words(error.problem, question.variant))
    legal = legal_orders(question.variant, question.position, named, question.rulebook)
    kind = question.position.phase.kind
    return {
        str(unit): [order_text(order, kind) for order in orders] for unit, orders in legal.items()
    }


def position_object(variant: Variant, position: Position) -> dict[str, Any]:
    """A position as an input object without orders."""
    codec = _Codec.of(variant)
    data: dict[str, Any] = {
        "variant": variant.name,
        "phase": str(position.phase),
        "units": codec.units(position.units),
        "centers": {power: list(owned) for power, owned in position.centers.items() if owned},
    }
    if position.phase.kind is Kind.RETREATS:
        data["dislodged"] = {
            power: list(map(codec.dislodged, units))
            for power, units in position.dislodged.items()
            if units
        }
        data["contested"] = list(position.contested)
    if launches_bombs(variant):
        data |= _remembered(position)
    return data


def launches_bombs(variant: Variant) -> bool:
    """Whether there are units that launch bombs, so that provinces can be destroyed."""
    return any(kind.launches for kind in variant.board.kinds.values())


def _remembered(position: Position) -> dict[str, Any]:
    """What a position remembers of bombs."""
    return {
        DESTROYED: list(destroyed(position)),
        VANISHED: list(vanished(position)),
        CUT_OFF: dict(cut_off(position)),
        RIGHTS: dict(rights(position)),
    }


def _check_ruins(position: Position) -> None:
    """Refuse units and centers where everything is destroyed."""
    ruins = set(destroyed(position))
    for power, held in position.units.items():
        for unit in held:
            if unit.province in ruins:
                _refuse(f"units.{power}", f"{_shown(str(unit))} stands in a destroyed province")
    ruins |= set(vanished(position))
    for power, owned in position.centers.items():
        for center in owned:
            if center in ruins:
                _refuse(f"centers.{power}", f"{_shown(center)} is no supply center any more")


def variant_object(variant: Variant) -> dict[str, Any]:
    """Everything there is to know of a variant, as `judge variant show NAME --json` prints it."""
    board = variant.board
    return {
        "name": variant.name,
        "title": variant.title,
        "powers": list(variant.powers),
        "start_phase": str(variant.start_phase),
        "victory": variant.victory,
        "provinces": [
            {
                "id": province.id,
                "name": province.name,
                "type": province.terrain,
                "supply_center": province.supply_center,
                "home": province.home,
                "coasts": list(province.coasts),
                "aliases": list(dict.fromkeys((_plain(province.name), *province.aliases))),
            }
            for province in board.provinces.values()
        ],
        "army": _pairs(board.army),
        "fleet": _pairs(board.fleet),
        "start": {power: list(map(str, units)) for power, units in variant.start.items()},
        "centers": {power: list(owned) for power, owned in variant.centers.items()},
        "rulebook": variant.rulebook,
        "shared_victory": variant.shared_victory,
        "modules": list(variant.modules),
        "calendar": [season.value + kind.value for season, kind in variant.calendar.year],
        "letters": {power: letter for letter, power in variant.letters.items()},
        "adjectives": dict(variant.adjectives),
        "impassable": list(map(list, variant.impassable)),
        "canals": {name: list(spaces) for name, spaces in variant.canals.items()},
        "seasonal": {
            province: sorted(season.name.lower() for season in seasons)
            for province, seasons in variant.seasonal.items()
        },
        "units": {
            letter: {field.name: getattr(kind, field.name) for field in fields(kind)}
            | {"words": list(kind.words)}
            for letter, kind in board.kinds.items()
        },
        "position": {
            province.id: list(province.position)
            for province in board.provinces.values()
            if province.position is not None
        },
        "unclear": {name: list(meant) for name, meant in variant.unclear.items()},
        "description": variant.description,
        "lineups": {name: _lineup(each) for name, each in variant.lineups.items()},
    }


def _lineup(lineup: Lineup) -> dict[str, Any]:
    """A game for fewer players."""
    joins = lineup.joins
    return {
        "players": list(map(list, lineup.groups)),
        "standing": list(lineup.standing),
        "closed": list(lineup.closed),
        "merged": lineup.merged,
        "together": lineup.together,
        "rulebook": lineup.rulebook,
        "start_phase": lineup.start and str(lineup.start),
        "victory": lineup.victory,
        "counts": lineup.counts,
        "lost": list(lineup.lost),
        "lots": lineup.lots,
        "joins": joins and {key: str(value) for key, value in joins._asdict().items()},
    }


def _pairs(steps: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Every border once, in alphabetical order."""
    return [
        [here, there] for here in sorted(steps) for there in sorted(steps[here]) if here < there
    ]


def _plain(name: str) -> str:
    """A full name as an alias: lower case, without stops."""
    return name.replace(".", "").casefold()
