"""Orders, problems and outcomes in words, in the language that is spoken.

The rules and the reading of orders give values; this is the only place that makes sentences of
them. English needs the standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

from judge.i18n import language, sentences
from judge.language.misreadings import ReadError
from judge.rules.board import Board
from judge.rules.orders import Convoy, Launch, Move, Order, Proxy, Relay, Support, Unreadable, Waive
from judge.rules.position import Unit
from judge.rules.problems import Problem
from judge.rules.result import Result
from judge.rules.variant import Variant
from judge.schedule.deadlines import TimeError, TimeProblem
from judge.sentences.outcome_words import result_words
from judge.sentences.problem_words import problem_words, time_problem_words
from judge.sentences.terms import kept_by_language, listed, named, place_words, unit_words


@dataclass(frozen=True, slots=True)
class Conversion:
    """A build order for the place of a unit, which becomes another one."""

    old: Unit
    new: Unit


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
    if isinstance(value, str):
        return value
    if isinstance(value, TimeProblem):
        return time_problem_words(value)
    assert variant is not None, f"{value!r} is said of a board"
    board = variant.board
    match value:
        case Unit():
            return unit_words(value, board)
        case Problem():
            return problem_words(value, board)
        case Conversion():
            old, new = (unit_words(each, board) for each in (value.old, value.new))
            words: str = sentences("orders", language())["convert"]
            return words.format(unit=old, unit2=new)
        case Result():
            return result_words(value, variant)
        case _:
            return order_words(value, board)


def error_wording(error: ValueError, variant: Variant | None = None) -> Wording | str:
    """Return what an error says, worded when it is printed where it holds a problem."""
    if isinstance(error, ReadError | TimeError):
        return Wording(error.problem, variant)
    return str(error)


def order_words(order: Order, board: Board) -> str:
    """Return an order as a sentence without a full stop.

    What could not be read is returned as it was written.
    """
    if isinstance(order, Unreadable):
        # Not kept: it is as long as its writer likes.
        return order.text[:1].upper() + order.text[1:]
    return _sentence(order, board)


# A reply says each order in the text, in HTML, and in what it confirms.
@kept_by_language
def _sentence(order: Order, board: Board) -> str:
    key, pieces = _text(order, board)
    words: str = sentences("orders", language())[key].format_map(pieces)
    return words[:1].upper() + words[1:]


def _text(order: Order, board: Board) -> tuple[str, Mapping[str, object]]:
    """Return the key of the text for an order, and what to put into it."""
    if isinstance(order, Waive):
        return {None: "waive_all", 1: "waive_one"}.get(order.count, "waive"), {"count": order.count}
    assert not isinstance(order, Unreadable)
    key = type(order).__name__.lower()
    pieces: dict[str, object] = {"unit": unit_words(order.unit, board)}
    to = getattr(order, "to", None)
    if to is not None:
        pieces["place"] = place_words(to, board)
    match order:
        case Move():
            pieces["places"] = _places(order.path, board)
            key = "move_over" if order.path else "move_by_convoy" if order.via else key
        case Support():
            pieces["unit2"] = unit_words(order.target, board)
            key = key if to is None else "support_move"
        case Convoy():
            pieces["unit2"] = unit_words(order.army, board)
        case Launch():
            pieces["places"] = _places(order.via, board)
            key = "launch_by_way" if order.via else key
        case Proxy():
            pieces["power"] = named(order.power)
        case Relay():
            *before, source = order.origins
            key += ("_further" if before else "") + (
                "_on" if to is None else "_by_way" if order.via else ""
            )
            pieces["origin"] = place_words(source, board)
            pieces["origins"] = _places(before, board)
            pieces["places"] = _places(order.via, board)
    return key, pieces


def _places(places: Sequence[str], board: Board) -> str:
    """Name places in a row without commas, which would part orders where the words are read."""
    names = [place_words(place, board) for place in places]
    return reduce(lambda before, name: listed([before, name]), names) if names else ""
