"""The games for fewer players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.rules.position import Unit
from judge.rules.rulebook import editions
from judge.rules.variant import Joins, Lineup
from judge.variants.keys import JOINS, LINEUP, VariantDraft
from judge.variants.powers import units

COUNTS = ("centers", "units")


def lineups(draft: VariantDraft) -> dict[str, Lineup]:
    """Return the games for fewer players."""
    return {
        name: _lineup(draft, name, draft.entries(f"lineup {name}", raw, LINEUP))
        for name, raw in draft.data.get("lineups", {}).items()
    }


def _lineup(draft: VariantDraft, name: str, table: Mapping[str, Any]) -> Lineup:
    """Return one way for fewer people to play; what is wrong with it is a problem."""
    where, provinces = f"lineup {name}", draft.board.provinces
    neutral = _listed(table.get("neutral", ""))
    standing = (*_listed(table.get("standing", "")), *neutral)
    groups, lots = _players(draft, name, table, standing)
    closed = tuple(table.get("closed", "").split())
    lost = tuple(table.get("lost", "").split())
    _check(draft, where, table, closed, lost)
    start = table.get("start")
    country = [key for key, each in provinces.items() if each.home in neutral]
    return Lineup(
        name=name,
        groups=tuple(groups),
        standing=standing,
        closed=tuple(dict.fromkeys((*closed, *country))),
        merged=table.get("merged", False),
        together=table.get("together", False),
        rulebook=table.get("rulebook"),
        start=None if start is None else draft.phase(f"{where}: start", start),
        victory=table.get("victory"),
        counts=table.get("counts"),
        lost=lost,
        units=dict(_placed(draft, where, table.get("units", {}))),
        joins=_joins(draft, where, table["joins"], neutral) if "joins" in table else None,
        lots=lots,
    )


def _players(
    draft: VariantDraft, name: str, table: Mapping[str, Any], standing: tuple[str, ...]
) -> tuple[list[tuple[str, ...]], int]:
    """Return the powers of each player, or none and the number of players who draw lots."""
    number = name.partition("-")[0]
    rest = [power for power in draft.powers if power not in standing]
    groups = [_listed(text) for text in table.get("players", rest)]
    lots = int(number) if table.get("lots") and number.isdecimal() else 0
    misdrawn = lots and ("players" in table or not 0 < lots <= len(rest))
    if lots:
        groups = []
    named = [power for group in (*groups, standing) for power in group]
    times = {power: named.count(power) for power in draft.powers if not (lots and power in rest)}
    count = lots or len(groups)
    misnamed = not number.isdecimal() or int(number) != count
    checks = [
        (misdrawn, f"lots give its players their powers, {lots} of them"),
        *(
            (each not in draft.powers, f"there is no power {each!r}")
            for each in dict.fromkeys(named)
        ),
        *((times[each] != 1, f"{each} is named {times[each]} times") for each in times),
        (misnamed, f"its name must begin with the number of players, {len(groups)}"),
    ]
    draft.refuse(f"lineup {name}", checks)
    return groups, lots


def _check(
    draft: VariantDraft,
    where: str,
    table: Mapping[str, Any],
    closed: tuple[str, ...],
    lost: tuple[str, ...],
) -> None:
    """Check what a lineup says of provinces, of the rulebook, and of winning."""
    known = draft.board.provinces
    centers = set(draft.board.centers)
    rulebook, counts, victory = map(table.get, ("rulebook", "counts", "victory"))
    total = len(centers - set(lost))
    unwinnable = victory is not None and not 0 < victory <= total
    checks = [
        *((key not in known, f"there is no province {key!r}") for key in (*closed, *lost)),
        *(
            (
                key in known and key not in centers,
                f"{key} is no supply center, so it cannot be lost",
            )
            for key in lost
        ),
        (rulebook not in (None, *editions()), f"there is no rulebook {rulebook!r}"),
        (counts not in (None, *COUNTS), f"counts must be {' or '.join(COUNTS)}, not {counts!r}"),
        (unwinnable, f"victory: {victory} is more than the {total} centers there are, or none"),
    ]
    draft.refuse(where, checks)


def _placed(
    draft: VariantDraft, where: str, table: Mapping[str, object]
) -> Iterator[tuple[str, tuple[Unit, ...]]]:
    """Yield the units with which powers start in a game for fewer players."""
    for power, text in table.items():
        if power not in draft.powers or not isinstance(text, str):
            draft.wrong(f"{where}: units: {power} = {text!r} is no power with units")
        else:
            yield power, tuple(units(draft, power, text))


def _joins(
    draft: VariantDraft, where: str, table: object, neutral: tuple[str, ...]
) -> Joins | None:
    """Return which neutral power joins a player later, and when."""
    said = draft.entries(f"{where}: joins", table, JOINS)
    drawn = draft.phase(f"{where}: joins.drawn", said.get("drawn", ""))
    since = draft.phase(f"{where}: joins.since", said.get("since", ""))
    if (power := said.get("power", "")) not in neutral:
        draft.wrong(f"{where}: joins: {power!r} is not neutral")
    return Joins(power, drawn, since) if drawn and since else None


def _listed(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas."""
    return tuple(filter(None, map(str.strip, text.split(","))))
