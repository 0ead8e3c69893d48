"""The powers: their names and letters, and the centers they start with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.rules.board import Board
from judge.rules.position import Unit
from judge.variants.keys import COUNT, check_meanings, entries

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
