"""Seasons and phases in the language that is spoken."""

from __future__ import annotations

from judge.i18n import Message, say
from judge.rules.phase import Kind, Phase, Season

SEASONS = {
    Season.SPRING: Message("Spring {year}"),
    Season.SUMMER: Message("Summer {year}"),
    Season.FALL: Message("Fall {year}"),
    Season.WINTER: Message("Winter {year}"),
}
NAMED_SEASONS = {
    Season.SPRING: Message("spring"),
    Season.SUMMER: Message("summer"),
    Season.FALL: Message("fall"),
    Season.WINTER: Message("winter"),
}
TYPES = {
    Kind.MOVEMENT: Message("movement"),
    Kind.RETREATS: Message("retreats"),
    Kind.ADJUSTMENTS: Message("adjustments"),
}


def phase_words(phase: str | Phase | None) -> str:
    """Return the phase as letters name it: "Spring 1901, movement"; "before the start" for None."""
    if phase is None:
        return say("before the start")
    found = Phase.read(phase) if isinstance(phase, str) else phase
    return f"{str(SEASONS[found.season]).format(year=found.year)}, {TYPES[found.kind]}"
