"""Other ways to take a line that cannot be read as it stands, and what an order could ever be.

People put units in brackets, glue a unit's letter to its province, and shorten names that only the
board tells apart: `A(Bur)-Mun`, `fmid-por`, `A Liv.-Yor.`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from judge.language.names import EXACT, Names
from judge.language.tokens import Token
from judge.language.vocabulary import Vocabulary
from judge.rules.board import Board, province_of
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from judge.rules.position import Unit

_BRACKETS = ("(", ")")


def spellings(found: list[Token], names: Names) -> Iterator[list[Token]]:
    """Yield the tokens of a line: as written, without brackets, with glued letters apart."""
    yield found
    bare = [token for token in found if token.kind not in _BRACKETS]
    if len(bare) < len(found):
        yield bare
    apart = list(_apart(bare, names))
    if len(apart) > len(bare):
        yield apart


def _apart(found: list[Token], names: Names) -> Iterator[Token]:
    """Part the letter of a unit from the name of a province that follows it at once."""
    kinds = Vocabulary.of(names.variant.board).kinds
    for token in found:
        letter, rest = token.key[:1], token.key[1:]
        known = names.provinces.find((token.key,)).ids or token.key in kinds
        named = names.provinces.find((rest,)) if rest and not known else None
        if letter in kinds and named is not None and named.tier == EXACT and len(named.ids) == 1:
            yield Token("word", letter, letter)
            yield Token("word", token.text[1:], rest)
        else:
            yield token


def scanned(found: list[Token], names: Names) -> Iterator[list[Token]]:
    """Yield the tokens as they stood before a scan took a stop or an I for an l, or a V for a y
    (`Bull`, `ElO`, `yen`); for a line that can be nothing as it stands."""
    exact = names.provinces.exact
    mended = [_mended(token, exact) for token in found]
    if mended != found:
        yield mended


def _mended(token: Token, exact: Mapping[str, str]) -> Token:
    text = token.text
    if token.kind != "word" or not 3 <= len(text) <= 4:
        return token
    capitals = re.sub("^y", "V", text.replace("l", "I"))
    for read in (text[:-1] if text.endswith("l") and token.key not in exact else "", capitals):
        if len(read) == 3 and read != text and read.lower() in exact:
            return Token("word", read, read.lower())
    return token


def could_be(order: object, board: Board, *, by_sea: bool = True) -> bool:
    """Return whether the board allows an order, whatever stands on it.

    Args:
        by_sea: Whether an army's move that names no convoy may still need one.
    """
    goes = _arrives if by_sea else _reaches
    match order:
        case Move(path=()) if not order.via:
            return could_stand(order.unit, board) and goes(order.unit, order.to, board)
        case Retreat():
            return could_stand(order.unit, board) and _reaches(order.unit, order.to, board)
        case Support():
            goal = order.target.location if order.to is None else order.to
            return (
                could_stand(order.unit, board)
                and could_stand(order.target, board)
                and _reaches(order.unit, goal, board)
                and (order.to is None or goes(order.target, order.to, board))
            )
        case Convoy():
            units = could_stand(order.unit, board) and could_stand(order.army, board)
            return units and _terrain(order.to, board) != "sea"
        case Move() if order.path and order.unit.kind and board.kind(order.unit.kind).afloat:
            return False
        case Hold() | Move() | Build() | Disband():
            return could_stand(order.unit, board)
    return True


def _terrain(location: str, board: Board) -> str:
    return board.provinces[province_of(location)].terrain


def could_stand(unit: Unit, board: Board) -> bool:
    """Return whether there can be such a unit on the board, as far as it is named."""
    if not unit.kind or not unit.location:
        return True
    places = (unit.location, *board.provinces[unit.province].locations)
    return any(board.stands(unit.kind, place) for place in places)


def _reaches(unit: Unit, goal: str, board: Board) -> bool:
    """Whether a unit is one step away from a province."""
    if not unit.location:
        return True
    places = {unit.location, *board.provinces[unit.province].locations}
    kinds = [unit.kind] if unit.kind else list(board.kinds)
    return any(
        province_of(step) == province_of(goal)
        for kind in kinds
        for place in places
        for step in board.steps(kind, place)
    )


def _arrives(unit: Unit, goal: str, board: Board) -> bool:
    """Whether a unit could get to a province, by convoy if need be."""
    if not unit.location:
        return True
    by_sea = _terrain(unit.location, board) == _terrain(goal, board) == "coast"
    return _reaches(unit, goal, board) or (by_sea and not board.kind(unit.kind).afloat)


def one_possible(orders: list[Order], board: Board) -> Order | None:
    """Return the one of several readings that the board allows, if there is exactly one."""
    possible = [order for order in dict.fromkeys(orders) if could_be(order, board, by_sea=False)]
    return possible[0] if len(possible) == 1 else None
