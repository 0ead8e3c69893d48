"""What lines ask for that are neither an order nor a command nor press."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

from judge.i18n import in_all_languages
from judge.intake.chatter import called
from judge.intake.context import Fate
from judge.intake.lines import MOST_CHARACTERS, Line
from judge.language.requests import ALL, Question, Request, Wish, addressees, requests
from judge.rules.variant import Variant
from judge.schedule.dates import read_date, read_span
from judge.schedule.deadlines import TimeError


def fate_of(what: Wish | Question) -> Fate:
    """What becomes of lines that ask for something."""
    if isinstance(what, Question):
        return Fate.DONE
    return Fate.NOTHING if what.open else Fate.ASKED


def asked_by(lines: Sequence[Line], variant: Variant, now: datetime, zone: str) -> list[Request]:
    """What ordinary text asks for, in order, by places in the list of lines. Rows between the lines
    count as blank ones."""
    texts: list[str] = []
    owners: list[int] = []
    for number, line in enumerate(lines):
        gap = line.rows.start - lines[number - 1].rows.stop if number else 0
        text = line.text[:MOST_CHARACTERS]
        texts += ["", text] if gap > 0 else [text]
        owners += [number, number] if gap > 0 else [number]
    return [
        replace(each, first=owners[each.first], end=owners[each.end - 1] + 1)
        for each in requests_in(texts, variant, now, zone)
    ]


# Plain words, as the command lines and questions of one game


def requests_in(lines: Sequence[str], variant: Variant, now: datetime, zone: str) -> list[Request]:
    """What plain text asks for, every date as the day it means now, since a YES may come later.

    A wish whose dates cannot be read is open: its writer must say them.
    """
    today = now.astimezone(ZoneInfo(zone)).date()
    return [
        replace(each, what=settled(each.what, now, zone)) if isinstance(each.what, Wish) else each
        for each in requests(lines, called(variant), today)
    ]


def is_for_others(line: str, variant: Variant, to: Collection[str]) -> bool:
    """Whether a line heads a letter to somebody who is not among the labels in `to`."""
    return not {*to, ALL}.issuperset(addressees(line, called(variant)))


def is_to_self(line: str) -> bool:
    """Whether a line says that what it heads is for its writer alone."""
    return _to_self().match(line) is not None


@cache
def _to_self() -> re.Pattern[str]:
    words = "|".join(in_all_languages("to_self"))
    return re.compile(rf"\W*(?:{words})\s*(?:[:–—-].*)?\Z", re.IGNORECASE)


def settled(wish: Wish, now: datetime, zone: str) -> Wish:
    """Return a wish with its dates in full, or open where they cannot be read."""
    command = next(filter(wish.offer.startswith, _DATED), None)
    if command is None:
        return wish
    text, is_span = wish.offer.removeprefix(command), command == _DATED[0]
    try:
        ends = read_span(text, now, zone) if is_span else (read_date(text, now, zone),)
    except TimeError:
        return replace(wish, offer=command.removesuffix("UNTIL ").strip(), open=True)
    days = [moment.astimezone(ZoneInfo(zone)) for moment in ends]
    said = [f"{day.day} {day:%b}" if is_span else f"{day.day} {day:%b %H:%M}" for day in days]
    return replace(wish, offer=f"{command}{' to '.join(said)}")


_DATED = ("SET ABSENCE ", "EXTEND UNTIL ")
"""Commands whose dates a wish may hold."""
