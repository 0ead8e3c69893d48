"""When people are away, as their seats keep it; no deadline that is set later falls into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.schedule.deadlines import Absence
from judge.storage import Seat

MOST = 3
"""Absences of one person in a game that are not over."""


@dataclass(frozen=True)
class Away:
    """An absence. `approved`: a long one does not count before the master has agreed."""

    span: Absence
    approved: bool = True

    @property
    def days(self) -> float:
        """How long it lasts, in days."""
        return (self.span.end - self.span.start).total_seconds() / 86400

    def to_json(self) -> dict[str, Any]:
        """As it is stored."""
        start, end = self.span.start.isoformat(), self.span.end.isoformat()
        return {"start": start, "end": end, "approved": self.approved}


def of(seat: Seat, now: datetime) -> list[Away]:
    """The absences of a seat that are not over, in order."""
    found = [
        Away(
            Absence(datetime.fromisoformat(each["start"]), datetime.fromisoformat(each["end"])),
            each["approved"],
        )
        for each in seat.absence or ()
    ]
    return sorted((each for each in found if each.span.end > now), key=lambda each: each.span)


def store(seat: Seat, absences: Sequence[Away]) -> None:
    """Make these all absences of a seat; the caller saves it."""
    kept = sorted(absences, key=lambda each: each.span)
    seat.absence = [each.to_json() for each in kept] or None


def overlaps(known: Sequence[Away], span: Absence) -> Away | None:
    """The absence that shares a moment with `span`, if there is one."""
    return next(
        (each for each in known if each.span.start <= span.end and span.start <= each.span.end),
        None,
    )
