"""The phases of a year, and single phases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.rules.phase import Calendar, Kind, Phase, Season


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
    if (years := data.get("years", 1)) < 1:
        problems.append(f"years: a cycle takes one year or more, not {years}")
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
