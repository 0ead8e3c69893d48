"""Orders in words: "Army Paris moves to Burgundy"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce

from judge.i18n import language, say
from judge.rules.board import Board
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Launch,
    Move,
    Order,
    Proxy,
    Relay,
    Retreat,
    Support,
    Unreadable,
    Waive,
)
from judge.sentences.terms import listed, named, place_words, unit_words


def order_words(order: Order, board: Board) -> str:
    """Return an order as a sentence without a full stop.

    What could not be read is returned as it was written.
    """
    if isinstance(order, Unreadable):
        return order.text[:1].upper() + order.text[1:]
    return _sentence(order, board, language())


# A reply says each order in the text, in HTML, and in what it confirms.
@lru_cache(maxsize=4096)
def _sentence(order: Order, board: Board, language: str) -> str:
    """Return an order as a sentence; `language` is the one that is spoken."""
    words = _words(order, board)
    return words[:1].upper() + words[1:]


def _words(order: Order, board: Board) -> str:
    match order:
        case Waive(count=None):
            return say("waive all other builds")
        case Waive(count=1):
            return say("waive one build")
        case Waive(count=count):
            return say("waive {count} builds", count=count)
        case Hold() | Move() | Support() | Convoy() | Launch() | Relay() | Proxy() | Retreat():
            unit = unit_words(order.unit, board)
        case Disband() | Build():
            unit = unit_words(order.unit, board)
        case _:
            return str(order)
    match order:
        case Hold():
            return say("{unit} holds", unit=unit)
        case Move():
            return _move(order, unit, board)
        case Support():
            return _support(order, unit, board)
        case Convoy():
            army, to = unit_words(order.army, board), place_words(order.to, board)
            return say("{unit} convoys {unit2} to {place}", unit=unit, unit2=army, place=to)
        case Launch():
            return _launch(order, unit, board)
        case Relay():
            return _relay(order, unit, board)
        case Retreat():
            to = place_words(order.to, board)
            return say("{unit} retreats to {place}", unit=unit, place=to)
        case Disband():
            return say("{unit} disbands", unit=unit)
        case Proxy():
            return say("{unit} is ordered by {power}", unit=unit, power=named(order.power))
        case Build():
            return say("build {unit}", unit=unit)


def _move(order: Move, unit: str, board: Board) -> str:
    to = place_words(order.to, board)
    if order.path:
        waters = _places(order.path, board)
        return say(
            "{unit} moves to {place} by convoy over {places}", unit=unit, place=to, places=waters
        )
    if order.via:
        return say("{unit} moves to {place} by convoy", unit=unit, place=to)
    return say("{unit} moves to {place}", unit=unit, place=to)


def _support(order: Support, unit: str, board: Board) -> str:
    target = unit_words(order.target, board)
    if order.to is None:
        return say("{unit} supports {unit2}", unit=unit, unit2=target)
    to = place_words(order.to, board)
    return say("{unit} supports {unit2} in its move to {place}", unit=unit, unit2=target, place=to)


def _launch(order: Launch, unit: str, board: Board) -> str:
    to = place_words(order.to, board)
    if not order.via:
        return say("{unit} bombs {place}", unit=unit, place=to)
    way = _places(order.via, board)
    return say("{unit} bombs {place} by way of {places}", unit=unit, place=to, places=way)


def _relay(order: Relay, unit: str, board: Board) -> str:
    """Say where a unit has a bomb from and where it takes it: "from Sahara to Sicily"."""
    *before, source = order.origins
    came, via = _places(before, board), _places(order.via, board)
    place = place_words(source, board)
    if order.to is None and before:
        return say(
            "{unit} takes the bomb from {place}, which came from {places}, on to {places2}",
            unit=unit, place=place, places=came, places2=via,
        )  # fmt: skip
    if order.to is None:
        return say(
            "{unit} takes the bomb from {place} on to {places}", unit=unit, place=place, places=via
        )
    to = place_words(order.to, board)
    if via and before:
        return say(
            "{unit} takes the bomb from {place}, which came from {places}, by way of {places2} to"
            " {place2}",
            unit=unit, place=place, places=came, places2=via, place2=to,
        )  # fmt: skip
    if via:
        return say(
            "{unit} takes the bomb from {place} by way of {places} to {place2}",
            unit=unit, place=place, places=via, place2=to,
        )  # fmt: skip
    if before:
        return say(
            "{unit} takes the bomb from {place}, which came from {places}, to {place2}",
            unit=unit, place=place, places=came, place2=to,
        )  # fmt: skip
    return say("{unit} takes the bomb from {place} to {place2}", unit=unit, place=place, place2=to)


def _places(places: Sequence[str], board: Board) -> str:
    """Name places in a row without commas, which would part orders where the words are read."""
    names = [place_words(place, board) for place in places]
    return reduce(lambda before, name: listed([before, name]), names) if names else ""
