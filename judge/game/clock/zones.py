"""Time zones as people write them."""

from __future__ import annotations

import re
from functools import cache
from zoneinfo import available_timezones

from rapidfuzz import process

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
    """The IANA time zone that `text` names: `Europe/Paris`, `paris`, `UTC+2`, `GMT`.

    Raises ValueError, quoting `text` and naming what is spelled alike.
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
    near = [_zones()[name] for name, *_ in process.extract(word, _zones().keys(), limit=3)]
    raise ValueError(
        f"no time zone is called {text.strip()!r}; write a city such as Europe/Paris, or UTC+2"
        + (f" (near: {', '.join(dict.fromkeys(near))})" if near else "")
    )
