"""The powers: their names and letters, kinds of units, and what they start with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from judge.rules.board import ANY_WAY, STANDARD, UnitKind, Ways, province_of
from judge.rules.position import Unit
from judge.variants.keys import COUNT, UNIT, VariantDraft

RESERVED_LETTERS = "MO"
"""`M` is the master and `O` the observers wherever powers are named by letters."""


def check_powers(draft: VariantDraft) -> None:
    """No two powers may share a name, an adjective or an alias."""
    draft.check_meanings(
        (power, name)
        for power, table in draft.powers.items()
        for name in (power, table.get("adjective", power), *table.get("aliases", ()))
    )


def letters(draft: VariantDraft) -> dict[str, str]:
    """Return the powers by their letters."""
    letters: dict[str, str] = {}
    for name, table in draft.powers.items():
        where, letter = f"power {name}", table.get("letter", name[:1]).upper()
        if len(letter) != 1 or not letter.isalnum():
            draft.wrong(f"{where}: {letter!r} is not one letter or digit")
        elif letter in RESERVED_LETTERS:
            draft.wrong(f"{where}: the letter {letter} stands for the master (M) or observers (O)")
        elif letter in letters:
            draft.wrong(f"{where}: the letter {letter} belongs to {letters[letter]}")
        else:
            letters[letter] = name
    return letters


def centers(draft: VariantDraft, power: str) -> tuple[str, ...]:
    """Return the centers a power starts with: those it lists, else those of its home country."""
    board = draft.board
    if "centers" not in draft.powers[power]:
        return tuple(key for key in board.centers if board.provinces[key].home == power)
    listed = tuple(draft.powers[power]["centers"].split())
    wrong = set(listed) - set(board.centers)
    draft.wrong(*(f"power {power}: {key!r} is no supply center" for key in listed if key in wrong))
    return listed


def check_centers(
    draft: VariantDraft,
    centers: Mapping[str, tuple[str, ...]],
    start: Mapping[str, tuple[Unit, ...]],
) -> None:
    """Check that what is counted adds up: centers, owners, units, victory."""
    total = len(draft.board.centers)
    counted = {"provinces": len(draft.board.provinces), "centers": total}
    for key, number in draft.entries("count", draft.data.get("count", {}), COUNT).items():
        if counted[key] != number:
            draft.wrong(f"count: {number} {key} announced, {counted[key]} found")
    owners: dict[str, str] = {}
    for power, owned in centers.items():
        units, most = len(start[power]), len(owned) + draft.powers[power].get("surplus", 0)
        taken = [key for key in owned if owners.setdefault(key, power) != power]
        checks = [
            (not owned, "it has no center"),
            *((True, f"{key} belongs to {owners[key]} already") for key in taken),
            (units > most, f"{units} units cannot live on {len(owned)} centers"),
        ]
        draft.refuse(f"power {power}", checks)
    victory = draft.data.get("victory", 1)
    largest = max((len(owned) for owned in centers.values()), default=0)
    if not largest < victory <= total:
        draft.wrong(
            f"victory: {victory} must be more than the {largest} centers a power starts with "
            f"and not more than the {total} there are"
        )


def kinds(draft: VariantDraft) -> Mapping[str, UnitKind]:
    """Return kinds of units by their letters: armies and fleets unless the file names others."""
    if (data := draft.data.get("units")) is None:
        return STANDARD
    kinds: dict[str, UnitKind] = {}
    meanings: dict[str, str] = {}
    for letter, raw in data.items():
        where = f"unit {letter}"
        table = dict(draft.entries(where, raw, UNIT))
        capital = letter.isascii() and letter.isalpha() and letter.isupper()
        ways = table.get("moves", "army") in get_args(Ways)
        checks = [
            *((not table.get(key), f"{key!r} is missing") for key in ("name", "plural")),
            (not capital, "a letter is one or more capital letters"),
            (not ways, "moves must be army, fleet or none"),
            *(
                (table.get(key, 0) not in (0, 1, ANY_WAY), f"{key} must be 0, 1 or 2 spaces")
                for key in ("support", "bombs")
            ),
        ]
        draft.refuse(where, checks)
        table["words"] = tuple(word.casefold() for word in table.get("words", ()))
        kind = kinds[letter] = UnitKind(letter, **({"name": letter, "plural": letter} | table))
        for word in {letter.casefold(), kind.name, kind.plural, *kind.words}:
            if meanings.setdefault(word, letter) != letter:
                draft.wrong(f"{where}: {word!r} means {meanings[word]}, too")
    if not any(kind.moves == "army" for kind in kinds.values()):
        draft.wrong("units: there must be one that moves as an army")
    return kinds


def units(draft: VariantDraft, power: str, listed: str) -> Iterator[Unit]:
    """Yield units with which a power starts, as they are listed, without the impossible ones."""
    board = draft.board
    for text in filter(None, map(str.strip, listed.split(","))):
        kind, _, location = text.partition(" ")
        location = location.strip()
        where = f"power {power}: {text!r} cannot start there"
        province = board.provinces.get(province_of(location))
        if province is None:
            draft.wrong(f"{where}; there is no province {location!r}")
        elif kind not in board.kinds:
            draft.wrong(f"{where}; {kind!r} is no type of unit")
        elif not board.stands(kind, location):
            needed = f"one of {', '.join(province.locations)}" if province.coasts else "water"
            if not board.kind(kind).afloat:
                needed = "land under its feet"
            draft.wrong(f"{where}; {board.kind(kind).one} needs {needed}")
        else:
            yield Unit(kind, location)


def check_start(draft: VariantDraft, start: Mapping[str, tuple[Unit, ...]]) -> None:
    """Check that no two units start in one province."""
    places: dict[str, str] = {}
    for power, units in start.items():
        for unit in units:
            if unit.province in places:
                there = places[unit.province]
                draft.wrong(f"power {power}: {unit} cannot start where {there} stands")
            places.setdefault(unit.province, f"{power}'s {unit}")
