"""Plain words that ask for something, as the command lines and questions of one game."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from judge.i18n import LANGUAGES, word_lists
from judge.language.requests import ALL, Request, Wish, addressees, requests
from judge.rules.board import Derived
from judge.rules.variant import Variant
from judge.schedule.dates import read_date, read_span
from judge.schedule.deadlines import TimeError


def requests_in(lines: Sequence[str], variant: Variant, now: datetime, zone: str) -> list[Request]:
    """What plain text asks for, every date as the day it means now, since a YES may come later.

    A wish whose dates cannot be read is open: its writer must say them.
    """
    today = now.astimezone(ZoneInfo(zone)).date()
    return [
        replace(each, what=settled(each.what, now, zone)) if isinstance(each.what, Wish) else each
        for each in requests(lines, _called(variant), today)
    ]


def is_for_others(line: str, variant: Variant, to: Collection[str]) -> bool:
    """Whether a line heads a letter to somebody who is not among the labels in `to`."""
    return not {*to, ALL}.issuperset(addressees(line, _called(variant)))


def settled(wish: Wish, now: datetime, zone: str) -> Wish:
    """Return a wish with its dates in full, or open where they cannot be read."""
    for command in ("SET ABSENCE ", "EXTEND UNTIL "):
        if not wish.offer.startswith(command):
            continue
        text = wish.offer.removeprefix(command)
        try:
            if command == "SET ABSENCE ":
                ends = [*read_span(text, now, zone)]
            else:
                ends = [read_date(text, now, zone)]
        except TimeError:
            return replace(wish, offer=command.split(" UNTIL")[0].strip(), open=True)
        days = [moment.astimezone(ZoneInfo(zone)) for moment in ends]
        if command == "SET ABSENCE ":
            said = " to ".join(f"{day.day} {day:%b}" for day in days)
        else:
            said = f"{days[0].day} {days[0]:%b %H:%M}"
        return replace(wish, offer=f"{command}{said}")
    return wish


@Derived
def _called(variant: Variant) -> Mapping[str, str]:
    """What the powers of a game are called in every language."""
    found = {
        name: power for power in variant.powers for name in (power, *variant.aliases.get(power, ()))
    }
    for language in LANGUAGES:
        if language != "en":
            powers = word_lists(language)["powers"].items()
            found |= {name: power for name, power in powers if power in variant.powers}
    return found
