"""When people are away, as their seats keep it; no deadline that is set later falls into it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from judge.schedule.deadlines import Absence
from judge.storage import Away, Seat

MOST = 3
"""Absences of one person in a game that are not over."""


def of(seat: Seat, now: datetime) -> list[Away]:
    """The absences of a seat that are not over, in order."""
    return sorted((each for each in seat.absence or () if each.end > now), key=_span)


def store(seat: Seat, absences: Sequence[Away]) -> None:
    """Make these all absences of a seat; the caller saves it."""
    seat.absence = tuple(sorted(absences, key=_span)) or None


def overlaps(known: Sequence[Away], span: Absence) -> Away | None:
    """The absence that shares a moment with `span`, if there is one."""
    return next(
        (each for each in known if each.start <= span.end and span.start <= each.end),
        None,
    )


def _span(away: Away) -> Absence:
    return Absence(away.start, away.end)
