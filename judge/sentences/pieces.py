"""What sentences about outcomes are made of: places, units of powers, strengths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from judge.i18n import gettext, language
from judge.rules.board import Board, province_of
from judge.rules.outcome import Piece
from judge.rules.position import Unit
from judge.rules.variant import Variant
from judge.sentences.terms import kind_words, listed, named, placed

__all__ = ["N_", "listed"]


def N_(message: str) -> str:  # noqa: N802  the name that gettext has for it
    """Mark a message for the catalogs that is looked up later."""
    return message


def place(location: str, board: Board) -> str:
    """Return the name of a location as it stands within a sentence; in quotes what is none."""
    return _place(location, board, language())


# Told of again and again, in each letter about a phase and by programs that adjudicate many.
@lru_cache(maxsize=4096)
def _place(location: str, board: Board, spoken: str) -> str:
    if province_of(location) not in board.provinces:
        return f"'{location}'"
    return board.spoken(location) if spoken == "en" else placed(board.name(location))


def kind_name(letter: str, board: Board) -> str:
    """Return what a unit of this letter is called: `army`."""
    return kind_words(letter, board)


def raw_kind(letter: str, board: Board) -> str:
    """Return the same, or the letter itself where no kind has it."""
    return kind_name(letter, board) if not letter or letter in board.kinds else letter


def one(letter: str, board: Board) -> str:
    """Return it with its article: `an army`."""
    return gettext(board.kind(letter).one)


def armies(letters: Iterable[str], board: Board) -> str:
    """Return several of each kind: `armies and fleets`."""
    return listed([gettext(board.kind(letter).plural) for letter in letters])


def power_name(power: str) -> str:
    """Return a power as the reader's language calls it."""
    return str(named(power))


def unit_there(unit: Unit, board: Board) -> str:
    """Return a unit without its power: `the army in Munich`."""
    words = gettext("the {kind} in {place}")
    return words.format(kind=kind_name(unit.kind, board), place=place(unit.location, board))


NUMBERS: Final[Sequence[str]] = (
    *(N_("none"), N_("one"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six")),
    *(N_("seven"), N_("eight"), N_("nine"), N_("ten"), N_("eleven"), N_("twelve")),
)


def strength(number: int) -> str:
    """Return a strength in words: `one`, `two`."""
    return gettext(NUMBERS[number]) if number < len(NUMBERS) else str(number)


def who(piece: Piece, variant: Variant) -> str:
    """Return a unit of a power: `the Russian army from Warsaw`, or `in` where it stays."""
    return _who(piece, variant, language())


@lru_cache(maxsize=4096)
def _who(piece: Piece, variant: Variant, spoken: str) -> str:
    board, power = variant.board, piece.power
    pieces: Mapping[str, str] = {
        "nation": (variant.adjectives.get(power, power) if spoken == "en" else power_name(power)),
        "kind": kind_name(piece.unit.kind, board),
        "place": place(piece.unit.province, board),
    }
    if piece.moving:
        return gettext("the {nation} {kind} from {place}").format_map(pieces)
    return gettext("the {nation} {kind} in {place}").format_map(pieces)


def own(piece: Piece, variant: Variant) -> str:
    """Return a unit of the power that is spoken to: `its own army in Warsaw`."""
    board = variant.board
    pieces = {
        "kind": kind_name(piece.unit.kind, board),
        "place": place(piece.unit.province, board),
    }
    if piece.moving:
        return gettext("its own {kind} from {place}").format_map(pieces)
    return gettext("its own {kind} in {place}").format_map(pieces)


def everyone(pieces: Iterable[Piece], variant: Variant) -> str:
    """Return several units of powers as a list."""
    return listed([who(piece, variant) for piece in pieces])
