"""What a board says beyond its borders: canals, closed ways, names that fit several provinces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from judge.rules.board import Board, name_key, province_of
from judge.rules.phase import Season


def seasonal(
    problems: list[str], table: Mapping[str, Any], board: Board
) -> Iterator[tuple[str, frozenset[Season]]]:
    """The provinces that are closed in some seasons, with those in which they are open."""
    for province, letters in table.items():
        try:
            seasons = frozenset(map(Season, letters))
        except (TypeError, ValueError):
            problems.append(f"seasonal: {province}: {letters!r} are no seasons like FW")
            continue
        if province not in board.provinces:
            problems.append(f"seasonal: there is no province {province!r}")
        yield province, seasons


def canals(
    problems: list[str], table: Mapping[str, Any], board: Board
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The canals: two provinces on land and two by water that all border on each other."""
    for name, text in table.items():
        spaces = tuple(text.split()) if isinstance(text, str) else ()
        if len(set(spaces)) != 4 or not board.provinces.keys() >= set(spaces):
            problems.append(f"canals: {name} must join four provinces, not {text!r}")
            continue
        problems += [
            f"canals: {name}: no fleet passes between {here} and {there}"
            for here, there in combinations(spaces, 2)
            if there not in board.fleet.get(here, ())
        ]
        ashore = [here for here in spaces if board.provinces[here].terrain != "sea"]
        problems += [
            f"canals: {name}: no army passes between {here} and {there}"
            for here, there in combinations(ashore, 2)
            if there not in board.army.get(here, ())
        ]
        yield name, spaces


def impassable(
    problems: list[str], pairs: Iterable[str], board: Board
) -> Iterator[tuple[str, str]]:
    """The neighbors that no unit passes between."""
    for text in pairs:
        match text.split():
            case [here, there] if here in board.provinces and there in board.provinces:
                locations = board.provinces[here].locations
                beyond = {end for place in locations for end in board.fleet.get(place, ())}
                if there in {*board.army.get(here, ()), *map(province_of, beyond)}:
                    problems.append(f"impassable: {here} and {there} have a border")
                yield here, there
            case _:
                problems.append(f"impassable: {text!r} are not two provinces")


def unclear(
    problems: list[str], table: Mapping[str, Any], board: Board
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names that would fit several provinces."""
    taken = {
        name_key(name): province.id
        for province in board.provinces.values()
        for name in (province.id, province.name, *province.aliases)
    }
    for name, text in table.items():
        where = f"unclear: {name!r}"
        meant = tuple(text.split()) if isinstance(text, str) else ()
        if len(meant) < 2:
            problems.append(f"{where} must list two provinces or more, not {text!r}")
        elif unknown := [key for key in meant if key not in board.provinces]:
            problems.append(f"{where}: there is no province {unknown[0]!r}")
        elif name_key(name) in taken:
            problems.append(f"{where} is the name of {taken[name_key(name)]}")
        else:
            yield name, meant
