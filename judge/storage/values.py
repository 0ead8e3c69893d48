"""What records hold beside plain columns: values that are stored as JSON objects.

A key that is missing has its default. The names of fields (or their aliases) stand in databases,
so that a name that changes takes a migration.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

from judge.storage.enums import Condition


@dataclass(frozen=True, slots=True)
class PersonOptions:
    """What somebody wishes of the judge; None where they have not said.

    `html`: messages have an HTML part. `daily`: a master gets the daily summary. `stand_in`: the
    person hears of powers without a player. `reminders`: hours before a deadline. `motd`: the
    number of the message of the day they were shown last.
    """

    html: bool | None = None
    daily: bool | None = None
    stand_in: bool | None = None
    reminders: tuple[float, ...] | None = None
    motd: int | None = None


@dataclass(frozen=True, slots=True)
class PhaseMoment:
    """An instant in a phase; `phase` is None before the start."""

    phase: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Lateness:
    """Orders that were missing at `deadline`, and when that was `told` last.

    `excused`: the player could not know of it.
    """

    deadline: datetime
    told: datetime
    excused: bool


@dataclass(frozen=True, slots=True)
class SeatOptions:
    """What is noted of a seat.

    Of a power without a player: its `condition`, `since` when, and when replacements were `called`.
    Of a player: when they came `back`, whether they are `late`, the phase in which they are
    `content` to wait for nothing more, the reminders (hours) that went out for the open deadline,
    whether a master must give (or has refused) `approval` and has `invited` them since.
    Of a master: when the `daily` summary last went out. Of an observer: `results_only`. Of
    everybody: the `addresses` that messages about this game go to.
    """

    condition: Condition | None = None
    since: datetime | None = None
    called: datetime | None = None
    back: PhaseMoment | None = None
    late: Lateness | None = None
    content: str | None = None
    reminded: tuple[float, ...] = ()
    approval: bool = False
    invited: bool = False
    daily: datetime | None = None
    results_only: Annotated[bool, Field(alias="results only")] = False
    addresses: tuple[str, ...] = ()
