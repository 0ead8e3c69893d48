"""Orders, problems and outcomes in words, in the language that is spoken.

The rules and the reading of orders give values; this is the only place that makes sentences of
them. English needs the standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.language.problems import Misreading, ReadError
from judge.rules.orders import Order
from judge.rules.position import Unit
from judge.rules.problems import Problem
from judge.rules.variant import Variant
from judge.sentences.orders import order_words
from judge.sentences.problems import misreading_words
from judge.sentences.units import unit_words


@dataclass(frozen=True, slots=True)
class Wording:
    """A value that becomes words when it is printed: `str()` speaks the language of that moment.

    Letters to several readers share such facts, each in its reader's language.
    """

    value: Order | Unit | Problem | str
    variant: Variant

    def __str__(self) -> str:
        words = in_words(self.value, self.variant)
        return words if isinstance(self.value, Problem | str) else words[:1].upper() + words[1:]


def in_words(value: Order | Unit | Problem | str, variant: Variant) -> str:
    """Return an order, a unit or a problem in words; what is text already stays as it is."""
    match value:
        case str():
            return value
        case Unit():
            return unit_words(value, variant.board)
        case Misreading():
            return misreading_words(value, variant.board)
        case Problem():
            raise TypeError(f"no words for {value!r}")
        case _:
            return order_words(value, variant.board)


def error_wording(error: ValueError, variant: Variant) -> Wording | str:
    """Return what an error says: in words when they are printed, where it holds a problem."""
    return Wording(error.problem, variant) if isinstance(error, ReadError) else str(error)
