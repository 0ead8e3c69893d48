"""Lines that are neither an order nor a command nor press.

What they ask in plain words is answered, what they wish is offered: a command that a YES would
carry out. Nothing is done on a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from judge.game.state.answers import Answer, LineResult
from judge.intake.chatter import called
from judge.intake.context import Fate, MessageContext
from judge.intake.lines import MOST_CHARACTERS, Line
from judge.intake.offers import offer
from judge.language.requests import ALL, Question, Request, Wish, addressees, requests
from judge.rules.variant import Variant
from judge.schedule.dates import read_date, read_span
from judge.schedule.deadlines import TimeError
from judge.storage import GameState

CarryOut = Callable[[MessageContext, Line], object]


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


def fates_of_talk(
    context: MessageContext, lines: Sequence[Line], variant: Variant, carry_out: CarryOut
) -> list[Fate]:
    """Say what becomes of ordinary text: the lines that follow each other between two others.

    Whoever does or asks something because of a line says so in `context.report.results`.
    """
    fates = context.report.sheet.fates_of(lines)
    if context.sender.person is None:
        return fates
    for asked in asked_by(lines, variant, context.now, context.zone):
        _work(context, asked, carry_out)
        fates[asked.first : asked.end] = [fate_of(asked.what)] * (asked.end - asked.first)
    return fates


def _work(context: MessageContext, asked: Request, carry_out: CarryOut) -> None:
    """Answer a question, or offer what is wished for."""
    text, said = asked.said, asked.what.offer
    state = context.cursor.state
    if said == "RESIGN" and state is not None and state.game.state == GameState.FORMING:
        # Nobody plays yet who could resign.
        said = "LEAVE"
    found = context.table.find(said)
    assert found is not None
    command, arguments = found
    if isinstance(asked.what, Question):
        carry_out(context, Line(text, "command", said, command=command, arguments=arguments))
    elif asked.what.open:
        answer = Answer("unclear_wish")
        context.report.results.append(LineResult(text, "refused", answer, None, (command.example,)))
    else:
        lines = (said, *asked.what.block, *(end.upper() for end in command.ends[:1]))
        result = offer(context, "\n".join(lines), line=text, lasting=True)
        context.report.results.append(result)


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
