"""Lines that are neither an order nor a command nor press.

What they ask in plain words is answered, what they wish is offered: a command that a YES would
carry out. Nothing is done on a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.game.state.answers import Answer, LineResult
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.intake.fates import Fate
from judge.intake.lines import Line
from judge.intake.offers import offer
from judge.intake.requests import requests_in
from judge.language.requests import Question, Wish
from judge.rules.variant import Variant

CarryOut = Callable[[MessageContext, Line, Command], object]

_ANSWERS = {
    "deadline": "STATUS",
    "orders": "STATUS",
    "late": "WHO IS LATE",
    "players": "WHO GAME",
    "map": "MAP",
    "legal": "LEGAL MOVES",
    "rules": "HELP rules",
    "help": "HELP",
}
"""The commands that answer questions."""


@dataclass(frozen=True)
class Asked:
    """What lines of ordinary text ask for: their places in the list of lines, and what it is."""

    what: Wish | Question
    first: int
    end: int
    said: str
    """The sentence, or the first line of the letter, as it was written."""

    @property
    def fate(self) -> Fate:
        """What becomes of the lines."""
        if isinstance(self.what, Question):
            return Fate.DONE
        return Fate.NOTHING if self.what.open else Fate.ASKED

    @property
    def line(self) -> str:
        """The line that answers a question, or does what is wished for."""
        if isinstance(self.what, Wish):
            return self.what.offer
        command = _ANSWERS[self.what.about]
        if self.what.about != "legal":
            return command
        move = " - ".join(filter(None, (self.what.unit, self.what.to)))
        return f"{command} {move}".rstrip()


def asked_by(lines: Sequence[Line], variant: Variant, now: datetime, zone: str) -> list[Asked]:
    """What ordinary text asks for, in order. Rows between the lines count as blank ones."""
    texts: list[str] = []
    owners: list[int] = []
    for number, line in enumerate(lines):
        gap = line.rows.start - lines[number - 1].rows.stop if number else 0
        texts += ["", line.text] if gap > 0 else [line.text]
        owners += [number, number] if gap > 0 else [number]
    return [
        Asked(each.what, owners[each.first], owners[each.end - 1] + 1, each.said)
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
        _work(context, asked.said, asked, carry_out)
        fates[asked.first : asked.end] = [asked.fate] * (asked.end - asked.first)
    return fates


def _work(context: MessageContext, text: str, asked: Asked, carry_out: CarryOut) -> None:
    """Answer a question, or offer what is wished for."""
    found = context.table.find(asked.line)
    assert found is not None
    command, arguments = found
    if isinstance(asked.what, Question):
        call = Call(asked.line, arguments)
        carry_out(context, Line(text, "command", asked.line, command=command, call=call), command)
    elif asked.what.open:
        answer = Answer("unclear_wish")
        context.report.results.append(LineResult(text, "refused", answer, None, (command.example,)))
    else:
        lines = (asked.line, *asked.what.block, *(end.upper() for end in command.ends[:1]))
        result = offer(context, "\n".join(lines), line=text, lasting=True)
        context.report.results.append(result)
