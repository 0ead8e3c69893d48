"""Orders, problems and outcomes in words, in the language that is spoken.

The rules and the reading of orders give values; this is the only place that makes sentences of
them. English needs the standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.language.problems import ReadError
from judge.rules.orders import Order
from judge.rules.position import Unit
from judge.rules.problems import Problem
from judge.rules.result import Result
from judge.rules.variant import Variant
from judge.schedule.deadlines import TimeError, TimeProblem
from judge.sentences.outcomes import result_words
from judge.sentences.problems import (
    Conversion,
    conversion_words,
    order_words,
    problem_words,
    time_problem_words,
)
from judge.sentences.terms import unit_words

Said: TypeAlias = Order | Conversion | Unit | Problem | TimeProblem | Result | str


@dataclass(frozen=True, slots=True)
class Wording:
    """A value that becomes words when it is printed: `str()` speaks the language of that moment.

    Letters to several readers share such facts, each in its reader's language. What is said of a
    board needs its `variant`.
    """

    value: Said
    variant: Variant | None = None

    def __str__(self) -> str:
        words = in_words(self.value, self.variant)
        # A problem or a result is a clause in a sentence; orders and units are shown by themselves.
        is_clause = isinstance(self.value, Problem | TimeProblem | Result | str)
        return words if is_clause else words[:1].upper() + words[1:]


def in_words(value: Said, variant: Variant | None = None) -> str:
    """Return a value in words; what is text already stays as it is."""
    match value:
        case str():
            return value
        case TimeProblem():
            return time_problem_words(value)
    assert variant is not None, f"{value!r} is said of a board"
    match value:
        case Unit():
            return unit_words(value, variant.board)
        case Problem():
            return problem_words(value, variant.board)
        case Conversion():
            return conversion_words(value, variant.board)
        case Result():
            return result_words(value, variant)
        case _:
            return order_words(value, variant.board)


def error_wording(error: ValueError, variant: Variant | None = None) -> Wording | str:
    """Return what an error says, worded when it is printed where it holds a problem."""
    if isinstance(error, ReadError | TimeError):
        return Wording(error.problem, variant)
    return str(error)
