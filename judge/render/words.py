"""Facts as words: units, lists, instants, lengths of time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from judge.i18n import Message, gettext, language, ngettext, say
from judge.schedule.deadlines import Pace, clock_in_words
from judge.sentences.terms import named

NOUNS = (
    # What `plural` counts: the forms as messages.
    ("army", "armies"),
    ("navy", "navies"),
    *((kind, f"{kind}s") for kind in ("fleet", "air force", "arsenal")),
    *((noun, f"{noun}s") for noun in ("unit", "center", "order", "build", "retreat", "removal")),
    *((noun, f"{noun}s") for noun in ("day", "hour", "minute", "game", "player", "letter")),
    *((noun, f"{noun}s") for noun in ("place", "power", "phase", "vote", "point", "line")),
)


_TAME = re.compile(r"(?:[^\W_]|[ '’-]|\.(?!\w)){1,40}")


def is_tame(name: str) -> bool:
    """Whether a name that a stranger gave is no more than that: no text, no link, no address."""
    return _TAME.fullmatch(name) is not None


ROLES = {
    "player": Message("player"),
    "master": Message("master"),
    "observer": Message("observer"),
}


GROUPS = {
    "playing": Message("playing"),
    "press": Message("press"),
    "games": Message("games"),
    "information": Message("information"),
    "settings": Message("settings"),
    "masters": Message("masters"),
    "keepers": Message("keepers"),
}
"""The headings under which HELP lists the commands."""

ENDINGS = {
    "victory": Message("victory"),
    "draw": Message("draw"),
    "concession": Message("concession"),
    "turn limit": Message("turn limit"),
    "time limit": Message("time limit"),
    "elimination": Message("elimination"),
    "two-way draw": Message("two-way draw"),
    "uninhabitable": Message("the globe is uninhabitable"),
    "impossible": Message("draw, since nobody can win any more"),
    "deserted": Message("deserted"),
}
"""How a game can end."""

PRESS = {
    "white": Message("white"),
    "grey": Message("grey"),
    "white/grey": Message("white/grey"),
    "grey/white": Message("grey/white"),
    "none": Message("none"),
}
"""The settings of press; the color first that is meant where none is said."""

STATES = {
    "forming": Message("forming"),
    "active": Message("active"),
    "paused": Message("paused"),
    "ended": Message("over"),
    "abandoned": Message("abandoned"),
    "resigned": Message("resigned"),
    "left": Message("left"),
    "replaced": Message("replaced"),
    "ejected": Message("ejected"),
}
"""How a game stands, and somebody's part in it."""


def group(name: str) -> str:
    """A group of commands, as HELP calls it."""
    return str(GROUPS.get(name, name))


def press(name: str) -> str:
    """A setting of press, as letters call it."""
    return str(PRESS.get(name, name))


def standing(name: str) -> str:
    """The state of a game or of a part in it, as letters call it."""
    return str(STATES.get(name, name))


def ending(name: str) -> str:
    """How a game ended, as letters call it."""
    return str(ENDINGS.get(name, name))


def keyed(letters: Mapping[str, str]) -> str:
    """Powers by their letters: "A Austria, E England"."""
    return ", ".join(f"{letter} {named(power)}" for letter, power in letters.items())


def role(name: str) -> str:
    """A part in a game, as letters call it."""
    return str(ROLES.get(name, name))


def when(instant: datetime, zone: str) -> str:
    """An instant in the reader's zone: "Friday 5 June 2026, 20:00 (Europe/Berlin)"."""
    # NOTE: how a date and a time are written, in the signs of CLDR.
    pattern = gettext("EEEE d MMMM y, HH:mm")
    return f"{_written(instant, zone, pattern, language())} ({zone})"


def hour(instant: datetime, zone: str) -> str:
    """An instant in that zone, where the date is told beside it: "Fri 20:00"."""
    return _written(instant, zone, "EEE HH:mm", language())


@lru_cache(1024)
def _written(instant: datetime, zone: str, pattern: str, language: str) -> str:
    """An instant in that zone. One message tells the same ones several times."""
    return format_datetime(instant.astimezone(ZoneInfo(zone)), pattern, locale=language)


def left(instant: datetime, now: datetime) -> str:
    """How long until `instant`, in its two largest units: "2 days 3 hours"; "now" if it is past."""
    minutes = int((instant - now).total_seconds() // 60)
    return say("now") if minutes < 1 else " ".join(_lengths(minutes)[:2])


def _lengths(minutes: int) -> list[str]:
    """The parts of a length of time that are not nought: "2 days", "3 hours", "5 minutes"."""
    days, hours = divmod(minutes // 60, 24)
    counted = ((days, "day"), (hours, "hour"), (minutes % 60, "minute"))
    return [plural(count, noun) for count, noun in counted if count]


def hours_in_words(hours: float) -> str:
    """A length of time: "3 days", "2 days 12 hours", "30 minutes", "no time"."""
    return " ".join(_lengths(round(hours * 60))) or say("no time")


def due_in(instant: datetime, now: datetime) -> str:
    """ "in 2 days 3 hours", or that it is past."""
    if instant - now < timedelta(minutes=1):
        return say("which is over")
    return say("in {time}", time=left(instant, now))


def pace(pace: Pace) -> str:
    """How fast a type of phase goes, in one line."""
    told = say("deadlines {time} after the last phase", time=hours_in_words(pace.next))
    if pace.clock is not None:
        told += say(", at {time}", time=clock_in_words(pace.clock))
    return told if pace.days == "SMTWTFS" else told + say(", days {days}", days=pace.days)


def on_the_web(page: str) -> str:
    """Where a game is shown."""
    return say("This game on the web: {page}", page=page)


def plural(count: int, one: str, many: str | None = None) -> str:
    """ "1 army", "2 armies"; `many` where an s will not do. The nouns are those of `NOUNS`."""
    return ngettext(f"{{count}} {one}", f"{{count}} {many or one + 's'}", count).format(count=count)


def capfirst(text: str) -> str:
    """The text with a capital at its beginning, the rest as it is."""
    # What is marked for translation is another text than its value.
    text = str(text)
    return text[:1].upper() + text[1:]


def loud(text: str) -> str:
    """The text with its first word in capitals."""
    first, blank, rest = text.partition(" ")
    return f"{first.upper()}{blank}{rest}"


def sentence(text: str) -> str:
    """A clause as a sentence: a capital first, a full stop last."""
    text = capfirst(str(text).strip())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def clip(text: str) -> str:
    """What somebody wrote, short enough to be quoted."""
    return text if len(text) <= 60 else f"{text[:60]} ..."


def halved(seal: str) -> str:
    """Return the seal of orders as two words: as one, filters take it for an account of coins."""
    return f"{seal[:16]} {seal[16:]}"
