"""The kinds of units a board has, and where units stand at the start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from judge.rules.board import Board, province_of
from judge.rules.kinds import ANY_WAY, STANDARD, UnitKind, Ways
from judge.rules.position import Unit
from judge.variants.keys import UNIT, entries


def kinds(problems: list[str], data: Mapping[str, Any] | None) -> Mapping[str, UnitKind]:
    """The kinds of units by their letters: armies and fleets unless the file names others."""
    if data is None:
        return STANDARD
    kinds: dict[str, UnitKind] = {}
    meanings: dict[str, str] = {}
    for letter, raw in data.items():
        where = f"unit {letter}"
        table = entries(problems, where, raw, UNIT)
        problems += [
            f"{where}: {key!r} is missing" for key in ("name", "plural") if not table.get(key)
        ]
        if not (letter.isascii() and letter.isalpha() and letter.isupper()):
            problems.append(f"{where}: a letter is one or more capital letters")
        if table.get("moves", "army") not in get_args(Ways):
            problems.append(f"{where}: moves must be army, fleet or none")
        for key in ("support", "bombs"):
            if table.get(key, 0) not in (0, 1, ANY_WAY):
                problems.append(f"{where}: {key} must be 0, 1 or 2 spaces")
        table["words"] = tuple(word.casefold() for word in table.get("words", ()))
        kind = kinds[letter] = UnitKind(letter, **({"name": letter, "plural": letter} | table))
        for word in {letter.casefold(), kind.name, kind.plural, *kind.words}:
            if meanings.setdefault(word, letter) != letter:
                problems.append(f"{where}: {word!r} means {meanings[word]}, too")
    if not any(kind.moves == "army" for kind in kinds.values()):
        problems.append("units: there must be one that moves as an army")
    return kinds


def units(
    problems: list[str], power: str, table: Mapping[str, Any], board: Board
) -> Iterator[Unit]:
    """The units a power starts with, without the impossible ones."""
    for text in filter(None, map(str.strip, table.get("units", "").split(","))):
        kind, _, location = text.partition(" ")
        location = location.strip()
        where = f"power {power}: {text!r} cannot start there"
        province = board.provinces.get(province_of(location))
        if province is None:
            problems.append(f"{where}; there is no province {location!r}")
        elif kind not in board.kinds:
            problems.append(f"{where}; {kind!r} is no type of unit")
        elif not board.stands(kind, location):
            needed = f"one of {', '.join(province.locations)}" if province.coasts else "water"
            if not board.kind(kind).afloat:
                needed = "land under its feet"
            problems.append(f"{where}; {board.kind(kind).one} needs {needed}")
        else:
            yield Unit(kind, location)


def placed(
    problems: list[str],
    where: str,
    table: Mapping[str, object],
    board: Board,
    powers: Mapping[str, object],
) -> Iterator[tuple[str, tuple[Unit, ...]]]:
    """The units with which powers start in a game for fewer players."""
    for power, text in table.items():
        if power not in powers or not isinstance(text, str):
            problems.append(f"{where}: units: {power} = {text!r} is no power with units")
        else:
            yield power, tuple(units(problems, power, {"units": text}, board))


def check_start(problems: list[str], start: Mapping[str, tuple[Unit, ...]]) -> None:
    """Two units cannot start in one province."""
    places: dict[str, str] = {}
    for power, units in start.items():
        for unit in units:
            if unit.province in places:
                problems.append(
                    f"power {power}: {unit} cannot start where {places[unit.province]} stands"
                )
            places.setdefault(unit.province, f"{power}'s {unit}")
