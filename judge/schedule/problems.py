"""Why a date, a time or a length of time could not be read, as values.

`judge.sentences.problems` words them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum


class TimeFault(Enum):
    """The kinds of problems; behind each stands which pieces it has, besides the text."""

    # of values
    CLOCK_RANGE = "clock_range"  # count: minutes after midnight
    HOURS_RANGE = "hours_range"  # text: the setting
    DAYS_LETTERS = "days_letters"
    NO_DAYS = "no_days"
    AFTERNOONS_ONLY = "afternoons_only"
    NO_LENGTH = "no_length"
    NO_CLOCK = "no_clock"
    NO_ZONE = "no_zone"  # choices: zones spelled alike
    NO_HOLIDAYS = "no_holidays"  # country, choices: its parts, if only the part is unknown
    NO_HOLIDAY_CALENDARS = "no_holiday_calendars"  # text: the extra to install
    NO_PACE = "no_pace"  # rest
    # of dates
    NO_DATE = "no_date"  # rest: what of it is not understood
    MONTH_ONLY = "month_only"
    MIDNIGHT = "midnight"
    NO_SUCH_DAY = "no_such_day"
    WRONG_WEEKDAY = "wrong_weekday"  # when
    AMBIGUOUS = "ambiguous"  # choices: each written so that it reads one way only
    PAST = "past"  # when
    TOO_FAR = "too_far"  # when; count: days; choices: the same with the year written
    NOT_AHEAD = "not_ahead"  # count: days
    ENDS_EARLY = "ends_early"


@dataclass(frozen=True, slots=True)
class TimeProblem:
    """Why a text is no time: its kind, and the pieces that kind has.

    Attributes:
        text: What was written.
        rest: The words of it that are not understood.
        choices: What may have been meant.
        when: The instant it names, in the zone it was read in.
    """

    fault: TimeFault
    text: str = ""
    rest: str = ""
    choices: tuple[str, ...] = ()
    when: datetime | None = None
    count: int = 0
    country: str = ""


class TimeError(ValueError):
    """A text that names no time, or none that can be used; `problem` says why."""

    def __init__(self, problem: TimeProblem) -> None:
        super().__init__(problem)
        self.problem = problem


def refuse(
    fault: TimeFault,
    text: str = "",
    *,
    rest: str = "",
    choices: tuple[str, ...] = (),
    when: datetime | None = None,
    count: int = 0,
) -> TimeError:
    """Return the error for a text, to be raised."""
    return TimeError(TimeProblem(fault, text.strip(), rest, choices, when, count))
