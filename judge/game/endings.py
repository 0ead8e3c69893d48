"""The ways a game ends, and who has won by each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from judge.game.state import State
from judge.rules.phase import Calendar, Kind, Phase, Season


class Ending(Enum):
    """Why a game is over. The first four are those of the 2023 rulebook, "Object of the Game"."""

    VICTORY = "victory"
    """A power owns as many centers as victory takes."""
    DRAW = "draw"
    """All surviving players agreed to share."""
    TURN_LIMIT = "turn limit"
    """The last turn agreed on is over; most centers win, ties shared."""
    TIME_LIMIT = "time limit"
    """The time agreed on is over; most centers win, ties shared."""
    DESERTED = "deserted"
    """Nobody plays any more; no result."""
    TERMINATED = "terminated"
    """The master has ended it; no result."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended, and which powers share in it."""

    ending: Ending
    winners: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """JSON values, with the keys `ending` and `winners`."""
        return {"ending": self.ending.value, "winners": list(self.winners)}


def most_centers(state: State) -> tuple[str, ...]:
    """The powers with the most centers of those that are played, or of all where none is; ties
    share (2023 rulebook)."""
    counts = {power: len(state.opened.centers.get(power, ())) for power in state.variant.powers}
    played = {power: count for power, count in counts.items() if state.player(power)} or counts
    most = max(played.values(), default=0)
    return tuple(power for power, count in played.items() if count == most and most)


def after_phase(state: State, winners: Sequence[str]) -> Outcome | None:
    """How the game ends with the phase that has just run; None: it goes on.

    The next phase is open already; `winners` are those the rules name.
    """
    if winners:
        return Outcome(Ending.VICTORY, tuple(winners))
    limit = state.settings.turn_limit
    if limit is not None and past_limit(state.variant.calendar, state.opened.phase, limit):
        return Outcome(Ending.TURN_LIMIT, most_centers(state))
    return None


def draw_agreed(state: State) -> Outcome | None:
    """The draw of all survivors, if each of their players has voted for it in this phase."""
    survivors = state.survivors()
    seats = [state.player(power) for power in survivors]
    if seats and all(seat is not None and seat.draw for seat in seats):
        return Outcome(Ending.DRAW, tuple(survivors))
    return None


def read_limit(calendar: Calendar, text: str) -> str:
    """The turn that `text` names, as settings keep it: `F1907`, `Fall 1907`, `1907` (its fall).

    Raises ValueError, quoting `text`, when it names none.
    """
    words = text.replace(",", " ").split()
    if len(words) == 1:
        season, year = (words[0][:1].upper(), words[0][1:])
        if words[0].isdecimal():
            season, year = _last_moves(calendar).value, words[0]
    elif len(words) == 2:
        season, year = words[0].upper(), words[1]
    else:
        season, year = "", ""
    for known in {step[0] for step in calendar.year}:
        if season in (known.value, known.name) and year.isdecimal():
            return f"{known.value}{int(year)}"
    raise ValueError(f"{text!r} names no turn; write one like F1907 or Fall 1907")


def past_limit(calendar: Calendar, phase: Phase, limit: str) -> bool:
    """Whether all phases of the turn `limit` (`F1907`) lie before `phase`."""
    season, year = Season(limit[0]), int(limit[1:])
    last = max(
        calendar.key(Phase(season, year, kind)) for known, kind in calendar.year if known is season
    )
    return calendar.key(phase) > last


def _last_moves(calendar: Calendar) -> Season:
    return [season for season, kind in calendar.year if kind is Kind.MOVEMENT][-1]
