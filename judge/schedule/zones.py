"""Time zones as people write them."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

from judge.schedule.problems import TimeFault, refuse

_OFFSET = re.compile(r"(?:utc|gmt)\s*(?:([+-])\s*(\d{1,2})(?::?00)?)?\Z")


@cache
def _zones() -> dict[str, str]:
    """IANA names by their lower case, and by the city they end with where only one does."""
    found: dict[str, str] = {}
    cities: dict[str, list[str]] = {}
    for zone in sorted(available_timezones()):
        found[zone.lower()] = zone
        area, _, city = zone.rpartition("/")
        if area and area.partition("/")[0] not in ("Etc", "posix", "right", "SystemV"):
            cities.setdefault(city.lower(), []).append(zone)
    for city, zones in cities.items():
        if len(zones) == 1:
            found.setdefault(city, zones[0])
    return found


def read_zone(text: str) -> str:
    """Return the IANA time zone that `text` names: `Europe/Paris`, `paris`, `UTC+2`, `GMT`.

    Raises:
        TimeError: It names none; the problem holds those that are spelled alike.
    """
    word = "_".join(text.strip().lower().split())
    if found := _OFFSET.match(word.replace("_", " ")):
        hours = int(found[2] or 0)
        if not hours:
            return "UTC"
        if hours <= 12:
            # POSIX counts offsets westward: Etc/GMT-2 is two hours ahead of UTC.
            return f"Etc/GMT{'-' if found[1] == '+' else '+'}{hours}"
    zone = _zones().get(word)
    if zone is not None:
        return zone
    near = dict.fromkeys(_zones()[name] for name in get_close_matches(word, _zones(), n=3))
    raise refuse(TimeFault.NO_ZONE, text, choices=tuple(near))
