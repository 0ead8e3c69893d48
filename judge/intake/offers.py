"""Offers: questions in a letter whose one-word YES carries out lines that are on file for it.

They stand behind the reply address of their letter: for its reader, once, for a week, and as long
as the game is where it was, unless an offer holds beyond its phase.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from judge.game.state import part
from judge.game.state.answers import Answer, LineResult
from judge.i18n import in_all_languages

if TYPE_CHECKING:
    from judge.intake.context import Cursor, Report

OPEN_FOR = timedelta(days=7)
"""How long an offer stands."""

_LONGEST = 80
"""Characters of a line that says yes or no."""


class Offer(Struct, frozen=True):
    """Lines that a YES carries out, and in which game, seats and phase, None for any."""

    text: str
    game_id: int | None = None
    phase: str | None = None
    parts: tuple[str, ...] = ()
    done: bool = False
    """Whether it was answered."""
    no: str = ""
    """Lines that a NO carries out."""


def said_yes(line: str) -> tuple[bool, str] | None:
    """Return whether a line begins with a yes or a no, and what follows; None for neither."""
    for word in ("yes", "no"):
        if found := re.match(rf"(?:{_either(word)})\b[\s.,!:;]*", line, re.IGNORECASE):
            return word == "yes", line[found.end() :]
    return None


@cache
def _either(kind: str) -> str:
    """Return a pattern for the words of answers of a kind in any language."""
    words = ", ".join(in_all_languages(kind, "answers")).split(", ")
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


@cache
def _behind() -> re.Pattern[str]:
    """Return what may stand behind a yes or no."""
    words = rf"(?:{_either('beside')}|(?P<all>{_either('all')}))"
    return re.compile(rf"(?:[\s.,;:!#&+\d]|\b{words}\b)*", re.IGNORECASE)


def chosen(line: str) -> tuple[bool, tuple[int, ...], bool] | None:
    """Return what a line says to the offers of a letter: yes or no, to which numbers, and whether
    to all. None where it says anything else."""
    said = said_yes(line) if len(line) <= _LONGEST else None
    rest = said and _behind().fullmatch(said[1])
    if not said or not rest:
        return None
    return said[0], tuple(map(int, re.findall(r"\d{1,3}", rest[0]))), rest["all"] is not None


def offer(
    cursor: Cursor,
    report: Report,
    text: str,
    *,
    line: str = "",
    answer: Answer | None = None,
    lasting: bool = False,
) -> LineResult:
    """Ask in the reply to this message whether to carry out `text`, lines as people write them.

    They will be for the game and the seats that lines of this message are for now. `line` is the
    one that is answered so, `answer` words the question. Past the phase that is open the offer
    holds if it is `lasting`. Returns the question, which the caller adds to the results.
    """
    game_id = phase = None
    parts: tuple[str, ...] = ()
    if cursor.keeping is not None and cursor.state is not None:
        text = f"SIGN ON m{cursor.state.game.name}\n{text}"
    elif cursor.state is not None:
        game_id, phase = cursor.state.game.id, None if lasting else cursor.state.game.phase
        parts = tuple(part(seat) for seat in (cursor.own() if cursor.became else cursor.seats))
        if cursor.became is not None:
            text = f"BECOME {cursor.became.power}\n{text}"
    return renew(report, Offer(text, game_id, phase, parts), line, answer)


def renew(report: Report, each: Offer, line: str = "", answer: Answer | None = None) -> LineResult:
    """Make an offer in the reply to this message, as it was made before; return the question."""
    questions = line.rstrip().endswith("?")
    answer = answer or Answer("offer", {"lines": each.text, "questions": questions})
    report.offers.append(each)
    return LineResult(line, "asked", answer, asks=True)


def to_claim(offers: Iterable[Offer]) -> str:
    """Return offers as the ticket of their letter keeps them."""
    return json.dumps([asdict(each) for each in offers], ensure_ascii=False)


def from_claim(claim: str | None) -> Sequence[Offer]:
    """Return the offers that a letter made."""
    if claim is None or not claim.startswith("["):
        return ()
    return [Offer(**{**each, "parts": tuple(each["parts"])}) for each in json.loads(claim)]
