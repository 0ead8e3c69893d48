"""HISTORY OF ME: the games somebody played, how they ended, and how that compares."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from judge.game.people.reliability import of_person
from judge.game.state import State
from judge.game.state.answers import Answer
from judge.game.state.profile import JudgeProfile
from judge.intake.context import Sender
from judge.records.ratings import ByPower, by_power, courses, drawn, share_of
from judge.storage import GameState, Person, Role, SeatState, Storage

_COMPARED = 300
"""With how many games that ended on a board one's own are compared."""


class PastPart(Struct, frozen=True):
    """What somebody played; `variant` is the name of the board, `board` its title, `share` their
    part of the result, None where there is none, and `state` that of the game, or of a seat that
    they left."""

    game: str
    variant: str
    board: str
    power: str
    state: str
    share: float | None


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
        state = State(storage, game)
        if state.terms.alone:
            continue
        here = seat.state is SeatState.ACTIVE
        share = None
        if game.state is GameState.ENDED and game.outcome and game.outcome.winners:
            share = share_of(game.outcome.winners, seat.power) if here else 0.0
        of = (game.name, game.variant, state.variant.title, seat.power)
        found[game.id, seat.power] = PastPart(*of, game.state if here else seat.state, share)
    return list(found.values())


def compared(storage: Storage, parts: list[PastPart]) -> list[ByPower]:
    """Return what the parts of somebody came to by board and power, beside the average of the last
    public games on that board, and of one's own."""
    own = {part.game for part in parts}
    results = {
        part.board: [
            game.outcome.winners
            for game in storage.games.last_ended(_COMPARED, part.variant)
            if game.outcome and game.outcome.winners
            if game.name in own or game.settings.get("listed")
        ]
        for part in {part.variant: part for part in parts}.values()
    }
    return by_power(((part.board, part.power, part.share) for part in parts), results)


def history_of_me(sender: Sender, storage: Storage, profile: JudgeProfile) -> Answer:
    me = sender.registered
    parts = parts_of(storage, me.id)
    facts = {"parts": parts, "by_power": compared(storage, parts), "web": profile.web}
    facts |= {"figures": of_person(storage, me.id, public=False), "rated": me.options.rated}
    course = _course(me, profile)
    facts |= {"course": course, "drawn": course and drawn([100, *course])}
    return Answer("history_of_me", facts)


def _course(me: Person, profile: JudgeProfile) -> list[float]:
    """Return somebody's rating after each game, as the house's own pages have it."""
    if not profile.archive or me.options.rated is False:
        return []
    with suppress(FileNotFoundError):
        return courses(Path(profile.archive), profile.address).get(me.id, [])
    return []
