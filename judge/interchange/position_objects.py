"""Positions, orders and rules as objects state them, and what the engine answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any, BinaryIO, Final, TextIO

from judge import variants
from judge.interchange.codec import Codec, Question
from judge.interchange.text import (
    LONGEST_LINE,
    InterchangeError,
    a_text,
    an_object,
    given_or,
    lines_of,
    parse,
    refuse,
    shown,
    written,
)
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.rules.board import Derived, Province
from judge.rules.board_index import DESTROYED, destroyed
from judge.rules.engine import adjudicate, owed
from judge.rules.hooks import with_modules
from judge.rules.legal_orders import legal_orders
from judge.rules.modules.arsenals import RIGHTS, rights
from judge.rules.modules.destruction import CUT_OFF, VANISHED, cut_off, vanished
from judge.rules.modules.registry import MODULES
from judge.rules.orders import order_text
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position, Unit
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook, RulebookError
from judge.rules.variant import Lineup, Variant, of_phase, with_lineup
from judge.sentences import in_words
from judge.sentences.terms import either


def read_question(data: object) -> Question:
    """Return the position and the orders of an input object. Raises InterchangeError."""
    data = an_object(data)
    variant, rulebook = in_play(data)
    phase = _phase(data.get("phase"), variant)
    variant = of_phase(variant, phase)
    codec = Codec.of(variant)
    if "units" not in data:
        refuse("units", "is missing")
    if "centers" not in data and phase.kind is Kind.ADJUSTMENTS:
        refuse("centers", "is missing; it decides who builds and who removes")
    dislodged = codec.read_dislodged(given_or(data, "dislodged", {}))
    contested = tuple(codec.read_provinces("contested", given_or(data, "contested", [])))
    if dislodged and phase.kind is not Kind.RETREATS:
        refuse("dislodged", f"has units, but in {phase} nobody retreats")
    position = Position(
        phase,
        codec.read_units(data["units"]),
        codec.read_centers(given_or(data, "centers", {})),
        dislodged,
        contested,
        codec.read_remembered(data) if launches_bombs(variant) else {},
    )
    if position.extra:
        _check_ruins(position)
    orders, written = codec.read_orders(given_or(data, "orders", {}), position, rulebook)
    notes = given_or(data, "notes", True)
    if not isinstance(notes, bool):
        refuse("notes", f"must be true or false, not {shown(notes)}")
    return Question(variant, position, orders, written, rulebook, notes)


def in_play(data: Mapping[str, Any]) -> tuple[Variant, Rulebook]:
    """Return the board and the rules that an object names. Raises InterchangeError."""
    variant = read_variant(given_or(data, "variant", "standard"))
    variant = _lined_up(variant, data.get("players"))
    variant = with_modules(variant, _modules(given_or(data, "modules", [])))
    variant = _won_with(variant, data.get("victory"))
    return variant, _rulebook(data, variant)


def read_variant(name: object) -> Variant:
    try:
        return variants.load(a_text("variant", name))
    except variants.VariantError as error:
        refuse("variant", f"{shown(name)}: {'; '.join(error.problems)}")


def _lined_up(variant: Variant, name: object) -> Variant:
    """Return the variant in one of its games for fewer players."""
    if name is None:
        return variant
    if not isinstance(name, str) or name not in variant.lineups:
        known = either(list(variant.lineups)) if variant.lineups else "none"
        refuse("players", f"{variant.name} has no lineup {shown(name)}; there is {known}")
    return with_lineup(variant, name)


def _modules(names: object) -> tuple[str, ...]:
    """Return the rule modules that a game's settings add to its variant."""
    if not isinstance(names, list):
        refuse("modules", f"must be a list of names, not {shown(names)}")
    for number, name in enumerate(names):
        if not isinstance(name, str) or name not in MODULES:
            known = either(list(MODULES))
            refuse(f"modules[{number}]", f"there is no {shown(name)}; there is {known}")
    return tuple(names)


def _won_with(variant: Variant, centers: object) -> Variant:
    """Return the variant, won with so many centers; None leaves its own number."""
    if centers is None or centers == variant.victory:
        return variant
    if not isinstance(centers, int) or isinstance(centers, bool) or centers < 1:
        refuse("victory", f"must be a number of supply centers, not {shown(centers)}")
    return replace(variant, victory=centers)


def _rulebook(data: Mapping[str, Any], variant: Variant) -> Rulebook:
    name = a_text("rules", given_or(data, "rules", variant.rulebook))
    options = given_or(data, "options", {})
    if not isinstance(options, dict):
        refuse("options", f"must be an object of issues and letters, not {shown(options)}")
    try:
        rulebook = Rulebook.edition(name)
    except RulebookError as error:
        refuse("rules", str(error))
    for issue, letter in options.items():
        if not isinstance(letter, str):
            refuse(f"options.{issue}", f"must be a letter, not {shown(letter)}")
    try:
        return rulebook.with_options(options) if options else rulebook
    except RulebookError as error:
        refuse("options", str(error))


