"""The keys that a variant file may have, what is checked alike in all its parts, and phases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from judge.rules.board import name_key
from judge.rules.phase import Calendar, Kind, Phase, Season

Keys: TypeAlias = Mapping[str, type | tuple[type, ...]]
TOP: Keys = {
    "title": str,
    "description": str,
    "board": str,
    "rulebook": str,
    "modules": list,
    "rule_file": str,
    "start": str,
    "calendar": str,
    "years": int,
    "ownership": str,
    "victory": int,
    "shared_victory": bool,
    "lead": int,
    "draw": str,
    "notes": list,
    "impassable": list,
    "one_way": list,
    "weak": list,
    "gates": list,
    "seasonal": dict,
    "canals": dict,
    "unclear": dict,
    "units": dict,
    "count": dict,
    "powers": dict,
    "provinces": dict,
    "lineups": dict,
}
NEEDED = ("title", "start", "calendar", "victory", "powers", "provinces")
OWN = ("title", "description")
"""What a file that builds on another's board says for itself."""
POWER: Keys = {
    "letter": str,
    "adjective": str,
    "units": str,
    "centers": str,
    "home": str,
    "surplus": int,
    "aliases": list,
    "standing": bool,
}
PROVINCE: Keys = {
    "name": str,
    "type": str,
    "home": str,
    "center": bool,
    "army": str,
    "fleet": (str, dict),
    "aliases": list,
    "position": list,
    "convoys": bool,
}
UNIT: Keys = {
    "name": str,
    "plural": str,
    "words": list,
    "moves": str,
    "carries": bool,
    "carried": bool,
    "support": int,
    "supported": bool,
    "retreats": bool,
    "limit": int,
    "bombs": int,
    "launches": bool,
}
LINEUP: Keys = {
    "players": list,
    "standing": str,
    "neutral": str,
    "closed": str,
    "joins": dict,
    "merged": bool,
    "together": bool,
    "rulebook": str,
    "start": str,
    "victory": int,
    "counts": str,
    "lost": str,
    "lots": bool,
    "units": dict,
}
JOINS: Keys = {"power": str, "drawn": str, "since": str}

NUMBERS = ("position",)
"""The lists that hold numbers; all others hold texts."""

COUNT: Keys = {"provinces": int, "centers": int}


def check_meanings(problems: list[str], names: Iterable[tuple[str, str]]) -> None:
    """No name may mean two things, however it is written; each comes with whose name it is."""
    meanings: dict[str, dict[str, str]] = defaultdict(dict)
    for owner, name in names:
        meanings[name_key(name)].setdefault(owner, name)
    for owners in meanings.values():
        if len(owners) > 1:
            name = next(iter(owners.values()))
            problems.append(f"{name!r} would mean {' and '.join(owners)}")


def entries(problems: list[str], where: str, table: object, known: Keys) -> dict[str, Any]:
    """The entries of a table that are known and of the right type; the others are problems."""
    if not isinstance(table, dict):
        problems.append(f"{where} must be a table, not {table!r}")
        return {}
    good: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            problems.append(f"{where}: there is no key {key!r}; known are {', '.join(known)}")
        elif not isinstance(value, known[key]) or (
            isinstance(value, bool) and known[key] is not bool
        ):
            problems.append(f"{where}: {key} cannot be {value!r}")
        elif isinstance(value, list) and key in NUMBERS:
            if [type(item) in (int, float) for item in value] == [True, True]:
                good[key] = value
            else:
                problems.append(f"{where}: {key} must be two numbers, not {value!r}")
        elif isinstance(value, list) and not all(isinstance(item, str) for item in value):
            problems.append(f"{where}: {key} must hold texts only, not {value!r}")
        else:
            good[key] = value
    return good


def calendar(problems: list[str], data: Mapping[str, Any]) -> tuple[Calendar | None, Phase | None]:
    """The phases of a year, and the first phase of the game."""
    steps: list[tuple[Season, Kind]] = []
    for step in data.get("calendar", "").split():
        try:
            season, kind = step
            steps.append((Season(season), Kind(kind)))
        except ValueError:
            problems.append(f"calendar: {step!r} is not a phase like SM, FR or WA")
    if not data.get("calendar", "-").strip():
        problems.append("calendar: it has no phases; a common year is SM SR FM FR WA")
    if len(set(steps)) < len(steps):
        problems.append("calendar: a phase occurs twice")
    seasons = {season.value: season for season, _ in steps}
    owning = data.get("ownership", "F")
    problems += [
        f"ownership: the calendar has no season {letter!r}"
        for letter in owning
        if steps and letter not in seasons
    ]
    if not steps:
        return None, None
    if (years := data.get("years", 1)) == 0:
        problems.append("years: a cycle takes one year or more, not 0; before Christ -1")
    calendar = Calendar(
        tuple(steps),
        frozenset(seasons[letter] for letter in owning if letter in seasons),
        years,
    )
    return calendar, phase(problems, "start", data.get("start", ""), calendar)


def phase(problems: list[str], where: str, text: str, calendar: Calendar | None) -> Phase | None:
    """The phase a text names, if the calendar has it."""
    try:
        phase = Phase.read(text)
    except ValueError as error:
        problems.append(f"{where}: {error}")
        return None
    if calendar is not None and not calendar.knows(phase):
        problems.append(f"{where}: the calendar has no phase like {phase}")
    return phase
