"""Public holidays, as times in which no deadline falls."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from judge.schedule.deadlines import Absence, TimeError, TimeFault, at_local

log = logging.getLogger(__name__)

YEARS = 2
"""How many years after the present one are looked at: no deadline is further ahead."""

EXTRA = "pbem-judge[holidays]"
"""What to install for public holidays to be known."""


def _library() -> Any:
    """Return module `holidays`, None without the extra: 22 ms and 4 MB, for which few games ask."""
    try:
        import holidays
    except ModuleNotFoundError:
        return None
    return holidays


@cache
def _supported() -> dict[str, list[str]]:
    """Return the ISO 3166 codes of countries, with those of their parts; {} without the extra."""
    library = _library()
    return library.list_supported_countries(include_aliases=False) if library else {}


@cache
def _countries() -> dict[str, str]:
    """Return the ISO 3166 codes by code and by English name, both in lower case."""
    library, found = _library(), {}
    for code in _supported():
        found[code.lower()] = code
        name = getattr(library, code).__bases__[0].__name__
        found[re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()] = code
    return found | {
        "usa": "US",
        "uk": "GB",
        "great britain": "GB",
        "england": "GB",
        "holland": "NL",
    }


def read_country(text: str) -> str:
    """Return the country whose public holidays `text` means: `DE`, `Germany`, `DE-BY` for one of
    its parts (ISO 3166-2).

    Raises:
        TimeError: No holidays are known of it, or of any country because the extra is missing.
    """
    if not _supported():
        raise TimeError(TimeFault.NO_HOLIDAY_CALENDARS, EXTRA)
    word = " ".join(text.strip().strip(".").split())
    name, _, part = word.partition("-") if "-" in word else (word, "", "")
    code = _countries().get(name.lower())
    parts = _supported()[code] if code else []
    if code is None or (part and part.upper() not in parts):
        raise TimeError(TimeFault.NO_HOLIDAYS, text, choices=tuple(parts), country=code or "")
    return f"{code}-{part.upper()}" if part else code


def closed(country: str, zone: str, now: datetime) -> Iterator[Absence]:
    """Yield the public holidays of `country` (a value of `read_country`) from this year on, each
    from 00:00 to 24:00 in `zone`."""
    code, _, part = country.partition("-")
    place = ZoneInfo(zone)
    year = now.astimezone(place).year
    for day in _days(code, part, year):
        midnight = at_local(day, 0, place)
        yield Absence(midnight, at_local(day + timedelta(days=1), 0, place))


@cache
def _days(code: str, part: str, year: int) -> tuple[date, ...]:
    years = range(year, year + YEARS + 1)
    if not _supported():
        log.error("deadlines may fall on public holidays of %s: install %s", code, EXTRA)
        return ()
    return tuple(sorted(_library().country_holidays(code, subdiv=part or None, years=years)))
