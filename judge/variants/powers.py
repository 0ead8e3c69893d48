"""The powers: their names and letters, kinds of units, and what they start with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from judge.rules.board import ANY_WAY, STANDARD, Board, UnitKind, Ways, province_of
from judge.rules.position import Unit
from judge.variants.keys import COUNT, UNIT, check_meanings, entries

RESERVED_LETTERS = "MO"
"""`M` is the master and `O` the observers wherever powers are named by letters."""


def check_powers(problems: list[str], powers: Mapping[str, Mapping[str, Any]]) -> None:
    """No two powers may share a name, an adjective or an alias."""
    check_meanings(
        problems,
        (
            (power, name)
            for power, table in powers.items()
            for name in (power, table.get("adjective", power), *table.get("aliases", ()))
        ),
    )


def letters(problems: list[str], powers: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The powers by their letters."""
    letters: dict[str, str] = {}
    for name, table in powers.items():
        letter = table.get("letter", name[:1]).upper()
        if len(letter) != 1 or not letter.isalnum():
            problems.append(f"power {name}: {letter!r} is not one letter or digit")
        elif letter in RESERVED_LETTERS:
            problems.append(
                f"power {name}: the letter {letter} stands for the master (M) or observers (O)"
            )
        elif letter in letters:
            problems.append(f"power {name}: the letter {letter} belongs to {letters[letter]}")
        else:
            letters[letter] = name
    return letters


def centers(
    problems: list[str], power: str, table: Mapping[str, Any], board: Board
) -> tuple[str, ...]:
    """The centers a power starts with: those it lists, else those of its home country."""
    if "centers" not in table:
        return tuple(
            province.id
            for province in board.provinces.values()
            if province.supply_center and province.home == power
        )
    listed = tuple(table["centers"].split())
    problems += [
        f"power {power}: {key!r} is no supply center"
        for key in listed
        if key not in board.provinces or not board.provinces[key].supply_center
    ]
    return listed


def check_centers(
    problems: list[str],
    board: Board,
    centers: Mapping[str, tuple[str, ...]],
    start: Mapping[str, tuple[Unit, ...]],
    powers: Mapping[str, Mapping[str, Any]],
    data: Mapping[str, Any],
) -> None:
    """What is counted must add up: centers, owners, units, victory."""
    total = sum(province.supply_center for province in board.provinces.values())
    counted = {"provinces": len(board.provinces), "centers": total}
    for key, number in entries(problems, "count", data.get("count", {}), COUNT).items():
        if counted[key] != number:
            problems.append(f"count: {number} {key} announced, {counted[key]} found")
    owners: dict[str, str] = {}
    for power, owned in centers.items():
        if not owned:
            problems.append(f"power {power}: it has no center")
        problems += [
            f"power {power}: {key} belongs to {owners[key]} already"
            for key in owned
            if owners.setdefault(key, power) != power
        ]
        if len(start[power]) > len(owned) + powers[power].get("surplus", 0):
            problems.append(
                f"power {power}: {len(start[power])} units cannot live on {len(owned)} centers"
            )
    victory = data.get("victory", 1)
    largest = max((len(owned) for owned in centers.values()), default=0)
    if not largest < victory <= total:
        problems.append(
            f"victory: {victory} must be more than the {largest} centers a power starts with "
            f"and not more than the {total} there are"
        )


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
