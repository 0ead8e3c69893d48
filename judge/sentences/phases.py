"""Seasons and phases in the language that is spoken."""

from __future__ import annotations

from judge.i18n import Marked, say
from judge.rules.phase import Kind, Phase, Season

SEASONS = {
    Season.SPRING: Marked("Spring {year}"),
    Season.SUMMER: Marked("Summer {year}"),
    Season.FALL: Marked("Fall {year}"),
    Season.WINTER: Marked("Winter {year}"),
}
NAMED_SEASONS = {
    Season.SPRING: Marked("spring"),
    Season.SUMMER: Marked("summer"),
    Season.FALL: Marked("fall"),
    Season.WINTER: Marked("winter"),
}
TYPES = {
    Kind.MOVEMENT: Marked("movement"),
    Kind.RETREATS: Marked("retreats"),
    Kind.ADJUSTMENTS: Marked("adjustments"),
}


def phase_words(phase: str | Phase | None) -> str:
    """Return the phase as letters name it: "Spring 1901, movement"; "before the start" for None."""
    if phase is None:
        return say("before the start")
    found = Phase.read(phase) if isinstance(phase, str) else phase
    return f"{str(SEASONS[found.season]).format(year=found.year)}, {TYPES[found.kind]}"
