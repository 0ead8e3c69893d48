"""HISTORY OF ME: the games somebody played, how they ended, and how that compares."""

from __future__ import annotations

from collections import defaultdict

from msgspec import Struct

from judge.game.people.reliability import of_person
from judge.game.state import State
from judge.game.state.answers import Answer
from judge.intake.context import Sender
from judge.storage import Game, GameState, Role, SeatState, Storage

_COMPARED = 300
"""With how many games that ended on a board one's own are compared."""


class PastPart(Struct, frozen=True):
    """What somebody played: `share` is their part of the result, 1 for a win alone, None where
    there is none; `state` is that of the game, or of a seat that they left."""

    game: str
    board: str
    power: str
    state: str
    share: float | None


class ByPower(Struct, frozen=True):
    """What somebody had of a power in so many games, and what players of it have on average."""

    board: str
    power: str
    games: int
    share: float
    expected: float


def share_of(game: Game, power: str) -> float | None:
    """Return the part of a power in the result of a game, None if the game has no result."""
    if game.state is not GameState.ENDED or game.outcome is None or not game.outcome.winners:
        return None
    winners = game.outcome.winners
    return 1 / len(winners) if power in winners else 0.0


def parts_of(storage: Storage, person_id: int) -> list[PastPart]:
    """Return what a person played, the oldest game first; one who left has no part in a result, and
    what they play alone is no game."""
    found: dict[tuple[int, str], PastPart] = {}
    seats = storage.seats.of_person(person_id)
    # A power that somebody had back, from a sitter for one, is one part.
    for seat in sorted(seats, key=lambda each: (each.game_id, each.state is SeatState.ACTIVE)):
        game = storage.games.find(seat.game_id)
        if game is None or seat.role is not Role.PLAYER or not seat.power:
            continue
        if State(storage, game).terms.alone:
            continue
        here = seat.state is SeatState.ACTIVE
        share = share_of(game, seat.power)
        share = 0.0 if share and not here else share
        state = game.state if here else seat.state
        found[game.id, seat.power] = PastPart(game.name, game.variant, seat.power, state, share)
    return list(found.values())


def by_power(storage: Storage, parts: list[PastPart]) -> list[ByPower]:
    """Return what the parts of somebody came to by board and power, beside the average of the last
    public games on that board, and of one's own."""
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for part in parts:
        if part.share is not None:
            shares[part.board, part.power].append(part.share)
    own = {part.game for part in parts}
    over = {
        board: [
            game
            for game in storage.games.last_ended(_COMPARED, board)
            if game.name in own or game.settings.get("listed")
        ]
        for board in {board for board, _ in shares}
    }
    rows = []
    for (board, power), mine in sorted(shares.items()):
        every = [share_of(game, power) for game in over[board]]
        known = [share for share in every if share is not None] or mine
        average = sum(known) / len(known)
        rows.append(ByPower(board, power, len(mine), sum(mine), average * len(mine)))
    return rows


def history_of_me(sender: Sender, storage: Storage) -> Answer:
    me = sender.registered
    parts = parts_of(storage, me.id)
    figures = of_person(storage, me.id, public=False)
    facts = {"parts": parts, "by_power": by_power(storage, parts), "figures": figures}
    return Answer("history_of_me", facts)