def _phase(text: object, variant: Variant) -> Phase:
    if text is None:
        refuse("phase", "is missing")
    text = a_text("phase", text)
    try:
        phase = Phase.read(text)
    except ValueError:
        refuse("phase", f"{shown(text)} is no phase; write one like {variant.start_phase}")
    if not variant.calendar.knows(phase):
        known = [str(Phase(season, phase.year, kind)) for season, kind in variant.calendar.year]
        refuse("phase", f"there is no {shown(text)} in this game; there is {either(known)}")
    return phase


@Derived
def launches_bombs(variant: Variant) -> bool:
    """Return whether there are units that launch bombs, so that provinces can be destroyed."""
    return any(kind.launches for kind in variant.board.kinds.values())


def remembered(position: Position) -> dict[str, Any]:
    """Return what a position remembers of bombs."""
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
                refuse(f"units.{power}", f"{shown(str(unit))} stands in a destroyed province")
    ruins |= set(vanished(position))
    for power, owned in position.centers.items():
        for center in owned:
            if center in ruins:
                refuse(f"centers.{power}", f"{shown(center)} is no supply center any more")


def position_object(variant: Variant, position: Position) -> dict[str, Any]:
    """Return a position as an input object without orders."""
    data: dict[str, Any] = {
        "variant": variant.name,
        "phase": str(position.phase),
        "units": {power: list(map(str, held)) for power, held in position.units.items() if held},
        "centers": {power: list(owned) for power, owned in position.centers.items() if owned},
    }
    if position.phase.kind is Kind.RETREATS:
        data["dislodged"] = json.loads(Codec.of(variant).dislodged(position.dislodged))
        data["contested"] = list(position.contested)
    if launches_bombs(variant):
        data |= remembered(position)
    return data


def adjudicate_object(data: object) -> dict[str, Any]:
    """Return the answer to one input object. Raises InterchangeError."""
    answer: dict[str, Any] = json.loads(adjudicate_text(data))
    return answer


def adjudicate_line(line: str | bytes) -> str:
    """Return the answer to one input object, JSON to JSON. Raises InterchangeError."""
    return adjudicate_text(parse(line))


def adjudicate_text(data: object) -> str:
    """Return the answer to one input object, as JSON text. Raises InterchangeError."""
    question = read_question(data)
    assert isinstance(data, dict)
    variant, position = question.variant, question.position
    outcome = adjudicate(
        variant, position, question.orders, question.rulebook, quick=not question.notes
    )
    codec = Codec.of(variant)
    results = codec.results(question, outcome)
    after, last = _next_decision(variant, outcome, question.rulebook)
    asked = {
        "id": data.get("id"),
        "variant": variant.name,
        "phase": str(position.phase),
        "next_phase": str(after.phase),
    }
    winners = last.winners
    winner = winners[0] if len(winners) == 1 else list(winners) or None
    answer = (
        f'{written(asked)[:-1]},"results":{results},"units":{codec.by_powers(after.units)},'
        f'"dislodged":{codec.dislodged(outcome.dislodged)},'
        f'"contested":{codec.listed(outcome.contested)},'
        f'"centers":{codec.by_powers(after.centers)},"winner":{written(winner)}}}'
    )
    if not launches_bombs(variant):
        return answer
    ending = {"ending": None if last.ending is None else last.ending.value}
    return f"{answer[:-1]},{written(ending | remembered(after))[1:]}"


def answer_stream(
    source: BinaryIO, sink: TextIO, answer: Callable[[object], str], *, always_id: bool = False
) -> int:
    """Answer objects, one a line, in the order they come, in constant memory.

    A bad line is answered by `{"error": ..., "line": N}`, N counted from 1, with its `id` if it has
    one (null if not, with `always_id`), and the stream goes on; blank lines are passed over.
    Returns the exit status: 1 if there was a bad line, else 0.
    """
    status = 0
    for number, line in enumerate(lines_of(source), 1):
        if line is not None and not line.strip():
            continue
        data: object = None
        try:
            if line is None:
                refuse("the line", f"is longer than {LONGEST_LINE} bytes")
            data = parse(line)
            said = answer(data)
        except InterchangeError as error:
            status = 1
            said = _failure(str(error), number, data, always_id)
        except Exception as error:  # a fault of ours in one line must not cost the others theirs
            status = 1
            said = _failure(f"the engine failed: {error!r}", number, data, always_id)
        sink.write(said + "\n")
        sink.flush()
    return status


