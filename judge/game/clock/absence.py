"""When people are away, as their seats store it: no deadline set later falls into an absence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from judge.schedule.deadlines import Absence
from judge.storage import Away, Seat

MOST = 3
"""Absences that one person can have announced in a game."""


def absences_of(seat: Seat, now: datetime) -> list[Away]:
    """Return the absences of a seat that are not over, in order."""
    return sorted((each for each in seat.absence or () if each.end > now), key=_span)


def store(seat: Seat, absences: Sequence[Away]) -> None:
    """Replace all absences of a seat; the caller saves it."""
    seat.absence = tuple(sorted(absences, key=_span)) or None


def overlaps(known: Sequence[Away], span: Absence) -> Away | None:
    """Return an absence that overlaps `span`, if there is one."""
    return next(
        (each for each in known if each.start <= span.end and span.start <= each.end),
        None,
    )


def _span(away: Away) -> Absence:
    return Absence(away.start, away.end)
