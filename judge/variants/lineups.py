"""The games for fewer players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.rules.board import Board
from judge.rules.phase import Calendar
from judge.rules.rulebook import editions
from judge.rules.variant import Joins, Lineup
from judge.variants.keys import JOINS, LINEUP, entries, phase
from judge.variants.powers import placed

COUNTS = ("centers", "units")


def lineups(
    problems: list[str],
    data: Mapping[str, Any],
    board: Board,
    powers: Mapping[str, object],
    calendar: Calendar | None,
) -> dict[str, Lineup]:
    """The games for fewer players."""
    found = {}
    for name, raw in data.get("lineups", {}).items():
        table = entries(problems, f"lineup {name}", raw, LINEUP)
        found[name] = lineup(problems, name, table, board, powers, calendar)
    return found


def lineup(
    problems: list[str],
    name: str,
    table: Mapping[str, Any],
    board: Board,
    powers: Mapping[str, object],
    calendar: Calendar | None,
) -> Lineup:
    """Return one way for fewer people to play; what is wrong with it is added to `problems`."""
    where = f"lineup {name}"
    neutral = _listed(table.get("neutral", ""))
    standing = (*_listed(table.get("standing", "")), *neutral)
    groups, lots = _players(problems, name, table, powers, standing)
    closed = tuple(table.get("closed", "").split())
    lost = tuple(table.get("lost", "").split())
    _check_places(problems, where, board, closed, lost)
    _check_rules(problems, where, table, board, lost)
    start = table.get("start")
    country = [key for key, each in board.provinces.items() if each.home in neutral]
    return Lineup(
        name=name,
        groups=tuple(groups),
        standing=standing,
        closed=tuple(dict.fromkeys((*closed, *country))),
        merged=table.get("merged", False),
        together=table.get("together", False),
        rulebook=table.get("rulebook"),
        start=None if start is None else phase(problems, f"{where}: start", start, calendar),
        victory=table.get("victory"),
        counts=table.get("counts"),
        lost=lost,
        units=dict(placed(problems, where, table.get("units", {}), board, powers)),
        joins=_joins(problems, where, table, neutral, calendar),
        lots=lots,
    )


def _players(
    problems: list[str],
    name: str,
    table: Mapping[str, Any],
    powers: Mapping[str, object],
    standing: tuple[str, ...],
) -> tuple[list[tuple[str, ...]], int]:
    """Return the powers of each player, or none and the number of players who draw lots."""
    where = f"lineup {name}"
    number = name.partition("-")[0]
    rest = [power for power in powers if power not in standing]
    groups = [_listed(text) for text in table.get("players", rest)]
    lots = int(number) if table.get("lots") and number.isdecimal() else 0
    if lots:
        groups = []
        if "players" in table or not 0 < lots <= len(rest):
            problems.append(f"{where}: lots give its players their powers, {lots} of them")
    named = [power for group in (*groups, standing) for power in group]
    problems += [
        f"{where}: there is no power {power!r}"
        for power in dict.fromkeys(named)
        if power not in powers
    ]
    problems += [
        f"{where}: {power} is named {named.count(power)} times"
        for power in powers
        if named.count(power) != 1 and not (lots and power in rest)
    ]
    if not number.isdecimal() or int(number) != (lots or len(groups)):
        problems.append(f"{where}: its name must begin with the number of players, {len(groups)}")
    return groups, lots


def _check_places(
    problems: list[str], where: str, board: Board, closed: tuple[str, ...], lost: tuple[str, ...]
) -> None:
    problems += [
        f"{where}: there is no province {key!r}"
        for key in (*closed, *lost)
        if key not in board.provinces
    ]
    problems += [
        f"{where}: {key} is no supply center, so it cannot be lost"
        for key in lost
        if key in board.provinces and not board.provinces[key].supply_center
    ]


def _check_rules(
    problems: list[str], where: str, table: Mapping[str, Any], board: Board, lost: tuple[str, ...]
) -> None:
    """Check what the lineup says for itself about the rulebook and winning."""
    if (rulebook := table.get("rulebook")) is not None and rulebook not in editions():
        problems.append(f"{where}: there is no rulebook {rulebook!r}")
    if (counts := table.get("counts")) is not None and counts not in COUNTS:
        problems.append(f"{where}: counts must be {' or '.join(COUNTS)}, not {counts!r}")
    total = sum(each.supply_center for each in board.provinces.values()) - len(set(lost))
    if (victory := table.get("victory")) is not None and not 0 < victory <= total:
        problems.append(
            f"{where}: victory: {victory} is more than the {total} centers there are, or none"
        )


def _joins(
    problems: list[str],
    where: str,
    table: Mapping[str, Any],
    neutral: tuple[str, ...],
    calendar: Calendar | None,
) -> Joins | None:
    """Return which neutral power joins a player later, and when; None where none does."""
    if "joins" not in table:
        return None
    said = entries(problems, f"{where}: joins", table["joins"], JOINS)
    drawn = phase(problems, f"{where}: joins.drawn", said.get("drawn", ""), calendar)
    since = phase(problems, f"{where}: joins.since", said.get("since", ""), calendar)
    if (power := said.get("power", "")) not in neutral:
        problems.append(f"{where}: joins: {power!r} is not neutral")
    return Joins(power, drawn, since) if drawn and since else None


def _listed(text: str) -> tuple[str, ...]:
    """The names in a list with commas."""
    return tuple(filter(None, map(str.strip, text.split(","))))