def _failure(problem: str, number: int, data: object, always_id: bool) -> str:
    said: dict[str, Any] = {"error": problem, "line": number}
    if always_id:
        said["id"] = None
    if isinstance(data, dict) and "id" in data:
        with suppress(RecursionError):
            return written(said | {"id": data["id"]})
    return written(said)


def _next_decision(
    variant: Variant, outcome: Adjudication, rulebook: Rulebook
) -> tuple[Position, Adjudication]:
    """Return the next position in which somebody has something to decide, and the phase that led to
    it."""
    position = outcome.position
    while not outcome.winners and not outcome.ending and position.phase.kind is not Kind.MOVEMENT:
        if position.phase.kind is Kind.RETREATS:
            if position.dislodged:
                break
        elif owed(variant, position):
            break
        outcome = adjudicate(variant, position, {}, rulebook)
        position = outcome.position
    return position, outcome


def orders_object(data: object, power: str) -> dict[str, list[str]]:
    """Return every legal order of each unit of `power` in the position of an input object.

    Raises InterchangeError, also when there is no such power.
    """
    question = read_question(data)
    named = read_power(question, power)
    legal = legal_orders(question.variant, question.position, named, question.rulebook)
    kind = question.position.phase.kind
    return {
        str(unit): [order_text(order, kind) for order in orders] for unit, orders in legal.items()
    }


def read_power(question: Question, name: object) -> str:
    """Return the power of a question's variant that a text names. Raises InterchangeError."""
    if name is None:
        refuse("power", "is missing")
    try:
        return Names.of(question.variant).power(a_text("power", name))
    except ReadError as error:
        refuse("power", in_words(error.problem, question.variant))


# A variant as facts


_FACTS: Final = (
    *("name", "title", "powers", "start_phase", "victory", "provinces", "army", "fleet", "start"),
    *("centers", "rulebook", "shared_victory", "lead", "standing", "one_way", "weak", "modules"),
    *("calendar", "letters", "adjectives", "impassable", "gates", "canals", "seasonal", "units"),
    *("position", "unclear", "description", "lineups"),
)
_OF_PROVINCE: Final = ("id", "name", "type", "supply_center", "home", "coasts", "aliases")
_OF_LINEUP: Final = (
    *("players", "standing", "closed", "merged", "together", "rulebook", "start_phase", "victory"),
    *("counts", "lost", "lots", "joins"),
)


def variant_object(variant: Variant) -> dict[str, Any]:
    """Return everything there is to know of a variant, as `judge variant show NAME --json` prints
    it."""
    board = variant.board
    provinces = board.provinces.values()
    facts = {
        "provinces": [_province(each) for each in provinces],
        "army": _pairs(board.army),
        "fleet": _pairs(board.fleet),
        "weak": sorted({(min(pair), max(pair)) for pair in board.weak}),
        "calendar": [season.value + kind.value for season, kind in variant.calendar.year],
        "letters": {power: letter for letter, power in variant.letters.items()},
        "seasonal": {
            province: sorted(season.name.lower() for season in seasons)
            for province, seasons in variant.seasonal.items()
        },
        "units": {
            letter: {field.name: getattr(kind, field.name) for field in fields(kind)}
            for letter, kind in board.kinds.items()
        },
        "position": {each.id: each.position for each in provinces if each.position is not None},
        "lineups": {name: _lineup(each) for name, each in variant.lineups.items()},
    }
    return _told(variant, _FACTS, facts)


def _province(province: Province) -> dict[str, object]:
    # The full name is an alias, too: in lower case, without stops.
    aliases = dict.fromkeys((province.name.replace(".", "").casefold(), *province.aliases))
    facts = {"type": province.terrain, "aliases": tuple(aliases)}
    return _told(province, _OF_PROVINCE, facts)


def _lineup(lineup: Lineup) -> dict[str, object]:
    """Return a game for fewer players."""
    joins = lineup.joins
    facts = {
        "players": lineup.groups,
        "start_phase": lineup.start,
        "joins": joins and joins._asdict(),
    }
    return _told(lineup, _OF_LINEUP, facts)


def _told(value: object, names: Iterable[str], facts: Mapping[str, object]) -> dict[str, object]:
    """Return these fields of a value as JSON has them, but for what `facts` say instead."""
    return {name: _plain(facts[name] if name in facts else getattr(value, name)) for name in names}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, Unit | Phase):
        return str(value)
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value


def _pairs(steps: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return every border once, in alphabetical order."""
    return [
        [here, there] for here in sorted(steps) for there in sorted(steps[here]) if here < there
    ]
