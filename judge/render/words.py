"""Facts as words: units, lists, instants, lengths of time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from judge.rules.phase import Phase
from judge.rules.position import Unit
from judge.rules.variant import Variant
from judge.schedule.deadlines import Pace, clock_in_words, hours_in_words

KINDS = {"A": "Army", "F": "Fleet", "N": "Navy", "AF": "Air Force", "R": "Arsenal", "": ""}

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)


def unit_name(unit: Unit, variant: Variant) -> str:
    """A unit with its full names: "Fleet St. Petersburg (north coast)"."""
    return f"{KINDS.get(unit.kind, unit.kind)} {variant.board.name(unit.location)}".strip()


def phase_words(phase: str | Phase | None) -> str:
    """A phase as letters name it: "Spring 1901, movement"; before the start, that."""
    if phase is None:
        return "before the start"
    return (Phase.read(phase) if isinstance(phase, str) else phase).words


_TAME = re.compile(r"(?:[^\W_]|[ '’-]|\.(?!\w)){1,40}")


def is_tame(name: str) -> bool:
    """Whether a name that a stranger gave is no more than that: no text, no link, no address."""
    return _TAME.fullmatch(name) is not None


def listed(names: Sequence[object], last: str = "and") -> str:
    """ "A", "A and B", "A, B and C"."""
    words = [str(name) for name in names]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def when(instant: datetime, zone: str) -> str:
    """An instant in the reader's zone: "Friday 5 June 2026, 20:00 (Europe/Berlin)"."""
    local = instant.astimezone(ZoneInfo(zone))
    day = f"{DAYS[local.weekday()]} {local.day} {MONTHS[local.month - 1]} {local.year}"
    return f"{day}, {local:%H:%M} ({zone})"


def left(instant: datetime, now: datetime) -> str:
    """How long until `instant`, in its two largest units: "2 days 3 hours"; "now" if it is past."""
    minutes = int((instant - now).total_seconds() // 60)
    if minutes < 1:
        return "now"
    days, hours = divmod(minutes // 60, 24)
    parts = [
        f"{count} {word}{'' if count == 1 else 's'}"
        for count, word in ((days, "day"), (hours, "hour"), (minutes % 60, "minute"))
        if count
    ]
    return " ".join(parts[:2])


def due_in(instant: datetime, now: datetime) -> str:
    """ "in 2 days 3 hours", or that it is past."""
    return f"in {left(instant, now)}" if left(instant, now) != "now" else "which is over"


def pace(pace: Pace) -> str:
    """How fast a type of phase goes, in one line."""
    days = "" if pace.days == "SMTWTFS" else f", days {pace.days}"
    at = "" if pace.clock is None else f", at {clock_in_words(pace.clock)}"
    return f"deadlines {hours_in_words(pace.next)} after the last phase{at}{days}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """ "1 army", "2 armies"; `many` where an s will not do."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def capfirst(text: str) -> str:
    """The text with a capital at its beginning, the rest as it is."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A clause as a sentence: a capital first, a full stop last."""
    text = capfirst(text.strip())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def clip(text: str) -> str:
    """What somebody wrote, short enough to be quoted."""
    return text if len(text) <= 60 else f"{text[:60]} ..."
